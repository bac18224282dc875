// Loads the network that classifies garments.
import { readBytes } from './read-bytes.js';
import { rowsOf } from './tensor-rows.js';

/** The classes of the network, in the order of its answers. */
export const GARMENTS = Object.freeze([
  'T-shirt',
  'trouser',
  'pullover',
  'dress',
  'coat',
  'sandal',
  'shirt',
  'sneaker',
  'bag',
  'ankle boot',
]);

/** The `input` that explainImage needs for this network: one gray channel from 0 to 1, channels first. */
export const GARMENT_INPUT = Object.freeze({ layout: 'nchw', type: 'float32', scale: 1 / 255 });

/** Images per run. */
const BATCH = 128;
const PIXELS = 28 * 28;

/**
 * Loads the network of garments, trained on Fashion-MNIST (train-garments.py).
 *
 * @param {typeof import('onnxruntime-web')} ort  onnxruntime; only `InferenceSession.create` and `Tensor` are used
 * @param {string | URL} [url]  of garments.onnx; default: the file in this folder
 * @returns {Promise<{ classes: readonly string[],
 *   predict: (batch: { data: Float32Array, shape: readonly number[] }) => Promise<number[][]> }>}  predict: takes data of
 *   shape [n, 1, 28, 28], gray from 0 to 1, light garments on black; returns one row per image, the class probabilities
 * @throws {Error} if the file cannot be loaded
 */
export async function loadGarments(ort, url = new URL('./garments.onnx', import.meta.url)) {
  const session = await ort.InferenceSession.create(await readBytes(url));
  return {
    classes: GARMENTS,
    async predict({ data, shape }) {
      const [count, ...sides] = shape;
      if (sides.join() !== '1,28,28' || data.length !== count * PIXELS)
        throw new RangeError(`images must have shape [n, 1, 28, 28], not [${shape}] with ${data.length} numbers`);
      const answers = [];
      for (let start = 0; start < count; start += BATCH) {
        const part = data.subarray(start * PIXELS, (start + BATCH) * PIXELS);
        const images = new ort.Tensor('float32', part, [part.length / PIXELS, 1, 28, 28]);
        const { probabilities } = await session.run({ images });
        answers.push(...rowsOf(probabilities));
      }
      return answers;
    },
  };
}
