// Estimates the width of text without a browser: in terminal columns, and in pixels.

/**
 * @typedef {(text: string, size: number, bold?: boolean) => number} Measure  the width of text in pixels; `size` is the
 *   font size in pixels
 */

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}\u{1f3fb}-\u{1f3ff}]+$/u;

/**
 * Splits text into graphemes: what a reader would call characters.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function graphemes(text) {
  return Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment) : Array.from(text);
}

/** Whether a grapheme fills a square, as Chinese characters and emoji do. @param {string} grapheme */
const isWide = (grapheme) => WIDE.test(grapheme);

/**
 * Counts the terminal columns that text takes.
 *
 * @param {string} text
 * @returns {number}
 */
export function cellsOf(text) {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + (isWide(grapheme) ? 2 : INVISIBLE.test(grapheme) ? 0 : 1), 0);
}

// Advance widths of Helvetica and Arial, in thousandths of the font size. Other sans-serif fonts are similar.
/** @type {[RegExp, number][]} */
const ADVANCES = [
  [/[ijl'|]/, 222],
  [/[ .,:;!ftI/\\[\]·\u0621\u0627\u0648]/, 280],
  [/[r()\-"`{}*]/, 345],
  [/[ckszvxyJ]/, 500],
  [/[mMW@%—…]/, 860],
  [/[wGOQCDNHURw&m]/, 730],
  [/\p{Lu}|[<>=+~−]/u, 640],
  [/[\u0590-\u08ff]/, 520],
];

/** Estimates the width of text in a sans-serif font, within a few percent for most texts. @type {Measure} */
export function guessWidth(text, size, bold = false) {
  let sum = 0;
  for (const grapheme of graphemes(text)) {
    if (isWide(grapheme)) sum += /\p{Emoji_Presentation}|\ufe0f/u.test(grapheme) ? 1250 : 1000;
    else if (!INVISIBLE.test(grapheme)) sum += ADVANCES.find(([pattern]) => pattern.test(grapheme[0]))?.[1] ?? 556;
  }
  return (sum * size * (bold ? 1.06 : 1)) / 1000;
}

/**
 * Cuts text to a width. Text that was cut ends with an ellipsis.
 *
 * @param {string} text
 * @param {number} maxWidth  in the unit of `widthOf`
 * @param {(text: string) => number} widthOf
 * @returns {string}
 */
export function cutToFit(text, maxWidth, widthOf) {
  if (widthOf(text) <= maxWidth) return text;
  let rest = maxWidth - widthOf('…');
  let kept = '';
  for (const grapheme of graphemes(text)) {
    rest -= widthOf(grapheme);
    if (rest < 0) break;
    kept += grapheme;
  }
  return `${kept}…`;
}
