// Describes a table of training rows: what its columns hold, and how they vary.
import { TABLE } from '../core/border.js';
import { checkList } from '../core/check-lists.js';
import { checkNames } from '../core/check-options.js';
import { isNumberFormat } from '../core/number-format.js';
import { show } from '../core/errors.js';
import { ready } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { isRecord, valuesOf } from './records.js';

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
 * @property {number} [missing]  the share of rows without a value; the other statistics are of the rows with one
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
 * @property {number} [shareOfMean]  of a group whose values are no levels: the share of the table's rows with the row's values
 */

/**
 * The statistics of a table's columns: plain, frozen, JSON-safe data.
 *
 * @typedef {object} Table
 * @property {number} rows
 * @property {readonly (NumericColumn | CategoricalColumn)[]} columns
 * @property {readonly import('./column-groups.js').ColumnGroup[]} [groups]  columns that vary together
 */

/** The rows that each table was made from, for neighborhoods that need more than statistics. @type {WeakMap<object, any>} */
const trainingRows = new WeakMap();

/** Numbers per column: LINEX_COLUMN_SIZE in C. */
const FIELDS = 19;

/**
 * @typedef {object} TableOptions
 * @property {readonly string[]} [columns]  names of the columns; default the properties of row 0 if rows are objects, otherwise
 *   `column 0`, `column 1`, …
 * @property {readonly (number | string)[]} [categorical]  names or indices of the columns whose values are levels. There, a
 *   missing value (`null`, `undefined`, `NaN`) is a level. A column of booleans is categorical without being listed
 * @property {Record<string, NumberFormat>} [formats]  by the name of a numeric column, how renderings write its numbers
 * @property {Record<string, readonly (number | string)[]>} [groups]  by the name of a group, its columns, at least two. They
 *   vary together and are one feature, such as the columns of a one-hot code
 */

/**
 * Computes the statistics of the training rows from which a neighborhood is made.
 *
 * @param {ArrayLike<import('./records.js').Row>} rows  arrays of the same length, or objects with one property per column:
 *   numbers, or levels in categorical columns. A missing value is `null`, `undefined` or `NaN`
 * @param {TableOptions} [options]
 * @returns {Promise<Table>}
 * @throws {TypeError | RangeError} naming the row and the column
 */
export async function describeTable(rows, options = {}) {
  const known = ['columns', 'categorical', 'formats', 'groups'];
  const { columns, categorical = [], formats = {}, groups } = checkNames(options, known, 'describeTable');
  if (!Array.isArray(categorical)) throw new TypeError(`categorical must be an array, not ${show(categorical)}`);
  const rowCount = checkList(rows, 'rows', 'an array of rows');
  if (rowCount === 0) throw new RangeError(`describeTable needs at least one row, not ${show(rows)}`);
  const { lists, names } = listRows(rows, rowCount, columns);
  const indexOf = (/** @type {unknown} */ column, /** @type {string} */ option) => columnIndex(column, names, option);
  const listed = new Set(Array.from(categorical, (column) => indexOf(column, 'categorical')));
  const valuesIn = (/** @type {number} */ c) => Array.from({ length: rowCount }, (_, i) => lists[i][c]);
  const hasLevels = names.map((_, c) => listed.has(c) || isFlags(valuesIn(c)));
  const numeric = names.filter((_, c) => !hasLevels[c]);
  for (const [name, format] of Object.entries(checkNames(formats, numeric, 'formats')))
    checkNumberFormat(format, `formats[${show(name)}]`);
  const core = await ready();
  const described = names.map((name, c) =>
    hasLevels[c] ? describeLevels(core, name, valuesIn(c)) : describeNumbers(core, name, valuesIn(c), formats[name]),
  );
  const at = (/** @type {number} */ row, /** @type {number} */ c) => encodeValue(described[c], lists[row][c]);
  const joined =
    groups === undefined
      ? undefined
      : (await import('./column-groups.js')).describeGroups(groups, { columns: described, indexOf, at, rowCount });
  const table = Object.freeze({
    ...{ rows: rowCount, columns: Object.freeze(described) },
    ...(joined && joined.length > 0 && { groups: joined }),
  });
  trainingRows.set(table, lists);
  return table;
}

/**
 * Returns rows as arrays of the same length, and the names of their columns.
 *
 * @param {any} rows
 * @param {number} rowCount
 * @param {unknown} columns  the names, if the caller gives them
 * @returns {{ lists: ArrayLike<ArrayLike<unknown>>, names: string[] }}
 * @throws {TypeError | RangeError} naming the row
 */
