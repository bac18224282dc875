// Measures text with a canvas.
import { FONT } from '../render/drawing.js';

/**
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
export const fontOf = ({ size, bold }) => `${bold ? 600 : 400} ${size}px ${FONT}`;

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
