// Describes a table of training rows: what its columns hold, and how they vary.
import { TABLE } from '../core/border.js';
import {
  checkChoice,
  checkFinite,
  checkFlag,
  checkList,
  checkNames,
  checkNumber,
  checkNumbers,
  isNumberFormat,
} from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { ready } from '../core/load.js';
import { withScope } from '../core/memory.js';

/**
 * @typedef {object} NumericColumn
 * @property {string} name
 * @property {'numeric'} kind
 * @property {number} mean
 * @property {number} spread  standard deviation
 * @property {number} min
 * @property {number} max
 * @property {readonly number[]} quartiles
 * @property {readonly { share: number, mean: number, spread: number }[]} bins  the four ranges between the quartiles
 * @property {boolean} [whole]  true if all values are whole numbers
 * @property {NumberFormat} [format]  how its numbers are written in renderings
 */

/**
 * How numbers are written: the options of `Intl.NumberFormat`, and a `unit` that is written after the number, such as
 * `{ unit: 'years' }` or `{ style: 'currency', currency: 'EUR' }`. With `style: 'unit'`, `unit` is one of Intl's.
 *
 * @typedef {Intl.NumberFormatOptions} NumberFormat
 */

/** @typedef {string | number | boolean | null} Level  `null` stands for missing values */

/**
 * @typedef {object} CategoricalColumn
 * @property {string} name
 * @property {'categorical'} kind
 * @property {readonly Level[]} levels
 * @property {readonly number[]} frequencies
 * @property {readonly (number | null)[]} codes  what the model gets for each level: the level itself if all levels are
 *   numbers, its index otherwise; `null` stands for NaN
 */

/**
 * The statistics of a table's columns: plain, frozen, JSON-safe data.
 *
 * @typedef {object} Table
 * @property {number} rows
 * @property {readonly (NumericColumn | CategoricalColumn)[]} columns
 */

/** The rows that each table was made from, for neighborhoods that need more than statistics. @type {WeakMap<object, any>} */
const trainingRows = new WeakMap();

/** Numbers per column: LINEX_COLUMN_SIZE in C. */
const FIELDS = 19;

/**
 * Computes the statistics of the training rows from which a neighborhood is made.
 *
 * @param {ArrayLike<ArrayLike<unknown>>} rows  arrays of the same length: numbers, or levels in categorical columns
 * @param {{ columns?: readonly string[], categorical?: readonly (number | string)[], formats?: Record<string, NumberFormat> }} [options]
 *   columns: names of the columns, default `column 0`, `column 1`, …; categorical: names or indices of the columns whose
 *   values are levels. There, a missing value (`null`, `undefined`, `NaN`) is a level; elsewhere, it is an error.
 *   formats: by the name of a numeric column, how renderings write its numbers
 * @returns {Promise<Table>}
 * @throws {TypeError | RangeError} naming the row and the column
 */
export async function describeTable(rows, options = {}) {
  const known = ['columns', 'categorical', 'formats'];
  const { columns, categorical = [], formats = {} } = checkNames(options, known, 'describeTable');
  if (!Array.isArray(categorical)) throw new TypeError(`categorical must be an array, not ${show(categorical)}`);
  const rowCount = checkList(rows, 'rows', 'an array of rows');
  if (rowCount === 0) throw new RangeError(`describeTable needs at least one row, not ${show(rows)}`);
  const columnCount = checkList(rows[0], 'row 0', 'an array of values');
  if (columnCount === 0) throw new RangeError('row 0 must have at least one value, not none');
  for (let i = 0; i < rowCount; i++)
    if (checkList(rows[i], `row ${i}`, 'an array of values') !== columnCount)
      throw new RangeError(`row ${i} must have ${columnCount} columns like row 0, not ${rows[i].length}`);
  const names = checkColumnNames(columns, columnCount);
  const levels = new Set(Array.from(categorical, (column) => columnIndex(column, names)));
  const numeric = names.filter((_, c) => !levels.has(c));
  for (const [name, format] of Object.entries(checkNames(formats, numeric, 'formats')))
    checkNumberFormat(format, `formats[${show(name)}]`);
  const core = await ready();
  const described = names.map((name, c) => {
    const values = Array.from({ length: rowCount }, (_, i) => rows[i][c]);
    return levels.has(c) ? describeLevels(core, name, values) : describeNumbers(core, name, values, formats[name]);
  });
  const table = Object.freeze({ rows: rowCount, columns: Object.freeze(described) });
  trainingRows.set(table, rows);
  return table;
}

