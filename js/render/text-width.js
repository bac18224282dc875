// Estimates the width of text without a browser: in terminal columns, and in pixels.

/**
 * @typedef {(text: string, size: number, bold?: boolean) => number} Measure  the width of text in pixels; `size` is the
 *   font size in pixels
 */

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}\u{1f3fb}-\u{1f3ff}]+$/u;

/** Text in which every character is a grapheme: common letters, Chinese characters, lines and blocks. */
const SIMPLE =
  /^[\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u058f\u05d0-\u05ea\u0620-\u064a\u2010-\u2027\u2190-\u2bff\u3001-\u3029\u3041-\u3096\u30a0-\u9fff\uac00-\ud7a3]*$/;
/** The most UTF-16 units that are segmented at once, because V8's time is quadratic in the length of the text. */
const PIECE = 256;

/** Made on first use. @type {Intl.Segmenter | undefined} */
let segmenter;

/**
 * Splits text into graphemes: what a reader would call characters. A grapheme of more than 256 UTF-16 units is cut.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function graphemes(text) {
  if (SIMPLE.test(text) || !Intl.Segmenter) return Array.from(text);
  segmenter ??= new Intl.Segmenter();
  const found = [];
  for (let at = 0; at < text.length;) {
    const end = at + PIECE;
    // Half of a surrogate pair would end the grapheme before it.
    const part = text.slice(at, /[\ud800-\udbff]/.test(text[end - 1]) ? end - 1 : end);
    const piece = Array.from(segmenter.segment(part), ({ segment }) => segment);
    // The last one may go on in the next piece.
    if (end < text.length && piece.length > 1) piece.pop();
    for (const grapheme of piece) {
      found.push(grapheme);
      at += grapheme.length;
    }
  }
  return found;
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

/** The widths of graphemes that were measured before. @type {Map<string, number>} */
const measured = new Map();

/** Estimates the width of a grapheme, in thousandths of the font size. @param {string} grapheme */
function advanceOf(grapheme) {
  let advance = measured.get(grapheme);
  if (advance === undefined) {
    if (isWide(grapheme)) advance = /\p{Emoji_Presentation}|\ufe0f/u.test(grapheme) ? 1250 : 1000;
    else if (INVISIBLE.test(grapheme)) advance = 0;
    else advance = ADVANCES.find(([pattern]) => pattern.test(grapheme[0]))?.[1] ?? 556;
    if (measured.size < 5000) measured.set(grapheme, advance);
  }
  return advance;
}

/** Estimates the width of text in a sans-serif font, within a few percent for most texts. @type {Measure} */
export function guessWidth(text, size, bold = false) {
  let sum = 0;
  for (const grapheme of graphemes(text)) sum += advanceOf(grapheme);
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
