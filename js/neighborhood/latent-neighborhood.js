// Makes inputs near an input by adding noise in the latent space of an autoencoder.
import { flatten } from '../core/ask-model.js';
import { TENSOR } from '../core/border.js';
import { checkFinite, checkList, checkNumbers } from '../core/check-lists.js';
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { LinexError, messageOf, show } from '../core/errors.js';
import { breathe, orAbort } from '../core/event-loop.js';
import { ready, readyImage } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { LAYOUTS, perChannel } from './compose-images.js';
import { SAMPLINGS } from './sampler.js';

/**
 * The argument of an encoder: one input. For an image, `data` is a Float32Array in the form of the option `input`; for a row,
 * a Float64Array.
 *
 * @typedef {object} EncoderInput
 * @property {Float32Array | Float64Array} data
 * @property {readonly number[]} shape  [1, channels, height, width], [1, height, width, channels] or [1, columns]
 * @property {'nchw' | 'nhwc'} [layout]
 */

/** @typedef {{ data: Float32Array, shape: readonly [number, number] }} Latents  shape: [count, size] */

/** @typedef {import('../core/ask-model.js').Answer} Answer */

/**
 * @typedef {object} Coder
 * @property {(input: EncoderInput, context: { signal?: AbortSignal }) => Answer | Promise<Answer>} encode  returns the
 *   latent vector; for a variational autoencoder, its mean
 * @property {(latents: Latents, context: { signal?: AbortSignal }) => Answer | Promise<Answer>} decode  returns one
 *   input per latent vector, flat or as `{ data, shape }`
 */

/**
 * How images are written as tensors: floats are (value · scale − mean) / std, for values from 0 to 255.
 *
 * @typedef {object} TensorOptions
 * @property {'nchw' | 'nhwc'} [layout]  default `'nhwc'`
 * @property {number} [scale]  default 1 / 255
 * @property {number | readonly number[]} [mean]  one for all channels, or one per channel; default 0
 * @property {number | readonly number[]} [std]  one for all channels, or one per channel; default 1
 */

/**
 * @typedef {object} LatentOptions
 * @property {number} [radius]  standard deviation of the Gaussian noise in the latent space; default 1
 * @property {'image' | 'row'} [kind]  what is encoded; default `'image'`
 * @property {TensorOptions} [input]  for images: what the encoder takes
 * @property {TensorOptions} [output]  for images: what the decoder returns; default: as `input`. Values below 0 or above 255 are
 *   clamped
 * @property {number} [batchSize]  latent vectors per call of `decode`; default 64
 */

const OPTIONS = ['radius', 'kind', 'input', 'output', 'batchSize'];
const KINDS = /** @type {const} */ (['image', 'row']);

/** A decoder may exceed 255 slightly. A value beyond this means that its scale is wrong. */
const MAX_SHADE = 2550;

/**
 * Makes inputs near an input that look like an autoencoder's training data: the input is encoded, Gaussian noise is added
 * to its latent vector, and the sums are decoded. For the option `neighborhood` of `explainImage` and `explainRow`.
 *
 * @param {Coder} coder  two functions, synchronous or asynchronous
 * @param {LatentOptions} [options]
 * @returns {LatentNeighborhood}
 * @throws {TypeError | RangeError}
 */
export function latentNeighborhood(coder, options = {}) {
  for (const name of /** @type {const} */ (['encode', 'decode']))
    if (typeof coder?.[name] !== 'function')
      throw new TypeError(
        `latentNeighborhood takes { encode, decode }; ${name} must be a function, not ${show(coder?.[name])}`,
      );
  checkNames(options, OPTIONS, 'latentNeighborhood');
  const { radius = 1, kind = 'image', input, output, batchSize = 64 } = options;
  const inputKind = KINDS[checkChoice(kind, 'kind', KINDS)];
  if (inputKind === 'row' && (input ?? output) !== undefined)
    throw new RangeError("input and output are for images; kind 'row' takes neither");
  return new LatentNeighborhood(coder, {
    kind: inputKind,
    radius: checkNumber(radius, 'radius', { above: 0, most: 1e50 }),
    batchSize: checkCount(batchSize, 'batchSize', 1),
    input: readTensor(input ?? {}, 'input'),
    output: readTensor(output ?? input ?? {}, 'output'),
  });
}

/**
 * @param {TensorOptions} given
 * @param {string} name
 */
function readTensor(given, name) {
  checkNames(given, ['layout', 'scale', 'mean', 'std'], name);
  const { layout = 'nhwc', scale = 1 / 255, mean = 0, std = 1 } = given;
  const tensor = { name, layout: LAYOUTS[checkChoice(layout, `${name}.layout`, LAYOUTS)], mean, std };
  forChannels(tensor, [mean, std].find(Array.isArray)?.length ?? 1);
  return { ...tensor, scale: checkNumber(scale, `${name}.scale`, { above: 0, most: 1e6 }) };
}

