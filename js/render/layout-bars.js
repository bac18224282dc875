// Lays out the bar chart of an explanation.
import { box, drawScale, rule } from './drawing.js';
import { fitWords, layoutHead, MARGIN } from './layout-text.js';
import { stepOf } from './palette.js';
import { isUndecided, labelOf, numbersFor, sidesOf, titleOf, weightOf } from './wording.js';

/**
 * @typedef {import('./drawing.js').Drawing} Drawing
 * @typedef {import('./drawing.js').Outline} Outline
 * @typedef {import('./drawing.js').Words} Words
 * @typedef {import('./text-width.js').Measure} Measure
 * @typedef {import('./wording.js').Feature} Feature
 * @typedef {import('./wording.js').Explanation} Explanation
 *
 * @typedef {object} Columns  horizontal positions, and the height of a row; all in pixels
 * @property {number} left
 * @property {number} right
 * @property {number} labelWidth
 * @property {number} weightEnd  the right edge of the weights
 * @property {number} middle  where the bars start
 * @property {number} half  the length of the longest bar
 * @property {number} row  the height of a row
 * @property {number} bar  the distance from the top of a row to the middle of its bar
 */

const FONT_SIZE = 13;
const BAR_HEIGHT = 12;

/**
 * Lays out one bar per feature.
 *
 * @param {Explanation} explanation
 * @param {object} options
 * @param {number} options.width  in pixels
 * @param {number} options.fullWeight  the weight that gets the full color
 * @param {boolean} options.fullWeightGiven  whether the caller chose that weight; longer bars and whiskers are then cut
 * @param {number} options.features  the largest number of features to draw
 * @param {Measure} options.measure
 * @returns {Drawing}
 */
export function layoutBars(explanation, { width, fullWeight, fullWeightGiven, features: count, measure }) {
  const features = explanation.features.slice(0, count);
  const number = numbersFor(fullWeight);
  const extent = fullWeightGiven ? fullWeight : reachOf(features, fullWeight);
  const columns = columnsFor(explanation, features, { width, number, measure });
  const head = layoutHead(explanation, width, measure);
  const { row, left, right } = columns;
  let y = head.height + 12;
  const items = /** @type {Drawing['items']} */ ([...head.items, ...headings(explanation, columns, y + 13, measure)]);
  y += 22;
  for (const feature of features) {
    const parts = [
      ...writeRow(feature, explanation, { columns, y, number, measure }),
      ...drawBar(feature, { columns, y, fullWeight, extent }),
    ];
    items.push({ feature: feature.index, box: [left - 4, y, right - left + 8, row], items: parts });
    y += row;
  }
  const hidden = explanation.features.length - features.length;
  const height = Math.ceil(y + 48);
  items.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  const reach = columns.half * (fullWeight / extent);
  items.push(...drawScale(columns.middle - reach, y + 6, 2 * reach, [-fullWeight, fullWeight].map(number)));
  if (hidden > 0) items.push(cell(`and ${hidden} more`, right, y + 26));
  return { width, height, title: titleOf(explanation), items };
}

/**
 * Returns the largest absolute value that a bar or a whisker reaches.
 *
 * @param {readonly Feature[]} features
 * @param {number} fullWeight
 * @returns {number}
 */
function reachOf(features, fullWeight) {
  const ends = features.flatMap(({ interval, raw = 0 }) => [...(interval ?? []), raw]);
  return ends.reduce((reach, end) => Math.max(reach, Math.abs(end)), fullWeight);
}

/**
 * Places the columns. Labels are left of the bars, or above them in a narrow chart; numbers are at the right.
 *
 * @param {Explanation} explanation
 * @param {readonly Feature[]} features
 * @param {{ width: number, number: (value: number) => string, measure: Measure }} options
 * @returns {Columns}
 */
