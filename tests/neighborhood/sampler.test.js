// The caller's own neighborhoods of rows, texts and images.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describeTable, explainImage, explainRow, explainRows, explainText, LinexError, load } from 'linex';

import { seededRandom } from '../../js/neighborhood/drawn-samples.js';
import { ready } from '../../js/core/load.js';

await load();
const liveBytes = async () => (await ready()).linex_wasm_live_bytes();

const rows = Array.from({ length: 60 }, (_, i) => [i % 7, (i * i) % 11, ['red', 'green'][i % 2]]);
const table = await describeTable(rows, { columns: ['a', 'b', 'color'], categorical: ['color'] });
/** 2 a − b + 5 [red] */
const score = ({ rows: all }) => all.map(([a, b, color]) => 2 * a - b + (color === 'red' ? 5 : 0));
const exact = { table, ridge: 0, features: 'all', samples: 200, draws: 20 };
const colors = ['red', 'green'];
const own = {
  kind: 'row',
  sample: ([a, b], count, random) =>
    Array.from({ length: count }, () => [a + random(), b + random(), colors[Math.floor(2 * random())]]),
};

test('an abort ends a call whose sampler ignores the signal and never finishes', async () => {
  const stop = new AbortController();
  const reason = new Error('seen enough');
  let given;
  let started = 0;
  const sample = (_center, _count, _random, { signal }) => {
    given = signal;
    // Aborts when both calls wait: loading their modules may take longer than any fixed time.
    if (++started === 2) setTimeout(() => stop.abort(reason), 20);
    return new Promise(() => {});
  };
  const never = () => assert.fail('the model was asked');
  const calls = [
    explainRow([3, 4, 'red'], never, { ...exact, neighborhood: { sample }, signal: stop.signal }),
    explainText('a b', never, { neighborhood: { sample }, signal: stop.signal }),
  ];
  await Promise.all(calls.map((call) => assert.rejects(call, (error) => error === reason)));
  assert.equal(given, stop.signal);
  const late = new AbortController();
  const slow = {
    sample: () => {
      late.abort(reason);
      return new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), 5));
    },
  };
  const call = explainRow([3, 4, 'red'], never, { ...exact, neighborhood: slow, signal: late.signal });
  await assert.rejects(call, (error) => error === reason);
});

test('a sampler that is a generator function returns an iterator, and the error says so', async () => {
  const never = () => assert.fail('the model was asked');
  const sample = function* () {
    yield [1, 2, 'red'];
  };
  await assert.rejects(
    explainRow([3, 4, 'red'], never, { ...exact, neighborhood: { sample } }),
    (error) => error.code === 'neighborhood' && /must return an array, not an iterator/.test(error.message),
  );
});

test("every method explains the caller's own rows", async () => {
  for (const method of ['linex', 'lime', 's-lime']) {
    const explanation = await explainRow([3, 4, 'red'], score, { ...exact, method, neighborhood: own });
    const byColumn = Object.fromEntries(explanation.features.map(({ column, perUnit }) => [column, perUnit]));
    assert.ok(Math.abs(byColumn.a - 2) < 1e-9 && Math.abs(byColumn.b + 1) < 1e-9, method);
    assert.ok(Math.abs(byColumn.color - 5) < 1e-9, method);
    assert.equal(explanation.prediction, 2 * 3 - 4 + 5);
    assert.deepEqual(explanation.queries, { planned: 200, asked: 200, reused: 0 });
  }
});

test('the model is asked about the input first, then about the rows in their order', async () => {
  const seen = [];
  const given = [
    [1, 2, 'green'],
    [3, 4, 'red'],
    [1, 2, 'green'],
  ];
  const predict = (batch) => {
    seen.push(...batch.rows);
    return score(batch);
  };
  const centers = [];
  const sample = async (center, count) => {
    centers.push([center, count]);
    return given;
  };
  const explanation = await explainRow([5, 6, 'red'], predict, {
    ...exact,
    ridge: 1,
    samples: 4,
    neighborhood: { sample },
  });
  assert.deepEqual(centers, [[[5, 6, 'red'], 3]]);
  assert.deepEqual(seen, [[5, 6, 'red'], given[0], given[1]]);
  assert.deepEqual(explanation.queries, { planned: 4, asked: 3, reused: 1 });
});

