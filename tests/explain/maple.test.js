// MAPLE: neighborhoods from a forest's leaves, against scikit-learn.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  describeTable,
  explainRow,
  explainRows,
  explainText,
  forestFromJSON,
  forestNeighborhood,
  trainForest,
} from 'linex';
import { TRAINING } from '../../js/core/border.js';
import { ready, readyData } from '../../js/core/load.js';
import { withScope } from '../../js/core/memory.js';
import { runTaskNow } from '../../js/core/run-task.js';
import { flattenTable, putTable } from '../../js/data/table.js';
import { dice } from '../support/dice.js';

const { maple } = JSON.parse(readFileSync(new URL('../vectors/forest.json', import.meta.url), 'utf8'));
const allNear = (actual, expected, tolerance) => {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= tolerance, `${i}: ${value}, not ${expected[i]}`),
  );
};

const random = dice(11);
const rows = Array.from({ length: 300 }, () => [random.normal(), random.normal(), random.normal(), random.normal()]);
const model = ([a, b]) => (a > 0 ? 2 * b : -b) + a;
const predict = (batch) => Array.from(batch, model);
const responses = rows.map(model);
const table = await describeTable(rows, { columns: ['a', 'b', 'c', 'd'] });

/** scikit-learn's forest from the vectors, and its neighborhood. */
async function shared(options) {
  const forest = await forestFromJSON({ kind: 'regression', classes: null, single: true, trees: maple.trees });
  const described = await describeTable(maple.rows);
  return {
    table: described,
    neighborhood: await forestNeighborhood(described, maple.responses, { forest, ...options }),
  };
}

test("weights equal those of scikit-learn's leaves on a shared forest", async () => {
  const { neighborhood } = await shared({ validation: 0 });
  assert.equal(maple.at.length, 5);
  for (const [i, at] of maple.at.entries()) allNear(neighborhood.weigh(at), maple.explained[i].weights, 1e-12);
  allNear(neighborhood.scores, maple.scores, 1e-9);
  assert.deepEqual([...neighborhood.features].sort(), [0, 1, 2, 3, 4]);
});

test("MAPLE has the features and weights of scikit-learn's ridge regression", async () => {
  const validation = { rows: maple.checks, responses: maple.checkResponses };
  const { table, neighborhood } = await shared({ validation });
  assert.deepEqual(neighborhood.features, maple.keep);
  for (const [i, at] of maple.at.entries()) {
    const options = { method: 'maple', table, neighborhood };
    const explanation = await explainRow(at, () => [maple.explained[i].prediction], options);
    const { coefficients, intercept, localPrediction, prediction } = maple.explained[i];
    allNear(explanation.weights, coefficients, 1e-9);
    allNear([explanation.intercept, explanation.localPrediction], [intercept, localPrediction], 1e-9);
    assert.equal(explanation.prediction, prediction);
    assert.equal(explanation.method, 'maple');
    assert.equal(explanation.equilibrium, null);
  }
});

test('MAPLE asks the model about the row only, and drops features that do not matter', async () => {
  const neighborhood = await forestNeighborhood(table, responses);
  let asked = 0;
  const count = (batch) => {
    asked += batch.shape[0];
    return predict(batch);
  };
  const options = { method: 'maple', table, neighborhood };
  const [right, left] = [
    await explainRow([2, 0.1, 0, 0], count, options),
    await explainRow([-2, 0.1, 0, 0], count, options),
  ];
  assert.equal(asked, 2);
  const progress = [];
  await explainRow(rows[0], predict, { ...options, onProgress: (now) => progress.push(now) });
  assert.deepEqual(progress, [{ asked: 1, planned: 1, phase: 'solve', partial: null }]);
  assert.deepEqual(right.queries, { planned: 1, asked: 1, reused: 0 });
  assert.ok(right.features.find(({ column }) => column === 'b').perUnit > 1);
  assert.ok(left.features.find(({ column }) => column === 'b').perUnit < -0.5);
  assert.equal(right.prediction, model([2, 0.1]));
  const most = await explainRow([2, 0.1, 0, 0], predict, { ...options, features: 1, samples: 50 });
  assert.equal(most.weights.filter((weight) => weight !== 0).length, 1);
  for await (const one of explainRows([[2, 0.1, 0, 0]], predict, options)) assert.deepEqual(one.weights, right.weights);
});

