// Splits a text into words, sentences or lines, and writes it again without some of them.
import { checkChoice, checkFlag, checkSignal } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { breathe } from '../core/event-loop.js';
import { segmentsOf } from './text-segments.js';

/**
 * A part of a text: UTF-16 offsets, as `slice` takes them.
 *
 * @typedef {{ start: number, end: number }} Span
 */

/**
 * @typedef {Span | readonly [number, number] | string} GivenSpan  offsets, or words in the order of the text
 */

/**
 * @typedef {object} TokenOptions
 * @property {'intl' | 'simple' | readonly GivenSpan[] | ((text: string) => readonly GivenSpan[])} [tokens]
 *   `'intl'` (the default) uses `Intl.Segmenter`, the engine's dictionary; `'simple'` uses rules that are the same in
 *   every engine; or pass spans, or a function that returns them
 * @property {string} [locale]  for `'intl'`; default: the page's
 * @property {'word' | 'position' | 'sentence' | 'line'} [unit]  what a feature is: a distinct word with all its
 *   occurrences (the default), each occurrence of a word, a sentence, or a line
 * @property {boolean} [caseSensitive]  whether `The` and `the` are different words; default true
 * @property {readonly string[]} [groups]  phrases such as `New York`, whose words are removed together and explained as one
 */

export const TOKEN_OPTIONS = Object.freeze(['tokens', 'locale', 'unit', 'caseSensitive', 'groups']);

const UNITS = ['word', 'position', 'sentence', 'line'];

/**
 * A segment is a word if it has a letter, a digit or an emoji. Not `isWordLike`: it is false for numbers in WebKit, and for
 * words before a full stop in Chinese and Japanese in Firefox.
 */
const WORD = /[\p{Alphabetic}\p{N}]|\p{RI}\p{RI}|\p{Emoji_Presentation}|\p{Emoji}\uFE0F|[#*]\uFE0F?\u20E3/u;

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
 * A text split into tokens, with the feature of each token.
 *
 * @typedef {object} TokenizedText
 * @property {string} text
 * @property {{ start: number, end: number, feature: number }[]} tokens  in ascending order, not empty, not overlapping
 * @property {{ name: string, occurrences: Span[] }[]} features
 */

/**
 * Splits a text into tokens, and gives way to the event loop if it is long.
 *
 * @param {unknown} text
 * @param {TokenOptions} options
 * @param {AbortSignal} [signal]
 * @returns {Promise<TokenizedText>}
 * @throws {TypeError | RangeError}
 */
export async function tokenizeInTurns(text, options, signal) {
  const { tokens = 'intl', unit = 'word' } = options;
  checkSignal(signal);
  /** @type {Span[]} */
  const spans = [];
  for (const piece of findPieces(checkText(text), tokens, checkUnit(unit), options.locale)) {
    for (const span of piece) spans.push(span);
    await breathe();
    signal?.throwIfAborted();
  }
  // Few texts have phrases, so few pages load the code for them.
  const join = options.groups === undefined ? undefined : (await import('./phrases.js')).joinPhrases;
  return placeTokens(text, options, spans, join);
}

/** @param {unknown} unit */
export const checkUnit = (unit) => UNITS[checkChoice(unit, 'unit', UNITS)];

/**
 * Finds the feature of each token.
 *
 * @param {any} whole  the text, which is checked
 * @param {TokenOptions} options
 * @param {Span[]} found
 * @param {typeof import('./phrases.js').joinPhrases} [join]  not needed without `groups`
 * @returns {TokenizedText}
 * @throws {TypeError | RangeError}
 */
export function placeTokens(whole, { unit: kind = 'word', caseSensitive = true, groups }, found, join) {
  checkFlag(caseSensitive, 'caseSensitive');
  if (groups !== undefined && kind !== 'word' && kind !== 'position')
    throw new RangeError(`groups are for words, not for unit ${show(kind)}`);
  const spans = join && groups !== undefined ? join(whole, found, groups, caseSensitive) : found;
  if (spans.length === 0)
    throw new RangeError(`the text has no ${kind === 'position' ? 'word' : kind}s: ${show(whole)}`);
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
 * Numbers features with the same name: `ha (1)`, `ha (2)`.
 *
 * @param {TokenizedText['features']} features
 */
function numberAlike(features) {
  /** @type {Map<string, TokenizedText['features']>} */
  const groups = new Map();
  for (const feature of features) {
    const group = groups.get(feature.name);
    if (group) group.push(feature);
    else groups.set(feature.name, [feature]);
  }
  for (const alike of groups.values())
    if (alike.length > 1) alike.forEach((feature, i) => (feature.name += ` (${i + 1})`));
}

/** @param {unknown} text */
export function checkText(text) {
  if (typeof text !== 'string') throw new TypeError(`the text must be a string, not ${show(text)}`);
  if (text === '') throw new RangeError('the text must not be empty');
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone) throw new RangeError(`the text must be well-formed, without the lone surrogate at offset ${lone.index}`);
  return text;
}

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
  return [...findPieces(text, tokens, unit, locale)].flat();
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
function* findPieces(text, tokens, unit, locale) {
  if (typeof tokens === 'function' || Array.isArray(tokens)) return yield ownSpans(text, tokens);
  const simple = checkChoice(tokens, 'tokens', ['intl', 'simple']) === 1;
  if (unit === 'line') return yield trimmed(text, matches(text, /[^\r\n\u2028\u2029]+/g));
  const sentences = unit === 'sentence';
  if (simple) return yield sentences ? trimmed(text, simpleSentences(text)) : matches(text, SIMPLE);
  for (const found of segmentsOf(text, sentences ? 'sentence' : 'word', locale))
    yield sentences ? trimmed(text, found) : found.filter(({ start, end }) => WORD.test(text.slice(start, end)));
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

/** Punctuation with no space before it. */
const CLOSING = /^[.,;:!?…)\]}»”’%。，、；：！？）」』]/u;

