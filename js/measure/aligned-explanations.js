// Lines up the contributions of several explanations, feature by feature.
import { show } from '../core/errors.js';
import { checkExplanation } from '../explain/check-explanation.js';

/**
 * What one explanation says about one feature.
 *
 * @typedef {object} Part
 * @property {number | string | boolean | null} [value]  of a row's column
 * @property {number} contribution
 * @property {readonly [number, number] | null} interval  of the contribution; null if there is none. That of a silenced one reaches
 *   to zero, which is its contribution
 * @property {boolean} sure  whether the contribution has a sign that its interval confirms
 */

/**
 * @typedef {object} Aligned
 * @property {readonly any[]} explanations
 * @property {AlignedFeature[]} features  all that are listed by any explanation. Rows: by column. Texts: by
 *   word, in order of appearance; the index counts them. Images: by segment
 * @property {Listed[]} listed  one per feature
 */

/**
 * @typedef {object} AlignedFeature
 * @property {number} index
 * @property {string} name
 * @property {import('../data/table.js').NumberFormat} [format]  how the values of a column are written
 * @property {number} [step]  of a numeric column: the change of the value that slopes are for
 * @property {string} [kind]  of a column: `'numeric'` or another
 */

/**
 * The explanations that list a feature, in their order. Ten thousand texts have many words, and each word is in few texts.
 *
 * @typedef {object} Listed
 * @property {number[]} rows  their places among all explanations
 * @property {Part[]} parts  what they say about the feature
 */

/** @param {readonly [number, number]} interval @returns {[number, number]} */
const toZero = ([low, high]) => [Math.min(0, low), Math.max(0, high)];

/**
 * Reads what an explanation says about a feature.
 *
 * @param {any} feature
 * @returns {Part}
 */
export function partOf({ value, contribution, contributionInterval: known = null, silenced }) {
  const interval = silenced && known ? toZero(known) : known;
  const within = interval !== null && interval[0] <= 0 && interval[1] >= 0;
  const sure = !silenced && !!contribution && !within;
  // Spreading would be slower, and there may be ten thousand rows.
  return value === undefined ? { contribution, interval, sure } : { value, contribution, interval, sure };
}

/**
 * Reads the slope of a feature as if it were a contribution.
 *
 * @param {any} feature
 * @returns {Part}
 */
const slopeOf = ({ value, weight, interval, silenced }) =>
  partOf({ value, contribution: weight, contributionInterval: interval, silenced });

/**
 * Checks explanations and lines up their features.
 *
 * @param {unknown} given
 * @param {string} caller
 * @param {{ view?: 'contribution' | 'slope', targets?: boolean }} [options]  view: what the parts hold; default
 *   `'contribution'`. targets: whether each explanation is for another target; default false: all are for the same
 * @returns {Aligned}
 * @throws {TypeError}  if one is no explanation, has no contributions, or cannot be compared with the first
 */
export function alignExplanations(given, caller, { view = 'contribution', targets = false } = {}) {
  if (!Array.isArray(given) || given.length === 0)
    throw new TypeError(`${caller} needs an array of explanations, not ${show(given)}`);
  const read = view === 'slope' ? slopeOf : partOf;
  /** @type {Map<string | number, { feature: AlignedFeature, rows: number[], parts: Part[] }>} */
  const found = new Map();
  // One pass is faster than several: the explanations may not fit the processor's cache.
  for (let i = 0; i < given.length; i++) {
    checkOne(given[i], i);
    checkAlike(given[i], given[0], i, targets);
    const { kind, features } = given[i];
    if (view === 'contribution') checkContributions(given[i], `explanations[${i}].`);
    for (let f = 0; f < features.length; f++) {
      const { index, name } = features[f];
      const key = kind === 'text' ? name : index;
      let known = found.get(key);
      if (!known) {
        const { format, step, kind: column } = features[f];
        const place = { index: kind === 'text' ? found.size : index, name };
        const more = {
          ...(format && { format }),
          ...(step !== undefined && { step }),
          ...(column && { kind: column }),
        };
        const feature = { ...place, ...more };
        found.set(key, (known = { feature, rows: [], parts: [] }));
      }
      if (known.feature.name !== name) {
        const expected = show(known.feature.name);
        throw new TypeError(`explanations[${i}].features[${f}].name must be ${expected}, not ${show(name)}`);
      }
      known.rows.push(i);
      known.parts.push(read(features[f]));
    }
  }
  if (targets) checkTargets(given);
  const sorted = [...found.values()].sort((a, b) => a.feature.index - b.feature.index);
  return {
    explanations: given,
    features: sorted.map(({ feature }) => feature),
    listed: sorted.map(({ rows, parts }) => ({ rows, parts })),
  };
}

