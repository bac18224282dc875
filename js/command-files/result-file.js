// A file of explanations as JSON lines: written as they come, and continued after an interruption.
import { Buffer } from 'node:buffer';
import { open, stat } from 'node:fs/promises';
import { show } from '../core/errors.js';
import { CommandFailure } from './command-failure.js';
import { lockFile } from './file-lock.js';

/**
 * The first line of a file of explanations.
 *
 * @typedef {object} Header
 * @property {'linex-file/1'} schema
 * @property {string} linex  the version that wrote it
 * @property {'row' | 'text' | 'image'} kind
 * @property {Record<string, unknown>} options  those that change the explanations
 * @property {number} seed
 * @property {readonly string[]} [columns]  what the model gets
 * @property {Source} model
 * @property {Source} data  what is explained
 * @property {Source} table  where the statistics come from
 * @property {string} rows  which rows are explained
 */

/**
 * @typedef {{ name: string, sha256: string }} Source  a file, and the fingerprint of its bytes
 */

/**
 * A further line: what became of one row.
 *
 * @typedef {{ row: number, explanation?: any, error?: { name: string, code?: string, message: string } }} ResultLine
 */

export const FILE_SCHEMA = /** @type {const} */ ('linex-file/1');

/** Lines are written together: at this many characters, or after this many milliseconds. */
const [PIECE, PAUSE] = [1 << 16, 200];
/** How often the system must put the file on the disk, in milliseconds. */
const SYNC = 1000;

/**
 * The line of a row. Times are left out, so that the same seed gives the same bytes.
 *
 * @param {number} row
 * @param {any} explained  the explanation, or an error
 * @returns {string}
 */
export function lineOfRow(row, explained) {
  if (!(explained instanceof Error))
    return JSON.stringify({ row, explanation: { ...explained, milliseconds: undefined } });
  // The pool counts the rows that it gets, from 0; the file says which row it is.
  const message = explained.message.replace(/^row \d+: /, '');
  const { name, code } = /** @type {Error & { code?: string }} */ (explained);
  return JSON.stringify({ row, error: { name, code, message } });
}

/**
 * Reads the lines of a file. A last line without an end is passed over, because it may be torn.
 *
 * @param {string} path
 * @returns {AsyncGenerator<{ text: string, end: number }>}  end: where the line ends in the file, in bytes
 */
export async function* linesOf(path) {
  const file = await open(path, 'r');
  try {
    let [rest, end] = [Buffer.alloc(0), 0];
    for await (const bytes of file.createReadStream({ highWaterMark: 1 << 18, autoClose: false })) {
      let piece = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10)) {
        end += at + 1;
        yield { text: piece.toString('utf8', 0, at), end };
        piece = piece.subarray(at + 1);
      }
      rest = piece;
    }
  } finally {
    await file.close();
  }
}

/**
 * Parses a line.
 *
 * @param {string} text
 * @returns {any}  undefined if it is no object
 */
