// The paper's black boxes and generators for pictures, trained by train-networks.py and train-generators.py.
import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-web';

const models = new URL('models/', import.meta.url);

/** Inputs a run: the larger network is no faster with more, and memory grows. */
const BATCH = 100;

/** @typedef {'fmnist' | 'cifar10'} Pictures */

/** @typedef {{ data: Float32Array, shape: readonly number[] }} Batch */

/** @typedef {(batch: Batch) => Promise<Batch>} Network  answers are a copy, of shape [count, …] as the input's is */

/** One input's shape, and one code's. */
const SHAPES = Object.freeze({
  fmnist: { images: [1, 28, 28], codes: [20] },
  cifar10: { images: [3, 32, 32], codes: [128] },
});

/** The `input` of `explainImage` and `latentNeighborhood` for these models: channels first, values in 0 … 1. */
export const PICTURE_INPUT = Object.freeze({ layout: 'nchw', scale: 1 / 255 });

/** What is known of the models, by their files' names: accuracy, error, how many pictures, how many parameters. */
export const readAccuracy = () => JSON.parse(readFileSync(new URL('accuracy.json', models), 'utf8'));

/**
 * The black box.
 *
 * @param {Pictures} name
 * @returns {Promise<{ predict: Network }>}  predict: pictures in 0 … 1, [count, 1, 28, 28] or [count, 3, 32, 32], to
 *   probabilities, [count, 10]
 */
export async function loadClassifier(name) {
  return { predict: await loadNetwork(`${name}-classifier`, SHAPES[name].images) };
}

/**
 * The variational auto-encoder, as `latentNeighborhood` takes it.
 *
 * @param {Pictures} name
 * @returns {Promise<{ encode: Network, decode: Network, radius: number }>}  encode: pictures to the means of their codes;
 *   decode: codes to pictures; radius: the deviation of MeLIME's neighbors in the space of codes, see train-generators.py
 */
export async function loadGenerator(name) {
  return {
    encode: await loadNetwork(`${name}-encoder`, SHAPES[name].images),
    decode: await loadNetwork(`${name}-decoder`, SHAPES[name].codes),
    radius: readAccuracy()[`${name}-generator`].radius,
  };
}

/**
 * @param {string} file  in models/, without its ending
 * @param {readonly number[]} sides  the shape of one input
 * @returns {Promise<Network>}
 */
async function loadNetwork(file, sides) {
  // The machine's other cores run other rows of the tables.
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(readFileSync(new URL(`${file}.onnx`, models)));
  const size = sides.reduce((product, side) => product * side, 1);
  return async ({ data, shape }) => {
    const [count, ...given] = shape;
    if (given.join() !== sides.join() || data.length !== count * size)
      throw new RangeError(`${file} takes [n, ${sides.join(', ')}], not [${shape}] of ${data.length} numbers`);
    const parts = [];
    for (let start = 0; start < count; start += BATCH) {
      const part = data.slice(start * size, (start + BATCH) * size);
      const input = new ort.Tensor('float32', part, [part.length / size, ...sides]);
      parts.push((await session.run({ [session.inputNames[0]]: input }))[session.outputNames[0]]);
    }
    return joined(parts, count);
  };
}

/**
 * @param {import('onnxruntime-web').Tensor[]} parts  each with rows of the same shape
 * @param {number} count  rows in all
 */
function joined(parts, count) {
  const sides = parts.length ? parts[0].dims.slice(1) : [0];
  const data = new Float32Array(parts.reduce((sum, { data: some }) => sum + some.length, 0));
  let end = 0;
  for (const part of parts) {
    data.set(/** @type {Float32Array} */ (part.data), end);
    end += part.data.length;
  }
  return { data, shape: [count, ...sides] };
}
