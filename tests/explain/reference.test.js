// Tests what contributions are relative to: the answer at the reference plus all contributions is the local prediction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkExplanation,
  densityNeighborhood,
  describeTable,
  explainImage,
  explainRow,
  explainRows,
  explainSamples,
  explainText,
  forestNeighborhood,
  latentNeighborhood,
  load,
  trainForest,
} from '../../js/index.js';
import { brightness, scene } from '../support/scene.js';

await load();

// Forty applicants. The third column never varies.
const incomes = Array.from({ length: 40 }, (_, i) => 16000 + ((i * 17) % 40) * 1500);
const debts = Array.from({ length: 40 }, (_, i) => ((i * 11) % 40) / 10);
const homes = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 'own' : i % 4 === 1 ? 'with parents' : 'rent'));
const rows = incomes.map((income, i) => [income, debts[i], 3, homes[i]]);
const columns = ['income', 'debt', 'constant', 'home'];
const table = await describeTable(rows, { columns, categorical: ['home'] });

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A smooth score: income helps, debt harms, a home of one's own helps. */
const score = ([income, debt, , home]) =>
  1 / (1 + Math.exp(-(income - 40000) / 15000 + 0.8 * debt - (home === 'own' ? 1 : 0)));
const predict = (batch) => batch.rows.map(score);
const poorest = [16000, 1.2, 3, 'rent'];
const explain = (more = {}, row = poorest) => explainRow(row, predict, { table, samples: 400, seed: 3, ...more });
const named = ({ features }, name) => features.find((feature) => feature.name === name);

/** The answer at the reference, the contributions and the local prediction must add up. */
function assertSum({ reference, features, localPrediction }, about) {
  const total = reference.localPrediction + sum(features.map(({ contribution }) => contribution));
  const size = Math.max(1, ...features.map(({ contribution }) => Math.abs(contribution)));
  assert.ok(Math.abs(total - localPrediction) < 1e-9 * size, `${about}: ${total} is not ${localPrediction}`);
}

const near = (actual, expected, about) =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1e-3, Math.abs(expected)),
    `${about}: ${actual}, ${expected}`,
  );

test('the lowest income counts against approval, although a higher one would help', async () => {
  const explanation = await explain();
  const income = named(explanation, 'income');
  assert.ok(income.weight > 0 && income.contribution < 0);
  assert.ok(
    income.contributionInterval[0] <= income.contribution && income.contribution <= income.contributionInterval[1],
  );
  assert.ok(income.contributionInterval[1] < 0);
  assert.equal(explanation.reference.kind, 'mean');
  near(income.reference, mean(incomes), 'the mean income');
  near(income.spread, spread(incomes), 'its spread');
});

test('a contribution is the weight times the distance from the mean, in standard deviations', async () => {
  const explanation = await explain({ features: 'all' });
  const [income, home] = ['income', 'home'].map((name) => named(explanation, name));
  const far = (16000 - mean(incomes)) / spread(incomes);
  near(income.contribution, income.weight * far, 'income');
  // The distance is negative, so the ends change places.
  near(income.contributionInterval[0], income.interval[1] * far, 'its lower end');
  near(income.contributionInterval[1], income.interval[0] * far, 'its upper end');
  const share = homes.filter((home) => home === 'rent').length / homes.length;
  near(home.contribution, home.weight * (1 - share), 'home');
  near(home.reference, share, 'the share of renters');
  assert.deepEqual([income.kind, home.kind, home.spread], ['numeric', 'level', undefined]);
  assert.deepEqual(explanation.reference.values.slice(2), [3, null]);
});

test('the surrogate at the mean is the intercept plus the weights of the shares', async () => {
  const { reference, intercept, weights } = await explain({ features: 'all' });
  // Standard units are 0 at the mean, and the share of renters is a half.
  near(reference.localPrediction, intercept + weights[3] * 0.5, 'the answer at the reference');
});

