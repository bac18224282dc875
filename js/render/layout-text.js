// Lays out a highlighted text, and the head and legend that other renderings share.
import { box, drawScale, rule } from './drawing.js';
import { cutToFit, graphemes } from './text-width.js';

/**
 * @typedef {import('./drawing.js').Drawing} Drawing
 * @typedef {import('./drawing.js').Outline} Outline
 * @typedef {import('./drawing.js').Words} Words
 * @typedef {import('./text-width.js').Measure} Measure
 * @typedef {import('./reading.js').Item} Item
 * @typedef {import('./reading.js').Reading} Reading
 * @typedef {import('./wording.js').ExplainedText} ExplainedText
 *
 * @typedef {object} Piece  text that is never broken: a word, a space, a Chinese character; lengths are in pixels
 * @property {string} text
 * @property {number} length
 * @property {number} before  the padding before the text
 * @property {number} after  the padding after it
 * @property {Mark} [mark]  the highlight that it belongs to
 * @property {boolean} [rtl]  whether it runs from right to left
 *
 * @typedef {{ item: Item, badge: string }} Mark  a highlight; badge: what stands beside it
 */

/** The margin around a rendering, in pixels. */
export const MARGIN = 20;
/** The font size of the number beside a word, in pixels. */
const BADGE_SIZE = 11;
/** Characters before and after which a line may be broken: Chinese, Japanese, Korean, emoji. */
const BREAKABLE = /[\u2e80-\ud7ff\uff00-\uffef]|\p{Emoji_Presentation}/u;
/** Punctuation that must not begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}]+$/u;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Splits a text into stretches: marked if they belong to a listed feature, plain otherwise.
 *
 * @param {Reading} reading  of a text
 * @returns {{ text: string, mark?: Mark }[]}  joined, they are the whole text
 */
export function stretchesOf(reading) {
  const { text, tokens } = /** @type {ExplainedText} */ (reading.explanation);
  const marks = new Map(reading.items.map((item) => [item.feature.index, { item, badge: reading.badge(item) }]));
  const stretches = [];
  let at = 0;
  for (const { start, end, feature: index } of tokens) {
    const mark = marks.get(index);
    if (!mark || start < at || end <= start) continue;
    if (start > at) stretches.push({ text: text.slice(at, start) });
    // A copy, because each occurrence is a highlight of its own.
    stretches.push({ text: text.slice(start, end), mark: { ...mark } });
    at = end;
  }
  if (at < text.length) stretches.push({ text: text.slice(at) });
  return stretches;
}

/**
 * Lays out a text with its highlights, under a head and above a legend.
 *
 * @param {Reading} reading  of a text
 * @param {{ width: number, measure: Measure }} options  width: in pixels
 * @returns {Drawing}
 */
export function layoutText(reading, { width, measure }) {
  const size = 17;
  const lineWidth = width - 2 * MARGIN;
  const head = layoutHead(reading, width, measure);
  const pieces = stretchesOf(reading).flatMap((stretch) => piecesOf(stretch, lineWidth, size, measure));
  const rtl = isRtl(/** @type {ExplainedText} */ (reading.explanation).text);
  const items = /** @type {(Outline | Words)[]} */ ([...head.items]);
  let y = head.height + 12;
  for (const line of linesOf(pieces, lineWidth)) {
    for (const item of drawLine(line, { x: MARGIN, y: y + 22, width: lineWidth, size, rtl })) items.push(item);
    y += 32;
  }
  const legend = layoutLegend(reading, { x: MARGIN, y: y + 14, width: Math.min(lineWidth, 340), measure });
  const height = Math.ceil(y + 14 + legend.height + MARGIN);
  items.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  for (const item of legend.items) items.push(item);
  return { width, height, title: reading.title, items };
}

/**
 * Breaks a text into lines.
 *
 * @param {string} text
 * @param {{ width: number, size: number, bold?: boolean, measure: Measure }} options  width: of a line, in pixels
 * @returns {string[]}
 */
export function wrapText(text, { width, size, bold, measure }) {
  const pieces = piecesOf({ text }, width, size, (part) => measure(part, size, bold));
  return linesOf(pieces, width).map((line) => line.map((piece) => piece.text).join(''));
}

/** The most lines of one text in a head. */
const MOST_LINES = 8;

/**
 * Writes texts one below the other, each on as many lines as it needs, at most 8.
 *
 * @param {readonly { text: string, size: number, fill: string, bold?: boolean }[]} texts
 * @param {{ x: number, y: number, width: number, measure: Measure }} place  y: the top; width: of a line
 * @returns {{ items: Words[], bottom: number }}
 */
