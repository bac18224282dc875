// Tests what the demo page draws: its pictures and methods, the curve of steadiness, and its layout on narrow screens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodsOf, PICTURES, TABS } from '../../web/page-state.js';
import { ENGINE_NAMES } from '../support/pages/browsers.js';
import { COLOR_RULES } from '../support/pages/axe.js';
import { builtSite, openDemo, SHOWN, violationsOn } from '../support/pages/demo-page.js';

const LIMIT = { timeout: 180000 };
const site = builtSite();
const open = (t, engine, hash) => openDemo(t, engine, site, { hash });
/** The tabs whose model is fast enough to try everything. */
const FAST = Object.keys(TABS).filter((tab) => tab !== 'photo');

/** Presses a button of a row by its text, and waits for a picture of a kind. */
async function choose(page, text, kind) {
  await page.evaluate((text) => {
    [...document.querySelectorAll('.choices button')].find((one) => one.textContent === text).click();
  }, text);
  await page.waitFor(`document.querySelector('[data-picture="${kind}"]') || problems.length > 0`, 30000);
}

for (const tab of FAST)
  test(`the tab of ${tab} draws all its pictures, each with a sentence`, LIMIT, async (t) => {
    const page = await open(t, 'chromium', `#tab=${tab}`);
    if (!page) return;
    for (const [kind, title] of [...PICTURES[tab], PICTURES[tab][0]]) {
      await choose(page, title, kind);
      await page.waitFor("document.querySelector('[data-picture]').shadowRoot.querySelector('figure')");
      // The caption of the table for screen readers is the title and the sentence of the picture.
      const caption = await page.evaluate(
        "document.querySelector('[data-picture]').shadowRoot.querySelector('caption').textContent",
      );
      assert.match(caption, /^(Why|What|Which) .+\? .{12,}/, `${tab} ${kind}`);
      assert.doesNotMatch(caption, /R²|gamma|ridge|seed|segment \d/i, `${tab} ${kind}`);
      const pictures = await page.evaluate("document.querySelectorAll('[data-picture]').length");
      assert.equal(pictures, kind === 'beside' ? 2 : 1);
      assert.equal(new URLSearchParams((await page.evaluate('location.hash')).slice(1)).get('show') ?? TABS[tab].show, kind); // prettier-ignore
    }
    assert.deepEqual(await page.problems(), []);
  });

for (const tab of FAST)
  test(`the tab of ${tab} explains with each of its methods`, LIMIT, async (t) => {
    const page = await open(t, 'chromium', `#tab=${tab}`);
    if (!page) return;
    for (const [method] of methodsOf(tab)) {
      await page.evaluate((method) => {
        const select = document.querySelector('select[aria-label="Method"]');
        select.value = method;
        select.dispatchEvent(new Event('change'));
      }, method);
      await page.waitFor(`${SHOWN}.method === '${method}' || problems.length > 0`, 30000);
    }
    assert.deepEqual(await page.problems(), []);
  });

for (const engine of ENGINE_NAMES)
  test(`${engine} turns from reasons to slopes with one click`, LIMIT, async (t) => {
    const page = await open(t, engine, '#tab=rows&row=5.2,4.1,1.5,0.1');
    if (!page) return;
    const title = "document.querySelector('linex-bars').shadowRoot.querySelector('caption').textContent";
    assert.match(
      await page.evaluate(title),
      /^Why the 100% chance of “setosa”\? By this model, “setosa” is likelier than “versicolor” \(0%\)\. Compared with an average case, for setosa: petal length/,
    );
    await page.evaluate(
      "[...document.querySelectorAll('.choices button')].find((one) => one.textContent === 'What if?').click()",
    );
    await page.waitFor(`${title}.startsWith('What would change')`);
    // A short petal is a reason for setosa; a longer one would be against it.
    assert.match(await page.evaluate(title), /Lowers the answer: more petal (length|width).*, not a goal\./);
    assert.match(await page.evaluate('location.hash'), /view=what-if/);
    assert.deepEqual(await page.problems(), []);
  });

for (const engine of ENGINE_NAMES)
  test(`${engine} measures signs and the curve when they are scrolled to`, LIMIT, async (t) => {
    const page = await open(t, engine, '#tab=rows');
    if (!page) return;
    await page.evaluate("document.querySelector('#steady').scrollIntoView()");
    await page.waitFor("document.querySelector('.steady .status').textContent === 'Done.' || problems.length", 120000);
    assert.match(
      await page.evaluate("document.querySelector('.part .verdict').textContent"),
      /Measurements that changed sides: LINEX \d+, LIME as it is \d+, LIME with our samples \d+\./,
    );
    const cells = await page.evaluate(
      "[...document.querySelectorAll('.curve tbody tr')].map((row) => [...row.cells].map((cell) => parseFloat(cell.textContent)))",
    );
    assert.deepEqual(
      cells.map(([size]) => size),
      [50, 100, 200, 500, 1000],
    );
    for (const [, ...changes] of cells)
      for (const change of changes) assert.ok(change >= 0 && change < 200, `${cells}`);
    // Every method settles with more questions.
    for (const c of [1, 2, 3]) assert.ok(cells[4][c] < cells[0][c], `${cells}`);
    const points = await page.evaluate("document.querySelectorAll('.curve .dot').length");
    assert.equal(points, 15);
    assert.deepEqual(await page.problems(), []);
  });

