// Tests the report of the paper's tables: its counts, its prose and its files.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { environmentsPage, readTable } from '../support/doc-tables.js';
import { figuresIn, proseIn, toMarkdown, toPage } from './report/blocks.js';
import { factsOf } from './report/facts.js';
import { mapsSVG, plotsSVG } from './report/plots.js';
import { fill, fillParagraph, NOT_RUN, strayNumbers } from './report/prose.js';
import { blocksOf, TEXTS } from './report/report-blocks.js';
import { committedPages, OVERVIEW_TEXT, pagesOf, readReport } from './report/report-files.js';
import { buildReport } from './report/report.js';
import { STUB_FIGURES, stubRuns } from './report/stub-run.js';
import { sweepsOf } from './report/sweeps.js';
import { runPaper } from './run-paper.js';
import { countsOf } from './tables/counts.js';
import { tableOf, unitMeans } from './tables/tables.js';

const SECTIONS = [
  ...[
    'Black boxes',
    'How the paper is read',
    'Winners',
    'Cell by cell',
    'The tables',
    'Differences from the paper',
    'Sweeps',
  ],
  ...[
    'S-LIME with other means',
    'Neighbors on the map of irises',
    'Heatmaps',
    'Where LINEX errs',
    'Ablation',
    'Run times',
  ],
  ...['Sentences', 'Gamma', 'Synthetic functions', 'Convergence', 'Which environments?'],
];

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}, not ${expected}`);

/** Makes the result of a job of irises: the same values for all kernel widths. */
function jobOf(split, rows, part = 'table') {
  const results = Object.entries(rows).flatMap(([row, values]) =>
    [0.1, 0.2].map((width) => ({ config: { row, width }, values: { restless: [0, 0], ...values } })),
  );
  return { job: { part, kind: 'random', reading: 'printed', split, examples: 2 }, result: { results, about: {} } };
}

test('with several splits, the pairs of the test are splits; with one, they are examples', () => {
  const values = new Map([
    ['a', { CI: [[1, 3], [5, 7]] }],
    ['b', { CI: [[3, 5], [7, 9]] }],
  ]); // prettier-ignore
  assert.deepEqual(unitMeans(values, 'CI'), [3, 7]);
  const one = new Map([
    ['a', { CI: [[1, 3]] }],
    ['b', { CI: [[3, 7]] }],
  ]);
  assert.deepEqual(unitMeans(one, 'CI'), [2, 5]);
});

test('zeros, tests and rivals change who wins, and unsettled games win for nobody', () => {
  const LIME = { INFD: [0.2, 0.2], GI: [0.3, 0.31], CI: [0.5, 0.6], unidirectionality: [0.6, 0.61], 'unidirectionality, zero 0': [0.6, 0.61], CAC: [0.5] };
  const LINEX = { INFD: [0.1, 0.1], GI: [0.2, 0.21], CI: [0.1, 0.1], unidirectionality: [0.8, 0.81], 'unidirectionality, zero 0': [0.4, 0.41], CAC: [0.5] };
  const NB = { ...LIME, GI: [0.1, 0.1] };
  const done = [0, 1, 2].map((split) => {
    const shift = (rows) => Object.fromEntries(Object.entries(rows).map(([m, list]) => [m, list.map((x) => x + 0.001 * split * split)]));
    return jobOf(split, { LIME: shift(LIME), 'LINEX/rand': LINEX, 'NB/rand': NB });
  });
  const { cells } = tableOf(done, 'IRIS', 'printed');
  const cell = (metric) => cells.find((one) => one.metric === metric).ours;
  assert.equal(cell('unidirectionality').positive.paper.winner.units, 'LINEX');
  assert.equal(cell('unidirectionality').none.paper.winner.units, 'rival');
  assert.equal(cell('GI').positive.paper.winner.units, 'LINEX');
  assert.equal(cell('GI').positive.all.winner.units, 'rival');
  const choice = { iris: { random: 'printed' } };
  const tables = [{ key: 'iris', reading: 'printed', cells }];
  const counts = (some) => countsOf(some, { primary: choice, other: { iris: { random: 'product' } } });
  const [first] = counts(tables);
  assert.deepEqual(first.readings.primary.all, { cells: 5, won: 4, lost: 0, tied: 1, unsettled: 0 });
  assert.deepEqual(first.readings.other.all, { cells: 0, won: 0, lost: 0, tied: 0, unsettled: 0 });
  // The paper's bold cells of irises on random samples are all but INFD.
  assert.equal(first.readings.primary.bold.cells, 4);
  assert.equal(first.either, 3);
  const restless = [{ ...tables[0], cells: cells.map((one) => ({ ...one, unsettled: 0.01 })) }];
  assert.deepEqual(counts(restless)[0].readings.primary.all, { cells: 5, won: 0, lost: 0, tied: 0, unsettled: 5 });
}); // prettier-ignore

test('a point of a sweep is the mean over the settings that its figure does not show', () => {
  const result = (samples, count, width, CI) => ({
    config: { row: count ? 'LINEX/rand' : 'LIME', samples, count, width },
    values: { CI: [CI, CI] },
  });
  const results = [
    ...[result(10, 2, 1, 1), result(10, 2, 2, 3), result(10, 3, 1, 5), result(10, 3, 2, 7)],
    ...[result(10, undefined, 1, 2), result(10, undefined, 2, 4)],
  ];
  const job = { part: 'sweep', kind: 'random', reading: 'printed', examples: 2, split: 0 };
  const lines = sweepsOf({ name: 'IRIS' }, [{ job, result: { results } }]);
  const line = (axis, row) => lines.find((one) => one.axis === axis && one.row === row).points;
  assert.deepEqual(line('environments', 'LINEX/rand').map(({ x, CI }) => [x, CI.mean]), [[2, 2], [3, 6]]); // prettier-ignore
  near(line('environments', 'LINEX/rand')[0].CI.se, 1);
  assert.deepEqual(line('kernel width', 'LINEX/rand').map(({ CI }) => CI.mean), [3, 5]); // prettier-ignore
  assert.deepEqual(line('environments', 'LIME').map(({ CI }) => CI.mean), [3, 3]); // prettier-ignore
});

test('no text has a number of its own, and planted ones are found', () => {
  for (const [name, text] of Object.entries({ ...TEXTS, overview: OVERVIEW_TEXT })) assert.deepEqual(strayNumbers(text), [], name);
  const planted = { 'LINEX wins 12 cells.': ['12'], 'It wins twelve of {{a.b}}.': ['twelve'], 'CI is .059, GI 0.2': ['059', '0.2'] };
  for (const [text, found] of Object.entries(planted)) assert.deepEqual(strayNumbers(text), found);
  assert.deepEqual(strayNumbers('CIFAR10 has `k = 2`, [a link](a1.md) and {{paper.cells:2}}.'), []);
}); // prettier-ignore

test('facts are written with their digits, and a paragraph without its facts says that it was not run', () => {
  const facts = { a: { b: 0.12345, c: 7 }, d: 'LINEX wins' };
  assert.equal(fillParagraph('{{a.b}}, {{a.b:1}}, {{a.b:percent}}, {{a.c}}: {{d}}', facts), '0.123, 0.1, 12 %, 7: LINEX wins');
  assert.equal(fillParagraph('{{a.x}}', facts), null);
  assert.equal(fill('One {{a.x}}.\n\nTwo {{a.c}}.\n\n- x {{a.c}}\n- y {{a.x}}', facts), `${NOT_RUN}\n\nTwo 7.\n\n- x 7\n\n${NOT_RUN}\n`);
}); // prettier-ignore

/** Returns prose that stands in a report but comes neither from a filled text nor without numbers. */
function untraced(report) {
  const facts = factsOf(report);
  const flat = (text) => text.replace(/\s+/g, ' ').trim();
  const filled = Object.values(TEXTS)
    .flatMap((text) => fill(text, facts).split(/\n{2,}|\n(?=- )/))
    .map((text) => flat(text).replace(/^- /, ''));
  return proseIn(blocksOf(report)).filter((text) => !filled.includes(flat(text)) && strayNumbers(text).length > 0);
}

test('a full run has a fact for every number that the texts cite, and counts the paper’s 40 cells by every rule', async () => {
  const report = JSON.parse(
    JSON.stringify(buildReport(await stubRuns(), { figures: STUB_FIGURES, made: { command: 'c', quick: false, minutes: 1 } })),
  );
  const facts = factsOf(report);
  const lost = (text) => fill(text, facts).split('\n').includes(NOT_RUN) || /undefined|NaN|null/.test(fill(text, facts));
  const texts = Object.entries({ ...TEXTS, overview: OVERVIEW_TEXT }).filter(([name]) => !name.startsWith('made b'));
  assert.deepEqual(texts.filter(([, text]) => lost(text)).map(([name]) => name), []);
  assert.deepEqual(report.paper, { cells: 40, won: 21, lost: 5, tied: 14 });
  for (const { readings } of report.counts)
    for (const { bold, all } of Object.values(readings)) {
      assert.deepEqual([bold.cells, all.cells], [21, 40]);
      assert.equal(all.won + all.lost + all.tied + all.unsettled, 40);
    }
  assert.deepEqual(untraced(report), []);
  const [all, study] = toMarkdown(blocksOf(report)).split('## Which environments?');
  assert.doesNotMatch(all, /NaN|undefined|no numbers for this part/);
  assert.match(study, /no numbers for this part/);
}); // prettier-ignore

test('every number in the committed prose comes from report.json', () => {
  assert.deepEqual(untraced(readReport()), []);
});

test('the committed pages and figures match report.json; a page with another number does not', () => {
  const pages = pagesOf(readReport());
  const committed = committedPages();
  assert.deepEqual([...committed.keys()].sort(), [...pages.keys()].sort());
  for (const [file, text] of pages) assert.ok(committed.get(file) === text, file);
  const [file] = [...pages.keys()].filter((name) => name.endsWith('the-paper.md'));
  const planted = committed.get(file).replace(/\b(\d+) minutes of computing/, (_, minutes) => `${Number(minutes) + 1} minutes of computing`);
  assert.notEqual(planted, pages.get(file));
}); // prettier-ignore

test('the table of environments in the documentation matches the report', () => {
  assert.equal(readTable('environments.md'), environmentsPage(readReport()));
});

test('a tiny run on Iris writes the whole report, and a second run reuses its results', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'linex-paper-'));
  try {
    const results = path.join(folder, 'results');
    const said = [];
    const how = { quick: true, only: ['iris'], kinds: ['random'], results, output: folder, say: (text) => said.push(text) };
    const report = await runPaper(how);
    assert.match(said.join(''), /100 %, (\d+) of \1 jobs/);
    const times = () => readdirSync(results).map((name) => statSync(path.join(results, name)).mtimeMs);
    const written = times();
    await runPaper(how);
    assert.deepEqual(times(), written);
    const [markdown, page] = ['report.md', 'report.html'].map((name) => readFileSync(path.join(folder, name), 'utf8'));
    for (const heading of SECTIONS) {
      assert.ok(markdown.includes(`\n## ${heading}\n`), heading);
      assert.ok(page.includes(`<h2>${heading}</h2>`), heading);
    }
    assert.doesNotMatch(page.replaceAll('http://www.w3.org/2000/svg', ''), /https?:|src=|url\(|NaN|undefined/);
    assert.doesNotMatch(markdown, /NaN|undefined/);
    assert.ok(page.includes('prefers-color-scheme:dark'));
    assert.deepEqual(untraced(JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8'))), []);
    // A figure for each kind of plot, and each is a file.
    const names = figuresIn(blocksOf(report)).map(({ figure }) => `${figure}.svg`);
    assert.deepEqual(readdirSync(path.join(folder, 'figures')).sort(), [...new Set(names)].sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}); // prettier-ignore

test('a band spans one standard error on both sides of its line', () => {
  const svg = plotsSVG({ label: 'l', plots: [{ title: 't', x: 'x', y: 'y', series: [{ name: 'a', points: [[0, 2, 1], [1, 2, 1]] }] }] });
  const numbers = (path) => path.match(/[\d.]+/g).map(Number);
  const [, band] = svg.match(/<path d="M([^"]+)Z" class="band/);
  const [, line] = svg.match(/<path d="M([^"]+)" class="line/);
  const heights = [...new Set(numbers(band).filter((_, i) => i % 2 === 1))];
  const [, middle] = numbers(line);
  assert.equal(heights.length, 2);
  near((heights[0] + heights[1]) / 2, middle);
}); // prettier-ignore

test('a heatmap draws each cell that is not 0 once, in the color of its sign', () => {
  const values = Int8Array.from([127, 127, 0, -127, 60, 0]);
  const svg = mapsSVG({ label: 'l', size: { width: 3, height: 2 }, rows: [{ title: 't', maps: [{ caption: 'c', values }] }] });
  const areaOf = (name) => {
    const paths = [...svg.matchAll(new RegExp(`<path class="${name}\\d" d="([^"]+)"`, 'g'))].map(([, d]) => d).join('');
    return [...paths.matchAll(/h(\d+)v1/g)].reduce((sum, [, cells]) => sum + Number(cells), 0);
  };
  assert.deepEqual([areaOf('p'), areaOf('n')], [3, 1]);
}); // prettier-ignore

test('blocks have the same content in Markdown and on the page, and their text is escaped', () => {
  const blocks = [{ heading: 'A < B' }, { columns: ['x'], rows: [['a|b'], ['**c**']] }];
  assert.equal(toMarkdown(blocks), '## A < B\n\n| x     |\n| ----- |\n| a\\|b  |\n| **c** |\n');
  const page = toPage(blocks, 't');
  assert.ok(page.includes('<h2>A &lt; B</h2>') && page.includes('<td><strong>c</strong></td>'));
});
