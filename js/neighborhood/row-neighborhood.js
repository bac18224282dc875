// Rows near a row: how they are made, what the model gets, and how the surrogate sees them.
import { LAW_SIZE, ROW_SETTINGS } from '../core/border.js';
import { show } from '../core/errors.js';
import { withScope } from '../core/memory.js';
import { isRecord, valuesOf } from '../data/records.js';
import { encodeValue, putTable, valueIn } from '../data/table.js';
import { mergeRows } from './merged-rows.js';
import { SAMPLINGS } from './sampler.js';

/**
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('../core/memory.js').Scope} Scope
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../data/table.js').FlatTable} FlatTable
 */

/**
 * How rows near a row are made, and how the surrogate sees them.
 *
 * @typedef {object} RowView
 * @property {number} center  0: around the row; 1: around the columns' means
 * @property {boolean} discretize
 * @property {boolean} raw  in the columns' own units instead of standard deviations
 */

/**
 * Encodes a row for C: numbers as they are, NaN for a missing number, and level indices in categorical columns.
 *
 * @param {import('../data/records.js').Row} row
 * @param {Table} table
 * @param {Pick<RowView, 'discretize' | 'raw'>} [view]  if the surrogate sees the row: sums of its squares must be finite
 * @returns {Float64Array}
 * @throws {TypeError | RangeError} naming the column
 */
export function encodeRow(row, table, view) {
  const { columns } = table;
  const values = isRecord(row)
    ? valuesOf(
        row,
        columns.map(({ name }) => name),
        'the row',
      )
    : row;
  if (typeof values !== 'object' || values === null || typeof values.length !== 'number')
    throw new TypeError(
      `a row must be an array of ${columns.length} values, or an object with one property per column, not ${show(row)}`,
    );
  if (values.length !== columns.length)
    throw new RangeError(`the row must have ${columns.length} columns, not ${values.length}`);
  return Float64Array.from(columns, (column, c) => {
    const value = encodeValue(column, values[c]);
    if (column.kind === 'numeric' && view && !view.discretize && !Number.isNaN(value))
      checkNearMean(column, value, view.raw);
    return value;
  });
}

/** The largest coordinate of a point: sums of squares of larger numbers may overflow. */
const FARTHEST = 1e100;

/**
 * @param {import('../data/table.js').NumericColumn} column
 * @param {number} value
 * @param {boolean} raw
 * @throws {RangeError} if the value, as the surrogate sees it, is too large
 */
function checkNearMean({ name, mean, spread }, value, raw) {
  const unit = raw ? 1 : spread || 1;
  const numbers = raw ? [value, mean, spread] : [value / unit - mean / unit];
  if (numbers.every((number) => Math.abs(number) <= FARTHEST)) return;
  const where = raw ? `in its own units` : `standard deviations from its mean`;
  throw new RangeError(`column ${show(name)} must be at most ${FARTHEST} ${where}, not ${value}`);
}

/**
 * Encodes one of several rows. Errors say which.
 *
 * @param {any} row
 * @param {Table} table
 * @param {string} name  what errors call the row
 * @param {Pick<RowView, 'discretize' | 'raw'>} [view]  see `encodeRow`
 * @returns {Float64Array}
 * @throws {TypeError | RangeError}
 */
export function encodeNamedRow(row, table, name, view) {
  try {
    return encodeRow(row, table, view);
  } catch (cause) {
    const message = `${name} does not fit the table: ${/** @type {Error} */ (cause).message}`;
    throw cause instanceof TypeError ? new TypeError(message, { cause }) : new RangeError(message, { cause });
  }
}

/**
 * Rows around one row, for `explainNeighborhood`.
 */
export class NearRows {
  #table;
  #flat;
  #row;
  #view;
  #make;
  #frame;
  #type;
  /** The distinct rows that were made last. @type {{ rows: Float64Array, weights?: Float64Array, block?: number, perturbed?: boolean }} */
  #made = { rows: new Float64Array(0) };
  possible = Infinity;

  /**
   * @param {Table} table
   * @param {FlatTable} flat  the same table
   * @param {Float64Array} row  encoded
   * @param {RowView & { kernelWidth: number, run?: number }} view  run: how many consecutive rows belong together
   * @param {(samples: number) => DistinctRows} make
   * @param {{ frame?: import('./row-frame.js').FramedRow, type?: RowType }} [options]  frame: if features are not the
   *   columns; then `flat` and `row` are of the features. type: of the model's numbers
   */
  constructor(table, flat, row, view, make, { frame, type } = {}) {
    this.#table = table;
    this.#flat = flat;
    this.#row = row;
    this.#view = view;
    this.#make = make;
    this.#frame = frame;
    this.#type = type;
    this.run = view.run;
  }

  /** @param {number} samples */
  make(samples) {
    const made = this.#make(samples);
    this.#made = made;
    return made;
  }

  /** What the law of the samples is about, if it is known. */
  get law() {
    return this.#made.perturbed ? /** @type {const} */ ('rows') : undefined;
  }

