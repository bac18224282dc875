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
  const place = scope.indices(1);
  const status = core.linex_wasm_forest_new(
    ...[rows.length / width, width, scope.putDoubles(rows), scope.putDoubles(values)],
    ...[kind === 'classification' ? outputs : 0, outputs],
    ...[growth.depth, growth.minLeaf, growth.features, growth.bootstrap, growth.seed, place],
  );
  scope.check(status);
  const [forest] = scope.getIndices(place, 1);
  for (let i = 0; i < growth.trees; i++) {
    signal?.throwIfAborted();
    scope.check(core.linex_forest_grow(forest, 1));
    await breathe();
  }
  signal?.throwIfAborted();
  return readForest(scope, forest, width, outputs);
}

/**
 * @param {Scope} scope
 * @param {number} forest  its address
 * @param {number} width
 * @param {number} outputs
 * @returns {Trees}
 */
function readForest(scope, forest, width, outputs) {
  const [sizes, places] = [scope.indices(3), scope.indices(6)];
  scope.core.linex_wasm_forest_sizes(forest, sizes);
  scope.core.linex_wasm_forest_places(forest, places);
  const [trees, nodes, leaves] = scope.getIndices(sizes, 3);
  return copyTrees(scope, { width, outputs, trees, nodes, leaves }, scope.getIndices(places, 6));
}

/**
 * @param {Scope} scope
 * @param {{ width: number, outputs: number, trees: number, nodes: number, leaves: number }} sizes
 * @param {Iterable<number>} places  in the order of `Trees`
 * @returns {Trees}
 */
function copyTrees(scope, { width, outputs, trees, nodes, leaves }, places) {
  const [rootsAt, featuresAt, thresholdsAt, rightsAt, gainsAt, valuesAt] = places;
  return {
    width,
    outputs,
    roots: scope.getIndices(rootsAt, trees),
    features: scope.getIndices(featuresAt, nodes),
    thresholds: scope.getDoubles(thresholdsAt, nodes),
    rights: scope.getIndices(rightsAt, nodes),
    gains: scope.getDoubles(gainsAt, nodes),
    values: scope.getDoubles(valuesAt, leaves * outputs),
  };
}

/**
 * Trees that live in an instance of their own, ready to be asked. Nobody has to free them: the instance goes when nobody
 * refers to it any more.
 */
export class PlantedTrees {
  #spec;

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
    this.#spec = [
      ...[width, outputs, roots.length, features.length, values.length / outputs],
      ...[scope.putIndices(roots), scope.putIndices(features), scope.putDoubles(thresholds)],
      ...[scope.putIndices(rights), scope.putDoubles(gains), scope.putDoubles(values)],
    ];
    if (core.linex_wasm_trees_check(...this.#spec) !== 0)
      throw new RangeError(`these ${roots.length} trees have ways that do not lead from a root to a leaf`);
  }

  /** @returns {Trees}  copies */
  read() {
    const [width, outputs, trees, nodes, leaves, ...places] = this.#spec;
    return copyTrees(new Scope(this.core), { width, outputs, trees, nodes, leaves }, places);
  }

  /**
   * @param {Float64Array} rows  one after the other
   * @returns {Float64Array}  `outputs` numbers a row
   */
  predict(rows) {
    const length = (rows.length / this.width) * this.outputs;
    return withScope(this.core, (scope) => {
      const [given, answers] = [scope.putDoubles(rows), scope.doubles(length)];
      scope.check(this.core.linex_wasm_trees_predict(...this.#spec, rows.length / this.width, given, answers));
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
   * @returns {number}  an address
   */
  place(scope, rows) {
    const count = rows.length / this.width;
    const [leaves, given] = [scope.indices(this.trees * count), scope.putDoubles(rows)];
    scope.check(this.core.linex_wasm_trees_apply(...this.#spec, count, given, leaves));
    scope.free(given);
    return leaves;
  }

  /** What the columns are worth: over all splits, as shares of one, and at the roots alone. */
  scores() {
    const { width } = this;
    return withScope(this.core, (scope) => {
      const [importances, roots] = [scope.doubles(width), scope.doubles(width)];
      scope.check(this.core.linex_wasm_trees_scores(...this.#spec, importances, roots));
      return { importances: [...scope.getDoubles(importances, width)], roots: [...scope.getDoubles(roots, width)] };
    });
  }
}
