// Random forests: against scikit-learn, through JSON, and bad training data.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describeTable, explainRow, forestFromJSON, trainForest } from 'linex';
import { ready } from '../../js/core/load.js';
import { dice } from '../support/dice.js';

const vectors = JSON.parse(readFileSync(new URL('../vectors/forest.json', import.meta.url), 'utf8'));
const near = (actual, expected, tolerance = 1e-12) =>
  assert.ok(Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)), `${actual}, not ${expected}`);
const allNear = (actual, expected, tolerance) => {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => near(value, expected[i], tolerance));
};

const random = dice(3);
const rows = Array.from({ length: 200 }, () => [random.normal(), random.normal(), random.normal()]);
const numbers = rows.map(([a, b]) => a * b + 0.1 * random.normal());
const labels = rows.map(([a, b]) => (a + b > 0.5 ? 'up' : a - b > 0.5 ? 'side' : 'down'));

test("a single tree on all rows and columns equals scikit-learn's tree", async () => {
  assert.equal(vectors.trees.length, 5);
  for (const { kind, minLeaf, depth, rows, responses, tree } of vectors.trees) {
    const options = { kind, minLeaf, trees: 1, featuresPerSplit: 'all', bootstrap: false };
    const forest = await trainForest(rows, responses, { ...options, ...(depth && { depth }) });
    const { trees } = forest.toJSON();
    for (const name of ['columns', 'outputs', 'roots', 'features', 'thresholds', 'rights'])
      assert.deepEqual(trees[name], tree[name], name);
    allNear(trees.gains, tree.gains, 1e-9);
    allNear(trees.values, tree.values);
  }
});

test("scikit-learn's trees give the same answers here", async () => {
  const { trees, at, shares, leaves, importances } = vectors.classes;
  const json = { kind: 'classification', classes: ['a', 'b', 'c'], table: null, single: false, trees };
  const forest = await forestFromJSON(json);
  assert.equal(forest.predict(at).length, 20);
  forest.predict(at).forEach((answer, i) => allNear(answer, shares[i]));
  assert.deepEqual(
    forest.leaves(at).map((one) => [...one]),
    leaves,
  );
  allNear(forest.importances, importances);
  const { maple } = vectors;
  const other = await forestFromJSON({ kind: 'regression', classes: null, single: true, trees: maple.trees });
  allNear(
    other.predict(maple.at),
    maple.explained.map(({ prediction }) => prediction),
  );
  allNear(other.importances, maple.importances);
});

/** The rows of a data set, and for each split a function that says whether a row is for testing. */
function unpack({ masks, labels, labelBytes, rows, bytes, columns }) {
  const inflate = (text) => [...gunzipSync(Buffer.from(text, 'base64'))];
  const responses = labels ?? inflate(labelBytes);
  const flat = bytes && inflate(bytes);
  const table = rows ?? responses.map((_, i) => flat.slice(i * columns, (i + 1) * columns));
  return { rows: table, responses, splits: masks.map(bitsOf) };
}

function bitsOf(mask) {
  const bytes = Buffer.from(mask, 'base64');
  return (i) => ((bytes[i >> 3] >> (7 - (i & 7))) & 1) === 1;
}

/** The mean score over splits and seeds. */
async function meanScore({ rows, responses, splits }, seeds, options, score) {
  let sum = 0;
  for (const isTest of splits)
    for (let seed = 0; seed < seeds; seed++) {
      const part = (list, wanted) => list.filter((_, i) => isTest(i) === wanted);
      const forest = await trainForest(part(rows, false), part(responses, false), { ...options, seed });
      sum += score(forest.predict(part(rows, true)), part(responses, true), forest);
    }
  return sum / splits.length / seeds;
}

const accuracy = (answers, responses, { classes }) =>
  answers.filter((shares, i) => classes[shares.indexOf(Math.max(...shares))] === String(responses[i])).length /
  answers.length;

