import { show } from '../core/errors.js';
import { checkOwnEnvironments, drawNear, readGenerator } from '../neighborhood/sampler.js';
import { ASK_OPTIONS, explainNeighborhood } from './line.js';
import { ready } from '../core/load.js';
import { readMethodPlan, refuseForOthers, refuseOptions, SHAP_OPTIONS } from './methods.js';
import { encodeRow, joinRows, perturbRow, RowBatch, weighRows } from '../neighborhood/row-neighborhood.js';
import { checkChoice, checkNames } from '../core/check-options.js';
import { METHODS, SOLVE_OPTIONS } from './settings.js';
import { checkTable, flattenTable } from '../data/table.js';
import { mapInOrder } from '../core/event-loop.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('./settings.js').SolveOptions} SolveOptions
 * @typedef {import('../core/ask-model.js').Predict<RowBatch>} PredictRows
 * @typedef {import('../neighborhood/sampler.js').RowGenerator} RowGenerator
 */

/**
 * @typedef {object} RowPlace
 * @property {string} column
 * @property {number | string | boolean | null} value  the row's
 * @property {number} perUnit  the change of the answer a unit of the column; for a level, of having it
 * @property {number} perDeviation  the same a standard deviation of the column
 */

/**
 * @typedef {import('./explanation.js').Feature & RowPlace} RowFeature
 * @typedef {import('./explanation.js').Explanation<RowFeature>} RowExplanation
 */

/**
 * Of `method: 'shap'`, where a weight is a share of the answer and no slope.
 *
 * @typedef {import('./explanation.js').Feature & Pick<RowPlace, 'column' | 'value'>} ShapRowFeature
 * @typedef {import('./explanation.js').Explanation<ShapRowFeature>} ShapRowExplanation
 */

/**
 * @typedef {object} RowNeighborhoodOptions
 * @property {Table | Promise<Table>} table  from `describeTable`
 * @property {'row' | 'mean'} [center]  where numeric columns vary around; default `'row'`
 * @property {'none' | 'quartile'} [discretize]  `'quartile'`: a numeric feature is "in the row's quartile or not"
 * @property {'standard' | 'raw'} [units]  weights and distances in standard deviations, or in the columns' own units
 * @property {'random' | RowGenerator | Promise<RowGenerator>} [neighborhood]  where the rows near the row come from: chance
 *   (the default), or something that makes them
 * @property {SolveOptions['method'] | 'maple'} [method]  `'maple'` needs a `neighborhood` from `forestNeighborhood`. It
 *   fits the responses of all training rows that weigh anything, at most `samples`, with the features that MAPLE chose, at
 *   most `features` (default all of these), and asks the model about the row alone; `ridge` is 0.001 then. `fidelity` is of
 *   the fit to the responses, not to the model. Where responses are classes, `classes` says in which order the model
 *   answers them; by default sorted, or as `forestNeighborhood` was told
 */

/**
 * @typedef {object} RowShapOptions
 * @property {ArrayLike<ArrayLike<unknown>>} [background]  of `method: 'shap'`, which needs it: the rows that stand in for
 *   absent columns, up to 10,000; about 100 typical ones do. Every coalition of columns is asked about with each of them,
 *   those that are alike once
 */

/**
 * @typedef {Omit<SolveOptions, 'method'> & import('./line.js').AskOptions & RowNeighborhoodOptions &
 *   import('./methods.js').ShapOptions & RowShapOptions} RowOptions
 */

/**
 * One explanation, or one a target where several are asked for.
 *
 * @template O
 * @typedef {O extends { target: readonly unknown[] } ? ExplainedBy<O>[] : ExplainedBy<O>} Explained
 */

/**
 * By a method that is not known before it runs, either.
 *
 * @template O
 * @typedef {O extends { method: infer M } ? MethodExplanation<M> : RowExplanation} ExplainedBy
 */

/**
 * @template M
 * @typedef {M extends 'shap' ? ShapRowExplanation : RowExplanation} MethodExplanation
 */

const ROW_OPTIONS = Object.freeze([
  ...SOLVE_OPTIONS,
  ...ASK_OPTIONS,
  ...SHAP_OPTIONS,
  ...['table', 'center', 'discretize', 'units', 'neighborhood', 'background'],
]);

/**
 * Explains a model's answer for one row of a table.
 *
 * @template {RowOptions} O
 * @param {ArrayLike<unknown>} row  one value a column of the table
 * @param {PredictRows} predict  answers a batch of rows: `{ data, shape: [count, columns] }`, iterable by row, `rows` with
 *   the levels spelled out; may be asynchronous
 * @param {O} options
 * @returns {Promise<Explained<O>>}  an array if `target` is one
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails, or the answers do not determine an explanation
 */
export async function explainRow(row, predict, options) {
  const { plan, core } = await prepare(predict, options, 'explainRow');
  return /** @type {Explained<O>} */ (await explain(core, row, predict, plan));
}

