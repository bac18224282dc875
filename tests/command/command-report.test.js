// Opens the report of the command in a browser: what it says, its accessibility, both themes, and printing.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { browserFor } from '../support/pages/browsers.js';
import { folderFor, LIMIT, runCommand } from '../support/workers/command-runs.js';

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** A table with a strange name, whose model fails, wavers or does not care for some rows. */
const FILES = {
  'odd.csv': `a<b>,"c & ""d""",kind\n${Array.from({ length: 60 }, (_, i) => `${i % 7},${(i * i) % 11},${'xyz'[i % 3]}`).join('\n')}\n`,
  'model.mjs': `export const classes = ['<no>', 'yes & more'];
    export const predict = (batch) => batch.rows.map(([a, c, kind]) => {
      if (batch.rows[0][1] === 9) throw new Error('<script>alert(1)</script> no nine');
      const yes = batch.rows[0][0] === 3 ? (Math.sin(1e6 * a * c) + 1) / 2 : 1 / (1 + Math.exp(3 - a - (kind === 'x' ? 1 : 0)));
      return [1 - yes, yes];
    });`,
};

test('a report has charts, counts and the rows that need a look, and passes axe in both themes', LIMIT, async (t) => {
  const folder = folderFor(t, FILES);
  const words = [
    'explain',
    'odd.csv',
    '--model',
    'model.mjs',
    '--preset',
    'paper',
    '--samples',
    '100',
    '--out',
    'why.jsonl',
  ];
  assert.equal((await runCommand(folder, words)).code, 1);
  const lines = readFileSync(join(folder, 'why.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));
  const failed = lines.filter(({ error }) => error).length;
  const poor = lines.filter(({ explanation }) =>
    explanation?.warningCodes?.some(({ code }) => code === 'poor-fit'),
  ).length;
  assert.ok(failed > 5 && poor > 0);
  const { code, stdout, stderr } = await runCommand(folder, ['report', 'why.jsonl', '--json']);
  assert.equal(code, 0, stderr);
  const counts = JSON.parse(stdout);
  assert.deepEqual([counts.out, counts.rows, counts.failed], ['why.html', 60, failed]);
  assert.equal(counts.doubts.find(({ reason }) => reason === 'the weights explain too little').count, poor);
  const { browser } = (await browserFor(t, 'chromium')) ?? {};
  if (!browser) return;
  for (const colorScheme of ['light', 'dark']) {
    const tab = await browser.newPage({ viewport: { width: 900, height: 700 }, colorScheme });
    t.after(() => tab.close());
    const asked = [];
    tab.on('request', (request) => asked.push(request.url()));
    await tab.goto(pathToFileURL(join(folder, 'why.html')).href);
    assert.equal(asked.length, 1, 'the page is one file');
    await tab.addScriptTag({ content: axe });
    const { violations } = await tab.evaluate(() => globalThis.axe.run());
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes[0].html]),
      [],
    );
    const text = await tab.evaluate(() => globalThis.document.body.innerText);
    for (const fact of [`No explanation: ${failed} rows`, '<script>alert(1)</script> no nine', 'a<b>', 'yes & more: '])
      assert.ok(text.includes(fact), fact);
    const wide = await tab.evaluate(() => globalThis.document.documentElement.scrollWidth);
    assert.ok(wide <= 900, `${wide} pixels wide`);
    // On a telephone, pictures are scrolled: their words stay at least 7 pixels high.
    await tab.setViewportSize({ width: 360, height: 700 });
    const [page, ...words] = await tab.evaluate(() => {
      const heights = [...globalThis.document.querySelectorAll('figure text')].map(
        (word) => word.getBoundingClientRect().height,
      );
      return [globalThis.document.documentElement.scrollWidth, ...heights.filter((height) => height > 0)];
    });
    assert.ok(page <= 360 && words.length > 0 && Math.min(...words) >= 7, `${page}, ${Math.min(...words)} pixels`);
    const paper = await tab.pdf({ format: 'A4' });
    assert.ok(paper.length > 20000 && paper.subarray(0, 5).toString() === '%PDF-');
  }
});

test('a file without any explanation still makes a report, and a wrong line is named', LIMIT, async (t) => {
  const source = { name: 'x', sha256: '0'.repeat(64) };
  const header = {
    schema: 'linex-file/1',
    linex: '0.1.0',
    kind: 'row',
    options: {},
    seed: 0,
    columns: ['a'],
    rows: '1',
  };
  const first = JSON.stringify({ ...header, model: source, data: source, table: source });
  const folder = folderFor(t, {
    'failed.jsonl': `${first}\n{"row":1,"error":{"name":"Error","message":"no"}}\n`,
    'wrong.jsonl': `${first}\n{"row":1,"explanation":{"kind":"row"}}\n`,
    'other.jsonl': '{"a":1}\n',
  });
  assert.equal((await runCommand(folder, ['report', 'failed.jsonl'])).code, 0);
  assert.match(readFileSync(join(folder, 'failed.html'), 'utf8'), /No row has an explanation/);
  const wrong = await runCommand(folder, ['report', 'wrong.jsonl']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^linex: wrong\.jsonl, line 2: /);
  const other = await runCommand(folder, ['report', 'other.jsonl']);
  assert.equal(other.code, 2);
  assert.match(other.stderr, /^linex: other\.jsonl is not a file of explanations from linex explain/);
  writeFileSync(join(folder, 'many.csv'), `a\n${Array.from({ length: 30 }, (_, i) => i).join('\n')}\n`);
  writeFileSync(join(folder, 'model.mjs'), 'export const predict = (batch) => [...batch].map(([a]) => a);');
  const words = [
    'explain',
    'many.csv',
    '--model',
    'model.mjs',
    '--samples',
    '50',
    '--preset',
    'paper',
    '--out',
    'why.svg',
  ];
  assert.equal((await runCommand(folder, words)).code, 0);
  assert.match(readFileSync(join(folder, 'why.svg'), 'utf8'), /^<svg /);
});
