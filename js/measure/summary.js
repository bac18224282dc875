// Sums up many explanations: which features matter, in which direction, how surely, and for whom.
import { checkCount, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { alignExplanations } from './aligned-explanations.js';
import { pickRepresentatives } from './representative-rows.js';
import { studentQuantile } from './student-quantile.js';

/**
 * @typedef {import('./aligned-explanations.js').Part} Part
 * @typedef {import('./representative-rows.js').Representative} Representative
 *
 * @typedef {object} Signs  counts of explanations; their sum is the number of explanations
 * @property {number} raises  in which the feature surely raises the answer
 * @property {number} lowers  in which it surely lowers the answer
 * @property {number} unsure  in which its direction is not sure
 * @property {number} none  in which it has no effect, or is not listed
 *
 * @typedef {object} SummaryFeature
 * @property {number} index  rows: the column; texts: the place of the word in order of appearance
 * @property {string} name
 * @property {number} importance  the mean of |contribution|; 0 counts where the feature is not listed
 * @property {readonly [number, number] | null} interval  of the importance, 95 %: plus and minus its standard error over the
 *   explanations times Student's quantile, not below 0. It says how much other rows of the same kind would change the
 *   importance. The uncertainty of the single contributions is part of their spread. null for one explanation
 * @property {number} contribution  the mean contribution, with its sign
 * @property {readonly [number, number] | null} contributionInterval  of the mean contribution, in the same way
 * @property {Signs} signs
 * @property {{ raises: number, lowers: number, unsure: number }} parts  of the importance: from the explanations in which the
 *   feature surely raises or lowers the answer, and from the others; their sum is the importance
 * @property {number} signAgreement  |raises − lowers| as a share of all explanations, from 0 to 1
 *
 * @typedef {object} SummaryGroup
 * @property {string | number | boolean} name
 * @property {number} count
 * @property {readonly SummaryFeature[]} features  in the order of the summary's features
 *
 * @typedef {object} Summary  plain, frozen, JSON-safe data
 * @property {'linex/summary/1'} schema
 * @property {'row' | 'text' | 'image'} kind
 * @property {string | number | null} target
 * @property {'identity' | 'logit'} link
 * @property {number} count  of explanations
 * @property {readonly SummaryFeature[]} features  the most important first
 * @property {readonly Representative[]} representatives  few explanations that together show the most important features
 * @property {number} coverage  the share of the importance that they show
 * @property {readonly SummaryGroup[]} [groups]  with the option `groups`, in order of appearance
 */

/** The explanations of each summary, so that elements can link pictures of the same explanations. @type {WeakMap<object, readonly any[]>} */
const sources = new WeakMap();

/** Returns the explanations that a summary was made from, unless it was parsed from JSON. @param {object} summary */
export const sourcesOf = (summary) => sources.get(summary);

/**
 * Sums up explanations of rows or texts for one target: importance with intervals, agreement of signs, representative rows,
 * and the same by group.
 *
 * @param {readonly any[]} explanations  at least one, with contributions
 * @param {object} [options]
 * @param {number} [options.representatives]  the most rows to choose as representative; default 5
 * @param {number} [options.features]  how many leading features count for the choice of representative rows; default 5. Only
 *   sure contributions count
 * @param {readonly (string | number | boolean)[]} [options.groups]  the group of each explanation
 * @returns {Summary}
 * @throws {TypeError | RangeError}
 */
export function summarize(explanations, options = {}) {
  const given = checkNames(options, ['representatives', 'features', 'groups'], 'summarize');
  const most = checkCount(given.representatives ?? 5, 'representatives', 0);
  const leading = checkCount(given.features ?? 5, 'features', 1);
  const aligned = alignExplanations(explanations, 'summarize');
  const { features, parts } = aligned;
  const { kind, target, link = 'identity' } = explanations[0];
  if (kind === 'image') throw new TypeError('summarize takes explanations of rows or texts, not of images');
  const groups = given.groups === undefined ? undefined : checkGroups(given.groups, explanations.length);
  const all = explanations.map((_, i) => i);
  const summed = features.map((feature, f) => ({ ...sumUp(feature, parts[f], all), place: f }));
  summed.sort((a, b) => b.importance - a.importance || a.index - b.index);
  const order = summed.map(({ place }) => place);
  const representatives = features.length ? pickRepresentatives(leadingSizes(parts, leading), most) : [];
  const result = freeze({
    schema: /** @type {const} */ ('linex/summary/1'),
    ...{ kind, target, link, count: explanations.length },
    features: summed.map(({ place: _, ...feature }) => feature),
    representatives: representatives.map(({ covers, ...one }) => ({
      ...one,
      covers: covers.map((f) => features[f].index),
    })),
    coverage: representatives.reduce((sum, { gain }) => sum + gain, 0),
    ...(groups && {
      groups: [...groups].map(([name, rows]) => ({
        ...{ name, count: rows.length },
        features: order.map((f) => sumUp(features[f], parts[f], rows)),
      })),
    }),
  });
  sources.set(result, explanations);
  return result;
}

/**
 * Sums up one feature over some of the explanations.
 *
 * @param {{ index: number, name: string }} feature
 * @param {(Part | undefined)[]} parts
 * @param {number[]} rows  which explanations
 * @returns {SummaryFeature}
 */
function sumUp({ index, name }, parts, rows) {
  const contributions = rows.map((i) => parts[i]?.contribution ?? 0);
  const [importance, interval] = meanOf(contributions.map(Math.abs));
  const [contribution, contributionInterval] = meanOf(contributions);
  const signs = { raises: 0, lowers: 0, unsure: 0, none: 0 };
  const sums = { raises: 0, lowers: 0, unsure: 0, none: 0 };
  rows.forEach((i, at) => {
    const sign = signOf(parts[i]);
    signs[sign]++;
    sums[sign] += Math.abs(contributions[at]) / rows.length;
  });
  return {
    ...{ index, name, importance },
    interval: interval && [Math.max(0, interval[0]), interval[1]],
    ...{ contribution, contributionInterval, signs },
    parts: { raises: sums.raises, lowers: sums.lowers, unsure: sums.unsure },
    signAgreement: Math.abs(signs.raises - signs.lowers) / rows.length,
  };
}

/**
 * Says what an explanation knows about the direction of a feature.
 *
 * @param {Part | undefined} part
 * @returns {keyof Signs}
 */
export function signOf(part) {
  if (!part) return 'none';
  if (part.sure) return part.contribution < 0 ? 'lowers' : 'raises';
  return part.contribution || part.interval?.some(Boolean) ? 'unsure' : 'none';
}

/**
 * The mean and its 95 % interval.
 *
 * @param {number[]} values
 * @returns {[number, [number, number] | null]}
 * @throws {RangeError}  if they are too large
 */
export function meanOf(values) {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value / count, 0);
  if (count < 2) return [mean, null];
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const reach = studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count);
  if (!Number.isFinite(mean + reach)) throw new RangeError(`the contributions are too large: their mean is ${mean}`);
  return [mean, [mean - reach, mean + reach]];
}

