import { box, drawScale, rule } from './drawing.js';
import { stepOf } from './palette.js';
import { cutToFit, graphemes } from './text-width.js';
import { factsOf, isUndecided, numbersFor, plain, sidesOf, titleOf } from './wording.js';

/**
 * @typedef {import('./drawing.js').Drawing} Drawing
 * @typedef {import('./drawing.js').Outline} Outline
 * @typedef {import('./drawing.js').Words} Words
 * @typedef {import('./text-width.js').Measure} Measure
 * @typedef {import('./wording.js').Feature} Feature
 * @typedef {import('./wording.js').Explanation} Explanation
 * @typedef {import('./wording.js').TextPicture} TextPicture
 *
 * @typedef {object} Piece  what is never broken: a word, a space, a Chinese character
 * @property {string} text
 * @property {number} length
 * @property {number} before  the room that is kept where it begins
 * @property {number} after
 * @property {Mark} [mark]  the highlight that it is in
 * @property {boolean} [rtl]
 *
 * @typedef {{ feature: Feature, step: string }} Mark
 */

/** Around a picture. */
export const MARGIN = 20;
/** What a line may be broken before and after: Chinese, Japanese, Korean, emoji. */
const SQUARE = /[\u2e80-\ud7ff\uff00-\uffef]|\p{Emoji_Presentation}/u;
/** What no line should begin with. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}]+$/u;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * The stretches of a text: highlighted where a selected feature stands, plain between.
 *
 * @param {TextPicture} explanation
 * @param {number} full
 * @returns {{ text: string, mark?: Mark }[]}  together the whole text
 */
export function stretchesOf({ text, tokens, features }, full) {
  const selected = new Map(features.map((feature) => [feature.index, feature]));
  const stretches = [];
  let at = 0;
  for (const { start, end, feature: index } of tokens) {
    const feature = selected.get(index);
    if (!feature || start < at || end <= start) continue;
    if (start > at) stretches.push({ text: text.slice(at, start) });
    stretches.push({ text: text.slice(start, end), mark: { feature, step: stepOf(feature.weight, full) } });
    at = end;
  }
  if (at < text.length) stretches.push({ text: text.slice(at) });
  return stretches;
}

/** How a highlight is underlined. @param {Feature} feature */
export function underlineOf(feature) {
  if (isUndecided(feature)) return 'undecided';
  return feature.weight < 0 ? 'minus' : 'plus';
}

/**
 * @param {TextPicture} explanation
 * @param {{ width: number, full: number, measure: Measure }} options
 * @returns {Drawing}
 */
export function layoutText(explanation, { width, full, measure }) {
  const size = 17;
  const room = width - 2 * MARGIN;
  const head = layoutHead(explanation, width, measure);
  const pieces = stretchesOf(explanation, full).flatMap((stretch) => piecesOf(stretch, room, size, measure));
  const rtl = isRtl(explanation.text);
  const items = /** @type {(Outline | Words)[]} */ ([...head.items]);
  let y = head.height + 12;
  for (const line of linesOf(pieces, room)) {
    items.push(...drawLine(line, { x: MARGIN, y: y + 22, room, size, rtl }));
    y += 32;
  }
  const legend = layoutLegend(explanation, full, { x: MARGIN, y: y + 14, width: Math.min(room, 340), measure });
  const height = y + 14 + legend.height + MARGIN;
  items.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  items.push(...legend.items);
  return { width, height, title: titleOf(explanation), items };
}

/**
 * The title, the facts and the warnings.
 *
 * @param {Explanation} explanation
 * @param {number} width
 * @param {Measure} measure
 * @returns {{ items: Words[], height: number }}
 */
