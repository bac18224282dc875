import { IMAGE, QUICKSHIFT, SLIC } from '../core/border.js';
import { show } from '../core/errors.js';
import { checkCount, checkNames, checkNumber } from '../core/check-options.js';

/**
 * Pixels: row-major, channels side by side, values in 0 … 255.
 *
 * @typedef {object} Pixels
 * @property {ArrayLike<number>} data
 * @property {number} width
 * @property {number} height
 * @property {number} [channels]  1 (gray), 3 (red, green, blue) or 4 (and alpha); default as many as there are data for
 */

/**
 * What can be explained: pixels, or in a browser an image, a canvas or a bitmap.
 *
 * @typedef {Pixels | ImageData | ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas} Image
 */

/**
 * @typedef {object} ReadImage
 * @property {number} width
 * @property {number} height
 * @property {number} channels
 * @property {Uint8Array | Uint8ClampedArray | null} bytes
 * @property {Float32Array | null} floats  where the data are not bytes
 */

/**
 * @param {any} image
 * @param {string} [name]  what it is called in errors
 * @returns {ReadImage}  its data are the caller's, not a copy, where they are bytes
 * @throws {TypeError | RangeError}
 */
export function readImage(image, name = 'the image') {
  if (typeof image !== 'object' || image === null)
    throw new TypeError(`${name} must be pixels, an image element, a canvas or a bitmap, not ${show(image)}`);
  if ('data' in image) return readPixels(image, name);
  return readPixels(draw(image, name), name);
}

/**
 * @param {any} image
 * @param {string} name
 * @returns {ImageData}
 */
