// Explains rows of a table: one row, or many in order.
import { checkChoice, checkNames } from '../core/check-options.js';
import { LinexError, messageOf, show } from '../core/errors.js';
import { mapInOrder } from '../core/event-loop.js';
import { ready } from '../core/load.js';
import { isRecord } from '../data/records.js';
import { flattenTable, isDescribed, isPlain, valueIn } from '../data/table.js';
import { designOfRows, encodeNamedRow, encodeRow, NearRows, perturbRow } from '../neighborhood/row-neighborhood.js';
import { binOf, referenceColumn, rowReference } from '../neighborhood/row-reference.js';
import { readSampler } from '../neighborhood/sampler.js';
import { adjustingFile } from '../solve/adjust-answers.js';
import {
  ASK_OPTIONS,
  NOT_FOR_MAPLE,
  readCall,
  readPlan,
  refuseOptions,
  refuseUnlessShap,
  SHAP_OPTIONS,
} from './plan.js';
import { explainNeighborhood } from './run-explanation.js';
import { METHODS, SOLVE_OPTIONS } from '../solve/settings.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../solve/settings.js').SolveOptions} SolveOptions
 * @typedef {import('../neighborhood/row-neighborhood.js').RowBatch} RowBatch
 * @typedef {import('../neighborhood/row-neighborhood.js').RowType} RowType
 * @typedef {import('../neighborhood/sampler.js').RowSampler} RowSampler
 * @typedef {import('../data/records.js').Row} Row
 */

/**
 * @template {RowType} [F=RowType]  the type of the numbers that the model gets
 * @typedef {import('../core/ask-model.js').Predict<import('../neighborhood/row-neighborhood.js').RowBatch<F>>} PredictRows
 */

/**
 * @typedef {object} RowPlace
 * @property {string} column  its name, or that of a group
 * @property {number | string | boolean | null} value  the row's
 * @property {'numeric' | 'level' | 'quartile'} kind  what the surrogate sees: a number, "has the row's level or not", or
 *   with `discretize` "lies in the row's quartile or not"
 * @property {number} reference  of a numeric feature: the value of the reference. Otherwise: the share of the reference
 *   that has the row's level, or lies in the row's quartile; of a reference row, 1 or 0
 * @property {number} [spread]  of a numeric feature: the standard deviation of its column
 * @property {number} [step]  of a numeric feature: the change of the value that the weight is for; the spread, or 1 with
 *   `units: 'raw'`
 * @property {import('../data/table.js').NumberFormat} [format]  of a numeric column: how its numbers are written; see
 *   `describeTable`
 * @property {readonly [number | null, number | null]} [range]  of a quartile: from (not included) and to; null if open
 * @property {number} perUnit  change of the answer per unit of the column; for a level, the change if the row has it
 * @property {number} perDeviation  change of the answer per standard deviation of the column
 */

/**
 * @typedef {import('./explanation.js').Feature & RowPlace} RowFeature
 * @typedef {import('./explanation.js').Explanation<RowFeature>} RowExplanation
 */

/**
 * With `method: 'shap'` a weight is a share of the answer, not a slope.
 *
 * @typedef {import('./explanation.js').Feature & Omit<RowPlace, 'step' | 'range' | 'perUnit' | 'perDeviation'>} ShapRowFeature
 * @typedef {import('./explanation.js').Explanation<ShapRowFeature>} ShapRowExplanation
 */

/**
 * @typedef {object} RowNeighborhoodOptions
 * @property {Table | Promise<Table>} table  from `describeTable`
 * @property {'row' | 'mean'} [center]  what numeric columns vary around; default `'row'`
 * @property {'none' | 'quartile'} [discretize]  default `'none'`; `'quartile'`: a numeric feature is "in the row's quartile"
 *   or not
 * @property {'standard' | 'raw'} [units]  default `'standard'`: weights and distances are in standard deviations; `'raw'`: in
 *   the columns' own units
 * @property {'random' | RowSampler | Promise<RowSampler>} [neighborhood]  default `'random'`: columns vary at random;
 *   or a sampler that makes rows
 * @property {{ type?: RowType }} [input]  type: of the numbers in `batch.data`;
 *   default `'float64'`
 * @property {import('../data/records.js').Row} [reference]  the row that contributions are relative to, one value per column; default the
 *   table's means and the shares of its levels. Not for `method: 'shap'`, whose reference is the background
 * @property {SolveOptions['method'] | 'maple'} [method]  `'maple'` needs a `neighborhood` from `forestNeighborhood`. It
 *   fits the responses of the training rows that share a leaf with the row, at most `samples`. It uses the features that
 *   MAPLE chose, at most `features` (default all of them). It asks the model only about the row. The default `ridge` is
 *   0.001. `fidelity` tells how well the responses are fitted, not the model. If responses are classes, `classes` gives
 *   their order in the model's answers; default sorted, or as in `forestNeighborhood`
 */