test("given weights replace the kernel's, and the input counts 1 or as given", async () => {
  const made = [
    [0, 0, 'red'],
    [1, 0, 'red'],
    [2, 0, 'red'],
    [9, 9, 'green'],
  ];
  // The weighted mean of the answers: (0·11 + 1·5 + 2·7 + 1·9 + 0·9) / 4.
  const neighborhood = { sample: () => ({ samples: made, weights: [1, 2, 1, 0], inputWeight: 0 }) };
  const options = { ...exact, ridge: 1, samples: 5, method: 'baseline', neighborhood };
  const { localPrediction } = await explainRow([3, 0, 'red'], score, options);
  assert.equal(localPrediction, (5 + 14 + 9) / 4);
  const counted = { sample: () => ({ samples: made, weights: [1, 2, 1, 0] }) };
  const other = await explainRow([3, 0, 'red'], score, { ...options, neighborhood: counted });
  assert.equal(other.localPrediction, (11 + 5 + 14 + 9) / 5);
});

test("the baseline has LIME's weights and predicts the mean of the neighborhood", async () => {
  const options = { table, samples: 300, features: 'all', seed: 4 };
  const lime = await explainRow([3, 4, 'red'], score, { ...options, method: 'lime' });
  const baseline = await explainRow([3, 4, 'red'], score, { ...options, method: 'baseline' });
  assert.equal(baseline.method, 'baseline');
  assert.deepEqual(baseline.weights, lime.weights);
  assert.equal(baseline.equilibrium, null);
  // A constant explains none of the variance around it.
  assert.equal(baseline.fidelity, 0);
  assert.notEqual(baseline.localPrediction, lime.localPrediction);
});

test('a finite neighborhood plans no more samples than it has, and samples "auto" stops there', async () => {
  const few = { sample: (center, count) => rows.slice(0, Math.min(count, 30)) };
  const fixed = await explainRow([3, 4, 'red'], score, { ...exact, ridge: 1, neighborhood: few });
  assert.equal(fixed.queries.planned, 31);
  const auto = await explainRow([3, 4, 'red'], score, { ...exact, ridge: 1, samples: 'auto', neighborhood: few });
  assert.deepEqual(auto.weights, fixed.weights);
  assert.equal(auto.queries.asked, fixed.queries.asked);
  assert.equal(auto.queries.stopped, 'exhausted');
  // It runs out between two looks, and exactly at one.
  for (const last of [200, 255]) {
    const noise = (random) => [random(), random(), colors[Math.floor(2 * random())]];
    const more = { sample: (_, count, random) => Array.from({ length: Math.min(count, last) }, () => noise(random)) };
    const options = { ...exact, samples: 'auto', precision: 1e-9, neighborhood: more };
    const ended = await explainRow([0, 0, 'red'], ({ rows: all }) => all.map(([a, b]) => a * b), options);
    assert.deepEqual(ended.queries, { planned: last + 1, asked: last + 1, reused: 0, stopped: 'exhausted' });
  }
});

test('a warning gives only advice that helps', async () => {
  const warningsOf = async (sample, options) =>
    (await explainRow([3, 4, 'red'], score, { ...exact, ...options, neighborhood: { sample } })).warnings.join(' | ');
  const two = () => rows.slice(0, 3);
  const weighed = (samples) => ({ samples, weights: samples.map((_, i) => (i < 2 ? 1 : 1e-9)), inputWeight: 0 });
  const worth = /the neighborhood counts as only [\d.]+ samples for 3 features/.source;
  assert.match(await warningsOf(two, { ridge: 1 }), new RegExp(`${worth} and has no more; widen the kernel( \\||$)`));
  assert.match(await warningsOf(() => weighed(two()), { ridge: 1 }), new RegExp(`${worth} and has no more( \\||$)`));
  const full = (_, count) => weighed(rows.slice(0, count));
  assert.match(await warningsOf(full, { ridge: 1, samples: 40 }), new RegExp(`${worth}; ask for more samples( \\||$)`));
  assert.match(await warningsOf(() => rows.slice(0, 20), { ridge: 10 }), /the ridge takes away .*; lower it$/);
  const drowned = await warningsOf((_, count) => rows.slice(0, count), { ridge: 1000, samples: 40 });
  assert.match(drowned, /the ridge takes away more than the largest weight itself; lower it, or ask for more samples/);
});

