// Images for the measurements: with hidden segments, or with single pixels from a generator.
import * as linex from 'linex';
import { dice } from '../../support/dice.js';
import { readIdx, nearestOthers } from '../sets/data.js';
import { Memo, topOf } from './memo.js';
import { loadClassifier, loadGenerator, PICTURE_INPUT } from '../networks/networks.js';
import { explainOwn } from './surrogates.js';

/** With LIME's settings, quickshift finds only one or two segments in such small images; with these, about the paper's 73. */
const SEGMENTS = Object.freeze({ kind: 'quickshift', ratio: 0.5, kernel: 1, reach: 3 });

const rowsOf = ({ data, shape: [count, width] }) =>
  Array.from({ length: count }, (_, i) => data.subarray(i * width, (i + 1) * width));

/**
 * Returns the images to explain, and the model's accuracy on all test images.
 *
 * @param {string} folder
 * @param {{ images: string, labels: string, name: 'fmnist' | 'cifar10' }} from
 * @param {{ examples: number, neighbors: number }} size
 */
export async function openPictures(folder, { images, labels, name }, { examples, neighbors }) {
  const { shape, data } = readIdx(folder, images);
  const [count, height, width, channels = 1] = shape;
  const bytes = height * width * channels;
  const pictures = Array.from({ length: count }, (_, i) => data.subarray(i * bytes, (i + 1) * bytes));
  const { predict } = await loadClassifier(name);
  const size = { width, height, channels };
  const answers = rowsOf(await predict(tensorOf(pictures, size)));
  const { data: truth } = readIdx(folder, labels);
  const right = answers.filter((answer, i) => topOf(answer) === truth[i]);
  const explained = pictures.slice(0, examples);
  return new ImageSubject({
    pictures: explained,
    answers: answers.slice(0, examples),
    size,
    predict,
    name,
    neighbors: nearestOthers(explained, neighbors),
    about: { accuracy: right.length / count },
  });
}

/** Channels first, values from 0 to 1. */
function tensorOf(pictures, { width, height, channels }) {
  const pixels = width * height;
  const data = new Float32Array(pictures.length * pixels * channels);
  pictures.forEach((picture, i) => {
    for (let c = 0; c < channels; c++)
      for (let p = 0; p < pixels; p++) data[(i * channels + c) * pixels + p] = picture[p * channels + c] / 255;
  });
  return { data, shape: [pictures.length, channels, height, width] };
}

class ImageSubject {
  #parts;
  #memo = new Memo();
  #generator;
  #labels = new Map();

  constructor(parts) {
    this.#parts = parts;
    this.count = parts.pictures.length;
    this.neighbors = parts.neighbors;
    this.about = parts.about;
    this.width = parts.size.width * parts.size.height;
  }

  async #latent() {
    const { encode, decode, radius } = await loadGenerator(this.#parts.name);
    return linex.latentNeighborhood({ encode, decode }, { radius, input: PICTURE_INPUT });
  }

  async #segments(example, image) {
    if (!this.#labels.has(example)) this.#labels.set(example, (await linex.segmentImage(image, SEGMENTS)).labels);
    return this.#labels.get(example);
  }

  /** Returns the pixels of an image and of its neighbors, from `low` to 1, with the answers for the image's class. */
  async #ownSamples(low, example, count, seed) {
    const { pictures, size, predict } = this.#parts;
    const image = { data: Float32Array.from(pictures[example]), ...size };
    const neighborhood = await (this.#generator ??= this.#latent());
    const { uniform } = dice(seed);
    const made = await neighborhood.sample(image, count - 1, uniform, { sampling: 'independent' });
    const all = [image.data, ...made];
    const answers = rowsOf(await predict(tensorOf(all, size)));
    const top = topOf(answers[0]);
    return { points: all.map((one) => pixelsOf(one, size, low)), predictions: answers.map((answer) => answer[top]) };
  }

