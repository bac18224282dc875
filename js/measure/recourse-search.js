// Searches for the smallest change of a row that reaches a goal, by asking the model about as few rows as it can.
//
// The changes of some columns are a box of steps. If the model is monotone along each column, a box whose far corner
// does not reach the goal holds no answer, and the best answer of a box costs at least as much as its near corner. So boxes
// are split, the most promising first, until none can hold a smaller change than the best one found. If the model is not
// monotone, a smaller change may be missed, but every change that is found has been confirmed by the model.

/** @typedef {import('./recourse-moves.js').Move} Move */

/**
 * The rows that were asked about, and how close they are to the goal.
 *
 * @typedef {object} Trials
 * @property {(rows: Float64Array[]) => Promise<void>} ask  about those that were not asked yet, as far as the limit allows
 * @property {(row: Float64Array) => number | undefined} valueOf  above 0 if the goal is reached; undefined if not asked
 * @property {(rows: Float64Array[]) => Promise<boolean[]>} arePlausible
 * @property {() => boolean} isExhausted  whether the limit is reached
 */

/**
 * The changes of some columns from `low` to `high`, in steps of their moves.
 *
 * @typedef {object} Box
 * @property {readonly Move[]} moves
 * @property {readonly number[]} low
 * @property {readonly number[]} high
 * @property {boolean} [inside]  whether `low` reaches the goal, but is not plausible
 */

/** @typedef {{ moves: readonly Move[], steps: readonly number[], row: Float64Array, cost: number }} Found */

/** Where the line of a single column is cut first, as shares of its length: the smallest changes matter most. */
const FIRST_CUTS = [1 / 8, 1 / 4, 1 / 2];
/** Into how many parts a line is cut, and how many boxes are split at once. */
const [PARTS, AT_ONCE] = [4, 8];
/** How much steeper than on average the model may be in a box, for the order in which boxes are split. */
const STEEPER = 1.5;
/** The most rounds of splitting. The search for plausible rows asks nothing, so only this ends it. */
const MOST_ROUNDS = 200;
/** How far before the last step a column is tried again. */
const LAST_CUTS = [16, 4, 1];
/** A box whose rows all reach the goal is split into this many parts per column, in search of plausible rows. */
const COARSE = 8;

/**
 * Finds the smallest change: of as few columns as possible, then with the smallest sum of costs.
 *
 * @param {Float64Array} row  encoded
 * @param {Move[]} moves
 * @param {Trials} trials
 * @param {{ most: number, tolerance: number }} options  most: columns; tolerance: by how much the sum of costs of each
 *   column may be above the smallest
 * @returns {Promise<(Found & { complete: boolean }) | undefined>}  complete: whether nothing smaller was left to try
 */
export async function findSmallest(row, moves, trials, { most, tolerance }) {
  let usable = moves;
  for (let size = 1; size <= most && !trials.isExhausted(); size++) {
    const boxes = subsetsOf(usable, size).map(boxOf);
    const search = new BoxSearch(row, trials, tolerance);
    await search.run(size === 1 ? boxes.flatMap(cutLine) : await shrinkToGoal(row, boxes, trials));
    if (search.best) return { ...(await polish(row, search.best, trials, tolerance)), complete: search.complete };
    if (size === 1) usable = bestLevels(row, moves, trials);
  }
  return undefined;
}

/**
 * Takes the last steps, because the search stops within its tolerance: each column gives back what it can, also after
 * another column has gone to its end nearby, where the smallest change often lies.
 *
 * @param {Float64Array} row
 * @param {Found} found
 * @param {Trials} trials
 * @param {number} tolerance
 * @returns {Promise<Found>}
 */
async function polish(row, found, trials, tolerance) {
  const { moves } = found;
  if (moves.length === 1) return found;
  let best = await shrink(row, found, trials);
  for (const [i, { count, costAt }] of moves.entries()) {
    const gap = costAt(count) - costAt(best.steps[i]);
    if (!(gap > 0 && gap <= 2 * tolerance * moves.length)) continue;
    const ended = foundAt(row, moves, replaced(best.steps, i, count));
    await trials.ask([ended.row]);
    const [plausible] = await trials.arePlausible([ended.row]);
    if (!plausible || !((trials.valueOf(ended.row) ?? -1) > 0)) continue;
    const shrunk = await shrink(row, ended, trials);
    if (shrunk.cost < best.cost) best = shrunk;
  }
  return best;
}

/** @param {Float64Array} row @param {readonly Move[]} moves @param {readonly number[]} steps @returns {Found} */
const foundAt = (row, moves, steps) => ({ moves, steps, row: moved(row, moves, steps), cost: costOf(moves, steps) });

/**
 * Takes back as much of each column as the goal allows, the least steep column first.
 *
 * @param {Float64Array} row
 * @param {Found} found
 * @param {Trials} trials
 * @returns {Promise<Found>}
 */
