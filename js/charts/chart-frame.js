// The frame of every chart: the question, one sentence, notes, and the columns for labels, marks and numbers.
import { box } from '../render/drawing.js';
import { fitWords, isRtl, MARGIN, wrapText, writeLines } from '../render/layout-text.js';

/**
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('../render/drawing.js').Words} Words
 * @typedef {import('../render/text-width.js').Measure} Measure
 *
 * @typedef {object} Stop  what the reader can point at or focus
 * @property {number | null} feature  the index of the feature that it is about; null if it is about none
 * @property {string} name  of the feature; empty if there is none
 * @property {string[]} details  lines for the tooltip; the first one is the label
 *
 * @typedef {object} ChartTable  what the chart shows, in words; screen readers get it
 * @property {string[]} headings
 * @property {string[][]} rows
 *
 * @typedef {object} Chart
 * @property {Drawing} drawing  its groups are the stops: the `feature` of a group is the place of its stop
 * @property {string} sentence
 * @property {ChartTable} table
 * @property {Stop[]} stops
 *
 * @typedef {object} ChartLook
 * @property {number} width  in pixels
 * @property {Measure} measure
 * @property {import('./chart-words.js').ChartWords} words
 */

/** The font size of labels and numbers, in pixels. */
export const FONT_SIZE = 13;
/** The font size of axes and notes. */
export const SMALL = 12;
/** If the effect is unsure in this share of the explanations, the label says so. */
const OFTEN = 0.1;
/** The height of a line of a long label. */
const LINE = 14;
/** Below this width labels stand above the marks. */
const NARROW = 480;

/**
 * Places words whose text may run from right to left: `left`, `middle` and `right` are sides of the picture.
 *
 * @param {string} text
 * @param {number} x
 * @param {number} y  the baseline
 * @param {{ side?: 'left' | 'middle' | 'right', size?: number, fill?: string, bold?: boolean }} [style]  side: of the text,
 *   that x is; default `'left'`
 * @returns {Words}
 */
export function textAt(text, x, y, { side = 'left', size = FONT_SIZE, fill = 'ink', bold } = {}) {
  const rtl = isRtl(text);
  /** @type {Words['anchor']} */
  const anchor = side === 'middle' ? 'middle' : (side === 'right') === rtl ? undefined : 'end';
  return { text, x, y, size, fill, ...(bold && { bold }), ...(anchor && { anchor }), ...(rtl && { rtl }) };
}

/**
 * Lays out the question, and what the chart says in words.
 *
 * @param {string} title
 * @param {readonly string[]} lines
 * @param {ChartLook} look
 * @returns {{ items: Words[], height: number }}
 */
export function layoutHeading(title, lines, { width, measure }) {
  const { items, bottom } = writeLines(
    [{ text: title, size: 16, fill: 'ink', bold: true }, ...lines.map((text) => ({ text, size: 14, fill: 'ink' }))],
    { x: MARGIN, y: MARGIN, width: width - 2 * MARGIN, measure },
  );
  return { items, height: bottom };
}

/**
 * The columns of a chart with one row per feature; all in pixels.
 *
 * @typedef {object} RowColumns
 * @property {boolean} narrow  whether labels and numbers stand above the marks
 * @property {number} left  the left edge of the labels
 * @property {number} right  the right edge of the numbers
 * @property {number} labelWidth  the most that a label may take
 * @property {number} from  where the marks begin
 * @property {number} to  where they end
 * @property {number} row  the height of a row
 * @property {number} middle  the distance from the top of a row to the middle of its marks
 * @property {number} base  the distance from the top of a row to the baseline of its words
 */

/**
 * Places labels at the left, marks in the middle and numbers at the right, or labels and numbers above the marks.
 *
 * @param {readonly string[]} labels
 * @param {readonly string[]} numbers
 * @param {Pick<ChartLook, 'width' | 'measure'> & { row?: number }} look  row: the height of the marks; default 28
 * @returns {RowColumns}
 */
