// Remembers the answers of a slow model, because the methods ask about the same samples.
import { createHash } from 'node:crypto';

/**
 * @template Batch
 * @typedef {object} Memory
 * @property {(batch: Batch) => string[]} keys  one per sample
 * @property {(batch: Batch, indices: number[]) => Batch} pick  makes a batch of some of the samples
 */

/** @type {Memory<string[]>} */
export const TEXTS = { keys: (texts) => texts, pick: (texts, indices) => indices.map((i) => texts[i]) };

/** Samples of a tensor, one after the other. @type {Memory<{ data: Float32Array, shape: readonly number[] }>} */
export const TENSORS = {
  keys({ data, shape: [count] }) {
    const size = data.length / count;
    return Array.from({ length: count }, (_, i) => {
      const { buffer, byteOffset, byteLength } = data.subarray(i * size, (i + 1) * size);
      return createHash('md5')
        .update(new Uint8Array(buffer, byteOffset, byteLength))
        .digest('latin1');
    });
  },
  pick({ data, shape: [count, ...sides] }, indices) {
    const size = data.length / count;
    const some = new Float32Array(indices.length * size);
    indices.forEach((i, at) => some.set(data.subarray(i * size, (i + 1) * size), at * size));
    return { data: some, shape: [indices.length, ...sides] };
  },
};

/**
 * Returns a model that is asked about each sample only once.
 *
 * @template Batch
 * @param {(batch: Batch) => ArrayLike<number>[] | Promise<ArrayLike<number>[]>} predict  one array per sample
 * @param {Memory<Batch>} memory
 */
export function remember(predict, { keys, pick }) {
  /** @type {Map<string, ArrayLike<number>>} */
  const known = new Map();
  return async (/** @type {Batch} */ batch) => {
    const names = keys(batch);
    const missing = [...new Map(names.map((name, i) => [name, i])).entries()].filter(([name]) => !known.has(name));
    if (missing.length > 0) {
      const indices = missing.map(([, i]) => i);
      const answers = await predict(pick(batch, indices));
      missing.forEach(([name], at) => known.set(name, answers[at]));
    }
    return names.map((name) => known.get(name));
  };
}
