// Long work outside of the solver: it gives way to the event loop, stops at an abort, and releases its memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  densityNeighborhood,
  describeTable,
  explainImage,
  explainText,
  forestNeighborhood,
  load,
  loadWordVectors,
  segmentImage,
  trainForest,
} from '../../js/index.js';
import { dataWasm, shapleyWasm } from '../../js/core/load.js';

await load();

/** An abort must take effect within 100 ms; the tests allow ten times that, because machines are busy. */
const SOON = 1000;

/** Numbers in [0, 1) that look random. */
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;
}

function photo(width, height) {
  const next = numbers(1);
  const data = new Uint8ClampedArray(3 * width * height);
  for (let i = 0; i < data.length; i++) data[i] = 128 + 60 * Math.sin(i / 997) + 20 * next();
  return { data, width, height };
}

function table(count, columns) {
  const next = numbers(2);
  const rows = Array.from({ length: count }, () => Array.from({ length: columns }, () => 4 * next() - 2));
  return { rows, responses: rows.map(([a, b, c]) => Math.sin(a) + b * c) };
}

/** Aborts a call after a while, and checks that it rejects soon. */
async function stops(call, after = 150) {
  const controller = new AbortController();
  const reason = new Error('enough');
  let aborted = 0;
  setTimeout(() => {
    aborted = performance.now();
    controller.abort(reason);
  }, after);
  await assert.rejects(call(controller.signal), (error) => error === reason);
  assert.ok(performance.now() - aborted < SOON, `${performance.now() - aborted} ms`);
}

/** How often the event loop turns while a call runs. */
async function turns(call) {
  let count = 0;
  let running = true;
  const turn = () => {
    count++;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await call();
  running = false;
  return count;
}

for (const kind of ['slic', 'quickshift'])
  test(`cutting a large image by ${kind} stops at an abort`, async () => {
    const image = photo(3000, 2000);
    const settings = { slic: { kind, sigma: 8 }, quickshift: { kind, kernel: 6 } }[kind];
    await stops((signal) => segmentImage(image, settings, { signal }));
    const controller = new AbortController();
    controller.abort(new Error('before'));
    await assert.rejects(segmentImage(image, settings, { signal: controller.signal }), /before/);
  });

test('blurring a large image stops at an abort, and the model is not asked', async () => {
  const image = photo(1500, 1000);
  const predict = () => assert.fail('the model was asked');
  await stops((signal) => explainImage(image, predict, { segments: 'grid', hide: { blur: 80 }, signal }), 400);
});

test('segmentImage checks its options', async () => {
  const image = photo(4, 4);
  await assert.rejects(segmentImage(image, 'grid', { signl: 1 }), /segmentImage/);
  await assert.rejects(segmentImage(image, 'grid', { signal: 1 }), TypeError);
});

test('a single tree gives way to the event loop, and so do its leaves', async () => {
  const { rows, responses } = table(20000, 12);
  const grow = { trees: 1, featuresPerSplit: 'all', bootstrap: false };
  const described = await describeTable(rows);
  const [trees, leaves] = [
    await turns(() => trainForest(rows, responses, grow)),
    await turns(() => forestNeighborhood(described, responses, { ...grow, validation: 0 })),
  ];
  assert.ok(trees > 4, `${trees} turns`);
  assert.ok(leaves > 4, `${leaves} turns`);
});

test('training stops at an abort', async () => {
  const { rows, responses } = table(20000, 12);
  await stops((signal) => trainForest(rows, responses, { trees: 500, featuresPerSplit: 'all', signal }));
});

test('choosing a bandwidth stops at an abort and releases its memory', async () => {
  const described = await describeTable(table(20000, 8).rows);
  await densityNeighborhood(await describeTable(table(50, 3).rows));
  const live = dataWasm.core.linex_wasm_live_bytes();
  await stops((signal) => densityNeighborhood(described, { signal }), 250);
  assert.equal(dataWasm.core.linex_wasm_live_bytes(), live);
});

test('solving the Shapley values of a long text reports progress, stops at an abort and releases its memory', async () => {
  const text = Array.from({ length: 1000 }, (_, i) => `w${i}`).join(' ');
  const predict = (texts) => texts.map((one) => Math.sin(one.length));
  await explainText('a b c', predict, { method: 'shap' });
  const live = shapleyWasm.core.linex_wasm_live_bytes();
  const controller = new AbortController();
  let aborted = 0;
  const seen = [];
  const onProgress = ({ phase, progress }) => {
    if (phase !== 'solve') return;
    seen.push(progress);
    if (progress === 0 || aborted) return;
    aborted = performance.now();
    controller.abort(new Error('enough'));
  };
  const { signal } = controller;
  await assert.rejects(explainText(text, predict, { method: 'shap', samples: 3000, signal, onProgress }), /enough/);
  assert.ok(performance.now() - aborted < SOON);
  assert.ok(seen.every((progress, i) => progress <= 1 && progress >= (seen[i - 1] ?? 0)));
  assert.equal(shapleyWasm.core.linex_wasm_live_bytes(), live);
});

test('words are searched in slices, with the same result', async () => {
  const next = numbers(3);
  const line = (i) => `w${i} ${Array.from({ length: 50 }, () => (next() - 0.5).toFixed(3)).join(' ')}`;
  const vectors = await loadWordVectors(Array.from({ length: 20000 }, (_, i) => line(i)).join('\n'));
  const words = Array.from({ length: 200 }, (_, i) => `w${7 * i}`);
  assert.deepEqual(await vectors.nearestEachAsync(words, 5), vectors.nearestEach(words, 5));
  assert.ok((await turns(() => vectors.nearestEachAsync(words, 5))) > 2);
  const controller = new AbortController();
  const searching = vectors.nearestEachAsync(words, 5, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await assert.rejects(searching, /enough/);
  await assert.rejects(vectors.nearestEachAsync('w0'), TypeError);
  await assert.rejects(vectors.nearestEachAsync(['none']), RangeError);
});
