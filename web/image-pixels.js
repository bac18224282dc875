// Reads the pixels of an image at the size that a model or the page needs.
import { element } from './make-element.js';

/**
 * Draws on a new canvas and returns its pixels.
 *
 * @param {number} width
 * @param {number} height
 * @param {(context: CanvasRenderingContext2D) => void} draw
 * @returns {ImageData}
 */
function drawPixels(width, height, draw) {
  const context = element('canvas', { width, height }).getContext('2d', { willReadFrequently: true });
  draw(context);
  return context.getImageData(0, 0, width, height);
}

/**
 * Returns the pixels of an image, scaled down if a side is longer than `longest`.
 *
 * @param {ImageBitmap} bitmap
 * @param {number} longest  in pixels
 * @returns {ImageData}
 */
export function colorPixels(bitmap, longest) {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  return drawPixels(width, height, (context) => context.drawImage(bitmap, 0, 0, width, height));
}

/**
 * Returns an image as the gray pixels of a square, centered on black.
 *
 * @param {CanvasImageSource & { width: any, height: any }} source
 * @param {number} side  in pixels
 */
export function grayPixels(source, side) {
  const scale = Math.min(side / source.width, side / source.height);
  const [width, height] = [source.width * scale, source.height * scale];
  const { data } = drawPixels(side, side, (context) => {
    context.fillStyle = '#000';
    context.fillRect(0, 0, side, side);
    context.drawImage(source, (side - width) / 2, (side - height) / 2, width, height);
  });
  const gray = Uint8Array.from(
    { length: side * side },
    (_, i) => 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2],
  );
  return { data: gray, width: side, height: side, channels: 1 };
}
