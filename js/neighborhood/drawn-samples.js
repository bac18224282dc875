// Calls a caller's sampler and checks its samples; loaded only if there is one.
import { checkNumbers } from '../core/check-lists.js';
import { checkNumber } from '../core/check-options.js';
import { LinexError, messageOf, show } from '../core/errors.js';
import { orAbort } from '../core/event-loop.js';

/**
 * @typedef {import('./sampler.js').Sampling} Sampling
 */
/**
 * @template Center
 * @template Sample
 * @typedef {import('./sampler.js').Sampler<Center, Sample>} Sampler
 */

const WEIGHT = { least: 0, most: 1e100 };
const SAMPLE_KEYS = ['samples', 'weights', 'inputWeight', 'masks'];

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
