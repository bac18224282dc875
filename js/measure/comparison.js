// Splits the difference of two explained answers by feature: why did the answer change?
import { freeze } from '../core/freeze.js';
import { alignExplanations, answersOf, partsByRow } from './aligned-explanations.js';

/**
 * @typedef {import('./aligned-explanations.js').Part} Part
 *
 * @typedef {object} ChangedFeature
 * @property {number} index  rows: the column; texts: the place of the word in order of appearance
 * @property {string} name
 * @property {Part | null} from  what the first explanation says; null if it does not list the feature
 * @property {Part | null} to  what the second one says
 * @property {number} change  of the contribution; a feature that is not listed contributes 0
 * @property {readonly [number, number] | null} interval  of the change, 95 %; null if one side has none
 * @property {boolean} sure  whether the change has a sign that its interval confirms
 * @property {import('../data/table.js').NumberFormat} [format]  how the values of a column are written
 *
 * @typedef {object} ComparedAnswer  `reference`, `surrogate` and `model` are on the scale of the contributions: log-odds if
 *   `link` is `'logit'`
 * @property {number | null} prediction  the model's answer; null if it was not asked
 * @property {number} reference  the surrogate's answer at the reference
 * @property {number} surrogate  the surrogate's answer at the input
 * @property {number} model  the model's answer at the input, or the surrogate's if the model was not asked
 *
 * @typedef {object} Comparison  plain, frozen, JSON-safe data. `reference` plus the changes of all features plus `rest` is
 *   `change`
 * @property {'linex/comparison/1'} schema
 * @property {'row' | 'text' | 'image'} kind
 * @property {string | number | null} target
 * @property {'identity' | 'logit'} link
 * @property {ComparedAnswer} from
 * @property {ComparedAnswer} to
 * @property {number} change  of the answer
 * @property {readonly ChangedFeature[]} features  the largest change first
 * @property {number} reference  the change of the surrogate's answer at the reference: the two surrogates differ there too
 * @property {number} rest  what no listed feature explains: the change of the surrogate's error, and of features that are not
 *   listed
 */

/** The two explanations of each comparison, so that elements can link pictures of them. @type {WeakMap<object, readonly any[]>} */
const sources = new WeakMap();

/** Returns the explanations that a comparison was made from, unless it was parsed from JSON. @param {object} comparison */
export const sourcesOfComparison = (comparison) => sources.get(comparison);

/**
 * Splits the difference of two explained answers by feature. The two explanations have the same target: two rows, the same row
 * before and after a change, or two versions of a model.
 *
 * The interval of a change takes the two contributions as independent: their distances from the ends of their own intervals
 * are added as squares (the method of variance estimates recovery; Zou and Donner 2008, Statistics in Medicine 27).
 *
 * @param {any} from  an explanation with contributions
 * @param {any} to
 * @returns {Comparison}
 * @throws {TypeError}  if one is no explanation, has no contributions, or they cannot be compared
 * @throws {RangeError}  if a difference is not finite
 */
export function compare(from, to) {
  const { features, listed } = alignExplanations([from, to], 'compare');
  const [before, after] = [from, to].map((one, i) => answersOf(one, `explanations[${i}].`));
  const exact = [from, to].map(({ method, queries }) => method === 'shap' && queries.stopped === 'exhausted');
  const changes = features.map((feature, f) => changeOf(feature, partsByRow(listed[f], 2), exact));
  changes.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.index - b.index);
  const change = after.model - before.model;
  const reference = after.reference - before.reference;
  if (![change, reference, ...changes.map((part) => part.change)].every(Number.isFinite))
    throw new RangeError(`the answers are too large to compare: ${before.model} and ${after.model}`);
  const result = freeze({
    schema: /** @type {const} */ ('linex/comparison/1'),
    ...{ kind: from.kind, target: from.target, link: from.link ?? 'identity' },
    from: describeAnswer(from, before),
    to: describeAnswer(to, after),
    change,
    features: changes,
    reference,
    rest: changes.reduce((rest, part) => rest - part.change, change - reference),
  });
  sources.set(result, [from, to]);
  return result;
}

/**
 * @param {any} explanation
 * @param {import('./aligned-explanations.js').Answers} answers
 * @returns {ComparedAnswer}
 */
function describeAnswer({ prediction }, { reference, surrogate, model }) {
  return { prediction, model, surrogate, reference };
}

/**
 * @param {import('./aligned-explanations.js').AlignedFeature} feature
 * @param {(Part | undefined)[]} parts  of both explanations
 * @param {boolean[]} exact  whether the contributions of each explanation are exact
 * @returns {ChangedFeature}
 */
function changeOf({ index, name, format }, [from, to], exact) {
  const change = (to?.contribution ?? 0) - (from?.contribution ?? 0);
  const interval = differenceInterval(sideOf(from, exact[0]), sideOf(to, exact[1]));
  const within = interval !== null && interval[0] <= 0 && interval[1] >= 0;
  const shaky = !interval && [from, to].some((part) => part && part.contribution && !part.sure);
  const sides = { from: from ?? null, to: to ?? null };
  return { index, name, ...sides, change, interval, sure: !!change && !within && !shaky, ...(format && { format }) };
}

/**
 * A contribution with the ends of its interval. What is exact or not listed has no error.
 *
 * @param {Part | undefined} part
 * @param {boolean} exact
 * @returns {{ at: number, ends: readonly [number, number] | null }}
 */
function sideOf(part, exact) {
  const at = part?.contribution ?? 0;
  return { at, ends: part && !exact ? part.interval : [at, at] };
}

/**
 * The interval of b − a.
 *
 * @param {ReturnType<typeof sideOf>} a
 * @param {ReturnType<typeof sideOf>} b
 * @returns {[number, number] | null}
 */
function differenceInterval(a, b) {
  if (!a.ends || !b.ends) return null;
  const change = b.at - a.at;
  const down = lengthOf(b.at - b.ends[0], a.ends[1] - a.at);
  const up = lengthOf(b.ends[1] - b.at, a.at - a.ends[0]);
  return Number.isFinite(down + up) ? [change - down, change + up] : null;
}

/** Like Math.hypot, but with the same bits on every engine. @param {number} x @param {number} y */
function lengthOf(x, y) {
  const unit = Math.max(Math.abs(x), Math.abs(y));
  return unit > 0 ? unit * Math.sqrt((x / unit) ** 2 + (y / unit) ** 2) : 0;
}
