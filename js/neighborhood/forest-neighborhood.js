// Finds the training rows that share a row's leaves in a forest, as MAPLE does.
import { TRAINING } from '../core/border.js';
import { checkList } from '../core/check-lists.js';
import { checkNames, checkNumber } from '../core/check-options.js';
import { LinexError, show } from '../core/errors.js';
import { breathe, inPieces } from '../core/event-loop.js';
import { freeze } from '../core/freeze.js';
import { newDataInstance } from '../core/load.js';
import { Scope, withScope, withScopeAsync } from '../core/memory.js';
import { runTask } from '../core/run-task.js';
import { GROW_OPTIONS, readGrowth, readResponses } from '../data/forest-training.js';
import { treesOf } from '../data/forest.js';
import { checkPlainTable } from '../data/check-table.js';
import { flattenTable, putTable, trainingRowsOf } from '../data/table.js';
import { growTrees, ForestTrees } from '../data/trees.js';
import { encodeNamedRow, encodeRow, RowBatch } from './row-neighborhood.js';
import { seededRandom } from './drawn-samples.js';

/**
 * @typedef {import('../core/border.js').Indices} Indices
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {ArrayLike<ArrayLike<unknown>>} Rows
 */

/**
 * @typedef {object} LeafOptions
 * @property {Rows} [rows]  the training rows; default: those that the table was made from. A table from JSON does not have
 *   them
 * @property {number | { rows: Rows, responses: ArrayLike<unknown> }} [validation]  the rows that choose the number of
 *   features: your own, or a share of the training rows, which are then held out (at most 500); default 0.2. With 0, all
 *   features are kept
 * @property {import('../data/forest.js').Forest} [forest]  a forest that was grown on such rows with this table; it replaces
 *   growing a new one
 */

/**
 * @typedef {import('../data/forest-training.js').GrowOptions & LeafOptions} ForestNeighborhoodOptions
 *   with MAPLE's defaults: `trees` 200, `minLeaf` 10, `featuresPerSplit` 0.5
 */

/**
 * The training rows near a row, as a forest sees them: those that share its leaves.
 *
 * @typedef {object} ForestNeighborhood
 * @property {'row'} kind
 * @property {(center: ArrayLike<unknown>, count: number) => { samples: ArrayLike<unknown>[], weights: number[], inputWeight: 0 }}
 *   sample  returns at most `count` training rows, the heaviest first, rows of equal weight in their order. The mean of
 *   their weights is 1, so that the ridge does not outweigh them
 * @property {(row: ArrayLike<unknown>) => Float64Array} weigh  returns the weight of each training row: the mean over the trees
 *   of 1 / (rows in the leaf) if it shares the leaf, 0 if not. The weights sum to 1. Held-out rows have weight 0
 * @property {readonly number[]} features  the columns that MAPLE keeps, the most important first
 * @property {readonly number[]} scores  for each column, the impurity that first splits on it remove
 */

/** The ridge of MAPLE's local fits. */
export const MAPLE_RIDGE = 0.001;
const MAX_HELD_OUT = 500;
const OPTIONS = Object.freeze([...GROW_OPTIONS, 'rows', 'validation', 'forest']);

/** The leaf index of each neighborhood, for `method: 'maple'`. @type {WeakMap<object, LeafIndex>} */
const leafIndexes = new WeakMap();

/**
 * Returns the leaf index of a neighborhood.
 *
 * @param {unknown} neighborhood
 * @returns {LeafIndex}
 * @throws {TypeError} if it does not come from `forestNeighborhood`
 */
export function leafIndexOf(neighborhood) {
  const leafIndex = leafIndexes.get(/** @type {object} */ (neighborhood ?? {}));
  if (leafIndex) return leafIndex;
  throw new TypeError(`method 'maple' needs a neighborhood from forestNeighborhood, not ${show(neighborhood)}`);
}

