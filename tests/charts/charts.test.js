// Tests of the charts of importance, dependence, steadiness and targets: positions, counts, words and refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, explainImage, explainText, summarize } from 'linex';
import * as render from 'linex/render';
import { scaleOver, tickText, ticksOn } from '../../js/charts/chart-axis.js';
import { CHART_LABELS, ChartWords } from '../../js/charts/chart-words.js';
import { LABELS } from '../../js/render/labels.js';
import { paintOf, VALUE_ROLES } from '../../js/render/palette.js';
import { sliceRows } from '../../js/charts/value-slices.js';
import { explainedRow, silence } from '../support/contributions.js';
import { checkSVG } from '../support/drawing/hostile-renderings.js';
import { axisOf, barOf, circlesIn, numberIn, readSVG } from '../support/drawing/svg-geometry.js';
import { already, byScore, none, recourseWith } from '../support/drawing/recourses-to-draw.js';

const { renderDependenceSVG, renderImportanceSVG, renderSteadinessSVG, renderTargetsSVG } = render;
const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test('ticks are round numbers within the scale, at least two', () => {
  const ticks = (low, high, most) => ticksOn(scaleOver([low, high], 0, 100, 0), most).values;
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(-0.25, 0.34, 3), [-0.2, 0, 0.2]);
  assert.deepEqual(ticks(-0.09, 0.12, 2), [0, 0.1]);
  assert.deepEqual(ticks(16000, 90000, 4), [20000, 40000, 60000, 80000]);
  assert.deepEqual(ticks(1e-9, 3e-9, 2), [1e-9, 2e-9, 3e-9]);
  assert.equal(tickText(0.2, { signed: true })(0.4), '+0.4');
  assert.equal(tickText(0.2, { signed: true })(0), '0');
  assert.equal(tickText(0.05)(-0.1), '−0.10');
  assert.equal(tickText(20000, { locale: 'de' })(40000), '40.000');
  for (const [low, high] of [
    [5, 5],
    [0, 0],
    [-1e308, 1e308],
    [1e-320, 2e-320],
  ]) {
    const scale = scaleOver([low, high], 0, 100);
    assert.ok(scale.at(low) >= 0 && scale.at(high) <= 100 && scale.at(low) <= scale.at(high));
    assert.ok(ticksOn(scale, 4).values.every(Number.isFinite));
  }
});

const ROWS = [
  [0.4, -0.1],
  [0.2, -0.1],
  [-0.3, 0.02],
];
const rows = ROWS.map((contributions, i) =>
  explainedRow(contributions, { names: ['income', 'age'], values: [i, 40 + i], half: 0.05 }),
);

test('an importance bar has one part per direction, and a whisker for its interval', () => {
  const summary = summarize(rows);
  const svg = renderImportanceSVG(summary);
  checkSVG(svg);
  const { shapes, words } = readSVG(svg);
  const { valueAt, perPixel } = axisOf(words);
  const segments = shapes
    .filter(({ role, d }) => /^[pn]7$/.test(role) && barOf(d).y < 400)
    .map(({ role, d }) => ({ role, from: valueAt(barOf(d).from), to: valueAt(barOf(d).to) }));
  // Income: (0.4 + 0.2) / 3 raises, 0.3 / 3 lowers. Age: 0.2 / 3 lowers, 0.02 / 3 is unsure.
  assert.deepEqual(
    segments.slice(0, 3).map(({ role }) => role),
    ['p7', 'n7', 'n7'],
  );
  near(segments[0].from, 0, 0.02 * perPixel);
  near(segments[0].to, 0.2, 0.02 * perPixel);
  near(segments[1].to, 0.3, 0.02 * perPixel);
  near(segments[2].to, 0.2 / 3, 0.02 * perPixel);
  const whiskers = shapes.filter(({ role, d }) => role === 'ink' && (d.match(/M/g) ?? []).length === 3);
  // The sizes 0.4, 0.2, 0.3 have a standard deviation of 0.1; Student's quantile with two degrees of freedom is 4.3027.
  near(valueAt(barOf(whiskers[0].d).to), 0.3 + (4.302653 * 0.1) / Math.sqrt(3), 0.02 * perPixel);
  near(valueAt(barOf(whiskers[0].d).from), 0.3 - (4.302653 * 0.1) / Math.sqrt(3), 0.02 * perPixel);
  assert.match(
    svg,
    /“income” matters most: it moves the answer by 0\.300 on average, in 3 explanations\. Then come age \(0\.073\)\./,
  );
});