export function columnsFor(labels, numbers, { width, measure, row = 28 }) {
  const [left, right] = [MARGIN, width - MARGIN];
  const longest = (/** @type {readonly string[]} */ texts) =>
    texts.reduce((most, text) => Math.max(most, measure(text, FONT_SIZE)), 0);
  const numberWidth = Math.ceil(longest(numbers));
  if (width < NARROW) {
    const labelWidth = right - left - numberWidth - 8;
    const above = longest(labels) > labelWidth ? 18 + LINE : 18;
    return {
      narrow: true,
      left,
      right,
      labelWidth,
      from: left + 2,
      to: right - 2,
      row: row + above,
      middle: above + row / 2,
      base: above - 3,
    };
  }
  const labelWidth = Math.ceil(Math.min(longest(labels), 0.36 * (right - left)));
  const from = left + labelWidth + 14;
  const to = right - numberWidth - (numberWidth && 14);
  return { narrow: false, left, right, labelWidth, from, to, row, middle: row / 2, base: row / 2 + 4.5 };
}

/**
 * Writes the label and the number of a row. A long label has two lines.
 *
 * @param {{ label: string, number?: string, fill?: string, bold?: boolean, numberFill?: string, most?: 1 | 2 }} texts  most: lines
 *   of the label; default 2
 * @param {{ columns: RowColumns, y: number, measure: Measure }} place  y: the top of the row
 * @returns {(Outline | Words)[]}
 */
export function writeRow(
  { label, number = '', fill = 'ink', bold, numberFill = fill, most = 2 },
  { columns, y, measure },
) {
  const { left, right, labelWidth, base, narrow } = columns;
  const lines = most > 1 ? inTwo(label, labelWidth, measure) : [label];
  // Above the marks, the last line is next to them; beside them, both are around their middle.
  const top = y + base - (narrow ? LINE : LINE / 2) * (lines.length - 1);
  const names = lines.map((line, i) =>
    fitWords(textAt(line, left, top + i * LINE, { fill, bold }), labelWidth, measure),
  );
  const written = [
    ...names,
    ...(number
      ? [fitWords(textAt(number, right, y + base, { side: 'right', fill: numberFill, bold }), right - left, measure)]
      : []),
  ];
  if (!narrow) return written;
  // Lines of the chart pass behind the words.
  const grounds = written.map(({ text, y: line }, i) => {
    const length = measure(text, FONT_SIZE, bold);
    return { d: box((i < names.length ? left : right - length) - 3, line - 12, length + 6, 16), fill: 'ground' };
  });
  return [...grounds, ...written];
}

/**
 * Says in how many of the explanations an effect is unsure, if that is often.
 *
 * @param {number} unsure
 * @param {number} count
 * @param {import('./chart-words.js').ChartWords} words
 */
export const sayDoubt = (unsure, count, words) =>
  unsure < OFTEN * count ? '' : words.say('unsureIn', { unsure: words.whole(unsure), count: words.whole(count) });

/**
 * Writes the label of a row, what is doubtful about it, and its number.
 *
 * @param {{ label: string, aside: string, number?: string, fill?: string }} texts
 * @param {Parameters<typeof writeRow>[1]} place
 * @returns {(Outline | Words)[]}
 */
export function writeDoubtful({ label, aside, number, fill }, place) {
  if (!aside) return writeRow({ label, number, fill }, place);
  if (place.columns.narrow) return writeRow({ label: `${label} (${aside})`, number, fill }, place);
  const shifted = (/** @type {number} */ by) => ({ ...place, y: place.y + by });
  return [
    ...writeRow({ label, fill, most: 1 }, shifted(-8)),
    ...writeRow({ label: aside, fill: 'muted', most: 1 }, shifted(8)),
    ...(number ? writeRow({ label: '', number, fill }, place).slice(1) : []),
  ];
}

/**
 * Breaks a label that is too wide into two lines; the second takes the rest.
 *
 * @param {string} label
 * @param {number} width
 * @param {Measure} measure
 */
function inTwo(label, width, measure) {
  if (measure(label, FONT_SIZE) <= width) return [label];
  const first = wrapText(label, { width, size: FONT_SIZE, measure })[0].trimEnd();
  return [first, label.slice(first.length).trim()];
}

/**
 * Writes notes below a chart.
 *
 * @param {readonly string[]} notes
 * @param {number} y  the top
 * @param {ChartLook} look
 * @returns {{ items: Words[], bottom: number }}
 */
export function layoutNotes(notes, y, { width, measure }) {
  const texts = notes.map((text) => ({ text, size: SMALL, fill: 'muted' }));
  return writeLines(texts, { x: MARGIN, y, width: width - 2 * MARGIN, measure });
}

/** The box of a row, for the pointer and the focus. @param {RowColumns} columns @param {number} y @returns {[number, number, number, number]} */
export const rowBox = ({ left, right, row }, y) => [left - 4, y, right - left + 8, row];

