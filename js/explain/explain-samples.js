// Explains points that a model has already answered.
import { checkList, checkNumbers } from '../core/check-lists.js';
import { checkCount, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { loaded, ready } from '../core/load.js';
import { withScope, withScopeAsync } from '../core/memory.js';
import { ASYNC_OPTIONS, readAsyncOptions } from '../core/run-task.js';
import { mergeRows } from '../neighborhood/merged-rows.js';
import { weighPoints } from '../neighborhood/row-neighborhood.js';
import { buildExplanation } from './explanation.js';
import { rivalOf } from '../solve/rival.js';
import { readSettings, resolveTargets, settingsFor, SOLVE_OPTIONS, targetName } from '../solve/settings.js';
import { solveSamples, solveSamplesNow } from '../solve/solve-samples.js';

/**
 * @typedef {import('./explanation.js').Explanation<import('./explanation.js').Feature & { kind: 'numeric', value: number, reference: number }>} Explanation
 * @typedef {import('../solve/settings.js').SolveOptions} SolveOptions
 * @typedef {import('../core/run-task.js').AsyncOptions} AsyncOptions
 * @typedef {import('../solve/solve-samples.js').Solved} Solved
 */

/**
 * @typedef {object} AnsweredSamples
 * @property {ArrayLike<ArrayLike<number>>} points  n arrays of d, of numbers up to 1e100
 * @property {ArrayLike<number> | ArrayLike<ArrayLike<number>>} predictions  n numbers, or n arrays with one number per class
 * @property {ArrayLike<number>} [weights]  n; default LIME's, by distance from `at`
 * @property {ArrayLike<number>} [at]  the input; default the first point
 */

/**
 * @typedef {object} SampleOptions
 * @property {readonly string[]} [columns]  names of the features
 * @property {ArrayLike<number>} [reference]  the point that contributions are relative to: d numbers up to 1e100; default
 *   all 0, which is the mean of points that were scaled by mean and standard deviation
 */

/**
 * @template {import('./plan.js').Targets} [T=import('./plan.js').Targets]
 * @typedef {Omit<SolveOptions, 'method' | 'target'> & SampleOptions & {
 *   method?: import('./plan.js').FitMethod, target?: T }} AnsweredOptions
 */

/**
 * Explains points that a model has already answered. The points are not scaled, so scale them first. Synchronous after
 * `load()`. With thousands of points or features, `explainSamplesAsync` keeps a page responsive.
 *
 * @template {import('./plan.js').Targets} [T='top']
 * @param {AnsweredSamples} samples
 * @param {AnsweredOptions<T>} [options]
 * @returns {import('./plan.js').PerTarget<Explanation, T>}  an array if `target` is one
 * @throws {TypeError | RangeError} for a bad call
 * @throws {import('../core/errors.js').LinexError} `'degenerate'`, `'memory'`, or `'load'` before `load()`
 */
export function explainSamples(samples, options = {}) {
  const problem = readProblem(samples, options, 'explainSamples', []);
  const core = loaded('explainSamples');
  const near = weighProblem(core, problem);
  const explanations = problem.targets.map((column) => {
    const before = performance.now();
    const solved = withScope(core, (scope) => {
      const { placed, answered } = placeSamples(scope, problem, near, column);
      return /** @type {Solved} */ (solveSamplesNow(core, placed, answered, problem.settings));
    });
    return describeSolved(problem, solved, column, performance.now() - before);
  });
  return /** @type {any} */ (problem.settings.target.several ? explanations : explanations[0]);
}

/**
 * `explainSamples` in slices of a few milliseconds, with the same result. It loads the WebAssembly file by itself.
 *
 * @template {import('./plan.js').Targets} [T='top']
 * @param {AnsweredSamples} samples
 * @param {AnsweredOptions<T> & AsyncOptions} [options]  those of `explainSamples`, and signal, onProgress
 * @returns {Promise<import('./plan.js').PerTarget<Explanation, T>>}
 * @throws what `explainSamples` throws, or the signal's reason
 */
export async function explainSamplesAsync(samples, options = {}) {
  const problem = readProblem(samples, options, 'explainSamplesAsync', ASYNC_OPTIONS);
  const { signal, onProgress } = readAsyncOptions(options);
  signal?.throwIfAborted();
  const core = await ready();
  const near = weighProblem(core, problem);
  const explanations = [];
  for (const [i, column] of problem.targets.entries()) {
    const before = performance.now();
    const onSlice = (/** @type {number} */ progress) =>
      onProgress?.({ phase: 'solve', progress: (i + progress) / problem.targets.length });
    const solved = await withScopeAsync(core, (scope) => {
      const { placed, answered } = placeSamples(scope, problem, near, column);
      return solveSamples(core, placed, answered, problem.settings, { signal, onSlice });
    });
    explanations.push(describeSolved(problem, solved, column, performance.now() - before));
  }
  return /** @type {any} */ (problem.settings.target.several ? explanations : explanations[0]);
}

/**
 * Checks the arguments.
 *
 * @param {AnsweredSamples} samples
 * @param {any} options
 * @param {string} name  of the function
 * @param {readonly string[]} more  further options that it takes
 */
function readProblem(samples, options, name, more) {
  checkNames(options, [...SOLVE_OPTIONS, 'columns', 'reference', ...more], name);
  checkNames(samples, ['points', 'predictions', 'weights', 'at'], `the first argument of ${name}`);
  const { points, featureCount, count } = readPoints(samples.points);
  const answers = readPredictions(samples.predictions, count);
  const at = samples.at === undefined ? points.slice(0, featureCount) : readNumbers(samples.at, 'at', featureCount);
  const given =
    samples.weights === undefined ? undefined : readNumbers(samples.weights, 'weights', count, { least: 0 });
  if (given && !given.some((weight) => weight > 0)) throw new RangeError('weights must not all be 0');
  if (options.method === 'shap')
    throw new RangeError(`${name} has no method 'shap': Shapley values need answers for coalitions, not for points`);
  const settings = settingsFor(readSettings(options, { samples: count }), featureCount);
  const { columns: names } = options;
  if (
    names !== undefined &&
    !(Array.isArray(names) && names.length === featureCount && names.every((one) => typeof one === 'string'))
  )
    throw new TypeError(`columns must be ${featureCount} names, one per feature, not ${show(names)}`);
  const reference =
    options.reference === undefined ? undefined : readNumbers(options.reference, 'reference', featureCount);
  const input = indexOfPoint(points, at);
  const atInput = input < 0 ? undefined : answers.data.subarray(input * answers.columns, (input + 1) * answers.columns);
  const kernelWidth = settings.kernelWidth ?? 0.75 * Math.sqrt(featureCount);
  const targets = resolveTargets(settings, answers.columns, atInput);
  return { points, count, answers, at, given, settings, names, atInput, targets, kernelWidth, reference };
}

/** @typedef {ReturnType<typeof readProblem>} Problem */

/** Distances and weights of all points. @param {import('../core/load.js').Core} core @param {Problem} problem */
function weighProblem(core, { points, at, kernelWidth, given }) {
  const near = weighAll(core, points, at, kernelWidth);
  const weights = given ?? near.weights;
  if (!weights.some((weight) => weight > 0)) throw new RangeError('weights must not all be 0');
  return { distances: near.distances, weights };
}

/**
 * @param {Problem} problem
 * @param {Solved} solved
 * @param {number} column
 * @param {number} own  how long it took
 */
function describeSolved({ settings, names, at, answers, atInput, given, reference }, solved, column, own) {
  const referenceAt = (/** @type {number} */ index) => reference?.[index] ?? 0;
  const subject = {
    kind: /** @type {const} */ ('row'),
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) =>
      Object.assign(feature, {
        kind: /** @type {const} */ ('numeric'),
        value: at[feature.index],
        reference: referenceAt(feature.index),
      }),
    reference: {
      kind: /** @type {'row' | 'absence'} */ (reference ? 'row' : 'absence'),
      ...(reference && { values: [...reference] }),
      at: referenceAt,
      distance: (/** @type {number} */ index) => at[index] - referenceAt(index),
    },
    /** @param {number} index */
    name: (index) => names?.[index] ?? `column ${index}`,
  };
  return buildExplanation(solved, settings, subject, {
    target: targetName(settings, column, answers.columns),
    prediction: atInput ? atInput[column] : null,
    rival: rivalOf(settings, column, atInput ?? null),
    limits: { weighed: given !== undefined },
    queries: { planned: 0, asked: 0 },
    milliseconds: { model: 0, own },
  });
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
 * @param {Problem} problem
 * @param {{ weights: Float64Array, distances: Float64Array }} near
 * @param {number} column  of the answers
 */
function placeSamples(scope, { points, count, answers, at, kernelWidth }, { weights, distances }, column) {
  const featureCount = at.length;
  const stride = featureCount + 3;
  const rows = new Float64Array(count * stride);
  for (let i = 0; i < count; i++) {
    rows.set(points.subarray(i * featureCount, (i + 1) * featureCount), i * stride);
    rows.set([answers.data[i * answers.columns + column], weights[i], distances[i]], i * stride + featureCount);
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
