// How the WebAssembly modules are loaded, and what they import and export.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MODULES } from '../../.ci/build.js';
import { linearScript, resultOfPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);
const read = (name) => readFileSync(new URL(`js/${name}`, root));

/** Runs a script that imports linex in a new Node process, where nothing is loaded yet. */
const inNode = (script) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).trim();

test('each module imports only the notice that its memory grew', () => {
  assert.equal(MODULES.length, 9);
  const notice = { module: 'env', name: 'emscripten_notify_memory_growth', kind: 'function' };
  for (const name of MODULES)
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(read(name))), [notice], name);
});

test('each module exports exactly the functions in its list of exports', () => {
  const named = (...lists) => {
    const all = lists.map((list) =>
      readFileSync(new URL(`src/${list}.exports`, root), 'utf8')
        .trim()
        .split('\n'),
    );
    return [...new Set(all.flat())].sort();
  };
  const exported = (name) =>
    WebAssembly.Module.exports(new WebAssembly.Module(read(name)))
      .map((one) => `_${one.name}`)
      .filter((one) => one.startsWith('_linex'))
      .sort();
  const lists = ['adjust', 'kriging', 'masks', 'wide', 'image', 'data', 'shapley'];
  assert.deepEqual(exported('linex.wasm'), named('core'));
  for (const list of lists) assert.deepEqual(exported(`linex-${list}.wasm`), named(list));
  assert.deepEqual(exported('linex-plain.wasm'), named('core', ...lists));
});

test('an optional module is loaded on first use, from the folder of the library or from the URL passed to load()', () => {
  const explain = `const { weights } = await explainText('a b', (texts) => texts.map((text) => text.length), { method: 'shap' });`;
  const watch = `const compile = WebAssembly.compile;
    let compiled = 0;
    WebAssembly.compile = (bytes) => (compiled++, compile(bytes));`;
  const run = (options) =>
    inNode(`import { explainText, load } from 'linex'; import { readFileSync } from 'node:fs';
      ${watch} await load(${options}); const before = compiled; ${explain} console.log(before, compiled, weights.join());`);
  assert.equal(run(''), '2 3 1.5,1.5');
  assert.equal(run("{ shapley: readFileSync('js/linex-shapley.wasm') }"), '2 2 1.5,1.5');
  assert.throws(() => run("{ shapley: readFileSync('js/linex.wasm') }"), /it does not export linex_wasm_shapley_start/);
});

/**
 * Runs calls in a new process. Returns the files whose loading was started, in order, and how many of them before the model
 * was first asked.
 */
function filesOf(calls) {
  const script = `import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    import { explainImage, explainRow, explainText, describeTable } from 'linex';
    const { readFile } = fs;
    const loaded = [];
    let before;
    fs.readFile = (file, ...options) => {
      if (/\\.wasm$/.test(file)) loaded.push(String(file).split('/').pop());
      return readFile(file, ...options);
    };
    syncBuiltinESMExports();
    const table = () => describeTable(Array.from({ length: 50 }, (_, i) => [i % 7, (i * i) % 11, i]));
    const asked = () => (before ??= loaded.length);
    const predict = (batch) => (asked(), batch.rows.map(([a, b, c]) => a * b - c * c));
    const texts = (batch) => (asked(), batch.map((text) => text.length % 7));
    const images = ({ data, shape: [count] }) =>
      (asked(), Array.from({ length: count }, (_, i) => data[(i * data.length) / count]));
    const words = (count) => Array.from({ length: count }, (_, i) => 'w' + i).join(' ');
    const image = { data: new Uint8Array(300).map((_, i) => i), width: 10, height: 10, channels: 3 };
    ${calls}
    console.log(JSON.stringify({ loaded, before }));`;
  return JSON.parse(inNode(script));
}