/**
 * @typedef {object} RowShapOptions
 * @property {ArrayLike<ArrayLike<unknown>>} [background]  required by `method: 'shap'`: rows that replace absent
 *   columns, up to 10,000; about 100 typical rows are enough. The model is asked about every coalition of columns with
 *   each distinct row
 */

/** @typedef {import('./plan.js').FitMethod | 'shap' | 'maple'} RowMethod */

/**
 * The options of all methods together.
 *
 * @typedef {Omit<SolveOptions, 'method'> & import('./plan.js').AskOptions & RowNeighborhoodOptions &
 *   import('./plan.js').ShapOptions & RowShapOptions} AnyRowOptions
 */

/**
 * The options of one method.
 *
 * @template {RowMethod} [M=RowMethod]
 * @template {import('./plan.js').Targets} [T=import('./plan.js').Targets]
 * @template {RowType} [F=RowType]
 * @typedef {import('./plan.js').CallOptions<Omit<AnyRowOptions, 'input'>, M, T, MethodExplanation<import('./plan.js').Inferred<M>>> &
 *   NeedsBackground<M> & { input?: { type?: F } }} RowOptions
 */

/**
 * Shapley values need a background.
 *
 * @template M
 * @typedef {[M] extends ['shap'] ? Required<Pick<RowShapOptions, 'background'>> : {}} NeedsBackground
 */

/**
 * One explanation, or an array with one per target.
 *
 * @template M  the method
 * @template T  the option `target`
 * @typedef {import('./plan.js').PerTarget<MethodExplanation<M>, T>} Explained
 */

/**
 * If the method is known only at run time, the type is a union.
 *
 * @template M
 * @typedef {M extends 'shap' ? ShapRowExplanation : RowExplanation} MethodExplanation
 */

/**
 * @template {'throw' | 'yield'} [R='throw' | 'yield']
 * @typedef {object} ManyOptions
 * @property {R} [errors]  what happens if a row fails; default `'throw'`: the loop throws and ends. `'yield'`:
 *   the loop gets the error in the place of the explanation, and goes on
 */

/**
 * What a loop over many rows gets for each row.
 *
 * @template M  the method
 * @template T  the option `target`
 * @template R  the option `errors`
 * @typedef {R extends 'yield' ? Explained<M, T> | Error : Explained<M, T>} Yielded
 */

const ROW_OPTIONS = Object.freeze([
  ...SOLVE_OPTIONS,
  ...ASK_OPTIONS,
  ...SHAP_OPTIONS,
  ...['table', 'center', 'discretize', 'units', 'neighborhood', 'background', 'reference', 'input'],
]);

/**
 * Explains a model's answer for one row of a table.
 *
 * @template {RowMethod} [M='linex']
 * @template {import('./plan.js').Targets} [T='top']
 * @template {RowType} [F='float64']
 * @param {Row} row  one value per column of the table, as an array or as an object
 * @param {PredictRows<F>} predict  takes a batch of rows: `{ data, shape: [count, columns] }`, iterable by row, and `rows`
 *   with the levels spelled out; may be asynchronous
 * @param {RowOptions<M, T, F>} options
 * @returns {Promise<Explained<M, T>>}  an array if `target` is one
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails, or the answers do not determine an explanation
 */
export async function explainRow(row, predict, options) {
  const { plan, core } = await prepare(predict, options, 'explainRow');
  return /** @type {any} */ (await explain(core, row, /** @type {PredictRows<any>} */ (predict), plan));
}

