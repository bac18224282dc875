// Tests of the waterfall and of the comparison: bar ends against contributions, sums, and what is unsure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, explainRow, describeTable, renderComparisonSVG, renderWaterfallSVG } from 'linex';
import { stepsOf } from '../../js/charts/layout-waterfall.js';
import { Reading } from '../../js/render/reading.js';
import { roundToSum } from '../../js/charts/chart-words.js';
import { explainedRow, silence } from '../support/contributions.js';
import { dice } from '../support/dice.js';
import { checkSVG } from '../support/drawing/hostile-renderings.js';
import { axisOf, barOf, numberIn, readSVG } from '../support/drawing/svg-geometry.js';

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const NAMES = ['income', 'late payments', 'home', 'age'];
const loan = (more) =>
  explainedRow([-0.31, -0.11, 0.06, 0.02], { names: NAMES, reference: 0.45, error: -0.04, half: 0.015, ...more });

/** The edges of the bars with a point, from top to bottom, in values of the axis; they are 14 pixels high. */
function barsIn(svg) {
  const { shapes, words } = readSVG(svg);
  const { valueAt, perPixel } = axisOf(words);
  const bars = shapes.filter(({ role, d }) => /^([pn]\d|muted)$/.test(role) && /^M[-\d. ]+h[-\d.]+l[-\d.]+ 7l/.test(d));
  return {
    bars: bars.map(({ role, d }) => ({ role: role[0], from: valueAt(barOf(d).from), to: valueAt(barOf(d).to) })),
    perPixel,
  };
}

for (const width of [360, 640, 1200])
  test(`at ${width} pixels each bar starts where the one before ends, and has the length of its contribution`, () => {
    const svg = renderWaterfallSVG(loan(), { width });
    checkSVG(svg);
    const { bars, perPixel } = barsIn(svg);
    // By hand: 0.45, then minus 0.31, minus 0.11, plus 0.06, plus 0.02, and the error of −0.04 to 0.07.
    const ends = [0.45, 0.14, 0.03, 0.09, 0.11, 0.07];
    assert.equal(bars.length, 5);
    bars.forEach(({ role, from, to }, i) => {
      near(from, ends[i], 0.02 * perPixel);
      near(to, ends[i + 1], 0.02 * perPixel);
      assert.equal(role, i === 4 ? 'm' : ends[i + 1] < ends[i] ? 'n' : 'p');
    });
  });

test('the numbers of the picture add up exactly, for any contributions', () => {
  const { uniform } = dice(8);
  for (let round = 0; round < 200; round++) {
    const contributions = Array.from({ length: 1 + Math.floor(9 * uniform()) }, () => uniform() - 0.5);
    const scale = 10 ** Math.floor(6 * uniform() - 3);
    const explanation = explainedRow(
      contributions.map((value) => value * scale),
      { reference: scale * uniform(), error: scale * 0.1 * (uniform() - 0.5), half: 0 },
    );
    const svg = renderWaterfallSVG(explanation, { features: 6 });
    const { words } = readSVG(svg);
    const column = words.filter(({ x, attributes }) => x === 620 && attributes['text-anchor'] === 'end');
    const numbers = column.map(({ text }) => numberIn(text));
    const decimals = Math.max(...column.map(({ text }) => text.split('.')[1]?.length ?? 0));
    const total = numbers.slice(0, -1).reduce((sum, value) => sum + value, 0);
    assert.equal(total.toFixed(decimals), numbers.at(-1).toFixed(decimals), column.map(({ text }) => text).join(' '));
    near(numbers.at(-1), explanation.prediction, 0.51 * 10 ** -decimals);
  }
});

test('numbers are rounded to a sum, each by less than a unit', () => {
  assert.deepEqual(
    roundToSum([0.333, 0.333, 0.334], 1, 0.1)
      .map((value) => Math.round(10 * value))
      .sort(),
    [3, 3, 4],
  );
  assert.deepEqual(
    roundToSum([-0.16, -0.16], -0.32, 0.1)
      .map((value) => Math.round(10 * value))
      .sort(),
    [-1, -2],
  );
  assert.deepEqual(roundToSum([1.5, 2.25], 3.75, 0), [1.5, 2.25]);
});