export function layoutHead(explanation, width, measure) {
  const room = width - 2 * MARGIN;
  const items = /** @type {Words[]} */ ([]);
  let y = MARGIN;
  const write = (/** @type {string} */ text, /** @type {number} */ size, /** @type {string} */ fill, bold = false) => {
    const lines = linesOf(
      piecesOf({ text }, room, size, (part) => measure(part, size, bold)),
      room,
    ).slice(0, 3);
    for (const line of lines) {
      y += size * 1.4;
      const words = line.map((piece) => piece.text).join('');
      const length = measure(words, size, bold);
      items.push({ text: words, x: MARGIN, y: Math.round(y - size * 0.4), size, fill, bold, length });
    }
  };
  write(titleOf(explanation), 16, 'ink', true);
  write(factsOf(explanation), 13, 'muted');
  for (const warning of explanation.warnings) write(`Note: ${plain(warning)}`, 13, 'ink');
  return { items, height: Math.ceil(y) };
}

/**
 * @param {Words} words
 * @param {number} room
 * @param {Measure} measure
 * @returns {Words}  as many of them as there is room for
 */
export function fitWords(words, room, measure) {
  const widthOf = (/** @type {string} */ part) => measure(part, words.size);
  const text = cutToFit(words.text, room, widthOf);
  return { ...words, text, length: widthOf(text) };
}

/**
 * The scale with its ends, and which side says what.
 *
 * @param {Explanation} explanation
 * @param {number} full
 * @param {{ x: number, y: number, width: number, measure: Measure }} place
 */
export function layoutLegend(explanation, full, { x, y, width, measure }) {
  const [against, pro] = sidesOf(explanation);
  const items = drawScale(x, y, width, [-full, full].map(numbersFor(full)));
  const key = (
    /** @type {string} */ text,
    /** @type {number} */ down,
    /** @type {'plus' | 'minus' | 'undecided'} */ kind,
  ) => {
    const words = fitWords({ text, x, y: y + down, size: 12, fill: 'ink' }, width / 2 - 8, measure);
    const { length = 0 } = words;
    if (kind === 'plus') words.x += width - length;
    items.push(words, { d: rule(words.x, y + down + 4, length, kind), fill: 'ink' });
  };
  key(`− ${against}`, 41, 'minus');
  key(`+ ${pro}`, 41, 'plus');
  if (!explanation.features.some(isUndecided)) return { items, height: 47 };
  key('sign undecided', 64, 'undecided');
  return { items, height: 70 };
}

/**
 * @param {{ text: string, mark?: Mark }} stretch
 * @param {number} room  what is longer than this is broken wherever it must be
 * @param {number} size
 * @param {Measure} measure
 * @returns {Piece[]}
 */
function piecesOf({ text, mark }, room, size, measure) {
  const words = text.match(/\r\n|[\n\r\u2028\u2029]|[^\S\n\r\u2028\u2029]+|\S+/gu) ?? [];
  const texts = words.flatMap((word) => breakUp(word, room - 30, (part) => measure(part, size)));
  const padding = mark && mark.step !== 'z' ? 3 : 0;
  return texts.map((one, i) => ({
    text: one,
    length: measure(one.replace(/\t/g, '    '), size),
    mark,
    before: i ? 0 : padding,
    // With room for the sign.
    after: i < texts.length - 1 ? 0 : padding + (mark?.feature.weight ? 9 : 0),
  }));
}

/**
 * @param {string} word
 * @param {number} room
 * @param {(text: string) => number} widthOf
 * @returns {string[]}  the word, in parts where it may or must be broken
 */
function breakUp(word, room, widthOf) {
  if (!/[\u1100-\uffff]/.test(word) && widthOf(word) <= room) return [word];
  const parts = [''];
  let width = 0;
  let wide = false;
  for (const one of graphemes(word)) {
    const more = widthOf(one);
    // A line may begin with any Chinese character, but not with what closes the clause before it.
    const mayBreak = (wide || SQUARE.test(one)) && !CLOSING.test(one);
    if (parts[0] && (mayBreak || width + more > room)) {
      parts.push('');
      width = 0;
    }
    parts[parts.length - 1] += one;
    width += more;
    wide = SQUARE.test(one);
  }
  return parts;
}

/** @param {Piece} piece */
const widthOf = ({ before, length, after }) => before + length + after;

