// SHAP's background: the rows that replace absent columns.
import { show } from '../core/errors.js';
import { withScope } from '../core/memory.js';
import { mergeRows } from './merged-rows.js';
import { encodeNamedRow, RowBatch } from './row-neighborhood.js';

/** @typedef {import('../data/table.js').Table} Table */

/** The most background rows: more would add queries, one per row and coalition, but hardly any information. */
const MAX_ROWS = 10000;

/**
 * Encodes the background: the rows that replace absent columns.
 *
 * @param {any} background
 * @param {Table} table
 * @param {string} caller
 * @returns {Float64Array}  one row after the other
 * @throws {TypeError | RangeError} naming the row and the column
 */
export function readBackground(background, table, caller) {
  if (typeof background !== 'object' || background === null || typeof background.length !== 'number')
    throw new TypeError(
      `${caller} with method 'shap' needs options.background, an array of rows such as the training rows, not ${show(background)}`,
    );
  const count = background.length;
  if (count < 1 || count > MAX_ROWS)
    throw new RangeError(`background must have 1 to ${MAX_ROWS} rows, not ${count}; if it has more, take a sample`);
  const columnCount = table.columns.length;
  const rows = new Float64Array(count * columnCount);
  for (let i = 0; i < count; i++) rows.set(encodeNamedRow(background[i], table, `background[${i}]`), i * columnCount);
  return rows;
}

/**
 * The rows that the model is asked about for each coalition of columns: the row's values in the coalition's columns, and the
 * background's values in the others.
 */
export class BackgroundRows {
  #table;
  #row;
  /** The distinct rows of the background. */
  #rows;
  #parts;
  #type;
  /** The features in which the background differs from the row. The others have no effect. @type {number[]} */
  varying;
  /** How often each distinct row occurs in the background. @type {Float64Array} */
  shares;

  /**
   * @param {import('../core/load.js').Core} core
   * @param {Table} table
   * @param {Float64Array} row  encoded
   * @param {Float64Array} background  encoded rows
   * @param {{ parts?: readonly (readonly number[])[], type?: import('./row-neighborhood.js').RowType }} [options]  parts: the
   *   columns of each feature; default one column each
   */
  constructor(core, table, row, background, { parts = Array.from(row, (_, c) => [c]), type } = {}) {
    const { rows, shares } = joinBackground(core, background, row.length);
    this.#table = table;
    this.#row = row;
    this.#rows = rows;
    this.shares = shares;
    this.#parts = parts;
    this.#type = type;
    const varies = (/** @type {number} */ c) => shares.some((_, i) => !Object.is(rows[i * row.length + c], row[c]));
    this.varying = parts.flatMap((columns, feature) => (columns.some(varies) ? [feature] : []));
  }

  /**
   * Returns the mean of each feature over the background, without missing numbers. Of a categorical column or a group: the
   * share of rows with the row's values.
   *
   * @returns {number[]}
   */
  means() {
    const row = this.#row;
    return this.#parts.map(([c, ...others]) => {
      const isNumber = others.length === 0 && this.#table.columns[c].kind === 'numeric';
      const at = (/** @type {number} */ i, /** @type {number} */ column) => this.#rows[i * row.length + column];
      const known = Array.from(this.shares, (share, i) => (isNumber && Number.isNaN(at(i, c)) ? 0 : share));
      const total = known.reduce((sum, share) => sum + share, 0);
      const same = (/** @type {number} */ i) => [c, ...others].every((column) => Object.is(at(i, column), row[column]));
      return known.reduce((sum, share, i) => {
        if (share === 0) return sum;
        return sum + (isNumber ? at(i, c) : Number(same(i))) * (share / total);
      }, 0);
    });
  }

  /**
   * Returns the rows of some queries. Query 0 is the row; then comes the whole background with coalition 1, then with
   * coalition 2, …
   *
   * @param {{ masks: Uint8Array }} coalitions  one byte per varying feature
   * @param {number} first
   * @param {number} count
   * @returns {RowBatch}
   */
  batch({ masks }, first, count) {
    const row = this.#row;
    const { varying, shares } = this;
    const columnCount = row.length;
    const rows = new Float64Array(count * columnCount);
    for (let i = 0; i < count; i++) {
      const query = first + i - 1;
      if (query < 0) {
        rows.set(row);
        continue;
      }
      const mask = (1 + Math.floor(query / shares.length)) * varying.length;
      const from = (query % shares.length) * columnCount;
      rows.set(this.#rows.subarray(from, from + columnCount), i * columnCount);
      for (let v = 0; v < varying.length; v++)
        if (masks[mask + v]) for (const c of this.#parts[varying[v]]) rows[i * columnCount + c] = row[c];
    }
    return new RowBatch(this.#table, rows, this.#type);
  }
}

/**
 * Joins identical rows, and counts them.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} rows
 * @param {number} columnCount
 */
function joinBackground(core, rows, columnCount) {
  const count = rows.length / columnCount;
  return withScope(core, (scope) => {
    const all = scope.putDoubles(rows);
    const { distinct, pointOf } = mergeRows(scope, all, count, 8 * columnCount);
    const shares = new Float64Array(distinct);
    for (const row of pointOf) shares[row]++;
    return { rows: scope.getDoubles(all, distinct * columnCount), shares };
  });
}
