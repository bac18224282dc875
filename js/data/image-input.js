// Reads images and their options, and cuts images into segments.
import { IMAGE, QUICKSHIFT, SLIC } from '../core/border.js';
import { checkList, checkNumbers } from '../core/check-lists.js';
import { checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { inPieces } from '../core/event-loop.js';
import { runTask } from '../core/run-task.js';

/**
 * Pixels: row by row, the channels of a pixel side by side, values from 0 to 255.
 *
 * @typedef {object} Pixels
 * @property {ArrayLike<number>} data
 * @property {number} width
 * @property {number} height
 * @property {number} [channels]  1 (gray), 3 (red, green, blue) or 4 (with alpha); default: by the length of `data`
 */

/**
 * An image: pixels; in a browser also an image element, a canvas or a bitmap.
 *
 * @typedef {Pixels | ImageData | ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas} Image
 */

/**
 * @typedef {object} ReadImage
 * @property {number} width
 * @property {number} height
 * @property {number} channels
 * @property {Uint8Array | null} bytes
 * @property {Float32Array | null} floats  if the data are not bytes
 */

/**
 * Reads the pixels of an image.
 *
 * @param {any} image
 * @param {string} [name]  what errors call it
 * @returns {ReadImage}  a copy, because the caller may change or transfer the data while the model is asked
 * @throws {TypeError | RangeError}
 */
export function readImage(image, name = 'the image') {
  if (typeof image !== 'object' || image === null)
    throw new TypeError(`${name} must be pixels, an image element, a canvas or a bitmap, not ${show(image)}`);
  if ('data' in image) return readPixels(image, name);
  return readPixels(draw(image, name), name);
}

/**
 * Draws an element or a bitmap on a canvas, to read its pixels.
 *
 * @param {any} image
 * @param {string} name
 * @returns {ImageData}
 */
function draw(image, name) {
  const isElement = 'naturalWidth' in image;
  const [width, height] = isElement ? [image.naturalWidth, image.naturalHeight] : [image.width, image.height];
  if (isElement && !image.complete)
    throw new RangeError(`${name} is not loaded; await its decode() first (${show(image.currentSrc || image.src)})`);
  if (isElement && !(width > 0 && height > 0))
    throw new RangeError(
      `${name} has no size: loading failed, or it is an SVG without width and height (${show(image.src)})`,
    );
  if (!Number.isInteger(width) || !Number.isInteger(height))
    throw new TypeError(`${name} must be pixels, an image element, a canvas or a bitmap, not ${show(image)}`);
  checkSize(width, height, name);
  const canvas = newCanvas(width, height);
  try {
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height);
  } catch (cause) {
    const { name: error, message } = /** @type {Error} */ (cause);
    const reason =
      error === 'SecurityError'
        ? 'has pixels of another origin; serve them with CORS and set crossOrigin'
        : `could not be drawn: ${message}`;
    throw new TypeError(`${name} ${reason}`, { cause });
  }
}

/**
 * @param {number} width
 * @param {number} height
 * @returns {any}
 */
function newCanvas(width, height) {
  const here = /** @type {any} */ (globalThis);
  if (here.OffscreenCanvas) return new here.OffscreenCanvas(width, height);
  if (here.document) return Object.assign(here.document.createElement('canvas'), { width, height });
  throw new TypeError('this engine has no canvas to read the image; pass its pixels: { data, width, height }');
}

/**
 * @param {unknown} width
 * @param {unknown} height
 * @param {string} name
 */
function checkSize(width, height, name) {
  const good = [width, height].every((side) => Number.isInteger(side) && Number(side) >= 1 && Number(side) <= 65535);
  if (!good) throw new RangeError(`${name} must have sides of 1 to 65535 pixels, not ${show(width)} x ${show(height)}`);
}

/**
 * @param {any} image
 * @param {string} name
 * @returns {ReadImage}
 */