test('fewer features can be shown, and the picture says how many are not', () => {
  const svg = renderImportanceSVG(summarize(rows), { features: 1 });
  assert.match(svg, /1 more are not shown\./);
  assert.ok(!readSVG(svg).words.some(({ text }) => text === 'age'));
});

test('a dependence dot stands at its value and its contribution', () => {
  const many = Array.from({ length: 20 }, (_, i) =>
    explainedRow([i / 10 - 0.9], { values: [1000 * i], names: ['income'], half: 0.05 }),
  );
  const svg = renderDependenceSVG(many, { feature: 'income' });
  checkSVG(svg);
  const { shapes, words } = readSVG(svg);
  const horizontal = axisOf(words, ({ text }) => text.includes(',') || text === '0');
  const vertical = words.filter(
    ({ text, attributes }) => attributes['text-anchor'] === 'end' && /^[+−]?[\d.]+$/.test(text),
  );
  const [low, high] = [vertical[0], vertical.at(-1)];
  const perPixel = (numberIn(high.text) - numberIn(low.text)) / (high.y - low.y);
  const contributionAt = (y) => numberIn(low.text) + (y + 4 - low.y) * perPixel;
  const dots = shapes
    .filter(({ role }) => /^([pn]7|muted)$/.test(role))
    .flatMap(({ role, d }) => circlesIn(d).map((circle) => ({ ...circle, role })))
    .filter(({ r }) => r === 2.8);
  assert.equal(dots.length, 20);
  for (const { x, y, role } of dots) {
    const value = horizontal.valueAt(x);
    near(contributionAt(y), value / 10000 - 0.9, 0.15 * Math.abs(perPixel));
    const contribution = Math.round(value / 1000) / 10 - 0.9;
    assert.equal(role, Math.abs(contribution) < 0.06 ? 'muted' : contribution < 0 ? 'n7' : 'p7');
  }
  assert.match(svg, /How does “income” move “yes”\?/);
});

test('the lowest and the highest values are compared in words', () => {
  const many = Array.from({ length: 24 }, (_, i) => explainedRow([i / 100], { values: [i], names: ['x'] }));
  // Twelve slices of two rows each: the first has the contributions 0 and 0.01, the last 0.22 and 0.23.
  assert.match(renderDependenceSVG(many, { feature: 0 }), /x 0 to 1 adds \+0\.005 on average, x 22 to 23 \+0\.225\./);
  const levels = ['own', 'rent', 'own'].map((level, i) =>
    explainedRow([[0.1, -0.2, 0.3][i]], { values: [level], names: ['home'] }),
  );
  assert.match(
    renderDependenceSVG(levels, { feature: 'home' }),
    /home own adds \+0\.200 on average, home rent −0\.200\./,
  );
});

test('slices keep equal values together and hold all rows', () => {
  const texts = { words: new ChartWords() };
  const part = (value) => ({ value, contribution: 1, interval: null, sure: true });
  const values = [...new Array(30).fill(7), ...Array.from({ length: 20 }, (_, i) => i / 2)];
  const slices = sliceRows(values.map(part), texts);
  assert.equal(
    slices.reduce((sum, { parts }) => sum + parts.length, 0),
    50,
  );
  assert.equal(slices.filter(({ parts }) => parts.some(({ value }) => value === 7)).length, 1);
  assert.ok(slices.length <= 12);
  for (let s = 1; s < slices.length; s++) assert.ok(slices[s].from > slices[s - 1].to);
  const levels = sliceRows(
    Array.from({ length: 40 }, (_, i) => part(`level ${i % 20}`)),
    texts,
  );
  assert.deepEqual([levels.length, levels.at(-1).label, levels.at(-1).parts.length], [12, 'others', 18]);
});

