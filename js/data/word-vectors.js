import { WORD_VECTORS } from '../core/border.js';
import { LinexError, show } from '../core/errors.js';
import { newDataInstance } from '../core/load.js';
import { Scope, withScope } from '../core/memory.js';
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';
import { readWordFile, WORD_FORMATS } from './vector-files.js';

/**
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('./vector-files.js').WordFormat} WordFormat
 */

/**
 * @typedef {object} WordVectorOptions
 * @property {'auto' | WordFormat} [format]  `'auto'`, the default, tells by the file itself; `'word2vec'` and `'fasttext'`
 *   (.vec) are text with a header, `'glove'` is text without one
 * @property {number} [maxWords]  takes only the first so many words, the most frequent ones in most files; default all
 * @property {AbortSignal} [signal]
 */

/** @typedef {{ word: string, similarity: number }} NearWord  similarity: the cosine, at most 1 */

/** A megabyte of numbers. */
const BLOCK = 1 << 18;
/** How many words are looked up at once: their nearest ones have to fit beside the vectors. */
const AT_ONCE = 64;

/**
 * Loads word vectors: word2vec's text and binary formats, GloVe's, fastText's `.vec`. The file is read as it comes; no
 * more of it than a chunk is in memory beside the vectors. Of a word that occurs twice the first one counts.
 *
 * @param {import('./byte-source.js').ByteSource} source  such as `fetch(…)`'s answer, a file input's File, a Node stream; a string
 *   is the text itself
 * @param {WordVectorOptions} [options]
 * @returns {Promise<WordVectors>}
 * @throws {TypeError | RangeError} for a bad call
 * @throws {LinexError} `'file'` for a bad file, with the line or word and what was expected; `'memory'` if the vectors do
 *   not fit
 */
export async function loadWordVectors(source, options = {}) {
  const {
    format = 'auto',
    maxWords,
    signal,
  } = checkNames(options, ['format', 'maxWords', 'signal'], 'loadWordVectors');
  checkChoice(format, 'format', ['auto', ...WORD_FORMATS]);
  if (maxWords !== undefined) checkCount(maxWords, 'maxWords', 1);
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new TypeError(`signal must be an AbortSignal, not ${show(signal)}`);
  const core = await newDataInstance();
  /** @type {WordStore | undefined} */
  let store;
  await readWordFile(
    await source,
    format,
    (about) => {
      const made = (store = new WordStore(core, about));
      return (word, values) => made.add(word, values) < (maxWords ?? Infinity);
    },
    signal,
  );
  return new WordVectors(/** @type {WordStore} */ (store).finish());
}

/**
 * Vectors on their way into an instance of WebAssembly that is theirs alone: searching them then needs no copy, and all of
 * it is given back when nobody holds them any more.
 */
class WordStore {
  #rows;
  #scope;
  #last = 0;
  /** @type {number[]} */
  #blocks = [];
  /** @type {string[]} */
  #words = [];
  /** @type {Map<string, number>} */
  #places = new Map();
  #duplicates = 0;
  #about;

  /**
   * @param {Core} core
   * @param {{ format: WordFormat, dimensions: number }} about
   */
  constructor(core, about) {
    this.#scope = new Scope(core);
    this.#about = about;
    this.#rows = Math.max(1, Math.floor(BLOCK / about.dimensions));
  }

  /**
   * @param {string} word
   * @param {Float32Array} values  copied
   * @returns {number}  how many words there are now
   */
  add(word, values) {
    if (this.#places.has(word)) {
      this.#duplicates++;
      return this.#words.length;
    }
    const row = this.#words.length % this.#rows;
    if (row === 0) this.#blocks.push((this.#last = this.#room(this.#rows * values.length)));
    this.#scope.viewFloats(/** @type {any} */ (this.#last + 4 * row * values.length), values.length).set(values);
    this.#places.set(word, this.#words.length);
    return this.#words.push(word);
  }

