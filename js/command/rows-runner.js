// Explains rows on all cores by a pool, or in this thread if there is one row or the model is a server.
import { settleRows } from '../explain/explain-row.js';
import { openPool } from '../pool/worker-pool.js';

/**
 * @typedef {object} RowsRunner
 * @property {(rows: AsyncIterable<unknown[]> | Iterable<unknown[]>) => AsyncIterable<import('../explain/explain-row.js').SettledRow<any>>} settle
 * @property {number} atOnce  rows that should be under way at any time
 * @property {() => Promise<void>} close
 */

/** Rows that are explained at once if the model is a server. */
const AT_ONCE = 4;

/**
 * Opens what explains the rows of a job.
 *
 * @param {import('./rows-job.js').RowsJob} job
 * @param {{ workers?: number, count?: number }} [how]  workers: their number, default one per core; count: of rows, default those
 *   that are selected
 * @returns {Promise<RowsRunner>}
 * @throws {import('../core/errors.js').LinexError} if a worker cannot open the model
 */
export async function openRunner({ model, options, selection }, { workers, count = selection.count } = {}) {
  const { url } = model;
  if (url === undefined || count === 1) {
    const { concurrency = url === undefined ? AT_ONCE : 1 } = options;
    const own = options.method === 'shap' ? undefined : model.neighborhood;
    const all = { ...options, concurrency, ...(own !== undefined && { neighborhood: own }) };
    return { settle: (rows) => settleRows(rows, model.predict, all), atOnce: 2 * concurrency, close: async () => {} };
  }
  const pool = await openPool(url, { ...(workers !== undefined && { workers: Math.min(workers, count) }) });
  const atOnce = 2 * pool.workers * (options.concurrency ?? 1) + pool.workers;
  return { settle: (rows) => pool.settleRows(rows, options), atOnce, close: () => pool.close() };
}
