// What describeTable says about columns, and which tables it refuses.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describeTable, explainRow } from 'linex';
import { checkTable } from '../../js/data/check-table.js';

test("means, spreads, quartiles and bins equal numpy's", async () => {
  const { cases } = JSON.parse(readFileSync(new URL('../vectors/columns.json', import.meta.url), 'utf8'));
  assert.deepEqual(
    cases.map(({ values }) => values.length),
    [50, 31, 1, 9, 8, 1000],
  );
  for (const { values, ...expected } of cases) {
    const table = await describeTable(values.map((value) => [value]));
    const [column] = table.columns;
    const scale = Math.max(1, ...values.map(Math.abs));
    const near = (actual, wanted) => assert.ok(Math.abs(actual - wanted) <= 1e-12 * scale, `${actual}, not ${wanted}`);
    near(column.mean, expected.mean);
    near(column.spread, expected.spread);
    assert.equal(column.min, Math.min(...values));
    assert.equal(column.max, Math.max(...values));
    assert.equal(column.quartiles.length, 3);
    assert.equal(column.bins.length, 4);
    column.quartiles.forEach((quartile, i) => near(quartile, expected.quartiles[i]));
    column.bins.forEach((bin, i) => {
      near(bin.share, expected.bins[i].share);
      near(bin.mean, expected.bins[i].mean);
      near(bin.spread, expected.bins[i].spread);
    });
  }
});

test('the order of levels does not depend on the locale, and a missing value is a level', async () => {
  const rows = [['b'], ['a'], [null], ['b'], [undefined], ['B'], [NaN], ['b']];
  const { columns } = await describeTable(rows, { columns: ['letter'], categorical: ['letter'] });
  assert.deepEqual(columns[0].levels, ['B', 'a', 'b', null]);
  assert.deepEqual(columns[0].frequencies, [1 / 8, 1 / 8, 3 / 8, 3 / 8]);
  assert.deepEqual(columns[0].codes, [0, 1, 2, 3]);
});

test('a table says which columns hold only whole numbers, also after JSON', async () => {
  const rows = [
    [1, 0.5, -2, 1e300],
    [7, 3, 0, 2],
  ];
  const table = await describeTable(rows);
  const wholes = ({ columns }) => columns.map(({ whole }) => whole);
  assert.deepEqual(wholes(table), [true, undefined, true, true]);
  assert.deepEqual(wholes(checkTable(JSON.parse(JSON.stringify(table)), 'a test')), [true, undefined, true, true]);
  const before = JSON.parse(JSON.stringify(table));
  for (const column of before.columns) delete column.whole;
  assert.deepEqual(wholes(checkTable(before, 'a test')), [undefined, undefined, undefined, undefined]);
  before.columns[0].whole = 'yes';
  assert.throws(() => checkTable(before, 'a test'), /table.columns\[0\].whole must be true or false, not "yes"/);
});

test('levels that are numbers are their own codes', async () => {
  const { columns } = await describeTable([[7], [-1], [10], [null]], { categorical: [0] });
  assert.deepEqual(columns[0].levels, [-1, 7, 10, null]);
  assert.deepEqual(columns[0].codes, [-1, 7, 10, null]);
});

test('a table is equal after JSON', async () => {
  const table = await describeTable(
    [
      [1, 'x'],
      [2, 'y'],
    ],
    { categorical: [1] },
  );
  assert.deepEqual(JSON.parse(JSON.stringify(table)), table);
  assert.ok(Object.isFrozen(table) && Object.isFrozen(table.columns[0]));
});

