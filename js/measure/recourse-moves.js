// How the columns of a row may move: in which direction, in which steps, and how far.
import { show } from '../core/errors.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../data/table.js').NumericColumn} NumericColumn
 * @typedef {import('../data/table.js').CategoricalColumn} CategoricalColumn
 */

/**
 * The values that one column may take, in the order of their distance from the row's.
 *
 * @typedef {object} Move
 * @property {number} column  its index
 * @property {number} count  how many other values there are
 * @property {(step: number) => number} valueAt  encoded; step 0 is the row's value
 * @property {(step: number) => number} costAt  the distance from the row's value in standard deviations; 1 for another level
 * @property {number} slope  how much one standard deviation, or the other level, brings the answer closer to its goal
 */

/**
 * What the caller forbids.
 *
 * @typedef {object} Limits
 * @property {ReadonlySet<number>} immutable
 * @property {ReadonlyMap<number, number>} monotone  1: the column may only grow; -1: only shrink
 * @property {number} step  the wanted size of a step, in standard deviations
 */

/** The most steps of a column: rows may lie far outside of the table. */
const MOST_STEPS = 1e6;
/** The most levels of a column that are tried, the most frequent first. */
const MOST_LEVELS = 20;
/** Columns that are searched: the steepest ones, then those that can do most within the table's range. */
const [STEEPEST, MOST_MOVES] = [5, 8];
/** Smaller powers of ten cannot be used as steps, because 1 divided by them is not finite. */
const LEAST_EXPONENT = -300;
/** Larger whole numbers are not exact. */
const LARGEST_INDEX = 2 ** 52;

/**
 * Reads the options `immutable` and `monotone`.
 *
 * @param {unknown} immutable
 * @param {any} monotone
 * @param {Table} table
 * @throws {TypeError | RangeError}
 */
export function readForbidden(immutable, monotone, { columns }) {
  const names = columns.map(({ name }) => name);
  const indexOf = (/** @type {unknown} */ column, /** @type {string} */ option) => {
    const index = typeof column === 'string' ? names.indexOf(column) : column;
    if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < names.length) return index;
    throw new RangeError(`${option} has a column that does not exist: ${show(column)}`);
  };
  if (!Array.isArray(immutable)) throw new TypeError(`immutable must be an array of columns, not ${show(immutable)}`);
  if (typeof monotone !== 'object' || monotone === null || Array.isArray(monotone))
    throw new TypeError(`monotone must be an object such as { age: 'up' }, not ${show(monotone)}`);
  /** @type {Map<number, number>} */
  const signs = new Map();
  for (const [name, direction] of Object.entries(monotone)) {
    const index = indexOf(name, 'monotone');
    if (columns[index].kind !== 'numeric')
      throw new RangeError(`monotone is for numeric columns; ${show(name)} is categorical`);
    if (direction !== 'up' && direction !== 'down')
      throw new RangeError(`monotone.${name} must be 'up' or 'down', not ${show(direction)}`);
    signs.set(index, direction === 'up' ? 1 : -1);
  }
  return { immutable: new Set(Array.from(immutable, (column) => indexOf(column, 'immutable'))), monotone: signs };
}

/**
 * Lists the moves along sure directions.
 *
 * @param {Table} table
 * @param {Float64Array} row  encoded; costs are distances from it
 * @param {Map<number, number>} slopes  per column: how the goal changes per standard deviation, or if the row has its level
 * @param {Limits} limits
 * @param {Float64Array} [from]  where the moves start; default the row
 * @returns {Move[]}  the steepest first
 */
export function movesAlong(table, row, slopes, limits, from = row) {
  /** @type {Move[]} */
  const moves = [];
  for (const [index, slope] of slopes) {
    const column = table.columns[index];
    if (limits.immutable.has(index)) continue;
    // Another level helps only if the row's own level harms.
    if (column.kind === 'categorical') {
      if (slope < 0) moves.push(...levelMoves(column, index, row[index], from[index], -slope));
      continue;
    }
    const end = endOf(column, row[index], slope > 0, limits.monotone.get(index));
    // A row outside of the table's range does not go further out.
    if (slope > 0 ? end <= from[index] : end >= from[index]) continue;
    const move = numericMove(column, index, row[index], { from: from[index], end, step: limits.step });
    if (move) moves.push({ ...move, slope: Math.abs(slope) });
  }
  return leadingMoves(moves.sort((a, b) => b.slope - a.slope || a.column - b.column));
}

/**
 * Lists the moves from a row to another one.
 *
 * @param {Table} table
 * @param {Float64Array} row  encoded
 * @param {Float64Array} to  encoded
 * @param {Limits} limits
 * @returns {Move[]}
 */
