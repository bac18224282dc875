// MeLIME's surrogate for images: stochastic gradient descent from zero, and a game between players who fit that way.
import { dice } from '../../support/dice.js';

/** The settings of MeLIME's SGDRegressorMod: the penalty, the step, its number of mini-batches and its tolerance. */
export const MELIME = Object.freeze({ alpha: 0.001, eta0: 0.001, passes: 100, tolerance: 0.001 });

/**
 * @typedef {object} Answered
 * @property {ArrayLike<number>[]} points  the input is the first
 * @property {ArrayLike<number>} predictions
 * @property {ArrayLike<number>} weights  a sample of weight 0 is skipped
 */

/** A linear model that is fitted by passes over samples, as SGDRegressor.partial_fit does with a constant step. */
export class Descent {
  constructor(width) {
    this.own = new Float64Array(width);
    this.intercept = 0;
  }

  /**
   * One pass. `sum` has the weights of all players together and changes with this one.
   *
   * @param {Answered} samples
   * @param {readonly number[]} order  of the samples
   * @param {{ weights: Float64Array, intercept: number }} sum
   */
  pass({ points, predictions, weights }, order, sum, { alpha, eta0 } = MELIME) {
    const { own } = this;
    const whole = sum.weights;
    for (const i of order) {
      const shrink = eta0 * alpha;
      const point = points[i];
      let answer = sum.intercept;
      for (let c = 0; c < own.length; c++) answer += whole[c] * point[c];
      const step = -eta0 * (answer - predictions[i]) * weights[i];
      for (let c = 0; c < own.length; c++) {
        const change = step * point[c] - shrink * own[c];
        own[c] += change;
        whole[c] += change;
      }
      this.intercept += step;
      sum.intercept += step;
    }
  }

  /** Keeps the own weights within a bound, as Algorithm 1 does. */
  bound(gamma, sum) {
    for (let c = 0; c < this.own.length; c++) {
      const kept = Math.min(gamma, Math.max(-gamma, this.own[c]));
      sum.weights[c] += kept - this.own[c];
      this.own[c] = kept;
    }
  }
}

const answerOf = ({ weights, intercept }, point) => weights.reduce((sum, w, c) => sum + w * point[c], intercept);

/** MeLIME's rule: small errors at the samples and at the input, and small changes of the weights. */
function isEnough({ points, predictions }, sum, previous, { tolerance } = MELIME) {
  const change = sum.weights.reduce((total, w, c) => total + Math.abs(w - previous[c]), 0) / sum.weights.length;
  if (change >= tolerance) return false;
  const error = (i) => (answerOf(sum, points[i]) - predictions[i]) ** 2;
  if (error(0) > tolerance) return false;
  return predictions.reduce((total, _, i) => total + error(i), 0) / predictions.length <= tolerance;
}

/**
 * Plays or fits: each pass, every player passes once over its samples.
 *
 * @param {Answered} all  for the rule that ends it
 * @param {Answered[]} parts  the samples of each player; one part is MeLIME's fit
 * @param {{ gamma?: number, random: ReturnType<typeof dice>, passes?: number }} how
 * @returns {{ weights: Float64Array, intercept: number, passes: number, ended: boolean }}  ended: by the rule, before the limit
 */
function play(all, parts, { gamma = Infinity, random, passes = MELIME.passes }) {
  const width = all.points[0].length;
  const sum = { weights: new Float64Array(width), intercept: 0 };
  const players = parts.map(() => new Descent(width));
  for (let pass = 1; pass <= passes; pass++) {
    const previous = sum.weights.slice();
    for (const [p, player] of players.entries()) {
      player.pass(parts[p], shuffled(parts[p], random), sum);
      player.bound(gamma, sum);
    }
    if (pass > 1 && isEnough(all, sum, previous)) return { ...sum, passes: pass, ended: true };
  }
  return { ...sum, passes, ended: false };
}

/** Returns the samples that count, in random order. */
function shuffled({ weights }, { below }) {
  const order = Array.from(weights.keys()).filter((i) => weights[i] > 0);
  for (let last = order.length - 1; last > 0; last--) {
    const pick = below(last + 1);
    [order[last], order[pick]] = [order[pick], order[last]];
  }
  return order;
}

/** Draws a bootstrap of the samples; the input, which is the first, is in each, as MeLIME adds it to each mini-batch. */
function bootstrap({ points, predictions, weights }, { below }) {
  const counts = new Float64Array(points.length);
  for (let i = 1; i < points.length; i++) counts[1 + below(points.length - 1)]++;
  counts[0] = 1;
  return { points, predictions, weights: counts.map((count, i) => count * weights[i]) };
}

/** Weights below this share of the largest change nothing and only take time. */
const NEGLIGIBLE = 1e-9;

/** @param {Answered} samples */
function withoutNegligible({ points, predictions, weights }) {
  const least = NEGLIGIBLE * Math.max(...weights);
  return { points, predictions, weights: Float64Array.from(weights, (weight) => (weight < least ? 0 : weight)) };
}

/**
 * Fits MeLIME's surrogate.
 *
 * @param {Answered} samples
 * @param {{ seed: number, passes?: number }} how
 */
export function fitByDescent(samples, { seed, passes }) {
  const all = withoutNegligible(samples);
  return play(all, [all], { random: dice(seed), passes });
}

/**
 * Plays LINEX with players who fit as MeLIME does: Algorithm 1, with one pass of descent in place of the exact best response.
 * This is our reading; the paper does not say how its players fit. Gamma is the largest weight that a player fits alone.
 *
 * @param {Answered} samples
 * @param {{ seed: number, count?: number, passes?: number }} how
 */
export function playByDescent(samples, { seed, count = 2, passes }) {
  const random = dice(seed);
  const all = withoutNegligible(samples);
  const parts = Array.from({ length: count }, () => bootstrap(all, random));
  const alone = parts.map((part) => play(part, [part], { random, passes }).weights);
  const gamma = Math.max(...alone.map((weights) => weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0)));
  return { ...play(all, parts, { gamma, random, passes }), gamma };
}