export function parseLine(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a line tells what became of a row. @param {any} line @returns {line is ResultLine} */
export const isResultLine = (line) =>
  Number.isSafeInteger(line?.row) && (typeof line.explanation === 'object' || typeof line.error?.message === 'string');

/**
 * Refuses to continue a file that was made from something else, and says from what.
 *
 * @param {any} found  the header in the file
 * @param {Header} wanted
 * @param {string} path
 * @throws {CommandFailure}
 */
function compareHeaders(found, wanted, path) {
  if (found?.schema !== FILE_SCHEMA)
    throw new CommandFailure(`${path} is not a file of explanations; choose another --out, or add --overwrite`);
  const advice = 'choose another --out, or add --overwrite';
  for (const what of /** @type {const} */ (['model', 'data', 'table']))
    if (found[what]?.sha256 !== wanted[what].sha256)
      throw new CommandFailure(
        `${path} was made with another ${what}: ${found[what]?.name} had the fingerprint ${short(found[what])}, ` +
          `${wanted[what].name} has ${short(wanted[what])}; ${advice}`,
      );
  /** @param {string} what @param {unknown} before @param {unknown} now */
  const compare = (what, before, now) => {
    if (JSON.stringify(before) !== JSON.stringify(now))
      throw new CommandFailure(`${path} was made with ${what} ${say(before)}, not ${say(now)}; ${advice}`);
  };
  compare('linex', found.linex, wanted.linex);
  compare('the columns', found.columns, wanted.columns);
  compare('--rows', found.rows, wanted.rows);
  for (const name of new Set([...Object.keys(found.options ?? {}), ...Object.keys(wanted.options)]))
    compare(`--${name}`, found.options?.[name], wanted.options[name]);
}

/** @param {Source | undefined} source */
const short = (source) => String(source?.sha256).slice(0, 12);
/** @param {unknown} value */
const say = (value) => (value === undefined ? 'none' : typeof value === 'object' ? JSON.stringify(value) : show(value));

/** A file of explanations that is being written. */
export class ResultFile {
  #handle;
  #unlock;
  #lines = /** @type {string[]} */ ([]);
  #length = 0;
  #writtenAt = performance.now();
  #syncedAt = performance.now();
  /** How many rows it has, and how many of them failed. */
  done = 0;
  failed = 0;

  /**
   * @internal
   * @param {import('node:fs/promises').FileHandle} handle
   * @param {() => Promise<void>} unlock
   */
  constructor(handle, unlock) {
    this.#handle = handle;
    this.#unlock = unlock;
  }

  /**
   * Opens a file, and finds out what it has already. A torn end is cut off.
   *
   * @param {string} path
   * @param {Header} header
   * @param {{ overwrite?: boolean, rowAt: (place: number) => number | undefined }} options  rowAt: which row has to stand at a
   *   place, from 0
   * @returns {Promise<ResultFile>}
   * @throws {CommandFailure} if it was made from something else, or if another process writes it
   */
  static async open(path, header, options) {
    const unlock = await lockFile(path);
    try {
      return await ResultFile.#open(path, header, options, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /**
   * @param {string} path
   * @param {Header} header
   * @param {{ overwrite?: boolean, rowAt: (place: number) => number | undefined }} options
   * @param {() => Promise<void>} unlock
   */
  static async #open(path, header, { overwrite = false, rowAt }, unlock) {
    const size = overwrite
      ? 0
      : await stat(path).then(
          (found) => found.size,
          () => 0,
        );
    let [good, done, failed] = [0, 0, 0];
    let first = true;
    if (size > 0)
      for await (const { text, end } of linesOf(path)) {
        const line = parseLine(text);
        if (first) compareHeaders(line, header, path);
        else if (!isResultLine(line) || line.row !== rowAt(done)) break;
        else {
          done++;
          if (line.error) failed++;
        }
        [first, good] = [false, end];
      }
    // A file that ends within its first line may be a torn one of ours, or anything else.
    if (size > 0 && first && !(await isTornHeader(path)))
      throw new CommandFailure(`${path} is not a file of explanations; choose another --out, or add --overwrite`);
    const handle = await open(path, size > 0 ? 'r+' : 'w');
    await handle.truncate(good);
    const file = new ResultFile(handle, unlock);
    Object.assign(file, { done, failed });
    file.#position = good;
    if (good === 0) await file.append(JSON.stringify(header));
    return file;
  }

  #position = 0;

  /**
   * Adds a line.
   *
   * @param {string} line
   * @returns {Promise<void>}  resolved when the line is written, or waits to be written with others
   */
  async append(line) {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= PIECE || performance.now() - this.#writtenAt >= PAUSE) await this.flush();
  }

  /** Writes what waits. */
  async flush() {
    if (this.#lines.length > 0) {
      const bytes = Buffer.from(`${this.#lines.join('\n')}\n`);
      [this.#lines, this.#length] = [[], 0];
      // A disk that is almost full takes a part of them.
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, this.#position);
        at += bytesWritten;
        this.#position += bytesWritten;
      }
    }
    this.#writtenAt = performance.now();
    if (this.#writtenAt - this.#syncedAt < SYNC) return;
    await this.#handle.datasync();
    this.#syncedAt = performance.now();
  }

  /** Writes what waits, and closes the file. */
  async close() {
    try {
      await this.flush();
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
      await this.#unlock();
    }
  }
}

/** Whether a file without a whole line begins like a header of ours. @param {string} path */
async function isTornHeader(path) {
  const handle = await open(path, 'r');
  try {
    const start = Buffer.from(`{"schema":"${FILE_SCHEMA}"`);
    const found = Buffer.alloc(start.length);
    const { bytesRead } = await handle.read(found, 0, start.length, 0);
    return found.subarray(0, bytesRead).equals(start.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
