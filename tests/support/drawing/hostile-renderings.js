// Every renderer with a check of its result: well-formed, and without anything that a hostile explanation could add.
import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';
import { compare, summarize } from '../../../js/index.js';
import {
  renderBarsSVG,
  renderComparisonSVG,
  renderDependenceSVG,
  renderImportanceSVG,
  renderSteadinessSVG,
  renderSummarySVG,
  renderTargetsSVG,
  renderWaterfallSVG,
  renderImageRGBA,
  renderSentence,
  renderRecourseSentence,
  renderRecourseSVG,
  renderStyles,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
} from '../../../js/render.js';

const NUMBER = /^-?\d+(\.\d+)?$/;
const CLASSES = /^[a-z]+(-?[a-z\d]+)*( linex(-[a-z\d]+)*)*$/;

/** What each element may contain: its attributes, with the form of their values if it is fixed. */
const SVG = {
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    role: /^img$/,
    'aria-label': /^(Why|What|Which|How|Where|Do) /,
    width: NUMBER,
    height: NUMBER,
  },
  title: {},
  desc: {},
  style: {},
  g: { class: CLASSES },
  path: { class: CLASSES, fill: /^(rgb\([\d,]+\)|#\w{6})$/, d: /^[MhvlqazZ\d .-]+$/ },
  text: { class: CLASSES, fill: /^(rgb\([\d,]+\)|#\w{6})$/, x: NUMBER, y: NUMBER, 'font-size': NUMBER },
};
Object.assign(SVG.svg, { viewBox: /^0 0 \d+ \d+$/, 'font-family': /^[\w, -]+$/, direction: /^ltr$/ });
Object.assign(SVG.text, { 'font-weight': NUMBER, 'text-anchor': /^(middle|end)$/, direction: /^rtl$/ });
Object.assign(SVG.text, { textLength: NUMBER, lengthAdjust: /^spacingAndGlyphs$/ });

const ANY = /^[^]*$/;
const HTML = {
  ...Object.fromEntries(
    ['root', 'style', 'table', 'caption', 'thead', 'tbody', 'tr', 'td', 'summary', 'ul', 'li'].map((name) => [
      name,
      {},
    ]),
  ),
  details: { class: CLASSES, part: /^details$/ },
  figure: { class: CLASSES },
  figcaption: { class: CLASSES },
  span: { class: CLASSES },
  div: { class: CLASSES, part: /^(text|legend)$/, dir: /^auto$/, 'aria-hidden': /^true$/ },
  mark: { class: CLASSES, title: ANY, 'data-badge': /^[+−][\d.,E−]*$/ },
  i: { class: CLASSES },
  th: { scope: /^(row|col)$/ },
};

/**
 * Parses XML and refuses everything that is not on the list.
 *
 * @param {string} xml
 * @param {Record<string, Record<string, RegExp>>} allowed
 * @param {string} [style]  what style elements may contain
 */
function checkMarkup(xml, allowed, style) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open = [];
  parser.on('error', (error) => assert.fail(`not well-formed: ${error.message}`));
  for (const event of ['comment', 'cdata', 'processinginstruction', 'doctype', 'xmldecl'])
    parser.on(event, (found) => assert.fail(`${event}: ${found}`));
  parser.on('opentag', ({ name, attributes }) => {
    assert.ok(Object.hasOwn(allowed, name), `there is a <${name}>`);
    open.push(name);
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.ok(Object.hasOwn(allowed[name], attribute), `<${name}> has ${attribute}`);
      assert.match(value, allowed[name][attribute], `${attribute} of <${name}>`);
    }
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (text) => {
    if (open.at(-1) !== 'style') return;
    assert.ok(style === undefined ? /^@media[\w\s:;,.(){}#-]+$/.test(text) : text.trim() === style.trim(), 'style');
  });
  parser.write(xml).close();
}

/** @param {string} svg */
export const checkSVG = (svg) => checkMarkup(svg, SVG);

/** An HTML fragment of ours is well-formed XML too. @param {string} html */
export const checkHTML = (html) =>
  checkMarkup(`<root>${html}</root>`, HTML, renderStyles({ palette: 'blue-orange', theme: 'auto' }));

/** Only line feeds and our own colors control the terminal. @param {string} text @param {number} width */
export function checkTerminal(text, width) {
  // eslint-disable-next-line no-control-regex
  const colorless = text.replace(/\u001b\[(33|34|0)m/g, '');
  assert.doesNotMatch(colorless.replaceAll('\n', ''), /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u);
  for (const line of colorless.split('\n')) assert.ok(line.length >= width / 2, `a line of ${line.length}`);
}

/** Charts of several explanations name the one that is wrong; here all are the same. */
function alone(draw) {
  try {
    checkSVG(draw());
  } catch (error) {
    if (error instanceof TypeError)
      error.message = error.message.replace(/^explanations\[0\](\.| (?=must))/, (_, next) =>
        next === '.' ? '' : 'an explanation ',
      );
    throw error;
  }
}

/** Characters that control a terminal or turn text. */
const FOREIGN = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;

/** One line of text, without anything that controls a terminal. @param {string} text */
export function checkLine(text) {
  assert.ok(text.length > 0);
  assert.doesNotMatch(text, FOREIGN);
}

/** Calls each renderer and checks what it returns. By name; they throw if the explanation is refused. */
export const RENDERERS = {
  renderTextHTML: (explanation) => checkHTML(renderTextHTML(explanation)),
  renderTextSVG: (explanation) => checkSVG(renderTextSVG(explanation, { theme: 'auto' })),
  renderBarsSVG: (explanation) => checkSVG(renderBarsSVG(explanation, { features: 8, details: true })),
  slopes: (explanation) => checkSVG(renderBarsSVG(explanation, { view: 'slope', theme: 'auto' })),
  renderTerminal: (explanation) => checkTerminal(renderTerminal(explanation, { color: true, details: true }), 76),
  renderSentence: (explanation) => assert.doesNotMatch(renderSentence(explanation), FOREIGN),
  renderRecourseSVG: (recourse) => checkSVG(renderRecourseSVG(recourse, { theme: 'auto' })),
  renderRecourseSentence: (recourse) => checkLine(renderRecourseSentence(recourse)),
  renderImageRGBA(explanation) {
    const { data, width, height } = renderImageRGBA(explanation, null, { width: 16 });
    assert.equal(data.length, 4 * width * height);
    assert.ok(data.every((value, i) => i % 4 < 3 || value === 255));
  },
  renderWaterfallSVG: (explanation) => alone(() => renderWaterfallSVG(explanation, { theme: 'auto' })),
  renderSummarySVG: (explanation) => alone(() => renderSummarySVG([explanation, explanation], { features: 2 })),
  renderImportanceSVG: (explanation) => alone(() => renderImportanceSVG(summarize([explanation, explanation]))),
  renderDependenceSVG(explanation) {
    const features = explanation?.features;
    // Without features there is none to draw.
    if (!Array.isArray(features) || features.length > 0)
      alone(() => renderDependenceSVG([explanation], { feature: features?.[0]?.index ?? 0, width: 300 }));
  },
  renderComparisonSVG: (explanation) => alone(() => renderComparisonSVG(compare(explanation, explanation))),
  renderSteadinessSVG: (explanation) => alone(() => renderSteadinessSVG([explanation, explanation], { width: 360 })),
  renderTargetsSVG: (explanation) => alone(() => renderTargetsSVG([explanation], { width: 900 })),
};

/** The renderers that take each kind of explanation. */
export const RENDERERS_OF = {
  row: ['renderBarsSVG', 'slopes', 'renderTerminal', 'renderSentence'],
  text: ['renderTextHTML', 'renderTextSVG', 'renderBarsSVG', 'renderTerminal', 'renderSentence'],
  image: ['renderImageRGBA', 'renderBarsSVG', 'renderTerminal'],
  shap: ['renderBarsSVG', 'renderTerminal'],
  chart: [
    ...['renderWaterfallSVG', 'renderSummarySVG', 'renderImportanceSVG', 'renderDependenceSVG'],
    ...['renderComparisonSVG', 'renderSteadinessSVG', 'renderTargetsSVG'],
  ],
};
