// The coalitions of KernelSHAP, and the fit of Shapley values to the answers for them, in WebAssembly.
import { SHAPLEY, SHAPLEY_REPORT } from '../core/border.js';
import { withScope, withScopeAsync } from '../core/memory.js';
import { PROMPT_WORK, runTask, runTaskNow } from '../core/run-task.js';

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

/**
 * @typedef {import('../core/border.js').ShapleyReportRecord & { values: Float64Array, errors: Float64Array,
 *   agreement: Float64Array }} ShapleyFit
 */

/**
 * @param {Core} core
 * @param {Coalitions} coalitions
 * @param {Float64Array} answers  for the first of them, in whole pairs
 * @param {number} link
 * @param {{ signal?: AbortSignal, onSlice: (progress: number) => void }} options
 * @returns {Promise<ShapleyFit>}
 */
export function solveShapley(core, coalitions, answers, link, options) {
  return withScopeAsync(core, async (scope) => {
    const fit = putFit(scope, coalitions, answers, link);
    await runTask(scope, fit.start, options);
    return fit.read();
  });
}

/**
 * Solves at once.
 *
 * @param {Core} core
 * @param {Coalitions} coalitions
 * @param {Float64Array} answers
 * @param {number} link
 * @returns {ShapleyFit | null}  null if it takes too long
 */
export function solveShapleyNow(core, coalitions, answers, link) {
  return withScope(core, (scope) => {
    const fit = putFit(scope, coalitions, answers, link);
    return runTaskNow(scope, fit.start, PROMPT_WORK) ? fit.read() : null;
  });
}

/**
 * Writes what a fit needs.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {Coalitions} coalitions
 * @param {Float64Array} answers
 * @param {number} link
 */
function putFit(scope, { masks, count }, answers, link) {
  const featureCount = masks.length / count;
  // If no feature can make a difference there is one coalition, which is both full and empty.
  const [all, known] =
    featureCount === 0 ? [Uint8Array.of(1, 0), Float64Array.of(answers[0], answers[0])] : [masks, answers];
  const parts = Math.max(1, featureCount);
  const [features, report] = [scope.doubles(3 * parts), scope.doubles(SHAPLEY_REPORT.length)];
  const record = scope.putRecord(SHAPLEY, {
    ...{ count: known.length, parts, link },
    masks: scope.putBytes(all.subarray(0, known.length * parts)),
    answers: scope.putDoubles(known),
  });
  return {
    /** @param {import('../core/border.js').Indices} task */
    start: (task) => scope.core.linex_wasm_shapley_start(record, features, report, task),
    /** @returns {ShapleyFit} */
    read() {
      const found = scope.readRecord(SHAPLEY_REPORT, report);
      const [values, errors, agreement] = scope.listRows(features, 3, parts).map((list) => Float64Array.from(list));
      return { ...found, values, errors, agreement };
    },
  };
}
