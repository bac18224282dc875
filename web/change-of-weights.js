// How much the weights of an explanation change when the question is asked again.

const sum = (/** @type {readonly number[]} */ values) => values.reduce((total, value) => total + value, 0);
const mean = (/** @type {readonly number[]} */ values) => sum(values) / values.length;

/**
 * Returns the mean distance between the weights of two runs, as a share of the mean size of the weights: 0 if all runs
 * agree, 1 if two runs differ by as much as they say. Distance and size are sums of absolute values.
 *
 * @param {readonly (readonly number[])[]} runs  at least two arrays of weights
 * @returns {number}  0 if all weights are 0
 */
export function changeOfWeights(runs) {
  const size = mean(runs.map((weights) => sum(weights.map(Math.abs))));
  const distances = runs.flatMap((a, i) =>
    runs.slice(i + 1).map((b) => sum(a.map((weight, c) => Math.abs(weight - b[c])))),
  );
  return size > 0 ? mean(distances) / size : 0;
}

/**
 * Tells whether a feature is positive in one run and negative in another.
 *
 * @param {readonly (readonly number[])[]} runs
 * @param {number} index
 */
export const changesSign = (runs, index) =>
  runs.some((weights) => weights[index] > 0) && runs.some((weights) => weights[index] < 0);

/** Returns how many features change their sign between runs. @param {readonly (readonly number[])[]} runs */
export const countChanges = (runs) => runs[0].filter((_, index) => changesSign(runs, index)).length;
