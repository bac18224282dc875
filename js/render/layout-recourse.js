// Lays out the picture of recourse: what changes, from where to where, and the answer before and after.
import { box } from './drawing.js';
import { fitWords, isRtl, linesOf, MARGIN, piecesOf } from './layout-text.js';
import { answersWriter, fill, lineOf, sentenceOf, targetText, valueText } from './recourse-wording.js';
import { plain } from './wording.js';

/**
 * @typedef {import('./drawing.js').Drawing} Drawing
 * @typedef {import('./drawing.js').Outline} Outline
 * @typedef {import('./drawing.js').Words} Words
 * @typedef {import('./text-width.js').Measure} Measure
 * @typedef {import('./recourse-wording.js').Wording} Wording
 * @typedef {import('../measure/recourse-result.js').Recourse} Recourse
 * @typedef {import('../measure/recourse-result.js').Change} Change
 */

/**
 * One line of the picture: what is shown, and where it goes.
 *
 * @typedef {object} Line
 * @property {string} name
 * @property {string} from
 * @property {string} to
 * @property {Track} [track]
 *
 * @typedef {object} Track
 * @property {[number, number]} ends  of the track, in the unit of the values
 * @property {[string, string]} endTexts
 * @property {number} from
 * @property {number} to
 * @property {{ at: number, text: string }} [limit]  the threshold
 * @property {'above' | 'below'} [side]  where the answer should be
 */

/**
 * @typedef {object} Place
 * @property {number} width
 * @property {Measure} measure
 * @property {string} [end]  the color of the second dots; hollow if there is none
 */

const SIZE = 14;
const SMALL = 12;
const DOT = 6;

/**
 * Lays out recourse.
 *
 * @param {Recourse} recourse
 * @param {{ width: number, measure: Measure, wording: Wording }} options
 * @returns {Drawing}
 */
export function layoutRecourse(recourse, { width, measure, wording }) {
  const { labels } = wording;
  const place = { width, measure, end: recourse.found ? (recourse.changes.length > 0 ? 'ink' : undefined) : 'muted' };
  const items = /** @type {(Outline | Words)[]} */ ([]);
  let y = MARGIN;
  const write = (/** @type {string} */ text, /** @type {number} */ size, /** @type {string} */ fill, bold = false) => {
    for (const words of paragraph(text, { size, fill, bold, width, measure })) {
      y += size * 1.4;
      items.push({ ...words, y: Math.round(y - size * 0.4) });
    }
  };
  write(sentenceOf(recourse, wording), 16, 'ink', true);
  y += 10;
  for (const line of linesFor(recourse, wording)) {
    items.push(...drawLine(line, y, place));
    y += line.track ? 66 : 36;
  }
  items.push(...drawKey(recourse, y + 16, wording, place));
  y += 30;
  write(queriesText(recourse, wording), SMALL, 'muted');
  const height = Math.ceil(y + MARGIN - 4);
  items.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  return { width, height, title: plain(labels.title), items };
}

/**
 * @param {Recourse} recourse
 * @param {Wording} wording
 */
export function queriesText({ queries }, { labels, locale }) {
  const number = new Intl.NumberFormat(locale);
  const counts = Object.fromEntries(
    Object.entries(queries).map(([name, count]) => [name, typeof count === 'number' ? number.format(count) : '']),
  );
  return fill(labels.queries, counts);
}

/**
 * Breaks text into lines.
 *
 * @param {string} text
 * @param {{ size: number, fill: string, bold: boolean, width: number, measure: Measure }} look
 * @returns {Words[]}  at most 8; y is 0
 */
function paragraph(text, { size, fill, bold, width, measure }) {
  const lineWidth = width - 2 * MARGIN;
  const pieces = piecesOf({ text }, lineWidth, size, (part) => measure(part, size, bold));
  const rtl = isRtl(text);
  return linesOf(pieces, lineWidth)
    .slice(0, 8)
    .map((line) => {
      const words = line.map((piece) => piece.text).join('');
      const x = rtl ? width - MARGIN : MARGIN;
      return { text: words, x, y: 0, size, fill, bold, rtl, length: measure(words, size, bold) };
    });
}

/**
 * One line per change, then the answer.
 *
 * @param {Recourse} recourse
 * @param {Wording} wording
 * @returns {Line[]}
 */
