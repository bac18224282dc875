import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { findTool } from '../.ci/setup.js';
import { chromium } from 'playwright-core';

const root = new URL('..', import.meta.url);
const bytes = readFileSync(new URL('js/linex.wasm', root));

/** Runs a module that imports linex in a Node of its own, where nothing is loaded yet. */
const inNode = (script) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).trim();

test('the wasm is under 60 KB and imports at most one thing', () => {
  assert.ok(bytes.length < 60 * 1024, `${bytes.length} bytes`);
  assert.ok(WebAssembly.Module.imports(new WebAssembly.Module(bytes)).length <= 1);
  console.log(`  linex.wasm is ${bytes.length} bytes`);
});

test('every export is named in wasm.exports, and nothing else of ours is exported', () => {
  const named = readFileSync(new URL('src/wasm.exports', root), 'utf8').trim().split('\n').sort();
  const exported = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => `_${name}`);
  assert.deepEqual(exported.filter((name) => name.startsWith('_linex')).sort(), named);
});

test('the module is loaded from its own place, from an address, from bytes, and as a module', () => {
  const play = `console.log(solveGame({ grams: [[1]], targets: [[1]], gamma: 9 }).weights[0]);`;
  const file = JSON.stringify(new URL('js/linex.wasm', root).href);
  const read = `const bytes = (await import('node:fs')).readFileSync('js/linex.wasm');`;
  for (const call of [
    'load()',
    `load({ wasm: ${file} })`,
    'load({ wasm: bytes })',
    'load({ wasm: new WebAssembly.Module(bytes) })',
  ])
    assert.equal(inNode(`import { load, solveGame } from 'linex'; ${read} await ${call}; ${play}`), '1', call);
});

test('an unusable wasm argument is a clear error, and the next load may still succeed', () => {
  const attempt = (wasm) =>
    inNode(`import { load } from 'linex';
      const error = await load({ wasm: ${wasm} }).catch((error) => error);
      await load();
      console.log(error.name, error.code, error.message);`);
  assert.match(attempt('42'), /^TypeError undefined wasm must be an address, bytes or a WebAssembly.Module, not 42/);
  assert.match(attempt('new Uint8Array([1, 2, 3])'), /^LinexError load linex.wasm cannot be compiled/);
  assert.match(
    attempt("'file:///nowhere/linex.wasm'"),
    /^LinexError load linex.wasm cannot be had from "file:\/\/\/nowhere/,
  );
  assert.match(attempt("'http://127.0.0.1:9/linex.wasm'"), /^LinexError load linex.wasm cannot be had from/);
  const empty = '0, 0x61, 0x73, 0x6d, 1, 0, 0, 0';
  assert.match(attempt(`new Uint8Array([${empty}])`), /^LinexError load the WebAssembly module is not linex/);
});

test("Chromium explains a row under a CSP of script-src 'self' 'wasm-unsafe-eval'", async (t) => {
  const page = `<!doctype html><meta charset="utf-8"><title>linex</title><script type="module" src="/page.js"></script>`;
  const script = `
    import { describeTable, explainRow } from '/js/index.js';
    const rows = Array.from({ length: 30 }, (_, i) => [i % 5, (i * i) % 7]);
    const table = await describeTable(rows);
    const predict = (batch) => [...batch].map(([a, b]) => a - 2 * b);
    const { weights, queries } = await explainRow(rows[3], predict, { table, samples: 200, ridge: 0, gamma: 50 });
    globalThis.result = { weights, queries, spreads: table.columns.map(({ spread }) => spread) };`;
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const name = path === '/' ? 'index.html' : path.slice(1);
    response.setHeader('content-security-policy', "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
    response.setHeader('content-type', types[name.split('.').pop()] ?? 'text/plain');
    if (path === '/') return response.end(page);
    if (path === '/page.js') return response.end(script);
    try {
      return response.end(readFileSync(new URL(name, root)));
    } catch {
      response.statusCode = 404;
      return response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const browser = await chromium.launch({
    executablePath: findTool('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  t.after(() => browser.close());
  const tab = await browser.newPage();
  const problems = [];
  tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  tab.on('pageerror', (error) => problems.push(String(error)));
  await tab.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => globalThis.result, undefined, { timeout: 20000 }).catch(() => {});
  assert.deepEqual(problems, []);
  const { weights, queries, spreads } = await tab.evaluate(() => globalThis.result);
  assert.ok(Math.abs(weights[0] - spreads[0]) < 1e-9 && Math.abs(weights[1] + 2 * spreads[1]) < 1e-9);
  assert.equal(queries.asked, 200);
});