export function movesBetween(table, row, to, { step }) {
  return table.columns.flatMap((column, index) => {
    if (to[index] === row[index]) return [];
    if (column.kind === 'categorical') return [levelMove(index, row[index], row[index], to[index], 1)];
    const move = numericMove(column, index, row[index], { from: row[index], end: to[index], step });
    return move ? [{ ...move, slope: 1 }] : [];
  });
}

/** @param {Move[]} moves  the steepest first */
function leadingMoves(moves) {
  const columns = [...new Set(moves.map(({ column }) => column))];
  /** What a column can do within the table's range. @param {number} column */
  const gain = (column) =>
    moves.reduce(
      (most, move) => (move.column === column ? Math.max(most, move.slope * move.costAt(move.count)) : most),
      0,
    );
  const others = columns.slice(STEEPEST).sort((a, b) => gain(b) - gain(a) || a - b);
  const kept = new Set([...columns.slice(0, STEEPEST), ...others.slice(0, MOST_MOVES - STEEPEST)]);
  return moves.filter(({ column }) => kept.has(column));
}

/**
 * The last value of a numeric column in a direction.
 *
 * @param {NumericColumn} column
 * @param {number} value  the row's
 * @param {boolean} up
 * @param {number | undefined} only  the sign of the one direction in which the column may leave the row's value
 */
function endOf({ min, max }, value, up, only) {
  if (up) return only === -1 ? Math.min(value, max) : max;
  return only === 1 ? Math.max(value, min) : min;
}

/**
 * The move of a numeric column, in multiples of a power of ten. Its last value is `end`, even if that is no multiple.
 *
 * @param {NumericColumn} column
 * @param {number} index
 * @param {number} origin  the row's value, from which distances are measured
 * @param {{ from: number, end: number, step: number }} path
 * @returns {Omit<Move, 'slope'> | undefined}  undefined if it cannot move
 */
function numericMove({ min, max, spread, whole }, index, origin, { from, end, step }) {
  const up = end > from;
  const reach = Math.abs(end - from);
  if (!(spread > 0 && reach > 0 && reach < Infinity)) return undefined;
  const exponent = Math.max(exponentOf(step * spread), exponentOf(reach / MOST_STEPS), whole ? 0 : LEAST_EXPONENT);
  // Dividing by a power of ten gives the nearest decimal number; multiplying by 0.1 does not.
  const [unit, inverse] = [Number(`1e${exponent}`), Number(`1e${-exponent}`)];
  const indexIn = (/** @type {number} */ value) => (exponent < 0 ? value * inverse : value / unit);
  const multiple = (/** @type {number} */ k) => (exponent < 0 ? k / inverse : k * unit);
  const sign = up ? 1 : -1;
  // A row outside of the table's range enters it at once.
  let first = up
    ? Math.max(Math.floor(indexIn(from)) + 1, Math.ceil(indexIn(min)))
    : Math.min(Math.ceil(indexIn(from)) - 1, Math.floor(indexIn(max)));
  if (!(Math.abs(first) < LARGEST_INDEX)) return undefined;
  if (sign * (multiple(first) - from) <= 0) first += sign;
  const last = up ? Math.floor(indexIn(end)) : Math.ceil(indexIn(end));
  const inside = Math.max(0, sign * (last - first) + 1);
  const ends = inside === 0 || sign * (end - multiple(last)) > 0;
  const count = inside + (ends ? 1 : 0);
  const valueAt = (/** @type {number} */ at) => {
    if (at === 0) return from;
    const value = at > inside ? end : multiple(first + sign * (at - 1));
    return up ? Math.min(value, end) : Math.max(value, end);
  };
  return { column: index, count, valueAt, costAt: (at) => Math.abs(valueAt(at) - origin) / spread };
}

/** The exponent of a number in scientific notation. Not by Math.log10, whose last digit depends on the engine. @param {number} size */
function exponentOf(size) {
  return size > 0 ? Math.max(LEAST_EXPONENT, Number(size.toExponential().split('e')[1])) : LEAST_EXPONENT;
}

/**
 * @param {CategoricalColumn} column
 * @param {number} index
 * @param {number} origin  the row's level
 * @param {number} from  where the move starts
 * @param {number} slope
 */
function levelMoves({ levels, frequencies }, index, origin, from, slope) {
  const others = levels.map((_, level) => level).filter((level) => level !== from && levels[level] !== null);
  others.sort((a, b) => frequencies[b] - frequencies[a] || a - b);
  return others.slice(0, MOST_LEVELS).map((level) => levelMove(index, origin, from, level, slope));
}

/**
 * @param {number} column
 * @param {number} origin
 * @param {number} from
 * @param {number} to
 * @param {number} slope
 * @returns {Move}
 */
function levelMove(column, origin, from, to, slope) {
  const valueAt = (/** @type {number} */ at) => (at ? to : from);
  return { column, count: 1, valueAt, costAt: (at) => (valueAt(at) === origin ? 0 : 1), slope };
}