/**
 * Returns the rows that a table was made from. They are known if `describeTable` ran in this realm; JSON does not contain
 * them.
 *
 * @param {Table} table
 * @param {ArrayLike<ArrayLike<unknown>> | undefined} given  the caller's rows, which come first
 * @param {string} caller
 * @returns {ArrayLike<ArrayLike<unknown>>}  not a copy
 * @throws {TypeError}
 */
export function trainingRowsOf(table, given, caller) {
  const rows = given ?? trainingRows.get(table);
  if (rows === undefined)
    throw new TypeError(
      `${caller} needs the training rows, which a table from JSON does not have; pass them as options.rows`,
    );
  if (checkList(rows, 'rows', 'an array of rows') === 0)
    throw new RangeError(`${caller} needs at least one training row, not ${show(rows)}`);
  return rows;
}

/**
 * @param {unknown} columns
 * @param {number} columnCount
 * @returns {string[]}
 */
function checkColumnNames(columns, columnCount) {
  if (columns === undefined) return Array.from({ length: columnCount }, (_, i) => `column ${i}`);
  if (!Array.isArray(columns) || columns.length !== columnCount || columns.some((name) => typeof name !== 'string'))
    throw new TypeError(`columns must be ${columnCount} names, one per column, not ${show(columns)}`);
  const seen = new Set();
  const repeated = columns.find((name) => seen.size === seen.add(name).size);
  if (repeated !== undefined) throw new RangeError(`columns has the name ${show(repeated)} twice`);
  return columns;
}

/**
 * @param {unknown} column
 * @param {string[]} names
 */
function columnIndex(column, names) {
  const index = typeof column === 'string' ? names.indexOf(column) : column;
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < names.length) return index;
  throw new RangeError(`categorical has a column that does not exist: ${show(column)}`);
}

/** @param {unknown} value */
function isMissing(value) {
  return value === null || value === undefined || Number.isNaN(value);
}

/**
 * @param {import('../core/load.js').Core} core
 * @param {string} name
 * @param {unknown[]} values
 * @param {NumberFormat} [format]
 * @returns {NumericColumn}
 */
function describeNumbers(core, name, values, format) {
  values.forEach((value, i) => {
    if (typeof value === 'number' && Number.isFinite(value)) return;
    const advice = isMissing(value)
      ? 'fill it in, or list the column as categorical'
      : 'convert it to a number, or list the column as categorical if it has levels';
    throw new RangeError(`row ${i} must have a finite number in column ${show(name)}, not ${show(value)}; ${advice}`);
  });
  const numbers = withScope(core, (scope) => {
    const statistics = scope.doubles(FIELDS);
    const column = scope.putDoubles(/** @type {number[]} */ (values));
    scope.check(core.linex_column_describe(values.length, column, statistics));
    return scope.listDoubles(statistics, FIELDS);
  });
  const [mean, spread, min, max] = numbers;
  checkSpread(spread, name);
  const bins = [7, 10, 13, 16].map((at) =>
    Object.freeze({ share: numbers[at], mean: numbers[at + 1], spread: numbers[at + 2] }),
  );
  const quartiles = Object.freeze(numbers.slice(4, 7));
  return Object.freeze({
    ...{ name, kind: /** @type {const} */ ('numeric'), mean, spread, min, max, quartiles },
    bins: Object.freeze(bins),
    ...(values.every(Number.isInteger) && { whole: true }),
    ...(format && { format: Object.freeze({ ...format }) }),
  });
}

/**
 * @param {unknown} format
 * @param {string} name
 * @throws {TypeError}
 */
function checkNumberFormat(format, name) {
  if (!isNumberFormat(format)) throw new TypeError(`${name} must be options of Intl.NumberFormat, not ${show(format)}`);
}

/** The smallest number with full precision. A weight divided by a smaller spread is not finite. */
const LEAST_SPREAD = 2 ** -1022;

