// Lays out the bar chart of an explanation.
import { box, rule } from './drawing.js';
import { fitWords, layoutHead, MARGIN, writeLines } from './layout-text.js';
import { endsOf, isSure, largestSize } from './reading.js';

/**
 * @typedef {import('./drawing.js').Drawing} Drawing
 * @typedef {import('./drawing.js').Outline} Outline
 * @typedef {import('./drawing.js').Words} Words
 * @typedef {import('./text-width.js').Measure} Measure
 * @typedef {import('./reading.js').Item} Item
 * @typedef {import('./reading.js').Reading} Reading
 *
 * @typedef {object} Columns  horizontal positions, and vertical ones from the top of a row; all in pixels
 * @property {number} left
 * @property {number} right
 * @property {number} labelWidth
 * @property {number} middle  where the bars start
 * @property {number} half  the length of the longest bar
 * @property {number} row  the height of a row
 * @property {number} label  the baseline of the label
 * @property {number} bar  the middle of the bar
 */

const FONT_SIZE = 13;
const SMALL = 12;
const BAR_HEIGHT = 12;
/** Up to so many features are all drawn. */
const FEW_ROWS = 12;
/** Below this width of the chart, labels are above the bars. */
const NARROW = 440;

/**
 * Lays out one bar per feature.
 *
 * @param {Reading} reading
 * @param {object} options
 * @param {number} options.width  in pixels
 * @param {number} options.features  the largest number of features to draw
 * @param {Measure} options.measure
 * @returns {Drawing}
 */
export function layoutBars(reading, { width, features: count, measure }) {
  const { fullWeight, fullWeightGiven } = reading;
  const shown = reading.items.filter(isWorthARow).slice(0, count);
  const items = shown.length > 0 ? [...shown, ...reading.rest] : shown;
  const extent = largestSize(fullWeightGiven ? [fullWeight] : [fullWeight, ...endsOf(items)]);
  const columns = columnsFor(reading, items, { width, measure });
  const head = layoutHead(reading, width, measure);
  const { row, left, right } = columns;
  let y = head.height + 14;
  const drawn = /** @type {Drawing['items']} */ ([...head.items]);
  const heads = items.length > 0 ? headings(reading, columns, y + 13, measure) : [];
  drawn.push(...heads);
  y = Math.max(y, ...heads.map((words) => words.y - 13)) + 22;
  for (const item of items) {
    const parts = [
      ...writeRow(item, reading, { columns, y, measure }),
      ...drawBar(item, { columns, y, extent: (value) => Math.max(-1, Math.min(1, value / extent)) }),
    ];
    if (!item.feature) drawn.push(...parts);
    else drawn.push({ feature: item.feature.index, box: [left - 4, y, right - left + 8, row], items: parts });
    y += row;
  }
  if (items.length > 0) drawn.push(...ticksOf(reading, columns, y + 14, { extent, measure }));
  const notes = notesBelow(reading, items);
  const below = writeLines(
    notes.map((text) => ({ text, size: SMALL, fill: 'muted' })),
    { x: left, y: y + (items.length > 0 ? 24 : 0), width: right - left, measure },
  );
  const height = below.bottom + MARGIN;
  drawn.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  for (const words of below.items) drawn.push(words);
  return { width, height, title: reading.title, items: drawn };
}

/** Few rows are all drawn; of many, those without an effect are left out. @type {(item: Item, place: number, all: readonly Item[]) => boolean} */
const isWorthARow = ({ effect }, _, all) => effect !== 'none' || all.length <= FEW_ROWS;

/**
 * What is said below the bars: how many are missing, and what lines and missing colors mean.
 *
 * @param {Reading} reading
 * @param {readonly Item[]} items  that are drawn
 */
