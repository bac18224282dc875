import { readBytes, readJSON } from './read-bytes.js';
import { reviewWords } from './review-words.js';
import { rowsOf } from './tensor-rows.js';

/** Texts a run: keeps the tensors small, whatever the caller's batch. */
const BATCH = 256;

/**
 * Loads the network of film reviews: words and pairs of neighbors, added up, one hidden layer (train-reviews.py).
 *
 * @param {typeof import('onnxruntime-web')} ort  onnxruntime, of which `InferenceSession.create` and `Tensor` are used:
 *   in a page or a worker onnxruntime-web's `ort.wasm.min.mjs`, with its `env.wasm.wasmPaths` and `numThreads` set
 * @param {{ model?: string | URL, words?: string | URL }} [urls]  of reviews.onnx and reviews-network.json; by default
 *   the files beside this one
 * @returns {Promise<{ classes: string[], predict: (texts: string[]) => Promise<number[][]> }>}  predict: one row a text,
 *   the probabilities of the classes in it
 * @throws {Error} if a file cannot be had
 */
export async function loadReviewNetwork(
  ort,
  {
    model = new URL('./reviews.onnx', import.meta.url),
    words = new URL('./reviews-network.json', import.meta.url),
  } = {},
) {
  const [bytes, file] = await Promise.all([readBytes(model), readJSON(words)]);
  const numbersOf = numberer(file);
  const session = await ort.InferenceSession.create(bytes);
  return {
    classes: file.classes,
    async predict(texts) {
      const answers = [];
      for (let start = 0; start < texts.length; start += BATCH) {
        const { data, shape } = pad(texts.slice(start, start + BATCH).map(numbersOf));
        const { probabilities } = await session.run({ numbers: new ort.Tensor('int32', data, shape) });
        answers.push(...rowsOf(probabilities));
      }
      return answers;
    },
  };
}

/**
 * How a text becomes numbers: words count from 1 in the order of the file, pairs after them. What is not known has none;
 * a word that is not known still stands between its neighbors.
 *
 * @param {{ words: string, pairs: number[] }} file
 */
function numberer({ words, pairs }) {
  const list = words.split(' ');
  const singles = new Map(list.map((word, i) => [word, i + 1]));
  const key = (/** @type {number} */ a, /** @type {number} */ b) => a * (list.length + 1) + b;
  const doubles = new Map();
  for (let i = 0; i < pairs.length; i += 2) doubles.set(key(pairs[i], pairs[i + 1]), list.length + 1 + i / 2);
  return (/** @type {string} */ text) => {
    const found = reviewWords(text).map((word) => singles.get(word) ?? 0);
    const beside = found.slice(1).map((number, i) => doubles.get(key(found[i], number)) ?? 0);
    return [...found, ...beside].filter((number) => number > 0);
  };
}

/**
 * One row a text, filled up with zeros, which the network takes for nothing.
 *
 * @param {number[][]} rows
 */
function pad(rows) {
  const length = Math.max(1, ...rows.map((row) => row.length));
  const data = new Int32Array(rows.length * length);
  rows.forEach((row, i) => data.set(row, i * length));
  return { data, shape: [rows.length, length] };
}
