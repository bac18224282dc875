// The samplers that a caller may pass as `neighborhood`: their types, their calls and the checks of their samples.
import { checkChoice, checkNumber, checkNumbers } from '../core/check-options.js';
import { LinexError, messageOf, show } from '../core/errors.js';
import { orAbort } from '../core/event-loop.js';

/** @typedef {'designed' | 'independent'} Sampling  whether samples are spread evenly or each is drawn by itself */

/** In the order of `linex_sampling` in linex_data.h. */
export const SAMPLINGS = /** @type {const} */ (['designed', 'independent']);

/**
 * Makes up to `count` inputs near `center`, synchronously or asynchronously. `random()` is uniform in [0, 1) and depends on
 * the seed of the call, so the same call makes the same samples.
 *
 * @template Center
 * @template Sample
 * @typedef {object} Sampler
 * @property {string} [kind]  what it makes, if it makes only that: `'row'`, `'text'` or `'image'`. The type is string, because
 *   TypeScript infers that for `{ kind: 'row' }`
 * @property {(center: Center, count: number, random: () => number, context: { signal?: AbortSignal, sampling?: Sampling }) =>
 *   SampleSet<Sample> | readonly Sample[] | Promise<SampleSet<Sample> | readonly Sample[]>} sample  returns at most `count`
 *   samples, without the input, which is always asked about. signal: of the call, for samplers that take long. sampling:
 *   of the call, for samplers that can spread their samples evenly
 * @property {(center: Center, context: { signal?: AbortSignal }) => void | Promise<void>} [prepare]  called before `sample`,
 *   for work that takes long and that `sample` does not repeat
 */

/**
 * @template Sample
 * @typedef {object} SampleSet
 * @property {readonly Sample[]} samples
 * @property {ArrayLike<number>} [weights]  one per sample; they replace the kernel's weights
 * @property {number} [inputWeight]  the weight of the input, if there are weights; default 1
 * @property {readonly ArrayLike<number>[]} [masks]  for texts: one array per sample, with 1 for each word that was kept and 0
 *   otherwise
 */

/**
 * @typedef {Sampler<readonly unknown[], ArrayLike<unknown>>} RowSampler  center: the row
 * @typedef {Sampler<TextCenter, string>} TextSampler
 * @typedef {Sampler<ImageCenter, ArrayLike<number>>} ImageSampler  samples have the form of `center.data`
 */

/**
 * @typedef {object} TextCenter
 * @property {string} text
 * @property {readonly string[]} words  the names of the features
 * @property {readonly { start: number, end: number, feature: number }[]} tokens  where the words are: UTF-16
 *   offsets
 * @property {'word' | 'position' | 'sentence' | 'line'} [unit]  what the features are
 */

/**
 * @typedef {object} ImageCenter
 * @property {Float32Array} data  0 to 255, row by row, the channels of a pixel side by side, at the size of the model's input
 * @property {number} width
 * @property {number} height
 * @property {number} channels
 */

const WEIGHT = { least: 0, most: 1e100 };
const SAMPLE_KEYS = ['samples', 'weights', 'inputWeight', 'masks'];

/**
 * Reads the option `neighborhood`: `'random'`, or a sampler.
 *
 * @param {any} given
 * @param {'row' | 'text' | 'image'} kind  what is explained
 * @returns {Sampler<any, any> | undefined}  undefined for `'random'`
 * @throws {TypeError | RangeError}
 */
export function readSampler(given, kind) {
  if (typeof given === 'string' || given === undefined) {
    checkChoice(given ?? 'random', 'neighborhood', ['random']);
    return undefined;
  }
  if (typeof given?.sample !== 'function')
    throw new TypeError(`neighborhood must be 'random' or have a function sample, not ${show(given)}`);
  if (given.kind !== undefined && given.kind !== kind)
    throw new RangeError(`neighborhood must make ${kind} samples, not ${show(given.kind)}`);
  return given;
}

/**
 * Calls a sampler, and checks what it returns.
 *
 * @template Sample
 * @param {Sampler<any, any>} sampler
 * @param {unknown} center
 * @param {number} count
 * @param {{ seed: number, sampling: Sampling, signal?: AbortSignal, read: (sample: any, name: string) => Sample }} options
 *   read: checks a sample
 * @returns {Promise<{ samples: Sample[], weights?: Float64Array, masks?: ArrayLike<number>[] }>}  weights: that of the
 *   input comes first
 * @throws {LinexError} `'neighborhood'` if `sample` fails or returns something else; the signal's reason immediately, even
 *   if `sample` ignores the signal
 */
export async function drawSamples(sampler, center, count, { seed, sampling, signal, read }) {
  signal?.throwIfAborted();
  /** @type {any} */
  let made;
  try {
    if (typeof sampler.prepare === 'function') await orAbort(sampler.prepare(center, { signal }), signal);
    made = await orAbort(sampler.sample(center, count, seededRandom(seed), { signal, sampling }), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof LinexError) throw cause;
    throw new LinexError('neighborhood', `the neighborhood failed to make samples: ${messageOf(cause)}`, { cause });
  }
  signal?.throwIfAborted();
  try {
    return readMade(made, count, read);
  } catch (cause) {
    throw new LinexError('neighborhood', `the neighborhood made unusable samples: ${messageOf(cause)}`, { cause });
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
    throw new TypeError(`sample must return an array, not an iterator; use Array.from`);
  if (!Array.isArray(samples) || unknown !== undefined)
    throw new TypeError(`sample must return an array, or { ${SAMPLE_KEYS.join(', ')} }, not ${show(unknown ?? made)}`);
  if (samples.length === 0 || samples.length > count)
    throw new RangeError(`sample must return 1 to ${count} samples, not ${samples.length}`);
  if (masks !== undefined && masks?.length !== samples.length)
    throw new RangeError(`masks must be ${samples.length} arrays, one per sample, not ${show(masks)}`);
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
    throw new RangeError(`weights must be ${count} numbers, one per sample, not ${show(weights)}`);
  const all = new Float64Array(count + 1);
  all[0] = checkNumber(inputWeight, 'inputWeight', WEIGHT);
  all.set(checkNumbers(weights, 'weights', count, WEIGHT), 1);
  if (!all.some((weight) => weight > 0)) throw new RangeError('weights must not all be 0');
  return all;
}

/**
 * Checks that weights of the caller's own environments match the number of samples that a sampler made.
 *
 * @param {{ own?: Float64Array, count: number }} environments
 * @param {number} planned
 * @throws {RangeError}
 */
export function checkOwnEnvironments({ own, count }, planned) {
  if (own && own.length !== count * planned)
    throw new RangeError(`environments must have ${planned} weights each, one per sample, not ${own.length / count}`);
}

/**
 * Makes a generator of uniform numbers by xoshiro128** (Blackman and Vigna 2018). It uses integer arithmetic, so the numbers
 * are the same in every engine.
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
