import { TRAINING } from '../core/border.js';
import { LinexError, show } from '../core/errors.js';
import { treesOf } from '../data/forest.js';
import { freeze } from '../core/freeze.js';
import { seededRandom } from './sampler.js';
import { newDataInstance } from '../core/load.js';
import { Scope, withScope } from '../core/memory.js';
import { encodeRow, RowBatch } from './row-neighborhood.js';
import { checkNames, checkNumber } from '../core/check-options.js';
import { checkTable, flattenTable, putTable, rowsOf } from '../data/table.js';
import { GROW_OPTIONS, readGrowth, readResponses } from '../data/forest-training.js';
import { growTrees, PlantedTrees } from '../data/trees.js';
import { breathe } from '../core/event-loop.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {ArrayLike<ArrayLike<unknown>>} Rows
 */

/**
 * @typedef {object} LeafOptions
 * @property {Rows} [rows]  the training rows; default those that the table was made from, which JSON does not carry
 * @property {number | { rows: Rows, responses: ArrayLike<unknown> }} [validation]  the rows on which the number of features
 *   is chosen: your own, or a share of the training rows, which are then held out, at most 500; default 0.2. With 0 all
 *   features are kept.
 * @property {import('../data/forest.js').Forest} [forest]  one that is grown already, on rows like these with this table, in place
 *   of a new one
 */

/**
 * @typedef {import('../data/forest-training.js').GrowOptions & LeafOptions} ForestNeighborhoodOptions
 *   as MAPLE has them: `trees` 200, `minLeaf` 10, `featuresPerSplit` 0.5
 */

/**
 * Training rows near a row, as a forest sees it: those that share its leaves.
 *
 * @typedef {object} ForestNeighborhood
 * @property {'row'} kind
 * @property {(center: ArrayLike<unknown>, count: number) => { samples: ArrayLike<unknown>[], weights: number[], inputWeight: 0 }}
 *   sample  at most `count` training rows, the heaviest first, of equal ones the earlier; their weights are 1 on
 *   the mean, so that a ridge does not drown them
 * @property {(row: ArrayLike<unknown>) => Float64Array} weigh  of each training row: the mean over the trees of 1 / (rows in
 *   the leaf) where it shares the leaf, 0 where it does not; they sum to 1. Rows that were held out have 0.
 * @property {readonly number[]} features  the columns that MAPLE keeps, the most important first
 * @property {readonly number[]} scores  a column each: the impurity that first splits on it remove
 */

/** MAPLE's, of its local fits. */
export const MAPLE_RIDGE = 0.001;
const MOST_HELD_OUT = 500;
const OPTIONS = Object.freeze([...GROW_OPTIONS, 'rows', 'validation', 'forest']);

/** What `method: 'maple'` knows of a neighborhood beyond what it shows. @type {WeakMap<object, Grove>} */
const groves = new WeakMap();

/**
 * @param {unknown} neighborhood
 * @returns {Grove}
 * @throws {TypeError} unless it comes from `forestNeighborhood`
 */
export function groveOf(neighborhood) {
  const grove = groves.get(/** @type {object} */ (neighborhood ?? {}));
  if (grove) return grove;
  throw new TypeError(`method 'maple' needs a neighborhood from forestNeighborhood, not ${show(neighborhood)}`);
}

/**
 * MAPLE's neighborhood (Plumb, Molitor, Talwalkar 2018): a forest is grown on the training rows, and the rows that fall
 * into the same leaves as the input are its neighbors. For the option `neighborhood` of `explainRow`, with any method;
 * with `method: 'maple'` it is MAPLE itself.
 *
 * @param {Table | Promise<Table>} table  from `describeTable`
 * @param {ArrayLike<unknown>} responses  a training row each: the model's answers (numbers, or an array of scores), or
 *   what the model was trained on (numbers or classes)
 * @param {ForestNeighborhoodOptions} [options]
 * @returns {Promise<ForestNeighborhood>}
 * @throws {TypeError | RangeError} for a bad call
 */