/**
 * @param {{ name: string, mean: any, std: any }} tensor
 * @param {number} channels
 */
function forChannels({ name, mean, std }, channels) {
  return {
    mean: perChannel(mean, `${name}.mean`, channels, { least: -1e6, most: 1e6 }),
    std: perChannel(std, `${name}.std`, channels, { least: 1e-12, most: 1e6 }),
  };
}

/** Makes inputs near an input by noise in a latent space. */
export class LatentNeighborhood {
  #coder;
  #settings;

  /**
   * @param {Coder} coder
   * @param {{ kind: 'image' | 'row', radius: number, batchSize: number, input: ReturnType<typeof readTensor>,
   *   output: ReturnType<typeof readTensor> }} settings
   */
  constructor(coder, settings) {
    this.#coder = coder;
    this.#settings = settings;
    this.kind = settings.kind;
    this.radius = settings.radius;
    Object.freeze(this);
  }

  /**
   * Makes inputs near an input.
   *
   * @param {any} center  `{ data, width, height, channels }` with values from 0 to 255, or a row of numbers
   * @param {number} count
   * @param {() => number} random  uniform in [0, 1)
   * @param {{ signal?: AbortSignal, sampling?: import('./sampler.js').Sampling }} [context]  signal: of the explanation;
   *   sampling: default `'designed'`
   * @returns {Promise<(Float32Array | number[])[]>}
   * @throws {TypeError | RangeError} for a bad call
   * @throws {LinexError} `'neighborhood'` if `encode` or `decode` throws or returns something else than expected
   */
  async sample(center, count, random, { signal, sampling = 'designed' } = {}) {
    checkCount(count, 'count', 1);
    const design = checkChoice(sampling, 'sampling', SAMPLINGS);
    const { kind, radius, batchSize, input, output } = this.#settings;
    const codec = kind === 'row' ? rowCodec(center) : imageCodec(center, input, output);
    const core = await ready();
    const seed = Math.floor(random() * 2 ** 53);
    // Only images need it, and the page has loaded it for them.
    const writer = kind === 'row' ? core : await readyImage();
    const latent = readLatent(await this.#run('encode', codec.put(writer), signal));
    /** @type {(Float32Array | number[])[]} */
    const samples = [];
    for (let batch = 0; samples.length < count; batch++) {
      const size = Math.min(batchSize, count - samples.length);
      const latents = scatter(core, latent, { radius, design, seed, first: samples.length, count: size });
      const decoded = await this.#run('decode', latents, signal, batch);
      samples.push(...codec.get(readDecoded(decoded, { size, length: codec.length, batch })));
      await breathe();
    }
    return samples;
  }

  /**
   * @param {'encode' | 'decode'} name
   * @param {any} given
   * @param {AbortSignal} [signal]
   * @param {number} [batch]
   */
  async #run(name, given, signal, batch) {
    signal?.throwIfAborted();
    try {
      return await orAbort(this.#coder[name](given, { signal }), signal);
    } catch (cause) {
      signal?.throwIfAborted();
      const place = batch === undefined ? '' : ` on batch ${batch}`;
      throw new LinexError('neighborhood', `${name} failed${place}: ${messageOf(cause)}`, { batch, cause });
    }
  }
}

/**
 * Draws latent vectors around a latent vector.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} latent
 * @param {{ radius: number, design: number, seed: number, first: number, count: number }} settings  design: index in
 *   `SAMPLINGS`
 * @returns {Latents}
 */
function scatter(core, latent, { radius, design, seed, first, count }) {
  const size = latent.length;
  return withScope(core, (scope) => {
    const points = scope.doubles(count * size);
    const center = scope.putDoubles(latent);
    scope.check(core.linex_wasm_cloud_draw(size, center, radius, design, seed, first, count, points));
    return { data: Float32Array.from(scope.getDoubles(points, count * size)), shape: [count, size] };
  });
}

/** @param {any} answer */
function readLatent(answer) {
  const wrong = (/** @type {string} */ what) => new LinexError('neighborhood', `encode returned a value that ${what}`);
  // One vector often comes without the axis of the batch.
  const bare = (answer?.shape ?? answer?.dims)?.length === 1;
  const values = flatten(bare ? answer.data : answer, 1, wrong);
  if (values.length === 0) throw wrong('is empty; expected a latent vector');
  // Larger numbers are infinite in the decoder's single precision.
  const latent = new Float64Array(values.length);
  for (let i = 0; i < latent.length; i++) {
    const value = values[i];
    if (!(typeof value === 'number' && Math.abs(value) <= 1e38))
      throw wrong(`has ${show(value)} at ${i}; expected a finite number`);
    latent[i] = value;
  }
  return latent;
}

/**
 * @param {any} answer
 * @param {{ size: number, length: number, batch: number }} expected
 * @returns {ArrayLike<number>[]}  one per sample
 */
function readDecoded(answer, { size, length, batch }) {
  const wrong = (/** @type {string} */ what) =>
    new LinexError('neighborhood', `decode returned a value for batch ${batch} (${size} latent vectors) that ${what}`, {
      batch,
    });
  const values = flatten(answer, size, wrong);
  if (values.length !== size * length)
    throw wrong(`has ${values.length} numbers; expected ${size} x ${length}, as many per sample as the input has`);
  const numbers = new Float64Array(size * length);
  for (let i = 0; i < numbers.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw wrong(`has ${show(value)} for sample ${Math.floor(i / length)}; expected a finite number`);
    numbers[i] = value;
  }
  return Array.from({ length: size }, (_, i) => numbers.subarray(i * length, (i + 1) * length));
}

/**
 * Converts inputs for the encoder and from the decoder.
 *
 * @typedef {object} Codec
 * @property {number} length  how many numbers one input has
 * @property {(core: import('../core/load.js').Core) => EncoderInput} put
 * @property {(decoded: ArrayLike<number>[]) => (Float32Array | number[])[]} get
 */

/**
 * @param {any} center
 * @returns {Codec}
 */
function rowCodec(center) {
  const length = checkList(center, "the center of a latentNeighborhood of kind 'row'", 'a row of numbers');
  if (length === 0) throw new RangeError('the row must have at least one number, not none');
  const data = new Float64Array(length);
  for (let c = 0; c < length; c++) data[c] = checkFinite(center[c], `column ${c} of the row`);
  return {
    length: data.length,
    put: () => ({ data, shape: [1, data.length] }),
    get: (decoded) => decoded.map((row) => Array.from(row)),
  };
}

/**
 * @param {any} center
 * @param {ReturnType<typeof readTensor>} input
 * @param {ReturnType<typeof readTensor>} output
 * @returns {Codec}
 */
function imageCodec(center, input, output) {
  const { data: given, width, height, channels } = center ?? {};
  const length = width * height * channels;
  if (![width, height, channels].every((side) => Number.isInteger(side) && side > 0) || given?.length !== length)
    throw new TypeError(
      `latentNeighborhood of kind 'image' takes { data, width, height, channels }, not ${show(center)}`,
    );
  const data = Float32Array.from(checkNumbers(given, 'data', length, { least: 0, most: 255 }));
  const into = { ...input, ...forChannels(input, channels) };
  const from = { ...output, ...forChannels(output, channels) };
  return {
    length,
    put: (core) => ({
      data: toTensor(core, data, channels, into),
      shape: input.layout === 'nchw' ? [1, channels, height, width] : [1, height, width, channels],
      layout: input.layout,
    }),
    get: (decoded) => decoded.map((tensor) => fromTensor(tensor, channels, from)),
  };
}

/**
 * @typedef {{ layout: 'nchw' | 'nhwc', scale: number, mean: number[], std: number[] }} Tensor  mean, std: one per channel
 */

/**
 * Writes an image as a tensor, like those for `predict`.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Float32Array} image
 * @param {number} channels
 * @param {Tensor} tensor
 */
function toTensor(core, image, channels, { layout, scale, mean, std }) {
  return withScope(core, (scope) => {
    const out = scope.bytes(4 * image.length);
    const tensor = scope.putRecord(TENSOR, {
      layout: LAYOUTS.indexOf(layout),
      isBytes: false,
      scale,
      mean: scope.putDoubles(mean),
      std: scope.putDoubles(std),
    });
    const imageAt = scope.putFloats(image);
    const pixels = image.length / channels;
    scope.check(core.linex_wasm_tensor_write(pixels, channels, imageAt, tensor, 0, pixels, out));
    return scope.viewFloats(out, image.length).slice();
  });
}

/**
 * Turns a decoded tensor into an image with values from 0 to 255.
 *
 * @param {ArrayLike<number>} tensor
 * @param {number} channels
 * @param {Tensor} output
 */
function fromTensor(tensor, channels, { layout, scale, mean, std }) {
  const pixels = tensor.length / channels;
  const image = new Float32Array(tensor.length);
  for (let i = 0; i < image.length; i++) {
    const c = i % channels;
    const value = tensor[layout === 'nchw' ? c * pixels + Math.floor(i / channels) : i];
    const shade = (value * std[c] + mean[c]) / scale;
    if (!(Math.abs(shade) <= MAX_SHADE))
      throw new LinexError(
        'neighborhood',
        `decode returned ${value}, which is ${shade} on the scale from 0 to 255; output.scale may be wrong: ${scale}`,
      );
    image[i] = Math.min(255, Math.max(0, shade));
  }
  return image;
}