test('the answer at the reference plus all contributions is the local prediction, for every method and view', async () => {
  const leaves = await forestNeighborhood(table, rows.map(score), { trees: 20 });
  const forest = await trainForest(rows, rows.map(score), { table, trees: 20 });
  const calls = [
    {},
    { preset: 'paper' },
    { preset: 'strict' },
    { features: 1 },
    { features: 'all', agreement: 0 },
    { intercept: 'feature' },
    { intercept: 'none' },
    { units: 'raw', kernelWidth: 20000 },
    { center: 'mean' },
    { discretize: 'quartile' },
    { discretize: 'quartile', reference: [30000, 2, 3, 'own'] },
    { reference: [30000, 2, 3, 'own'] },
    { reference: poorest },
    { units: 'raw', kernelWidth: 20000, reference: [30000, 2, 3, 'own'] },
    { method: 'lime' },
    { method: 's-lime' },
    { method: 'baseline' },
    { method: 'baseline', discretize: 'quartile' },
    { method: 'shap', background: rows.slice(0, 10), samples: undefined },
    { method: 'maple', neighborhood: leaves, samples: undefined },
    { neighborhood: densityNeighborhood(table) },
    { neighborhood: leaves },
    { l1: 0.05 },
  ];
  for (const options of calls) {
    const explanation = await explainRow(poorest, options.method === 'maple' ? forest.predict : predict, {
      ...{ table, samples: 300, seed: 5 },
      ...options,
    });
    assertSum(
      explanation,
      JSON.stringify(options, (key, value) => (key === 'neighborhood' ? 'own' : value)),
    );
    assert.equal(checkExplanation(JSON.parse(JSON.stringify(explanation))).kind, 'row');
  }
});

test('a reference row takes the place of the mean', async () => {
  const reference = [55000, 0.5, 3, 'own'];
  const explanation = await explain({ reference, features: 'all', agreement: 0 });
  assert.deepEqual([explanation.reference.kind, explanation.reference.values], ['row', reference]);
  const [income, home, constant] = ['income', 'home', 'constant'].map((name) => named(explanation, name));
  near(income.contribution, (income.weight * (16000 - 55000)) / spread(incomes), 'income');
  // The reference has another level, so the level counts in full.
  assert.deepEqual([home.contribution, home.reference], [home.weight, 0]);
  assert.equal(constant?.contribution ?? 0, 0);
  const { weights, intercept } = explanation;
  const at = [(55000 - mean(incomes)) / spread(incomes), (0.5 - mean(debts)) / spread(debts)];
  near(explanation.reference.localPrediction, intercept + weights[0] * at[0] + weights[1] * at[1], 'the answer there');
});

test('the row itself as the reference leaves nothing to contribute', async () => {
  const explanation = await explain({ reference: poorest });
  for (const feature of explanation.features) {
    assert.ok(Object.is(feature.contribution, 0), `${feature.contribution}`);
    assert.deepEqual(feature.contributionInterval, [0, 0]);
  }
  near(explanation.reference.localPrediction, explanation.localPrediction, 'the same answer');
});

test('with raw units the distance is in the units of the column', async () => {
  const explanation = await explain({ units: 'raw', kernelWidth: 20000, features: 'all' });
  const income = named(explanation, 'income');
  near(income.contribution, income.weight * (16000 - mean(incomes)), 'income');
  near(income.contribution, income.perUnit * (16000 - income.reference), 'by unit');
  const { reference, intercept, weights } = explanation;
  const atMean = sum([mean(incomes), mean(debts), 3, 0.5].map((value, i) => value * weights[i]));
  near(reference.localPrediction, intercept + atMean, 'the answer at the mean');
});

test('with quartiles, a contribution is relative to the share of rows in the same quartile', async () => {
  const explanation = await explain({ discretize: 'quartile', features: 'all' });
  const income = named(explanation, 'income');
  const sorted = [...incomes].sort((a, b) => a - b);
  const [from, to] = income.range;
  const share = incomes.filter((value) => value <= to).length / incomes.length;
  assert.equal(from, null);
  assert.ok(to >= sorted[9] && to <= sorted[10]);
  near(income.reference, share, 'the share of the lowest quartile');
  near(income.contribution, income.weight * (1 - share), 'income');
  assert.equal(income.kind, 'quartile');
  assert.ok(income.contribution < 0);
  // A richer reference lies in another quartile.
  const other = named(await explain({ discretize: 'quartile', reference: [70000, 1, 3, 'own'] }), 'income');
  assert.deepEqual([other.contribution, other.reference], [other.weight, 0]);
});

test('silenced features contribute nothing, and their intervals hold zero', async () => {
  // The answer does not depend on debt, so its weight cannot be sure.
  const noisy = (batch) => batch.rows.map((row, i) => row[0] / 50000 + ((i * 7919) % 13) / 13);
  const explanation = await explainRow(poorest, noisy, { table, samples: 60, features: 'all' });
  const silenced = explanation.features.filter((feature) => feature.silenced);
  assert.ok(silenced.length > 0);
  for (const { contribution, contributionInterval, interval } of silenced) {
    assert.equal(contribution, 0);
    assert.equal(contributionInterval[0] <= 0 && contributionInterval[1] >= 0, interval[0] <= 0 && interval[1] >= 0);
  }
});

