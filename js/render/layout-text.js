// Lays out a highlighted text, and the head and legend that other renderings share.
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
 * @typedef {{ feature: Feature, step: string }} Mark  a highlight; `step` is from `stepOf`
 */

/** The margin around a rendering, in pixels. */
export const MARGIN = 20;
/** Characters before and after which a line may be broken: Chinese, Japanese, Korean, emoji. */
const BREAKABLE = /[\u2e80-\ud7ff\uff00-\uffef]|\p{Emoji_Presentation}/u;
/** Punctuation that must not begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}]+$/u;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Splits a text into stretches: highlighted if they belong to a selected feature, plain otherwise.
 *
 * @param {ExplainedText} explanation
 * @param {number} fullWeight
 * @returns {{ text: string, mark?: Mark }[]}  joined, they are the whole text
 */
export function stretchesOf({ text, tokens, features }, fullWeight) {
  const selected = new Map(features.map((feature) => [feature.index, feature]));
  const stretches = [];
  let at = 0;
  for (const { start, end, feature: index } of tokens) {
    const feature = selected.get(index);
    if (!feature || start < at || end <= start) continue;
    if (start > at) stretches.push({ text: text.slice(at, start) });
    stretches.push({ text: text.slice(start, end), mark: { feature, step: stepOf(feature.weight, fullWeight) } });
    at = end;
  }
  if (at < text.length) stretches.push({ text: text.slice(at) });
  return stretches;
}

/** Returns the kind of line under a highlight. @param {Feature} feature */
export function underlineOf(feature) {
  if (isUndecided(feature)) return 'undecided';
  return feature.weight < 0 ? 'minus' : 'plus';
}

/**
 * Lays out a text with its highlights, under a head and above a legend.
 *
 * @param {ExplainedText} explanation
 * @param {{ width: number, fullWeight: number, measure: Measure }} options  width: in pixels
 * @returns {Drawing}
 */
export function layoutText(explanation, { width, fullWeight, measure }) {
  const size = 17;
  const lineWidth = width - 2 * MARGIN;
  const head = layoutHead(explanation, width, measure);
  const stretches = stretchesOf(explanation, fullWeight);
  const pieces = stretches.flatMap((stretch) => piecesOf(stretch, lineWidth, size, measure));
  const rtl = isRtl(explanation.text);
  const items = /** @type {(Outline | Words)[]} */ ([...head.items]);
  let y = head.height + 12;
  for (const line of linesOf(pieces, lineWidth)) {
    for (const item of drawLine(line, { x: MARGIN, y: y + 22, width: lineWidth, size, rtl })) items.push(item);
    y += 32;
  }
  const legend = layoutLegend(explanation, fullWeight, {
    x: MARGIN,
    y: y + 14,
    width: Math.min(lineWidth, 340),
    measure,
  });
  const height = y + 14 + legend.height + MARGIN;
  items.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  items.push(...legend.items);
  return { width, height, title: titleOf(explanation), items };
}

/**
 * Lays out the title, the facts and the warnings.
 *
 * @param {Explanation} explanation
 * @param {number} width
 * @param {Measure} measure
 * @returns {{ items: Words[], height: number }}
 */
export function layoutHead(explanation, width, measure) {
  const lineWidth = width - 2 * MARGIN;
  const items = /** @type {Words[]} */ ([]);
  let y = MARGIN;
  const write = (/** @type {string} */ text, /** @type {number} */ size, /** @type {string} */ fill, bold = false) => {
    const lines = linesOf(
      piecesOf({ text }, lineWidth, size, (part) => measure(part, size, bold)),
      lineWidth,
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

/**
 * Lays out the color scale and says what each side means.
 *
 * @param {Explanation} explanation
 * @param {number} fullWeight
 * @param {{ x: number, y: number, width: number, measure: Measure }} place
 */
export function layoutLegend(explanation, fullWeight, { x, y, width, measure }) {
  const [against, pro] = sidesOf(explanation);
  const items = drawScale(x, y, width, [-fullWeight, fullWeight].map(numbersFor(fullWeight)));
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
  const padding = mark && mark.step !== 'z' ? 3 : 0;
  return texts.map((piece, i) => ({
    text: piece,
    length: measure(piece.replace(/\t/g, '    '), size),
    mark,
    before: i ? 0 : padding,
    // The 9 pixels are for the sign.
    after: i < texts.length - 1 ? 0 : padding + (mark?.feature.weight ? 9 : 0),
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
    const underline = (/** @type {string} */ fill, /** @type {number} */ inset) => {
      return { d: rule(from + inset, y + 4, to - from - 2 * inset, underlineOf(feature)), fill };
    };
    return step === 'z'
      ? [underline('ink', 0)]
      : [{ d: box(from, y - size, to - from, size + 8, 4), fill: step }, underline(`on-${step}`, 3)];
  });
  return [...shapes, ...words.filter(({ text }) => text.trim())];
}
