import { TABLE } from '../core/border.js';
import { show } from '../core/errors.js';
import { ready } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { checkNames } from '../core/check-options.js';

/**
 * @typedef {object} NumericColumn
 * @property {string} name
 * @property {'numeric'} kind
 * @property {number} mean
 * @property {number} spread  standard deviation
 * @property {number} min
 * @property {number} max
 * @property {readonly number[]} quartiles
 * @property {readonly { share: number, mean: number, spread: number }[]} bins  between the quartiles
 */

/** @typedef {string | number | boolean | null} Level  `null` is the level of missing values */

/**
 * @typedef {object} CategoricalColumn
 * @property {string} name
 * @property {'categorical'} kind
 * @property {readonly Level[]} levels
 * @property {readonly number[]} frequencies
 * @property {readonly (number | null)[]} codes  what the model is given for each level: the level itself where all levels
 *   are numbers, its index otherwise; `null` stands for NaN
 */

/**
 * What is usual in a table: plain, frozen, JSON-safe.
 *
 * @typedef {object} Table
 * @property {number} rows
 * @property {readonly (NumericColumn | CategoricalColumn)[]} columns
 */

/** The rows that a table was made from, for what needs more of them than statistics. @type {WeakMap<object, any>} */
const sources = new WeakMap();

const FIELDS = 19; // LINEX_COLUMN_SIZE

/**
 * Takes from the training rows what a neighborhood is made from.
 *
 * @param {ArrayLike<ArrayLike<unknown>>} rows  arrays of one length: numbers, or any level in categorical columns
 * @param {{ columns?: readonly string[], categorical?: readonly (number | string)[] }} [options]
 *   columns: their names, by default `column 0`, `column 1`, …; categorical: names or indices of those that are levels,
 *   not amounts. A missing value (`null`, `undefined`, `NaN`) is a level of its own there, and refused elsewhere.
 * @returns {Promise<Table>}
 * @throws {TypeError | RangeError} naming the row and the column
 */
export async function describeTable(rows, options = {}) {
  const { columns, categorical = [] } = checkNames(options, ['columns', 'categorical'], 'describeTable');
  if (!Array.isArray(categorical)) throw new TypeError(`categorical must be an array, not ${show(categorical)}`);
  if (!rows?.length) throw new RangeError(`describeTable needs at least one row, not ${show(rows)}`);
  const width = rows[0]?.length;
  if (!(width > 0) || typeof rows[0] === 'string')
    throw new RangeError(`describeTable needs rows that are arrays with at least one column, not ${show(rows[0])}`);
  for (let i = 0; i < rows.length; i++)
    if (rows[i]?.length !== width)
      throw new RangeError(`row ${i} has ${rows[i]?.length ?? 'no'} columns, row 0 has ${width}`);
  const names = checkColumnNames(columns, width);
  const levels = new Set(Array.from(categorical, (column) => columnIndex(column, names)));
  const core = await ready();
  const described = names.map((name, c) => {
    const values = Array.from(rows, (row) => row[c]);
    return levels.has(c) ? describeLevels(core, name, values) : describeNumbers(core, name, values);
  });
  const table = Object.freeze({ rows: rows.length, columns: Object.freeze(described) });
  sources.set(table, rows);
  return table;
}

/**
 * The rows that a table was made from: by `describeTable`, in this realm; JSON does not carry them.
 *
 * @param {Table} table
 * @param {ArrayLike<ArrayLike<unknown>> | undefined} given  the caller's own word for it
 * @param {string} who
 * @returns {ArrayLike<ArrayLike<unknown>>}  the caller's, not a copy
 * @throws {TypeError}
 */
export function rowsOf(table, given, who) {
  const rows = given ?? sources.get(table);
  if (rows === undefined)
    throw new TypeError(
      `${who} needs the training rows, which this table does not have any more; give them as options.rows`,
    );
  if (!(rows.length > 0)) throw new RangeError(`${who} needs at least one training row, not ${show(rows)}`);
  return rows;
}

/**
 * @param {unknown} columns
 * @param {number} width
 * @returns {string[]}
 */
function checkColumnNames(columns, width) {
  if (columns === undefined) return Array.from({ length: width }, (_, i) => `column ${i}`);
  if (!Array.isArray(columns) || columns.length !== width || columns.some((name) => typeof name !== 'string'))
    throw new TypeError(`columns must be ${width} names, one a column, not ${show(columns)}`);
  const twice = columns.find((name, i) => columns.indexOf(name) !== i);
  if (twice !== undefined) throw new RangeError(`columns has the name ${show(twice)} twice`);
  return columns;
}

