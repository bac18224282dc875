// Grows decision trees in WebAssembly, and asks grown trees for predictions, leaves and scores.
import { FOREST_SETTINGS, TREES } from '../core/border.js';
import { breathe, inPieces } from '../core/event-loop.js';
import { newDataInstance } from '../core/load.js';
import { Scope, withScope } from '../core/memory.js';
import { runTask } from '../core/run-task.js';

/**
 * Grown trees, one after the other, each in preorder: the left child of node i is node i + 1.
 *
 * @typedef {object} Trees
 * @property {number} columns  how many columns a row has
 * @property {number} outputs  how many numbers an answer has
 * @property {Iterable<number> & ArrayLike<number>} roots  one per tree: the index of its root
 * @property {Iterable<number> & ArrayLike<number>} features  one per node: the column of the split, or `LEAF`
 * @property {Iterable<number> & ArrayLike<number>} thresholds  one per node: values up to this go left
 * @property {Iterable<number> & ArrayLike<number>} rights  one per node: the right child; for a leaf, its index in `values`
 * @property {Iterable<number> & ArrayLike<number>} gains  one per node: the impurity that the split removes
 * @property {Iterable<number> & ArrayLike<number>} values  `outputs` per leaf
 */

/** @typedef {import('../core/border.js').Indices} Indices */

/** The feature of a leaf: LINEX_LEAF in C. */
export const LEAF = 2 ** 32 - 1;

/**
 * @typedef {object} Growth
 * @property {number} trees
 * @property {number} depth  0 for no limit
 * @property {number} minLeaf
 * @property {number} features  how many columns are tried at each split
 * @property {boolean} bootstrap
 * @property {number} seed
 */

/**
 * Grows trees in an instance of its own, so that the memory of training is freed.
 *
 * @param {Float64Array} rows  one after the other
 * @param {number} columnCount
 * @param {import('./forest-training.js').Responses} responses
 * @param {Growth} growth
 * @param {AbortSignal} [signal]
 * @returns {Promise<Trees>}
 */
export async function growTrees(rows, columnCount, { kind, outputs, values }, growth, signal) {
  const core = await newDataInstance();
  const scope = new Scope(core);
  const handle = scope.indices(1);
  const settings = scope.putRecord(FOREST_SETTINGS, {
    ...growth,
    classes: kind === 'classification' ? outputs : 0,
    outputs,
  });
  const [rowsAt, responsesAt] = [scope.putDoubles(rows), scope.putDoubles(values)];
  const count = rows.length / columnCount;
  const start = core.linex_wasm_forest_start;
  signal?.throwIfAborted();
  await runTask(scope, (task) => start(count, columnCount, rowsAt, responsesAt, settings, handle, task), { signal });
  const forest = /** @type {import('../core/border.js').ForestHandle} */ (scope.getIndices(handle, 1)[0]);
  for (let i = 0; i < growth.trees; i++) {
    signal?.throwIfAborted();
    await runTask(scope, (task) => core.linex_forest_grow_start(forest, 1, task), { signal });
    await breathe();
  }
  signal?.throwIfAborted();
  const record = scope.doubles(TREES.length);
  core.linex_wasm_forest_trees(forest, record);
  return copyTrees(scope, record);
}

/**
 * @param {Scope} scope
 * @param {import('../core/border.js').Doubles} record
 * @returns {Trees}
 */
function copyTrees(scope, record) {
  const found = scope.readRecord(TREES, record);
  const { columns, outputs, trees, nodes, leaves } = found;
  return {
    columns,
    outputs,
    roots: scope.getIndices(found.roots, trees),
    features: scope.getIndices(found.features, nodes),
    thresholds: scope.getDoubles(found.thresholds, nodes),
    rights: scope.getIndices(found.rights, nodes),
    gains: scope.getDoubles(found.gains, nodes),
    values: scope.getDoubles(found.values, leaves * outputs),
  };
}

/**
 * Trees in a WebAssembly instance of their own. Their memory is freed when the instance is garbage-collected.
 */
export class ForestTrees {
  /** The record of the trees. */
  #record;

