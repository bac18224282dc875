// Files of rows as other programs write them: packed by gzip, compressed columns, dates, torn files, very many columns.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DateMillisecond, Dictionary, Int32, Table, tableToIPC, TimestampSecond, Utf8 } from 'apache-arrow';
import { vectorFromArray } from 'apache-arrow';
import { parquetWriteFile } from 'hyparquet-writer';
import { openData } from '../../js/command-files/data-file.js';
import { chooseColumns, describeScan, scanTypes } from '../../js/command-files/table-scan.js';
import { folderFor } from '../support/workers/command-runs.js';

/** The columns and all rows of a file. */
async function readAll(path, format) {
  const { columns, batches } = await openData(path, format);
  const rows = [];
  for await (const batch of batches()) rows.push(...batch);
  return { columns, rows };
}

const days = [new Date('2024-01-01T00:00:00Z'), null, new Date('2024-02-29T12:30:00Z')];

test('CSV and JSON lines that gzip has packed are read as they were', async (t) => {
  const lines = Array.from({ length: 50000 }, (_, i) => `${i},ä${i % 7}`);
  const csv = `x,y\n${lines.join('\n')}\n`;
  const folder = folderFor(t, {
    'a.csv': csv,
    'a.csv.gz': gzipSync(csv),
    'a.jsonl.gz': gzipSync('{"x":1}\n{"x":2}\n'),
  });
  const found = await readAll(join(folder, 'a.csv.gz'));
  assert.deepEqual(found, await readAll(join(folder, 'a.csv')));
  assert.equal(found.rows.length, 50000);
  assert.deepEqual((await readAll(join(folder, 'a.jsonl.gz'))).rows, [[1], [2]]);
});

test('a torn file says its name, and what is wrong', async (t) => {
  const whole = gzipSync(`x\n${'1\n'.repeat(9000)}`);
  const folder = folderFor(t, {
    'a.csv.gz': whole.subarray(0, whole.length - 9),
    'a.parquet': 'PAR1 and more',
    'a.arrow': 'ARROW1 and more',
  });
  const refused = (name, message) =>
    assert.rejects(readAll(join(folder, name)), { name: 'CommandFailure', message, exitCode: 2 });
  await refused('a.csv.gz', /^could not unpack .*a\.csv\.gz: unexpected end of file$/);
  await refused('a.parquet', /^could not read .*a\.parquet: parquet file/);
  await refused('a.arrow', /^could not read .*a\.arrow: /);
});

test('Parquet that GZIP or Brotli compresses is read, and another compression says what to install', async (t) => {
  const folder = folderFor(t);
  const columnData = [{ name: 'x', data: Float64Array.from({ length: 9000 }, (_, i) => i % 5) }];
  for (const [codec, compress] of Object.entries({ GZIP: gzipSync, BROTLI: brotliCompressSync, LZ4_RAW: (x) => x })) {
    const filename = join(folder, `${codec}.parquet`);
    const compressors = { [codec]: (bytes) => new Uint8Array(compress(bytes)) };
    await parquetWriteFile({ filename, columnData, codec, compressors });
  }
  const expected = Array.from({ length: 9000 }, (_, i) => [i % 5]);
  for (const codec of ['GZIP', 'BROTLI'])
    assert.deepEqual((await readAll(join(folder, `${codec}.parquet`))).rows, expected);
  await assert.rejects(
    readAll(join(folder, 'LZ4_RAW.parquet')),
    /read .*LZ4_RAW\.parquet, which is compressed by LZ4_RAW, install hyparquet-compressors beside linex: npm install/,
  );
});

test('dates are dates, and dictionaries their values, in Parquet and in Arrow', async (t) => {
  const folder = folderFor(t);
  const filename = join(folder, 'days.parquet');
  const homes = ['own', null, 'rent'];
  await parquetWriteFile({
    filename,
    columnData: [
      { name: 'day', data: days, type: 'TIMESTAMP', nullable: true },
      { name: 'second', data: days, type: 'TIMESTAMP', nullable: true },
      { name: 'home', data: homes, type: 'STRING', nullable: true },
    ],
  });
  const table = new Table({
    day: vectorFromArray(days, new DateMillisecond()),
    second: vectorFromArray(days, new TimestampSecond()),
    home: vectorFromArray(homes, new Dictionary(new Utf8(), new Int32())),
  });
  writeFileSync(join(folder, 'days.arrow'), tableToIPC(table, 'file'));
  const expected = { columns: ['day', 'second', 'home'], rows: days.map((day, i) => [day, day, homes[i]]) };
  assert.deepEqual(await readAll(filename), expected);
  assert.deepEqual(await readAll(join(folder, 'days.arrow')), expected);
});

test('numbers with decimal commas are told from other texts', async (t) => {
  const folder = folderFor(t, { 'a.csv': 'price;size;name\n1,5;10;a,b\n2,5;12;c\n' });
  const data = await openData(join(folder, 'a.csv'));
  const scan = await scanTypes(data, []);
  assert.deepEqual(
    scan.types.map(({ name, holds, commas }) => [name, holds, commas]),
    [
      ['price', 'text', true],
      ['size', 'numeric', false],
      ['name', 'text', false],
    ],
  );
  const [, found] = describeScan(data, scan, chooseColumns(scan, { name: 'a.csv' }));
  assert.match(found, /price \(2 levels, with decimal commas: write points to make them numbers\), size \(numbers\)/);
});

test('a file may have a hundred thousand columns, and the notes list some of them', { timeout: 60000 }, async (t) => {
  const names = Array.from({ length: 100000 }, (_, i) => `c${i}`);
  const row = names.map((_, i) => i % 7).join(',');
  const folder = folderFor(t, { 'wide.csv': `${names.join(',')}\n${row}\n${row}\n` });
  const data = await openData(join(folder, 'wide.csv'));
  const scan = await scanTypes(data, []);
  const chosen = chooseColumns(scan, { name: 'wide.csv', drop: ['c0'] });
  assert.equal(chosen.used.length, 99999);
  const [, found] = describeScan(data, scan, chosen);
  assert.match(found, /c40 \(numbers\) and 99,959 more$/);
  writeFileSync(join(folder, 'twice.csv'), `${names.join(',')},c7\n${row},1\n`);
  await assert.rejects(openData(join(folder, 'twice.csv')), /has two columns named "c7"; rename one/);
});
