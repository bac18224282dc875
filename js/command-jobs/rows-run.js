// Explains many rows: feeds a pool, hands on what comes back in order, and stops in time.
import process from 'node:process';
import { CommandFailure, EXIT, isModelError, lineOf } from '../command-files/command-failure.js';

/**
 * @typedef {object} NumberedRow
 * @property {number} row  its number in the file, from 1
 * @property {unknown[]} values
 */

/** Rows that are under way should take about this many milliseconds, so that an interruption is quick. */
const UNDER_WAY = 250;

/**
 * Lets the rows of a source through, but not more than the model can answer in a moment.
 */
export class RowFeed {
  #source;
  #least;
  #room;
  #stopped = false;
  #wake = () => {};
  /** The numbers of the rows that are under way. @type {number[]} */
  #pending = [];
  #mark = { at: performance.now(), count: 0 };
  #count = 0;

  /**
   * @param {AsyncIterable<NumberedRow>} source
   * @param {number} least  rows that should always be under way
   */
  constructor(source, least) {
    this.#source = source;
    this.#least = least;
    this.#room = least;
  }

  /** Lets no more rows through. */
  stop() {
    this.#stopped = true;
    this.#wake();
  }

  get stopped() {
    return this.#stopped;
  }

  /** @returns {AsyncGenerator<unknown[]>} */
  async *rows() {
    for await (const { row, values } of this.#source) {
      while (this.#pending.length >= this.#room && !this.#stopped)
        await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
      if (this.#stopped) return;
      this.#pending.push(row);
      yield values;
    }
  }

  /** Says that the first row that is under way has come back. @returns {number}  its number in the file */
  arrive() {
    this.#count++;
    const now = performance.now();
    const passed = now - this.#mark.at;
    if (passed >= UNDER_WAY / 5) {
      this.#room = Math.max(this.#least, Math.ceil(((this.#count - this.#mark.count) / passed) * UNDER_WAY));
      this.#mark = { at: now, count: this.#count };
    }
    this.#wake();
    return /** @type {number} */ (this.#pending.shift());
  }
}

/** Ends the process at Ctrl-C with the usual exit code, unless something else listens. */
export function endOnInterrupt() {
  const signals = /** @type {const} */ ([
    ['SIGINT', EXIT.interrupted],
    ['SIGTERM', EXIT.terminated],
  ]);
  for (const [signal, code] of signals)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
}

/**
 * Calls a function at the first Ctrl-C, and ends the process at the second.
 *
 * @param {(code: number) => void} onStop  gets the exit code
 * @returns {() => void}  stops listening
 */
export function onInterrupt(onStop) {
  let again = false;
  const listen = (/** @type {number} */ code) => () => {
    if (again) process.exit(code);
    again = true;
    onStop(code);
  };
  const [interrupt, terminate] = [listen(EXIT.interrupted), listen(EXIT.terminated)];
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', terminate);
  return () => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', terminate);
  };
}

/**
 * Explains rows and hands on each result in order.
 *
 * @param {AsyncIterable<NumberedRow>} source
 * @param {object} run
 * @param {(rows: AsyncIterable<unknown[]>) => AsyncIterable<any>} run.explain  yields an explanation or an error per row
 * @param {number} run.atOnce  rows that should always be under way
 * @param {number} run.maxFailures  so many rows in a row that the model fails for end the run; they are not handed on
 * @param {(row: number, explained: any) => Promise<void>} run.onRow  explained: the explanation, or an error
 * @param {() => void} run.onStopping  called at the first Ctrl-C
 * @returns {Promise<number>}  the exit code of an interruption, or 0
 * @throws {CommandFailure} if the model fails again and again
 */
export async function runRows(source, { explain, atOnce, maxFailures, onRow, onStopping }) {
  const feed = new RowFeed(source, atOnce);
  let code = 0;
  const stopListening = onInterrupt((found) => {
    code = found;
    feed.stop();
    onStopping();
  });
  /** Rows that the model failed for, since the last row that it answered. @type {{ row: number, explained: any }[]} */
  let held = [];
  const handOn = async () => {
    for (const { row, explained } of held) await onRow(row, explained);
    held = [];
  };
  try {
    for await (const explained of explain(feed.rows())) {
      const row = feed.arrive();
      held.push({ row, explained });
      if (!isModelError(explained)) await handOn();
      else if (held.length >= maxFailures)
        throw new CommandFailure(
          `the model failed for ${maxFailures} rows in a row, the last time at row ${row}: ` +
            `${lineOf(explained).replace(/^row \d+: /, '')}; repair it and run the same command again, or raise --max-failures`,
          EXIT.model,
        );
    }
    // Rows that the model failed for are asked again after an interruption: it may have been interrupted too.
    if (code === 0) await handOn();
  } finally {
    stopListening();
  }
  return code;
}
