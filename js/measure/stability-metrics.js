// Measures of how much the attributions of an input vary over seeds and over close inputs.
import { checkList } from '../core/check-lists.js';
import { checkChoice, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';

/** @typedef {readonly ArrayLike<number>[]} Vectors  m arrays of d numbers */

/** @typedef {ArrayLike<number> | { readonly weights: ArrayLike<number> }} Attribution  d weights, or an explanation */

/** @typedef {readonly Attribution[]} Attributions  m of them */

/**
 * Returns the weights of an explanation, or the given array of weights.
 *
 * @param {Attribution} attribution
 * @returns {ArrayLike<number>}
 */
export const weightsOf = (attribution) => /** @type {any} */ (attribution)?.weights ?? attribution;

/**
 * Returns the weights of several attributions.
 *
 * @param {Attributions} given
 * @returns {ArrayLike<number>[]}
 * @throws {RangeError}
 */
export function readAttributions(given) {
  const length = typeof given === 'object' && given?.length > 0 ? checkList(given, 'attributions', 'arrays') : 0;
  if (length > 0) return Array.from({ length }, (_, i) => weightsOf(given[i]));
  throw new RangeError(`attributions must be arrays of weights or explanations, not ${show(given)}`);
}

/**
 * Returns the number of features, d, and checks that all attributions have it.
 *
 * @param {Vectors} attributions
 * @returns {number}
 * @throws {RangeError}
 */
export function countFeatures(attributions) {
  const featureCount = attributions?.[0]?.length;
  if (!(featureCount > 0)) throw new RangeError(`attributions must be arrays of weights, not ${show(attributions)}`);
  checkList(attributions[0], 'attributions[0]', 'an array of weights');
  for (const attribution of attributions)
    if (attribution?.length !== featureCount)
      throw new RangeError(`attributions must have the same length, not ${featureCount} and ${attribution?.length}`);
  return featureCount;
}

/**
 * The paper's Υ: how well the signs of one input's attributions agree over seeds or over close inputs, from 0 to 1. With
 * `zero: 1` a zero counts as positive, which reproduces the paper's numbers. With `zero: 0` it counts as neither sign.
 *
 * @param {Attributions} given  arrays of weights, or explanations
 * @param {{ zero?: 0 | 1 }} [options]  zero: the sign of a zero; default 1
 * @returns {number}
 */
export function unidirectionality(given, options = {}) {
  const { zero = 1 } = checkNames(options, ['zero'], 'unidirectionality');
  if (zero !== 0 && zero !== 1) throw new RangeError(`zero must be 0 or 1, not ${show(zero)}`);
  const attributions = readAttributions(given);
  const featureCount = countFeatures(attributions);
  let sum = 0;
  for (let c = 0; c < featureCount; c++) {
    const signs = attributions.map((attribution) => Math.sign(attribution[c]) || zero);
    sum += Math.abs(signs.reduce((a, b) => a + b, 0));
  }
  return sum / (attributions.length * featureCount);
}

/**
 * The share of features, over all pairs of attributions, whose signs are strictly opposite. A zero is opposite to no sign.
 *
 * @param {Attributions} given  at least two: arrays of weights, or explanations
 * @returns {number}
 */
export function signConflict(given) {
  const attributions = readAttributions(given);
  const featureCount = countFeatures(attributions);
  let conflicts = 0;
  let pairs = 0;
  for (let a = 0; a < attributions.length; a++) {
    for (let b = a + 1; b < attributions.length; b++) {
      for (let c = 0; c < featureCount; c++) conflicts += attributions[a][c] * attributions[b][c] < 0 ? 1 : 0;
      pairs += featureCount;
    }
  }
  if (pairs === 0) throw new RangeError('signConflict needs at least two attributions, not 1');
  return conflicts / pairs;
}

/**
 * The paper's CI for one input: the mean L1 distance between its attribution and those of its neighbors.
 *
 * @param {Attribution} attribution  weights, or an explanation
 * @param {Attributions} neighbors
 * @param {{ normalize?: 'none' | 'sum' }} [options]  `'sum'`: each attribution is first divided by the sum of its |weights|, so
 *   that only proportions are compared (zeros stay zeros); default `'none'`, as in the paper
 * @returns {number}
 */
export function coefficientInconsistency(attribution, neighbors, options = {}) {
  const { normalize = 'none' } = checkNames(options, ['normalize'], 'coefficientInconsistency');
  const scale = checkChoice(normalize, 'normalize', ['none', 'sum']) === 1 ? toSumOne : Array.from;
  if (!Array.isArray(neighbors))
    throw new TypeError(`neighbors must be an array of attributions, not ${show(neighbors)}`);
  const [first, ...others] = readAttributions([attribution, ...neighbors]);
  countFeatures([first, ...others]);
  const weights = scale(first);
  return mean(others.map((other) => total(scale(other), (weight, c) => Math.abs(weight - weights[c]))));
}

/** @param {ArrayLike<number>} attribution */
function toSumOne(attribution) {
  const sum = total(attribution, Math.abs);
  return Array.from(attribution, (weight) => (sum > 0 ? weight / sum : 0));
}

/**
 * Returns the sum of `term(value, index)` over all values.
 *
 * @param {ArrayLike<number>} values
 * @param {(value: number, index: number) => number} term
 */
export function total(values, term) {
  let sum = 0;
  for (let c = 0; c < values.length; c++) sum += term(values[c], c);
  return sum;
}

/**
 * @param {readonly number[]} values
 * @throws {RangeError} if there is no value, or the mean is not finite
 */
export function mean(values) {
  const { length } = values;
  if (length === 0) throw new RangeError('a mean needs at least one value, not 0');
  const whole = values.reduce((a, b) => a + b, 0) / length;
  // The sum of huge numbers overflows although their mean does not.
  const found = Number.isFinite(whole) ? whole : total(values, (value) => value / length);
  if (Number.isFinite(found)) return found;
  throw new RangeError(`the numbers are not finite or too large: their mean is ${found}`);
}
