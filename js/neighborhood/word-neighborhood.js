import { show } from '../core/errors.js';
import { checkChoice, checkCount, checkFlag, checkNames, checkNumber } from '../core/check-options.js';
import { TextComposer } from '../data/tokens.js';

/**
 * @typedef {import('./sampler.js').TextCenter} TextCenter
 * @typedef {Pick<import('../data/word-vectors.js').WordVectors, 'has' | 'nearestEach'>} NearWords
 */

/**
 * @typedef {object} WordNeighborhoodOptions
 * @property {number} [radius]  how far a word may be from the one that it replaces: 1 − cosine of the angle between their
 *   vectors; default 1, which leaves out only words that point the other way
 * @property {number} [neighbors]  of how many near words one is drawn; default 10
 * @property {'some' | 'one'} [replace]  how many words of the text are replaced at a time: `'some'`, the default, from one
 *   to all, as LIME takes words away; or `'one'`, as MeLIME does: no word or one, each as likely
 * @property {boolean} [caseSensitive]  whether a word is only looked up as it is written, and its replacement left as the
 *   vectors have it; default false
 */

/** Vectors have punctuation, `</s>` and `'s` too; what may stand for a word begins as words do. */
const BEGINS = /^(?:[\p{Alphabetic}\p{N}]|\p{Emoji_Presentation})/u;

/** Asked for beyond the neighbors, since some near words will not do. */
const SPARE = 8;

/**
 * Texts in which words are replaced by near ones: a neighborhood of texts that somebody might have written, for
 * `explainText(text, predict, { neighborhood: wordNeighborhood(vectors) })`. A feature is then whether a word was kept.
 *
 * It is MeLIME's Word2VecGen (Botari et al. 2020), read as the LINEX paper describes it: a word is replaced by one within a
 * radius in the embedding. MeLIME's code has no radius, replaces one word at a time, and takes its near words in order; its
 * explanation is then the mean change that each word's replacements make. A linear surrogate wants to see words go
 * together as well, or its intercept and its sum over words are guesses. So by default how many words are replaced is
 * uniform, as in LIME, and each is replaced by one drawn evenly from its `neighbors`. With `replace: 'one'` half of the
 * samples are the text itself: asked about once, they count in the fit, which without them could not tell all weights
 * together from the intercept. A word without a vector or a near word is always kept, and its weight is 0.
 *
 * All occurrences of a word are replaced by the same word, in the case in which each is written (Film, FILM); the space
 * and punctuation around stay.
 *
 * @param {NearWords} vectors  from `loadWordVectors`
 * @param {WordNeighborhoodOptions} [options]
 * @returns {{ kind: 'text', sample(center: TextCenter, count: number, random: () => number):
 *   { samples: string[], masks: Uint8Array[] } }}  `sample` throws a RangeError if no word of the text can be replaced, or
 *   if the features are no words
 * @throws {TypeError | RangeError}
 */
export function wordNeighborhood(vectors, options = {}) {
  if (typeof vectors?.has !== 'function' || typeof vectors?.nearestEach !== 'function')
    throw new TypeError(`wordNeighborhood takes what loadWordVectors has loaded, not ${show(vectors)}`);
  const names = ['radius', 'neighbors', 'replace', 'caseSensitive'];
  const given = checkNames(options, names, 'wordNeighborhood');
  const { radius = 1, neighbors = 10, replace = 'some', caseSensitive = false } = given;
  const dictionary = new NearDictionary(vectors, {
    radius: checkNumber(radius, 'radius', { above: 0, most: 2 }),
    neighbors: checkCount(neighbors, 'neighbors', 1),
    caseSensitive: checkFlag(caseSensitive, 'caseSensitive'),
  });
  const one = checkChoice(replace, 'replace', ['some', 'one']) === 1;
  return Object.freeze({
    kind: /** @type {const} */ ('text'),
    /** @param {TextCenter} center @param {number} count @param {() => number} random */
    sample: (center, count, random) => drawTexts(center, count, random, { dictionary, one }),
  });
}

