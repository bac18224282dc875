// Lays out the contributions of many rows: one dot per row and feature, colored by the value of the feature.
import { box } from '../render/drawing.js';
import { MARGIN } from '../render/layout-text.js';
import { VALUE_ROLES } from '../render/palette.js';
import { plain } from '../render/wording.js';
import { horizontalAxis, scaleOver } from './chart-axis.js';
import {
  axisTitle,
  columnsFor,
  rowBox,
  dot,
  drawingOf,
  layoutHeading,
  layoutKeyLine,
  layoutNotes,
  ring,
  sayDoubt,
  writeDoubtful,
  writeRow,
} from './chart-frame.js';
import { placesOf, rowsPerDot, stackDots } from './dot-stacks.js';

/**
 * @typedef {import('../measure/aligned-explanations.js').Aligned} Aligned
 * @typedef {import('../measure/aligned-explanations.js').Part} Part
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('../render/drawing.js').Words} Words
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 * @typedef {import('./dot-stacks.js').Stack} Stack
 *
 * @typedef {object} Swarm  one feature
 * @property {number} index
 * @property {string} name
 * @property {number} importance  the mean |contribution|
 * @property {readonly Part[]} rows
 * @property {readonly (number | null)[]} places  of the values of the rows, from 0 to 1
 * @property {number} low  the least contribution
 * @property {number} high
 * @property {number} trend  from −1 to 1: whether high values go with high contributions; 0 without an order
 */

/** The width of a column of dots and its most height, in pixels: the first that show each row as a dot, or else the last. */
const SIZES = [
  { pitch: 8, height: 40 },
  { pitch: 6, height: 48 },
  { pitch: 5, height: 60 },
  { pitch: 4, height: 64 },
  { pitch: 5, height: 40 },
];

/** Above this width of the dots, in pixels, they get larger. */
const WIDE = 800;

/**
 * Lays out one row of dots per feature, the most important feature first.
 *
 * @param {Aligned} aligned
 * @param {ChartLook & { features: number}} look  features: the largest number of features
 * @returns {Chart}
 */
export function layoutSummary(aligned, look) {
  const { words, measure, width } = look;
  const { labels } = words;
  const all = swarmsOf(aligned);
  const swarms = all.slice(0, look.features);
  const [explanation] = aligned.explanations;
  const names = swarms.map(({ name }) => plain(name));
  const asides = swarms.map((swarm) => doubtOf(swarm, words));
  const { narrow } = columnsFor(names, [], look);
  const [labelTexts, numbers] = narrow ? [names, asides] : [[...names, ...asides], []];
  const { from, to } = columnsFor(labelTexts, numbers, look);
  const scale = scaleOver([0, ...swarms.flatMap(({ low, high }) => [low, high])], from, to, 0.01);
  const { pitch, height, perDot, stacks } = stackAll(swarms, scale);
  const columns = columnsFor(labelTexts, numbers, { ...look, row: height + 6 });
  const title = words.say('summaryTitle', { answer: words.subject(explanation) });
  const sentence = sentenceOf(swarms, aligned.explanations.length, words);
  const notes = [
    dotNote(explanation.kind, perDot, words),
    stacks.flat().some(({ cut }) => cut) && labels.columnsAreCut,
    all.length > swarms.length && words.say('notShown', { count: all.length - swarms.length }),
  ].filter((note) => typeof note === 'string');
  const heading = layoutHeading(title, [sentence, ...(explanation.link === 'logit' ? [labels.logOdds] : [])], look);
  const top = heading.height + 12;
  const bottom = top + swarms.length * columns.row + 2;
  const axis = horizontalAxis(scale, { top, bottom, measure, signed: true, ...words.ticks });
  const items = /** @type {Drawing['items']} */ ([...heading.items, ...axis.lines]);
  swarms.forEach((swarm, f) => {
    const y = top + f * columns.row;
    const faded = isMostlyUnsure(swarm);
    const place = { columns, y, measure };
    const name = { label: names[f], fill: faded ? 'muted' : 'ink' };
    const aside = asides[f];
    const parts = [
      ...drawStacks(stacks[f], y + columns.middle, { pitch, height, perDot, faded }),
      ...(narrow
        ? writeRow({ ...name, number: aside, numberFill: 'muted' }, place)
        : writeDoubtful({ ...name, aside }, place)),
    ];
    items.push({ feature: f, box: rowBox(columns, y), items: parts });
  });
  const name = words.say('contributionAxis', { answer: words.subject(explanation) });
  const keys = layoutKeyLine(keysFor(swarms, labels), {
    x: MARGIN,
    y: bottom + 60,
    width: width - 2 * MARGIN,
    measure,
  });
  items.push(...axis.numbers, axisTitle(name, bottom, { columns, width, measure }), ...keys.items);
  const below = layoutNotes(notes, keys.bottom + 6, look);
  const drawing = drawingOf([...items, ...below.items], { width, height: below.bottom + MARGIN - 4, title });
  return { drawing, sentence, ...describe(swarms, words) };
}

