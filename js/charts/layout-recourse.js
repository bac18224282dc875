// Lays out recourse: what would have to change, from where to where, and the answer before and after.
import { box } from '../render/drawing.js';
import { fitWords, MARGIN } from '../render/layout-text.js';
import { answersApart, writeChanged, writeThreshold } from '../render/numbers.js';
import { plain } from '../render/wording.js';
import { dot, drawingOf, layoutHeading, layoutKeyLine, layoutNotes, ring, SMALL, textAt } from './chart-frame.js';

/**
 * @typedef {import('../measure/recourse-result.js').Recourse} Recourse
 * @typedef {import('../measure/recourse-result.js').Change} Change
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('../render/drawing.js').Words} Words
 * @typedef {import('../render/text-width.js').Measure} Measure
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 *
 * @typedef {object} Line  one column that changes, or the answer
 * @property {number | null} feature  the index of the column; null for the answer
 * @property {string} name
 * @property {string} from
 * @property {string} to
 * @property {Track} [track]  levels have none
 *
 * @typedef {object} Track
 * @property {[number, number]} ends  in the unit of the values
 * @property {[string, string]} endTexts
 * @property {number} from
 * @property {number} to
 * @property {{ at: number, text: string }} [limit]  what the answer has to cross
 * @property {'above' | 'below'} [side]  where the answer should be
 *
 * @typedef {object} Place
 * @property {number} width
 * @property {Measure} measure
 * @property {string} end  the color of the second dots
 */

const SIZE = 14;
const RADIUS = 6;

/**
 * Lays out recourse.
 *
 * @param {Recourse} recourse  checked
 * @param {ChartLook} look
 * @returns {Chart}
 */
export function layoutRecourse(recourse, look) {
  const { words, width, measure } = look;
  const { title, sentence } = sayRecourse(recourse, words);
  const heading = layoutHeading(title, [sentence], look);
  const items = /** @type {Drawing['items']} */ ([...heading.items]);
  const place = { width, measure, end: recourse.found ? 'ink' : 'muted' };
  const lines = linesOf(recourse, words);
  let y = heading.height + 10;
  lines.forEach((line, i) => {
    const height = line.track ? 68 : 36;
    const frame = /** @type {[number, number, number, number]} */ ([MARGIN - 4, y, width - 2 * MARGIN + 8, height]);
    items.push({ feature: i, box: frame, items: drawLine(line, y, place) });
    y += height;
  });
  const keys = layoutKeys(recourse, y + 20, look);
  const { labels } = words;
  const texts = [
    lines.some(({ feature, track }) => track && feature !== null) && labels.rangeEnds,
    lines.some(({ feature, track }) => track?.limit && feature === null) && labels.wantedPart,
    sayQueries(recourse, words),
  ];
  const notes = layoutNotes(
    texts.filter((text) => typeof text === 'string'),
    keys.bottom + 6,
    look,
  );
  const height = notes.bottom + MARGIN - 4;
  return {
    drawing: drawingOf([...items, ...keys.items, ...notes.items], { width, height, title }),
    sentence,
    ...describe(recourse, lines, words),
  };
}

/** The changes that are shown: those that were found, or those of the closest try. @param {Recourse} recourse */
const changesIn = ({ found, changes, closest }) => (found ? changes : (closest?.changes ?? []));

/** One line per change, then the answer. @param {Recourse} recourse @param {ChartWords} words @returns {Line[]} */
function linesOf(recourse, words) {
  return [...changesIn(recourse).map((change) => changeLine(change, words)), answerLine(recourse, words)];
}

/** @param {Change} change @param {ChartWords} words @returns {Line} */
function changeLine(change, words) {
  const { index, column, from, to, range } = change;
  const text = (/** @type {Change['from']} */ value) => valueOf(value, change, words);
  const line = { feature: index, name: plain(column), from: text(from), to: text(to) };
  if (!range || typeof from !== 'number' || typeof to !== 'number') return line;
  const ends = /** @type {[number, number]} */ ([Math.min(range[0], from, to), Math.max(range[1], from, to)]);
  return { ...line, track: { ends, endTexts: [text(ends[0]), text(ends[1])], from, to } };
}