test('a promise of a neighborhood is awaited, in explainRows too', async () => {
  const options = { ...exact, neighborhood: Promise.resolve(own) };
  const all = [];
  for await (const { prediction } of explainRows([rows[0], rows[1]], score, options)) all.push(prediction);
  assert.deepEqual(all, score({ rows: rows.slice(0, 2) }));
});

const TEXT = 'a moving, moving tale of love';
/** Scores 2 for "moving" and -1 for "love". */
const feel = (texts) => texts.map((text) => 2 * text.split('moving').length - 2 - (text.includes('love') ? 1 : 0));

test("the caller's own texts are explained by the words that they keep", async () => {
  const words = ['a', 'moving', 'tale', 'of', 'love'];
  const centers = [];
  const sample = (center, count, random) => {
    centers.push(center);
    return Array.from({ length: count }, () =>
      center.words.reduce((text, word) => (random() < 0.5 ? text.replaceAll(word, 'X') : text), TEXT),
    );
  };
  const options = { neighborhood: { kind: 'text', sample }, ridge: 0, samples: 100, tokens: 'simple' };
  const { weights, features } = await explainText(TEXT, feel, options);
  assert.deepEqual(centers[0].words, words);
  assert.equal(centers[0].text, TEXT);
  assert.deepEqual(centers[0].tokens[1], { start: 2, end: 8, feature: 1 });
  weights.forEach((weight, i) => assert.ok(Math.abs(weight - [0, 4, 0, 0, -1][i]) < 1e-9));
  assert.deepEqual(features[0].occurrences.length, 2);
});

test('masks say which words a text keeps if the text itself does not show it', async () => {
  const masks = Array.from({ length: 32 }, (_, i) => Array.from({ length: 5 }, (_, c) => (i >> c) & 1));
  const answers = new Map(masks.map((mask, i) => [`text ${i}`, 3 * mask[0] - mask[4]]));
  const sample = () => ({ samples: [...answers.keys()], masks });
  const predict = (texts) => texts.map((text) => answers.get(text) ?? 2);
  const options = { neighborhood: { sample }, ridge: 0, samples: 33, features: 'all', tokens: 'simple' };
  const { weights, queries } = await explainText(TEXT, predict, options);
  weights.forEach((weight, i) => assert.ok(Math.abs(weight - [3, 0, 0, 0, -1][i]) < 1e-9));
  assert.equal(queries.asked, 33);
});

const image = { data: Uint8Array.from({ length: 64 }, (_, i) => 3 * i), width: 8, height: 8, channels: 1 };

