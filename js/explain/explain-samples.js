// Explains points that a model has already answered.
import { checkCount, checkList, checkNames, checkNumbers } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { loaded } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { mergeRows, weighPoints } from '../neighborhood/row-neighborhood.js';
import { buildExplanation } from './explanation.js';
import { readSettings, resolveTargets, SOLVE_OPTIONS, targetName } from './settings.js';
import { solveSamples } from './solve-samples.js';

/**
 * @typedef {import('./explanation.js').Explanation<import('./explanation.js').Feature & { value: number }>} Explanation
 * @typedef {import('./settings.js').SolveOptions} SolveOptions
 */

/**
 * @typedef {object} AnsweredSamples
 * @property {ArrayLike<ArrayLike<number>>} points  n arrays of d, of numbers up to 1e100
 * @property {ArrayLike<number> | ArrayLike<ArrayLike<number>>} predictions  n numbers, or n arrays with one number per class
 * @property {ArrayLike<number>} [weights]  n; default LIME's, by distance from `at`
 * @property {ArrayLike<number>} [at]  the input; default the first point
 */

/**
 * Explains points that a model has already answered. The points are not scaled, so scale them first. Synchronous after
 * `load()`.
 *
 * @template {SolveOptions & { columns?: readonly string[] }} O
 * @param {AnsweredSamples} samples
 * @param {O} [options]  columns: names of the features
 * @returns {O extends { target: readonly unknown[] } ? Explanation[] : Explanation}  an array if `target` is one
 * @throws {TypeError | RangeError} for a bad call
 * @throws {import('../core/errors.js').LinexError} `'degenerate'`, `'memory'`, or `'load'` before `load()`
 */
export function explainSamples(samples, options = /** @type {O} */ ({})) {
  const started = performance.now();
  checkNames(options, [...SOLVE_OPTIONS, 'columns'], 'explainSamples');
  checkNames(samples, ['points', 'predictions', 'weights', 'at'], 'the first argument of explainSamples');
  const { points, featureCount, count } = readPoints(samples.points);
  const answers = readPredictions(samples.predictions, count);
  const at = samples.at === undefined ? points.slice(0, featureCount) : readNumbers(samples.at, 'at', featureCount);
  const given =
    samples.weights === undefined ? undefined : readNumbers(samples.weights, 'weights', count, { least: 0 });
  if (options.method === 'shap')
    throw new RangeError(
      "explainSamples has no method 'shap': Shapley values need answers for coalitions, not for points",
    );
  const settings = readSettings(options, { samples: count });
  const { columns: names } = options;
  if (
    names !== undefined &&
    !(Array.isArray(names) && names.length === featureCount && names.every((name) => typeof name === 'string'))
  )
    throw new TypeError(`columns must be ${featureCount} names, one per feature, not ${show(names)}`);
  const input = indexOfPoint(points, at);
  const atInput = input < 0 ? undefined : answers.data.subarray(input * answers.columns, (input + 1) * answers.columns);
  const targets = resolveTargets(settings, answers.columns, atInput);

  const core = loaded('explainSamples');
  const kernelWidth = settings.kernelWidth ?? 0.75 * Math.sqrt(featureCount);
  const near = weighAll(core, points, at, kernelWidth);
  const weights = given ?? near.weights;
  if (!weights.some((weight) => weight > 0)) throw new RangeError('weights must not all be 0');
  const subject = {
    kind: /** @type {const} */ ('row'),
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, { value: at[feature.index] }),
    /** @param {number} index */
    name: (index) => names?.[index] ?? `column ${index}`,
  };
  const shared = performance.now() - started;
  const explanations = targets.map((column) => {
    const before = performance.now();
    const score = Float64Array.from({ length: count }, (_, i) => answers.data[i * answers.columns + column]);
    const all = { points, score, weights, distances: near.distances };
    const solved = withScope(core, (scope) => {
      const { placed, answered } = placeSamples(scope, all, at, kernelWidth);
      return solveSamples(core, placed, answered, settings);
    });
    return buildExplanation(solved, settings, subject, {
      target: targetName(settings, column, answers.columns),
      prediction: atInput ? atInput[column] : null,
      limits: { weighed: given !== undefined },
      queries: { planned: 0, asked: 0 },
      milliseconds: { model: 0, own: shared + (performance.now() - before) },
    });
  });
  return /** @type {any} */ (settings.target.several ? explanations : explanations[0]);
}

