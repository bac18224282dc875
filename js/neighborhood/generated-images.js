// Images that a sampler made, and how bright each segment is in them.
import { checkList } from '../core/check-lists.js';
import { show } from '../core/errors.js';
import { weighPoints } from './row-neighborhood.js';
import { checkOwnEnvironments, drawSamples } from './drawn-samples.js';

/** @typedef {import('./sampler.js').ImageSampler} ImageSampler */

/**
 * Images that a sampler made. The surrogate sees the mean brightness of each segment, from 0 to 1.
 */
export class GeneratedImages {
  #composer;
  #kernelWidth;
  #images;
  #given;
  #points;
  possible = Infinity;

  /**
   * @param {import('./compose-images.js').ImageComposer} composer
   * @param {{ images: Float32Array[], weights?: Float64Array }} made  the input comes first
   * @param {number} kernelWidth
   */
  constructor(composer, { images, weights }, kernelWidth) {
    this.#composer = composer;
    this.#kernelWidth = kernelWidth;
    this.#images = images;
    this.#given = weights;
    this.#points = brightness(images, composer.labels, composer.count);
  }

  /**
   * Draws the images.
   *
   * @param {ImageSampler} sampler
   * @param {import('./compose-images.js').ImageComposer} composer
   * @param {object} options
   * @param {{ width: number, height: number, channels: number }} options.size
   * @param {number} options.samples  including the input
   * @param {{ seed: number, sampling: import('./sampler.js').Sampling, environments: any }} options.settings
   * @param {number} options.kernelWidth
   * @param {AbortSignal} [options.signal]
   */
  static async draw(sampler, composer, { size, samples, settings, kernelWidth, signal }) {
    const data = /** @type {Float32Array} */ (composer.image);
    const { width, height, channels } = size;
    const read = (/** @type {any} */ image, /** @type {string} */ name) => readImage(image, name, data.length);
    const { seed, sampling } = settings;
    const center = { data: data.slice(), width, height, channels };
    const made = await drawSamples(sampler, center, samples - 1, { seed, sampling, signal, read });
    checkOwnEnvironments(settings.environments, made.samples.length + 1);
    return new GeneratedImages(composer, { images: [data, ...made.samples], weights: made.weights }, kernelWidth);
  }

  /** The brightness of each segment of the input. */
  get brightness() {
    return this.#points.subarray(0, this.#composer.count);
  }

  /** @param {number} samples */
  make(samples) {
    const planned = Math.min(samples, this.#images.length);
    return { distinct: planned, pointOf: Uint32Array.from({ length: planned }, (_, i) => i), planned };
  }

  /**
   * @param {number} first
   * @param {number} count
   * @param {number} lane
   */
  batch(first, count, lane) {
    return this.#composer.write(this.#images.slice(first, first + count), lane);
  }

  /** @param {number} count @param {import('../core/memory.js').Scope} scope */
  place(count, scope) {
    const featureCount = this.#composer.count;
    const kernelWidth = this.#kernelWidth;
    const points = scope.putDoubles(this.#points.subarray(0, count * featureCount));
    // The first point is the input itself.
    const near = weighPoints(scope, points, points, { count, featureCount, kernelWidth });
    const own = this.#given?.subarray(0, count);
    const placed = { ...near, featureCount, points, masks: NONE, input: points, kernelWidth };
    return own ? { ...placed, weights: scope.putDoubles(own), weighed: true } : { ...placed, weighed: false };
  }
}

const NONE = /** @type {import('../core/border.js').None} */ (0);

/**
 * @param {ArrayLike<number>} image
 * @param {string} name
 * @param {number} length
 */
function readImage(image, name, length) {
  checkList(image, name, `an image of ${length} values like center.data`, length);
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const value = image[i];
    if (!(typeof value === 'number' && value >= 0 && value <= 255))
      throw new RangeError(`${name} must have values from 0 to 255, not ${show(value)} at ${i}`);
    values[i] = value;
  }
  return values;
}

/**
 * Computes the mean brightness of each segment in each image.
 *
 * @param {readonly Float32Array[]} images
 * @param {Uint32Array} labels
 * @param {number} count  how many segments
 */
function brightness(images, labels, count) {
  const channels = images[0].length / labels.length;
  const sizes = new Float64Array(count);
  for (const label of labels) sizes[label] += 255 * channels;
  const points = new Float64Array(images.length * count);
  images.forEach((image, i) => {
    for (let p = 0; p < image.length; p++) points[i * count + labels[Math.floor(p / channels)]] += image[p];
    for (let label = 0; label < count; label++) points[i * count + label] /= sizes[label];
  });
  return points;
}
