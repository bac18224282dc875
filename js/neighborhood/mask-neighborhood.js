// Masks near the full mask: which parts of a text or an image are kept in each sample.
import { withScope } from '../core/memory.js';
import { mergeRows } from './merged-rows.js';
import { SAMPLINGS } from './sampler.js';

/**
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('../core/memory.js').Scope} Scope
 * @typedef {import('../core/border.js').Bytes} Bytes
 */

/**
 * How masks are drawn, both as LIME does it. `'sizes'`, for words: the number of removed parts is uniform, then the parts
 * are drawn. `'coins'`, for superpixels: each part is removed with probability 1/2.
 *
 * @typedef {'sizes' | 'coins'} MaskKind
 */

/** @type {readonly MaskKind[]} */
const KINDS = ['sizes', 'coins'];

/** How far a mask is from the full one: LIME's cosine distance, or the root of the number of missing parts. */
export const MASK_DISTANCES = /** @type {const} */ (['cosine', 'euclidean']);

/** The masks of more parts than this are never enumerated. */
const MAX_ENUMERATED_PARTS = 24;

/**
 * How masks are weighed by their distance from the full mask.
 *
 * @typedef {object} MaskKernel
 * @property {number} [distance]  index in `MASK_DISTANCES`; default 0, the cosine
 * @property {number} scale  the distance is multiplied by this
 * @property {number} kernelWidth
 */

/**
 * How many planned samples make the rarest mask count about once. With `'sizes'`, the rarest have half of the parts.
 *
 * @param {number} kind
 * @param {number} partCount
 */
function copiesFor(kind, partCount) {
  let choices = 1;
  for (let i = 0; i < Math.floor(partCount / 2); i++) choices = (choices * (partCount - i)) / (i + 1);
  return kind === 0 ? Math.ceil(partCount * choices) + 1 : 2 ** partCount;
}

/**
 * How many designed masks of superpixels belong together: the rows of a Hadamard matrix and their complements.
 *
 * @param {number} partCount
 */
function blockOf(partCount) {
  return 2 ** (Math.floor(Math.log2(partCount)) + 2);
}

/**
 * Writes masks to memory, with their distances from the full mask and LIME's weights.
 *
 * @param {Scope} scope
 * @param {Uint8Array} masks  one byte per part, one mask after the other
 * @param {number} partCount
 * @param {MaskKernel} kernel
 * @returns {import('../core/border.js').PlacedPoints}
 */
export function placeMasks(scope, masks, partCount, { distance = 0, scale, kernelWidth }) {
  const count = masks.length / partCount;
  const address = scope.putBytes(masks);
  const [distances, weights] = [scope.doubles(count), scope.doubles(count)];
  const { core } = scope;
  scope.check(core.linex_masks_weigh(count, partCount, address, distance, scale, kernelWidth, distances, weights));
  const input = scope.putDoubles(new Float64Array(partCount).fill(1));
  return { featureCount: partCount, points: 0, masks: address, distances, weights, input, kernelWidth };
}

/**
 * Random masks, or all of them if there are few, for `explainNeighborhood`.
 *
 * @template Batch
 */
export class MaskNeighborhood {
  #core;
  #kind;
  #seed;
  /** Index in `SAMPLINGS`. */
  #sampling;
  #kernel;
  #exact;
  #compose;
  #partCount;
  /** Whether all masks are taken. The first plan decides, because the order of the masks depends on it. @type {boolean | undefined} */
  #enumerated;
  /** Distinct masks, one after the other: one byte per part, 1 if it is kept. */
  #masks = new Uint8Array(0);
  /** If all masks are taken: factors of their weights. @type {Float64Array | undefined} */
  #factors;

