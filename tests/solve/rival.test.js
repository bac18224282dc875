// Tests which class an explanation names as the likeliest besides the explained one, for every method.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkExplanation,
  describeTable,
  explainRow,
  explainSamples,
  explainText,
  forestNeighborhood,
  load,
  trainForest,
} from 'linex';

await load();
const classes = ['a', 'b', 'c'];
const rows = Array.from({ length: 60 }, (_, i) => [i % 7, (3 * i) % 11]);
const table = await describeTable(rows);
/** Shares that are 0.2, 0.5 and 0.3 at the input, and differ elsewhere. */
const input = [3, 4];
const predict = (batch) =>
  Array.from(batch, ([x, y]) => {
    const shift = ((x - 3) * 0.01 + (y - 4) * 0.02) / (1 + Math.abs(x) + Math.abs(y));
    return [0.2 + shift, 0.5 - shift, 0.3];
  });
const explain = (more, model = predict) => explainRow(input, model, { table, samples: 60, classes, ...more });
const scaled = (factor, plus) => (batch) => predict(batch).map((shares) => shares.map((one) => factor * one + plus));

for (const method of /** @type {const} */ (['linex', 'lime', 'shap']))
  test(`${method} names the likeliest other class, with its share`, async () => {
    const more = method === 'shap' ? { background: rows } : {};
    const [a, b] = await explain({ method, target: ['a', 'b'], ...more });
    assert.deepEqual(a.rival, { target: 'b', prediction: 0.5 });
    assert.deepEqual(b.rival, { target: 'c', prediction: 0.3 });
    const { rival } = await explain({ method, classes: undefined, target: 0, ...more });
    assert.deepEqual(rival, { target: 1, prediction: 0.5 });
  });

test('MAPLE, texts and answered samples name it too', async () => {
  const labels = rows.map(([x], i) => classes[x > 3 ? 0 : 1 + (i % 2)]);
  const forest = await trainForest(rows, labels, { trees: 5 });
  const neighborhood = await forestNeighborhood(table, labels, { validation: 0 });
  const shares = new Map([['a', 0.2], ['b', 0.5], ['c', 0.3]]); // prettier-ignore
  const inOrder = (batch) => Array.from(batch, () => forest.classes.map((name) => shares.get(name)));
  const maple = await explain({ method: 'maple', neighborhood, classes: forest.classes, target: 'c' }, inOrder);
  assert.deepEqual(maple.rival, { target: 'b', prediction: 0.5 });
  const text = await explainText('one two', (texts) => texts.map((one) => (one ? [0.25, 0.75] : [1, 0])), {
    classes: ['no', 'yes'],
  });
  assert.deepEqual([text.target, text.rival], ['yes', { target: 'no', prediction: 0.25 }]);
  const samples = { points: rows, predictions: predict(rows), at: rows[5] };
  const { rival, target } = explainSamples(samples, { classes });
  assert.deepEqual([target, rival], ['b', { target: 'c', prediction: 0.3 }]);
  const elsewhere = explainSamples({ ...samples, at: [0.5, 0.5] }, { classes, target: 'a' });
  assert.ok(!('rival' in elsewhere));
});

test('answers that are no shares have no rival', async () => {
  assert.ok(!('rival' in (await explain({}, scaled(2, 0)))), 'the sum is 2');
  assert.ok(!('rival' in (await explain({}, scaled(4, -1)))), 'the sum is 1, one is below 0');
  assert.ok(!('rival' in (await explain({ classes: ['a'] }, (batch) => predict(batch).map(([a]) => [a])))));
});

test('shares of single precision are shares', async () => {
  const { rival } = await explain({ target: 'a' }, (batch) =>
    predict(batch).map((shares) => Float32Array.from(shares)),
  );
  assert.equal(rival.target, 'b');
});

test('a rival from JSON is checked', async () => {
  const explanation = JSON.parse(JSON.stringify(await explain({})));
  assert.equal(checkExplanation(explanation).rival.target, 'c');
  for (const rival of [{ target: null, prediction: 1 }, { target: 'a' }, { target: 1.5, prediction: 0 }, 3])
    assert.throws(() => checkExplanation({ ...explanation, rival }), /rival/);
});