test('slopes can be drawn instead of contributions', () => {
  const slopes = Array.from({ length: 12 }, (_, i) => {
    const row = explainedRow([0.1], { values: [i], names: ['x'] });
    Object.assign(row.features[0], { weight: -0.5, interval: [-0.6, -0.4] });
    return row;
  });
  const svg = renderDependenceSVG(slopes, { feature: 'x', view: 'slope' });
  assert.match(svg, /At x 0, more of it changes the answer by −0\.500 on average/);
  assert.doesNotMatch(svg, /linex-p7/);
});

/** An explanation by weights. */
const seed = (weights, intervals = {}) => {
  const row = explainedRow(weights, { names: ['income', 'age', 'home'] });
  row.features.forEach((feature, i) =>
    Object.assign(feature, { weight: weights[i], interval: intervals[i] ?? [weights[i] - 0.01, weights[i] + 0.01] }),
  );
  return row;
};

test('steadiness counts signs, draws raising bars above the line and lowering ones below', () => {
  const svg = renderSteadinessSVG([
    seed([0.4, 0.1, -0.2]),
    seed([0.2, -0.1, -0.2]),
    seed([0.4, 0.05, -0.1], { 1: [-0.1, 0.2] }),
  ]);
  checkSVG(svg);
  const { shapes, words, description } = readSVG(svg);
  const texts = words.map(({ text }) => text);
  for (const text of ['3 up', '3 down', '1 up, 1 down, 1 unsure']) assert.ok(texts.includes(text), text);
  assert.match(
    description,
    /^2 of 3 features surely point the same way in each of 3 explanations\. The direction of age changes\./,
  );
  const lines = shapes
    .filter(({ role, d }) => role === 'line' && d.endsWith('z') && barOf(d).to - barOf(d).from > 60)
    .map(({ d }) => barOf(d).y + 0.5);
  const bars = shapes.filter(({ role, d }) => /^[pn]\d$/.test(role) && barOf(d).to - barOf(d).from === 16);
  const heightOf = (d) => Number(d.match(/v([-\d.]+)/)[1]);
  // The largest weight, 0.4, is 14 pixels high.
  const expected = [14, 7, 14, -7, -7, -3.5, 3.5, -3.5];
  assert.deepEqual(
    bars.map(({ role, d }) => (role[0] === 'n' ? -1 : 1) * heightOf(d)),
    expected,
  );
  for (const { role, d } of bars) {
    const line = lines.find((y) =>
      role[0] === 'n' ? Math.abs(y - barOf(d).y) < 0.1 : Math.abs(y - heightOf(d) - barOf(d).y) < 0.1,
    );
    assert.ok(line, `${role} at ${barOf(d).y}`);
  }
});

test('steadiness says so if no sign changes, and if not all explanations are drawn', () => {
  const steady = Array.from({ length: 200 }, () => seed([0.4, 0.1, -0.2]));
  const svg = renderSteadinessSVG(steady, { width: 360 });
  assert.match(svg, /3 of 3 features surely point the same way in each of 200 explanations\. None changes direction\./);
  assert.match(svg, /The first \d+ of 200 explanations are drawn/);
  assert.ok(readSVG(svg).words.some(({ text }) => text === '200 up'));
  const nothing = [seed([0.1, 0.1, 0.1]), seed([0.1, 0.1, 0.1])].map((one) =>
    [0, 1, 2].reduce((row, i) => Object.assign(silence(row, i), {}), one),
  );
  nothing.forEach(({ features }) => features.forEach((feature) => (feature.interval = [-1, 1])));
  assert.match(renderSteadinessSVG(nothing), /No feature surely points one way in 2 explanations\./);
});

const targets = [
  explainedRow([-0.2, 0.05], { target: 'setosa', prediction: 0.1, names: ['petal', 'sepal'] }),
  explainedRow([0.3, -0.1], { target: 'virginica', prediction: 0.9, names: ['petal', 'sepal'] }),
];

