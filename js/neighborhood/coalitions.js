// The coalitions of KernelSHAP: which features the model is asked about together, drawn in WebAssembly.
import { withScopeAsync } from '../core/memory.js';
import { runTask } from '../core/run-task.js';

/** @typedef {import('../core/load.js').Core} Core */

/**
 * Coalitions are drawn in pairs, by the law that linex.h describes. More can be drawn later: the earlier ones stay the
 * same.
 */
export class Coalitions {
  #core;
  #featureCount;
  #most;
  #seed;
  /** One byte per feature, one coalition after the other: all features, none, then pairs. */
  masks = new Uint8Array(0);
  /** How many are drawn. */
  count = 0;

  /**
   * @param {Core} core
   * @param {number} featureCount  if 0, there is one coalition, which is both full and empty
   * @param {number} most  how many there may be in the end
   * @param {number} seed
   */
  constructor(core, featureCount, most, seed) {
    this.#core = core;
    this.#featureCount = featureCount;
    this.#most = most;
    this.#seed = seed;
  }

  /**
   * Draws coalitions until there are `count`.
   *
   * @param {number} count  even, unless there is one coalition in all
   * @param {AbortSignal} [signal]
   */
  async draw(count, signal) {
    const [featureCount, first] = [this.#featureCount, this.count];
    if (featureCount > 0) {
      const drawn = await withScopeAsync(this.#core, async (scope) => {
        const bytes = scope.bytes((count - first) * featureCount);
        const range = /** @type {const} */ ([first, count - first, bytes]);
        const start = (/** @type {import('../core/border.js').Indices} */ task) =>
          this.#core.linex_wasm_coalitions_start(featureCount, this.#most, this.#seed, ...range, task);
        await runTask(scope, start, { signal });
        return scope.getBytes(bytes, (count - first) * featureCount);
      });
      const masks = new Uint8Array(count * featureCount);
      masks.set(this.masks);
      masks.set(drawn, first * featureCount);
      this.masks = masks;
    }
    this.count = count;
  }
}
