// explainRow: determinism, the form of an explanation, warnings and bad calls.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeTable, explainRow, explainRows, explainSamples, LinexError, load } from 'linex';
import { ready } from '../../js/core/load.js';
import { columns, predict, rows, table, withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';

const random = dice(7);
let core;

before(async () => {
  core = await ready();
});

test('the same seed gives the same bytes for every batch size, for sync and async models, and for explainRows', async () => {
  const options = { table, samples: 300, seed: 5 };
  const expected = withoutTime(await explainRow(rows[0], predict, options));
  for (const batchSize of [1, 7, 1000])
    assert.equal(withoutTime(await explainRow(rows[0], predict, { ...options, batchSize })), expected, `${batchSize}`);
  const slowly = async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, random.below(5)));
    return predict(batch);
  };
  const hurried = { ...options, batchSize: 20, concurrency: 6 };
  assert.equal(withoutTime(await explainRow(rows[0], slowly, hurried)), expected);
  for await (const explanation of explainRows([rows[0]], slowly, hurried))
    assert.equal(withoutTime(explanation), expected);
  assert.notEqual(withoutTime(await explainRow(rows[0], predict, { ...options, seed: 6 })), expected);
});

test('an explanation is frozen and JSON-safe, and has the documented fields', async () => {
  const explanation = await explainRow(rows[1], predict, { table, classes: ['no', 'yes'], target: 'yes' });
  assert.deepEqual(JSON.parse(JSON.stringify(explanation)), explanation);
  assert.ok(Object.isFrozen(explanation) && Object.isFrozen(explanation.features[0].interval));
  assert.equal(explanation.kind, 'row');
  assert.equal(explanation.method, 'linex');
  assert.equal(explanation.preset, 'steady');
  assert.equal(explanation.target, 'yes');
  assert.equal(
    explanation.prediction,
    predict([[...rows[1].slice(0, 3), table.columns[3].levels.indexOf(rows[1][3])]])[0][1],
  );
  assert.equal(explanation.weights.length, 4);
  assert.deepEqual(explanation.queries, { planned: 1000, asked: 1000, reused: 0 });
  assert.ok(explanation.equilibrium.converged && explanation.equilibrium.residual <= 1e-9);
  assert.equal(explanation.equilibrium.players.length, 2);
  assert.ok(explanation.fidelity > 0.5 && explanation.fidelity <= 1);
  assert.deepEqual(explanation.warnings, []);
  const sizes = explanation.features.map(({ weight }) => Math.abs(weight));
  assert.deepEqual(
    sizes,
    [...sizes].sort((a, b) => b - a),
  );
  for (const { index, name, column, value, weight, interval, signAgreement } of explanation.features) {
    assert.equal(name, columns[index]);
    assert.equal(column, columns[index]);
    assert.equal(value, rows[1][index]);
    assert.equal(weight, explanation.weights[index]);
    // The interval contains the weight. If it excludes 0, nearly all of the 60 draws have the sign.
    const [low, high] = interval;
    assert.ok(low <= weight && weight <= high, `${name}: ${weight} in ${interval}`);
    assert.ok(Math.abs(signAgreement * 60 - Math.round(signAgreement * 60)) < 1e-9);
    assert.ok(signAgreement >= (low > 0 || high < 0 ? 0.9 : 0) && signAgreement <= 1, `${name}: ${signAgreement}`);
  }
});

test('weights are given per unit and per standard deviation, for any units of the fit', async () => {
  const linear = (batch) => [...batch].map((row) => 3 * row[0] - 2 * row[1] + 5 * row[3]);
  const spread = (c) => table.columns[c].spread;
  const share = table.columns[3].frequencies[table.columns[3].levels.indexOf(rows[2][3])];
  const color = rows[2][3] === 'red' ? 5 : -5;
  for (const units of ['standard', 'raw']) {
    const { features } = await explainRow(rows[2], linear, { table, units, ridge: 0, kernelWidth: 5, gamma: 100 });
    const by = Object.fromEntries(features.map((feature) => [feature.column, feature]));
    const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-8, `${units}: ${actual} ${expected}`);
    near(by.size.perUnit, 3);
    near(by.size.perDeviation, 3 * spread(0));
    near(by.age.perUnit, -2);
    near(by.age.perDeviation, -2 * spread(1));
    near(by.color.perUnit, color);
    near(by.color.perDeviation, color * Math.sqrt(share * (1 - share)));
  }
});

