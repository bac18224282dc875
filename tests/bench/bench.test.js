// Tests the benchmark's own code; it asserts nothing about speed.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { measureApart } from './apart.js';
import { exponentOf } from './growth.js';
import { compare } from './interleave.js';
import { drawMasks } from './lime.js';
import { Peer } from './peer.js';
import { countOf, formatMarkdown, formatPage, formatText, isMet } from './ratio-table.js';

test('the exponent of a power law is found for any factor', () => {
  const sizes = [100, 200, 400, 800];
  for (const exponent of [0, 1, 1.7, 2])
    assert.ok(
      Math.abs(
        exponentOf(
          sizes,
          sizes.map((size) => 3e-5 * size ** exponent),
        ) - exponent,
      ) < 1e-12,
    );
  // ln t = 0, 0, 1, 1 at ln s = 0, 1, 2, 3 has the least-squares slope 2 / 5.
  const e = Math.exp;
  assert.ok(Math.abs(exponentOf([e(0), e(1), e(2), e(3)], [e(0), e(0), e(1), e(1)]) - 0.4) < 1e-12);
});

test('contenders take turns, and the fastest round counts', async () => {
  const turns = [];
  const contender = (name, seconds) => async (times) => {
    turns.push(name);
    return seconds.shift() * times;
  };
  const contenders = { a: contender('a', [3, 1, 2, 9]), b: contender('b', [5, 6, 4, 9]) };
  const best = await compare(contenders, { rounds: 3, least: 0.5, budget: 100 });
  assert.deepEqual(best, { a: 1, b: 4 });
  assert.deepEqual(turns, ['a', 'b', 'a', 'b', 'a', 'b']);
});

test('short work is repeated, and long work is not', async () => {
  const asked = [];
  const short = async (times) => {
    asked.push(times);
    return 0.001 * times;
  };
  await compare({ short }, { rounds: 3, least: 0.01, budget: 100 });
  assert.deepEqual(asked, [1, 10, 10]);
  let rounds = 0;
  const long = async () => (rounds++, 60);
  await compare({ long }, { rounds: 9, least: 0.01, budget: 2 });
  assert.equal(rounds, 1);
});

test('a case that is measured in several engines is one row with a column each', () => {
  const entry = { target: 0, what: 'a time', of: 'row', unit: 'ms' };
  const entries = [
    { ...entry, column: 'Node', value: 12 },
    { ...entry, column: 'Firefox', value: 34 },
    { ...entry, column: 'Firefox', of: 'text', missing: 'not installed' },
  ];
  const lines = formatMarkdown(entries, ['Engines'], 'a machine')
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '));
  assert.deepEqual(lines.slice(-4), [
    '| measure | case | Node | Firefox | target |',
    lines.at(-3),
    '| a time | row | 12.0 ms | 34.0 ms | |',
    '| a time | text | | not measured (not installed) | |',
  ]);
});

const ENTRIES = [
  { target: 1, what: 'LINEX / LIME', of: 'row', value: 1.234, unit: 'times', aim: { most: 1.3 }, note: '1 ms / 2 ms' },
  { target: 1, what: 'LINEX / LIME', of: 'text', value: 1.5, unit: 'times', aim: { most: 1.3 } },
  { target: 2, what: 'composing', of: 'image', value: 61.23, unit: '%', aim: { least: 60 } },
  { target: 2, what: 'a peer', of: 'row', aim: { least: 30 }, missing: 'not installed' },
  { target: 0, what: 'a time', of: 'row', value: 1234.5, unit: 'ms' },
];

test('missed targets are marked, and targets without a measurement count as neither met nor missed', () => {
  assert.deepEqual(ENTRIES.map(isMet), [true, false, true, null, null]);
  assert.equal(countOf(ENTRIES), '2 met, 1 short, 1 not measured');
});

test('the table for the terminal has one section per target and aligned columns', () => {
  const lines = formatText(ENTRIES, ['times', 'one', 'two'], 'a machine').split('\n');
  const find = (text) => lines.find((line) => line.includes(text));
  assert.equal(lines[0], 'a machine');
  assert.match(find('1 ms / 2 ms'), /^ {2}LINEX \/ LIME +row +x 1\.23 +<= 1\.3 +met +1 ms \/ 2 ms$/);
  assert.match(find('SHORT'), /text +x 1\.50 +<= 1\.3 +SHORT$/);
  assert.match(find('composing'), /61\.2% +>= 60% +met$/);
  assert.match(find('a peer'), /not measured +>= 30 +not installed$/);
  assert.match(find('a time'), /1,235 ms$/);
  assert.equal(find('a peer').indexOf('>= 30') + 5, find('SHORT').indexOf('<= 1.3') + 6);
  assert.deepEqual(
    lines.filter((line) => ['times', 'one', 'two'].includes(line)),
    ['times', 'one', 'two'],
  );
});

