// Rows that a sampler made: all of them are drawn before the model is asked.
import { withScope } from '../core/memory.js';
import { encodeRow, mergeRows } from './row-neighborhood.js';
import { checkOwnEnvironments, drawSamples } from './sampler.js';

/** @typedef {import('../core/load.js').Core} Core */

/**
 * Has all rows made that may be asked about.
 *
 * @param {Core} core
 * @param {import('./sampler.js').RowSampler} sampler
 * @param {ArrayLike<unknown>} center  the row as the caller has it
 * @param {Float64Array} row  the same, encoded
 * @param {object} options
 * @param {import('../data/table.js').Table} options.table
 * @param {{ seed: number, environments: any }} options.settings
 * @param {number} options.samples  the row included
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<(samples: number) => import('./row-neighborhood.js').DistinctRows>}  returns the first of them, as many as
 *   asked for
 */
export async function generateRows(core, sampler, center, row, { table, settings, samples, signal }) {
  const read = (/** @type {any} */ sample, /** @type {string} */ name) => {
    try {
      return encodeRow(sample, table);
    } catch (error) {
      throw new RangeError(`${name} does not fit the table: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
  };
  const { seed, environments } = settings;
  const made = await drawSamples(sampler, Array.from(center), samples - 1, { seed, signal, read });
  const all = { rows: [row, ...made.samples], weights: made.weights };
  checkOwnEnvironments(environments, all.rows.length);
  return (planned) => joinRows(core, all, planned);
}

/**
 * Joins identical rows.
 *
 * @param {Core} core
 * @param {{ rows: readonly Float64Array[], weights?: Float64Array }} made  encoded; rows with different weights are not
 *   identical
 * @param {number} samples  only the first rows, this many
 * @returns {import('./row-neighborhood.js').DistinctRows}
 */
function joinRows(core, { rows, weights }, samples) {
  const columnCount = rows[0].length;
  const stride = columnCount + (weights ? 1 : 0);
  const planned = Math.min(samples, rows.length);
  const all = new Float64Array(planned * stride);
  for (let i = 0; i < planned; i++) {
    all.set(rows[i], i * stride);
    if (weights) all[i * stride + columnCount] = weights[i];
  }
  return withScope(core, (scope) => {
    const address = scope.putDoubles(all);
    const { distinct, pointOf } = mergeRows(scope, address, planned, 8 * stride);
    const kept = scope.getDoubles(address, distinct * stride);
    const joined = new Float64Array(distinct * columnCount);
    for (let i = 0; i < distinct; i++) joined.set(kept.subarray(i * stride, i * stride + columnCount), i * columnCount);
    const ofEach = weights && Float64Array.from({ length: distinct }, (_, i) => kept[i * stride + columnCount]);
    return { rows: joined, weights: ofEach, pointOf, distinct, planned };
  });
}
