// Images with segments hidden, written as the tensors that a model takes.
import { SEGMENTED, TENSOR } from '../core/border.js';
import { checkNumbers } from '../core/check-lists.js';
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { inPieces } from '../core/event-loop.js';
import { newImageInstance } from '../core/load.js';
import { Scope } from '../core/memory.js';
import { runTask } from '../core/run-task.js';
import { cutImage, putImage, readColor, readImage, readSegments, VALUES_AT_ONCE } from '../data/image-input.js';

/**
 * @typedef {import('../core/border.js').Bytes} Bytes
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../core/border.js').Floats} Floats
 * @typedef {import('../core/border.js').Indices} Indices
 */

/** @typedef {'float32' | 'uint8'} ImageType  what the numbers of a batch are */

/**
 * The tensors that the model takes.
 *
 * @template {ImageType} [F=ImageType]
 * @typedef {object} InputOptions
 * @property {'nchw' | 'nhwc'} [layout]  default `'nhwc'`, the order of pixels in an image
 * @property {F} [type]  default `'float32'`
 * @property {number} [width]  the size at which the image is explained; default: its own; if one side is given, the other
 *   keeps the proportions
 * @property {number} [height]
 * @property {number} [channels]  1, 3 or 4; default: the image's, but 3 for an image with alpha, which is drawn on the
 *   backdrop
 * @property {number} [scale]  floats are (value · scale − mean) / std; default 1 / 255
 * @property {number | readonly number[]} [mean]  one for all channels, or one per channel; default 0
 * @property {number | readonly number[]} [std]  one for all channels, or one per channel; default 1
 */

/**
 * Images for a model: `data` is a view of WebAssembly's memory, in the layout and type of `input`. It is valid until the
 * model has answered; the next batch overwrites it.
 *
 * @template {ImageType} [F=ImageType]
 * @typedef {object} ImageBatch
 * @property {F extends 'uint8' ? Uint8Array : Float32Array} data
 * @property {readonly number[]} shape  [count, channels, height, width] or [count, height, width, channels]
 * @property {'nchw' | 'nhwc'} layout
 */

/**
 * @typedef {object} ComposeOptions
 * @property {import('../data/image-input.js').Segments} [segments]  default `'slic'`
 * @property {readonly (readonly number[])[]} [groups]  segments that are hidden together and explained as one, by their
 *   labels; the labels are those of an explanation of this image with the same `segments`
 * @property {'segment' | 'pixel'} [unit]  what a feature is; default `'segment'`
 * @property {'mean' | 'blur' | { blur: number } | readonly number[] | import('../data/image-input.js').Image} [hide]  what
 *   replaces a hidden segment: its mean color (the default; for single pixels, the mean color of the image), a blurred copy
 *   of the image (`{ blur: pixels }`), a color, or an image
 * @property {readonly number[]} [backdrop]  the color behind transparent pixels; default white
 * @property {InputOptions} [input]
 */

export const COMPOSE_OPTIONS = Object.freeze(['segments', 'unit', 'hide', 'backdrop', 'input', 'groups']);

export const LAYOUTS = /** @type {const} */ (['nchw', 'nhwc']);

/** A smaller mean change, of 255, is invisible. */
const INVISIBLE = 1.5;

/** The most pixels as features: the matrix of a larger game does not fit into memory. */
const MAX_PIXELS = 4096;

/** The default size of a batch, in bytes: it stays in the processor's cache until the model reads it. */
const BATCH_BYTES = 2 ** 23;
/** Four images are composed at once, so a batch has at least four unless they have more bytes than this. */
const MAX_BYTES = 2 ** 25;

/**
 * Checks an image and its options.
 *
 * @param {any} image
 * @param {ComposeOptions} options  the names are already checked
 * @param {boolean} generated  whether the samples come from a sampler
 * @returns the settings of an `ImageComposer`
 * @throws {TypeError | RangeError}
 */
