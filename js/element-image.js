import { canvasOf } from './canvas.js';
import { LinexElement } from './element-base.js';
import { show } from './errors.js';
import { legendHTML } from './render-html.js';
import { checkImageLook, isShown, renderImageRGBA } from './render-image.js';
import { escape, numbersFor, sentenceOf, titleOf } from './wording.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('./render-image.js').Picture} Picture
 * @typedef {import('./wording.js').ImagePicture} ImagePicture
 * @typedef {ImageData | Picture | HTMLImageElement | HTMLCanvasElement | ImageBitmap} Photograph
 */

/** A picture smaller than this is enlarged by a whole factor, so that its pixels can be seen. */
const LEAST_WIDTH = 400;

/**
 * `<linex-image>`: the superpixels that mattered, over the photograph.
 *
 * Attributes `palette`, `scale`, `theme`, `mode`, `opacity`, `sign`; properties `explanation` and `image`; event
 * `feature-focus`; parts `figure`, `stage`, `canvas`, `legend`, `tooltip`.
 */
export class LinexImage extends LinexElement {
  static observedAttributes = [...LinexElement.observedAttributes, 'mode', 'opacity', 'sign'];
  static properties = ['image', ...LinexElement.properties];
  /** @type {'image'} */
  static kind = 'image';

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
    if (value instanceof HTMLImageElement && !value.complete)
      value.addEventListener('load', () => this.#image === value && this.draw(), { once: true });
    this.draw();
  }

  /** @returns {import('./render-image.js').ImageOptions & { sign: 'both' | 'positive' | 'negative' }} */
  get #options() {
    const given = ['palette', 'mode', 'sign'].map((name) => [name, this.getAttribute(name) ?? undefined]);
    const numbers = ['scale', 'opacity'].map((name) => [name, this.numberOf(name)]);
    return checkImageLook(Object.fromEntries([...given, ...numbers]), `<${this.localName}>`);
  }

  /** @param {ImagePicture} explanation @param {Look} look */
  stage(explanation, { full }) {
    const { sign } = this.#options;
    const number = numbersFor(full);
    const spots = explanation.features
      .filter(({ weight }) => isShown(weight, sign))
      .map((feature) => {
        const label = escape(sentenceOf(feature, explanation, number));
        return `<button class="linex-spot" data-feature="${feature.index}" tabindex="-1" aria-label="${label}"></button>`;
      });
    return (
      `<div class="linex-frame"><canvas part="canvas" role="img" aria-label="${escape(titleOf(explanation))}"></canvas>` +
      `<svg viewBox="0 0 ${explanation.width} ${explanation.height}" preserveAspectRatio="none" aria-hidden="true">` +
      `<path/><path/></svg>${spots.join('')}</div>${legendHTML(explanation, full)}`
    );
  }

  /** @param {ImagePicture} explanation */
  finish(explanation) {
    const { width, height, data } = this.#render(explanation);
    const canvas = this.#canvas;
    [canvas.width, canvas.height] = [width, height];
    canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
    /** @type {HTMLElement} */ (canvas.parentElement).style.maxWidth = `${width}px`;
    const boxes = new Map(explanation.features.map(({ index, box }) => [index, box]));
    for (const { dataset, style } of this.stops) {
      const box = boxes.get(Number(dataset.feature));
      style.left = `${(100 * box.x) / explanation.width}%`;
      style.top = `${(100 * box.y) / explanation.height}%`;
      style.width = `${(100 * box.width) / explanation.width}%`;
      style.height = `${(100 * box.height) / explanation.height}%`;
    }
  }

  /** @param {ImagePicture} explanation */
  #render(explanation) {
    const picture = readPixels(this.#image);
    const own = (picture ?? explanation).width;
    const width = own < LEAST_WIDTH ? own * Math.ceil(LEAST_WIDTH / own) : own;
    return renderImageRGBA(explanation, picture, { ...this.#options, width });
  }

  get #canvas() {
    return /** @type {HTMLCanvasElement} */ (this.root.querySelector('canvas'));
  }

  /** @param {PointerEvent} event */
  stopUnder(event) {
    const { width, height, labels } = /** @type {ImagePicture} */ (this.explanation);
    const frame = this.#canvas.getBoundingClientRect();
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
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<title>${escape(titleOf(explanation))}</title>` +
      `<image width="${width}" height="${height}" href="${canvas.toDataURL('image/png')}"/></svg>`
    );
  }

  /** @param {ImagePicture} explanation @param {number} scale */
  pixels(explanation, scale) {
    const rendered = this.#render(explanation);
    const { canvas: own, pen: put } = canvasOf(rendered.width, rendered.height);
    put.putImageData(new ImageData(rendered.data, rendered.width, rendered.height), 0, 0);
    if (scale === 1) return own;
    const { canvas, pen } = canvasOf(Math.round(own.width * scale), Math.round(own.height * scale));
    pen.imageSmoothingEnabled = scale < 1;
    pen.drawImage(own, 0, 0, canvas.width, canvas.height);
    return canvas;
  }
}

/**
 * @param {Photograph | null} image
 * @returns {Picture | null}  null too for a photograph that has not come yet
 */
function readPixels(image) {
  if (!image || 'data' in image) return image;
  const [width, height] =
    image instanceof HTMLImageElement ? [image.naturalWidth, image.naturalHeight] : [image.width, image.height];
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