/**
 * Explains many rows, one set-up for all. Explanations come in the order of the rows, and are those that `explainRow`
 * gives. At most `concurrency` rows are under way at once, and no more are read from `rows` than that.
 *
 * @template {RowOptions} O
 * @param {Iterable<ArrayLike<unknown>> | AsyncIterable<ArrayLike<unknown>>} rows
 * @param {PredictRows} predict
 * @param {O} options
 * @returns {AsyncGenerator<Explained<O>, void, void>}
 * @throws what `explainRow` does; a bad row stops the iteration when its turn comes
 */
export async function* explainRows(rows, predict, options) {
  const { plan, core } = await prepare(predict, options, 'explainRows');
  const stop = new AbortController();
  const abort = () => stop.abort(plan.signal?.reason);
  plan.signal?.throwIfAborted();
  plan.signal?.addEventListener('abort', abort);
  const each = { ...plan, signal: stop.signal, concurrency: 1 };
  /** @param {ArrayLike<unknown>} row @param {number} index */
  const explainOne = async (row, index) => {
    // Which row it is matters only to who is told.
    const one = plan.onProgress ? { ...each, row: index } : each;
    return /** @type {Explained<O>} */ (await explain(core, row, predict, one));
  };
  try {
    yield* mapInOrder(iteratorOf(rows), explainOne, plan.concurrency, stop.signal);
  } finally {
    // A failure, or a caller who has seen enough: whatever is under way stops too.
    plan.signal?.removeEventListener('abort', abort);
    stop.abort();
  }
}

/**
 * @param {any} rows
 * @returns {{ next(): any, return?(): any }}
 * @throws {TypeError} if they are not iterable
 */
export function iteratorOf(rows) {
  const make = rows?.[Symbol.asyncIterator] ?? rows?.[Symbol.iterator];
  if (typeof make !== 'function') throw new TypeError(`explainRows takes an iterable of rows, not ${show(rows)}`);
  return make.call(rows);
}

/**
 * Everything that can be wrong about a call is found here, before the model is asked.
 *
 * @param {unknown} predict
 * @param {RowOptions} options
 * @param {string} who
 */
async function prepare(predict, options, who) {
  if (typeof predict !== 'function') throw new TypeError(`${who} takes the model as a function, not ${show(predict)}`);
  checkNames(options ?? {}, ROW_OPTIONS, who);
  const table = checkTable(await options?.table, who);
  const generator = readGenerator(await options.neighborhood, 'row');
  const method = await readMethod(options, generator, table);
  const shap = method.settings.method === 'shap';
  if (!shap) refuseForOthers(options.background, 'background', method.settings.method);
  const background = shap
    ? (await import('../neighborhood/background-rows.js')).readBackground(options.background, table, who)
    : undefined;
  const kernelWidth = method.settings.kernelWidth ?? 0.75 * Math.sqrt(table.columns.length);
  const how = { ...readHow(options, generator), kernelWidth };
  const plan = { ...method, how, table, flat: flattenTable(table), generator, background };
  return { plan, core: await ready() };
}

/**
 * @param {RowOptions} options
 * @param {RowGenerator | undefined} generator
 * @param {Table} table
 */
async function readMethod({ method = 'linex', ...options }, generator, table) {
  checkChoice(method, 'method', [...METHODS, 'maple']);
  if (method !== 'maple') return { ...readMethodPlan({ ...options, method }), most: 0, order: [] };
  const { groveFor, MAPLE_REFUSED, MAPLE_USUAL } = await import('./maple.js');
  refuseOptions(options, MAPLE_REFUSED, method);
  refuseForOthers(options.link, 'link', method);
  if (options.samples === 'auto')
    throw new RangeError('samples must be a number of training rows with method \'maple\', not "auto"');
  const { classes, order } = groveFor(generator, table, options.classes);
  const plan = readMethodPlan({ ...options, ...(classes && { classes }), method: 'lime' }, MAPLE_USUAL);
  return { ...plan, settings: { ...plan.settings, method: 'maple' }, most: options.samples ?? Infinity, order };
}

/**
 * @param {RowOptions} options
 * @param {RowGenerator | undefined} generator
 */
function readHow({ center, discretize = 'none', units = 'standard', kernelWidth, method }, generator) {
  if (generator && center !== undefined)
    throw new RangeError(`center is where neighborhood 'random' varies around; yours needs none, not ${show(center)}`);
  if (units === 'raw' && kernelWidth === undefined && method !== 'maple')
    throw new RangeError(
      "units 'raw' measures distances in the columns' own units and needs a kernelWidth, not undefined",
    );
  return {
    center: checkChoice(center ?? 'row', 'center', ['row', 'mean']),
    discretize: checkChoice(discretize, 'discretize', ['none', 'quartile']) === 1,
    raw: checkChoice(units, 'units', ['standard', 'raw']) === 1,
  };
}

/** @typedef {Awaited<ReturnType<typeof prepare>>['plan'] & { row?: number }} Plan */

/**
 * @param {import('../core/load.js').Core} core
 * @param {ArrayLike<unknown>} given
 * @param {PredictRows} predict
 * @param {Plan} plan
 */