export function readComposing(image, options, generated = false) {
  if (generated && options.hide !== undefined)
    throw new RangeError(`hide is for hidden segments, not for a neighborhood of images: ${show(options.hide)}`);
  const { segments = 'slic', unit = 'segment', hide = 'mean', backdrop, input = {} } = options;
  const read = readImage(image);
  const pixel = checkChoice(unit, 'unit', ['segment', 'pixel']) === 1;
  const tensor = readInput(input, read);
  const { width, height } = tensor;
  if (pixel && width * height > MAX_PIXELS)
    throw new RangeError(
      `unit 'pixel' is for at most ${MAX_PIXELS} pixels, not ${width} x ${height}; set input.width, or use segments`,
    );
  return {
    image: read,
    tensor,
    pixel,
    generated,
    segments: readSegments(segments),
    groups: pixel ? refuseGroups(options.groups) : options.groups,
    hide: readHide(hide, tensor.channels),
    backdrop: backdrop === undefined ? [255, 255, 255] : readColor(backdrop, 'backdrop', 3),
    batchSize: defaultBatchSize(tensor.bytes),
  };
}

/** @typedef {ReturnType<typeof readComposing>} Composing */

/** @param {unknown} groups @returns {undefined} */
function refuseGroups(groups) {
  if (groups !== undefined) throw new RangeError(`groups are for segments, not for unit 'pixel': ${show(groups)}`);
}

/** @param {number} bytes  per image */
function defaultBatchSize(bytes) {
  const fours = 4 * Math.floor(BATCH_BYTES / bytes / 4) || Math.min(4, Math.floor(MAX_BYTES / bytes));
  return Math.max(1, Math.min(256, fours));
}

/**
 * @param {InputOptions} input
 * @param {import('../data/image-input.js').ReadImage} image
 */
function readInput(input, image) {
  const names = ['layout', 'type', 'width', 'height', 'channels', 'scale', 'mean', 'std'];
  checkNames(input, names, 'input');
  const { layout = 'nhwc', type = 'float32' } = input;
  const { width = inProportion(input.height, image.height, image.width) } = input;
  const { height = inProportion(input.width, image.width, image.height) } = input;
  const { channels = image.channels === 4 ? 3 : image.channels, scale = 1 / 255, mean = 0, std = 1 } = input;
  if (![1, 3, 4].includes(channels)) throw new RangeError(`input.channels must be 1, 3 or 4, not ${show(channels)}`);
  const isBytes = checkChoice(type, 'input.type', ['float32', 'uint8']) === 1;
  if (isBytes && ['scale', 'mean', 'std'].some((name) => name in input))
    throw new RangeError("input.type 'uint8' takes no scale, mean or std");
  const derived = 'the side that keeps the proportions';
  checkCount(width, input.width === undefined ? `input.width, ${derived},` : 'input.width', 1, 65535);
  checkCount(height, input.height === undefined ? `input.height, ${derived},` : 'input.height', 1, 65535);
  checkNumber(scale, 'input.scale', { above: 0, most: 1e6 });
  return {
    layout: LAYOUTS[checkChoice(layout, 'input.layout', LAYOUTS)],
    isBytes,
    width,
    height,
    channels,
    scale,
    mean: perChannel(mean, 'input.mean', channels, { least: -1e6, most: 1e6 }),
    std: perChannel(std, 'input.std', channels, { least: 1e-12, most: 1e6 }),
    bytes: width * height * channels * (isBytes ? 1 : 4),
  };
}

/**
 * The default of a side: the image's own, scaled like the other side.
 *
 * @param {number | undefined} otherSide  as the caller gave it
 * @param {number} imageOtherSide
 * @param {number} imageSide
 */
function inProportion(otherSide, imageOtherSide, imageSide) {
  return otherSide === undefined ? imageSide : Math.max(1, Math.round((imageSide * otherSide) / imageOtherSide));
}

/**
 * Reads a list with one number per channel, or one number for all.
 *
 * @param {any} given
 * @param {string} name
 * @param {number} channels
 * @param {{ least?: number, above?: number, most?: number }} range
 */
