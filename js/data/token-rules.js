// Splits a text of any length by the engine, by rules, or as the caller says, and joins phrases. Short texts do not need it.
import { checkList } from '../core/check-lists.js';
import { checkChoice } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { isWord, LONG, splitterOf } from './text-segments.js';

/**
 * @typedef {import('./tokens.js').Span} Span
 * @typedef {import('./tokens.js').GivenSpan} GivenSpan
 * @typedef {import('./text-segments.js').Granularity} Granularity
 */

/**
 * The words of `'simple'`: an emoji with everything joined to it; one Han or Kana character; a Thai, Lao, Khmer or Burmese
 * consonant with the vowels and marks around it; otherwise a run of letters, digits and marks, with the apostrophes and
 * hyphens inside it.
 */
const SIMPLE = new RegExp(
  [
    /\p{RI}\p{RI}|[\d#*]\uFE0F?\u20E3/u,
    /\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{EMod})*(?:\u200D(?:\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{EMod})*)?)*[\u{E0020}-\u{E007F}]*/u,
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー][\p{M}\uFF9E\uFF9F]*/u,
    /[\u0E40-\u0E44\u0EC0-\u0EC4]?[\u0E01-\u0E2E\u0E81-\u0EAE][\p{M}\u0E2F-\u0E33\u0E45\u0E46\u0EAF-\u0EB3\u0EBD]*/u,
    /[\p{sc=Khmr}\p{sc=Mymr}]\p{M}*/u,
    /[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_\u200C\u200D]|['’‑·-](?=[\p{L}\p{N}])|(?<=\d)[.,](?=\d))*/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/**
 * Finds the tokens of a text.
 *
 * @param {string} text
 * @param {any} tokens
 * @param {string} unit
 * @param {string | undefined} locale
 * @returns {Span[]}
 * @throws {TypeError | RangeError}
 */
export function findSpans(text, tokens, unit, locale) {
  return [...piecesOf(text, tokens, unit, locale)].flat();
}

/**
 * Finds the tokens of a text, piece by piece.
 *
 * @param {string} text
 * @param {any} tokens
 * @param {string} unit
 * @param {string | undefined} locale
 * @returns {Generator<Span[], void, void>}
 * @throws {TypeError | RangeError}
 */
export function* piecesOf(text, tokens, unit, locale) {
  if (typeof tokens === 'function' || Array.isArray(tokens)) return yield ownSpans(text, tokens);
  const simple = checkChoice(tokens, 'tokens', ['intl', 'simple']) === 1;
  if (unit === 'line') return yield trimmed(text, matches(text, /[^\r\n\u2028\u2029]+/g));
  const sentences = unit === 'sentence';
  if (simple) return yield sentences ? trimmed(text, simpleSentences(text)) : matches(text, SIMPLE);
  for (const found of segmentsOf(text, sentences ? 'sentence' : 'word', locale))
    yield sentences ? trimmed(text, found) : found.filter((span) => isWord(text, span));
}

/**
 * Sentences end at a line break, at a Chinese or Japanese full stop, and at a full stop before a space, so not in 3.14.
 *
 * @param {string} text
 * @returns {Span[]}
 */
function simpleSentences(text) {
  const sentences = [];
  let start = 0;
  for (const { start: from, end } of matches(text, /[.!?…]+["'”’)\]]*|[。！？｡]+[”’」』）]*|\n/g)) {
    if (/[.!?…]/.test(text[from]) && !/^(\s|$)/.test(text.slice(end, end + 1))) continue;
    sentences.push({ start, end });
    start = end;
  }
  sentences.push({ start, end: text.length });
  return sentences;
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 * @returns {Span[]}
 */
function matches(text, pattern) {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  })).filter(({ start, end }) => end > start);
}

/**
 * Removes the space around spans, and drops blank spans.
 *
 * @param {string} text
 * @param {Span[]} spans
 */
function trimmed(text, spans) {
  return spans
    .map(({ start, end }) => {
      const part = text.slice(start, end);
      return { start: start + part.length - part.trimStart().length, end: end - part.length + part.trimEnd().length };
    })
    .filter(({ start, end }) => end > start && /[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(text.slice(start, end)));
}

/**
 * @param {string} text
 * @param {readonly GivenSpan[] | ((text: string) => readonly GivenSpan[])} tokens
 * @returns {Span[]}
 */
function ownSpans(text, tokens) {
  const given = typeof tokens === 'function' ? tokens(text) : tokens;
  if (!Array.isArray(given))
    throw new TypeError(`tokens must be an array of spans, or a function that returns one, not ${show(given)}`);
  const boundaries = new Set([0, text.length]);
  if (typeof Intl.Segmenter === 'function')
    for (const graphemes of segmentsOf(text, 'grapheme')) for (const { start } of graphemes) boundaries.add(start);
  else for (let i = 0; i < text.length; i++) boundaries.add(i);
  let from = 0;
  // Not `given.map`, which would skip the holes of a sparse array.
  return Array.from(given, (token, i) => {
    const { start, end } = readSpan(text, token, i, from);
    for (const offset of [start, end])
      if (!boundaries.has(offset)) throw new RangeError(`token ${i} splits a character at offset ${offset}`);
    from = end;
    return { start, end };
  });
}

/**
 * @param {string} text
 * @param {any} token
 * @param {number} i
 * @param {number} from  the end of the token before
 * @returns {Span}
 */
function readSpan(text, token, i, from) {
  if (typeof token === 'string') {
    const start = token === '' ? -1 : text.indexOf(token, from);
    if (start < 0) throw new RangeError(`token ${i}, ${show(token)}, is not in the text after offset ${from}`);
    return { start, end: start + token.length };
  }
  const [start, end] = Array.isArray(token) ? token : [token?.start, token?.end];
  const inside = Number.isInteger(start) && Number.isInteger(end) && start >= from && end > start && end <= text.length;
  if (!inside)
    throw new RangeError(
      `token ${i} must be a span within offsets ${from} to ${text.length}, not ${show(start)} to ${show(end)}`,
    );
  return { start, end };
}

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