test('the last step ends at the prediction to the last bit, with the steps of a real model', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => [i % 7, (i * 5) % 11, ['a', 'b', 'c'][i % 3]]);
  const table = await describeTable(rows, { columns: ['x', 'y', 'level'], categorical: ['level'] });
  const predict = ({ rows: asked }) =>
    asked.map(([x, y, level]) => 1 / (1 + Math.exp(-(x - y / 2 + (level === 'b' ? 1 : 0)))));
  for (const row of rows.slice(0, 8))
    for (const features of [1, 'all']) {
      const explanation = await explainRow(row, predict, { table, features, samples: 300 });
      for (const most of [1, 2, 12]) {
        const { from, to, steps } = stepsOf(new Reading(explanation), most);
        assert.equal(from, explanation.reference.localPrediction);
        assert.equal(to, explanation.prediction);
        assert.equal(steps.at(-1).to, explanation.prediction);
        steps.forEach((step, i) => assert.equal(step.from, i ? steps[i - 1].to : from));
        for (const { item, from: start, to: end } of steps)
          if (item) near(end - start, item.feature.contribution, 1e-9);
      }
    }
});

test('features that are not shown are one step, and so is the error of the surrogate', () => {
  const svg = renderWaterfallSVG(loan(), { features: 2 });
  const labels = readSVG(svg).words.map(({ text }) => text);
  assert.ok(labels.includes('2 other features'));
  assert.ok(labels.includes('not explained'));
  const { bars, perPixel } = barsIn(svg);
  assert.deepEqual(
    bars.map(({ role }) => role),
    ['n', 'n', 'm', 'm'],
  );
  near(bars[2].to - bars[2].from, 0.08, 0.04 * perPixel);
  near(bars[3].to, 0.07, 0.02 * perPixel);
  const exact = readSVG(renderWaterfallSVG(loan({ error: 0 }))).words.map(({ text }) => text);
  assert.ok(!exact.includes('not explained'));
});

test('an unsure contribution has no color, no point and no sign', () => {
  const unsure = loan();
  unsure.features[0].contributionInterval = [-0.4, 0.1];
  const svg = renderWaterfallSVG(silence(unsure, 2, [-0.05, 0.05]));
  checkSVG(svg);
  const { words } = readSVG(svg);
  const numbers = words.filter(({ x }) => x === 620).map(({ text }) => text);
  assert.deepEqual(numbers.slice(1, 5), ['−0.110', '+0.020', 'unsure', 'unsure']);
  assert.deepEqual(
    barsIn(svg).bars.map(({ role }) => role),
    ['n', 'p', 'm'],
  );
  assert.doesNotMatch(
    words
      .map(({ text }) => text)
      .slice(0, 4)
      .join(' '),
    /income/,
  );
});

test('whiskers reach from end to end of the interval of each step', () => {
  const svg = renderWaterfallSVG(loan());
  const { shapes, words } = readSVG(svg);
  const { valueAt, perPixel } = axisOf(words);
  const whiskers = shapes.filter(({ role, d }) => role === 'ink' && (d.match(/M/g) ?? []).length === 3);
  const expected = [0.14, 0.03, 0.09, 0.11];
  assert.equal(whiskers.length, 4);
  whiskers.forEach(({ d }, i) => {
    const { from, to } = barOf(d);
    near(valueAt(from), expected[i] - 0.015, 0.02 * perPixel);
    near(valueAt(to), expected[i] + 0.015, 0.02 * perPixel);
  });
});

test('log-odds are drawn as log-odds, and say so', () => {
  const logit = (p) => Math.log(p / (1 - p));
  const svg = renderWaterfallSVG(
    explainedRow([logit(0.8) - logit(0.3)], {
      ...{ link: 'logit', prediction: 0.8, localPrediction: 0.8 },
      reference: { kind: 'background', localPrediction: 0.3 },
    }),
  );
  const { bars, perPixel } = barsIn(svg);
  near(bars[0].from, logit(0.3), 0.02 * perPixel);
  near(bars[0].to, logit(0.8), 0.02 * perPixel);
  assert.match(svg, /log-odds of yes/);
});

