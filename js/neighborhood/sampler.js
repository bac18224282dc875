import { LinexError, show } from '../core/errors.js';
import { checkChoice, checkNumber } from '../core/check-options.js';
import { orAbort } from '../core/event-loop.js';

/**
 * Where perturbations come from, if not from chance alone: something that makes `count` inputs near `center`. It may be
 * asynchronous. `random()` is uniform in [0, 1) and follows the call's seed, so that the same call makes the same samples.
 *
 * @template Center
 * @template Sample
 * @typedef {object} Sampler
 * @property {string} [kind]  what it makes, `'row'`, `'text'` or `'image'`, where it makes only that; a string, since that is
 *   what TypeScript makes of an object's `kind: 'row'`
 * @property {(center: Center, count: number, random: () => number, context: { signal?: AbortSignal }) =>
 *   SampleSet<Sample> | readonly Sample[] | Promise<SampleSet<Sample> | readonly Sample[]>} sample  gives at most `count`; the input
 *   itself is asked about anyway and is none of them. signal: the call's, for what takes long
 */

/**
 * @template Sample
 * @typedef {object} SampleSet
 * @property {readonly Sample[]} samples
 * @property {ArrayLike<number>} [weights]  one a sample, in place of the kernel's
 * @property {number} [inputWeight]  of the input itself, where there are weights; default 1
 * @property {readonly ArrayLike<number>[]} [masks]  of texts: one number a word for each sample, 1 where the word was kept
 */

/**
 * @typedef {Sampler<readonly unknown[], ArrayLike<unknown>>} RowSampler  center: the row
 * @typedef {Sampler<TextCenter, string>} TextSampler
 * @typedef {Sampler<ImageCenter, ArrayLike<number>>} ImageSampler  pictures as `center.data` has it
 */

/**
 * @typedef {object} TextCenter
 * @property {string} text
 * @property {readonly string[]} words  the features' names
 * @property {readonly { start: number, end: number, feature: number }[]} tokens  where they stand: UTF-16 offsets
 * @property {'word' | 'position' | 'sentence' | 'line'} [unit]  what the features are
 */

/**
 * @typedef {object} ImageCenter
 * @property {Float32Array} data  0 to 255, row by row, channels side by side, at the size that the model is asked at
 * @property {number} width
 * @property {number} height
 * @property {number} channels
 */

const SAMPLE_KEYS = ['samples', 'weights', 'inputWeight', 'masks'];

/**
 * The option `neighborhood`: `'random'`, or something with `sample`.
 *
 * @param {any} given
 * @param {'row' | 'text' | 'image'} kind  what is explained
 * @returns {Sampler<any, any> | undefined}  undefined: `'random'`
 * @throws {TypeError | RangeError}
 */
export function readSampler(given, kind) {
  if (typeof given === 'string' || given === undefined) {
    checkChoice(given ?? 'random', 'neighborhood', ['random']);
    return undefined;
  }
  if (typeof given?.sample !== 'function')
    throw new TypeError(
      `neighborhood must be 'random' or have a function sample(center, count, random), not ${show(given)}`,
    );
  if (given.kind !== undefined && given.kind !== kind)
    throw new RangeError(`neighborhood makes ${show(given.kind)} samples, which do not fit a ${kind}`);
  return given;
}

/**
 * Has samples made, and looks at what came back.
 *
 * @template Sample
 * @param {Sampler<any, any>} sampler
 * @param {unknown} center
 * @param {number} count
 * @param {{ seed: number, signal?: AbortSignal, read: (sample: any, name: string) => Sample }} how  read: checks a sample
 * @returns {Promise<{ samples: Sample[], weights?: Float64Array, masks?: ArrayLike<number>[] }>}  weights: the input's first
 * @throws {LinexError} `'neighborhood'` if `sample` fails or gives something else; the signal's reason at once, even if
 *   `sample` never looks at the signal
 */
