// Checks what the renderers get, and turns text from an explanation into text that is safe to draw.
import { show } from '../core/errors.js';
import { checkExplanation } from '../explain/check-explanation.js';
import { graphemes } from './text-width.js';

export { checkExplanation };

/**
 * @typedef {import('../explain/explanation.js').Explanation<any>} Explanation
 * @typedef {import('../explain/explanation.js').Feature} Feature
 * @typedef {{ start: number, end: number, feature: number }} Token
 * @typedef {Explanation & { text: string, tokens: readonly Token[] }} ExplainedText  what a rendering of text needs
 * @typedef {Explanation & { width: number, height: number, labels: readonly number[] }} ExplainedImage  what a
 *   rendering of an image needs; `width` and `height` are those of the label map, in pixels
 */

/**
 * Checks that a value is an explanation, and of the right kind if one is given.
 *
 * @param {unknown} value
 * @param {string} caller  the function or element that draws it, for the message
 * @param {'text' | 'image'} [kind]  default: any
 * @throws {TypeError}
 */
export function checkDrawable(value, caller, kind) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${caller} needs an explanation, not ${show(value)}`);
  const explanation = checkExplanation(value);
  if (kind && explanation.kind !== kind)
    throw new TypeError(`${caller} needs an explanation of kind "${kind}", not ${show(explanation.kind)}`);
}

/** The most characters of a name, a class or a warning that are drawn, in UTF-16 units. */
const LONGEST = 500;

/**
 * Returns text as one line, cut to 500 characters. Control characters and direction overrides become spaces: they could
 * move the cursor of a terminal or turn the text that follows. So do lone surrogates.
 *
 * @param {unknown} text
 */
export function plain(text) {
  const whole = String(text);
  // Twice the limit, so that the cut is not inside one of the characters that are kept.
  const line = whole.slice(0, 2 * LONGEST).replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
  if (whole.length <= 2 * LONGEST && line.length <= LONGEST) return line;
  let kept = '';
  for (const grapheme of graphemes(line)) {
    if (kept.length + grapheme.length > LONGEST) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/**
 * Escapes text for HTML and XML, between tags and in quotes.
 *
 * @param {unknown} text
 */
export function escape(text) {
  // XML cannot hold lone surrogates and most control characters, even if they are escaped.
  const legal = String(text).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  return legal.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
