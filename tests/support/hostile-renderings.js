// Every renderer with a check of its result: well-formed, and without anything that a hostile explanation could add.
import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';
import {
  renderBarsSVG,
  renderImageRGBA,
  renderRecourseSentence,
  renderRecourseSVG,
  renderStyles,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
} from '../../js/render.js';

const NUMBER = /^-?\d+(\.\d+)?$/;
const CLASSES = /^[a-z]+(-?[a-z\d]+)*( linex(-[a-z\d]+)*)*$/;

/** What each element may contain: its attributes, with the form of their values if it is fixed. */
const SVG = {
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    role: /^img$/,
    'aria-label': /^Wh(y|at)/,
    width: NUMBER,
    height: NUMBER,
  },
  title: {},
  desc: {},
  style: {},
  g: { class: CLASSES },
  path: { class: CLASSES, fill: /^(rgb\([\d,]+\)|#\w{6})$/, d: /^[MhvqlzZ\d .-]+$/ },
  text: { class: CLASSES, fill: /^(rgb\([\d,]+\)|#\w{6})$/, x: NUMBER, y: NUMBER, 'font-size': NUMBER },
};
Object.assign(SVG.svg, { viewBox: /^0 0 \d+ \d+$/, 'font-family': /^[\w, -]+$/, direction: /^ltr$/ });
Object.assign(SVG.text, { 'font-weight': NUMBER, 'text-anchor': /^(middle|end)$/, direction: /^rtl$/ });
Object.assign(SVG.text, { textLength: NUMBER, lengthAdjust: /^spacingAndGlyphs$/ });

const ANY = /^[^]*$/;
const HTML = {
  ...Object.fromEntries(['root', 'style', 'table', 'caption', 'thead', 'tbody', 'tr', 'td'].map((name) => [name, {}])),
  figure: { class: CLASSES },
  figcaption: { class: CLASSES },
  span: { class: CLASSES },
  div: { class: CLASSES, part: /^(text|legend)$/, dir: /^auto$/, 'aria-hidden': /^true$/ },
  mark: { class: CLASSES, title: ANY },
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
  checkMarkup(`<root>${html}</root>`, HTML, renderStyles({ palette: 'red-blue', theme: 'auto' }));

/** Only line feeds and our own colors control the terminal. @param {string} text @param {number} width */
export function checkTerminal(text, width) {
  // eslint-disable-next-line no-control-regex
  const colorless = text.replace(/\u001b\[(31|34|0)m/g, '');
  assert.doesNotMatch(colorless.replaceAll('\n', ''), /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u);
  for (const line of colorless.split('\n')) assert.ok(line.length >= width / 2, `a line of ${line.length}`);
}

/** One line of text, without anything that controls a terminal. @param {string} text */
export function checkLine(text) {
  assert.ok(text.length > 0);
  assert.doesNotMatch(text, /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u);
}

/** Calls each renderer and checks what it returns. By name; they throw if the explanation is refused. */
export const RENDERERS = {
  renderTextHTML: (explanation) => checkHTML(renderTextHTML(explanation)),
  renderTextSVG: (explanation) => checkSVG(renderTextSVG(explanation, { theme: 'auto' })),
  renderBarsSVG: (explanation) => checkSVG(renderBarsSVG(explanation, { features: 8 })),
  renderTerminal: (explanation) => checkTerminal(renderTerminal(explanation, { color: true }), 76),
  renderRecourseSVG: (recourse) => checkSVG(renderRecourseSVG(recourse, { theme: 'auto' })),
  renderRecourseSentence: (recourse) => checkLine(renderRecourseSentence(recourse)),
  renderImageRGBA(explanation) {
    const { data, width, height } = renderImageRGBA(explanation, null, { width: 16 });
    assert.equal(data.length, 4 * width * height);
    assert.ok(data.every((value, i) => i % 4 < 3 || value === 255));
  },
};

/** The renderers that take each kind of explanation. */
export const RENDERERS_OF = {
  row: ['renderBarsSVG', 'renderTerminal'],
  text: ['renderTextHTML', 'renderTextSVG', 'renderBarsSVG', 'renderTerminal'],
  image: ['renderImageRGBA', 'renderBarsSVG', 'renderTerminal'],
  shap: ['renderBarsSVG', 'renderTerminal'],
};
