// Lays out the signs of features over several explanations: of other seeds, or of neighbors.
import { partsByRow } from '../measure/aligned-explanations.js';
import { signOf } from '../measure/summary.js';
import { box } from '../render/drawing.js';
import { MARGIN } from '../render/layout-text.js';
import { stepOf } from '../render/palette.js';
import { plain } from '../render/wording.js';
import {
  axisTitle,
  columnsFor,
  dot,
  drawingOf,
  edgeOf,
  layoutHeading,
  layoutKeyLine,
  layoutNotes,
  ring,
  rowBox,
  writeRow,
} from './chart-frame.js';

/**
 * @typedef {import('../measure/aligned-explanations.js').Aligned} Aligned
 * @typedef {import('../measure/aligned-explanations.js').Part} Part
 * @typedef {import('../measure/summary.js').Signs} Signs
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 *
 * @typedef {object} Track  one feature over all explanations
 * @property {number} index
 * @property {string} name
 * @property {string} [kind]
 * @property {import('../data/table.js').NumberFormat} [format]
 * @property {import('../measure/aligned-explanations.js').Listed} listed
 * @property {Signs} signs
 * @property {number} size  the mean |weight|
 */

/** The height of a bar on either side of the line, in pixels. */
const REACH = 14;
/** The least distance of two bars with intervals. */
const WITH_INTERVALS = 10;
/** The least and the greatest distance of two bars. */
const [LEAST, GREATEST] = [5, 28];

/**
 * Lays out one row per feature, and in it one bar per explanation: up if the feature raises the answer, down if it lowers it, a
 * ring if the sign is not sure.
 *
 * @param {Aligned} aligned
 * @param {ChartLook & { features: number, view?: 'contribution' | 'slope' }} look  features: the largest number of features; view:
 *   what the parts hold; default `'slope'`
 * @returns {Chart}
 */
export function layoutSteadiness(aligned, look) {
  const { words, measure, width } = look;
  const { labels } = words;
  const count = aligned.explanations.length;
  const all = tracksOf(aligned);
  const tracks = all.slice(0, look.features);
  const names = tracks.map((track) => labelOf(track, look));
  const counts = tracks.map(({ signs }) => countsOf(signs, words));
  const columns = columnsFor(names, counts, { ...look, row: 2 * REACH + 10 });
  const runs = Math.max(1, Math.min(count, Math.floor((columns.to - columns.from) / LEAST)));
  const pitch = Math.min(GREATEST, (columns.to - columns.from) / runs);
  const largest =
    tracks.reduce(
      (most, { listed: { parts } }) => parts.reduce((own, part) => Math.max(own, Math.abs(part.contribution)), most),
      0,
    ) || 1;
  const title = labels.steadinessTitle;
  const sentence = sentenceOf(all, count, words);
  const heading = layoutHeading(title, [sentence], look);
  const top = heading.height + 10;
  const items = /** @type {Drawing['items']} */ ([...heading.items]);
  tracks.forEach(({ listed }, f) => {
    const y = top + f * columns.row;
    const marks = drawTrack(partsByRow(listed, count).slice(0, runs), {
      x: columns.from,
      y: y + columns.middle,
      pitch,
      largest,
    });
    const texts = writeRow({ label: names[f], number: counts[f], numberFill: 'muted' }, { columns, y, measure });
    items.push({ feature: f, box: rowBox(columns, y), items: [...marks, ...texts] });
  });
  const bottom = top + tracks.length * columns.row;
  const span = { from: columns.from, to: columns.from + runs * pitch };
  const axis = axisTitle(pitch >= WITH_INTERVALS ? labels.steadinessAxis : labels.steadinessAxisOnly, bottom - 18, {
    columns: span,
    width,
    measure,
  });
  const keys = layoutKeyLine(keysFor(tracks, labels), {
    x: MARGIN,
    y: bottom + 44,
    width: width - 2 * MARGIN,
    measure,
  });
  const notes = [
    runs < count && words.say('runsShown', { count: runs, all: count }),
    all.length > tracks.length && words.say('notShown', { count: all.length - tracks.length }),
  ].filter((note) => typeof note === 'string');
  const below = layoutNotes(notes, keys.bottom + 6, look);
  const height = below.bottom + MARGIN - 4;
  const drawing = drawingOf([...items, axis, ...keys.items, ...below.items], { width, height, title });
  return { drawing, sentence, ...describe(tracks, names, words) };
}

/**
 * Names a feature. A slope says what more of a number would do, which is no reason for the answer.
 *
 * @param {Track} track
 * @param {{ words: ChartWords, view?: 'contribution' | 'slope' }} look
 */
function labelOf({ name, kind, format, listed: { parts } }, { words, view = 'slope' }) {
  const shown = plain(name);
  if (view === 'slope' && kind === 'numeric') return words.say('moreOf', { name: shown });
  const [{ value }] = parts;
  const isSame = value !== undefined && parts.every((part) => part.value === value);
  return isSame ? `${shown} ${words.value(value, format)}` : shown;
}

/** Reads the features, the largest first. @param {Aligned} aligned @returns {Track[]} */
function tracksOf({ features, listed, explanations: { length } }) {
  const tracks = features.map(({ index, name, kind, format }, f) => {
    const { parts } = listed[f];
    const signs = { raises: 0, lowers: 0, unsure: 0, none: length - parts.length };
    for (const part of parts) signs[signOf(part)]++;
    const size = parts.reduce((sum, { contribution }) => sum + Math.abs(contribution) / length, 0);
    return { index, name, kind, format, listed: listed[f], signs, size };
  });
  return tracks.sort((a, b) => b.size - a.size || a.index - b.index);
}

