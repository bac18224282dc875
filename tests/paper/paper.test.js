// Tests the harness of the paper's tables on small data; `npm run paper` makes the tables.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { explainRow } from 'linex';
import { toMarkdown, toPage } from './report/blocks.js';
import { nearestOthers, parseFields, parseIdx, splitItems } from './sets/data.js';
import { iris } from './sets/irises.js';
import { runJob } from './jobs/job.js';
import { GROUPS, METRICS, published, tableOf } from './tables/tables.js';
import { studyJobs, sweepJobs, tableJobs } from './jobs/plans.js';
import { renderReport } from './report/report-blocks.js';
import { runPaper } from './run-paper.js';
import { incompleteBeta, pairedTest, standardError } from './tables/t-test.js';
import { resultFile } from './jobs/work.js';
import { environmentsPage, readTable } from '../support/doc-tables.js';

const REPORT = new URL('./report.json', import.meta.url);

const SECTIONS = [
  ...['Black boxes', 'Winners', 'The tables', 'Differences from the paper', 'Sweeps', 'Ablation', 'Gamma'],
  ...['Synthetic functions', 'Convergence', 'Sentences', 'Which environments?'],
];

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
  for (const { samples, options } of job.configs.filter(({ width }) => width === 0.5)) {
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
    ['LIME', 'S-LIME', 'LINEX/rand', 'NB/rand'],
  );
  for (const { values, config } of results) {
    for (const metric of ['INFD', 'GI', 'CI', 'unidirectionality', 'sign conflict'])
      assert.equal(values[metric].length, 12, `${config.row}, ${metric}`);
    assert.equal(values.CAC.length, 1);
  }
  const { rows, cells } = tableOf([{ job: few, result: { about, results } }], 'IRIS', 'product');
  assert.equal(rows.length, 4);
  assert.deepEqual(
    cells.map(({ metric }) => metric),
    METRICS,
  );
});

test('a tiny run on Iris writes the whole report, and a second run reuses its results', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'linex-paper-'));
  try {
    const results = path.join(folder, 'results');
    const how = { quick: true, only: ['iris'], kinds: ['random'], results, output: folder, say: () => {} };
    await runPaper(how);
    const written = readdirSync(results).map((name) => statSync(path.join(results, name)).mtimeMs);
    await runPaper(how);
    assert.deepEqual(
      readdirSync(results).map((name) => statSync(path.join(results, name)).mtimeMs),
      written,
    );
    const [markdown, page] = ['report.md', 'report.html'].map((name) => readFileSync(path.join(folder, name), 'utf8'));
    for (const heading of SECTIONS) {
      assert.ok(markdown.includes(`\n## ${heading}\n`), heading);
      assert.ok(page.includes(`<h2>${heading}</h2>`), heading);
    }
    assert.doesNotMatch(page, /https?:|src=|url\(|NaN|undefined/);
    assert.doesNotMatch(markdown, /NaN|undefined/);
    assert.ok(page.includes('prefers-color-scheme: dark'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('blocks have the same content in Markdown and on the page, and their text is escaped', () => {
  const blocks = [{ heading: 'A < B' }, { columns: ['x'], rows: [['a|b'], ['**c**']] }];
  assert.equal(toMarkdown(blocks), '## A < B\n\n| x     |\n| ----- |\n| a\\|b  |\n| **c** |\n');
  const page = toPage(blocks, 't');
  assert.ok(page.includes('<h2>A &lt; B</h2>') && page.includes('<td><strong>c</strong></td>'));
});

test('the committed report matches its data', () => {
  const { markdown, page } = renderReport(JSON.parse(readFileSync(REPORT, 'utf8')));
  assert.equal(readFileSync(new URL('./report.md', import.meta.url), 'utf8'), markdown);
  assert.equal(readFileSync(new URL('./report.html', import.meta.url), 'utf8'), page);
});

test('the table of environments in the documentation matches the report', () => {
  assert.equal(readTable('environments.md'), environmentsPage(JSON.parse(readFileSync(REPORT, 'utf8'))));
});
