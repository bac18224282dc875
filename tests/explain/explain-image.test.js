// explainImage: segments, hiding, inputs of the model, sizes and bad calls.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { explainImage, LinexError, segmentImage } from 'linex';
import { ready } from '../../js/core/load.js';
import { withoutTime } from '../support/drawing/colors.js';
import { brightness, DISCS, scene, shareIn, SIDE } from '../support/scene.js';

let core;
before(async () => {
  core = await ready();
});

/** The instances made from now on; each image has its own memory. */
function watchMemories(t) {
  const memories = [];
  const real = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...args) => {
    const instance = await real(...args);
    memories.push(instance.exports.memory);
    return instance;
  };
  t.after(() => (WebAssembly.instantiate = real));
  return memories;
}

/** An image of 4 x 2 pixels in two halves. */
const TINY = { data: Uint8Array.from({ length: 24 }, (_, i) => 10 * i), width: 4, height: 2, channels: 3 };
const HALVES = [0, 0, 1, 1, 0, 0, 1, 1];

/** Asks for all four masks of the tiny image and returns them, the full one first. */
async function batchesOf(options) {
  const seen = [];
  const watch = ({ data, shape, layout }) => {
    seen.push({ data: Array.from(data), kind: data.constructor.name, shape, layout });
    return Array.from({ length: shape[0] }, (_, i) => i);
  };
  await explainImage(TINY, watch, { segments: HALVES, samples: 4, batchSize: 1, draws: 0, ...options });
  return seen;
}

for (const segments of ['slic', { kind: 'quickshift', kernel: 3, reach: 10, ratio: 0.5 }, 'grid'])
  test(`the segments of four discs get the signs of a model that looks at them: ${segments.kind ?? segments}`, async (t) => {
    const { features, labels, weights } = await explainImage(scene(), brightness, { segments, hide: [0, 0, 0] });
    // Hiding a disc removes its brightness, so its segments' weights must add up to it.
    for (const disc of DISCS) {
      const truth = (disc.weight * disc.color.reduce((sum, one) => sum + one, 0)) / 3 / 255;
      const found = weights.reduce(
        (sum, weight, label) => sum + weight * (shareIn(disc, labels, label) > 0 ? 1 : 0),
        0,
      );
      assert.ok(Math.abs(found / truth - 1) < 0.05, `${found} for ${truth}`);
    }
    const touching = new Set(labels.filter((label) => DISCS.some((disc) => shareIn(disc, labels, label) > 0.15)));
    for (const { index, weight, area, box } of features.slice(0, 4)) {
      const disc = DISCS.find((one) => shareIn(one, labels, index) > 0.15);
      assert.ok(disc && touching.has(index), `segment ${index}`);
      assert.equal(Math.sign(weight), disc.weight);
      assert.equal(area, labels.filter((label) => label === index).length);
      assert.ok(box.width * box.height >= area && box.x + box.width <= SIDE && box.y + box.height <= SIDE);
    }
    t.diagnostic(`${weights.length} segments, ${features.slice(0, 4).map(({ weight }) => weight.toFixed(3))}`);
  });

test('the model gets the image in the layout and type that it needs', async () => {
  const planar = (values) => [0, 1, 2].flatMap((c) => values.filter((_, i) => i % 3 === c));
  const bytes = Array.from(TINY.data);
  const [nhwc] = await batchesOf({ input: { layout: 'nhwc', type: 'uint8' } });
  assert.deepEqual(nhwc, { data: bytes, kind: 'Uint8Array', shape: [1, 2, 4, 3], layout: 'nhwc' });
  const [nchw] = await batchesOf({ input: { layout: 'nchw', type: 'uint8' } });
  assert.deepEqual(nchw, { data: planar(bytes), kind: 'Uint8Array', shape: [1, 3, 2, 4], layout: 'nchw' });
  const input = { layout: 'nchw', mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };
  const [normal] = await batchesOf({ input });
  assert.equal(normal.kind, 'Float32Array');
  const expected = bytes.map((value, i) => Math.fround((value / 255 - input.mean[i % 3]) / input.std[i % 3]));
  normal.data.forEach((value, i) => assert.ok(Math.abs(value - planar(expected)[i]) < 1e-6));
  const [scaled] = await batchesOf({ input: { scale: 1 / 127.5, mean: 1 } });
  scaled.data.forEach((value, i) => assert.ok(Math.abs(value - (bytes[i] / 127.5 - 1)) < 1e-6));
});

