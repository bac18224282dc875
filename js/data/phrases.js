// Joins the words of a phrase, so that they are removed together and explained as one.
import { checkList } from '../core/check-lists.js';
import { show } from '../core/errors.js';

/** @typedef {import('./tokens.js').Span} Span */

/**
 * Joins words that form one of the phrases. At each word the longest phrase is taken, from left to right.
 *
 * @param {string} text
 * @param {readonly Span[]} spans  the words, in ascending order
 * @param {unknown} groups  the phrases
 * @param {boolean} caseSensitive
 * @returns {Span[]}
 * @throws {TypeError | RangeError}
 */
export function joinPhrases(text, spans, groups, caseSensitive) {
  const count = checkList(groups, 'groups', 'an array of phrases');
  const phrases = Array.from({ length: count }, (_, i) => {
    const phrase = /** @type {any} */ (groups)[i];
    if (typeof phrase !== 'string') throw new TypeError(`groups[${i}] must be a string, not ${show(phrase)}`);
    if (phrase.trim() === '') throw new RangeError(`groups[${i}] must be a phrase of the text, not ${show(phrase)}`);
    return fold(phrase.trim(), caseSensitive);
  }).sort((a, b) => b.length - a.length);
  const folded = fold(text, caseSensitive);
  // Some letters change their length with their case. Then offsets would not fit.
  const searched = folded.length === text.length ? folded : text;
  const ends = new Set(spans.map(({ end }) => end));
  /** @type {Span[]} */
  const joined = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.start < last.end) continue;
    const phrase = phrases.find((one) => searched.startsWith(one, span.start) && ends.has(span.start + one.length));
    joined.push(phrase ? { start: span.start, end: span.start + phrase.length } : span);
  }
  return joined;
}

/** @param {string} text @param {boolean} caseSensitive */
const fold = (text, caseSensitive) => (caseSensitive ? text : text.toLowerCase());
