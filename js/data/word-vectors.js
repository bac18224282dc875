// Loads word vectors, and finds the words nearest to a word or a vector.
import { WORD_VECTORS } from '../core/border.js';
import { checkList, checkNumbers } from '../core/check-lists.js';
import { checkChoice, checkCount, checkNames, checkSignal } from '../core/check-options.js';
import { LinexError, show } from '../core/errors.js';
import { inPieces } from '../core/event-loop.js';
import { newDataInstance } from '../core/load.js';
import { Scope, withScope, withScopeAsync } from '../core/memory.js';
import { runTask, runTaskNow } from '../core/run-task.js';
import { readWordFile, WORD_FORMATS } from './vector-files.js';

/**
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../core/border.js').Indices} Indices
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('./vector-files.js').WordFormat} WordFormat
 */

/**
 * @typedef {object} WordVectorOptions
 * @property {'auto' | WordFormat} [format]  `'auto'` (the default) finds the format from the file; `'word2vec'` and
 *   `'fasttext'` (.vec) are text with a header, `'glove'` is text without one
 * @property {number} [maxWords]  reads only this many words from the start, in most files the most frequent; default: all
 * @property {AbortSignal} [signal]
 */

/** @typedef {{ word: string, similarity: number }} NearWord  similarity: the cosine, at most 1 */

/** Numbers per block: one megabyte. */
const BLOCK = 1 << 18;
/** Words per search: their nearest words must fit into memory beside the vectors. */
const WORDS_PER_SEARCH = 64;
/** About the largest number in single precision. */
const LARGEST = 3.4e38;

/**
 * Loads word vectors: word2vec's text and binary formats, GloVe's, fastText's `.vec`. The file is read as a stream; only one
 * chunk of it is in memory beside the vectors. If a word occurs twice, the first vector counts.
 *
 * @param {import('./byte-source.js').ByteSource} source  such as a response of `fetch`, a File, or a Node stream; a string is the
 *   text of the file
 * @param {WordVectorOptions} [options]
 * @returns {Promise<WordVectors>}
 * @throws {TypeError | RangeError} for a bad call
 * @throws {LinexError} `'file'` for a malformed file, with the line or word and what was expected; `'memory'` if the
 *   vectors do not fit into memory
 */
export async function loadWordVectors(source, options = {}) {
  const {
    format = 'auto',
    maxWords,
    signal,
  } = checkNames(options, ['format', 'maxWords', 'signal'], 'loadWordVectors');
  checkChoice(format, 'format', ['auto', ...WORD_FORMATS]);
  if (maxWords !== undefined) checkCount(maxWords, 'maxWords', 1);
  checkSignal(signal);
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
  return new WordVectors(await /** @type {WordStore} */ (store).finish(signal));
}

/**
 * Collects vectors in a WebAssembly instance of their own. Searching them needs no copy, and the memory is freed when the
 * vectors are garbage-collected.
 */
class WordStore {
  #wordsPerBlock;
  #scope;
  /** The address of the last block. */
  #last = 0;
  /** @type {number[]} */
  #blocks = [];
  /** @type {string[]} */
  #words = [];
  /** @type {Map<string, number>} */
  #indexOf = new Map();
  #duplicates = 0;
  #about;

  /**
   * @param {Core} core
   * @param {{ format: WordFormat, dimensions: number }} about
   */
  constructor(core, about) {
    this.#scope = new Scope(core);
    this.#about = about;
    this.#wordsPerBlock = Math.max(1, Math.floor(BLOCK / about.dimensions));
  }

  /**
   * @param {string} word
   * @param {Float32Array} values  copied
   * @returns {number}  the number of words so far
   */
  add(word, values) {
    if (this.#indexOf.has(word)) {
      this.#duplicates++;
      return this.#words.length;
    }
    const row = this.#words.length % this.#wordsPerBlock;
    if (row === 0) this.#blocks.push((this.#last = this.#newBlock(this.#wordsPerBlock * values.length)));
    this.#scope.viewFloats(/** @type {any} */ (this.#last + 4 * row * values.length), values.length).set(values);
    this.#indexOf.set(word, this.#words.length);
    return this.#words.push(word);
  }

