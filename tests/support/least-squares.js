// Weighted least squares by the normal equations, independent of the solvers under test.

/**
 * The Gram matrix X'WX + ridge I and the vector X'Wy, centered by the weighted means and divided by the sum of weights.
 *
 * @param {readonly (readonly number[])[]} points
 * @param {readonly number[]} answers
 * @param {readonly number[]} weights
 * @param {number} ridge
 */
export function momentsOf(points, answers, weights, ridge) {
  const featureCount = points[0].length;
  const total = weights.reduce((a, b) => a + b, 0);
  const mean = Array.from(
    { length: featureCount },
    (_, c) => points.reduce((sum, x, i) => sum + weights[i] * x[c], 0) / total,
  );
  const answerMean = answers.reduce((sum, y, i) => sum + weights[i] * y, 0) / total;
  const gram = new Float64Array(featureCount * featureCount);
  const target = new Float64Array(featureCount);
  const centered = new Float64Array(featureCount);
  points.forEach((x, i) => {
    if (weights[i] === 0) return;
    for (let c = 0; c < featureCount; c++) centered[c] = x[c] - mean[c];
    for (let c = 0; c < featureCount; c++) {
      const weighted = weights[i] * centered[c];
      target[c] += weighted * (answers[i] - answerMean);
      for (let d = 0; d <= c; d++) gram[c * featureCount + d] += weighted * centered[d];
    }
  });
  for (let c = 0; c < featureCount; c++) {
    gram[c * featureCount + c] += ridge;
    for (let d = 0; d < c; d++) gram[d * featureCount + c] = gram[c * featureCount + d];
  }
  return {
    gram: gram.map((value) => value / total),
    target: target.map((value) => value / total),
    mean,
    answerMean,
  };
}

/** Solves a square system by Gaussian elimination with pivoting; the matrix is row-major. */
export function solveLinear(matrix, right) {
  const size = right.length;
  const rows = Array.from({ length: size }, (_, i) => [...matrix.slice(i * size, (i + 1) * size), right[i]]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let i = column; i < size; i++) if (Math.abs(rows[i][column]) > Math.abs(rows[pivot][column])) pivot = i;
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let i = column + 1; i < size; i++) {
      const factor = rows[i][column] / rows[column][column];
      for (let j = column; j <= size; j++) rows[i][j] -= factor * rows[column][j];
    }
  }
  const solution = new Array(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    const known = solution.reduce((sum, value, j) => (j > i ? sum + rows[i][j] * value : sum), 0);
    solution[i] = (rows[i][size] - known) / rows[i][i];
  }
  return solution;
}

/**
 * The weighted ridge regression with a free intercept, which the ridge does not shrink, as in scikit-learn's Ridge.
 *
 * @param {readonly (readonly number[])[]} points
 * @param {readonly number[]} answers
 * @param {readonly number[]} weights
 * @param {number} [ridge]
 */
export function ridgeFit(points, answers, weights, ridge = 1) {
  const { gram, target, mean, answerMean } = momentsOf(points, answers, weights, ridge);
  const slopes = solveLinear(gram, target);
  return { slopes, intercept: slopes.reduce((rest, slope, c) => rest - slope * mean[c], answerMean) };
}