export async function forestNeighborhood(table, responses, options = {}) {
  const who = 'forestNeighborhood';
  checkNames(options, OPTIONS, who);
  const known = checkTable(await table, who, 'a table');
  const rows = rowsOf(known, options.rows, who);
  const all = encodeAll(rows, known);
  const answers = readResponses(responses, rows.length, options);
  const usual = { trees: 200, minLeaf: 10, featuresPerSplit: 0.5, ...options };
  const growth = readGrowth(usual, known.columns.length, answers.kind);
  const { kept, held } = holdOut(all, answers, options, known, growth.seed);
  const trees =
    options.forest === undefined
      ? await growTrees(codesOf(kept.rows, known), known.columns.length, kept, growth, options.signal)
      : fittingTrees(options.forest, known.columns.length, answers.outputs);
  const grove = new Grove(new PlantedTrees(await newDataInstance(), trees), known, kept);
  await grove.chooseFeatures(held, options.signal);
  const neighborhood = freeze({
    kind: /** @type {const} */ ('row'),
    features: grove.features,
    scores: grove.scores,
    weigh(/** @type {ArrayLike<unknown>} */ row) {
      const weights = new Float64Array(rows.length);
      grove.weigh(encodeRow(row, known)).forEach((weight, i) => (weights[kept.places[i]] = weight));
      return weights;
    },
    sample(/** @type {ArrayLike<unknown>} */ center, /** @type {number} */ count) {
      const weights = grove.weigh(encodeRow(center, known));
      const nearest = heaviest(weights, count);
      if (nearest.length < 2)
        throw new LinexError('neighborhood', 'only one training row shares a leaf with the row; take a larger minLeaf');
      const mean = nearest.reduce((sum, i) => sum + weights[i], 0) / nearest.length;
      return {
        samples: nearest.map((i) => rows[kept.places[i]]),
        weights: nearest.map((i) => weights[i] / mean),
        inputWeight: /** @type {const} */ (0),
      };
    },
  });
  groves.set(neighborhood, grove);
  return neighborhood;
}

/**
 * @param {Float64Array} weights
 * @param {number} count
 * @returns {number[]}  at most so many that weigh anything, the heaviest first
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
  return Array.from(rows, (row, i) => {
    try {
      return encodeRow(row, table);
    } catch (error) {
      throw new RangeError(`row ${i}: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
  });
}

/**
 * Rows as a model sees them, and a forest too.
 *
 * @param {Float64Array} rows  encoded
 * @param {Table} table
 */
function codesOf(rows, table) {
  return new RowBatch(table, rows).data;
}

/**
 * @param {unknown} forest
 * @param {number} width
 * @param {number} outputs
 */
function fittingTrees(forest, width, outputs) {
  const trees = treesOf(forest);
  if (trees.width === width && trees.outputs === outputs) return trees;
  throw new RangeError(
    `the forest has ${trees.width} columns and ${trees.outputs} answers, the rows have ${width} and ${outputs}`,
  );
}

/**
 * Answered rows.
 *
 * @typedef {import('../data/forest-training.js').Responses & { rows: Float64Array, places: number[] }} Answered
 *   places: which of the given rows they are
 */

/**
 * @param {Float64Array[]} all
 * @param {import('../data/forest-training.js').Responses} answers
 * @param {ForestNeighborhoodOptions} options
 * @param {Table} table
 * @param {number} seed
 * @returns {{ kept: Answered, held: Answered }}
 */
function holdOut(all, answers, { validation = 0.2 }, table, seed) {
  const places = [...all.keys()];
  if (typeof validation === 'object' && validation !== null) {
    checkNames(validation, ['rows', 'responses'], 'validation');
    if (!(validation.rows?.length > 0))
      throw new RangeError(`validation.rows must be an array of rows, not ${show(validation.rows)}`);
    const rows = encodeAll(validation.rows, table);
    const { kind, classes, outputs } = answers;
    const same = readResponses(validation.responses, rows.length, { kind, classes });
    if (same.outputs !== outputs)
      throw new RangeError(`validation.responses have ${same.outputs} numbers each, responses ${outputs}`);
    const everyOne = [...rows.keys()];
    return { kept: pick(all, answers, places), held: pick(rows, same, everyOne) };
  }
  const share = checkNumber(validation, 'validation', { least: 0, most: 0.9 });
  const count = Math.min(MOST_HELD_OUT, Math.floor(share * all.length));
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const other = i + Math.floor(random() * (places.length - i));
    [places[i], places[other]] = [places[other], places[i]];
  }
  const byPlace = (/** @type {number[]} */ some) => some.sort((a, b) => a - b);
  return {
    kept: pick(all, answers, byPlace(places.slice(count))),
    held: pick(all, answers, byPlace(places.slice(0, count))),
  };
}