/**
 * @param {number} spread
 * @param {string} name  of the column
 * @throws {RangeError}
 */
function checkSpread(spread, name) {
  if (spread > 0 && spread < LEAST_SPREAD)
    throw new RangeError(
      `column ${show(name)} must have a standard deviation of 0 or at least ${LEAST_SPREAD}, not ${spread}; multiply it`,
    );
}

/** @param {unknown} value */
function isLevel(value) {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

/**
 * @param {import('../core/load.js').Core} core
 * @param {string} name
 * @param {unknown[]} values
 * @returns {CategoricalColumn}
 */
function describeLevels(core, name, values) {
  const present = values.map((value) => (isMissing(value) ? null : value));
  for (const [i, value] of present.entries())
    if (!isLevel(value))
      throw new TypeError(
        `row ${i} must have a string, finite number or boolean in column ${show(name)}, not ${show(value)}`,
      );
  const levels = /** @type {Level[]} */ ([...new Set(present)].sort(byLevel));
  const indexOf = new Map(levels.map((level, i) => [level, i]));
  const frequencies = withScope(core, (scope) => {
    const shares = scope.doubles(levels.length);
    const codes = scope.putDoubles(present.map((value) => Number(indexOf.get(/** @type {Level} */ (value)))));
    scope.check(core.linex_levels_describe(values.length, codes, levels.length, shares));
    return scope.listDoubles(shares, levels.length);
  });
  const numbers = levels.every((level) => level === null || typeof level === 'number');
  const codes = levels.map((level, i) => (numbers ? /** @type {number | null} */ (level) : i));
  return Object.freeze({
    name,
    kind: 'categorical',
    levels: Object.freeze(levels),
    frequencies: Object.freeze(frequencies),
    codes: Object.freeze(codes),
  });
}

/**
 * Compares levels: numbers by size, then booleans, then strings by code unit, then missing values. The order does not
 * depend on the locale.
 *
 * @param {unknown} a
 * @param {unknown} b
 */
export function byLevel(a, b) {
  const kinds = ['number', 'boolean', 'string', 'object'];
  const rank = (/** @type {unknown} */ level) => kinds.indexOf(typeof level);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : 1;
}

/**
 * Returns the index of a value among a column's levels.
 *
 * @param {CategoricalColumn} column
 * @param {unknown} value
 * @returns {number}
 * @throws {RangeError}
 */
export function levelIndex(column, value) {
  const index = column.levels.indexOf(isMissing(value) ? null : /** @type {Level} */ (value));
  if (index >= 0) return index;
  throw new RangeError(
    `column ${show(column.name)} has no level ${show(value)}; its levels are ${column.levels.map(show).join(', ')}`,
  );
}

/**
 * A value of a row as the caller has it.
 *
 * @param {Float64Array} row  encoded
 * @param {number} index
 * @param {Table} table
 */
export function valueIn(row, index, table) {
  const column = table.columns[index];
  return column.kind === 'categorical' ? column.levels[row[index]] : row[index];
}

/**
 * Arranges a table for C: the number of levels per column, the statistics, the frequencies.
 *
 * @param {Table} table
 */
export function flattenTable({ columns }) {
  const levels = Uint32Array.from(columns, (column) => (column.kind === 'numeric' ? 0 : column.levels.length));
  const statistics = new Float64Array(FIELDS * columns.length);
  columns.forEach((column, c) => {
    if (column.kind !== 'numeric') return;
    const { mean, spread, min, max, quartiles, bins } = column;
    const binFields = bins.flatMap((bin) => [bin.share, bin.mean, bin.spread]);
    statistics.set([mean, spread, min, max, ...quartiles, ...binFields], FIELDS * c);
  });
  const frequencies = columns.flatMap((column) => (column.kind === 'numeric' ? [] : column.frequencies));
  return { levels, statistics, frequencies };
}

/** @typedef {ReturnType<typeof flattenTable>} FlatTable */

/**
 * Writes a table to WebAssembly's memory.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {FlatTable} table
 * @returns {import('../core/border.js').Doubles}  the record of the table
 */
export function putTable(scope, { levels, statistics, frequencies }) {
  return scope.putRecord(TABLE, {
    columns: levels.length,
    levels: scope.putIndices(levels),
    statistics: scope.putDoubles(statistics),
    frequencies: scope.putDoubles(frequencies),
  });
}

/**
 * Checks a table from `describeTable`, or a copy of it by JSON. It returns a frozen copy, because the caller may change a
 * table from JSON while the model is asked.
 *
 * @param {any} table
 * @param {string} caller
 * @param {string} [name]  what the error calls it
 * @returns {Table}
 * @throws {TypeError | RangeError} naming the field and its value
 */
export function checkTable(table, caller, name = 'options.table') {
  // It is frozen.
  if (trainingRows.has(table)) return table;
  const columns = table?.columns;
  if (!Array.isArray(columns) || columns.length === 0)
    throw new TypeError(`${caller} needs ${name} from describeTable, not ${show(table)}`);
  return freeze({ ...table, columns: Array.from(columns, (column, c) => readColumn(column, `table.columns[${c}]`)) });
}

/**
 * @param {any} column
 * @param {string} at  what errors call it
 * @returns {NumericColumn | CategoricalColumn}
 */
function readColumn(column, at) {
  const { kind, name } = column ?? {};
  const read = [readNumeric, readCategorical][checkChoice(kind, `${at}.kind`, ['numeric', 'categorical'])];
  if (typeof name !== 'string') throw new TypeError(`${at}.name must be a string, not ${show(name)}`);
  return { name, kind, ...read(column, at) };
}

const SHARE = { least: 0, most: 1 };

/** @param {any} column @param {string} at @returns {any} */
function readNumeric({ name, mean, spread, min, max, quartiles, bins, whole, format }, at) {
  if (format !== undefined) checkNumberFormat(format, `${at}.format`);
  checkSpread(checkFinite(spread, `${at}.spread`, 0), name);
  const least = checkFinite(min, `${at}.min`);
  const most = checkFinite(max, `${at}.max`, least);
  checkList(bins, `${at}.bins`, 'an array of 4 bins', 4);
  const readBins = [0, 1, 2, 3].map((i) => ({
    share: checkNumber(bins[i]?.share, `${at}.bins[${i}].share`, SHARE),
    mean: checkFinite(bins[i]?.mean, `${at}.bins[${i}].mean`),
    spread: checkFinite(bins[i]?.spread, `${at}.bins[${i}].spread`, 0),
  }));
  checkSum(
    readBins.map(({ share }) => share),
    `the shares of ${at}.bins`,
  );
  return {
    mean: checkFinite(mean, `${at}.mean`),
    ...{ spread, min, max },
    quartiles: [...checkNumbers(quartiles, `${at}.quartiles`, 3, { least, most })],
    bins: readBins,
    ...(whole !== undefined && { whole: checkFlag(whole, `${at}.whole`) }),
    ...(format && { format: { ...format } }),
  };
}

/** @param {any} column @param {string} at @returns {any} */
function readCategorical({ levels, frequencies, codes }, at) {
  const count = checkList(levels, `${at}.levels`, 'an array of levels');
  const known = new Set();
  for (let i = 0; i < count; i++)
    if (!isLevel(levels[i]) || known.size === known.add(levels[i]).size)
      throw new RangeError(
        `${at}.levels[${i}] must be a string, finite number, boolean or null that is not listed before, not ${show(levels[i])}`,
      );
  const shares = [...checkNumbers(frequencies, `${at}.frequencies`, count, SHARE)];
  checkSum(shares, `${at}.frequencies`);
  checkList(codes, `${at}.codes`, `an array of ${count} codes, one per level`, count);
  const readCodes = Array.from({ length: count }, (_, i) =>
    codes[i] === null ? null : checkFinite(codes[i], `${at}.codes[${i}]`),
  );
  return { levels: [...known], frequencies: shares, codes: readCodes };
}

/**
 * @param {readonly number[]} shares
 * @param {string} name
 * @throws {RangeError}
 */
function checkSum(shares, name) {
  const sum = shares.reduce((total, share) => total + share, 0);
  // The shares may have been rounded for storage.
  if (Math.abs(sum - 1) > 0.01) throw new RangeError(`${name} must add up to 1, not ${sum}`);
}
