// Tests what the command finds in columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnScan, describeType, readerOf } from '../../js/command-files/column-types.js';

function typeOf(cells, categorical = false) {
  const scan = new ColumnScan('x', categorical);
  for (const cell of cells) scan.add(cell);
  return scan.type;
}
const distinct = (count) => Array.from({ length: count }, (_, i) => `name ${i}`);

for (const [cells, holds, read] of [
  [['1', '-2.5', '+3e2', ' .5 '], 'numeric', [1, -2.5, 300, 0.5]],
  [['1', '', 'NA', 'nan', '?'], 'numeric', [1, null, null, null, null]],
  [['01234', '00501'], 'text', ['01234', '00501']],
  [['0', '0.5', '-0.25'], 'numeric', [0, 0.5, -0.25]],
  [['1', 'two', '3.0', ''], 'text', ['1', 'two', '3.0', null]],
  [['NA', 'B', 'C'], 'text', ['NA', 'B', 'C']],
  [['1e999', '2'], 'text', ['1e999', '2']],
  [['true', 'false', ''], 'flags', [true, false, null]],
  [[true, null, false], 'flags', [true, null, false]],
  [[1, 2n, null, NaN, undefined], 'numeric', [1, 2, null, null, null]],
  [['', '', null], 'empty', undefined],
  [[{ a: 1 }, { a: 2 }], 'objects', undefined],
  [['0x10', '1_000', '1,5'], 'text', ['0x10', '1_000', '1,5']],
])
  test(`a column of ${JSON.stringify(cells, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))} holds ${holds}`, () => {
    const type = typeOf(cells);
    assert.equal(type.holds, holds);
    if (read) assert.deepEqual(cells.map(readerOf(type)), read);
  });

test('numbers are levels if the user says so', () => {
  const type = typeOf(['10115', '80331', '10115'], true);
  assert.deepEqual([type.holds, type.levels], ['numbers as levels', 2]);
  assert.deepEqual(['10115', ''].map(readerOf(type)), [10115, null]);
});

test('texts that almost all differ are names; texts that repeat are levels', () => {
  assert.equal(typeOf(distinct(30)).holds, 'ids');
  assert.equal(typeOf([...distinct(30), ...distinct(30)]).holds, 'text');
  assert.equal(typeOf(distinct(15)).holds, 'text');
  assert.equal(typeOf(Array(10).fill(distinct(1001)).flat()).holds, 'ids');
  assert.equal(typeOf(distinct(30), true).holds, 'text');
});

test('a cell that does not fit is kept, so that its row can say why it fails', () => {
  assert.deepEqual(['x', '7'].map(readerOf(typeOf(['1', '2']))), ['x', 7]);
});

test('what a column holds is said in words', () => {
  assert.equal(describeType(typeOf(['1', '', 'NA'])), 'numbers, 2 missing');
  assert.equal(describeType(typeOf(['a', 'b', 'a'])), '2 levels');
});
