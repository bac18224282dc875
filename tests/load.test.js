import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { linearScript, resultOfPage } from './page.js';

const root = new URL('..', import.meta.url);
const bytes = readFileSync(new URL('js/linex.wasm', root));

/** Runs a module that imports linex in a Node of its own, where nothing is loaded yet. */
const inNode = (script) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).trim();

test('the wasm is under 45 KB gzipped and imports at most one thing', () => {
  assert.ok(gzipSync(bytes).length < 45 * 1024, `${gzipSync(bytes).length} bytes`);
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
  assert.match(
    attempt('new TextEncoder().encode("<!doctype html>")'),
    /^LinexError load .* a web page came in its place/,
  );
  const empty = '0, 0x61, 0x73, 0x6d, 1, 0, 0, 0';
  assert.match(attempt(`new Uint8Array([${empty}])`), /^LinexError load the WebAssembly module is not linex/);
});

test('a second load from elsewhere is refused, not ignored', () => {
  const again = (first, second) =>
    inNode(`import { load } from 'linex';
      await load(${first});
      console.log(await load(${second}).then(() => 'fine', (error) => error.message));`);
  assert.equal(again('', ''), 'fine');
  assert.match(again('', "{ wasm: './other.wasm' }"), /loaded already, from "its own place"/);
  assert.match(again('', '{ wams: 1 }'), /load has no option "wams"; did you mean "wasm"/);
  assert.equal(again("{ wasm: 'js/linex.wasm' }", "{ wasm: 'js/linex.wasm' }"), 'fine');
});

test("Chromium explains a row under a CSP of script-src 'self' 'wasm-unsafe-eval'", async (t) => {
  const { result, problems, skipped } = await resultOfPage(t, root, {
    'index.html':
      '<!doctype html><meta charset="utf-8"><title>linex</title><script type="module" src="/page.js"></script>',
    'page.js': linearScript('/js/index.js'),
  });
  if (skipped) return;
  assert.deepEqual(problems, []);
  assert.ok(result.off < 1e-9);
  assert.equal(result.queries.asked, 200);
});
