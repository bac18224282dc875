// Tests the reader of CSV against a writer of its own, in pieces of any size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CSVReader } from '../../js/command-files/csv-lines.js';
import { dice } from '../support/dice.js';

/** Reads a text in pieces that end at the given places. */
function readInPieces(text, cuts) {
  const reader = new CSVReader('data.csv');
  const rows = [];
  let from = 0;
  for (const to of [...cuts, text.length]) {
    rows.push(...reader.read(text.slice(from, to)));
    from = to;
  }
  return [...rows, ...reader.read('', true)];
}

const read = (text) => readInPieces(text, []);

test('the examples of RFC 4180 are read as it says', () => {
  assert.deepEqual(read('aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n'), [
    ['aaa', 'bbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(read('aaa,bbb,ccc\r\nzzz,yyy,xxx').length, 2);
  assert.deepEqual(read('"aaa","b\r\nbb","ccc"\r\nzzz,yyy,xxx'), [
    ['aaa', 'b\r\nbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(read('"aaa","b""bb","ccc"'), [['aaa', 'b"bb', 'ccc']]);
});

test('a byte order mark, empty lines, old line ends and other delimiters are understood', () => {
  assert.deepEqual(read('\uFEFFa,b\n\n1,2\n\n'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.deepEqual(read('a,b\r1,2\r'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.deepEqual(read('a;b\n1,5;2'), [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  assert.deepEqual(read('a\tb\n1\t2'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.deepEqual(read('a\n""\nb'), [['a'], [''], ['b']]);
  assert.deepEqual(read('a,b\n,\n'), [
    ['a', 'b'],
    ['', ''],
  ]);
});

test('what a writer wrote is read again, wherever the pieces are cut', () => {
  const { below, pick } = dice(4180);
  const cell = () =>
    Array.from({ length: below(5) }, () => pick(['a', '"', ',', '\n', '\r\n', '\r', ' ', '1', 'ü', '😀'])).join('');
  const write = (text) => (/[",\r\n]/.test(text) || below(3) === 0 ? `"${text.replaceAll('"', '""')}"` : text);
  for (let round = 0; round < 300; round++) {
    const width = 2 + below(3);
    const rows = [['x', ...Array(width - 1).fill('y')]];
    for (let i = below(6); i > 0; i--) rows.push(Array.from({ length: width }, cell));
    const end = pick(['\n', '\r\n']);
    const text = rows.map((cells) => cells.map(write).join(',')).join(end) + pick(['', end]);
    const cuts = Array.from({ length: below(8) }, () => below(text.length)).sort((a, b) => a - b);
    assert.deepEqual(readInPieces(text, cuts), rows, JSON.stringify({ text, cuts }));
    assert.deepEqual(
      readInPieces(
        text,
        Array.from({ length: text.length }, (_, i) => i),
      ),
      rows,
    );
  }
});

test('a quote that is not closed, and text after a quote, are refused with the line', () => {
  assert.throws(() => read('a,b\n1,"2\n3,4\n'), /data\.csv, line 2: a quoted cell is not closed/);
  assert.throws(() => read('a,b\n1,2\n"3"4,5\n'), /data\.csv, line 3: there is "4" after a quoted cell/);
});
