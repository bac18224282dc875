// Finds the smallest change of a row that moves the model's answer across a threshold.
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { checkPlainTable } from '../data/check-table.js';
import { checkExplanation } from '../explain/check-explanation.js';
import { explainRow } from '../explain/explain-row.js';
import { readAskPlan } from '../explain/plan.js';
import { resolveTargets, targetName } from '../solve/settings.js';
import { encodeRow } from '../neighborhood/row-neighborhood.js';
import { readSampler } from '../neighborhood/sampler.js';
import { movesAlong, movesBetween, readForbidden } from './recourse-moves.js';
import { changesOf, closestTrial, describeRecourse, sizeOf } from './recourse-result.js';
import { findSmallest, moved, subsetsOf } from './recourse-search.js';
import { setSourceOfRecourse } from './recourse-source.js';
import { decodeRow, Goal, RowTrials, typicalityOf } from './recourse-trials.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../data/table.js').Level} Level
 * @typedef {import('../explain/explain-row.js').RowExplanation} RowExplanation
 * @typedef {import('../explain/explain-row.js').PredictRows} PredictRows
 * @typedef {import('../explain/plan.js').AskPlan} AskPlan
 * @typedef {import('../neighborhood/sampler.js').RowSampler} RowSampler
 * @typedef {import('./recourse-moves.js').Move} Move
 * @typedef {import('./recourse-result.js').Recourse} Recourse
 * @typedef {import('./recourse-trials.js').Trial} Trial
 */

/**
 * @typedef {object} RecourseOptions
 * @property {Table | Promise<Table>} table  from `describeTable`
 * @property {number | string} [target]  the class, by index or name, or `'top'`. Default: that of `explanation`; else the
 *   class with the second highest answer, or with `side: 'below'` the class with the highest
 * @property {readonly string[]} [classes]  names of the model's answers
 * @property {number} [threshold]  what the target's answer must cross. Default: for a single score 0.5; for classes, the
 *   target must become the top class, or with `side: 'below'` cease to be it
 * @property {'above' | 'below'} [side]  where the answer must go; default `'above'`
 * @property {readonly (string | number)[]} [immutable]  columns that must not change, by name or index
 * @property {Readonly<Record<string, 'up' | 'down'>>} [monotone]  columns that may only grow, or only shrink
 * @property {number} [most]  how many columns may change, from 1 to 5; default 3
 * @property {'random' | RowSampler | Promise<RowSampler>} [neighborhood]  as in `explainRow`. If it is from
 *   `densityNeighborhood`, the new row must be plausible
 * @property {number} [plausible]  the smallest `typicality` of the new row, from 0 to 1; default 0.05. A row that is less
 *   usual itself may stay so
 * @property {RowExplanation} [explanation]  of this row, from `explainRow`;
 *   default: the row is explained with the default preset
 * @property {number} [step]  how finely numbers are tried, in standard deviations, above 0 and up to 1; default 0.02
 * @property {number} [maxQueries]  the most rows that the search may ask about, beside explanations; default 300
 * @property {number | 'auto'} [samples]  of each explanation; default 1000
 * @property {number} [seed]  of the explanations; default 0
 * @property {number} [batchSize]  rows per call of `predict`; default 256
 * @property {number} [concurrency]  calls of `predict` at once; default 1
 * @property {number} [timeout]  the most milliseconds that a call of `predict` may take; default: no limit
 * @property {AbortSignal} [signal]
 * @property {(progress: RecourseProgress) => unknown} [onProgress]  called after every batch
 */

/**
 * @typedef {object} RecourseProgress
 * @property {number} asked  queries answered so far
 * @property {number} planned  an upper limit of all queries
 * @property {'explain' | 'search'} phase
 */

const OPTIONS = [
  ...['table', 'target', 'classes', 'threshold', 'side', 'immutable', 'monotone', 'most', 'neighborhood', 'plausible'],
  ...['explanation', 'step', 'maxQueries', 'samples', 'seed', 'batchSize', 'concurrency', 'timeout', 'signal'],
  'onProgress',
];
/** More features than these do not play: see `LINEX_MOST_PLAYING`. */
const MOST_FEATURES = 128;
/** How far a second attempt goes, as shares of the way to the end of the table's range. */
const SHARES = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16];