  /**
   * @param {import('../core/load.js').Core} core  not used by anything else
   * @param {Trees} trees
   * @throws {RangeError} if they are not trees
   */
  constructor(core, { columns, outputs, roots, features, thresholds, rights, gains, values }) {
    this.core = core;
    this.columns = columns;
    this.outputs = outputs;
    this.treeCount = roots.length;
    const scope = new Scope(core);
    this.#record = scope.putRecord(TREES, {
      columns,
      outputs,
      trees: roots.length,
      nodes: features.length,
      leaves: values.length / outputs,
      roots: scope.putIndices(roots),
      features: scope.putIndices(features),
      thresholds: scope.putDoubles(thresholds),
      rights: scope.putIndices(rights),
      gains: scope.putDoubles(gains),
      values: scope.putDoubles(values),
    });
    if (core.linex_wasm_trees_check(this.#record) !== 0)
      throw new RangeError(`the ${roots.length} trees have a path that does not lead from a root to a leaf`);
  }

  /** Returns a copy of the trees. @returns {Trees} */
  read() {
    return copyTrees(new Scope(this.core), this.#record);
  }

  /**
   * @param {Float64Array} rows  one after the other
   * @returns {Float64Array}  `outputs` numbers per row
   */
  predict(rows) {
    const count = rows.length / this.columns;
    const length = count * this.outputs;
    return withScope(this.core, (scope) => {
      const [given, answers] = [scope.putDoubles(rows), scope.doubles(length)];
      scope.check(this.core.linex_wasm_trees_predict(this.#record, count, given, answers));
      return scope.getDoubles(answers, length);
    });
  }

  /**
   * Finds the leaf of each row in each tree.
   *
   * @param {Float64Array} rows
   * @returns {Uint32Array}  row after row, one index per tree
   */
  apply(rows) {
    const { treeCount } = this;
    const count = rows.length / this.columns;
    return withScope(this.core, (scope) => {
      const byTree = scope.getIndices(this.findLeaves(scope, rows), treeCount * count);
      return byTree.map((_, i) => byTree[(i % treeCount) * count + Math.floor(i / treeCount)]);
    });
  }

  /**
   * Finds the leaf of each row in each tree, in the order that C uses: tree after tree, one index per row.
   *
   * @param {Scope} scope  of this instance
   * @param {Float64Array} rows
   * @returns {import('../core/border.js').Indices}
   */
  findLeaves(scope, rows) {
    const count = rows.length / this.columns;
    const [leaves, given] = [scope.indices(this.treeCount * count), scope.putDoubles(rows)];
    scope.check(this.core.linex_wasm_trees_apply(this.#record, count, given, leaves));
    scope.free(given);
    return leaves;
  }

  /**
   * Does `findLeaves` tree by tree, without blocking the event loop.
   *
   * @param {Scope} scope
   * @param {Float64Array} rows
   * @param {AbortSignal} [signal]
   */
  async findLeavesInPieces(scope, rows, signal) {
    const { core } = this;
    const count = rows.length / this.columns;
    const [leaves, given] = [scope.indices(this.treeCount * count), scope.putDoubles(rows)];
    const all = scope.readRecord(TREES, this.#record);
    const findIn = (/** @type {number} */ tree) =>
      withScope(core, (inner) => {
        const [root, into] = [all.roots + 4 * tree, leaves + 4 * tree * count];
        const one = inner.putRecord(TREES, { ...all, trees: 1, roots: /** @type {Indices} */ (root) });
        inner.check(core.linex_wasm_trees_apply(one, count, given, /** @type {Indices} */ (into)));
      });
    await inPieces(this.treeCount, 1, findIn, signal);
    scope.free(given);
    return leaves;
  }

  /**
   * Scores the columns by the impurity that splits on them remove. `importances` are for all splits and sum to 1; `roots`
   * are for the first splits.
   */
  scores() {
    const { columns } = this;
    return withScope(this.core, (scope) => {
      const [importances, roots] = [scope.doubles(columns), scope.doubles(columns)];
      scope.check(this.core.linex_wasm_trees_scores(this.#record, importances, roots));
      return { importances: scope.listDoubles(importances, columns), roots: scope.listDoubles(roots, columns) };
    });
  }
}
