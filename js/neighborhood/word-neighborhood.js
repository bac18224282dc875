// Makes texts near a text by replacing words with near words.
import { checkChoice, checkCount, checkFlag, checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { TextComposer } from '../data/tokens.js';

/**
 * @typedef {import('./sampler.js').TextCenter} TextCenter
 * @typedef {import('../data/word-vectors.js').NearWord} NearWord
 * @typedef {Pick<import('../data/word-vectors.js').WordVectors, 'has' | 'nearestEach'> &
 *   Partial<Pick<import('../data/word-vectors.js').WordVectors, 'nearestEachAsync'>>} NearWords
 */

/**
 * @typedef {object} WordNeighborhoodOptions
 * @property {number} [radius]  the largest distance between a word and its replacement: 1 − the cosine of the angle between their
 *   vectors; default 1, which excludes only words with a negative cosine
 * @property {number} [neighbors]  how many near words the replacement is drawn from; default 10
 * @property {'some' | 'one'} [replace]  how many words are replaced in a sample: `'some'` (the default), from one to all, as LIME
 *   removes words; or `'one'`, no word or one, equally likely, as in MeLIME
 * @property {boolean} [caseSensitive]  whether words are looked up only as they are written, and replacements keep the case that
 *   the vectors have; default false
 */

/** The first character of a replacement. Vectors also have punctuation, `</s>` and `'s`, which do not replace words. */
const BEGINS = /^(?:[\p{Alphabetic}\p{N}]|\p{Emoji_Presentation})/u;

/** How many more near words are asked for, because some are not used. */
const SPARE = 8;

/**
 * Makes texts in which words are replaced by near words, so that the samples read like real texts. For
 * `explainText(text, predict, { neighborhood: wordNeighborhood(vectors) })`. A feature is whether a word was kept.
 *
 * This is MeLIME's Word2VecGen (Botari et al. 2020) as the LINEX paper describes it: a word is replaced by a word within a
 * radius in the embedding. MeLIME's code has no radius, replaces one word at a time, and takes near words in order; its
 * explanation is the mean change that the replacements of each word make. A linear surrogate also needs samples in which
 * several words are replaced; without them, its intercept and the sum of its weights are not determined. So by default, the
 * number of replaced words is uniform, as in LIME, and each replacement is drawn uniformly from the `neighbors`. With
 * `replace: 'one'`, half of the samples are the text itself. They are asked about once and all count in the fit, which
 * otherwise could not separate the sum of the weights from the intercept. A word without a vector or without a near word is
 * always kept, and its weight is 0.
 *
 * All occurrences of a word are replaced by the same word, each in the case of the occurrence (Film, FILM). The space and
 * punctuation around them stay.
 *
 * @param {NearWords} vectors  from `loadWordVectors`
 * @param {WordNeighborhoodOptions} [options]
 * @returns {{ kind: 'text', prepare(center: TextCenter, options: { signal?: AbortSignal }): Promise<void>,
 *   sample(center: TextCenter, count: number, random: () => number): { samples: string[], masks: Uint8Array[] } }}  `sample` throws a RangeError if no word of the text can be replaced, or
 *   if the features are not words
 * @throws {TypeError | RangeError}
 */
export function wordNeighborhood(vectors, options = {}) {
  if (typeof vectors?.has !== 'function' || typeof vectors?.nearestEach !== 'function')
    throw new TypeError(`wordNeighborhood takes word vectors from loadWordVectors, not ${show(vectors)}`);
  const names = ['radius', 'neighbors', 'replace', 'caseSensitive'];
  const given = checkNames(options, names, 'wordNeighborhood');
  const { radius = 1, neighbors = 10, replace = 'some', caseSensitive = false } = given;
  const dictionary = new NearDictionary(vectors, {
    radius: checkNumber(radius, 'radius', { above: 0, most: 2 }),
    neighbors: checkCount(neighbors, 'neighbors', 1),
    caseSensitive: checkFlag(caseSensitive, 'caseSensitive'),
  });
  const onlyOne = checkChoice(replace, 'replace', ['some', 'one']) === 1;
  return Object.freeze({
    kind: /** @type {const} */ ('text'),
    /** @param {TextCenter} center @param {{ signal?: AbortSignal }} options */
    prepare: (center, { signal }) => dictionary.prepare(featureWords(center), signal),
    /** @param {TextCenter} center @param {number} count @param {() => number} random */
    sample: (center, count, random) => drawTexts(center, count, random, { dictionary, onlyOne }),
  });
}

/**
 * @param {TextCenter} center
 * @param {number} count
 * @param {() => number} random
 * @param {{ dictionary: NearDictionary, onlyOne: boolean }} settings
 */
function drawTexts(center, count, random, { dictionary, onlyOne }) {
  if (center.unit === 'sentence' || center.unit === 'line')
    throw new RangeError(`unit must be 'word' or 'position' for wordNeighborhood, not ${show(center.unit)}`);
  const composer = new TextComposer({ text: center.text, tokens: [...center.tokens] });
  const near = dictionary.lookUp(featureWords(center));
  const replaceable = near.flatMap((words, feature) => (words.length > 0 ? [feature] : []));
  const below = (/** @type {number} */ bound) => Math.floor(random() * bound);
  /** @type {{ samples: string[], masks: Uint8Array[] }} */
  const made = { samples: [], masks: [] };
  for (let i = 0; i < count; i++) {
    const mask = new Uint8Array(near.length).fill(1);
    /** @type {Map<number, string>} */
    const chosen = new Map();
    const size = onlyOne ? below(2) : 1 + below(replaceable.length);
    for (let k = 0; k < size; k++) {
      // The start of a shuffle, which continues from sample to sample.
      const pick = k + below(replaceable.length - k);
      [replaceable[k], replaceable[pick]] = [replaceable[pick], replaceable[k]];
      const feature = replaceable[k];
      mask[feature] = 0;
      chosen.set(feature, near[feature][below(near[feature].length)]);
    }
    made.masks.push(mask);
    made.samples.push(
      composer.replace(mask, (word, feature) => dictionary.write(/** @type {string} */ (chosen.get(feature)), word)),
    );
  }
  return made;
}

/**
 * Returns the word of each feature at its first occurrence. Names of features do not do, because they may be numbered.
 *
 * @param {TextCenter} center
 */
function featureWords({ text, words, tokens }) {
  const written = [...words];
  for (const { start, end, feature } of [...tokens].reverse()) written[feature] = text.slice(start, end);
  return written;
}

/** Finds and remembers the words that may replace a word. */
class NearDictionary {
  #vectors;
  #settings;
  /** The replacements of each word, by the word's spelling in the vectors. @type {Map<string, string[]>} */
  #near = new Map();

  /**
   * @param {NearWords} vectors
   * @param {{ radius: number, neighbors: number, caseSensitive: boolean }} settings
   */
  constructor(vectors, settings) {
    this.#vectors = vectors;
    this.#settings = settings;
  }

  /**
   * @param {string[]} words
   * @returns {string[][]}  the replacements of each word; at least one word has replacements
   * @throws {RangeError}
   */
  lookUp(words) {
    const entries = words.map((word) => this.#entryOf(word));
    const known = [...new Set(entries.filter((entry) => entry !== undefined))];
    if (known.length === 0)
      throw new RangeError(`no word of the text has a vector: ${show(words.slice(0, 20).join(' '))}`);
    const searches = this.#searches(this.#unknown(words));
    for (let step = searches.next(); !step.done;) step = searches.next(this.#vectors.nearestEach(...step.value));
    const near = entries.map((entry) => (entry === undefined ? [] : (this.#near.get(entry) ?? [])));
    if (near.every(({ length }) => length === 0))
      throw new RangeError(
        `no word of the text has a near word within radius ${this.#settings.radius}: ${show(known.slice(0, 20).join(' '))}`,
      );
    return near;
  }

  /**
   * Returns a word in the spelling of the vectors, if they have it.
   *
   * @param {string} word
   */
  #entryOf(word) {
    const lower = word.toLowerCase();
    const spellings = this.#settings.caseSensitive ? [word] : [word, lower, capitalized(lower)];
    return spellings.find((spelling) => this.#vectors.has(spelling));
  }

  /**
   * Finds the replacements of words without blocking the event loop, if the vectors can.
   *
   * @param {string[]} words
   * @param {AbortSignal} [signal]
   */
  async prepare(words, signal) {
    const vectors = this.#vectors;
    const searches = this.#searches(this.#unknown(words));
    for (let step = searches.next(); !step.done;) {
      const [open, count] = step.value;
      const found = vectors.nearestEachAsync
        ? await vectors.nearestEachAsync(open, count, { signal })
        : vectors.nearestEach(open, count);
      step = searches.next(found);
    }
  }

  /** The words that have a vector and are not in the dictionary yet. @param {string[]} words */
  #unknown(words) {
    const entries = new Set(words.map((word) => this.#entryOf(word)));
    return [...entries].filter((entry) => entry !== undefined && !this.#near.has(entry)).map(String);
  }

  /**
   * Finds replacements: asks for more near words until enough of them can be used.
   *
   * @param {string[]} entries
   * @returns {Generator<[string[], number], void, NearWord[][]>}  yields the words to look for and how many near words
   */
  *#searches(entries) {
    const { radius, neighbors } = this.#settings;
    for (let [open, count] = [entries, neighbors + SPARE]; open.length > 0; count *= 2) {
      const found = yield [open, count];
      open = open.filter((entry, i) => {
        const within = found[i].filter(({ similarity }) => 1 - similarity <= radius).map(({ word }) => word);
        const fit = this.#fitting(entry, within).slice(0, neighbors);
        const more = fit.length < neighbors && within.length === count;
        if (!more) this.#near.set(entry, fit);
        return more;
      });
    }
  }

  /**
   * Filters near words: only words, and not the same word in another case.
   *
   * @param {string} entry
   * @param {string[]} words
   */
  #fitting(entry, words) {
    if (this.#settings.caseSensitive) return words.filter((word) => BEGINS.test(word));
    const seen = new Set([entry.toLowerCase()]);
    return words.filter((word) => {
      const lower = word.toLowerCase();
      const fits = BEGINS.test(word) && !seen.has(lower);
      seen.add(lower);
      return fits;
    });
  }

  /**
   * Writes a replacement in the case of the word that it replaces.
   *
   * @param {string} replacement
   * @param {string} word  as the text has it
   */
  write(replacement, word) {
    if (this.#settings.caseSensitive || word === word.toLowerCase()) return replacement;
    if (word === capitalized(word.toLowerCase())) return capitalized(replacement);
    return word === word.toUpperCase() ? replacement.toUpperCase() : replacement;
  }
}

/** @param {string} word */
function capitalized(word) {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}
