// Draws the rows of one feature: dots over values or levels, with intervals.
import { meanOf } from '../measure/summary.js';
import { box } from '../render/drawing.js';
import { dot, ring } from './chart-frame.js';
import { rowsPerDot, stackDots } from './dot-stacks.js';

/**
 * @typedef {import('../measure/aligned-explanations.js').Part} Part
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('./chart-axis.js').Scale} Scale
 * @typedef {import('./value-slices.js').Slice} Slice
 *
 * @typedef {{ x: Scale, y: Scale }} Plane  x: of values, or of the places of levels
 */

/** With more rows, single intervals are not drawn, and near dots are joined. */
export const MANY = 200;
/** The distance of two dots, in pixels. */
const PITCH = 6;
const RADIUS = 2.8;

/**
 * Draws slices of values: one dot per row, or per cell of near rows, and their intervals.
 *
 * @param {readonly Slice[]} slices
 * @param {Plane} plane
 * @returns {{ shapes: Outline[][], perDot: number }}  shapes: one array per slice; perDot: how many rows a full dot stands for
 */
export function drawValues(slices, { x, y }) {
  const count = slices.reduce((sum, { parts }) => sum + parts.length, 0);
  const cells = slices.map(({ parts }) => cellsOf(parts, { x, y }, count > MANY));
  const perDot =
    count > MANY
      ? rowsPerDot(
          cells.map((own) => own.flatMap(({ rows }, i) => new Array(rows).fill(i))),
          1,
        )
      : 1;
  const shapes = slices.map(({ parts }, s) => {
    const intervals = count > MANY ? [] : parts.flatMap((part) => lineOf(part, { x, y }) ?? []);
    const marks = cells[s].map(({ cx, cy, rows, role }) => markOf(cx, cy, { role, rows: Math.min(1, rows / perDot) }));
    return [...joined(intervals), ...joined(marks.flat())];
  });
  return { shapes, perDot };
}

/**
 * Draws levels: the dots of each side by side, with the mean contribution and its interval.
 *
 * @param {readonly Slice[]} slices
 * @param {Plane} plane
 * @param {number} room  for each level, in pixels
 * @returns {{ shapes: Outline[][], perDot: number }}
 */
export function drawLevels(slices, { x, y }, room) {
  const capacity = Math.max(1, Math.floor((0.7 * room) / PITCH));
  const lines = slices.map(({ parts }) => parts.map(({ contribution }) => Math.floor(y.at(contribution) / PITCH)));
  const perDot = rowsPerDot(lines, capacity);
  const shapes = slices.map(({ parts, from }, s) => {
    // A place of 0 or 1 stands for the sign.
    const places = parts.map(({ contribution }) => (contribution < 0 ? 0 : 1));
    const stacks = stackDots(parts, { places, columns: lines[s], capacity, perDot });
    const widest = stacks.reduce((most, { dots }) => Math.max(most, dots.length), 0);
    // The mean stands beside the dots, so that it hides none.
    const beside = x.at(from) + Math.min((widest / 2) * PITCH + 14, room / 2 - 8);
    const dots = stacks.flatMap((stack) =>
      stack.dots.flatMap(({ place, sure, rows }, i) => {
        const across = x.at(from) + (i - (stack.dots.length - 1) / 2) * PITCH;
        const role = sure ? (Number(place) < 0.5 ? 'n7' : 'p7') : 'muted';
        return markOf(across, (stack.column + 0.5) * PITCH, { role, rows: rows / perDot });
      }),
    );
    return [...joined(dots), ...meanMark(parts, beside, y)];
  });
  return { shapes, perDot };
}

/** The color of a contribution: none if its sign is not sure. @param {Part} part */
const roleOf = ({ contribution, sure }) => (sure ? (contribution < 0 ? 'n7' : 'p7') : 'muted');

/**
 * Joins rows that would be drawn on top of each other.
 *
 * @param {readonly Part[]} parts
 * @param {Plane} plane
 * @param {boolean} join
 * @returns {{ cx: number, cy: number, rows: number, role: string }[]}
 */
function cellsOf(parts, { x, y }, join) {
  const places = parts.map((part) => ({
    cx: x.at(Number(part.value)),
    cy: y.at(part.contribution),
    rows: 1,
    role: roleOf(part),
  }));
  if (!join) return places;
  /** @type {Map<string, { cx: number, cy: number, rows: number, role: string }>} */
  const cells = new Map();
  for (const { cx, cy, role } of places) {
    const [column, line] = [Math.floor(cx / PITCH), Math.floor(cy / PITCH)];
    const key = `${column} ${line} ${role}`;
    const found = cells.get(key);
    if (found) found.rows++;
    else cells.set(key, { cx: (column + 0.5) * PITCH, cy: (line + 0.5) * PITCH, rows: 1, role });
  }
  return [...cells.values()];
}

/**
 * A dot, or a ring if the sign is not sure.
 *
 * @param {number} x
 * @param {number} y
 * @param {{ role: string, rows: number }} options  rows: the area of the dot, at most 1
 * @returns {Outline[]}
 */
function markOf(x, y, { role, rows }) {
  const radius = Math.max(1, RADIUS * Math.sqrt(rows));
  if (role !== 'muted') return [{ d: dot(x, y, radius), fill: role }];
  return [
    { d: dot(x, y, radius), fill: 'ground' },
    { d: ring(x, y, radius), fill: role },
  ];
}

/** Makes one outline per color. @param {readonly Outline[]} shapes @returns {Outline[]} */
function joined(shapes) {
  /** @type {Map<string, string[]>} */
  const paths = new Map();
  for (const { d, fill } of shapes) {
    const found = paths.get(fill);
    if (found) found.push(d);
    else paths.set(fill, [d]);
  }
  return [...paths].map(([fill, parts]) => ({ d: parts.join(''), fill }));
}

/**
 * The interval of one row.
 *
 * @param {Part} part
 * @param {Plane} plane
 * @returns {Outline | null}
 */
function lineOf({ value, interval }, { x, y }) {
  if (!interval) return null;
  const [low, high] = [y.at(interval[0]), y.at(interval[1])];
  return { d: box(x.at(Number(value)) - 0.5, high, 1, Math.max(0.1, low - high)), fill: 'muted' };
}

/**
 * The mean of a level and its interval.
 *
 * @param {readonly Part[]} parts
 * @param {number} x
 * @param {Scale} y
 * @returns {Outline[]}
 */
function meanMark(parts, x, y) {
  const [mean, interval] = meanOf(parts.map(({ contribution }) => contribution));
  const [low, high] = interval ? interval.map(y.at) : [0, 0];
  const parted = (/** @type {number} */ halo) => {
    const point = dot(x, y.at(mean), 3 + halo);
    // A whisker within the dot would look like a sign.
    if (low - high < 8) return [point];
    const cap = (/** @type {number} */ end) => box(x - 4 - halo, end - 0.75 - halo, 8 + 2 * halo, 1.5 + 2 * halo);
    return [box(x - 0.75 - halo, high, 1.5 + 2 * halo, low - high) + cap(low) + cap(high), point];
  };
  // The dot is a shape of its own, because it goes round the other way and would cut a hole.
  return [...parted(1).map((d) => ({ d, fill: 'ground' })), ...parted(0).map((d) => ({ d, fill: 'ink' }))];
}
