// Tests the demo page as a static host serves it: from a sub-path, in three browsers, with a strict content security policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { explainText } from 'linex';
import { loadBayes } from '../../web/models/reviews-bayes.js';
import { defaultsOf, hashOf, optionsOf, stateOf, TABS } from '../../web/page-state.js';
import { COLLECTOR, ENGINE_NAMES, openAt } from '../support/pages/browsers.js';
import { AT, builtSite, openDemo, SHOWN } from '../support/pages/demo-page.js';
import { countChangingSigns } from '../support/pages/demo-signs.js';
import { demoSignsPage, readTable } from '../support/doc-tables.js';
import { serve } from '../support/pages/server.js';

const LIMIT = { timeout: 120000 };
const site = builtSite();
const open = (t, engine, hash = '', ready = undefined) => openDemo(t, engine, site, { hash, ready });

for (const engine of ENGINE_NAMES)
  test(
    `${engine} shows a first screen that asks twice, and the same explanation of words as Node`,
    LIMIT,
    async (t) => {
      const page = await open(t, engine);
      if (!page) return;
      const { classes, predict } = await loadBayes();
      const state = defaultsOf('words');
      const expected = await explainText(state.text, predict, { classes, caseSensitive: false, ...optionsOf(state) });
      // Engines have their own Math.exp and Math.log, so the model's last digits may differ; linex's do not.
      const found = await page.evaluate(SHOWN);
      assert.equal(found.features.length, expected.features.length);
      expected.weights.forEach((weight, i) =>
        assert.ok(Math.abs(found.weights[i] - weight) < 1e-9, `${i}: ${found.weights[i]}, not ${weight}`),
      );
      await page.waitFor("document.querySelector('#live').dataset.runs === '5'", 30000);
      assert.match(
        await page.evaluate("document.querySelector('.live .answer').textContent"),
        new RegExp(`${Math.round(100 * expected.prediction)}% ${expected.target}`),
      );
      // Nobody changes sides with LINEX here, as the documentation counts; the page counts from its own runs.
      const changed = (key) => `Number(document.querySelector('.run.${key} .verdict').dataset.changed)`;
      assert.equal(await page.evaluate(changed('linex')), 0);
      assert.equal(
        await page.evaluate(changed('lime')),
        await page.evaluate("new Set([...document.querySelectorAll('.lime .changed')].map((word) => word.textContent.toLowerCase())).size"), // prettier-ignore
      );
      await page.evaluate("document.querySelector('.live button').click()");
      await page.waitFor("document.querySelector('#live').dataset.runs === '6'");
      const first = await page.evaluate("performance.getEntriesByName('first-explanation')[0].startTime");
      t.diagnostic(`first explanation after ${Math.round(first)} ms`);
      assert.deepEqual(await page.problems(), []);
    },
  );

for (const engine of ENGINE_NAMES)
  test(`${engine} opens the other tabs, each with its own model`, LIMIT, async (t) => {
    const page = await open(t, engine, '#tab=garments');
    if (!page) return;
    assert.equal((await page.evaluate(SHOWN)).target, 'trouser');
    await page.evaluate("document.querySelector('#tab-rows').click()");
    await page.waitFor("document.querySelector('linex-bars')?.explanation || problems.length > 0", 30000);
    const row = await page.evaluate(SHOWN);
    assert.equal(row.kind, 'row');
    assert.equal(row.weights.length, 4);
    assert.match(await page.evaluate('location.hash'), /tab=rows/);
    await page.evaluate("location.hash = '#tab=photo&samples=20'");
    await page.waitFor(
      "document.querySelector('linex-image')?.explanation?.queries.asked === 20 || problems.length > 0",
      60000,
    );
    assert.equal((await page.evaluate(SHOWN)).target, 'cat');
    await page.evaluate("document.querySelector('#tab-words').click()");
    await page.waitFor("document.querySelector('linex-text')?.explanation || problems.length > 0", 30000);
    assert.deepEqual(await page.problems(), []);
  });

