// Renders a text explanation as HTML, and the HTML parts that the elements share.
import { checkChoice, checkFlag, checkNames } from '../core/check-options.js';
import { stretchesOf, underlineOf } from './layout-text.js';
import { PALETTES, SCALE, THEMES } from './palette.js';
import { renderStyles } from './styles.js';
import { checkDrawable, detailsOf, escape, factsOf, fullWeightOf, isUndecided } from './wording.js';
import { numbersFor, plain, sidesOf, titleOf } from './wording.js';

/**
 * @typedef {import('./wording.js').Explanation} Explanation
 * @typedef {import('./wording.js').ExplainedText} ExplainedText
 * @typedef {import('./layout-text.js').Mark} Mark
 */

/**
 * Renders a text with its words highlighted as an HTML fragment: a head, the unchanged text, a legend, and a table for
 * screen readers. Needs no script. With `styles: false` it works under any content security policy.
 *
 * @param {ExplainedText} explanation  from `explainText`
 * @param {object} [options]
 * @param {import('./palette.js').Palette} [options.palette]  default `'red-blue'`: red raises the answer, blue lowers
 *   it
 * @param {number} [options.fullWeight]  the weight that gets the full color; set it to compare explanations; default:
 *   the largest absolute weight of this explanation
 * @param {import('./palette.js').Theme} [options.theme]  default `'auto'`: the reader's theme
 * @param {boolean} [options.styles]  whether to include a `<style>` element; set it to false if the page serves
 *   `renderStyles()`; default true
 * @returns {string}
 * @throws {TypeError | RangeError}  if this is not an explanation of text, or an option is wrong
 */
export function renderTextHTML(explanation, options = {}) {
  checkDrawable(explanation, 'renderTextHTML', 'text');
  const known = ['palette', 'fullWeight', 'theme', 'styles'];
  const given = checkNames(options, known, 'renderTextHTML');
  const { palette = 'red-blue', theme = 'auto', styles = true } = given;
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(theme, 'theme', THEMES);
  const fullWeight = fullWeightOf(explanation, given.fullWeight);
  return [
    checkFlag(styles, 'styles') ? `<style>\n${renderStyles({ palette, theme })}\n</style>` : '',
    `<figure class="linex linex-${palette} linex-${theme}">`,
    headHTML(explanation),
    wordsHTML(explanation, fullWeight),
    legendHTML(explanation, fullWeight),
    tableHTML(explanation, fullWeight),
    '</figure>',
  ]
    .filter(Boolean)
    .join('\n');
}

/** Returns the title, the facts and the warnings. @param {Explanation} explanation */
export function headHTML(explanation) {
  const warnings = explanation.warnings.map((warning) => `<span>Note: ${escape(plain(warning))}</span>`);
  return (
    `<figcaption class="linex-head"><span class="linex-title">${escape(titleOf(explanation))}</span> ` +
    `<span class="linex-facts">${escape(factsOf(explanation))}</span>${warnings.join('')}</figcaption>`
  );
}

/**
 * Returns the text with its highlights.
 *
 * @param {ExplainedText} explanation
 * @param {number} fullWeight
 * @param {boolean} [interactive]  whether highlights can take the focus, for an element that shows its own tooltips;
 *   default false: they are `mark` elements with a title
 */
export function wordsHTML(explanation, fullWeight, interactive = false) {
  const number = numbersFor(fullWeight);
  /** Titles by feature: a word may occur thousands of times. @type {Map<object, string>} */
  const titles = new Map();
  const titleFor = (/** @type {Mark['feature']} */ feature) => {
    const title = titles.get(feature) ?? escape(detailsOf(feature, explanation, number).join('; '));
    titles.set(feature, title);
    return title;
  };
  const parts = stretchesOf(explanation, fullWeight).map(({ text, mark }) => {
    if (!mark) return escape(text);
    const { feature, step } = mark;
    const sign = feature.weight > 0 ? ' linex-up' : feature.weight < 0 ? ' linex-down' : '';
    const classes = `linex-word linex-${step === 'z' ? 'none' : step} linex-${underlineOf(feature)}${sign}`;
    if (interactive)
      return `<span class="${classes}" part="word" data-feature="${escape(feature.index)}" role="button" tabindex="-1">${escape(text)}</span>`;
    return `<mark class="${classes}" title="${titleFor(feature)}">${escape(text)}</mark>`;
  });
  return `<div class="linex-text" part="text" dir="auto">${parts.join('')}</div>`;
}

/**
 * @param {Explanation} explanation
 * @param {number} fullWeight
 */
function legendHTML(explanation, fullWeight) {
  const number = numbersFor(fullWeight);
  const [against, pro] = sidesOf(explanation);
  const key = (/** @type {string} */ kind, /** @type {string} */ text) =>
    `<span class="linex-key linex-${kind}">${escape(text)}</span>`;
  const note = explanation.features.some(isUndecided) ? `<div>${key('undecided', 'sign undecided')}</div>` : '';
  return (
    `<div class="linex-legend" part="legend"><div class="linex-strip" aria-hidden="true">` +
    `${SCALE.map((step) => `<i class="linex-${step}"></i>`).join('')}</div>` +
    `<div class="linex-ticks"><span>${number(-fullWeight)}</span><span>0</span><span>${number(fullWeight)}</span></div>` +
    `<div class="linex-sides">${key('minus', `− ${against}`)}${key('plus', `+ ${pro}`)}</div>${note}</div>`
  );
}

/**
 * Returns a table of the features, which only screen readers present.
 *
 * @param {Explanation} explanation
 * @param {number} fullWeight
 */
export function tableHTML(explanation, fullWeight) {
  const number = numbersFor(fullWeight);
  const rows = explanation.features.map((feature) => {
    const [label, ...cells] = detailsOf(feature, explanation, number).map(escape);
    return `<tr><th scope="row">${label}</th><td>${cells.join('</td><td>')}</td></tr>`;
  });
  const headings = [explanation.kind === 'text' ? 'Word' : 'Feature', 'Weight', 'Effect', 'Interval', 'Sign agreement'];
  return (
    `<div class="linex-hidden"><table><caption>${escape(titleOf(explanation))}</caption><thead><tr><th scope="col">` +
    `${headings.join('</th><th scope="col">')}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  );
}
