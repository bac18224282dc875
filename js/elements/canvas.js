// Measures text, paints drawings and writes PNG files with a canvas.
import { FONT } from '../render/drawing.js';
import { paintOf } from '../render/palette.js';

/**
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Words} Words
 */

/**
 * Makes a canvas.
 *
 * @param {number} width  in pixels
 * @param {number} height
 */
export function canvasOf(width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return { canvas, pen: /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')) };
}

/** @param {{ size: number, bold?: boolean }} words */
const fontOf = ({ size, bold }) => `${bold ? 600 : 400} ${size}px ${FONT}`;

/** Returns a function that measures text with this browser's fonts. @returns {import('../render/text-width.js').Measure} */
export function canvasMeasure() {
  const { pen } = canvasOf(1, 1);
  let last = '';
  return (text, size, bold) => {
    const font = fontOf({ size, bold });
    // Setting a font is slow, even if it is the same.
    if (font !== last) pen.font = last = font;
    return pen.measureText(text).width;
  };
}

/**
 * Paints a drawing on a new canvas. It does not load the SVG as an image, because that would need `img-src data:` or
 * `blob:` in the page's content security policy.
 *
 * @param {Drawing} drawing
 * @param {object} look
 * @param {import('../render/palette.js').Palette} look.palette
 * @param {'light' | 'dark'} look.theme
 * @param {number} look.pixelRatio  canvas pixels per pixel of the drawing
 */
export function paintDrawing({ width, height, items }, { palette, theme, pixelRatio }) {
  const { canvas, pen } = canvasOf(Math.round(width * pixelRatio), Math.round(height * pixelRatio));
  pen.scale(pixelRatio, pixelRatio);
  /** @param {Drawing['items'][number]} item */
  const paint = (item) => {
    if ('items' in item) return item.items.forEach(paint);
    pen.fillStyle = paintOf(item.fill, palette, theme);
    if ('d' in item) return pen.fill(new Path2D(item.d));
    pen.font = fontOf(item);
    pen.direction = item.rtl ? 'rtl' : 'ltr';
    pen.textAlign = item.anchor === 'middle' ? 'center' : (item.anchor ?? 'start');
    pen.fillText(item.text, item.x, item.y);
  };
  items.forEach(paint);
  return canvas;
}

/**
 * Encodes a canvas as a PNG file.
 *
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 * @throws {RangeError}  rejects if the browser cannot encode this many pixels
 */
export function pngOf(canvas) {
  const { width, height } = canvas;
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new RangeError(`could not encode ${width} x ${height} pixels`)),
    ),
  );
}
