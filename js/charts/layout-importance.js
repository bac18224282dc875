// Lays out how much each feature matters over many explanations.
import { box, rule } from '../render/drawing.js';
import { MARGIN } from '../render/layout-text.js';
import { plain } from '../render/wording.js';
import { horizontalAxis, scaleOver } from './chart-axis.js';
import {
  axisTitle,
  columnsFor,
  drawingOf,
  layoutHeading,
  layoutKeyLine,
  layoutNotes,
  rowBox,
  sayDoubt,
  whisker,
  textAt,
  writeDoubtful,
} from './chart-frame.js';

/**
 * @typedef {import('../measure/summary.js').Summary} Summary
 * @typedef {import('../measure/summary.js').SummaryFeature} SummaryFeature
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('../render/drawing.js').Words} Words
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 */

const BAR = 14;

/**
 * Lays out one bar per feature: its mean |contribution| with its interval. The bar has a part for the explanations in which
 * the feature raises the answer, one for those in which it lowers it, and one without color for the others.
 *
 * @param {Summary} summary  checked
 * @param {ChartLook & { features: number}} look  features: the largest number of features
 * @returns {Chart}
 */
export function layoutImportance(summary, look) {
  const { words, measure, width } = look;
  const { labels } = words;
  const features = summary.features.slice(0, look.features);
  const figures = words.figures(features[0]?.importance || 1);
  const names = features.map(({ name }) => plain(name));
  const numbers = features.map(({ importance }) => figures.unsigned(importance));
  const asides = features.map(({ signs: { unsure } }) => sayDoubt(unsure, summary.count, words));
  const row = asides.some(Boolean) ? 34 : undefined;
  const columns = columnsFor([...names, ...asides], numbers, { ...look, row });
  const title = words.say('importanceTitle', { answer: words.subject(summary) });
  const sentence = sentenceOf(summary, figures, words);
  const heading = layoutHeading(title, [sentence, ...(summary.link === 'logit' ? [labels.logOdds] : [])], look);
  const top = heading.height + 12;
  const bottom = top + features.length * columns.row + 4;
  const ends = features.flatMap(({ importance, interval }) => [importance, ...(interval ?? [])]);
  const scale = scaleOver([0, ...ends], columns.from, columns.to, 0);
  const axis = horizontalAxis(scale, { top, bottom, measure, ...words.ticks });
  const items = /** @type {Drawing['items']} */ ([...heading.items, ...axis.lines]);
  features.forEach((feature, f) => {
    const y = top + f * columns.row;
    const parts = [
      ...drawBar(feature, scale.at, y + columns.middle, 2 * feature.signs.unsure > summary.count),
      ...writeDoubtful({ label: names[f], aside: asides[f], number: numbers[f] }, { columns, y, measure }),
    ];
    items.push({ feature: f, box: rowBox(columns, y), items: parts });
  });
  items.push(...axis.numbers, axisTitle(labels.importanceAxis, bottom, { columns, width, measure }));
  const keys = layoutKeys(features, bottom + 60, look);
  const hidden = summary.features.length - features.length;
  const notes = [
    ...(features.some(({ interval }) => interval) ? [labels.importanceLines] : []),
    ...(hidden > 0 ? [words.say('notShown', { count: hidden })] : []),
  ];
  const below = layoutNotes(notes, keys.bottom + 6, look);
  const height = below.bottom + MARGIN - 4;
  const drawing = drawingOf([...items, ...keys.items, ...below.items], { width, height, title });
  return { drawing, sentence, ...describe(summary, features, figures, words) };
}

/**
 * @param {SummaryFeature} feature
 * @param {(value: number) => number} at
 * @param {number} y  the middle of the bar
 * @param {boolean} pale  whether it is mostly unsure
 * @returns {(Outline | Words)[]}
 */
