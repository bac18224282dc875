// Checks that a value, such as one parsed from JSON, is an explanation.
import { isNumberFormat } from '../core/check-options.js';
import { show } from '../core/errors.js';

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('./explanation.js').Explanation<Feature & Partial<import('./explain-row.js').RowPlace>>} AnyRowExplanation
 * @typedef {(AnyRowExplanation & { kind: 'row' }) |
 *   (import('./explain-text.js').TextExplanation & { kind: 'text' }) |
 *   (import('./explain-image.js').ImageExplanation & { kind: 'image' })} AnyExplanation
 *
 * @typedef {{ path: string, expected: string, got: string }} Fault
 * @typedef {(value: any) => Fault | undefined} Check  returns what is wrong with a value
 */

/** The most characters of a string and items of an array. */
const MOST = 1e8;
const { MAX_SAFE_INTEGER } = Number;

/** @param {string} expected @param {unknown} value @returns {Fault} */
const fault = (expected, value) => ({ path: '', expected, got: show(value) });

/** @param {string} expected @param {(value: any) => boolean} test @returns {Check} */
const is = (expected, test) => (value) => (test(value) ? undefined : fault(expected, value));

/** @param {number} least @param {number} [most] @returns {Check} */
const whole =
  (least, most = MAX_SAFE_INTEGER) =>
  (value) =>
    Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : fault(`a whole number from ${least} to ${most}`, value);

/** @param {...string} choices */
const oneOf = (...choices) => is(choices.map(show).join(' or '), (value) => choices.includes(value));

/** @param {Check} check @returns {Check} */
const optional = (check) => (value) => (value === undefined ? undefined : check(value));

const number = is('a finite number', Number.isFinite);
const size = is('a finite number of at least 0', (value) => Number.isFinite(value) && value >= 0);
/** @param {unknown} value */
const isShare = (value) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= 1;
const share = is('a number from 0 to 1', isShare);
const flag = is('true or false', (value) => typeof value === 'boolean');
const text = is(`a string of at most ${MOST} characters`, (value) => typeof value === 'string' && value.length <= MOST);

/**
 * Whether a value is an array, or else an object, as JSON has them: no instance of another class. It may come from another
 * realm.
 *
 * @param {any} value
 * @param {boolean} array
 * @returns {boolean}
 */
