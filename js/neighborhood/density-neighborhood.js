// Makes rows near a row from a kernel density of the training rows.
import { DENSITY, DENSITY_SETTINGS } from '../core/border.js';
import { checkList } from '../core/check-lists.js';
import { checkChoice, checkCount, checkNames, checkNumber, checkSignal } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { inPieces } from '../core/event-loop.js';
import { readyData } from '../core/load.js';
import { withScope, withScopeAsync } from '../core/memory.js';
import { checkPlainTable } from '../data/check-table.js';
import { trainingRowsOf } from '../data/table.js';
import { encodeNamedRow } from './row-neighborhood.js';
import { SAMPLINGS } from './sampler.js';

/**
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../core/border.js').Indices} Indices
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('../data/table.js').Table} Table
 */

/**
 * @typedef {object} DensityOptions
 * @property {ArrayLike<ArrayLike<unknown>>} [rows]  the training rows; default: those that the table was made from
 * @property {number | 'cross-validation'} [bandwidth]  standard deviation of the kernels, in the columns' standard
 *   deviations; default `'cross-validation'`
 * @property {readonly number[]} [grid]  the bandwidths that cross-validation tries; default 21 from 0.02 to 2
 * @property {number | ArrayLike<number>} [folds]  the number of random folds, or the fold of each row; default 5
 * @property {'density' | 'rows'} [near]  `'density'` (the default): the density times a Gaussian around the input;
 *   `'rows'`: the training rows within the radius, all equally likely, plus the noise of their kernels, as MeLIME does it
 * @property {number} [radius]  in standard deviations; default 1, for `'rows'` the distance of the tenth nearest row. The ten
 *   nearest rows always count as near
 * @property {'standard' | 'raw'} [units]  `'raw'`: bandwidth and radius are in the columns' own units, and must be given
 * @property {number} [seed]  for the folds; default 0
 * @property {AbortSignal} [signal]  stops the cross-validation
 */

const OPTIONS = ['rows', 'bandwidth', 'grid', 'folds', 'near', 'radius', 'units', 'seed', 'signal'];
const NEAR = /** @type {const} */ (['density', 'rows']);

/** Bandwidths in standard deviations, each about a quarter larger than the one before. */
const GRID = Object.freeze([
  ...[0.02, 0.025, 0.032, 0.04, 0.05, 0.064, 0.08, 0.1, 0.125, 0.16],
  ...[0.2, 0.25, 0.32, 0.4, 0.5, 0.64, 0.8, 1, 1.25, 1.6, 2],
]);

/** This many rows count as near, whatever the radius, as in MeLIME. */
const MIN_ROWS = 10;
/** The most pairs of rows in cross-validation: with more than about 1400 rows, only some are held out. */
const MAX_PAIRS = 2e6;
/** At least this many rows are held out, however many pairs that makes. */
const MIN_HELD_OUT = 200;
/** The most training rows that the density of another row is compared with. */
const MOST_COMPARED = 500;
/** Kernels that are computed at once: a few milliseconds. */
const KERNELS_AT_ONCE = 2e5;
const SIZES = { least: 1e-50, most: 1e50 };

/**
 * Makes rows near a row that look like the training rows: they are drawn from a Gaussian kernel density on these. For the
 * option `neighborhood` of `explainRow` and `explainRows`.
 *
 * Numeric columns are measured in standard deviations; a column that does not vary keeps the input's value. Categorical
 * columns have no Gaussian kernel: a sample takes all its levels from the training row that it comes from. Each level that
 * differs from the input's counts as one more standard deviation of distance from that row.
 *
 * @param {Table | Promise<Table>} table  from `describeTable`
 * @param {DensityOptions} [options]
 * @returns {Promise<DensityNeighborhood>}
 * @throws {TypeError | RangeError}
 */
export async function densityNeighborhood(table, options = {}) {
  checkNames(options, OPTIONS, 'densityNeighborhood');
  const { signal } = options;
  checkSignal(signal);
  const described = checkPlainTable(await table, 'densityNeighborhood', 'a table');
  const given = trainingRowsOf(described, options.rows, 'densityNeighborhood');
  const raw = checkChoice(options.units ?? 'standard', 'units', ['standard', 'raw']) === 1;
  const settings = readSettings(options, raw);
  const kernels = new KernelRows(described, given, raw);
  const fold = readFolds(options.folds, kernels.count, settings.bandwidth !== undefined);
  const core = await readyData();
  const validation =
    settings.bandwidth === undefined
      ? await validate(core, kernels, { grid: settings.grid, seed: settings.seed, fold, signal })
      : null;
  signal?.throwIfAborted();
  return new DensityNeighborhood(core, kernels, settings, validation);
}