test('a column without effect is silenced, and its raw weight is kept', async () => {
  const score = (batch) => [...batch].map((row) => Math.tanh(row[0]));
  const unsure = { table, agreement: 0.9, games: 30 };
  for (const options of [{ environments: 'halves' }, { method: 'lime' }]) {
    const { features, weights } = await explainRow(rows[5], score, { ...unsure, ...options });
    const [size, shade] = ['size', 'shade'].map((column) => features.find(({ name }) => name === column));
    assert.ok(shade.silenced && shade.raw !== 0 && shade.signAgreement < 0.9);
    assert.equal(shade.weight, 0);
    assert.equal(weights[shade.index], 0);
    assert.ok(!size.silenced && !('raw' in size) && size.weight > 0 && size.signAgreement === 1);
  }
});

test('constant answers give zero weights and a gamma of 0', async () => {
  const { weights, equilibrium, prediction, intercept } = await explainRow(
    rows[0],
    (batch) => [...batch].map(() => 0.1),
    {
      table,
    },
  );
  assert.deepEqual(weights, [0, 0, 0, 0]);
  assert.equal(equilibrium.gamma, 0);
  assert.ok(equilibrium.converged);
  assert.equal(prediction, 0.1);
  assert.ok(Math.abs(intercept - 0.1) < 1e-15);
});

test('a neighborhood with too few effective samples gets a warning', async () => {
  const { effectiveSamples, warnings } = await explainRow(rows[0], predict, { table, samples: 10, kernelWidth: 0.1 });
  assert.ok(effectiveSamples < 2);
  assert.match(warnings[0], /counts as only 1\.\d samples for 4 features/);
});

test('bad input is refused with its value before the model is asked', async () => {
  let asked = 0;
  const count = (batch) => {
    asked++;
    return predict(batch);
  };
  const live = core.linex_wasm_live_bytes();
  const cases = [
    [
      [NaN, 1, 1, 'red'],
      {},
      RangeError,
      /column "size" must be a finite number, not NaN; no row of the table has a missing value/,
    ],
    [[1, Infinity, 1, 'red'], {}, RangeError, /column "age" .* not Infinity/],
    [[1, 2, 3, 'green'], {}, RangeError, /column "color" has no level "green"; its levels are "blue", "red"/],
    [[1, 2, 3], {}, RangeError, /the row must have 4 columns, not 3/],
    [[], {}, RangeError, /the row must have 4 columns, not 0/],
    [undefined, {}, TypeError, /a row must be an array of 4 values, or an object .* not undefined/],
    ['abcd', {}, TypeError, /a row must be an array of 4 values, or an object .* not "abcd"/],
    [{ size: 1 }, {}, RangeError, /the row must have the property "age", one per column; its properties are "size"/],
    [rows[0], { samples: 1 }, RangeError, /samples must be a whole number from 2 .* not 1/],
    [rows[0], { samples: 2.5 }, RangeError, /not 2.5/],
    [rows[0], { units: 'raw' }, RangeError, /units 'raw' .* needs a kernelWidth/],
    [
      rows[0],
      { samples: 10, environments: 11 },
      RangeError,
      /environments must be a whole number from 1 to 10, not 11/,
    ],
    [
      rows[0],
      { samples: 2, environments: [[1, 1], [0, 0]] }, // prettier-ignore
      RangeError,
      /environment 1 must have a weight above 0/,
    ],
    [rows[0], { environments: { kind: 'odd', weights: [[1]] } }, RangeError, /a kind or weights, not both: "odd"/],
    [rows[0], { classes: ['a', 'a'] }, RangeError, /classes has the name "a" twice/],
    [rows[0], { table: { columns: [{ name: 'x' }] } }, RangeError, /table.columns\[0\].kind must be one of numeric/],
    [rows[0], { surroundings: [] }, TypeError, /has no option "surroundings"; it takes/],
    [rows[0], { environments: 0 }, RangeError, /environments must be a whole number from 1 .* not 0/],
    [
      rows[0],
      { environments: 'near' },
      RangeError,
      /environments.kind must be one of bootstrap, halves, .* not "near"/,
    ],
    [rows[0], { environments: [[1, 2]] }, RangeError, /environment 0 must have 1000 weights, .* not Array of length 2/],
    [rows[0], { gamma: 0 }, RangeError, /gamma must be a number above 0 .* not 0/],
    [rows[0], { gamma: -1 }, RangeError, /not -1/],
    [rows[0], { gamma: '1' }, RangeError, /gamma must be a number .* not "1"/],
    [rows[0], { ridge: -1 }, RangeError, /ridge must be a number at least 0/],
    [rows[0], { kernelWidth: 0 }, RangeError, /kernelWidth must be a number above 0, not 0/],
    [rows[0], { features: 0 }, RangeError, /features/],
    [rows[0], { agreement: 2 }, RangeError, /agreement must be a number at least 0 and at most 1, not 2/],
    [rows[0], { agreement: 0.5, draws: 0 }, RangeError, /agreement is computed from draws/],
    [rows[0], { target: 'maybe', classes: ['no', 'yes'] }, RangeError, /not "maybe"; classes are no, yes/],
    [rows[0], { target: 'yes' }, RangeError, /a name needs the classes option/],
    [rows[0], { target: 2, classes: ['no', 'yes'] }, RangeError, /not 2/],
    [rows[0], { target: -1 }, RangeError, /not -1/],
    [rows[0], { target: [] }, RangeError, /at least one class/],
    [rows[0], { sample: 100 }, TypeError, /explainRow has no option "sample"; did you mean "samples"\?/],
    [rows[0], { num_samples: 1 }, TypeError, /no option "num_samples"; did you mean "samples"/],
    [rows[0], { kernelwidth: 1 }, TypeError, /did you mean "kernelWidth"/],
    [rows[0], { method: 'limes' }, RangeError, /method must be one of linex, lime, .*, not "limes"/],
    [rows[0], { table: undefined }, TypeError, /needs options.table from describeTable, not undefined/],
    [rows[0], { seed: -1 }, RangeError, /seed/],
    [rows[0], { signal: {} }, TypeError, /signal must be an AbortSignal/],
    [rows[0], { batchSize: 0 }, RangeError, /batchSize/],
    [rows[0], { onProgress: 5 }, TypeError, /onProgress must be a function, not 5/],
  ];
  for (const [row, change, kind, pattern] of cases) {
    const options = { table, ...change };
    await assert.rejects(explainRow(row, count, options), (error) => {
      assert.ok(error instanceof kind, `${JSON.stringify(change)}: ${error}`);
      assert.match(error.message, pattern);
      return true;
    });
    assert.equal(core.linex_wasm_live_bytes(), live);
  }
  await assert.rejects(explainRow(rows[0], 'model', { table }), /takes the model as a function, not "model"/);
  await assert.rejects(explainRow(rows[0], count), /needs options.table/);
  await assert.rejects(explainRows(5, count, { table }).next(), /takes an iterable of rows, not 5/);
  assert.equal(asked, 0);
});

