/**
 * How much room text takes where nobody can be asked: in a terminal, and in a picture made without a browser.
 *
 * @typedef {(text: string, size: number, bold?: boolean) => number} Measure  the width of text set in a size, in pixels
 */

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}\u{1f3fb}-\u{1f3ff}]+$/u;

/**
 * @param {string} text
 * @returns {string[]}  what a reader would call its characters
 */
export function graphemes(text) {
  return Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment) : Array.from(text);
}

/**
 * @param {string} grapheme
 * @returns {boolean}  whether it fills a square, as Chinese characters and emoji do
 */
export function isWide(grapheme) {
  return WIDE.test(grapheme);
}

/**
 * @param {string} text
 * @returns {number}  how many columns of a terminal it takes
 */
export function cellsOf(text) {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  return graphemes(text).reduce((sum, one) => sum + (isWide(one) ? 2 : INVISIBLE.test(one) ? 0 : 1), 0);
}

// Thousandths of the size, as Helvetica and Arial have them, which other sans-serif faces keep near to.
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

/** A guess at the width of text in a sans-serif face: within some percent for most. @type {Measure} */
export function guessWidth(text, size, bold = false) {
  let sum = 0;
  for (const one of graphemes(text)) {
    if (isWide(one)) sum += /\p{Emoji_Presentation}|\ufe0f/u.test(one) ? 1250 : 1000;
    else if (!INVISIBLE.test(one)) sum += ADVANCES.find(([which]) => which.test(one[0]))?.[1] ?? 556;
  }
  return (sum * size * (bold ? 1.06 : 1)) / 1000;
}

/**
 * @param {string} text
 * @param {number} room
 * @param {(text: string) => number} widthOf
 * @returns {string}  as much of the text as there is room for, with an ellipsis where it was cut
 */
export function cutToFit(text, room, widthOf) {
  if (widthOf(text) <= room) return text;
  let rest = room - widthOf('…');
  let kept = '';
  for (const one of graphemes(text)) {
    rest -= widthOf(one);
    if (rest < 0) break;
    kept += one;
  }
  return `${kept}…`;
}