test("the caller's own images are explained by the brightness of their segments", async () => {
  // Four quarters; the model's answer is 2 · (brightness of the first) − (brightness of the last).
  const labels = Array.from({ length: 64 }, (_, i) => (i % 8 < 4 ? 0 : 1) + (i < 32 ? 0 : 2));
  const meanOf = (data, label) => labels.reduce((sum, one, i) => sum + (one === label ? data[i] / 16 : 0), 0);
  const predict = ({ data, shape: [count] }) =>
    Array.from({ length: count }, (_, i) => {
      const one = data.subarray(64 * i, 64 * i + 64);
      return 2 * meanOf(one, 0) - meanOf(one, 3);
    });
  const sample = ({ data }, count, random) =>
    Array.from({ length: count }, () => data.map((value) => Math.min(255, value + 60 * random())));
  const options = { neighborhood: { kind: 'image', sample }, segments: labels, samples: 200, ridge: 0, batchSize: 64 };
  const { weights, prediction } = await explainImage(image, predict, options);
  weights.forEach((weight, i) => assert.ok(Math.abs(weight - [2, 0, 0, -1][i]) < 1e-5, String(weights)));
  // Brightness varies so little that a ridge of 1 would shrink the weights to nothing. The default is the ridge of pixels.
  const byDefault = await explainImage(image, predict, { ...options, ridge: undefined });
  byDefault.weights.forEach((weight, i) =>
    assert.ok(Math.abs(weight - [2, 0, 0, -1][i]) < 0.05, String(byDefault.weights)),
  );
  assert.ok(Math.abs(prediction - (2 * meanOf(image.data, 0) - meanOf(image.data, 3)) / 255) < 1e-6);
  const lanes = await explainImage(image, async (batch) => predict(batch), {
    ...options,
    batchSize: 16,
    concurrency: 3,
  });
  assert.deepEqual(lanes.weights, weights);
});

test('pixels of one or three channels, as bytes or floats, reach the model in its layout', async () => {
  const colorful = { data: Uint8Array.from({ length: 12 }, (_, i) => 20 * i), width: 2, height: 2, channels: 3 };
  const sample = ({ data, channels }, count) => {
    assert.equal(channels, 3);
    return Array.from({ length: count }, (_, i) => data.map((value) => value + i));
  };
  const seen = [];
  const predict = ({ data, shape, layout }) => {
    seen.push({ data: [...data], shape, layout });
    return new Float64Array(shape[0]);
  };
  const input = { layout: 'nchw', type: 'uint8' };
  await explainImage(colorful, predict, { neighborhood: { sample }, unit: 'pixel', samples: 3, input });
  const plane = (c, more) => [0, 1, 2, 3].map((pixel) => 20 * (3 * pixel + c) + more);
  const expected = [0, 0, 1].flatMap((more) => [0, 1, 2].flatMap((c) => plane(c, more)));
  assert.deepEqual(seen, [{ data: expected, shape: [3, 3, 2, 2], layout: 'nchw' }]);
});

test('the same seed gives the same samples, another seed gives others', async () => {
  const of = async (seed) =>
    (await explainRow([3, 4, 'red'], score, { ...exact, ridge: 1, seed, neighborhood: own })).weights;
  assert.deepEqual(await of(7), await of(7));
  assert.notDeepEqual(await of(7), await of(8));
});

test('the random numbers are uniform and pairwise independent', () => {
  const random = seededRandom(2 ** 53 - 1);
  const numbers = Array.from({ length: 20000 }, random);
  assert.ok(numbers.every((one) => one >= 0 && one < 1));
  const cells = new Array(100).fill(0);
  for (let i = 0; i < numbers.length; i += 2)
    cells[10 * Math.floor(10 * numbers[i]) + Math.floor(10 * numbers[i + 1])]++;
  // Chi-squared with 99 degrees of freedom is below 62 once in 1,000 runs, and above 147 once in 1,000.
  const chi = cells.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
  assert.ok(chi > 62 && chi < 147, `chi-squared ${chi}`);
  const firsts = new Set(Array.from({ length: 1000 }, (_, seed) => seededRandom(seed)()));
  assert.equal(firsts.size, 1000);
});

const refused = async (call, type, message) => {
  const before = await liveBytes();
  let asked = 0;
  await assert.rejects(
    call(() => {
      asked++;
      return [0];
    }),
    (error) => {
      assert.ok(error instanceof type, `${error}`);
      assert.match(error.message, message);
      if (type === LinexError) assert.equal(error.code, 'neighborhood');
      return true;
    },
  );
  assert.equal(asked, 0);
  assert.equal(await liveBytes(), before);
};

