// Finds the class that the model holds for likeliest besides the explained one.
import { targetName } from '../solve/settings.js';

/**
 * @typedef {object} Rival
 * @property {string | number} target  the class, or its index
 * @property {number} prediction  the model's answer for it
 */

/** How far from 1 the sum of shares may be: that of a thousand numbers of single precision. */
const ROUNDING = 1e-3;

/**
 * Returns the likeliest class besides the explained one, if the answers are shares.
 *
 * @param {import('../solve/settings.js').Settings} settings
 * @param {number} column  of the explained class
 * @param {ArrayLike<number> | null} atInput  one answer per class; null if it is not known
 * @returns {Rival | undefined}  undefined if the answers are no shares
 */
export function rivalOf(settings, column, atInput) {
  const shares = Array.from(atInput ?? []);
  const sum = shares.reduce((total, share) => total + share, 0);
  if (shares.length < 2 || Math.min(...shares) < 0 || Math.abs(sum - 1) > ROUNDING) return undefined;
  const prediction = Math.max(...shares.filter((_, i) => i !== column));
  const best = shares.findIndex((share, i) => share === prediction && i !== column);
  return { target: /** @type {string | number} */ (targetName(settings, best, shares.length)), prediction };
}
