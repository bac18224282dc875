// Explains rows on all cores by a pool, or in this thread if there is one row or the model is a server.
import { explainRows } from '../explain/explain-row.js';
import { openPool } from '../pool/worker-pool.js';

/**
 * @typedef {object} RowsRunner
 * @property {(rows: AsyncIterable<unknown[]> | Iterable<unknown[]>) => AsyncIterable<any>} explain  yields an explanation or an error per
 *   row
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
    const all = {
      ...options,
      errors: /** @type {const} */ ('yield'),
      concurrency,
      ...(own !== undefined && { neighborhood: own }),
    };
    return { explain: (rows) => explainRows(rows, model.predict, all), atOnce: 2 * concurrency, close: async () => {} };
  }
  const pool = await openPool(url, { ...(workers !== undefined && { workers: Math.min(workers, count) }) });
  const atOnce = 2 * pool.workers * (options.concurrency ?? 1) + pool.workers;
  const all = { ...options, errors: /** @type {const} */ ('yield') };
  return { explain: (rows) => pool.explainRows(rows, all), atOnce, close: () => pool.close() };
}