/** In which share of the rows the effect has no sure sign. @param {Swarm} swarm */
const shareUnsure = ({ rows }) => rows.filter(({ sure }) => !sure).length / rows.length;

/** Whether its dots have no colors. @param {Swarm} swarm */
const isMostlyUnsure = (swarm) => shareUnsure(swarm) > 0.5;

/** Says how often the effect is unsure, if that is often. @param {Swarm} swarm @param {ChartWords} words */
function doubtOf(swarm, words) {
  const count = swarm.rows.length;
  return sayDoubt(Math.round(shareUnsure(swarm) * count), count, words);
}

/**
 * Says what a dot stands for.
 *
 * @param {string} kind  of the explanations
 * @param {number} perDot
 * @param {ChartWords} words
 */
function dotNote(kind, perDot, words) {
  const [one, many] = kind === 'text' ? ['dotIsText', 'dotsAreTexts'] : ['dotIsRow', 'dotsAreRows'];
  const name = /** @type {'dotIsRow'} */ (perDot > 1 ? many : one);
  return words.say(name, { count: words.whole(perDot) });
}

/**
 * Reads the rows of each feature, the most important feature first.
 *
 * @param {Aligned} aligned
 * @returns {Swarm[]}
 */
export function swarmsOf({ features, listed, explanations }) {
  const swarms = features.map(({ index, name }, f) => {
    const { parts: rows } = listed[f];
    const places = placesOf(rows.map(({ value }) => value));
    let [sum, low, high] = [0, Infinity, -Infinity];
    for (const { contribution } of rows) {
      sum += Math.abs(contribution) / explanations.length;
      low = Math.min(low, contribution);
      high = Math.max(high, contribution);
    }
    return { index, name, importance: sum, rows, places, low, high, trend: trendOf(rows, places) };
  });
  return swarms.sort((a, b) => b.importance - a.importance || a.index - b.index);
}

/**
 * Whether contributions grow with the place of the value: Pearson's r of both.
 *
 * @param {readonly Part[]} rows
 * @param {Swarm['places']} places
 */
function trendOf(rows, places) {
  if (rows.length < 3 || places[0] === null) return 0;
  const mean = rows.reduce((sum, { contribution }) => sum + contribution / rows.length, 0);
  const middle = places.reduce((/** @type {number} */ sum, place) => sum + Number(place) / rows.length, 0);
  let [both, ofPlaces, ofContributions] = [0, 0, 0];
  for (let i = 0; i < rows.length; i++) {
    const [x, y] = [Number(places[i]) - middle, rows[i].contribution - mean];
    both += x * y;
    ofPlaces += x * x;
    ofContributions += y * y;
  }
  return both / Math.sqrt(ofPlaces * ofContributions) || 0;
}

/**
 * Stacks the dots of all features, as large as they fit.
 *
 * @param {readonly Swarm[]} swarms
 * @param {import('./chart-axis.js').Scale} scale
 * @returns {{ pitch: number, height: number, perDot: number, stacks: Stack[][] }}
 */
function stackAll(swarms, { at, from, to }) {
  const most = swarms.reduce((count, { rows }) => Math.max(count, rows.length), 0);
  // A wide picture has larger dots, not more of them, so that its file stays small.
  const larger = Math.max(1, (to - from) / WIDE);
  for (const size of SIZES) {
    const [pitch, height] = [size.pitch * larger, size.height * larger];
    const capacity = Math.floor(size.height / size.pitch);
    const last = size === SIZES[SIZES.length - 1];
    // If there are more rows than places, some dots stand for several rows.
    if (!last && most > (capacity * (to - from)) / pitch) continue;
    const columns = swarms.map(({ rows }) => rows.map(({ contribution }) => Math.floor(at(contribution) / pitch)));
    const perDot = rowsPerDot(columns, capacity);
    if (perDot > 1 && !last) continue;
    const stacks = swarms.map(({ rows, places }, f) =>
      stackDots(rows, { places, columns: columns[f], capacity, perDot }),
    );
    if (last || !stacks.flat().some(({ cut }) => cut)) return { pitch, height, perDot, stacks };
  }
  throw new RangeError('there is no size for the dots');
}

/**
 * Draws stacks around a line: one outline per color. The area of a dot is the number of its rows. The unsure dots of a column
 * that is cut are one outlined bar: so many dots would look like a count.
 *
 * @param {readonly Stack[]} stacks
 * @param {number} y
 * @param {{ pitch: number, height: number, perDot: number, faded: boolean }} dots  faded: without the colors of values
 * @returns {Outline[]}
 */
