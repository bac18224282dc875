import { paintOf, SCALE } from './palette.js';
import { escape } from './wording.js';

/**
 * A picture before it is SVG or pixels: filled outlines and words, colored by role, so that one layout serves both.
 *
 * @typedef {object} Outline
 * @property {string} d  as in SVG
 * @property {string} fill  a role of `paintOf`
 *
 * @typedef {object} Words
 * @property {string} text
 * @property {number} x  where it starts; where it ends with `end`, and for text from right to left
 * @property {number} y  the baseline
 * @property {number} size
 * @property {string} fill
 * @property {boolean} [bold]
 * @property {'middle' | 'end'} [anchor]
 * @property {boolean} [rtl]
 * @property {number} [length]  the width that was reckoned with, to be kept whatever the face
 *
 * @typedef {object} Group
 * @property {number} feature  the index of the feature that is shown
 * @property {[number, number, number, number]} box  x, y, width, height
 * @property {(Outline | Words)[]} items
 *
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {string} title
 * @property {(Outline | Words | Group)[]} items
 */

export const FONT = 'system-ui, Arial, sans-serif';

/** @param {number} value */
const short = (value) => Number(value.toFixed(2));

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} [radius]
 * @returns {string}  the outline of a box
 */
export function box(x, y, width, height, radius = 0) {
  const r = short(Math.min(radius, width / 2, height / 2));
  const [w, h] = [short(width - 2 * r), short(height - 2 * r)];
  const [ne, se, sw, nw] = r
    ? [`q${r} 0 ${r} ${r}`, `q0 ${r}${-r} ${r}`, `q${-r} 0${-r}${-r}`, `q0${-r} ${r}${-r}`]
    : ['', '', '', ''];
  return `M${short(x + r)} ${short(y)}h${w}${ne}v${h}${se}h${-w}${sw}v${-h}${nw}z`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {'plus' | 'minus' | 'undecided'} kind
 * @returns {string}  a line: whole, dashed or dotted
 */
export function rule(x, y, width, kind) {
  if (kind === 'plus') return box(x, y, width, 2);
  const [on, off] = kind === 'minus' ? [6, 3] : [2, 3];
  const count = Math.max(1, Math.floor((width + off) / (on + off)));
  return Array.from({ length: count }, (_, i) => box(x + i * (on + off), y, Math.min(on, width), 2)).join('');
}

/**
 * The colors from end to end, with the numbers of both ends and the middle.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {string[]} numbers  of the ends
 * @returns {(Outline | Words)[]}
 */
export function drawScale(x, y, width, [least, most]) {
  const each = width / SCALE.length;
  const tick = (/** @type {string} */ text, /** @type {number} */ at, /** @type {Words['anchor']} */ anchor) =>
    /** @type {Words} */ ({ text, x: at, y: y + 20, size: 12, fill: 'muted', anchor });
  const middle = x + width / 2;
  return [
    ...SCALE.map((step, i) => ({ d: box(x + i * each, y, each + 0.2, 6), fill: step })),
    // Outwards from the middle where the scale is too short to hold its numbers.
    ...(width < 130
      ? [tick(least, middle - 4, 'end'), tick(most, middle + 4, undefined)]
      : [tick(least, x, undefined), tick('0', middle, 'middle'), tick(most, x + width, 'end')]),
  ];
}

/**
 * @param {Drawing} drawing
 * @param {object} look
 * @param {import('./palette.js').Palette} look.palette
 * @param {'light' | 'dark'} look.theme
 * @param {string} [look.inside]  what the file should begin with
 * @param {boolean} [look.live]  for a page that styles it by class and makes its groups reachable
 * @returns {string}
 */
export function svgOf({ width, height, title, items }, { palette, theme, inside = '', live = false }) {
  /** @param {Outline | Words | Group} item @returns {string} */
  const write = (item) => {
    if ('items' in item) {
      const inner = item.items.map(write).join('');
      if (!live) return inner;
      const hit = `<path class="linex-hit" d="${box(...item.box, 4)}"/>`;
      return `<g data-feature="${item.feature}" role="button" tabindex="-1">${hit}${inner}</g>`;
    }
    const fill = `class="linex-${item.fill}" fill="${paintOf(item.fill, palette, theme)}"`;
    return 'd' in item ? `<path ${fill} d="${item.d}"/>` : writeWords(item, fill);
  };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="${live ? 'group' : 'img'}" aria-label="${escape(title)}" ` +
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" direction="ltr">${inside}\n` +
    `${items.map(write).join('\n')}\n</svg>`
  );
}

/**
 * @param {Words} words
 * @param {string} fill
 */
function writeWords({ text, x, y, size, bold, anchor, rtl, length }, fill) {
  const attributes = [
    `${fill} x="${short(x)}" y="${short(y)}" font-size="${size}"`,
    bold && 'font-weight="600"',
    anchor && `text-anchor="${anchor}"`,
    rtl && 'direction="rtl"',
    length && `textLength="${short(length)}" lengthAdjust="spacingAndGlyphs"`,
  ];
  return `<text ${attributes.filter(Boolean).join(' ')}>${escape(text)}</text>`;
}
