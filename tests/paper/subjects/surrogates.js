// Surrogates on features that the product does not have: tf-idf values of words, pixels from -1 to 1, another ridge.
import { explainSamples } from 'linex';
import { fitByDescent, playByDescent } from './gradient-descent.js';

/**
 * Points of a surrogate with the model's answers.
 *
 * @typedef {object} OwnSamples
 * @property {ArrayLike<number>[]} points  the input is the first
 * @property {ArrayLike<number>} predictions  of the explained class
 * @property {string[]} [columns]
 */

/**
 * Explains such points with the settings of a reading.
 *
 * @param {OwnSamples} samples
 * @param {{ options: object, width: number, way: string }} config  width: of the kernel
 * @param {number} seed
 * @returns {import('linex').Explanation}  for descent, only the parts that are kept
 */
export function explainOwn({ points, predictions, columns }, { options, width, way }, seed) {
  if (way === 'sgd') return byDescent({ points, predictions, weights: kernelOf(points, width) }, options, seed);
  const ridge = way === 'relative' ? { ridge: relativeRidge(points, width) } : {};
  const how = { preset: 'paper', draws: 0, ...options, ...ridge, kernelWidth: width, columns, seed };
  return explainSamples({ points, predictions, at: points[0] }, how);
}

/** LIME's kernel, as in the product: the root of exp(-distance² / width²). */
function kernelOf(points, width) {
  const [at] = points;
  return Float64Array.from(points, (point) => {
    let square = 0;
    for (let c = 0; c < at.length; c++) square += (point[c] - at[c]) ** 2;
    return Math.exp(-square / (2 * width * width));
  });
}

/** A tenth of the mean over the features of Σ weight × (value − mean)². */
export function relativeRidge(points, width) {
  const weights = kernelOf(points, width);
  const mass = weights.reduce((a, b) => a + b, 0);
  const energyOf = (c) => {
    const middle = points.reduce((sum, point, i) => sum + weights[i] * point[c], 0) / mass;
    return points.reduce((sum, point, i) => sum + weights[i] * (point[c] - middle) ** 2, 0);
  };
  const energies = Array.from(points[0], (_, c) => energyOf(c));
  return (0.1 * energies.reduce((a, b) => a + b, 0)) / energies.length;
}

function byDescent(samples, { method }, seed) {
  const found = method === 'linex' ? playByDescent(samples, { seed }) : fitByDescent(samples, { seed });
  const { weights, intercept, ended } = found;
  const { points, predictions } = samples;
  const mass = samples.weights.reduce((a, b) => a + b, 0);
  const meanAnswer = predictions.reduce((sum, answer, i) => sum + answer * samples.weights[i], 0) / mass;
  const local = weights.reduce((sum, weight, c) => sum + weight * points[0][c], intercept);
  return {
    method,
    weights: Array.from(weights),
    intercept,
    localPrediction: method === 'baseline' ? meanAnswer : local,
    prediction: predictions[0],
    features: [],
    equilibrium: null,
    unfinished: !ended,
  };
}