async function shrink(row, { moves, steps: start }, trials) {
  let steps = start;
  for (const [i, move] of [...moves.entries()].reverse()) {
    const end = steps[i];
    const cuts = LAST_CUTS.map((back) => end - back).filter((cut) => cut > 0);
    const search = new BoxSearch(moved(row, moves, replaced(steps, i, 0)), trials, 0);
    await search.run(partsOf({ moves: [move], low: [0], high: [end] }, 0, cuts));
    if (search.best) steps = replaced(steps, i, search.best.steps[0]);
  }
  return foundAt(row, moves, steps);
}

/**
 * The box of some moves. Among several, a column with only one other value takes it: fewer columns were tried before.
 *
 * @param {readonly Move[]} moves
 * @returns {Box}
 */
const boxOf = (moves) => ({
  moves,
  low: moves.map(({ count }) => (moves.length > 1 && count === 1 ? 1 : 0)),
  high: moves.map(({ count }) => count),
});

/**
 * The row with some moves made.
 *
 * @param {Float64Array} row
 * @param {readonly Move[]} moves
 * @param {readonly number[]} steps
 */
export function moved(row, moves, steps) {
  const copy = row.slice();
  moves.forEach(({ column, valueAt }, i) => (copy[column] = valueAt(steps[i])));
  return copy;
}

/**
 * All sets of this many moves of different columns.
 *
 * @param {readonly Move[]} moves
 * @param {number} size
 * @returns {Move[][]}
 */
export function subsetsOf(moves, size) {
  if (size === 0) return [[]];
  return moves.flatMap((move, i) => {
    const others = moves.slice(i + 1).filter(({ column }) => column !== move.column);
    return subsetsOf(others, size - 1).map((rest) => [move, ...rest]);
  });
}

/**
 * For each categorical column, keeps only the level that comes closest to the goal by itself.
 *
 * @param {Float64Array} row
 * @param {readonly Move[]} moves
 * @param {Trials} trials
 */
function bestLevels(row, moves, trials) {
  const valueOf = (/** @type {Move} */ move) => trials.valueOf(moved(row, [move], [move.count])) ?? -Infinity;
  return moves.filter((move) => !moves.some((other) => other.column === move.column && valueOf(other) > valueOf(move)));
}

/** Cuts the line of one column. @param {Box} line @returns {Box[]} */
function cutLine({ moves, high: [end] }) {
  const cuts = FIRST_CUTS.map((share) => Math.round(share * end)).filter((cut) => cut > 0 && cut < end);
  return partsOf({ moves, low: [0], high: [end] }, 0, [...new Set(cuts)]);
}

/** @param {readonly number[]} list @param {number} place @param {number} value */
const replaced = (list, place, value) => list.map((old, i) => (i === place ? value : old));

/**
 * Cuts a side of a box.
 *
 * @param {Box} box
 * @param {number} side
 * @param {readonly number[]} cuts  steps between those of `low` and `high`, ascending
 * @returns {Box[]}
 */
function partsOf({ moves, low, high, inside }, side, cuts) {
  const ends = [low[side], ...cuts, high[side]];
  return ends.slice(1).map((end, i) => ({
    moves,
    low: replaced(low, side, ends[i]),
    high: replaced(high, side, end),
    inside,
  }));
}

/**
 * Keeps the boxes whose far corner, or else the middle of it, reaches the goal.
 *
 * @param {Float64Array} row
 * @param {readonly Box[]} boxes
 * @param {Trials} trials
 */
async function shrinkToGoal(row, boxes, trials) {
  const halves = boxes.map(({ moves, low, high }) => ({
    moves,
    low,
    high: high.map((end, i) => Math.max(low[i], Math.ceil(end / 2))),
  }));
  const reaches = (/** @type {Box} */ { moves, high }) => (trials.valueOf(moved(row, moves, high)) ?? -1) > 0;
  for (const some of [boxes, halves]) {
    await trials.ask(some.map(({ moves, high }) => moved(row, moves, high)));
    if (some.some(reaches)) return some.filter(reaches);
  }
  return [];
}

/** Splits boxes until none can hold a smaller change than the best one. */
class BoxSearch {
  #row;
  #trials;
  #tolerance;
  /** @type {Found | undefined} */
  best;
  complete = false;

  /**
   * @param {Float64Array} row
   * @param {Trials} trials
   * @param {number} tolerance
   */
  constructor(row, trials, tolerance) {
    this.#row = row;
    this.#trials = trials;
    this.#tolerance = tolerance;
  }

