import { show } from '../core/errors.js';
import { checkChoice, checkFlag } from '../core/check-options.js';

/**
 * Where something is in a text: UTF-16 offsets, as `slice` takes them.
 *
 * @typedef {{ start: number, end: number }} Span
 */

/**
 * @typedef {Span | readonly [number, number] | string} GivenSpan  offsets, or the words themselves in the order of the text
 */

/**
 * @typedef {object} TokenOptions
 * @property {'intl' | 'simple' | readonly GivenSpan[] | ((text: string) => readonly GivenSpan[])} [tokens]
 *   `'intl'`, the default: by `Intl.Segmenter`, the engine's dictionary; `'simple'`: by plain rules, the same on every
 *   engine; or your own
 * @property {string} [locale]  of `'intl'`; default the page's
 * @property {'word' | 'position' | 'sentence' | 'line'} [unit]  what a feature is: a distinct word with all its
 *   occurrences (the default), every word by itself, a sentence, a line
 * @property {boolean} [caseSensitive]  whether `The` and `the` are two words; default true
 */

export const TOKEN_OPTIONS = Object.freeze(['tokens', 'locale', 'unit', 'caseSensitive']);

const UNITS = ['word', 'position', 'sentence', 'line'];

/**
 * What makes a segment a word: a letter, a digit or an emoji in it. Not `isWordLike`, which WebKit denies to numbers and
 * Firefox to whatever stands before a full stop in Chinese and Japanese.
 */
const WORD = /[\p{Alphabetic}\p{N}]|\p{RI}\p{RI}|\p{Emoji_Presentation}|\p{Emoji}\uFE0F|[#*]\uFE0F?\u20E3/u;

/**
 * Words by rule: emoji with all that is joined to them; one Han or Kana character; a Thai, Lao, Khmer or Burmese
 * consonant with the vowels and marks around it; elsewhere a run of letters, digits and marks, apostrophes and
 * hyphens inside included.
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
 * A text taken apart: what may go, and which feature goes with it.
 *
 * @typedef {object} TokenizedText
 * @property {string} text
 * @property {{ start: number, end: number, feature: number }[]} tokens  ascending, none of them empty or overlapping
 * @property {{ name: string, occurrences: Span[] }[]} features
 */

/**
 * @param {unknown} text
 * @param {TokenOptions} options
 * @returns {TokenizedText}
 * @throws {TypeError | RangeError}
 */
export function tokenize(text, { tokens = 'intl', locale, unit = 'word', caseSensitive = true } = {}) {
  const whole = checkText(text);
  const kind = UNITS[checkChoice(unit, 'unit', UNITS)];
  checkFlag(caseSensitive, 'caseSensitive');
  const spans = findSpans(whole, tokens, kind, locale);
  if (spans.length === 0) throw new RangeError(`the text has no ${wanted(kind)} to take away: ${show(whole)}`);
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {TokenizedText['features']} */
  const features = [];
  const placed = spans.map(({ start, end }, i) => {
    const word = whole.slice(start, end);
    const key = kind === 'word' ? (caseSensitive ? word : word.toLowerCase()) : String(i);
    const feature = known.get(key) ?? features.push({ name: word, occurrences: [] }) - 1;
    known.set(key, feature);
    features[feature].occurrences.push({ start, end });
    return { start, end, feature };
  });
  if (kind !== 'word') numberAlike(features);
  return { text: whole, tokens: placed, features };
}

/**
 * What tells the words of a text apart: to see which of them another text still has.
 *
 * @param {string} text
 * @param {TokenOptions} options  as the text was taken apart
 * @returns {string[]}  none for a text without words
 * @throws {RangeError}
 */
export function wordsIn(text, { tokens = 'intl', locale, unit = 'word', caseSensitive = true }) {
  if (unit !== 'word' || Array.isArray(tokens))
    throw new RangeError("a neighborhood of texts must give masks, or have unit 'word' and tokens that fit any text");
  const spans = text === '' ? [] : findSpans(text, tokens, unit, locale);
  const words = spans.map(({ start, end }) => text.slice(start, end));
  return [...new Set(caseSensitive ? words : words.map((word) => word.toLowerCase()))];
}

/**
 * Where the same words stand in several places, says which: `ha (1)`, `ha (2)`.
 *
 * @param {TokenizedText['features']} features
 */
function numberAlike(features) {
  /** @type {Map<string, TokenizedText['features']>} */
  const groups = new Map();
  for (const feature of features) groups.set(feature.name, (groups.get(feature.name) ?? []).concat(feature));
  for (const alike of groups.values())
    if (alike.length > 1) alike.forEach((feature, i) => (feature.name += ` (${i + 1})`));
}

/** @param {string} unit */
function wanted(unit) {
  return unit === 'sentence' || unit === 'line' ? `${unit}s` : 'words';
}

/** @param {unknown} text */
function checkText(text) {
  if (typeof text !== 'string') throw new TypeError(`the text must be a string, not ${show(text)}`);
  if (text === '') throw new RangeError('the text must have words, not be empty');
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone)
    throw new RangeError(
      `the text must be well-formed, without half a character (a lone surrogate) at offset ${lone.index}`,
    );
  return text;
}