/** @param {Recourse} recourse @param {ChartWords} words @returns {Line} */
function answerLine(recourse, words) {
  const { from, to, limit, write } = answersOf(recourse, words);
  const values = limit ? [from, to, limit.at] : [from, to];
  const ends = answerEnds(Math.min(...values), Math.max(...values));
  return {
    feature: null,
    name: words.axis({ target: recourse.target }),
    from: write(from),
    to: write(to),
    track: {
      ...{ ends, endTexts: [write(ends[0]), write(ends[1])], from, to, side: recourse.side },
      ...(limit && { limit }),
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
  const [left, right, base] = [MARGIN, width - MARGIN, y + 22];
  const half = (right - left) / 2;
  const to = fitWords(
    textAt(line.to, right, base, { side: 'right', size: SIZE, bold: true }),
    half * 0.6,
    // Bold text is wider than `fitWords` assumes.
    (text, size) => measure(text, size, true),
  );
  const same = line.from === line.to;
  const arrow = right - (to.length ?? 0) - 22;
  const before = textAt(line.from, arrow - 6, base, { side: 'right', size: SIZE, fill: 'muted' });
  const from = fitWords(before, half * 0.5, measure);
  const start = same ? arrow + 22 : arrow - 6 - (from.length ?? 0);
  return [
    fitWords(textAt(line.name, left, base, { size: SIZE }), start - left - 12, measure),
    to,
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
  const [left, right] = [MARGIN + RADIUS, width - MARGIN - RADIUS];
  const at = (/** @type {number} */ value) => left + (right - left) * placeBetween(value, ends);
  const [start, end] = [at(from), at(to)];
  const items = /** @type {(Outline | Words)[]} */ ([{ d: box(left, y - 1.5, right - left, 3, 1.5), fill: 'line' }]);
  if (limit) {
    const x = at(limit.at);
    const [zone, length] = side === 'above' ? [x, right - x] : [left, x - left];
    items.push({ d: box(zone, y - 4, Math.max(0, length), 8, 4), fill: 'line' });
    items.push(limitWords(limit.text, x, y + 25, { left, right, measure }));
  }
  if (Math.abs(end - start) > 2 * RADIUS + 8)
    items.push({ d: arrowPath(start, end - Math.sign(end - start) * (RADIUS + 1), y, 2.5), fill: 'ink' });
  if (limit) items.push({ d: box(at(limit.at) - 1, y - 11, 2, 22), fill: 'ink' });
  items.push(...(from === to ? [] : disk(end, y, fill)), ...hollow(start, y));
  if (!limit)
    items.push(
      textAt(endTexts[0], MARGIN, y + 22, { size: SMALL, fill: 'muted' }),
      textAt(endTexts[1], width - MARGIN, y + 22, { size: SMALL, fill: 'muted', side: 'right' }),
    );
  return items;
}

/** From 0 at the first end to 1 at the second. Halves, because the difference of two large numbers is not finite. @param {number} value @param {[number, number]} ends */
function placeBetween(value, [low, high]) {
  const length = high / 2 - low / 2;
  return length > 0 ? Math.max(0, Math.min(1, (value / 2 - low / 2) / length)) : 0.5;
}

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
  const half = Math.min(measure(text, SMALL), right - left) / 2;
  const middle = Math.max(left + half, Math.min(right - half, x));
  return fitWords(textAt(text, middle, y, { side: 'middle', size: SMALL }), right - left, measure);
}

/** A full dot. @param {number} x @param {number} y @param {string} fill @returns {Outline[]} */
const disk = (x, y, fill) => [
  { d: dot(x, y, RADIUS + 1.5), fill: 'ground' },
  { d: dot(x, y, RADIUS), fill },
];

/** A dot with a hole. @param {number} x @param {number} y @returns {Outline[]} */
const hollow = (x, y) => [
  { d: dot(x, y, RADIUS + 1.5), fill: 'ground' },
  { d: ring(x, y, RADIUS, 2), fill: 'ink' },
];

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
 * @param {number} y  the baseline
 * @param {ChartLook} look
 */
function layoutKeys(recourse, y, { words: { labels }, measure, width }) {
  const { found } = recourse;
  const at = 2 * RADIUS;
  const now = { text: labels.now, width: at, swatch: (/** @type {number} */ x, /** @type {number} */ line) => hollow(x + RADIUS, line - 4) }; // prettier-ignore
  const then = {
    text: found ? labels.withChange : labels.withTry,
    width: at,
    swatch: (/** @type {number} */ x, /** @type {number} */ line) =>
      disk(x + RADIUS, line - 4, found ? 'ink' : 'muted'),
  };
  const keys = changesIn(recourse).length > 0 ? [now, then] : [now];
  return layoutKeyLine(keys, { x: MARGIN, y, width: width - 2 * MARGIN, measure });
}

/**
 * @param {Recourse} recourse
 * @param {readonly Line[]} lines
 * @param {ChartWords} words
 * @returns {Pick<Chart, 'table' | 'stops'>}
 */
function describe({ found }, lines, { labels }) {
  const then = found ? labels.withChange : labels.withTry;
  return {
    table: {
      headings: [labels.feature, labels.now, then],
      rows: lines.map(({ name, from, to, track }) => [name, from, track?.limit ? `${to} (${track.limit.text})` : to]),
    },
    stops: lines.map(({ feature, name, from, to, track }) => ({
      feature,
      name: feature === null ? '' : name,
      details: [name, `${labels.now}: ${from}`, `${then}: ${to}`, ...(track?.limit ? [track.limit.text] : [])],
    })),
  };
}

/** The question, and what is said if something has to change, if nothing has to, and if nothing was found. */
const TEXTS = /** @type {const} */ ({
  class: {
    above: ['recourseReach', 'wouldReach', 'isReached', 'notReached'],
    below: ['recourseLeave', 'wouldLeave', 'isLeft', 'notLeft'],
  },
  score: {
    above: ['recourseAbove', 'wouldRise', 'isAbove', 'notAbove'],
    below: ['recourseBelow', 'wouldFall', 'isBelow', 'notBelow'],
  },
});

/** Why nothing was found. */
const REASONS = /** @type {const} */ ({
  unsure: 'noDirection',
  range: 'noRoom',
  implausible: 'tooUnusual',
  limit: 'searchLimit',
});

/**
 * Says what would change the answer.
 *
 * @param {Recourse} recourse  checked
 * @param {ChartWords} words
 * @returns {{ title: string, sentence: string }}
 */
export function sayRecourse(recourse, words) {
  const { found, changes, threshold, side, reason, closest, queries, tried = [] } = recourse;
  const target = words.target(recourse);
  const values = {
    target,
    answer: target ? words.say('theAnswerFor', { target }) : words.labels.theAnswer,
    threshold:
      threshold === null ? words.labels.bestOther : writeThreshold(threshold, words.locale, words.answerFormat),
    changes: sayChanges(changes, words),
    // What was not tried might still help.
    change: tried.length ? words.say('noChangeOf', { columns: words.list(tried.map(plain)) }) : words.labels.noChange,
    reason: reason && reason !== 'already' ? words.say(REASONS[reason], { search: words.whole(queries.search) }) : '',
  };
  const [title, change, nothing, none] = TEXTS[threshold === null && target ? 'class' : 'score'][side];
  const first = words.say(found ? (changes.length > 0 ? change : nothing) : none, values);
  const nearest = found ? [] : (closest?.changes ?? []);
  const second = nearest.length > 0 ? words.say('closestTry', { changes: sayChanges(nearest, words) }) : '';
  const sentences = [first, second].filter(Boolean).map((sentence) => words.capitalize(sentence));
  return { title: words.say(title, values), sentence: sentences.join(' ') };
}

/** @param {readonly Change[]} changes @param {ChartWords} words */
function sayChanges(changes, words) {
  const texts = changes.map((change) => {
    const [from, to] = [change.from, change.to].map((value) => valueOf(value, change, words));
    return words.say('wouldBe', { column: plain(change.column), from, to });
  });
  return words.list(texts);
}

/**
 * Writes a value of a column that changes.
 *
 * @param {Change['from']} value
 * @param {Change} change
 * @param {ChartWords} words
 */
export function valueOf(value, { change, format }, words) {
  return typeof value === 'number' ? writeChanged(value, change, words.locale, format) : words.value(value);
}

/** Says how often the model was asked. @param {Recourse} recourse @param {ChartWords} words */
export function sayQueries({ queries: { total, explain, search } }, words) {
  return words.say('questions', {
    total: words.whole(total),
    explain: words.whole(explain),
    search: words.whole(search),
  });
}

/**
 * The answers and what they have to cross, in numbers and in words. With two classes whose answers always have the same sum, that
 * is half of the sum; otherwise, it is the highest answer of the other classes.
 *
 * @param {Recourse} recourse
 * @param {ChartWords} words
 * @returns {{ from: number, to: number, limit?: { at: number, text: string }, write: (value: number) => string }}
 */
export function answersOf({ threshold, rival, prediction, closest }, words) {
  const { locale, answerFormat } = words;
  const from = prediction.from;
  const to = prediction.to ?? closest?.prediction ?? from;
  const line = threshold === null ? lineAmongClasses({ from, to }, rival, closest) : { at: threshold, fixed: true };
  const write = answersApart([from, to], line?.at, locale, answerFormat);
  if (!line) return { from, to, write };
  const value = threshold === null ? write(line.at) : writeThreshold(threshold, locale, answerFormat);
  return {
    ...{ from, to, write },
    limit: { at: line.at, text: words.say(line.fixed ? 'threshold' : 'bestOtherAt', { value }) },
  };
}

/**
 * @param {{ from: number, to: number }} target
 * @param {Recourse['rival']} rival
 * @param {Recourse['closest']} closest
 * @returns {{ at: number, fixed: boolean } | undefined}  fixed: whether it does not depend on the row
 */
function lineAmongClasses({ from, to }, rival, closest) {
  if (!rival) return undefined;
  const other = rival.to ?? closest?.rival;
  if (typeof other !== 'number') return { at: rival.from, fixed: false };
  // Halves, because the sum of huge numbers overflows.
  const [before, after] = [from / 2 + rival.from / 2, to / 2 + other / 2];
  return Math.abs(after - before) < 1e-9 * Math.abs(before) ? { at: after, fixed: true } : { at: other, fixed: false };
}