test('without draws there are contributions but no intervals', async () => {
  const { features } = await explain({ draws: 0 });
  for (const { contributionInterval, contribution } of features) {
    assert.equal(contributionInterval, null);
    assert.ok(Number.isFinite(contribution));
  }
});

test('a constant column contributes nothing, whatever value the row has', async () => {
  const explanation = await explain({ features: 'all', agreement: 0 }, [16000, 1.2, 99, 'rent']);
  assert.equal(named(explanation, 'constant')?.contribution ?? 0, 0);
  assertSum(explanation, 'a row with another value in a constant column');
});

test('Shapley values are contributions, relative to the mean over the background', async () => {
  const background = rows.slice(0, 8);
  const explanation = await explain({ method: 'shap', background, samples: undefined });
  for (const { contribution, weight, contributionInterval, interval } of explanation.features)
    assert.deepEqual([contribution, contributionInterval], [weight, interval]);
  const { reference } = explanation;
  assert.equal(reference.kind, 'background');
  near(reference.localPrediction, mean(background.map(score)), 'the mean answer over the background');
  near(named(explanation, 'income').reference, mean(background.map(([income]) => income)), 'the mean income there');
  near(named(explanation, 'home').reference, background.filter((row) => row[3] === 'rent').length / 8, 'renters there');
  near(reference.values[1], mean(background.map(([, debt]) => debt)), 'the mean debt there');
  assert.equal(reference.values[3], null);
});

test('with log-odds the sum holds for the log-odds', async () => {
  const background = rows.slice(0, 8);
  const explanation = await explain({ method: 'shap', background, link: 'logit', samples: undefined });
  const logit = (share) => Math.log(share / (1 - share));
  const { reference, localPrediction, features } = explanation;
  near(reference.localPrediction, mean(background.map(score)), 'an answer, not log-odds');
  near(logit(reference.localPrediction) + sum(features.map((f) => f.contribution)), logit(localPrediction), 'the sum');
});

test('words and segments are relative to their absence', async () => {
  const words = { good: 0.6, dull: -0.3 };
  const rate = (texts) => texts.map((text) => sum(text.split(' ').map((word) => words[word] ?? 0)));
  for (const method of ['linex', 'lime', 'shap']) {
    const explanation = await explainText('a good but dull film', rate, { method, features: 'all' });
    assert.deepEqual(Object.keys(explanation.reference), ['kind', 'localPrediction']);
    assert.equal(explanation.reference.kind, 'absence');
    assertSum(explanation, method);
    for (const { contribution, weight } of explanation.features) assert.equal(contribution, weight);
  }
  const picture = await explainImage(scene(4), brightness, { samples: 60, segments: { kind: 'grid', count: 9 } });
  assert.equal(picture.reference.kind, 'absence');
  assertSum(picture, 'an image');
});

test('segments of generated images are relative to black ones', async () => {
  const tiny = { data: Uint8Array.from({ length: 12 }, (_, i) => 20 * i), width: 4, height: 3, channels: 1 };
  const shades = {
    encode: ({ data }) => [sum([...data]) / data.length],
    decode: ({ data, shape: [count] }) =>
      Array.from({ length: count }, (_, i) => Array.from({ length: 12 }, (_, p) => (p / 12) * Math.abs(data[i] % 1))),
  };
  const first = ({ data, shape: [count] }) =>
    Array.from({ length: count }, (_, i) => data[(i * data.length) / count + 5]);
  const explanation = await explainImage(tiny, first, {
    ...{ neighborhood: latentNeighborhood(shades), unit: 'pixel', samples: 60, preset: 'paper' },
  });
  assertSum(explanation, 'a generated image');
  for (const { index, weight, contribution } of explanation.features)
    near(contribution, weight * ((20 * index) / 255), `pixel ${index}`);
});

