// Test images of Fashion-MNIST and CIFAR10 for the study: the network, the images, their neighbors, and fresh samples.
import { explainImage, segmentImage } from 'linex';
import { shuffledOrder } from '../paper/sets/data.js';
import { testImages } from '../paper/sets/image-batches.js';
import { topOf } from '../paper/subjects/memo.js';
import { loadClassifier, PICTURE_INPUT } from '../paper/networks/networks.js';
import { remember, TENSORS } from './answer-memo.js';
import { drawMask, maskKernel } from './mask-samples.js';

const [COUNT, NEIGHBORS] = [8, 4];
/** The same cells in every image, so that neighbors can be compared. */
const SEGMENTS = Object.freeze({ kind: 'grid', count: 49 });
const KERNEL = { scale: 1, width: 0.25 };
/** Fresh images per call of the network. */
const BATCH = 100;

const rowsOf = ({ data, shape: [count, width] }) =>
  Array.from({ length: count }, (_, i) => data.subarray(i * width, (i + 1) * width));

/** Returns the images nearest to one of them. */
function nearestTo(index, images, count) {
  const squared = (other) => other.reduce((sum, value, p) => sum + (value - images[index][p]) ** 2, 0);
  const others = images.map((other, j) => ({ j, square: j === index ? Infinity : squared(other) }));
  others.sort((a, b) => a.square - b.square || a.j - b.j);
  return others.slice(0, count).map(({ j }) => j);
}

/** An image of bytes for explainImage: the channels of a pixel side by side. */
function pictureOf(tensor, [channels, height, width]) {
  const pixels = width * height;
  const data = new Uint8Array(tensor.length);
  for (let p = 0; p < pixels; p++)
    for (let c = 0; c < channels; c++) data[p * channels + c] = Math.round(255 * tensor[c * pixels + p]);
  return { data, width, height, channels };
}

/** Makes the hidden segments of an image black. */
function hide(tensor, labels, mask, into) {
  for (let i = 0; i < tensor.length; i++) into[i] = mask[labels[i % labels.length]] ? tensor[i] : 0;
}

/** @param {import('./pairs.js').Pair} pair */
export async function openImages({ data: name }) {
  const { batch } = testImages(/** @type {'fmnist' | 'cifar10'} */ (name));
  const [total, ...sides] = batch.shape;
  const size = batch.data.length / total;
  const images = Array.from({ length: total }, (_, i) => batch.data.subarray(i * size, (i + 1) * size));
  const { predict: run } = await loadClassifier(/** @type {'fmnist' | 'cifar10'} */ (name));
  const predict = async (some) => rowsOf(await run(some));
  const explained = shuffledOrder(total, 13).slice(0, COUNT);
  const { labels, count: parts } = await segmentImage(pictureOf(images[0], sides), SEGMENTS);
  const near = new Map();
  const neighborsOf = (example) => {
    if (!near.has(example)) near.set(example, nearestTo(explained[example], images, NEIGHBORS));
    return near.get(example);
  };
  const imageOf = (example, neighbor) =>
    images[neighbor === undefined ? explained[example] : neighborsOf(example)[neighbor]];
  const answersTo = async (tensors) => {
    const data = new Float32Array(tensors.length * size);
    tensors.forEach((tensor, i) => data.set(tensor, i * size));
    return predict({ data, shape: [tensors.length, ...sides] });
  };
  const targetOf = async (example) => topOf((await answersTo([imageOf(example)]))[0]);

  return {
    count: COUNT,
    about: {},
    featureCount: () => parts,
    neighborCount: () => NEIGHBORS,
    asked(example, neighbor) {
      const model = remember(predict, TENSORS);
      const picture = pictureOf(imageOf(example, neighbor), sides);
      const black = new Array(sides[0]).fill(0);
      return async (options) =>
        explainImage(picture, model, {
          ...{ segments: labels, hide: black, input: PICTURE_INPUT, target: await targetOf(example) },
          ...options,
        });
    },
    align: (_example, _neighbor, own, other) => [own.weights, other.weights],
    async fresh(example, count, seed) {
      const image = imageOf(example);
      const target = await targetOf(example);
      const points = drawMask('coins', parts, count, seed);
      const answers = [];
      for (let first = 0; first < count; first += BATCH) {
        const tensors = points.slice(first, first + BATCH).map((mask) => {
          const hidden = new Float32Array(size);
          hide(image, labels, mask, hidden);
          return hidden;
        });
        answers.push(...(await answersTo(tensors)).map((answer) => answer[target]));
      }
      return { points, answers, weights: points.map((mask) => maskKernel(mask, KERNEL)) };
    },
  };
}