const explainedVariance = (answers, responses) => {
  const mean = responses.reduce((sum, y) => sum + y, 0) / responses.length;
  const squares = (of) => responses.reduce((sum, y, i) => sum + (y - of(i)) ** 2, 0);
  return 1 - squares((i) => answers[i]) / squares(() => mean);
};

test('the vectors have the accuracy of scikit-learn on three data sets', () => {
  assert.equal(vectors.accuracy.length, 3);
});

for (const known of vectors.accuracy)
  test(`a forest on ${known.name} is as accurate as scikit-learn's, within a point`, async (t) => {
    const ours = await meanScore(unpack(known), known.seeds, { kind: 'classification' }, accuracy);
    t.diagnostic(`${known.name}: ${ours.toFixed(4)}, scikit-learn's ${known.score.toFixed(4)}`);
    near(ours, known.score, 0.01);
  });

const folder = process.env.LINEX_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const meps = `${folder}/meps19.csv`;
test(
  "a forest on MEPS explains as much of the variance as scikit-learn's, within a point",
  { skip: !existsSync(meps) && 'needs meps19.csv in the folder LINEX_DATA' },
  async (t) => {
    const { columns, masks, seeds, score } = vectors.meps;
    const [head, ...lines] = readFileSync(meps, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const value = (line, name) => Number(line[head.indexOf(name)]);
    const rows = lines.map((line) =>
      columns.map((name) => (name === 'AGE' ? Math.min(8, Math.floor(value(line, name) / 10)) : value(line, name))),
    );
    const responses = lines.map((line) => Math.log(value(line, 'UTIL')));
    const options = { minLeaf: 10, featuresPerSplit: 10 };
    const ours = await meanScore({ rows, responses, splits: masks.map(bitsOf) }, seeds, options, explainedVariance);
    t.diagnostic(`MEPS: ${ours.toFixed(4)}, scikit-learn's ${score.toFixed(4)}`);
    near(ours, score, 0.01);
  },
);

test('the same seed grows the same forest, another seed grows another', async () => {
  const json = async (seed) => JSON.stringify(await trainForest(rows, numbers, { trees: 5, seed }));
  assert.equal(await json(7), await json(7));
  assert.notEqual(await json(7), await json(8));
});

test('a forest answers with the same bits after JSON and after structuredClone', async () => {
  for (const responses of [numbers, labels, rows.map(([a, b]) => [a + b, a - b])]) {
    const forest = await trainForest(rows, responses, { trees: 7 });
    const text = JSON.stringify(forest);
    for (const copy of [text, JSON.parse(text), structuredClone(forest.toJSON())]) {
      const again = await forestFromJSON(copy);
      assert.deepEqual(again.predict(rows), forest.predict(rows));
      assert.deepEqual(again.importances, forest.importances);
      assert.deepEqual(again.toJSON(), forest.toJSON());
      assert.equal(again.kind, forest.kind);
      assert.deepEqual(again.classes, forest.classes);
    }
  }
});

test('the responses decide the kind of forest and the form of its answers', async () => {
  const answersOf = async (responses, options) => {
    const forest = await trainForest(rows, responses, { trees: 3, ...options });
    return [forest.kind, forest.classes, forest.predict(rows.slice(0, 1))[0].length];
  };
  assert.deepEqual(await answersOf(numbers), ['regression', undefined, undefined]);
  assert.deepEqual(await answersOf(rows), ['regression', undefined, 3]);
  assert.deepEqual(await answersOf(labels), ['classification', ['down', 'side', 'up'], 3]);
  const isUp = labels.map((label) => label === 'up');
  assert.deepEqual(await answersOf(isUp), ['classification', ['false', 'true'], 2]);
  const codes = isUp.map((up) => (up ? 10 : 9));
  assert.deepEqual(await answersOf(codes, { kind: 'classification' }), ['classification', ['9', '10'], 2]);
  const order = ['up', 'side', 'down', 'never'];
  assert.deepEqual(await answersOf(labels, { classes: order }), ['classification', order, 4]);
});

test('trees respect depth and minLeaf, and a pure leaf answers with the response of its rows', async () => {
  const small = await trainForest(rows, numbers, { trees: 4, minLeaf: 20, bootstrap: false });
  const leaves = small.leaves(rows);
  for (let tree = 0; tree < 4; tree++) {
    const sizes = new Map();
    for (const leaf of leaves) sizes.set(leaf[tree], (sizes.get(leaf[tree]) ?? 0) + 1);
    assert.ok(Math.min(...sizes.values()) >= 20 && sizes.size > 2);
  }
  const stump = await trainForest(rows, numbers, { trees: 1, depth: 1 });
  assert.equal(stump.toJSON().trees.features.length, 3);
  const exact = await trainForest(rows, numbers, { trees: 1, bootstrap: false });
  assert.deepEqual(exact.predict(rows), numbers);
});

test('only columns that matter have importance, and importances add up to 1', async () => {
  const { importances } = await trainForest(rows, labels, { trees: 20, minLeaf: 5, featuresPerSplit: 'all' });
  near(
    importances.reduce((sum, one) => sum + one, 0),
    1,
  );
  assert.ok(importances[2] < 0.1);
  const flat = await trainForest(rows, new Array(200).fill(4), { trees: 2 });
  assert.deepEqual(
    [flat.importances, flat.predict(rows.slice(0, 2))],
    [
      [0, 0, 0],
      [4, 4],
    ],
  );
});

test('levels are split in their order with the missing one last, and explainRow explains a forest', async () => {
  const sizes = ['a', 'b', 'c', null];
  const mixed = rows.map(([a], i) => [a, sizes[i % 4], (i % 3) * 10]);
  const responses = mixed.map(([a, size, ten]) => a + (size === null ? 5 : 0) + ten / 10);
  const table = await describeTable(mixed, { categorical: [1, 2] });
  const forest = await trainForest(mixed, responses, { table, trees: 30, featuresPerSplit: 'all' });
  const [missing, present] = forest.predict([
    [0, null, 10],
    [0, 'b', 10],
  ]);
  assert.ok(missing - present > 4);
  assert.deepEqual((await forestFromJSON(JSON.parse(JSON.stringify(forest)))).predict(mixed), forest.predict(mixed));
  let asked;
  const predict = (batch) => {
    asked = batch;
    return forest.predict(batch);
  };
  const explanation = await explainRow([0, null, 10], predict, { table, samples: 200, batchSize: 200 });
  assert.ok(explanation.weights[1] > 2);
  near(explanation.prediction, missing);
  assert.deepEqual(forest.predict(asked.rows), forest.predict(asked));
  const [classes, classifier] = [['down', 'side', 'up'], await trainForest(rows, labels, { trees: 20 })];
  const top = await explainRow(rows[0], classifier.predict, { table: describeTable(rows), classes, samples: 100 });
  assert.equal(top.target, labels[0]);
});

test('the native build and the wasm grow the same forest to the last bit', async () => {
  const program = fileURLToPath(new URL('../../build/native/tests/c/native_forest', import.meta.url));
  const native = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');
  const cell = (row, column) => ((row * (7 + 4 * column) + column * column) % 97) / 4 - column;
  const table = Array.from({ length: 120 }, (_, i) => [0, 1, 2, 3].map((c) => cell(i, c)));
  const responses = table.map(([a, b, c, d]) => a * b + c / (1 + d * d));
  const bits = (value) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return view.getBigUint64(0).toString(16).padStart(16, '0');
  };
  const options = { trees: 10, featuresPerSplit: 2, minLeaf: 2, seed: 42 };
  const regression = await trainForest(table, responses, options);
  const classes = table.map(([a, b, , d]) => (d > 4 ? 2 : a > b ? 1 : 0));
  const classifier = await trainForest(table, classes, { ...options, kind: 'classification' });
  const answers = [...regression.predict(table), ...classifier.predict(table).flat(), ...regression.importances];
  assert.deepEqual(answers.map(bits), native);
});

