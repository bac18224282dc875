import { show } from '../core/errors.js';
import { checkChoice, checkNames } from '../core/check-options.js';

/** @typedef {readonly ArrayLike<number>[]} Vectors  m arrays of d numbers */

/** @typedef {ArrayLike<number> | { readonly weights: ArrayLike<number> }} Attribution  d weights, or an explanation */

/** @typedef {readonly Attribution[]} Attributions  m of them */

/**
 * @param {Attribution} one
 * @returns {ArrayLike<number>}
 */
export const weightsOf = (one) => /** @type {any} */ (one)?.weights ?? one;

/**
 * @param {Attributions} given
 * @returns {ArrayLike<number>[]}
 * @throws {RangeError}
 */
export function readAttributions(given) {
  if (typeof given === 'object' && given?.length > 0) return Array.from(given, weightsOf);
  throw new RangeError(`attributions must be arrays of weights, or explanations, not ${show(given)}`);
}

/**
 * @param {Vectors} attributions
 * @returns {number} d
 */
export function widthOf(attributions) {
  const width = attributions?.[0]?.length;
  if (!(width > 0)) throw new RangeError(`attributions must be arrays of weights, not ${show(attributions)}`);
  for (const one of attributions)
    if (one?.length !== width)
      throw new RangeError(`attributions must have one length, not ${width} and ${one?.length}`);
  return width;
}

/**
 * The paper's Υ: how steadily the signs of the attributions of one input (over seeds, or over close inputs) agree, from 0
 * to 1. It has to be said what the sign of a zero is: `zero: 1` counts it as positive, which is how the paper's numbers
 * come out; `zero: 0` counts it as neither.
 *
 * @param {Attributions} given  arrays of weights, or explanations
 * @param {{ zero?: 0 | 1 }} [options]  default 1
 * @returns {number}
 */
export function unidirectionality(given, options = {}) {
  const { zero = 1 } = checkNames(options, ['zero'], 'unidirectionality');
  if (zero !== 0 && zero !== 1) throw new RangeError(`zero must be 0 or 1, not ${show(zero)}`);
  const attributions = readAttributions(given);
  const width = widthOf(attributions);
  let sum = 0;
  for (let c = 0; c < width; c++) {
    const signs = attributions.map((one) => Math.sign(one[c]) || zero);
    sum += Math.abs(signs.reduce((a, b) => a + b, 0));
  }
  return sum / (attributions.length * width);
}

/**
 * The share of (feature, pair of attributions) whose signs are strictly opposite. A zero contradicts nobody.
 *
 * @param {Attributions} given  at least two: arrays of weights, or explanations
 * @returns {number}
 */
export function signConflict(given) {
  const attributions = readAttributions(given);
  const width = widthOf(attributions);
  let conflicts = 0;
  let pairs = 0;
  for (let a = 0; a < attributions.length; a++) {
    for (let b = a + 1; b < attributions.length; b++) {
      for (let c = 0; c < width; c++) conflicts += attributions[a][c] * attributions[b][c] < 0 ? 1 : 0;
      pairs += width;
    }
  }
  if (pairs === 0) throw new RangeError('signConflict compares at least two attributions, not 1');
  return conflicts / pairs;
}

/**
 * The paper's CI for one input: the mean L1 distance between its attribution and those of its neighbors.
 *
 * @param {Attribution} attribution  weights, or an explanation
 * @param {Attributions} neighbors
 * @param {{ normalize?: 'none' | 'sum' }} [options]  `'sum'`: each attribution is first divided by the sum of its |weights|, so
 *   that only their proportions are compared (one that is all zeros stays so); default `'none'`, as in the paper
 * @returns {number}
 */
export function coefficientInconsistency(attribution, neighbors, options = {}) {
  const { normalize = 'none' } = checkNames(options, ['normalize'], 'coefficientInconsistency');
  const scaled = checkChoice(normalize, 'normalize', ['none', 'sum']) === 1 ? toSumOne : Array.from;
  const [mine, ...others] = readAttributions([attribution, ...neighbors]);
  widthOf([mine, ...others]);
  const own = scaled(mine);
  return mean(others.map((one) => total(scaled(one), (w, c) => Math.abs(w - own[c]))));
}

/** @param {ArrayLike<number>} attribution */
function toSumOne(attribution) {
  const sum = total(attribution, Math.abs);
  return Array.from(attribution, (weight) => (sum > 0 ? weight / sum : 0));
}

/**
 * @param {ArrayLike<number>} values
 * @param {(value: number, index: number) => number} part
 */
export function total(values, part) {
  let sum = 0;
  for (let c = 0; c < values.length; c++) sum += part(values[c], c);
  return sum;
}

/** @param {readonly number[]} values */
export function mean(values) {
  if (values.length === 0) throw new RangeError('a mean needs at least one value');
  return values.reduce((a, b) => a + b, 0) / values.length;
}