/**
 * Makes MAPLE's neighborhood (Plumb, Molitor, Talwalkar 2018): a forest is grown on the training rows, and the rows in the
 * same leaves as the input are its neighbors. For the option `neighborhood` of `explainRow`, with any method; with
 * `method: 'maple'`, the explanation is MAPLE's.
 *
 * @param {Table | Promise<Table>} table  from `describeTable`
 * @param {ArrayLike<unknown>} responses  one per training row: the model's answers (numbers, or arrays of scores), or what
 *   the model was trained on (numbers or classes)
 * @param {ForestNeighborhoodOptions} [options]
 * @returns {Promise<ForestNeighborhood>}
 * @throws {TypeError | RangeError} for a bad call
 */
export async function forestNeighborhood(table, responses, options = {}) {
  const caller = 'forestNeighborhood';
  checkNames(options, OPTIONS, caller);
  const known = checkPlainTable(await table, caller, 'a table');
  const rows = trainingRowsOf(known, options.rows, caller);
  const all = encodeAll(rows, known);
  const answers = readResponses(responses, all.length, options);
  const growOptions = { trees: 200, minLeaf: 10, featuresPerSplit: 0.5, ...options };
  const growth = readGrowth(growOptions, known.columns.length, answers.kind);
  const { kept, held } = holdOut(all, answers, options, known, growth.seed);
  const trees =
    options.forest === undefined
      ? await growTrees(codesOf(kept.rows, known), known.columns.length, kept, growth, options.signal)
      : fittingTrees(options.forest, known.columns.length, answers.outputs);
  const leafIndex = await LeafIndex.open(new ForestTrees(await newDataInstance(), trees), known, kept, options.signal);
  await leafIndex.chooseFeatures(held, options.signal);
  const neighborhood = freeze({
    kind: /** @type {const} */ ('row'),
    features: leafIndex.features,
    scores: leafIndex.scores,
    weigh(/** @type {ArrayLike<unknown>} */ row) {
      const weights = new Float64Array(all.length);
      leafIndex.weigh(encodeRow(row, known)).forEach((weight, i) => (weights[kept.indices[i]] = weight));
      return weights;
    },
    sample(/** @type {ArrayLike<unknown>} */ center, /** @type {number} */ count) {
      const weights = leafIndex.weigh(encodeRow(center, known));
      const nearest = heaviest(weights, count);
      if (nearest.length < 2)
        throw new LinexError('neighborhood', 'only one training row shares a leaf with the row; set a larger minLeaf');
      const mean = nearest.reduce((sum, i) => sum + weights[i], 0) / nearest.length;
      return {
        samples: nearest.map((i) => rows[kept.indices[i]]),
        weights: nearest.map((i) => weights[i] / mean),
        inputWeight: /** @type {const} */ (0),
      };
    },
  });
  leafIndexes.set(neighborhood, leafIndex);
  return neighborhood;
}

/**
 * Returns the indices of the largest weights above 0, the largest first.
 *
 * @param {Float64Array} weights
 * @param {number} count  the most indices
 * @returns {number[]}
 */
export function heaviest(weights, count) {
  const order = [...weights.keys()].filter((i) => weights[i] > 0);
  return order.sort((a, b) => weights[b] - weights[a] || a - b).slice(0, count);
}

/**
 * @param {Rows} rows
 * @param {Table} table
 */
function encodeAll(rows, table) {
  const length = checkList(rows, 'rows', 'an array of rows');
  const view = { discretize: false, raw: false };
  return Array.from({ length }, (_, i) => encodeNamedRow(rows[i], table, `row ${i}`, view));
}

/**
 * Encodes rows for a forest, which gets the same codes as the model.
 *
 * @param {Float64Array} rows  encoded
 * @param {Table} table
 */
function codesOf(rows, table) {
  return /** @type {Float64Array} */ (new RowBatch(table, rows).data);
}

/**
 * @param {unknown} forest
 * @param {number} columnCount
 * @param {number} outputs
 */
function fittingTrees(forest, columnCount, outputs) {
  const trees = treesOf(forest);
  if (trees.columns === columnCount && trees.outputs === outputs) return trees;
  throw new RangeError(
    `forest must have ${columnCount} columns and ${outputs} outputs, not ${trees.columns} and ${trees.outputs}`,
  );
}

