// Checks tables that come from elsewhere, such as JSON, before anything is computed from them.
import { checkFinite, checkList, checkNumbers } from '../core/check-lists.js';
import { checkChoice, checkFlag, checkCount, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { checkNumberFormat, checkSpread, isDescribed, isLevel } from './table.js';

/**
 * @typedef {import('./table.js').Table} Table
 * @typedef {import('./table.js').NumericColumn} NumericColumn
 * @typedef {import('./table.js').CategoricalColumn} CategoricalColumn
 */

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
  if (isDescribed(table)) return table;
  const columns = table?.columns;
  if (!Array.isArray(columns) || columns.length === 0)
    throw new TypeError(`${caller} needs ${name} from describeTable, not ${show(table)}`);
  const read = Array.from(columns, (column, c) => readColumn(column, `table.columns[${c}]`));
  const groups = table.groups === undefined ? undefined : readGroups(table.groups, read);
  return freeze({ ...table, columns: read, ...(groups && { groups }) });
}

/**
 * @param {Table} table
 * @param {string} what  what cannot use groups and missing values
 * @throws {RangeError} naming the group or the column
 */
export function refuseUnlessPlain(table, what) {
  if (table.groups)
    throw new RangeError(`${what} cannot use a table with groups, such as ${show(table.groups[0].name)}`);
  const column = table.columns.find((column) => column.kind === 'numeric' && column.missing);
  if (column)
    throw new RangeError(
      `${what} needs a number in every row of column ${show(column.name)}; fill in the missing values before describeTable`,
    );
}

/**
 * Checks a table like `checkTable`, and that its columns are the features.
 *
 * @param {any} table
 * @param {string} caller
 * @param {string} [name]
 * @returns {Table}
 * @throws {TypeError | RangeError}
 */
export function checkPlainTable(table, caller, name) {
  const checked = checkTable(table, caller, name);
  refuseUnlessPlain(checked, caller);
  return checked;
}

/**
 * @param {any} groups
 * @param {readonly (NumericColumn | CategoricalColumn)[]} columns
 * @returns {import('./column-groups.js').ColumnGroup[]}
 * @throws {TypeError | RangeError} naming the field and its value
 */
function readGroups(groups, columns) {
  const count = checkList(groups, 'table.groups', 'an array of groups');
  const taken = new Set();
  return Array.from({ length: count }, (_, g) => {
    const at = `table.groups[${g}]`;
    const { name, columns: members, kind, values, frequencies } = groups[g] ?? {};
    if (typeof name !== 'string') throw new TypeError(`${at}.name must be a string, not ${show(name)}`);
    checkChoice(kind, `${at}.kind`, ['levels', 'amounts']);
    const size = checkList(members, `${at}.columns`, 'an array of columns');
    const indices = Array.from({ length: size }, (_, i) => {
      const index = checkCount(members[i], `${at}.columns[${i}]`, 0, columns.length - 1);
      if (taken.size === taken.add(index).size)
        throw new RangeError(`${at}.columns[${i}] must be a column that is in no group before, not ${index}`);
      return index;
    });
    const combinations = checkList(values, `${at}.values`, 'an array of combinations');
    const readValues = Array.from({ length: combinations }, (_, v) => {
      checkList(values[v], `${at}.values[${v}]`, `an array of ${size} values`, size);
      return indices.map((index, i) => readMember(values[v][i], columns[index], `${at}.values[${v}][${i}]`));
    });
    const shares = [...checkNumbers(frequencies, `${at}.frequencies`, combinations, SHARE)];
    checkSum(shares, `${at}.frequencies`);
    return { name, columns: indices, kind, values: readValues, frequencies: shares };
  });
}

/**
 * @param {unknown} value
 * @param {NumericColumn | CategoricalColumn} column
 * @param {string} at
 */
function readMember(value, column, at) {
  if (column.kind === 'categorical') return checkCount(value, at, 0, column.levels.length - 1);
  return value === null && column.missing ? null : checkFinite(value, at);
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
function readNumeric({ name, mean, spread, min, max, quartiles, bins, whole, missing, format }, at) {
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
    ...(missing !== undefined && { missing: checkNumber(missing, `${at}.missing`, { above: 0, most: 1 }) }),
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
