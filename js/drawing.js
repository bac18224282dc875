import { paintOf } from './palette.js';
import { escape } from './wording.js';

/**
 * A picture before it is SVG or pixels: filled outlines and words, coloured by role, so that one layout serves both.
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
 * @property {string} label
 * @property {[number, number, number, number]} box  x, y, width, height
 * @property {(Outline | Words)[]} items
 *
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {string} title
 * @property {string} description
 * @property {(Outline | Words | Group)[]} items
 */

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', sans-serif";

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
  const r = Math.min(radius, width / 2, height / 2);
  const [w, h] = [short(width - 2 * r), short(height - 2 * r)];
  if (!r) return `M${short(x)} ${short(y)}h${w}v${h}h${-w}z`;
  const turn = (/** @type {number} */ dx, /** @type {number} */ dy) =>
    `a${short(r)} ${short(r)} 0 0 1 ${short(dx)} ${short(dy)}`;
  return `M${short(x + r)} ${short(y)}h${w}${turn(r, r)}v${h}${turn(-r, r)}h${-w}${turn(-r, -r)}v${-h}${turn(r, -r)}z`;
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
 * @param {Drawing} drawing
 * @param {object} look
 * @param {import('./palette.js').Palette} look.palette
 * @param {import('./palette.js').Theme} look.theme
 * @param {boolean} [look.live]  for a page that styles it and makes its groups reachable: no style of its own
 * @returns {string}
 */
export function svgOf({ width, height, title, description, items }, { palette, theme, live = false }) {
  const base = theme === 'dark' ? 'dark' : 'light';
  const roles = new Set();
  const fill = (/** @type {string} */ role) => {
    roles.add(role);
    return `${live || theme === 'auto' ? `class="linex-${role}" ` : ''}fill="${paintOf(role, palette, base)}"`;
  };
  /** @param {Outline | Words | Group} item @returns {string} */
  const write = (item) => {
    if ('d' in item) return `<path ${fill(item.fill)} d="${item.d}"/>`;
    if ('text' in item) return writeWords(item, fill(item.fill));
    const inner = item.items.map(write).join('');
    if (!live) return inner;
    const hit = `<path class="linex-hit" fill="none" d="${box(...item.box, 4)}"/>`;
    const label = `role="button" tabindex="-1" aria-label="${escape(item.label)}"`;
    return `<g class="linex-row" data-feature="${item.feature}" ${label}>${hit}${inner}</g>`;
  };
  const body = items.map(write).join('\n');
  const role = live ? 'group' : 'img';
  const dark = [...roles]
    .map((one) => `.linex-${palette} .linex-${one}{fill:${paintOf(one, palette, 'dark')}}`)
    .join('');
  const style =
    theme === 'auto' && !live ? `<style>@media screen and (prefers-color-scheme:dark){${dark}}</style>` : '';
  const about = live ? '' : `<title>${escape(title)}</title><desc>${escape(description)}</desc>`;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg"${live ? '' : ` class="linex-${palette}"`} role="${role}" aria-label="${escape(title)}" ${size} ` +
    `font-family="${FONT}">${about}${style}\n${body}\n</svg>`
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