test('the dashboard of the built site finds its worker pool', LIMIT, async (t) => {
  const base = await serve(t, pathToFileURL(`${site.folder()}/`), { 'collector.js': COLLECTOR });
  const page = await openAt(t, 'chromium', `${new URL(`${AT}examples/dashboard/index.html`, base)}`);
  if (!page) return;
  await page.waitFor('document.documentElement.dataset.ready');
  await page.evaluate("void document.getElementById('explain-all').click()");
  await page.waitFor("document.getElementById('progress').value > 2 || problems.length > 0", 60000);
  assert.deepEqual(await page.problems(), []);
});

test('canceling stops the work, and the page still works', LIMIT, async (t) => {
  const page = await open(
    t,
    'chromium',
    '#tab=photo',
    "document.querySelector('.work .status')?.textContent.includes('questions answered')",
  );
  if (!page) return;
  await page.evaluate("document.querySelector('.work button').click()");
  await page.waitFor("document.querySelector('.work .status').textContent === 'Canceled.'");
  await page.evaluate("document.querySelector('#tab-rows').click()");
  await page.waitFor("document.querySelector('linex-bars')?.explanation", 30000);
});

/**
 * The largest downloads of the library, in KB: for the first screen with its live explanation, and with the first tab, whose
 * picture is drawn when it comes near the screen. The aim is 70 KB for the first screen. It is missed since texts are kriged:
 * 56 KB of both are WebAssembly, 20 of them for kriging masks.
 */
const [MOST_FIRST, MOST_TAB] = [74, 93];

test(
  'the first screen downloads less than 74 KB of the library, compressed, and with the first tab 93',
  LIMIT,
  async (t) => {
    const asked = new Set();
    const files = { 'index.html': '', 'collector.js': COLLECTOR };
    const base = await serve(t, pathToFileURL(`${site.folder()}/`), files, undefined, asked);
    // As on a phone and on many laptops, the tab is below the screen.
    const page = await openAt(t, 'chromium', `${new URL(`${AT}web/index.html`, base)}`, { width: 1280, height: 720 });
    if (!page) return;
    /** What the server was asked for, by the page and by its worker. */
    const download = () => {
      const names = [...asked].filter((path) => path.startsWith(`${AT}js/`));
      const sizes = names.map((path) => gzipSync(readFileSync(join(site.folder(), path)), { level: 9 }).length / 1024);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      t.diagnostic(
        `${total.toFixed(1)} KB: ${names.map((name, i) => `${name.split('/').pop()} ${sizes[i].toFixed(1)}`).join(', ')}`,
      );
      return { names, total };
    };
    await page.waitFor("document.querySelector('#live').dataset.runs === '5'", 30000);
    const first = download();
    assert.ok(first.names.some((name) => name.endsWith('/linex.wasm')));
    assert.ok(first.total < MOST_FIRST, `${first.total} KB`);
    assert.equal(await page.evaluate('document.body.dataset.explained ?? null'), null);
    await page.evaluate("document.querySelector('.tabs').scrollIntoView()");
    await page.waitFor('document.body.dataset.explained', 30000);
    const whole = download();
    assert.ok(whole.names.some((name) => name.endsWith('/element-text.js')));
    assert.ok(whole.total < MOST_TAB, `${whole.total} KB`);
  },
);

test('the neural network is loaded only if it is chosen', LIMIT, async (t) => {
  const page = await open(t, 'chromium');
  if (!page) return;
  const fetched =
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /onnx|ort/.test(name)).length";
  assert.equal(await page.evaluate(fetched), 0);
  await page.evaluate(() => {
    const select = document.querySelector('select[aria-label="Model"]');
    select.value = 'network';
    select.dispatchEvent(new Event('change'));
  });
  await page.waitFor("document.body.dataset.explained === '2' || problems.length > 0", 60000);
  assert.match(await page.evaluate('location.hash'), /model=network/);
  assert.deepEqual(await page.problems(), []);
});