test('an explanation with infinite numbers is an error', async () => {
  const huge = (batch) => [...batch].map((row) => 1e170 * row[0]);
  await assert.rejects(
    explainRow(rows[0], huge, { table, samples: 50 }),
    (error) => error instanceof LinexError && error.code === 'overflow',
  );
  const hurried = await explainRow(rows[0], predict, { table, samples: 50, maxRounds: 1, solver: 'path' });
  // No player can move by more than from -gamma to gamma.
  const { converged, residual } = hurried.equilibrium;
  assert.ok(!converged && residual > 1e-9 && residual <= 2, `${residual}`);
  assert.match(hurried.warnings.at(-1), /did not converge/);
});

test('running out of memory is an error', async () => {
  const wide = await describeTable([Array.from({ length: 600 }, () => 1), Array.from({ length: 600 }, () => 2)]);
  const row = Array.from({ length: 600 }, () => 1);
  const live = core.linex_wasm_live_bytes();
  await assert.rejects(
    explainRow(row, predict, { table: wide, samples: 1e6 }),
    (error) => error instanceof LinexError && error.code === 'memory',
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
  await load();
  const points = Array.from({ length: 3 }, (_, i) => new Float64Array(23200).fill(i));
  assert.throws(
    () => explainSamples({ points, predictions: [1, 2, 3] }, { features: 'all' }),
    (error) => error instanceof LinexError && error.code === 'memory',
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
});

test('10,000 explanations leave the heap as it was', async () => {
  const options = { table, samples: 20, draws: 5 };
  await explainRow(rows[0], predict, options);
  const live = core.linex_wasm_live_bytes();
  const pages = core.memory.buffer.byteLength;
  for (let i = 0; i < 10000; i++) await explainRow(rows[i % rows.length], predict, { ...options, seed: i });
  assert.equal(core.linex_wasm_live_bytes(), live);
  assert.equal(core.memory.buffer.byteLength, pages);
});

test('a degenerate fit is an error, and no memory leaks', () => {
  const live = core.linex_wasm_live_bytes();
  const points = [
    [1, 2],
    [2, 4],
    [3, 6],
  ];
  const attempt = () => explainSamples({ points, predictions: [1, 2, 4] }, { ridge: 0 });
  assert.throws(
    attempt,
    (error) => error instanceof LinexError && error.code === 'degenerate' && /ridge/.test(error.message),
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
});