/** The gap that a run of fewer tokens leaves is remembered. Longer runs are rarely removed together. */
const LONG_RUN = 64;
/** The most gaps that are remembered: in a long text, only those of shorter runs. */
const MAX_REMEMBERED = 2 ** 20;

/**
 * Writes a text without some of its words, or with other words in their place.
 */
export class TextComposer {
  #text;
  #tokens;
  /** The feature of each token. */
  #features;
  /** The text before, between and after the tokens. @type {Gap[]} */
  #gaps;
  #longRun;
  /** The gap that a removed run of tokens leaves, by its first token and its length. @type {string[]} */
  #joined;
  #mask;

  /**
   * @param {Pick<TokenizedText, 'text' | 'tokens'>} tokenized
   * @param {string} [mask]  replaces a removed word; without it, the word is deleted with its space
   */
  constructor({ text, tokens }, mask) {
    this.#text = text;
    this.#tokens = tokens;
    this.#mask = mask;
    this.#features = Uint32Array.from(tokens, ({ feature }) => feature);
    this.#gaps = [...tokens, { start: text.length }].map(({ start }, i) =>
      readGap(text.slice(tokens[i - 1]?.end, start)),
    );
    this.#longRun = Math.min(LONG_RUN, Math.ceil(MAX_REMEMBERED / tokens.length));
    this.#joined = new Array(tokens.length * this.#longRun);
  }

  /**
   * Writes one text per mask.
   *
   * @param {Uint8Array} masks  one byte per feature, one mask after the other
   * @param {number} count  how many masks
   * @returns {string[]}  a full mask gives the text unchanged
   */
  composeAll(masks, count) {
    const mask = this.#mask;
    const texts = [];
    for (let at = 0; at < masks.length; at += masks.length / count)
      texts.push(mask === undefined ? this.#delete(masks, at) : this.replace(masks.subarray(at), () => mask));
    return texts;
  }

  /**
   * Replaces the words that a mask removes.
   *
   * @param {Uint8Array} mask  one byte per feature
   * @param {(word: string, feature: number) => string} write  returns the replacement of a word, which is given as the
   *   text has it
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
   * Deletes the words that a mask removes. Runs of kept words are copied at once, with the gaps between them.
   *
   * @param {Uint8Array} masks
   * @param {number} at  the offset of the mask
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
   * Returns the gap that a removed run of tokens leaves.
   *
   * @param {number} first
   * @param {number} end  the token after the run
   */
  #join(first, end) {
    const length = end - first;
    const place = first * this.#longRun + length;
    let gap = length < this.#longRun ? this.#joined[place] : undefined;
    if (gap !== undefined) return gap;
    let left = this.#gaps[first];
    for (let i = first + 1; i <= end; i++) left = joinGaps(left, this.#gaps[i], first === 0, i === this.#tokens.length);
    gap = left.before + left.signs + left.after;
    if (length < this.#longRun) this.#joined[place] = gap;
    return gap;
  }
}

/**
 * The text between two tokens: white space, signs, white space. If there are no signs, all of it is in `before`.
 *
 * @typedef {{ before: string, signs: string, after: string }} Gap
 */

/**
 * @param {string} text
 * @returns {Gap}
 */
function readGap(text) {
  const [end, signs] = [text.trimStart(), text.trim()];
  return {
    before: text.slice(0, text.length - end.length),
    signs,
    after: end.slice(signs.length),
  };
}

/**
 * Joins the gaps around a removed word: not two spaces, no space before a full stop, no space at either end of the text.
 * If one gap is a space and the other a line break, the line break stays. It takes no longer if the left gap is long: it
 * appends to its signs and does not read them.
 *
 * @param {Gap} left
 * @param {Gap} right
 * @param {boolean} first  whether no token comes before
 * @param {boolean} last  whether no token comes after
 * @returns {Gap}
 */
function joinGaps(left, right, first, last) {
  if (first && left.signs === '') return { ...right, before: '' };
  const space = left.signs === '' ? left.before : left.after;
  let kept = space;
  if (last && right.signs === '') kept = '';
  else if (space === '') kept = right.before;
  else if (right.before === '') kept = CLOSING.test(right.signs) ? '' : space;
  else if (right.before.includes('\n') && !space.includes('\n')) kept = right.before;
  if (left.signs === '') return { ...right, before: kept };
  if (right.signs === '') return { ...left, after: kept };
  return { before: left.before, signs: left.signs + kept + right.signs, after: right.after };
}