test('the Markdown has one section per target and one row per case, and missed targets are bold', () => {
  const [first, ...others] = ENTRIES;
  const page = formatMarkdown([{ ...first, of: 'a|b' }, ...others], ['times', 'one', 'two'], 'a machine');
  assert.deepEqual(
    page.split('\n').filter((line) => line.startsWith('#')),
    ['## times', '## one', '## two'],
  );
  const rows = page.split('\n').filter((line) => line.startsWith('|'));
  assert.deepEqual(rows.slice(3), [
    '| measure      | case | measured   | target |',
    '| ------------ | ---- | ---------- | ------ |',
    '| LINEX / LIME | a\\|b | x 1.23     | <= 1.3 |',
    '| LINEX / LIME | text | **x 1.50** | <= 1.3 |',
    '| measure   | case  | measured                     | target |',
    '| --------- | ----- | ---------------------------- | ------ |',
    '| composing | image | 61.2%                        | >= 60% |',
    '| a peer    | row   | not measured (not installed) | >= 30  |',
  ]);
});

test('only a full run is written into the documentation', () => {
  const script = fileURLToPath(new URL('bench-run.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--write', '--quick'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /--write needs a full run/);
});

test('if a peer exits without an answer, the error has its last line of output', async () => {
  const peer = new Peer(process.execPath, ['-e', 'console.error("no lime here"); process.exit(3)']);
  await assert.rejects(peer.ask('hello'), /exited with code 3: no lime here/);
  await assert.rejects(peer.ask('again'), /exited with code 3/);
  await assert.rejects(new Peer('/no/such/program').ask('hello'), /ENOENT/);
});

test('the peak memory is that of the measured process, not of its parent', async (t) => {
  if (process.platform !== 'linux') return t.skip('other systems have only getrusage');
  const { peak } = await measureApart('load');
  const ballast = new Uint8Array(400 * 2 ** 20).fill(1);
  const { peak: again } = await measureApart('load');
  assert.equal(ballast.at(-1), 1);
  assert.ok(again < peak + 100, `${peak} MB, then ${again} MB`);
});

test('an unknown case is refused, and the message names it', () => {
  const script = fileURLToPath(new URL('bench-run.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--only', 'rwo'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /--only must name one or more of row, row-1000, .*engines, not rwo/);
});

test('a quick run gives finite ratios, and lists the missing peers', () => {
  const env = { ...process.env };
  for (const name of ['LIME_PYTHON', 'LIME_PATH', 'WEBSHAP_PATH']) delete env[name];
  const script = fileURLToPath(new URL('bench-run.js', import.meta.url));
  const args = [script, '--quick', '--only', 'text-1000-20', '--json'];
  const output = execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const { quick, entries } = JSON.parse(output.slice(output.indexOf('{')));
  assert.equal(quick, true);
  assert.ok(entries.every(({ of }) => of === 'text-1000-20'));
  const [measured, missing] = [
    entries.filter(({ value }) => value !== undefined),
    entries.filter((one) => one.missing),
  ];
  assert.equal(measured.length + missing.length, entries.length);
  for (const { what, value } of measured) assert.ok(Number.isFinite(value) && value > 0, `${what}: ${value}`);
  assert.deepEqual(
    measured.map(({ target }) => target).filter((target) => target > 0),
    [1, 1, 1, 1, 4],
  );
  assert.deepEqual(
    missing.map(({ target, missing: why }) => [target, why]),
    [[2, 'LIME_PYTHON is not set']],
  );
  assert.match(measured.at(-1).note, /same bits/);
});

test('the masks for the peers are those of the explanation: the full one first, one per planned sample', async () => {
  const { masks, pointOf } = await drawMasks('coins', 30, 50, { scale: 1, kernelWidth: 0.25 });
  assert.equal(masks.length, 50);
  assert.equal(pointOf.length, 50);
  assert.deepEqual(masks[0], new Array(30).fill(1));
  assert.ok(masks.every((mask) => mask.length === 30 && mask.every((part) => part === 0 || part === 1)));
  // The mean of 49 x 30 coins is 0.5 with a standard deviation of 0.013.
  const kept = masks.slice(1).flat();
  assert.ok(Math.abs(kept.reduce((sum, part) => sum + part, 0) / kept.length - 0.5) < 0.07);
});

test('the page says when it was measured, and lists what is short of its target', () => {
  const page = formatPage(ENTRIES, ['times', 'one', 'two'], '2026-01-02 · a machine');
  assert.match(page, /\n2026-01-02 · a machine\n/);
  const [, short] = page.split('## Short of the target\n');
  const rows = short.split('\n').filter((line) => line.startsWith('|'));
  assert.equal(rows.length, 3);
  assert.match(rows[2], /^\| LINEX \/ LIME +\| text +\| x 1\.50 +\| <= 1\.3 +\|$/);
  const met = ENTRIES.filter((entry) => isMet(entry) !== false);
  assert.doesNotMatch(formatPage(met, ['times', 'one', 'two'], 'a machine'), /Short/);
});