test('a hidden segment shows its mean, a color, a blurred copy or another image', async () => {
  const left = (i) => HALVES[Math.floor(i / 3)] === 0;
  const bytes = Array.from(TINY.data);
  const hiddenBy = async (hide) => {
    const seen = await batchesOf({ hide, input: { type: 'uint8' } });
    assert.equal(seen.length, 4);
    return seen.map(({ data }) => data);
  };
  const mean = (c, side) => {
    const values = bytes.filter((_, i) => i % 3 === c && left(i) === side);
    return Math.floor(values.reduce((sum, one) => sum + one, 0) / values.length + 0.5);
  };
  const averaged = bytes.map((_, i) => mean(i % 3, left(i)));
  const black = bytes.map(() => 0);
  const other = bytes.map((value) => 255 - value);
  for (const [hide, hidden] of [
    ['mean', averaged],
    [[0, 0, 0], black],
    [{ ...TINY, data: Uint8Array.from(other) }, other],
  ]) {
    const all = await hiddenBy(hide);
    const expected = [bytes, bytes.map((v, i) => (left(i) ? v : hidden[i])), bytes.map((v, i) => (left(i) ? hidden[i] : v)), hidden]; // prettier-ignore
    assert.deepEqual(all.map(String).sort(), expected.map(String).sort());
  }
  const all = await hiddenBy({ blur: 2 });
  const spread = (data) => Math.max(...data) - Math.min(...data);
  const blurred = all.reduce((a, b) => (spread(b) < spread(a) ? b : a));
  assert.ok(spread(blurred) < spread(bytes) / 2);
  const [total, soft] = [bytes, blurred].map((data) => data.reduce((sum, one) => sum + one, 0));
  assert.ok(Math.abs(total - soft) / total < 0.05);
});

test('alpha is blended with the backdrop, or kept if the model takes four channels', async () => {
  const half = { data: Uint8ClampedArray.from([200, 0, 100, 51, 0, 0, 0, 255]), width: 2, height: 1 };
  const seen = [];
  const watch = ({ data, shape }) => {
    seen.push([shape[3], ...data.subarray(0, 2 * shape[3])]);
    return Array.from({ length: shape[0] }, () => 0);
  };
  const common = { segments: [0, 1], samples: 4, draws: 0 };
  await explainImage(half, watch, { ...common, input: { type: 'uint8' } });
  assert.deepEqual(seen[0], [3, 244, 204, 224, 0, 0, 0]);
  await explainImage(half, watch, { ...common, backdrop: [0, 0, 0], input: { type: 'uint8' } });
  assert.deepEqual(seen[1], [3, 40, 0, 20, 0, 0, 0]);
  await explainImage(half, watch, { ...common, input: { type: 'uint8', channels: 4 } });
  assert.deepEqual(seen[2], [4, 200, 0, 100, 51, 0, 0, 0, 255]);
  await explainImage(half, watch, { ...common, input: { type: 'uint8', channels: 1 } });
  assert.deepEqual(seen[3], [1, Math.round(0.299 * 244 + 0.587 * 204 + 0.114 * 224), 0]);
});

test('a batch stays valid until its answer arrives, also during other explanations', async () => {
  const options = { segments: 'grid', samples: 60, batchSize: 10, concurrency: 3 };
  const plain = withoutTime(await explainImage(scene(), brightness, { ...options, concurrency: 1 }));
  const buffers = new Set();
  const slowly = async (batch) => {
    buffers.add(batch.data.byteOffset);
    const [copy, before] = [batch.data.slice(), batch.data.length];
    await explainImage(scene(4), brightness, { samples: 10, batchSize: 10 });
    await new Promise((resolve) => setTimeout(resolve, 2));
    assert.equal(batch.data.length, before);
    assert.deepEqual(batch.data, copy);
    return brightness(batch);
  };
  assert.equal(withoutTime(await explainImage(scene(), slowly, options)), plain);
  assert.equal(buffers.size, 3);
});

test('every pixel can be a feature', async () => {
  const side = 12;
  const data = Uint8Array.from({ length: side * side }, (_, i) => 100 + ((i * 37) % 100));
  const slope = (i) => Math.sin(i);
  const model = ({ data: batch, shape: [count] }) =>
    Array.from({ length: count }, (_, k) => data.reduce((sum, _, i) => sum + slope(i) * batch[k * side * side + i], 0));
  const options = { unit: 'pixel', samples: 600, hide: [0] };
  const { weights, features, labels } = await explainImage({ data, width: side, height: side }, model, options);
  assert.equal(weights.length, side * side);
  assert.deepEqual(labels, [...labels.keys()]);
  weights.forEach((weight, i) => assert.ok(Math.abs(weight - (slope(i) * data[i]) / 255) < 0.01, `pixel ${i}`));
  assert.equal(features[0].area, 1);
  assert.match(features[0].name, /^pixel \d+, \d+$/);
});