function readPixels({ data, width, height, channels: given }, name) {
  checkSize(width, height, name);
  const length = checkList(data, `data of ${name}`, 'an array of numbers');
  const channels = given ?? length / (width * height);
  if (![1, 3, 4].includes(channels))
    throw new RangeError(
      given === undefined
        ? `${name} must have 1, 3 or 4 values per pixel, not ${length} for ${width} x ${height}`
        : `${name} must have 1, 3 or 4 channels, not ${show(channels)}`,
    );
  if (length !== width * height * channels)
    throw new RangeError(
      `${name} must have ${width} x ${height} x ${channels} = ${width * height * channels} values, not ${length}`,
    );
  const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (isBytes) return { width, height, channels, bytes: Uint8Array.from(data), floats: null };
  return { width, height, channels, bytes: null, floats: readFloats(data, channels, width, name) };
}

/**
 * @param {ArrayLike<any>} data
 * @param {number} channels
 * @param {number} width
 * @param {string} name
 */
function readFloats(data, channels, width, name) {
  let largest = 0;
  let whole = true;
  const floats = new Float32Array(data.length);
  for (let i = 0; i < floats.length; i++) {
    const value = data[i];
    if (!(typeof value === 'number' && value >= 0 && value <= 255)) {
      const pixel = Math.floor(i / channels);
      const place = `column ${pixel % width} and row ${Math.floor(pixel / width)}`;
      throw new RangeError(`${name} must have values from 0 to 255, not ${show(value)} at ${place}`);
    }
    largest = Math.max(largest, value);
    whole &&= Number.isInteger(value);
    floats[i] = value;
  }
  if (largest <= 1 && !whole)
    throw new RangeError(`${name} must have values from 0 to 255, not 0 to ${largest}; multiply them by 255`);
  return floats;
}

/**
 * Writes an image to WebAssembly's memory as floats, with the wanted size and channels.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {ReadImage} image
 * @param {{ width: number, height: number, channels: number }} size
 * @param {readonly number[]} backdrop  the color behind transparent pixels
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../core/border.js').Floats>}
 */
export async function putImage(scope, image, { width, height, channels }, backdrop, signal) {
  const fitted = scope.floats(width * height * channels);
  const bytes = image.bytes ? scope.putBytes(image.bytes) : 0;
  const floats = image.floats ? scope.putFloats(image.floats) : 0;
  const color = scope.putDoubles(backdrop);
  const from = { width: image.width, height: image.height, channels: image.channels };
  const record = scope.putRecord(IMAGE, { ...from, bytes, floats });
  const fit = scope.core.linex_wasm_image_fit_start;
  await runTask(scope, (task) => fit(record, color, width, height, channels, fitted, task), { signal });
  for (const address of [record, color]) scope.free(address);
  if (bytes) scope.free(bytes);
  if (floats) scope.free(floats);
  return fitted;
}

/**
 * Reads a color: one number per channel.
 *
 * @param {unknown} color
 * @param {string} name
 * @param {number} channels
 * @returns {number[]}
 */
export function readColor(color, name, channels) {
  if (typeof color !== 'object' || /** @type {any} */ (color)?.length !== channels)
    throw new RangeError(`${name} must be ${channels} numbers from 0 to 255, one per channel, not ${show(color)}`);
  return [...checkNumbers(color, name, channels, { least: 0, most: 255 })];
}

/**
 * How an image is cut into segments: a method, a method with its settings, or one label per pixel.
 *
 * - `slic` (the default): superpixels of similar size that follow edges; `count` 50, `compactness` 10, `rounds` 10,
 *   `sigma` 0 (blur before cutting, in pixels)
 * - `quickshift`: LIME's default; `ratio` 0.2 (weight of color against position), `kernel` 4, `reach` 200, `sigma` 0
 * - `grid`: nearly square cells; `count` 50
 *
 * @typedef {'slic' | 'quickshift' | 'grid' | SegmentSettings | ArrayLike<number> | LabelMap} Segments
 */

/** @typedef {{ labels: ArrayLike<number>, width?: number, height?: number }} LabelMap */

