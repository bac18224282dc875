// Checks that a value, such as one parsed from JSON, is an explanation.
import {
  fault,
  flag,
  interval,
  is,
  isPlain,
  isShare,
  list,
  MOST,
  number,
  numberFormat,
  numbers,
  object,
  oneOf,
  optional,
  share,
  size,
  text,
  throwFault,
  whole,
} from '../core/check-json.js';

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('./explanation.js').Explanation<Feature & Partial<import('./explain-row.js').RowPlace>>} AnyRowExplanation
 * @typedef {(AnyRowExplanation & { kind: 'row' }) |
 *   (import('./explain-text.js').TextExplanation & { kind: 'text' }) |
 *   (import('./explain-image.js').ImageExplanation & { kind: 'image' })} AnyExplanation
 *
 * @typedef {import('../core/check-json.js').Check} Check
 */

/** Spans of a text: not empty, in order, not overlapping. @param {number} length @param {Record<string, Check>} [more] @returns {Check} */
function spans(length, more) {
  let from = 0;
  const start = (/** @type {number} */ value) => whole(from, length)(value) ?? void (from = value + 1);
  const end = (/** @type {number} */ value) => whole(from, length)(value) ?? void (from = value);
  return list(object({ start, end, ...more }));
}

/** Whether a value is a class or its index. @param {unknown} value */
const isClass = (value) => typeof value === 'string' || (Number.isSafeInteger(value) && Number(value) >= 0);

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

/** The features, with the fields of their kind. @param {number} count  of weights @param {Record<string, Check>} more */
function features(count, more) {
  const seen = new Set();
  const each = list(
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
  return (/** @type {unknown} */ value) => {
    seen.clear();
    return each(value);
  };
}

/** @type {Record<string, (explanation: any, count: number) => Record<string, Check>>} */
const OF_KIND = {
  row: (_, count) => ({
    features: features(count, {
      column: optional(text),
      value: optional(cell),
      kind: optional(oneOf('numeric', 'level', 'quartile')),
      ...{ reference: optional(number), spread: optional(size), step: optional(size), range: optional(range) },
      format: optional(numberFormat),
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

/** A code with its names and numbers. */
const warningCode = object({
  code: text,
  names: optional(list(text)),
  explained: optional(number),
  samples: optional(number),
  features: optional(number),
});

/** What all kinds share. @param {number} count  of weights @returns {Record<string, Check>} */
const shared = (count) => ({
  method: oneOf('linex', 'lime', 's-lime', 'baseline', 'shap', 'maple'),
  preset: optional(oneOf('steady', 'paper', 'strict')),
  link: optional(oneOf('identity', 'logit')),
  target: is('a string, a whole number or null', (value) => value === null || isClass(value)),
  prediction: is('a finite number or null', (value) => value === null || Number.isFinite(value)),
  rival: optional(object({ target: is('a string or a whole number', isClass), prediction: number })),
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
    ...{ planned: whole(0), asked: whole(0), reused: optional(whole(-Number.MAX_SAFE_INTEGER)) },
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
  answers: optional(object({ schema: oneOf('linex-answers/1'), scores: numbers(number) })),
  game: optional(object({ grams: list(numbers(number)), targets: list(numbers(number)), gamma: size })),
});

/** The last check of a row: those of ten thousand rows differ only in the number of weights. @type {{ count: number, check: Check } | undefined} */
let lastOfRow;

/** Returns the check of everything that depends on the kind and the number of weights. @param {any} value @returns {Check} */
function wholeCheck(value) {
  const { kind, weights } = value;
  const count = weights.length;
  if (kind === 'row' && lastOfRow && lastOfRow.count === count) return lastOfRow.check;
  const check = object({ ...shared(count), ...OF_KIND[kind](value, count) });
  if (kind === 'row') lastOfRow = { count, check };
  return check;
}

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
  const found = KIND(value) ?? SIZES[value.kind](value) ?? wholeCheck(value)(value);
  throwFault(found, 'an explanation');
  return value;
}