test('a pixel is hidden by the mean of the image, not by its own value', async () => {
  const data = Uint8Array.from({ length: 36 }, (_, i) => (i === 14 ? 250 : 50));
  const model = ({ data: batch, shape: [count] }) => Array.from({ length: count }, (_, k) => batch[36 * k + 14]);
  const { weights } = await explainImage({ data, width: 6, height: 6 }, model, { unit: 'pixel', samples: 200 });
  const mean = (250 + 35 * 50) / 36;
  assert.ok(Math.abs(weights[14] - (250 - mean) / 255) < 0.01, `${weights[14]}`);
});

test('an explanation warns if hiding a segment changes nothing', async () => {
  // In a drawing of two flat colors a segment looks the same in its mean color.
  const flat = { data: Uint8Array.from({ length: 400 }, (_, i) => (i % 20 < 10 ? 30 : 200)), width: 20, height: 20 };
  const model = ({ data, shape: [count] }) => Array.from({ length: count }, (_, k) => data[400 * k + 5]);
  const options = { segments: { count: 8 }, samples: 50 };
  const { warnings } = await explainImage(flat, model, options);
  assert.match(warnings.join(), /(\d+) of \1 segments look the same when they are hidden.*hide: \[255, 0, 255\]/);
  assert.match(warnings.join(), /the model gave the same answer to every sample/);
  const seen = await explainImage(flat, model, { ...options, hide: [255] });
  assert.doesNotMatch(seen.warnings.join(), /look the same/);
  assert.doesNotMatch((await explainImage(scene(), brightness, { samples: 20 })).warnings.join(), /look the same/);
});

test('if only width or only height is given, the other follows', async () => {
  const model = ({ shape: [count] }) => Array.from({ length: count }, (_, i) => i);
  const wide = { data: new Uint8Array(400).map((_, i) => i), width: 40, height: 10 };
  const { width, height } = await explainImage(wide, model, { samples: 10, input: { width: 20 } });
  assert.deepEqual([width, height], [20, 5]);
  assert.equal((await explainImage(wide, model, { samples: 10, input: { height: 5 } })).width, 20);
});

test('the dense game of 784 pixels nearly converges, and reports its residual', async (t) => {
  const side = 28;
  const data = Uint8Array.from({ length: side * side }, (_, i) => (i * 91) % 256);
  const model = ({ data: batch, shape: [count] }) =>
    Array.from({ length: count }, (_, k) => {
      let sum = 0;
      for (let i = 0; i < side * side; i++) sum += Math.sin(i) * batch[k * side * side + i];
      return 1 / (1 + Math.exp(-sum / 5));
    });
  const options = { unit: 'pixel', hide: [0], samples: 300, draws: 0 };
  const { equilibrium, warnings, weights } = await explainImage({ data, width: side, height: side }, model, options);
  t.diagnostic(`residual ${equilibrium.residual} after ${equilibrium.rounds} sweeps`);
  assert.equal(weights.length, 784);
  assert.ok(equilibrium.residual < 0.01);
  assert.equal(
    warnings.some((warning) => warning.includes('did not converge')),
    !equilibrium.converged,
  );
});

test("the caller's own labels can have the size of the image or of the model's input, and any numbers", async () => {
  const model = ({ data, shape }) => Array.from({ length: shape[0] }, (_, i) => data[(i * data.length) / shape[0]]);
  const wide = HALVES.map((half) => (half ? 900 : 7));
  const { labels, weights, width } = await explainImage(TINY, model, { segments: wide, samples: 4, input: { width: 2, height: 2 } }); // prettier-ignore
  assert.deepEqual(labels, [0, 1, 0, 1]);
  assert.deepEqual([weights.length, width], [2, 2]);
  const small = await explainImage(TINY, model, { segments: [5, 5, 1, 1], samples: 4, input: { width: 2, height: 2 } });
  assert.deepEqual(small.labels, [1, 1, 0, 0]);
  const cut = await segmentImage(TINY, { kind: 'grid', count: 2 });
  const again = await explainImage(TINY, model, { segments: cut, samples: 4 });
  assert.deepEqual(again.labels, Array.from(cut.labels));
});

test("a photograph of 12 megapixels is explained at the size of the model's input", async () => {
  const [width, height] = [4000, 3000];
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) data[i] = (i >> 4) & 255;
  const seen = [];
  const model = ({ data: batch, shape }) => {
    seen.push(shape);
    return Array.from({ length: shape[0] }, (_, i) => batch[(i * batch.length) / shape[0]]);
  };
  const explanation = await explainImage({ data, width, height }, model, { samples: 50, draws: 0, input: { width: 64, height: 48 } }); // prettier-ignore
  assert.deepEqual([explanation.width, explanation.height, explanation.labels.length], [64, 48, 64 * 48]);
  assert.deepEqual(seen[0], [50, 48, 64, 3]);
});

