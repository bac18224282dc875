// The measures of the study: between explanations, against the truth, and on fresh samples.
import { coefficientInconsistency, signConflict } from 'linex';

/** How many features count as the leading ones: five, or half of them where there are fewer than ten. */
export const leadersOf = (featureCount) => Math.max(1, Math.min(5, Math.floor(featureCount / 2)));

export const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

export const geometricMean = (values) => Math.exp(mean(values.map(Math.log)));

/**
 * Returns the indices of the largest |weights| that are not 0, at most `count`.
 *
 * @param {ArrayLike<number>} weights
 * @param {number} count
 */
export const leading = (weights, count) =>
  Array.from(weights, (weight, index) => ({ index, size: Math.abs(weight) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size || a.index - b.index)
    .slice(0, count)
    .map(({ index }) => index);

/** Returns all pairs of items. */
const pairsOf = (items) => items.flatMap((one, i) => items.slice(i + 1).map((other) => [one, other]));

/**
 * Measures how explanations of one input differ between seeds.
 *
 * @param {readonly ArrayLike<number>[]} vectors  weights, one array per seed
 * @returns {{ ci: number, conflict: number, overlap: number }}  ci: the mean L1 distance of two; overlap: the share of
 *   leading features that two have in common, of the longer list; 1 if both lists are empty
 */
export function betweenSeeds(vectors) {
  const count = leadersOf(vectors[0].length);
  const overlaps = pairsOf(vectors.map((vector) => leading(vector, count))).map(([a, b]) => {
    const longer = Math.max(a.length, b.length);
    return longer === 0 ? 1 : a.filter((index) => b.includes(index)).length / longer;
  });
  return {
    ci: mean(pairsOf(vectors).map(([a, b]) => coefficientInconsistency(a, [b]))),
    conflict: signConflict(vectors),
    overlap: mean(overlaps),
  };
}

/**
 * Measures how the explanation of an input differs from those of its neighbors.
 *
 * @param {readonly [ArrayLike<number>, ArrayLike<number>][]} couples  the weights of the input and of a neighbor, for the
 *   features that both have
 */
export function betweenNeighbors(couples) {
  if (couples.length === 0) return {};
  return {
    neighborCi: mean(couples.map(([own, other]) => coefficientInconsistency(own, [other]))),
    neighborConflict: mean(couples.map((couple) => signConflict(couple))),
  };
}

const squares = (vector) => vector.reduce((sum, value) => sum + value * value, 0);

const squaredError = (weights, truth) => truth.reduce((sum, value, c) => sum + (weights[c] - value) ** 2, 0);

/**
 * Compares weights with the truth.
 *
 * @param {readonly ArrayLike<number>[]} vectors  weights, one array per seed
 * @param {readonly number[]} truth
 * @returns {{ error: number, bias: number }}  error: the mean squared error; bias: the length of the mean error without
 *   what the seeds explain, relative to the length of the truth
 */
export function againstTruth(vectors, truth) {
  const middle = truth.map((_, c) => mean(vectors.map((vector) => vector[c])));
  const spread = mean(vectors.map((vector) => squaredError(vector, middle)));
  // The mean of m seeds still varies by the m-th part of the variance, which the spread estimates with m - 1.
  const square = squaredError(middle, truth) - spread / Math.max(1, vectors.length - 1);
  return {
    error: mean(vectors.map((vector) => squaredError(vector, truth))),
    bias: Math.sqrt(Math.max(0, square) / (squares(truth) || 1)),
  };
}

/**
 * Looks for the true leading features.
 *
 * @param {readonly ArrayLike<number>[]} vectors  weights, one array per seed
 * @param {readonly number[]} truth
 * @returns {{ recall: number, kept: number }}  recall: the share of the true leading features that are among the leading
 *   ones; kept: the share that have a weight at all
 */
export function recallOf(vectors, truth) {
  const count = leadersOf(truth.length);
  const right = leading(truth, count);
  const share = (isFound) => (right.length ? right.filter(isFound).length / right.length : 1);
  return {
    recall: mean(
      vectors.map((vector) => {
        const found = leading(vector, count);
        return share((index) => found.includes(index));
      }),
    ),
    kept: mean(vectors.map((vector) => share((index) => vector[index] !== 0))),
  };
}

/** Returns the five largest weights, and 0 for the others. */
export function largestOnly(truth, count = 5) {
  const kept = leading(truth, count);
  return truth.map((weight, c) => (kept.includes(c) ? weight : 0));
}

/**
 * The weights before silencing.
 *
 * @param {{ weights: readonly number[], features: readonly { index: number, weight: number, raw?: number }[] }} explanation
 */
export function beforeSilencing({ weights, features }) {
  const all = Array.from(weights);
  for (const { index, weight, raw = weight } of features) all[index] = raw;
  return all;
}

/**
 * Counts the intervals that contain the truth.
 *
 * @param {readonly { features: readonly { index: number, interval: readonly [number, number] | null }[] }[]} explanations
 * @param {readonly number[]} truth
 */
export function countCovered(explanations, truth) {
  const found = explanations.flatMap(({ features }) => features).filter(({ interval }) => interval);
  const covered = found.filter(({ index, interval: [low, high] }) => low <= truth[index] && truth[index] <= high);
  return { covered: covered.length, intervals: found.length };
}

/**
 * Measures a surrogate on samples that it was not fitted to.
 *
 * @param {{ weights: readonly number[], intercept: number }} explanation
 * @param {{ points: readonly ArrayLike<number>[], weights: readonly number[], answers: readonly number[] }} fresh
 * @returns {{ infidelity: number, r2: number }}  infidelity: the weighted mean |answer - surrogate|; r2: weighted
 */
export function onFreshSamples({ weights, intercept }, { points, weights: kernel, answers }) {
  const total = kernel.reduce((a, b) => a + b, 0);
  const middle = kernel.reduce((sum, weight, i) => sum + weight * answers[i], 0) / total;
  let [absolute, left, whole] = [0, 0, 0];
  points.forEach((point, i) => {
    let local = intercept;
    for (let c = 0; c < weights.length; c++) local += weights[c] * point[c];
    absolute += kernel[i] * Math.abs(answers[i] - local);
    left += kernel[i] * (answers[i] - local) ** 2;
    whole += kernel[i] * (answers[i] - middle) ** 2;
  });
  return { infidelity: absolute / total, r2: whole > 0 ? 1 - left / whole : 1 };
}
