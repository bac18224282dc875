import { withScope } from './memory.js';

/** @typedef {import('./load.js').Core} Core */

/**
 * How masks are drawn: as LIME does with words (how many go is uniform, then which), or with superpixels (each goes by the
 * toss of a coin).
 *
 * @typedef {'sizes' | 'coins'} MaskKind
 */

/** @type {readonly MaskKind[]} */
const KINDS = ['sizes', 'coins'];

/** How many masks are looked at at most before they are taken for endless. */
const WIDEST = 24;

/**
 * Masks near the full one: which of `width` parts are there.
 */
export class MaskNeighbourhood {
  #core;
  #kind;
  #scale;
  #seed;
  #kernelWidth;
  /** Distinct masks, one after the other: a byte a part, 1 where it is there. @type {Uint8Array} */
  #masks = new Uint8Array(0);
  /** @type {{ distances: Float64Array, weights: Float64Array }} */
  #near = { distances: new Float64Array(0), weights: new Float64Array(0) };

  /**
   * @param {Core} core
   * @param {object} how
   * @param {MaskKind} how.kind
   * @param {number} how.width  how many parts
   * @param {number} how.scale  of the cosine distance
   * @param {number} how.kernelWidth
   * @param {number} how.seed
   */
  constructor(core, { kind, width, scale, kernelWidth, seed }) {
    this.#core = core;
    this.#kind = KINDS.indexOf(kind);
    this.#scale = scale;
    this.#seed = seed;
    this.#kernelWidth = kernelWidth;
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
    const { width, possible } = this;
    const core = this.#core;
    return withScope(core, (scope) => {
      const few = possible <= samples;
      const room = few ? possible : samples;
      const [masks, owner, found] = [scope.bytes(room * width), scope.indices(samples), scope.indices(1)];
      if (few) scope.check(core.linex_wasm_masks_enumerate(this.#kind, width, this.#seed, samples, masks, owner));
      else {
        scope.check(core.linex_wasm_masks_draw(this.#kind, width, this.#seed, 0, samples, masks));
        scope.check(core.linex_rows_merge(samples, width, masks, owner, found));
      }
      const distinct = few ? possible : scope.getIndices(found, 1)[0];
      const [distances, weights] = [scope.doubles(distinct), scope.doubles(distinct)];
      scope.check(core.linex_masks_weigh(distinct, width, masks, this.#scale, this.#kernelWidth, distances, weights));
      this.#masks = scope.getBytes(masks, distinct * width);
      this.#near = {
        distances: scope.getDoubles(distances, distinct),
        weights: scope.getDoubles(weights, distinct),
      };
      return { distinct, owner: scope.getIndices(owner, samples) };
    });
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
      points: null,
      masks: this.masks(0, count),
      distances: this.#near.distances.subarray(0, count),
      weights: this.#near.weights.subarray(0, count),
      at: new Float64Array(this.width).fill(1),
      kernelWidth: this.#kernelWidth,
    };
  }
}