test('typing starts a new explanation, and the page stays responsive', LIMIT, async (t) => {
  const page = await open(t, 'chromium');
  if (!page) return;
  await page.evaluate(() => {
    globalThis.longest = 0;
    const seen = (list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    };
    new PerformanceObserver(seen).observe({ type: 'longtask', buffered: true });
  });
  await page.evaluate("document.querySelector('textarea').focus()");
  await page.type(' Truly terrible!');
  await page.waitFor("document.querySelector('linex-text').explanation?.text.endsWith('terrible!')", 30000);
  const { features, target } = await page.evaluate(SHOWN);
  const { weight } = features.find(({ name }) => name === 'terrible');
  assert.ok(target === 'negative' ? weight > 0 : weight < 0, `${weight} for ${target}`);
  t.diagnostic(`longest task on the main thread: ${await page.evaluate('globalThis.longest')} ms`);
  assert.deepEqual(await page.problems(), []);
});

test('all controls can be reached with the keyboard', LIMIT, async (t) => {
  const page = await open(t, 'chromium');
  if (!page) return;
  await page.waitFor("document.querySelector('#live').dataset.runs === '5'", 30000);
  await page.evaluate("document.querySelector('#theme').focus()");
  const reached = [];
  for (let i = 0; i < 45; i++) {
    reached.push(
      await page.evaluate("(({ tagName, textContent, ariaLabel }) => tagName === 'BUTTON' || tagName === 'SUMMARY' ? textContent : ariaLabel ?? tagName.toLowerCase())(document.activeElement)"), // prettier-ignore
    );
    await page.press('Tab');
  }
  const stops = ['Dark', 'Ask again', 'Words', 'Your text', 'In the text', 'Another text', 'What if?', 'linex-text'];
  const further = ['Method', 'Model', 'Questions', 'Settings', 'PNG', 'Code', 'Copy link', 'Measure again', 'Technical view']; // prettier-ignore
  for (const stop of [...stops, ...further]) assert.ok(reached.includes(stop), `${stop} among ${reached.join(', ')}`);
});

test('the arrow keys switch tabs', LIMIT, async (t) => {
  const page = await open(t, 'chromium', '#tab=rows');
  if (!page) return;
  await page.evaluate("document.querySelector('#tab-rows').focus()");
  await page.press('ArrowLeft');
  await page.waitFor("document.querySelector('linex-text')?.explanation", 30000);
  assert.equal(await page.evaluate('document.activeElement.id'), 'tab-words');
});

test('a broken link shows a message, and the page still works', LIMIT, async (t) => {
  for (const hash of ['#tab=nowhere', '#tab=words&samples=many', '#tab=words&bogus=1', '#tab=words&method=maple']) {
    const page = await open(t, 'chromium', hash);
    if (!page) return;
    assert.match(
      await page.evaluate("document.querySelector('.notice').textContent"),
      /This link (names|has) .*shows its defaults/,
    );
    assert.equal((await page.evaluate(SHOWN)).kind, 'text');
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
    const page = await open(t, engine, '#constructor=1');
    if (!page) return;
    assert.equal((await page.evaluate(SHOWN)).kind, 'text');
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
  const page = await open(t, 'chromium', '#tab=garments');
  if (!page) return;
  await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File(['not a picture'], 'holiday.png', { type: 'image/png' }));
    const input = document.querySelector('input[type=file]');
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
  });
  await page.waitFor("document.querySelector('.work .status').textContent.includes('holiday.png')");
  assert.match(
    await page.evaluate("document.querySelector('.work .status').textContent"),
    /Could not read “holiday\.png” as an image/,
  );
});

test('missing WebAssembly and a broken model show a message', LIMIT, async (t) => {
  const files = { 'collector.js': `${COLLECTOR}; delete globalThis.WebAssembly;` };
  const ready = "document.querySelector('.notice')";
  const page = await openDemo(t, 'chromium', site, { files, ready });
  if (!page) return;
  assert.match(await page.evaluate("document.querySelector('.notice').textContent"), /WebAssembly is switched off/);
  const broken = await openDemo(t, 'chromium', site, {
    hash: '#tab=garments',
    files: { [`${AT}web/models/garments.onnx`]: 'this is no network' },
    ready: "document.querySelector('.work .status')?.textContent.startsWith('The explanation failed')",
  });
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
