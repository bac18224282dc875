import { show } from './errors.js';
import { checkNames } from './options.js';

/** @typedef {readonly ArrayLike<number>[]} Attributions  m arrays of d weights */

/**
 * @param {Attributions} attributions
 * @returns {number} d
 */
function widthOf(attributions) {
  const width = attributions?.[0]?.length;
  if (!(width > 0)) throw new RangeError(`attributions must be arrays of weights, not ${show(attributions)}`);
  for (const one of attributions)
    if (one.length !== width) throw new RangeError(`attributions must have one length, not ${width} and ${one.length}`);
  return width;
}

/**
 * The paper's Υ: how steadily the signs of the attributions of one input (over seeds, or over close inputs) agree, from 0
 * to 1. It has to be said what the sign of a zero is: `zero: 1` counts it as positive, which is how the paper's numbers
 * come out; `zero: 0` counts it as neither.
 *
 * @param {Attributions} attributions
 * @param {{ zero?: 0 | 1 }} [options]  default 1
 * @returns {number}
 */
export function unidirectionality(attributions, options = {}) {
  const { zero = 1 } = checkNames(options, ['zero'], 'unidirectionality');
  if (zero !== 0 && zero !== 1) throw new RangeError(`zero must be 0 or 1, not ${show(zero)}`);
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
 * @param {Attributions} attributions  at least two
 * @returns {number}
 */
export function signConflict(attributions) {
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
 * The paper's CI for one input: the mean L1 distance between its attribution and those of its neighbours.
 *
 * @param {ArrayLike<number>} attribution
 * @param {Attributions} neighbours
 * @returns {number}
 */
export function coefficientInconsistency(attribution, neighbours) {
  widthOf([attribution, ...neighbours]);
  return mean(
    neighbours.map((one) => Array.from(one, (w, c) => Math.abs(w - attribution[c])).reduce((a, b) => a + b, 0)),
  );
}

/**
 * The paper's INFD: the mean |prediction − local prediction| over inputs.
 *
 * @param {readonly { prediction: number | null, localPrediction: number }[]} explanations
 * @returns {number}
 */
export function infidelity(explanations) {
  if (!Array.isArray(explanations)) throw new TypeError(`infidelity takes explanations, not ${show(explanations)}`);
  return mean(
    explanations.map(({ prediction, localPrediction }, i) => {
      if (prediction === null) throw new RangeError(`explanation ${i} has no prediction to compare with`);
      return Math.abs(prediction - localPrediction);
    }),
  );
}

/** @param {readonly number[]} values */
function mean(values) {
  if (values.length === 0) throw new RangeError('a mean needs at least one value');
  return values.reduce((a, b) => a + b, 0) / values.length;
}