/**
 * Checks that all features have contributions; old explanations have none.
 *
 * @param {any} explanation  checked
 * @param {string} [path]  of the explanation, for the message; default none
 * @throws {TypeError}
 */
export function checkContributions({ features }, path = '') {
  for (let f = 0; f < features.length; f++)
    if (features[f].contribution === undefined)
      throw new TypeError(`${path}features[${f}].contribution must be a finite number, not undefined`);
}

/**
 * Returns what each explanation says about a feature.
 *
 * @param {Listed} listed
 * @param {number} count  of explanations
 * @returns {(Part | undefined)[]}  undefined where the feature is not listed
 */
export function partsByRow({ rows, parts }, count) {
  const all = new Array(count).fill(undefined);
  rows.forEach((row, i) => (all[row] = parts[i]));
  return all;
}

/** @param {unknown} explanation @param {number} i  its place @throws {TypeError} */
function checkOne(explanation, i) {
  try {
    checkExplanation(explanation);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new TypeError(`explanations[${i}]${message.replace(/^an explanation|^/, (is) => (is ? '' : '.'))}`, {
      cause: error,
    });
  }
}

/**
 * Checks that the contributions of an explanation mean the same as those of the first.
 *
 * @param {any} explanation
 * @param {any} first
 * @param {number} i
 * @param {boolean} targets  whether targets may differ
 * @throws {TypeError}
 */
function checkAlike(explanation, first, i, targets) {
  const differ = (/** @type {string} */ name, /** @type {unknown} */ value, /** @type {unknown} */ expected) => {
    if (value !== expected)
      throw new TypeError(
        `explanations[${i}].${name} must be ${show(expected)}, as the first one has it, not ${show(value)}`,
      );
  };
  differ('kind', explanation.kind, first.kind);
  if (!targets) differ('target', explanation.target, first.target);
  differ('link', explanation.link ?? 'identity', first.link ?? 'identity');
  differ('reference.kind', explanation.reference?.kind, first.reference?.kind);
  if (explanation === first || explanation.kind !== 'image') return;
  const same =
    explanation.labels.length === first.labels.length &&
    explanation.labels.every((/** @type {number} */ label, /** @type {number} */ p) => label === first.labels[p]);
  if (!same)
    throw new TypeError(`explanations[${i}].labels must be those of the first one, because its segments are compared`);
}

/** @param {readonly any[]} explanations @throws {TypeError}  if two are for the same target */
function checkTargets(explanations) {
  const seen = new Set();
  explanations.forEach(({ target }, i) => {
    if (seen.has(target))
      throw new TypeError(`explanations[${i}].target must be another one than those before, not ${show(target)}`);
    seen.add(target);
  });
}

/**
 * The answers of an explanation on the scale of its contributions: log-odds if `link` is `'logit'`.
 *
 * @typedef {object} Answers
 * @property {number} reference  the surrogate's answer at the reference, where all contributions are 0
 * @property {number} surrogate  the surrogate's answer at the input: the reference plus all contributions, including those of
 *   features that are not listed
 * @property {number} model  the model's answer at the input; the surrogate's if the model was not asked
 */

/**
 * Returns the answers that the contributions of an explanation lead from and to.
 *
 * @param {any} explanation  checked
 * @param {string} [path]  of the explanation, for the message; default none
 * @returns {Answers}
 * @throws {TypeError}  if it has no reference, or an answer has no log-odds
 */
export function answersOf({ link, prediction, localPrediction, reference, features }, path = '') {
  if (!reference) throw new TypeError(`${path}reference must be a plain object, not ${show(reference)}`);
  const onScale = (/** @type {number} */ answer, /** @type {string} */ name) => {
    const value = link === 'logit' ? Math.log(answer / (1 - answer)) : answer;
    if (Number.isFinite(value)) return value;
    throw new TypeError(`${path}${name} must be a number above 0 and below 1, not ${show(answer)}`);
  };
  const from = onScale(reference.localPrediction, 'reference.localPrediction');
  const sum = () =>
    features.reduce(
      (/** @type {number} */ total, /** @type {any} */ { contribution = 0 }) => total + contribution,
      from,
    );
  const surrogate = localPrediction === undefined ? sum() : onScale(localPrediction, 'localPrediction');
  return { reference: from, surrogate, model: prediction === null ? surrogate : onScale(prediction, 'prediction') };
}
