import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { newDataInstance } from '../core/load.js';
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';
import { checkTable } from './table.js';
import { encodeRows, GROW_OPTIONS, readGrowth, readResponses } from './forest-training.js';
import { growTrees, LEAF, PlantedTrees } from './trees.js';

/**
 * @typedef {import('./table.js').Table} Table
 * @typedef {import('./trees.js').Trees} Trees
 * @typedef {import('./forest-training.js').Kind} Kind
 */

/**
 * @typedef {import('./forest-training.js').GrowOptions & { table?: Table | Promise<Table> }} ForestOptions
 *   table: from `describeTable`, where some columns are levels
 */

/**
 * Rows for a forest: arrays of numbers (of levels in the categorical columns of its `table`), or a batch of `explainRow`.
 *
 * @typedef {ArrayLike<ArrayLike<unknown>> | { data: ArrayLike<number>, shape: readonly number[] }} ForestRows
 */

/**
 * A trained forest. Nobody has to dispose of it.
 *
 * @template {number[] | number[][]} [Answers=number[] | number[][]]
 * @typedef {object} Forest
 * @property {Kind} kind
 * @property {readonly string[] | undefined} classes  of classification
 * @property {readonly number[]} importances  a column each: its share of the impurity that all splits remove
 * @property {(rows: ForestRows) => Answers} predict  the mean over the trees: a number a row; an array a row of
 *   classification (the share of each class), and where responses are arrays. What `explainRow` takes as its model.
 * @property {(rows: ForestRows) => Uint32Array[]} leaves  an array a row: the node in which it ends in each tree, counted
 *   from the root, what is left before what is right
 * @property {() => ForestJSON} toJSON  plain data for `forestFromJSON`, to be stored or posted to another thread
 */

/**
 * @typedef {object} ForestJSON
 * @property {Kind} kind
 * @property {readonly string[] | null} classes
 * @property {Table | null} table
 * @property {boolean} single  whether an answer is a number, not an array
 * @property {TreesJSON} trees
 */

/** @typedef {{ kind: 'classification' } | { classes: readonly string[] }} Named  options that make numbers classes */

/** @typedef {{ [K in keyof Trees]: Trees[K] extends number ? number : number[] }} TreesJSON  feature -1 is a leaf */

/** @type {WeakMap<object, PlantedTrees>} */
const plantedTrees = new WeakMap();

/**
 * Trains a random forest (CART by variance or Gini impurity), in WebAssembly; the page stays free meanwhile. Categorical
 * columns of a `table` are split by the order of their levels, a missing value last.
 *
 * @template R
 * @template {ForestOptions} [O=ForestOptions]
 * @param {ArrayLike<ArrayLike<unknown>>} rows
 * @param {ArrayLike<R>} responses  a row each: a number, an array of numbers (the same trees then answer several
 *   questions), or a class
 * @param {O} [options]
 * @returns {Promise<Forest<R extends number ? O extends Named ? number[][] : number[] : number[][]>>}
 * @throws {TypeError | RangeError} for a bad call, naming the row and the column
 * @throws {import('../core/errors.js').LinexError} `'memory'`
 */
export async function trainForest(rows, responses, options = /** @type {O} */ ({})) {
  checkNames(options, [...GROW_OPTIONS, 'table'], 'trainForest');
  const given = await options.table;
  const table = given === undefined ? null : checkTable(given, 'trainForest');
  const width = table?.columns.length ?? checkCount(rows?.[0]?.length, 'the number of columns of row 0', 1);
  const encoded = encodeRows(rows, width, table);
  const answers = readResponses(responses, rows.length, options);
  const growth = readGrowth(options, width, answers.kind);
  const trees = await growTrees(encoded, width, answers, growth, options.signal);
  return plant({ ...answers, table, trees });
}

/**
 * A forest from what its `toJSON` gave, perhaps by way of JSON or another thread. It answers with the same bits.
 *
 * @param {ForestJSON | string} given  that, or `JSON.stringify(forest)`
 * @returns {Promise<Forest>}
 * @throws {TypeError | RangeError} if it is none
 */
