// Tests the demo page as a static host serves it: from a sub-path, in three browsers, with a strict content security policy.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { explainText } from 'linex';
import { buildSite } from '../../.ci/site.js';
import { defaultsOf, hashOf, optionsOf, stateOf, TABS } from '../../web/page-state.js';
import { loadBayes } from '../../web/models/reviews-bayes.js';
import { COLLECTOR, ENGINE_NAMES, openAt } from '../support/browsers.js';
import { countChangingSigns } from '../support/demo-signs.js';
import { demoSignsPage, readTable } from '../support/doc-tables.js';
import { serve } from '../support/server.js';

const LIMIT = { timeout: 120000 };
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linex-site-'));
  await buildSite(join(folder, 'some/where'));
  for (const name of ['web', 'examples/dashboard']) {
    const index = join(folder, 'some/where', name, 'index.html');
    const html = readFileSync(index, 'utf8').replace(/<!doctype html>/i, '$&<script src="/collector.js"></script>');
    writeFileSync(index, html);
  }
});
after(() => rmSync(folder, { recursive: true }));

/** Opens the page at a hash, and waits for its first explanation or for another condition. */
async function openDemo(t, engine, hash = '', ready = 'document.body.dataset.explained') {
  const files = { 'index.html': '', 'collector.js': COLLECTOR };
  const base = await serve(t, pathToFileURL(`${folder}/`), files);
  const page = await openAt(t, engine, `${new URL('some/where/web/index.html', base)}${hash}`);
  await page?.waitFor(`${ready} || problems.length > 0`, 60000);
  return page;
}

const shown = (key) => `document.querySelector('[data-of="${key}"]').explanation`;

for (const engine of ENGINE_NAMES)
  test(`${engine} shows the same explanation of words as Node, LIME beside it, and repeats both`, LIMIT, async (t) => {
    const page = await openDemo(t, engine);
    if (!page) return;
    await page.waitFor("document.querySelector('.signs')", 30000);
    const { classes, predict } = await loadBayes();
    const state = defaultsOf('words');
    const options = { classes, caseSensitive: false, ...optionsOf(state) };
    const expected = await explainText(state.text, predict, { ...options, keepGame: true });
    // Engines have their own Math.exp and Math.log, so the model's last digits may differ; linex's do not.
    const found = await page.evaluate(shown('linex'));
    assert.equal(found.features.length, expected.features.length);
    expected.weights.forEach((weight, i) => assert.ok(Math.abs(found.weights[i] - weight) < 1e-9, `${i}`));
    const lime = await page.evaluate(shown('lime'));
    assert.equal(lime.method, 'lime');
    assert.equal(lime.queries.asked, found.queries.asked);
    const verdict = await page.evaluate("document.querySelector('.verdict').textContent");
    const [, ours, theirs] = verdict.match(/LINEX (\d+), LIME (\d+)/);
    t.diagnostic(verdict);
    assert.ok(Number(ours) < Number(theirs));
    assert.deepEqual(await page.problems(), []);
  });

for (const engine of ENGINE_NAMES)
  test(`${engine} opens the other tabs, each with its own model`, LIMIT, async (t) => {
    const page = await openDemo(t, engine, '#tab=garments');
    if (!page) return;
    assert.equal((await page.evaluate(shown('linex'))).target, 'ankle boot');
    await page.evaluate("document.querySelector('#tab-rows').click()");
    await page.waitFor("document.querySelector('.signs') || problems.length > 0", 30000);
    const row = await page.evaluate(shown('linex'));
    assert.equal(row.kind, 'row');
    assert.equal(row.weights.length, 4);
    assert.match(await page.evaluate('location.hash'), /tab=rows/);
    await page.evaluate("location.hash = '#tab=photo&samples=20'");
    await page.waitFor(
      "document.querySelector('linex-image')?.explanation?.queries.asked === 20 || problems.length > 0",
      60000,
    );
    assert.equal((await page.evaluate(shown('linex'))).target, 'cat');
    await page.evaluate("document.querySelector('#tab-words').click()");
    await page.waitFor("document.querySelector('linex-text')?.explanation || problems.length > 0", 30000);
    assert.deepEqual(await page.problems(), []);
  });

test('the dashboard of the built site finds its worker pool', LIMIT, async (t) => {
  const base = await serve(t, pathToFileURL(`${folder}/`), { 'collector.js': COLLECTOR });
  const page = await openAt(t, 'chromium', `${new URL('some/where/examples/dashboard/index.html', base)}`);
  if (!page) return;
  await page.waitFor('document.documentElement.dataset.ready');
  await page.evaluate("void document.getElementById('explain-all').click()");
  await page.waitFor("document.getElementById('progress').value > 2 || problems.length > 0", 60000);
  assert.deepEqual(await page.problems(), []);
});