export async function drawSamples(sampler, center, count, { seed, signal, read }) {
  signal?.throwIfAborted();
  /** @type {any} */
  let made;
  try {
    made = await orAbort(sampler.sample(center, count, seededRandom(seed), { signal }), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof LinexError) throw cause;
    const why = cause instanceof Error ? cause.message : show(cause);
    throw new LinexError('neighborhood', `the neighborhood failed to make samples: ${why}`, { cause });
  }
  signal?.throwIfAborted();
  try {
    return readMade(made, count, read);
  } catch (cause) {
    throw new LinexError(
      'neighborhood',
      `the neighborhood made no fit samples: ${/** @type {Error} */ (cause).message}`,
      {
        cause,
      },
    );
  }
}

/**
 * @template Sample
 * @param {any} made
 * @param {number} count
 * @param {(sample: any, name: string) => Sample} read
 */
function readMade(made, count, read) {
  const { samples, weights, inputWeight = 1, masks } = Array.isArray(made) ? { samples: made } : (made ?? {});
  const unknown = Array.isArray(made) ? undefined : Object.keys(made ?? {}).find((key) => !SAMPLE_KEYS.includes(key));
  if (typeof made?.next === 'function')
    throw new TypeError(`sample must give an array, not an iterator: return Array.from(…), or await its end`);
  if (!Array.isArray(samples) || unknown !== undefined)
    throw new TypeError(`sample must give an array, or { ${SAMPLE_KEYS.join(', ')} }, not ${show(unknown ?? made)}`);
  if (samples.length === 0 || samples.length > count)
    throw new RangeError(`sample must give from 1 to ${count} samples, not ${samples.length}`);
  if (masks !== undefined && masks?.length !== samples.length)
    throw new RangeError(`masks must be ${samples.length} arrays, one a sample, not ${show(masks)}`);
  return {
    samples: samples.map((sample, i) => read(sample, `sample ${i}`)),
    weights: weights === undefined ? undefined : readWeights(weights, inputWeight, samples.length),
    masks,
  };
}

/**
 * @param {any} weights
 * @param {unknown} inputWeight
 * @param {number} count
 */
function readWeights(weights, inputWeight, count) {
  if (weights?.length !== count)
    throw new RangeError(`weights must be ${count} numbers, one a sample, not ${show(weights)}`);
  const all = Float64Array.from([inputWeight, ...Array.from(weights)], (weight, i) =>
    checkNumber(weight, i === 0 ? 'inputWeight' : `weights[${i - 1}]`, { least: 0, most: 1e100 }),
  );
  if (!all.some((weight) => weight > 0)) throw new RangeError('weights must not all be 0');
  return all;
}

/**
 * A sampler of the caller's own has as many samples as it has; weights of their own must fit them.
 *
 * @param {{ own?: Float64Array, count: number }} environments
 * @param {number} planned
 * @throws {RangeError}
 */
export function checkOwnEnvironments({ own, count }, planned) {
  if (own && own.length !== count * planned)
    throw new RangeError(
      `environments have ${own.length / count} weights each, the neighborhood made ${planned} samples`,
    );
}

/**
 * Uniform numbers by xoshiro128** (Blackman and Vigna 2018), in whole-number arithmetic: the same in every engine.
 *
 * @param {number} seed  up to 2^53
 * @returns {() => number}  in [0, 1), multiples of 2^-53
 */
export function seededRandom(seed) {
  const state = new Uint32Array(4);
  let mixed = (seed >>> 0) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b1);
  for (let i = 0; i < 4; i++) {
    mixed = (mixed + 0x9e3779b9) >>> 0;
    let word = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    state[i] = word ^ (word >>> 16);
  }
  const rotated = (/** @type {number} */ word, /** @type {number} */ by) => (word << by) | (word >>> (32 - by));
  const next = () => {
    const word = Math.imul(rotated(Math.imul(state[1], 5), 7), 9) >>> 0;
    const shifted = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotated(state[3], 11);
    return word;
  };
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}