test('bad tables are refused with row and column', async () => {
  const refused = (rows, options, pattern) =>
    assert.rejects(
      describeTable(rows, options),
      (error) => /^(Type|Range)Error$/.test(error.name) && pattern.test(error.message),
    );
  await refused([], {}, /at least one row/);
  await refused([[]], {}, /at least one value/);
  await refused([[1, 2], [1]], {}, /row 1 must have 2 columns like row 0, not 1/);
  await refused([[null], [NaN]], { columns: ['age'] }, /column "age" must have at least one number, but all 2 are/);
  await refused([[1], [new Date(0)]], {}, /row 1 .* not Date; convert it to a number in the unit/);
  await refused([[1], ['2']], { columns: ['age'] }, /in column "age", not "2"; convert it to a number, or/);
  await refused([[1], [Infinity]], {}, /row 1 .* column "column 0", not Infinity/);
  await refused([['x']], { columns: ['age'] }, /row 0 .* column "age", not "x"; .* categorical/);
  await refused([[1]], { columns: ['a', 'b'] }, /columns must be 1 names/);
  await refused([[1]], { categorical: ['size'] }, /does not exist: "size"/);
  await refused([[Infinity]], { categorical: [0] }, /in column "column 0", not Infinity/);
  await refused([[1]], { categorical: 'column 0' }, /categorical must be an array, not "column 0"/);
  await refused([[1]], { categorical: [true] }, /does not exist: true/);
  await refused([[1, 2]], { columns: ['a', 'a'] }, /columns has the name "a" twice/);
  await refused(
    [new Map()],
    {},
    /row 0 must be an array of values, or an object with one property per column, not Map/,
  );
  await refused([[1]], { category: [0] }, /no option "category"; did you mean "categorical"/);
  await refused(
    [[{}]],
    { categorical: [0] },
    /must have a string, finite number or boolean in column "column 0", not Object/,
  );
});

/** A table with a numeric and a categorical column, as JSON gives it back. */
async function storedTable() {
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i, 'abc'[i % 3]]);
  return JSON.parse(JSON.stringify(await describeTable(rows, { columns: ['size', 'kind'], categorical: ['kind'] })));
}

const MIXED = [3, 'b'];
const model = ({ data, shape }) =>
  Array.from({ length: shape[0] }, (_, i) => Math.tanh(data[2 * i]) + Math.tanh(data[2 * i + 1] || 0));

test('a table from JSON gives the explanation of the table that it was made from', async () => {
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i, 'abc'[i % 3]]);
  const table = await describeTable(rows, { columns: ['size', 'kind'], categorical: ['kind'] });
  const explain = async (described) => (await explainRow(MIXED, model, { table: described, samples: 100 })).weights;
  assert.deepEqual(await explain(await storedTable()), await explain(table));
});

test('every field of a table from JSON is checked before the model is asked', async () => {
  const hostile = [undefined, null, NaN, Infinity, -1, 2, 1e300, '1', 'x'.repeat(5000), {}, [], [[]], true, 5n];
  const long = 'x'.repeat(100000);
  const paths = [
    ...['mean', 'spread', 'min', 'max', 'quartiles', 'bins'].map((field) => [0, field]),
    ...[0, 1, 2].map((i) => [0, 'quartiles', i]),
    ...['share', 'mean', 'spread'].flatMap((field) => [0, 3].map((i) => [0, 'bins', i, field])),
    ...['levels', 'frequencies', 'codes', 'name', 'kind'].map((field) => [1, field]),
    ...['levels', 'frequencies', 'codes'].flatMap((field) => [0, 2].map((i) => [1, field, i])),
  ];
  let refusals = 0;
  for (const path of paths) {
    for (const value of [...hostile, long]) {
      const table = await storedTable();
      const last = path.at(-1);
      path.slice(0, -1).reduce((part, key) => part[key], table.columns)[last] = value;
      let asked = 0;
      const count = (batch) => (asked++, model(batch));
      const outcome = await explainRow(MIXED, count, { table, samples: 20, draws: 5 }).catch((error) => error);
      if (!(outcome instanceof Error)) {
        const numbers = [...outcome.weights, outcome.intercept, ...outcome.features.map(({ perUnit }) => perUnit)];
        assert.ok(numbers.every(Number.isFinite), `${path} = ${String(value)}`);
        continue;
      }
      refusals++;
      assert.match(outcome.name, /^(TypeError|RangeError)$/, `${path}: ${outcome}`);
      assert.match(outcome.message, /table\.columns\[[01]\]\.\w+|^column /, `${path}: ${outcome}`);
      assert.equal(asked, 0, `${path} = ${String(value)}`);
    }
  }
  assert.ok(refusals > 200, `${refusals}`);
});

