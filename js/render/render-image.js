// Renders the effects of an image's superpixels over the image, as pixels.
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { colorAt, PALETTES, placeOf } from './palette.js';
import { Reading } from './reading.js';
import { checkDrawable } from './wording.js';

/**
 * @typedef {import('../data/image-input.js').Pixels} Pixels
 * @typedef {import('./wording.js').ExplainedImage} ExplainedImage
 *
 * @typedef {object} ImageDrawingOptions
 * @property {import('./palette.js').Palette} [palette]  default `'blue-orange'`: blue raises the answer, orange lowers it
 * @property {number} [fullWeight]  the effect that gets the full color; default: the largest of this explanation
 * @property {'heatmap' | 'outlines'} [mode]  `'heatmap'`, the default, colors the superpixels and hatches those that
 *   lower the answer; `'outlines'` leaves them unchanged and draws a line around each, dashed if it lowers the answer
 * @property {number} [opacity]  of the full color, 0 to 1; default 0.8, for outlines 1
 * @property {'both' | 'positive' | 'negative'} [sign]  which effects to show; default `'both'`
 * @property {number} [features]  the largest number of superpixels to show, strongest first; default all, for outlines 8
 * @property {number} [width]  of the result in pixels, 1 to 32767, its height in proportion; default: the width of the
 *   image
 */

/** The gray that replaces a missing image. */
const NEUTRAL = 235;

/** More outlines than this would hide the image. */
const MAX_OUTLINES = 8;

/**
 * Renders the effects of the superpixels over the image. The image is turned into a pale gray so that only effects have
 * color; what is unsure, or hardly has an effect, has none. It may have another size than the explained image.
 *
 * @param {ExplainedImage} explanation  from `explainImage`
 * @param {Pixels | null} [image]  default none: the weights are drawn on a neutral gray
 * @param {ImageDrawingOptions} [options]
 * @returns {{ data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number }}  opaque RGBA for
 *   `new ImageData(data, width, height)`, in a new array
 * @throws {TypeError | RangeError}  if this is not an explanation of an image, or the image or an option is wrong
 */
export function renderImageRGBA(explanation, image, options = {}) {
  checkDrawable(explanation, 'renderImageRGBA', 'image');
  checkNames(options, ['palette', 'fullWeight', 'mode', 'opacity', 'sign', 'features', 'width'], 'renderImageRGBA');
  if (options.palette !== undefined) checkChoice(options.palette, 'palette', PALETTES);
  if (options.width !== undefined) checkCount(options.width, 'width', 1, 32767);
  if (options.features !== undefined) checkCount(options.features, 'features', 1);
  const { palette = PALETTES[0], fullWeight } = options;
  return paintImage(new Reading(explanation, { fullWeight }), image, { ...options, palette });
}

/**
 * Does the same as `renderImageRGBA`, for a caller that has checked explanation, palette, width and features.
 *
 * @param {Reading} reading  of an image
 * @param {Pixels | null | undefined} image
 * @param {ImageDrawingOptions & { palette: import('./palette.js').Palette }} options
 */
export function paintImage(reading, image, options) {
  const explanation = /** @type {ExplainedImage} */ (reading.explanation);
  const { mode = 'heatmap', sign = 'both' } = options;
  checkChoice(mode, 'mode', ['heatmap', 'outlines']);
  checkChoice(sign, 'sign', ['both', 'positive', 'negative']);
  const heatmap = mode === 'heatmap';
  const opacity = checkNumber(options.opacity ?? (heatmap ? 0.8 : 1), 'opacity', { least: 0, most: 1 });
  const pixels = image && checkPixels(image);
  const source = pixels || explanation;
  const { width = source.width } = options;
  const height = Math.ceil((source.height * width) / source.width);
  const tints = tintsOf(reading, { ...options, heatmap });
  const labels = stretchLabels(explanation, width, height);
  const data = new Uint8ClampedArray(4 * width * height).fill(NEUTRAL);
  if (pixels) copyPixels(data, width, height, pixels);
  paintWeights(data, labels, tints, { heatmap, opacity, line: Math.ceil(Math.min(width, height) / 160) });
  return { data, width, height };
}

/**
 * @param {Pixels} image
 * @returns {Required<Pixels>}
 */
function checkPixels(image) {
  const { data, width, height } = image;
  const { channels = data?.length / (width * height) } = image;
  if (![1, 3, 4].includes(channels) || data?.length !== width * height * channels)
    throw new TypeError(`image must be ${width} x ${height} pixels of 1, 3 or 4 channels, not ${show(data)}`);
  return { data, width, height, channels };
}

/**
 * Whether an effect is to be shown.
 *
 * @param {import('./reading.js').Item} item
 * @param {string} [sign]
 */
export function isShown({ amount, step }, sign = 'both') {
  return step !== 'z' && (sign === 'both' || (sign === 'positive' ? amount > 0 : amount < 0));
}

/**
 * Returns five numbers per superpixel: red, green, blue, strength from 0 to 1, and 1 if the effect is negative.
 *
 * @param {Reading} reading
 * @param {ImageDrawingOptions & { palette: import('./palette.js').Palette, heatmap: boolean }} options
 */
