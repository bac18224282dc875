// The live parts of the built documentation: code that runs and can be edited, the game, the curve; in three engines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { isLive } from '../../.ci/docs/live-blocks.js';
import { ensureTools, findTool } from '../../.ci/setup.js';
import { ENGINE_NAMES, openAt } from '../support/pages/browsers.js';
import { PAGES, readDocs, serveBuiltSite } from '../support/pages/built-site.js';
import { findPages, isPrinted, readBlocks, readPage, readPrograms } from '../support/markdown.js';

ensureTools(['chromium']);
const skip = findTool('chromium') ? false : 'there is no Chromium';
let browser;
let site;

before(async () => {
  if (skip) return;
  const { chromium } = await import('playwright-core');
  browser = await chromium.launch({ executablePath: findTool('chromium'), args: ['--no-sandbox', '--disable-gpu'] });
  site = await serveBuiltSite();
});
after(async () => {
  await browser?.close();
  site?.close();
});

const pages = findPages()
  .filter((path) => path.startsWith('web/docs/'))
  .map((path) => ({ path, programs: readPrograms(readPage(path)).filter(isLive) }))
  .filter(({ programs }) => programs.length > 0);

test('many blocks are live, and every page of the reference that has an example shows it', () => {
  const count = pages.reduce((sum, { programs }) => sum + programs.length, 0);
  // The others read files, start servers, or need a package of somebody else.
  assert.ok(count > 30, `${count} programs`);
  const entries = PAGES.filter((path) => /reference\/api\/\w+\/functions\//.test(path));
  assert.ok(entries.filter((path) => readDocs(path).includes('class="live"')).length > 30);
});

/** Runs the last block of a program, and returns how it ended and what it has printed. */
async function runProgram(tab, line) {
  const last = tab.locator(`.live[data-live="${line}"]`).last();
  await last.locator('button', { hasText: 'Run' }).click();
  await tab.waitForFunction(
    (number) => [...document.querySelectorAll(`.live[data-live="${number}"]`)].at(-1).dataset.state,
    line,
    { timeout: 60000 },
  );
  return { state: await last.getAttribute('data-state'), output: await last.locator('.live-output').innerText() };
}

describe('every live block runs in the page, and prints what the page shows', { skip, concurrency: 2 }, () => {
  for (const { path, programs } of pages)
    test(path, async () => {
      const tab = await browser.newPage();
      await tab.goto(`${site.address}${path.slice('web/docs/'.length).replace(/\.md$/, '.html')}`);
      await tab.waitForSelector('.live-bar');
      for (const { line, expected } of programs) {
        const { state, output } = await runProgram(tab, line);
        assert.equal(state, 'done', `line ${line}: ${output}`);
        const missing = expected.filter((text) => !isPrinted(text, output));
        assert.deepEqual(missing, [], `line ${line} prints\n${output}`);
      }
      await tab.close();
    });
});

test('a reader changes the code, sees the change, and gets the page’s code back', { skip }, async () => {
  const tab = await browser.newPage();
  await tab.goto(`${site.address}guides/texts.html`);
  const block = tab.locator('.live').first();
  await block.locator('button', { hasText: 'Edit' }).click();
  await block.locator('textarea').fill("console.log('mine', [1, 'two', { three: -0 }]);");
  await block.locator('button', { hasText: 'Run' }).click();
  await tab.waitForFunction(() => document.querySelector('.live').dataset.state);
  assert.equal((await block.locator('.live-output').innerText()).trim(), "mine [ 1, 'two', { three: -0 } ]");
  await block.locator('textarea').fill('null.fails;');
  await block.locator('button', { hasText: 'Run' }).click();
  await tab.waitForFunction(() => document.querySelector('.live').dataset.state === 'failed');
  assert.match(await block.locator('.live-output').innerText(), /It failed: .*null/);
  await block.locator('button', { hasText: 'Reset' }).click();
  assert.match(await block.locator('pre').first().innerText(), /moving tale of love/);
  await tab.close();
});

test('code of a reader can reach neither the page nor another origin', { skip }, async () => {
  const tab = await browser.newPage();
  const asked = [];
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(`${site.address}guides/texts.html`);
  const block = tab.locator('.live').first();
  await block.locator('button', { hasText: 'Edit' }).click();
  const attack = `console.log(typeof document, typeof localStorage, await fetch('https://example.com/').then(() => 'open', () => 'closed'));`;
  await block.locator('textarea').fill(attack);
  await block.locator('button', { hasText: 'Run' }).click();
  await tab.waitForFunction(() => document.querySelector('.live').dataset.state);
  assert.equal((await block.locator('.live-output').innerText()).trim(), 'undefined undefined closed');
  assert.deepEqual(asked.filter((url) => url.includes('example.com')), []); // prettier-ignore
  await tab.close();
});

test('the game ends at the weights that the rules give', { skip }, async () => {
  const tab = await browser.newPage();
  await tab.goto(`${site.address}ideas/the-game.html`);
  const next = tab.locator('.game button', { hasText: 'Next move' });
  await next.waitFor();
  for (let move = 1; move <= 40 && (await next.isEnabled()); move++) {
    await next.click();
    await tab.waitForFunction((done) => document.querySelector('.game').dataset.move === String(done), move);
  }
  assert.match(await tab.locator('.game [role=status]').innerText(), /Nobody wants to move: the game has ended/);
  // The wish that is nearer to zero, and zero for wishes of opposite signs.
  assert.equal(await tab.locator('.game svg').getAttribute('aria-label'), 'income: weight +0.25, age: weight 0.00');
  await tab.close();
});

test('the curve is measured in the page', { skip }, async () => {
  const tab = await browser.newPage();
  await tab.goto(`${site.address}ideas/how-steady.html`);
  const part = tab.locator('[data-live=steadiness]');
  await part.locator('button').click();
  await tab.waitForFunction(() => document.querySelector('[data-live=steadiness]').dataset.state, undefined, {
    timeout: 60000,
  });
  assert.match(await part.innerText(), /Done\. Lower is steadier/);
  assert.equal(await part.locator('tbody tr').count(), 4);
  assert.equal(await part.locator('td', { hasText: 'not yet' }).count(), 0);
  await tab.close();
});

for (const engine of ENGINE_NAMES)
  test(`${engine} shows a page, runs its code and changes its theme`, async (t) => {
    const { address, close } = await serveBuiltSite();
    t.after(close);
    const page = await openAt(t, engine, `${address}guides/texts.html`, { width: 1280, height: 900 });
    if (!page) return;
    await page.waitFor("document.querySelector('.live-bar button')");
    await page.evaluate(() => document.querySelector('.live-bar button').click());
    await page.waitFor("document.querySelector('.live').dataset.state", 60000);
    const output = await page.evaluate(() => document.querySelector('.live-output').textContent);
    const { blocks } = readBlocks(readPage('web/docs/guides/texts.md'));
    const expected = blocks
      .find(({ language }) => language === 'text')
      .code.split('\n')
      .filter(Boolean);
    assert.deepEqual(expected.filter((text) => !isPrinted(text, output)), [], output); // prettier-ignore
    const wasDark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
    await page.evaluate(() => document.querySelector('.VPNavBarAppearance button').click());
    await page.waitFor(`document.documentElement.classList.contains('dark') !== ${wasDark}`);
  });

test('the pages do not need a script to be read', () => {
  const html = readDocs('guides/rows.html');
  assert.match(html, /<h1[^>]*>Explain a row of a table/);
  assert.ok(readFileSync(new URL('../../web/docs/guides/rows.md', import.meta.url), 'utf8').includes('explainRow'));
});
