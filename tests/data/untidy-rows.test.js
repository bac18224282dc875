// Tables as they come: rows as objects, missing numbers, flags, and groups of columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRow } from 'linex';
import { checkTable } from '../../js/data/check-table.js';

const people = [
  { id: 7, age: 20, income: 10, member: true },
  { id: 8, age: 30, income: null, member: false },
  { id: 9, age: 40, income: 30, member: true },
  { id: 10, age: 50, income: undefined, member: true },
];

test('rows that are objects give the table of the same rows as arrays', async () => {
  const names = ['age', 'income', 'member'];
  const arrays = people.map((person) => names.map((name) => person[name]));
  const fromArrays = await describeTable(arrays, { columns: names });
  assert.deepEqual(await describeTable(people, { columns: names }), fromArrays);
  assert.deepEqual((await describeTable(people)).columns[1], fromArrays.columns[0]);
  await assert.rejects(describeTable([people[0], [1, 2]]), /^TypeError: row 1 must be an object like row 0, not/);
  await assert.rejects(describeTable([people[0], { id: 1 }]), /^RangeError: row 1 must have the property "age"/);
  await assert.rejects(describeTable([{}]), /^RangeError: row 0 must have at least one property, not none/);
  // A column may be called length.
  const { columns } = await describeTable([{ length: 1e9 }, { length: 2 }]);
  assert.deepEqual([columns[0].name, columns[0].max], ['length', 1e9]);
});

test('a column with missing numbers has their share, and the statistics of the others', async () => {
  const { columns } = await describeTable(people, { columns: ['income'] });
  const { mean, spread, min, max, missing, whole } = columns[0];
  // The mean of 10 and 30, and their standard deviation.
  assert.deepEqual([mean, min, max, missing, whole], [20, 10, 30, 0.5, true]);
  assert.ok(Math.abs(spread - 10) < 1e-12);
});

test('a column of booleans has levels without being listed', async () => {
  const { columns } = await describeTable(people, { columns: ['member', 'age'] });
  assert.deepEqual(
    [columns[0].levels, columns[0].frequencies],
    [
      [false, true],
      [0.25, 0.75],
    ],
  );
  assert.equal(columns[1].kind, 'numeric');
});

test('numbers in strings and dates are refused with the row and the column, and with what to do', async () => {
  const numbers = people.map(({ age }) => ({ age }));
  const days = 'convert it to a number in the unit that you want to read, such as days';
  const levels = 'convert it to a number, or list the column as categorical if it has levels';
  const refused = (call, message) => assert.rejects(call, { name: 'RangeError', message });
  for (const [value, shown, inTable, inRow] of [
    ['41', '"41"', levels, 'convert it to a number'],
    ['', '""', levels, 'convert it to a number'],
    [new Date(0), 'Date', days, days],
  ]) {
    await refused(
      describeTable([...numbers, { age: value }]),
      `row 4 must have a finite number in column "age", not ${shown}; ${inTable}`,
    );
    await refused(
      explainRow({ age: value }, () => assert.fail('asked'), { table: await describeTable(numbers) }),
      `column "age" must be a finite number, not ${shown}; ${inRow}`,
    );
  }
});

test('a group of flags has its combinations as levels, and a group of amounts keeps some rows', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => [Number(i % 4 === 0), Number(i % 4 !== 0), i, i / 7]);
  const columns = ['a', 'b', 'x', 'y'];
  const { groups } = await describeTable(rows, { columns, groups: { code: ['a', 'b'], place: [2, 'y'] } });
  const [code, place] = groups;
  assert.deepEqual(code, {
    ...{ name: 'code', columns: [0, 1], kind: 'levels' },
    ...{ values: [[1, 0], [0, 1]], frequencies: [0.25, 0.75] }, // prettier-ignore
  });
  assert.deepEqual([place.name, place.columns, place.kind, place.values.length], ['place', [2, 3], 'amounts', 64]);
  for (const [x, y] of place.values) assert.equal(y, x / 7);
});

test('bad groups are refused by name', async () => {
  const refused = (groups, pattern) =>
    assert.rejects(describeTable([[1, 2, 3]], { columns: ['a', 'b', 'c'], groups }), pattern);
  await refused({ g: ['a'] }, /^TypeError: groups\["g"\] must be an array of at least 2 columns, not Array/);
  await refused({ g: ['a', 'z'] }, /^RangeError: groups\["g"\] has a column that does not exist: "z"/);
  await refused({ g: ['a', 'b'], h: ['b', 'c'] }, /^RangeError: column "b" is in groups\["g"\] and in groups\["h"\]/);
  await refused({ a: ['a', 'b'] }, /^RangeError: groups\["a"\] has the name of a column; choose another/);
  await refused([['a', 'b']], /^TypeError: groups takes its options as an object, not Array/);
});

test('missing shares and groups of a table from JSON are checked', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => [i % 3 ? i : null, i % 2, 1 - (i % 2), i % 2 ? 'x' : 'y']);
  const columns = ['n', 'a', 'b', 'c'];
  const table = await describeTable(rows, { columns, categorical: ['c'], groups: { g: ['n', 'a'], h: ['b', 'c'] } });
  const json = JSON.stringify(table);
  assert.deepEqual(checkTable(JSON.parse(json), 'test'), table);
  const refused = (change, pattern) => {
    const copy = JSON.parse(json);
    change(copy);
    assert.throws(() => checkTable(copy, 'test'), pattern);
  };
  for (const hostile of [0, -1, 2, '0.5', null, {}, [0.5]])
    refused((copy) => (copy.columns[0].missing = hostile), /table.columns\[0\].missing must be a number above 0/);
  refused((copy) => (copy.groups = 'x'.repeat(9)), /table.groups must be an array of groups/);
  refused((copy) => (copy.groups[0].name = {}), /table.groups\[0\].name must be a string/);
  refused((copy) => (copy.groups[0].kind = 'other'), /table.groups\[0\].kind/);
  refused(
    (copy) => (copy.groups[0].columns[0] = 4),
    /table.groups\[0\].columns\[0\] must be a whole number from 0 to 3/,
  );
  refused(
    (copy) => (copy.groups[1].columns[0] = 0),
    /table.groups\[1\].columns\[0\] must be a column that is in no group/,
  );
  refused((copy) => (copy.groups[0].values[1] = [1]), /table.groups\[0\].values\[1\] must be an array of 2 values/);
  refused((copy) => (copy.groups[0].values[0][1] = null), /table.groups\[0\].values\[0\]\[1\] must be a finite number/);
  refused((copy) => (copy.groups[1].values[0][1] = 2), /table.groups\[1\].values\[0\]\[1\] must be a whole number/);
  refused((copy) => (copy.groups[1].frequencies[0] = 9), /table.groups\[1\].frequencies\[0\]/);
  refused((copy) => (copy.groups[1].frequencies = 'ab'), /table.groups\[1\].frequencies must be an array/);
});
