// Tests how renderings show what is no sure reason: what nothing explains, guesses, and what kind of number the answer is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRow } from 'linex';
import { renderBarsSVG, renderSentence, renderTerminal } from 'linex/render';
import { tableHTML } from '../../js/render/render-html.js';
import { Reading } from '../../js/render/reading.js';
import { loan } from '../support/drawing/explanations-to-draw.js';

const texts = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)/g)].map(([, text]) => text);
const descOf = (svg) => svg.match(/<desc>([^]*?)<\/desc>/)[1];
const row = (text, start) => text.split('\n').find((line) => line.startsWith(start));

/** The model answers 0.71, the explanation 0.4. */
const half = { ...loan, localPrediction: 0.4 };

test('what the features leave over has a striped row of its own in bars, terminal and table, and no color', () => {
  const svg = renderBarsSVG(half);
  const place = texts(svg).indexOf('not explained');
  assert.equal(texts(svg)[place + 1], '+0.310');
  const after = svg.slice(svg.indexOf('>not explained<'));
  const [edge, inside, stripes] = [...after.matchAll(/class="linex-(\w+)"[^>]*d="([^"]*)"/g)].slice(1, 4);
  assert.deepEqual([edge[1], inside[1], stripes[1]], ['muted', 'z', 'muted']);
  assert.ok(stripes[2].match(/M/g).length > 5);
  assert.doesNotMatch(after, /class="linex-[pn]\d/);
  assert.match(row(renderTerminal(half), 'not explained'), /│┄+ +\+0\.310 *$/);
  const below = renderTerminal({ ...half, localPrediction: 1.02 });
  assert.match(row(below, 'not explained'), /┄+│ +−0\.310 *$/);
  const table = tableHTML(new Reading(half));
  assert.match(table, /<tr><th scope="row">not explained<\/th><td>\+0\.310<\/td><td><\/td><\/tr><\/tbody>/);
  assert.match(renderSentence(half), /Not explained: \+0\.310\./);
});

test('the striped bar is as long as its number on the scale of the others, also if it is the longest', () => {
  for (const [localPrediction, number] of [
    [0.4, 0.31],
    [-0.29, 1],
  ]) {
    const svg = renderBarsSVG({ ...loan, localPrediction });
    const [, length] = svg
      .slice(svg.indexOf('>not explained<'))
      .match(/class="linex-muted"[^>]*d="M[\d.]+ [\d.]+h([\d.]+)q/);
    const income = svg.slice(svg.indexOf('>income 54,000<'));
    const [, known] = income.match(/class="linex-p\d"[^>]*d="M[\d.]+ [\d.]+h([\d.]+)q/);
    // Corners of 2 pixels on both sides.
    assert.ok(Math.abs((Number(length) + 4) / (Number(known) + 4) - number / 0.412) < 0.02, `${length} / ${known}`);
  }
});

test('a small rest has no row, and slopes have none', () => {
  for (const svg of [renderBarsSVG({ ...loan, localPrediction: 0.7 }), renderBarsSVG(half, { view: 'slope' })])
    assert.ok(!texts(svg).includes('not explained'));
});

const RAMP = await describeTable(
  Array.from({ length: 200 }, (_, i) => [i % 50, (i * 7) % 11]),
  { columns: ['level', 'load'] },
);
const far = await explainRow([300, 3], (batch) => batch.rows.map(([level, load]) => level / 300 - load / 20), {
  table: RAMP,
  features: 'all',
});

test('a guess has dotted edges, no color, no range, and is called a guess beside its number', () => {
  assert.ok(far.warningCodes.some(({ code, names }) => code === 'far-reference' && names.includes('level')));
  const svg = renderBarsSVG(far);
  const group = svg.slice(svg.indexOf('>level 300<'), svg.indexOf('>load 3<'));
  assert.doesNotMatch(group, /class="linex-[pn]\d|class="linex-ink" d=/);
  assert.match(group, /class="linex-muted"[^>]*d="(M[^M]*){10}/);
  assert.match(descOf(svg), /level 300 \([^)]*\), guess, about \+0\.\d, [^,]*, range unknown/);
  assert.match(row(renderTerminal(far), 'level'), /│·+ +guess, about \+0\.\d *$/);
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(row(renderTerminal(far, { color: true }), 'level'), /\u001b\[3/);
});

test('the answer for a class is called a chance if the caller writes it as percent, and only then', () => {
  const percent = { answerFormat: /** @type {const} */ ({ style: 'percent' }) };
  assert.equal(texts(renderBarsSVG(loan, percent))[0], 'Why the 71% chance of “repays”?');
  assert.equal(
    texts(renderBarsSVG(loan, { ...percent, view: 'slope' }))[0],
    'What would change the 71% chance of “repays”?',
  );
  assert.equal(texts(renderBarsSVG(loan))[0], 'Why 0.71 for repays?');
  assert.equal(texts(renderBarsSVG({ ...loan, target: null }, percent))[0], 'Why 71%?');
  assert.equal(texts(renderBarsSVG({ ...loan, link: 'logit' }, percent))[0], 'Why 71% for repays?');
});
