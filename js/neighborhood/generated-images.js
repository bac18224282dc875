import { show } from '../core/errors.js';
import { checkOwnEnvironments, drawNear } from './sampler.js';
import { weighPoints } from './row-neighborhood.js';

/** @typedef {import('./sampler.js').ImageGenerator} ImageGenerator */

/**
 * Pictures that a generator made: the surrogate sees each segment's mean brightness, from 0 to 1.
 */
export class RedrawnPictures {
  #core;
  #composer;
  #kernelWidth;
  #pictures;
  #given;
  #points;

  /**
   * @param {import('../core/load.js').Core} core
   * @param {import('./compose-images.js').PictureComposer} composer
   * @param {{ pictures: Float32Array[], weights?: Float64Array }} made  the image first
   * @param {number} kernelWidth
   */
  constructor(core, composer, { pictures, weights }, kernelWidth) {
    this.#core = core;
    this.#composer = composer;
    this.#kernelWidth = kernelWidth;
    this.#pictures = pictures;
    this.#given = weights;
    this.#points = brightness(pictures, composer.labels, composer.count);
  }

  /**
   * @param {import('../core/load.js').Core} core
   * @param {ImageGenerator} generator
   * @param {import('./compose-images.js').PictureComposer} composer
   * @param {object} how
   * @param {{ width: number, height: number, channels: number }} how.size
   * @param {number} how.samples  the image included
   * @param {{ seed: number, environments: any }} how.settings
   * @param {number} how.kernelWidth
   * @param {AbortSignal} [how.signal]
   */
  static async draw(core, generator, composer, { size, samples, settings, kernelWidth, signal }) {
    const data = /** @type {Float32Array} */ (composer.picture);
    const { width, height, channels } = size;
    const read = (/** @type {any} */ picture, /** @type {string} */ name) => readPicture(picture, name, data.length);
    const { seed } = settings;
    const center = { data: data.slice(), width, height, channels };
    const made = await drawNear(generator, center, samples - 1, { seed, signal, read });
    checkOwnEnvironments(settings.environments, made.samples.length + 1);
    return new RedrawnPictures(
      core,
      composer,
      { pictures: [data, ...made.samples], weights: made.weights },
      kernelWidth,
    );
  }

  /** @param {number} samples */
  make(samples) {
    const planned = Math.min(samples, this.#pictures.length);
    return { distinct: planned, owner: Uint32Array.from({ length: planned }, (_, i) => i), planned };
  }

  /**
   * @param {number} first
   * @param {number} count
   * @param {number} lane
   */
  batch(first, count, lane) {
    return this.#composer.write(this.#pictures.slice(first, first + count), lane);
  }

  /** @param {number} count */
  points(count) {
    const width = this.#composer.count;
    const points = this.#points.subarray(0, count * width);
    const at = points.slice(0, width);
    const { distances, weights } = weighPoints(this.#core, points, at, this.#kernelWidth);
    const kernelWidth = this.#kernelWidth;
    const own = this.#given?.subarray(0, count);
    return { points, at, kernelWidth, distances, weights: own ?? weights, weighed: own !== undefined };
  }
}

/**
 * @param {ArrayLike<number>} picture
 * @param {string} name
 * @param {number} length
 */
function readPicture(picture, name, length) {
  if (picture?.length !== length)
    throw new RangeError(`${name} must be a picture of ${length} values, like center.data, not ${show(picture)}`);
  for (let i = 0; i < length; i++)
    if (!(picture[i] >= 0 && picture[i] <= 255))
      throw new RangeError(`${name} must have values from 0 to 255, not ${show(picture[i])} at ${i}`);
  return Float32Array.from(picture);
}

/**
 * @param {readonly Float32Array[]} pictures
 * @param {Uint32Array} labels
 * @param {number} count  of segments
 */
function brightness(pictures, labels, count) {
  const channels = pictures[0].length / labels.length;
  const sizes = new Float64Array(count);
  for (const label of labels) sizes[label] += 255 * channels;
  const points = new Float64Array(pictures.length * count);
  pictures.forEach((picture, i) => {
    for (let p = 0; p < picture.length; p++) points[i * count + labels[Math.floor(p / channels)]] += picture[p];
    for (let label = 0; label < count; label++) points[i * count + label] /= sizes[label];
  });
  return points;
}
