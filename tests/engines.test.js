// The library and its elements in Chromium, Firefox and WebKit, unbuilt and under a strict content security policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINE_NAMES, openIn } from './browsers.js';
import { answers, explainWords, wordsOf } from './cases.js';

const root = new URL('..', import.meta.url);
const LIMIT = { timeout: 90000 };

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>linex</title>
<script type="module" src="/main.js"></script>`;
const PAGE = `
  import * as cases from '/tests/cases.js';
  globalThis.cases = cases;
  globalThis.result = await cases.answers();`;
const FROM_WORKER = `
  const worker = new Worker('/worker.js', { type: 'module' });
  worker.onmessage = ({ data }) => (globalThis.result = data);
  worker.onerror = ({ message }) => console.error(message);`;
const WORKER = `
  import { answers } from '/tests/cases.js';
  postMessage(await answers().catch((error) => ({ error: String(error) })));`;

const expected = await answers();

for (const engine of ENGINE_NAMES) {
  test(`${engine} explains rows, texts and images as Node does, to the last bit`, LIMIT, async (t) => {
    const page = await openIn(t, engine, root, { 'index.html': INDEX, 'main.js': PAGE });
    if (!page) return;
    t.diagnostic(page.version);
    await page.waitFor('globalThis.result || problems.length > 0', 60000);
    assert.deepEqual(await page.problems(), []);
    const found = await page.evaluate('result');
    for (const [name, answer] of Object.entries(expected)) assert.equal(found[name], answer, name);

    // Dictionaries differ; what is found in one engine is explained alike in another.
    for (const locale of ['th', 'ja']) {
      const [here, there] = [await wordsOf(locale), await page.evaluate(`cases.wordsOf('${locale}')`)];
      assert.equal(there.join(''), here.join(''));
      t.diagnostic(`Intl.Segmenter, ${locale}: ${there.join('|') === here.join('|') ? 'as Node' : there.join('|')}`);
      const again = await page.evaluate(`cases.explainWords('${locale}', ${JSON.stringify(here)})`);
      assert.equal(again, await explainWords(locale, here), locale);
    }
    assert.deepEqual(await page.problems(), []);
  });

  test(`${engine} explains the same in a worker`, LIMIT, async (t) => {
    const files = { 'index.html': INDEX, 'main.js': FROM_WORKER, 'worker.js': WORKER };
    const page = await openIn(t, engine, root, files);
    if (!page) return;
    await page.waitFor('globalThis.result || problems.length > 0', 60000);
    assert.deepEqual(await page.problems(), []);
    assert.deepEqual(await page.evaluate('result'), expected);
  });
}
