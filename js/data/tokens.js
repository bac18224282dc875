// Splits a text into words, sentences or lines, and writes it again without some of them.
import { checkChoice, checkFlag, checkSignal } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { breathe } from '../core/event-loop.js';
import { isWord, LONG, splitterOf } from './text-segments.js';

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
  const whole = checkText(text);
  const words = ['word', 'position'].includes(checkUnit(unit));
  // Most texts are short and take the engine's words, so few pages load the code for others.
  const pieces =
    tokens === 'intl' && words && whole.length <= LONG
      ? [splitterOf(whole, 'word', options.locale)(0, whole.length).filter((span) => isWord(whole, span))]
      : (await import('./token-rules.js')).piecesOf(whole, tokens, unit, options.locale);
  for (const piece of pieces) {
    for (const span of piece) spans.push(span);
    await breathe();
    signal?.throwIfAborted();
  }
  // Few texts have phrases, so few pages load the code for them.
  const join = options.groups === undefined ? undefined : (await import('./token-rules.js')).joinPhrases;
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
 * @param {typeof import('./token-rules.js').joinPhrases} [join]  not needed without `groups`
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
