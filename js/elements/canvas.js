import { FONT } from '../render/drawing.js';
import { paintOf } from '../render/palette.js';

/**
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Words} Words
 */

/**
 * @param {number} width
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

/** How wide text is in this browser. @returns {import('../render/text-width.js').Measure} */
export function measureHere() {
  const { pen } = canvasOf(1, 1);
  return (text, size, bold) => {
    pen.font = fontOf({ size, bold });
    return pen.measureText(text).width;
  };
}

/**
 * A drawing as pixels, by canvas calls: an SVG image would need `img-src data:` or `blob:` in the page's policy.
 *
 * @param {Drawing} drawing
 * @param {object} look
 * @param {import('../render/palette.js').Palette} look.palette
 * @param {'light' | 'dark'} look.theme
 * @param {number} look.pixelRatio  pixels of the canvas a pixel of the drawing
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
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
export function pngOf(canvas) {
  const { width, height } = canvas;
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new RangeError(`no PNG of ${width} x ${height} pixels`)))),
  );
}