test('a bad neighborhood is refused by name before the model is asked', async () => {
  const row = (neighborhood, more) => (predict) =>
    explainRow([3, 4, 'red'], predict, { table, samples: 5, ...more, neighborhood });
  const text = (neighborhood, more) => (predict) => explainText(TEXT, predict, { samples: 5, ...more, neighborhood });
  const ofImage = (neighborhood, more) => (predict) =>
    explainImage(image, predict, { samples: 5, ...more, neighborhood });
  await refused(row('normal'), RangeError, /^neighborhood must be one of random, not "normal"$/);
  await refused(row({}), TypeError, /^neighborhood must be 'random' or have a function sample, not Object$/);
  await refused(text({ kind: 'row', sample() {} }), RangeError, /^neighborhood must make text samples, not "row"$/);
  await refused(row(own, { center: 'mean' }), RangeError, /^center is for neighborhood 'random'/);
  await refused(text({ sample() {} }, { mask: '_' }), RangeError, /^mask is for removed words/);
  await refused(ofImage({ sample() {} }, { hide: 'blur' }), RangeError, /^hide is for hidden segments/);
  const weights = [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]; // prettier-ignore
  await refused(
    row({ sample: () => [rows[0]] }, { environments: weights }),
    RangeError,
    /environments must have 2 weights each, one per sample, not 5/,
  );
});

test('bad samples are errors that say what is wrong', async () => {
  const row = (made) => (predict) =>
    explainRow([3, 4, 'red'], predict, { table, samples: 5, neighborhood: { sample: async () => made } });
  const bad = (made, message) => refused(row(made), LinexError, message);
  await bad(undefined, /sample must return an array, or \{ samples, weights, inputWeight, masks \}, not undefined/);
  await bad({ rows: [] }, /not "rows"$/);
  await bad([], /sample must return 1 to 4 samples, not 0/);
  await bad(rows.slice(0, 5), /1 to 4 samples, not 5/);
  await bad([[1, 2]], /sample 0 does not fit the table: the row must have 3 columns, not 2/);
  await bad([rows[0], [1, NaN, 'red']], /sample 1 does not fit the table: column "b" must be a finite number, not NaN/);
  await bad([[1, 2, 'blue']], /column "color" has no level "blue"/);
  await bad({ samples: [rows[0]], weights: [1, 2] }, /weights must be 1 numbers, one per sample/);
  await bad({ samples: [rows[0]], weights: [-1] }, /weights\[0\] must be a number at least 0/);
  await bad({ samples: [rows[0]], weights: [0], inputWeight: 0 }, /weights must not all be 0/);
  const text = (made, more) => (predict) =>
    explainText(TEXT, predict, { samples: 5, ...more, neighborhood: { sample: () => made } });
  await refused(text([1]), LinexError, /sample 0 must be a string, not 1/);
  await refused(
    text({ samples: ['x'], masks: [[1]] }),
    LinexError,
    /masks\[0\] must be 5 numbers, 1 for each word that was kept/,
  );
  await refused(text(['x'], { unit: 'position' }), RangeError, /must return masks unless unit is 'word'/);
  const ofImage = (made) => (predict) =>
    explainImage(image, predict, { samples: 5, neighborhood: { sample: () => made } });
  await refused(
    ofImage([[1, 2]]),
    LinexError,
    /sample 0 must be an image of 64 values like center.data, not Array of length 2/,
  );
  await refused(
    ofImage([new Array(64).fill(256)]),
    LinexError,
    /sample 0 must have values from 0 to 255, not 256 at 0/,
  );
  const broken = { sample: () => Promise.reject(new Error('no luck')) };
  const call = (predict) => explainRow([3, 4, 'red'], predict, { table, neighborhood: broken });
  await refused(call, LinexError, /^the neighborhood failed to make samples: no luck$/);
});

test('an abort while samples are made ends the call', async () => {
  const stop = new AbortController();
  const sample = async () => {
    stop.abort(new Error('enough'));
    return [rows[0]];
  };
  const call = (predict) =>
    explainRow([3, 4, 'red'], predict, { table, neighborhood: { sample }, signal: stop.signal });
  await refused(call, Error, /^enough$/);
});
