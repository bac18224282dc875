// What contributions are relative to: the mean of a table, a given row, a background, or the absence of everything.
import { LinexError, show } from '../core/errors.js';

/**
 * What contributions are relative to. The answer there plus all contributions is the answer at the input:
 * `reference.localPrediction` + the sum of `features[i].contribution` = `localPrediction`, except for rounding. With
 * `link: 'logit'` this holds for the log-odds. With `method: 'shap'` and fewer listed features than there are, take the
 * sum of `weights`.
 *
 * @typedef {object} Reference
 * @property {'mean' | 'row' | 'background' | 'absence'} kind  `'mean'`: the table's means, and the shares of its levels;
 *   `'row'`: the option `reference`; `'background'`: the mean over SHAP's background; `'absence'`: no word, no segment, or
 *   for `explainSamples` the point 0
 * @property {number} localPrediction  the surrogate's answer there; with `method: 'shap'` the model's, as a mean over the
 *   background
 * @property {readonly (string | number | boolean | null)[]} [values]  one per column, for rows: the values of a reference
 *   row; of a mean or a background, the means of numeric columns and null for the others
 */

/** @typedef {import('../neighborhood/row-reference.js').ReferencePlace} ReferencePlace */

/**
 * Adds to a feature what its value adds to the answer at the reference.
 *
 * @param {import('./explanation.js').Feature} feature
 * @param {ReferencePlace} place
 * @throws {LinexError} `'overflow'`
 */
export function addContribution(feature, { distance }) {
  const { index, weight, interval, name } = feature;
  const far = distance ? distance(index) : 1;
  // Adding 0 turns -0 into 0.
  feature.contribution = weight * far + 0;
  const ends = interval && [interval[0] * far + 0, interval[1] * far + 0];
  feature.contributionInterval = ends && (ends[0] <= ends[1] ? [ends[0], ends[1]] : [ends[1], ends[0]]);
  if (![feature.contribution, ...(ends ?? [])].every(Number.isFinite))
    throw new LinexError(
      'overflow',
      `the contribution of ${show(name)} is not finite: its weight is ${weight.toPrecision(3)}, ` +
        `and it is ${far.toPrecision(3)} from the reference; ` +
        'choose another reference, or scale the answers down',
    );
}

/**
 * The surrogate's answer at the reference.
 *
 * @param {readonly number[]} weights
 * @param {number} intercept
 * @param {ReferencePlace} place
 * @throws {LinexError} `'overflow'`
 */
export function answerAtReference(weights, intercept, { at }) {
  const answer = at
    ? weights.reduce((sum, weight, index) => (weight ? sum + weight * at(index) : sum), intercept)
    : intercept;
  if (Number.isFinite(answer)) return answer;
  throw new LinexError(
    'overflow',
    `the answer at the reference is ${answer}; choose another reference, or scale the answers down`,
  );
}
