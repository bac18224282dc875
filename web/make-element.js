// Helpers that create HTML and SVG elements.

/**
 * Creates an element with attributes, listeners and children.
 *
 * @param {string} name
 * @param {Record<string, any>} [attributes]  functions become listeners; false and undefined are left out
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') created.addEventListener(key, value);
    else if (value === true) created.setAttribute(key, '');
    else if (value !== false && value !== undefined) created.setAttribute(key, String(value));
  }
  created.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return created;
}

/**
 * Creates an SVG element.
 *
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function svgElement(name, attributes, ...children) {
  const created = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  created.append(...children);
  return created;
}

let fieldCount = 0;

/**
 * Creates a labeled control with an optional hint.
 *
 * @param {string} title
 * @param {any} control
 * @param {string} [hint]
 */
export function field(title, control, hint) {
  const id = `field-${++fieldCount}`;
  control.id = id;
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`);
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, title),
    control,
    hint && element('p', { class: 'hint', id: `${id}-hint` }, hint),
  );
}

/**
 * Creates a drop-down list.
 *
 * @param {readonly (readonly [string | number, string])[]} choices  pairs of value and label
 * @param {string | number} chosen
 * @param {(value: string) => void} onChange
 */
export function select(choices, chosen, onChange) {
  const created = element(
    'select',
    { change: () => onChange(created.value) },
    ...choices.map(([value, label]) => element('option', { value, selected: String(value) === String(chosen) }, label)),
  );
  return created;
}