  /** @param {Box[]} boxes */
  async run(boxes) {
    let queue = await this.#look(boxes);
    for (let round = 0; queue.length > 0 && round < MOST_ROUNDS && !this.#trials.isExhausted(); round++) {
      queue.sort((a, b) => this.#promiseOf(a) - this.#promiseOf(b));
      const parts = queue.splice(0, AT_ONCE).flatMap(split);
      queue.push(...(await this.#look(parts)));
      queue = queue.filter((box) => this.#mayImprove(box));
    }
    this.complete = queue.length === 0 && !this.#trials.isExhausted();
  }

  /** @param {Box} box @param {readonly number[]} steps */
  #rowAt({ moves }, steps) {
    return moved(this.#row, moves, steps);
  }

  /** @param {Box} box @param {readonly number[]} steps */
  #valueAt(box, steps) {
    return this.#trials.valueOf(this.#rowAt(box, steps)) ?? -Infinity;
  }

  /**
   * Whether a box may hold a change that is smaller than the best one by more than the tolerance.
   *
   * @param {Box} box
   */
  #mayImprove({ moves, low, high }) {
    if (!this.best) return true;
    // The near corner is no answer, so at least one column moves on.
    const next = moves.map(({ costAt }, i) => (low[i] < high[i] ? costAt(low[i] + 1) - costAt(low[i]) : Infinity));
    const least = Math.max(Math.min(...next), moves.length > 1 ? this.#tolerance * moves.length : 0);
    return costOf(moves, low) + least < this.best.cost;
  }

  /**
   * Asks about the corners of boxes, notes those that reach the goal, and returns the boxes that must be split.
   *
   * @param {Box[]} boxes
   */
  async #look(boxes) {
    const open = boxes.filter((box) => !box.inside);
    await this.#trials.ask(open.flatMap((box) => [this.#rowAt(box, box.low), this.#rowAt(box, box.high)]));
    const reaching = open.filter((box) => this.#valueAt(box, box.high) > 0);
    for (const box of boxes) if (this.#valueAt(box, box.low) > 0) box.inside = true;
    await this.#note(reaching.map((box) => ({ box, steps: box.high })));
    return [...reaching.filter(({ inside }) => !inside), ...(await this.#lookInside(boxes))].filter((box) =>
      this.#mayImprove(box),
    );
  }

  /**
   * In boxes whose rows all reach the goal, the near corner is the answer, unless it is not plausible.
   *
   * @param {Box[]} boxes
   * @returns {Promise<Box[]>}  boxes that must be split
   */
  async #lookInside(boxes) {
    const inside = boxes.filter((box) => box.inside && this.#isCheaper(box, box.low));
    const corners = inside.flatMap((box) => [box.low, box.high].map((steps) => this.#rowAt(box, steps)));
    const plausible = await this.#trials.arePlausible(corners);
    const answers = inside.filter((_, i) => plausible[2 * i]);
    await this.#trials.ask(answers.map((box) => this.#rowAt(box, box.low)));
    await this.#note(answers.map((box) => ({ box, steps: box.low })));
    return inside.filter((box, i) => !plausible[2 * i] && (plausible[2 * i + 1] || isCoarse(box)));
  }

  /** @param {Box} box @param {readonly number[]} steps */
  #isCheaper({ moves }, steps) {
    return !this.best || costOf(moves, steps) < this.best.cost;
  }

  /** Keeps the cheapest plausible row that reaches the goal. @param {{ box: Box, steps: readonly number[] }[]} points */
  async #note(points) {
    const better = points.filter(({ box, steps }) => this.#valueAt(box, steps) > 0 && this.#isCheaper(box, steps));
    const plausible = await this.#trials.arePlausible(better.map(({ box, steps }) => this.#rowAt(box, steps)));
    better.forEach(({ box, steps }, i) => {
      if (plausible[i] && this.#isCheaper(box, steps)) this.best = foundAt(this.#row, box.moves, steps);
    });
  }

  /** The estimated cost of the best answer in a box. @param {Box} box */
  #promiseOf(box) {
    const { moves, low, high } = box;
    const cost = costOf(moves, low);
    if (box.inside) return cost;
    const [from, to] = [this.#valueAt(box, low), this.#valueAt(box, high)];
    const needed = (-from / (to - from)) * (costOf(moves, high) - cost);
    return cost + (needed >= 0 ? needed / STEEPER : 0);
  }
}

/** @param {readonly Move[]} moves @param {readonly number[]} steps */
const costOf = (moves, steps) => moves.reduce((sum, { costAt }, i) => sum + costAt(steps[i]), 0);

/** @param {Box} box */
const isCoarse = ({ moves, low, high }) => moves.some(({ count }, i) => high[i] - low[i] > Math.max(1, count / COARSE));

/**
 * Splits a box at its longest side. A box without anything between its corners becomes one box per corner.
 *
 * @param {Box} box
 * @returns {Box[]}
 */
function split(box) {
  const { moves, low, high, inside } = box;
  const lengths = moves.map(({ costAt }, i) => (high[i] - low[i] > 1 ? costAt(high[i]) - costAt(low[i]) : 0));
  const side = lengths.indexOf(Math.max(...lengths));
  if (lengths[side] > 0) {
    const parts = lengths.filter((length) => length > 0).length === 1 ? PARTS : 2;
    const cuts = Array.from({ length: parts - 1 }, (_, i) =>
      Math.floor(low[side] + ((high[side] - low[side]) * (i + 1)) / parts),
    );
    return partsOf(
      box,
      side,
      [...new Set(cuts)].filter((cut) => cut > low[side]),
    );
  }
  if (moves.length === 1 && !inside) return [];
  const corners = Array.from({ length: 2 ** moves.length - 1 }, (_, i) =>
    low.map((step, side) => (((i + 1) >> side) & 1 ? high[side] : step)),
  );
  return corners.map((corner) => ({ moves, low: corner, high: corner, inside }));
}
