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
 * @typedef {object} Columns  where things stand from left to right
 * @property {number} left
 * @property {number} right
 * @property {number} label  the room that labels have
 * @property {number} weight  where weights end
 * @property {number} middle  where the bars start
 * @property {number} half  the length of the longest
 * @property {number} row  the height of a row
 * @property {number} bar  the middle of the bar below the top of its row
 */

const SIZE = 13;
const THICK = 12;

/**
 * @param {Explanation} explanation
 * @param {object} options
 * @param {number} options.width
 * @param {number} options.full
 * @param {boolean} options.fixed  whether the scale was given: bars then end where it ends
 * @param {number} options.features  how many features are drawn at most
 * @param {Measure} options.measure
 * @returns {Drawing}
 */
export function layoutBars(explanation, { width, full, fixed, features: count, measure }) {
  const features = explanation.features.slice(0, count);
  const number = numbersFor(full);
  const extent = fixed ? full : reachOf(features, full);
  const columns = columnsFor(explanation, features, { width, number, measure });
  const head = layoutHead(explanation, width, measure);
  const { row, left, right } = columns;
  let y = head.height + 12;
  const items = /** @type {Drawing['items']} */ ([...head.items, ...headings(explanation, columns, y + 13, measure)]);
  y += 22;
  for (const feature of features) {
    const parts = [
      ...writeRow(feature, explanation, { columns, y, number, measure }),
      ...drawBar(feature, { columns, y, full, extent }),
    ];
    items.push({ feature: feature.index, box: [left - 4, y, right - left + 8, row], items: parts });
    y += row;
  }
  const more = explanation.features.length - features.length;
  const height = Math.ceil(y + 48);
  items.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  const reach = (columns.half * full) / extent;
  items.push(...drawScale(columns.middle - reach, y + 6, 2 * reach, [-full, full].map(number)));
  if (more > 0) items.push(cell(`and ${more} more`, right, y + 26));
  return { width, height, title: titleOf(explanation), items };
}

/**
 * @param {readonly Feature[]} features
 * @param {number} full
 * @returns {number}  the farthest that a bar or a whisker goes
 */
function reachOf(features, full) {
  const ends = features.flatMap(({ interval, raw = 0 }) => [...(interval ?? []), raw]);
  return ends.reduce((reach, end) => Math.max(reach, Math.abs(end)), full);
}

/**
 * Labels left of the bars where there is room for both, above them in a narrow picture; numbers at the right.
 *
 * @param {Explanation} explanation
 * @param {readonly Feature[]} features
 * @param {{ width: number, number: (value: number) => string, measure: Measure }} options
 * @returns {Columns}
 */
function columnsFor(explanation, features, { width, number, measure }) {
  const [left, right] = [MARGIN, width - MARGIN];
  const room = right - left;
  const longest = (/** @type {string[]} */ texts) => Math.max(...texts.map((text) => measure(text, SIZE)));
  const weights = longest(['weight', ...features.map((feature) => weightOf(feature, number))]) + 22;
  const agreement = features.some(({ signAgreement }) => signAgreement !== null) ? 54 : 0;
  const narrow = room < 440;
  const wanted = longest(['', ...features.map((feature) => labelOf(feature, explanation))]) + 14;
  const label = narrow ? room : Math.min(wanted, room * 0.36);
  const from = narrow ? left : left + label;
  const half = (right - from - weights - agreement) / 2;
  const height = narrow ? { row: 42, bar: 30 } : { row: 28, bar: 14 };
  return { left, right, label, weight: right - agreement, middle: from + half, half, ...height };
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} [fill]
 * @returns {Words}  that end at x
 */
const cell = (text, x, y, fill = 'muted') => ({ text, x, y, size: SIZE, fill, anchor: 'end' });

/**
 * @param {Explanation} explanation
 * @param {Columns} columns
 * @param {number} y
 * @param {Measure} measure
 * @returns {Words[]}
 */
function headings(explanation, { middle, half, weight, right }, y, measure) {
  const [against, pro] = sidesOf(explanation);
  return [
    fitWords(cell(`− ${against}`, middle - 8, y), half - 8, measure),
    fitWords({ ...cell(`+ ${pro}`, middle + 8, y), anchor: undefined }, half - 8, measure),
    cell('weight', weight, y),
    ...(weight < right ? [cell('agree', right, y)] : []),
  ];
}

/**
 * @param {Feature} feature
 * @param {Explanation} explanation
 * @param {{ columns: Columns, y: number, number: (value: number) => string, measure: Measure }} place
 * @returns {Words[]}
 */
function writeRow(feature, explanation, { columns: { left, label, weight, right, bar, row }, y, number, measure }) {
  const { silenced, signAgreement } = feature;
  const base = y + bar + 4.5;
  const name = cell(labelOf(feature, explanation), left + 2, row > 30 ? y + 16 : base, 'ink');
  const words = [
    fitWords({ ...name, anchor: undefined }, label - 12, measure),
    cell(weightOf(feature, number), weight, base, silenced ? 'muted' : 'ink'),
  ];
  if (signAgreement !== null) words.push(cell(`${Math.round(100 * signAgreement)} %`, right, base));
  return words;
}

/**
 * The bar, dotted below where the sign is undecided, in outline where it is silenced; and the whisker of its interval.
 *
 * @param {Feature} feature
 * @param {{ columns: Columns, y: number, full: number, extent: number }} place
 * @returns {Outline[]}
 */
function drawBar(feature, { columns: { middle, half, bar, row }, y, full, extent }) {
  const { weight, interval, silenced, raw = 0 } = feature;
  const at = (/** @type {number} */ value) => middle + half * Math.max(-1, Math.min(1, value / extent));
  const line = y + bar;
  const span = (/** @type {number} */ value) =>
    /** @type {[number, number]} */ ([Math.min(middle, at(value)), Math.abs(at(value) - middle)]);
  const [from, length] = span(silenced ? raw : weight);
  /** @type {Outline[]} */
  const shapes = [{ d: box(middle - 0.5, row > 30 ? line - 10 : y, 1, row > 30 ? 20 : row), fill: 'line' }];
  if (weight && !silenced) {
    // The edge keeps a pale bar visible; the color inside is that of the scale.
    shapes.push({ d: box(from, line - THICK / 2, Math.max(1, length), THICK, 2), fill: weight < 0 ? 'n9' : 'p9' });
    if (length > 3)
      shapes.push({ d: box(from + 1, line - THICK / 2 + 1, length - 2, THICK - 2, 1), fill: stepOf(weight, full) });
  }
  for (const below of silenced ? [-THICK / 2, THICK / 2 - 2] : isUndecided(feature) ? [THICK / 2 + 2] : [])
    if (length > 4) shapes.push({ d: rule(from, line + below, length, 'undecided'), fill: silenced ? 'muted' : 'ink' });
  if (!interval) return shapes;
  const [low, high] = interval.map(at);
  const whisker = (/** @type {number} */ more) => {
    const cap = (/** @type {number} */ x) => box(x - 0.75 - more, line - 4 - more, 1.5 + 2 * more, 8 + 2 * more);
    return box(low, line - 0.75 - more, high - low, 1.5 + 2 * more) + cap(low) + cap(high);
  };
  shapes.push({ d: whisker(1), fill: 'ground' }, { d: whisker(0), fill: 'ink' });
  return shapes;
}