function columnsFor(explanation, features, { width, number, measure }) {
  const [left, right] = [MARGIN, width - MARGIN];
  const available = right - left;
  const longest = (/** @type {string[]} */ texts) =>
    texts.reduce((width, text) => Math.max(width, measure(text, FONT_SIZE)), 0);
  const weights = longest(['weight', ...features.map((feature) => weightOf(feature, number))]) + 22;
  const agreement = features.some(({ signAgreement }) => signAgreement !== null) ? 54 : 0;
  const narrow = available < 440;
  const wanted = longest(['', ...features.map((feature) => labelOf(feature, explanation))]) + 14;
  const labelWidth = narrow ? available : Math.min(wanted, available * 0.36);
  const from = narrow ? left : left + labelWidth;
  const half = (right - from - weights - agreement) / 2;
  const height = narrow ? { row: 42, bar: 30 } : { row: 28, bar: 14 };
  return { left, right, labelWidth, weightEnd: right - agreement, middle: from + half, half, ...height };
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

/**
 * @param {Explanation} explanation
 * @param {Columns} columns
 * @param {number} y
 * @param {Measure} measure
 * @returns {Words[]}
 */
function headings(explanation, { middle, half, weightEnd, right }, y, measure) {
  const [against, pro] = sidesOf(explanation);
  return [
    fitWords(cell(`− ${against}`, middle - 8, y), half - 8, measure),
    fitWords({ ...cell(`+ ${pro}`, middle + 8, y), anchor: undefined }, half - 8, measure),
    cell('weight', weightEnd, y),
    ...(weightEnd < right ? [cell('agree', right, y)] : []),
  ];
}

/**
 * @param {Feature} feature
 * @param {Explanation} explanation
 * @param {{ columns: Columns, y: number, number: (value: number) => string, measure: Measure }} place
 * @returns {Words[]}
 */
function writeRow(feature, explanation, { columns, y, number, measure }) {
  const { left, labelWidth, weightEnd, right, bar, row } = columns;
  const { silenced, signAgreement } = feature;
  const base = y + bar + 4.5;
  const name = cell(labelOf(feature, explanation), left + 2, row > 30 ? y + 16 : base, 'ink');
  const words = [
    fitWords({ ...name, anchor: undefined }, labelWidth - 12, measure),
    cell(weightOf(feature, number), weightEnd, base, silenced ? 'muted' : 'ink'),
  ];
  if (signAgreement !== null) words.push(cell(`${Math.round(100 * signAgreement)} %`, right, base));
  return words;
}

/**
 * Draws the bar and the whisker of its interval. A dotted line below marks an undecided sign; a silenced bar has only
 * dotted lines.
 *
 * @param {Feature} feature
 * @param {{ columns: Columns, y: number, fullWeight: number, extent: number }} place
 * @returns {Outline[]}
 */
function drawBar(feature, { columns: { middle, half, bar, row }, y, fullWeight, extent }) {
  const { weight, interval, silenced, raw = 0 } = feature;
  const at = (/** @type {number} */ value) => middle + half * Math.max(-1, Math.min(1, value / extent));
  const line = y + bar;
  const top = line - BAR_HEIGHT / 2;
  const end = at(silenced ? raw : weight);
  const from = Math.min(middle, end);
  const length = Math.abs(end - middle);
  /** @type {Outline[]} */
  const shapes = [{ d: box(middle - 0.5, row > 30 ? line - 10 : y, 1, row > 30 ? 20 : row), fill: 'line' }];
  if (weight && !silenced) {
    // The dark edge keeps a pale bar visible; the inside has the color of the scale.
    shapes.push({ d: box(from, top, Math.max(1, length), BAR_HEIGHT, 2), fill: weight < 0 ? 'n9' : 'p9' });
    if (length > 3)
      shapes.push({ d: box(from + 1, top + 1, length - 2, BAR_HEIGHT - 2, 1), fill: stepOf(weight, fullWeight) });
  }
  const dotted = silenced ? [0, BAR_HEIGHT - 2] : isUndecided(feature) ? [BAR_HEIGHT + 2] : [];
  for (const down of dotted)
    if (length > 4) shapes.push({ d: rule(from, top + down, length, 'undecided'), fill: silenced ? 'muted' : 'ink' });
  if (!interval) return shapes;
  const [low, high] = interval.map(at);
  const whisker = (/** @type {number} */ halo) => {
    const cap = (/** @type {number} */ x) => box(x - 0.75 - halo, line - 4 - halo, 1.5 + 2 * halo, 8 + 2 * halo);
    return box(low, line - 0.75 - halo, high - low, 1.5 + 2 * halo) + cap(low) + cap(high);
  };
  shapes.push({ d: whisker(1), fill: 'ground' }, { d: whisker(0), fill: 'ink' });
  return shapes;
}