function draw(image, name) {
  const isElement = 'naturalWidth' in image;
  const [width, height] = isElement ? [image.naturalWidth, image.naturalHeight] : [image.width, image.height];
  if (isElement && !image.complete)
    throw new RangeError(
      `${name} has not been loaded; await its decode() first (${show(image.currentSrc || image.src)})`,
    );
  if (isElement && !(width > 0 && height > 0))
    throw new RangeError(
      `${name} has no size: it could not be loaded, or is an SVG without width and height (${show(image.src)})`,
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
    const tainted = cause instanceof Error && cause.name === 'SecurityError';
    const why = tainted
      ? 'holds pixels of another origin, which the browser does not let anyone read; serve them with CORS and set crossOrigin'
      : `cannot be drawn: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new TypeError(`${name} ${why}`, { cause });
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
  throw new TypeError('there is no canvas here to read an image with; give its pixels: { data, width, height }');
}

/**
 * @param {unknown} width
 * @param {unknown} height
 * @param {string} name
 */
function checkSize(width, height, name) {
  const good = [width, height].every((side) => Number.isInteger(side) && Number(side) >= 1 && Number(side) <= 65535);
  if (!good) throw new RangeError(`${name} must be at least 1 x 1 pixels, not ${show(width)} x ${show(height)}`);
}

/**
 * @param {any} image
 * @param {string} name
 * @returns {ReadImage}
 */
function readPixels({ data, width, height, channels: given }, name) {
  checkSize(width, height, name);
  if (typeof data?.length !== 'number')
    throw new TypeError(`the data of ${name} must be an array of numbers, not ${show(data)}`);
  const channels = given ?? data.length / (width * height);
  if (![1, 3, 4].includes(channels))
    throw new RangeError(
      given === undefined
        ? `${name} has ${data.length} values for ${width} x ${height} pixels; 1, 3 or 4 a pixel are needed`
        : `${name} must have 1, 3 or 4 channels, not ${show(channels)}`,
    );
  if (data.length !== width * height * channels)
    throw new RangeError(
      `${name} must have ${width} x ${height} x ${channels} = ${width * height * channels} values, not ${data.length}`,
    );
  const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (isBytes) return { width, height, channels, bytes: data, floats: null };
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
  const floats = Float32Array.from(data, (value, i) => {
    if (!(typeof value === 'number' && value >= 0 && value <= 255)) {
      const pixel = Math.floor(i / channels);
      const where = `column ${pixel % width} and row ${Math.floor(pixel / width)}`;
      throw new RangeError(`${name} must have values from 0 to 255, not ${show(value)} at ${where}`);
    }
    largest = Math.max(largest, value);
    whole &&= Number.isInteger(value);
    return value;
  });
  if (largest <= 1 && !whole)
    throw new RangeError(`${name} has no value above ${largest}; linex wants 0 to 255: multiply by 255`);
  return floats;
}

/**
 * A picture in an instance's memory, as floats, in the size and with the channels that are wanted.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {ReadImage} image
 * @param {{ width: number, height: number, channels: number }} size
 * @param {readonly number[]} backdrop  what transparent pixels lie on
 * @returns {import('../core/border.js').Floats}
 */
export function putImage(scope, image, { width, height, channels }, backdrop) {
  const fitted = scope.floats(width * height * channels);
  const values = image.bytes
    ? scope.putBytes(image.bytes)
    : scope.putFloats(/** @type {Float32Array} */ (image.floats));
  const color = scope.putDoubles(backdrop);
  const record = scope.putRecord(IMAGE, {
    ...{ width: image.width, height: image.height, channels: image.channels },
    bytes: image.bytes ? values : 0,
    floats: image.bytes ? 0 : values,
  });
  scope.check(scope.core.linex_wasm_image_fit(record, color, width, height, channels, fitted));
  for (const address of [record, color, values]) scope.free(address);
  return fitted;
}

/**
 * A color a channel.
 *
 * @param {unknown} color
 * @param {string} name
 * @param {number} channels
 * @returns {number[]}
 */
export function readColor(color, name, channels) {
  const list = ArrayBuffer.isView(color) ? Array.from(/** @type {any} */ (color)) : color;
  if (!Array.isArray(list) || list.length !== channels)
    throw new RangeError(`${name} must be ${channels} numbers from 0 to 255, one a channel, not ${show(color)}`);
  return list.map((value, c) => checkNumber(value, `${name}[${c}]`, { least: 0, most: 255 }));
}

/**
 * How an image is cut into segments: a way of doing it, with its settings, or a label a pixel.
 *
 * - `slic` (the default): superpixels of about equal size that follow edges; `count` 50, `compactness` 10, `rounds` 10,
 *   `sigma` 0 (blur before)
 * - `quickshift`: LIME's default; `ratio` 0.2 (color against place), `kernel` 4, `reach` 200, `sigma` 0
 * - `grid`: near-square cells; `count` 50
 *
 * @typedef {'slic' | 'quickshift' | 'grid' | SegmentSettings | ArrayLike<number> | LabelMap} Segments
 */

/** @typedef {{ labels: ArrayLike<number>, width?: number, height?: number }} LabelMap */

/**
 * @typedef {object} SegmentSettings
 * @property {'slic' | 'quickshift' | 'grid'} [kind]  default `'slic'`
 * @property {number} [count]
 * @property {number} [compactness]
 * @property {number} [rounds]
 * @property {number} [sigma]
 * @property {number} [ratio]
 * @property {number} [kernel]
 * @property {number} [reach]
 */

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
    throw new RangeError(`segments must be slic, quickshift, grid or a label a pixel, not ${show(kind)}`);
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
 * Cuts an image in memory (1 or 3 channels) into segments.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {import('../core/border.js').Floats} image
 * @param {{ width: number, height: number, channels: number }} size
 * @param {{ kind: string, settings: Record<string, number> }} segments
 * @returns {{ labels: Uint32Array, count: number }}
 */
export function cutImage(scope, image, { width, height, channels }, { kind, settings }) {
  const { core } = scope;
  const pixels = width * height;
  const bytes = scope.putBytes(Uint8ClampedArray.from(scope.viewFloats(image, pixels * channels)));
  const [labels, found] = [scope.indices(pixels), scope.indices(1)];
  if (kind === 'grid') scope.check(core.linex_grid(width, height, settings.count, labels, found));
  else {
    const slic = kind === 'slic';
    const record = scope.putRecord(slic ? SLIC : QUICKSHIFT, /** @type {any} */ (settings));
    const cut = slic ? core.linex_wasm_slic : core.linex_wasm_quickshift;
    scope.check(cut(width, height, channels, bytes, record, labels, found));
    scope.free(record);
  }
  const result = { labels: scope.getIndices(labels, pixels), count: scope.getIndices(found, 1)[0] };
  for (const address of [found, labels, bytes]) scope.free(address);
  return result;
}

/**
 * A caller's own label map, stretched to the wanted size, its labels made 0 … count - 1 in their order.
 *
 * @param {any} map
 * @param {{ width: number, height: number }} image  the image's own size: the map may have that
 * @param {{ width: number, height: number }} size  the wanted size: or that
 * @returns {{ labels: Uint32Array, count: number }}
 */
export function fitLabels(map, image, size) {
  const labels = map.labels ?? map;
  const { width, height } = map.width === undefined ? sizeOfMap(labels.length, image, size) : map;
  if (!(labels?.length === width * height && Number.isInteger(width) && width > 0))
    throw new RangeError(
      `segments must have a label for each of the ${size.width} x ${size.height} pixels, not ${show(labels)}`,
    );
  for (let i = 0; i < labels.length; i++) checkCount(labels[i], `label ${i} of segments`, 0, 2 ** 32 - 2);
  const fitted = new Uint32Array(size.width * size.height);
  for (let y = 0, i = 0; y < size.height; y++) {
    const row = Math.floor(((y + 0.5) * height) / size.height) * width;
    for (let x = 0; x < size.width; x++, i++) fitted[i] = labels[row + Math.floor(((x + 0.5) * width) / size.width)];
  }
  const known = [...new Set(fitted)].sort((a, b) => a - b);
  const places = new Map(known.map((label, i) => [label, i]));
  return { labels: fitted.map((label) => places.get(label) ?? 0), count: known.length };
}

/**
 * @param {number} length
 * @param {{ width: number, height: number }} image
 * @param {{ width: number, height: number }} size
 */
function sizeOfMap(length, image, size) {
  return [size, image].find(({ width, height }) => width * height === length) ?? { width: 0, height: 0 };
}