/**
 * @param {unknown} column
 * @param {string[]} names
 */
function columnIndex(column, names) {
  const index = typeof column === 'string' ? names.indexOf(column) : column;
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < names.length) return index;
  throw new RangeError(`categorical names a column that does not exist: ${show(column)}`);
}

/** @param {unknown} value */
function isMissing(value) {
  return value === null || value === undefined || Number.isNaN(value);
}

/**
 * @param {import('../core/load.js').Core} core
 * @param {string} name
 * @param {unknown[]} values
 * @returns {NumericColumn}
 */
function describeNumbers(core, name, values) {
  values.forEach((value, i) => {
    if (typeof value === 'number' && Number.isFinite(value)) return;
    const what = isMissing(value) ? 'misses its value' : `has ${show(value)} where a finite number is needed`;
    throw new RangeError(`row ${i} ${what} in column ${show(name)}; list the column as categorical if it is one`);
  });
  const numbers = withScope(core, (scope) => {
    const statistics = scope.doubles(FIELDS);
    const column = scope.putDoubles(/** @type {number[]} */ (values));
    scope.check(core.linex_column_describe(values.length, column, statistics));
    return scope.listDoubles(statistics, FIELDS);
  });
  const [mean, spread, min, max] = numbers;
  const bins = [7, 10, 13, 16].map((at) =>
    Object.freeze({ share: numbers[at], mean: numbers[at + 1], spread: numbers[at + 2] }),
  );
  const quartiles = Object.freeze(numbers.slice(4, 7));
  return Object.freeze({ name, kind: 'numeric', mean, spread, min, max, quartiles, bins: Object.freeze(bins) });
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
    if (value !== null && !['string', 'boolean'].includes(typeof value) && !Number.isFinite(value))
      throw new TypeError(
        `row ${i} has ${show(value)} in column ${show(name)}; a level is a string, a finite number or a boolean`,
      );
  const levels = /** @type {Level[]} */ ([...new Set(present)].sort(byLevel));
  const places = new Map(levels.map((level, i) => [level, i]));
  const frequencies = withScope(core, (scope) => {
    const shares = scope.doubles(levels.length);
    const codes = scope.putDoubles(present.map((value) => Number(places.get(/** @type {Level} */ (value)))));
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
 * Numbers by size, then booleans, then text by code unit, then what is missing: an order that no locale changes.
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
 * The place of a value among a column's levels.
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
    `column ${show(column.name)} has no level ${show(value)}; it has ${column.levels.map(show).join(', ')}`,
  );
}

/**
 * A table as C wants it: levels a column, statistics, frequencies.
 *
 * @param {Table} table
 */
export function flattenTable({ columns }) {
  const levels = Uint32Array.from(columns, (column) => (column.kind === 'numeric' ? 0 : column.levels.length));
  const statistics = new Float64Array(FIELDS * columns.length);
  columns.forEach((column, c) => {
    if (column.kind !== 'numeric') return;
    const { mean, spread, min, max, quartiles, bins } = column;
    const inside = bins.flatMap((bin) => [bin.share, bin.mean, bin.spread]);
    statistics.set([mean, spread, min, max, ...quartiles, ...inside], FIELDS * c);
  });
  const frequencies = columns.flatMap((column) => (column.kind === 'numeric' ? [] : column.frequencies));
  return { levels, statistics, frequencies };
}

/** @typedef {ReturnType<typeof flattenTable>} FlatTable */

/**
 * Writes a table to memory.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {FlatTable} table
 * @returns {import('../core/border.js').Doubles}  its record
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
 * Throws unless it is what `describeTable` gives, perhaps by way of JSON.
 *
 * @param {any} table
 * @param {string} who
 * @param {string} [what]  it is given as
 * @returns {Table}
 */
export function checkTable(table, who, what = 'options.table') {
  const known = (/** @type {any} */ column) =>
    (column?.kind === 'numeric' && column.bins?.length === 4 && column.quartiles?.length === 3) ||
    (column?.kind === 'categorical' &&
      column.levels?.length > 0 &&
      column.frequencies?.length === column.levels.length);
  if (Array.isArray(table?.columns) && table.columns.length > 0 && table.columns.every(known)) return table;
  throw new TypeError(`${who} needs ${what} from describeTable, not ${show(table)}`);
}
