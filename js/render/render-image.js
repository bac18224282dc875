import { show } from '../core/errors.js';
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { colorAt, PALETTES } from './palette.js';
import { checkExplanation, fullWeightOf } from './wording.js';

/**
 * @typedef {import('./wording.js').ImagePicture} ImagePicture
 *
 * @typedef {object} Picture
 * @property {ArrayLike<number>} data  0 to 255, row-major, channels together
 * @property {number} width
 * @property {number} height
 * @property {number} [channels]  1, 3 or 4; default as many as there are data for
 *
 * @typedef {object} ImageLook
 * @property {import('./palette.js').Palette} [palette]  default `'red-blue'`: red speaks for, blue against
 * @property {number} [fullWeight]  the weight that gets full color; default the largest
 * @property {'heatmap' | 'outlines'} [mode]  `'heatmap'` colors the superpixels, hatched where they speak against;
 *   `'outlines'` leaves them as photographed inside a line that is dashed where they speak against; default `'heatmap'`
 * @property {number} [opacity]  of the full color, 0 to 1; default 0.8, for outlines 1
 * @property {'both' | 'positive' | 'negative'} [sign]  which weights are shown; default `'both'`
 * @property {number} [features]  how many of them, the largest; default all, for outlines 8, and there none that is less
 *   than a twentieth of the full weight
 *
 * @typedef {ImageLook & { width?: number }} ImageOptions  `width`: of the result, its height in proportion; default the
 *   picture's own
 */

/** The gray of the ground where there is no photograph. */
const NEUTRAL = 235;

/** Lines around more superpixels than this hide the photograph. */
const OUTLINED = 8;

/**
 * The superpixels' weights over the photograph, which is grayed and paled so that only weights have color. The
 * photograph may be of any size, whatever the size at which it was explained.
 *
 * @param {ImagePicture} explanation  of `explainImage`
 * @param {Picture | null} [image]  the photograph; without it the weights alone, on a neutral ground
 * @param {ImageOptions} [options]
 * @returns {{ data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number }}  opaque RGBA, the caller's to keep;
 *   what `new ImageData(data, width, height)` takes
 * @throws {TypeError | RangeError}  for what is not an explanation or an image, and for wrong options
 */
export function renderImageRGBA(explanation, image, options = {}) {
  checkExplanation(explanation, 'renderImageRGBA', 'image');
  checkNames(options, ['palette', 'fullWeight', 'mode', 'opacity', 'sign', 'features', 'width'], 'renderImageRGBA');
  if (options.palette !== undefined) checkChoice(options.palette, 'palette', PALETTES);
  if (options.width !== undefined) checkCount(options.width, 'width', 1, 32767);
  if (options.features !== undefined) checkCount(options.features, 'features', 1);
  return paintImage(explanation, image, { ...options, palette: options.palette ?? 'red-blue' });
}

/**
 * The same for those who have checked explanation, palette, width and features.
 *
 * @param {ImagePicture} explanation
 * @param {Picture | null | undefined} image
 * @param {ImageOptions & { palette: import('./palette.js').Palette }} options
 */
export function paintImage(explanation, image, options) {
  const { mode = 'heatmap', sign = 'both' } = options;
  checkChoice(mode, 'mode', ['heatmap', 'outlines']);
  checkChoice(sign, 'sign', ['both', 'positive', 'negative']);
  const heat = mode === 'heatmap';
  const opacity = checkNumber(options.opacity ?? (heat ? 0.8 : 1), 'opacity', { least: 0, most: 1 });
  const photo = image && checkPicture(image);
  const own = photo || explanation;
  const { width = own.width } = options;
  const height = Math.ceil((own.height * width) / own.width);
  const tints = tintsOf(explanation, { ...options, heat, full: fullWeightOf(explanation, options.fullWeight) });
  const labels = spread(explanation, width, height);
  const data = new Uint8ClampedArray(4 * width * height).fill(NEUTRAL);
  if (photo) copyPhoto(data, width, height, photo);
  paintWeights(data, labels, tints, { heat, opacity, line: Math.ceil(Math.min(width, height) / 160) });
  return { data, width, height };
}

/**
 * @param {Picture} image
 * @returns {Required<Picture>}
 */
function checkPicture(image) {
  const { data, width, height } = image;
  const { channels = data?.length / (width * height) } = image;
  if (![1, 3, 4].includes(channels) || data?.length !== width * height * channels)
    throw new TypeError(`image must be ${width} x ${height} pixels of 1, 3 or 4 channels, not ${show(data)}`);
  return { data, width, height, channels };
}

