// Shapley values from drawn coalitions: their error, their intervals, their seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainRow, explainRows } from 'linex';
import { withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';
import { interacting, mean, near, randomScore, rowsOf, scorer, sum, tableOf } from '../support/shapley.js';

test('a linear model gets its exact values, also from a few drawn coalitions', async () => {
  const random = dice(7);
  const columnCount = 30;
  const [row, slopes, ...background] = rowsOf(random, 12, columnCount);
  const score = (values) => 4 + sum(slopes.map((slope, c) => slope * values[c]));
  const table = await tableOf(columnCount);
  for (const samples of [62, 63, 100, 500, undefined]) {
    const explanation = await explainRow(row, scorer(score), { table, background, method: 'shap', samples });
    explanation.weights.forEach((weight, c) =>
      near(weight, slopes[c] * (row[c] - mean(background.map((other) => other[c])))),
    );
    near(explanation.fidelity, 1);
    assert.equal(explanation.queries.stopped, undefined);
    assert.equal(explanation.warnings.length, samples < 122 ? 1 : 0);
  }
});

test('coalitions drawn in pairs share interactions of two exactly, and the error for interactions of three falls', async (t) => {
  const random = dice(8);
  const errorOf = async ({ columnCount, values, score }, samples, seed) => {
    const options = {
      table: await tableOf(columnCount),
      background: [new Array(columnCount).fill(0)],
      method: 'shap',
      samples,
      seed,
    };
    const { weights } = await explainRow(new Array(columnCount).fill(1), scorer(score), options);
    near(sum(weights), sum(values));
    return Math.sqrt(mean(weights.map((weight, c) => (weight - values[c]) ** 2)));
  };
  assert.ok((await errorOf(interacting(random, 2), 500, 0)) < 1e-9);
  const threes = interacting(random, 3);
  const errors = [];
  for (const samples of [500, 2000, 8000]) {
    const all = [];
    for (let seed = 0; seed < 5; seed++) all.push(await errorOf(threes, samples, seed));
    errors.push(mean(all));
  }
  const spread = Math.sqrt(mean(threes.values.map((value) => value ** 2)));
  t.diagnostic(`errors ${errors.map((error) => error.toFixed(4)).join(', ')} of values around ${spread.toFixed(2)}`);
  assert.ok(errors[1] < 0.7 * errors[0] && errors[2] < 0.7 * errors[1]);
  assert.ok(errors[2] < 0.05 * spread);
});

test('drawn values have intervals that contain the true ones; exact values and values from too few draws have none', async (t) => {
  const random = dice(12);
  const model = interacting(random, 3);
  const table = await tableOf(model.columnCount);
  const explain = (samples, seed) =>
    explainRow(new Array(model.columnCount).fill(1), scorer(model.score), {
      ...{ table, background: [new Array(model.columnCount).fill(0)], method: 'shap', samples, seed },
    });
  let [held, all, signs, right] = [0, 0, 0, 0];
  for (let seed = 0; seed < 20; seed++)
    for (const { index, weight, interval, signAgreement } of (await explain(202 + 60 * seed, seed)).features) {
      const [low, high] = interval;
      near((low + high) / 2, weight, 1e-12);
      held += low <= model.values[index] && model.values[index] <= high;
      all++;
      if (signAgreement < 0.95) continue;
      signs++;
      right += Math.sign(weight) === Math.sign(model.values[index]);
    }
  t.diagnostic(
    `true values within their intervals: ${held} of ${all}; signs that were sure: ${right} right of ${signs}`,
  );
  assert.ok(held > 0.93 * all && right > 0.975 * signs && signs > all / 4);
  const rough = await explain(150, 0);
  assert.match(rough.warnings[0], /150 coalitions are few for 50 features/);
  assert.deepEqual([rough.features[0].interval, rough.features[0].signAgreement], [null, null]);
});

test('the same seed gives the same values for any batch size and concurrency, another seed gives others', async () => {
  const random = dice(9);
  const [row, ...background] = rowsOf(random, 4, 16);
  const score = randomScore(random, 16);
  const base = { table: await tableOf(16), background, method: 'shap', samples: 300, seed: 3 };
  const slowly = async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, batch.data.length % 3));
    return scorer(score)(batch);
  };
  const first = await explainRow(row, scorer(score), base);
  assert.deepEqual(JSON.parse(JSON.stringify(first)), first);
  assert.ok(Object.isFrozen(first) && Object.isFrozen(first.features[0]));
  for (const more of [{ batchSize: 1 }, { batchSize: 37, concurrency: 4 }, { batchSize: 1e6 }])
    assert.equal(withoutTime(await explainRow(row, slowly, { ...base, ...more })), withoutTime(first));
  assert.notDeepEqual((await explainRow(row, scorer(score), { ...base, seed: 4 })).weights, first.weights);
  near(sum(first.weights), first.prediction - first.intercept);
  const all = [];
  for await (const one of explainRows([row, row], scorer(score), base)) all.push(withoutTime(one));
  assert.deepEqual(all, [withoutTime(first), withoutTime(first)]);
});
