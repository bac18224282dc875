// The rows that a search for recourse asks the model about, and how far their answers are from the goal.
import { askModel } from '../core/ask-model.js';
import { LinexError, messageOf, show } from '../core/errors.js';
import { RowBatch } from '../neighborhood/row-neighborhood.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../explain/plan.js').AskPlan} AskPlan
 * @typedef {import('../explain/explain-row.js').PredictRows} PredictRows
 */

/**
 * @typedef {object} Answer
 * @property {number} target  the score of the target
 * @property {number | null} rival  the highest score of the other classes, if there are any
 * @property {number} strongest  the class with that score
 * @property {number} classes  how many there are
 */

/** What the answer must become. */
export class Goal {
  /**
   * @param {number} column  the class
   * @param {number | null} threshold  null: the highest answer of the other classes
   * @param {'above' | 'below'} side
   */
  constructor(column, threshold, side) {
    this.column = column;
    this.threshold = threshold;
    this.side = side;
    this.sign = side === 'above' ? 1 : -1;
  }

  /** @param {Float64Array} scores  one per class @returns {Answer} */
  read(scores) {
    const others = [...scores.keys()].filter((column) => column !== this.column);
    const strongest = others.reduce((best, column) => (scores[column] > scores[best] ? column : best), others[0] ?? 0);
    // Adding 0 makes 0 of -0, which JSON does not have.
    const rival = others.length > 0 ? scores[strongest] + 0 : null;
    return { target: scores[this.column] + 0, rival, strongest, classes: scores.length };
  }

  /** Above 0 if the goal is reached. @param {Answer} answer */
  valueOf({ target, rival }) {
    return this.sign * (target - (this.threshold ?? /** @type {number} */ (rival)));
  }
}

/**
 * @typedef {object} Trial
 * @property {Float64Array} row  encoded
 * @property {Answer} answer
 * @property {number} value
 */

/** Asks about each row once, up to a limit, and remembers the answers. */
export class RowTrials {
  #predict;
  #table;
  #plan;
  #limit;
  #plausible;
  /** @type {Map<string, Trial>} */
  #trials = new Map();
  /** @type {Map<string, boolean>} */
  #judged = new Map();
  #columns = 0;
  /** @type {Goal | undefined} */
  #goal;
  /** How many rows were asked about. */
  asked = 0;

  /**
   * @param {PredictRows} predict
   * @param {Table} table
   * @param {AskPlan & { onAsked: (asked: number) => void }} plan  onAsked: called after every batch, with all queries so far
   * @param {number} limit  the most rows
   * @param {(rows: unknown[][]) => Promise<boolean[]>} [plausible]  default: all rows are
   */
  constructor(predict, table, plan, limit, plausible) {
    this.#predict = predict;
    this.#table = table;
    this.#plan = plan;
    this.#limit = limit;
    this.#plausible = plausible;
  }

  /**
   * Asks about the row itself. The number of classes is known only then, so the goal is made from the answer.
   *
   * @param {Float64Array} row  encoded
   * @param {(scores: Float64Array) => Goal} makeGoal  may throw
   */
  async begin(row, makeGoal) {
    const [scores] = await this.#answersTo([row]);
    this.#goal = makeGoal(scores);
    this.#keep(row, scores);
  }

  /** Whether no more rows may be asked about. */
  isExhausted() {
    return this.asked >= this.#limit;
  }

  /** @param {Float64Array[]} rows  encoded; those that exceed the limit are left out */
  async ask(rows) {
    const fresh = new Map(rows.map((row) => [row.join(), row]));
    for (const key of fresh.keys()) if (this.#trials.has(key)) fresh.delete(key);
    const some = [...fresh.values()].slice(0, Math.max(0, this.#limit - this.asked));
    if (some.length === 0) return;
    const answers = await this.#answersTo(some);
    some.forEach((row, i) => this.#keep(row, answers[i]));
  }

  /** @param {Float64Array} row  encoded */
  valueOf(row) {
    return this.at(row)?.value;
  }

  /** @param {Float64Array} row  encoded */
  at(row) {
    return this.#trials.get(row.join());
  }

  /** All rows that were asked about, in this order, the row itself first. */
  all() {
    return [...this.#trials.values()];
  }

  /** @param {Float64Array[]} rows  encoded */
  async arePlausible(rows) {
    if (!this.#plausible) return rows.map(() => true);
    const fresh = new Map(rows.map((row) => [row.join(), row]));
    for (const key of fresh.keys()) if (this.#judged.has(key)) fresh.delete(key);
    if (fresh.size > 0) {
      const judged = await this.#plausible([...fresh.values()].map((row) => decodeRow(row, this.#table)));
      [...fresh.keys()].forEach((key, i) => this.#judged.set(key, judged[i]));
    }
    return rows.map((row) => this.#judged.get(row.join()) === true);
  }

  /** @param {Float64Array} row @param {Float64Array} scores */
  #keep(row, scores) {
    const goal = /** @type {Goal} */ (this.#goal);
    const answer = goal.read(scores);
    this.#trials.set(row.join(), { row, answer, value: goal.valueOf(answer) });
  }

  /** @param {Float64Array[]} rows @returns {Promise<Float64Array[]>}  the scores of each row */
  async #answersTo(rows) {
    const { batchSize, concurrency, timeout, signal, onAsked } = this.#plan;
    const before = this.asked;
    const { answers, columns } = await askModel(this.#predict, {
      ...{ count: rows.length, batchSize, concurrency, timeout, signal },
      batch: (first, count) => new RowBatch(this.#table, joined(rows.slice(first, first + count))),
      onShape: (found) => {
        if (this.#columns && found !== this.#columns)
          throw new LinexError(
            'model-answer',
            `the model gave ${found} numbers per sample, and ${this.#columns} before`,
          );
        this.#columns = found;
      },
      onBatch: ({ asked }) => onAsked((this.asked = before + asked)),
    });
    return rows.map((_, i) => answers.slice(i * columns, (i + 1) * columns));
  }
}

/** @param {Float64Array[]} rows */
function joined(rows) {
  const all = new Float64Array(rows.length * rows[0].length);
  rows.forEach((row, i) => all.set(row, i * row.length));
  return all;
}

/**
 * A row with its levels spelled out.
 *
 * @param {Float64Array} row  encoded
 * @param {Table} table
 * @returns {import('../data/table.js').Level[]}
 */
export function decodeRow(row, { columns }) {
  return columns.map((column, c) => (column.kind === 'categorical' ? column.levels[row[c]] : row[c] + 0));
}

/**
 * Reads what a neighborhood knows about how usual rows are.
 *
 * @param {any} neighborhood  with a function `typicality`, as `densityNeighborhood` has one
 * @param {AbortSignal} [signal]
 * @returns {(rows: unknown[][]) => Promise<number[]>}
 */
export function typicalityOf(neighborhood, signal) {
  return async (rows) => {
    signal?.throwIfAborted();
    /** @type {any} */
    let shares;
    try {
      shares = await neighborhood.typicality(rows, { signal });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new LinexError('neighborhood', `the neighborhood failed to judge rows: ${messageOf(cause)}`, { cause });
    }
    const good = Array.isArray(shares) && shares.length === rows.length;
    const wrong = good
      ? shares.find((/** @type {unknown} */ share) => !(typeof share === 'number' && share >= 0 && share <= 1))
      : shares;
    if (!good || wrong !== undefined)
      throw new LinexError(
        'neighborhood',
        `typicality must return ${rows.length} numbers from 0 to 1, not ${show(good ? wrong : shares)}`,
      );
    return shares;
  };
}
