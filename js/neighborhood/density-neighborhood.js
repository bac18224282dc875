import { DENSITY, DENSITY_SETTINGS } from '../core/border.js';
import { show } from '../core/errors.js';
import { readyData } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { encodeRow } from './row-neighborhood.js';
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { checkTable, rowsOf } from '../data/table.js';
import { breathe } from '../core/event-loop.js';

/**
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('../data/table.js').Table} Table
 */

/**
 * @typedef {object} DensityOptions
 * @property {ArrayLike<ArrayLike<unknown>>} [rows]  the training rows; default those that the table was made from
 * @property {number | 'cross-validation'} [bandwidth]  of the kernels, in standard deviations; default `'cross-validation'`
 * @property {readonly number[]} [grid]  the bandwidths that cross-validation tries; default 21 from 0.02 to 2
 * @property {number | ArrayLike<number>} [folds]  how many, into which the rows are dealt at random, or the fold of each
 *   row; default 5
 * @property {'density' | 'rows'} [near]  `'density'` (the default): the density times a Gaussian around the input;
 *   `'rows'`: the training rows within the radius, each as likely, and their kernels' noise, as MeLIME does it
 * @property {number} [radius]  how near, in standard deviations: default 1; for `'rows'` as far as the ten nearest rows,
 *   which count as near in any case
 * @property {'standard' | 'raw'} [units]  `'raw'`: bandwidth and radius are in the columns' own units, and must be given
 * @property {number} [seed]  of the folds; default 0
 * @property {AbortSignal} [signal]  ends the cross-validation
 */

const OPTIONS = ['rows', 'bandwidth', 'grid', 'folds', 'near', 'radius', 'units', 'seed', 'signal'];
const NEAR = /** @type {const} */ (['density', 'rows']);

/** In standard deviations, each about a quarter above the last. */
const GRID = Object.freeze([
  ...[0.02, 0.025, 0.032, 0.04, 0.05, 0.064, 0.08, 0.1, 0.125, 0.16],
  ...[0.2, 0.25, 0.32, 0.4, 0.5, 0.64, 0.8, 1, 1.25, 1.6, 2],
]);

/** MeLIME's, too: so many rows are near, whatever the radius. */
const LEAST_ROWS = 10;
/** Pairs of rows that cross-validation looks at: of up to 1400 rows all, of more rows fewer are held out, but so many. */
const MOST_PAIRS = 2e6;
const LEAST_HELD_OUT = 200;
/** Kernels between two breaths. */
const KERNELS_AT_ONCE = 2e5;
const SIZES = { least: 1e-50, most: 1e50 };

/**
 * Rows near a row that look like the training rows: drawn from a Gaussian kernel density on these. For the option
 * `neighborhood` of `explainRow` and `explainRows`.
 *
 * Numeric columns are measured in standard deviations; one that does not vary keeps the input's value. The levels of
 * categorical columns, for which there is no such kernel, are those of the training row that a sample comes from, all
 * together; each that is not the input's puts its row one standard deviation further off.
 *
 * @param {Table | Promise<Table>} table  from `describeTable`
 * @param {DensityOptions} [options]
 * @returns {Promise<DensityNeighborhood>}
 * @throws {TypeError | RangeError}
 */
export async function densityNeighborhood(table, options = {}) {
  checkNames(options, OPTIONS, 'densityNeighborhood');
  const { signal } = options;
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new TypeError(`signal must be an AbortSignal, not ${show(signal)}`);
  const described = checkTable(await table, 'densityNeighborhood', 'a table');
  const given = rowsOf(described, options.rows, 'densityNeighborhood');
  const raw = checkChoice(options.units ?? 'standard', 'units', ['standard', 'raw']) === 1;
  const how = readHow(options, raw);
  const kernels = new KernelRows(described, given, raw);
  const fold = readFolds(options.folds, kernels.count, how.bandwidth !== undefined);
  const core = await readyData();
  const validation =
    how.bandwidth === undefined
      ? await validate(core, kernels, { grid: how.grid, seed: how.seed, fold, signal })
      : null;
  signal?.throwIfAborted();
  return new DensityNeighborhood(core, kernels, how, validation);
}

/**
 * @param {DensityOptions} options
 * @param {boolean} raw
 */
