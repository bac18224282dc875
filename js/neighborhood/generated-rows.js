// Rows that a sampler made: all of them are drawn before the model is asked.
import { withScope } from '../core/memory.js';
import { checkOwnEnvironments, drawSamples } from './drawn-samples.js';
import { mergeRows } from './merged-rows.js';
import { encodeNamedRow } from './row-neighborhood.js';

/** @typedef {import('../core/load.js').Core} Core */

/**
 * Draws all rows that the model may be asked about.
 *
 * @param {Core} core
 * @param {import('./sampler.js').RowSampler} sampler
 * @param {ArrayLike<unknown>} center  the row as the caller has it
 * @param {Float64Array} row  the same, encoded
 * @param {object} options
 * @param {import('../data/table.js').Table} options.table
 * @param {import('./row-neighborhood.js').RowView} options.view
 * @param {{ seed: number, sampling: import('./sampler.js').Sampling, environments: any }} options.settings
 * @param {number} options.samples  including the row
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<(samples: number) => import('./row-neighborhood.js').DistinctRows>}  returns this many rows from the
 *   start
 */
export async function generateRows(core, sampler, center, row, { table, view, settings, samples, signal }) {
  const read = (/** @type {any} */ sample, /** @type {string} */ name) => encodeNamedRow(sample, table, name, view);
  const { seed, sampling, environments } = settings;
  const made = await drawSamples(sampler, Array.from(center), samples - 1, { seed, sampling, signal, read });
  const all = { rows: [row, ...made.samples], weights: made.weights };
  checkOwnEnvironments(environments, all.rows.length);
  return (planned) => joinRows(core, all, planned);
}

/**
 * Joins identical rows.
 *
 * @param {Core} core
 * @param {{ rows: readonly Float64Array[], weights?: Float64Array }} made  encoded; rows with different weights are
 *   not identical
 * @param {number} samples  how many rows to join, from the start
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
    const joinedWeights = weights && Float64Array.from({ length: distinct }, (_, i) => kept[i * stride + columnCount]);
    return { rows: joined, weights: joinedWeights, pointOf, distinct, planned };
  });
}
