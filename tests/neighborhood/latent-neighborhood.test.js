// Neighborhoods in the latent space of an autoencoder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor } from 'onnxruntime-web';
import { describeTable, explainImage, explainRow, latentNeighborhood, load } from 'linex';
import { ready } from '../../js/core/load.js';

await load();
const core = await ready();

// A linear autoencoder for images of 3 x 2 pixels with one channel. The two latent numbers are the columns of MIX.
const MEAN = [0.5, 0.4, 0.6, 0.5, 0.45, 0.55];
const MIX = [
  [0.05, 0, 0.04, -0.02, 0.01, 0.03],
  [0, -0.06, 0.02, 0.05, 0.02, 0],
];
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
/** The inverse of `decode`: least squares by the normal equations for two unknowns. */
function encodeOne(image) {
  const off = Array.from(image, (value, i) => value - MEAN[i]);
  const [a, b, c] = [dot(MIX[0], MIX[0]), dot(MIX[0], MIX[1]), dot(MIX[1], MIX[1])];
  const [p, q] = MIX.map((row) => dot(row, off));
  const determinant = a * c - b * b;
  return [(c * p - b * q) / determinant, (a * q - b * p) / determinant];
}
const decodeOne = (z) => MEAN.map((value, i) => value + z[0] * MIX[0][i] + z[1] * MIX[1][i]);
const rowsOfData = ({ data, shape: [count] }) =>
  Array.from({ length: count }, (_, i) => data.subarray((i * data.length) / count, ((i + 1) * data.length) / count));
const coder = {
  encode: (input) => rowsOfData(input).map(encodeOne),
  decode: (latents) => rowsOfData(latents).map(decodeOne),
};
const tensor = (rows) => new Tensor('float32', Float32Array.from(rows.flat()), [rows.length, rows[0].length]);
const later = (value) => new Promise((resolve) => setTimeout(resolve, 1, value));

const HERE = decodeOne([1, -0.5]);
const center = { data: Float32Array.from(HERE, (value) => 255 * value), width: 3, height: 2, channels: 1 };

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const covariance = (a, b) => mean(a.map((value, i) => value * b[i])) - mean(a) * mean(b);
const column = (rows, c) => rows.map((row) => row[c] / 255);
const nearTo = (actual, wanted, tolerance, what) =>
  assert.ok(Math.abs(actual - wanted) <= tolerance, `${what}: ${actual}, not ${wanted}`);

test('images from a linear decoder have the mean and the covariance that follow from the radius', async () => {
  for (const radius of [1, 0.5]) {
    const samples = await latentNeighborhood(coder, { radius, batchSize: 1000 }).sample(center, 20000, () => 0.3);
    for (let a = 0; a < 6; a++) {
      nearTo(mean(column(samples, a)), HERE[a], 0.002, `mean ${a}`);
      for (let b = 0; b < 6; b++) {
        const wanted = radius ** 2 * (MIX[0][a] * MIX[0][b] + MIX[1][a] * MIX[1][b]);
        nearTo(covariance(column(samples, a), column(samples, b)), wanted, 1.5e-4, `covariance ${a}, ${b}`);
      }
    }
  }
});

test("the images do not depend on the form of the decoder's answers or on the batches", async () => {
  const wanted = await latentNeighborhood(coder).sample(center, 50, () => 0.3);
  assert.ok(wanted.length === 50 && wanted[0] instanceof Float32Array && wanted[0].length === 6);
  const ways = [
    { encode: (input) => coder.encode(input)[0], decode: (latents) => coder.decode(latents).flat() },
    { encode: async (input) => later(coder.encode(input)), decode: async (latents) => later(coder.decode(latents)) },
    {
      encode: (input) => ({ data: coder.encode(input)[0], shape: [2] }),
      decode: (latents) => ({ data: coder.decode(latents).flat(), shape: [latents.shape[0], 2, 3, 1] }),
    },
  ];
  for (const [i, way] of ways.entries())
    for (const batchSize of [1, 7, 64])
      assert.deepEqual(await latentNeighborhood(way, { batchSize }).sample(center, 50, () => 0.3), wanted, `way ${i}`);
  const others = await latentNeighborhood(coder).sample(center, 50, () => 0.31);
  assert.notDeepEqual(others, wanted);
});

test("onnxruntime's tensors are accepted, in single precision", async () => {
  const ort = {
    encode: async (input) => tensor(coder.encode(input)),
    decode: async (latents) => tensor(coder.decode(latents)),
  };
  const wanted = await latentNeighborhood(coder).sample(center, 50, () => 0.3);
  const made = await latentNeighborhood(ort).sample(center, 50, () => 0.3);
  made.forEach((image, i) => image.forEach((value, p) => nearTo(value, wanted[i][p], 1e-4, `image ${i}`)));
});

