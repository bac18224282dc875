// Draws masks by LIME's laws for the fresh samples, with another generator than the library's.
import { dice } from '../support/dice.js';

/**
 * Draws masks: 1 for a part that is kept.
 *
 * @param {'sizes' | 'coins'} kind  `'sizes'`: the number of removed parts is uniform; `'coins'`: each part is removed with
 *   probability 1/2
 * @param {number} parts
 * @param {number} count
 * @param {number} seed
 * @returns {number[][]}
 */
export function drawMask(kind, parts, count, seed) {
  const { below } = dice(seed);
  return Array.from({ length: count }, () => {
    if (kind === 'coins') return Array.from({ length: parts }, () => below(2));
    const mask = new Array(parts).fill(1);
    for (let removed = 1 + below(parts); removed > 0; removed--) {
      let part = below(parts);
      while (!mask[part]) part = below(parts);
      mask[part] = 0;
    }
    return mask;
  });
}

/** LIME's weight of a mask, by its cosine distance from the full one. */
export function maskKernel(mask, { scale, width }) {
  const kept = mask.reduce((sum, one) => sum + one, 0);
  const distance = scale * (1 - Math.sqrt(kept / mask.length));
  return Math.exp(-(distance ** 2) / width ** 2 / 2);
}
