// Renders an explanation as lines of text for a terminal.
import { checkCount, checkFlag } from '../core/check-options.js';
import { checkReadingOptions, Reading } from './reading.js';
import { cellsOf, cutToFit } from './text-width.js';
import { checkDrawable } from './wording.js';

/**
 * @typedef {import('../explain/explanation.js').Explanation} Explanation
 * @typedef {import('./reading.js').Item} Item
 */

/**
 * Renders an explanation as text: the question, its answer in words, then one bar per feature. A bar goes to the left if the
 * feature lowers the answer, to the right if it raises it.
 *
 * @param {Explanation} explanation  of any kind
 * @param {{ width?: number, color?: boolean } & import('./reading.js').ReadingOptions} [options]  width: in characters, 50 to
 *   500, default 76; color: whether to use ANSI colors, default false; signs are legible without
 * @returns {string}  lines of equal width, without a newline at the end
 * @throws {TypeError | RangeError}  if this is not an explanation, or an option is wrong
 */
export function renderTerminal(explanation, options = {}) {
  checkDrawable(explanation, 'renderTerminal');
  const given = checkReadingOptions(options, 'renderTerminal', ['width', 'color']);
  const { width = 76, color = false } = given;
  checkCount(width, 'width', 50, 500);
  checkFlag(color, 'color');
  const reading = new Reading(explanation, given);
  const head = [reading.title, ...reading.head, ...(reading.details ? reading.technical : [])];
  const lines = head.flatMap((text) => wrap(text, width));
  return [...lines, ...barsOf(reading, width, color)].map((line) => pad(line, width)).join('\n');
}

/**
 * Returns the bars, under a line that says what the two sides mean.
 *
 * @param {Reading} reading
 * @param {number} width
 * @param {boolean} color
 */
function barsOf(reading, width, color) {
  const { fullWeight } = reading;
  if (reading.items.length === 0) return [];
  const items = [...reading.items, ...reading.rest];
  const labels = items.map((item) => reading.label(item));
  const facts = factsBeside(reading, items);
  const longest = (/** @type {readonly string[]} */ texts) =>
    texts.reduce((most, text) => Math.max(most, cellsOf(text)), 8);
  const factWidth = longest(facts);
  const labelWidth = Math.max(8, Math.min(longest(labels), Math.floor(width / 3), width - factWidth - 11));
  const half = Math.max(3, Math.floor((width - labelWidth - factWidth - 5) / 2));
  const lines = items.flatMap((item, i) => {
    // A name that is cut may be another one.
    const [first, ...more] = wrap(labels[i], labelWidth);
    const below = more.map((text) => `${pad(text, labelWidth)} ${' '.repeat(half)}│`);
    return [`${pad(first, labelWidth)} ${bar(item, fullWeight, half, color)} ${facts[i]}`, ...below];
  });
  return [headings(reading, labelWidth + half + 1, width), ...lines];
}

/**
 * Says what the two sides of the axis mean.
 *
 * @param {Reading} reading
 * @param {number} axis  its column
 * @param {number} width
 */
function headings({ sides: [minus, plus], view }, axis, width) {
  const [down, up] = view === 'slope' ? [`↓ ${minus}`, `${plus} ↑`] : [`← ${minus}`, `${plus} →`];
  const left = cutToFit(down, axis - 1, cellsOf);
  return `${' '.repeat(axis - 1 - cellsOf(left))}${left} │ ${cutToFit(up, width - axis - 2, cellsOf)}`;
}

/**
 * Breaks a text into lines. All lines except the first are indented.
 *
 * @param {string} text
 * @param {number} width
 * @returns {string[]}
 */
function wrap(text, width) {
  const [first, ...rest] = text.split(' ').map((word, i) => cutToFit(word, i ? width - 2 : width, cellsOf));
  const lines = [first];
  for (const word of rest) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (cellsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(`  ${word}`);
  }
  return lines;
}

/** Writes the effects and their likely ranges, one below the other. @param {Reading} reading @param {readonly Item[]} items */
function factsBeside(reading, items) {
  const figures = items.map((item) => reading.figure(item));
  const width = figures.reduce((most, figure) => Math.max(most, cellsOf(figure)), 0);
  return items.map(({ interval }, i) => {
    const figure = ' '.repeat(width - cellsOf(figures[i])) + figures[i];
    if (!interval) return figure;
    const [from, to] = interval.map(reading.number);
    return `${figure}  ${reading.say('fromTo', { from, to })}`;
  });
}

/** What bars are made of, if neither color nor side says it. @type {Partial<Record<Item['effect'], string>>} */
const BLOCKS = { plus: '█', minus: '▒', guess: '·', rest: '┄' };

/**
 * Writes a bar and the axis. What is unsure has no bar; a guess and what is not explained have no color.
 *
 * @param {Item} item
 * @param {number} fullWeight
 * @param {number} half  the characters on either side of the axis
 * @param {boolean} color
 */
function bar({ amount, effect }, fullWeight, half, color) {
  const block = BLOCKS[effect] ?? '';
  const length = block && Math.min(half, Math.round((Math.abs(amount) / fullWeight) * half));
  const blocks = block.repeat(Number(length));
  const sure = effect === 'plus' || effect === 'minus';
  const [blue, orange, reset] = color && sure ? ['\u001b[34m', '\u001b[33m', '\u001b[0m'] : ['', '', ''];
  const space = ' '.repeat(half - blocks.length);
  const left = amount < 0 ? space + orange + blocks + reset : ' '.repeat(half);
  const right = amount > 0 ? blue + blocks + reset + space : ' '.repeat(half);
  return `${left}│${right}`;
}

/**
 * Fills a line with spaces up to a width; color codes do not count.
 *
 * @param {string} line
 * @param {number} width
 */
function pad(line, width) {
  // eslint-disable-next-line no-control-regex
  const visible = cellsOf(line.replace(/\u001b\[\d+m/g, ''));
  return line + ' '.repeat(Math.max(0, width - visible));
}