test('measuring can be canceled, and starts again for another input', LIMIT, async (t) => {
  const page = await open(t, 'chromium', '#tab=garments');
  if (!page) return;
  const press = (text) =>
    page.evaluate((text) => {
      [...document.querySelectorAll('.steady button')].find((one) => one.textContent === text).click();
    }, text);
  // Nothing is promised before the visitor asks, because the model is slow.
  assert.equal(await page.evaluate("document.querySelector('.steady .parts').checkVisibility()"), false);
  await press('Measure');
  await page.waitFor("document.querySelector('.steady .status').textContent.startsWith('Run')");
  await press('Cancel');
  await page.waitFor("document.querySelector('.steady .status').textContent === 'Canceled.'");
  assert.equal(await page.evaluate("document.querySelectorAll('.signs').length"), 0);
  await press('Measure again');
  await page.waitFor("document.querySelector('.signs') || problems.length > 0", 60000);
  assert.deepEqual(await page.problems(), []);
});

test('the technical view shows the fit and the game, with one color per line', LIMIT, async (t) => {
  const page = await open(t, 'chromium', '#tab=rows');
  if (!page) return;
  assert.equal(await page.evaluate("document.querySelector('.technical').open"), false);
  await page.evaluate("document.querySelector('.technical > summary').click()");
  await page.waitFor("document.querySelector('.game svg') || problems.length > 0", 30000);
  const facts = await page.evaluate("document.querySelector('.facts').textContent");
  const { fidelity, equilibrium } = await page.evaluate(SHOWN);
  assert.ok(facts.includes(String(Number(fidelity.toPrecision(3)))), facts);
  assert.ok(facts.includes(String(Number(equilibrium.gamma.toPrecision(3)))), facts);
  // The sum has the same color in the chart and in its key.
  const [line, key] = await page.evaluate(
    "[getComputedStyle(document.querySelector('path.sum')).stroke, getComputedStyle(document.querySelector('.swatch.sum'), '::before').backgroundColor]",
  );
  assert.equal(line, key);
  assert.deepEqual(await page.problems(), []);
});

for (const width of [360, 1280])
  test(`nothing is cut off at ${width} pixels, with all panels open`, LIMIT, async (t) => {
    for (const tab of FAST) {
      const page = await open(t, 'chromium', `#tab=${tab}`);
      if (!page) return;
      // The test's window is wider: a frame has the width of a phone.
      const cut = await page.evaluate(async (width) => {
        const frame = document.createElement('iframe');
        frame.style.cssText = `width:${width}px;height:2400px`;
        frame.src = location.href;
        document.body.replaceChildren(frame);
        const until = async (ready) => {
          while (!ready()) await new Promise((resolve) => setTimeout(resolve, 50));
        };
        await until(() => frame.contentDocument?.body?.dataset.explained);
        const { contentDocument: inside } = frame;
        for (const details of inside.querySelectorAll('details')) details.open = true;
        [...inside.querySelectorAll('button')].find((one) => one.textContent === 'Code').click();
        inside.querySelector('#steady').scrollIntoView();
        inside.querySelector('.steady .primary').click();
        await until(() => inside.querySelector('.signs') && inside.querySelector('.game').childElementCount > 0);
        const scrolls = (one) => one.closest('.hidden') || one.closest('.code, option');
        const page = `page ${inside.documentElement.scrollWidth}`;
        const wide = [...inside.querySelectorAll('body *')]
          .filter((one) => !scrolls(one) && one.getBoundingClientRect().right > width + 0.5)
          .map((one) => `${one.localName}.${one.className} ${one.getBoundingClientRect().right}`)
          .slice(0, 5);
        return inside.documentElement.scrollWidth > width ? [page, ...wide] : wide;
      }, width);
      assert.deepEqual(cut, [], tab);
      await page.close();
    }
  });

test('axe finds no violations on any tab, in the light and the dark theme', LIMIT, async (t) => {
  for (const tab of Object.keys(TABS)) {
    const page = await open(t, 'chromium', `#tab=${tab}${tab === 'photo' ? '&samples=20' : ''}`);
    if (!page) return;
    await page.waitFor("document.querySelector('#live').dataset.runs === '5'", 30000);
    await page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))");
    if (tab === 'rows') await page.waitFor("document.querySelector('.curve .dot')", 60000);
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      // Colors change over half a second.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 700))');
      assert.deepEqual(await violationsOn(page, theme === 'dark' ? COLOR_RULES : undefined), [], `${tab}, ${theme}`);
    }
    await page.close();
  }
});