for (const width of [360, 640])
  test(`at ${width} pixels targets share a scale, and each bar has the length of its contribution`, () => {
    const svg = renderTargetsSVG(targets, { width });
    checkSVG(svg);
    const { shapes, words } = readSVG(svg);
    const zeros = words.filter(({ text }) => text === '0').map(({ x }) => x);
    assert.equal(zeros.length, width === 360 ? 1 : 2);
    const { perPixel } = axisOf(words, ({ x }) => zeros.length === 1 || x > zeros[0] + 100);
    const bars = shapes
      .filter(({ role, d }) => /^[pn]\d$/.test(role) && Number(d.match(/v([-\d.]+)/)[1]) === 12)
      .map(({ d }) => barOf(d));
    const lengths = bars.map(({ from, to }) => (to - from) * perPixel);
    [0.2, 0.3, 0.05, 0.1].forEach((expected, i) => near(lengths[i], expected, 0.03 * perPixel));
    bars.forEach(({ from, to }) =>
      assert.ok(zeros.some((zero) => Math.abs(from - zero) < 0.02 || Math.abs(to - zero) < 0.02)),
    );
    assert.match(
      svg,
      /“virginica” has the highest answer, 0\.9\. Of the features, petal 0 \(\+0\.300\) raises it most\./,
    );
  });

test('texts and numbers can be replaced, so that no English is left', () => {
  const labels = {
    ...{
      importanceTitle: 'Was zählt für {answer}?',
      importanceAxis: 'mittlerer Beitrag',
      importanceLines: 'Linien: Spanne',
      quotedTarget: '„{target}“',
      raises: 'hebt',
      lowers: 'senkt',
    },
    ...{
      mattersMost: '{name} zählt am meisten: {size} über {count}.',
      mattersNext: 'Dann {list}.',
      unsureKey: 'unsicher',
      unsureIn: 'in {unsure} von {count} unsicher',
    },
    explanations: '{count} Erklärungen',
  };
  const { words } = readSVG(renderImportanceSVG(summarize(rows), { labels, locale: 'de' }));
  assert.deepEqual(
    words.map(({ text }) => text).filter((text) => /[a-z]{2}/.test(text)),
    [
      'Was zählt für „yes“?',
      'income zählt am meisten: 0,300 über 3 Erklärungen. Dann age (0,073).',
      'income',
      'age',
      'in 1 von 3 unsicher',
      'mittlerer Beitrag',
      'hebt',
      'senkt',
      'unsicher',
      'Linien: Spanne',
    ],
  );
  assert.throws(() => renderImportanceSVG(summarize(rows), { labels: { titel: 'x' } }), /labels has no option "titel"/);
  assert.throws(
    () => renderImportanceSVG(summarize(rows), { labels: { feature: 3 } }),
    /labels\.feature must be a string, not 3/,
  );
  assert.throws(() => renderImportanceSVG(summarize(rows), { locale: 'x' }), /locale must be a language tag/);
});

test('names from right to left are drawn in their direction, within the picture', () => {
  const arabic = rows.map((row) => ({
    ...row,
    target: 'مقبول',
    features: row.features.map((feature, i) => ({ ...feature, name: ['الدخل', 'العمر'][i] })),
  }));
  for (const svg of [
    renderImportanceSVG(summarize(arabic)),
    render.renderWaterfallSVG(arabic[0]),
    renderDependenceSVG(arabic, { feature: 'الدخل' }),
  ]) {
    checkSVG(svg);
    const found = readSVG(svg).words.filter(({ text }) => /^[\u0600-\u06ff]/.test(text) && !text.endsWith('.'));
    assert.ok(found.length > 0);
    for (const { text, attributes, x } of found) {
      assert.equal(attributes.direction, 'rtl', text);
      const length = Number(attributes.textLength ?? 0);
      const left =
        attributes['text-anchor'] === 'end' ? x : attributes['text-anchor'] === 'middle' ? x - length / 2 : x - length;
      assert.ok(left >= 0 && left + length <= 640, `${left}`);
    }
  }
});

