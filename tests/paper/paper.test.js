// Tests the harness of the paper's tables on small data; `npm run paper` makes the tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainRow, load } from 'linex';
import { nearestOthers, parseFields, parseIdx, splitItems } from './sets/data.js';
import { iris } from './sets/irises.js';
import { runJob } from './jobs/job.js';
import { GROUPS, METRICS, published, tableOf } from './tables/tables.js';
import { figureJobs, OWN_ROWS, studyJobs, sweepJobs, tableJobs } from './jobs/plans.js';
import { OTHER, PRIMARY, READ, READINGS, whyOf } from './jobs/readings.js';
import { incompleteBeta, pairedTest, standardError } from './tables/t-test.js';
import { resultFile } from './jobs/work.js';
import { openSet, SET_KEYS } from './sets/sets.js';
import { trainBayes } from './sets/bayes.js';
import { Descent, fitByDescent, playByDescent } from './subjects/gradient-descent.js';
import { explainOwn, relativeRidge } from './subjects/surrogates.js';
import { TextSubject } from './subjects/text-subject.js';
import { correlation } from './figures/pictures.js';
import { PRINTED_SENTENCES } from './figures/sentences.js';

// Computed with scipy 1.10: special.betainc(a, b, x) and stats.ttest_rel.
const BETA = [
  [0.2, 0.5, 0.5, 0.29516723530086664],
  [0.9, 3.5, 0.5, 0.40708382206558885],
  [0.99, 249.5, 0.5, 0.025199863926687875],
  [0.5, 2, 7, 0.96484375],
];
const T_FEW = [1.2346839451634752, 0.25678282764890925];
const T_MANY = [-3.5071089732162264, 0.0004939078729753712];
const T_TWO = 0.20483276469913345;

const near = (actual, expected, tolerance = 1e-10) =>
  assert.ok(Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)), `${actual}, not ${expected}`);

test('the incomplete beta function is scipy’s', () => {
  for (const [x, a, b, expected] of BETA) near(incompleteBeta(x, a, b), expected, 1e-12);
});

test('the paired t-test equals scipy’s ttest_rel', () => {
  const first = [0.31, 0.12, 0.55, 0.42, 0.18, 0.77, 0.05, 0.29];
  const second = [0.28, 0.15, 0.41, 0.4, 0.22, 0.6, 0.02, 0.33];
  const few = pairedTest(first, second);
  near(few.t, T_FEW[0]);
  near(few.p, T_FEW[1]);
  const x = Array.from({ length: 500 }, (_, i) => Math.sin(i));
  const many = pairedTest(
    x,
    x.map((value, i) => value + 0.01 * Math.cos(3 * i) + 0.0011),
  );
  near(many.t, T_MANY[0], 1e-8);
  near(many.p, T_MANY[1], 1e-8);
  near(pairedTest([1, 2], [0.5, 1.75]).p, T_TWO);
  assert.equal(pairedTest([1, 2, 3], [1, 2, 3]).p, 1);
  assert.equal(pairedTest([1, 2, 3], [0, 1, 2]).p, 0);
  assert.throws(() => pairedTest([1], [2]), /pairs of at least two/);
  near(standardError([1, 2, 3, 4]), Math.sqrt(5 / 3 / 4));
});

test('quotes have no meaning in fields, and an error names the line that has too many fields', () => {
  assert.deepEqual(parseFields('label\ttext\n1\ta "b\n0\tc\n', '\t'), [
    { label: '1', text: 'a "b' },
    { label: '0', text: 'c' },
  ]);
  assert.throws(() => parseFields('a,b\n1,2\n1,2,3\n', ','), /line 3 has 3 fields, the header has 2/);
});

test('an IDX file is read with its shape, and a truncated file is refused', () => {
  const bytes = Uint8Array.from([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6]);
  const { shape, data } = parseIdx(bytes);
  assert.deepEqual(shape, [2, 3]);
  assert.deepEqual([...data], [1, 2, 3, 4, 5, 6]);
  assert.throws(() => parseIdx(bytes.subarray(0, 17)), /2 x 3 has 5 bytes/);
});

test('a split holds out a fifth, by its seed; the neighbors of a point are the nearest other points', () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  const { train, test: held } = splitItems(items, 3);
  assert.equal(held.length, 10);
  assert.deepEqual(
    [...train, ...held].sort((a, b) => a - b),
    items,
  );
  assert.deepEqual(splitItems(items, 3).test, held);
  assert.deepEqual(nearestOthers([[0], [1], [3], [3.5]], 2), [[1, 2], [0, 2], [3, 1], [2, 1]]); // prettier-ignore
});

