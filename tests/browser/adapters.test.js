// Runs onnxruntime-web through fromOnnx, and the cache in IndexedDB, in all three browsers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ort from 'onnxruntime-web';
import { explainImage, explainText } from 'linex';
import { GARMENT_SAMPLES } from '../../web/models/garment-samples.js';
import { GARMENT_INPUT, GARMENTS, loadGarments } from '../../web/models/garments.js';
import { ENGINE_NAMES, openIn } from '../support/browsers.js';

const root = new URL('../..', import.meta.url);
const OPTIONS = { samples: 60, batchSize: 16, segments: { kind: 'grid', count: 16 } };
const INDEX = '<!doctype html><title>adapters</title><script type="module" src="/page.js"></script>';

const onnxPage = `
  import * as ort from '/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs';
  import { explainImage } from '/js/index.js';
  import { fromOnnx } from '/js/adapters.js';
  import { GARMENT_SAMPLES } from '/web/models/garment-samples.js';
  import { GARMENT_INPUT, GARMENTS, loadGarments } from '/web/models/garments.js';
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('/node_modules/onnxruntime-web/dist/', location.href).href;
  const bytes = new Uint8Array(await (await fetch('/web/models/garments.onnx')).arrayBuffer());
  const session = await ort.InferenceSession.create(bytes);
  const image = GARMENT_SAMPLES[9].draw();
  const options = ${JSON.stringify(OPTIONS)};
  // One line; four batches at once.
  const found = await explainImage(image, fromOnnx(session, { labels: GARMENTS }), { ...options, concurrency: 4 });
  const { predict } = await loadGarments(ort);
  const expected = await explainImage(image, predict, { ...options, input: GARMENT_INPUT, classes: GARMENTS });
  globalThis.result = { found: found.weights, expected: expected.weights, target: found.target };
`;

test('fromOnnx gives the weights of a hand-written predict in every browser, with runs at once', async (t) => {
  ort.env.wasm.numThreads = 1;
  const { predict } = await loadGarments(ort);
  const image = GARMENT_SAMPLES[9].draw();
  const here = await explainImage(image, predict, { ...OPTIONS, input: GARMENT_INPUT, classes: GARMENTS });
  for (const engine of ENGINE_NAMES)
    await t.test(engine, async (t) => {
      const page = await openIn(t, engine, root, { 'index.html': INDEX, 'page.js': onnxPage });
      if (!page) return;
      await page.waitFor('globalThis.result', 60000);
      assert.deepEqual(await page.problems(), []);
      const { found, expected, target } = await page.evaluate('result');
      assert.equal(target, 'ankle boot');
      assert.deepEqual(found, expected);
      assert.deepEqual(found, [...here.weights]);
    });
});

const TEXT = 'a wonderful and moving film about two sisters who meet again after the war and it is never boring';
const cachePage = `
  import { explainText } from '/js/index.js';
  import { indexedDBCache, polite } from '/js/adapters.js';
  const asked = [];
  const scoreOf = (text) => 1 / (1 + text.split('e').length);
  globalThis.run = async (stopAfter) => {
    asked.length = 0;
    const predict = polite(
      (texts) => {
        if (asked.length >= stopAfter) throw Object.assign(new Error('closed'), { status: 400 });
        asked.push(...texts);
        return texts.map(scoreOf);
      },
      { cache: indexedDBCache('answers'), model: 'letters', maxBatch: 20 },
    );
    const explanation = await explainText(${JSON.stringify(TEXT)}, predict, { samples: 200 }).catch((error) => error.code);
    return { asked: asked.length, weights: explanation.weights, code: explanation.weights ? undefined : explanation };
  };
`;

test('a page that is loaded again goes on with the answers in IndexedDB', async (t) => {
  const scoreOf = (text) => 1 / (1 + text.split('e').length);
  const expected = await explainText(TEXT, (texts) => texts.map(scoreOf), { samples: 200 });
  for (const engine of ENGINE_NAMES)
    await t.test(engine, async (t) => {
      const page = await openIn(t, engine, root, { 'index.html': INDEX, 'page.js': cachePage });
      if (!page) return;
      await page.waitFor('globalThis.run');
      assert.deepEqual(await page.evaluate('run(60)'), { asked: 60, code: 'model-threw' });
      await page.evaluate('void ((globalThis.isOld = true), setTimeout(() => location.reload(), 0))');
      const isNew = () => page.waitFor('!globalThis.isOld && globalThis.run');
      // A driver may complain that the page went away while it looked.
      await isNew().catch(isNew);
      const again = await page.evaluate('run(Infinity)');
      assert.deepEqual(again, { asked: expected.queries.asked - 60, weights: [...expected.weights] });
      assert.equal((await page.evaluate('run(0)')).asked, 0);
    });
});
