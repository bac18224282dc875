// Checks summaries and comparisons, for example after JSON.parse, before they are drawn.
import {
  interval,
  is,
  flag,
  list,
  number,
  numberFormat,
  object,
  oneOf,
  optional,
  throwFault,
  size,
  text,
  whole,
} from '../core/check-json.js';

/** @typedef {import('../core/check-json.js').Check} Check */

/** What summaries and comparisons share. */
const ABOUT = {
  kind: oneOf('row', 'text', 'image'),
  target: is(
    'a string, a whole number or null',
    (value) => value === null || typeof value === 'string' || (Number.isSafeInteger(value) && value >= 0),
  ),
  link: oneOf('identity', 'logit'),
};

const SUMMARY = object({
  schema: oneOf('linex/summary/1'),
  ...ABOUT,
  count: whole(1),
  features: list(
    object({
      ...{ index: whole(0), name: text, importance: size, interval, contribution: number },
      signs: object({ raises: whole(0), lowers: whole(0), unsure: whole(0), none: whole(0) }),
      parts: object({ raises: size, lowers: size, unsure: size }),
    }),
  ),
});

const VALUE = is(
  'a finite number, a string, true, false or null',
  (value) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
);
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => (value === null ? undefined : check(value));
const PART = orNull(object({ value: optional(VALUE), contribution: number, interval, sure: flag }));
const FORMAT = optional(numberFormat);
const ANSWER = object({ prediction: orNull(number), reference: number, surrogate: number, model: number });

const COMPARISON = object({
  schema: oneOf('linex/comparison/1'),
  ...ABOUT,
  ...{ from: ANSWER, to: ANSWER, change: number, reference: number, rest: number },
  features: list(
    object({ index: whole(0), name: text, from: PART, to: PART, change: number, interval, sure: flag, format: FORMAT }),
  ),
});

/**
 * Checks that a value is a summary.
 *
 * @param {any} json
 * @returns {import('./summary.js').Summary}  the same value
 * @throws {TypeError}  names the first field that is wrong, what was expected, and what it is
 */
export function checkSummary(json) {
  throwFault(SUMMARY(json), 'a summary');
  return json;
}

/**
 * Checks that a value is a comparison.
 *
 * @param {any} json
 * @returns {import('./comparison.js').Comparison}  the same value
 * @throws {TypeError}  names the first field that is wrong, what was expected, and what it is
 */
export function checkComparison(json) {
  throwFault(COMPARISON(json), 'a comparison');
  return json;
}
