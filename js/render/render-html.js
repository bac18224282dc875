// Renders a text explanation as HTML, and the HTML parts that the elements share.
import { checkChoice, checkFlag } from '../core/check-options.js';
import { stretchesOf } from './layout-text.js';
import { PALETTES, SCALE, THEMES } from './palette.js';
import { checkReadingOptions, Reading } from './reading.js';
import { renderStyles } from './styles.js';
import { checkDrawable, escape } from './wording.js';

/**
 * @typedef {import('./reading.js').Item} Item
 *
 * @typedef {object} HTMLLook
 * @property {import('./palette.js').Palette} [palette]  default `'blue-orange'`: blue raises the answer, orange lowers it
 * @property {import('./palette.js').Theme} [theme]  default `'auto'`: that of the page, as its `color-scheme` says
 * @property {boolean} [styles]  whether to include a `<style>` element; set it to false if the page serves
 *   `renderStyles()`; default true
 */

/**
 * Renders a text with its words highlighted as an HTML fragment: a question and its answer in words, the unchanged text, a
 * legend, a table for screen readers, and technical details that open on a click. Needs no script. With `styles: false`
 * it works under any content security policy.
 *
 * @param {import('./wording.js').ExplainedText} explanation  from `explainText`
 * @param {HTMLLook & import('./reading.js').ReadingOptions} [options]  details: whether they are open
 * @returns {string}
 * @throws {TypeError | RangeError}  if this is not an explanation of text, or an option is wrong
 */
export function renderTextHTML(explanation, options = {}) {
  checkDrawable(explanation, 'renderTextHTML', 'text');
  const given = checkReadingOptions(options, 'renderTextHTML', ['palette', 'theme', 'styles']);
  const { palette = PALETTES[0], theme = 'auto', styles = true } = given;
  checkChoice(palette, 'palette', PALETTES);
  checkChoice(theme, 'theme', THEMES);
  const reading = new Reading(explanation, given);
  return [
    checkFlag(styles, 'styles') ? `<style>\n${renderStyles({ palette, theme })}\n</style>` : '',
    `<figure class="linex linex-${palette} linex-${theme}">`,
    headHTML(reading),
    wordsHTML(reading),
    legendHTML(reading),
    tableHTML(reading),
    detailsHTML(reading),
    '</figure>',
  ]
    .filter(Boolean)
    .join('\n');
}

/** Returns the question, and its answer in words. @param {Reading} reading */
export function headHTML({ title, head }) {
  const lines = head.map((text) => `<span>${escape(text)}</span>`);
  return `<figcaption class="linex-head"><span class="linex-title">${escape(title)}</span>${lines.join('')}</figcaption>`;
}

/** The most features that the details list. */
const MOST_DETAILS = 30;

/**
 * Returns how the explanation was made, for experts: closed unless it is asked for.
 *
 * @param {Reading} reading
 * @param {boolean} [open]
 */
export function detailsHTML(reading, open = reading.details) {
  const items = reading.items.slice(0, MOST_DETAILS);
  const lines = [...reading.technical, ...items.map((item) => reading.technicalOf(item))];
  return (
    `<details class="linex-details" part="details"${open ? ' open=""' : ''}>` +
    `<summary>${escape(reading.labels.details)}</summary>` +
    `<ul>${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul></details>`
  );
}

/**
 * Returns the text with its highlights.
 *
 * @param {Reading} reading
 * @param {boolean} [interactive]  whether words can take the focus, for an element that shows its own tooltips; default
 *   false: they are `mark` elements with a title
 */
export function wordsHTML(reading, interactive = false) {
  /** Titles by feature: a word may occur thousands of times. @type {Map<Item, string>} */
  const titles = new Map();
  const titleFor = (/** @type {Item} */ item) => {
    const title = titles.get(item) ?? escape(reading.describe(item).join('; '));
    titles.set(item, title);
    return title;
  };
  const parts = stretchesOf(reading).map(({ text, mark }) => {
    if (!mark) return escape(text);
    const { item, badge } = mark;
    const looks = badge ? `linex-${item.step} linex-${item.amount < 0 ? 'minus' : 'plus'}` : 'linex-none';
    const attributes = `class="linex-word ${looks}"${badge ? ` data-badge="${escape(badge)}"` : ''}`;
    if (interactive)
      return `<span ${attributes} part="word" data-feature="${escape(item.feature.index)}" role="button" tabindex="-1">${escape(text)}</span>`;
    return `<mark ${attributes} title="${titleFor(item)}">${escape(text)}</mark>`;
  });
  return `<div class="linex-text" part="text" dir="auto">${parts.join('')}</div>`;
}

/** @param {Reading} reading */
function legendHTML(reading) {
  const { fullWeight, number, sides, labels, poor } = reading;
  const middle = (SCALE.length - 1) / 2;
  const steps = poor ? SCALE.slice(middle - 3, middle + 4) : SCALE;
  const key = (/** @type {string} */ kind, /** @type {string} */ text) =>
    `<span class="linex-key linex-${kind}">${escape(text)}</span>`;
  const note = reading.items.some(({ step }) => step === 'z') ? `<div>${escape(labels.noColor)}</div>` : '';
  return (
    `<div class="linex-legend" part="legend"><div class="linex-strip" aria-hidden="true">` +
    `${steps.map((step) => `<i class="linex-${step}"></i>`).join('')}</div>` +
    `<div class="linex-ticks"><span>${escape(number(-fullWeight))}</span><span>0</span><span>${escape(number(fullWeight))}</span></div>` +
    `<div class="linex-sides">${key('minus', `− ${sides[0]}`)}${key('plus', `+ ${sides[1]}`)}</div>${note}</div>`
  );
}

/** Returns a table of the features, which only screen readers present. @param {Reading} reading */
export function tableHTML(reading) {
  const { labels, title, head, explanation } = reading;
  const rows = [...reading.items, ...reading.rest].map((item) => {
    const [label, ...cells] = reading.describe(item).map(escape);
    return `<tr><th scope="row">${label}</th><td>${cells.join('</td><td>')}</td></tr>`;
  });
  const first = { row: labels.feature, text: labels.word, image: labels.part }[explanation.kind];
  const headings = [first, labels.effect, labels.likelyRange].map(escape);
  return (
    `<div class="linex-hidden"><table><caption>${escape([title, ...head].join(' '))}</caption><thead><tr><th scope="col">` +
    `${headings.join('</th><th scope="col">')}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  );
}