/**
 * @param {TextCenter} center
 * @param {number} count
 * @param {() => number} random
 * @param {{ dictionary: NearDictionary, one: boolean }} how
 */
function drawTexts(center, count, random, { dictionary, one }) {
  if (center.unit === 'sentence' || center.unit === 'line')
    throw new RangeError(`near words replace words; unit must be 'word' or 'position', not ${show(center.unit)}`);
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
    const size = one ? below(2) : 1 + below(replaceable.length);
    for (let k = 0; k < size; k++) {
      // The first so many of a shuffle that goes on from sample to sample.
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
 * The features' words as they are written first. Not their names, which may be numbered.
 *
 * @param {TextCenter} center
 */
function featureWords({ text, words, tokens }) {
  const written = [...words];
  for (const { start, end, feature } of [...tokens].reverse()) written[feature] = text.slice(start, end);
  return written;
}

/** Words and what may stand for them. */
class NearDictionary {
  #vectors;
  #how;
  /** By the word as the vectors have it. @type {Map<string, string[]>} */
  #near = new Map();

  /**
   * @param {NearWords} vectors
   * @param {{ radius: number, neighbors: number, caseSensitive: boolean }} how
   */
  constructor(vectors, how) {
    this.#vectors = vectors;
    this.#how = how;
  }

  /**
   * @param {string[]} words
   * @returns {string[][]}  for each word what may replace it; at least one word has some
   * @throws {RangeError}
   */
  lookUp(words) {
    const entries = words.map((word) => this.#entryOf(word));
    const known = [...new Set(entries.filter((entry) => entry !== undefined))];
    if (known.length === 0)
      throw new RangeError(`no word of the text has a vector: ${show(words.slice(0, 20).join(' '))}`);
    this.#search(known.filter((entry) => !this.#near.has(entry)));
    const near = entries.map((entry) => (entry === undefined ? [] : (this.#near.get(entry) ?? [])));
    if (near.every(({ length }) => length === 0))
      throw new RangeError(
        `no word of the text has a near word within radius ${this.#how.radius}: ${show(known.slice(0, 20).join(' '))}`,
      );
    return near;
  }

  /**
   * A word as the vectors have it.
   *
   * @param {string} word
   */
  #entryOf(word) {
    const lower = word.toLowerCase();
    const spellings = this.#how.caseSensitive ? [word] : [word, lower, capitalized(lower)];
    return spellings.find((one) => this.#vectors.has(one));
  }

  /** Asks for more until there are enough that will do. @param {string[]} entries */
  #search(entries) {
    const { radius, neighbors } = this.#how;
    for (let [open, count] = [entries, neighbors + SPARE]; open.length > 0; count *= 2) {
      const found = this.#vectors.nearestEach(open, count);
      open = open.filter((entry, i) => {
        const within = found[i].filter(({ similarity }) => 1 - similarity <= radius).map(({ word }) => word);
        const fit = this.#fitting(entry, within).slice(0, neighbors);
        this.#near.set(entry, fit);
        return fit.length < neighbors && within.length === count;
      });
    }
  }

  /**
   * Only words, and not the same one in another case.
   *
   * @param {string} entry
   * @param {string[]} words
   */
  #fitting(entry, words) {
    if (this.#how.caseSensitive) return words.filter((word) => BEGINS.test(word));
    const seen = new Set([entry.toLowerCase()]);
    return words.filter((word) => {
      const lower = word.toLowerCase();
      const fits = BEGINS.test(word) && !seen.has(lower);
      seen.add(lower);
      return fits;
    });
  }

  /**
   * @param {string} replacement
   * @param {string} word  as it is written where the replacement will stand
   */
  write(replacement, word) {
    if (this.#how.caseSensitive || word === word.toLowerCase()) return replacement;
    if (word === capitalized(word.toLowerCase())) return capitalized(replacement);
    return word === word.toUpperCase() ? replacement.toUpperCase() : replacement;
  }
}

/** @param {string} word */
function capitalized(word) {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}
