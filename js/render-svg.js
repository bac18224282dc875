import { svgOf } from './drawing.js';
import { layoutBars } from './layout-bars.js';
import { layoutText } from './layout-text.js';
import { checkChoice, checkCount, checkNames } from './options.js';
import { PALETTES, THEMES } from './palette.js';
import { checkExplanation, fullWeight } from './wording.js';

/**
 * @typedef {object} SVGOptions
 * @property {import('./palette.js').Palette} [palette]  default `'red-blue'`: red speaks for, blue against
 * @property {number} [scale]  the weight that gets full colour, so that two explanations can be compared; default this
 *   one's largest
 * @property {number} [width]  pixels; default 640, at least 240
 * @property {import('./palette.js').Theme} [theme]  `'auto'` follows the reader's; default `'light'`
 */

/**
 * A text with its words highlighted, as an SVG file's contents: lines broken by an estimate of the letters' widths, what
 * runs from right to left kept so.
 *
 * @param {import('./wording.js').TextPicture} explanation  of `explainText`
 * @param {SVGOptions} [options]
 * @returns {string}
 * @throws {TypeError | RangeError}  for what is not an explanation of text, and for wrong options
 */
export function renderTextSVG(explanation, options = {}) {
  checkExplanation(explanation, 'renderTextSVG', 'text');
  const look = checkLook(options, 'renderTextSVG');
  return svgOf(layoutText(explanation, { width: look.width, full: fullWeight(explanation, look.scale) }), look);
}

/**
 * A bar a feature, with its interval, sign agreement and weight, as an SVG file's contents.
 *
 * @param {import('./wording.js').Explanation} explanation  of any kind
 * @param {SVGOptions & { most?: number }} [options]  `most`: how many features are drawn; default the first 30
 * @returns {string}
 * @throws {TypeError | RangeError}  for what is not an explanation, and for wrong options
 */
export function renderBarsSVG(explanation, options = {}) {
  checkExplanation(explanation, 'renderBarsSVG');
  const look = checkLook(options, 'renderBarsSVG', ['most']);
  const most = checkCount(options.most ?? 30, 'most', 1);
  const full = fullWeight(explanation, look.scale);
  return svgOf(layoutBars(explanation, { width: look.width, full, fixed: look.scale !== undefined, most }), look);
}

/**
 * @param {SVGOptions} options
 * @param {string} where
 * @param {string[]} [more]
 */
function checkLook(options, where, more = []) {
  const known = ['palette', 'scale', 'width', 'theme', ...more];
  const { palette = 'red-blue', theme = 'light', width = 640, scale } = checkNames(options, known, where);
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(theme, 'theme', THEMES);
  return { palette, theme, width: checkCount(width, 'width', 240, 10000), scale };
}