test('an explanation loads only the files that it needs, and starts before the model is asked', () => {
  const row = (options) => `await explainRow([1, 2, 3], predict, { table: table(), ${options} });`;
  const text = (count, options) => `await explainText(words(${count}), texts, { ${options} });`;
  const cases = [
    [row(''), 'linex', 'adjust'],
    [row("method: 'lime'"), 'linex', 'adjust'],
    [row("preset: 'strict'"), 'linex', 'adjust'],
    [row('samples: 300'), 'linex', 'kriging'],
    [row('samples: 9'), 'linex'],
    [row("adjust: 'none'"), 'linex'],
    [row("preset: 'paper'"), 'linex'],
    [row("intercept: 'none'"), 'linex'],
    [row("environments: 'clusters'"), 'linex'],
    [text(4, ''), 'linex'],
    [text(12, ''), 'linex', 'masks'],
    [text(14, 'samples: 2500'), 'linex', 'adjust'],
    [text(12, 'samples: 20'), 'linex', 'adjust'],
    [text(12, "preset: 'paper'"), 'linex'],
    [text(140, "features: 'all', samples: 200, draws: 1"), 'linex', 'wide'],
    [text(40, "preset: 'paper', features: 'all', samples: 100, draws: 1"), 'linex', 'wide'],
    [text(40, "preset: 'paper', features: 'all', samples: 200, draws: 1"), 'linex'],
    ["await explainImage(image, images, { segments: 'grid', samples: 300 });", 'linex', 'image', 'masks'],
  ];
  for (const [call, ...files] of cases) {
    const { loaded, before } = filesOf(call);
    const names = files.map((name) => (name === 'linex' ? 'linex.wasm' : `linex-${name}.wasm`));
    assert.deepEqual([...loaded].sort(), names.sort(), call);
    // The file for many features is only known when the samples are, so it may come before the model is asked or after.
    const known = files.filter((name) => name !== 'wide').length;
    assert.ok(before === known || (before > known && before === files.length), `${call}: ${before}`);
  }
});

test('rows are adjusted by other files if samples are added until there are many', () => {
  const { loaded } = filesOf(
    `const noise = (batch) => [...batch].map(([a, b, c]) => Math.sin(99 * (a + b * c)));
    await explainRow([1, 2, 3], noise, { table: table(), samples: 'auto', precision: 1e-9, maxSamples: 800 });`,
  );
  assert.deepEqual(loaded, ['linex.wasm', 'linex-kriging.wasm', 'linex-adjust.wasm']);
});

test('partial explanations of many features wait for their file before the model is asked', () => {
  const { loaded, before } = filesOf(`const partials = [];
    const onProgress = (progress) => partials.push(progress.partial);
    const options = { preset: 'paper', features: 'all', samples: 200, batchSize: 50, draws: 1, onProgress };
    await explainText(words(40), texts, options);
    if (!partials.every((partial) => partial.weights.length === 40)) throw new Error('a partial explanation is missing');`);
  assert.deepEqual(loaded, ['linex.wasm', 'linex-wide.wasm']);
  assert.equal(before, 2);
});

test('synchronous calls need load(), which also loads the file for many features', () => {
  const explain = (load, count) =>
    inNode(`import { explainSamples, load } from 'linex';
      import { readFileSync } from 'node:fs';
      await load(${load});
      const points = Array.from({ length: 60 }, (_, i) => Array.from({ length: ${count} }, (_, c) => Math.sin(i * c + i)));
      const predictions = points.map(([a, b]) => a - b);
      const explain = () => explainSamples({ points, predictions }, { preset: 'paper', features: 'all' }).weights.length;
      try {
        console.log(explain());
      } catch (error) {
        console.log(error.name, error.code, error.message);
      }`);
  assert.equal(explain('', 40), '40');
  const core = "wasm: readFileSync('js/linex.wasm')";
  assert.equal(explain(`{ ${core} }`, 10), '10');
  assert.equal(explain(`{ ${core}, wide: readFileSync('js/linex-wide.wasm') }`, 40), '40');
  assert.equal(explain("{ wasm: readFileSync('js/linex-plain.wasm') }", 40), '40');
  assert.equal(
    explain(`{ ${core} }`, 40),
    'LinexError load so many features need linex-wide.wasm: await load(), or load({ wide }) with its URL, before the first call',
  );
});

