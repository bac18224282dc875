/**
 * An element with attributes, listeners and children.
 *
 * @param {string} name
 * @param {Record<string, any>} [attributes]  functions become listeners; false and undefined are left out
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** An SVG element. @param {string} name @param {Record<string, string | number>} attributes @param {...(Node | string)} children */
export function drawn(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

let labels = 0;

/**
 * A labelled control with a line that says what it does.
 *
 * @param {string} title
 * @param {any} control
 * @param {string} [hint]
 */
export function field(title, control, hint) {
  const id = `field-${++labels}`;
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
 * @param {readonly (readonly [string | number, string])[]} choices  value and words
 * @param {string | number} chosen
 * @param {(value: string) => void} onChange
 */
export function select(choices, chosen, onChange) {
  const made = element(
    'select',
    { change: () => onChange(made.value) },
    ...choices.map(([value, words]) => element('option', { value, selected: String(value) === String(chosen) }, words)),
  );
  return made;
}
