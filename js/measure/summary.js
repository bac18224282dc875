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
export const sourcesOfSummary = (summary) => sources.get(summary);

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
  const { features, listed } = alignExplanations(explanations, 'summarize');
  const groups = given.groups === undefined ? undefined : checkGroups(given.groups, explanations);
  const { kind, target, link = 'identity' } = explanations[0];
  if (kind === 'image') throw new TypeError('summarize takes explanations of rows or texts, not of images');
  const count = explanations.length;
  const summed = features.map((feature, f) => ({ place: f, ...sumUp(feature, listed[f].parts, count) }));
  summed.sort((a, b) => b.importance - a.importance || a.index - b.index);
  const representatives = pickRepresentatives(leadingSizes({ features, listed }, count, leading), most);
  const result = freeze({
    schema: /** @type {const} */ ('linex/summary/1'),
    ...{ kind, target, link, count },
    features: summed.map(({ place: _, ...feature }) => feature),
    representatives,
    coverage: representatives.reduce((sum, { gain }) => sum + gain, 0),
    ...(groups && {
      groups: groups.names.map((name, g) => ({
        ...{ name, count: groups.counts[g] },
        features: summed.map(({ place }) => {
          const { rows, parts } = listed[place];
          const own = parts.filter((_, i) => groups.of[rows[i]] === g);
          return sumUp(features[place], own, groups.counts[g]);
        }),
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
 * @param {readonly Part[]} parts  of those that list it
 * @param {number} count  of all of them
 * @returns {SummaryFeature}
 */
function sumUp({ index, name }, parts, count) {
  const contributions = parts.map(({ contribution }) => contribution);
  const [importance, interval] = meanOf(contributions.map(Math.abs), count);
  const [contribution, contributionInterval] = meanOf(contributions, count);
  const signs = { raises: 0, lowers: 0, unsure: 0, none: count - parts.length };
  const sums = { raises: 0, lowers: 0, unsure: 0, none: 0 };
  for (const part of parts) {
    const sign = signOf(part);
    signs[sign]++;
    sums[sign] += Math.abs(part.contribution) / count;
  }
  return {
    ...{ index, name, importance },
    interval: interval && [Math.max(0, interval[0]), interval[1]],
    ...{ contribution, contributionInterval, signs },
    parts: { raises: sums.raises, lowers: sums.lowers, unsure: sums.unsure },
    signAgreement: Math.abs(signs.raises - signs.lowers) / count,
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
 * @param {readonly number[]} values
 * @param {number} [count]  how many values there are, if the others are 0; default: no others
 * @returns {[number, [number, number] | null]}  no interval of a single value, or if its ends are not finite
 */
export function meanOf(values, count = values.length) {
  const mean = values.reduce((sum, value) => sum + value / count, 0);
  if (count < 2) return [mean, null];
  // The squares of huge numbers overflow, and those of tiny ones vanish.
  const unit = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const square = (/** @type {number} */ value) => (value / unit - mean / unit) ** 2;
  const squares = values.reduce((sum, value) => sum + square(value), (count - values.length) * square(0));
  const reach = unit * (studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count));
  return [mean, Number.isFinite(Math.abs(mean) + reach) ? [mean - reach, mean + reach] : null];
}

/**
 * The sizes of the leading sure contributions of each explanation.
 *
 * @param {Pick<import('./aligned-explanations.js').Aligned, 'features' | 'listed'>} aligned
 * @param {number} count  of explanations
 * @param {number} leading  how many per explanation
 */
function leadingSizes({ features, listed }, count, leading) {
  /** @type {{ feature: number, size: number }[][]} */
  const byRow = Array.from({ length: count }, () => []);
  listed.forEach(({ rows, parts }, f) =>
    parts.forEach(({ contribution, sure }, i) => {
      if (sure) byRow[rows[i]].push({ feature: features[f].index, size: Math.abs(contribution) });
    }),
  );
  return byRow.map((row) => row.sort((a, b) => b.size - a.size || a.feature - b.feature).slice(0, leading));
}

/**
 * @param {any} groups
 * @param {readonly unknown[]} explanations
 * @returns {{ names: (string | number | boolean)[], counts: number[], of: number[] }}  of: the group of each explanation
 * @throws {TypeError | RangeError}
 */
function checkGroups(groups, explanations) {
  const { length } = explanations;
  if (!Array.isArray(groups) || groups.length !== length)
    throw new RangeError(`groups must have ${length} items, one per explanation, not ${show(groups)}`);
  /** @type {Map<string | number | boolean, number>} */
  const places = new Map();
  /** @type {number[]} */
  const counts = [];
  const of = groups.map((name, i) => {
    if (!['string', 'boolean'].includes(typeof name) && !Number.isFinite(name))
      throw new TypeError(`groups[${i}] must be a string, a finite number, true or false, not ${show(name)}`);
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    counts[place] = (counts[place] ?? 0) + 1;
    return place;
  });
  return { names: [...places.keys()], counts, of };
}