test('a 512 x 512 image and 5,000 samples stay under 150 MB of WebAssembly memory', async (t) => {
  const memories = watchMemories(t);
  const side = 512;
  const data = Uint8Array.from({ length: side * side * 3 }, (_, i) => ((i % 1536) * 7 + (i >> 12)) & 255);
  const model = ({ data: batch, shape: [count] }) =>
    Array.from({ length: count }, (_, k) => batch[(k * batch.length) / count + 1000]);
  await explainImage({ data, width: side, height: side }, model, { samples: 5000, draws: 20 });
  const megabytes = [core.memory, ...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0) / 1e6;
  t.diagnostic(`${megabytes.toFixed(1)} MB`);
  assert.ok(megabytes < 150);
});

test('segments are connected and complete, and the same in every call', async () => {
  for (const how of ['slic', 'quickshift', 'grid', { kind: 'slic', count: 9, compactness: 30 }]) {
    const { labels, count, width, height } = await segmentImage(scene(4), how);
    assert.deepEqual([labels.length, width, height], [SIDE * SIDE, SIDE, SIDE]);
    assert.deepEqual(
      [...new Set(labels)].sort((a, b) => a - b),
      [...Array(count).keys()],
    );
    assert.deepEqual((await segmentImage(scene(3), how)).labels, labels);
  }
  const flat = { data: new Uint8Array(40 * 40).fill(9), width: 40, height: 40 };
  assert.ok((await segmentImage(flat)).count > 30);
});

test('the same image gives the same explanation, as plain frozen data', async () => {
  const options = { samples: 200, batchSize: 64, seed: 5 };
  const one = await explainImage(scene(), brightness, options);
  assert.equal(withoutTime(await explainImage(scene(), brightness, { ...options, batchSize: 1 })), withoutTime(one));
  const floats = { ...scene(), data: Float32Array.from(scene().data) };
  assert.equal(withoutTime(await explainImage(floats, brightness, options)), withoutTime(one));
  assert.deepEqual(JSON.parse(JSON.stringify(one)), one);
  assert.ok(Object.isFrozen(one) && Object.isFrozen(one.labels));
  const auto = await explainImage(scene(), brightness, { samples: 'auto', segments: { kind: 'slic', count: 12 } });
  assert.ok(['settled', 'cap'].includes(auto.queries.stopped));
});

