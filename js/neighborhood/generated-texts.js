import { LinexError, show } from '../core/errors.js';
import { checkOwnEnvironments, drawSamples } from './sampler.js';
import { placeMasks } from './mask-neighborhood.js';

/**
 * @typedef {import('./sampler.js').TextSampler} TextSampler
 * @typedef {import('../data/tokens.js').TokenizedText} TokenizedText
 */

/**
 * Texts that a sampler made. The surrogate sees which of the input's words each of them has kept.
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
   * @param {{ texts: string[], masks: Uint8Array[], weights?: Float64Array }} made  the input first
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
      // Alike in all that the fit sees, not in their words alone.
      const key = `${weights?.[i] ?? ''} ${masks[i].join('')} ${text}`;
      const place = known.get(key) ?? this.#first.push(i) - 1;
      known.set(key, place);
      this.#pointOf.push(place);
    });
  }

  /**
   * @param {TextSampler} sampler
   * @param {TokenizedText} tokenized
   * @param {object} options
   * @param {(text: string) => string[]} options.wordsOf  the words in a text, named like the features
   * @param {import('./sampler.js').TextCenter['unit']} options.unit
   * @param {number} options.samples  the input included
   * @param {{ seed: number, environments: any }} options.settings
   * @param {import('./mask-neighborhood.js').MaskKernel} options.kernel
   * @param {AbortSignal} [options.signal]
   */
  static async draw(sampler, tokenized, { wordsOf, unit, samples, settings, kernel, signal }) {
    const { text, tokens, features } = tokenized;
    const words = features.map(({ name }) => name);
    const center = { text, words, tokens, unit };
    const made = await drawSamples(sampler, center, samples - 1, { seed: settings.seed, signal, read: readText });
    checkOwnEnvironments(settings.environments, made.samples.length + 1);
    const full = new Uint8Array(words.length).fill(1);
    const masks = made.masks
      ? made.masks.map((mask, i) => readMask(mask, i, words.length))
      : made.samples.map((sample) => keptWords(wordsOf(text), wordsOf(sample)));
    const texts = [text, ...made.samples];
    return new GeneratedTexts({ texts, masks: [full, ...masks], weights: made.weights }, kernel);
  }

  /** @param {number} samples */
  make(samples) {
    const pointOf = Uint32Array.from(this.#pointOf.slice(0, samples));
    const distinct = pointOf.reduce((most, point) => Math.max(most, point + 1), 0);
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
  throw new TypeError(`${name} must be a text, not ${show(text)}`);
}

/**
 * @param {ArrayLike<number>} mask
 * @param {number} i
 * @param {number} width
 */
function readMask(mask, i, width) {
  const bad = mask?.length === width ? Array.from(mask).find((one) => one !== 0 && one !== 1) : mask;
  if (bad === undefined) return Uint8Array.from(mask);
  throw new LinexError(
    'neighborhood',
    `masks[${i}] must be ${width} numbers, 1 where a word was kept and 0 elsewhere, not ${show(bad)}`,
  );
}

/**
 * @param {string[]} words
 * @param {string[]} left
 */
function keptWords(words, left) {
  const kept = new Set(left);
  return Uint8Array.from(words, (word) => (kept.has(word) ? 1 : 0));
}
