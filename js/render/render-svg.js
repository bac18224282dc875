import { svgOf } from './drawing.js';
import { layoutBars } from './layout-bars.js';
import { layoutText } from './layout-text.js';
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';
import { PALETTES, paintOf, THEMES } from './palette.js';
import { guessWidth } from './text-width.js';
import { checkExplanation, detailsOf, escape, factsOf, fullWeightOf, numbersFor, plain } from './wording.js';

/**
 * @typedef {object} SVGOptions
 * @property {import('./palette.js').Palette} [palette]  default `'red-blue'`: red speaks for, blue against
 * @property {number} [fullWeight]  the weight that gets full color, so that two explanations can be compared; default this
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
  const full = fullWeightOf(explanation, look.fullWeight);
  const drawing = layoutText(explanation, { width: look.width, full, measure: guessWidth });
  return fileOf(drawing, look, describe(explanation, full));
}

/**
 * A bar a feature, with its interval, sign agreement and weight, as an SVG file's contents.
 *
 * @param {import('./wording.js').Explanation} explanation  of any kind
 * @param {SVGOptions & { features?: number }} [options]  `features`: how many features are drawn; default the first 30
 * @returns {string}
 * @throws {TypeError | RangeError}  for what is not an explanation, and for wrong options
 */
export function renderBarsSVG(explanation, options = {}) {
  checkExplanation(explanation, 'renderBarsSVG');
  const look = checkLook(options, 'renderBarsSVG', ['features']);
  const features = checkCount(options.features ?? 30, 'features', 1);
  const full = fullWeightOf(explanation, look.fullWeight);
  const fixed = look.fullWeight !== undefined;
  const drawing = layoutBars(explanation, { width: look.width, full, fixed, features, measure: guessWidth });
  return fileOf(drawing, look, describe(explanation, full));
}

/**
 * @param {import('./drawing.js').Drawing} drawing
 * @param {{ palette: import('./palette.js').Palette, theme: import('./palette.js').Theme }} look
 * @param {string} description
 */
function fileOf(drawing, { palette, theme }, description) {
  const about = `<title>${escape(drawing.title)}</title><desc>${escape(description)}</desc>`;
  if (theme !== 'auto') return svgOf(drawing, { palette, theme, inside: about });
  const light = svgOf(drawing, { palette, theme: 'light' });
  const roles = [...new Set([...light.matchAll(/ class="linex-([\w-]+)"/g)].map(([, role]) => role))];
  // Two pictures in one page may differ in their palettes.
  const dark = roles.map((role) => `.linex-${palette} .linex-${role}{fill:${paintOf(role, palette, 'dark')}}`);
  const style = `<style>@media screen and (prefers-color-scheme:dark){${dark.join('')}}</style>`;
  const inside = `${about}${style}<g class="linex-${palette}">`;
  return svgOf(drawing, { palette, theme: 'light', inside }).replace(/<\/svg>$/, '</g></svg>');
}

/**
 * The picture in words, for those who cannot see it.
 *
 * @param {import('./wording.js').Explanation} explanation
 * @param {number} full
 */
function describe(explanation, full) {
  const number = numbersFor(full);
  const said = explanation.features.slice(0, 12).map((feature) => detailsOf(feature, explanation, number).join(', '));
  const more = explanation.features.length - said.length;
  const parts = [factsOf(explanation), ...explanation.warnings.map(plain), ...said, more > 0 && `and ${more} more`];
  return parts.filter(Boolean).join('. ');
}

/**
 * @param {SVGOptions} options
 * @param {string} where
 * @param {string[]} [more]
 */
function checkLook(options, where, more = []) {
  const known = ['palette', 'fullWeight', 'width', 'theme', ...more];
  const { palette = 'red-blue', theme = 'light', width = 640, fullWeight } = checkNames(options, known, where);
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(theme, 'theme', THEMES);
  return { palette, theme, width: checkCount(width, 'width', 240, 10000), fullWeight };
}
