// Tests that the models of the paper's tables run and have the recorded accuracy.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { GARMENT_SAMPLES } from '../../web/models/garment-samples.js';
import { testImages } from './sets/image-batches.js';
import { loadClassifier, loadGenerator, readAccuracy } from './networks/networks.js';

const models = new URL('./models/', import.meta.url);
const known = readAccuracy();

/** Returns a loader that loads each model once. */
function once(load) {
  const loaded = {};
  return (name) => (loaded[name] ??= load(name));
}
const classifier = once(loadClassifier);
const generator = once(loadGenerator);

const best = (row) => row.indexOf(Math.max(...row));
const rowsOf = ({ data: all, shape: [count] }) =>
  Array.from({ length: count }, (_, i) => all.subarray((i * all.length) / count, ((i + 1) * all.length) / count));

/** The ten drawn garments. */
const drawn = () => ({
  data: Float32Array.from(
    GARMENT_SAMPLES.flatMap(({ draw }) => [...draw().data]),
    (gray) => gray / 255,
  ),
  shape: [GARMENT_SAMPLES.length, 1, 28, 28],
});

/** Returns color images that are not photographs: each has a drawn garment, with another ground in each channel. */
function colored() {
  const shape = [GARMENT_SAMPLES.length, 3, 32, 32];
  const all = new Float32Array(GARMENT_SAMPLES.length * 3 * 1024);
  const garments = rowsOf(drawn());
  for (let i = 0; i < all.length; i++) {
    const [x, y, channel] = [i % 32, Math.floor(i / 32) % 32, Math.floor(i / 1024) % 3];
    const inside = x < 28 && y < 28 ? garments[Math.floor(i / 3072)][y * 28 + x] : 0;
    all[i] = 0.2 + 0.2 * channel + 0.4 * inside;
  }
  return { data: all, shape };
}

const SETS = { fmnist: { sides: [1, 28, 28], sample: drawn }, cifar10: { sides: [3, 32, 32], sample: colored } };

/** Returns the test images, or null if they are missing; the test is then skipped. */
function tested(t, name) {
  const images = testImages(name);
  if (!images) t.skip(`not measured: the test pictures of ${name} are not here (LINEX_DATA says where the data are)`);
  return images;
}

test('the networks of the tables have less than 5 MB in total', () => {
  const networks = readdirSync(models).filter((name) => name.endsWith('.onnx'));
  const bytes = networks.reduce((sum, name) => sum + statSync(new URL(name, models)).size, 0);
  assert.ok(bytes < 5e6, `${bytes}`);
});

for (const [name, { sides, sample }] of Object.entries(SETS)) {
  test(`the black box of ${name} returns probabilities, the same for one image and for a batch`, async () => {
    const { predict } = await classifier(name);
    const batch = sample();
    const answers = await predict(batch);
    assert.deepEqual(answers.shape, [10, 10]);
    for (const row of rowsOf(answers)) {
      assert.ok(row.every((value) => value >= 0 && value <= 1));
      assert.ok(Math.abs(row.reduce((sum, value) => sum + value) - 1) < 1e-5);
    }
    const alone = await predict({ data: rowsOf(batch)[9], shape: [1, ...sides] });
    const among = rowsOf(answers)[9];
    assert.ok(alone.data.every((value, i) => Math.abs(value - among[i]) < 1e-5));
  });

  test(`the generator of ${name} returns codes, and images with values from 0 to 1`, async () => {
    const { encode, decode, radius } = await generator(name);
    const codes = await encode(sample());
    assert.deepEqual(codes.shape, [10, known[`${name}-generator`].latent]);
    const again = await decode(codes);
    assert.deepEqual(again.shape, [10, ...sides]);
    assert.ok(again.data.every((value) => value >= 0 && value <= 1));
    assert.ok(codes.data.every(Number.isFinite) && radius > 0.28 && radius < 1);
  });

  test(`the black box of ${name} has the accuracy in accuracy.json`, async (t) => {
    const pictures = tested(t, name);
    if (!pictures) return;
    const { predict } = await classifier(name);
    const rows = rowsOf(await predict(pictures.batch));
    const accuracy = rows.filter((row, i) => best(row) === pictures.labels[i]).length / rows.length;
    t.diagnostic(`accuracy ${accuracy}`);
    assert.equal(rows.length, known[`${name}-classifier`].tested);
    assert.ok(Math.abs(accuracy - known[`${name}-classifier`].accuracy) < 0.005, `${accuracy}`);
  });

  test(`the generator of ${name} has the reconstruction error in accuracy.json`, async (t) => {
    const pictures = tested(t, name);
    if (!pictures) return;
    const { encode, decode } = await generator(name);
    const again = await decode(await encode(pictures.batch));
    const error =
      again.data.reduce((sum, value, i) => sum + (value - pictures.batch.data[i]) ** 2, 0) / again.data.length;
    t.diagnostic(`mean squared error ${error}`);
    assert.ok(Math.abs(error / known[`${name}-generator`].error - 1) < 0.01, `${error}`);
  });
}

test('the black box recognizes at least six of the ten drawn garments', async (t) => {
  const { predict } = await classifier('fmnist');
  const seen = rowsOf(await predict(drawn())).map(best);
  const right = seen.filter((garment, i) => garment === i).length;
  t.diagnostic(`${right} of 10: ${seen}`);
  assert.ok(right >= 6, `${seen}`);
});

test('an image of another shape is refused, and the error names the shape', async () => {
  const { predict } = await classifier('fmnist');
  await assert.rejects(predict({ data: new Float32Array(784), shape: [1, 784] }), {
    name: 'RangeError',
    message: 'fmnist-classifier takes [n, 1, 28, 28], not [1,784] of 784 numbers',
  });
  const nothing = await predict({ data: new Float32Array(0), shape: [0, 1, 28, 28] });
  assert.deepEqual([nothing.data.length, nothing.shape[0]], [0, 0]);
});
