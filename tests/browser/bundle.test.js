// Installs the package as npm would publish it, and builds pages with it using Vite and esbuild.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { linearScript, resultOfPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);
let app;

/**
 * A page with two pools. One has its own worker script. The other uses ours, which imports a model that no bundler
 * sees.
 */
const POOLED = `
  import { describeTable, explainRows } from 'linex';
  import { openPool } from 'linex/pool';
  import { predict } from './model.js';
  const rows = Array.from({ length: 30 }, (_, i) => [i % 5, (i * i) % 7]);
  const options = { table: await describeTable(rows), samples: 50, draws: 5 };
  const all = async (explanations) => {
    const found = [];
    for await (const explanation of explanations) found.push({ ...explanation, milliseconds: 0 });
    return JSON.stringify(found);
  };
  const expected = await all(explainRows(rows, predict, options));
  const compare = async (pool) => {
    const found = await all(pool.explainRows(rows, options));
    await pool.close();
    return found === expected ? 'same' : found;
  };
  const start = () => new Worker(new URL('./model-worker.js', import.meta.url), { type: 'module' });
  const own = await compare(await openPool(start, { workers: 2 }));
  const ours = await compare(await openPool('/plain-model.js', { workers: 2 }));
  globalThis.result = { own, ours };
`;

before(() => {
  app = mkdtempSync(join(tmpdir(), 'linex-app-'));
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', app], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const found = JSON.parse(packed);
  const [{ filename }] = Array.isArray(found) ? found : Object.values(found);
  mkdirSync(join(app, 'node_modules', 'linex'), { recursive: true });
  execFileSync('tar', ['xzf', join(app, filename), '-C', join(app, 'node_modules', 'linex'), '--strip-components=1']);
  writeFileSync(join(app, 'main.js'), linearScript('linex'));
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><meta charset="utf-8"><title>app</title><script type="module" src="/main.js"></script>',
  );
});

after(() => rmSync(app, { recursive: true }));

test('Vite builds a page with linex and its wasm, and the page works', async (t) => {
  await vite({ root: app, logLevel: 'error', build: { target: 'esnext' } });
  const assets = readdirSync(join(app, 'dist', 'assets'));
  assert.ok(
    assets.some((name) => name.endsWith('.wasm')),
    assets.join(', '),
  );
  const { result, problems, skipped } = await resultOfPage(t, pathToFileURL(join(app, 'dist/')));
  if (skipped) return;
  assert.deepEqual(problems, []);
  assert.ok(result.off < 1e-9);
});

test('Vite builds a page with a pool whose worker script imports the model, and the page works', async (t) => {
  const pooled = join(app, 'pooled');
  mkdirSync(join(pooled, 'public'), { recursive: true });
  for (const name of ['model.js', 'public/plain-model.js'])
    writeFileSync(join(pooled, name), 'export const predict = (batch) => [...batch].map(([a, b]) => a - 2 * b);');
  writeFileSync(
    join(pooled, 'model-worker.js'),
    "import { joinPool } from 'linex/pool-worker'; import { predict } from './model.js'; joinPool({ predict });",
  );
  writeFileSync(join(pooled, 'main.js'), POOLED);
  writeFileSync(join(pooled, 'index.html'), readFileSync(join(app, 'index.html')));
  await vite({ root: pooled, logLevel: 'error', build: { target: 'esnext' }, worker: { format: 'es' } });
  const { result, problems, skipped } = await resultOfPage(t, pathToFileURL(join(pooled, 'dist/')));
  if (skipped) return;
  assert.deepEqual(problems, []);
  assert.deepEqual(result, { own: 'same', ours: 'same' });
});

test('esbuild bundles linex for the browser, and it works with the wasm in the same folder', async (t) => {
  const out = join(app, 'out');
  const result = await esbuild({
    entryPoints: [join(app, 'main.js')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    outfile: join(out, 'main.js'),
    logLevel: 'silent',
  });
  assert.deepEqual([result.errors, result.warnings], [[], []]);
  // As the guide for bundlers says.
  execFileSync('cp', ['node_modules/linex/js/linex*.wasm', 'index.html', 'out/'], { cwd: app, shell: true });
  const page = await resultOfPage(t, pathToFileURL(join(out, '/')));
  if (page.skipped) return;
  assert.deepEqual(page.problems, []);
  assert.ok(page.result.off < 1e-9);
});

test('the package holds only the needed files', () => {
  const files = readdirSync(join(app, 'node_modules', 'linex')).sort();
  assert.deepEqual(files, [
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'custom-elements.json'],
    'js',
    'package.json',
    'types',
  ]);
});