/**
 * Finds the smallest change of a row that moves the model's answer across a threshold: of as few columns as possible, then
 * with the smallest sum of changes in standard deviations, where another level counts as 1.
 *
 * The row is explained first. Only columns whose direction is sure are changed, in that direction and within the range of
 * the table. Every change that is reported was confirmed by the model.
 *
 * @param {ArrayLike<unknown>} row  one value per column of the table
 * @param {PredictRows} predict  as for `explainRow`
 * @param {RecourseOptions} options
 * @returns {Promise<Recourse>}
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails
 */
export async function recourse(row, predict, options) {
  const call = await prepare(row, predict, options);
  const { plan, encoded, table } = call;
  const trials = new RowTrials(
    predict,
    table,
    { ...plan, onAsked: call.progress.search },
    call.maxQueries,
    call.plausible,
  );
  const { goal, target } = await begin(call, trials);
  const search = new RecourseSearch(call, predict, trials, goal);
  const start = /** @type {Trial} */ (trials.at(encoded));
  const found = start.value > 0 ? { row: encoded, complete: true } : await search.run();
  plan.throwIfProgressFailed();
  const outcome = { found, trials, goal, target, explained: search.explained, tried: [...search.tried] };
  const result = freeze(await describeRecourse(call, outcome));
  if (call.explanation) setSourceOfRecourse(result, call.explanation);
  return result;
}

/** @typedef {Awaited<ReturnType<typeof prepare>>} Call */

/**
 * Checks everything about a call before the model is asked.
 *
 * @param {ArrayLike<unknown>} row
 * @param {unknown} predict
 * @param {RecourseOptions} given
 */
async function prepare(row, predict, given) {
  if (typeof predict !== 'function')
    throw new TypeError(`recourse takes the model as a function, not ${show(predict)}`);
  const options = /** @type {RecourseOptions} */ (checkNames(given ?? {}, OPTIONS, 'recourse'));
  const { side = 'above', threshold, immutable = [], monotone = {}, explanation, classes, samples, seed } = options;
  const { most = 3, step = 0.02, plausible = 0.05, maxQueries = 300 } = options;
  const table = checkPlainTable(await options.table, 'recourse');
  const neighborhood = /** @type {any} */ (readSampler(await options.neighborhood, 'row'));
  checkChoice(side, 'side', ['above', 'below']);
  if (Array.isArray(options.target)) throw new RangeError('target must be one class, not an array');
  if (threshold !== undefined)
    checkNumber(threshold, 'threshold', { least: -Number.MAX_VALUE, most: Number.MAX_VALUE });
  const forbidden = readForbidden(immutable, monotone, table);
  const encoded = encodeRow(row, table, { discretize: false, raw: false });
  const explained = checkOwn(explanation, table, decodeRow(encoded, table));
  const target = options.target ?? explained ?? undefined;
  const { batchSize, concurrency, timeout, signal, onProgress } = options;
  const asking = { batchSize, concurrency, timeout, signal };
  const plan = readAskPlan(
    defined({ ...asking, onProgress: /** @type {any} */ (onProgress), classes, samples, seed, target }),
  );
  const call = {
    ...{ table, encoded, neighborhood, side, threshold, explanation, target, plan },
    limits: { ...forbidden, step: checkNumber(step, 'step', { above: 0, most: 1 }) },
    most: checkCount(most, 'most', 1, 5),
    maxQueries: checkCount(maxQueries, 'maxQueries', 2, 1e6),
    explaining: defined({ ...asking, classes, samples, seed, neighborhood }),
  };
  checkNumber(plausible, 'plausible', { least: 0, most: 1 });
  return { ...call, ...(await judge(call, plausible)), progress: watch(call) };
}

/** Without options that are undefined. @template {object} T @param {T} options @returns {T} */
const defined = (options) =>
  /** @type {T} */ (Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));

/**
 * Checks an explanation that the caller has.
 *
 * @param {any} explanation
 * @param {Table} table
 * @param {Level[]} row
 * @returns {string | number | null | undefined}  its target
 * @throws {TypeError | RangeError}
 */
function checkOwn(explanation, { columns }, row) {
  if (explanation === undefined) return undefined;
  const { kind, method, weights, features, target } = checkExplanation(explanation);
  if (kind !== 'row' || weights.length !== columns.length)
    throw new RangeError(
      `explanation must be of a row with ${columns.length} columns, not of ${weights.length} features`,
    );
  if (method === 'shap') throw new RangeError("explanation must have slopes; those of method 'shap' are shares");
  for (const feature of /** @type {RowExplanation['features']} */ (features)) {
    const column = columns[feature.index];
    if (feature.name !== column.name || feature.value !== row[feature.index])
      throw new RangeError(
        `explanation must be of this row: ${show(feature.name)} is ${show(feature.value)}, ` +
          `${show(column.name)} is ${show(row[feature.index])}`,
      );
    // With quartiles, a weight is the effect of leaving one, not a slope.
    const slope = column.kind === 'numeric' ? feature.perUnit * (column.spread || 1) : 0;
    if (column.kind === 'numeric' && !(Math.abs(slope - feature.perDeviation) <= 1e-9 * Math.abs(slope)))
      throw new RangeError(`explanation must have slopes; those of ${show(column.name)} are not: do not discretize`);
  }
  return target;
}

