// Loads the neural network of film reviews.
import { readBytes, readJSON } from './read-bytes.js';
import { reviewWords } from './review-words.js';
import { rowsOf } from './tensor-rows.js';

/** Texts per run. It keeps the tensors small for any batch size of the caller. */
const BATCH = 256;

/**
 * Loads the network of film reviews: the sum of embeddings of words and of pairs of neighbors, then one hidden layer
 * (train-reviews.py).
 *
 * @param {typeof import('onnxruntime-web')} ort  onnxruntime; only `InferenceSession.create` and `Tensor` are used. In a
 *   page or a worker it is onnxruntime-web's `ort.wasm.min.mjs`, with its `env.wasm.wasmPaths` and `numThreads` set
 * @param {{ model?: string | URL, words?: string | URL }} [urls]  of reviews.onnx and reviews-network.json; default:
 *   the files in this folder
 * @returns {Promise<{ classes: string[], predict: (texts: string[]) => Promise<number[][]> }>}  predict: one row per
 *   text, the class probabilities
 * @throws {Error} if a file cannot be loaded
 */
export async function loadReviewNetwork(
  ort,
  {
    model = new URL('./reviews.onnx', import.meta.url),
    words = new URL('./reviews-network.json', import.meta.url),
  } = {},
) {
  const [bytes, file] = await Promise.all([readBytes(model), readJSON(words)]);
  const encode = makeEncoder(file);
  const session = await ort.InferenceSession.create(bytes);
  return {
    classes: file.classes,
    async predict(texts) {
      const answers = [];
      for (let start = 0; start < texts.length; start += BATCH) {
        const { data, shape } = pad(texts.slice(start, start + BATCH).map(encode));
        const { probabilities } = await session.run({ numbers: new ort.Tensor('int32', data, shape) });
        answers.push(...rowsOf(probabilities));
      }
      return answers;
    },
  };
}

/**
 * Returns a function that encodes a text as numbers. Words have the numbers from 1 in the order of the file, and pairs follow.
 * Unknown words and pairs have no number, but an unknown word still separates its neighbors.
 *
 * @param {{ words: string, pairs: number[] }} file
 */
function makeEncoder({ words, pairs }) {
  const list = words.split(' ');
  const singles = new Map(list.map((word, i) => [word, i + 1]));
  const key = (/** @type {number} */ a, /** @type {number} */ b) => a * (list.length + 1) + b;
  const doubles = new Map();
  for (let i = 0; i < pairs.length; i += 2) doubles.set(key(pairs[i], pairs[i + 1]), list.length + 1 + i / 2);
  return (/** @type {string} */ text) => {
    const wordNumbers = reviewWords(text).map((word) => singles.get(word) ?? 0);
    const pairNumbers = wordNumbers.slice(1).map((number, i) => doubles.get(key(wordNumbers[i], number)) ?? 0);
    return [...wordNumbers, ...pairNumbers].filter((number) => number > 0);
  };
}

/**
 * Joins rows of different lengths into one array. They are filled up with zeros, which the network ignores.
 *
 * @param {number[][]} rows
 */
function pad(rows) {
  const length = Math.max(1, ...rows.map((row) => row.length));
  const data = new Int32Array(rows.length * length);
  rows.forEach((row, i) => data.set(row, i * length));
  return { data, shape: [rows.length, length] };
}