function linesFor(recourse, wording) {
  const { found, closest, prediction } = recourse;
  const changes = found ? recourse.changes : (closest?.changes ?? []);
  const lines = changes.map((change) => changeLine(change, wording));
  const to = prediction.to ?? closest?.prediction ?? prediction.from;
  return [...lines, answerLine(recourse, prediction.from, to, wording)];
}

/** @param {Change} change @param {Wording} wording @returns {Line} */
function changeLine(change, wording) {
  const { from, to, range } = change;
  const text = (/** @type {Change['from']} */ value) => valueText(value, change, wording);
  const line = { name: plain(change.column), from: text(from), to: text(to) };
  if (!range || typeof from !== 'number' || typeof to !== 'number') return line;
  const ends = /** @type {[number, number]} */ ([Math.min(range[0], from, to), Math.max(range[1], from, to)]);
  return { ...line, track: { ends, endTexts: [text(ends[0]), text(ends[1])], from, to } };
}

/**
 * @param {Recourse} recourse
 * @param {number} from
 * @param {number} to
 * @param {Wording} wording
 * @returns {Line}
 */
function answerLine(recourse, from, to, wording) {
  const { labels, locale } = wording;
  const target = targetText(recourse, wording);
  const line = lineOf(recourse);
  const at = line?.at;
  const write = answersWriter([from, to], at, locale);
  const values = at === undefined ? [from, to] : [from, to, at];
  const ends = answerEnds(Math.min(...values), Math.max(...values));
  const name = line?.fixed ? labels.threshold : labels.rival;
  return {
    name: target ? fill(labels.answerFor, { target }) : labels.answer,
    from: write(from),
    to: write(to),
    track: {
      ...{ ends, endTexts: [write(ends[0]), write(ends[1])], from, to, side: recourse.side },
      ...(at !== undefined && { limit: { at, text: `${name} ${write(at)}` } }),
    },
  };
}

/**
 * The ends of the track of the answer. Shares and probabilities are drawn from 0 to 1, other numbers with some room.
 *
 * @param {number} least
 * @param {number} most
 * @returns {[number, number]}
 */
function answerEnds(least, most) {
  if (least >= 0 && most <= 1) return [0, 1];
  const room = (most / 2 - least / 2) / 5;
  const [low, high] = [least - room, most + room];
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [least, most];
}

/**
 * Draws a name, two values and a track.
 *
 * @param {Line} line
 * @param {number} y  the top
 * @param {Place} place
 * @returns {(Outline | Words)[]}
 */
function drawLine(line, y, place) {
  const { width, measure } = place;
  const [left, right] = [MARGIN, width - MARGIN];
  const half = (right - left) / 2;
  const base = { y: y + 22, size: SIZE };
  const to = fitWords(
    { ...base, text: line.to, x: right, fill: 'ink', anchor: 'end', bold: true },
    half * 0.6,
    measure,
  );
  // Bold text is wider than `fitWords` assumes.
  const length = measure(to.text, SIZE, true);
  const same = line.from === line.to;
  const arrow = right - length - 22;
  const from = fitWords({ ...base, text: line.from, x: arrow - 6, fill: 'muted', anchor: 'end' }, half * 0.5, measure);
  const start = same ? right - length : arrow - 6 - (from.length ?? 0);
  const name = fitWords({ ...base, text: line.name, x: left, fill: 'ink' }, start - left - 12, measure);
  return [
    oriented(name),
    { ...to, length },
    ...(same ? [] : [from, { d: arrowPath(arrow, arrow + 16, y + 17), fill: 'muted' }]),
    ...(line.track ? drawTrack(line.track, y + 38, place) : []),
  ];
}

/**
 * Draws a track with a dot for now and a dot for then.
 *
 * @param {Track} track
 * @param {number} y  the middle of the track
 * @param {Place} place
 * @returns {(Outline | Words)[]}
 */
