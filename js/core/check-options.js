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
 * @param {number} least
 * @param {number} [most]
 * @returns {number}
 * @throws {RangeError}
 */
export function checkCount(value, name, least, most = 2 ** 31 - 1) {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${show(value)}`);
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