function drawBar({ importance, interval, parts }, at, y, pale) {
  /** @type {(Outline | Words)[]} */
  const shapes = [];
  let from = 0;
  for (const [amount, kind] of /** @type {const} */ ([
    [parts.raises, 'raises'],
    [parts.lowers, 'lowers'],
    [parts.unsure, 'unsure'],
  ])) {
    const to = from + amount;
    shapes.push(...drawSegment(at(from), at(to), y, kind, pale));
    from = to;
  }
  if (interval && importance) shapes.push(...whisker(at(interval[0]), at(interval[1]), y));
  return shapes;
}

/**
 * Draws a part of a bar, with its sign if there is space. Without color, the edge of an unsure part is dotted.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} y
 * @param {'raises' | 'lowers' | 'unsure'} kind
 * @param {boolean} [pale]
 * @returns {(Outline | Words)[]}
 */
export function drawSegment(from, to, y, kind, pale = false) {
  const [width, top] = [to - from, y - BAR / 2];
  if (width <= 0) return [];
  if (kind === 'unsure')
    return [
      { d: box(from, top, Math.max(1, width), BAR), fill: 'ground' },
      ...[0, BAR - 2].flatMap((down) =>
        width > 2 ? [{ d: rule(from, top + down, width, 'undecided'), fill: 'muted' }] : [],
      ),
    ];
  const step = `${kind === 'raises' ? 'p' : 'n'}${pale ? 2 : 7}`;
  const shapes = /** @type {(Outline | Words)[]} */ ([{ d: box(from, top, Math.max(1, width), BAR), fill: step }]);
  // A thin gap keeps two parts apart.
  if (width > 3) shapes.push({ d: box(to - 1, top, 1, BAR), fill: 'ground' });
  if (width > 16)
    shapes.push(textAt(kind === 'raises' ? '+' : '−', from + 4, y + 4.5, { fill: `on-${step}`, bold: true }));
  return shapes;
}

/**
 * Explains the parts of the bars.
 *
 * @param {readonly SummaryFeature[]} features
 * @param {number} y  the baseline
 * @param {ChartLook & {}} look
 * @returns {{ items: (Outline | Words)[], bottom: number }}
 */
function layoutKeys(features, y, { words: { labels }, measure, width }) {
  const kinds = /** @type {const} */ (['raises', 'lowers', 'unsure']).filter((kind) =>
    features.some(({ parts }) => parts[kind] > 0),
  );
  const entries = kinds.map((kind) => ({
    text: kind === 'unsure' ? labels.unsureKey : labels[kind],
    swatch: (/** @type {number} */ x, /** @type {number} */ at) => drawSegment(x, x + 22, at - 4, kind),
    width: 22,
  }));
  return layoutKeyLine(entries, { x: MARGIN, y, width: width - 2 * MARGIN, measure });
}

/**
 * Names the features that matter most.
 *
 * @param {Summary} summary
 * @param {import('./chart-words.js').Figures} figures
 * @param {ChartWords} words
 */
function sentenceOf({ features, count }, figures, words) {
  const [first, ...others] = features.filter(({ importance }) => importance > 0);
  if (!first) return words.labels.nothingMatters;
  const next = others.slice(0, 2).map(({ name, importance }) => `${plain(name)} (${figures.unsigned(importance)})`);
  const size = figures.unsigned(first.importance);
  const head = words.say('mattersMost', { name: plain(first.name), size, count: words.count(count) });
  return next.length ? `${head} ${words.say('mattersNext', { list: words.list(next) })}` : head;
}

/**
 * @param {Summary} summary
 * @param {readonly SummaryFeature[]} features
 * @param {import('./chart-words.js').Figures} figures
 * @param {ChartWords} words
 * @returns {Pick<Chart, 'table' | 'stops'>}
 */
function describe({ count }, features, { unsigned }, words) {
  const { labels } = words;
  const rows = features.map(({ name, importance, interval, signs }) => [
    plain(name),
    unsigned(importance),
    words.range(interval, unsigned),
    words.say('signCounts', { ...signs, count }),
  ]);
  return {
    table: { headings: [labels.feature, labels.importance, labels.likelyRange, labels.directions], rows },
    stops: features.map(({ index, name }, f) => ({ feature: index, name, details: rows[f].filter(Boolean) })),
  };
}