test('every method uses the rows that share leaves, and asks about no others', async () => {
  const neighborhood = await forestNeighborhood(table, responses, { trees: 30 });
  const known = new Set(rows.map(String));
  const at = [1, 0.5, 0, 0];
  for (const method of ['linex', 'lime', 's-lime', 'baseline']) {
    const seen = [];
    const ask = (batch) => {
      seen.push(...batch.rows);
      return predict(batch);
    };
    const explanation = await explainRow(at, ask, { table, neighborhood, method, samples: 60, ridge: 0.01 });
    assert.deepEqual(seen[0], at);
    assert.ok(seen.slice(1).every((row) => known.has(String(row))));
    assert.ok(seen.length > 10 && seen.length <= 60);
    assert.ok(explanation.weights[1] > 0, method);
  }
});

test('samples are the rows with the largest weights, at most as many as there are', async () => {
  const neighborhood = await forestNeighborhood(table, responses, { trees: 20, validation: 0 });
  const weights = neighborhood.weigh(rows[5]);
  const positive = weights.filter((weight) => weight > 0);
  assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-12);
  const all = neighborhood.sample(rows[5], 1e6);
  assert.equal(all.samples.length, positive.length);
  assert.equal(all.inputWeight, 0);
  // Their mean is 1, and they are proportional to the shared leaves.
  const mean = all.weights.reduce((sum, weight) => sum + weight, 0) / all.weights.length;
  assert.ok(Math.abs(mean - 1) < 1e-12);
  allNear(
    all.weights,
    [...positive].sort((a, b) => b - a).map((weight) => weight * positive.length),
    1e-9,
  );
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b);
  assert.deepEqual(
    neighborhood.sample(rows[5], 7).samples,
    order.slice(0, 7).map((i) => rows[i]),
  );
  const again = await forestNeighborhood(table, responses, { trees: 20, validation: 0 });
  assert.deepEqual(again.weigh(rows[5]), weights);
});

test('a row that shares its leaves with a single training row has no neighborhood', async () => {
  const spread = Array.from({ length: 40 }, (_, i) => [2 ** i]);
  const alone = await describeTable(spread);
  const options = { trees: 1, minLeaf: 1, bootstrap: false, featuresPerSplit: 'all', validation: 0 };
  const neighborhood = await forestNeighborhood(alone, spread.map((_, i) => i), options); // prettier-ignore
  const never = () => assert.fail('the model was asked');
  await assert.rejects(
    explainRow(spread[5], never, { table: alone, neighborhood }),
    (error) => error.code === 'neighborhood' && /only one training row shares a leaf/.test(error.message),
  );
});

test('held-out rows choose the features and have no weight', async () => {
  const neighborhood = await forestNeighborhood(table, responses, { trees: 40, minLeaf: 30, seed: 3 });
  const weighed = new Set();
  for (const row of rows) neighborhood.weigh(row).forEach((weight, i) => weight > 0 && weighed.add(i));
  assert.equal(weighed.size, 240);
  assert.deepEqual([...neighborhood.features.slice(0, 2)].sort(), [0, 1]);
});

test('each class is explained by its share', async () => {
  const labels = rows.map(([a, b]) => (a > 0.5 ? 'far' : b > 0 ? 'high' : 'low'));
  const forest = await trainForest(rows, labels, { trees: 30 });
  const neighborhood = await forestNeighborhood(table, labels, { validation: 0 });
  const options = { method: 'maple', table, neighborhood };
  const [far, low] = await explainRow([0.4, -0.1, 0, 0], forest.predict, { ...options, target: ['far', 'low'] });
  assert.deepEqual([far.target, low.target], ['far', 'low']);
  assert.ok(far.weights[0] > 0 && low.weights[1] < 0);
  // The model's own scores can be the responses.
  const scored = await forestNeighborhood(table, forest.predict(rows));
  const top = await explainRow([0.4, -0.1, 0, 0], forest.predict, { ...options, neighborhood: scored });
  assert.equal(top.target, 2);
});

