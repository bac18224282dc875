// Checks and encodes what a forest is grown from: rows, responses and options.
import { checkList, checkNumbers } from '../core/check-lists.js';
import { checkChoice, checkCount, checkFlag, checkNumber, checkSignal } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { byLevel, levelIndex } from './table.js';

/**
 * @typedef {import('./table.js').Table} Table
 * @typedef {'regression' | 'classification'} Kind
 */

/**
 * Options of a forest's growth.
 *
 * @typedef {object} GrowOptions
 * @property {Kind} [kind]  default: classification if the responses are strings or booleans or if `classes` is given,
 *   regression otherwise
 * @property {readonly string[]} [classes]  names of the classes, in the order of the answers; default: all classes that
 *   occur, numbers by size, the others by name
 * @property {number} [trees]  default 100
 * @property {number} [depth]  the maximum number of splits from the root to a leaf; default: no limit
 * @property {number} [minLeaf]  the minimum number of rows in a leaf, without copies in a bootstrap; default 1
 * @property {'sqrt' | 'third' | 'all' | number} [featuresPerSplit]  the number of columns that are tried at each split: a
 *   whole number, or a share of the columns if below 1; default `'sqrt'` for classification, `'third'` for regression
 * @property {boolean} [bootstrap]  whether each tree is grown on its own bootstrap of the rows; default true
 * @property {number} [seed]  default 0; the same call grows the same forest
 * @property {AbortSignal} [signal]
 */

export const GROW_OPTIONS = Object.freeze([
  ...['kind', 'classes', 'trees', 'depth', 'minLeaf', 'featuresPerSplit', 'bootstrap', 'seed', 'signal'],
]);

/** The largest number allowed: sums of squares of larger numbers may overflow. */
const LARGEST = 1e100;
export const RESPONSE = { least: -LARGEST, most: LARGEST };

/**
 * Encodes rows for trees: numbers as they are; in a table's categorical columns the level's code, as the model gets it,
 * and NaN if the value is missing.
 *
 * @param {ArrayLike<ArrayLike<unknown>>} rows
 * @param {number} columnCount
 * @param {Table | null} table
 * @returns {Float64Array}
 * @throws {TypeError | RangeError} naming the row and the column
 */
export function encodeRows(rows, columnCount, table) {
  const rowCount = checkList(rows, 'rows', 'an array of rows');
  if (rowCount === 0) throw new RangeError(`a forest needs at least one row, not ${show(rows)}`);
  const encoded = new Float64Array(rowCount * columnCount);
  for (let i = 0; i < rowCount; i++) {
    const row = rows[i];
    checkList(row, `row ${i}`, `an array of ${columnCount} values`, columnCount);
    for (let c = 0; c < columnCount; c++) {
      const column = table?.columns[c];
      encoded[i * columnCount + c] =
        column?.kind === 'categorical'
          ? (column.codes[levelIndex(column, row[c])] ?? NaN)
          : checkValue(row[c], i, show(column?.name ?? c));
    }
  }
  return encoded;
}

/**
 * @param {unknown} value
 * @param {number} row
 * @param {string} column
 */
function checkValue(value, row, column) {
  if (typeof value === 'number' && Math.abs(value) <= LARGEST) return value;
  const hint = typeof value === 'string' ? '; if it is a level, list the column as categorical in options.table' : '';
  throw new RangeError(`row ${row} must have a finite number in column ${column}, not ${show(value)}${hint}`);
}

/**
 * The responses of the training rows.
 *
 * @typedef {object} Responses
 * @property {Kind} kind
 * @property {readonly string[] | undefined} classes
 * @property {number} outputs  how many numbers an answer has
 * @property {boolean} single  whether an answer is one number instead of an array
 * @property {Float64Array} values  `outputs` per row; for classification, the index of the class of each row
 */