export function writeLines(texts, { x, y: top, width, measure }) {
  const items = /** @type {Words[]} */ ([]);
  let y = top;
  for (const { text, size, fill, bold = false } of texts) {
    const lines = wrapText(text, { width, size, bold, measure });
    const rtl = isRtl(text);
    for (const [i, whole] of lines.slice(0, MOST_LINES).entries()) {
      const line = i === MOST_LINES - 1 && lines.length > MOST_LINES ? `${whole}…` : whole;
      y += size * 1.4;
      const words = { text: line, x: rtl ? x + width : x, y: Math.round(y - size * 0.4), size, fill, bold };
      items.push({ ...words, length: measure(line, size, bold), ...(rtl && { rtl }) });
    }
  }
  return { items, bottom: Math.ceil(y) };
}

/**
 * Lays out the question, what the answer is in words, and the technical details if they are wanted.
 *
 * @param {Reading} reading
 * @param {number} width
 * @param {Measure} measure
 * @returns {{ items: Words[], height: number }}
 */
export function layoutHead(reading, width, measure) {
  const technical = reading.details ? reading.technical : [];
  const { items, bottom } = writeLines(
    [
      { text: reading.title, size: 16, fill: 'ink', bold: true },
      ...reading.head.map((text) => ({ text, size: 14, fill: 'ink' })),
      ...technical.map((text) => ({ text, size: 12, fill: 'muted' })),
    ],
    { x: MARGIN, y: MARGIN, width: width - 2 * MARGIN, measure },
  );
  return { items, height: bottom };
}

/**
 * Cuts words to a width.
 *
 * @param {Words} words
 * @param {number} maxWidth  in pixels
 * @param {Measure} measure
 * @returns {Words}  a copy
 */
export function fitWords(words, maxWidth, measure) {
  const widthOf = (/** @type {string} */ part) => measure(part, words.size);
  const text = cutToFit(words.text, maxWidth, widthOf);
  return { ...words, text, length: widthOf(text), title: text === words.text ? undefined : words.text };
}

/** How many steps of the scale are in use: fewer if the weights are not to be relied on. @param {Reading} reading */
const stepsIn = ({ poor }) => (poor ? 3 : undefined);

/**
 * Lays out the color scale, and says what each side and no color mean.
 *
 * @param {Reading} reading
 * @param {{ x: number, y: number, width: number, measure: Measure }} place
 */
export function layoutLegend(reading, { x, y, width, measure }) {
  const { fullWeight, sides, items: all } = reading;
  const isText = reading.explanation.kind === 'text';
  const look = { steps: stepsIn(reading), hatched: !isText };
  const items = drawScale(x, y, width, [-fullWeight, fullWeight].map(reading.number), look);
  const key = (/** @type {string} */ text, /** @type {'plus' | 'minus'} */ kind) => {
    const words = fitWords({ text, x, y: y + 41, size: 12, fill: 'ink' }, width / 2 - 8, measure);
    const { length = 0 } = words;
    if (kind === 'plus') words.x += width - length;
    items.push(words);
    // The lines are those below the words of a text.
    if (isText) items.push({ d: rule(words.x, y + 45, length, kind), fill: 'ink' });
  };
  key(`− ${sides[0]}`, 'minus');
  key(`+ ${sides[1]}`, 'plus');
  if (all.every(({ step }) => step !== 'z') && isText) return { items, height: 47 };
  const note = [{ text: reading.labels.noColor, size: 12, fill: 'muted' }];
  const { items: lines, bottom } = writeLines(note, { x, y: y + 48, width, measure });
  return { items: [...items, ...lines], height: bottom - y + 4 };
}

/**
 * Splits a stretch into the pieces that lines are made of.
 *
 * @param {{ text: string, mark?: Mark }} stretch
 * @param {number} maxWidth  a longer word is broken anywhere
 * @param {number} size
 * @param {Measure} measure
 * @returns {Piece[]}
 */
export function piecesOf({ text, mark }, maxWidth, size, measure) {
  const words = text.match(/\r\n|[\n\r\u2028\u2029]|[^\S\n\r\u2028\u2029]+|\S+/gu) ?? [];
  const texts = words.flatMap((word) => breakUp(word, maxWidth - 30, (part) => measure(part, size)));
  const padding = mark?.badge ? 3 : 0;
  const badge = mark?.badge ? measure(mark.badge, BADGE_SIZE, true) + 2 : 0;
  return texts.map((piece, i) => ({
    text: piece,
    length: measure(piece.replace(/\t/g, '    '), size),
    mark,
    before: i ? 0 : padding,
    after: i < texts.length - 1 ? 0 : padding + badge,
  }));
}

/**
 * Splits a word at the places where it may be broken, or anywhere if it is too long.
 *
 * @param {string} word
 * @param {number} maxWidth
 * @param {(text: string) => number} widthOf
 * @returns {string[]}
 */
