// Trains random forests, and turns them into JSON and back.
import { checkList, checkNumbers } from '../core/check-lists.js';
import { checkChoice, checkCount, checkFlag, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { newDataInstance } from '../core/load.js';
import { encodeRows, GROW_OPTIONS, readGrowth, readResponses, RESPONSE } from './forest-training.js';
import { checkTable } from './check-table.js';
import { ForestTrees, growTrees, LEAF } from './trees.js';

/**
 * @typedef {import('./table.js').Table} Table
 * @typedef {import('./trees.js').Trees} Trees
 * @typedef {import('./forest-training.js').Kind} Kind
 */

/**
 * @typedef {import('./forest-training.js').GrowOptions & { table?: Table | Promise<Table> }} ForestOptions
 *   table: from `describeTable`; needed if some columns are categorical
 */

/**
 * Rows for a forest: arrays of numbers (levels in the categorical columns of its `table`), or a batch from `explainRow`.
 *
 * @typedef {ArrayLike<ArrayLike<unknown>> | { data: ArrayLike<number>, shape: readonly number[] }} ForestRows
 */

/**
 * A trained forest. Its memory is freed when the forest is garbage-collected.
 *
 * @template {number[] | number[][]} [Answers=number[] | number[][]]
 * @typedef {object} Forest
 * @property {Kind} kind
 * @property {readonly string[] | undefined} classes  for classification
 * @property {readonly number[]} importances  for each column, its share of the impurity that all splits remove
 * @property {(rows: ForestRows) => Answers} predict  returns the mean over the trees: one number per row, or one array
 *   per row for classification (the share of each class) and for responses that are arrays. `explainRow` takes it as a
 *   model
 * @property {(rows: ForestRows) => Uint32Array[]} leaves  returns one array per row: the index of its leaf in each tree.
 *   Nodes are counted in preorder: the root, its left branch, its right branch
 * @property {() => ForestJSON} toJSON  returns plain data for `forestFromJSON`, to store or to post to another thread
 */

/**
 * @typedef {object} ForestJSON
 * @property {Kind} kind
 * @property {readonly string[] | null} classes
 * @property {Table | null} table
 * @property {boolean} single  whether an answer is one number instead of an array
 * @property {TreesJSON} trees
 */

/** @typedef {{ kind: 'classification' } | { classes: readonly string[] }} Named  options that turn numbers into classes */

/** @typedef {{ [K in keyof Trees]: Trees[K] extends number ? number : number[] }} TreesJSON  feature -1 marks a leaf */

/** @type {WeakMap<object, ForestTrees>} */
const treesByForest = new WeakMap();

/**
 * Trains a random forest (CART by variance or Gini impurity) in WebAssembly. It gives way to the event loop between trees.
 * Categorical columns of a `table` are split by the order of their levels; missing values come last.
 *
 * @template R
 * @template {ForestOptions} [O=ForestOptions]
 * @param {ArrayLike<ArrayLike<unknown>>} rows
 * @param {ArrayLike<R>} responses  one per row: a number, an array of numbers (the same trees then predict all of
 *   them), or a class
 * @param {O} [options]
 * @returns {Promise<Forest<R extends number ? O extends Named ? number[][] : number[] : number[][]>>}
 * @throws {TypeError | RangeError} for a bad call, naming the row and the column
 * @throws {import('../core/errors.js').LinexError} `'memory'`
 */
export async function trainForest(rows, responses, options = /** @type {O} */ ({})) {
  checkNames(options, [...GROW_OPTIONS, 'table'], 'trainForest');
  const given = await options.table;
  const table = given === undefined ? null : checkTable(given, 'trainForest');
  const columnCount = table?.columns.length ?? checkList(rows?.[0], 'row 0', 'an array of numbers');
  checkCount(columnCount, 'the number of columns of row 0', 1);
  const encoded = encodeRows(rows, columnCount, table);
  const answers = readResponses(responses, rows.length, options);
  const growth = readGrowth(options, columnCount, answers.kind);
  const trees = await growTrees(encoded, columnCount, answers, growth, options.signal);
  return buildForest({ ...answers, table, trees });
}

/**
 * Builds a forest from the data that `toJSON` returned, in this thread or another. Its predictions are the same to the bit.
 *
 * @param {ForestJSON | string} given  the data, or `JSON.stringify(forest)`
 * @returns {Promise<Forest>}
 * @throws {TypeError | RangeError} if it is not a forest
 */
export async function forestFromJSON(given) {
  const json = typeof given === 'string' ? parse(given) : given;
  const { kind, classes, table, single } = /** @type {any} */ (json ?? {});
  const trees = treesFromJSON(json);
  const { columns, outputs } = trees;
  checkChoice(kind, 'kind', ['regression', 'classification']);
  if (checkFlag(single, 'single') && outputs !== 1)
    throw new RangeError(`single must be false for trees with ${outputs} outputs, not true`);
  const known = table ? checkTable(table, 'forestFromJSON', 'table') : null;
  if (known && known.columns.length !== columns)
    throw new RangeError(`table must have ${columns} columns like the trees, not ${known.columns.length}`);
  return buildForest({ kind, classes: readClasses(classes, outputs), table: known, single, trees });
}

/**
 * @param {any} classes
 * @param {number} outputs
 * @returns {readonly string[] | undefined}
 */
function readClasses(classes, outputs) {
  if (classes === null || classes === undefined) return undefined;
  const names = Array.isArray(classes) ? Array.from(classes) : [];
  if (names.length === outputs && names.every((name) => typeof name === 'string')) return Object.freeze(names);
  throw new TypeError(
    `classes must be an array of ${outputs} names, one per output of the trees, not ${show(classes)}`,
  );
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`forestFromJSON takes the data of a forest's toJSON, or its JSON text, not ${show(text)}`, {
      cause,
    });
  }
}

