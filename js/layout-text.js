import { box, rule } from './drawing.js';
import { SCALE, stepOf } from './palette.js';
import { cutToFit, guessWidth, graphemes, isWide } from './widths.js';
import { factsOf, isUndecided, numbersFor, plain, sentenceOf, sidesOf, titleOf } from './wording.js';

/**
 * @typedef {import('./drawing.js').Drawing} Drawing
 * @typedef {import('./drawing.js').Outline} Outline
 * @typedef {import('./drawing.js').Words} Words
 * @typedef {import('./widths.js').Measure} Measure
 * @typedef {import('./wording.js').Feature} Feature
 * @typedef {import('./wording.js').Explanation} Explanation
 * @typedef {import('./wording.js').TextPicture} TextPicture
 *
 * @typedef {object} Piece  what is never broken: a word, a space, a Chinese character
 * @property {string} text
 * @property {number} width  with what stands around it
 * @property {Mark} [mark]  the highlight that it is in
 * @property {boolean} [first]  of its highlight
 * @property {boolean} [last]
 * @property {boolean} [rtl]
 *
 * @typedef {{ feature: Feature, step: string }} Mark
 */

const MARGIN = 20;
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
 * @param {{ width: number, full: number, measure?: Measure }} options
 * @returns {Drawing}
 */
export function layoutText(explanation, { width, full, measure = guessWidth }) {
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
  const legend = layoutLegend(explanation, full, { x: MARGIN, y: y + 14, room, measure });
  const height = y + 14 + legend.height + MARGIN;
  items.unshift({ d: box(0, 0, width, height), fill: 'ground' });
  items.push(...legend.items);
  return { width, height, title: titleOf(explanation), description: describe(explanation, full), items };
}

/**
 * @param {Explanation} explanation
 * @param {number} full
 */
export function describe(explanation, full) {
  const number = numbersFor(full);
  const said = explanation.features.slice(0, 12).map((feature) => sentenceOf(feature, explanation, number));
  const more = explanation.features.length - said.length;
  return [factsOf(explanation), ...explanation.warnings.map(plain), ...said, more > 0 && `and ${more} more`]
    .filter(Boolean)
    .join('. ');
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
 * The scale with its ends, and which side says what.
 *
 * @param {Explanation} explanation
 * @param {number} full
 * @param {{ x: number, y: number, room: number, measure: Measure }} place
 */
function layoutLegend(explanation, full, { x, y, room, measure }) {
  const width = Math.min(room, 340);
  const number = numbersFor(full);
  const [against, pro] = sidesOf(explanation);
  const size = 12;
  const each = width / SCALE.length;
  const items = /** @type {(Outline | Words)[]} */ (
    SCALE.map((step, i) => ({ d: box(x + i * each, y, each + 0.2, 8), fill: step }))
  );
  const right = x + width;
  const key = (
    /** @type {string} */ words,
    /** @type {number} */ down,
    /** @type {'plus' | 'minus' | 'undecided'} */ kind,
  ) => {
    const widthOf = (/** @type {string} */ part) => measure(part, size);
    const text = cutToFit(words, width / 2 - 8, widthOf);
    const length = widthOf(text);
    const from = kind === 'plus' ? right - length : x;
    items.push({ text, x: from, y: y + down, size, fill: 'ink', length });
    items.push({ d: rule(from, y + down + 4, length, kind), fill: 'ink' });
  };
  items.push(
    { text: number(-full), x, y: y + 23, size, fill: 'muted' },
    { text: '0', x: x + width / 2, y: y + 23, size, fill: 'muted', anchor: 'middle' },
    { text: number(full), x: right, y: y + 23, size, fill: 'muted', anchor: 'end' },
  );
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
  return texts.map((one, i) => {
    const first = i === 0;
    const last = i === texts.length - 1;
    const padding = paddingOf(mark);
    const around = (first ? padding : 0) + (last && mark ? padding + signRoom(mark, size) : 0);
    return { text: one, width: measure(one.replace(/\t/g, '    '), size) + around, mark, first, last };
  });
}

/** What stands at either end of a highlight. @param {Mark | undefined} mark */
const paddingOf = (mark) => (mark && mark.step !== 'z' ? 3 : 0);

/** @param {Mark} mark @param {number} size */
const signRoom = ({ feature }, size) => (feature.weight ? size * 0.45 : 0);

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
    const mayBreak = (wide || isWide(one)) && !/^[\p{Pe}\p{Pf}\p{Po}]/u.test(one);
    if (parts[0] && (mayBreak || width + more > room)) {
      parts.push('');
      width = 0;
    }
    parts[parts.length - 1] += one;
    width += more;
    wide = isWide(one);
  }
  return parts;
}

/**
 * @param {Piece[]} pieces
 * @param {number} room
 * @returns {Piece[][]}  by line, without the spaces where a line was broken
 */
function linesOf(pieces, room) {
  /** @type {Piece[][]} */
  const lines = [[]];
  let width = 0;
  let broken = false;
  for (const piece of pieces) {
    const space = !piece.text.trim();
    if (/[\n\r\u2028\u2029]/.test(piece.text)) {
      lines.push([]);
      width = 0;
      broken = false;
    } else if (width + piece.width > room && lines.at(-1)?.length) {
      lines.push(space ? [] : [piece]);
      width = space ? 0 : piece.width;
      broken = true;
    } else if (!space || lines.at(-1)?.length || !broken) {
      lines.at(-1)?.push(piece);
      width += piece.width;
    }
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
  const total = line.reduce((sum, piece) => sum + piece.width, 0);
  /** @type {Words[]} */
  const words = [];
  /** @type {Map<Mark, { from: number, to: number }>} */
  const marks = new Map();
  let at = rtl ? x + room - total : x;
  for (const piece of inVisualOrder(line, rtl)) {
    const { mark, text, width } = piece;
    const sign = mark && piece.last ? signRoom(mark, size) : 0;
    const padding = paddingOf(mark);
    const before = (piece[piece.rtl ? 'last' : 'first'] ? padding : 0) + (piece.rtl ? sign : 0);
    const after = (piece[piece.rtl ? 'first' : 'last'] ? padding : 0) + (piece.rtl ? 0 : sign);
    const length = width - before - after;
    const fill = mark && mark.step !== 'z' ? `on-${mark.step}` : 'ink';
    const start = at + before;
    if (text.trim()) words.push({ text, x: piece.rtl ? start + length : start, y, size, fill, rtl: piece.rtl, length });
    if (mark && sign) {
      const edge = piece.rtl ? start - sign : start + length + 1;
      words.push({ text: mark.feature.weight < 0 ? '−' : '+', x: edge, y: y - 5, size: size * 0.7, fill, bold: true });
    }
    if (mark) {
      const known = marks.get(mark) ?? { from: at, to: at };
      marks.set(mark, { from: Math.min(known.from, at), to: Math.max(known.to, at + width) });
    }
    at += width;
  }
  const shapes = [...marks].flatMap(([{ feature, step }, { from, to }]) => {
    const ink = step === 'z' ? 'ink' : `on-${step}`;
    const inset = paddingOf(/** @type {Mark} */ ({ step }));
    const line = { d: rule(from + inset, y + 4, to - from - 2 * inset, underlineOf(feature)), fill: ink };
    return step === 'z' ? [line] : [{ d: box(from, y - size, to - from, size + 8, 4), fill: step }, line];
  });
  return [...shapes, ...words];
}