test('bad images and options are refused before the model is asked, and no memory leaks', async () => {
  const live = core.linex_wasm_live_bytes();
  const never = () => assert.fail('the model was asked');
  const pixels = (more) => ({ data: new Uint8Array(12), width: 2, height: 2, ...more });
  const cases = [
    ['photo.png', {}, TypeError, /must be pixels, an image element, a canvas or a bitmap, not "photo.png"/],
    [{ width: 0, height: 0 }, {}, RangeError, /sides of 1 to 65535 pixels, not 0 x 0/],
    [{ data: new Uint8Array(0), width: 0, height: 0 }, {}, RangeError, /sides of 1 to 65535 pixels, not 0 x 0/],
    [{ name: 'x' }, {}, TypeError, /must be pixels/],
    [pixels({ data: 7 }), {}, TypeError, /data of the image must be an array of numbers, not 7/],
    [pixels({ channels: 4 }), {}, RangeError, /2 x 2 x 4 = 16 values, not 12/],
    [pixels({ channels: 2 }), {}, RangeError, /must have 1, 3 or 4 channels, not 2/],
    [pixels({ data: new Uint8Array(8) }), {}, RangeError, /must have 1, 3 or 4 values per pixel, not 8 for 2 x 2/],
    [pixels({ data: [0, 0, 0, NaN], channels: 1 }), {}, RangeError, /from 0 to 255, not NaN at column 1 and row 1/],
    [pixels({ data: [0, 0, 300, 0] }), {}, RangeError, /from 0 to 255, not 300 at column 0 and row 1/],
    [pixels({ data: [0, 0.5, 1, 0] }), {}, RangeError, /from 0 to 255, not 0 to 1; multiply them by 255/],
    [
      pixels(),
      { segments: 'watershed' },
      RangeError,
      /segments must be slic, quickshift, grid or one label per pixel, not "watershed"/,
    ],
    [pixels(), { segments: [0, 1] }, RangeError, /one label per pixel \(2 x 2\), not Array of length 2/],
    [pixels(), { segments: { labels: [0], width: 2, height: 2 } }, RangeError, /one label per pixel \(2 x 2\)/],
    [pixels(), { segments: [0, 1, -1, 0] }, RangeError, /label 2 of segments must be a whole number from 0/],
    [pixels(), { segments: { kind: 'slic', count: 0 } }, RangeError, /segments.count must be a whole number from 1/],
    [pixels(), { segments: { kind: 'grid', ratio: 1 } }, TypeError, /segments has no option "ratio"/],
    [
      pixels(),
      { hide: 'white' },
      RangeError,
      /hide must be 'mean', 'blur', a color such as .* or an image, not "white"/,
    ],
    [pixels(), { hide: [0, 0] }, RangeError, /hide must be 3 numbers from 0 to 255, one per channel/],
    [pixels(), { hide: [0, 0, 256] }, RangeError, /hide\[2\] must be a number at least 0 and at most 255, not 256/],
    [pixels(), { hide: { blur: -1 } }, RangeError, /hide.blur must be a number above 0/],
    [pixels(), { backdrop: 'red' }, RangeError, /backdrop must be 3 numbers/],
    [pixels(), { input: { layout: 'chw' } }, RangeError, /input.layout must be one of nchw, nhwc, not "chw"/],
    [pixels(), { input: { type: 'uint8', mean: 0.5 } }, RangeError, /input.type 'uint8' takes no scale, mean or std/],
    [pixels(), { input: { mean: [1, 2] } }, RangeError, /input.mean must be a number, or 3 numbers, one per channel/],
    [pixels(), { input: { std: 0 } }, RangeError, /input.std\[0\] must be a number at least 1e-12/],
    [pixels(), { input: { channels: 2 } }, RangeError, /input.channels must be 1, 3 or 4, not 2/],
    [pixels(), { input: { size: 224 } }, TypeError, /input has no option "size"/],
    [
      { data: new Uint8Array(90000), width: 300, height: 300 },
      { unit: 'pixel' },
      RangeError,
      /unit 'pixel' is for at most 4096 pixels, not 300 x 300/,
    ],
    [pixels(), { hide: '#ff0000' }, RangeError, /a color such as \[255, 0, 0\] or an image, not "#ff0000"/],
    [pixels(), { unit: 'word' }, RangeError, /unit must be one of segment, pixel, not "word"/],
    [pixels(), { mask: 'x' }, TypeError, /explainImage has no option "mask"/],
  ];
  for (const [image, options, type, message] of cases)
    await assert.rejects(
      explainImage(image, never, options),
      (error) => error instanceof type && message.test(error.message),
      `${message}`,
    );
  await assert.rejects(explainImage(pixels()), /takes the model as a function/);
  await assert.rejects(segmentImage(pixels(), [0, 0, 1, 1]), /must be slic, quickshift or grid, not labels/);
  await assert.rejects(
    explainImage(pixels(), () => [NaN], { samples: 4 }),
    (error) => error instanceof LinexError && error.code === 'model-answer',
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
});

test('an image whose data change or are transferred after the call is explained as it was', async () => {
  const options = { segments: 'grid', samples: 20, draws: 0 };
  const make = () => ({
    data: Uint8ClampedArray.from({ length: 300 }, (_, i) => (i * 91) % 256),
    width: 10,
    height: 10,
  });
  const first = ({ data, shape: [count] }) => Array.from({ length: count }, (_, i) => data[(i * data.length) / count]);
  const expected = withoutTime(await explainImage(make(), first, options));
  const [changed, transferred] = [make(), make()];
  const explaining = [explainImage(changed, first, options), explainImage(transferred, first, options)];
  // The call has read its image once the options are checked, in a microtask.
  await undefined;
  await undefined;
  changed.data.fill(0);
  structuredClone(transferred.data.buffer, { transfer: [transferred.data.buffer] });
  for (const explanation of await Promise.all(explaining)) assert.equal(withoutTime(explanation), expected);
});

test('a side that follows from the other one is named as such if it is too long', async () => {
  const wide = { data: new Uint8Array(65535), width: 65535, height: 1 };
  await assert.rejects(
    explainImage(wide, brightness, { input: { height: 4 } }),
    /^RangeError: input.width, the side that keeps the proportions, must be a whole number from 1 to 65535, not 262140$/,
  );
  await assert.rejects(
    explainImage({ data: new Uint8Array(100000), width: 100000, height: 1 }, brightness),
    /^RangeError: the image must have sides of 1 to 65535 pixels, not 100000 x 1$/,
  );
});
