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
  const { items, fullWeight, rest } = reading;
  if (items.length === 0) return [];
  const labels = [...items.map((item) => reading.label(item)), ...(rest ? [reading.labels.notExplained] : [])];
  const facts = factsBeside(reading);
  const longest = (/** @type {readonly string[]} */ texts) =>
    texts.reduce((most, text) => Math.max(most, cellsOf(text)), 8);
  const factWidth = longest(facts);
  const labelWidth = Math.max(8, Math.min(longest(labels), Math.floor(width / 3), width - factWidth - 11));
  const half = Math.max(3, Math.floor((width - labelWidth - factWidth - 5) / 2));
  const lines = labels.map((text, i) => {
    const label = pad(cutToFit(text, labelWidth, cellsOf), labelWidth);
    const drawn = items[i]
      ? bar(items[i], fullWeight, half, color, reading.isGuess(items[i]))
      : restBar(rest, fullWeight, half);
    return `${label} ${drawn} ${facts[i]}`;
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
  const [first, ...rest] = text.split(' ').map((word) => cutToFit(word, width - 2, cellsOf));
  const lines = [first];
  for (const word of rest) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (cellsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(`  ${word}`);
  }
  return lines;
}

/** Writes the effects and their likely ranges, one below the other. @param {Reading} reading */
function factsBeside(reading) {
  const rest = reading.rest ? [reading.number(reading.rest)] : [];
  const figures = [...reading.items.map((item) => reading.figure(item)), ...rest];
  const width = figures.reduce((most, figure) => Math.max(most, cellsOf(figure)), 0);
  return figures.map((text, i) => {
    const item = reading.items[i];
    const figure = ' '.repeat(width - cellsOf(text)) + text;
    if (!item?.interval || reading.isGuess(item)) return figure;
    const [from, to] = item.interval.map(reading.number);
    return `${figure}  ${reading.say('fromTo', { from, to })}`;
  });
}

/**
 * Writes a bar and the axis. What is unsure has no bar.
 *
 * @param {Item} item
 * @param {number} fullWeight
 * @param {number} half  the characters on either side of the axis
 * @param {boolean} color
 * @param {boolean} isGuess
 */
function bar({ amount, effect }, fullWeight, half, color, isGuess) {
  const sure = effect === 'plus' || effect === 'minus';
  const length = sure ? Math.min(half, Math.round((Math.abs(amount) / fullWeight) * half)) : 0;
  const blocks = (isGuess ? '·' : amount < 0 ? '▒' : '█').repeat(length);
  const [blue, orange, reset] = color && !isGuess ? ['\u001b[34m', '\u001b[33m', '\u001b[0m'] : ['', '', ''];
  const left = amount < 0 ? ' '.repeat(half - length) + orange + blocks + reset : ' '.repeat(half);
  const right = amount > 0 ? blue + blocks + reset + ' '.repeat(half - length) : ' '.repeat(half);
  return `${left}│${right}`;
}

/** Writes what is not explained, without a color. @param {number} rest @param {number} fullWeight @param {number} half */
function restBar(rest, fullWeight, half) {
  const blocks = '┄'.repeat(Math.min(half, Math.max(1, Math.round((Math.abs(rest) / fullWeight) * half))));
  const empty = ' '.repeat(half);
  return rest < 0 ? `${blocks.padStart(half)}│${empty}` : `${empty}│${blocks.padEnd(half)}`;
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