  /** @param {number} floats */
  #newBlock(floats) {
    try {
      return this.#scope.floats(floats);
    } catch (cause) {
      const message = `WebAssembly's memory is full after ${this.#words.length} words; set maxWords to read fewer`;
      throw new LinexError('memory', message, { cause });
    }
  }

  /** @param {AbortSignal} [signal] */
  async finish(signal) {
    const scope = this.#scope;
    const { core } = scope;
    const count = this.#words.length;
    const blocks = scope.putIndices(this.#blocks);
    const squares = scope.doubles(count);
    const { dimensions } = this.#about;
    const wordsPerBlock = this.#wordsPerBlock;
    const record = scope.putRecord(WORD_VECTORS, { count, dimensions, wordsPerBlock, blocks, squares });
    const measure = (/** @type {number} */ first, /** @type {number} */ end) =>
      withScope(core, (inner) => {
        const some = /** @type {Indices} */ (blocks + 4 * (first / wordsPerBlock));
        const at = /** @type {Doubles} */ (squares + 8 * first);
        const piece = { count: end - first, dimensions, wordsPerBlock, blocks: some, squares: at };
        inner.check(core.linex_wasm_word_vectors_measure(inner.putRecord(WORD_VECTORS, piece), at));
      });
    await inPieces(count, 8 * wordsPerBlock, measure, signal);
    return {
      core,
      ...this.#about,
      words: Object.freeze(this.#words),
      indexOf: this.#indexOf,
      duplicates: this.#duplicates,
      wordsPerBlock: this.#wordsPerBlock,
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
  #indexOf;
  #wordsPerBlock;
  #blocks;
  /** The record of the vectors. */
  #record;

  /** @param {Awaited<ReturnType<WordStore['finish']>>} stored */
  constructor({ core, format, dimensions, words, indexOf, duplicates, wordsPerBlock, blocks, record }) {
    this.#core = core;
    this.#indexOf = indexOf;
    this.#wordsPerBlock = wordsPerBlock;
    this.#blocks = blocks;
    this.#record = record;
    /** The number of words. */
    this.size = words.length;
    /** The number of numbers per word. */
    this.dimensions = dimensions;
    /** The words, in the order of the file. @type {readonly string[]} */
    this.words = words;
    /** The format of the file. @type {WordFormat} */
    this.format = format;
    /** The number of entries that were skipped, because their word had come before. */
    this.duplicates = duplicates;
    Object.freeze(this);
  }

  /** @param {string} word */
  has(word) {
    return this.#indexOf.has(word);
  }

  /**
   * Returns a copy of a word's vector.
   *
   * @param {string} word
   * @returns {Float32Array}
   * @throws {RangeError} if there is no such word
   */
  vector(word) {
    return this.#view(word).slice();
  }

  /** @param {string} word */
  #view(word) {
    const index = this.#indexOf.get(word);
    if (index === undefined) throw new RangeError(`there is no vector for the word ${show(word)}`);
    const { dimensions } = this;
    const block = Math.floor(index / this.#wordsPerBlock);
    const start = this.#blocks[block] + 4 * (index % this.#wordsPerBlock) * dimensions;
    return new Float32Array(this.#core.memory.buffer, start, dimensions);
  }

  /**
   * Finds the words with the most similar vectors, nearest first. If two are equally near, the one earlier in the file comes
   * first. The result does not contain the word itself.
   *
   * @param {string | ArrayLike<number>} center  a word, or any vector
   * @param {number} [count]  the most words to return; default 10
   * @returns {NearWord[]}
   * @throws {TypeError | RangeError}
   */
  nearest(center, count = 10) {
    if (typeof center === 'string') return this.nearestEach([center], count)[0];
    const limit = Math.min(checkCount(count, 'count', 1), this.size);
    return this.#search([checkVector(center, this.dimensions)], limit)[0];
  }

  /**
   * Does `nearest` for many words, with one pass over the vectors for every 64 words.
   *
   * @param {readonly string[]} words
   * @param {number} [count]  the most words to return per word; default 10
   * @returns {NearWord[][]}
   * @throws {TypeError | RangeError}
   */
  nearestEach(words, count = 10) {
    const near = this.#searches(words, count).flatMap(({ points, limit }) => this.#search(points(), limit));
    return withoutThemselves(near, words, count);
  }

  /**
   * Does `nearestEach` without blocking the event loop: 64 words and 400,000 vectors take seconds.
   *
   * @param {readonly string[]} words
   * @param {number} [count]
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<NearWord[][]>}
   * @throws {TypeError | RangeError}
   */
  async nearestEachAsync(words, count = 10, options = {}) {
    const { signal } = checkNames(options, ['signal'], 'nearestEachAsync');
    checkSignal(signal);
    const near = [];
    for (const { points, limit } of this.#searches(words, count)) {
      signal?.throwIfAborted();
      const found = await withScopeAsync(this.#core, async (scope) => {
        const search = this.#put(scope, points(), limit);
        await runTask(scope, search.start, { signal });
        return search.read();
      });
      near.push(...found);
    }
    return withoutThemselves(near, words, count);
  }

  /**
   * The searches of `nearestEach`, one for every 64 words.
   *
   * @param {readonly string[]} words
   * @param {number} count
   */
  #searches(words, count) {
    if (!Array.isArray(words)) throw new TypeError(`nearestEach takes an array of words, not ${show(words)}`);
    const limit = Math.min(checkCount(count, 'count', 1) + 1, this.size);
    const searches = [];
    for (let i = 0; i < words.length; i += WORDS_PER_SEARCH) {
      const some = words.slice(i, i + WORDS_PER_SEARCH);
      searches.push({ limit, points: () => some.map((word) => this.#view(word)) });
    }
    return searches;
  }

  /**
   * @param {Float32Array[]} points
   * @param {number} limit
   * @returns {NearWord[][]}
   */
  #search(points, limit) {
    return withScope(this.#core, (scope) => {
      const search = this.#put(scope, points, limit);
      runTaskNow(scope, search.start);
      return search.read();
    });
  }

  /**
   * Writes what a search needs.
   *
   * @param {Scope} scope
   * @param {Float32Array[]} points
   * @param {number} limit
   */
  #put(scope, points, limit) {
    const [core, queries] = [this.#core, points.length];
    const flat = new Float32Array(queries * this.dimensions);
    points.forEach((point, i) => flat.set(point, i * this.dimensions));
    const [words, cosines] = [scope.indices(queries * limit), scope.doubles(queries * limit)];
    const found = scope.indices(queries);
    const flatAt = scope.putFloats(flat);
    return {
      /** @param {Indices} task */
      start: (task) =>
        core.linex_wasm_words_nearest_start(this.#record, queries, flatAt, limit, words, cosines, found, task),
      /** @returns {NearWord[][]} */
      read: () => {
        const indices = scope.getIndices(words, queries * limit);
        const similarities = scope.getDoubles(cosines, queries * limit);
        return Array.from(scope.getIndices(found, queries), (length, q) =>
          Array.from({ length }, (_, k) => ({
            word: this.words[indices[q * limit + k]],
            similarity: Math.max(-1, Math.min(1, similarities[q * limit + k])),
          })),
        );
      },
    };
  }
}

/**
 * Removes each word from the words near it.
 *
 * @param {NearWord[][]} near
 * @param {readonly string[]} words
 * @param {number} count
 */
function withoutThemselves(near, words, count) {
  return near.map((found, i) => found.filter(({ word }) => word !== words[i]).slice(0, count));
}

/**
 * @param {ArrayLike<number>} vector
 * @param {number} dimensions
 */
function checkVector(vector, dimensions) {
  const length = checkList(vector, 'nearest', `a word or a vector of ${dimensions} numbers`);
  if (length !== dimensions) throw new RangeError(`the vector must have ${dimensions} numbers, not ${length}`);
  return Float32Array.from(checkNumbers(vector, 'vector', dimensions, { least: -LARGEST, most: LARGEST }));
}