  /** @param {number} floats */
  #room(floats) {
    try {
      return this.#scope.floats(floats);
    } catch (cause) {
      const size = this.#words.length;
      throw new LinexError(
        'memory',
        `WebAssembly has no room for more than ${size} words; set maxWords to read only the first ones`,
        {
          cause,
        },
      );
    }
  }

  finish() {
    const scope = this.#scope;
    const { core } = scope;
    const count = this.#words.length;
    const blocks = scope.putIndices(this.#blocks);
    const squares = scope.doubles(count);
    const { dimensions } = this.#about;
    const record = scope.putRecord(WORD_VECTORS, { count, dimensions, wordsPerBlock: this.#rows, blocks, squares });
    scope.check(core.linex_wasm_word_vectors_measure(record, squares));
    return {
      core,
      ...this.#about,
      words: Object.freeze(this.#words),
      places: this.#places,
      duplicates: this.#duplicates,
      rows: this.#rows,
      blocks: this.#blocks,
      record,
    };
  }
}

/**
 * Words and their vectors, from `loadWordVectors`.
 */
export class WordVectors {
  #core;
  #places;
  #rows;
  #blocks;
  /** The record of the vectors. */
  #record;

  /** @param {ReturnType<WordStore['finish']>} stored */
  constructor({ core, format, dimensions, words, places, duplicates, rows, blocks, record }) {
    this.#core = core;
    this.#places = places;
    this.#rows = rows;
    this.#blocks = blocks;
    this.#record = record;
    /** How many words. */
    this.size = words.length;
    /** How many numbers a word. */
    this.dimensions = dimensions;
    /** In the order of the file. @type {readonly string[]} */
    this.words = words;
    /** What the file was. @type {WordFormat} */
    this.format = format;
    /** How many of its entries were passed over, since their word had come before. */
    this.duplicates = duplicates;
    Object.freeze(this);
  }

  /** @param {string} word */
  has(word) {
    return this.#places.has(word);
  }

  /**
   * @param {string} word
   * @returns {Float32Array}  a copy
   * @throws {RangeError} if there is no such word
   */
  vector(word) {
    return this.#view(word).slice();
  }

  /** @param {string} word */
  #view(word) {
    const place = this.#places.get(word);
    if (place === undefined) throw new RangeError(`there is no vector for the word ${show(word)}`);
    const { dimensions } = this;
    const start = this.#blocks[Math.floor(place / this.#rows)] + 4 * (place % this.#rows) * dimensions;
    return new Float32Array(this.#core.memory.buffer, start, dimensions);
  }

  /**
   * The words whose vectors point most nearly the same way, nearest first; of equally near ones the earlier in the file.
   * A word is not among those near to itself.
   *
   * @param {string | ArrayLike<number>} center  a word, or any vector
   * @param {number} [count]  how many at most; default 10
   * @returns {NearWord[]}
   * @throws {TypeError | RangeError}
   */
  nearest(center, count = 10) {
    if (typeof center === 'string') return this.nearestEach([center], count)[0];
    const most = Math.min(checkCount(count, 'count', 1), this.size);
    return this.#search([checkVector(center, this.dimensions)], most)[0];
  }

  /**
   * `nearest` of many words at once: the vectors are gone through once for all of them.
   *
   * @param {readonly string[]} words
   * @param {number} [count]
   * @returns {NearWord[][]}
   * @throws {TypeError | RangeError}
   */
  nearestEach(words, count = 10) {
    if (!Array.isArray(words)) throw new TypeError(`nearestEach takes an array of words, not ${show(words)}`);
    const most = checkCount(count, 'count', 1);
    const near = [];
    for (let i = 0; i < words.length; i += AT_ONCE) {
      const some = words.slice(i, i + AT_ONCE);
      const points = some.map((word) => this.#view(word));
      near.push(...this.#search(points, Math.min(most + 1, this.size)));
    }
    return near.map((found, i) => found.filter(({ word }) => word !== words[i]).slice(0, most));
  }

  /**
   * @param {Float32Array[]} points
   * @param {number} most
   * @returns {NearWord[][]}
   */
  #search(points, most) {
    const [core, queries] = [this.#core, points.length];
    const flat = new Float32Array(queries * this.dimensions);
    points.forEach((point, i) => flat.set(point, i * this.dimensions));
    return withScope(core, (scope) => {
      const [words, cosines] = [scope.indices(queries * most), scope.doubles(queries * most)];
      const found = scope.indices(queries);
      const flatAt = scope.putFloats(flat);
      scope.check(core.linex_wasm_words_nearest(this.#record, queries, flatAt, most, words, cosines, found));
      const [places, similarities] = [
        scope.getIndices(words, queries * most),
        scope.getDoubles(cosines, queries * most),
      ];
      return Array.from(scope.getIndices(found, queries), (length, q) =>
        Array.from({ length }, (_, k) => ({
          word: this.words[places[q * most + k]],
          similarity: Math.max(-1, Math.min(1, similarities[q * most + k])),
        })),
      );
    });
  }
}

/**
 * @param {ArrayLike<number>} vector
 * @param {number} dimensions
 */
function checkVector(vector, dimensions) {
  if (typeof vector?.length !== 'number')
    throw new TypeError(`nearest takes a word or a vector of ${dimensions} numbers, not ${show(vector)}`);
  if (vector.length !== dimensions)
    throw new RangeError(`a vector must have ${dimensions} numbers as these have, not ${vector.length}`);
  const values = Float32Array.from(vector);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new RangeError(`number ${bad} of the vector must be finite, not ${show(vector[bad])}`);
  return values;
}
