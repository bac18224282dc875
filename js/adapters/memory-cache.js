// A cache of answers in memory.
import { checkCount, checkNames } from '../core/check-options.js';

/**
 * Keeps answers in memory, as long as the page or the process lives.
 *
 * @param {{ most?: number }} [options]  most: how many answers are kept; the oldest are forgotten; default 100,000
 * @returns {import('./answer-keys.js').AnswerCache}
 * @throws {TypeError | RangeError} for a bad option
 */
export function memoryCache(options = {}) {
  const { most = 100000 } = checkNames(options, ['most'], 'memoryCache');
  checkCount(most, 'most', 1);
  /** @type {Map<string, readonly number[]>} */
  const answers = new Map();
  return {
    lasting: false,
    get: async (keys) => keys.map((key) => answers.get(key)),
    async set(entries) {
      for (const [key, answer] of entries) answers.set(key, answer);
      for (const key of answers.keys()) {
        if (answers.size <= most) break;
        answers.delete(key);
      }
    },
  };
}
