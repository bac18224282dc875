// Splits a text of any length with Intl.Segmenter, in time proportional to its length.
import { LONG, splitterOf } from './text-segments.js';

/**
 * @typedef {import('./text-segments.js').Granularity} Granularity
 * @typedef {import('./tokens.js').Span} Span
 */

/**
 * V8 needs time proportional to the text for each segment. So a text longer than `whole` is segmented in pieces of about
 * `piece` code units. If a text has no safe place to cut within `reach`, the piece ends anywhere, and the segments that end
 * in its last `margin` code units are found again in the next piece.
 */
const SIZES = { whole: LONG, piece: 1024, reach: 4096, margin: 256 };

/**
 * Where a text can be cut, because the rules of Unicode (UAX #29) put a boundary there and look at nothing beyond it. A
 * match ends at the boundary. The letter after it is no mark, which would belong to the character before. Words: a comma
 * joins only digits, and other scripts than ours have no rule for these signs. Sentences: only a small letter would continue
 * a sentence after a full stop and a space.
 *
 * @type {Record<Granularity, RegExp>}
 */
const SAFE_CUTS = {
  word: /[ \t\n](?=[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}])|[,;!?。、，！？；](?=[\p{Lu}\p{Ll}\p{Lt}\p{Lo}])/u,
  sentence: /\n(?=[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}])|[.!?] +(?=[\p{Lu}\p{Lt}\p{Lo}])|[。！？](?=\p{Lo})/u,
  grapheme: /[ -~](?=[ -~])|\p{Ideographic}(?=\p{Ideographic})/u,
};

/**
 * Yields the segments of a text in order, piece by piece, so that the caller may give way in between.
 *
 * @param {string} text
 * @param {Granularity} granularity
 * @param {string} [locale]
 * @param {typeof SIZES} [sizes]
 * @returns {Generator<Span[], void, void>}
 * @throws {TypeError | RangeError}
 */
export function* segmentsOf(text, granularity, locale, { whole, piece, reach, margin } = SIZES) {
  const split = splitterOf(text, granularity, locale);
  if (text.length <= whole) return yield split(0, text.length);
  for (let start = 0, window = reach; start < text.length;) {
    const cut = SAFE_CUTS[granularity].exec(text.slice(start + piece, start + window));
    const end = cut ? start + piece + cut.index + cut[0].length : start + window;
    const found = split(start, end);
    const certain = cut || end >= text.length ? found : found.filter((span) => span.end <= end - margin);
    // One segment fills the window.
    if (certain.length === 0) window *= 2;
    else {
      yield certain;
      start = certain[certain.length - 1].end;
      window = reach;
    }
  }
}
