// Attacks all renderers: every field of an explanation replaced by hostile values, and hostile strings as texts and names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { checkExplanation, renderTextHTML } from 'linex/render';
import { attacksOn, explanationsWith, SUBJECTS } from '../support/drawing/hostile-explanations.js';
import { checkHTML, checkSVG, checkTerminal, RENDERERS, RENDERERS_OF } from '../support/drawing/hostile-renderings.js';
import { HOSTILE_STRINGS } from '../support/drawing/hostile-strings.js';

const shown = (value) => inspect(value, { depth: 1, maxStringLength: 60, maxArrayLength: 5 });

/** Fields that others are compared with: if they change, another field may be the first that is wrong. */
const COMPARED = /^(|kind|weights(\[\d+\])?|text|width|height|tokens.*|.*occurrences.*)$/;

/** Checks that an error is a TypeError that names the field, or a part of it, or what it is compared with. */
function checkRefusal(error, path) {
  assert.equal(Object.getPrototypeOf(error), TypeError.prototype, error.stack);
  const [, named] =
    error.message.match(/^([\w.[\]]+|an explanation|\w+ needs an explanation)( must be .+|.*), not [^]+$/) ?? [];
  assert.ok(named, error.message);
  if (!COMPARED.test(path) && !/the index of no other feature/.test(error.message))
    assert.ok(named.startsWith(path) || path.startsWith(named), `${path}: ${error.message}`);
}

for (const [kind, subject] of Object.entries(SUBJECTS))
  test(`a ${kind} explanation with any field replaced is refused by name, or its rendering is safe`, (t) => {
    for (const name of RENDERERS_OF[kind]) RENDERERS[name](subject);
    const counts = { refused: 0, drawn: 0 };
    for (const { path, value, attacked } of attacksOn(subject))
      for (const name of RENDERERS_OF[kind]) {
        try {
          RENDERERS[name](attacked);
          counts.drawn++;
        } catch (error) {
          if (error.code === 'ERR_ASSERTION') assert.fail(`${name}, ${path} = ${shown(value)}: ${error.message}`);
          checkRefusal(error, path);
          counts.refused++;
        }
      }
    t.diagnostic(`${counts.refused} refused, ${counts.drawn} drawn`);
    assert.ok(counts.refused > 1000 && counts.drawn > 100);
  });

test('more than 200 hostile strings are drawn as text, class, column and level by every renderer', () => {
  assert.ok(HOSTILE_STRINGS.length >= 200);
  for (const string of HOSTILE_STRINGS)
    for (const [kind, explanation] of Object.entries(explanationsWith(string)))
      for (const name of RENDERERS_OF[kind])
        try {
          RENDERERS[name](explanation);
        } catch (error) {
          assert.fail(`${name} of ${JSON.stringify(string.slice(0, 60))}: ${error.message}`);
        }
});

test('HTML keeps a hostile text as it is, except for characters that XML cannot hold', () => {
  for (const string of HOSTILE_STRINGS) {
    const { text } = explanationsWith(string);
    checkExplanation(text);
    const shown = renderTextHTML(text, { styles: false })
      .match(/<div class="linex-text"[^>]*>([^]*?)<\/div>/)[1]
      .replace(/<[^>]*>/g, '')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    // The characters of XML 1.0, section 2.2.
    const expected = text.text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
    assert.equal(shown, expected);
  }
});

test('the checks of this attack find what they are for', () => {
  const svg = (inside) => `<svg xmlns="http://www.w3.org/2000/svg" role="img">${inside}</svg>`;
  checkSVG(svg('<title>&#60;b&#62;</title>'));
  for (const inside of [
    ...[
      '<b>x</b>',
      '<title onclick="x"/>',
      '<title>',
      '&nbsp;',
      '<path d="javascript:x"/>',
      '<!-- x -->',
      '<text x="NaN"/>',
    ],
    ...['<title>\u0001</title>', '<title>\ud800</title>', '<style>*{fill:url(x)}</style>', '<g class="a b&#34;"/>'],
  ])
    assert.throws(() => checkSVG(svg(inside)), assert.AssertionError, inside);
  assert.throws(() => checkHTML('<mark data-feature="x">y</mark>'), assert.AssertionError);
  assert.throws(() => checkTerminal('\u001b[2J'.padEnd(76), 76), assert.AssertionError);
});