  /**
   * @param {Core} core
   * @param {object} options
   * @param {MaskKind} options.kind
   * @param {number} options.partCount
   * @param {MaskKernel} options.kernel
   * @param {number} options.seed
   * @param {import('./sampler.js').Sampling} options.sampling
   * @param {number} options.most  the most samples that may be planned
   * @param {boolean} options.exact  whether exactly as many samples must be planned as are asked for, because the caller has
   *   weights for them
   * @param {(masks: Uint8Array, count: number, lane: number) => Batch} options.compose  makes what the model is asked about
   */
  constructor(core, { kind, partCount, kernel, seed, sampling, most, exact, compose }) {
    this.#core = core;
    this.#kind = KINDS.indexOf(kind);
    this.#seed = seed;
    this.#kernel = kernel;
    this.#exact = exact;
    this.#compose = compose;
    this.#partCount = partCount;
    // With fewer pairs of complements than parts, masks of a Hadamard matrix say nothing about some directions.
    const designed = sampling === 'designed' && (kind !== 'coins' || most >= 2 * partCount);
    const [pair, block] = kind === 'coins' ? [2, blockOf(partCount)] : [1, 1];
    this.#sampling = SAMPLINGS.indexOf(designed ? 'designed' : 'independent');
    /** How many consecutive masks after the first belong together. */
    this.run = !designed ? 1 : block < most ? block : pair;
    this.possible = partCount <= MAX_ENUMERATED_PARTS ? 2 ** partCount : Infinity;
  }

  /**
   * Plans samples. If there are no more masks than samples, all masks are taken and none is drawn.
   *
   * @param {number} samples
   * @returns {{ distinct: number, pointOf: Uint32Array }}
   */
  make(samples) {
    this.#enumerated ??= this.possible <= samples;
    return this.#enumerated ? this.#enumerate(samples) : this.#draw(samples);
  }

  /** What the law of the samples is about, if it is known. It is not needed if all masks are taken. */
  get law() {
    return this.#enumerated ? undefined : /** @type {const} */ ('masks');
  }

  /** @param {number} samples */
  #draw(samples) {
    const core = this.#core;
    const partCount = this.#partCount;
    return withScope(core, (scope) => {
      const masks = scope.bytes(samples * partCount);
      scope.check(core.linex_wasm_masks_draw(this.#kind, partCount, this.#sampling, this.#seed, 0, samples, masks));
      const { distinct, pointOf } = mergeRows(scope, masks, samples, partCount);
      this.#masks = scope.getBytes(masks, distinct * partCount);
      return { distinct, pointOf };
    });
  }

  /** @param {number} samples */
  #enumerate(samples) {
    const core = this.#core;
    const { possible } = this;
    const [kind, partCount] = [this.#kind, this.#partCount];
    const planned = this.#exact ? samples : Math.max(samples, copiesFor(kind, partCount));
    return withScope(core, (scope) => {
      const [masks, maskOf] = [scope.bytes(possible * partCount), scope.indices(planned)];
      const factors = scope.doubles(possible);
      scope.check(
        core.linex_wasm_masks_enumerate(kind, partCount, this.#seed, samples, planned, masks, maskOf, factors),
      );
      this.#masks = scope.getBytes(masks, possible * partCount);
      this.#factors = scope.getDoubles(factors, possible);
      return { distinct: possible, pointOf: scope.getIndices(maskOf, planned) };
    });
  }

  /**
   * @param {number} first
   * @param {number} count
   * @returns {Uint8Array}  a view
   */
  #some(first, count) {
    return this.#masks.subarray(first * this.#partCount, (first + count) * this.#partCount);
  }

  /** @param {number} first @param {number} count @param {number} lane */
  batch(first, count, lane) {
    return this.#compose(this.#some(first, count), count, lane);
  }

  /** The law of drawn masks under the kernel. @param {Scope} scope */
  #placeLaw(scope) {
    const { distance = 0, scale, kernelWidth } = this.#kernel;
    const sizes = scope.doubles(this.#partCount + 1);
    scope.check(scope.core.linex_masks_law(this.#kind, this.#partCount, distance, scale, kernelWidth, sizes));
    return sizes;
  }

  /** @param {number} count @param {Scope} scope */
  place(count, scope) {
    const placed = placeMasks(scope, this.#some(0, count), this.#partCount, this.#kernel);
    const factors = this.#factors;
    // Drawn masks are in the order of their draws. Halves keep a mask and its complement together.
    const block = this.#sampling === SAMPLINGS.indexOf('designed') ? 2 : 1;
    if (!factors) return { ...placed, block, law: this.#placeLaw(scope) };
    const weights = scope.getDoubles(placed.weights, count).map((weight, i) => weight * factors[i]);
    return { ...placed, weights: scope.putDoubles(weights), complete: count === this.possible };
  }
}
