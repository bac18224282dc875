import { withScope } from '../core/memory.js';

/** @typedef {import('../core/load.js').Core} Core */

/**
 * How masks are drawn: as LIME does with words (how many go is uniform, then which), or with superpixels (each goes by the
 * toss of a coin).
 *
 * @typedef {'sizes' | 'coins'} MaskKind
 */

/** @type {readonly MaskKind[]} */
const KINDS = ['sizes', 'coins'];

/** How far a mask is from the full one: LIME's way, or the root of how many parts are gone. @type {readonly string[]} */
export const MASK_DISTANCES = ['cosine', 'euclidean'];

/** How many masks are looked at at most before they are taken for endless. */
const WIDEST = 24;

/**
 * How many copies make the rarest mask worth about one: of sizes, those with half of the parts.
 *
 * @param {number} kind
 * @param {number} width
 */
function copiesFor(kind, width) {
  let choices = 1;
  for (let i = 0; i < Math.floor(width / 2); i++) choices = (choices * (width - i)) / (i + 1);
  return kind === 0 ? Math.ceil(width * choices) + 1 : 2 ** width;
}

/**
 * @param {Core} core
 * @param {Uint8Array} masks  a byte a part, one mask after the other
 * @param {{ width: number, distance?: number, scale: number, kernelWidth: number }} how  distance: which of
 *   `MASK_DISTANCES`; scale: of the distance
 * @returns {{ distances: Float64Array, weights: Float64Array }}  LIME's
 */
export function weighMasks(core, masks, how) {
  return withScope(core, (scope) => weighInPlace(scope, scope.putBytes(masks), masks.length / how.width, how));
}

/**
 * @param {import('../core/memory.js').Scope} scope
 * @param {number} masks  their address
 * @param {number} count
 * @param {{ width: number, distance?: number, scale: number, kernelWidth: number }} how
 */
function weighInPlace(scope, masks, count, { width, distance = 0, scale, kernelWidth }) {
  const [distances, weights] = [scope.doubles(count), scope.doubles(count)];
  scope.check(scope.core.linex_masks_weigh(count, width, masks, distance, scale, kernelWidth, distances, weights));
  return { distances: scope.getDoubles(distances, count), weights: scope.getDoubles(weights, count) };
}

/**
 * Masks near the full one: which of `width` parts are there.
 */
export class MaskNeighborhood {
  #core;
  #kind;
  #seed;
  /** How distances and weights are taken. */
  #how;
  #exact;
  /** Whether all masks are taken; settled by the first plan, since it decides their order. @type {boolean | undefined} */
  #all;
  /** Distinct masks, one after the other: a byte a part, 1 where it is there. */
  #masks = new Uint8Array(0);
  /** How near they are. */
  #near = { distances: new Float64Array(0), weights: new Float64Array(0) };

  /**
   * @param {Core} core
   * @param {object} how
   * @param {MaskKind} how.kind
   * @param {number} how.width  how many parts
   * @param {number} [how.distance]  which of `MASK_DISTANCES`; default LIME's
   * @param {number} how.scale  of the distance
   * @param {number} how.kernelWidth
   * @param {number} how.seed
   * @param {boolean} how.exact  whether there must be exactly as many planned samples as are asked for: where the caller
   *   has weights of their own for them
   */
  constructor(core, { kind, width, distance, scale, kernelWidth, seed, exact }) {
    this.#core = core;
    this.#kind = KINDS.indexOf(kind);
    this.#seed = seed;
    this.#how = { width, distance, scale, kernelWidth };
    this.#exact = exact;
    this.width = width;
    this.possible = width <= WIDEST ? 2 ** width : Infinity;
  }

  /**
   * Plans so many samples. Where there are no more masks than that, all of them are taken and nothing is drawn.
   *
   * @param {number} samples
   * @returns {{ distinct: number, owner: Uint32Array }}
   */
  make(samples) {
    this.#all ??= this.possible <= samples;
    return this.#all ? this.#takeAll(samples) : this.#draw(samples);
  }

  /** @param {number} samples */
  #draw(samples) {
    const core = this.#core;
    return withScope(core, (scope) => {
      const [masks, owner, found] = [scope.bytes(samples * this.width), scope.indices(samples), scope.indices(1)];
      scope.check(core.linex_wasm_masks_draw(this.#kind, this.width, this.#seed, 0, samples, masks));
      scope.check(core.linex_rows_merge(samples, this.width, masks, owner, found));
      const [distinct] = scope.getIndices(found, 1);
      this.#keep(scope, masks, distinct);
      return { distinct, owner: scope.getIndices(owner, samples) };
    });
  }

  /** @param {number} samples */
  #takeAll(samples) {
    const core = this.#core;
    const { width, possible } = this;
    const planned = this.#exact ? samples : Math.max(samples, copiesFor(this.#kind, width));
    return withScope(core, (scope) => {
      const [masks, owner, factors] = [scope.bytes(possible * width), scope.indices(planned), scope.doubles(possible)];
      const room = [masks, owner, factors];
      scope.check(core.linex_wasm_masks_enumerate(this.#kind, width, this.#seed, samples, planned, ...room));
      this.#keep(scope, masks, possible);
      const counts = scope.getDoubles(factors, possible);
      this.#near.weights = this.#near.weights.map((weight, i) => weight * counts[i]);
      return { distinct: possible, owner: scope.getIndices(owner, planned) };
    });
  }

  /**
   * Copies masks out of the memory, with their distances and weights.
   *
   * @param {import('../core/memory.js').Scope} scope
   * @param {number} masks
   * @param {number} count
   */
  #keep(scope, masks, count) {
    this.#near = weighInPlace(scope, masks, count, this.#how);
    this.#masks = scope.getBytes(masks, count * this.width);
  }

  /**
   * @param {number} index
   * @param {number} [count]
   * @returns {Uint8Array}  a view
   */
  masks(index, count = 1) {
    return this.#masks.subarray(index * this.width, (index + count) * this.width);
  }

  /**
   * The first masks as the surrogate sees them.
   *
   * @param {number} count
   */
  points(count) {
    return {
      masks: this.masks(0, count),
      distances: this.#near.distances.subarray(0, count),
      weights: this.#near.weights.subarray(0, count),
      at: new Float64Array(this.width).fill(1),
      kernelWidth: this.#how.kernelWidth,
    };
  }
}
