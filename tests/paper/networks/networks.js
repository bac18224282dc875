// Loads the paper's image classifiers and generators, which train-networks.py and train-generators.py have trained.
import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-web';

const models = new URL('../models/', import.meta.url);

/** Inputs per run. With more, the larger network is not faster and needs more memory. */
const BATCH = 100;

/** @typedef {'fmnist' | 'cifar10'} Pictures */

/** @typedef {{ data: Float32Array, shape: readonly number[] }} Batch */

/** @typedef {(batch: Batch) => Promise<Batch>} Network  returns a copy with the shape [count, …], like the input */

/** The shapes of one image and of one code. */
const SHAPES = Object.freeze({
  fmnist: { images: [1, 28, 28], codes: [20] },
  cifar10: { images: [3, 32, 32], codes: [128] },
});

/** The `input` of `explainImage` and `latentNeighborhood` for these models: channels first, values from 0 to 1. */
export const PICTURE_INPUT = Object.freeze({ layout: 'nchw', scale: 1 / 255 });

/** Reads the facts about the models by file name: accuracy, error, numbers of images and of parameters. */
export const readAccuracy = () => JSON.parse(readFileSync(new URL('accuracy.json', models), 'utf8'));

/**
 * Loads a classifier.
 *
 * @param {Pictures} name
 * @returns {Promise<{ predict: Network }>}  predict: takes images from 0 to 1, [count, 1, 28, 28] or
 *   [count, 3, 32, 32], and returns probabilities, [count, 10]
 */
export async function loadClassifier(name) {
  return { predict: await loadNetwork(`${name}-classifier`, SHAPES[name].images) };
}

/**
 * Loads a variational autoencoder, for `latentNeighborhood`.
 *
 * @param {Pictures} name
 * @returns {Promise<{ encode: Network, decode: Network, radius: number }>}  encode: images to the means of their codes;
 *   decode: codes to images; radius: the deviation of MeLIME's neighbors in code space, see train-generators.py
 */
export async function loadGenerator(name) {
  return {
    encode: await loadNetwork(`${name}-encoder`, SHAPES[name].images),
    decode: await loadNetwork(`${name}-decoder`, SHAPES[name].codes),
    radius: readAccuracy()[`${name}-generator`].radius,
  };
}

/**
 * @param {string} file  in models/, without its extension
 * @param {readonly number[]} sides  the shape of one input
 * @returns {Promise<Network>}
 */
async function loadNetwork(file, sides) {
  // One thread, because the other cores run other rows of the tables.
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
 * @param {number} count  the total number of rows
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