/**
 * @param {any} given
 * @param {number} count  rows
 * @param {GrowOptions} options
 * @returns {Responses}
 * @throws {TypeError | RangeError}
 */
export function readResponses(given, count, { kind, classes }) {
  checkList(given, 'responses', `an array of ${count}, one per row`, count);
  const all = Array.from({ length: count }, (_, i) => given[i]);
  const named = ['string', 'boolean'].includes(typeof all[0]) || classes !== undefined;
  const wanted = kind ?? (named ? 'classification' : 'regression');
  return checkChoice(wanted, 'kind', ['regression', 'classification']) === 1
    ? readLabels(all, classes)
    : readNumbers(all, classes);
}

/**
 * @param {unknown[]} given
 * @param {unknown} classes
 * @returns {Responses}
 */
function readLabels(given, classes) {
  given.forEach((label, i) => {
    if (!['string', 'boolean'].includes(typeof label) && !Number.isFinite(label))
      throw new TypeError(`response ${i} must be a class (a string, number or boolean), not ${show(label)}`);
  });
  const names = classes ?? [...new Set(given)].sort(byLevel).map(String);
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string') || new Set(names).size < names.length)
    throw new TypeError(`classes must be an array of distinct names, not ${show(names)}`);
  const indexOf = new Map(names.map((name, i) => [name, i]));
  const values = Float64Array.from(given, (label, i) => {
    const index = indexOf.get(String(label));
    if (index === undefined)
      throw new RangeError(`response ${i} must be one of the classes ${names.join(', ')}, not ${show(label)}`);
    return index;
  });
  return { kind: 'classification', classes: Object.freeze([...names]), outputs: names.length, single: false, values };
}

/**
 * @param {unknown[]} given
 * @param {unknown} classes
 * @returns {Responses}
 */
function readNumbers(given, classes) {
  if (classes !== undefined) throw new RangeError(`classes must not be given with kind 'regression'`);
  const single = typeof given[0] !== 'object';
  const outputs = single ? 1 : checkList(given[0], 'response 0', 'a number or an array of numbers');
  if (outputs === 0) throw new RangeError('response 0 must have at least one number, not none');
  const values = new Float64Array(given.length * outputs);
  given.forEach((response, i) => {
    const name = `response ${i}`;
    if (single) values[i] = checkNumber(response, name, RESPONSE);
    else values.set(checkNumbers(response, name, outputs, RESPONSE), i * outputs);
  });
  return { kind: 'regression', classes: undefined, outputs, single, values };
}

/**
 * @param {GrowOptions} options
 * @param {number} columnCount
 * @param {Kind} kind
 * @throws {TypeError | RangeError}
 */
export function readGrowth(options, columnCount, kind) {
  const { trees = 100, depth, minLeaf = 1, bootstrap = true, seed = 0, signal } = options;
  const { featuresPerSplit = kind === 'regression' ? 'third' : 'sqrt' } = options;
  checkSignal(signal);
  return {
    trees: checkCount(trees, 'trees', 1, 1e5),
    depth: depth === undefined ? 0 : checkCount(depth, 'depth', 1),
    minLeaf: checkCount(minLeaf, 'minLeaf', 1),
    features: readFeatureCount(featuresPerSplit, columnCount),
    bootstrap: checkFlag(bootstrap, 'bootstrap'),
    seed: checkCount(seed, 'seed', 0, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * @param {unknown} given
 * @param {number} columnCount
 */
function readFeatureCount(given, columnCount) {
  const atLeastOne = (/** @type {number} */ number) => Math.max(1, Math.floor(number));
  if (typeof given !== 'number') {
    const choice = checkChoice(given, 'featuresPerSplit', ['sqrt', 'third', 'all']);
    return atLeastOne([Math.sqrt(columnCount), columnCount / 3, columnCount][choice]);
  }
  if (given > 0 && given < 1) return atLeastOne(given * columnCount);
  return checkCount(given, 'featuresPerSplit', 1, columnCount);
}
