import { show } from '../core/errors.js';
import { checkChoice, checkCount, checkFlag, checkNumber } from '../core/check-options.js';
import { byLevel, levelIndex } from './table.js';

/**
 * @typedef {import('./table.js').Table} Table
 * @typedef {'regression' | 'classification'} Kind
 */

/**
 * How a forest is grown.
 *
 * @typedef {object} GrowOptions
 * @property {Kind} [kind]  default by the responses: classification where they are strings or booleans or `classes` is
 *   given, regression where they are numbers
 * @property {readonly string[]} [classes]  the classes' names, in the order of the answers; default all that occur, numbers
 *   by size, the rest by name
 * @property {number} [trees]  default 100
 * @property {number} [depth]  the most splits from the root to a leaf; default no limit
 * @property {number} [minLeaf]  the fewest rows in a leaf, copies in a bootstrap not counted; default 1
 * @property {'sqrt' | 'third' | 'all' | number} [featuresPerSplit]  how many columns are tried at a split: a whole number,
 *   or below 1 a share; default `'sqrt'` for classification, `'third'` for regression
 * @property {boolean} [bootstrap]  whether every tree sees its own draw of the rows; default true
 * @property {number} [seed]  default 0: the same call grows the same forest
 * @property {AbortSignal} [signal]
 */

export const GROW_OPTIONS = Object.freeze([
  ...['kind', 'classes', 'trees', 'depth', 'minLeaf', 'featuresPerSplit', 'bootstrap', 'seed', 'signal'],
]);

/** Beyond this the squares of numbers do not add up. */
const LARGEST = 1e100;

/**
 * Rows as trees see them: numbers, and in a table's categorical columns what the model is given for the level, NaN where
 * it misses.
 *
 * @param {ArrayLike<ArrayLike<unknown>>} rows
 * @param {number} width
 * @param {Table | null} table
 * @returns {Float64Array}
 * @throws {TypeError | RangeError} naming the row and the column
 */
export function encodeRows(rows, width, table) {
  if (typeof rows !== 'object' || !(rows?.length > 0))
    throw new RangeError(`a forest needs at least one row, not ${show(rows)}`);
  const encoded = new Float64Array(rows.length * width);
  for (let i = 0; i < rows.length; i++) {
    if (rows[i]?.length !== width || typeof rows[i] === 'string')
      throw new RangeError(`row ${i} must be an array of ${width} values, not ${show(rows[i])}`);
    for (let c = 0; c < width; c++) {
      const column = table?.columns[c];
      encoded[i * width + c] =
        column?.kind === 'categorical'
          ? (column.codes[levelIndex(column, rows[i][c])] ?? NaN)
          : checkValue(rows[i][c], i, show(column?.name ?? c));
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
  const hint = typeof value === 'string' ? '; options.table says which columns are levels' : '';
  throw new RangeError(`row ${row} has ${show(value)} in column ${column}, where a finite number is needed${hint}`);
}

/**
 * What the rows are to be answered with.
 *
 * @typedef {object} Responses
 * @property {Kind} kind
 * @property {readonly string[] | undefined} classes
 * @property {number} outputs  numbers of an answer
 * @property {boolean} single  whether an answer is a number, not an array
 * @property {Float64Array} values  `outputs` a row; of classification one a row, the class's number
 */

/**
 * @param {any} given
 * @param {number} count  rows
 * @param {GrowOptions} options
 * @returns {Responses}
 * @throws {TypeError | RangeError}
 */
export function readResponses(given, count, { kind, classes }) {
  if (typeof given !== 'object' || given?.length !== count)
    throw new RangeError(`responses must be ${count}, one a row, not ${show(given)}`);
  const all = Array.from(/** @type {ArrayLike<unknown>} */ (given));
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
      throw new TypeError(`response ${i} must be a class (a string, a number or a boolean), not ${show(label)}`);
  });
  const names = classes ?? [...new Set(given)].sort(byLevel).map(String);
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string') || new Set(names).size < names.length)
    throw new TypeError(`classes must be an array of names, each once, not ${show(names)}`);
  const places = new Map(names.map((name, i) => [name, i]));
  const values = Float64Array.from(given, (label, i) => {
    const place = places.get(String(label));
    if (place === undefined)
      throw new RangeError(`response ${i} is ${show(label)}, which is none of the classes ${names.join(', ')}`);
    return place;
  });
  return { kind: 'classification', classes: Object.freeze([...names]), outputs: names.length, single: false, values };
}

/**
 * @param {unknown[]} given
 * @param {unknown} classes
 * @returns {Responses}
 */
function readNumbers(given, classes) {
  if (classes !== undefined) throw new RangeError(`classes are for classification, not for kind 'regression'`);
  const single = typeof given[0] !== 'object';
  const outputs = single ? 1 : checkCount(/** @type {any} */ (given[0])?.length, 'the length of a response', 1);
  const values = new Float64Array(given.length * outputs);
  given.forEach((response, i) => {
    const numbers = /** @type {ArrayLike<unknown>} */ (single ? [response] : response);
    if (numbers?.length !== outputs)
      throw new RangeError(`response ${i} must be an array of ${outputs} numbers, not ${show(response)}`);
    for (let o = 0; o < outputs; o++)
      values[i * outputs + o] = checkNumber(numbers[o], `response ${i}`, { least: -LARGEST, most: LARGEST });
  });
  return { kind: 'regression', classes: undefined, outputs, single, values };
}

/**
 * @param {GrowOptions} options
 * @param {number} width  columns
 * @param {Kind} kind
 * @throws {TypeError | RangeError}
 */
export function readGrowth(options, width, kind) {
  const { trees = 100, depth, minLeaf = 1, bootstrap = true, seed = 0, signal } = options;
  const { featuresPerSplit = kind === 'regression' ? 'third' : 'sqrt' } = options;
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new TypeError(`signal must be an AbortSignal, not ${show(signal)}`);
  return {
    trees: checkCount(trees, 'trees', 1, 1e5),
    depth: depth === undefined ? 0 : checkCount(depth, 'depth', 1),
    minLeaf: checkCount(minLeaf, 'minLeaf', 1),
    features: featureCount(featuresPerSplit, width),
    bootstrap: checkFlag(bootstrap, 'bootstrap'),
    seed: checkCount(seed, 'seed', 0, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * @param {unknown} given
 * @param {number} width
 */
function featureCount(given, width) {
  const atLeastOne = (/** @type {number} */ number) => Math.max(1, Math.floor(number));
  if (typeof given !== 'number') {
    const choice = checkChoice(given, 'featuresPerSplit', ['sqrt', 'third', 'all']);
    return atLeastOne([Math.sqrt(width), width / 3, width][choice]);
  }
  if (given > 0 && given < 1) return atLeastOne(given * width);
  return checkCount(given, 'featuresPerSplit', 1, width);
}
