import { show } from '../core/errors.js';
import { buildExplanation, solve } from './explanation.js';
import { loaded } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { weighPoints } from '../neighborhood/row-neighborhood.js';
import { checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { readSettings, resolveTargets, SOLVE_OPTIONS, targetName } from './settings.js';

/**
 * @typedef {import('./explanation.js').Explanation<import('./explanation.js').Feature & { value: number }>} Explanation
 * @typedef {import('./settings.js').SolveOptions} SolveOptions
 */

/**
 * @typedef {object} AnsweredSamples
 * @property {ArrayLike<ArrayLike<number>>} points  n arrays of d, of numbers up to 1e100
 * @property {ArrayLike<number> | ArrayLike<ArrayLike<number>>} predictions  n numbers, or n arrays of one number a class
 * @property {ArrayLike<number>} [weights]  n; by default LIME's, by distance from `at`
 * @property {ArrayLike<number>} [at]  the input, by default the first point
 */

/**
 * Explains points that a model has already answered. Points are taken as they are: scale them first. Synchronous after
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
  const { points, width, count } = readPoints(samples.points);
  const answers = readPredictions(samples.predictions, count);
  const at = samples.at === undefined ? points.slice(0, width) : readNumbers(samples.at, 'at', width);
  const given =
    samples.weights === undefined ? undefined : readNumbers(samples.weights, 'weights', count, { least: 0 });
  if (options.method === 'shap')
    throw new RangeError(
      "explainSamples has no method 'shap': Shapley values need answers to coalitions, not to points",
    );
  const settings = readSettings(options, { samples: count });
  const { columns: names } = options;
  if (
    names !== undefined &&
    !(Array.isArray(names) && names.length === width && names.every((name) => typeof name === 'string'))
  )
    throw new TypeError(`columns must be ${width} names, one a feature, not ${show(names)}`);
  const input = indexOfPoint(points, at);
  const atInput = input < 0 ? undefined : answers.data.subarray(input * answers.columns, (input + 1) * answers.columns);
  const targets = resolveTargets(settings, answers.columns, atInput);

  const core = loaded('explainSamples');
  const kernelWidth = settings.kernelWidth ?? 0.75 * Math.sqrt(width);
  const near = weighPoints(core, points, at, kernelWidth);
  const weights = given ?? near.weights;
  if (!weights.some((weight) => weight > 0)) throw new RangeError('weights must not all be 0');
  const shared = performance.now() - started;
  const explanations = targets.map((column) => {
    const before = performance.now();
    const score = Float64Array.from({ length: count }, (_, i) => answers.data[i * answers.columns + column]);
    // Samples that are alike in everything are one; the width of a merged row holds all that a fit sees of them.
    const merged = mergeSamples(core, { points, width, score, weights, distances: near.distances });
    const solved = solve(core, { ...merged, at, kernelWidth }, settings);
    return buildExplanation(solved, settings, {
      kind: 'row',
      target: targetName(settings, column, answers.columns),
      prediction: atInput ? atInput[column] : null,
      describe: (feature) => Object.assign(feature, { value: at[feature.index] }),
      name: (index) => names?.[index] ?? `column ${index}`,
      limits: { weighed: given !== undefined },
      queries: { planned: 0, asked: 0 },
      milliseconds: { model: 0, own: shared + (performance.now() - before) },
    });
  });
  return /** @type {any} */ (settings.target.several ? explanations : explanations[0]);
}

/**
 * @param {import('../core/load.js').Core} core
 * @param {{ points: Float64Array, width: number, score: Float64Array, weights: Float64Array, distances: Float64Array }} all
 */
function mergeSamples(core, { points, width, score, weights, distances }) {
  const count = score.length;
  const wide = width + 3;
  const rows = new Float64Array(count * wide);
  for (let i = 0; i < count; i++) {
    rows.set(points.subarray(i * width, (i + 1) * width), i * wide);
    rows.set([score[i], weights[i], distances[i]], i * wide + width);
  }
  return withScope(core, (scope) => {
    const [address, owner, found] = [scope.putDoubles(rows), scope.indices(count), scope.indices(1)];
    scope.check(core.linex_rows_merge(count, 8 * wide, address, owner, found));
    const [distinct] = scope.getIndices(found, 1);
    const kept = scope.getDoubles(address, distinct * wide);
    const take = (/** @type {number} */ column) =>
      Float64Array.from({ length: distinct }, (_, i) => kept[i * wide + column]);
    const distinctPoints = new Float64Array(distinct * width);
    for (let i = 0; i < distinct; i++) distinctPoints.set(kept.subarray(i * wide, i * wide + width), i * width);
    return {
      points: distinctPoints,
      answers: take(width),
      weights: take(width + 1),
      distances: take(width + 2),
      owner: scope.getIndices(owner, count),
    };
  });
}

/**
 * @param {unknown} given
 * @param {string} name
 * @param {number} length
 * @param {{ least?: number }} [range]
 */
function readNumbers(given, name, length, range) {
  const values = /** @type {ArrayLike<unknown>} */ (given);
  if (typeof values !== 'object' || values === null || values.length !== length)
    throw new RangeError(`${name} must be ${length} numbers, not ${show(given)}`);
  return Float64Array.from(values, (value, i) =>
    checkNumber(value, `${name}[${i}]`, { least: range?.least ?? -1e100, most: 1e100 }),
  );
}

/** @param {ArrayLike<ArrayLike<number>>} given */
function readPoints(given) {
  const count = checkCount(given?.length, 'the number of points', 2);
  const width = checkCount(given[0]?.length, 'the number of features', 1);
  const points = new Float64Array(count * width);
  for (let i = 0; i < count; i++) points.set(readNumbers(given[i], `points[${i}]`, width), i * width);
  return { points, width, count };
}

/**
 * @param {any} given
 * @param {number} count
 */
function readPredictions(given, count) {
  if (given?.length !== count) throw new RangeError(`predictions must be ${count}, one a point, not ${show(given)}`);
  if (typeof given[0] !== 'object') return { data: readNumbers(given, 'predictions', count), columns: 1 };
  const columns = checkCount(given[0]?.length, 'the number of classes', 1);
  const data = new Float64Array(count * columns);
  for (let i = 0; i < count; i++) data.set(readNumbers(given[i], `predictions[${i}]`, columns), i * columns);
  return { data, columns };
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