/**
 * Rows with their responses.
 *
 * @typedef {import('../data/forest-training.js').Responses & { rows: Float64Array, indices: number[] }} Answered
 *   indices: for each row, its index among the given rows
 */

/**
 * Splits the rows into those that are kept for training and those that are held out for validation.
 *
 * @param {Float64Array[]} all
 * @param {import('../data/forest-training.js').Responses} answers
 * @param {ForestNeighborhoodOptions} options
 * @param {Table} table
 * @param {number} seed
 * @returns {{ kept: Answered, held: Answered }}
 */
function holdOut(all, answers, { validation = 0.2 }, table, seed) {
  const indices = [...all.keys()];
  if (typeof validation === 'object' && validation !== null) {
    checkNames(validation, ['rows', 'responses'], 'validation');
    if (!(validation.rows?.length > 0))
      throw new RangeError(`validation.rows must be an array of rows, not ${show(validation.rows)}`);
    const rows = encodeAll(validation.rows, table);
    const { kind, classes, outputs } = answers;
    const own = readResponses(validation.responses, rows.length, { kind, classes });
    if (own.outputs !== outputs)
      throw new RangeError(`validation.responses must have ${outputs} numbers each like responses, not ${own.outputs}`);
    return { kept: pick(all, answers, indices), held: pick(rows, own, [...rows.keys()]) };
  }
  const share = checkNumber(validation, 'validation', { least: 0, most: 0.9 });
  const count = Math.min(MAX_HELD_OUT, Math.floor(share * all.length));
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const drawn = i + Math.floor(random() * (indices.length - i));
    [indices[i], indices[drawn]] = [indices[drawn], indices[i]];
  }
  const inOrder = (/** @type {number[]} */ some) => some.sort((a, b) => a - b);
  return {
    kept: pick(all, answers, inOrder(indices.slice(count))),
    held: pick(all, answers, inOrder(indices.slice(0, count))),
  };
}

/**
 * @param {Float64Array[]} rows
 * @param {import('../data/forest-training.js').Responses} answers
 * @param {number[]} indices
 * @returns {Answered}
 */
function pick(rows, answers, indices) {
  const valuesPerRow = answers.values.length / rows.length;
  const columnCount = rows[0].length;
  const values = new Float64Array(indices.length * valuesPerRow);
  const picked = new Float64Array(indices.length * columnCount);
  indices.forEach((index, i) => {
    picked.set(rows[index], i * columnCount);
    values.set(answers.values.subarray(index * valuesPerRow, (index + 1) * valuesPerRow), i * valuesPerRow);
  });
  return { ...answers, rows: picked, indices, values };
}

/**
 * Returns responses as numbers: for a class, 1 at its index and 0 elsewhere.
 *
 * @param {Answered} answered
 * @returns {Float64Array}  `outputs` per row
 */
function numbersOf({ kind, outputs, values }) {
  if (kind === 'regression') return values;
  const numbers = new Float64Array(values.length * outputs);
  values.forEach((label, i) => (numbers[i * outputs + label] = 1));
  return numbers;
}

/** The training rows and their leaves in each tree, in the WebAssembly instance of the trees. */
class LeafIndex {
  #scope;
  #trees;
  #rowsAt;
  #leavesAt;
  #sortedAt;
  #responsesAt;

  /**
   * @param {ForestTrees} trees
   * @param {Table} table
   * @param {Answered} answered
   * @param {AbortSignal} [signal]
   */
  static async open(trees, table, answered, signal) {
    const scope = new Scope(trees.core);
    const leaves = await trees.findLeavesInPieces(scope, codesOf(answered.rows, table), signal);
    const count = answered.indices.length;
    const sorted = scope.indices(trees.treeCount * count);
    const sort = (/** @type {number} */ tree) => {
      const [from, into] = [leaves, sorted].map((address) => /** @type {Indices} */ (address + 4 * tree * count));
      scope.check(trees.core.linex_leaves_sort(1, count, from, into));
    };
    await inPieces(trees.treeCount, 1, sort, signal);
    return new LeafIndex(scope, trees, table, answered, { leaves, sorted });
  }