test('what is no summary, no comparison, or no list of explanations is refused by name', () => {
  const summary = JSON.parse(JSON.stringify(summarize(rows)));
  renderImportanceSVG(summary);
  assert.throws(() => renderImportanceSVG({ ...summary, count: 0 }), /^TypeError: count must be a whole number/);
  assert.throws(() => renderImportanceSVG([]), /^TypeError: a summary must be a plain object/);
  assert.throws(() => render.renderComparisonSVG(summary), /^TypeError: schema must be "linex\/comparison\/1"/);
  assert.throws(() => render.renderSummarySVG(rows[0]), /^TypeError: renderSummarySVG needs an array of explanations/);
  assert.throws(() => renderDependenceSVG(rows, {}), /^RangeError: feature must be the name or the index/);
  assert.throws(() => renderDependenceSVG(rows), /^RangeError: feature must be/);
  assert.throws(() => renderTargetsSVG(rows), /^TypeError: explanations\[1\]\.target must be another one/);
  assert.throws(() => renderSteadinessSVG(rows, { view: 'x' }), /view must be one of contribution, slope, not "x"/);
});

test('the colors of values have a contrast of at least 3, and get darker or brighter step by step', () => {
  // Formulas of WCAG 2.2: "relative luminance" and "contrast ratio".
  const luminance = (hex) => {
    const [r, g, b] = hex.match(/\w\w/g).map((part) => {
      const value = parseInt(part, 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const theme of ['light', 'dark']) {
    const [ground, ...values] = ['ground', ...VALUE_ROLES].map((role) =>
      luminance(paintOf(role, 'blue-orange', theme)),
    );
    const contrasts = values.map((value) => (Math.max(value, ground) + 0.05) / (Math.min(value, ground) + 0.05));
    assert.ok(contrasts[0] >= 3, `${theme}: ${contrasts}`);
    for (let i = 1; i < contrasts.length; i++)
      assert.ok(contrasts[i] > 1.25 * contrasts[i - 1], `${theme}: ${contrasts}`);
  }
});

test('units and formats of columns and answers are written on axes and beside bars', () => {
  const euros = { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 };
  const priced = Array.from({ length: 20 }, (_, i) => {
    const row = explainedRow([i / 50, -0.1], { values: [1000 * i, 20 + i], names: ['income', 'age'] });
    row.features[0].format = euros;
    row.features[1].format = { unit: 'years' };
    return row;
  });
  const textsOf = (svg) => readSVG(svg).words.map(({ text }) => text);
  const answerFormat = { style: 'percent' };
  const income = textsOf(renderDependenceSVG(priced, { feature: 'income', answerFormat }));
  assert.ok(income.includes('€10,000') && income.includes('+20%'), income.join(' | '));
  const age = textsOf(renderDependenceSVG(priced, { feature: 'age' }));
  assert.ok(age.includes('age (years)') && age.includes('30'), age.join(' | '));
  const fall = textsOf(render.renderWaterfallSVG(priced[10], { answerFormat }));
  for (const text of ['income €10,000', 'age 30\u00a0years', '+20.0%', '−10.0%', '50.0%'])
    assert.ok(fall.includes(text), `${text}: ${fall.join(' | ')}`);
  const points = textsOf(render.renderWaterfallSVG(priced[10], { answerFormat: { unit: 'points' } }));
  assert.ok(points.includes('+0.200\u00a0points') && points.includes('answer for yes (points)'), points.join(' | '));
  const change = textsOf(render.renderComparisonSVG(compare(priced[2], priced[19])));
  assert.ok(
    change.includes('income €19,000 instead of €2,000') && !change.includes('not explained'),
    change.join(' | '),
  );
});

test('texts and images have waterfalls too, and texts a summary', async () => {
  const opinion = { good: 1, great: 2, bad: -2 };
  const predict = (texts) => texts.map((text) => text.split(' ').reduce((sum, word) => sum + (opinion[word] ?? 0), 0));
  const texts = ['a good film', 'a bad film', 'great and good'];
  const explained = await Promise.all(texts.map((text) => explainText(text, predict)));
  const svg = render.renderWaterfallSVG(explained[0]);
  checkSVG(svg);
  const words = readSVG(svg).words.map(({ text }) => text);
  for (const text of ['none of the words', 'good', 'this text']) assert.ok(words.includes(text), words.join(' | '));
  const summary = render.renderSummarySVG(explained);
  checkSVG(summary);
  assert.match(summary, /Each dot is one text\./);
  assert.doesNotMatch(summary, /a category/);
  assert.match(renderImportanceSVG(summarize(explained)), /good/);
  const image = { data: Uint8Array.from({ length: 192 }, (_, i) => (i * 37) % 256), width: 8, height: 8, channels: 3 };
  const bright = ({ data, shape: [count] }) =>
    Array.from(
      { length: count },
      (_, i) => data.subarray(i * 192, i * 192 + 20).reduce((sum, value) => sum + value, 0) / 5000,
    );
  const seen = await explainImage(image, bright, { segments: { kind: 'grid', count: 4 } });
  const fall = render.renderWaterfallSVG(seen);
  checkSVG(fall);
  assert.match(fall, /nothing visible/);
  assert.throws(() => summarize([seen]), /rows or texts, not of images/);
});

test('every text of every chart can be replaced: no English is left', () => {
  const marked = Object.fromEntries(
    Object.entries({ ...LABELS, ...CHART_LABELS }).map(([key, text]) => [
      key,
      `¤ ${(text.match(/\{\w+\}/g) ?? []).join(' ')}`,
    ]),
  );
  // The names, values and classes have no letters, so that every word would be one of ours.
  const data = Array.from({ length: 240 }, (_, i) => {
    const row = explainedRow([(i - 120) / 400, (i % 3) / 10 - 0.1, 0.05], {
      ...{
        names: ['1:', '2:', '3:'],
        values: [100 * i, i % 3, i % 2 ? '5:' : '6:'],
        target: '9:',
        error: 0.02,
        half: 0.02,
      },
    });
    if (i % 5 === 0) silence(row, 2);
    return row;
  });
  data[0].warnings = ['poor'];
  data[0].warningCodes = [{ code: 'poor-fit', explained: 0.1 }];
  const look = { labels: marked, locale: 'de', width: 360 };
  const column = (changes) => changes.map((change) => ({ ...change, column: '4:' }));
  const untold = {
    ...none,
    target: '9:',
    tried: ['4:'],
    closest: { ...none.closest, changes: column(none.closest.changes) },
  };
  const recourses = [
    recourseWith('9:'),
    { ...recourseWith('9:'), side: 'below', threshold: 0.4 },
    { ...byScore, changes: column(byScore.changes) },
    { ...already, target: 2 },
    ...['unsure', 'range', 'implausible', 'limit'].map((reason) => ({ ...untold, reason })),
    { ...untold, tried: [] },
    { ...untold, threshold: 0.5 },
  ];
  const pictures = [
    render.renderWaterfallSVG(data[0], { ...look, features: 1 }),
    render.renderSummarySVG(data, { ...look, features: 2 }),
    renderImportanceSVG(summarize(data), { ...look, features: 2 }),
    renderDependenceSVG(data, { ...look, feature: 0 }),
    renderDependenceSVG(data.slice(0, 40), { ...look, feature: 0, view: 'slope' }),
    renderDependenceSVG(data, { ...look, feature: 2 }),
    render.renderComparisonSVG(compare(data[0], data[201]), look),
    renderSteadinessSVG(data, { ...look, features: 2 }),
    renderTargetsSVG([data[0], { ...data[1], target: 3 }], { ...look, features: 2 }),
    renderTargetsSVG([data[0], { ...data[1], target: 3 }], { ...look, width: 800 }),
    ...recourses.map((one) => render.renderRecourseSVG(one, look)),
  ];
  for (const svg of pictures) {
    const { words, title, description } = readSVG(svg);
    const said = [title, description, ...words.map(({ text }) => text)].join('\n');
    // The locale joins lists.
    const left = (said.match(/\p{L}{2,}/gu) ?? []).filter((word) => word !== 'und');
    assert.deepEqual(left, [], said);
    assert.match(said, /¤/);
  }
});
