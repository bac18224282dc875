// Checks of options: each throws an error that names the option, the value and what was expected.
import { show } from './errors.js';

/**
 * Throws if `options` is not an object or has an unknown name, and suggests the nearest known name.
 *
 * @param {unknown} options
 * @param {readonly string[]} known
 * @param {string} caller  the function or option that takes them
 * @returns {Record<string, any>}
 * @throws {TypeError}
 */
export function checkNames(options, known, caller) {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${caller} takes its options as an object, not ${show(options)}`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const nearest = nearestTo(name, known);
    const hint = nearest ? `did you mean ${show(nearest)}?` : `it takes ${known.join(', ')}`;
    throw new TypeError(`${caller} has no option ${show(name)}; ${hint}`);
  }
  return /** @type {Record<string, any>} */ (options);
}

/**
 * @param {string} name
 * @param {readonly string[]} known
 * @returns {string | undefined}  the known name with the smallest edit distance, if that is small enough
 */
export function nearestTo(name, known) {
  const given = name.toLowerCase().replaceAll('_', '');
  const near = known
    .map((candidate) => ({ candidate, keystrokes: editDistance(given, candidate.toLowerCase()) }))
    .filter(({ candidate, keystrokes }) => {
      const starts = (/** @type {number} */ letters) => candidate.toLowerCase().startsWith(given.slice(0, letters));
      const few = starts(1) ? Math.ceil(given.length / 3) : Math.floor(given.length / 3);
      return keystrokes <= few || (given.length >= 4 && starts(4) && keystrokes <= 5);
    })
    .sort((a, b) => a.keystrokes - b.keystrokes);
  return near[0]?.candidate;
}

/**
 * @param {string} from
 * @param {string} to
 */
function editDistance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swapped = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swapped, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {{ least?: number, above?: number, most?: number }} [range]
 * @returns {number}
 * @throws {RangeError}
 */
export function checkNumber(value, name, { least = -Infinity, above = -Infinity, most = Infinity } = {}) {
  if (typeof value === 'number' && value >= least && value > above && value <= most) return value;
  const wanted = [
    above > -Infinity && `above ${above}`,
    least > -Infinity && `at least ${least}`,
    most < Infinity && `at most ${most}`,
  ].filter(Boolean);
  const expected = ['a number', wanted.join(' and ')].filter(Boolean).join(' ');
  throw new RangeError(`${name} must be ${expected}, not ${show(value)}`);
}

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

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} least
 * @param {number} [most]
 * @returns {number}
 * @throws {RangeError}
 */
export function checkCount(value, name, least, most = 2 ** 31 - 1) {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${show(value)}`);
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

/**
 * @param {unknown} value
 * @param {string} name
 * @param {readonly string[]} choices
 * @returns {number}  its place among the choices
 * @throws {RangeError}
 */
export function checkChoice(value, name, choices) {
  const place = choices.indexOf(/** @type {string} */ (value));
  if (place >= 0) return place;
  throw new RangeError(`${name} must be one of ${choices.join(', ')}, not ${show(value)}`);
}

/**
 * @param {any} signal
 * @throws {TypeError} if it is given and not an AbortSignal
 */
export function checkSignal(signal) {
  // Not instanceof: the signal may come from another realm or a polyfill.
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new TypeError(`signal must be an AbortSignal, not ${show(signal)}`);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {boolean}
 * @throws {TypeError}
 */
export function checkFlag(value, name) {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name} must be true or false, not ${show(value)}`);
}

/**
 * Whether a value says how numbers are written: options of `Intl.NumberFormat`, and a `unit` of any text.
 *
 * @param {any} value
 * @returns {value is Intl.NumberFormatOptions}
 */
export function isNumberFormat(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    const { unit, ...format } = value;
    if (Object.values(value).some((one) => !['string', 'number', 'boolean'].includes(typeof one))) return false;
    void new Intl.NumberFormat('en', format.style === 'unit' ? value : format);
    return unit === undefined || typeof unit === 'string';
  } catch {
    return false;
  }
}