function notesBelow(reading, items) {
  const { labels } = reading;
  const some = (/** @type {Item['effect']} */ wanted) => items.some(({ effect }) => effect === wanted);
  const worth = reading.items.filter(isWorthARow);
  const [hidden, none] = [
    worth.length - items.filter(({ feature }) => feature).length,
    reading.items.length - worth.length,
  ];
  return [
    hidden > 0 ? reading.say('andMore', { count: hidden }) : '',
    none > 0 ? reading.say('andNone', { count: none }) : '',
    items.some(({ interval }) => interval?.some(Boolean)) ? labels.lines : '',
    some('unsure') ? labels.unsureSide : '',
    some('guess') ? labels.dotted : '',
    some('rest') ? labels.striped : '',
  ].filter(Boolean);
}

/**
 * Places the columns. Labels are left of the bars, or above them in a narrow chart; numbers are at the right.
 *
 * @param {Reading} reading
 * @param {readonly Item[]} items
 * @param {{ width: number, measure: Measure }} options
 * @returns {Columns}
 */
function columnsFor(reading, items, { width, measure }) {
  const [left, right] = [MARGIN, width - MARGIN];
  const available = right - left;
  const longest = (/** @type {string[]} */ texts, size = FONT_SIZE) =>
    texts.reduce((width, text) => Math.max(width, measure(text, size)), 0);
  const numbers = longest(items.map((item) => reading.figure(item))) + 22;
  const asides = items.map((item) => reading.aside(item)).filter(Boolean);
  const narrow = available < NARROW;
  const wanted = Math.max(longest(items.map((item) => reading.label(item))), longest(asides, SMALL)) + 14;
  const labelWidth = narrow ? available : Math.min(wanted, available * 0.46);
  const from = narrow ? left : left + labelWidth;
  const half = (right - from - numbers) / 2;
  const two = asides.length > 0;
  const rows = narrow
    ? { row: two ? 58 : 42, label: 16, bar: two ? 45 : 30 }
    : { row: two ? 42 : 28, label: two ? 18 : 18.5, bar: two ? 21 : 14 };
  return { left, right, labelWidth, middle: from + half, half, ...rows };
}

/**
 * Returns words that end at x.
 *
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} [fill]
 * @returns {Words}
 */
const cell = (text, x, y, fill = 'muted') => ({ text, x, y, size: FONT_SIZE, fill, anchor: 'end' });

/** Returns words that start at x. @type {typeof cell} */
const start = (text, x, y, fill) => ({ ...cell(text, x, y, fill), anchor: undefined });

/**
 * What the two sides mean. A reason points to a side; a slope points up or down. Long ones are on two lines.
 *
 * @param {Reading} reading
 * @param {Columns} columns
 * @param {number} y
 * @param {Measure} measure
 * @returns {Words[]}
 */
function headings({ sides: [minus, plus], view }, { middle, half, left, right }, y, measure) {
  const [down, up] = view === 'slope' ? [`↓ ${minus}`, `${plus} ↑`] : [`← ${minus}`, `${plus} →`];
  const isLong = [down, up].some((text) => measure(text, FONT_SIZE) > half - 8);
  const most = isLong ? right - left : half - 8;
  return [
    fitWords(isLong ? start(down, left, y) : cell(down, middle - 8, y), most, measure),
    fitWords(isLong ? cell(up, right, y + 18) : start(up, middle + 8, y), most, measure),
  ];
}

/**
 * @param {Item} item
 * @param {Reading} reading
 * @param {{ columns: Columns, y: number, measure: Measure }} place
 * @returns {Words[]}
 */
function writeRow(item, reading, { columns: { left, right, labelWidth, label, bar }, y, measure }) {
  const aside = reading.aside(item);
  const line = (/** @type {string} */ text, /** @type {Partial<Words>} */ more) =>
    fitWords({ ...start(text, left + 2, y + label, 'ink'), ...more }, labelWidth - 12, measure);
  return [
    line(reading.label(item), item.feature ? {} : { y: y + bar + (bar > 21 ? -13 : 4.5), fill: 'muted' }),
    ...(aside ? [line(aside, { y: y + label + 16, size: SMALL, fill: 'muted' })] : []),
    cell(reading.figure(item), right, y + bar + 4.5, isSure(item) ? 'ink' : 'muted'),
  ];
}