/**
 * @param {DensityOptions} options
 * @param {boolean} raw
 */
function readSettings({ bandwidth = 'cross-validation', grid, near = 'density', radius, seed = 0 }, raw) {
  if (typeof bandwidth === 'string' && bandwidth !== 'cross-validation')
    throw new RangeError(`bandwidth must be a number or 'cross-validation', not ${show(bandwidth)}`);
  const nearness = checkChoice(near, 'near', NEAR);
  const validated = bandwidth === 'cross-validation';
  const needs = raw && validated && grid === undefined ? 'a bandwidth or a grid' : 'a radius';
  if (raw && (needs !== 'a radius' || (radius === undefined && NEAR[nearness] === 'density')))
    throw new RangeError(`units 'raw' needs ${needs}, in the columns' own units`);
  if (grid !== undefined && !(Array.isArray(grid) && grid.length > 0))
    throw new TypeError(`grid must be an array of bandwidths, not ${show(grid)}`);
  const defaultRadius = NEAR[nearness] === 'rows' ? 0 : 1;
  return {
    bandwidth: validated ? undefined : checkNumber(bandwidth, 'bandwidth', SIZES),
    grid: (grid ?? GRID).map((value, i) => checkNumber(value, `grid[${i}]`, SIZES)),
    nearness,
    radius:
      radius === undefined || radius === Infinity ? (radius ?? defaultRadius) : checkNumber(radius, 'radius', SIZES),
    seed: checkCount(seed, 'seed', 0, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * @param {unknown} folds
 * @param {number} count
 * @param {boolean} unused  whether the bandwidth is given, so that no folds are needed
 * @returns {number | Uint32Array}
 */
function readFolds(folds, count, unused) {
  if (count < 2 && !unused)
    throw new RangeError('cross-validation needs at least 2 rows, not 1; pass bandwidth as a number');
  if (folds === undefined) return Math.min(5, count);
  if (typeof folds !== 'object' || folds === null) return checkCount(folds, 'folds', 2, unused ? undefined : count);
  const list = /** @type {ArrayLike<unknown>} */ (folds);
  if (list.length !== count) throw new RangeError(`folds must be ${count} numbers, one per row, not ${show(folds)}`);
  const each = new Uint32Array(count);
  for (let i = 0; i < count; i++) each[i] = checkCount(list[i], `folds[${i}]`, 0);
  if (each.every((fold) => fold === each[0])) throw new RangeError(`folds must not all be ${each[0]}`);
  return each;
}

/** The training rows as the density uses them: numbers in standard units, and levels. */
class KernelRows {
  /**
   * @param {Table} table
   * @param {ArrayLike<ArrayLike<unknown>>} rows
   * @param {boolean} raw
   */
  constructor(table, rows, raw) {
    this.table = table;
    this.count = checkList(rows, 'rows', 'an array of rows');
    /** The numeric columns that vary, with their mean and unit. @type {{ c: number, mean: number, unit: number }[]} */
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
    const encoded = Array.from({ length: this.count }, (_, i) => this.encode(rows[i], `row ${i}`));
    this.points = this.standardize(encoded);
    this.levels = encoded.map((row) => this.categorical.map((c) => row[c]));
  }

  /** How many numeric columns vary. */
  get columnCount() {
    return this.numeric.length;
  }

  /**
   * @param {ArrayLike<unknown>} row
   * @param {string} name
   */
  encode(row, name) {
    const encoded = encodeNamedRow(row, this.table, name);
    const far = this.numeric.find(({ c, mean, unit }) => !(Math.abs((encoded[c] - mean) / unit) <= 1e100));
    if (!far) return encoded;
    const column = show(this.table.columns[far.c].name);
    throw new RangeError(`${name} is too far from the mean of column ${column}: ${show(row[far.c])}`);
  }

  /** Standardizes the numeric columns of rows. @param {Float64Array[]} encoded */
  standardize(encoded) {
    const points = new Float64Array(encoded.length * this.columnCount);
    encoded.forEach((row, i) =>
      this.numeric.forEach(({ c, mean, unit }, n) => (points[i * this.columnCount + n] = (row[c] - mean) / unit)),
    );
    return points;
  }

  /** For each training row, the number of levels that differ from an input's. @param {Float64Array} encoded */
  levelsApart(encoded) {
    const inputLevels = this.categorical.map((c) => encoded[c]);
    return Float64Array.from(this.levels, (levels) => levels.filter((level, i) => level !== inputLevels[i]).length);
  }

  /**
   * Turns a point back into a row of the table.
   *
   * @param {ArrayLike<unknown>} center  the input, for columns that do not vary
   * @param {Float64Array} point  standardized
   * @param {number} sourceRow  the training row whose levels the sample takes
   * @returns {unknown[]}
   */
  decode(center, point, sourceRow) {
    const row = Array.from(center);
    this.numeric.forEach(({ c, mean, unit }, n) => (row[c] = mean + unit * point[n]));
    this.categorical.forEach((c, n) => {
      const column = /** @type {import('../data/table.js').CategoricalColumn} */ (this.table.columns[c]);
      row[c] = column.levels[this.levels[sourceRow][n]];
    });
    return row;
  }
}

/**
 * Computes the mean log density of held-out rows for each bandwidth.
 *
 * @param {Core} core
 * @param {KernelRows} kernels
 * @param {{ grid: number[], seed: number, fold: number | Uint32Array, signal?: AbortSignal }} settings
 */
async function validate(core, { count, columnCount, points }, { grid, seed, fold, signal }) {
  const order = withScope(core, (scope) => {
    const address = scope.indices(count);
    scope.check(core.linex_wasm_order_draw(count, seed, address));
    return scope.getIndices(address, count);
  });
  const folds = typeof fold === 'number' ? new Uint32Array(count) : fold;
  if (typeof fold === 'number') order.forEach((row, i) => (folds[row] = i % fold));
  const heldOut = order.subarray(0, Math.max(MIN_HELD_OUT, Math.ceil(MAX_PAIRS / count)));
  const scores = await withScopeAsync(core, async (scope) => {
    const density = putDensity(scope, { count, columnCount, points }, 1);
    const [foldsAt, rowsAt, gridAt] = [scope.putIndices(folds), scope.putIndices(heldOut), scope.putDoubles(grid)];
    const sums = scope.putDoubles(new Float64Array(grid.length));
    // A row is added to some sums at a time. Every sum gets the rows in the same order.
    const step = Math.max(1, Math.min(grid.length, Math.floor(KERNELS_AT_ONCE / count)));
    const pieces = Math.ceil(grid.length / step);
    const add = (/** @type {number} */ i) => {
      const row = /** @type {Indices} */ (rowsAt + 4 * Math.floor(i / pieces));
      const first = (i % pieces) * step;
      const [some, into] = [gridAt, sums].map((address) => /** @type {Doubles} */ (address + 8 * first));
      const size = Math.min(step, grid.length - first);
      scope.check(core.linex_wasm_density_validate(density, foldsAt, 1, row, size, some, into));
    };
    await inPieces(heldOut.length * pieces, 1, add, signal);
    return scope.getDoubles(sums, grid.length);
  });
  return Object.freeze({
    bandwidths: Object.freeze(grid),
    scores: Object.freeze(Array.from(scores, (score) => score / heldOut.length)),
  });
}

/**
 * @param {import('../core/memory.js').Scope} scope
 * @param {{ count: number, columnCount: number, points: Float64Array }} kernels
 * @param {number} bandwidth
 */
function putDensity(scope, { count, columnCount, points }, bandwidth) {
  return scope.putRecord(DENSITY, { count, columns: columnCount, points: scope.putDoubles(points), bandwidth });
}

/**
 * Computes the log density of training rows, each from the kernels of all other rows.
 *
 * @param {Core} core
 * @param {KernelRows} kernels
 * @param {number} bandwidth
 * @param {AbortSignal} [signal]
 * @returns {Promise<Float64Array>}  sorted; of at most `MOST_COMPARED` rows, spread evenly over the table
 */
async function densitiesOfRows(core, kernels, bandwidth, signal) {
  const { count } = kernels;
  const compared = Math.min(count, MOST_COMPARED);
  const rows = Uint32Array.from({ length: compared }, (_, i) => Math.floor((i * count) / compared));
  return withScopeAsync(core, async (scope) => {
    const density = putDensity(scope, kernels, 1);
    // Each row is a fold of its own.
    const folds = scope.putIndices(Uint32Array.from({ length: count }, (_, i) => i));
    const [rowsAt, bandwidthAt] = [scope.putIndices(rows), scope.putDoubles([bandwidth])];
    const logs = scope.putDoubles(new Float64Array(compared));
    const compute = (/** @type {number} */ i) => {
      const row = /** @type {Indices} */ (rowsAt + 4 * i);
      const log = /** @type {Doubles} */ (logs + 8 * i);
      scope.check(core.linex_wasm_density_validate(density, folds, 1, row, 1, bandwidthAt, log));
    };
    await inPieces(compared, 1, compute, signal);
    return scope.getDoubles(logs, compared).sort();
  });
}

/** Makes rows near a row from the density of the training rows. */
export class DensityNeighborhood {
  #core;
  #kernels;
  #settings;
  /** From `densitiesOfRows`, computed lazily. @type {Float64Array | undefined} */
  #typical;

  /**
   * @param {Core} core
   * @param {KernelRows} kernels
   * @param {{ bandwidth?: number, nearness: number, radius: number }} settings
   * @param {Readonly<{ bandwidths: readonly number[], scores: readonly number[] }> | null} validation
   */
  constructor(core, kernels, settings, validation) {
    this.#core = core;
    this.#kernels = kernels;
    this.#settings = settings;
    this.kind = /** @type {const} */ ('row');
    /** The result of cross-validation: the mean log density of held-out rows for each bandwidth. */
    this.validation = validation;
    /** The standard deviation of the kernels, in the columns' standard deviations. @type {number} */
    this.bandwidth = settings.bandwidth ?? bestOf(/** @type {any} */ (validation));
    Object.freeze(this);
  }

  /**
   * Returns the logarithm of the density at each row, in standardized units. Only numeric columns that vary count, not levels.
   *
   * @param {ArrayLike<ArrayLike<unknown>>} rows
   * @returns {number[]}
   * @throws {TypeError | RangeError}
   */
  logDensity(rows) {
    const core = this.#core;
    const count = checkList(rows, 'rows', 'an array of rows');
    const encoded = Array.from({ length: count }, (_, i) => this.#kernels.encode(rows[i], `row ${i}`));
    const at = this.#kernels.standardize(encoded);
    return withScope(core, (scope) => {
      const logs = scope.doubles(count);
      const density = putDensity(scope, this.#kernels, this.bandwidth);
      scope.check(core.linex_wasm_density_log(density, count, scope.putDoubles(at), logs));
      return [...scope.getDoubles(logs, count)];
    });
  }

  /**
   * Tells how usual rows are: the share of the training rows whose density is at most that of the row. The density at a
   * training row comes from the other training rows. If there are more than 500, 500 of them are compared. Only numeric
   * columns that vary count.
   *
   * @param {ArrayLike<ArrayLike<unknown>>} rows
   * @param {{ signal?: AbortSignal }} [context]
   * @returns {Promise<number[]>}  from 0, less usual than every training row, to 1
   * @throws {TypeError | RangeError}
   */
  async typicality(rows, { signal } = {}) {
    checkSignal(signal);
    if (this.#kernels.count < 2) throw new RangeError('typicality needs at least 2 training rows, not 1');
    const densities = this.logDensity(rows);
    const typical = (this.#typical ??= await densitiesOfRows(this.#core, this.#kernels, this.bandwidth, signal));
    return densities.map((density) => {
      const above = typical.findIndex((other) => other > density);
      return above < 0 ? 1 : above / typical.length;
    });
  }

  /**
   * Draws rows near a row.
   *
   * @param {ArrayLike<unknown>} center  the row
   * @param {number} count
   * @param {() => number} random  uniform in [0, 1)
   * @param {{ sampling?: import('./sampler.js').Sampling }} [context]  default `'designed'`
   * @returns {unknown[][]}
   * @throws {TypeError | RangeError}
   */
  sample(center, count, random, { sampling = 'designed' } = {}) {
    const core = this.#core;
    const kernels = this.#kernels;
    const { columnCount } = kernels;
    checkCount(count, 'count', 1);
    const encoded = kernels.encode(center, 'the row');
    const { nearness, radius } = this.#settings;
    return withScope(core, (scope) => {
      const drawn = scope.doubles(count * columnCount);
      const sourceRows = scope.indices(count);
      const density = putDensity(scope, kernels, this.bandwidth);
      const at = scope.putDoubles(kernels.standardize([encoded]));
      const extraSquares = kernels.categorical.length ? scope.putDoubles(kernels.levelsApart(encoded)) : 0;
      const seed = Math.floor(random() * 2 ** 53);
      const settings = scope.putRecord(DENSITY_SETTINGS, {
        ...{ nearness, radius, minRows: MIN_ROWS, seed },
        sampling: checkChoice(sampling, 'sampling', SAMPLINGS),
      });
      scope.check(core.linex_wasm_density_sample(density, at, extraSquares, settings, count, drawn, sourceRows));
      const made = scope.getDoubles(drawn, count * columnCount);
      const rows = scope.getIndices(sourceRows, count);
      return Array.from(rows, (row, i) =>
        kernels.decode(center, made.subarray(i * columnCount, (i + 1) * columnCount), row),
      );
    });
  }
}

/**
 * Returns the first of the best bandwidths, as scikit-learn's search does.
 *
 * @param {{ bandwidths: readonly number[], scores: readonly number[] }} validation
 */
function bestOf({ bandwidths, scores }) {
  return bandwidths[scores.indexOf(Math.max(...scores))];
}