/**
 * @param {any} json
 * @returns {Trees}
 * @throws {TypeError | RangeError}
 */
function treesFromJSON(json) {
  const trees = json?.trees;
  if (typeof trees !== 'object' || trees === null)
    throw new TypeError(`forestFromJSON takes the data of a forest's toJSON, not ${show(json)}`);
  const columns = checkCount(trees.columns, 'trees.columns', 1);
  const outputs = checkCount(trees.outputs, 'trees.outputs', 1);
  const lengthOf = (/** @type {string} */ name) => checkList(trees[name], `trees.${name}`, 'an array of numbers');
  const nodes = lengthOf('features');
  const leaves = lengthOf('values') / outputs;
  if (!Number.isInteger(leaves))
    throw new RangeError(`trees.values must be an array of ${outputs} numbers per leaf, not ${show(trees.values)}`);
  const read = (
    /** @type {string} */ name,
    length = nodes,
    range = /** @type {{ least: number, most: number } | undefined} */ (undefined),
  ) => checkNumbers(trees[name], `trees.${name}`, length, range);
  const readWhole = (/** @type {string} */ name, length = nodes, range = { least: 0, most: LEAF }) => {
    const numbers = read(name, length, range);
    const bad = numbers.findIndex((number) => !Number.isInteger(number));
    if (bad >= 0) throw new RangeError(`trees.${name}[${bad}] must be a whole number, not ${numbers[bad]}`);
    return numbers;
  };
  return {
    ...{ columns, outputs },
    roots: readWhole('roots', lengthOf('roots')),
    features: readWhole('features', nodes, { least: -1, most: columns - 1 }).map((column) =>
      column === -1 ? LEAF : column,
    ),
    thresholds: read('thresholds'),
    rights: readWhole('rights'),
    gains: read('gains'),
    values: read('values', leaves * outputs, RESPONSE),
  };
}

/**
 * @param {object} forest
 * @param {Kind} forest.kind
 * @param {readonly string[]} [forest.classes]
 * @param {Table | null} forest.table
 * @param {boolean} forest.single
 * @param {Trees} forest.trees
 * @returns {Promise<Forest<any>>}
 */
async function buildForest({ kind, classes, table, single, trees }) {
  const { columns, outputs } = trees;
  const forestTrees = new ForestTrees(await newDataInstance(), trees);
  const forest = freeze({
    kind,
    classes,
    importances: forestTrees.scores().importances,
    predict(/** @type {ForestRows} */ rows) {
      const answers = forestTrees.predict(readBatch(rows, columns, table));
      return single ? [...answers] : splitRows(answers, outputs).map((answer) => [...answer]);
    },
    leaves(/** @type {ForestRows} */ rows) {
      return splitRows(forestTrees.apply(readBatch(rows, columns, table)), forestTrees.treeCount);
    },
    toJSON() {
      return { kind, classes: classes ?? null, table, single, trees: toPlainTrees(forestTrees.read()) };
    },
  });
  treesByForest.set(forest, forestTrees);
  return forest;
}

/**
 * Returns a copy of a forest's trees.
 *
 * @param {unknown} forest
 * @returns {Trees}
 * @throws {TypeError} if it is not a forest
 */
export function treesOf(forest) {
  const trees = treesByForest.get(/** @type {object} */ (forest ?? {}));
  if (!trees) throw new TypeError(`forest must come from trainForest or forestFromJSON, not ${show(forest)}`);
  return trees.read();
}

/**
 * @template {Float64Array | Uint32Array} A
 * @param {A} values
 * @param {number} columns
 * @returns {A[]}  views
 */
function splitRows(values, columns) {
  const view = (/** @type {number} */ i) => /** @type {A} */ (values.subarray(i * columns, (i + 1) * columns));
  return Array.from({ length: values.length / columns }, (_, i) => view(i));
}

/**
 * @param {Trees} trees
 * @returns {TreesJSON}
 */
function toPlainTrees({ columns, outputs, roots, features, thresholds, rights, gains, values }) {
  return {
    columns,
    outputs,
    roots: [...roots],
    features: Array.from(features, (feature) => (feature === LEAF ? -1 : feature)),
    thresholds: [...thresholds],
    rights: [...rights],
    gains: [...gains],
    values: [...values],
  };
}

/**
 * @param {any} rows
 * @param {number} columnCount
 * @param {Table | null} table
 * @returns {Float64Array}
 */
function readBatch(rows, columnCount, table) {
  if (rows?.data === undefined) return encodeRows(rows, columnCount, table);
  const { data, shape } = rows;
  if (shape?.length !== 2 || shape[1] !== columnCount)
    throw new RangeError(`a batch for this forest must have the shape [rows, ${columnCount}], not ${show(shape)}`);
  const length = shape[0] * columnCount;
  checkList(data, 'data', `an array of ${length} numbers, as its shape says`, length);
  const encoded = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    // NaN is allowed: it is the code of a missing level.
    if (typeof data[i] !== 'number') throw new TypeError(`data[${i}] must be a number, not ${show(data[i])}`);
    encoded[i] = data[i];
  }
  return encoded;
}
