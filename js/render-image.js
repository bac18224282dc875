import { show } from './errors.js';
import { checkChoice, checkCount, checkNames, checkNumber } from './options.js';
import { colourAt, PALETTES } from './palette.js';
import { checkExplanation, fullWeight } from './wording.js';

/**
 * @typedef {import('./wording.js').ImagePicture} ImagePicture
 *
 * @typedef {object} Picture
 * @property {ArrayLike<number>} data  0 to 255, row-major, channels together
 * @property {number} width
 * @property {number} height
 * @property {number} [channels]  1, 3 or 4; default 4, as in ImageData
 *
 * @typedef {object} ImageLook
 * @property {import('./palette.js').Palette} [palette]  default `'red-blue'`: red speaks for, blue against
 * @property {number} [scale]  the weight that gets full colour; default the largest
 * @property {'heatmap' | 'outlines'} [mode]  `'heatmap'` colours the superpixels, hatched where they speak against;
 *   `'outlines'` leaves them as photographed inside a line that is dashed where they speak against; default `'heatmap'`
 * @property {number} [opacity]  of the full colour, 0 to 1; default 0.8, for outlines 1
 * @property {'both' | 'positive' | 'negative'} [sign]  which weights are shown; default `'both'`
 *
 * @typedef {ImageLook & { width?: number }} ImageOptions  `width`: of the result, its height in proportion; default the
 *   picture's own
 */

/** The grey of the ground where there is no photograph. */
const NEUTRAL = 235;
const LOOK = ['palette', 'scale', 'mode', 'opacity', 'sign'];

/**
 * The superpixels' weights over the photograph, which is greyed and paled so that only weights have colour. The
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
  const { palette, mode, opacity, sign, scale } = checkImageLook(options, 'renderImageRGBA', ['width']);
  const photo = image ? checkPicture(image) : undefined;
  const own = photo ?? explanation;
  const width = checkCount(options.width ?? own.width, 'width', 1, 32767);
  const height = Math.max(1, Math.round((own.height * width) / own.width));
  const data = new Uint8ClampedArray(4 * width * height);
  const tints = tintsOf(explanation, { palette, sign, full: fullWeight(explanation, scale) });
  const labels = spread(explanation, width, height);
  paintGround(data, width, height, photo, mode === 'outlines' ? { labels, tints } : undefined);
  const line = Math.max(1, Math.round(Math.min(width, height) / 140));
  if (mode === 'outlines') paintOutlines(data, labels, tints, { opacity, line });
  else paintHeat(data, labels, tints, { opacity, hatch: Math.min(width, height) < 64 ? 0 : 3 * line });
  return { data, width, height };
}

/**
 * @param {unknown} options
 * @param {string} where
 * @param {string[]} [more]  other names that are known there
 * @returns {Required<Omit<ImageLook, 'scale'>> & { scale?: number }}
 */
export function checkImageLook(options, where, more = []) {
  const given = checkNames(options, [...LOOK, ...more], where);
  const { palette = 'red-blue', mode = 'heatmap', sign = 'both', scale } = given;
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(mode, 'mode', ['heatmap', 'outlines']);
  checkChoice(sign, 'sign', ['both', 'positive', 'negative']);
  const opacity = checkNumber(given.opacity ?? (mode === 'heatmap' ? 0.8 : 1), 'opacity', { least: 0, most: 1 });
  return { palette, mode, sign, scale, opacity };
}

/**
 * @param {Picture} image
 * @returns {Required<Picture>}
 */
function checkPicture(image) {
  const { data, width, height, channels = 4 } = image;
  if (!(width > 0 && height > 0) || typeof data?.length !== 'number')
    throw new TypeError(`image must be { data, width, height, channels }, not ${show(image)}`);
  if (![1, 3, 4].includes(channels)) throw new RangeError(`channels must be 1, 3 or 4, not ${show(channels)}`);
  if (data.length !== width * height * channels)
    throw new RangeError(
      `an image of ${width} x ${height} pixels with ${channels} channels has ${width * height * channels} values, not ${data.length}`,
    );
  return { data, width, height, channels };
}

/**
 * Whether a weight is to be shown.
 *
 * @param {number} weight
 * @param {'both' | 'positive' | 'negative'} sign
 */
export function isShown(weight, sign) {
  return sign === 'both' || (sign === 'positive' ? weight > 0 : weight < 0);
}

/**
 * What each superpixel is painted with, five numbers each: red, green, blue, strength from 0 to 1, and 1 if negative.
 *
 * @param {ImagePicture} explanation
 * @param {{ palette: import('./palette.js').Palette, sign: 'both' | 'positive' | 'negative', full: number }} options
 */
function tintsOf({ features, labels }, { palette, sign, full }) {
  let count = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i] > count) count = labels[i];
  const tints = new Float64Array(5 * (count + 1));
  for (const { index, weight } of features)
    if (weight && index <= count && isShown(weight, sign)) {
      const strength = Math.min(1, Math.abs(weight) / full);
      tints.set([...colourAt(Math.sign(weight), palette), strength, weight < 0 ? 1 : 0], 5 * index);
    }
  return tints;
}

/**
 * The label map at another size, by the label that is nearest. Rows that are alike are looked up once.
 *
 * @param {ImagePicture} explanation
 * @param {number} width
 * @param {number} height
 * @returns {{ width: number, height: number, rowOf: Int32Array, rows: Int32Array }}  pixel x, y has
 *   `rows[width * rowOf[y] + x]`
 */
