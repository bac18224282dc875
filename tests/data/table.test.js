// What describeTable says about columns, and which tables it refuses.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describeTable } from 'linex';

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
  await refused(
    [[1], [null]],
    { columns: ['age'] },
    /row 1 must have a finite number in column "age", not null; fill it in, or/,
  );
  await refused([[1], ['2']], { columns: ['age'] }, /in column "age", not "2"; convert it to a number, or/);
  await refused([[1], [Infinity]], {}, /row 1 .* column "column 0", not Infinity/);
  await refused([['x']], { columns: ['age'] }, /row 0 .* column "age", not "x"; .* categorical/);
  await refused([[1]], { columns: ['a', 'b'] }, /columns must be 1 names/);
  await refused([[1]], { categorical: ['size'] }, /does not exist: "size"/);
  await refused([[Infinity]], { categorical: [0] }, /in column "column 0", not Infinity/);
  await refused([[1]], { categorical: 'column 0' }, /categorical must be an array, not "column 0"/);
  await refused([[1]], { categorical: [true] }, /does not exist: true/);
  await refused([[1, 2]], { columns: ['a', 'a'] }, /columns has the name "a" twice/);
  await refused([{ a: 1 }], {}, /rows that are arrays .* not Object/);
  await refused([[1]], { category: [0] }, /no option "category"; did you mean "categorical"/);
  await refused(
    [[{}]],
    { categorical: [0] },
    /must have a string, finite number or boolean in column "column 0", not Object/,
  );
});