function drawStacks(stacks, y, { pitch, height, perDot, faded }) {
  /** @type {Map<string, string[]>} */
  const paths = new Map([['ground', []]]);
  const add = (/** @type {string} */ fill, /** @type {string} */ d) => {
    const found = paths.get(fill);
    if (found) found.push(d);
    else paths.set(fill, [d]);
  };
  const full = pitch / 2 - 0.2;
  /** @type {string[][]} */
  const [edges, insides] = [[], []];
  for (const { column, dots, cut } of stacks) {
    const x = (column + 0.5) * pitch;
    const bottom = y + ((dots.length - 1) / 2) * pitch;
    const unsure = cut ? dots.filter(({ sure }) => !sure).length : 0;
    if (unsure) {
      const [top, length] = [bottom - (unsure - 1) * pitch - full, (unsure - 1) * pitch + 2 * full];
      edges.push(box(x - full, top, 2 * full, length, full));
      insides.push(box(x - full + 1, top + 1, 2 * full - 2, length - 2, full - 1));
    }
    dots.forEach(({ place, sure, rows }, i) => {
      const [at, radius] = [bottom - i * pitch, Math.max(1, full * Math.sqrt(rows / perDot))];
      if (sure) add(faded ? 'line' : roleOf(place), dot(x, at, radius));
      else if (!unsure) {
        add('ground', dot(x, at, radius));
        add('muted', ring(x, at, radius));
      }
    });
    if (cut) for (const end of [-1, 1]) add('ink', box(x - full, y + end * (height / 2 + 1.5) - 0.75, 2 * full, 1.5));
  }
  const bars = [
    { d: edges.join(''), fill: 'muted' },
    { d: insides.join(''), fill: 'ground' },
  ];
  const outlines = [...paths].map(([fill, parts]) => ({ d: parts.join(''), fill }));
  return [...bars, ...outlines].filter(({ d }) => d);
}

/** The color of a value. @param {number | null} place */
export const roleOf = (place) =>
  place === null ? 'muted' : VALUE_ROLES[Math.min(VALUE_ROLES.length - 1, Math.floor(place * VALUE_ROLES.length))];

/**
 * @param {readonly Swarm[]} swarms
 * @param {ChartWords['labels']} labels
 */
function keysFor(swarms, labels) {
  const ordered = (/** @type {boolean} */ wanted) =>
    swarms.some(
      (swarm) =>
        !isMostlyUnsure(swarm) && swarm.rows.some(({ sure }, i) => sure && (swarm.places[i] !== null) === wanted),
    );
  // Words have no values.
  const valued = swarms.some(({ rows }) => rows.some(({ value }) => value !== undefined));
  const [width, y] = [12, 4];
  const one = (/** @type {string} */ text, /** @type {(x: number, y: number) => Outline} */ draw) => ({
    ...{ text, width },
    swatch: (/** @type {number} */ x, /** @type {number} */ base) => [draw(x + width / 2, base - y)],
  });
  const scale = {
    text: labels.valueKey,
    width: VALUE_ROLES.length * 8,
    swatch: (/** @type {number} */ x, /** @type {number} */ base) =>
      VALUE_ROLES.map((role, i) => ({ d: dot(x + 4 + 8 * i, base - y, 3.2), fill: role })),
  };
  return [
    ...(ordered(true) ? [scale] : []),
    ...(swarms.some((swarm) => isMostlyUnsure(swarm) && swarm.rows.some(({ sure }) => sure))
      ? [one(labels.mostlyUnsureKey, (x, at) => ({ d: dot(x, at, 3.2), fill: 'line' }))]
      : []),
    ...(ordered(false) && valued ? [one(labels.noOrderKey, (x, at) => ({ d: dot(x, at, 3.2), fill: 'muted' }))] : []),
    ...(swarms.some(({ rows }) => rows.some(({ sure }) => !sure))
      ? [one(labels.unsureKey, (x, at) => ({ d: ring(x, at, 3.2), fill: 'muted' }))]
      : []),
  ];
}

/**
 * Names the most important feature, and what its high values do.
 *
 * @param {readonly Swarm[]} swarms
 * @param {number} count
 * @param {ChartWords} words
 */
function sentenceOf([first], count, words) {
  const { labels } = words;
  if (!first?.importance) return labels.nothingMatters;
  const head = words.say('widestSpread', { name: plain(first.name), count: words.count(count) });
  const tail = first.trend > 0.5 ? labels.highRaises : first.trend < -0.5 ? labels.highLowers : '';
  return [head, tail].filter(Boolean).join(' ');
}

/**
 * @param {readonly Swarm[]} swarms
 * @param {ChartWords} words
 * @returns {Pick<Chart, 'table' | 'stops'>}
 */
function describe(swarms, words) {
  const { labels } = words;
  const largest = swarms.reduce((most, { low, high }) => Math.max(most, -low, high), 0);
  const { signed, unsigned } = words.figures(largest || 1);
  const table = swarms.map(({ name, importance, rows, low, high, trend }) => {
    const unsure = rows.filter(({ sure }) => !sure).length;
    const direction = trend > 0.5 ? labels.highRaises : trend < -0.5 ? labels.highLowers : labels.noTrend;
    return [
      plain(name),
      unsigned(importance),
      words.say('fromTo', { from: signed(low), to: signed(high) }),
      direction,
      words.say('unsureIn', { unsure, count: rows.length }),
    ];
  });
  return {
    table: {
      headings: [labels.feature, labels.importance, labels.effects, labels.trend, labels.sureness],
      rows: table,
    },
    stops: swarms.map(({ index, name }, f) => ({ feature: index, name, details: table[f] })),
  };
}
