// Runs models of other runtimes through their adapters, and the cache in IndexedDB, in all three browsers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ort from 'onnxruntime-web';
import { describeTable, explainImage, explainRow, explainText } from 'linex';
import { bundleTransformers } from '../../.ci/site.js';
import { GARMENT_SAMPLES } from '../../web/models/garment-samples.js';
import { GARMENT_INPUT, GARMENTS, loadGarments } from '../../web/models/garments.js';
import { ENGINE_NAMES, openIn } from '../support/pages/browsers.js';
import { logitsOf, SLOPES } from '../support/tfjs-graph.js';

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

const ROWS = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(3 * i), (i % 5) / 4]);
const ROW_OPTIONS = { samples: 150, batchSize: 64, target: 1, ridge: 0 };
const tfjsPage = `
  import { describeTable, explainRow } from '/js/index.js';
  import { fromTfjs } from '/js/adapters.js';
  import { graphSource } from '/tests/support/tfjs-graph.js';
  const packages = '/node_modules/@tensorflow/tfjs-';
  for (const name of ['core', 'converter', 'backend-wasm'])
    await import(packages + name + '/dist/tf-' + name + '.es2017.min.js');
  const { tf } = globalThis;
  tf.wasm.setWasmPaths(packages + 'backend-wasm/dist/');
  await tf.setBackend('wasm');
  const model = await tf.loadGraphModel(graphSource());
  const rows = ${JSON.stringify(ROWS)};
  const options = { ...${JSON.stringify(ROW_OPTIONS)}, table: await describeTable(rows) };
  const tensors = tf.memory().numTensors;
  // One line; the page has TensorFlow.js on globalThis.tf.
  const found = await explainRow(rows[3], fromTfjs(model), options);
  const left = tf.memory().numTensors - tensors;
  const handWritten = ({ data, shape }) =>
    tf.tidy(() => ({ data: model.predict(tf.tensor(Float32Array.from(data), shape)).dataSync(), shape: [shape[0], 2] }));
  const expected = await explainRow(rows[3], handWritten, options);
  const slopes = found.features.map(({ index, perUnit }) => [index, perUnit]);
  globalThis.result = { found: found.weights, expected: expected.weights, slopes, left };
`;

test('fromTfjs gives the weights of a hand-written predict in every browser, and leaves no tensor', async (t) => {
  const here = await explainRow(ROWS[3], (batch) => Array.from(batch, logitsOf), {
    ...ROW_OPTIONS,
    table: await describeTable(ROWS),
  });
  for (const engine of ENGINE_NAMES)
    await t.test(engine, async (t) => {
      const page = await openIn(t, engine, root, { 'index.html': INDEX, 'page.js': tfjsPage });
      if (!page) return;
      await page.waitFor('globalThis.result || problems.length > 0', 60000);
      assert.deepEqual(await page.problems(), []);
      const { found, expected, slopes, left } = await page.evaluate('result');
      assert.deepEqual(found, expected);
      assert.equal(left, 0);
      assert.equal(slopes.length, 3);
      // The graph computes in 32 bits.
      for (const [index, slope] of slopes) assert.ok(Math.abs(slope - SLOPES[2 * index + 1]) < 1e-3, `${slope}`);
      found.forEach((weight, i) => assert.ok(Math.abs(weight - here.weights[i]) < 1e-4, `${weight}`));
    });
});

const REVIEW = 'The cast is wonderful, the script is a mess, and the ending left me cold.';
const REVIEW_OPTIONS = { samples: 60, features: 'all', batchSize: 16 };
const ORT = '/node_modules/onnxruntime-web/dist/';
const pipelinePage = `
  import * as ort from '${ORT}ort.wasm.min.mjs';
  import * as transformers from '/transformers.js';
  import { explainText } from '/js/index.js';
  import { fromPipeline } from '/js/adapters.js';
  import { loadReviewTransformer } from '/web/models/reviews-transformer.js';
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('${ORT}', location.href).href;
  const { classify, classes, predict } = await loadReviewTransformer(transformers);
  const options = ${JSON.stringify(REVIEW_OPTIONS)};
  // One line.
  const found = await explainText('${REVIEW}', fromPipeline(classify), options);
  const expected = await explainText('${REVIEW}', predict, { ...options, classes });
  globalThis.result = { found: found.weights, expected: expected.weights, target: found.target };
`;

test('fromPipeline gives the weights of a hand-written predict of a transformer in every browser', async (t) => {
  const files = { 'index.html': INDEX, 'page.js': pipelinePage };
  const bundle = await bundleTransformers(`${ORT}ort.wasm.min.mjs`);
  for (const engine of ENGINE_NAMES)
    await t.test(engine, async (t) => {
      const page = await openIn(t, engine, root, { ...files, 'transformers.js': bundle });
      if (!page) return;
      await page.waitFor('globalThis.result || problems.length > 0', 90000);
      assert.deepEqual(await page.problems(), []);
      const { found, expected, target } = await page.evaluate('result');
      assert.deepEqual(found, expected);
      assert.equal(target, 'negative');
      assert.ok(found.some((weight) => weight !== 0));
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
