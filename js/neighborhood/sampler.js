// The samplers that a caller may pass as `neighborhood`: their types, and how the option is read.
import { checkChoice } from '../core/check-options.js';
import { show } from '../core/errors.js';

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
