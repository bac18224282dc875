// Describes a rendering as filled outlines and words, and writes it as SVG.
import { paintOf, SCALE } from './palette.js';
import { escape } from './wording.js';

/**
 * A rendering before it becomes SVG or pixels. Colors are named by role, so that one layout serves all palettes and
 * themes.
 *
 * @typedef {object} Outline
 * @property {string} d  path data, as in SVG
 * @property {string} fill  a role of `paintOf`
 *
 * @typedef {object} Words
 * @property {string} text
 * @property {number} x  the start of the text; its end if `anchor` is `'end'` or the text runs from right to left
 * @property {number} y  the baseline
 * @property {number} size  the font size in pixels
 * @property {string} fill  a role of `paintOf`
 * @property {boolean} [bold]
 * @property {'middle' | 'end'} [anchor]
 * @property {boolean} [rtl]
 * @property {string} [title]  the whole text, if `text` is cut
 * @property {number} [length]  the width that the layout assumed, in pixels; the SVG keeps it in any font
 *
 * @typedef {object} Group
 * @property {number} feature  the index of the feature
 * @property {[number, number, number, number]} box  x, y, width, height in pixels
 * @property {(Outline | Words)[]} items
 * @property {string} [label]  its name for screen readers, if its items have no words
 *
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {string} title
 * @property {(Outline | Words | Group)[]} items
 */

export const FONT = 'system-ui, Arial, sans-serif';

/** @param {number} value */
const twoDecimals = (value) => Math.round(100 * value) / 100;

/**
 * Returns the path of a box.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} [radius]  of the corners, in pixels; default 0
 * @returns {string}
 */
export function box(x, y, width, height, radius = 0) {
  const r = twoDecimals(Math.min(radius, width / 2, height / 2));
  const [w, h] = [twoDecimals(width - 2 * r), twoDecimals(height - 2 * r)];
  const [ne, se, sw, nw] = r
    ? [`q${r} 0 ${r} ${r}`, `q0 ${r}${-r} ${r}`, `q${-r} 0${-r}${-r}`, `q0${-r} ${r}${-r}`]
    : ['', '', '', ''];
  return `M${twoDecimals(x + r)} ${twoDecimals(y)}h${w}${ne}v${h}${se}h${-w}${sw}v${-h}${nw}z`;
}

/**
 * Returns the path of a line: solid for plus, dashed for minus, dotted for undecided.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {'plus' | 'minus' | 'undecided'} kind
 * @param {number} [height]  default 2; dots of the height of a bar are stripes
 * @returns {string}
 */
export function rule(x, y, width, kind, height = 2) {
  if (kind === 'plus') return box(x, y, width, height);
  const [dash, gap] = kind === 'minus' ? [6, 3] : [2, 3];
  const count = Math.max(1, Math.floor((width + gap) / (dash + gap)));
  return Array.from({ length: count }, (_, i) => box(x + i * (dash + gap), y, Math.min(dash, width), height)).join('');
}

/**
 * Draws the color scale from end to end, with a number at each end and at the middle.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {string[]} numbers  the numbers at the negative and the positive end
 * @param {{ steps?: number, hatched?: boolean }} [look]  steps: how many steps on either side are in use, default all;
 *   hatched: whether negative effects are
 * @returns {(Outline | Words)[]}
 */
export function drawScale(x, y, width, [low, high], { steps, hatched = false } = {}) {
  const middleStep = (SCALE.length - 1) / 2;
  const scale = steps === undefined ? SCALE : SCALE.slice(middleStep - steps, middleStep + steps + 1);
  const stepWidth = width / scale.length;
  const tick = (/** @type {string} */ text, /** @type {number} */ at, /** @type {Words['anchor']} */ anchor) =>
    /** @type {Words} */ ({ text, x: at, y: y + 20, size: 12, fill: 'muted', anchor });
  const middle = x + width / 2;
  const gaps = Array.from({ length: hatched ? Math.floor(width / 2 / 8) : 0 }, (_, i) => box(x + 8 * i + 4, y, 2, 6));
  return [
    ...scale.map((step, i) => ({ d: box(x + i * stepWidth, y, stepWidth + 0.2, 6), fill: step })),
    ...(gaps.length > 0 ? [{ d: gaps.join(''), fill: 'ground' }] : []),
    // On a short scale the numbers start at the middle and grow outwards.
    ...(width < 130
      ? [tick(low, middle - 4, 'end'), tick(high, middle + 4, undefined)]
      : [tick(low, x, undefined), tick('0', middle, 'middle'), tick(high, x + width, 'end')]),
  ];
}

/**
 * Writes a drawing as the contents of an SVG file.
 *
 * @param {Drawing} drawing
 * @param {object} look
 * @param {import('./palette.js').Palette} look.palette
 * @param {'light' | 'dark'} look.theme
 * @param {string} [look.leading]  markup to place before the drawing; default none
 * @param {boolean} [look.interactive]  whether the groups can take the focus, for use inside an element; default false
 * @returns {string}
 */
export function svgOf({ width, height, title, items }, { palette, theme, leading = '', interactive = false }) {
  /** The attributes that color an item, by role. @type {Map<string, string>} */
  const fills = new Map();
  const fillOf = (/** @type {string} */ role) => {
    const fill = fills.get(role) ?? `class="linex-${role}" fill="${paintOf(role, palette, theme)}"`;
    fills.set(role, fill);
    return fill;
  };
  /** @param {Outline | Words | Group} item @returns {string} */
  const write = (item) => {
    if ('items' in item) {
      const inner = item.items.map(write).join('');
      if (!interactive) return inner;
      const hit = `<path class="linex-hit" d="${box(...item.box, 4)}"/>`;
      const label = item.label === undefined ? '' : ` aria-label="${escape(item.label)}"`;
      return `<g data-feature="${escape(item.feature)}" role="button" tabindex="-1"${label}>${hit}${inner}</g>`;
    }
    const fill = fillOf(item.fill);
    if ('d' in item) return `<path ${fill} d="${item.d}"/>`;
    // Elements have a tooltip of their own.
    return writeWords(interactive ? { ...item, title: undefined } : item, fill);
  };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="${interactive ? 'group' : 'img'}" aria-label="${escape(title)}" ` +
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" direction="ltr">${leading}\n` +
    `${items.map(write).join('\n')}\n</svg>`
  );
}

/**
 * @param {Words} words
 * @param {string} fill  the attributes that color it
 */
function writeWords({ text, x, y, size, bold, anchor, rtl, title, length }, fill) {
  const attributes = [
    `${fill} x="${twoDecimals(x)}" y="${twoDecimals(y)}" font-size="${size}"`,
    bold && 'font-weight="600"',
    anchor && `text-anchor="${anchor}"`,
    rtl && 'direction="rtl"',
    length && `textLength="${twoDecimals(length)}" lengthAdjust="spacingAndGlyphs"`,
  ];
  const whole = title ? `<title>${escape(title)}</title>` : '';
  return `<text ${attributes.filter(Boolean).join(' ')}>${escape(text)}${whole}</text>`;
}