test('the encoder gets the input of predict, and the decoder uses the same scale or its own', async () => {
  const image = { data: Float32Array.from({ length: 12 }, (_, i) => 20 * i), width: 2, height: 2, channels: 3 };
  const seen = [];
  const input = { layout: 'nchw', mean: [0.1, 0.2, 0.3], std: 0.5 };
  /** Returns the input for any noise. */
  const echo = {
    encode: ({ data, shape, layout }) => (seen.push({ data, shape, layout }), { data, dims: [1, 12] }),
    decode: ({ shape: [count] }) => ({ data: Array.from({ length: count }, () => [...seen[0].data]).flat() }),
  };
  const [made] = await latentNeighborhood(echo, { input }).sample(image, 2, () => 0.5);
  assert.deepEqual(seen[0].shape, [1, 3, 2, 2]);
  assert.equal(seen[0].layout, 'nchw');
  seen[0].data.forEach((value, i) => {
    const [c, p] = [Math.floor(i / 4), i % 4];
    nearTo(value, (image.data[3 * p + c] / 255 - input.mean[c]) / 0.5, 1e-6, `tensor ${i}`);
  });
  made.forEach((value, i) => nearTo(value, image.data[i], 1e-4, `image ${i}`));

  const bytes = { ...echo, decode: ({ shape: [count] }) => ({ data: new Uint8Array(count * 12).fill(77) }) };
  const [flat] = await latentNeighborhood(bytes, { input, output: { scale: 1 } }).sample(image, 1, () => 0.5);
  assert.deepEqual([...flat], new Array(12).fill(77));
  const loud = { ...echo, decode: ({ shape: [count] }) => ({ data: new Float32Array(count * 12).fill(1.5) }) };
  const [cut] = await latentNeighborhood(loud).sample(image, 1, () => 0.5);
  assert.deepEqual([...cut], new Array(12).fill(255), 'a little whiter than white is white');
});

test('a bad result of encode or decode is an error that names it', async () => {
  const refused = (changed, pattern, options) =>
    assert.rejects(
      latentNeighborhood({ ...coder, ...changed }, options).sample(center, 70, () => 0.3),
      (error) => {
        assert.equal(error.code, 'neighborhood');
        assert.match(error.message, pattern);
        return true;
      },
    );
  const decoded = (change) => ({ decode: (latents) => change(coder.decode(latents)) });
  await refused({ encode: () => [1, NaN] }, /encode returned a value that has NaN at 1; expected a finite number/);
  await refused({ encode: () => [] }, /encode returned a value that is empty/);
  await refused({ encode: () => ({ latent: [1] }) }, /encode returned a value that is an object with latent/);
  await refused({ encode: () => undefined }, /encode returned a value that is undefined/);
  await refused({ encode: () => [1e39] }, /has 1e\+39 at 0/);
  await refused({ encode: () => ({ data: () => [1] }) }, /is a tensor; return what its data\(\) resolves to/);
  await refused(
    decoded((rows) => rows.slice(1).flat()),
    /decode returned a value for batch 0 \(64 latent vectors\) that has 378 numbers; expected 64 x 6/,
  );
  await refused(
    decoded((rows) => rows.map((row, i) => (i === 3 ? [...row.slice(1), Infinity] : row))),
    /batch 0 .* has Infinity for sample 3/,
  );
  await refused(
    decoded((rows) => ({ data: rows.flat(), dims: [3, 6] })),
    /has shape \[3, 6\] for 384 numbers/,
  );
  await refused(
    decoded((rows) => rows.map((row) => row.map((value) => 255 * value))),
    /decode returned .*output\.scale may be wrong: 0\.0039/,
  );
});

test('a decoder that throws is reported with its batch, and an abort stops it', async () => {
  const failing = {
    ...coder,
    decode: (latents) => (latents.shape[0] < 40 ? later().then(boom) : coder.decode(latents)),
  };
  const boom = () => {
    throw new Error('boom');
  };
  await assert.rejects(
    latentNeighborhood(failing, { batchSize: 40 }).sample(center, 70, () => 0.3),
    (error) => {
      assert.equal(error.message, 'decode failed on batch 1: boom');
      assert.equal(error.cause.message, 'boom');
      return error.batch === 1 && error.code === 'neighborhood';
    },
  );
  await assert.rejects(
    latentNeighborhood({ ...coder, encode: boom }).sample(center, 5, () => 0.3),
    /encode failed: boom/,
  );

  const stop = new AbortController();
  const silent = { ...coder, decode: () => (setTimeout(() => stop.abort(), 1), new Promise(() => {})) };
  await assert.rejects(
    explainImage(center, () => [1], { neighborhood: latentNeighborhood(silent), signal: stop.signal, unit: 'pixel' }),
    { name: 'AbortError' },
  );
  let calls = 0;
  const late = new AbortController();
  const stopping = { ...coder, decode: (latents) => (++calls === 2 && late.abort(), coder.decode(latents)) };
  const neighborhood = latentNeighborhood(stopping, { batchSize: 10 });
  await assert.rejects(
    explainImage(center, () => assert.fail('asked'), { neighborhood, signal: late.signal, unit: 'pixel' }),
    { name: 'AbortError' },
  );
  assert.equal(calls, 2);
});