test("classes are matched with the responses by name, in any order of the model's answers", async () => {
  const labels = rows.map(([a, b]) => (a > 0.5 ? 'far' : b > 0 ? 'high' : 'low'));
  const neighborhood = await forestNeighborhood(table, labels, { validation: 0 });
  const sorted = await trainForest(rows, labels, { trees: 30 });
  const options = { method: 'maple', table, neighborhood, draws: 0 };
  const at = [0.4, -0.1, 0, 0];
  const turned = (batch) => sorted.predict(batch).map(([far, high, low]) => [low, far, high]);
  const ours = await explainRow(at, sorted.predict, { ...options, target: ['far', 'high', 'low'] });
  const classes = ['low', 'far', 'high'];
  const theirs = await explainRow(at, turned, { ...options, classes, target: ['far', 'high', 'low'] });
  ours.forEach(({ target, prediction, weights }, i) => {
    assert.equal(theirs[i].target, target);
    assert.equal(theirs[i].prediction, prediction);
    assert.deepEqual(theirs[i].weights, weights);
  });
  const never = () => assert.fail('the model was asked');
  for (const wrong of [
    ['low', 'far', 'tall'],
    ['low', 'far'],
  ])
    await assert.rejects(
      explainRow(at, never, { ...options, classes: wrong }),
      (error) =>
        error instanceof RangeError &&
        error.message.includes(`classes are ${wrong.join(', ')}, but the neighborhood's responses are far, high, low`),
    );
  await assert.rejects(
    explainRow(at, never, { ...options, classes: ['low', 'far', 'far'] }),
    /classes are low, far, far/,
  );
});

test('a model that is unrelated to the responses gets a warning', async () => {
  const neighborhood = await forestNeighborhood(table, responses);
  const options = { method: 'maple', table, neighborhood };
  const of = async (ask) => (await explainRow([1, 0.5, 0, 0], ask, options)).warnings;
  assert.deepEqual(await of(predict), []);
  const [warning] = await of((batch) => Array.from(batch, () => 40));
  assert.match(
    warning,
    /^the model says 40 but the fit to the responses says [\d.]+, which is further apart than the responses vary \([\d.]+\)/,
  );
  const same = await forestNeighborhood(table, rows.map(() => 3)); // prettier-ignore
  const still = await explainRow(rows[0], (batch) => Array.from(batch, () => 3), { ...options, neighborhood: same });
  assert.deepEqual(still.warnings, ['the responses around the row are all the same: there is nothing to explain']);
});

test('levels are compared for equality, and their codes do not matter', async () => {
  const sizes = ['small', 'large', null];
  const mixed = rows.map(([a], i) => [a, sizes[i % 3], (i % 2) + 5]);
  const worth = ([a, size]) => a + (size === 'large' ? 4 : 0);
  const levels = await describeTable(mixed, { categorical: [1, 2] });
  const neighborhood = await forestNeighborhood(levels, mixed.map(worth), { minLeaf: 40, trees: 50 });
  const ask = (batch) => batch.rows.map(worth);
  const explanation = await explainRow([0, 'large', 5], ask, { method: 'maple', table: levels, neighborhood });
  assert.ok(Math.abs(explanation.features.find(({ index }) => index === 1).perUnit - 4) < 0.5);
  const forest = await trainForest(mixed, mixed.map(worth), {
    table: levels,
    minLeaf: 40,
    trees: 50,
    featuresPerSplit: 0.5,
  });
  const same = await forestNeighborhood(levels, mixed.map(worth), { forest, validation: 0 });
  const grown = await forestNeighborhood(levels, mixed.map(worth), { minLeaf: 40, trees: 50, validation: 0 });
  assert.deepEqual(same.weigh([0, null, 6]), grown.weigh([0, null, 6]));
});

test('a table from JSON needs its rows again', async () => {
  const copy = JSON.parse(JSON.stringify(table));
  await assert.rejects(forestNeighborhood(copy, responses), /pass them as options.rows/);
  const neighborhood = await forestNeighborhood(copy, responses, { rows, trees: 5 });
  assert.ok(neighborhood.weigh(rows[0]).some((weight) => weight > 0));
});

test('nothing stays in the shared memory', async () => {
  const core = await ready();
  const before = core.linex_wasm_live_bytes();
  const neighborhood = await forestNeighborhood(table, responses, { trees: 10 });
  const options = { method: 'maple', table, neighborhood };
  await explainRow(rows[0], predict, options);
  await assert.rejects(
    explainRow(rows[0], () => [NaN], options),
    /NaN/,
  );
  assert.equal(core.linex_wasm_live_bytes(), before);
});