async function explain(core, given, predict, plan) {
  const started = performance.now();
  const { table, flat, how, settings } = plan;
  const row = encodeRow(given, table);
  if (plan.background) return explainShares(core, row, predict, plan, plan.background, started);
  const width = row.length;
  const about = {
    /** @param {number} index */
    name: (index) => table.columns[index].name,
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, placeInRow(feature, table, row, how)),
  };
  if (settings.method === 'maple') return (await import('./maple.js')).explainMaple(core, row, predict, plan, about);
  const { kernelWidth } = how;
  const make = plan.generator
    ? await rowsFrom(core, plan.generator, given, row, plan)
    : (/** @type {number} */ samples) => perturbRow(core, flat, row, how, samples, settings.seed);
  /** @type {{ rows: Float64Array, weights?: Float64Array }} */
  let made = { rows: new Float64Array(0) };
  const neighborhood = {
    kind: /** @type {const} */ ('row'),
    width,
    possible: Infinity,
    /** @param {number} samples */
    make(samples) {
      const now = make(samples);
      made = now;
      return now;
    },
    /** @param {number} first @param {number} count */
    batch: (first, count) => new RowBatch(table, made.rows.subarray(first * width, (first + count) * width)),
    /** @param {number} count @param {import('../core/memory.js').Scope} scope */
    points(count, scope) {
      const near = weighRows(scope, flat, row, how, made.rows.subarray(0, count * width));
      const own = made.weights?.subarray(0, count);
      return Object.assign(near, { kernelWidth, weights: own ?? near.weights, weighed: own !== undefined });
    },
    ...about,
  };
  return explainNeighborhood(core, predict, neighborhood, plan, started);
}

/**
 * Shapley values: absent columns are those of the background.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} row  encoded
 * @param {PredictRows} predict
 * @param {Plan} plan
 * @param {Float64Array} background  encoded rows, one after the other
 * @param {number} started
 */
async function explainShares(core, row, predict, plan, background, started) {
  const { table } = plan;
  const [{ BackgroundRows }, { explainParts }] = await Promise.all([
    import('../neighborhood/background-rows.js'),
    import('./shap.js'),
  ]);
  const rows = new BackgroundRows(core, table, row, background);
  const parts = {
    kind: /** @type {const} */ ('row'),
    width: row.length,
    players: rows.varying,
    shares: rows.shares,
    batch: rows.batch.bind(rows),
    /** @param {number} index */
    name: (index) => table.columns[index].name,
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, { column: feature.name, value: valueIn(row, feature.index, table) }),
  };
  return explainParts(predict, parts, plan, started);
}

/**
 * Has all rows made that may be asked about; what it returns shows the first of them.
 *
 * @param {import('../core/load.js').Core} core
 * @param {RowGenerator} generator
 * @param {ArrayLike<unknown>} given  as the caller has it
 * @param {Float64Array} row  encoded
 * @param {Plan} plan
 */
async function rowsFrom(core, generator, given, row, { table, settings, auto, samples, maxSamples, signal }) {
  const { seed, environments } = settings;
  const most = (auto ? maxSamples : samples) - 1;
  const read = (/** @type {any} */ sample, /** @type {string} */ name) => {
    try {
      return encodeRow(sample, table);
    } catch (error) {
      throw new RangeError(`${name} does not fit the table: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
  };
  const made = await drawNear(generator, Array.from(given), most, { seed, signal, read });
  const all = { rows: [row, ...made.samples], weights: made.weights };
  checkOwnEnvironments(environments, all.rows.length);
  return (/** @type {number} */ count) => joinRows(core, all, count);
}

/**
 * Where a feature is in the row, and its weight in the two units that people ask for.
 *
 * @param {import('./explanation.js').Feature} feature
 * @param {Table} table
 * @param {Float64Array} row  encoded
 * @param {import('../neighborhood/row-neighborhood.js').RowNeighborhood} how
 * @returns {RowPlace}
 */
function placeInRow({ index, weight }, table, row, how) {
  const column = table.columns[index];
  const deviation = deviationOf(column, row[index], how);
  const standard = column.kind === 'numeric' && !how.discretize && !how.raw;
  return {
    column: column.name,
    value: valueIn(row, index, table),
    perUnit: standard ? weight / deviation : weight,
    perDeviation: standard ? weight : weight * deviation,
  };
}

/**
 * A column's standard deviation as the surrogate sees it: having a level is 0 or 1, and how frequent it is tells.
 *
 * @param {Table['columns'][number]} column
 * @param {number} value  encoded
 * @param {import('../neighborhood/row-neighborhood.js').RowNeighborhood} how
 */
function deviationOf(column, value, { discretize }) {
  if (column.kind === 'numeric' && !discretize) return column.spread > 0 ? column.spread : 1;
  const share =
    column.kind === 'numeric'
      ? column.bins[column.quartiles.filter((quartile) => value > quartile).length].share
      : column.frequencies[value];
  return Math.sqrt(share * (1 - share));
}

/**
 * @param {Float64Array} row  encoded
 * @param {number} index
 * @param {Table} table
 */
function valueIn(row, index, table) {
  const column = table.columns[index];
  return column.kind === 'categorical' ? column.levels[row[index]] : row[index];
}
