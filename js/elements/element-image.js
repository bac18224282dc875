import { canvasOf } from './canvas.js';
import { svgOf } from '../render/drawing.js';
import { LinexElement } from './element-base.js';
import { show } from '../core/errors.js';
import { headHTML } from '../render/render-html.js';
import { isShown, paintImage } from '../render/render-image.js';
import { escape, labelOf, titleOf } from '../render/wording.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('../render/render-image.js').Picture} Picture
 * @typedef {import('../render/wording.js').ImagePicture} ImagePicture
 * @typedef {ImageData | Picture | HTMLImageElement | HTMLCanvasElement | ImageBitmap} Photograph
 */

/** A picture smaller than this is enlarged by a whole factor, so that its pixels can be seen. */
const LEAST_WIDTH = 400;

/**
 * `<linex-image>`: the superpixels that mattered, over the photograph.
 *
 * Attributes `palette`, `full-weight`, `theme`, `mode`, `opacity`, `sign`; properties `explanation` and `image`; event
 * `feature-focus`; parts `figure`, `stage`, `canvas`, `legend`, `tooltip`.
 */
export class LinexImage extends LinexElement {
  static observedAttributes = [...LinexElement.observedAttributes, 'mode', 'opacity', 'sign'];
  /** @type {'image'} */
  static kind = 'image';

  fine = 1;
  /** @type {Photograph | null} */
  #image = null;

  /** The photograph; null for none. @returns {Photograph | null} */
  get image() {
    return this.#image;
  }

  /** @throws {TypeError}  for what is not a picture */
  set image(value) {
    if (value !== null && !(/** @type {any} */ (value)?.width >= 0))
      throw new TypeError(`image must be a picture, not ${show(value)}`);
    this.#image = value;
    // One that is still on its way is drawn when it comes.
    if (value && 'complete' in value) value.addEventListener('load', () => this.draw());
    this.draw();
  }

  /** @param {ImagePicture} explanation @param {Look} look */
  stage(explanation, look) {
    const spots = explanation.features
      .filter(({ weight }) => isShown(weight, look.sign))
      .map((feature) => {
        const label = escape(labelOf(feature, explanation));
        return `<button class="linex-spot" data-feature="${feature.index}" tabindex="-1" aria-label="${label}"></button>`;
      });
    return (
      `${headHTML(explanation)}<div class="linex-frame">` +
      `<svg viewBox="0 0 ${explanation.width} ${explanation.height}" preserveAspectRatio="none" aria-hidden="true">` +
      `<path/><path/></svg>${spots.join('')}</div>${this.legend(explanation, look)}`
    );
  }

  /** @param {ImagePicture} explanation */
  finish(explanation) {
    const frame = /** @type {HTMLElement} */ (this.root.querySelector('.linex-frame'));
    const canvas = this.pixels(explanation, 1);
    canvas.part.add('canvas');
    frame.prepend(canvas);
    frame.style.maxWidth = `${canvas.width}px`;
    const [across, down] = [100 / explanation.width, 100 / explanation.height];
    for (const { dataset, style } of this.stops) {
      const { x, y, width, height } = explanation.features.find(({ index }) => index === Number(dataset.feature)).box;
      style.inset = `${y * down}% ${100 - (x + width) * across}% ${100 - (y + height) * down}% ${x * across}%`;
    }
  }

  /** @param {PointerEvent} event */
  stopUnder(event) {
    const { width, height, labels } = /** @type {ImagePicture} */ (this.explanation);
    const frame = /** @type {Element} */ (this.root.querySelector('canvas')).getBoundingClientRect();
    const x = Math.floor(((event.clientX - frame.left) * width) / frame.width);
    const y = Math.floor(((event.clientY - frame.top) * height) / frame.height);
    if (x < 0 || x >= width || y < 0 || y >= height) return null;
    return /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-feature="${labels[y * width + x]}"]`));
  }

  /** @param {number | null} feature */
  highlight(feature) {
    const explanation = /** @type {ImagePicture | null} */ (this.explanation);
    const found = explanation?.features.find(({ index }) => index === feature);
    const line = explanation && found ? outlineOf(explanation, found) : '';
    for (const path of this.root.querySelectorAll('.linex-frame path')) path.setAttribute('d', line);
  }

  /** The picture as the contents of an SVG file, with the pixels in it. @returns {string} */
  toSVG() {
    const explanation = /** @type {ImagePicture | null} */ (this.explanation);
    if (!explanation) return '';
    const canvas = this.pixels(explanation, 1);
    const { width, height } = canvas;
    const inside = `<image width="${width}" height="${height}" href="${canvas.toDataURL()}"/>`;
    const drawing = { width, height, title: titleOf(explanation), items: [] };
    return svgOf(drawing, { palette: 'red-blue', theme: 'light', inside });
  }

  /** @param {ImagePicture} explanation @param {number} pixelRatio */
  pixels(explanation, pixelRatio) {
    const picture = readPixels(this.#image);
    const own = (picture ?? explanation).width;
    const enlarged = own * Math.ceil(LEAST_WIDTH / own);
    const options = { ...this.look(explanation), width: Math.round(enlarged * pixelRatio) };
    const { data, width, height } = paintImage(explanation, picture, options);
    const { canvas, pen } = canvasOf(width, height);
    pen.putImageData(new ImageData(data, width, height), 0, 0);
    return canvas;
  }
}

/**
 * @param {Photograph | null} image
 * @returns {Picture | null}  null too for a photograph that has not come yet
 */
function readPixels(image) {
  if (!image || 'data' in image) return image;
  const { naturalWidth: width = image.width, naturalHeight: height = image.height } = /** @type {HTMLImageElement} */ (
    image
  );
  if (!width || !height) return null;
  const { pen } = canvasOf(width, height);
  pen.drawImage(image, 0, 0);
  return pen.getImageData(0, 0, width, height);
}

/**
 * The edges of a superpixel: wherever a pixel has it on one side only.
 *
 * @param {ImagePicture} explanation
 * @param {any} feature
 * @returns {string}  a path, in pixels of the label map
 */
function outlineOf({ labels, width, height }, { index, box }) {
  const has = (/** @type {number} */ x, /** @type {number} */ y) =>
    x >= 0 && x < width && y >= 0 && y < height && labels[y * width + x] === index;
  let line = '';
  for (let y = box.y; y <= box.y + box.height; y++)
    for (let x = box.x; x <= box.x + box.width; x++) {
      if (has(x, y) !== has(x, y - 1)) line += `M${x} ${y}h1`;
      if (has(x, y) !== has(x - 1, y)) line += `M${x} ${y}v1`;
    }
  return line;
}
