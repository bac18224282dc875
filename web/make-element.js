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

/** Creates a button. @param {string} text @param {() => void} click @param {string} [look]  its class */
export const button = (text, click, look = 'quiet') => element('button', { type: 'button', class: look, click }, text);

/**
 * Creates a drop-down list that looks like a word of a sentence.
 *
 * @param {string} label  for screen readers
 * @param {readonly (readonly [string | number, string])[]} choices  pairs of value and label
 * @param {string | number} chosen
 * @param {(value: string) => void} onChange
 */
export function select(label, choices, chosen, onChange) {
  const created = element(
    'select',
    { 'aria-label': label, change: () => onChange(created.value) },
    ...choices.map(([value, text]) => element('option', { value, selected: String(value) === String(chosen) }, text)),
  );
  return created;
}

/**
 * Creates a row of buttons of which one is pressed.
 *
 * @param {string} label  for screen readers
 * @param {readonly (readonly [string | number, string])[]} choices  pairs of value and label
 * @param {string | number | undefined} chosen
 * @param {(value: any) => void} onChange
 * @returns {any}  an element with `press(value)`, which presses another button
 */
export function choiceRow(label, choices, chosen, onChange) {
  const buttons = choices.map(([value, text]) => {
    const click = () => {
      press(value);
      onChange(value);
    };
    return element('button', { type: 'button', click }, text);
  });
  const press = (value) =>
    buttons.forEach((one, i) => one.setAttribute('aria-pressed', String(choices[i][0] === value)));
  press(chosen);
  const row = element('div', { class: 'choices', role: 'group', 'aria-label': label }, ...buttons);
  return Object.assign(row, { press });
}
