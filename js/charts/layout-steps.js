// Lays out steps from one answer to another: the picture that waterfalls and comparisons share.
import { box, rule } from '../render/drawing.js';
import { MARGIN } from '../render/layout-text.js';
import { horizontalAxis, scaleOver } from './chart-axis.js';
import { axisTitle, columnsFor, edgeOf, layoutNotes, rowBox, whisker, writeRow } from './chart-frame.js';

/**
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('../render/drawing.js').Words} Words
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-frame.js').RowColumns} RowColumns
 *
 * @typedef {object} Step
 * @property {string} label
 * @property {string} number  the change, as text
 * @property {number} from  the answer before
 * @property {number} to  the answer after
 * @property {readonly [number, number] | null} ends  the interval of the answer after
 * @property {'sure' | 'unsure' | 'none' | 'rest'} kind  `'none'`: hardly any effect; `'rest'`: a change that is known but not due
 *   to a listed feature
 * @property {string} step  of the color, from `stepOf`
 * @property {boolean} [striped]  whether nothing explains it
 *
 * @typedef {{ label: string, number: string, at: number }} Answer  the first or the last one
 */

const BAR = 14;
/** The length of a bar's point, in pixels. */
const POINT = 6;

/**
 * Lays out the rows from the first answer to the last one, and the axis. Each row is a stop.
 *
 * @param {{ first: Answer, steps: readonly Step[], last: Answer, axis: string }} content
 * @param {number} top  in pixels
 * @param {ChartLook} look
 * @returns {{ items: Drawing['items'], bottom: number }}
 */
export function layoutSteps({ first, steps, last, axis }, top, look) {
  const { measure, words, width } = look;
  const rows = [first, ...steps, last];
  const texts = (/** @type {'label' | 'number'} */ name) => rows.map((row) => row[name]);
  const columns = columnsFor(texts('label'), texts('number'), look);
  const values = [first.at, last.at, ...steps.flatMap(({ from, to, ends }) => [from, to, ...(ends ?? [])])];
  const scale = scaleOver(values, columns.from, columns.to, 0.03);
  const bottom = top + rows.length * columns.row + 6;
  const { lines, numbers } = horizontalAxis(scale, { top, bottom, measure, ...words.ticks });
  // The line that leads to the next row.
  const leads = rows.slice(0, -1).map((row, i) => {
    const y = top + i * columns.row + columns.middle;
    return { d: box(scale.at('to' in row ? row.to : row.at) - 0.5, y, 1, columns.row), fill: 'muted' };
  });
  const groups = rows.map((row, i) => {
    const y = top + i * columns.row;
    const line = y + columns.middle;
    const marks = 'to' in row ? drawStep(row, scale.at, line) : drawAnswer(scale.at(row.at), line);
    const style = 'to' in row ? { numberFill: row.kind === 'sure' ? 'ink' : 'muted' } : { bold: true };
    const { label, number } = row;
    const items = [...marks, ...writeRow({ label, number, ...style }, { columns, y, measure })];
    return { feature: i, box: rowBox(columns, y), items };
  });
  const title = axisTitle(axis, bottom, { columns, width, measure });
  const notes = layoutNotes(steps.some(({ ends }) => ends) ? [words.labels.lines] : [], bottom + 44, look);
  return {
    items: [...lines, ...leads, ...groups, ...numbers, title, ...notes.items],
    bottom: notes.bottom + MARGIN - 6,
  };
}

/** Draws the mark of the first or the last answer. @param {number} x @param {number} y @returns {Outline[]} */
const drawAnswer = (x, y) => [
  { d: box(x - 3.5, y - 11, 7, 22, 3.5), fill: 'ground' },
  { d: box(x - 2, y - 9, 4, 18, 2), fill: 'ink' },
];

/**
 * Draws a bar that points to where the answer goes, and its interval. A bar whose direction is not sure has no color and no
 * point, only dotted edges.
 *
 * @param {Step} step
 * @param {(value: number) => number} at
 * @param {number} y  the middle of the bar
 * @returns {Outline[]}
 */
function drawStep({ from, to, ends, kind, step, striped }, at, y) {
  const [start, end, change] = [at(from), at(to), to - from];
  const [left, width] = [Math.min(start, end), Math.abs(end - start)];
  /** @type {Outline[]} */
  const shapes = [];
  if (kind === 'unsure' || kind === 'none') {
    if (width > 1) shapes.push({ d: box(left, y - BAR / 2, width, BAR), fill: 'ground' });
    for (const edge of [-BAR / 2, BAR / 2 - 2])
      if (width > 4) shapes.push({ d: rule(left, y + edge, width, 'undecided'), fill: 'muted' });
  } else if (change) {
    const [edge, inside] = kind === 'rest' ? ['muted', striped ? 'ground' : 'line'] : [edgeOf(step), step];
    shapes.push({ d: pointedBar(start, end, y, BAR), fill: edge });
    if (width > 4) {
      const inset = change < 0 ? -1 : 1;
      shapes.push({ d: pointedBar(start + inset, end - 1.6 * inset, y, BAR - 2), fill: inside });
    }
    if (striped && width > 2 * POINT) {
      const body = width - POINT;
      shapes.push({ d: rule(change < 0 ? left + POINT : left, y - BAR / 2, body, 'undecided', BAR), fill: 'muted' });
    }
  }
  if (ends && ends[0] < ends[1])
    // A full halo would hide the point of the bar.
    shapes.push(...whisker(at(ends[0]), at(ends[1]), y, kind === 'sure' ? 'ink' : 'muted', 0.25));
  return shapes;
}

/**
 * Returns the path of a bar with a point at its end.
 *
 * @param {number} start
 * @param {number} end
 * @param {number} y
 * @param {number} height
 */
export function pointedBar(start, end, y, height) {
  const round = (/** @type {number} */ value) => Math.round(100 * value) / 100;
  const length = Math.max(1, Math.abs(end - start)) * (end < start ? -1 : 1);
  const point = round(Math.sign(length) * Math.min(POINT, Math.abs(length) / 2));
  const body = round(length - point);
  const half = round(height / 2);
  return `M${round(start)} ${round(y - half)}h${body}l${point} ${half}l${-point} ${half}h${-body}z`;
}
