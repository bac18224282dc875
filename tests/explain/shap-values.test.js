// Shapley values of rows, against their definition and closed forms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainRow, explainText, renderTerminal } from 'linex';
import {
  columns,
  model as classes,
  predict as predictClasses,
  rows as colored,
  table as colors,
} from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';
import { mean, near, randomScore, rowsOf, scorer, shapleyOf, sum, tableOf, worthOf } from '../support/shapley.js';

const logit = (share) => Math.log(share / (1 - share));

test('rows get the Shapley values of the definition, for 50 functions with interactions and up to 12 columns', async (t) => {
  const random = dice(5);
  let worst = 0;
  for (let i = 0; i < 50; i++) {
    const columnCount = 1 + (i % 12);
    const [row, ...background] = rowsOf(random, 2 + random.below(3), columnCount);
    const score = randomScore(random, columnCount);
    const table = await tableOf(columnCount);
    const { weights, intercept, queries } = await explainRow(row, scorer(score), {
      ...{ table, background, method: 'shap', samples: 4096 },
    });
    const expected = shapleyOf(columnCount, worthOf(row, background, score));
    worst = Math.max(worst, ...weights.map((weight, c) => Math.abs(weight - expected[c])));
    near(intercept, mean(background.map(score)));
    near(sum(weights), score(row) - intercept);
    assert.equal(queries.stopped, 'exhausted');
  }
  t.diagnostic(`largest error ${worst.toExponential(1)}`);
  assert.ok(worst < 1e-9);
});

test('rows get the Shapley values of the definition in log-odds too, and the values add up', async () => {
  const random = dice(6);
  for (let columnCount = 1; columnCount <= 8; columnCount++) {
    const [row, ...background] = rowsOf(random, 4, columnCount);
    const bent = randomScore(random, columnCount);
    const score = (values) => 0.5 + 0.49 * bent(values);
    const options = { table: await tableOf(columnCount), background, method: 'shap', link: 'logit' };
    const { weights, intercept, localPrediction, prediction, link } = await explainRow(row, scorer(score), options);
    assert.equal(link, 'logit');
    shapleyOf(columnCount, worthOf(row, background, score, logit)).forEach((value, c) => near(weights[c], value));
    near(intercept, logit(mean(background.map(score))));
    near(intercept + sum(weights), logit(score(row)));
    near(localPrediction, score(row));
    assert.equal(prediction, score(row));
  }
});

test('a column with one value in the row and the background gets 0 without queries; symmetric columns get the same', async () => {
  const table = await tableOf(6);
  const row = [1, 2, 3, 4, 5, 1];
  const background = [
    [1, 0, 3, 0, 5, 0],
    [1, 1, 3, 4, 5, 0],
    [1, 0, 3, 0, 5, 0],
  ];
  let asked = 0;
  const score = (values) => {
    asked++;
    return values[0] * values[1] + values[2] * values[3] * values[5] + values[4];
  };
  const { weights, features, queries } = await explainRow(row, scorer(score), { table, background, method: 'shap' });
  const expected = shapleyOf(6, worthOf(row, background, score));
  weights.forEach((weight, c) => near(weight, expected[c]));
  assert.deepEqual([weights[0], weights[2], weights[4]], [0, 0, 0]);
  assert.deepEqual(features.map(({ index }) => index).sort(), [1, 3, 5]);
  // Three columns vary: 2^3 coalitions. Two of the three background rows are equal. The full coalition is the row itself.
  assert.deepEqual(queries, { planned: 22, asked: 15, reused: 7, stopped: 'exhausted' });
  assert.equal(asked, 15 + 3 * 64);
  const twins = await explainRow(
    [1, 2, 2],
    scorer(([a, b, c]) => a * b * c + b * c),
    {
      ...{ table: await tableOf(3), background: [[0, 0, 0], [2, 1, 1]], method: 'shap' }, // prettier-ignore
    },
  );
  near(twins.weights[1], twins.weights[2], 1e-14);
});

test('a row that equals all of the background gets zeros from one query', async () => {
  const options = { table: colors, background: [colored[4], colored[4]], method: 'shap', target: 1 };
  const explanation = await explainRow(colored[4], predictClasses, options);
  assert.deepEqual(explanation.weights, [0, 0, 0, 0]);
  assert.deepEqual(explanation.features, []);
  assert.equal(explanation.intercept, explanation.prediction);
  assert.equal(explanation.localPrediction, explanation.prediction);
  assert.equal(explanation.queries.asked, 1);
  assert.match(explanation.warnings[0], /equals every row of the background/);
  assert.match(renderTerminal(explanation), /there is nothing to explain/);
  const logits = await explainRow(colored[4], predictClasses, { ...options, link: 'logit' });
  near(logits.localPrediction, logits.prediction);
});

test('a categorical column is one feature, with the levels of the table', async () => {
  const options = { table: colors, background: colored.slice(0, 20), method: 'shap', classes: ['no', 'yes'] };
  const explanation = await explainRow(colored[31], predictClasses, { ...options, target: 'yes' });
  const encode = (row) => [...row.slice(0, 3), row[3] === 'red' ? 1 : 0];
  const worth = worthOf(encode(colored[31]), colored.slice(0, 20).map(encode), (row) => classes(row)[1]);
  shapleyOf(4, worth).forEach((value, c) => near(explanation.weights[c], value));
  assert.equal(explanation.weights[2], 0);
  const found = explanation.features.find(({ name }) => name === 'color');
  assert.deepEqual([found.column, found.value, found.interval, found.signAgreement], ['color', 'red', null, null]);
  assert.equal('perUnit' in found, false);
  assert.deepEqual(explanation.features.map(({ name }) => name).sort(), [...columns].sort());
});

test('a constant model gets zeros and a warning', async () => {
  const { weights, warnings, fidelity } = await explainText('a b c', (texts) => texts.map(() => 0.1), {
    method: 'shap',
  });
  assert.deepEqual([weights, fidelity], [[0, 0, 0], 1]);
  assert.match(warnings[0], /the same answer to every sample/);
  await assert.rejects(
    explainText('a', (texts) => texts.map((text) => (text ? 1e308 : -1e308)), { method: 'shap' }),
    (error) => error.code === 'overflow',
  );
});
