import { show } from '../core/errors.js';
import { newImageInstance } from '../core/load.js';
import { Scope } from '../core/memory.js';
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { cutPicture, fitLabels, putPicture, readColor, readImage, readSegments } from '../data/image-input.js';

/**
 * What a model wants to be asked.
 *
 * @typedef {object} InputOptions
 * @property {'nchw' | 'nhwc'} [layout]  default `'nhwc'`, as pixels come
 * @property {'float32' | 'uint8'} [type]  default `'float32'`
 * @property {number} [width]  the image is explained at this size; default its own; of one alone, the other follows
 * @property {number} [height]
 * @property {number} [channels]  1, 3 or 4; default the image's, but 3 for one with alpha: it is laid on the backdrop
 * @property {number} [scale]  floats are (value · scale − mean) / std; default 1 / 255
 * @property {number | readonly number[]} [mean]  one a channel; default 0
 * @property {number | readonly number[]} [std]  one a channel; default 1
 */

/**
 * Images on their way to a model: `data` is a view of WebAssembly's memory, in the layout and type that were asked for. It
 * is the model's until its answer is there, and is written over by the next batch.
 *
 * @typedef {object} ImageBatch
 * @property {Float32Array | Uint8Array} data
 * @property {readonly number[]} shape  [count, channels, height, width] or [count, height, width, channels]
 * @property {'nchw' | 'nhwc'} layout
 */

/**
 * @typedef {object} ComposeOptions
 * @property {import('../data/image-input.js').Segments} [segments]  default `'slic'`
 * @property {'segment' | 'pixel'} [unit]  what a feature is; default `'segment'`
 * @property {'mean' | 'blur' | { blur: number } | readonly number[] | import('../data/image-input.js').Image} [hide]  what stands
 *   where a segment is taken away: its mean color (the default; of single pixels, the whole image's), a blurred copy
 *   (`{ blur: pixels }`), a color, an image
 * @property {readonly number[]} [backdrop]  what transparent pixels lie on; default white
 * @property {InputOptions} [input]
 */

export const COMPOSE_OPTIONS = Object.freeze(['segments', 'unit', 'hide', 'backdrop', 'input']);

export const LAYOUTS = /** @type {const} */ (['nchw', 'nhwc']);

/** A change of less than this, of 255, is not seen. */
const INVISIBLE = 1.5;

/** Every pixel plays against every other: the game of more does not fit. */
const MOST_PIXELS = 4096;

/** A batch holds up to so many bytes, unless its size is given: they stay in the cache until the model reads them. */
const BATCH_BYTES = 2 ** 23;
/** Four are put together at once: large images are asked by four as long as those have no more bytes than this. */
const MOST_BYTES = 2 ** 25;

/**
 * @param {any} image
 * @param {ComposeOptions} options  names already checked
 * @param {boolean} generated  whether images come from the caller's own generator
 * @returns a checked plan, for `PictureComposer`
 * @throws {TypeError | RangeError}
 */
export function readComposing(image, options, generated = false) {
  if (generated && options.hide !== undefined)
    throw new RangeError(
      `hide is for segments that are taken away, not for a neighborhood of images: ${show(options.hide)}`,
    );
  const { segments = 'slic', unit = 'segment', hide = 'mean', backdrop, input = {} } = options;
  const read = readImage(image);
  const pixel = checkChoice(unit, 'unit', ['segment', 'pixel']) === 1;
  const tensor = readInput(input, read);
  const { width, height } = tensor;
  if (pixel && width * height > MOST_PIXELS)
    throw new RangeError(
      `unit 'pixel' is for up to ${MOST_PIXELS} pixels, not ${width} x ${height}; shrink it by input.width, or take segments`,
    );
  return {
    image: read,
    tensor,
    pixel,
    generated,
    segments: readSegments(segments),
    hide: readHide(hide, tensor.channels),
    backdrop: backdrop === undefined ? [255, 255, 255] : readColor(backdrop, 'backdrop', 3),
    usualBatch: usualBatch(tensor.bytes),
  };
}

/** @typedef {ReturnType<typeof readComposing>} Composing */

