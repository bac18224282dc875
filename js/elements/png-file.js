// Paints drawings on a canvas and writes PNG files. Elements load it when a PNG is asked for.
import { paintOf } from '../render/palette.js';
import { canvasOf, fontOf } from './canvas.js';

/** @typedef {import('../render/drawing.js').Drawing} Drawing */

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