  async explain(example, config, seed) {
    const { kind, samples, options, way } = config;
    const { pictures, size, predict } = this.#parts;
    if (way) {
      const memo = this.#memo.of(example, seed, kind, samples);
      const low = lowOf(config);
      return explainOwn(await memo.once(low, () => this.#ownSamples(low, example, samples, seed)), config, seed);
    }
    const image = { data: pictures[example], ...size };
    const shared = { seed, input: PICTURE_INPUT };
    // Hidden segments are black. With the mean color, a segment of a single color would not change, so it would show nothing.
    const hide = new Array(size.channels).fill(0);
    if (kind === 'shap') return linex.explainImage(image, predict, { ...shared, hide, unit: 'pixel', ...options });
    const memo = this.#memo.of(example, seed, kind, samples, options.sampling);
    const how = { ...shared, samples, batchSize: samples, preset: 'paper', draws: 0, ...options };
    if (kind === 'random')
      return linex.explainImage(image, memo.model(predict), {
        ...how,
        hide,
        segments: await this.#segments(example, image),
      });
    const neighborhood = memo.neighborhood(await (this.#generator ??= this.#latent()));
    return linex.explainImage(image, memo.model(predict), { ...how, unit: 'pixel', neighborhood });
  }

  align(entries) {
    return { vectors: entries.map(({ kept }) => Array.from(kept.weights)), width: entries[0].kept.weights.length };
  }

  addWeights(sum, { kept }, share) {
    for (let p = 0; p < sum.length; p++) sum[p] += share * kept.weights[p];
  }

  addInput(sum, { example }, share) {
    for (let p = 0; p < sum.length; p++) sum[p] += share * this.#brightness(example, p);
  }

  /** Returns the brightness of all pixels of an image. */
  brightness = (example) => Array.from({ length: this.width }, (_, p) => this.#brightness(example, p));
  size = () => this.#parts.size;
  answer = (example) => this.#parts.answers[example];

  /** Returns a pixel as the surrogate's feature: the mean of its channels, from 0 to 1. */
  #brightness(example, p) {
    const { pictures, size } = this.#parts;
    let sum = 0;
    for (let c = 0; c < size.channels; c++) sum += pictures[example][p * size.channels + c];
    return sum / size.channels / 255;
  }

  classOf = (example) => topOf(this.#parts.answers[example]);

  answerAt({ kept, config }, at) {
    const low = lowOf(config);
    const seen = (p) => (1 - low) * this.#brightness(at, p) + low;
    return kept.weights.reduce((sum, weight, p) => (weight ? sum + weight * seen(p) : sum), kept.intercept);
  }

  /** The reference for absence is black. */
  reference(example) {
    const at = this.brightness(example);
    return { at, reference: at.map(() => 0) };
  }

  /** Makes pixels or segments black, as in the paper. */
  async without(example, parts, { kind }) {
    const { pictures, size, predict } = this.#parts;
    const labels = kind === 'random' ? this.#labels.get(example) : undefined;
    const ablated = parts.map((features) => {
      const picture = Float32Array.from(pictures[example]);
      for (const feature of features) paint(picture, size.channels, labels, feature);
      return picture;
    });
    const top = this.classOf(example);
    const answers = rowsOf(await predict(tensorOf(ablated, size)));
    return answers.map((answer) => ({ score: answer[top], same: topOf(answer) === top, top: topOf(answer) }));
  }
}

/** What black is under a reading. */
const lowOf = ({ way }) => (way === 'signed' || way === 'sgd' ? -1 : 0);

/** Returns the mean of the channels of each pixel, from `low` to 1. */
function pixelsOf(values, { width, height, channels }, low) {
  const pixels = new Float64Array(width * height);
  for (let p = 0; p < pixels.length; p++) {
    for (let c = 0; c < channels; c++) pixels[p] += values[p * channels + c];
    pixels[p] = ((1 - low) * pixels[p]) / channels / 255 + low;
  }
  return pixels;
}

function paint(picture, channels, labels, feature) {
  const pixels = labels ? Array.from(labels.keys()).filter((p) => labels[p] === feature) : [feature];
  for (const p of pixels) picture.fill(0, p * channels, (p + 1) * channels);
}