/**
 * Explains many rows with one set-up. The explanations come in the order of the rows and equal those of `explainRow`. At most
 * `concurrency` rows are explained at once, and no more are read ahead.
 *
 * @template {RowMethod} [M='linex']
 * @template {import('./plan.js').Targets} [T='top']
 * @template {RowType} [F='float64']
 * @template {'throw' | 'yield'} [R='throw']
 * @param {Iterable<Row> | AsyncIterable<Row>} rows
 * @param {PredictRows<F>} predict
 * @param {RowOptions<M, T, F> & ManyOptions<R>} options
 * @returns {AsyncGenerator<Yielded<M, T, R>, void, void>}
 * @throws like `explainRow`; a bad row ends the iteration, after the rows before it, unless `errors` is `'yield'`
 */
export async function* explainRows(rows, predict, options) {
  const { plan, core } = await prepare(predict, options, 'explainRows');
  const goOn = checkChoice(options.errors ?? 'throw', 'errors', ['throw', 'yield']) === 1;
  const stop = new AbortController();
  const abort = () => stop.abort(plan.signal?.reason);
  plan.signal?.throwIfAborted();
  plan.signal?.addEventListener('abort', abort);
  const each = { ...plan, signal: stop.signal, concurrency: 1 };
  /** @param {Row} row @param {number} index */
  const explainOne = async (row, index) => {
    // Only the progress callback needs the index.
    const one = plan.onProgress ? { ...each, row: index } : each;
    const explained = explain(core, row, /** @type {PredictRows<any>} */ (predict), one);
    return /** @type {any} */ (await (goOn ? errorOf(explained, stop.signal) : explained));
  };
  try {
    yield* mapInOrder(iteratorOf(rows), explainOne, plan.concurrency, stop.signal);
  } finally {
    // After a failure, or if the caller leaves the loop, the other rows stop too.
    plan.signal?.removeEventListener('abort', abort);
    stop.abort();
  }
}

/**
 * Returns the error if an explanation fails, unless the whole call was stopped.
 *
 * @template T
 * @param {Promise<T>} explained
 * @param {AbortSignal} signal
 * @returns {Promise<T | Error>}
 */
export async function errorOf(explained, signal) {
  try {
    return await explained;
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof Error ? error : new Error(messageOf(error), { cause: error });
  }
}

/**
 * @param {any} rows
 * @returns {{ next(): any, return?(): any }}
 * @throws {TypeError} if `rows` is not iterable
 */
export function iteratorOf(rows) {
  const make = rows?.[Symbol.asyncIterator] ?? rows?.[Symbol.iterator];
  if (typeof make !== 'function') throw new TypeError(`explainRows takes an iterable of rows, not ${show(rows)}`);
  return make.call(rows);
}

/**
 * Checks everything about a call before the model is asked.
 *
 * @param {unknown} predict
 * @param {unknown} given  the options
 * @param {string} caller
 */
async function prepare(predict, given, caller) {
  if (typeof predict !== 'function')
    throw new TypeError(`${caller} takes the model as a function, not ${show(predict)}`);
  checkNames(given ?? {}, caller === 'explainRows' ? [...ROW_OPTIONS, 'errors'] : ROW_OPTIONS, caller);
  const options = await readCall(/** @type {AnyRowOptions} */ (given ?? {}), predict);
  const table = await readTable(await options.table, caller);
  const sampler = readSampler(await options.neighborhood, 'row');
  const method = await readMethod(options, sampler, table);
  const shap = method.settings.method === 'shap';
  if (!shap) refuseUnlessShap(options.background, 'background', method.settings.method);
  const background = shap
    ? (await import('../neighborhood/background-rows.js')).readBackground(options.background, table, caller)
    : undefined;
  const frame = await frameOf(table, options, sampler);
  const featureCount = frame?.featureCount ?? table.columns.length;
  const kernelWidth = method.settings.kernelWidth ?? 0.75 * Math.sqrt(featureCount);
  const view = { ...readView(options, sampler), kernelWidth };
  const reference =
    options.reference === undefined ? undefined : encodeNamedRow(options.reference, table, 'reference', view);
  const type = readType(options.input);
  const plan = { ...method, view, table, flat: flattenTable(table), frame, type, sampler, background, reference };
  const law = sampler || frame?.hidesNumbers ? undefined : 'rows';
  adjustingFile(plan.settings, law, featureCount, plan.samples)?.fetchAhead();
  return { plan, core: await ready() };
}

/**
 * Checks a table, unless it was made here. The checks are loaded for tables from elsewhere only.
 *
 * @param {unknown} table
 * @param {string} caller
 * @returns {Promise<Table>}
 */
async function readTable(table, caller) {
  if (isDescribed(table)) return /** @type {Table} */ (table);
  return (await import('../data/check-table.js')).checkTable(table, caller);
}