export function perChannel(given, name, channels, range) {
  const list = typeof given === 'number' ? new Array(channels).fill(given) : given;
  if (list?.length !== channels)
    throw new RangeError(`${name} must be a number, or ${channels} numbers, one per channel, not ${show(given)}`);
  return [...checkNumbers(list, name, channels, range)];
}

/**
 * @param {any} hide
 * @param {number} channels
 * @returns {{ kind: 'mean' | 'blur' | 'color' | 'image', sigma?: number, color?: number[],
 *   image?: import('../data/image-input.js').ReadImage }}
 */
function readHide(hide, channels) {
  if (hide === 'mean' || hide === 'blur') return { kind: hide };
  if (Array.isArray(hide)) return { kind: 'color', color: readColor(hide, 'hide', channels) };
  if (typeof hide !== 'object' || hide === null)
    throw new RangeError(`hide must be 'mean', 'blur', a color such as [255, 0, 0] or an image, not ${show(hide)}`);
  if (!('blur' in hide)) return { kind: 'image', image: readImage(hide, 'the image of hide') };
  return { kind: 'blur', sigma: checkNumber(hide.blur, 'hide.blur', { above: 0, most: 1000 }) };
}

/**
 * Composes images with hidden segments, in a WebAssembly instance of its own. The model gets views of that memory, which
 * therefore must not grow while the model runs. The memory of a large image is freed with the composer.
 */
export class ImageComposer {
  #scope;
  #composing;
  #signal;
  /** The record of the shown and the hidden image; undefined for generated images. @type {Doubles | undefined} */
  #segmented;
  /** @type {{ tensors: Bytes, masks: Bytes }[]} */
  #lanes = [];
  /** The record that says how an image becomes a tensor. @type {Doubles} */
  #tensor;
  /** The image as a sampler gets it; only for generated images. @type {Float32Array | undefined} */
  image;
  /** Where a generated image is while it becomes a tensor. @type {Floats | undefined} */
  #buffer;
  /** The segment of each pixel. @type {Uint32Array} */
  labels = new Uint32Array(0);
  /** The number of segments. */
  count = 0;
  /** @type {{ code: string, text: string, segments: number, of: number }[]} */
  warnings = [];