function tintsOf({ items, explanation, fullWeight, poor }, options) {
  const { palette, sign, heatmap, features: count = heatmap ? Infinity : MAX_OUTLINES } = options;
  const tints = new Float64Array(5 * explanation.weights.length);
  const shown = items.filter((item) => isShown(item, sign));
  for (const { feature, amount, step } of shown.slice(0, count)) {
    // If the weights are not to be relied on, the step is weaker than the effect.
    const strength = poor ? Math.abs(placeOf(step)) : Math.min(1, Math.abs(amount) / fullWeight);
    tints.set([...colorAt(Math.sign(amount), palette), strength, Number(amount < 0)], 5 * feature.index);
  }
  return tints;
}

/**
 * Resizes one axis: returns, for each pixel of the result, the place of the nearest pixel of the source.
 *
 * @param {number} from  pixels of the source
 * @param {number} to  pixels of the result
 * @param {number} [step]  array elements per place; default 1
 */
function placesOf(from, to, step = 1) {
  return Int32Array.from({ length: to }, (_, i) => step * Math.floor(((i + 0.5) * from) / to));
}

/**
 * Resizes the label map by the nearest label. Only rows are stretched, and each pixel row looks up its row of labels,
 * because a stretched map would need as much memory as the image.
 *
 * @param {ExplainedImage} explanation
 * @param {number} width
 * @param {number} height
 * @returns {{ width: number, height: number, start: Int32Array, rows: Int32Array }}  the label
 *   of pixel x, y is `rows[start[y] + x]`
 */
function stretchLabels({ labels, width: from, height: fromRows }, width, height) {
  const rows = new Int32Array(width * fromRows);
  const columns = placesOf(from, width);
  for (let y = 0, at = 0; y < fromRows; y++) for (let x = 0; x < width; x++) rows[at++] = labels[y * from + columns[x]];
  return { width, height, start: placesOf(fromRows, height, width), rows };
}

/**
 * Copies the image at the size of the result; transparent pixels are put on white.
 *
 * @param {Uint8ClampedArray} data
 * @param {number} width
 * @param {number} height
 * @param {Required<Pixels>} image
 */
function copyPixels(data, width, height, { data: from, channels, ...image }) {
  const columns = placesOf(image.width, width, channels);
  const starts = placesOf(image.height, height, channels * image.width);
  const step = channels === 1 ? 0 : 1;
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = starts[y] + columns[x];
      const alpha = channels === 4 ? from[at + 3] / 255 : 1;
      for (let channel = 0; channel < 3; channel++) data[to++] = 255 + alpha * (from[at + channel * step] - 255);
      data[to++] = 255;
    }
}

/**
 * Turns the image gray and paints the weights. A heatmap gives each superpixel the color of its sign, hatched if it is
 * negative. With outlines, superpixels stay unchanged and get a line, which is dashed if the weight is negative and
 * fainter if it is small. A white edge keeps the line visible on any image.
 *
 * @param {Uint8ClampedArray} data
 * @param {ReturnType<typeof stretchLabels>} labels
 * @param {Float64Array} tints
 * @param {{ heatmap: boolean, opacity: number, line: number }} options  line: the width of lines in pixels
 */
function paintWeights(data, { width, height, start, rows }, tints, { heatmap, opacity, line }) {
  const hatch = Math.min(width, height) < 64 ? 0 : 3 * line;
  const edge = line + Math.ceil(line / 2);
  /** Whether the four pixels at distance `far` belong to the same superpixel. */
  const isInside = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ far) => {
    if (x < far || x + far >= width || y < far || y + far >= height) return false;
    const label = rows[start[y] + x];
    const beside = rows[start[y] + x - far] === label && rows[start[y] + x + far] === label;
    return beside && rows[start[y - far] + x] === label && rows[start[y + far] + x] === label;
  };
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, to += 4) {
      data[to + 3] = 255;
      const tint = 5 * rows[start[y] + x];
      const strength = tints[tint + 3];
      if (heatmap || !strength) {
        // Luma of ITU-R BT.709, mapped to 96 to 246: dark enough for a photograph, pale enough for color to show on it.
        const luma = 0.2126 * data[to] + 0.7152 * data[to + 1] + 0.0722 * data[to + 2];
        data[to] = data[to + 1] = data[to + 2] = 96 + (150 / 255) * luma;
      }
      if (!strength || (!heatmap && isInside(x, y, edge))) continue;
      const negative = tints[tint + 4];
      const gap =
        negative && (heatmap ? hatch && (x + y) % (2 * hatch) >= hatch : (2 * x + y) % (14 * line) >= 8 * line);
      const white = !heatmap && (gap || isInside(x, y, line));
      const alpha = opacity * (white ? 0.8 : heatmap ? strength * (gap ? 0.7 : 1) : 0.4 + 0.6 * strength);
      for (let channel = 0; channel < 3; channel++)
        data[to + channel] += alpha * ((white ? 255 : tints[tint + channel]) - data[to + channel]);
    }
}
