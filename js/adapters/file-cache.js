// A cache of answers in a file that is only appended to.
import { show } from '../core/errors.js';

/** The first line of the file. */
const HEADER = '["linex answers",1]';

/**
 * Keeps answers in a file, for Node, Deno and Bun. Each line has a key and its answer, and lines are only appended. If a process is
 * killed while it writes, the broken line is skipped. Several processes may use one file.
 *
 * @param {string | URL} path
 * @returns {import('./answer-keys.js').AnswerCache}
 * @throws {TypeError} if there is no path
 */
export function fileCache(path) {
  if (!(path instanceof URL) && (typeof path !== 'string' || path === ''))
    throw new TypeError(`fileCache takes the path of a file, not ${show(path)}`);
  /** @type {Map<string, readonly number[]>} */
  const answers = new Map();
  /** How many bytes were read, up to the end of a line. */
  let read = 0;
  /** What comes before the next lines: a new line, because the last one may be broken, or the header. */
  let start = [HEADER];
  let turn = Promise.resolve();
  /** Runs one job after the other, so that no line is read twice. @template T @param {() => Promise<T>} job */
  const inTurn = (job) => {
    const done = turn.then(job);
    turn = done.then(
      () => {},
      () => {},
    );
    return done;
  };
  /** Reads what was written since, by this process or by another one. */
  const readOn = async () => {
    const fs = await fileSystem();
    const file = await fs.open(path, 'r').catch((/** @type {any} */ error) => {
      if (error?.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return;
    try {
      const { size } = await file.stat();
      if (size <= read) return;
      const bytes = new Uint8Array(size - read);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, read);
      const fresh = bytes.subarray(0, bytesRead);
      if (read === 0) start = hasHeader(fresh, path) ? [''] : ['', HEADER];
      const end = fresh.lastIndexOf(10) + 1;
      for (const line of new TextDecoder().decode(fresh.subarray(0, end)).split('\n')) keep(line, answers);
      read += end;
    } finally {
      await file.close();
    }
  };
  return {
    get: (keys) =>
      inTurn(async () => {
        await readOn();
        return keys.map((key) => answers.get(key));
      }),
    set: (entries) =>
      inTurn(async () => {
        // A file of someone else is not appended to.
        await readOn();
        const fs = await fileSystem();
        const lines = [...start, ...entries.map((entry) => JSON.stringify(entry)), ''];
        await fs.appendFile(path, lines.join('\n'));
        for (const [key, answer] of entries) answers.set(key, answer);
      }),
  };
}

/**
 * Whether a file begins with the header. A process that was killed while it wrote the header leaves a part of it, and the next one
 * writes it again.
 *
 * @param {Uint8Array} bytes
 * @param {string | URL} path
 * @throws {Error} if it is a file of someone else
 */
function hasHeader(bytes, path) {
  const [first, second] = new TextDecoder().decode(bytes.subarray(0, 2 * HEADER.length + 2)).split('\n');
  const isPart = HEADER.startsWith(first);
  if (first === HEADER || (isPart && second === HEADER)) return true;
  if (isPart && second === undefined) return false;
  throw new Error(`${path} is not a file of answers, so nothing is written to it`);
}

/** Keeps the answer of a line. A broken line is no JSON. @param {string} line @param {Map<string, readonly number[]>} answers */
function keep(line, answers) {
  if (line === '') return;
  try {
    const [key, answer] = JSON.parse(line);
    if (typeof key === 'string' && Array.isArray(answer) && answer.every(Number.isFinite)) answers.set(key, answer);
  } catch {
    // A process was killed while it wrote this line.
  }
}

/** @returns {Promise<any>} */
function fileSystem() {
  // Not a literal, so that bundlers for the browser leave it alone.
  const module = 'node:fs/promises';
  return import(/* webpackIgnore: true */ /* @vite-ignore */ module);
}
