// Pictures in a terminal: a text with its words highlighted, and an image in small blocks.
import { paintOf, PALETTES } from '../render/palette.js';
import { Reading } from '../render/reading.js';
import { stretchesOf } from '../render/layout-text.js';

const RESET = '\u001b[0m';

/** The channels of a color for a terminal. @param {string} color  such as `rgb(43,108,176)` or `#fff` */
function channelsOf(color) {
  const digits = color.startsWith('#') ? color.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3') : '';
  const channels = digits ? [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)) : color.match(/\d+/g);
  return (channels ?? []).join(';');
}

/**
 * Writes a text with its words highlighted, as the HTML rendering does: a sign stands after each word that counts.
 *
 * @param {any} explanation  of a text
 * @returns {string}
 */
export function paintWords(explanation) {
  const reading = new Reading(explanation, {});
  return stretchesOf(reading)
    .map(({ text, mark }) => {
      // A text may come from anywhere; it must not send codes to the terminal.
      // eslint-disable-next-line no-control-regex
      const plain = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
      if (!mark?.badge) return plain;
      const { amount, step } = mark.item;
      const [ground, ink] = [step, `on-${step}`].map((role) => channelsOf(paintOf(role, PALETTES[0], 'light')));
      return `\u001b[48;2;${ground};38;2;${ink}m${plain}${amount < 0 ? '−' : '+'}${RESET}`;
    })
    .join('');
}

/**
 * Draws pixels as blocks: each character shows two pixels, one above the other.
 *
 * @param {{ data: ArrayLike<number>, width: number, height: number }} picture  RGBA
 * @param {number} columns  the most characters per line
 * @returns {string}
 */
export function paintPixels({ data, width, height }, columns) {
  const across = Math.min(columns, width, 80);
  const down = Math.max(2, 2 * Math.round((height * across) / width / 2));
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    averageOf(data, width, {
      left: Math.floor((x * width) / across),
      right: Math.max(Math.floor((x * width) / across) + 1, Math.floor(((x + 1) * width) / across)),
      top: Math.floor((y * height) / down),
      bottom: Math.max(Math.floor((y * height) / down) + 1, Math.floor(((y + 1) * height) / down)),
    });
  const lines = [];
  for (let y = 0; y < down; y += 2) {
    let line = '';
    for (let x = 0; x < across; x++) line += `\u001b[38;2;${at(x, y)};48;2;${at(x, y + 1)}m▀`;
    lines.push(line + RESET);
  }
  return lines.join('\n');
}

/**
 * @param {ArrayLike<number>} data
 * @param {number} width
 * @param {{ left: number, right: number, top: number, bottom: number }} box
 */
function averageOf(data, width, { left, right, top, bottom }) {
  const sums = [0, 0, 0];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) for (let c = 0; c < 3; c++) sums[c] += data[4 * (y * width + x) + c];
  const count = (right - left) * (bottom - top);
  return sums.map((sum) => Math.round(sum / count)).join(';');
}