/** @param {number} bytes  of an image */
function usualBatch(bytes) {
  const fours = 4 * Math.floor(BATCH_BYTES / bytes / 4) || Math.min(4, Math.floor(MOST_BYTES / bytes));
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
    throw new RangeError("input.type 'uint8' is 0 to 255 as it is; scale, mean and std are for 'float32'");
  checkCount(width, 'input.width', 1, 65535);
  checkCount(height, 'input.height', 1, 65535);
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
 * The side that was not given: the image's own, shrunk as much as the other.
 *
 * @param {number | undefined} other
 * @param {number} otherOwn
 * @param {number} own
 */
function inProportion(other, otherOwn, own) {
  return other === undefined ? own : Math.max(1, Math.round((own * other) / otherOwn));
}

/**
 * A number a channel, or one for all.
 *
 * @param {any} given
 * @param {string} name
 * @param {number} channels
 * @param {{ least?: number, above?: number, most?: number }} range
 */
export function perChannel(given, name, channels, range) {
  const list = typeof given === 'number' ? Array.from({ length: channels }, () => given) : Array.from(given ?? []);
  if (list.length !== channels)
    throw new RangeError(`${name} must be a number, or ${channels}, one a channel, not ${show(given)}`);
  return list.map((value, c) => checkNumber(value, `${name}[${c}]`, range));
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

/** @typedef {{ shown: number, hidden: number, runs: number, runCount: number }} Parts  addresses */

/**
 * Puts masked images together, in an instance of WebAssembly of its own: the model gets views of that memory, which must
 * not grow under it, and the memory of a large image is given back when it is done with.
 */
export class PictureComposer {
  #scope;
  #composing;
  /** @type {Parts | undefined} */
  #parts;
  /** @type {{ tensors: number, masks: number }[]} */
  #lanes;
  /** How a picture becomes a tensor. @type {[number, boolean, number, number, number]} */
  #how;
  /** The image as a generator gets it. @type {Float32Array | undefined} */
  picture;
  /** Where a generated picture lies while it becomes a tensor. */
  #room = 0;
  /** @type {string[]} */
  warnings = [];

  /**
   * @param {Scope} scope  of an instance of its own
   * @param {Composing} composing
   * @param {{ batchSize: number, lanes: number }} batches
   */
  constructor(scope, composing, { batchSize, lanes }) {
    const { tensor, image, backdrop } = composing;
    this.#scope = scope;
    this.#composing = composing;
    const picture = putPicture(scope, image, tensor, backdrop);
    const { labels, count } = this.#cut(picture);
    this.labels = labels;
    this.count = count;
    const { layout, isBytes, scale, mean, std } = tensor;
    this.#how = [LAYOUTS.indexOf(layout), isBytes, scale, scope.putDoubles(mean), scope.putDoubles(std)];
    if (composing.generated) this.picture = scope.viewFloats(picture, this.#values).slice();
    else this.#parts = this.#prepare(picture);
    this.#room = composing.generated ? picture : 0;
    this.#lanes = Array.from({ length: lanes }, () => ({
      tensors: scope.bytes(batchSize * tensor.bytes),
      masks: composing.generated ? 0 : scope.bytes(batchSize * count),
    }));
  }

  get #values() {
    const { width, height, channels } = this.#composing.tensor;
    return width * height * channels;
  }

  /**
   * @param {Composing} composing
   * @param {{ batchSize: number, lanes: number }} batches
   */
  static async open(composing, batches) {
    return new PictureComposer(new Scope(await newImageInstance()), composing, batches);
  }

  /** @param {number} picture */
  #cut(picture) {
    const { tensor, image, backdrop, segments, pixel } = this.#composing;
    const { width, height, channels } = tensor;
    const pixels = width * height;
    if (pixel) return { labels: Uint32Array.from({ length: pixels }, (_, i) => i), count: pixels };
    if ('map' in segments) return fitLabels(segments.map, image, tensor);
    if (channels < 4) return cutPicture(this.#scope, picture, tensor, segments);
    const opaque = { width, height, channels: 3 };
    const flat = putPicture(this.#scope, image, opaque, backdrop);
    const cut = cutPicture(this.#scope, flat, opaque, segments);
    this.#scope.free(flat);
    return cut;
  }

  /**
   * The shown and the hidden image as tensors, and the runs of pixels of one segment.
   *
   * @param {number} picture  is freed
   */
  #prepare(picture) {
    const scope = this.#scope;
    const { core } = scope;
    const { bytes, width, height, channels } = this.#composing.tensor;
    const pixels = width * height;
    const [shown, hidden] = [scope.bytes(bytes), scope.bytes(bytes)];
    const labels = scope.putIndices(this.labels);
    const veil = this.#hide(picture, labels);
    this.warnings = this.#doubts(picture, veil);
    scope.check(core.linex_wasm_tensor_write(pixels, channels, picture, ...this.#how, shown));
    scope.check(core.linex_wasm_tensor_write(pixels, channels, veil, ...this.#how, hidden));
    for (const address of [veil, picture]) scope.free(address);
    const runCount = core.linex_runs_find(pixels, labels, 0);
    const runs = scope.indices(2 * runCount);
    core.linex_runs_find(pixels, labels, runs);
    scope.free(labels);
    return { shown, hidden, runs, runCount };
  }

  /**
   * Segments that look the same when they are taken away cannot be explained: flat areas under their mean color.
   *
   * @param {number} picture
   * @param {number} veil
   */
  #doubts(picture, veil) {
    const { width, height, channels } = this.#composing.tensor;
    const values = width * height * channels;
    const [shown, hidden] = [this.#scope.viewFloats(picture, values), this.#scope.viewFloats(veil, values)];
    const changes = new Float64Array(this.count);
    const sizes = new Float64Array(this.count);
    for (let i = 0; i < values; i++) {
      const label = this.labels[Math.floor(i / channels)];
      changes[label] += Math.abs(shown[i] - hidden[i]);
      sizes[label]++;
    }
    const same = changes.filter((change, label) => change < INVISIBLE * sizes[label]).length;
    if (same <= this.count / 2) return [];
    return [
      `${same} of ${this.count} segments look the same when they are taken away, so nothing can be said of them; ` +
        'hide them by a color that is not in the image, such as hide: [255, 0, 255]',
    ];
  }

  /**
   * What stands where a segment is taken away, as a picture.
   *
   * @param {number} picture
   * @param {number} labels
   */
  #hide(picture, labels) {
    const { tensor, hide, backdrop } = this.#composing;
    const { width, height, channels } = tensor;
    const scope = this.#scope;
    if (hide.image) return putPicture(scope, hide.image, tensor, backdrop);
    const veil = scope.floats(width * height * channels);
    const { color } = hide;
    if (color) {
      const view = scope.viewFloats(veil, width * height * channels);
      for (let i = 0; i < view.length; i++) view[i] = color[i % channels];
    } else if (hide.kind === 'blur') {
      const sigma = hide.sigma ?? Math.max(1, Math.min(width, height) / 20);
      scope.check(scope.core.linex_image_blur(width, height, channels, picture, sigma, veil));
    } else {
      // The mean of a single pixel would be itself.
      const whole = this.#composing.pixel ? scope.putIndices(new Uint32Array(width * height)) : labels;
      const count = this.#composing.pixel ? 1 : this.count;
      scope.check(scope.core.linex_image_average(width * height, channels, picture, whole, count, veil));
      if (whole !== labels) scope.free(whole);
    }
    return veil;
  }

  /**
   * @param {Uint8Array} masks  a byte a segment, image after image
   * @param {number} lane
   * @returns {ImageBatch}
   */
  compose(masks, lane) {
    const { core } = this.#scope;
    const { width, height, channels, layout, bytes } = this.#composing.tensor;
    const { shown, hidden, runs, runCount } = /** @type {Parts} */ (this.#parts);
    const { tensors, masks: room } = this.#lanes[lane];
    const count = masks.length / this.count;
    this.#scope.viewBytes(room, masks.length).set(masks);
    const planes = layout === 'nchw' ? channels : 1;
    const picture = [width * height, planes, bytes / (width * height * planes), shown, hidden, runCount, runs];
    this.#scope.check(core.linex_compose(...picture, this.count, count, room, tensors));
    return this.#batch(count, tensors);
  }

  /**
   * Pictures of the caller's own, as the model wants them.
   *
   * @param {readonly Float32Array[]} pictures  like `picture`
   * @param {number} lane
   * @returns {ImageBatch}
   */
  write(pictures, lane) {
    const { width, height, channels, bytes } = this.#composing.tensor;
    const { tensors } = this.#lanes[lane];
    pictures.forEach((picture, i) => {
      this.#scope.viewFloats(this.#room, this.#values).set(picture);
      const out = tensors + i * bytes;
      const how = [width * height, channels, this.#room, ...this.#how];
      this.#scope.check(this.#scope.core.linex_wasm_tensor_write(...how, out));
    });
    return this.#batch(pictures.length, tensors);
  }

  /**
   * @param {number} count
   * @param {number} tensors
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
