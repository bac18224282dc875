// When `samples: 'auto'` may stop: the leading features stay the same and their weights are certain enough.

/**
 * Samples between two looks at the weights. It does not depend on the batch size, so the result does not depend on it
 * either.
 */
const LOOK_EVERY = 128;
/** The leading features must stay the same in this many further looks. */
const SAME_LOOKS = 2;
/** The largest number of leading features. */
const LEADERS = 5;

/** The fewest samples after which asking may stop. With fewer possible samples, all of them are asked. */
export const FEWEST = (SAME_LOOKS + 1) * LOOK_EVERY;

/**
 * After how many samples the weights are looked at. Designed samples come in runs after the input, and are looked at in
 * whole runs.
 *
 * @param {number} look  1, 2, …
 * @param {import('../neighborhood/sampler.js').Sampling} sampling
 * @param {number} limit  the most samples
 * @param {number} [run]  how many consecutive samples belong together
 */
export function lookAt(look, sampling, limit, run = 1) {
  const first = sampling === 'designed' ? 1 : 0;
  const step = Math.ceil(LOOK_EVERY / run) * run;
  // The last look is not at a part of a run, unless the limit allows no whole run.
  const last = Math.floor((limit - first) / run) * run + first;
  return Math.min(first + look * step, last > first ? last : limit);
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
   * @param {readonly import('./explanation.js').Explanation[]} explanations  one per target, from all answers so far; none
   *   if there are too few answers
   * @returns {boolean}  whether asking may stop
   */
  isSettled(explanations) {
    if (explanations.length === 0) return false;
    const leaders = [];
    let certain = true;
    for (const { features } of explanations) {
      const enough = this.#precision * Math.abs(features[0]?.weight ?? 0);
      const leading = features.slice(0, LEADERS);
      certain &&= leading.every(
        ({ interval }) => !interval || interval[0] > 0 || interval[1] < 0 || interval[1] - interval[0] <= enough,
      );
      // Small weights do not count as leading, because their order is random.
      const large = leading.filter(({ weight }) => Math.abs(weight) >= enough);
      leaders.push(large.map(({ index }) => index).sort((a, b) => a - b));
    }
    const now = JSON.stringify(leaders);
    this.#last = { leaders: now, looks: now === this.#last.leaders ? this.#last.looks + 1 : 0 };
    return certain && this.#last.looks >= SAME_LOOKS;
  }
}