/** @param {Signs} signs @param {ChartWords} words */
function countsOf({ raises, lowers, unsure, none }, words) {
  const counts = /** @type {const} */ ([
    ['raisesIn', raises],
    ['lowersIn', lowers],
    ['unsureCount', unsure],
    ['noneIn', none],
  ]);
  return counts.flatMap(([name, count]) => (count ? [words.say(name, { count: words.whole(count) })] : [])).join(', ');
}

/**
 * Draws the bars of a feature around a line.
 *
 * @param {readonly (Part | undefined)[]} parts
 * @param {{ x: number, y: number, pitch: number, largest: number }} place
 * @returns {Outline[]}
 */
function drawTrack(parts, { x, y, pitch, largest }) {
  const bar = Math.max(2, Math.min(16, pitch - Math.max(1, pitch / 4)));
  const shapes = [{ d: box(x, y - 0.5, parts.length * pitch, 1), fill: 'line' }];
  parts.forEach((part, i) => {
    const middle = x + (i + 0.5) * pitch;
    const sign = signOf(part);
    if (sign === 'none' || !part) return;
    if (sign === 'unsure') {
      if (part.interval && pitch >= WITH_INTERVALS) shapes.push(intervalOf(part.interval, middle, y, largest));
      const radius = Math.min(3.5, pitch / 2 - 0.3);
      shapes.push({ d: dot(middle, y, radius), fill: 'ground' }, { d: ring(middle, y, radius), fill: 'muted' });
      return;
    }
    // A small weight is still seen.
    const height = Math.max(3, REACH * Math.abs(part.contribution / largest));
    const [top, step] = [sign === 'raises' ? y - height : y, stepOf(part.contribution, largest)];
    shapes.push({ d: box(middle - bar / 2, top, bar, height), fill: edgeOf(step) });
    if (bar > 3) shapes.push({ d: box(middle - bar / 2 + 1, top + 1, bar - 2, Math.max(0.5, height - 2)), fill: step });
    if (part.interval && pitch >= WITH_INTERVALS) shapes.push(intervalOf(part.interval, middle, y, largest));
  });
  return shapes;
}

/**
 * The interval of a weight, as a thin line. It ends within its row.
 *
 * @param {readonly [number, number]} interval
 * @param {number} x
 * @param {number} y
 * @param {number} largest
 * @returns {Outline}
 */
function intervalOf(interval, x, y, largest) {
  const [low, high] = interval.map((end) => y - Math.max(-REACH - 3, Math.min(REACH + 3, REACH * (end / largest))));
  return { d: box(x - 0.5, high, 1, Math.max(0.5, low - high)), fill: 'ink' };
}

/** @param {readonly Track[]} tracks @param {ChartWords['labels']} labels */
function keysFor(tracks, labels) {
  const key = (/** @type {string} */ text, /** @type {(x: number, y: number) => Outline[]} */ swatch) => ({
    text,
    width: 12,
    swatch,
  });
  const any = (/** @type {keyof Signs} */ sign) => tracks.some(({ signs }) => signs[sign] > 0);
  return [
    ...(any('raises')
      ? [
          key(labels.raises, (x, y) => [
            { d: box(x, y - 10, 10, 7), fill: 'p7' },
            { d: box(x - 2, y - 3, 14, 1), fill: 'line' },
          ]),
        ]
      : []),
    ...(any('lowers')
      ? [
          key(labels.lowers, (x, y) => [
            { d: box(x, y - 6, 10, 7), fill: 'n7' },
            { d: box(x - 2, y - 7, 14, 1), fill: 'line' },
          ]),
        ]
      : []),
    ...(any('unsure') ? [key(labels.unsureKey, (x, y) => [{ d: ring(x + 6, y - 4, 3.5), fill: 'muted' }])] : []),
  ];
}

/**
 * Counts the features that have the same sure sign everywhere, and names those whose sign changes.
 *
 * @param {readonly Track[]} tracks
 * @param {number} count
 * @param {ChartWords} words
 */
function sentenceOf(tracks, count, words) {
  const changing = tracks.filter(({ signs }) => signs.raises > 0 && signs.lowers > 0);
  const steady = tracks.filter(({ signs }) => signs.raises === count || signs.lowers === count);
  const values = { steady: steady.length, count: tracks.length, runs: words.count(count) };
  if (tracks.every(({ signs }) => signs.raises + signs.lowers === 0)) return words.say('steadyNone', values);
  if (changing.length === 0) return words.say('steadyAll', values);
  const list = words.list(changing.slice(0, 5).map(({ name }) => plain(name)));
  return `${words.say('steadySome', values)} ${words.say(changing.length === 1 ? 'signChanges' : 'signsChange', { list })}`;
}

/**
 * @param {readonly Track[]} tracks
 * @param {readonly string[]} names  as they are shown
 * @param {ChartWords} words
 * @returns {Pick<Chart, 'table' | 'stops'>}
 */
function describe(tracks, names, words) {
  const { labels } = words;
  const { unsigned } = words.figures(tracks[0]?.size || 1);
  const rows = tracks.map(({ signs, size }, f) => [names[f], countsOf(signs, words), unsigned(size)]);
  return {
    table: { headings: [labels.feature, labels.directions, labels.importance], rows },
    stops: tracks.map(({ index, name }, f) => ({ feature: index, name, details: rows[f].slice(0, 2) })),
  };
}