/**
 * @param {string} text
 * @param {any} tokens
 * @param {string} unit
 * @param {string | undefined} locale
 * @returns {Span[]}
 */
function findSpans(text, tokens, unit, locale) {
  if (typeof tokens === 'function' || Array.isArray(tokens)) return ownSpans(text, tokens);
  const simple = checkChoice(tokens, 'tokens', ['intl', 'simple']) === 1;
  if (unit === 'line') return trimmed(text, matches(text, /[^\r\n\u2028\u2029]+/g));
  if (unit === 'sentence') {
    return trimmed(text, simple ? simpleSentences(text) : segments(text, 'sentence', locale));
  }
  if (simple) return matches(text, SIMPLE);
  return segments(text, 'word', locale).filter(({ start, end }) => WORD.test(text.slice(start, end)));
}

/**
 * Sentences end at a line break, at a Chinese or Japanese full stop, and at a full stop before a space: not in 3.14.
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
 * @param {'word' | 'sentence' | 'grapheme'} granularity
 * @param {string} [locale]
 */
function segments(text, granularity, locale) {
  if (typeof Intl.Segmenter !== 'function')
    throw new TypeError("this engine has no Intl.Segmenter; take tokens: 'simple', or your own");
  const segmenter = segmenterFor(locale, granularity);
  return Array.from(segmenter.segment(text), ({ index, segment }) => ({ start: index, end: index + segment.length }));
}

/**
 * @param {any} locale
 * @param {'word' | 'sentence' | 'grapheme'} granularity
 */
function segmenterFor(locale, granularity) {
  try {
    return new Intl.Segmenter(locale, { granularity });
  } catch (cause) {
    throw new RangeError(`locale must be a language such as 'en' or 'pt-BR', not ${show(locale)}`, { cause });
  }
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
 * Without the space around; blank ones are dropped.
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
  if (!Array.isArray(given)) throw new TypeError(`tokens must give an array of spans, not ${show(given)}`);
  const whole = new Set([0, text.length]);
  if (typeof Intl.Segmenter === 'function') for (const { start } of segments(text, 'grapheme')) whole.add(start);
  else for (let i = 0; i < text.length; i++) whole.add(i);
  let from = 0;
  return given.map((one, i) => {
    const { start, end } = readSpan(text, one, i, from);
    for (const offset of [start, end])
      if (!whole.has(offset)) throw new RangeError(`token ${i} cuts a character in two at offset ${offset}`);
    from = end;
    return { start, end };
  });
}

/**
 * @param {string} text
 * @param {any} one
 * @param {number} i
 * @param {number} from  where the last one ended
 * @returns {Span}
 */
function readSpan(text, one, i, from) {
  if (typeof one === 'string') {
    const start = one === '' ? -1 : text.indexOf(one, from);
    if (start < 0) throw new RangeError(`token ${i}, ${show(one)}, is not in the text after offset ${from}`);
    return { start, end: start + one.length };
  }
  const [start, end] = Array.isArray(one) ? one : [one?.start, one?.end];
  const inside = Number.isInteger(start) && Number.isInteger(end) && start >= from && end > start && end <= text.length;
  if (!inside)
    throw new RangeError(
      `token ${i} must be a span between offsets ${from} and ${text.length} of the text, not ${show(start)} to ${show(end)}`,
    );
  return { start, end };
}