/**
 * The sizes of the leading sure contributions of each explanation; all others are 0.
 *
 * @param {(Part | undefined)[][]} parts
 * @param {number} leading
 * @returns {number[][]}  one array per explanation
 */
function leadingSizes(parts, leading) {
  return parts[0].map((_, i) => {
    const sizes = parts.map((ofFeature) => (ofFeature[i]?.sure ? Math.abs(ofFeature[i].contribution) : 0));
    const least = [...sizes].sort((a, b) => b - a)[leading - 1] ?? 0;
    return sizes.map((size) => (size >= least ? size : 0));
  });
}

/**
 * @param {any} groups
 * @param {number} count
 * @returns {Map<string | number | boolean, number[]>}  the explanations of each group
 * @throws {TypeError | RangeError}
 */
function checkGroups(groups, count) {
  if (!Array.isArray(groups) || groups.length !== count)
    throw new RangeError(`groups must have ${count} items, one per explanation, not ${show(groups)}`);
  /** @type {Map<string | number | boolean, number[]>} */
  const found = new Map();
  groups.forEach((name, i) => {
    if (!['string', 'boolean'].includes(typeof name) && !Number.isFinite(name))
      throw new TypeError(`groups[${i}] must be a string, a finite number, true or false, not ${show(name)}`);
    const rows = found.get(name);
    if (rows) rows.push(i);
    else found.set(name, [i]);
  });
  return found;
}
