import { TENSOR } from '../core/border.js';
import { LAYOUTS, perChannel } from './compose-images.js';
import { LinexError, show } from '../core/errors.js';
import { ready } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { flatten } from '../core/ask-model.js';
import { breathe, orAbort } from '../core/event-loop.js';

/**
 * What an encoder gets: one input. Of a picture `data` is a Float32Array as `input` wants it, of a row a Float64Array.
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
 * @property {(input: EncoderInput, context: { signal?: AbortSignal }) => Answer | Promise<Answer>} encode  gives the latent
 *   vector: of a variational autoencoder, the mean
 * @property {(latents: Latents, context: { signal?: AbortSignal }) => Answer | Promise<Answer>} decode  gives an input a
 *   latent vector, flat or `{ data, shape }`
 */

/**
 * How pictures stand in tensors: floats are (value · scale − mean) / std, of values in 0 to 255.
 *
 * @typedef {object} TensorOptions
 * @property {'nchw' | 'nhwc'} [layout]  default `'nhwc'`
 * @property {number} [scale]  default 1 / 255
 * @property {number | readonly number[]} [mean]  one a channel; default 0
 * @property {number | readonly number[]} [std]  one a channel; default 1
 */

/**
 * @typedef {object} LatentOptions
 * @property {number} [radius]  standard deviation of the Gaussian in the latent space; default 1
 * @property {'image' | 'row'} [kind]  what is encoded; default `'image'`
 * @property {TensorOptions} [input]  of images: what the encoder wants
 * @property {TensorOptions} [output]  of images: what the decoder gives; default as `input`. Beyond black and white is cut
 * @property {number} [batchSize]  latent vectors a call of `decode`; default 64
 */

const OPTIONS = ['radius', 'kind', 'input', 'output', 'batchSize'];
const KINDS = /** @type {const} */ (['image', 'row']);

/** A decoder may overshoot white a little; one that is so far off speaks in another scale. */
const FAR_OFF = 2550;

/**
 * Inputs near an input that look like what an autoencoder was trained on: the input is encoded, Gaussian noise is added to
 * its latent vector, and the sums are decoded. For the option `neighborhood` of `explainImage` and `explainRow`.
 *
 * @param {Coder} coder  any two functions, asynchronous or not
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
  const of = KINDS[checkChoice(kind, 'kind', KINDS)];
  if (of === 'row' && (input ?? output) !== undefined)
    throw new RangeError("input and output are for images; kind 'row' encodes and decodes the row's own numbers");
  return new LatentNeighborhood(coder, {
    kind: of,
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

/** Makes inputs near an input, by way of a latent space. */
export class LatentNeighborhood {
  #coder;
  #how;

  /**
   * @param {Coder} coder
   * @param {{ kind: 'image' | 'row', radius: number, batchSize: number, input: ReturnType<typeof readTensor>,
   *   output: ReturnType<typeof readTensor> }} how
   */
  constructor(coder, how) {
    this.#coder = coder;
    this.#how = how;
    this.kind = how.kind;
    this.radius = how.radius;
    Object.freeze(this);
  }

