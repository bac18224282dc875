// Splits a short text into words, sentences or graphemes with Intl.Segmenter.
import { show } from '../core/errors.js';

/** @typedef {import('./tokens.js').Span} Span */
/** @typedef {'word' | 'sentence' | 'grapheme'} Granularity */

/** A text of more code units is long: V8 needs time proportional to the text for each segment. */
export const LONG = 4096;

/**
 * A segment is a word if it has a letter, a digit or an emoji. Not `isWordLike`: it is false for numbers in WebKit, and for
 * words before a full stop in Chinese and Japanese in Firefox.
 */
const WORD = /[\p{Alphabetic}\p{N}]|\p{RI}\p{RI}|\p{Emoji_Presentation}|\p{Emoji}\uFE0F|[#*]\uFE0F?\u20E3/u;

/** Whether a part of a text is a word. @param {string} text @param {Span} span */
export const isWord = (text, { start, end }) => WORD.test(text.slice(start, end));

/**
 * Returns a function that splits a part of a text into segments.
 *
 * @param {string} text
 * @param {Granularity} granularity
 * @param {string} [locale]
 * @returns {(from: number, to: number) => Span[]}
 * @throws {TypeError | RangeError}
 */
export function splitterOf(text, granularity, locale) {
  const segmenter = segmenterFor(locale, granularity);
  return (from, to) =>
    Array.from(segmenter.segment(text.slice(from, to)), ({ index, segment }) => ({
      start: from + index,
      end: from + index + segment.length,
    }));
}

/**
 * @param {any} locale
 * @param {Granularity} granularity
 */
function segmenterFor(locale, granularity) {
  if (typeof Intl.Segmenter !== 'function')
    throw new TypeError("this engine has no Intl.Segmenter; set tokens to 'simple', or pass spans");
  try {
    return new Intl.Segmenter(locale, { granularity });
  } catch (cause) {
    throw new RangeError(`locale must be a language such as 'en' or 'pt-BR', not ${show(locale)}`, { cause });
  }
}
