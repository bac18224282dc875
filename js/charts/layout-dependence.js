// Lays out how the contribution of one feature depends on its value.
import { show } from '../core/errors.js';
import { meanOf } from '../measure/summary.js';
import { fitWords, MARGIN } from '../render/layout-text.js';
import { writeRough } from '../render/numbers.js';
import { plain } from '../render/wording.js';
import { horizontalAxis, scaleOver, verticalAxis } from './chart-axis.js';
import {
  axisTitle,
  dot,
  drawingOf,
  layoutHeading,
  layoutKeyLine,
  layoutNotes,
  ring,
  SMALL,
  textAt,
} from './chart-frame.js';
import { drawLevels, drawValues, MANY } from './scatter-marks.js';
import { isContinuous, sliceRows } from './value-slices.js';

/**
 * @typedef {import('../measure/aligned-explanations.js').Aligned} Aligned
 * @typedef {import('../measure/aligned-explanations.js').Part} Part
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('./chart-axis.js').Scale} Scale
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 * @typedef {import('./chart-words.js').Figures} Figures
 * @typedef {import('./value-slices.js').Slice} Slice
 */

const HEIGHT = 260;

/**
 * Lays out one dot per row: its value and what it contributes, with intervals. The stops are slices of the values.
 *
 * @param {Aligned} aligned  of rows
 * @param {ChartLook & { feature: string | number, view?: 'contribution' | 'slope' }} look  feature: its name or index
 * @returns {Chart}
 * @throws {RangeError}  if no explanation lists the feature
 */
export function layoutDependence({ features, listed, explanations }, look) {
  const place = features.findIndex(({ index, name: own }) => look.feature === index || look.feature === own);
  if (place < 0)
    throw new RangeError(`feature must be the name or the index of a listed feature, not ${show(look.feature)}`);
  const { words, measure, width } = look;
  const { labels, locale } = words;
  const { index, name, format, step } = features[place];
  const { parts } = listed[place];
  const continuous = isContinuous(parts);
  const slices = sliceRows(parts, { words, format });
  const figures = words.figures(parts.reduce((most, part) => Math.max(most, Math.abs(part.contribution)), 0) || 1);
  const answer = words.subject(explanations[0]);
  const slope = look.view === 'slope';
  const title = words.say(slope ? 'slopeTitle' : 'dependenceTitle', { name: plain(name), answer });
  const sentence = sentenceOf(slices, { name: plain(name), continuous, slope }, figures, words);
  const heading = layoutHeading(title, [sentence, ...(explanations[0].link === 'logit' ? [labels.logOdds] : [])], look);
  const top = heading.height + 32;
  const plane = planeFor(parts, slices, { top, continuous, look });
  const { x, y, left, right, bottom, room } = plane;
  const { shapes, perDot } = continuous ? drawValues(slices, plane) : drawLevels(slices, plane, room);
  const vertical = verticalAxis(y, { left, right, signed: true, ...words.ticks });
  const upward = slope ? slopeAxis(step, { answer, format, words }) : words.say('contributionUp', { answer });
  const items = /** @type {Drawing['items']} */ ([
    ...heading.items,
    fitWords(textAt(upward, MARGIN, top - 10, { size: SMALL, fill: 'muted' }), width - 2 * MARGIN, measure),
    ...vertical.lines,
    ...vertical.numbers,
    ...(continuous
      ? horizontalAxis(x, { top: bottom, bottom, measure, locale, format })
      : levelAxis(slices, plane, measure)
    ).numbers,
    axisTitle(words.withUnit(plain(name), format), bottom, { columns: { from: left, to: right }, width, measure }),
  ]);
  slices.forEach((slice, s) => {
    const [from, to] = continuous ? edgesOf(slices, s, x) : [x.at(slice.from) - room / 2, x.at(slice.from) + room / 2];
    const area = /** @type {[number, number, number, number]} */ ([from, top, Math.max(4, to - from), bottom - top]);
    items.push({ feature: s, box: area, items: shapes[s], label: `${plain(name)} ${slice.label}` });
  });
  const keys = layoutKeyLine(keysFor(parts, labels), { x: MARGIN, y: bottom + 60, width: width - 2 * MARGIN, measure });
  const notes = [
    perDot > 1 ? words.say('dotsAreRows', { count: words.whole(perDot) }) : labels.dotIsRow,
    intervalNote(parts, { continuous, signed: figures.signed }, words),
  ];
  const below = layoutNotes(notes.filter(Boolean), keys.bottom + 6, look);
  items.push(...keys.items, ...below.items);
  const drawing = drawingOf(items, { width, height: below.bottom + MARGIN - 4, title });
  return { drawing, sentence, ...describe(slices, { index, name }, figures, words) };
}

/**
 * Names the axis of slopes.
 *
 * @param {number | undefined} step  the change of the value that slopes are for
 * @param {{ answer: string, format?: import('../data/table.js').NumberFormat, words: ChartWords }} about
 */
const slopeAxis = (step, { answer, format, words }) =>
  step === undefined
    ? words.say('slopeUpPlain', { answer })
    : words.say('slopeUp', { answer, step: writeRough(step, words.locale, format) });

/**
 * Says what lines are; with many rows, how wide the intervals are.
 *
 * @param {readonly Part[]} parts
 * @param {{ continuous: boolean, signed: (value: number) => string }} about
 * @param {ChartWords} words
 */