/**
 * Says how columns become features, if they are not the features themselves.
 *
 * @param {Table} table
 * @param {AnyRowOptions} options
 * @param {RowSampler | undefined} sampler
 */
async function frameOf(table, { discretize }, sampler) {
  if (isPlain(table)) return undefined;
  const { RowFrame } = await import('../neighborhood/row-frame.js');
  const frame = new RowFrame(table);
  const { refuseUnlessPlain } = await import('../data/check-table.js');
  if (sampler) refuseUnlessPlain(table, 'a neighborhood of your own');
  if (frame.hidesNumbers && discretize === 'quartile') refuseUnlessPlain(table, "discretize 'quartile'");
  return frame;
}

/**
 * @param {AnyRowOptions['input']} input
 * @returns {import('../neighborhood/row-neighborhood.js').RowType}
 */
function readType(input = {}) {
  const { type = 'float64' } = checkNames(input, ['type'], 'input');
  checkChoice(type, 'input.type', ['float64', 'float32']);
  return type;
}

/**
 * @param {AnyRowOptions} options
 * @param {RowSampler | undefined} sampler
 * @param {Table} table
 */
async function readMethod({ method = 'linex', ...options }, sampler, table) {
  checkChoice(method, 'method', [...METHODS, 'maple']);
  if (method !== 'maple') return { ...readPlan({ ...options, method }), maxRows: 0, responseOf: [] };
  const { checkLeafIndex, MAPLE_DEFAULTS } = await import('./maple.js');
  refuseOptions(options, NOT_FOR_MAPLE, method);
  refuseUnlessShap(options.link, 'link', method);
  if (options.samples === 'auto')
    throw new RangeError('samples must be a number of training rows with method \'maple\', not "auto"');
  const { classes, responseOf } = checkLeafIndex(sampler, table, options.classes);
  const asLime = { ...options, ...(classes && { classes }), method: /** @type {const} */ ('lime') };
  const plan = readPlan({ ...asLime, preset: 'paper' }, MAPLE_DEFAULTS);
  const settings = { ...plan.settings, method: 'maple' };
  return { ...plan, settings, maxRows: options.samples ?? Infinity, responseOf };
}

/**
 * @param {AnyRowOptions} options
 * @param {RowSampler | undefined} sampler
 */
function readView({ center, discretize = 'none', units = 'standard', kernelWidth, method }, sampler) {
  if (sampler && center !== undefined)
    throw new RangeError(`center is for neighborhood 'random', not for your own: ${show(center)}`);
  if (units === 'raw' && kernelWidth === undefined && method !== 'maple')
    throw new RangeError("units 'raw' measures distances in the columns' own units, so it needs a kernelWidth");
  return {
    center: checkChoice(center ?? 'row', 'center', ['row', 'mean']),
    discretize: checkChoice(discretize, 'discretize', ['none', 'quartile']) === 1,
    raw: checkChoice(units, 'units', ['standard', 'raw']) === 1,
  };
}

/** @typedef {Awaited<ReturnType<typeof prepare>>['plan'] & { row?: number }} RowPlan */

/**
 * @param {import('../core/load.js').Core} core
 * @param {Row} given
 * @param {PredictRows<any>} predict
 * @param {RowPlan} plan
 */
async function explain(core, given, predict, plan) {
  const started = performance.now();
  const { background } = plan;
  const row = encodeRow(given, plan.table, background ? undefined : plan.view);
  if (background) {
    const { explainShares } = await import('./shap.js');
    return explainShares(core, row, predict, plan, background, started);
  }
  const framed = plan.frame?.of(row);
  if (!framed) return explainFeatures(core, predict, plan, { given, row, started });
  const reference = plan.reference && framed.reference(plan.reference);
  const own = { ...plan, table: framed.table, flat: framed.flat, reference };
  return explainFeatures(core, predict, own, { given, row: framed.row, started, framed, table: plan.table });
}

/**
 * Explains a row whose features are the columns of the plan's table.
 *
 * @param {import('../core/load.js').Core} core
 * @param {PredictRows<any>} predict
 * @param {RowPlan} plan
 * @param {object} input
 * @param {Row} input.given  the row as the caller has it
 * @param {Float64Array} input.row  its features, encoded
 * @param {number} input.started
 * @param {import('../neighborhood/row-frame.js').FramedRow} [input.framed]  if features are not the columns of the caller
 * @param {Table} [input.table]  the caller's table then
 */