test('the published table has every row of the paper, and 40 cells: LINEX wins 21 and loses 5', () => {
  const sets = ['IRIS', 'MEPS', 'FMNIST', 'CIFAR10', 'Rotten Tomatoes'];
  assert.deepEqual([...new Set(published.rows.map(({ dataset }) => dataset))], sets);
  const row = (name, method) => published.rows.find((one) => one.dataset === name && one.method === method);
  const cells = sets.flatMap((name) =>
    GROUPS.flatMap(({ linex, rivals }) =>
      METRICS.filter((metric) => row(name, linex)?.[metric]).map((metric) => ({
        won: Boolean(row(name, linex)[metric].significant),
        lost: rivals.some((rival) => row(name, rival)?.[metric]?.significant),
      })),
    ),
  );
  assert.equal(cells.length, 40);
  assert.equal(cells.filter(({ won }) => won).length, 21);
  assert.equal(cells.filter(({ lost }) => lost).length, 5);
});

test('every method gets the same samples, and the harness gives the same explanations as explainRow', async () => {
  const [job] = tableJobs(iris, { splits: 1, examples: 3 }, ['random']);
  const subject = await iris.open({ split: 0, examples: 3 });
  const asked = [];
  const { trainIrisForest } = await import('../../examples/iris-forest.js');
  const { train, test: flowers, predict } = trainIrisForest({ seed: 0 });
  const { describeTable } = await import('linex');
  const table = await describeTable(train.map(({ row }) => row));
  for (const { samples, options } of job.configs.filter(({ width, row }) => width === 0.5 && !OWN_ROWS.includes(row))) {
    const ask = (batch) => {
      asked.push(batch.data.join());
      return predict(batch);
    };
    const how = { table, samples, target: 0, seed: 2, preset: 'paper', draws: 0, batchSize: 1e6, ...options };
    const alone = await explainRow(flowers[2].row, ask, how);
    const here = await subject.explain(2, { kind: 'random', samples, options }, 2);
    assert.deepEqual(here.weights, alone.weights);
  }
  assert.equal(new Set(asked).size, 1);
});

test('different jobs have different files, named by everything that affects the result', () => {
  const jobs = [
    ...tableJobs(iris, { splits: 2, examples: 30 }, ['random']),
    ...sweepJobs(iris, { splits: 2, examples: 30 }, ['random']),
    ...figureJobs(iris),
    ...studyJobs(iris, iris.study, ['random']),
  ];
  const files = jobs.map((job) => resultFile('build', job));
  assert.equal(new Set(files).size, jobs.length);
  assert.notEqual(resultFile('build', { ...jobs[0], version: -1 }), files[0]);
});

test('a job measures each setting, with one number per example', async () => {
  const [job] = tableJobs(iris, { splits: 1, examples: 12 }, ['random']);
  const few = { ...job, configs: job.configs.filter(({ width }) => width === 0.5) };
  const { about, results } = await runJob(few);
  assert.ok(about.accuracy > 0.85);
  assert.deepEqual(
    results.map(({ config }) => config.row),
    ['LIME', 'S-LIME', 'LINEX/rand', 'NB/rand', 'LIME, our samples'],
  );
  for (const { values, config } of results) {
    for (const metric of ['INFD', 'GI', 'CI', 'unidirectionality', 'sign conflict'])
      assert.equal(values[metric].length, 12, `${config.row}, ${metric}`);
    assert.equal(values.CAC.length, 1);
  }
  const { rows, cells } = tableOf([{ job: few, result: { about, results } }], 'IRIS', 'product');
  assert.equal(rows.length, 5);
  assert.deepEqual(
    cells.map(({ metric }) => metric),
    METRICS,
  );
});