test('no memory leaks, also after errors', async () => {
  const before = core.linex_wasm_live_bytes();
  await latentNeighborhood(coder).sample(center, 100, () => 0.3);
  const failing = { ...coder, decode: () => [NaN] };
  await assert.rejects(latentNeighborhood(failing).sample(center, 100, () => 0.3));
  assert.equal(core.linex_wasm_live_bytes(), before);
});

test('bad calls are refused before anything is encoded', async () => {
  const refused = (given, options, name, pattern) =>
    assert.throws(
      () => latentNeighborhood(given, options),
      (error) => {
        assert.equal(error.name, name);
        assert.match(error.message, pattern);
        return true;
      },
    );
  refused(undefined, {}, 'TypeError', /takes \{ encode, decode \}; encode must be a function, not undefined/);
  refused({ encode: coder.encode, decode: 5 }, {}, 'TypeError', /decode must be a function, not 5/);
  refused(coder, { radios: 1 }, 'TypeError', /no option "radios"; did you mean "radius"/);
  refused(coder, { radius: 0 }, 'RangeError', /radius must be a number above 0.*not 0/);
  refused(coder, { kind: 'text' }, 'RangeError', /kind must be one of image, row, not "text"/);
  refused(coder, { kind: 'row', input: {} }, 'RangeError', /input and output are for images/);
  refused(coder, { batchSize: 0 }, 'RangeError', /batchSize must be a whole number/);
  refused(coder, { input: { layout: 'chw' } }, 'RangeError', /input\.layout must be one of nchw, nhwc/);
  refused(coder, { output: { scale: 0 } }, 'RangeError', /output\.scale must be a number above 0/);
  refused(coder, { input: { mean: [0, 0, 0], std: [1, 1] } }, 'RangeError', /input\.std must be a number, or 3/);
  refused(coder, { output: { std: [1, 0, 1] } }, 'RangeError', /output\.std\[1\] must be/);
  const never = { ...coder, encode: () => assert.fail('encoded') };
  const sample = (at, options) => latentNeighborhood(never, options).sample(at, 5, () => 0.3);
  await assert.rejects(sample({ ...center, width: 4 }), /takes \{ data, width, height, channels \}, not Object/);
  await assert.rejects(
    sample(center, { input: { mean: [1, 2, 3] } }),
    /input\.mean must be a number, or 1 numbers, one per channel/,
  );
  await assert.rejects(sample([1, 'rent'], { kind: 'row' }), /column 1 of the row must be a finite number, not "rent"/);
  await assert.rejects(sample(5, { kind: 'row' }), /must be a row of numbers, not 5/);
});

test('an image model is explained by pixel on images of the decoder', async () => {
  const brightnessOf =
    (weights) =>
    ({ data, shape: [count] }) =>
      Array.from({ length: count }, (_, i) => dot(weights, data.subarray(6 * i, 6 * i + 6)));
  const weights = [3, -2, 0, 1, 0, 0];
  const neighborhood = latentNeighborhood(coder);
  // Pixels that vary together share their weight in many ways, so single pixels are not sure.
  const options = { neighborhood, unit: 'pixel', samples: 300, ridge: 1e-9, kernelWidth: 1, agreement: 0 };
  for (const method of ['linex', 'lime', 's-lime']) {
    const seen = [];
    const predict = (batch) => {
      seen.push(...rowsOfData(batch).map((image) => Array.from(image)));
      return brightnessOf(weights)(batch);
    };
    const explanation = await explainImage(center, predict, { ...options, method });
    assert.equal(explanation.queries.asked, 300);
    assert.ok(explanation.fidelity > 0.999, `${method}: ${explanation.fidelity}`);
    // The six pixels vary in two directions only. Along these the weights equal the model's.
    for (const direction of MIX)
      nearTo(dot(explanation.weights, direction), dot(weights, direction), 1e-3, `${method}, along a latent number`);
    // Every query is an image that the decoder can make.
    for (const image of seen)
      decodeOne(encodeOne(image)).forEach((value, i) => nearTo(value, image[i], 1e-5, 'on the manifold'));
  }
  await assert.rejects(
    explainRow([1, 2], () => [1], {
      table: describeTable([
        [1, 2],
        [3, 4],
      ]),
      neighborhood,
    }),
    /neighborhood must make row samples, not "image"/,
  );
});

test('rows can have a latent space', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => decodeOne([(i % 7) - 3, (i % 5) - 2]));
  const table = await describeTable(rows);
  const neighborhood = latentNeighborhood(coder, { kind: 'row', radius: 0.5 });
  const samples = await neighborhood.sample(rows[3], 20, () => 0.6);
  assert.ok(samples.every((row) => Array.isArray(row) && row.length === 6));
  const predict = ({ rows: all }) => all.map((row) => row[0] - row[1]);
  const explanation = await explainRow(rows[3], predict, {
    ...{ table, neighborhood, samples: 100, ridge: 1e-6 },
    ...{ agreement: 0, features: 'all' },
  });
  assert.equal(explanation.queries.asked, 100);
  assert.ok(explanation.fidelity > 0.99);
});