export async function forestFromJSON(given) {
  const json = typeof given === 'string' ? parse(given) : given;
  const { kind, classes, table, single } = /** @type {any} */ (json ?? {});
  const trees = treesFromJSON(json);
  checkChoice(kind, 'kind', ['regression', 'classification']);
  const fit =
    (!table || checkTable(table, 'forestFromJSON').columns.length === trees.width) &&
    (!classes || classes.length === trees.outputs) &&
    (!single || trees.outputs === 1);
  if (!fit) throw new RangeError('forestFromJSON was given a forest whose parts do not fit together');
  return plant({ kind, classes: classes ?? undefined, table: table ?? null, single, trees });
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`forestFromJSON takes what a forest's toJSON gave, or that as JSON, not ${show(text)}`, {
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
  const lists = ['roots', 'features', 'thresholds', 'rights', 'gains', 'values'];
  if (!lists.every((name) => Array.isArray(trees?.[name]) && trees[name].every(Number.isFinite)))
    throw new TypeError(`forestFromJSON takes what a forest's toJSON gave, not ${show(json)}`);
  checkCount(trees.width, 'trees.width', 1);
  checkCount(trees.outputs, 'trees.outputs', 1);
  const one = (/** @type {string} */ name) => trees[name].length === trees.features.length;
  if (!['thresholds', 'rights', 'gains'].every(one) || trees.values.length % trees.outputs !== 0)
    throw new RangeError('forestFromJSON was given trees whose parts do not fit together');
  const features = Uint32Array.from(trees.features, (/** @type {number} */ column) => (column === -1 ? LEAF : column));
  return { ...trees, features };
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
async function plant({ kind, classes, table, single, trees: { width, outputs, ...lists } }) {
  const planted = new PlantedTrees(await newDataInstance(), { width, outputs, ...lists });
  const forest = freeze({
    kind,
    classes,
    importances: planted.scores().importances,
    predict(/** @type {ForestRows} */ rows) {
      const answers = planted.predict(readBatch(rows, width, table));
      return single ? [...answers] : rowsOf(answers, outputs).map((answer) => [...answer]);
    },
    leaves(/** @type {ForestRows} */ rows) {
      return rowsOf(planted.apply(readBatch(rows, width, table)), planted.trees);
    },
    toJSON() {
      return { kind, classes: classes ?? null, table, single, trees: asJSON(planted.read()) };
    },
  });
  plantedTrees.set(forest, planted);
  return forest;
}

/**
 * A forest's trees, in copies.
 *
 * @param {unknown} forest
 * @returns {Trees}
 * @throws {TypeError} unless it is one
 */
export function treesOf(forest) {
  const planted = plantedTrees.get(/** @type {object} */ (forest ?? {}));
  if (!planted) throw new TypeError(`forest must come from trainForest or forestFromJSON, not ${show(forest)}`);
  return planted.read();
}

/**
 * @template {Float64Array | Uint32Array} A
 * @param {A} values
 * @param {number} width
 * @returns {A[]}  views
 */
function rowsOf(values, width) {
  const view = (/** @type {number} */ i) => /** @type {A} */ (values.subarray(i * width, (i + 1) * width));
  return Array.from({ length: values.length / width }, (_, i) => view(i));
}

/**
 * @param {Trees} trees
 * @returns {TreesJSON}
 */
function asJSON({ width, outputs, roots, features, thresholds, rights, gains, values }) {
  return {
    width,
    outputs,
    roots: [...roots],
    features: Array.from(features, (one) => (one === LEAF ? -1 : one)),
    thresholds: [...thresholds],
    rights: [...rights],
    gains: [...gains],
    values: [...values],
  };
}

/**
 * @param {any} rows
 * @param {number} width
 * @param {Table | null} table
 * @returns {Float64Array}
 */
function readBatch(rows, width, table) {
  if (rows?.data === undefined) return encodeRows(rows, width, table);
  const { data, shape } = rows;
  if (shape?.length !== 2 || shape[1] !== width || data.length !== shape[0] * width)
    throw new RangeError(`a batch for this forest has the shape [rows, ${width}], not ${show(shape)}`);
  return Float64Array.from(data);
}
