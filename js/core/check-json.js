// Checks of plain data, such as values parsed from JSON: each returns what is wrong, and where.
import { isNumberFormat } from './number-format.js';
import { show } from './errors.js';

/**
 * @typedef {{ path: string, expected: string, got: string }} Fault
 * @typedef {(value: any) => Fault | undefined} Check  returns what is wrong with a value
 */

/** The most characters of a string and items of an array. */
export const MOST = 1e8;
const { MAX_SAFE_INTEGER } = Number;

/** @param {string} expected @param {unknown} value @returns {Fault} */
export const fault = (expected, value) => ({ path: '', expected, got: show(value) });

/** @param {string} expected @param {(value: any) => boolean} test @returns {Check} */
export const is = (expected, test) => (value) => (test(value) ? undefined : fault(expected, value));

/** @param {number} least @param {number} [most] @returns {Check} */
export const whole =
  (least, most = MAX_SAFE_INTEGER) =>
  (value) =>
    Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : fault(`a whole number from ${least} to ${most}`, value);

/** @param {...string} choices */
export const oneOf = (...choices) => is(choices.map(show).join(' or '), (value) => choices.includes(value));

/** @param {Check} check @returns {Check} */
export const optional = (check) => (value) => (value === undefined ? undefined : check(value));

export const number = is('a finite number', Number.isFinite);
export const size = is('a finite number of at least 0', (value) => Number.isFinite(value) && value >= 0);
/** @param {unknown} value */
export const isShare = (value) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= 1;
export const share = is('a number from 0 to 1', isShare);
export const flag = is('true or false', (value) => typeof value === 'boolean');
export const text = is(
  `a string of at most ${MOST} characters`,
  (value) => typeof value === 'string' && value.length <= MOST,
);

/**
 * Whether a value is an array, or else an object, as JSON has them: no instance of another class. It may come from another
 * realm.
 *
 * @param {any} value
 * @param {boolean} array
 * @returns {boolean}
 */
export function isPlain(value, array) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== array) return false;
  const prototype = Object.getPrototypeOf(value);
  // Array.prototype is an array itself.
  if (array) return Array.isArray(prototype) && isPlain(Object.getPrototypeOf(prototype), false);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Checks a property. A getter could give another value later, and an inherited value is not in the JSON.
 *
 * @param {any} holder
 * @param {string | number} name
 * @param {Check} check
 * @returns {Fault | undefined}
 */
function checkProperty(holder, name, check) {
  const own = Object.getOwnPropertyDescriptor(holder, name);
  const hidden = own ? own.get && 'a getter' : name in holder && 'an inherited one';
  const found = hidden ? { path: '', expected: 'a property of its own', got: hidden } : check(own?.value);
  return found && { ...found, path: (typeof name === 'number' ? `[${name}]` : `.${name}`) + found.path };
}

/** Checks properties in this order; others are ignored. @param {Record<string, Check>} checks @returns {Check} */
export function object(checks) {
  const entries = Object.entries(checks);
  return (value) => {
    if (!isPlain(value, false)) return fault('a plain object', value);
    for (const [name, check] of entries) {
      const found = checkProperty(value, name, check);
      if (found) return found;
    }
    return undefined;
  };
}

/** @param {Check} check  of each item @returns {Check} */
export const list = (check) => (value) => {
  if (!isPlain(value, true) || value.length > MOST) return fault(`an array of at most ${MOST} items`, value);
  for (let i = 0; i < value.length; i++) {
    const found = checkProperty(value, i, check);
    if (found) return found;
  }
  return undefined;
};

/** Like `list`, but fast enough for a number per pixel. @param {Check} check @param {number} [length] @returns {Check} */
export const numbers = (check, length) => (value) => {
  if (!isPlain(value, true) || value.length > MOST || value.length !== (length ?? value.length))
    return fault(`an array of ${length ?? `at most ${MOST}`} numbers`, value);
  for (let i = 0; i < value.length; i++) {
    const found = check(value[i]);
    if (found) return { ...found, path: `[${i}]` };
  }
  return undefined;
};

/** A number with an interval around it. */
export const interval = is(
  '[low, high] or null',
  (value) =>
    value === null ||
    (isPlain(value, true) && value.length === 2 && value.every(Number.isFinite) && value[0] <= value[1]),
);

/** How the numbers of a column are written. */
export const numberFormat = is(
  'options of Intl.NumberFormat',
  (value) => isPlain(value, false) && isNumberFormat(value),
);

/**
 * Throws if something is wrong with a value.
 *
 * @param {Fault | undefined} found
 * @param {string} name  of the whole value, such as `'an explanation'`
 * @throws {TypeError}  names the field, what was expected, and what it is
 */
export function throwFault(found, name) {
  if (!found) return;
  const path = found.path ? found.path.replace('.', '') : name;
  throw new TypeError(`${path} must be ${found.expected}, not ${found.got}`);
}
