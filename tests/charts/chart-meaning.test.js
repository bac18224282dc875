// Tests that charts say what they mean: the lowest income, words without an effect, a useless fit, and what is not explained.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, describeTable, explainRow, explainText } from 'linex';
import { renderComparisonSVG, renderDependenceSVG, renderRecourseSVG, renderWaterfallSVG } from 'linex/render';
import { applicants, categorical, classes, columns, formats, predict } from '../../examples/dashboard/loans.js';
import { recourse } from '../../js/measure/recourse.js';

const texts = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)/g)].map(([, text]) => text);
const table = await describeTable(applicants, { columns, categorical, formats });
const poorest = applicants.reduce((least, row) => (row[0] < least[0] ? row : least));
const richest = applicants.reduce((most, row) => (row[0] > most[0] ? row : most));
const options = { table, classes, target: 'approved', features: /** @type {const} */ ('all') };
const [poor, rich] = await Promise.all([poorest, richest].map((row) => explainRow(row, predict, options)));
const percent = { answerFormat: /** @type {const} */ ({ style: 'percent' }) };

test('the lowest income lowers the answer in the waterfall and in the comparison with the highest', () => {
  const waterfall = texts(renderWaterfallSVG(poor));
  assert.match(waterfall[waterfall.indexOf('income $15,500') + 1], /^−0\.\d+$/);
  assert.match(waterfall.join(' '), /Lowered most by income \$15,500 \(−0\.\d+\)/);
  const change = texts(renderComparisonSVG(compare(rich, poor)));
  const income = change.findIndex((text) => /^income \$\d+,\d+ → \$15,500$/.test(text));
  assert.match(change[income + 1], /^−0\.\d+$/);
});

test('low incomes lower the answer and high ones raise it, while more income helps both', async () => {
  const rows = [];
  for (const row of applicants.slice(0, 60)) rows.push(await explainRow(row, predict, { ...options, samples: 200 }));
  const why = texts(renderDependenceSVG(rows, { feature: 'income' })).join(' ');
  assert.match(why, /adds −0\.\d+ on average, .*\+0\.\d+/);
  const slopes = texts(renderDependenceSVG(rows, { feature: 'income', view: 'slope' })).join(' ');
  assert.match(slopes, /changes the answer by \+0\.\d+ on average, at .* by \+0\.\d+/);
});

test('words without an effect have no sign and no color in the waterfall', async () => {
  const oneWord = (batch) => batch.map((text) => (/love/.test(text) ? [0.9, 0.1] : [0.2, 0.8]));
  const tale = await explainText('A moving tale of love', oneWord, {
    classes: ['romance', 'other'],
    target: 'romance',
  });
  const svg = renderWaterfallSVG(tale);
  const found = texts(svg);
  for (const word of ['moving', 'tale'].filter((name) => found.includes(name)))
    assert.equal(found[found.indexOf(word) + 1], '≈ 0', word);
  assert.match(found[found.indexOf('love') + 1], /^\+0\.7/);
  // The edge and the inside of one bar.
  assert.ok(svg.match(/class="linex-[pn]\d"/g).length <= 2);
});

test('the waterfall of a useless fit says so before anything else', async () => {
  const waves = await describeTable(
    Array.from({ length: 300 }, (_, i) => [3 * Math.sin(i), 3 * Math.cos(7 * i)]),
    { columns: ['pressure', 'speed'] },
  );
  const wavy = await explainRow(
    [0.4, 0.3],
    (batch) => Array.from(batch, ([x, y]) => Math.sin(4 * x) * Math.cos(4 * y)),
    {
      table: waves,
    },
  );
  assert.match(
    texts(renderWaterfallSVG(wavy))[1],
    /^These reasons explain \d% of what the model does here: too little/,
  );
});

test('what is not explained is striped in the waterfall and in the comparison', () => {
  for (const svg of [renderWaterfallSVG(poor), renderComparisonSVG(compare(rich, poor))]) {
    const found = texts(svg);
    const place = found.indexOf('not explained');
    assert.match(found[place + 1], /^[+−]0\.\d+$/);
    const last = svg.slice(0, svg.indexOf('>not explained<')).split('<text').at(-2);
    assert.match(last, /class="linex-muted" [^>]*d="(M[\d.]+ [\d.]+h2v14h-2v-14z){3,}"/);
  }
});

test('axes of probabilities are called chances', async () => {
  assert.ok(texts(renderWaterfallSVG(poor, percent)).includes('chance of approved'));
  assert.ok(texts(renderWaterfallSVG(poor)).includes('chance of approved'), 'its answers are shares');
  const { rival, ...score } = poor;
  assert.ok(rival && texts(renderWaterfallSVG(score)).includes('answer for approved'));
  const advice = await recourse(poorest, predict, { table, classes, target: 'approved', explanation: poor });
  assert.ok(texts(renderRecourseSVG(advice, percent)).includes('chance of approved'));
});
