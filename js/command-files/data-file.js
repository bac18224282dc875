// Opens a file of rows, whatever its format, and reads it in batches.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { messageOf, show } from '../core/errors.js';
import { openArrow, openParquet } from './column-files.js';
import { CommandFailure } from './command-failure.js';
import { CSVReader } from './csv-lines.js';

/**
 * A file of rows.
 *
 * @typedef {object} DataFile
 * @property {string} name  as the user wrote it, or `standard input`
 * @property {Format} format
 * @property {readonly string[]} columns  their names. Those of JSON lines may grow while the file is read
 * @property {() => AsyncGenerator<unknown[][]>} batches  the rows, from the first; cells are strings in CSV. A row may be shorter
 *   than the columns: what is not there is missing
 * @property {() => Promise<string>} fingerprint  the SHA-256 of its bytes, as hexadecimal digits
 */

/** @typedef {'csv' | 'jsonl' | 'parquet' | 'arrow'} Format */

/** @type {Record<string, Format>} */
const FORMATS = {
  ...{ csv: 'csv', tsv: 'csv', txt: 'csv', jsonl: 'jsonl', ndjson: 'jsonl', json: 'jsonl' },
  ...{ parquet: 'parquet', arrow: 'arrow', feather: 'arrow', ipc: 'arrow' },
};

export const FORMAT_NAMES = /** @type {const} */ (['csv', 'jsonl', 'parquet', 'arrow']);

/**
 * Opens a file of rows.
 *
 * @param {string} given  its path, or `-` for standard input
 * @param {Format} [format]  default: by the ending of its name; CSV on standard input
 * @returns {Promise<DataFile>}
 * @throws {CommandFailure}
 */
export async function openData(given, format) {
  const name = given === '-' ? 'standard input' : given;
  const path = given === '-' ? await storeInput() : given;
  if (given !== '-' && !statSync(path).isFile()) throw new CommandFailure(`${name} is not a file`);
  const ending = given.toLowerCase().match(/\.(\w+)(\.gz)?$/)?.[1] ?? '';
  const kind = format ?? (given === '-' ? 'csv' : FORMATS[ending]);
  if (!kind)
    throw new CommandFailure(`could not tell the format of ${name}; say it with --format ${FORMAT_NAMES.join('|')}`);
  const fingerprint = () => hashFile(path);
  const openKind = { csv: openCSV, jsonl: openJSONLines, parquet: openParquet, arrow: openArrow }[kind];
  const { columns, batches } = await openKind(path, name);
  checkColumns(columns, name);
  return { name, format: kind, columns, batches, fingerprint };
}

/**
 * Stores standard input in a file, because it is read more than once.
 *
 * @returns {Promise<string>}  its path; the file is removed when the command ends
 */
async function storeInput() {
  if (process.stdin.isTTY) throw new CommandFailure('there is nothing on standard input; pipe the data into linex');
  const path = join(tmpdir(), `linex-${randomUUID()}`);
  process.on('exit', () => rmSync(path, { force: true }));
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
  return path;
}

/**
 * The SHA-256 of a file.
 *
 * @param {string | URL} path
 * @returns {Promise<string>}
 */
export async function hashFile(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** @param {readonly string[]} columns @param {string} name */
function checkColumns(columns, name) {
  const seen = new Set();
  const twice = columns.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined) throw new CommandFailure(`${name} has two columns named ${show(twice)}; rename one`);
}

/** The first bytes of a file that gzip has made. */
const GZIP = [0x1f, 0x8b];

/**
 * Reads the bytes of a file, and unpacks them if gzip has made it.
 *
 * @param {string} path
 * @param {string} name
 * @returns {AsyncGenerator<Buffer>}
 */
async function* bytesOf(path, name) {
  const handle = await open(path, 'r');
  const { buffer } = await handle.read({ buffer: new Uint8Array(2), position: 0 }).finally(() => handle.close());
  const packed = createReadStream(path, { highWaterMark: 1 << 18 });
  if (!GZIP.every((byte, i) => buffer[i] === byte)) return yield* packed;
  try {
    // The callback is for errors, which the loop below gets too.
    yield* pipe(packed, createGunzip({ chunkSize: 1 << 18 }), () => {});
  } catch (error) {
    throw new CommandFailure(`could not unpack ${name}: ${messageOf(error)}`);
  }
}

