// Tells what an explanation will cost, before the model is asked.
import { askModel } from '../core/ask-model.js';
import { checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { explainImage } from './explain-image.js';
import { explainRow } from './explain-row.js';
import { explainText } from './explain-text.js';
import { INSIDE, LOOK_EVERY } from './plan.js';

/** The largest latency and price: times the most queries, they are far from the largest number. */
const MOST = 1e15;

/**
 * What an explanation will cost. `least` and `most` differ only if it is not known before: with `samples: 'auto'`, or for the
 * time of batches if one query was measured.
 *
 * @typedef {object} Estimate
 * @property {Range} queries  samples that the model is asked about
 * @property {Range} calls  calls of `predict`
 * @property {Range | null} seconds  of the model; null without `latency` and `measure`
 * @property {Range | null} money  in the unit of `price`; null without it
 * @property {number | null} latency  milliseconds per call, as given or measured
 */

/** @typedef {{ least: number, most: number }} Range */

/**
 * @typedef {object} CostOptions
 * @property {number} [latency]  milliseconds that one call of `predict` takes, with a whole batch
 * @property {number} [price]  of one query, in any unit
 * @property {(batch: any, context: { signal: AbortSignal }) => any} [measure]  the model: it is asked one query, about the input,
 *   to measure the time. A batch may take as long as one query, or as long as all its queries one after the other
 */

/**
 * @typedef {CostOptions & (import('./explain-row.js').RowOptions | import('./explain-text.js').TextOptions |
 *   import('./explain-image.js').ImageOptions)} EstimateOptions
 */

/**
 * Tells how often the model will be asked, and with `latency` (or `measure`) and `price`, how long it takes and what it costs. Pass
 * the options of the `explain…` call. Nothing is asked, except for one query with `measure`.
 *
 * @param {any} input  a text; a row, if `table` is among the options; or an image
 * @param {EstimateOptions} [options]
 * @returns {Promise<Estimate>}
 * @throws {TypeError | RangeError} for a call that the `explain…` function would refuse
 * @throws {import('../core/errors.js').LinexError} if the measured query fails
 */
export async function estimate(input, options = {}) {
  if (typeof options !== 'object' || options === null) checkNames(options, [], 'estimate');
  const { latency, price, measure, ...rest } = /** @type {any} */ (options);
  if (latency !== undefined) checkNumber(latency, 'latency', { least: 0, most: MOST });
  if (price !== undefined) checkNumber(price, 'price', { least: 0, most: MOST });
  if (measure !== undefined && typeof measure !== 'function')
    throw new TypeError(`measure must be the model, a function, not ${show(measure)}`);
  if (measure !== undefined && latency !== undefined)
    throw new TypeError('estimate takes latency or measure, not both');
  /** @type {import('./plan.js').Inside['count']} */
  const count = async (study, plan) => {
    const queries = { least: study.distinct, most: study.maxQueries() };
    const trips = { least: tripsFor(queries.least, plan), most: tripsFor(queries.most, plan) };
    const each = measure ? await timeOf(measure, study, plan) : latency;
    // Whether a batch takes longer than one query is not known.
    const slowest = measure ? Math.max(trips.most.turns, queries.most / plan.concurrency) : trips.most.turns;
    return freeze({
      queries,
      calls: { least: trips.least.calls, most: trips.most.calls },
      seconds: each === undefined ? null : { least: (trips.least.turns * each) / 1000, most: (slowest * each) / 1000 },
      money: price === undefined ? null : { least: queries.least * price, most: queries.most * price },
      latency: each ?? null,
    });
  };
  const explain = typeof input === 'string' ? explainText : rest.table === undefined ? explainImage : explainRow;
  return /** @type {any} */ (explain)(input, measure ?? (() => []), { ...rest, [INSIDE]: { count } });
}

/**
 * How often `predict` is called, and how many of these calls follow each other. The first batch is asked alone, as `askModel` does.
 *
 * @param {number} queries
 * @param {import('./plan.js').AskPlan} plan
 */
function tripsFor(queries, { batchSize, concurrency, auto }) {
  // Between two looks at the weights, no more samples than this are asked.
  const most = auto ? Math.min(batchSize, LOOK_EVERY + 1) : batchSize;
  const left = Math.max(0, queries - most);
  const size = Math.min(most, Math.max(1, Math.ceil(left / concurrency)));
  const calls = Math.ceil(left / size);
  return { calls: 1 + calls, turns: 1 + Math.ceil(calls / concurrency) };
}

/** How long the model takes for the input, in milliseconds. @param {any} predict @param {any} study @param {import('./plan.js').AskPlan} plan */
async function timeOf(predict, study, { timeout, signal }) {
  const started = performance.now();
  await askModel(predict, {
    ...{ count: 1, batchSize: 1, concurrency: 1, timeout, signal },
    batch: (first, count, lane) => study.batch(first, count, lane),
    onShape: () => {},
    onBatch: () => {},
  });
  return performance.now() - started;
}