  /**
   * @param {Scope} scope
   * @param {ForestTrees} trees
   * @param {Table} table
   * @param {Answered} answered
   * @param {{ leaves: Indices, sorted: Indices }} found  for each tree, the leaf of each row, and the rows by leaf
   */
  constructor(scope, trees, table, answered, { leaves, sorted }) {
    this.#scope = scope;
    this.#trees = trees;
    this.table = table;
    this.#rowsAt = scope.putDoubles(answered.rows);
    this.#leavesAt = leaves;
    this.#sortedAt = sorted;
    /** The responses as numbers, `outputs` per row. */
    this.responses = numbersOf(answered);
    this.#responsesAt = scope.putDoubles(this.responses);
    this.rows = answered.rows;
    this.treeCount = trees.treeCount;
    this.outputs = trees.outputs;
    this.classes = answered.classes;
    this.scores = trees.scores().roots;
    const order = this.scores.map((_, c) => c).sort((a, b) => this.scores[b] - this.scores[a] || a - b);
    /** The columns that MAPLE keeps, the most important first. */
    this.features = order;
  }

  /**
   * Returns the weight of each training row for an input.
   *
   * @param {Float64Array} row  encoded
   * @returns {Float64Array}
   */
  weigh(row) {
    const count = this.rows.length / row.length;
    return withScope(this.#trees.core, (scope) => scope.getDoubles(this.#weighInto(scope, row), count));
  }

  /**
   * @param {Scope} scope
   * @param {Float64Array} row
   */
  #weighInto(scope, row) {
    const count = this.rows.length / row.length;
    const [weights, at] = [scope.doubles(count), this.#trees.findLeaves(scope, codesOf(row, this.table))];
    const { core } = this.#trees;
    scope.check(core.linex_leaves_weigh(this.treeCount, count, this.#leavesAt, this.#sortedAt, at, weights));
    return weights;
  }

  /**
   * Keeps the number of features with which local fits around the held-out rows have the smallest error.
   *
   * @param {Answered} held
   * @param {AbortSignal} [signal]
   */
  async chooseFeatures(held, signal) {
    const columnCount = this.features.length;
    const errors = this.#scope.putDoubles(new Float64Array(columnCount));
    const responses = numbersOf(held);
    for (let i = 0; i < held.indices.length; i++) {
      signal?.throwIfAborted();
      const response = responses.subarray(i * this.outputs, (i + 1) * this.outputs);
      await this.#addErrors(held.rows.subarray(i * columnCount, (i + 1) * columnCount), response, errors, signal);
      await breathe();
    }
    const sums = this.#scope.getDoubles(errors, columnCount);
    if (held.indices.length > 0) this.features = this.features.slice(0, sums.indexOf(Math.min(...sums)) + 1);
  }

  /**
   * @param {Float64Array} row
   * @param {Float64Array} response
   * @param {import('../core/border.js').Doubles} errors
   * @param {AbortSignal} [signal]
   */
  #addErrors(row, response, errors, signal) {
    return withScopeAsync(this.#trees.core, async (scope) => {
      const training = scope.putRecord(TRAINING, {
        count: this.rows.length / row.length,
        rows: this.#rowsAt,
        outputs: this.outputs,
        responses: this.#responsesAt,
        weights: this.#weighInto(scope, row),
      });
      const table = putTable(scope, flattenTable(this.table));
      const [rowAt, responseAt, order] = [
        scope.putDoubles(row),
        scope.putDoubles(response),
        scope.putIndices(this.features),
      ];
      // MAPLE sums the weights over the trees, but these are means.
      const ridge = MAPLE_RIDGE / this.treeCount;
      const start = scope.core.linex_wasm_maple_start;
      const add = (/** @type {Indices} */ task) =>
        start(table, training, rowAt, responseAt, order, ridge, errors, task);
      await runTask(scope, add, { signal });
    });
  }
}
