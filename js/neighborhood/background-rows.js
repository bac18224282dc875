import { show } from '../core/errors.js';
import { withScope } from '../core/memory.js';
import { encodeRow, mergeRows, RowBatch } from './row-neighborhood.js';

/** @typedef {import('../data/table.js').Table} Table */

/** More rows than this say no more about what is usual, and each is asked about with every coalition. */
const MOST_ROWS = 10000;

/**
 * Rows that stand in for absent columns, as C knows them, one after the other.
 *
 * @param {any} background
 * @param {Table} table
 * @param {string} who
 * @returns {Float64Array}
 * @throws {TypeError | RangeError} naming the row and the column
 */
export function readBackground(background, table, who) {
  if (typeof background !== 'object' || background === null || typeof background.length !== 'number')
    throw new TypeError(
      `${who} with method 'shap' needs options.background, rows of the table such as the training rows, not ${show(background)}`,
    );
  const count = background.length;
  if (count < 1 || count > MOST_ROWS)
    throw new RangeError(`background must have 1 to ${MOST_ROWS} rows, not ${count}; take a sample of them`);
  const width = table.columns.length;
  const rows = new Float64Array(count * width);
  for (let i = 0; i < count; i++) rows.set(readRow(background[i], table, i), i * width);
  return rows;
}

/**
 * @param {ArrayLike<unknown>} row
 * @param {Table} table
 * @param {number} index
 */
function readRow(row, table, index) {
  try {
    return encodeRow(row, table);
  } catch (cause) {
    const message = `background[${index}] does not fit the table: ${/** @type {Error} */ (cause).message}`;
    throw cause instanceof TypeError ? new TypeError(message, { cause }) : new RangeError(message, { cause });
  }
}

/**
 * The rows that a coalition of columns is asked about: the row's values in its columns, the background's in the others.
 */
export class BackgroundRows {
  #table;
  #row;
  /** Distinct rows of the background. */
  #rows;
  /** Columns in which the background ever differs from the row: no other can make a difference. @type {number[]} */
  varying;
  /** How often each distinct row of the background was given. @type {Float64Array} */
  shares;

  /**
   * @param {import('../core/load.js').Core} core
   * @param {Table} table
   * @param {Float64Array} row  encoded
   * @param {Float64Array} background  encoded rows
   */
  constructor(core, table, row, background) {
    const { rows, shares } = joinBackground(core, background, row.length);
    this.#table = table;
    this.#row = row;
    this.#rows = rows;
    this.shares = shares;
    this.varying = Array.from(row, (_, c) => c).filter((c) =>
      shares.some((_, i) => rows[i * row.length + c] !== row[c]),
    );
  }

  /**
   * Query 0 is the row; then come all of the background with coalition 1, with coalition 2, …
   *
   * @param {{ masks: Uint8Array }} coalitions  a byte a varying column
   * @param {number} first
   * @param {number} count
   * @returns {RowBatch}
   */
  batch({ masks }, first, count) {
    const row = this.#row;
    const { varying, shares } = this;
    const width = row.length;
    const rows = new Float64Array(count * width);
    for (let i = 0; i < count; i++) {
      const query = first + i - 1;
      if (query < 0) {
        rows.set(row);
        continue;
      }
      const mask = (1 + Math.floor(query / shares.length)) * varying.length;
      const other = (query % shares.length) * width;
      for (let c = 0; c < width; c++) rows[i * width + c] = this.#rows[other + c];
      for (let v = 0; v < varying.length; v++) if (masks[mask + v]) rows[i * width + varying[v]] = row[varying[v]];
    }
    return new RowBatch(this.#table, rows);
  }
}

/**
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} rows
 * @param {number} width
 */
function joinBackground(core, rows, width) {
  const count = rows.length / width;
  return withScope(core, (scope) => {
    const all = scope.putDoubles(rows);
    const { distinct, pointOf } = mergeRows(scope, all, count, 8 * width);
    const shares = new Float64Array(distinct);
    for (const row of pointOf) shares[row]++;
    return { rows: scope.getDoubles(all, distinct * width), shares };
  });
}