test('a file that could not be loaded ahead is an error of the explanation', () => {
  const said = inNode(`import { explainRow, describeTable, load } from 'linex';
    const rows = Array.from({ length: 50 }, (_, i) => [i % 7, i]);
    await load();
    WebAssembly.compile = () => Promise.reject(new Error('no more'));
    const table = await describeTable(rows);
    const explain = () => explainRow(rows[3], (batch) => [...batch].map(([a, b]) => a * b), { table });
    const first = await explain().catch((error) => error);
    const last = await explainRow(rows[3], (batch) => [...batch].map(([a, b]) => a * b), { table, adjust: 'none' });
    console.log(first.name, first.code, first.message, last.kind);`);
  assert.equal(
    said,
    'LinexError load could not compile linex-adjust.wasm (from ' +
      new URL('js/linex-adjust.wasm', root) +
      '): no more row',
  );
});

test('the module is loaded from the folder of the library, from a URL, from bytes and from a WebAssembly.Module', () => {
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

test('without SIMD the plain module is loaded, and its explanations have the same bits', () => {
  // SIMD cannot be switched off in V8, so the check for it is replaced.
  const run = (before) =>
    inNode(`const compile = WebAssembly.compile;
      const sizes = [];
      WebAssembly.compile = (bytes) => (sizes.push(bytes.length), compile(bytes));
      ${before}
      const { answers } = await import('./tests/support/cases.js');
      console.log(JSON.stringify({ answers: await answers(), sizes }));`);
  const [fast, plain] = ['', 'WebAssembly.validate = () => false;'].map((before) => JSON.parse(run(before)));
  const sizes = (...names) => names.map((name) => read(name).length);
  const others = ['kriging', 'masks', 'adjust', 'data', 'image', 'shapley'].map((name) => `linex-${name}.wasm`);
  assert.deepEqual(fast.sizes.sort(), sizes('linex.wasm', ...others).sort());
  assert.deepEqual(plain.sizes, sizes(...new Array(4).fill('linex-plain.wasm')));
  assert.ok(Object.keys(fast.answers).length > 10);
  assert.deepEqual(plain.answers, fast.answers);
});

test('an unusable wasm argument is a clear error, and the next load can succeed', () => {
  const attempt = (wasm) =>
    inNode(`import { load } from 'linex';
      const error = await load({ wasm: ${wasm} }).catch((error) => error);
      await load();
      console.log(error.name, error.code, error.message);`);
  assert.match(attempt('42'), /^TypeError undefined load: wasm must be a URL, bytes or a WebAssembly.Module, not 42/);
  assert.match(attempt('new Uint8Array([1, 2, 3])'), /^LinexError load could not compile linex.wasm/);
  assert.match(
    attempt("'file:///nowhere/linex.wasm'"),
    /^LinexError load could not load linex.wasm from "file:\/\/\/nowhere/,
  );
  assert.match(attempt("'http://127.0.0.1:9/linex.wasm'"), /^LinexError load could not load linex.wasm from/);
  assert.match(
    attempt('new TextEncoder().encode("<!doctype html>")'),
    /^LinexError load .* the server sent a web page instead/,
  );
  const image = (place) =>
    inNode(`import { load } from 'linex';
      console.log(String(await load({ image: ${place} }).catch((error) => error)));`);
  assert.match(image('5'), /TypeError: load: image must be a URL/);
  const long = `/nowhere/${'a'.repeat(80)}/linex-image.wasm`;
  assert.match(image(`'file://${long}'`), /could not load linex-image.wasm from ".*a\/linex-image.wasm": /);
  const swapped = image("await import('node:fs').then((fs) => fs.readFileSync('js/linex.wasm'))");
  assert.match(swapped, /not linex-image.wasm: it does not export linex_wasm_compose/);
  const empty = '0, 0x61, 0x73, 0x6d, 1, 0, 0, 0';
  assert.match(attempt(`new Uint8Array([${empty}])`), /^LinexError load the WebAssembly module is not linex.wasm/);
});

test('a second load with another URL is refused', () => {
  const again = (first, second) =>
    inNode(`import { load } from 'linex';
      await load(${first});
      console.log(await load(${second}).then(() => 'fine', (error) => error.message));`);
  assert.equal(again('', ''), 'fine');
  assert.match(again('', "{ wasm: './other.wasm' }"), /already loaded from "its own folder"/);
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
