// Checks numbers and lists of numbers that a caller passes.
import { checkNumber } from './check-options.js';
import { show } from './errors.js';

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} [least]
 * @returns {number}
 * @throws {RangeError}
 */
export function checkFinite(value, name, least = -Infinity) {
  if (typeof value === 'number' && value >= least && Number.isFinite(value)) return value;
  throw new RangeError(
    `${name} must be a finite number${least > -Infinity ? ` at least ${least}` : ''}, not ${show(value)}`,
  );
}

/** A longer list must have its last item, so that `{ length: 1e9 }` is refused at once. */
const LONG = 1e6;

/**
 * Checks an array, a typed array or another object with a length and numbered items.
 *
 * @param {any} value
 * @param {string} name
 * @param {string} expected  such as `an array of 3 numbers`
 * @param {number} [length]  default: any
 * @returns {number}  its length
 * @throws {TypeError | RangeError}
 */
export function checkList(value, name, expected, length) {
  const found = typeof value === 'object' ? value?.length : undefined;
  const isList = Number.isInteger(found) && found >= 0 && (found <= LONG || found - 1 in value);
  if (isList && found === (length ?? found)) return found;
  throw new (isList ? RangeError : TypeError)(`${name} must be ${expected}, not ${show(value)}`);
}

/**
 * Checks a list of numbers, and copies it. It reads each item once, and calls no iterator of the list.
 *
 * @param {any} value
 * @param {string} name
 * @param {number} length
 * @param {{ least?: number, above?: number, most?: number }} [range]  default: any finite number
 * @returns {Float64Array}
 * @throws {TypeError | RangeError}
 */
export function checkNumbers(value, name, length, range) {
  checkList(value, name, `an array of ${length} numbers`, length);
  const { least = -Number.MAX_VALUE, most = Number.MAX_VALUE } = range ?? {};
  const numbers = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const item = value[i];
    // The name is made only for the error, because lists are long.
    if (typeof item === 'number' && item >= least && item <= most) numbers[i] = item;
    else if (range) checkNumber(item, `${name}[${i}]`, range);
    else checkFinite(item, `${name}[${i}]`);
  }
  return numbers;
}
