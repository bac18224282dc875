import { stretchesOf, underlineOf } from './layout-text.js';
import { checkChoice, checkFlag, checkNames } from '../core/check-options.js';
import { PALETTES, SCALE, THEMES } from './palette.js';
import { renderStyles } from './styles.js';
import { checkExplanation, detailsOf, escape, factsOf, fullWeightOf, isUndecided } from './wording.js';
import { numbersFor, plain, sidesOf, titleOf } from './wording.js';

/**
 * @typedef {import('./wording.js').Explanation} Explanation
 * @typedef {import('./wording.js').TextPicture} TextPicture
 */

/**
 * A text with its words highlighted, as a piece of HTML: what is explained, the text just as it was, a legend, and a
 * table of the same for screen readers. Needs no script; works under any content security policy with `styles: false`.
 *
 * @param {TextPicture} explanation  of `explainText`
 * @param {object} [options]
 * @param {import('./palette.js').Palette} [options.palette]  default `'red-blue'`: red speaks for, blue against
 * @param {number} [options.fullWeight]  the weight that gets full color, so that two explanations can be compared; default
 *   this one's largest
 * @param {import('./palette.js').Theme} [options.theme]  default `'auto'`, the reader's
 * @param {boolean} [options.styles]  false: without the `<style>`, for pages that serve `renderStyles()`; default true
 * @returns {string}
 * @throws {TypeError | RangeError}  for what is not an explanation of text, and for wrong options
 */
export function renderTextHTML(explanation, options = {}) {
  checkExplanation(explanation, 'renderTextHTML', 'text');
  const known = ['palette', 'fullWeight', 'theme', 'styles'];
  const {
    palette = 'red-blue',
    theme = 'auto',
    styles = true,
    fullWeight,
  } = checkNames(options, known, 'renderTextHTML');
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(theme, 'theme', THEMES);
  const full = fullWeightOf(explanation, fullWeight);
  return [
    checkFlag(styles, 'styles') ? `<style>\n${renderStyles({ palette, theme })}\n</style>` : '',
    `<figure class="linex linex-${palette} linex-${theme}">`,
    headHTML(explanation),
    wordsHTML(explanation, full),
    legendHTML(explanation, full),
    tableHTML(explanation, full),
    '</figure>',
  ]
    .filter(Boolean)
    .join('\n');
}

/** @param {Explanation} explanation */
export function headHTML(explanation) {
  const warnings = explanation.warnings.map((one) => `<span>Note: ${escape(plain(one))}</span>`);
  return (
    `<figcaption class="linex-head"><span class="linex-title">${escape(titleOf(explanation))}</span> ` +
    `<span class="linex-facts">${escape(factsOf(explanation))}</span>${warnings.join('')}</figcaption>`
  );
}

/**
 * The text, its highlights in `mark` elements, or in what can be reached by keyboard.
 *
 * @param {TextPicture} explanation
 * @param {number} full
 * @param {boolean} [live]  for an element that shows its own tooltips
 */
export function wordsHTML(explanation, full, live = false) {
  const number = numbersFor(full);
  const parts = stretchesOf(explanation, full).map(({ text, mark }) => {
    if (!mark) return escape(text);
    const { feature, step } = mark;
    const sign = feature.weight > 0 ? ' linex-up' : feature.weight < 0 ? ' linex-down' : '';
    const classes = `linex-word linex-${step === 'z' ? 'none' : step} linex-${underlineOf(feature)}${sign}`;
    if (live)
      return `<span class="${classes}" part="word" data-feature="${feature.index}" role="button" tabindex="-1">${escape(text)}</span>`;
    return `<mark class="${classes}" title="${escape(detailsOf(feature, explanation, number).join('; '))}">${escape(text)}</mark>`;
  });
  return `<div class="linex-text" part="text" dir="auto">${parts.join('')}</div>`;
}

/**
 * @param {Explanation} explanation
 * @param {number} full
 */
export function legendHTML(explanation, full) {
  const number = numbersFor(full);
  const [against, pro] = sidesOf(explanation);
  const key = (/** @type {string} */ kind, /** @type {string} */ text) =>
    `<span class="linex-key linex-${kind}">${escape(text)}</span>`;
  const note = explanation.features.some(isUndecided) ? `<div>${key('undecided', 'sign undecided')}</div>` : '';
  return (
    `<div class="linex-legend" part="legend"><div class="linex-strip" aria-hidden="true">` +
    `${SCALE.map((step) => `<i class="linex-${step}"></i>`).join('')}</div>` +
    `<div class="linex-ticks"><span>${number(-full)}</span><span>0</span><span>${number(full)}</span></div>` +
    `<div class="linex-sides">${key('minus', `− ${against}`)}${key('plus', `+ ${pro}`)}</div>${note}</div>`
  );
}

/**
 * The same as a table, for those who listen.
 *
 * @param {Explanation} explanation
 * @param {number} full
 */
export function tableHTML(explanation, full) {
  const number = numbersFor(full);
  const rows = explanation.features.map((feature) => {
    const [label, ...cells] = detailsOf(feature, explanation, number).map(escape);
    return `<tr><th scope="row">${label}</th><td>${cells.join('</td><td>')}</td></tr>`;
  });
  const names = [explanation.kind === 'text' ? 'Word' : 'Feature', 'Weight', 'Effect', 'Interval', 'Sign agreement'];
  return (
    `<div class="linex-hidden"><table><caption>${escape(titleOf(explanation))}</caption><thead><tr><th scope="col">` +
    `${names.join('</th><th scope="col">')}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  );
}