  /** @param {number} first @param {number} count */
  batch(first, count) {
    const featureCount = this.#row.length;
    const rows = this.#made.rows.subarray(first * featureCount, (first + count) * featureCount);
    return new RowBatch(this.#table, this.#frame ? this.#frame.columnsOf(rows) : rows, this.#type);
  }

  /** @param {number} count @param {Scope} scope */
  place(count, scope) {
    const featureCount = this.#row.length;
    const { kernelWidth } = this.#view;
    const made = this.#made.rows.subarray(0, count * featureCount);
    const rows = this.#frame ? this.#frame.seenBySurrogate(made) : made;
    const points = represent(scope, this.#flat, this.#row, this.#view, rows);
    // The first point is the row itself.
    const near = weighPoints(scope, points, points, { count, featureCount, kernelWidth });
    const own = this.#made.weights?.subarray(0, count);
    return {
      featureCount,
      points,
      masks: NONE,
      weights: own ? scope.putDoubles(own) : near.weights,
      distances: near.distances,
      input: points,
      kernelWidth,
      weighed: own !== undefined,
      block: this.#made.block ?? 0,
      ...(this.#made.perturbed && {
        law: placeLaw(scope, this.#flat, this.#row, this.#view),
        levels: levelsBehind(this.#flat, this.#row, rows),
      }),
    };
  }
}

const NONE = /** @type {import('../core/border.js').None} */ (0);

/**
 * @typedef {object} DistinctRows
 * @property {Float64Array} rows  distinct rows, encoded, one after the other
 * @property {Float64Array} [weights]  one per distinct row
 * @property {Uint32Array} pointOf  for each planned sample, the index of its distinct row
 * @property {number} distinct
 * @property {number} [planned]
 * @property {number} [block]  how many consecutive samples belong together, if they are in the order of their draws
 * @property {boolean} [perturbed]  whether the rows come from `perturbRow`, whose law is known
 */

/** The most numeric columns of Sobol points, and of a block with one pair of rows per column: see `linex_rows_perturb`. */
const [MOST_SOBOL, MOST_PAIRS] = [53, 128];
/** With at least this many numeric columns and fewer samples per column, mirrored blocks are better than Sobol points. */
const [FEW_COLUMNS, FEW_SAMPLES] = [8, 16];
/** LINEX_MIRRORED of linex_data.h. */
const MIRRORED = SAMPLINGS.length;

/**
 * How rows are drawn: `linex_sampling` as a number, and how many consecutive rows after the first belong together.
 *
 * @param {Table} table
 * @param {Pick<RowView, 'discretize'>} view
 * @param {import('./sampler.js').Sampling} sampling
 * @param {number} most  the most samples that may be planned
 */
export function designOfRows(table, { discretize }, sampling, most) {
  const numeric = table.columns.filter((column) => column.kind === 'numeric' && column.spread > 0).length;
  const few = numeric >= FEW_COLUMNS && most < FEW_SAMPLES * numeric;
  if (sampling === 'independent' || discretize || !(few || numeric > MOST_SOBOL))
    return { sampling: SAMPLINGS.indexOf(sampling), run: 1 };
  return { sampling: MIRRORED, run: numeric > MOST_PAIRS ? MOST_PAIRS : 2 * numeric };
}

/**
 * Draws rows near a row. The row itself comes first.
 *
 * @param {Core} core
 * @param {FlatTable} table
 * @param {Float64Array} row  encoded
 * @param {RowView} view
 * @param {number} samples
 * @param {{ seed: number, sampling: number, frame?: import('./row-frame.js').FramedRow }} drawing  sampling:
 *   `linex_sampling` in linex_data.h; frame: if features are not the columns
 * @returns {DistinctRows}
 */
export function perturbRow(core, table, row, { center, discretize, raw }, samples, { seed, sampling, frame }) {
  return withScope(core, (scope) => {
    const drawn = scope.doubles(samples * row.length);
    const settings = scope.putRecord(ROW_SETTINGS, { center, discretize, raw, seed, sampling });
    const tableRecord = putTable(scope, table);
    scope.check(core.linex_wasm_rows_perturb(tableRecord, scope.putDoubles(row), settings, 0, samples, drawn));
    const hiding = frame?.hidesNumbers ? frame : undefined;
    const rows = hiding ? scope.putDoubles(hiding.hideNumbers(scope.getDoubles(drawn, samples * row.length))) : drawn;
    const { distinct, pointOf } = mergeRows(scope, rows, samples, 8 * row.length);
    // Halves keep mirrored pairs and neighboring points of a design together.
    const block = sampling === SAMPLINGS.indexOf('independent') ? 1 : 2;
    return { rows: scope.getDoubles(rows, distinct * row.length), pointOf, distinct, block, perturbed: !hiding };
  });
}

/**
 * Rows as the surrogate sees them: in standard deviations (or raw), and 1 or 0 for "the same level as the row".
 *
 * @param {Core} core
 * @param {FlatTable} table
 * @param {Float64Array} row  encoded
 * @param {RowView} view
 * @param {Float64Array} rows  encoded, one after the other
 * @returns {Float64Array}
 */
export function representRows(core, table, row, view, rows) {
  return withScope(core, (scope) => scope.getDoubles(represent(scope, table, row, view, rows), rows.length));
}

/**
 * @param {Scope} scope
 * @param {FlatTable} table
 * @param {Float64Array} row
 * @param {RowView} view
 * @param {Float64Array} rows
 * @returns {Doubles}  the points
 */
function represent(scope, table, row, { discretize, raw }, rows) {
  const points = scope.doubles(rows.length);
  const settings = scope.putRecord(ROW_SETTINGS, { center: 0, discretize, raw, seed: 0, sampling: 0 });
  const [tableRecord, rowAt, all] = [putTable(scope, table), scope.putDoubles(row), scope.putDoubles(rows)];
  const count = rows.length / row.length;
  scope.check(scope.core.linex_wasm_rows_represent(tableRecord, rowAt, settings, count, all, points));
  scope.free(all);
  return points;
}

/**
 * Writes the law of perturbed rows under the kernel.
 *
 * @param {Scope} scope
 * @param {FlatTable} table
 * @param {Float64Array} row  encoded
 * @param {RowView & { kernelWidth: number }} view
 * @returns {Doubles}
 */
function placeLaw(scope, table, row, { center, discretize, raw, kernelWidth }) {
  const law = scope.doubles(LAW_SIZE * row.length);
  const settings = scope.putRecord(ROW_SETTINGS, { center, discretize, raw, seed: 0, sampling: 0 });
  const [tableRecord, rowAt] = [putTable(scope, table), scope.putDoubles(row)];
  scope.check(scope.core.linex_wasm_rows_law(tableRecord, rowAt, settings, kernelWidth, law));
  return law;
}

/**
 * The levels of rows, if some column has more of them than points can tell apart.
 *
 * @param {FlatTable} table
 * @param {Float64Array} row  encoded
 * @param {Float64Array} rows  encoded
 * @returns {import('../core/border.js').PlacedLevels | undefined}
 */
function levelsBehind({ levels, frequencies }, row, rows) {
  return levels.some((count) => count > 2) ? { rows, row, counts: levels, frequencies } : undefined;
}

/**
 * Euclidean distances from a point, and LIME's weights.
 *
 * @param {Scope} scope
 * @param {Doubles} points
 * @param {Doubles} from
 * @param {{ count: number, featureCount: number, kernelWidth: number }} size
 * @returns {{ distances: Doubles, weights: Doubles }}
 */
export function weighPoints(scope, points, from, { count, featureCount, kernelWidth }) {
  const [distances, weights] = [scope.doubles(count), scope.doubles(count)];
  scope.check(scope.core.linex_proximity(count, featureCount, points, from, kernelWidth, distances, weights));
  return { distances, weights };
}

/** @typedef {'float64' | 'float32'} RowType  what the numbers of a batch are */

/**
 * The numbers of a batch.
 *
 * @template F  their type
 * @typedef {F extends 'float32' ? Float32Array : Float64Array} RowData
 */

/**
 * Rows for a model. `data` has the rows one after the other, `shape` is [rows, columns]. Iterating gives one typed array per
 * row, a view; `rows` gives arrays with the categorical levels spelled out and null for missing values; `records` gives the
 * same as objects. The model may keep all of it.
 *
 * @template {RowType} [F=RowType]
 */
export class RowBatch {
  #table;
  #encoded;
  /** @type {(string | number | boolean | null)[][] | undefined} */
  #rows;

  /**
   * @param {Table} table
   * @param {Float64Array} encoded  rows with level indices
   * @param {F} [type]  of `data`; default `'float64'`
   */
  constructor(table, encoded, type) {
    const columnCount = table.columns.length;
    this.#table = table;
    this.#encoded = encoded;
    this.shape = [encoded.length / columnCount, columnCount];
    /** The rows, one after the other. */
    this.data = /** @type {RowData<F>} */ (type === 'float32' ? Float32Array.from(encoded) : encoded.slice());
    table.columns.forEach((column, c) => {
      if (column.kind !== 'categorical') return;
      for (let at = c; at < encoded.length; at += columnCount) this.data[at] = column.codes[encoded[at]] ?? NaN;
    });
  }

  /** @returns {(string | number | boolean | null)[][]} */
  get rows() {
    const [count, columnCount] = this.shape;
    this.#rows ??= Array.from({ length: count }, (_, i) => {
      const row = this.#encoded.subarray(i * columnCount, (i + 1) * columnCount);
      return this.#table.columns.map((_, c) => valueIn(row, c, this.#table));
    });
    return this.#rows;
  }

  /** @returns {Record<string, string | number | boolean | null>[]} */
  get records() {
    const names = this.#table.columns.map(({ name }) => name);
    return this.rows.map((row) => Object.fromEntries(row.map((value, c) => [names[c], value])));
  }

  /** @returns {Generator<RowData<F>, void, void>}  views of `data` */
  *[Symbol.iterator]() {
    const [count, columnCount] = this.shape;
    for (let i = 0; i < count; i++)
      yield /** @type {RowData<F>} */ (this.data.subarray(i * columnCount, (i + 1) * columnCount));
  }
}