async function explainFeatures(core, predict, plan, { given, row, started, framed, table = plan.table }) {
  const { flat, view, settings, sampler, type } = plan;
  const subject = {
    kind: /** @type {const} */ ('row'),
    featureCount: row.length,
    /** @param {number} index */
    name: (index) => plan.table.columns[index].name,
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) =>
      Object.assign(feature, placeInRow(feature, plan, row), framed && framed.placeOf(feature.index)),
    reference: rowReference(plan, row),
  };
  if (settings.method === 'maple')
    return (await import('./maple.js')).explainByMaple(core, row, predict, plan, subject, started);
  const design = designOfRows(plan.table, view, settings.sampling, plan.auto ? plan.maxSamples : plan.samples);
  const drawing = { seed: settings.seed, sampling: design.sampling, frame: framed };
  const make = sampler
    ? await makeRows(core, sampler, given, row, plan)
    : (/** @type {number} */ samples) => perturbRow(core, flat, row, view, samples, drawing);
  const near = { ...view, run: sampler ? 1 : design.run };
  const neighborhood = new NearRows(table, flat, row, near, make, { frame: framed, type });
  return explainNeighborhood(core, predict, subject, neighborhood, plan, started);
}

/**
 * Has the caller's own sampler make the rows.
 *
 * @param {import('../core/load.js').Core} core
 * @param {RowSampler} sampler
 * @param {Row} given  the row as the caller has it
 * @param {Float64Array} row  encoded
 * @param {RowPlan} plan
 */
async function makeRows(core, sampler, given, row, plan) {
  const { generateRows } = await import('../neighborhood/generated-rows.js');
  const samples = plan.auto ? plan.maxSamples : plan.samples;
  // A sampler takes and makes arrays.
  const center = plan.table.columns.map((_, index) => valueIn(row, index, plan.table));
  return generateRows(core, sampler, isRecord(given) ? center : given, row, { ...plan, samples });
}

/**
 * Where a feature is in the row and in the reference, and its weight in two units.
 *
 * @param {import('./explanation.js').Feature} feature
 * @param {RowPlan} plan
 * @param {Float64Array} row  encoded
 * @returns {RowPlace}
 */
function placeInRow({ index, weight }, { table, view, reference: given }, row) {
  const column = table.columns[index];
  const deviation = deviationOf(column, row[index], view);
  const { kind, reference } = referenceColumn(table, row, view, given, index);
  const standard = kind === 'numeric' && !view.raw;
  const perUnit = standard ? weight / deviation : weight;
  const perDeviation = standard ? weight : weight * deviation;
  if (!Number.isFinite(perUnit) || !Number.isFinite(perDeviation))
    throw new LinexError(
      'overflow',
      `the weight of column ${show(column.name)} is ${weight}, which is not finite per ${standard ? 'unit' : 'deviation'}: ` +
        `its standard deviation is ${deviation}; scale the column`,
    );
  const value = valueIn(row, index, table);
  /** @type {RowPlace} */
  const place = { column: column.name, value, kind, reference, perUnit, perDeviation };
  if (column.kind !== 'numeric') return place;
  if (kind === 'numeric') Object.assign(place, { spread: column.spread, step: view.raw ? 1 : deviation });
  else place.range = rangeOf(column, row[index]);
  if (column.format) place.format = column.format;
  return place;
}

/**
 * The quarter that a value lies in.
 *
 * @param {import('../data/table.js').NumericColumn} column
 * @param {number} value
 * @returns {[number | null, number | null]}
 */
function rangeOf(column, value) {
  const bin = binOf(column, value);
  return [column.quartiles[bin - 1] ?? null, column.quartiles[bin] ?? null];
}

/**
 * The standard deviation of a feature. For a level it follows from its frequency, because the feature is 0 or 1.
 *
 * @param {Table['columns'][number]} column
 * @param {number} value  encoded
 * @param {import('../neighborhood/row-neighborhood.js').RowView} view
 */
function deviationOf(column, value, { discretize }) {
  if (column.kind === 'numeric' && !discretize) return column.spread > 0 ? column.spread : 1;
  const share = column.kind === 'numeric' ? column.bins[binOf(column, value)].share : column.frequencies[value];
  return Math.sqrt(share * (1 - share));
}
