// The keys of answers in a cache: a hash of the model's name and of what it was asked about.
import { sizeOf } from './model-batches.js';

/**
 * Where answers are kept. Write your own for a database.
 *
 * @typedef {object} AnswerCache
 * @property {(keys: readonly string[]) => Promise<readonly (ArrayLike<number> | undefined)[]>} get  the answer for each key
 * @property {(entries: readonly (readonly [string, readonly number[]])[]) => Promise<void>} set  resolves when the answers
 *   are safe
 * @property {boolean} [lasting]  false if it ends with the process, so that models need no names
 */

/**
 * One key per sample.
 *
 * @param {any} batch
 * @param {string} model
 * @returns {Promise<string[]>}  32 hexadecimal digits each
 * @throws {Error} in a page that has no `crypto.subtle`
 */
export async function keysOf(batch, model) {
  const { subtle } = globalThis.crypto ?? {};
  if (!subtle) throw new Error('a cache needs crypto.subtle, which a page has only over https or on localhost');
  const writer = new TextEncoder();
  return Promise.all(
    Array.from({ length: sizeOf(batch) }, async (_, i) => {
      const [words, bytes] = contentOf(batch, i);
      const head = writer.encode(JSON.stringify([model, ...words]));
      const all = new Uint8Array(head.length + bytes.length);
      all.set(head);
      all.set(bytes, head.length);
      const digest = new Uint8Array(await subtle.digest('SHA-256', all));
      return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
    }),
  );
}

/**
 * What a sample is, as words and as bytes. Codes of levels depend on the table, so a row has its levels too.
 *
 * @param {any} batch
 * @param {number} i
 * @returns {[unknown[], Uint8Array]}
 */
function contentOf(batch, i) {
  if (Array.isArray(batch)) return [['text', batch[i]], new Uint8Array(0)];
  const { data, shape, layout = null } = batch;
  const length = data.length / shape[0];
  const part = data.subarray(i * length, (i + 1) * length);
  const words = [data.BYTES_PER_ELEMENT, shape.slice(1), layout, batch.records?.[i] ?? null];
  return [words, new Uint8Array(part.buffer, part.byteOffset, part.byteLength)];
}
