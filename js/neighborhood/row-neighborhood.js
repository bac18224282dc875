import { show } from '../core/errors.js';
import { withScope } from '../core/memory.js';
import { levelIndex, putTable } from '../data/table.js';

/**
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../data/table.js').FlatTable} FlatTable
 */

/**
 * How rows near a row are made, and how the surrogate sees them.
 *
 * @typedef {object} RowNeighborhood
 * @property {number} center  0 the row, 1 the columns' means
 * @property {boolean} discretize
 * @property {boolean} raw
 */

/**
 * A row as C knows it: numbers, and level indices in categorical columns.
 *
 * @param {ArrayLike<unknown>} row
 * @param {Table} table
 * @returns {Float64Array}
 * @throws {RangeError} naming the column
 */
export function encodeRow(row, table) {
  if (typeof row !== 'object' || row === null || typeof row.length !== 'number')
    throw new TypeError(`a row is an array of ${table.columns.length} values, one a column, not ${show(row)}`);
  if (row.length !== table.columns.length)
    throw new RangeError(`the row has ${row.length} columns, the table has ${table.columns.length}`);
  return Float64Array.from(table.columns, (column, c) => {
    const value = row[c];
    if (column.kind === 'categorical') return levelIndex(column, value);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new RangeError(`column ${show(column.name)} of the row must be a finite number, not ${show(value)}`);
  });
}

/**
 * Distinct rows near a row, the row itself first, and for each planned sample which of them it is.
 *
 * @param {Core} core
 * @param {FlatTable} table
 * @param {Float64Array} row  encoded
 * @param {RowNeighborhood} how
 * @param {number} samples
 * @param {number} seed
 * @returns {{ rows: Float64Array, owner: Uint32Array, distinct: number }}
 */
export function perturbRow(core, table, row, { center, discretize }, samples, seed) {
  const width = row.length;
  return withScope(core, (scope) => {
    const rows = scope.doubles(samples * width);
    const owner = scope.indices(samples);
    const found = scope.indices(1);
    const here = [...putTable(scope, table), scope.putDoubles(row)];
    scope.check(core.linex_wasm_rows_perturb(...here, center, discretize, seed, 0, samples, rows));
    scope.check(core.linex_rows_merge(samples, 8 * width, rows, owner, found));
    const [distinct] = scope.getIndices(found, 1);
    return { rows: scope.getDoubles(rows, distinct * width), owner: scope.getIndices(owner, samples), distinct };
  });
}

/**
 * Rows that were made elsewhere, those that are alike joined, and for each of the first `samples` which of them it is.
 *
 * @param {Core} core
 * @param {{ rows: readonly Float64Array[], weights?: Float64Array }} made  encoded; rows of different weight are not alike
 * @param {number} samples
 * @returns {{ rows: Float64Array, weights?: Float64Array, owner: Uint32Array, distinct: number, planned: number }}
 */
export function joinRows(core, { rows, weights }, samples) {
  const width = rows[0].length;
  const wide = width + (weights ? 1 : 0);
  const planned = Math.min(samples, rows.length);
  const all = new Float64Array(planned * wide);
  for (let i = 0; i < planned; i++) {
    all.set(rows[i], i * wide);
    if (weights) all[i * wide + width] = weights[i];
  }
  return withScope(core, (scope) => {
    const [address, owner, found] = [scope.putDoubles(all), scope.indices(planned), scope.indices(1)];
    scope.check(core.linex_rows_merge(planned, 8 * wide, address, owner, found));
    const [distinct] = scope.getIndices(found, 1);
    const kept = scope.getDoubles(address, distinct * wide);
    const joined = new Float64Array(distinct * width);
    for (let i = 0; i < distinct; i++) joined.set(kept.subarray(i * wide, i * wide + width), i * width);
    const ofEach = weights && Float64Array.from({ length: distinct }, (_, i) => kept[i * wide + width]);
    return { rows: joined, weights: ofEach, owner: scope.getIndices(owner, planned), distinct, planned };
  });
}