/**
 * The settings of one kind of segments; the default kind is `'slic'`.
 *
 * @typedef {{ kind?: 'slic', count?: number, compactness?: number, rounds?: number, sigma?: number } |
 *   { kind: 'quickshift', ratio?: number, kernel?: number, reach?: number, sigma?: number } |
 *   { kind: 'grid', count?: number }} SegmentSettings
 */

/** How many values of an image a loop takes at once: a few milliseconds. */
export const VALUES_AT_ONCE = 2 ** 19;

/** @type {Record<string, Record<string, number>>} */
const SEGMENT_DEFAULTS = {
  slic: { count: 50, compactness: 10, rounds: 10, sigma: 0 },
  quickshift: { ratio: 0.2, kernel: 4, reach: 200, sigma: 0 },
  grid: { count: 50 },
};

/**
 * @param {any} segments
 * @returns {{ kind: string, settings: Record<string, number> } | { map: any }}
 * @throws {TypeError | RangeError}
 */
export function readSegments(segments) {
  if (Array.isArray(segments) || ArrayBuffer.isView(segments) || (segments && segments.labels))
    return { map: segments };
  const given = typeof segments === 'string' ? { kind: segments } : segments;
  const { kind = 'slic', ...rest } = checkNames(given ?? segments, ['kind', ...settingNames(given?.kind)], 'segments');
  if (!Object.hasOwn(SEGMENT_DEFAULTS, kind))
    throw new RangeError(`segments must be slic, quickshift, grid or one label per pixel, not ${show(kind)}`);
  /** @type {Record<string, number>} */
  const settings = { ...SEGMENT_DEFAULTS[kind] };
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) settings[name] = value;
  for (const [name, value] of Object.entries(settings)) {
    if (name === 'count' || name === 'rounds') checkCount(value, `segments.${name}`, 1, 1e6);
    else if (name === 'sigma') checkNumber(value, 'segments.sigma', { least: 0, most: 100 });
    else checkNumber(value, `segments.${name}`, { above: 0, most: 1e6 });
  }
  return { kind, settings };
}

/** @param {unknown} kind */
function settingNames(kind) {
  return Object.keys(SEGMENT_DEFAULTS[String(kind)] ?? SEGMENT_DEFAULTS.slic);
}

/**
 * Cuts an image in WebAssembly's memory (1 or 3 channels) into segments.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {import('../core/border.js').Floats} image
 * @param {{ width: number, height: number, channels: number }} size
 * @param {{ kind: string, settings: Record<string, number> }} segments
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ labels: Uint32Array, count: number }>}
 */
export async function cutImage(scope, image, { width, height, channels }, { kind, settings }, signal) {
  const { core } = scope;
  const pixels = width * height;
  const bytes = scope.bytes(pixels * channels);
  const round = (/** @type {number} */ first, /** @type {number} */ end) => {
    const floats = scope.viewFloats(image, end).subarray(first);
    scope.viewBytes(bytes, end).set(new Uint8ClampedArray(floats), first);
  };
  await inPieces(pixels * channels, VALUES_AT_ONCE, round, signal);
  const [labels, found] = [scope.indices(pixels), scope.indices(1)];
  if (kind === 'grid') {
    const grid = core.linex_grid_start;
    await runTask(scope, (task) => grid(width, height, settings.count, labels, found, task), { signal });
  } else {
    const slic = kind === 'slic';
    const given = /** @type {any} */ (settings);
    const record = slic ? scope.putRecord(SLIC, given) : scope.putRecord(QUICKSHIFT, given);
    const cut = slic ? core.linex_wasm_slic_start : core.linex_wasm_quickshift_start;
    const start = (/** @type {import('../core/border.js').Indices} */ task) =>
      cut(width, height, channels, bytes, record, labels, found, task);
    await runTask(scope, start, { signal });
    scope.free(record);
  }
  const result = { labels: scope.getIndices(labels, pixels), count: scope.getIndices(found, 1)[0] };
  for (const address of [found, labels, bytes]) scope.free(address);
  return result;
}