  /**
   * @param {any} center  `{ data, width, height, channels }` of values in 0 to 255, or a row of numbers
   * @param {number} count
   * @param {() => number} random  uniform in [0, 1)
   * @param {{ signal?: AbortSignal }} [context]  signal: of the call that wants the samples
   * @returns {Promise<(Float32Array | number[])[]>}
   * @throws {TypeError | RangeError} for a bad call
   * @throws {LinexError} `'neighborhood'` if `encode` or `decode` throws, or gives what is not needed
   */
  async sample(center, count, random, { signal } = {}) {
    checkCount(count, 'count', 1);
    const { kind, radius, batchSize, input, output } = this.#how;
    const codec = kind === 'row' ? rowCodec(center) : pictureCodec(center, input, output);
    const core = await ready();
    const seed = Math.floor(random() * 2 ** 53);
    const latent = readLatent(await this.#run('encode', codec.put(core), signal));
    /** @type {(Float32Array | number[])[]} */
    const samples = [];
    for (let batch = 0; samples.length < count; batch++) {
      const size = Math.min(batchSize, count - samples.length);
      const latents = scatter(core, latent, { radius, seed, first: samples.length, count: size });
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
      const where = batch === undefined ? '' : ` on batch ${batch}`;
      const why = cause instanceof Error ? cause.message : show(cause);
      throw new LinexError('neighborhood', `${name} failed${where}: ${why}`, { batch, cause });
    }
  }
}

/**
 * Latent vectors around a latent vector.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} latent
 * @param {{ radius: number, seed: number, first: number, count: number }} how
 * @returns {Latents}
 */
function scatter(core, latent, { radius, seed, first, count }) {
  const size = latent.length;
  return withScope(core, (scope) => {
    const points = scope.doubles(count * size);
    scope.check(core.linex_wasm_cloud_draw(size, scope.putDoubles(latent), radius, seed, first, count, points));
    return { data: Float32Array.from(scope.getDoubles(points, count * size)), shape: [count, size] };
  });
}

/** @param {any} answer */
function readLatent(answer) {
  const wrong = (/** @type {string} */ what) => new LinexError('neighborhood', `what encode gave ${what}`);
  // One vector is often given without the axis of the batch.
  const bare = (answer?.shape ?? answer?.dims)?.length === 1;
  const values = flatten(bare ? answer.data : answer, 1, wrong);
  if (values.length === 0) throw wrong('is empty; a latent vector is needed');
  // Beyond this a decoder's single-precision numbers are infinite.
  return Float64Array.from(values, (value, i) => {
    if (typeof value === 'number' && Math.abs(value) <= 1e38) return value;
    throw wrong(`has ${show(value)} at ${i}; a finite number is needed`);
  });
}

/**
 * @param {any} answer
 * @param {{ size: number, length: number, batch: number }} wanted
 * @returns {ArrayLike<number>[]}  one a sample
 */
function readDecoded(answer, { size, length, batch }) {
  const wrong = (/** @type {string} */ what) =>
    new LinexError('neighborhood', `what decode gave for batch ${batch} (${size} latent vectors) ${what}`, { batch });
  const values = flatten(answer, size, wrong);
  if (values.length !== size * length)
    throw wrong(`has ${values.length} numbers; ${size} x ${length} are needed, as many as the input has`);
  const numbers = Float64Array.from(values, (value, i) => {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw wrong(`has ${show(value)} for sample ${Math.floor(i / length)}; a finite number is needed`);
  });
  return Array.from({ length: size }, (_, i) => numbers.subarray(i * length, (i + 1) * length));
}

/**
 * How inputs go to the encoder and come from the decoder.
 *
 * @typedef {object} Codec
 * @property {number} length  numbers of one input
 * @property {(core: import('../core/load.js').Core) => EncoderInput} put
 * @property {(decoded: ArrayLike<number>[]) => (Float32Array | number[])[]} get
 */

/**
 * @param {any} center
 * @returns {Codec}
 */
function rowCodec(center) {
  if (typeof center !== 'object' || !(center?.length > 0))
    throw new TypeError(`latentNeighborhood of kind 'row' takes a row of numbers, not ${show(center)}`);
  const data = Float64Array.from(center, (value, c) => {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new RangeError(`an encoder takes finite numbers; column ${c} of the row is ${show(value)}`);
  });
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
function pictureCodec(center, input, output) {
  const { data, width, height, channels } = center ?? {};
  const length = width * height * channels;
  if (!(length > 0 && data?.length === length))
    throw new TypeError(
      `latentNeighborhood of kind 'image' takes { data, width, height, channels }, not ${show(center)}`,
    );
  const into = { ...input, ...forChannels(input, channels) };
  const from = { ...output, ...forChannels(output, channels) };
  return {
    length,
    put: (core) => ({
      data: toTensor(core, data, channels, into),
      shape: input.layout === 'nchw' ? [1, channels, height, width] : [1, height, width, channels],
      layout: input.layout,
    }),
    get: (decoded) => decoded.map((tensor) => toPicture(tensor, channels, from)),
  };
}

/** @typedef {{ layout: 'nchw' | 'nhwc', scale: number, mean: number[], std: number[] }} Tensor  a number a channel */

/**
 * As `predict` gets it.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Float32Array} picture
 * @param {number} channels
 * @param {Tensor} tensor
 */
function toTensor(core, picture, channels, { layout, scale, mean, std }) {
  return withScope(core, (scope) => {
    const out = scope.bytes(4 * picture.length);
    const tensor = scope.putRecord(TENSOR, {
      layout: LAYOUTS.indexOf(layout),
      isBytes: false,
      scale,
      mean: scope.putDoubles(mean),
      std: scope.putDoubles(std),
    });
    const image = scope.putFloats(picture);
    scope.check(core.linex_wasm_tensor_write(picture.length / channels, channels, image, tensor, out));
    return scope.viewFloats(out, picture.length).slice();
  });
}

/**
 * @param {ArrayLike<number>} tensor
 * @param {number} channels
 * @param {Tensor} how
 */
function toPicture(tensor, channels, { layout, scale, mean, std }) {
  const pixels = tensor.length / channels;
  const picture = new Float32Array(tensor.length);
  for (let i = 0; i < picture.length; i++) {
    const c = i % channels;
    const value = tensor[layout === 'nchw' ? c * pixels + Math.floor(i / channels) : i];
    const shade = (value * std[c] + mean[c]) / scale;
    if (!(Math.abs(shade) <= FAR_OFF))
      throw new LinexError(
        'neighborhood',
        `decode gave ${value}, which is ${shade} where 0 is black and 255 is white; output.scale may be another than ${scale}`,
      );
    picture[i] = Math.min(255, Math.max(0, shade));
  }
  return picture;
}
