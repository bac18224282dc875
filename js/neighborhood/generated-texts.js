// Texts that a sampler made, and which of the input's words each of them has kept.
import { LinexError, show } from '../core/errors.js';
import { findSpans } from '../data/token-rules.js';
import { placeMasks } from './mask-neighborhood.js';
import { checkOwnEnvironments, drawSamples } from './drawn-samples.js';

/**
 * @typedef {import('./sampler.js').TextSampler} TextSampler
 * @typedef {import('../data/tokens.js').TokenizedText} TokenizedText
 */

/**
 * Texts that a sampler made. The surrogate sees which of the input's words each text has kept.
 */
export class GeneratedTexts {
  #kernel;
  #featureCount;
  #texts;
  #masks;
  #given;
  /** For each text, the index of its distinct text, in the order of first appearance. @type {number[]} */
  #pointOf = [];
  /** For each distinct text, the index of its first appearance. @type {number[]} */
  #first = [];
  possible = Infinity;

  /**
   * @param {{ texts: string[], masks: Uint8Array[], weights?: Float64Array }} made  the input comes first
   * @param {import('./mask-neighborhood.js').MaskKernel} kernel
   */
  constructor({ texts, masks, weights }, kernel) {
    this.#texts = texts;
    this.#masks = masks;
    this.#given = weights;
    this.#featureCount = masks[0].length;
    this.#kernel = kernel;
    /** @type {Map<string, number>} */
    const known = new Map();
    texts.forEach((text, i) => {
      // Texts are the same only if the fit sees no difference: weights and masks count too.
      const key = `${weights?.[i] ?? ''} ${masks[i].join('')} ${text}`;
      const place = known.get(key) ?? this.#first.push(i) - 1;
      known.set(key, place);
      this.#pointOf.push(place);
    });
  }

  /**
   * Draws the texts.
   *
   * @param {TextSampler} sampler
   * @param {TokenizedText} tokenized
   * @param {object} options
   * @param {import('../data/tokens.js').TokenOptions} options.tokenOptions  those of the input
   * @param {number} options.samples  including the input
   * @param {{ seed: number, sampling: import('./sampler.js').Sampling, environments: any }} options.settings
   * @param {import('./mask-neighborhood.js').MaskKernel} options.kernel
   * @param {AbortSignal} [options.signal]
   */
  static async draw(sampler, tokenized, { tokenOptions, samples, settings, kernel, signal }) {
    const { text, tokens, features } = tokenized;
    const words = features.map(({ name }) => name);
    const center = { text, words, tokens, unit: tokenOptions.unit ?? 'word' };
    const { seed, sampling } = settings;
    const made = await drawSamples(sampler, center, samples - 1, { seed, sampling, signal, read: readText });
    checkOwnEnvironments(settings.environments, made.samples.length + 1);
    const full = new Uint8Array(words.length).fill(1);
    const given = made.masks ? [] : wordsIn(text, tokenOptions);
    const masks = made.masks
      ? made.samples.map((_, i) => readMask(made.masks?.[i], i, words.length))
      : made.samples.map((sample) => keptWords(given, wordsIn(sample, tokenOptions)));
    const texts = [text, ...made.samples];
    return new GeneratedTexts({ texts, masks: [full, ...masks], weights: made.weights }, kernel);
  }

  /** @param {number} samples */
  make(samples) {
    const pointOf = Uint32Array.from(this.#pointOf.slice(0, samples));
    const distinct = pointOf.reduce((count, point) => Math.max(count, point + 1), 0);
    return { distinct, pointOf, planned: pointOf.length };
  }

  /**
   * @param {number} first
   * @param {number} count
   */
  batch(first, count) {
    return this.#first.slice(first, first + count).map((i) => this.#texts[i]);
  }

  /** @param {number} count @param {import('../core/memory.js').Scope} scope */
  place(count, scope) {
    const masks = new Uint8Array(count * this.#featureCount);
    for (let i = 0; i < count; i++) masks.set(this.#masks[this.#first[i]], i * this.#featureCount);
    const placed = placeMasks(scope, masks, this.#featureCount, this.#kernel);
    const given = this.#given && Float64Array.from(this.#first.slice(0, count), (i) => this.#given?.[i] ?? 0);
    return given ? { ...placed, weights: scope.putDoubles(given), weighed: true } : { ...placed, weighed: false };
  }
}

/**
 * @param {unknown} text
 * @param {string} name
 */
function readText(text, name) {
  if (typeof text === 'string') return text;
  throw new TypeError(`${name} must be a string, not ${show(text)}`);
}

/**
 * @param {any} mask
 * @param {number} i
 * @param {number} featureCount
 */
function readMask(mask, i, featureCount) {
  const bits = new Uint8Array(featureCount);
  for (let c = 0; c < featureCount; c++) {
    const bit = mask?.length === featureCount ? mask[c] : mask;
    if (bit !== 0 && bit !== 1)
      throw new LinexError(
        'neighborhood',
        `masks[${i}] must be ${featureCount} numbers, 1 for each word that was kept and 0 otherwise, not ${show(bit)}`,
      );
    bits[c] = bit;
  }
  return bits;
}

/**
 * Returns the distinct words of a text, in lower case unless case matters.
 *
 * @param {string} text
 * @param {import('../data/tokens.js').TokenOptions} options
 * @returns {string[]}  empty for a text without words
 * @throws {RangeError} if the options fit only the input
 */
function wordsIn(text, { tokens = 'intl', locale, unit = 'word', caseSensitive = true }) {
  if (unit !== 'word' || Array.isArray(tokens))
    throw new RangeError("a neighborhood of texts must return masks unless unit is 'word' and tokens fit any text");
  const spans = text === '' ? [] : findSpans(text, tokens, unit, locale);
  const words = spans.map(({ start, end }) => text.slice(start, end));
  return [...new Set(caseSensitive ? words : words.map((word) => word.toLowerCase()))];
}

/**
 * @param {string[]} words
 * @param {string[]} sampleWords
 */
function keptWords(words, sampleWords) {
  const kept = new Set(sampleWords);
  return Uint8Array.from(words, (word) => (kept.has(word) ? 1 : 0));
}