/**
 * @param {Piece[]} pieces
 * @param {number} room
 * @returns {Piece[][]}  by line, without the spaces where a line was broken
 */
function linesOf(pieces, room) {
  /** @type {Piece[]} */
  let line = [];
  const lines = [line];
  let rest = room;
  let broken = false;
  for (const piece of pieces) {
    const end = /[\n\r\u2028\u2029]/.test(piece.text);
    // Rather than begin a line, what closes a clause hangs out into the margin.
    const full = widthOf(piece) > rest + (CLOSING.test(piece.text) ? MARGIN - 3 : 0) && line.length > 0;
    if (end || full) {
      lines.push((line = []));
      rest = room;
      broken = full;
    }
    if (end || (broken && !line.length && !piece.text.trim())) continue;
    line.push(piece);
    rest -= widthOf(piece);
  }
  return lines;
}

/** Whether the first letter says that the text runs from right to left. @param {string} text */
function isRtl(text) {
  return RTL.test(text.match(/\p{L}/u)?.[0] ?? '');
}

/**
 * Pieces from left to right as they are read: stretches of one direction follow each other in the direction of the text.
 *
 * @param {Piece[]} line
 * @param {boolean} rtl
 * @returns {Piece[]}
 */
function inVisualOrder(line, rtl) {
  const own = line.map(({ text }) => (RTL.test(text) ? true : /[\p{L}\p{N}]/u.test(text) ? false : undefined));
  const near = (/** @type {number} */ from, /** @type {number} */ step) => {
    let i = from;
    while (i in own && own[i] === undefined) i += step;
    return own[i] ?? rtl;
  };
  /** @type {Piece[][]} */
  const runs = [];
  line.forEach((piece, i) => {
    // A space between two words of one direction goes with them, any other with the text.
    const direction = own[i] ?? (near(i, -1) === near(i, 1) ? near(i, 1) : rtl);
    const run = runs.at(-1);
    if (run && run[0].rtl === direction) run.push({ ...piece, rtl: direction });
    else runs.push([{ ...piece, rtl: direction }]);
  });
  for (const run of runs) if (run[0].rtl) run.reverse();
  return (rtl ? runs.reverse() : runs).flat();
}

/**
 * @param {Piece[]} line
 * @param {{ x: number, y: number, room: number, size: number, rtl: boolean }} place  y: the baseline
 * @returns {(Outline | Words)[]}
 */
function drawLine(line, { x, y, room, size, rtl }) {
  /** @type {Words[]} */
  const words = [];
  /** From where to where each highlight goes. @type {Map<Mark, number[]>} */
  const marks = new Map();
  let at = rtl ? x + room - line.reduce((sum, piece) => sum + widthOf(piece), 0) : x;
  for (const piece of inVisualOrder(line, rtl)) {
    const { mark, text, length, before, after } = piece;
    const fill = mark && mark.step !== 'z' ? `on-${mark.step}` : 'ink';
    const start = at + (piece.rtl ? after : before);
    words.push({ text, x: piece.rtl ? start + length : start, y, size, fill, rtl: piece.rtl, length });
    if (mark) marks.set(mark, [marks.get(mark)?.[0] ?? at, at + widthOf(piece)]);
    if (mark?.feature.weight && after) {
      const sign = mark.feature.weight < 0 ? '−' : '+';
      words.push({ text: sign, x: piece.rtl ? at + 2 : start + length + 1, y: y - 5, size: 12, fill, bold: true });
    }
    at += widthOf(piece);
  }
  const shapes = [...marks].flatMap(([{ feature, step }, [from, to]]) => {
    const line = (/** @type {string} */ fill, /** @type {number} */ inset) => {
      return { d: rule(from + inset, y + 4, to - from - 2 * inset, underlineOf(feature)), fill };
    };
    return step === 'z'
      ? [line('ink', 0)]
      : [{ d: box(from, y - size, to - from, size + 8, 4), fill: step }, line(`on-${step}`, 3)];
  });
  return [...shapes, ...words.filter(({ text }) => text.trim())];
}