function spread({ labels, width: from, height: fromRows }, width, height) {
  const rows = new Int32Array(width * fromRows);
  for (let x = 0; x < width; x++) {
    const column = Math.floor(((x + 0.5) * from) / width);
    for (let y = 0; y < fromRows; y++) rows[y * width + x] = labels[y * from + column];
  }
  const rowOf = Int32Array.from({ length: height }, (_, y) => Math.floor(((y + 0.5) * fromRows) / height));
  return { width, height, rowOf, rows };
}

/** @typedef {ReturnType<typeof spread>} Spread */

/**
 * The photograph, grey and pale; in its own colours where a superpixel is to stay as it was.
 *
 * @param {Uint8ClampedArray} data
 * @param {number} width
 * @param {number} height
 * @param {Required<Picture> | undefined} photo
 * @param {{ labels: Spread, tints: Float64Array } | undefined} kept
 */
function paintGround(data, width, height, photo, kept) {
  if (!photo) {
    for (let at = 0; at < data.length; at++) data[at] = at % 4 === 3 ? 255 : NEUTRAL;
    return;
  }
  const { data: from, channels } = photo;
  const [green, blue] = channels === 1 ? [0, 0] : [1, 2];
  const columns = Int32Array.from(
    { length: width },
    (_, x) => channels * Math.floor(((x + 0.5) * photo.width) / width),
  );
  for (let y = 0, to = 0; y < height; y++) {
    const start = channels * photo.width * Math.floor(((y + 0.5) * photo.height) / height);
    const row = kept ? width * kept.labels.rowOf[y] : 0;
    for (let x = 0; x < width; x++, to += 4) {
      const at = start + columns[x];
      let [r, g, b] = [from[at], from[at + green], from[at + blue]];
      if (channels === 4 && from[at + 3] < 255) {
        const solid = from[at + 3] / 255;
        const white = 255 * (1 - solid);
        [r, g, b] = [r * solid + white, g * solid + white, b * solid + white];
      }
      if (!kept || !kept.tints[5 * kept.labels.rows[row + x] + 3]) {
        // Luma of ITU-R BT.709 on 96 to 246: dark enough for a photograph, pale enough for colour to show on it.
        r = g = b = 96 + (150 / 255) * (0.2126 * r + 0.7152 * g + 0.0722 * b);
      }
      data[to] = r;
      data[to + 1] = g;
      data[to + 2] = b;
      data[to + 3] = 255;
    }
  }
}

/**
 * @param {Uint8ClampedArray} data
 * @param {number} to
 * @param {Float64Array} tints
 * @param {number} tint
 * @param {number} opacity
 */
function blend(data, to, tints, tint, opacity) {
  data[to] += opacity * (tints[tint] - data[to]);
  data[to + 1] += opacity * (tints[tint + 1] - data[to + 1]);
  data[to + 2] += opacity * (tints[tint + 2] - data[to + 2]);
}

/**
 * @param {Uint8ClampedArray} data
 * @param {Spread} labels
 * @param {Float64Array} tints
 * @param {{ opacity: number, hatch: number }} options  hatch: the width of the stripes of what is negative, or 0
 */
function paintHeat(data, { width, height, rowOf, rows }, tints, { opacity, hatch }) {
  for (let y = 0, to = 0; y < height; y++) {
    const row = width * rowOf[y];
    for (let x = 0; x < width; x++, to += 4) {
      const tint = 5 * rows[row + x];
      const strength = tints[tint + 3];
      if (!strength) continue;
      const pale = hatch && tints[tint + 4] && (x + y) % (2 * hatch) >= hatch ? 0.7 : 1;
      blend(data, to, tints, tint, opacity * strength * pale);
    }
  }
}

/**
 * A line along the inside of every superpixel that has a weight, fainter for lesser weights and edged with white, which
 * also fills the gaps of what is negative: so it shows on any photograph.
 *
 * @param {Uint8ClampedArray} data
 * @param {Spread} labels
 * @param {Float64Array} tints
 * @param {{ opacity: number, line: number }} options
 */
function paintOutlines(data, { width, height, rowOf, rows }, tints, { opacity, line }) {
  const white = Float64Array.of(255, 255, 255);
  const edge = line + Math.ceil(line / 2);
  for (let y = 0, to = 0; y < height; y++) {
    const row = width * rowOf[y];
    /** Whether all that lies `far` from here is of the same superpixel. */
    const isInside = (/** @type {number} */ x, /** @type {number} */ label, /** @type {number} */ far) =>
      x >= far &&
      x + far < width &&
      y >= far &&
      y + far < height &&
      rows[row + x - far] === label &&
      rows[row + x + far] === label &&
      rows[width * rowOf[y - far] + x] === label &&
      rows[width * rowOf[y + far] + x] === label;
    for (let x = 0; x < width; x++, to += 4) {
      const label = rows[row + x];
      const strength = tints[5 * label + 3];
      if (!strength || isInside(x, label, edge)) continue;
      const gap = tints[5 * label + 4] && (2 * x + y) % (14 * line) >= 8 * line;
      if (gap || isInside(x, label, line)) blend(data, to, white, 0, 0.8 * opacity);
      else blend(data, to, tints, 5 * label, opacity * (0.4 + 0.6 * strength));
    }
  }
}