/**
 * How plausible the row is, and how rows are judged.
 *
 * @param {{ table: Table, encoded: Float64Array, neighborhood: any, plan: AskPlan }} call
 * @param {number} least
 */
async function judge({ table, encoded, neighborhood, plan }, least) {
  if (typeof neighborhood?.typicality !== 'function') return { typicality: undefined, plausible: undefined, least };
  const typicality = typicalityOf(neighborhood, plan.signal);
  const [own] = await typicality([decodeRow(encoded, table)]);
  const enough = Math.min(least, own);
  const plausible = async (/** @type {unknown[][]} */ rows) => (await typicality(rows)).map((share) => share >= enough);
  return { typicality, plausible, least: enough };
}

/** Reports the queries of explanations and of the search together. @param {{ plan: AskPlan, maxQueries: number, explanation: unknown }} call */
function watch({ plan, maxQueries, explanation }) {
  const counts = { explain: 0, search: 0 };
  const samples = plan.auto ? plan.maxSamples : plan.samples;
  const planned = maxQueries + samples * (explanation ? 1 : 2);
  const report = (/** @type {'explain' | 'search'} */ phase) =>
    plan.onProgress?.(/** @type {any} */ ({ asked: counts.explain + counts.search, planned, phase }));
  return {
    search(/** @type {number} */ asked) {
      counts.search = asked;
      report('search');
    },
    /** @param {number} asked  in this explanation @param {number} before  in those before */
    explain(asked, before) {
      counts.explain = before + asked;
      report('explain');
    },
  };
}

/**
 * Asks about the row, and makes the goal.
 *
 * @param {Call} call
 * @param {RowTrials} trials
 */
async function begin({ encoded, plan, side, threshold, target, explanation }, trials) {
  const { settings } = plan;
  const made = { goal: new Goal(0, null, side), target: /** @type {string | number | null} */ (null) };
  await trials.begin(encoded, (scores) => {
    const [given] = resolveTargets(settings, scores.length, scores);
    const column = target === undefined && side === 'above' && scores.length > 1 ? secondOf(scores, given) : given;
    made.target = targetName(settings, column, scores.length);
    if (explanation && explanation.target !== made.target && explanation.target !== column)
      throw new RangeError(`explanation must be of target ${show(made.target)}, not ${show(explanation.target)}`);
    return (made.goal = new Goal(
      column,
      threshold !== undefined ? threshold + 0 : scores.length === 1 ? 0.5 : null,
      side,
    ));
  });
  return made;
}

/** The class with the highest answer but one. @param {Float64Array} scores @param {number} top */
function secondOf(scores, top) {
  const others = [...scores.keys()].filter((column) => column !== top);
  return others.reduce((best, column) => (scores[column] > scores[best] ? column : best));
}

/** Explains, searches, and if that finds nothing, explains and searches once more where it came closest. */
class RecourseSearch {
  #call;
  #predict;
  /** Queries of explanations. */
  explained = 0;
  /** The columns that were searched. @type {Set<number>} */
  tried = new Set();

  /**
   * @param {Call} call
   * @param {PredictRows} predict
   * @param {RowTrials} trials
   * @param {Goal} goal
   */
  constructor(call, predict, trials, goal) {
    this.#call = call;
    this.#predict = predict;
    this.trials = trials;
    this.goal = goal;
  }

  /** @returns {Promise<{ row: Float64Array, complete: boolean } | undefined>} */
  async run() {
    const { table, encoded, limits } = this.#call;
    const moves = movesAlong(table, encoded, await this.#slopesAt(encoded), limits);
    const found = await this.#find(moves);
    if (found || moves.length === 0 || this.trials.all().some(({ value }) => value > 0)) return found;
    const { row: nearest } = closestTrial(this.trials, encoded, table);
    if (nearest === encoded || this.trials.isExhausted()) return undefined;
    const reached = await this.#tryFrom(nearest);
    return reached && this.#find(movesBetween(table, encoded, reached, limits));
  }

  /** @param {Move[]} moves */
  #find(moves) {
    const { encoded, limits, most } = this.#call;
    for (const { column } of moves) this.tried.add(column);
    return findSmallest(encoded, moves, this.trials, { most, tolerance: limits.step });
  }

