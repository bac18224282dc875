// Renders explanations as SVG: highlighted text, and bars.
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';
import { svgOf } from './drawing.js';
import { layoutBars } from './layout-bars.js';
import { layoutText } from './layout-text.js';
import { PALETTES, paintOf, THEMES } from './palette.js';
import { guessWidth } from './text-width.js';
import { checkDrawable, detailsOf, escape, factsOf, fullWeightOf, numbersFor, plain } from './wording.js';

/**
 * @typedef {object} SVGOptions
 * @property {import('./palette.js').Palette} [palette]  default `'red-blue'`: red raises the answer, blue lowers it
 * @property {number} [fullWeight]  the weight that gets the full color; set it to compare explanations; default: the
 *   largest absolute weight of this explanation
 * @property {number} [width]  in pixels, 240 to 10000; default 640
 * @property {import('./palette.js').Theme} [theme]  default `'light'`; `'auto'` follows the reader's theme
 */

/**
 * Renders a text with its words highlighted. Lines are broken by estimated letter widths. Text that runs from right to
 * left is laid out from right to left.
 *
 * @param {import('./wording.js').ExplainedText} explanation  from `explainText`
 * @param {SVGOptions} [options]
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}  if this is not an explanation of text, or an option is wrong
 */
export function renderTextSVG(explanation, options = {}) {
  checkDrawable(explanation, 'renderTextSVG', 'text');
  const look = checkLook(options, 'renderTextSVG');
  const fullWeight = fullWeightOf(explanation, look.fullWeight);
  const drawing = layoutText(explanation, { width: look.width, fullWeight, measure: guessWidth });
  return fileOf(drawing, look, describe(explanation, fullWeight));
}

/**
 * Renders one bar per feature, with its interval, weight and sign agreement.
 *
 * @param {import('./wording.js').Explanation} explanation  of any kind
 * @param {SVGOptions & { features?: number }} [options]  `features`: the largest number of bars; default 30
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}  if this is not an explanation, or an option is wrong
 */
export function renderBarsSVG(explanation, options = {}) {
  checkDrawable(explanation, 'renderBarsSVG');
  const look = checkLook(options, 'renderBarsSVG', ['features']);
  const features = checkCount(options.features ?? 30, 'features', 1);
  const fullWeight = fullWeightOf(explanation, look.fullWeight);
  const drawing = layoutBars(explanation, {
    width: look.width,
    fullWeight,
    fullWeightGiven: look.fullWeight !== undefined,
    features,
    measure: guessWidth,
  });
  return fileOf(drawing, look, describe(explanation, fullWeight));
}

/**
 * Writes a drawing as an SVG file. For the theme `'auto'` it adds rules for readers who prefer dark colors.
 *
 * @param {import('./drawing.js').Drawing} drawing
 * @param {{ palette: import('./palette.js').Palette, theme: import('./palette.js').Theme }} look
 * @param {string} description
 */
export function fileOf(drawing, { palette, theme }, description) {
  const about = `<title>${escape(drawing.title)}</title><desc>${escape(description)}</desc>`;
  if (theme !== 'auto') return svgOf(drawing, { palette, theme, leading: about });
  const light = svgOf(drawing, { palette, theme: 'light' });
  const roles = [...new Set([...light.matchAll(/ class="linex-([\w-]+)"/g)].map(([, role]) => role))];
  // The rules name the palette because two drawings on one page may have different palettes.
  const dark = roles.map((role) => `.linex-${palette} .linex-${role}{fill:${paintOf(role, palette, 'dark')}}`);
  const style = `<style>@media screen and (prefers-color-scheme:dark){${dark.join('')}}</style>`;
  const leading = `${about}${style}<g class="linex-${palette}">`;
  return svgOf(drawing, { palette, theme: 'light', leading }).replace(/<\/svg>$/, '</g></svg>');
}

/**
 * Describes the rendering in words, for screen readers.
 *
 * @param {import('./wording.js').Explanation} explanation
 * @param {number} fullWeight
 */
function describe(explanation, fullWeight) {
  const number = numbersFor(fullWeight);
  const described = explanation.features
    .slice(0, 12)
    .map((feature) => detailsOf(feature, explanation, number).join(', '));
  const rest = explanation.features.length - described.length;
  const parts = [
    factsOf(explanation),
    ...explanation.warnings.map(plain),
    ...described,
    rest > 0 && `and ${rest} more`,
  ];
  return parts.filter(Boolean).join('. ');
}

/**
 * Checks the options that all SVG renderings share, and fills in defaults.
 *
 * @param {SVGOptions} options
 * @param {string} caller
 * @param {string[]} [others]  the names of further options
 */
export function checkLook(options, caller, others = []) {
  const known = ['palette', 'fullWeight', 'width', 'theme', ...others];
  const { palette = 'red-blue', theme = 'light', width = 640, fullWeight } = checkNames(options, known, caller);
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(theme, 'theme', THEMES);
  return { palette, theme, width: checkCount(width, 'width', 240, 10000), fullWeight };
}
