// Tests that the time to draw a text is in proportion to its length, and that labels are cut between characters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBarsSVG, renderTerminal, renderTextHTML, renderTextSVG } from 'linex/render';
import { explanation, textExplanation } from '../support/drawing/explanations-to-draw.js';
import { cellsOf, cutToFit, graphemes } from '../../js/render/text-width.js';

const RENDERERS = [renderTextHTML, renderTextSVG, renderBarsSVG, renderTerminal];
/** More than ten times what it takes; quadratic algorithms took longer. Milliseconds. */
const LIMIT = 8000;

function timed(render, explained) {
  const start = performance.now();
  const rendering = render(explained);
  const took = performance.now() - start;
  assert.ok(took < LIMIT, `${render.name} took ${took} ms`);
  return rendering;
}

const WORDS = {
  Latin: 'x'.repeat(40000),
  Arabic: 'ك'.repeat(40000),
  Chinese: '感'.repeat(40000),
  Hindi: 'नमस्ते'.repeat(6000),
  emoji: '👩‍👩‍👧'.repeat(5000),
  'one letter with marks': `a${'\u0301'.repeat(40000)}`,
  'invisible characters': '\u200b'.repeat(40000),
};

for (const [name, word] of Object.entries(WORDS))
  test(`a word of ${word.length} characters is drawn in time, and its label is cut (${name})`, () => {
    const explained = textExplanation(`${word} ok`, { [word]: 1, ok: -0.5 }, { target: word }, /\S+/gu);
    const [html, , bars, lines] = RENDERERS.map((render) => timed(render, explained));
    assert.ok(html.includes(word));
    assert.ok(bars.length < 20000 && lines.length < 20000, `${bars.length} and ${lines.length} characters`);
    for (const rendering of [bars, lines]) assert.match(rendering, /…/);
  });

test('a text of 200,000 words is drawn in time', () => {
  const text = 'A moving tale of love, '.repeat(40000);
  const explained = textExplanation(text, { moving: 0.3, love: -0.2 });
  assert.equal(explained.tokens.length, 200000);
  const [html] = RENDERERS.filter((render) => render !== renderTextSVG).map((render) => timed(render, explained));
  assert.equal(html.match(/<mark /g).length, 80000);
  const start = performance.now();
  const svg = renderTextSVG(explained);
  assert.ok(performance.now() - start < 10 * LIMIT);
  assert.ok(svg.length > text.length);
});

test('30,000 features are drawn in time', () => {
  const features = Array.from({ length: 30000 }, (_, index) => ({
    ...{
      index,
      name: `column ${index}`,
      weight: 1 / (index + 1),
      interval: null,
      signAgreement: null,
      silenced: false,
    },
  }));
  const explained = { ...explanation([]), features, weights: features.map(({ weight }) => weight) };
  assert.match(timed(renderBarsSVG, explained), /and 29970 more/);
  assert.match(
    timed((it) => renderBarsSVG(it, { features: 30000 }), explained),
    /column 29999/,
  );
  // The question, a line of names, what the sides mean, and one line each.
  assert.ok(timed(renderTerminal, explained).split('\n').length > 30000);
});

test('graphemes are those of Intl.Segmenter, whatever the length of the text', () => {
  const pieces = [
    'a',
    'e\u0301',
    '👩‍👩‍👧',
    '🇩🇪',
    'क्षि',
    '각',
    '語',
    'ع',
    '\r\n',
    '𝒳',
    '1\ufe0f\u20e3',
    ' ',
    '❤\ufe0f',
    '👍🏿',
  ];
  const segmenter = new Intl.Segmenter();
  let random = 1;
  for (let round = 0; round < 200; round++) {
    let text = '';
    while (text.length < 700) text += pieces[(random = (random * 48271) % 2147483647) % pieces.length];
    const expected = Array.from(segmenter.segment(text), ({ segment }) => segment);
    assert.deepEqual(graphemes(text), expected);
  }
});

test('a grapheme without end is cut, but not within a surrogate pair', () => {
  for (const endless of [
    `a${'\u0301'.repeat(5000)}`,
    `a${'\u{1d165}'.repeat(5000)}`,
    `ab${'\u{1d165}'.repeat(5000)}`,
  ]) {
    const found = graphemes(endless);
    assert.equal(found.join(''), endless);
    assert.ok(found.every((grapheme) => grapheme.length <= 256 && grapheme.isWellFormed()));
  }
});

test('a label is cut after 500 characters, between characters, and an SVG keeps more of it in a title', () => {
  const named = (name) => ({ ...explanation([]), features: [{ ...explained.features[0], name }], weights: [1] });
  const explained = textExplanation('a', { a: 1 });
  for (const unit of ['😀', 'e\u0301', '👩‍👩‍👧', '🇩🇪', 'x']) {
    const svg = renderBarsSVG({ ...named(unit.repeat(2000)), kind: 'row' });
    const [, shown, title] = svg.match(/>([^<]*…)<title>([^<]*)<\/title><\/text>/);
    for (const part of [shown, title]) assert.equal(part.replaceAll(unit, ''), '…', unit);
    assert.ok(shown.length < title.length && title.length <= 501 && title.length > 480, `${title.length}`);
    assert.doesNotMatch(renderTerminal({ ...named(unit.repeat(2000)), kind: 'row' }), /\ufffd/);
  }
  const exact = renderBarsSVG({ ...named('x'.repeat(500)), kind: 'row' }, { width: 10000 });
  assert.match(exact, />x{500}<\/text>/);
  assert.equal(cutToFit('😀😀😀', 5, cellsOf), '😀😀…');
});

test('a control character cannot hide that a label was cut', () => {
  const hiding = { ...explanation([]), target: `${'\n'.repeat(3000)}secret` };
  assert.match(renderTerminal({ ...hiding, features: [], weights: [] }), /for +…/);
});