function listRows(rows, rowCount, columns) {
  if (!isRecord(rows[0])) {
    const columnCount = checkList(rows[0], 'row 0', 'an array of values, or an object with one property per column');
    if (columnCount === 0) throw new RangeError('row 0 must have at least one value, not none');
    for (let i = 0; i < rowCount; i++)
      if (checkList(rows[i], `row ${i}`, 'an array of values') !== columnCount)
        throw new RangeError(`row ${i} must have ${columnCount} columns like row 0, not ${rows[i].length}`);
    return { lists: rows, names: checkColumnNames(columns, columnCount) };
  }
  const given = columns ?? Object.keys(rows[0]);
  const names = checkColumnNames(given, Array.isArray(given) ? given.length : 1);
  if (names.length === 0) throw new RangeError('row 0 must have at least one property, not none');
  const lists = Array.from({ length: rowCount }, (_, i) => {
    if (isRecord(rows[i])) return valuesOf(rows[i], names, `row ${i}`);
    throw new TypeError(`row ${i} must be an object like row 0, not ${show(rows[i])}`);
  });
  return { lists, names };
}

/** Whether all values that are known are booleans. @param {unknown[]} values */
function isFlags(values) {
  const known = values.filter((value) => !isMissing(value));
  return known.length > 0 && known.every((value) => typeof value === 'boolean');
}

/** Whether `describeTable` made a table in this realm, so that it is valid and frozen. @param {any} table */
export const isDescribed = (table) => trainingRows.has(table);

/** Whether a table has neither groups nor columns that may be missing, so that its columns are the features. @param {Table} table */
export const isPlain = ({ columns, groups }) =>
  !groups && columns.every((column) => column.kind === 'categorical' || !column.missing);

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
 * @param {string} option
 */
function columnIndex(column, names, option) {
  const index = typeof column === 'string' ? names.indexOf(column) : column;
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < names.length) return index;
  throw new RangeError(`${option} has a column that does not exist: ${show(column)}`);
}

const DATE_ADVICE = 'convert it to a number in the unit that you want to read, such as days';

/** What to do with a value that is no number. @param {unknown} value */
const conversionOf = (value) =>
  value instanceof Date ? DATE_ADVICE : typeof value === 'string' ? 'convert it to a number' : '';

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
    if (isMissing(value) || (typeof value === 'number' && Number.isFinite(value))) return;
    const advice =
      value instanceof Date
        ? DATE_ADVICE
        : 'convert it to a number, or list the column as categorical if it has levels';
    throw new RangeError(`row ${i} must have a finite number in column ${show(name)}, not ${show(value)}; ${advice}`);
  });
  const present = /** @type {number[]} */ (values.filter((value) => !isMissing(value)));
  if (present.length === 0)
    throw new RangeError(`column ${show(name)} must have at least one number, but all ${values.length} are missing`);
  const missing = (values.length - present.length) / values.length;
  const numbers = withScope(core, (scope) => {
    const statistics = scope.doubles(FIELDS);
    const column = scope.putDoubles(present);
    scope.check(core.linex_column_describe(present.length, column, statistics));
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
    ...(present.every(Number.isInteger) && { whole: true }),
    ...(missing > 0 && { missing }),
    ...(format && { format: Object.freeze({ ...format }) }),
  });
}

/**
 * @param {unknown} format
 * @param {string} name
 * @throws {TypeError}
 */
export function checkNumberFormat(format, name) {
  if (!isNumberFormat(format)) throw new TypeError(`${name} must be options of Intl.NumberFormat, not ${show(format)}`);
}

/** The smallest number with full precision. A weight divided by a smaller spread is not finite. */
const LEAST_SPREAD = 2 ** -1022;

/**
 * @param {number} spread
 * @param {string} name  of the column
 * @throws {RangeError}
 */
export function checkSpread(spread, name) {
  if (spread > 0 && spread < LEAST_SPREAD)
    throw new RangeError(
      `column ${show(name)} must have a standard deviation of 0 or at least ${LEAST_SPREAD}, not ${spread}; multiply it`,
    );
}

/** @param {unknown} value */
export function isLevel(value) {
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
 * Encodes a value for C: a number as it is, NaN if it is missing, or the index of a level.
 *
 * @param {NumericColumn | CategoricalColumn} column
 * @param {unknown} value
 * @returns {number}
 * @throws {RangeError} naming the column
 */
export function encodeValue(column, value) {
  if (column.kind === 'categorical') return levelIndex(column, value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isMissing(value) && column.missing) return NaN;
  const advice = isMissing(value) ? 'no row of the table has a missing value there' : conversionOf(value);
  throw new RangeError(
    `column ${show(column.name)} must be a finite number, not ${show(value)}${advice ? `; ${advice}` : ''}`,
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
  if (column.kind === 'categorical') return column.levels[row[index]];
  return Number.isNaN(row[index]) ? null : row[index];
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