function intervalNote(parts, { continuous, signed }, words) {
  const { labels } = words;
  if (!continuous) return labels.meansAreMarks;
  const halves = parts.flatMap(({ interval }) => (interval ? [(interval[1] - interval[0]) / 2] : []));
  if (halves.length === 0) return '';
  if (parts.length <= MANY) return labels.linesAreRanges;
  const middle = halves.sort((a, b) => a - b)[Math.floor(halves.length / 2)];
  return words.say('typicalRange', { size: signed(middle).replace('+', '') });
}

/**
 * Places both axes.
 *
 * @param {readonly Part[]} parts
 * @param {readonly Slice[]} slices
 * @param {{ top: number, continuous: boolean, look: ChartLook }} options
 */
function planeFor(parts, slices, { top, continuous, look: { width } }) {
  const [left, right, bottom] = [MARGIN + 44, width - MARGIN, top + HEIGHT];
  const intervals = parts.length > MANY ? [] : parts.flatMap(({ interval }) => interval ?? []);
  const y = scaleOver([0, ...parts.map(({ contribution }) => contribution), ...intervals], bottom, top, 0.04);
  const room = (right - left) / slices.length;
  const x = continuous
    ? scaleOver(
        parts.map(({ value }) => Number(value)),
        left + 8,
        right - 8,
        0,
      )
    : placesOf(slices.length, left, room);
  return { x, y, left, right, bottom, room };
}

/** A scale of places: the middle of each level. @param {number} count @param {number} left @param {number} room @returns {Scale} */
const placesOf = (count, left, room) => ({
  at: (place) => left + (place + 0.5) * room,
  ...{ low: 0, high: count - 1, from: left + room / 2, to: left + (count - 0.5) * room },
});

/**
 * Writes the names of levels.
 *
 * @param {readonly Slice[]} slices
 * @param {{ x: Scale, bottom: number, room: number }} plane
 * @param {import('../render/text-width.js').Measure} measure
 */
function levelAxis(slices, { x, bottom, room }, measure) {
  const style = /** @type {const} */ ({ side: 'middle', size: SMALL, fill: 'muted' });
  return {
    numbers: slices.map(({ label, from }) =>
      fitWords(textAt(label, x.at(from), bottom + 16, style), room - 6, measure),
    ),
  };
}

/**
 * The left and the right end of a slice: half-way to the next ones.
 *
 * @param {readonly Slice[]} slices
 * @param {number} s
 * @param {Scale} x
 * @returns {[number, number]}
 */
function edgesOf(slices, s, x) {
  const between = (/** @type {number} */ a, /** @type {number} */ b) => (x.at(slices[a].to) + x.at(slices[b].from)) / 2;
  return [s > 0 ? between(s - 1, s) : x.from - 4, s < slices.length - 1 ? between(s, s + 1) : x.to + 4];
}

/** @param {readonly Part[]} parts @param {ChartWords['labels']} labels */
function keysFor(parts, labels) {
  const key = (/** @type {string} */ text, /** @type {string} */ role) => ({
    ...{ text, width: 10 },
    swatch: (/** @type {number} */ x, /** @type {number} */ y) => [
      { d: (role === 'muted' ? ring : dot)(x + 5, y - 4, 3.5), fill: role },
    ],
  });
  return [
    ...(parts.some(({ sure, contribution }) => sure && contribution > 0) ? [key(labels.raises, 'p7')] : []),
    ...(parts.some(({ sure, contribution }) => sure && contribution < 0) ? [key(labels.lowers, 'n7')] : []),
    ...(parts.some(({ sure }) => !sure) ? [key(labels.unsureKey, 'muted')] : []),
  ];
}

/** The mean contribution of a slice. @param {Slice} slice */
const meanIn = ({ parts }) => meanOf(parts.map(({ contribution }) => contribution))[0];

/**
 * Compares the lowest and the highest values, or the two most different levels.
 *
 * @param {readonly Slice[]} slices
 * @param {{ name: string, continuous: boolean, slope: boolean }} about
 * @param {Figures} figures
 * @param {ChartWords} words
 */
function sentenceOf(slices, { name, continuous, slope }, { signed }, words) {
  const means = slices.map(meanIn);
  const place = (/** @type {number} */ mean) => means.indexOf(mean);
  const [first, last] = continuous
    ? [0, slices.length - 1]
    : [place(means.reduce((a, b) => Math.max(a, b))), place(means.reduce((a, b) => Math.min(a, b)))];
  const one = { name, first: slices[first].label, firstMean: signed(means[first]) };
  if (first === last) return words.say('contributesOnly', one);
  return words.say(slope ? 'slopesOf' : 'contributesFrom', {
    ...one,
    last: slices[last].label,
    lastMean: signed(means[last]),
  });
}

/**
 * @param {readonly Slice[]} slices
 * @param {{ index: number, name: string }} feature
 * @param {Figures} figures
 * @param {ChartWords} words
 * @returns {Pick<Chart, 'table' | 'stops'>}
 */
function describe(slices, { index, name }, { signed }, words) {
  const { labels } = words;
  const rows = slices.map((slice) => {
    const contributions = slice.parts.map(({ contribution }) => contribution);
    const [low, high] = [Math.min, Math.max].map((pick) => signed(contributions.reduce((a, b) => pick(a, b))));
    const unsure = slice.parts.filter(({ sure }) => !sure).length;
    return [
      slice.label,
      words.say('onAverage', { mean: signed(meanIn(slice)) }),
      words.say('fromTo', { from: low, to: high }),
      words.say('unsureIn', { unsure, count: slice.parts.length }),
    ];
  });
  return {
    table: { headings: [labels.value, labels.averageEffect, labels.effects, labels.sureness], rows },
    stops: rows.map(([label, ...details]) => ({
      feature: index,
      name,
      details: [`${plain(name)} ${label}`, ...details],
    })),
  };
}