test('levels and frequencies that are strings are refused with their names', async () => {
  const refused = async (change, pattern) => {
    const table = await storedTable();
    change(table.columns);
    await assert.rejects(explainRow(MIXED, model, { table }), (error) => {
      assert.match(error.message, pattern);
      return error instanceof TypeError || error instanceof RangeError;
    });
  };
  await refused(([, kind]) => {
    kind.levels = 'b'.repeat(1e6);
    kind.frequencies = '1'.repeat(1e6);
  }, /table.columns\[1\].levels must be an array of levels, not "bbb/);
  await refused(([, kind]) => (kind.frequencies = '111'), /columns\[1\].frequencies must be .* 3 numbers, not "111"/);
  await refused(
    ([, kind]) => (kind.frequencies = [0.5, -0.25, 0.75]),
    /frequencies\[1\] must be a number at least 0 and at most 1, not -0.25/,
  );
  await refused(([, kind]) => (kind.frequencies[2] = null), /frequencies\[2\] must be .* not null/);
  await refused(([, kind]) => (kind.frequencies = [0.1, 0.1, 0.1]), /frequencies must add up to 1, not 0.3/);
  await refused(([, kind]) => (kind.levels[2] = 'a'), /levels\[2\] must be .* not listed before, not "a"/);
  await refused(([size]) => (size.spread = -1), /table.columns\[0\].spread must be a finite number at least 0, not -1/);
  await refused(([size]) => (size.bins[2] = null), /columns\[0\].bins\[2\].share must be .* not undefined/);
  await refused(
    ([size]) => (size.quartiles = 'abc'),
    /columns\[0\].quartiles must be an array of 3 numbers, not "abc"/,
  );
});

test('a table from JSON that changes while the model is asked does not change the explanation', async () => {
  const stored = await storedTable();
  const expected = await explainRow(MIXED, model, { table: await storedTable(), samples: 100 });
  const change = (batch) => {
    stored.columns[1].frequencies = 'x'.repeat(1000);
    stored.columns[0].spread = -5;
    return model(batch);
  };
  const changed = await explainRow(MIXED, change, { table: stored, samples: 100, batchSize: 10 });
  assert.deepEqual(changed.features, expected.features);
});

test('statistics of numbers at the end of the range are finite, and such a row can be explained', async () => {
  const table = await describeTable([[-1.7e308], [1.7e308], [1.7e308], [-1.7e308], [1e308]]);
  const [{ mean, spread, quartiles, bins }] = table.columns;
  const statistics = [mean, spread, ...quartiles, ...bins.flatMap(Object.values)];
  assert.ok(statistics.every(Number.isFinite), `${statistics}`);
  assert.deepEqual(quartiles, [-1.7e308, 1e308, 1.7e308]);
  const seen = [];
  const look = ({ data }) => (seen.push(...data), Array.from(data, (value) => value / 1e308));
  const { weights } = await explainRow([1.5e308], look, { table, samples: 200 });
  assert.ok(seen.every(Number.isFinite) && Number.isFinite(weights[0]) && weights[0] > 0);
});

test('a spread that is too small to divide by is refused by the name of its column', async () => {
  const tiny = { columns: ['tiny'] };
  await assert.rejects(
    describeTable([[0], [5e-324]], tiny),
    /^RangeError: column "tiny" must have a standard deviation of 0 or at least 2.2\d+e-308, not \d+e-324; multiply it/,
  );
  const table = await describeTable([[0], [1e-300]], tiny);
  const { features } = await explainRow([0], ({ data }) => [...data].map((x) => x * 1e300), { table });
  assert.ok(Number.isFinite(features[0].perUnit) && features[0].perUnit > 1e299, `${features[0].perUnit}`);
  const huge = ({ data }) => [...data].map((x) => x * 1e300 * 1e200);
  await assert.rejects(explainRow([0], huge, { table }), { name: 'LinexError', code: 'overflow' });
  await assert.rejects(
    explainRow([1], huge, { table }),
    /^RangeError: column "tiny" must be at most 1e\+100 standard deviations from its mean, not 1$/,
  );
});

test('objects with only a length are refused at once', async () => {
  const hollow = { length: 1e9 };
  const asked = performance.now();
  for (const rows of [hollow, [[1], hollow], [new Array(1e9)], 'abc', ['abc']])
    await assert.rejects(describeTable(rows), /^(TypeError|RangeError): (rows|row \d) must/);
  assert.ok(performance.now() - asked < 1000);
});
