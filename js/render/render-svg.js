// Renders explanations as SVG: highlighted text, and bars.
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';
import { svgOf } from './drawing.js';
import { layoutBars } from './layout-bars.js';
import { layoutText } from './layout-text.js';
import { PALETTES, paintOf, THEMES } from './palette.js';
import { Reading, READING_NAMES } from './reading.js';
import { guessWidth } from './text-width.js';
import { checkDrawable, escape } from './wording.js';

/**
 * @typedef {object} SVGLook
 * @property {import('./palette.js').Palette} [palette]  default `'blue-orange'`: blue raises the answer, orange lowers it
 * @property {number} [width]  in pixels, 240 to 10000; default 640
 * @property {import('./palette.js').Theme} [theme]  default `'light'`; `'auto'` follows the page, or the reader's theme if
 *   the SVG is a file of its own
 *
 * @typedef {SVGLook & import('./reading.js').ReadingOptions} SVGOptions
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
  const look = checkLook(options, 'renderTextSVG', READING_NAMES);
  const reading = new Reading(explanation, options);
  return fileOf(layoutText(reading, { width: look.width, measure: guessWidth }), look, describe(reading));
}

/**
 * Renders one bar per feature, with its likely range.
 *
 * @param {import('./wording.js').Explanation} explanation  of any kind
 * @param {SVGOptions & { features?: number }} [options]  `features`: the largest number of bars; default 30
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}  if this is not an explanation, or an option is wrong
 */
export function renderBarsSVG(explanation, options = {}) {
  checkDrawable(explanation, 'renderBarsSVG');
  const look = checkLook(options, 'renderBarsSVG', [...READING_NAMES, 'features']);
  const features = checkCount(options.features ?? 30, 'features', 1);
  const reading = new Reading(explanation, options);
  const drawing = layoutBars(reading, { width: look.width, features, measure: guessWidth });
  return fileOf(drawing, look, describe(reading));
}

/**
 * Writes a drawing as an SVG file. For the theme `'auto'` it adds rules for dark pages.
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
  const rules = roles.map((role) => {
    const [day, night] = /** @type {const} */ (['light', 'dark']).map((one) => paintOf(role, palette, one));
    return `.linex-${palette} .linex-${role}{fill:light-dark(${day},${night})}`;
  });
  // In a page the drawing has the theme of the page. A file of its own has the reader's; paper is white.
  const style = `<style>@media screen{svg:root{color-scheme:light dark}${rules.join('')}}</style>`;
  const leading = `${about}${style}<g class="linex-${palette}">`;
  return svgOf(drawing, { palette, theme: 'light', leading }).replace(/<\/svg>$/, '</g></svg>');
}

/** The most features that a description names. */
const MOST_DESCRIBED = 12;

/** Describes the rendering in words, for screen readers. @param {Reading} reading */
function describe(reading) {
  const { items } = reading;
  const described = items.slice(0, MOST_DESCRIBED).map((item) => `${reading.describe(item).join(', ')}.`);
  const rest = items.length - described.length;
  const parts = [...reading.head, ...described, rest > 0 && reading.say('andMore', { count: rest })];
  return parts.filter(Boolean).join(' ');
}

/**
 * Checks the options that all SVG renderings share, and fills in defaults.
 *
 * @param {SVGLook & Record<string, any>} options
 * @param {string} caller
 * @param {readonly string[]} [others]  the names of further options
 */
export function checkLook(options, caller, others = []) {
  const known = ['palette', 'width', 'theme', ...others];
  const { palette = PALETTES[0], theme = 'light', width = 640 } = checkNames(options, known, caller);
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(theme, 'theme', THEMES);
  return { palette, theme, width: checkCount(width, 'width', 240, 10000) };
}
