// When `samples: 'auto'` may stop: the leading features stay the same and their weights are certain enough.
import { LOOK_EVERY, SAME_LOOKS } from './plan.js';

/** The largest number of leading features. */
const LEADERS = 5;

/** @typedef {Pick<import('../solve/solve-samples.js').Solved, 'fitted' | 'raw' | 'low' | 'high'>} Weighed */

/**
 * After how many coalitions the Shapley values are looked at: always whole pairs. Many features take longer to solve, so
 * there are more coalitions between two looks.
 *
 * @param {number} look  1, 2, …
 * @param {number} few  with fewer coalitions, the values are not looked at
 * @param {number} limit  the most coalitions, an even number
 */
export function coalitionsAt(look, few, limit) {
  const even = (/** @type {number} */ count) => 2 * Math.ceil(count / 2);
  const first = Math.max(LOOK_EVERY, even(few));
  return Math.min(first + (look - 1) * Math.max(LOOK_EVERY, even(few / 4)), limit);
}

/** Decides whether asking may stop. Compares the leading features with those of the last look. */
export class StoppingRule {
  #precision;
  /** The leading features at the last look, and the number of looks since they last changed. */
  #last = { leaders: '', looks: 0 };

  /** @param {number} precision  an interval is narrow enough below this share of the largest weight */
  constructor(precision) {
    this.#precision = precision;
  }

  /**
   * @param {readonly { solved: Weighed }[]} solutions  one per target, from all answers so far; none if there are too few
   *   answers
   * @returns {boolean}  whether asking may stop
   */
  isSettled(solutions) {
    if (solutions.length === 0) return false;
    const leaders = [];
    let certain = true;
    for (const { solved } of solutions) {
      // Weights that are not sure count too: more samples may make them sure.
      const size = (/** @type {number} */ index) => Math.abs(solved.raw[index]);
      const leading = [...solved.fitted].sort((a, b) => size(b) - size(a) || a - b).slice(0, LEADERS);
      const enough = this.#precision * (leading.length > 0 ? size(leading[0]) : 0);
      certain &&= leading.every((index) => {
        const [low, high] = [solved.low[index], solved.high[index]];
        return low > 0 || high < 0 || high - low <= enough;
      });
      // Small weights do not count as leading, because their order is random.
      leaders.push(leading.filter((index) => size(index) >= enough).sort((a, b) => a - b));
    }
    const now = JSON.stringify(leaders);
    this.#last = { leaders: now, looks: now === this.#last.leaders ? this.#last.looks + 1 : 0 };
    return certain && this.#last.looks >= SAME_LOOKS;
  }
}
