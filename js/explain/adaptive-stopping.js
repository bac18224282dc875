// When `samples: 'auto'` may stop: the leading features stay the same and their weights are certain enough.

/** Samples between two looks. It does not depend on the batch size, so the answer does not either. */
export const LOOK_EVERY = 128;
/** The leading features must stay the same for this many further looks. */
const SAME_LOOKS = 2;
/** How many features lead at most. */
const LEADERS = 5;

/** The fewest samples after which asking may stop: below that, asking about everything costs no more than looking. */
export const FEWEST = (SAME_LOOKS + 1) * LOOK_EVERY;

/** Compares each look at the weights with the last one. */
export class StoppingRule {
  #precision;
  /** The leading features at the last look, and for how many looks they have been the same. */
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
      // A small weight does not lead: which of the small ones comes fifth is chance.
      const large = leading.filter(({ weight }) => Math.abs(weight) >= enough);
      leaders.push(large.map(({ index }) => index).sort((a, b) => a - b));
    }
    const now = JSON.stringify(leaders);
    this.#last = { leaders: now, looks: now === this.#last.leaders ? this.#last.looks + 1 : 0 };
    return certain && this.#last.looks >= SAME_LOOKS;
  }
}
