// Explanations of rows with missing numbers, of groups of columns, of objects, and with float32 batches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkExplanation,
  densityNeighborhood,
  describeTable,
  explainRow,
  explainRows,
  recourse,
  renderBarsSVG,
  renderTerminal,
} from 'linex';
import { withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';

const random = dice(20261118);
/** Income is missing in a fifth of the rows. */
const people = Array.from({ length: 500 }, (_, i) => [
  20 + random.below(50),
  i % 5 === 0 ? null : 20000 + 1000 * random.below(60),
]);
const columns = ['age', 'income'];
const table = await describeTable(people, { columns });
const { mean, spread } = table.columns[1];
const known = [40, mean + 2 * spread];
const unknown = [40, null];
const options = { table, samples: 2000, features: 'all' };

const featureOf = (explanation, name) => explanation.features.find((feature) => feature.name === name);

test('a model that looks at whether a number is missing is told from one that looks at the number', async () => {
  const missingMatters = ({ rows }) => rows.map(([, income]) => (income === null ? 1 : 0));
  // The mean stands for a missing number, so that only numbers matter.
  const valueMatters = ({ rows }) => rows.map(([, income]) => ((income ?? mean) - mean) / spread);
  for (const preset of ['steady', 'paper']) {
    const first = await explainRow(known, missingMatters, { ...options, preset });
    assert.ok(Math.abs(featureOf(first, 'income').weight) < 1e-9, preset);
    // "no" has the answer 0 and "yes" the answer 1.
    assert.ok(Math.abs(featureOf(first, 'income missing?').weight + 1) < 0.02, preset);
    const second = await explainRow(known, valueMatters, { ...options, preset });
    // One standard deviation more adds 1, however many samples lack the number.
    assert.ok(Math.abs(featureOf(second, 'income').weight - 1) < 0.02, preset);
    // The row is two deviations above the mean that stands for a missing number.
    assert.ok(Math.abs(featureOf(second, 'income missing?').weight - 2) < 0.04, preset);
    const average = await explainRow([40, mean], valueMatters, { ...options, preset });
    assert.ok(Math.abs(featureOf(average, 'income missing?').weight) < 0.02, preset);
  }
});

test('a row without the number is explained by its absence', async () => {
  const predict = ({ rows }) => rows.map(([age, income]) => (income === null ? 0.7 : 0.2) + age / 1000);
  const explanation = await explainRow(unknown, predict, options);
  const [leading] = explanation.features;
  const { name, column, value, kind, reference } = leading;
  assert.deepEqual([name, column, value, kind], ['income missing?', 'income', 'yes', 'level']);
  assert.ok(Math.abs(reference - 0.2) < 1e-12 && Math.abs(leading.weight - 0.5) < 0.02);
  // A number that the row does not have is no reason.
  assert.equal(featureOf(explanation, 'income'), undefined);
  const sum = explanation.features.reduce((total, { contribution }) => total + contribution, 0);
  assert.ok(Math.abs(explanation.reference.localPrediction + sum - explanation.localPrediction) < 1e-9);
  checkExplanation(JSON.parse(JSON.stringify(explanation)));
  assert.match(renderTerminal(explanation), /income missing\? yes/);
  assert.match(renderBarsSVG(explanation), /income missing\? yes/);
});

test('a missing number is sampled at its rate, as NaN and null, and asked once per distinct row', async () => {
  let rows = [];
  const predict = (batch) => {
    batch.rows.forEach((row, i) => assert.equal(row[1] === null, Number.isNaN(batch.data[2 * i + 1])));
    rows.push(...batch.rows);
    return batch.rows.map(() => 0);
  };
  await explainRow(known, predict, options);
  const share = rows.filter(([, income]) => income === null).length / rows.length;
  // Sobol points place the levels evenly.
  assert.ok(Math.abs(share - 0.2) < 0.01, `${share}`);
  rows = [];
  const one = await describeTable(
    people.map(([, income]) => [income]),
    { columns: ['income'] },
  );
  const { queries } = await explainRow([null], predict, { table: one, samples: 500 });
  assert.equal(rows.filter(([income]) => income === null).length, 1);
  assert.ok(queries.asked < 420, `${queries.asked}`);
});

test('one-hot columns in a group give the answer of the categorical column', async () => {
  const homes = ['mortgage', 'own', 'rent'];
  const asLevels = Array.from({ length: 300 }, () => [random.below(60), homes[random.below(3)]]);
  const asFlags = asLevels.map(([age, home]) => [age, ...homes.map((name) => Number(name === home))]);
  const names = homes.map((home) => `home ${home}`);
  const levels = await describeTable(asLevels, { columns: ['age', 'home'], categorical: ['home'] });
  const flags = await describeTable(asFlags, { columns: ['age', ...names], groups: { home: names } });
  const score = (age, home) => age / 100 + { mortgage: 0.1, own: 0.5, rent: -0.3 }[home];
  const ofLevels = ({ rows }) => rows.map(([age, home]) => score(age, home));
  const ofFlags = (batch) => [...batch].map(([age, ...code]) => score(age, homes[code.indexOf(1)]));
  for (const more of [
    {},
    { preset: 'paper' },
    { method: 'lime', sampling: 'independent' },
    { discretize: 'quartile' },
  ]) {
    const expected = await explainRow(asLevels[4], ofLevels, { table: levels, ...more });
    const found = await explainRow(asFlags[4], ofFlags, { table: flags, ...more });
    assert.deepEqual(found.weights, expected.weights);
    const { value, contribution, reference } = featureOf(found, 'home');
    assert.deepEqual([value, found.queries], [`home ${asLevels[4][1]}`, expected.queries]);
    assert.deepEqual({ contribution, reference }, pick(featureOf(expected, 'home')));
  }
  const shap = { method: 'shap', table: levels, background: asLevels.slice(0, 20) };
  const expected = await explainRow(asLevels[4], ofLevels, shap);
  const found = await explainRow(asFlags[4], ofFlags, { ...shap, table: flags, background: asFlags.slice(0, 20) });
  assert.deepEqual(found.weights, expected.weights);
});

const pick = ({ contribution, reference }) => ({ contribution, reference });

test('sensors in a group are replaced together by those of a training row', async () => {
  const series = Array.from({ length: 100 }, () => {
    const level = random.below(10);
    return [level, level + 1, level + 2, random.below(5)];
  });
  const sensors = await describeTable(series, { columns: ['a', 'b', 'c', 'd'], groups: { abc: ['a', 'b', 'c'] } });
  const row = [20, 21, 22, 3];
  let kept = 0;
  let all = 0;
  const predict = ({ rows }) =>
    rows.map(([a, b, c, d]) => {
      // The three always come from one row.
      assert.deepEqual([b, c], [a + 1, a + 2]);
      kept += Number(a === 20);
      all++;
      return Number(a === 20) + d / 100;
    });
  const { features, weights } = await explainRow(row, predict, { table: sensors, samples: 1000, features: 'all' });
  assert.ok(Math.abs(kept / all - 0.5) < 0.05);
  assert.equal(weights.length, 2);
  const { name, value, contribution, reference } = features[0];
  assert.deepEqual([name, value, reference], ['abc', '20, 21, 22', 0]);
  // The average row does not have these values, so that they add all of 1.
  assert.ok(Math.abs(contribution - 1) < 0.02, `${contribution}`);
});

test('rows that are objects are explained like arrays, and the model may take objects', async () => {
  const predict = ({ rows }) => rows.map(([age, income]) => age / 100 + (income ?? 0) / 1e5);
  const byName = ({ records }) => records.map(({ age, income }) => age / 100 + (income ?? 0) / 1e5);
  const expected = withoutTime(await explainRow(known, predict, options));
  const record = { id: 'x', income: known[1], age: known[0] };
  assert.equal(withoutTime(await explainRow(record, byName, options)), expected);
  for await (const explanation of explainRows([record], byName, options))
    assert.equal(withoutTime(explanation), expected);
  await assert.rejects(explainRow({ age: 3 }, byName, options), /^RangeError: the row must have the property "income"/);
});

test('input.type gives batches of float32 numbers', async () => {
  const types = new Set();
  const predict = ({ data, shape: [count] }) => {
    types.add(data.constructor.name);
    return Array.from({ length: count }, (_, i) => data[2 * i]);
  };
  await explainRow(known, predict, { ...options, input: { type: 'float32' } });
  const background = people.slice(0, 5);
  await explainRow(known, predict, { table, method: 'shap', background, input: { type: 'float32' } });
  assert.deepEqual([...types], ['Float32Array']);
  const wrong = explainRow(known, predict, { ...options, input: { type: 'float16' } });
  await assert.rejects(wrong, /^RangeError: input.type must be one of float64, float32, not "float16"/);
});

test('SHAP shares the answer with a missing number as one feature', async () => {
  const predict = ({ rows }) => rows.map(([age, income]) => age / 100 + (income === null ? 2 : 0));
  const background = [
    [20, 1000],
    [60, 1000],
    [40, null],
    [40, 1000],
  ];
  const explanation = await explainRow(unknown, predict, { table, method: 'shap', background });
  // Additive models: the answer's part minus its mean over the background.
  const income = featureOf(explanation, 'income');
  assert.ok(Math.abs(income.weight - 1.5) < 1e-9 && income.value === null);
  assert.equal(income.reference, 1000);
  assert.ok(Math.abs(explanation.weights[0]) < 1e-9);
});

test('what cannot use missing numbers and groups refuses them by name, before the model is asked', async () => {
  const predict = () => assert.fail('the model was asked');
  const refused = (call, pattern) => assert.rejects(call, pattern);
  await refused(
    densityNeighborhood(table),
    /^RangeError: densityNeighborhood needs a number in every row of column "income"/,
  );
  await refused(recourse(known, predict, { table }), /^RangeError: recourse needs a number in every row/);
  const quartile = explainRow(known, predict, { ...options, discretize: 'quartile' });
  await refused(quartile, /^RangeError: discretize 'quartile' needs a number in every row of column "income"/);
  const own = { sample: (center, count) => Array(count).fill(center) };
  await refused(
    explainRow(known, predict, { ...options, neighborhood: own }),
    /^RangeError: a neighborhood of your own/,
  );
  const grouped = await describeTable(
    people.map(([age]) => [age, age]),
    { groups: { both: [0, 1] } },
  );
  await refused(
    recourse([1, 1], predict, { table: grouped }),
    /^RangeError: recourse cannot use a table with groups, such as "both"/,
  );
});