  /**
   * @param {Scope} scope  of an instance of its own
   * @param {Composing} composing
   * @param {AbortSignal} [signal]
   */
  constructor(scope, composing, signal) {
    const { tensor } = composing;
    this.#scope = scope;
    this.#composing = composing;
    this.#signal = signal;
    this.#tensor = scope.putRecord(TENSOR, {
      layout: LAYOUTS.indexOf(tensor.layout),
      isBytes: tensor.isBytes,
      scale: tensor.scale,
      mean: scope.putDoubles(tensor.mean),
      std: scope.putDoubles(tensor.std),
    });
  }

  /**
   * Reads, cuts and hides the image.
   *
   * @param {{ batchSize: number, lanes: number }} batches
   * @param {{ labels: Uint32Array, count: number }} [ownSegments]  the caller's labels, at the model's size
   */
  async #open({ batchSize, lanes }, ownSegments) {
    const { tensor, backdrop, generated, groups, image: given } = this.#composing;
    const scope = this.#scope;
    const image = await putImage(scope, given, tensor, backdrop, this.#signal);
    const cut = ownSegments ?? (await this.#cut(image));
    const joined = groups === undefined ? cut : (await import('../data/label-map.js')).joinSegments(cut, groups);
    ({ labels: this.labels, count: this.count } = joined);
    if (generated) {
      this.image = scope.viewFloats(image, this.#values).slice();
      this.#buffer = image;
    } else this.#segmented = await this.#prepare(image);
    this.#lanes = Array.from({ length: lanes }, () => ({
      tensors: scope.bytes(batchSize * tensor.bytes),
      masks: scope.bytes(generated ? 0 : batchSize * this.count),
    }));
  }

  get #values() {
    const { width, height, channels } = this.#composing.tensor;
    return width * height * channels;
  }

  /**
   * @param {Composing} composing
   * @param {{ batchSize: number, lanes: number }} batches
   * @param {AbortSignal} [signal]
   */
  static async open(composing, batches, signal) {
    const { segments, image, tensor, pixel } = composing;
    const ownSegments =
      'map' in segments && !pixel
        ? (await import('../data/label-map.js')).fitLabels(segments.map, image, tensor)
        : undefined;
    const composer = new ImageComposer(new Scope(await newImageInstance()), composing, signal);
    await composer.#open(batches, ownSegments);
    return composer;
  }

  /**
   * Cuts the image into segments. Transparent pixels are put on the backdrop first.
   *
   * @param {Floats} fitted  the image at the model's size
   * @returns {Promise<{ labels: Uint32Array, count: number }>}
   */
  async #cut(fitted) {
    const { tensor, image, backdrop, segments, pixel } = this.#composing;
    const { width, height, channels } = tensor;
    const pixels = width * height;
    if (pixel) return { labels: Uint32Array.from({ length: pixels }, (_, i) => i), count: pixels };
    const method = /** @type {Exclude<typeof segments, { map: any }>} */ (segments);
    if (channels < 4) return cutImage(this.#scope, fitted, tensor, method, this.#signal);
    const opaque = { width, height, channels: 3 };
    const flat = await putImage(this.#scope, image, opaque, backdrop, this.#signal);
    const cut = await cutImage(this.#scope, flat, opaque, method, this.#signal);
    this.#scope.free(flat);
    return cut;
  }

  /**
   * Writes the shown and the hidden image as tensors, and finds the runs of pixels in one segment.
   *
   * @param {Floats} image  is freed
   * @returns {Promise<Doubles>}  the record for `compose`
   */
  async #prepare(image) {
    const scope = this.#scope;
    const { bytes, width, height, channels, layout } = this.#composing.tensor;
    const pixels = width * height;
    const [shown, hidden] = [scope.bytes(bytes), scope.bytes(bytes)];
    const labels = scope.putIndices(this.labels);
    const replacement = await this.#replacement(image, labels);
    this.warnings = await this.#findInvisible(image, replacement);
    await this.#eachPixel((first, end) => {
      this.#write(image, first, end, shown);
      this.#write(replacement, first, end, hidden);
    });
    for (const address of [replacement, image]) scope.free(address);
    const runCount = await this.#findRuns(labels, 0);
    const runs = scope.indices(2 * runCount);
    await this.#findRuns(labels, runs);
    scope.free(labels);
    const planes = layout === 'nchw' ? channels : 1;
    return scope.putRecord(SEGMENTED, {
      ...{ pixels, planes, bytes: bytes / (pixels * planes), shown, hidden, runCount, runs },
      segments: this.count,
    });
  }

  /** Loops over the pixels in pieces. @param {(first: number, end: number) => void} work */
  #eachPixel(work) {
    const { width, height, channels } = this.#composing.tensor;
    return inPieces(width * height, Math.ceil(VALUES_AT_ONCE / channels / 2), work, this.#signal);
  }

  /** Writes some pixels of an image into a tensor. @param {Floats} image @param {number} first @param {number} end @param {Bytes} out */
  #write(image, first, end, out) {
    const { width, height, channels } = this.#composing.tensor;
    const { core } = this.#scope;
    this.#scope.check(core.linex_wasm_tensor_write(width * height, channels, image, this.#tensor, first, end, out));
  }

  /**
   * @param {Indices} labels
   * @param {Indices | 0} runs  0 to count only
   */
  async #findRuns(labels, runs) {
    let count = 0;
    await this.#eachPixel((first, end) => {
      const at = /** @type {Indices} */ (runs && runs + 8 * count);
      count += this.#scope.core.linex_runs_find(first, end, labels, at);
    });
    return count;
  }

  /**
   * Warns if most segments look the same when they are hidden, such as flat areas behind their mean color. The model cannot
   * see the difference, so it cannot be explained.
   *
   * @param {Floats} image
   * @param {Floats} replacement
   */
  async #findInvisible(image, replacement) {
    const { channels } = this.#composing.tensor;
    const values = this.#values;
    const { labels } = this;
    const changes = new Float64Array(this.count);
    const sizes = new Float64Array(this.count);
    await this.#eachPixel((first, end) => {
      const [shown, hidden] = [this.#scope.viewFloats(image, values), this.#scope.viewFloats(replacement, values)];
      for (let i = first * channels; i < end * channels; i++) {
        const label = labels[Math.floor(i / channels)];
        changes[label] += Math.abs(shown[i] - hidden[i]);
        sizes[label]++;
      }
    });
    const same = changes.filter((change, label) => change < INVISIBLE * sizes[label]).length;
    if (same <= this.count / 2) return [];
    const text =
      `${same} of ${this.count} segments look the same when they are hidden, so they cannot be explained; hide them with ` +
      'a color that is not in the image, such as hide: [255, 0, 255]';
    return [{ code: 'invisible-segments', text, segments: same, of: this.count }];
  }

  /**
   * The image that replaces hidden segments.
   *
   * @param {Floats} image
   * @param {Indices} labels
   * @returns {Promise<Floats>}
   */
  async #replacement(image, labels) {
    const { tensor, hide, backdrop, pixel } = this.#composing;
    const { width, height, channels } = tensor;
    const scope = this.#scope;
    const { core } = scope;
    const signal = this.#signal;
    if (hide.image) return putImage(scope, hide.image, tensor, backdrop, signal);
    const replacement = scope.floats(this.#values);
    const { color } = hide;
    if (color) {
      await this.#eachPixel((first, end) => {
        const view = scope.viewFloats(replacement, this.#values);
        for (let i = first * channels; i < end * channels; i++) view[i] = color[i % channels];
      });
    } else if (hide.kind === 'blur') {
      const sigma = hide.sigma ?? Math.max(1, Math.min(width, height) / 20);
      const blur = core.linex_image_blur_start;
      await runTask(scope, (task) => blur(width, height, channels, image, sigma, replacement, task), { signal });
    } else {
      // The mean of a single pixel would be the pixel itself, so pixels take the mean of the whole image.
      const areas = pixel ? scope.putIndices(new Uint32Array(width * height)) : labels;
      const count = pixel ? 1 : this.count;
      const average = core.linex_image_average_start;
      const pixels = width * height;
      await runTask(scope, (task) => average(pixels, channels, image, areas, count, replacement, task), { signal });
      if (areas !== labels) scope.free(areas);
    }
    return replacement;
  }

  /**
   * Images with some segments hidden.
   *
   * @param {Uint8Array} masks  one byte per segment, one mask after the other
   * @param {number} lane
   * @returns {ImageBatch}
   */
  compose(masks, lane) {
    const scope = this.#scope;
    const { tensors, masks: masksAt } = this.#lanes[lane];
    const count = masks.length / this.count;
    scope.viewBytes(masksAt, masks.length).set(masks);
    scope.check(scope.core.linex_wasm_compose(/** @type {Doubles} */ (this.#segmented), count, masksAt, tensors));
    return this.#batch(count, tensors);
  }

  /**
   * Generated images, as the model takes them.
   *
   * @param {readonly Float32Array[]} images  like `image`
   * @param {number} lane
   * @returns {ImageBatch}
   */
  write(images, lane) {
    const { width, height, bytes } = this.#composing.tensor;
    const { tensors } = this.#lanes[lane];
    const scope = this.#scope;
    const buffer = /** @type {Floats} */ (this.#buffer);
    images.forEach((image, i) => {
      scope.viewFloats(buffer, this.#values).set(image);
      this.#write(buffer, 0, width * height, /** @type {Bytes} */ (tensors + i * bytes));
    });
    return this.#batch(images.length, tensors);
  }

  /**
   * @param {number} count
   * @param {Bytes} tensors
   * @returns {ImageBatch}
   */
  #batch(count, tensors) {
    const { width, height, channels, layout, isBytes } = this.#composing.tensor;
    const length = count * this.#values;
    return {
      data: isBytes ? this.#scope.viewBytes(tensors, length) : this.#scope.viewFloats(tensors, length),
      shape: layout === 'nchw' ? [count, channels, height, width] : [count, height, width, channels],
      layout,
    };
  }
}