function breakUp(word, maxWidth, widthOf) {
  if (!/[\u1100-\uffff]/.test(word) && widthOf(word) <= maxWidth) return [word];
  const parts = [''];
  let width = 0;
  let afterBreakable = false;
  for (const grapheme of graphemes(word)) {
    const graphemeWidth = widthOf(grapheme);
    // A line may begin with any Chinese character, but not with closing punctuation.
    const mayBreak = (afterBreakable || BREAKABLE.test(grapheme)) && !CLOSING.test(grapheme);
    if (parts[0] && (mayBreak || width + graphemeWidth > maxWidth)) {
      parts.push('');
      width = 0;
    }
    parts[parts.length - 1] += grapheme;
    width += graphemeWidth;
    afterBreakable = BREAKABLE.test(grapheme);
  }
  return parts;
}

/** @param {Piece} piece */
const widthOf = ({ before, length, after }) => before + length + after;

/**
 * Breaks pieces into lines, and drops the spaces at which a line was broken.
 *
 * @param {Piece[]} pieces
 * @param {number} lineWidth
 * @returns {Piece[][]}  one array per line
 */
export function linesOf(pieces, lineWidth) {
  /** @type {Piece[]} */
  let line = [];
  const lines = [line];
  let rest = lineWidth;
  let broken = false;
  for (const piece of pieces) {
    const end = /[\n\r\u2028\u2029]/.test(piece.text);
    // Closing punctuation goes into the margin, because it must not begin a line.
    const overflows = widthOf(piece) > rest + (CLOSING.test(piece.text) ? MARGIN - 3 : 0) && line.length > 0;
    if (end || overflows) {
      lines.push((line = []));
      rest = lineWidth;
      broken = overflows;
    }
    if (end || (broken && !line.length && !piece.text.trim())) continue;
    line.push(piece);
    rest -= widthOf(piece);
  }
  return lines;
}

/** Whether a text runs from right to left, judged by its first letter. @param {string} text */
export function isRtl(text) {
  return RTL.test(text.match(/\p{L}/u)?.[0] ?? '');
}

/**
 * Orders pieces from left to right as they appear on the line. Runs of one direction follow each other in the direction
 * of the text.
 *
 * @param {Piece[]} line
 * @param {boolean} rtl
 * @returns {Piece[]}
 */
function inVisualOrder(line, rtl) {
  const directions = line.map(({ text }) => (RTL.test(text) ? true : /[\p{L}\p{N}]/u.test(text) ? false : undefined));
  const near = (/** @type {number} */ from, /** @type {number} */ step) => {
    let i = from;
    while (i in directions && directions[i] === undefined) i += step;
    return directions[i] ?? rtl;
  };
  /** @type {Piece[][]} */
  const runs = [];
  line.forEach((piece, i) => {
    // A space between two words of the same direction gets that direction; any other space gets the direction of the
    // text.
    const direction = directions[i] ?? (near(i, -1) === near(i, 1) ? near(i, 1) : rtl);
    const run = runs.at(-1);
    if (run && run[0].rtl === direction) run.push({ ...piece, rtl: direction });
    else runs.push([{ ...piece, rtl: direction }]);
  });
  for (const run of runs) if (run[0].rtl) run.reverse();
  return (rtl ? runs.reverse() : runs).flat();
}

/**
 * Draws one line of text with its highlights.
 *
 * @param {Piece[]} line
 * @param {{ x: number, y: number, width: number, size: number, rtl: boolean }} place  y: the baseline
 * @returns {(Outline | Words)[]}
 */
function drawLine(line, { x, y, width, size, rtl }) {
  /** @type {Words[]} */
  const words = [];
  /** The left and right edge of each highlight. @type {Map<Mark, number[]>} */
  const marks = new Map();
  let at = rtl ? x + width - line.reduce((sum, piece) => sum + widthOf(piece), 0) : x;
  for (const piece of inVisualOrder(line, rtl)) {
    const { mark, text, length, before, after } = piece;
    const fill = mark?.badge ? `on-${mark.item.step}` : 'ink';
    const start = at + (piece.rtl ? after : before);
    words.push({ text, x: piece.rtl ? start + length : start, y, size, fill, rtl: piece.rtl, length });
    if (mark?.badge) marks.set(mark, [marks.get(mark)?.[0] ?? at, at + widthOf(piece)]);
    if (mark?.badge && after) {
      const beside = piece.rtl ? at + 3 : start + length + 2;
      const room = after - 5;
      words.push({ text: mark.badge, x: beside, y: y - 5, size: BADGE_SIZE, fill, bold: true, length: room });
    }
    at += widthOf(piece);
  }
  const shapes = [...marks].flatMap(([{ item }, [from, to]]) => [
    { d: box(from, y - size, to - from, size + 8, 4), fill: item.step },
    { d: rule(from + 3, y + 4, to - from - 6, item.amount < 0 ? 'minus' : 'plus'), fill: `on-${item.step}` },
  ]);
  return [...shapes, ...words.filter(({ text }) => text.trim())];
}