/**
 * Rows as the surrogate sees them: in standard deviations (or raw), and 1 or 0 for "the same level as the row".
 *
 * @param {Core} core
 * @param {FlatTable} table
 * @param {Float64Array} row  encoded
 * @param {RowNeighborhood} how
 * @param {Float64Array} rows  encoded, one after the other
 * @returns {Float64Array}
 */
export function representRows(core, table, row, how, rows) {
  return withScope(core, (scope) => scope.getDoubles(represent(scope, table, row, how, rows), rows.length));
}

/**
 * The same left in the memory, and how near they are to the first of them.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {FlatTable} table
 * @param {Float64Array} row  encoded
 * @param {RowNeighborhood & { kernelWidth: number }} how
 * @param {Float64Array} rows  encoded, one after the other
 * @returns  points: an address
 */
export function weighRows(scope, table, row, how, rows) {
  const points = represent(scope, table, row, how, rows);
  const near = weigh(scope, points, points, rows.length / row.length, row.length, how.kernelWidth);
  return Object.assign(near, { points, at: scope.getDoubles(points, row.length) });
}

/**
 * @param {import('../core/memory.js').Scope} scope
 * @param {FlatTable} table
 * @param {Float64Array} row
 * @param {RowNeighborhood} how
 * @param {Float64Array} rows
 * @returns  where the points are
 */
function represent(scope, table, row, { discretize, raw }, rows) {
  const points = scope.doubles(rows.length);
  const here = [...putTable(scope, table), scope.putDoubles(row)];
  const all = scope.putDoubles(rows);
  const count = rows.length / row.length;
  scope.check(scope.core.linex_wasm_rows_represent(...here, discretize, raw, count, all, points));
  scope.free(all);
  return points;
}

/**
 * Euclidean distances from a point, and LIME's weights.
 *
 * @param {Core} core
 * @param {Float64Array} points
 * @param {ArrayLike<number>} at
 * @param {number} kernelWidth
 * @returns {{ distances: Float64Array, weights: Float64Array }}
 */
export function weighPoints(core, points, at, kernelWidth) {
  const count = points.length / at.length;
  return withScope(core, (scope) =>
    weigh(scope, scope.putDoubles(points), scope.putDoubles(at), count, at.length, kernelWidth),
  );
}

/**
 * @param {import('../core/memory.js').Scope} scope
 * @param {number} points  an address
 * @param {number} at  an address
 * @param {number} count
 * @param {number} width
 * @param {number} kernelWidth
 */
function weigh(scope, points, at, count, width, kernelWidth) {
  const [distances, weights] = [scope.doubles(count), scope.doubles(count)];
  scope.check(scope.core.linex_proximity(count, width, points, at, kernelWidth, distances, weights));
  return { distances: scope.getDoubles(distances, count), weights: scope.getDoubles(weights, count) };
}

/**
 * Rows on their way to a model: `data` row after row, `shape` [rows, columns]; iterating gives one Float64Array a row (a
 * view), `rows` gives arrays with the categorical levels spelled out. All of it belongs to the model.
 */
export class RowBatch {
  #table;
  #encoded;
  /** @type {unknown[][] | undefined} */
  #rows;

  /**
   * @param {Table} table
   * @param {Float64Array} encoded  rows with level indices
   */
  constructor(table, encoded) {
    const width = table.columns.length;
    this.#table = table;
    this.#encoded = encoded;
    this.shape = [encoded.length / width, width];
    this.data = encoded.slice();
    table.columns.forEach((column, c) => {
      if (column.kind !== 'categorical') return;
      for (let at = c; at < encoded.length; at += width) this.data[at] = column.codes[encoded[at]] ?? NaN;
    });
  }

  /** @returns {unknown[][]} */
  get rows() {
    const [count, width] = this.shape;
    this.#rows ??= Array.from({ length: count }, (_, i) =>
      this.#table.columns.map((column, c) => {
        const value = this.#encoded[i * width + c];
        return column.kind === 'categorical' ? column.levels[value] : value;
      }),
    );
    return this.#rows;
  }

  *[Symbol.iterator]() {
    const [count, width] = this.shape;
    for (let i = 0; i < count; i++) yield this.data.subarray(i * width, (i + 1) * width);
  }
}