test('the sentence names the start, the end and what moves the answer most', () => {
  const { description } = readSVG(renderWaterfallSVG(loan()));
  assert.match(
    description,
    /^0\.450 for an average case, 0\.070 for this case\. Lowered most by income 0 \(−0\.310\) and late payments 1 \(−0\.110\)\. Raised most by home 2 \(\+0\.060\) and 1 with less effect\. Not explained: −0\.040\./,
  );
});

test('an explanation without contributions, or without a reference, is refused by name', () => {
  const bare = loan();
  delete bare.features[1].contribution;
  assert.throws(
    () => renderWaterfallSVG(bare),
    /^TypeError: features\[1\]\.contribution must be a finite number, not undefined/,
  );
  const lost = loan();
  delete lost.reference;
  assert.throws(() => renderWaterfallSVG(lost), /^TypeError: reference must be a plain object, not undefined/);
  assert.throws(() => renderWaterfallSVG(loan(), { feature: 1 }), /did you mean "features"/);
});

test('a comparison goes from the first answer to the second in the changes of the contributions', () => {
  const [from, to] = [
    explainedRow([0.2, 0.1, 0.05], {
      names: NAMES,
      values: [50000, 0, 'own'],
      reference: 0.4,
      error: 0.01,
      half: 0.03,
    }),
    explainedRow([-0.25, 0.1, 0.15], {
      names: NAMES,
      values: [16000, 0, 'rent'],
      reference: 0.42,
      error: -0.02,
      half: 0.04,
    }),
  ];
  const svg = renderComparisonSVG(compare(from, to), { names: ['A', 'B'] });
  checkSVG(svg);
  const { bars, perPixel } = barsIn(svg);
  // By hand: 0.76, minus 0.45, plus 0.10, the unchanged feature, and 0.02 − 0.03 that no feature explains: 0.40.
  const ends = [0.76, 0.31, 0.41, 0.4];
  assert.equal(bars.length, 3);
  bars.forEach((bar, i) => {
    near(bar.from, ends[i], 0.02 * perPixel);
    near(bar.to, ends[i + 1], 0.02 * perPixel);
  });
  const { words, title } = readSVG(svg);
  const texts = words.map(({ text }) => text);
  for (const text of [
    'A',
    'B',
    'income 16,000 instead of 50,000',
    'home rent instead of own',
    'same values, counted differently',
    'not explained',
  ])
    assert.ok(texts.includes(text), text);
  assert.equal(title, 'Why 0.4 instead of 0.76 for “yes”?');
  const numbers = words.filter(({ x }) => x === 620).map(({ text }) => text);
  assert.deepEqual(numbers, ['0.760', '−0.450', '+0.100', '≈ 0', '−0.010', '0.400']);
});

test('values that are the same in both are no differences, even if they count differently', () => {
  const names = [...NAMES, 'age'];
  const [from, to] = [
    explainedRow([0.2, -0.3, 0.1, 0.002], { names, values: [50000, 2, 'own', 40] }),
    explainedRow([-0.2, -0.35, 0.1, 0.001], { names, values: [16000, 2, 'own', 40] }),
  ];
  const svg = renderComparisonSVG(compare(from, to));
  checkSVG(svg);
  const texts = readSVG(svg).words.map(({ text }) => text);
  const row = texts.indexOf('same values, counted differently');
  // By hand: −0.05 of late payments, and −0.001 of the age.
  assert.equal(texts[row + 1], '−0.051');
  assert.match(texts.join(' '), /Lowered most by income 16,000 instead of 50,000 +\(−0\.400\)\. before/);
  assert.match(texts.join(' '), /The same in both: late payments, age, and home\. /);
  assert.ok(!texts.some((text) => /^late payments|^age/.test(text)), texts.join(' | '));
  // It has no color: of the two bars, only that of the income has one.
  assert.equal(new Set(svg.match(/class="linex-n\d"/g)).size, 1);
  // With another model and the same row, the changes are those of the model.
  const other = explainedRow([0.2, -0.35, 0.1, 0.002], { names, values: [50000, 2, 'own', 40] });
  const models = readSVG(renderComparisonSVG(compare(from, other))).words.map(({ text }) => text);
  assert.equal(models[models.indexOf('late payments 2 in both') + 1], '−0.050');
});