function isPlain(value, array) {
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
function object(checks) {
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
const list = (check) => (value) => {
  if (!isPlain(value, true) || value.length > MOST) return fault(`an array of at most ${MOST} items`, value);
  for (let i = 0; i < value.length; i++) {
    const found = checkProperty(value, i, check);
    if (found) return found;
  }
  return undefined;
};

/** Like `list`, but fast enough for a number per pixel. @param {Check} check @param {number} [length] @returns {Check} */
const numbers = (check, length) => (value) => {
  if (!isPlain(value, true) || value.length > MOST || value.length !== (length ?? value.length))
    return fault(`an array of ${length ?? `at most ${MOST}`} numbers`, value);
  for (let i = 0; i < value.length; i++) {
    const found = check(value[i]);
    if (found) return { ...found, path: `[${i}]` };
  }
  return undefined;
};

/** Spans of a text: not empty, in order, not overlapping. @param {number} length @param {Record<string, Check>} [more] @returns {Check} */
function spans(length, more) {
  let from = 0;
  const start = (/** @type {number} */ value) => whole(from, length)(value) ?? void (from = value + 1);
  const end = (/** @type {number} */ value) => whole(from, length)(value) ?? void (from = value);
  return list(object({ start, end, ...more }));
}

/** A cell of a row. */
const cell = is(
  'a finite number, a string, true, false or null',
  (value) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
);

const range = is(
  '[from, to], each a number or null',
  (value) =>
    isPlain(value, true) &&
    value.length === 2 &&
    value.every((/** @type {unknown} */ end) => end === null || Number.isFinite(end)),
);

const interval = is(
  '[low, high] or null',
  (value) =>
    value === null ||
    (isPlain(value, true) && value.length === 2 && value.every(Number.isFinite) && value[0] <= value[1]),
);

/** The features, with the fields of their kind. @param {number} count  of weights @param {Record<string, Check>} more */
function features(count, more) {
  const seen = new Set();
  return list(
    object({
      index: (value) =>
        whole(0, count - 1)(value) ??
        (seen.has(value) ? fault('the index of no other feature', value) : void seen.add(value)),
      name: text,
      weight: number,
      interval,
      signAgreement: is('a number from 0 to 1, or null', (value) => value === null || isShare(value)),
      silenced: flag,
      raw: optional(number),
      ...{ contribution: optional(number), contributionInterval: optional(interval) },
      ...more,
    }),
  );
}

/** @type {Record<string, (explanation: any, count: number) => Record<string, Check>>} */
const OF_KIND = {
  row: (_, count) => ({
    features: features(count, {
      column: optional(text),
      value: optional(cell),
      kind: optional(oneOf('numeric', 'level', 'quartile')),
      ...{ reference: optional(number), spread: optional(size), step: optional(size), range: optional(range) },
      format: optional(format),
      perUnit: optional(number),
      perDeviation: optional(number),
    }),
  }),
  text: ({ text: { length } }, count) => ({
    tokens: spans(length, { feature: whole(0, count - 1) }),
    features: features(count, { occurrences: (value) => spans(length)(value) }),
  }),
  image: ({ width, height }, count) => ({
    labels: numbers(whole(0, count - 1), width * height),
    features: features(count, {
      box: (value) =>
        object({ x: whole(0), y: whole(0), width: whole(1), height: whole(1) })(value) ??
        (value.x + value.width <= width && value.y + value.height <= height
          ? undefined
          : fault(`within ${width} x ${height} pixels`, value)),
      area: whole(1, width * height),
    }),
  }),
};

/** What can be checked without knowing the rest. */
const KIND = object({
  schema: optional(oneOf('linex/1')),
  kind: oneOf('row', 'text', 'image'),
  weights: numbers(number),
});

/** @type {Record<string, Check>} */
const SIZES = {
  row: object({}),
  text: object({ text }),
  image: object({ width: whole(1, MOST), height: whole(1, MOST) }),
};

/** What the renderers use of a code. */
const warningCode = object({ code: text, names: optional(list(text)), explained: optional(number) });

const format = is('options of Intl.NumberFormat', (value) => isPlain(value, false) && isNumberFormat(value));

/** What all kinds share. @param {number} count  of weights @returns {Record<string, Check>} */
const shared = (count) => ({
  method: oneOf('linex', 'lime', 's-lime', 'baseline', 'shap', 'maple'),
  preset: optional(oneOf('steady', 'paper', 'strict')),
  link: optional(oneOf('identity', 'logit')),
  target: is(
    'a string, a whole number or null',
    (value) => value === null || typeof value === 'string' || (Number.isSafeInteger(value) && value >= 0),
  ),
  prediction: is('a finite number or null', (value) => value === null || Number.isFinite(value)),
  localPrediction: optional(number),
  reference: optional(
    object({
      kind: oneOf('mean', 'row', 'background', 'absence'),
      localPrediction: number,
      values: optional(list(cell)),
    }),
  ),
  intercept: optional(number),
  fidelity: number,
  raw: optional(numbers(number, count)),
  agreement: optional(share),
  silenced: optional(numbers(whole(0, count - 1))),
  equilibrium: optional((value) =>
    value === null
      ? undefined
      : object({
          ...{ converged: flag, rounds: whole(0), residual: size, gamma: size, multiplier: optional(number) },
          ...{ unsettled: optional(whole(0)), medianResidual: optional(size), certifiedRidge: optional(size) },
          players: list(numbers(number, count)),
        })(value),
  ),
  queries: object({
    ...{ planned: whole(0), asked: whole(0), reused: optional(whole(-MAX_SAFE_INTEGER)) },
    stopped: optional(oneOf('settled', 'cap', 'exhausted')),
  }),
  adjusted: optional(
    object({
      kind: oneOf('none', 'bend', 'kriging'),
      gain: is('a finite number of at least 1', (value) => Number.isFinite(value) && value >= 1),
    }),
  ),
  ...{ ridge: optional(size), effectiveSamples: optional(size) },
  ...{ warnings: list(text), warningCodes: optional(list(warningCode)) },
  seed: optional(whole(0)),
  milliseconds: optional(object({ model: number, own: number })),
  game: optional(object({ grams: list(numbers(number)), targets: list(numbers(number)), gamma: size })),
});

/**
 * Checks that a value is an explanation, for example after `JSON.parse`. Fields that no renderer uses may be missing, such as
 * `milliseconds`, and further fields are ignored. The renderers and the elements call it themselves.
 *
 * @param {unknown} json
 * @returns {AnyExplanation}  the same value
 * @throws {TypeError}  names the first field that is wrong, what was expected, and what it is
 */
export function checkExplanation(json) {
  const value = /** @type {any} */ (json);
  const found =
    KIND(value) ??
    SIZES[value.kind](value) ??
    object({ ...shared(value.weights.length), ...OF_KIND[value.kind](value, value.weights.length) })(value);
  if (!found) return value;
  const path = found.path ? found.path.replace('.', '') : 'an explanation';
  throw new TypeError(`${path} must be ${found.expected}, not ${found.got}`);
}