test('answered points are relative to zero, or to a given point', () => {
  const points = Array.from({ length: 30 }, (_, i) => [((i * 7) % 30) / 10 - 1.5, ((i * 11) % 30) / 10 - 1.5]);
  const predictions = points.map(([x, y]) => 2 + 3 * x - y);
  const samples = { points, predictions, at: [1, 2] };
  const options = { method: /** @type {const} */ ('lime'), ridge: 0, columns: ['x', 'y'] };
  const fromZero = explainSamples(samples, options);
  assert.equal(fromZero.reference.kind, 'absence');
  near(fromZero.reference.localPrediction, 2, 'the plane at 0');
  near(named(fromZero, 'x').contribution, 3, 'x');
  near(named(fromZero, 'y').contribution, -2, 'y');
  const fromPoint = explainSamples(samples, { ...options, reference: [2, -1] });
  assert.deepEqual([fromPoint.reference.kind, fromPoint.reference.values], ['row', [2, -1]]);
  near(fromPoint.reference.localPrediction, 2 + 6 + 1, 'the plane at the point');
  near(named(fromPoint, 'x').contribution, -3, 'x');
  near(named(fromPoint, 'y').contribution, -3, 'y');
  assert.throws(
    () => explainSamples(samples, { ...options, reference: [1] }),
    /reference must be an array of 2 numbers/,
  );
});

test('a reference row is checked like a row, before the model is asked', async () => {
  const never = () => assert.fail('the model was asked');
  const call = (reference, more = {}) => explainRow(poorest, never, { table, reference, ...more });
  await assert.rejects(
    call([1, 2]),
    /^RangeError: reference does not fit the table: the row must have 4 columns, not 2/,
  );
  await assert.rejects(call([1, 2, 3, 'boat']), /column "home" has no level "boat"/);
  await assert.rejects(call(['a', 2, 3, 'own']), /column "income" must be a finite number, not "a"/);
  await assert.rejects(call(5), /^TypeError: reference does not fit the table/);
  await assert.rejects(
    call(poorest, { method: 'shap', background: rows }),
    /method 'shap' takes no option "reference"/,
  );
});

test('many rows share one reference', async () => {
  const all = [];
  for await (const one of explainRows(rows.slice(0, 3), predict, { table, samples: 50, reference: rows[9] }))
    all.push(one);
  for (const explanation of all) {
    assert.deepEqual(explanation.reference.values, rows[9]);
    assertSum(explanation, 'one of many');
  }
});

test('explanations from elsewhere are checked for what contributions need', async () => {
  const explanation = JSON.parse(JSON.stringify(await explain()));
  const broken = (change) => {
    const copy = structuredClone(explanation);
    change(copy);
    return () => checkExplanation(copy);
  };
  assert.throws(
    broken((e) => (e.reference.kind = 'median')),
    /reference.kind must be "mean" or "row"/,
  );
  assert.throws(
    broken((e) => (e.reference.localPrediction = '1')),
    /reference.localPrediction must be a finite number/,
  );
  assert.throws(
    broken((e) => (e.reference.values[0] = {})),
    /reference.values\[0\] must be a finite number, a string/,
  );
  assert.throws(
    broken((e) => (e.features[0].contribution = null)),
    /features\[0\].contribution must be a finite number/,
  );
  assert.throws(
    broken((e) => (e.features[0].contributionInterval = [2, 1])),
    /contributionInterval must be \[low, high\]/,
  );
  assert.throws(
    broken((e) => (e.features[0].kind = 'text')),
    /features\[0\].kind must be "numeric"/,
  );
  assert.throws(
    broken((e) => (e.features[0].spread = -1)),
    /features\[0\].spread must be a finite number of at least 0/,
  );
  assert.throws(
    broken((e) => (e.features[0].range = [1])),
    /features\[0\].range must be \[from, to\]/,
  );
  // Explanations from before contributions are still explanations.
  assert.doesNotThrow(broken((e) => delete e.reference));
});

// Columns of an even spread, so that every number below follows from the definitions.
const far = Array.from({ length: 101 }, (_, i) => [i, (i * 37) % 101]);
const farTable = await describeTable(far, { columns: ['a', 'b'] });
const deviation = spread(far.map(([a]) => a));
const explainAt = (deviations, more = {}) =>
  explainRow([50 + deviations * deviation, 50], (batch) => Array.from(batch, ([a, b]) => 2 * a + b), {
    ...{ table: farTable, samples: 200, features: 'all', ...more },
  });
const codesOf = ({ warningCodes }) => warningCodes.map(({ code }) => code);