test('a forest leaves nothing in the shared memory', async () => {
  const core = await ready();
  const before = core.linex_wasm_live_bytes();
  const forest = await trainForest(rows, numbers, { trees: 5 });
  forest.predict(rows);
  forest.leaves(rows);
  await forestFromJSON(forest.toJSON());
  await assert.rejects(trainForest(rows, numbers, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  assert.equal(core.linex_wasm_live_bytes(), before);
});

test('training can be aborted', async () => {
  const stop = new AbortController();
  const training = trainForest(rows, numbers, { trees: 1e5, signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 20);
  await assert.rejects(training, /enough/);
});

const refused = (promise, pattern) =>
  assert.rejects(
    promise,
    (error) => /^(Type|Range)Error$/.test(error.name) && (assert.match(error.message, pattern), true),
  );

test('bad training data is refused with its row and column', async () => {
  const two = [[1], [2]];
  await refused(trainForest([], []), /row 0 must be an array of numbers, not undefined/);
  await refused(trainForest([[1], [1, 2]], [1, 2]), /row 1 must be an array of 1 values, not Array of length 2/);
  await refused(
    trainForest([[1], ['x']], [1, 2]),
    /row 1 must have a finite number in column 0, not "x"; .* options.table/,
  );
  await refused(trainForest([[1], [NaN]], [1, 2]), /row 1 must have a finite number in column 0, not NaN/);
  await refused(trainForest(two, [1]), /responses must be an array of 2, one per row, not Array of length 1/);
  await refused(trainForest(two, [1, Infinity]), /response 1 must be a number .* not Infinity/);
  await refused(trainForest(two, [[1], [1, 2]]), /response 1 must be an array of 1 numbers/);
  await refused(trainForest(two, ['a', null]), /response 1 must be a class .* not null/);
  await refused(trainForest(two, ['a', 'b'], { classes: ['a'] }), /response 1 must be one of the classes a, not "b"/);
  await refused(
    trainForest(two, [1, 2], { kind: 'regression', classes: ['1', '2'] }),
    /classes must not be given with kind 'regression'/,
  );
  await refused(trainForest(two, [1, 2], { kind: 'trees' }), /kind must be one of/);
  await refused(trainForest(two, [1, 2], { trees: 0 }), /trees must be a whole number from 1/);
  await refused(trainForest(two, [1, 2], { depth: 0.5 }), /depth must be a whole number/);
  await refused(trainForest(two, [1, 2], { minLeaf: 0 }), /minLeaf must be/);
  await refused(trainForest(two, [1, 2], { featuresPerSplit: 2 }), /featuresPerSplit must be .* from 1 to 1, not 2/);
  await refused(trainForest(two, [1, 2], { featuresPerSplit: 'half' }), /featuresPerSplit must be one of sqrt, third/);
  await refused(trainForest(two, [1, 2], { bootstrap: 1 }), /bootstrap must be true or false/);
  await refused(trainForest(two, [1, 2], { signal: 1 }), /signal must be an AbortSignal/);
  await refused(trainForest(two, [1, 2], { tree: 1 }), /no option "tree"; did you mean "trees"/);
  await refused(trainForest(two, [1, 2], { table: {} }), /trainForest needs options.table from describeTable/);
});

test('a batch that does not fit the forest is refused, and JSON of something else too', async () => {
  const forest = await trainForest(rows, numbers, { trees: 2 });
  assert.throws(() => forest.predict([[1, 2]]), /row 0 must be an array of 3 values/);
  assert.throws(() => forest.predict({ data: [1, 2], shape: [1, 2] }), /must have the shape \[rows, 3\]/);
  assert.throws(() => forest.predict('abc'), /rows must be an array of rows, not "abc"/);
  const json = forest.toJSON();
  const broken = (change) => forestFromJSON({ ...json, trees: { ...json.trees, ...change } });
  await refused(forestFromJSON(null), /takes the data of a forest's toJSON, not null/);
  await refused(forestFromJSON('{ trees'), /takes the data of a forest's toJSON, or its JSON text, not "{ trees"/);
  await refused(forestFromJSON('{}'), /takes the data of a forest's toJSON, not Object/);
  await refused(forestFromJSON({ ...json, kind: 'wood' }), /kind must be one of/);
  await refused(
    forestFromJSON({ ...json, classes: ['a', 'b'] }),
    /classes must be an array of 1 names, .* not Array of length 2/,
  );
  await refused(broken({ gains: [] }), /trees.gains must be an array of \d+ numbers, not Array of length 0/);
  await refused(broken({ columns: 0 }), /trees.columns must be/);
  await refused(
    broken({ features: json.trees.features.map(() => 3) }),
    /trees.features\[0\] must be .* at most 2, not 3/,
  );
  await refused(broken({ rights: json.trees.rights.map(() => 0) }), /does not lead from a root to a leaf/);
  await refused(broken({ roots: [0, 1e6] }), /does not lead from a root to a leaf/);
});

test('every field of a stored forest is checked, and named in the error', async () => {
  const json = (await trainForest(rows, numbers, { trees: 2, depth: 2 })).toJSON();
  const fields = ['columns', 'outputs', 'roots', 'features', 'thresholds', 'rights', 'gains', 'values'];
  const hostile = [undefined, null, NaN, -2, 0.5, 1e300, '1', 'x'.repeat(1000), {}, { length: 1e9 }, [[]], 5n];
  for (const field of fields)
    for (const value of hostile) {
      const whole = { ...json, trees: { ...json.trees, [field]: value } };
      await refused(forestFromJSON(whole), new RegExp(`trees\\.${field}|trees\\.values|root to a leaf`));
      if (!Array.isArray(json.trees[field])) continue;
      const list = [...json.trees[field]];
      list[list.length - 1] = value;
      const outcome = await forestFromJSON({ ...json, trees: { ...json.trees, [field]: list } }).catch(
        (error) => error,
      );
      if (!(outcome instanceof Error)) assert.ok(outcome.predict(rows).every(Number.isFinite), `${field} ${value}`);
      else assert.match(`${outcome}`, new RegExp(`^(Type|Range)Error: .*(trees\\.${field}\\[\\d+\\]|root to a leaf)`));
    }
  await refused(forestFromJSON({ ...json, single: 1 }), /single must be true or false, not 1/);
  await refused(forestFromJSON({ ...json, classes: 'a' }), /classes must be an array of 1 names, .* not "a"/);
});

test('objects with only a length are refused at once', async () => {
  const hollow = { length: 1e9 };
  const before = performance.now();
  for (const [given, responses] of [
    [hollow, [1]],
    [[hollow], [1]],
    [
      [[1], hollow],
      [1, 2],
    ],
    [[[1], [2]], hollow],
    [
      [[1], [2]],
      [hollow, hollow],
    ],
  ])
    await refused(trainForest(given, responses, { trees: 1 }), /^(rows?|responses?)( \d)? must be/);
  const forest = await trainForest(rows, numbers, { trees: 1 });
  assert.throws(() => forest.predict(hollow), /^TypeError: rows must be an array of rows, not Object/);
  assert.throws(
    () => forest.predict({ data: hollow, shape: [1, 3] }),
    /^TypeError: data must be an array of 3 numbers/,
  );
  assert.throws(() => forest.predict({ data: ['1', 2, 3], shape: [1, 3] }), /^TypeError: data\[0\] must be a number/);
  assert.ok(performance.now() - before < 5000);
});