test('canceling stops the work, and the page still works', LIMIT, async (t) => {
  const page = await openDemo(
    t,
    'chromium',
    '#tab=photo',
    "document.querySelector('.status')?.textContent.includes('queries answered')",
  );
  if (!page) return;
  await page.evaluate(
    "[...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel').click()",
  );
  await page.waitFor("document.querySelector('.status').textContent === 'Canceled.'");
  await page.evaluate("document.querySelector('#tab-rows').click()");
  await page.waitFor("document.querySelector('linex-bars')?.explanation", 30000);
});

/** Returns the library files that a file loads, including itself. */
function loadedBy(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const code = readFileSync(join(folder, 'some/where/js', name), 'utf8');
  for (const [, other] of code.matchAll(/(?:from|import)\s*"(\.\.?\/[\w/-]+\.js)"/g))
    loadedBy(posix.join(posix.dirname(name), other), found);
  return found;
}

test('the first tab downloads less than 101 KB of the library, compressed', (t) => {
  const files = new Set(['linex.wasm', 'linex-adjust.wasm']);
  const entries = ['elements', 'solve/solve-game', 'measure/stability-metrics', 'explain/explain-text'];
  for (const entry of entries) loadedBy(`${entry}.js`, files);
  const size = (name) => gzipSync(readFileSync(join(folder, 'some/where/js', name)), { level: 9 }).length;
  const total = [...files].reduce((sum, name) => sum + size(name), 0);
  t.diagnostic(`${total} bytes in ${files.size} files`);
  assert.ok(total < 101 * 1024, `${(total / 1024).toFixed(1)} KB`);
});

test('the neural network is loaded only if it is chosen', LIMIT, async (t) => {
  const page = await openDemo(t, 'chromium');
  if (!page) return;
  const fetched =
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /onnx|ort/.test(name)).length";
  assert.equal(await page.evaluate(fetched), 0);
  await page.evaluate(() => {
    const [select] = [...document.querySelectorAll('select')].filter(({ value }) => value === 'bayes');
    select.value = 'network';
    select.dispatchEvent(new Event('change'));
  });
  await page.waitFor("document.body.dataset.explained === '2' || problems.length > 0", 60000);
  assert.match(await page.evaluate('location.hash'), /model=network/);
  assert.deepEqual(await page.problems(), []);
});

test('typing starts a new explanation, and the page stays responsive', LIMIT, async (t) => {
  const page = await openDemo(t, 'chromium');
  if (!page) return;
  await page.waitFor("document.querySelector('.signs')", 30000);
  await page.evaluate(() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ entryTypes: ['longtask'] });
  });
  await page.evaluate("document.querySelector('textarea').focus()");
  await page.type(' Truly terrible!');
  await page.waitFor("document.querySelector('linex-text').explanation?.text.endsWith('terrible!')", 30000);
  const { features, target } = await page.evaluate(shown('linex'));
  const { weight } = features.find(({ name }) => name === 'terrible');
  assert.ok(target === 'negative' ? weight > 0 : weight < 0, `${weight} for ${target}`);
  t.diagnostic(`longest task on the main thread: ${await page.evaluate('globalThis.longest')} ms`);
  assert.deepEqual(await page.problems(), []);
});

test('axe finds no violations on any tab, in the light and the dark theme', LIMIT, async (t) => {
  for (const tab of Object.keys(TABS)) {
    const page = await openDemo(t, 'chromium', `#tab=${tab}`);
    if (!page) return;
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))");
      const found = await page.evaluate(`(async () => { ${axe}; const { violations } = await axe.run(); return violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 120)); })()`); // prettier-ignore
      assert.deepEqual(found, [], `${tab}, ${theme}`);
    }
    await page.close();
  }
});

test('all controls can be reached with the keyboard', LIMIT, async (t) => {
  const page = await openDemo(t, 'chromium');
  if (!page) return;
  await page.waitFor("document.querySelector('.signs')", 30000);
  await page.evaluate("document.querySelector('#theme').focus()");
  const reached = [];
  for (let i = 0; i < 20; i++) {
    reached.push(
      await page.evaluate("(({ tagName, textContent, id }) => id === 'theme' ? 'theme' : tagName === 'BUTTON' || tagName === 'SUMMARY' ? textContent : tagName.toLowerCase())(document.activeElement)"), // prettier-ignore
    );
    await page.press('Tab');
  }
  for (const stop of [
    'theme',
    'Words',
    'textarea',
    'select',
    'Settings',
    'linex-text',
    'PNG',
    'Copy link',
    'Repeat with five seeds',
  ])
    assert.ok(reached.includes(stop), `${stop} among ${reached.join(', ')}`);
});