/**
 * Whether a weight is to be shown.
 *
 * @param {number} weight
 * @param {string} [sign]
 */
export function isShown(weight, sign = 'both') {
  return sign === 'both' || (sign === 'positive' ? weight > 0 : weight < 0);
}

/**
 * What each superpixel is painted with, five numbers each: red, green, blue, strength from 0 to 1, and 1 if negative.
 *
 * @param {ImagePicture} explanation
 * @param {ImageOptions & { palette: import('./palette.js').Palette, heat: boolean, full: number }} options
 */
function tintsOf({ features, weights }, { palette, sign, heat, full, features: most = heat ? Infinity : OUTLINED }) {
  const tints = new Float64Array(5 * weights.length);
  for (const { index, weight } of features)
    if (Math.abs(weight) > (heat ? 0 : full / 20) && isShown(weight, sign) && most-- > 0)
      tints.set(
        [...colorAt(Math.sign(weight), palette), Math.min(1, Math.abs(weight) / full), Number(weight < 0)],
        5 * index,
      );
  return tints;
}

/**
 * The place, in one row or column of a picture, of each pixel of the same at another size.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} [step]  what one place counts
 */
function placesOf(from, to, step = 1) {
  return Int32Array.from({ length: to }, (_, i) => step * Math.floor(((i + 0.5) * from) / to));
}

/**
 * The label map at another size, by the label that is nearest. It is stretched in width only, rows being looked up: in
 * full it would be as large as the photograph.
 *
 * @param {ImagePicture} explanation
 * @param {number} width
 * @param {number} height
 * @returns {{ width: number, height: number, start: Int32Array, rows: Int32Array }}  pixel x, y has
 *   `rows[start[y] + x]`
 */
function spread({ labels, width: from, height: fromRows }, width, height) {
  const rows = new Int32Array(width * fromRows);
  const columns = placesOf(from, width);
  for (let y = 0, at = 0; y < fromRows; y++) for (let x = 0; x < width; x++) rows[at++] = labels[y * from + columns[x]];
  return { width, height, start: placesOf(fromRows, height, width), rows };
}

/**
 * The photograph at the size that is wanted, on white where it is transparent.
 *
 * @param {Uint8ClampedArray} data
 * @param {number} width
 * @param {number} height
 * @param {Required<Picture>} photo
 */
function copyPhoto(data, width, height, { data: from, channels, ...photo }) {
  const columns = placesOf(photo.width, width, channels);
  const starts = placesOf(photo.height, height, channels * photo.width);
  const step = channels === 1 ? 0 : 1;
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = starts[y] + columns[x];
      const solid = channels === 4 ? from[at + 3] / 255 : 1;
      for (let channel = 0; channel < 3; channel++) data[to++] = 255 + solid * (from[at + channel * step] - 255);
      data[to++] = 255;
    }
}

/**
 * Everything gray but the weights: superpixels in the color of their sign, hatched if that is negative; or as they were,
 * inside a line that is dashed if negative, fainter for lesser weights, and edged with white so that it shows on any
 * photograph.
 *
 * @param {Uint8ClampedArray} data
 * @param {ReturnType<typeof spread>} labels
 * @param {Float64Array} tints
 * @param {{ heat: boolean, opacity: number, line: number }} options  line: the width of lines
 */
function paintWeights(data, { width, height, start, rows }, tints, { heat, opacity, line }) {
  const hatch = Math.min(width, height) < 64 ? 0 : 3 * line;
  const edge = line + Math.ceil(line / 2);
  /** Whether all that lies `far` from a pixel is of the same superpixel. */
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
      if (heat || !strength) {
        // Luma of ITU-R BT.709 on 96 to 246: dark enough for a photograph, pale enough for color to show on it.
        const luma = 0.2126 * data[to] + 0.7152 * data[to + 1] + 0.0722 * data[to + 2];
        data[to] = data[to + 1] = data[to + 2] = 96 + (150 / 255) * luma;
      }
      if (!strength || (!heat && isInside(x, y, edge))) continue;
      const negative = tints[tint + 4];
      const gap = negative && (heat ? hatch && (x + y) % (2 * hatch) >= hatch : (2 * x + y) % (14 * line) >= 8 * line);
      const white = !heat && (gap || isInside(x, y, line));
      const alpha = opacity * (white ? 0.8 : heat ? strength * (gap ? 0.7 : 1) : 0.4 + 0.6 * strength);
      for (let channel = 0; channel < 3; channel++)
        data[to + channel] += alpha * ((white ? 255 : tints[tint + channel]) - data[to + channel]);
    }
}