test('options that do not fit together are refused before the model is asked', async () => {
  const never = () => assert.fail('the model was asked');
  const neighborhood = await forestNeighborhood(table, responses, { trees: 5 });
  const refused = (options, pattern) =>
    assert.rejects(explainRow(rows[0], never, { method: 'maple', table, ...options }), pattern);
  await refused({}, /method 'maple' needs a neighborhood from forestNeighborhood, not undefined/);
  await refused({ neighborhood: { sample: () => [] } }, /needs a neighborhood from forestNeighborhood, not Object/);
  await refused({ neighborhood, method: 'mapel' }, /method must be one of linex, .* maple, not "mapel"/);
  const useless = { environments: 3, gamma: 1, l1: 1, games: 2, keepGame: true, smoothing: 'mean', solver: 'path' };
  const more = { tolerance: 0.1, maxRounds: 3, selection: 'none', kernelWidth: 1, center: 'row', precision: 0.1 };
  for (const [name, value] of Object.entries({ ...useless, ...more, maxSamples: 10 }))
    await refused({ neighborhood, [name]: value }, new RegExp(`method 'maple' takes no option "${name}"`));
  await refused({ neighborhood, samples: 'auto' }, /samples must be a number of training rows/);
  await assert.rejects(explainText('a b', never, { method: 'maple' }), /method must be one of .* not "maple"/);
  const [three] = [(batch) => Array.from(batch, () => [1, 2, 3])];
  await assert.rejects(
    explainRow(rows[0], three, { method: 'maple', table, neighborhood }),
    /gives 3 numbers per sample, but the neighborhood has 1 per response/,
  );
  const other = await describeTable([[1], [2]]);
  await assert.rejects(
    explainRow([1], never, { method: 'maple', table: other, neighborhood }),
    /made for a table with other columns/,
  );
});

test('bad data for a neighborhood is refused', async () => {
  const refused = (given, options, pattern) => assert.rejects(forestNeighborhood(table, given, options), pattern);
  await assert.rejects(forestNeighborhood({}, responses), /forestNeighborhood needs a table from describeTable/);
  await refused(responses.slice(1), {}, /responses must be an array of 300, one per row/);
  await refused(responses, { rows: [[1, 2]] }, /row 0 does not fit the table: the row must have 4 columns, not 2/);
  await refused(responses, { validation: 1 }, /validation must be a number at least 0 and at most 0.9, not 1/);
  await refused(responses, { validation: { rows, responses: [1] } }, /responses must be an array of 300/);
  await refused(responses, { validation: { responses } }, /validation.rows must be an array of rows, not undefined/);
  await refused(responses, { validation: { row: rows } }, /no option "row"; did you mean "rows"/);
  await refused(responses, { forest: {} }, /forest must come from trainForest or forestFromJSON, not Object/);
  const narrow = await trainForest([[1], [2]], [1, 2], { trees: 1 });
  await refused(responses, { forest: narrow }, /forest must have 4 columns and 1 outputs, not 1 and 1/);
  await refused(responses, { sample: 3 }, /forestNeighborhood has no option "sample"/);
  const neighborhood = await forestNeighborhood(table, responses, { trees: 2 });
  assert.throws(() => neighborhood.weigh([1, 2]), /the row must have 4 columns, not 2/);
});

test('the error of a local fit on one column is that of a ridge regression', async () => {
  const [values, answers, weights] = [[1, 2, 4, 7], [3, 1, 4, 9], [1, 2, 1, 0.5]]; // prettier-ignore
  const [at, response, ridge] = [3, 2.5, 0.7];
  const described = await describeTable(values.map((value) => [value]));
  const [{ mean, spread }] = described.columns;
  // By hand: slope = Sxy / (Sxx + ridge) around the weighted means, in standard deviations.
  const total = weights.reduce((a, b) => a + b);
  const points = values.map((value) => (value - mean) / spread);
  const meanOf = (list) => list.reduce((sum, value, i) => sum + weights[i] * value, 0) / total;
  const [x, y] = [meanOf(points), meanOf(answers)];
  const sum = (term) => weights.reduce((all, weight, i) => all + weight * term(points[i] - x, answers[i] - y), 0);
  const slope = sum((a, b) => a * b) / (sum((a) => a * a) + ridge);
  const expected = (y + slope * ((at - mean) / spread - x) - response) ** 2;
  const core = await readyData();
  const [error] = withScope(core, (scope) => {
    const training = scope.putRecord(TRAINING, {
      ...{ count: 4, rows: scope.putDoubles(values), outputs: 1 },
      ...{ responses: scope.putDoubles(answers), weights: scope.putDoubles(weights) },
    });
    const errors = scope.putDoubles([0]);
    const [row, ofRow, order] = [scope.putDoubles([at]), scope.putDoubles([response]), scope.putIndices([0])];
    const record = putTable(scope, flattenTable(described));
    const start = core.linex_wasm_maple_start;
    runTaskNow(scope, (task) => start(record, training, row, ofRow, order, ridge, errors, task));
    return scope.getDoubles(errors, 1);
  });
  assert.ok(Math.abs(error - expected) < 1e-12, `${error}, not ${expected}`);
});