test('every kind of samples has a primary and another reading, both run, and neither is a guess', async () => {
  for (const key of SET_KEYS) {
    const { kinds } = await openSet(key);
    for (const kind of Object.keys(kinds).filter((one) => one !== 'shap')) {
      for (const choice of [PRIMARY, OTHER]) {
        assert.ok(READ[key][kind].includes(choice[key][kind]), `${key}, ${kind}`);
        assert.ok(!READINGS[choice[key][kind]].guess);
      }
    }
  }
  for (const reading of Object.keys(READINGS)) assert.doesNotMatch(whyOf(reading), /undefined|\{/);
});

test('all points of a sweep explain the same examples, at every size, number of environments and width', () => {
  const jobs = sweepJobs(iris, { splits: 2, examples: 30 }, ['random']);
  assert.equal(jobs.length, 5 * 2);
  for (const { examples, configs, samples } of jobs) {
    assert.equal(examples, 30);
    // LIME at each width; S-LIME and LINEX at each width with 2, 3, 4 and 5 environments.
    assert.equal(configs.length, 5 + 2 * 4 * 5);
    assert.ok(configs.every((config) => config.samples === samples && config.reading === PRIMARY.iris.random));
  }
});

test('a pass of descent equals scikit-learn’s SGDRegressor.partial_fit', () => {
  const given = JSON.parse(readFileSync(new URL('../vectors/sgd.json', import.meta.url), 'utf8'));
  const model = new Descent(given.coefficients.length);
  const sum = { weights: new Float64Array(given.coefficients.length), intercept: 0 };
  for (let pass = 0; pass < given.passes; pass++) model.pass(given, [...given.points.keys()], sum, given.settings);
  given.coefficients.forEach((expected, c) => near(sum.weights[c], expected, 1e-12));
  near(sum.intercept, given.intercept, 1e-12);
  assert.deepEqual(model.own, sum.weights);
});

test('descent finds a line that fits, and its players stay within gamma', () => {
  const points = Array.from({ length: 60 }, (_, i) =>
    [Math.sin(i), Math.cos(3 * i), Math.sin(5 * i + 1)].map((x) => 9 * x),
  );
  const predictions = points.map(([a, b]) => 0.5 + 0.03 * a - 0.02 * b);
  const samples = { points, predictions, weights: points.map(() => 1) };
  const { weights, intercept, ended } = fitByDescent(samples, { seed: 1, passes: 400 });
  assert.ok(ended);
  [0.03, -0.02, 0].forEach((expected, c) => assert.ok(Math.abs(weights[c] - expected) < 0.01, `${weights}`));
  assert.ok(Math.abs(intercept - 0.5) < 0.25, `${intercept}`);
  const played = playByDescent(samples, { seed: 1 });
  assert.ok(played.weights.every((weight) => Math.abs(weight) <= 2 * played.gamma + 1e-15));
});

test('the relative ridge is a tenth of the mean energy, which one pixel of many that vary keeps above 0', async () => {
  await load();
  // Far below the width of the kernel, all weights are 1 up to 1e-12: the energies are 0, 2 and 8.
  const points = [
    [5, 0, 0],
    [5, 1, 2],
    [5, -1, -2],
  ];
  near(relativeRidge(points, 1e6), (0.1 * (0 + 2 + 8)) / 3, 1e-9);
  const found = explainOwn(
    { points, predictions: [0.5, 0.7, 0.3], columns: ['a', 'b', 'c'] },
    { options: { method: 'lime', features: 'all' }, width: 1e6, way: 'relative' },
    0,
  );
  // Ridge regression by hand: the columns b and c are one direction, (1, 2), and the slope along it is bounded by the ridge.
  const slope = 0.4 / (10 + 1 / 3);
  near(found.weights[1], slope, 1e-6);
  near(found.weights[2], 2 * slope, 1e-6);
});

test('without an intercept, weights of words times tf-idf values add up to about the answer', async () => {
  await load();
  const lines = [
    ...['good film', 'good story', 'very good', 'fine film'].map((text) => ({ text, label: 1 })),
    ...['bad film', 'bad story', 'very bad', 'dull film'].map((text) => ({ text, label: 0 })),
  ];
  const model = trainBayes(lines);
  const texts = ['a good film', 'bad story'];
  const subject = new TextSubject({ texts, ...model, neighbors: [[1], [0]], about: {}, neighborhoods: {} });
  const options = { method: 'lime', features: 5, intercept: 'none', ridge: 0.01 };
  const explanation = await subject.explain(0, { kind: 'random', samples: 100, width: 0.1, way: 'tfidf', options }, 0);
  // CountVectorizer drops "a".
  assert.deepEqual(explanation.features.map(({ name }) => name).sort(), ['film', 'good']);
  const values = model.vector(texts[0]);
  const sum = explanation.features.reduce(
    (all, { name, weight }) => all + weight * values.get(model.vocabulary.get(name)),
    0,
  );
  near(sum, explanation.localPrediction, 1e-12);
  assert.ok(Math.abs(sum - model.predict(texts)[0][1]) < 0.02, `${sum}`);
});

test('the correlation of a list with itself is 1, with its opposite -1, and with a constant none', () => {
  near(correlation([1, 2, 4], [1, 2, 4]), 1);
  near(correlation([1, 2, 4], [-1, -2, -4]), -1);
  assert.equal(correlation([1, 2, 4], [3, 3, 3]), null);
});

test('all 27 sentences of the supplement are there, with the words that the paper’s Table 2 marks', () => {
  assert.equal(PRINTED_SENTENCES.length, 27);
  const first = (start) => PRINTED_SENTENCES.find(({ text }) => text.startsWith(start)).LINEX[0][0];
  assert.deepEqual(['one-of-a-kind', 'a moving tale', 'spare yet'].map(first), ['masterpiece', 'moving', 'audacious']);
});