  /**
   * Follows the directions that are sure at another row, because the model may be curved.
   *
   * @param {Float64Array} nearest
   * @returns {Promise<Float64Array | undefined>}  the nearest row that reaches the goal
   */
  async #tryFrom(nearest) {
    const { table, encoded, limits, most } = this.#call;
    const changed = new Set([...encoded.keys()].filter((column) => nearest[column] !== encoded[column]));
    const moves = movesAlong(table, encoded, await this.#slopesAt(nearest), limits, nearest);
    const sets = [1, 2, moves.length].flatMap((size) => subsetsOf(moves, Math.min(size, most)));
    const allowed = sets.filter((set) => new Set([...changed, ...set.map(({ column }) => column)]).size <= most);
    const rows = SHARES.flatMap((share) =>
      allowed.map((set) =>
        moved(
          nearest,
          set,
          set.map(({ count }) => Math.max(1, Math.round(share * count))),
        ),
      ),
    );
    await this.trials.ask(rows);
    const reaching = rows.filter((row) => (this.trials.valueOf(row) ?? -1) > 0);
    const far = (/** @type {Float64Array} */ row) => sizeOf(changesOf(encoded, row, table));
    return reaching.sort((a, b) => far(a) - far(b))[0];
  }

  /**
   * How the goal changes along each column that has a sure direction.
   *
   * @param {Float64Array} at  encoded
   * @returns {Promise<Map<number, number>>}
   */
  async #slopesAt(at) {
    const { table, encoded, explanation } = this.#call;
    const [own, rival] = explanation && at === encoded ? [explanation] : await this.#explain(at);
    /** @type {Map<number, number>} */
    const slopes = new Map();
    table.columns.forEach(({ kind }, index) => {
      const [a, b] = [own, rival].map((one) => sureFeature(one, index));
      const slope = this.goal.sign * (b ? differenceOf(a, b) : slopeOf(a, kind));
      if (slope !== 0) slopes.set(index, slope);
    });
    return slopes;
  }

  /**
   * Explains a row: the target's answer, and among three or more classes that of its strongest rival too.
   *
   * @param {Float64Array} at  encoded
   * @returns {Promise<RowExplanation[]>}
   */
  async #explain(at) {
    const { table, explaining, progress, plan } = this.#call;
    const { column, threshold } = this.goal;
    const { strongest, classes } = /** @type {Trial} */ (this.trials.at(at)).answer;
    const rival = threshold === null && classes > 2 ? strongest : column;
    const before = this.explained;
    const explained = await explainRow(decodeRow(at, table), this.#predict, {
      ...explaining,
      table,
      target: rival === column ? [column] : [column, rival],
      features: Math.min(table.columns.length, MOST_FEATURES),
      ...(plan.onProgress && {
        onProgress: (/** @type {{ asked: number }} */ { asked }) => progress.explain(asked, before),
      }),
    });
    const explanations = /** @type {RowExplanation[]} */ (explained);
    this.explained += explanations[0].queries.asked;
    return explanations;
  }
}

/** @typedef {import('../explain/explain-row.js').RowFeature} RowFeature */

/**
 * The feature of a column, if its sign is sure.
 *
 * @param {any} explanation
 * @param {number} column
 * @returns {RowFeature | undefined}
 */
function sureFeature(explanation, column) {
  return explanation?.features.find(
    (/** @type {RowFeature} */ { index, silenced, weight, interval }) =>
      index === column && !silenced && weight !== 0 && !(interval && interval[0] <= 0 && interval[1] >= 0),
  );
}

/** @param {RowFeature | undefined} feature @param {'numeric' | 'categorical'} kind */
const slopeOf = (feature, kind) => (feature ? (kind === 'numeric' ? feature.perDeviation : feature.weight) : 0);

/**
 * The slope of a difference of two answers; 0 if its sign is not sure.
 *
 * @param {RowFeature | undefined} a
 * @param {RowFeature} b
 */
function differenceOf(a, b) {
  const [low, high] = a?.interval ?? [0, 0];
  const [least, most] = b.interval ?? [b.weight, b.weight];
  return low > most || high < least ? (a?.weight ?? 0) - b.weight : 0;
}
