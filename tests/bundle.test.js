// What a front-end developer does: install the package, import it, build. The package is the one npm would publish.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { linearScript, resultOfPage } from './page.js';

const root = new URL('..', import.meta.url);
let app;

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

test('Vite builds a page with it, wasm and all, and the page works', async (t) => {
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

test('esbuild bundles it for the browser, and it works with the wasm copied beside the bundle', async (t) => {
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
  const copy = `import { copyFileSync } from 'node:fs';
    copyFileSync('node_modules/linex/js/linex.wasm', 'out/linex.wasm'); copyFileSync('index.html', 'out/index.html');`;
  execFileSync(process.execPath, ['--input-type=module', '-e', copy], { cwd: app });
  const page = await resultOfPage(t, pathToFileURL(join(out, '/')));
  if (page.skipped) return;
  assert.deepEqual(page.problems, []);
  assert.ok(page.result.off < 1e-9);
});

test('the package holds what it needs and nothing else', () => {
  const files = readdirSync(join(app, 'node_modules', 'linex')).sort();
  assert.deepEqual(files, ['CHANGELOG.md', 'LICENSE', 'README.md', 'js', 'package.json', 'types']);
});