/**
 * Writes the name of a horizontal axis below its numbers.
 *
 * @param {string} text
 * @param {number} bottom  where the axis is
 * @param {{ columns: { from: number, to: number }, width: number, measure: Measure }} place
 * @returns {Words}
 */
export function axisTitle(text, bottom, { columns, width, measure }) {
  const [length, most] = [measure(text, SMALL), width - 2 * MARGIN];
  // It may be wider than the marks, but not than the picture.
  const half = Math.min(length, most) / 2;
  const middle = Math.max(MARGIN + half, Math.min(width - MARGIN - half, (columns.from + columns.to) / 2));
  return fitWords(textAt(text, middle, bottom + 36, { side: 'middle', size: SMALL, fill: 'muted' }), most, measure);
}

/**
 * Puts a ground under the items of a chart.
 *
 * @param {Drawing['items']} items
 * @param {{ width: number, height: number, title: string }} frame
 * @returns {Drawing}
 */
export function drawingOf(items, { width, height, title }) {
  const whole = Math.ceil(height);
  return { width, height: whole, title, items: [{ d: box(0, 0, width, whole), fill: 'ground' }, ...items] };
}

/**
 * Returns the path of a circle.
 *
 * @param {number} x  of the center, in pixels
 * @param {number} y
 * @param {number} radius
 */
export function dot(x, y, radius) {
  const [r, d] = [short(radius), short(2 * radius)];
  return `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0 ${-d} 0z`;
}

/** Rounds to a tenth of a pixel, for paths with many parts. @param {number} value */
export const short = (value) => Math.round(10 * value) / 10;

/**
 * Returns the path of a ring: a circle, and inside of it one that goes round the other way.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} [line]  the thickness, in pixels; default 1
 */
export function ring(x, y, radius, line = 1) {
  const [inner, d] = [short(radius - line), short(2 * (radius - line))];
  return `${dot(x, y, radius)}M${short(x - radius + line)} ${short(y)}a${inner} ${inner} 0 1 1 ${d} 0a${inner} ${inner} 0 1 1 ${-d} 0z`;
}

/**
 * Draws a whisker with its ends, on a halo so that it is visible on a bar.
 *
 * @param {number} low  in pixels
 * @param {number} high
 * @param {number} y
 * @param {string} [fill]  default `'ink'`
 * @param {number} [halo]  its width in pixels; default 1
 * @returns {Outline[]}
 */
export function whisker(low, high, y, fill = 'ink', halo = 1) {
  const line = (/** @type {number} */ halo) => {
    const cap = (/** @type {number} */ x) => box(x - 0.75 - halo, y - 4 - halo, 1.5 + 2 * halo, 8 + 2 * halo);
    return box(low, y - 0.75 - halo, high - low, 1.5 + 2 * halo) + cap(low) + cap(high);
  };
  return [
    { d: line(halo), fill: 'ground' },
    { d: line(0), fill },
  ];
}

/** The edge of a bar: a stronger step of its color, but never the strongest for a weak one. @param {string} step */
export const edgeOf = (step) => (step === 'z' ? 'muted' : `${step[0]}${Math.min(9, Number(step.slice(1)) + 3)}`);

/**
 * Lays out the keys of a chart: a swatch and a text each, on as many lines as needed.
 *
 * @param {readonly { text: string, width: number, swatch: (x: number, y: number) => (Outline | Words)[] }[]} keys  width: of the
 *   swatch, in pixels; y: the baseline of its text
 * @param {{ x: number, y: number, width: number, measure: Measure }} place  y: the first baseline
 * @returns {{ items: (Outline | Words)[], bottom: number }}  bottom: the last baseline
 */
export function layoutKeyLine(keys, { x, y, width, measure }) {
  /** @type {(Outline | Words)[]} */
  const items = [];
  let [at, line] = [x, y];
  for (const { text, width: swatchWidth, swatch } of keys) {
    const length = swatchWidth + 6 + measure(text, SMALL);
    if (at > x && at + length > x + width) [at, line] = [x, line + 20];
    const label = fitWords(
      textAt(text, at + swatchWidth + 6, line, { size: SMALL, fill: 'muted' }),
      x + width - at - swatchWidth - 6,
      measure,
    );
    items.push(...swatch(at, line), label);
    at += length + 18;
  }
  return { items, bottom: line };
}