test('a reference beyond 2.5 standard deviations of the neighborhood gets a warning that names the column', async () => {
  // Under a kernel of width 1, a normal neighborhood has a standard deviation of 1 / √2.
  const limit = 2.5 / Math.SQRT2;
  assert.deepEqual(codesOf(await explainAt(0.98 * limit, { kernelWidth: 1 })), []);
  const explanation = await explainAt(1.02 * limit, { kernelWidth: 1 });
  assert.deepEqual(codesOf(explanation), ['far-reference']);
  assert.deepEqual(explanation.warningCodes[0].names, ['a']);
  near(explanation.warningCodes[0].distance, 1.02 * 2.5, 'how far');
  assert.match(explanation.warnings[0], /far outside the neighborhood in a: .*discretize: 'quartile', method: 'shap'/);
  // The same in the column's own units.
  for (const [factor, codes] of [
    [0.98, []],
    [1.02, ['far-reference']],
  ])
    // prettier-ignore
    assert.deepEqual(codesOf(await explainAt(factor * limit, { units: 'raw', kernelWidth: deviation })), codes);
});

test('a reference is not far if the samples vary around it, or if it is a share, or near, or nothing is contributed', async () => {
  const wide = 3;
  assert.deepEqual(codesOf(await explainAt(wide)), ['far-reference']);
  assert.deepEqual(codesOf(await explainAt(-wide)), ['far-reference']);
  // Around the mean, the kernel's weights have their middle a quarter of the way to the row: 3 / 2 of a narrower spread.
  assert.deepEqual(codesOf(await explainAt(wide, { center: 'mean' })), []);
  assert.deepEqual(codesOf(await explainAt(wide, { discretize: 'quartile' })), []);
  assert.deepEqual(codesOf(await explainAt(wide, { reference: [50 + 2 * deviation, 50] })), []);
  assert.deepEqual(codesOf(await explainAt(0, { reference: [50 + 3 * deviation, 50] })), ['far-reference']);
  const constant = await explainRow([50 + 3 * deviation, 50], (batch) => Array.from(batch, ([, b]) => b), {
    ...{ table: farTable, samples: 200 },
  });
  assert.deepEqual(codesOf(constant), []);
});

test('weights that explain less than a fifth of what the model does get a warning with advice', async () => {
  const wavy = (share) => (batch) =>
    Array.from(batch, ([a, b]) => share * (a / deviation) + Math.sin(a / 2) * Math.cos(b / 2));
  const explainWavy = (share, more = {}) => explainRow([50, 50], wavy(share), { table: farTable, ...more });
  for (const more of [{}, { method: 'lime' }, { method: 's-lime' }, { preset: 'paper' }, { preset: 'strict' }]) {
    const poor = await explainWavy(0, more);
    assert.ok(poor.fidelity < 0.1);
    assert.ok(codesOf(poor).includes('poor-fit'), JSON.stringify(more));
    const at = codesOf(poor).indexOf('poor-fit');
    near(poor.warningCodes[at].explained, Math.max(0, poor.fidelity), 'the share');
    assert.match(
      poor.warnings[at],
      /explain \d %? ?.*too little to rely on.*smaller kernelWidth.*samples.*discretize.*shap/,
    );
    const good = await explainWavy(2, more);
    assert.ok(good.fidelity > 0.3 && !codesOf(good).includes('poor-fit'));
  }
  assert.deepEqual(codesOf(await explainWavy(0, { method: 'baseline' })), []);
  assert.deepEqual(codesOf(await explainWavy(0, { method: 'shap', background: far.slice(0, 20) })), []);
  const words = await explainText('one two three four five six seven eight nine ten', (texts) =>
    texts.map((text) => text.split(' ').length % 2),
  );
  assert.deepEqual(codesOf(words), ['poor-fit']);
  assert.doesNotMatch(words.warnings[0], /discretize/);
});

test('every warning is a sentence and a code, in the same order', async () => {
  const { warnings, warningCodes } = await explainRow([50, 50], () => [1], {
    table: farTable,
    samples: 2,
    batchSize: 1,
  });
  assert.deepEqual(warningCodes, [{ code: 'constant' }]);
  assert.equal(warnings.length, 1);
  const few = await explainAt(0, { samples: 3 });
  assert.equal(few.warnings.length, few.warningCodes.length);
  assert.ok(codesOf(few).includes('few-samples'));
  const copy = JSON.parse(JSON.stringify(few));
  copy.warningCodes[0].code = 5;
  assert.throws(() => checkExplanation(copy), /warningCodes\[0\].code must be a string/);
  copy.warningCodes[0] = { code: 'far-reference', names: [{}] };
  assert.throws(() => checkExplanation(copy), /warningCodes\[0\].names\[0\] must be a string/);
});