function readHow({ bandwidth = 'cross-validation', grid, near = 'density', radius, seed = 0 }, raw) {
  if (typeof bandwidth === 'string' && bandwidth !== 'cross-validation')
    throw new RangeError(`bandwidth must be a number or 'cross-validation', not ${show(bandwidth)}`);
  const nearness = checkChoice(near, 'near', NEAR);
  const validated = bandwidth === 'cross-validation';
  const needs = raw && validated && grid === undefined ? 'a bandwidth or a grid' : 'a radius';
  if (raw && (needs !== 'a radius' || (radius === undefined && NEAR[nearness] === 'density')))
    throw new RangeError(`units 'raw' measures in the columns' own units and needs ${needs}`);
  if (grid !== undefined && !(Array.isArray(grid) && grid.length > 0))
    throw new TypeError(`grid must be an array of bandwidths, not ${show(grid)}`);
  const usual = NEAR[nearness] === 'rows' ? 0 : 1;
  return {
    bandwidth: validated ? undefined : checkNumber(bandwidth, 'bandwidth', SIZES),
    grid: (grid ?? GRID).map((value, i) => checkNumber(value, `grid[${i}]`, SIZES)),
    nearness,
    radius: radius === undefined || radius === Infinity ? (radius ?? usual) : checkNumber(radius, 'radius', SIZES),
    seed: checkCount(seed, 'seed', 0, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * @param {unknown} folds
 * @param {number} count
 * @param {boolean} unused  the bandwidth is known
 * @returns {number | Uint32Array}
 */
function readFolds(folds, count, unused) {
  if (count < 2 && !unused) throw new RangeError('one row cannot choose a bandwidth; give it as a number');
  if (folds === undefined) return Math.min(5, count);
  if (typeof folds !== 'object' || folds === null) return checkCount(folds, 'folds', 2, unused ? undefined : count);
  const list = /** @type {ArrayLike<unknown>} */ (folds);
  if (list.length !== count) throw new RangeError(`folds must be ${count} numbers, one a row, not ${show(folds)}`);
  const each = Uint32Array.from(list, (fold, i) => checkCount(fold, `folds[${i}]`, 0));
  if (each.every((fold) => fold === each[0])) throw new RangeError(`folds must not all be ${each[0]}`);
  return each;
}

/** Training rows as the density sees them. */
class KernelRows {
  /**
   * @param {Table} table
   * @param {ArrayLike<ArrayLike<unknown>>} rows
   * @param {boolean} raw
   */
  constructor(table, rows, raw) {
    this.table = table;
    this.count = rows.length;
    /** The columns that vary, and where and how wide they are. @type {{ c: number, mean: number, unit: number }[]} */
    this.numeric = [];
    /** @type {number[]} */
    this.categorical = [];
    table.columns.forEach((column, c) => {
      if (column.kind === 'categorical') this.categorical.push(c);
      else if (column.spread > 0) this.numeric.push({ c, mean: column.mean, unit: raw ? 1 : column.spread });
    });
    if (this.numeric.length === 0)
      throw new RangeError(
        `densityNeighborhood needs a numeric column that varies; ${table.columns.map(({ name }) => show(name)).join(', ')} ` +
          'are categorical or constant',
      );
    const encoded = Array.from(rows, (row, i) => this.encode(row, `row ${i}`));
    this.points = this.standardize(encoded);
    this.levels = encoded.map((row) => this.categorical.map((c) => row[c]));
  }

  get width() {
    return this.numeric.length;
  }

  /**
   * @param {ArrayLike<unknown>} row
   * @param {string} name
   */
  encode(row, name) {
    try {
      const encoded = encodeRow(row, this.table);
      const far = this.numeric.find(({ c, mean, unit }) => !(Math.abs((encoded[c] - mean) / unit) <= 1e100));
      if (!far) return encoded;
      throw new RangeError(`column ${show(this.table.columns[far.c].name)} is too far off: ${show(row[far.c])}`);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new RangeError(`${name} does not fit the table: ${cause.message}`, { cause });
    }
  }

  /** The numeric columns, around their means. @param {Float64Array[]} encoded */
  standardize(encoded) {
    const points = new Float64Array(encoded.length * this.width);
    encoded.forEach((row, i) =>
      this.numeric.forEach(({ c, mean, unit }, n) => (points[i * this.width + n] = (row[c] - mean) / unit)),
    );
    return points;
  }

  /** How many levels of each row are not those of an input. @param {Float64Array} encoded */
  levelsApart(encoded) {
    const here = this.categorical.map((c) => encoded[c]);
    return Float64Array.from(this.levels, (levels) => levels.filter((level, i) => level !== here[i]).length);
  }

  /**
   * A row of the table's own kind.
   *
   * @param {ArrayLike<unknown>} center  what does not vary is taken from it
   * @param {Float64Array} point  standardized
   * @param {number} owner  the row whose levels it has
   * @returns {unknown[]}
   */
  decode(center, point, owner) {
    const row = Array.from(center);
    this.numeric.forEach(({ c, mean, unit }, n) => (row[c] = mean + unit * point[n]));
    this.categorical.forEach((c, n) => {
      const column = /** @type {import('../data/table.js').CategoricalColumn} */ (this.table.columns[c]);
      row[c] = column.levels[this.levels[owner][n]];
    });
    return row;
  }
}

/**
 * The mean log density of held-out rows, for every bandwidth.
 *
 * @param {Core} core
 * @param {KernelRows} kernels
 * @param {{ grid: number[], seed: number, fold: number | Uint32Array, signal?: AbortSignal }} how
 */
async function validate(core, { count, width, points }, { grid, seed, fold, signal }) {
  const order = withScope(core, (scope) => {
    const address = scope.indices(count);
    scope.check(core.linex_wasm_order_draw(count, seed, address));
    return scope.getIndices(address, count);
  });
  const folds = typeof fold === 'number' ? new Uint32Array(count) : fold;
  if (typeof fold === 'number') order.forEach((row, i) => (folds[row] = i % fold));
  const asked = order.subarray(0, Math.max(LEAST_HELD_OUT, Math.ceil(MOST_PAIRS / count)));
  const step = Math.max(1, Math.floor(KERNELS_AT_ONCE / (count * grid.length)));
  /** @type {Float64Array} */
  let scores = new Float64Array(grid.length);
  for (let first = 0; first < asked.length; first += step) {
    signal?.throwIfAborted();
    const rows = asked.subarray(first, first + step);
    scores = withScope(core, (scope) => {
      const sums = scope.putDoubles(scores);
      const density = putDensity(scope, { count, width, points }, 1);
      const [foldsAt, rowsAt, gridAt] = [scope.putIndices(folds), scope.putIndices(rows), scope.putDoubles(grid)];
      scope.check(core.linex_wasm_density_validate(density, foldsAt, rows.length, rowsAt, grid.length, gridAt, sums));
      return scope.getDoubles(sums, grid.length);
    });
    await breathe();
  }
  return Object.freeze({
    bandwidths: Object.freeze(grid),
    scores: Object.freeze(Array.from(scores, (score) => score / asked.length)),
  });
}

/**
 * @param {import('../core/memory.js').Scope} scope
 * @param {{ count: number, width: number, points: Float64Array }} kernels
 * @param {number} bandwidth
 */
function putDensity(scope, { count, width, points }, bandwidth) {
  return scope.putRecord(DENSITY, { count, columns: width, points: scope.putDoubles(points), bandwidth });
}

/** Makes rows near a row, from the density of the training rows. */
export class DensityNeighborhood {
  #core;
  #kernels;
  #how;

  /**
   * @param {Core} core
   * @param {KernelRows} kernels
   * @param {{ bandwidth?: number, nearness: number, radius: number }} how
   * @param {Readonly<{ bandwidths: readonly number[], scores: readonly number[] }> | null} validation
   */
  constructor(core, kernels, how, validation) {
    this.#core = core;
    this.#kernels = kernels;
    this.#how = how;
    this.kind = /** @type {const} */ ('row');
    /** How cross-validation judged: the mean log density of held-out rows, for each bandwidth it tried. */
    this.validation = validation;
    /** The kernels' standard deviation, in the columns' standard deviations. @type {number} */
    this.bandwidth = how.bandwidth ?? bestOf(/** @type {any} */ (validation));
    Object.freeze(this);
  }

  /**
   * The logarithm of the density at each row, in standardized units; of numeric columns that vary, whatever the levels.
   *
   * @param {ArrayLike<ArrayLike<unknown>>} rows
   * @returns {number[]}
   * @throws {TypeError | RangeError}
   */
  logDensity(rows) {
    const core = this.#core;
    if (typeof rows !== 'object' || rows === null || typeof rows.length !== 'number')
      throw new TypeError(`logDensity takes an array of rows, not ${show(rows)}`);
    const at = this.#kernels.standardize(Array.from(rows, (row, i) => this.#kernels.encode(row, `row ${i}`)));
    return withScope(core, (scope) => {
      const logs = scope.doubles(rows.length);
      const density = putDensity(scope, this.#kernels, this.bandwidth);
      scope.check(core.linex_wasm_density_log(density, rows.length, scope.putDoubles(at), logs));
      return [...scope.getDoubles(logs, rows.length)];
    });
  }

  /**
   * @param {ArrayLike<unknown>} center  the row
   * @param {number} count
   * @param {() => number} random  uniform in [0, 1)
   * @returns {unknown[][]}
   * @throws {TypeError | RangeError}
   */
  sample(center, count, random) {
    const core = this.#core;
    const kernels = this.#kernels;
    const { width } = kernels;
    checkCount(count, 'count', 1);
    const encoded = kernels.encode(center, 'the row');
    const { nearness, radius } = this.#how;
    return withScope(core, (scope) => {
      const drawn = scope.doubles(count * width);
      const sourceRows = scope.indices(count);
      const density = putDensity(scope, kernels, this.bandwidth);
      const at = scope.putDoubles(kernels.standardize([encoded]));
      const extraSquares = kernels.categorical.length ? scope.putDoubles(kernels.levelsApart(encoded)) : 0;
      const seed = Math.floor(random() * 2 ** 53);
      const settings = scope.putRecord(DENSITY_SETTINGS, { nearness, radius, minRows: LEAST_ROWS, seed });
      scope.check(core.linex_wasm_density_sample(density, at, extraSquares, settings, count, drawn, sourceRows));
      const made = scope.getDoubles(drawn, count * width);
      const rows = scope.getIndices(sourceRows, count);
      return Array.from(rows, (row, i) => kernels.decode(center, made.subarray(i * width, (i + 1) * width), row));
    });
  }
}

/**
 * The first of the best, as scikit-learn's search has it.
 *
 * @param {{ bandwidths: readonly number[], scores: readonly number[] }} validation
 */
function bestOf({ bandwidths, scores }) {
  return bandwidths[scores.indexOf(Math.max(...scores))];
}
