import { FOREST_SETTINGS, TREES } from '../core/border.js';
import { newDataInstance } from '../core/load.js';
import { Scope, withScope } from '../core/memory.js';
import { breathe } from '../core/event-loop.js';

/**
 * Grown trees, one after the other, each in preorder: the left child of node i is node i + 1.
 *
 * @typedef {object} Trees
 * @property {number} width  columns of a row
 * @property {number} outputs  numbers of an answer
 * @property {Iterable<number> & ArrayLike<number>} roots  a tree each
 * @property {Iterable<number> & ArrayLike<number>} features  a node each: the column that is looked at, `LEAF` in a leaf
 * @property {Iterable<number> & ArrayLike<number>} thresholds  values up to this go left
 * @property {Iterable<number> & ArrayLike<number>} rights  the right child; in a leaf, its place in `values`
 * @property {Iterable<number> & ArrayLike<number>} gains  the impurity that the split removes
 * @property {Iterable<number> & ArrayLike<number>} values  `outputs` a leaf
 */

/** LINEX_LEAF */
export const LEAF = 2 ** 32 - 1;

/**
 * @typedef {object} Growth
 * @property {number} trees
 * @property {number} depth  0 for no limit
 * @property {number} minLeaf
 * @property {number} features  columns a split
 * @property {boolean} bootstrap
 * @property {number} seed
 */

/**
 * Grows trees, in an instance that ends with it: what training takes is given back.
 *
 * @param {Float64Array} rows  one after the other
 * @param {number} width
 * @param {import('./forest-training.js').Responses} responses
 * @param {Growth} growth
 * @param {AbortSignal} [signal]
 * @returns {Promise<Trees>}
 */
export async function growTrees(rows, width, { kind, outputs, values }, growth, signal) {
  const core = await newDataInstance();
  const scope = new Scope(core);
  const handle = scope.indices(1);
  const settings = scope.putRecord(FOREST_SETTINGS, {
    ...growth,
    classes: kind === 'classification' ? outputs : 0,
    outputs,
  });
  const [rowsAt, responsesAt] = [scope.putDoubles(rows), scope.putDoubles(values)];
  scope.check(core.linex_wasm_forest_new(rows.length / width, width, rowsAt, responsesAt, settings, handle));
  const forest = /** @type {import('../core/border.js').ForestHandle} */ (scope.getIndices(handle, 1)[0]);
  for (let i = 0; i < growth.trees; i++) {
    signal?.throwIfAborted();
    scope.check(core.linex_forest_grow(forest, 1));
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
  const found = /** @type {any} */ (scope.readRecord(TREES, record));
  const { columns, outputs, trees, nodes, leaves } = found;
  return {
    width: columns,
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
 * Trees that live in an instance of their own, ready to be asked. Nobody has to free them: the instance goes when nobody
 * refers to it any more.
 */
export class PlantedTrees {
  /** The trees' record. */
  #record;

  /**
   * @param {import('../core/load.js').Core} core  nobody else's
   * @param {Trees} trees
   * @throws {RangeError} unless they are trees
   */
  constructor(core, { width, outputs, roots, features, thresholds, rights, gains, values }) {
    this.core = core;
    this.width = width;
    this.outputs = outputs;
    this.trees = roots.length;
    const scope = new Scope(core);
    this.#record = scope.putRecord(TREES, {
      columns: width,
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
      throw new RangeError(`these ${roots.length} trees have paths that do not lead from a root to a leaf`);
  }

  /** @returns {Trees}  copies */
  read() {
    return copyTrees(new Scope(this.core), this.#record);
  }

  /**
   * @param {Float64Array} rows  one after the other
   * @returns {Float64Array}  `outputs` numbers a row
   */
  predict(rows) {
    const length = (rows.length / this.width) * this.outputs;
    return withScope(this.core, (scope) => {
      const [given, answers] = [scope.putDoubles(rows), scope.doubles(length)];
      scope.check(this.core.linex_wasm_trees_predict(this.#record, rows.length / this.width, given, answers));
      return scope.getDoubles(answers, length);
    });
  }

  /**
   * The node at which each row ends.
   *
   * @param {Float64Array} rows
   * @returns {Uint32Array}  row after row, a number a tree
   */
  apply(rows) {
    const { trees } = this;
    const count = rows.length / this.width;
    return withScope(this.core, (scope) => {
      const byTree = scope.getIndices(this.place(scope, rows), trees * count);
      return byTree.map((_, i) => byTree[(i % trees) * count + Math.floor(i / trees)]);
    });
  }

  /**
   * The same, for C: tree after tree, a number a row.
   *
   * @param {Scope} scope  of this instance
   * @param {Float64Array} rows
   * @returns {import('../core/border.js').Indices}
   */
  place(scope, rows) {
    const count = rows.length / this.width;
    const [leaves, given] = [scope.indices(this.trees * count), scope.putDoubles(rows)];
    scope.check(this.core.linex_wasm_trees_apply(this.#record, count, given, leaves));
    scope.free(given);
    return leaves;
  }

  /** What the columns are worth: over all splits, as shares of one, and at the roots alone. */
  scores() {
    const { width } = this;
    return withScope(this.core, (scope) => {
      const [importances, roots] = [scope.doubles(width), scope.doubles(width)];
      scope.check(this.core.linex_wasm_trees_scores(this.#record, importances, roots));
      return { importances: [...scope.getDoubles(importances, width)], roots: [...scope.getDoubles(roots, width)] };
    });
  }
}
