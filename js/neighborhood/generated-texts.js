import { LinexError, show } from '../core/errors.js';
import { checkOwnEnvironments, drawNear } from './sampler.js';
import { weighMasks } from './mask-neighborhood.js';

/**
 * @typedef {import('./sampler.js').TextGenerator} TextGenerator
 * @typedef {import('../data/tokens.js').TokenizedText} TokenizedText
 */

/**
 * Texts that a generator made: the surrogate sees which of the input's words they kept.
 */
export class RewrittenTexts {
  #core;
  #how;
  #texts;
  #masks;
  #given;
  /** Which of the distinct texts each of them is, in the order in which they first came. @type {number[]} */
  #owner = [];
  /** The first text that is each distinct one. @type {number[]} */
  #first = [];

  /**
   * @param {import('../core/load.js').Core} core
   * @param {{ texts: string[], masks: Uint8Array[], weights?: Float64Array }} made  the input first
   * @param {{ distance?: number, scale: number, kernelWidth: number }} how  as `weighMasks` takes it
   */
  constructor(core, { texts, masks, weights }, how) {
    this.#core = core;
    this.#texts = texts;
    this.#masks = masks;
    this.#given = weights;
    this.width = masks[0].length;
    this.#how = { ...how, width: this.width };
    /** @type {Map<string, number>} */
    const known = new Map();
    texts.forEach((text, i) => {
      // Alike in all that the fit sees, not in their words alone.
      const key = `${weights?.[i] ?? ''} ${masks[i].join('')} ${text}`;
      const place = known.get(key) ?? this.#first.push(i) - 1;
      known.set(key, place);
      this.#owner.push(place);
    });
  }

  /**
   * @param {import('../core/load.js').Core} core
   * @param {TextGenerator} generator
   * @param {TokenizedText} tokenized
   * @param {object} how
   * @param {(text: string) => string[]} how.wordsOf  the words in a text, as the features' names would have them
   * @param {import('./sampler.js').TextCenter['unit']} how.unit
   * @param {number} how.samples  the input included
   * @param {{ seed: number, environments: any }} how.settings
   * @param {number} [how.distance]
   * @param {number} how.scale
   * @param {number} how.kernelWidth
   * @param {AbortSignal} [how.signal]
   */
  static async draw(core, generator, tokenized, { wordsOf, unit, samples, settings, signal, ...how }) {
    const { text, tokens, features } = tokenized;
    const words = features.map(({ name }) => name);
    const center = { text, words, tokens, unit };
    const made = await drawNear(generator, center, samples - 1, { seed: settings.seed, signal, read: readText });
    checkOwnEnvironments(settings.environments, made.samples.length + 1);
    const full = new Uint8Array(words.length).fill(1);
    const masks = made.masks
      ? made.masks.map((mask, i) => readMask(mask, i, words.length))
      : made.samples.map((sample) => keptWords(wordsOf(text), wordsOf(sample)));
    return new RewrittenTexts(
      core,
      { texts: [text, ...made.samples], masks: [full, ...masks], weights: made.weights },
      how,
    );
  }

  /** @param {number} samples */
  make(samples) {
    const owner = Uint32Array.from(this.#owner.slice(0, samples));
    return { distinct: owner.reduce((most, one) => Math.max(most, one + 1), 0), owner, planned: owner.length };
  }

  /**
   * @param {number} first
   * @param {number} count
   */
  batch(first, count) {
    return this.#first.slice(first, first + count).map((i) => this.#texts[i]);
  }

  /** @param {number} count */
  points(count) {
    const masks = new Uint8Array(count * this.width);
    for (let i = 0; i < count; i++) masks.set(this.#masks[this.#first[i]], i * this.width);
    const near = weighMasks(this.#core, masks, this.#how);
    const given = this.#given && Float64Array.from(this.#first.slice(0, count), (i) => this.#given?.[i] ?? 0);
    const at = new Float64Array(this.width).fill(1);
    const { kernelWidth } = this.#how;
    return {
      masks,
      at,
      ...near,
      weights: given ?? near.weights,
      kernelWidth,
      weighed: given !== undefined,
    };
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
