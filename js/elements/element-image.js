// <linex-image>: an explained image with its superpixels colored.
import { show } from '../core/errors.js';
import { svgOf } from '../render/drawing.js';
import { headHTML } from '../render/render-html.js';
import { isShown, paintImage } from '../render/render-image.js';
import { escape } from '../render/wording.js';
import { canvasOf } from './canvas.js';
import { LinexElement } from './element-base.js';
import { featureOf } from './interactive-figure.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('../data/image-input.js').Pixels} Pixels
 * @typedef {import('../render/wording.js').ExplainedImage} ExplainedImage
 * @typedef {ImageData | Pixels | HTMLImageElement | HTMLCanvasElement | ImageBitmap} ImageSource
 */

/** A narrower image is enlarged by a whole factor, so that its pixels can be seen. */
const MIN_WIDTH = 400;

/**
 * `<linex-image>` colors the superpixels that surely have an effect, over the image.
 *
 * Attributes `palette`, `full-weight`, `theme`, `view`, `locale`, `mode`, `opacity`, `sign`; properties `explanation`,
 * `image`, `labels`, `answerFormat`; event `feature-focus`; parts `figure`, `stage`, `canvas`, `legend`, `details`,
 * `tooltip`.
 */
export class LinexImage extends LinexElement {
  static observedAttributes = [...LinexElement.observedAttributes, 'mode', 'opacity', 'sign'];
  /** @type {'image'} */
  static kind = 'image';

  pixelRatio = 1;
  /** @type {ImageSource | null} */
  #image = null;

  /** The image under the weights; null for none. @returns {ImageSource | null} */
  get image() {
    return this.#image;
  }

  /** @throws {TypeError}  if the value is not an image */
  set image(value) {
    if (value !== null && !(/** @type {any} */ (value)?.width >= 0))
      throw new TypeError(`image must be an image, a canvas or pixels, not ${show(value)}`);
    this.#image = value;
    // An image element that is still loading is drawn when it has loaded.
    if (value && 'complete' in value) value.addEventListener('load', () => this.draw());
    this.draw();
  }

  /** @param {ExplainedImage} explanation @param {Look} look */
  stage(explanation, look) {
    const { reading } = look;
    const spots = reading.items
      .filter((item) => isShown(item, look.sign))
      .map((item) => {
        const label = escape(reading.label(item));
        return `<button class="linex-spot" data-feature="${escape(item.feature.index)}" tabindex="-1" aria-label="${label}"></button>`;
      });
    return (
      `${headHTML(reading)}<div class="linex-frame">` +
      `<svg viewBox="0 0 ${escape(explanation.width)} ${escape(explanation.height)}" preserveAspectRatio="none" aria-hidden="true">` +
      `<path/><path/></svg>${spots.join('')}</div>${this.legend(look, this.#widthOf(explanation))}`
    );
  }

  /** @param {ExplainedImage} explanation @param {Look} look */
  finish(explanation, look) {
    const frame = /** @type {HTMLElement} */ (this.root.querySelector('.linex-frame'));
    const canvas = this.canvas(explanation, 1, look);
    canvas.part.add('canvas');
    frame.prepend(canvas);
    frame.style.maxWidth = `${canvas.width}px`;
    const [across, down] = [100 / explanation.width, 100 / explanation.height];
    for (const stop of this.stops) {
      const { x, y, width, height } = this.featureAt(featureOf(stop)).box;
      stop.style.inset = `${y * down}% ${100 - (x + width) * across}% ${100 - (y + height) * down}% ${x * across}%`;
    }
  }

  /** @param {PointerEvent} event */
  stopUnder(event) {
    const { width, height, labels } = /** @type {ExplainedImage} */ (this.explanation);
    const frame = /** @type {Element} */ (this.root.querySelector('canvas')).getBoundingClientRect();
    const x = Math.floor(((event.clientX - frame.left) * width) / frame.width);
    const y = Math.floor(((event.clientY - frame.top) * height) / frame.height);
    if (x < 0 || x >= width || y < 0 || y >= height) return null;
    return /** @type {HTMLElement | null} */ (
      this.root.querySelector(`[data-feature="${Number(labels[y * width + x])}"]`)
    );
  }

  /** @param {number | null} feature */
  highlight(feature) {
    const explanation = /** @type {ExplainedImage | null} */ (this.explanation);
    const highlighted = this.featureAt(feature);
    const line = explanation && highlighted ? outlineOf(explanation, highlighted) : '';
    for (const path of this.root.querySelectorAll('.linex-frame path')) path.setAttribute('d', line);
  }

  /** Returns the contents of an SVG file that embeds the pixels; empty if there is no explanation. @returns {string} */
  toSVG() {
    const explanation = /** @type {ExplainedImage | null} */ (this.explanation);
    if (!explanation) return '';
    const canvas = this.canvas(explanation, 1);
    const { width, height } = canvas;
    const leading = `<image width="${width}" height="${height}" href="${canvas.toDataURL()}"/>`;
    const drawing = { width, height, title: this.look(explanation).reading.title, items: [] };
    return svgOf(drawing, { palette: 'red-blue', theme: 'light', leading });
  }

  /** The width of the canvas, in pixels of the page. @param {ExplainedImage} explanation */
  #widthOf(explanation) {
    const { naturalWidth, width } = /** @type {HTMLImageElement} */ (this.#image ?? explanation);
    return enlarge(naturalWidth || width || explanation.width);
  }

  /** @param {ExplainedImage} explanation @param {number} pixelRatio */
  painted(explanation, pixelRatio) {
    return this.canvas(explanation, pixelRatio);
  }

  /** @param {ExplainedImage} explanation @param {number} pixelRatio @param {Look} [look] */
  canvas(explanation, pixelRatio, look = this.look(explanation)) {
    const image = readPixels(this.#image);
    const options = { ...look, width: Math.round(enlarge((image ?? explanation).width) * pixelRatio) };
    const { data, width, height } = paintImage(look.reading, image, options);
    const { canvas, pen } = canvasOf(width, height);
    pen.putImageData(new ImageData(data, width, height), 0, 0);
    return canvas;
  }
}

/** The width of a small image that is enlarged by a whole factor. @param {number} width */
const enlarge = (width) => width * Math.ceil(MIN_WIDTH / width);

/**
 * Reads the pixels of an image.
 *
 * @param {ImageSource | null} image
 * @returns {Pixels | null}  null if there is no image, or if it has not loaded yet
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
 * Returns the outline of a superpixel: the edges that have it on one side only.
 *
 * @param {ExplainedImage} explanation
 * @param {any} feature
 * @returns {string}  path data, in pixels of the label map
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
