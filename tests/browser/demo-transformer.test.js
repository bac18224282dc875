// Tests the transformer in the demo page: it loads on demand, from the page's own host, and explains as in Node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as transformers from '@huggingface/transformers';
import { explainText } from 'linex';
import { loadReviewTransformer } from '../../web/models/reviews-transformer.js';
import { defaultsOf, optionsOf } from '../../web/page-state.js';
import { ENGINE_NAMES } from '../support/pages/browsers.js';
import { builtSite, openDemo, SHOWN, violationsOn } from '../support/pages/demo-page.js';

const LIMIT = { timeout: 180000 };
const site = builtSite();

/** Chooses the transformer in the settings of the Words tab. */
function choose(page) {
  return page.evaluate(() => {
    const select = document.querySelector('select[aria-label="Model"]');
    select.value = 'transformer';
    select.dispatchEvent(new Event('change'));
  });
}

for (const engine of ENGINE_NAMES)
  test(`${engine} explains a review by the transformer as Node does`, LIMIT, async (t) => {
    const page = await openDemo(t, engine, site, { hash: '#tab=words&model=transformer' });
    if (!page) return;
    const { classes, predict } = await loadReviewTransformer(transformers);
    const state = { ...defaultsOf('words'), model: 'transformer' };
    const expected = await explainText(state.text, predict, { classes, caseSensitive: false, ...optionsOf(state) });
    const found = await page.evaluate(SHOWN);
    assert.equal(found.target, expected.target);
    assert.equal(found.queries.asked, expected.queries.asked);
    // The same WebAssembly computes in 32 bits; batches of another size may change the last digits.
    expected.weights.forEach((weight, i) =>
      assert.ok(Math.abs(found.weights[i] - weight) < 1e-5, `${i}: ${found.weights[i]}, not ${weight}`),
    );
    assert.deepEqual(await page.problems(), []);
  });

test('the transformer is loaded only if it is chosen, and only from the host of the page', LIMIT, async (t) => {
  const page = await openDemo(t, 'chromium', site);
  if (!page) return;
  await page.waitFor("document.querySelector('#live').dataset.runs === '5'", 30000);
  const names = () => page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
  const before = await names();
  assert.ok(before.length > 10);
  assert.deepEqual(
    before.filter((name) => /transformer|onnx|ort\./.test(name)),
    [],
  );
  await choose(page);
  await page.waitFor("document.body.dataset.explained === '2' || problems.length > 0", 90000);
  assert.match(await page.evaluate('location.hash'), /model=transformer/);
  assert.match(await page.evaluate("document.querySelector('.settings .hint').textContent"), /right on 76% of others/);
  // The policy of the page forbids other hosts, and a violation would be a problem.
  assert.deepEqual(await page.problems(), []);
  assert.deepEqual(await violationsOn(page), []);
});

test('a missing file of the transformer shows a message, and another model still works', LIMIT, async (t) => {
  const page = await openDemo(t, 'chromium', site, {
    hash: '#tab=words&model=transformer',
    files: { 'some/where/web/models/reviews-transformer/onnx/model_quantized.onnx': 'this is no model' },
    ready: "document.querySelector('.work .status')?.textContent.startsWith('The explanation failed')",
  });
  if (!page) return;
  await page.evaluate(() => {
    const select = document.querySelector('select[aria-label="Model"]');
    select.value = 'bayes';
    select.dispatchEvent(new Event('change'));
  });
  await page.waitFor("document.querySelector('linex-text')?.explanation", 30000);
});