/**
 * Draws the bar and the whisker of its interval. What is unsure has no bar, because a bar has a sign; a guess has only dotted
 * edges; what is not explained is striped.
 *
 * @param {Item} item
 * @param {{ columns: Columns, y: number, extent: (value: number) => number }} place  extent: -1 to 1, from end to end
 * @returns {Outline[]}
 */
function drawBar({ amount, interval, effect, step }, { columns: { middle, half, bar, row }, y, extent }) {
  const at = (/** @type {number} */ value) => middle + half * extent(value);
  const line = y + bar;
  const top = line - BAR_HEIGHT / 2;
  /** @type {Outline[]} */
  const shapes = [{ d: bar > 21 ? box(middle - 0.5, line - 12, 1, 24) : box(middle - 0.5, y, 1, row), fill: 'line' }];
  const [from, length] = [Math.min(middle, at(amount)), Math.abs(at(amount) - middle)];
  const dots = (/** @type {number} */ y, height = 2) => rule(from, y, length, 'undecided', height);
  if (effect === 'guess') shapes.push({ d: dots(top) + dots(top + BAR_HEIGHT - 2), fill: 'muted' });
  else if (effect !== 'unsure' && effect !== 'none') {
    // The edge keeps a pale bar visible; the inside has the color of the scale.
    shapes.push({ d: box(from, top, Math.max(1, length), BAR_HEIGHT, 2), fill: edgeOf(step) });
    if (length > 3) shapes.push({ d: box(from + 1, top + 1, length - 2, BAR_HEIGHT - 2, 1), fill: step });
    if (effect === 'rest') shapes.push({ d: dots(top, BAR_HEIGHT), fill: 'muted' });
  }
  if (!interval?.some(Boolean)) return shapes;
  const [low, high] = interval.map(at);
  const whisker = (/** @type {number} */ halo) => {
    const cap = (/** @type {number} */ x) => box(x - 0.75 - halo, line - 4 - halo, 1.5 + 2 * halo, 8 + 2 * halo);
    return box(low, line - 0.75 - halo, high - low, 1.5 + 2 * halo) + cap(low) + cap(high);
  };
  shapes.push({ d: whisker(1), fill: 'ground' }, { d: whisker(0), fill: effect === 'unsure' ? 'muted' : 'ink' });
  return shapes;
}

/** A stronger step of the same color, but never the strongest for a weak one. @param {string} step */
const edgeOf = (step) => (step === 'z' ? 'muted' : `${step[0]}${Math.min(9, Number(step.slice(1)) + 3)}`);

/** The largest of 1, 2, 5, 10, 20 and so on that is not above a number. @param {number} value */
function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2].find((factor) => factor * power <= value) ?? 1);
}

/**
 * The numbers below the bars: zero, and a round number on both sides if there is room.
 *
 * @param {Reading} reading
 * @param {Columns} columns
 * @param {number} y
 * @param {{ extent: number, measure: Measure }} options  extent: the value at the end of the longest bar
 * @returns {Words[]}
 */
function ticksOf({ number }, { middle, half, left, right }, y, { extent, measure }) {
  const end = roundBelow(extent);
  const reach = half * (end / extent);
  const tick = (/** @type {string} */ text, /** @type {number} */ x) => {
    const half = measure(text, SMALL) / 2;
    // Long numbers stay within the picture.
    const at = Math.max(left + half, Math.min(right - half, x));
    return /** @type {Words} */ ({ text, x: at, y, size: SMALL, fill: 'muted', anchor: 'middle' });
  };
  const ends = reach < 48 ? [] : [tick(number(-end), middle - reach), tick(number(end), middle + reach)];
  return [tick('0', middle), ...ends];
}