/**
 * @param {Float64Array[]} rows
 * @param {import('../data/forest-training.js').Responses} answers
 * @param {number[]} places
 * @returns {Answered}
 */
function pick(rows, answers, places) {
  const each = answers.values.length / rows.length;
  const width = rows[0].length;
  const values = new Float64Array(places.length * each);
  const picked = new Float64Array(places.length * width);
  places.forEach((place, i) => {
    picked.set(rows[place], i * width);
    values.set(answers.values.subarray(place * each, (place + 1) * each), i * each);
  });
  return { ...answers, rows: picked, places, values };
}

/**
 * Responses as numbers: of a class, 1 in its place and 0 elsewhere.
 *
 * @param {Answered} answered
 * @returns {Float64Array}  `outputs` a row
 */
function numbersOf({ kind, outputs, values }) {
  if (kind === 'regression') return values;
  const numbers = new Float64Array(values.length * outputs);
  values.forEach((label, i) => (numbers[i * outputs + label] = 1));
  return numbers;
}

/** The training rows and where they end in the trees, in an instance of their own. */
class Grove {
  #scope;
  #planted;
  #rowsAt;
  #leavesAt;
  #sortedAt;
  #responsesAt;

  /**
   * @param {PlantedTrees} planted
   * @param {Table} table
   * @param {Answered} answered
   */
  constructor(planted, table, answered) {
    const scope = new Scope(planted.core);
    this.#scope = scope;
    this.#planted = planted;
    this.table = table;
    this.#rowsAt = scope.putDoubles(answered.rows);
    this.#leavesAt = planted.place(scope, codesOf(answered.rows, table));
    const count = answered.places.length;
    this.#sortedAt = scope.indices(planted.trees * count);
    scope.check(planted.core.linex_leaves_sort(planted.trees, count, this.#leavesAt, this.#sortedAt));
    /** What the rows were answered with. */
    this.responses = numbersOf(answered);
    this.#responsesAt = scope.putDoubles(this.responses);
    this.rows = answered.rows;
    this.trees = planted.trees;
    this.outputs = planted.outputs;
    this.classes = answered.classes;
    this.scores = planted.scores().roots;
    const order = this.scores.map((_, c) => c).sort((a, b) => this.scores[b] - this.scores[a] || a - b);
    /** The columns that MAPLE keeps, the most important first. */
    this.features = order;
  }

  /**
   * The weight of each training row for an input.
   *
   * @param {Float64Array} row  encoded
   * @returns {Float64Array}
   */
  weigh(row) {
    const count = this.rows.length / row.length;
    return withScope(this.#planted.core, (scope) => scope.getDoubles(this.#weighInto(scope, row), count));
  }

  /**
   * @param {Scope} scope
   * @param {Float64Array} row
   */
  #weighInto(scope, row) {
    const count = this.rows.length / row.length;
    const [weights, at] = [scope.doubles(count), this.#planted.place(scope, codesOf(row, this.table))];
    const { core } = this.#planted;
    scope.check(core.linex_leaves_weigh(this.trees, count, this.#leavesAt, this.#sortedAt, at, weights));
    return weights;
  }

  /**
   * Keeps as many features as give the local fits around the held-out rows the least error.
   *
   * @param {Answered} held
   * @param {AbortSignal} [signal]
   */
  async chooseFeatures(held, signal) {
    const width = this.features.length;
    const errors = this.#scope.putDoubles(new Float64Array(width));
    const responses = numbersOf(held);
    for (let i = 0; i < held.places.length; i++) {
      signal?.throwIfAborted();
      const response = responses.subarray(i * this.outputs, (i + 1) * this.outputs);
      this.#addErrors(held.rows.subarray(i * width, (i + 1) * width), response, errors);
      await breathe();
    }
    const sums = this.#scope.getDoubles(errors, width);
    if (held.places.length > 0) this.features = this.features.slice(0, sums.indexOf(Math.min(...sums)) + 1);
  }

  /**
   * @param {Float64Array} row
   * @param {Float64Array} response
   * @param {import('../core/border.js').Doubles} errors
   */
  #addErrors(row, response, errors) {
    withScope(this.#planted.core, (scope) => {
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
      // MAPLE sums the weights over the trees; ours are means.
      const ridge = MAPLE_RIDGE / this.trees;
      scope.check(scope.core.linex_wasm_maple_errors(table, training, rowAt, responseAt, order, ridge, errors));
    });
  }
}