/**
 * Reads a file as text, piece by piece.
 *
 * @param {string} path
 * @param {string} name
 * @returns {AsyncGenerator<{ text: string, last: boolean }>}
 */
async function* textOf(path, name) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (/** @type {Buffer | undefined} */ bytes) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new CommandFailure(`${name} is not UTF-8; save it as UTF-8`);
    }
  };
  for await (const bytes of bytesOf(path, name)) yield { text: decode(bytes), last: false };
  yield { text: decode(undefined), last: true };
}

/** @param {string} path @param {string} name */
async function openCSV(path, name) {
  /** @returns {AsyncGenerator<{ rows: string[][], reader: CSVReader }>} */
  async function* read() {
    const reader = new CSVReader(name);
    for await (const { text, last } of textOf(path, name)) yield { rows: reader.read(text, last), reader };
  }
  /** @type {string[] | undefined} */
  let columns;
  for await (const { rows } of read())
    if (rows.length > 0) {
      columns = rows[0].map((cell, c) => cell.trim() || `column ${c + 1}`);
      break;
    }
  if (!columns) throw new CommandFailure(`${name} is empty; its first line must name the columns`);
  const { length } = columns;
  return {
    columns,
    async *batches() {
      let count = 0;
      for await (const { rows } of read()) {
        const batch = count === 0 ? rows.slice(1) : rows;
        const wrong = batch.findIndex((cells) => cells.length !== length);
        if (wrong >= 0) {
          const row = Math.max(0, count - 1) + wrong + 1;
          const found = batch[wrong].length;
          throw new CommandFailure(`${name}, row ${row}: expected ${length} cells like the header, got ${found}`);
        }
        count += rows.length;
        if (batch.length > 0) yield batch;
      }
    },
  };
}

/** @param {string} path @param {string} name */
async function openJSONLines(path, name) {
  /** @type {string[]} */
  const columns = [];
  const places = new Map();
  const cellsOf = (/** @type {any} */ record, /** @type {number} */ row) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      throw new CommandFailure(`${name}, row ${row}: expected an object such as {"age": 41}, not ${show(record)}`);
    for (const key of Object.keys(record))
      if (!places.has(key)) {
        places.set(key, columns.length);
        columns.push(key);
      }
    return columns.map((column) => (Object.hasOwn(record, column) ? record[column] : undefined));
  };
  async function* batches() {
    let row = 0;
    for await (const records of recordsOf(path, name)) yield records.map((record) => cellsOf(record, ++row));
  }
  // The first batch gives the columns to begin with.
  await batches().next();
  return { columns, batches };
}

/**
 * The objects of a file of JSON lines, or of one JSON array.
 *
 * @param {string} path
 * @param {string} name
 * @returns {AsyncGenerator<unknown[]>}
 */
async function* recordsOf(path, name) {
  let [rest, line, isArray, whole] = ['', 0, /** @type {boolean | undefined} */ (undefined), ''];
  for await (const { text, last } of textOf(path, name)) {
    if (isArray === undefined && (rest + text).trim() !== '') isArray = /^\uFEFF?\s*\[/.test(rest + text);
    if (isArray) {
      whole += rest + text;
      rest = '';
      continue;
    }
    const lines = (rest + text).split('\n');
    rest = last ? '' : /** @type {string} */ (lines.pop());
    const records = lines.flatMap((one) => {
      line++;
      return one.trim() === '' ? [] : [parseJSON(one.replace(/^\uFEFF/, ''), `${name}, line ${line}`)];
    });
    if (records.length > 0) yield records;
  }
  if (isArray) yield /** @type {unknown[]} */ (parseJSON(whole.replace(/^\uFEFF/, ''), name));
}

/** @param {string} text @param {string} at */
function parseJSON(text, at) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${at}: not JSON: ${/** @type {Error} */ (error).message}`);
  }
}
