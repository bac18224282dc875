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
  if (!atInput || atInput.length < 2) return undefined;
  let sum = 0;
  let best = column === 0 ? 1 : 0;
  for (let i = 0; i < atInput.length; i++) {
    if (!(atInput[i] >= 0)) return undefined;
    sum += atInput[i];
    if (i !== column && atInput[i] > atInput[best]) best = i;
  }
  if (Math.abs(sum - 1) > ROUNDING) return undefined;
  return {
    target: /** @type {string | number} */ (targetName(settings, best, atInput.length)),
    prediction: atInput[best],
  };
}