/**
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} points
 * @param {Float64Array} at
 * @param {number} kernelWidth
 */
function weighAll(core, points, at, kernelWidth) {
  const [count, featureCount] = [points.length / at.length, at.length];
  return withScope(core, (scope) => {
    const [pointsAt, from] = [scope.putDoubles(points), scope.putDoubles(at)];
    const { distances, weights } = weighPoints(scope, pointsAt, from, { count, featureCount, kernelWidth });
    return { distances: scope.getDoubles(distances, count), weights: scope.getDoubles(weights, count) };
  });
}

/**
 * Writes samples to memory. Samples that are identical in everything become one point.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {{ points: Float64Array, score: Float64Array, weights: Float64Array, distances: Float64Array }} all
 * @param {Float64Array} at
 * @param {number} kernelWidth
 */
function placeSamples(scope, { points, score, weights, distances }, at, kernelWidth) {
  const count = score.length;
  const featureCount = at.length;
  const stride = featureCount + 3;
  const rows = new Float64Array(count * stride);
  for (let i = 0; i < count; i++) {
    rows.set(points.subarray(i * featureCount, (i + 1) * featureCount), i * stride);
    rows.set([score[i], weights[i], distances[i]], i * stride + featureCount);
  }
  const address = scope.putDoubles(rows);
  const { distinct, pointOf } = mergeRows(scope, address, count, 8 * stride);
  const kept = scope.getDoubles(address, distinct * stride);
  const take = (/** @type {number} */ column) =>
    Float64Array.from({ length: distinct }, (_, i) => kept[i * stride + column]);
  const distinctPoints = new Float64Array(distinct * featureCount);
  for (let i = 0; i < distinct; i++)
    distinctPoints.set(kept.subarray(i * stride, i * stride + featureCount), i * featureCount);
  return {
    answered: { answers: take(featureCount), pointOf },
    placed: {
      featureCount,
      points: scope.putDoubles(distinctPoints),
      masks: /** @type {const} */ (0),
      weights: scope.putDoubles(take(featureCount + 1)),
      distances: scope.putDoubles(take(featureCount + 2)),
      input: scope.putDoubles(at),
      kernelWidth,
    },
  };
}

/**
 * @param {unknown} given
 * @param {string} name
 * @param {number} length
 * @param {{ least?: number }} [range]
 */
function readNumbers(given, name, length, { least = -1e100 } = {}) {
  return checkNumbers(given, name, length, { least, most: 1e100 });
}

/**
 * Joins rows of numbers.
 *
 * @param {any} rows
 * @param {string} name
 * @param {number} count
 * @param {number} length
 */
function joinRows(rows, name, count, length) {
  // Every row has its length before memory is taken for all.
  for (let i = 0; i < count; i++) checkList(rows[i], `${name}[${i}]`, `an array of ${length} numbers`, length);
  const joined = new Float64Array(count * length);
  for (let i = 0; i < count; i++) joined.set(readNumbers(rows[i], `${name}[${i}]`, length), i * length);
  return joined;
}

/** @param {ArrayLike<ArrayLike<number>>} given */
function readPoints(given) {
  const count = checkCount(checkList(given, 'points', 'an array of points'), 'the number of points', 2);
  const featureCount = checkList(given[0], 'points[0]', 'an array of numbers');
  checkCount(featureCount, 'the number of features', 1);
  return { points: joinRows(given, 'points', count, featureCount), featureCount, count };
}

/**
 * @param {any} given
 * @param {number} count
 */
function readPredictions(given, count) {
  checkList(given, 'predictions', `an array of ${count}, one per point`, count);
  if (typeof given[0] !== 'object') return { data: readNumbers(given, 'predictions', count), columns: 1 };
  const columns = checkList(given[0], 'predictions[0]', 'an array with one number per class');
  checkCount(columns, 'the number of classes', 1);
  return { data: joinRows(given, 'predictions', count, columns), columns };
}

/**
 * @param {Float64Array} points
 * @param {Float64Array} at
 */
function indexOfPoint(points, at) {
  for (let i = 0; i < points.length / at.length; i++)
    if (at.every((value, c) => points[i * at.length + c] === value)) return i;
  return -1;
}