test('the arrow keys switch tabs', LIMIT, async (t) => {
  const page = await openDemo(t, 'chromium', '#tab=rows');
  if (!page) return;
  await page.evaluate("document.querySelector('#tab-rows').focus()");
  await page.press('ArrowRight');
  await page.waitFor("document.querySelector('linex-text')?.explanation", 30000);
  assert.equal(await page.evaluate('document.activeElement.id'), 'tab-words');
});

test('a broken link shows a message, and the page still works', LIMIT, async (t) => {
  for (const hash of ['#tab=nowhere', '#tab=words&samples=many', '#tab=words&bogus=1']) {
    const page = await openDemo(t, 'chromium', hash);
    if (!page) return;
    assert.match(
      await page.evaluate("document.querySelector('.notice').textContent"),
      /This link (names|has) .*shows its defaults/,
    );
    assert.equal((await page.evaluate(shown('linex'))).kind, 'text');
    await page.close();
  }
});

/** Hashes that could reach what every object inherits, or the markup of the page. */
const HOSTILE_HASHES = [
  ...[
    '#__proto__=x',
    '#constructor=2',
    '#tab=__proto__',
    '#tab=constructor',
    '#model=constructor',
    '#toString',
    '#valueOf=1',
  ],
  ...['#tab=rows&hasOwnProperty=1', '#method=__proto__', '#unit=constructor&tab=garments', '#row=NaN', '#samples=1e9'],
  ...[
    '#%3Cimg%20src=x%20onerror=globalThis.ran=1%3E',
    '#tab=%3Cscript%3Eran=1%3C/script%3E',
    '#=&=',
    '#%',
    '#%E0%A4%A',
  ],
  `#${'a'.repeat(5000)}=1`,
];

for (const engine of ENGINE_NAMES)
  test(`${engine} shows a message for a hostile hash, and the page still works`, LIMIT, async (t) => {
    const page = await openDemo(t, engine, '#constructor=1');
    if (!page) return;
    assert.equal((await page.evaluate(shown('linex'))).kind, 'text');
    for (const hash of HOSTILE_HASHES) {
      await page.evaluate((hash) => {
        document.querySelector('#panel').replaceChildren();
        location.hash = hash;
      }, hash);
      await page.waitFor("document.querySelector('#panel .tab')");
      const notice = await page.evaluate("document.querySelector('#panel .notice')?.textContent ?? ''");
      assert.match(notice, /^This link (names|has) .*shows its defaults/, hash);
      assert.ok(notice.length < 220, notice);
    }
    assert.equal(await page.evaluate('typeof globalThis.ran'), 'undefined');
    assert.deepEqual(await page.problems(), []);
  });

test('a file that is not an image shows a message', LIMIT, async (t) => {
  const page = await openDemo(t, 'chromium', '#tab=garments');
  if (!page) return;
  await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File(['not a picture'], 'holiday.png', { type: 'image/png' }));
    const input = document.querySelector('input[type=file]');
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
  });
  await page.waitFor("document.querySelector('.status').textContent.includes('holiday.png')");
  assert.match(
    await page.evaluate("document.querySelector('.status').textContent"),
    /Could not read “holiday\.png” as an image/,
  );
});

test('missing WebAssembly and a broken model show a message', LIMIT, async (t) => {
  const base = await serve(t, pathToFileURL(`${folder}/`), {
    'index.html': '',
    'collector.js': `${COLLECTOR}; delete globalThis.WebAssembly;`,
    'some/where/web/models/garments.onnx': 'this is no network',
  });
  const page = await openAt(t, 'chromium', new URL('some/where/web/index.html', base).href);
  if (!page) return;
  await page.waitFor("document.querySelector('.notice')");
  assert.match(await page.evaluate("document.querySelector('.notice').textContent"), /WebAssembly is switched off/);
  const other = await serve(t, pathToFileURL(`${folder}/`), {
    'index.html': '',
    'collector.js': COLLECTOR,
    'some/where/web/models/garments.onnx': 'this is no network',
  });
  const broken = await openAt(t, 'chromium', `${new URL('some/where/web/index.html', other)}#tab=garments`);
  await broken.waitFor("document.querySelector('.status')?.textContent.startsWith('The explanation failed')", 30000);
  await broken.evaluate("document.querySelector('#tab-words').click()");
  await broken.waitFor("document.querySelector('linex-text')?.explanation", 30000);
});

test('the documentation says how many signs change on the page, for LINEX and for LIME', async () => {
  assert.equal(readTable('demo-signs.md'), demoSignsPage(await countChangingSigns()));
});

test('a link holds the settings that differ from the defaults', () => {
  for (const tab of Object.keys(TABS)) assert.equal(hashOf(defaultsOf(tab)), `#tab=${tab}`);
  const state = { ...defaultsOf('words'), text: 'Ünïcode & more = fun', samples: 300, steady: false, gamma: '0.5' };
  assert.deepEqual(stateOf(hashOf(state)), { state, problem: null });
});