function drawTrack({ ends, endTexts, from, to, limit, side }, y, { width, measure, end: fill }) {
  const [left, right] = [MARGIN + DOT, width - MARGIN - DOT];
  const at = (/** @type {number} */ value) => left + (right - left) * placeBetween(value, ends);
  const [start, end] = [at(from), at(to)];
  const items = /** @type {(Outline | Words)[]} */ ([{ d: box(left, y - 1.5, right - left, 3, 1.5), fill: 'line' }]);
  if (limit) {
    const x = at(limit.at);
    const [zone, length] = side === 'above' ? [x, right - x] : [left, x - left];
    items.push({ d: box(zone, y - 4, Math.max(0, length), 8, 4), fill: 'line' });
    items.push(limitWords(limit.text, x, y + 25, { left, right, measure }));
  }
  if (Math.abs(end - start) > 2 * DOT + 8)
    items.push({ d: arrowPath(start, end - Math.sign(end - start) * (DOT + 1), y, 2.5), fill: 'ink' });
  if (limit) items.push({ d: box(at(limit.at) - 1, y - 11, 2, 22), fill: 'ink' });
  items.push(...(from === to ? [] : dot(end, y, fill)), ...dot(start, y));
  if (!limit) items.push(...endWords(endTexts, y + 22, { left: MARGIN, right: width - MARGIN }));
  return items;
}

/** From 0 at the first end to 1 at the second. Halves, because the difference of two large numbers is not finite. @param {number} value @param {[number, number]} ends */
function placeBetween(value, [low, high]) {
  const length = high / 2 - low / 2;
  return length > 0 ? Math.max(0, Math.min(1, (value / 2 - low / 2) / length)) : 0.5;
}

/** Lets text that runs from right to left start at its right end. @param {Words} words  from `fitWords` @returns {Words} */
const oriented = (words) => (isRtl(words.text) ? { ...words, rtl: true, x: words.x + (words.length ?? 0) } : words);

/**
 * Returns words below a mark that stay within the track.
 *
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {{ left: number, right: number, measure: Measure }} place
 * @returns {Words}
 */
function limitWords(text, x, y, { left, right, measure }) {
  const words = fitWords({ text, x, y, size: SMALL, fill: 'ink' }, right - left, measure);
  const length = words.length ?? 0;
  return oriented({ ...words, x: Math.max(left, Math.min(right - length, x - length / 2)) });
}

/** @param {[string, string]} texts @param {number} y @param {{ left: number, right: number }} place @returns {Words[]} */
const endWords = ([low, high], y, { left, right }) => [
  { text: low, x: left, y, size: SMALL, fill: 'muted' },
  { text: high, x: right, y, size: SMALL, fill: 'muted', anchor: 'end' },
];

/**
 * Returns a circle.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} [fill]  default: hollow
 * @returns {Outline[]}
 */
function dot(x, y, fill) {
  const disk = (/** @type {number} */ radius) => box(x - radius, y - radius, 2 * radius, 2 * radius, radius);
  const ring = [
    { d: disk(DOT + 1.5), fill: 'ground' },
    { d: disk(DOT), fill: fill ?? 'ink' },
  ];
  return fill ? ring : [...ring, { d: disk(DOT - 2), fill: 'ground' }];
}

/**
 * Returns the path of an arrow from left to right or from right to left.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} y
 * @param {number} [thickness]
 */
function arrowPath(from, to, y, thickness = 1.5) {
  const sign = Math.sign(to - from);
  const head = 4 + thickness;
  const round = (/** @type {number} */ value) => Math.round(100 * value) / 100;
  const tip = `M${round(to)} ${round(y)}l${round(-sign * head)} ${round(-head * 0.7)}v${round(2 * head * 0.7)}z`;
  const shaft = Math.abs(to - from) - head;
  return box(Math.min(from, to - sign * head), y - thickness / 2, Math.max(0, shaft), thickness) + tip;
}

/**
 * Explains the dots.
 *
 * @param {Recourse} recourse
 * @param {number} y
 * @param {Wording} wording
 * @param {Place} place
 * @returns {(Outline | Words)[]}
 */
function drawKey({ found, changes, closest }, y, { labels }, { width, measure, end }) {
  const keys = [{ text: labels.now, fill: /** @type {string | undefined} */ (undefined), x: MARGIN }];
  const shown = found ? changes : (closest?.changes ?? []);
  const second = MARGIN + 40 + measure(labels.now, SMALL);
  if (shown.length > 0) keys.push({ text: found ? labels.then : labels.tried, fill: end, x: second });
  return keys.flatMap(({ text, fill, x }) => [
    ...dot(x + DOT, y, fill),
    oriented(
      fitWords(
        { text, x: x + 2 * DOT + 8, y: y + 4, size: SMALL, fill: 'ink' },
        width - MARGIN - x - 2 * DOT - 8,
        measure,
      ),
    ),
  ]);
}
