// Tests that charts do not contradict themselves: what is unsure, what is a slope, what is left unexplained, and whole names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, describeTable, explainRow, summarize } from 'linex';
import * as render from 'linex/render';
import { applicants, categorical, classes, columns, formats, predict } from '../../examples/dashboard/loans.js';
import { explainedRow, silence } from '../support/contributions.js';
import { none } from '../support/drawing/recourses-to-draw.js';
import { readSVG } from '../support/drawing/svg-geometry.js';

const table = await describeTable(applicants, { columns, categorical, formats });
const options = { table, classes, target: 'approved', features: /** @type {const} */ ('all'), samples: 200 };
const explain = (index, more = {}) => explainRow(applicants[index], predict, { ...options, ...more });
const textsOf = (svg) => readSVG(svg).words.map(({ text }) => text);

/** The games of the second column disagree, but the interval of its fit does not hold zero. */
const torn = () => silence(explainedRow([0.4, -0.1], { names: ['income', 'age'] }), 1, [-0.07, -0.01]);

test('the range of what is unsure reaches to zero wherever it is said', () => {
  const pictures = {
    terminal: render.renderTerminal(torn()),
    waterfall: readSVG(render.renderWaterfallSVG(torn())).description,
    targets: readSVG(render.renderTargetsSVG([torn(), { ...torn(), target: 'no' }])).description,
    bars: readSVG(render.renderBarsSVG(torn())).description,
  };
  for (const [name, text] of Object.entries(pictures)) {
    assert.match(text, /unsure/, name);
    assert.match(text, /−0\.070? (to|and) [+]?0(\.0+)?(?![\d.]*[1-9])/, name);
    assert.doesNotMatch(text, /−0\.070? (to|and) −/, name);
  }
});

test('what is sure keeps its range', () => {
  assert.match(render.renderTerminal(torn()), /\+0\.400 {2}\+0\.390 to \+0\.410/);
});

test('steadiness of slopes says what more of a number does, and names levels', async () => {
  const poorest = applicants.reduce((least, [income], i) => (income < applicants[least][0] ? i : least), 0);
  const seeds = await Promise.all([1, 2, 3].map((seed) => explain(poorest, { seed })));
  const [income] = seeds.map(({ features }) => features.find(({ name }) => name === 'income'));
  assert.ok(income.contribution < 0 && income.weight > 0);
  const slopes = textsOf(render.renderSteadinessSVG(seeds));
  assert.equal(slopes[slopes.indexOf('more income') + 1], '3 up');
  assert.ok(!slopes.includes('income') && slopes.includes(`home ${applicants[poorest][5]}`));
  const reasons = textsOf(render.renderSteadinessSVG(seeds, { view: 'contribution' }));
  assert.equal(reasons[reasons.indexOf('income $15,500') + 1], '3 down');
});

test('steadiness counts only what is sure in all explanations', () => {
  const seeds = [torn(), torn(), torn()];
  seeds.forEach(({ features }, i) => Object.assign(features[0], { kind: 'numeric', contribution: 0.4 - 0.1 * i }));
  const { description } = readSVG(render.renderSteadinessSVG(seeds, { view: 'contribution' }));
  assert.match(
    description,
    /^1 of 2 features surely point the same way in each of 3 explanations\. None changes direction\./,
  );
});

for (const width of [360, 640])
  test(`at ${width} pixels targets show what is not explained, first if it is most`, () => {
    const [little, much] = [0.1, 0.5].map((error) =>
      ['no', 'yes'].map((target, i) => explainedRow([i ? 0.3 : -0.3, 0.02], { target, error: i ? error : -error })),
    );
    const svg = render.renderTargetsSVG(little, { width });
    const { description } = readSVG(svg);
    assert.match(
      description,
      /^“yes” has the highest answer, 0\.82\. Of the features, c0 0 \(\+0\.300\) raises it most\. Not explained: \+0\.100\./,
    );
    assert.ok(textsOf(svg).includes('not explained'));
    assert.match(description, /not explained, −0\.100, \+0\.100/);
    const most = readSVG(render.renderTargetsSVG(much, { width })).description;
    assert.match(
      most,
      /^“yes” has the highest answer, 1\.22\. The largest part is not explained: \+0\.500\. Of the features/,
    );
    const whole = ['no', 'yes'].map((target) => explainedRow([0.3, 0.02], { target }));
    assert.ok(!textsOf(render.renderTargetsSVG(whole, { width })).includes('not explained'));
  });

test('long names are on two lines, not cut', async () => {
  const [from, to] = await Promise.all([explain(5), explain(16)]);
  for (const width of [320, 360, 640]) {
    const texts = textsOf(render.renderComparisonSVG(compare(from, to), { width }));
    assert.ok(!texts.some((text) => text.endsWith('…')), texts.join('\n'));
    assert.match(texts.join(' '), /time in job 15 years instead of 6 years/);
  }
});

test('charts of many cases say which features are mostly unsure', () => {
  const rows = Array.from({ length: 10 }, (_, i) => {
    const row = explainedRow([0.33 - i / 20, 0.05], { names: ['income', 'age'], values: [i, i] });
    return i < 8 ? silence(row, 1) : row;
  });
  for (const width of [360, 640]) {
    const swarm = textsOf(render.renderSummarySVG(rows, { width }));
    assert.ok(swarm.includes('mostly unsure'), swarm.join('\n'));
    const bars = textsOf(render.renderImportanceSVG(summarize(rows), { width })).join('\n');
    assert.match(bars, /age[\n ]\(?unsure in 8 of 10/);
    assert.doesNotMatch(bars, /income[\n ]\(?unsure/);
  }
  const { shapes } = readSVG(render.renderImportanceSVG(summarize(rows)));
  const roles = shapes.filter(({ role }) => /^[pn]\d$/.test(role)).map(({ role }) => role);
  assert.ok(roles.includes('p2'), 'a bar that is mostly unsure is pale');
});

test('a search without a result names what it tried', () => {
  const say = (tried) => render.renderRecourseSentence({ ...none, tried });
  assert.match(say(['income']), /^No change of income was found that leads to approved:/);
  assert.match(say(['income', 'home']), /^No change of income and home was found/);
  assert.match(say([]), /^No change was found/);
});