/** Punctuation that closes: no space goes before it. */
const CLOSING = /^[.,;:!?…)\]}»”’%。，、；：！？）」』]/u;

/** What is left of fewer neighbors than so many is remembered: more seldom go together. */
const MANY = 64;

/**
 * The text without some of its words, or with others in their place.
 */
export class TextComposer {
  #text;
  #tokens;
  /** Of each token. */
  #features;
  /** What stands before, between and after the words. */
  #gaps;
  /** What is left where neighbors go, by the first of them and how many. @type {string[]} */
  #left;
  #mask;

  /**
   * @param {Pick<TokenizedText, 'text' | 'tokens'>} tokenized
   * @param {string} [mask]  stands for a word that is taken away; without it the space is tidied
   */
  constructor({ text, tokens }, mask) {
    this.#text = text;
    this.#tokens = tokens;
    this.#mask = mask;
    this.#features = Uint32Array.from(tokens, ({ feature }) => feature);
    this.#gaps = [...tokens, { start: text.length }].map(({ start }, i) => text.slice(tokens[i - 1]?.end, start));
    this.#left = new Array(tokens.length * MANY);
  }

  /**
   * @param {Uint8Array} masks  a byte a feature, one mask after the other
   * @param {number} count  of masks
   * @returns {string[]}  the very text for a full mask
   */
  composeAll(masks, count) {
    const mask = this.#mask;
    const texts = [];
    for (let at = 0; at < masks.length; at += masks.length / count)
      texts.push(mask === undefined ? this.#delete(masks, at) : this.replace(masks.subarray(at), () => mask));
    return texts;
  }

  /**
   * @param {Uint8Array} mask  a byte a feature
   * @param {(word: string, feature: number) => string} write  what stands for a word that is taken away, as it is written
   *   there
   */
  replace(mask, write) {
    let text = '';
    let from = 0;
    for (const { start, end, feature } of this.#tokens) {
      if (mask[feature] === 1) continue;
      text += this.#text.slice(from, start) + write(this.#text.slice(start, end), feature);
      from = end;
    }
    return text + this.#text.slice(from);
  }

  /**
   * Copies a run of words at a time, with the gaps between them.
   *
   * @param {Uint8Array} masks
   * @param {number} at  where the mask starts
   */
  #delete(masks, at) {
    const [tokens, features] = [this.#tokens, this.#features];
    let text = '';
    let from = 0;
    for (let i = 0; i < tokens.length; i++) {
      if (masks[at + features[i]] === 1) continue;
      const first = i;
      while (++i < tokens.length && masks[at + features[i]] !== 1);
      if (first > 0) text += this.#text.slice(from, tokens[first - 1].end);
      text += this.#join(first, i);
      from = i < tokens.length ? tokens[i].start : this.#text.length;
    }
    return text + this.#text.slice(from);
  }

  /**
   * What is left where neighbors go.
   *
   * @param {number} first
   * @param {number} end  the one after the last of them
   */
  #join(first, end) {
    const place = first * MANY + end - first;
    const few = end - first < MANY;
    let gap = few ? this.#left[place] : undefined;
    if (gap !== undefined) return gap;
    gap = this.#gaps[first];
    for (let i = first + 1; i <= end; i++) gap = joinGaps(gap, this.#gaps[i], first === 0, i === this.#tokens.length);
    if (few) this.#left[place] = gap;
    return gap;
  }
}

/**
 * What is left between two words when the one between them goes: not two spaces, no space before a full stop, none at
 * either end of the text. Of a space and a line break, the line break stays.
 *
 * @param {string} left
 * @param {string} right
 * @param {boolean} first  nothing stands before
 * @param {boolean} last  nothing stands after
 */
function joinGaps(left, right, first, last) {
  if (first && left.trim() === '') return right.trimStart();
  if (last && right.trim() === '') return left.trimEnd();
  const before = left.slice(left.trimEnd().length);
  const after = right.slice(0, right.length - right.trimStart().length);
  if (before === '') return left + right;
  if (after === '') return CLOSING.test(right) ? left.trimEnd() + right : left + right;
  return after.includes('\n') && !before.includes('\n') ? left.trimEnd() + right : left + right.trimStart();
}
