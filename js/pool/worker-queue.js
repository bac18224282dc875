// The queue of rows that one call has sent to one worker of a pool.
import { freeze } from '../core/freeze.js';
import { unpackError } from './pool-errors.js';
import { startClock } from './worker-handle.js';

/**
 * A row, and the promise callbacks for its explanation.
 *
 * @typedef {object} PendingRow
 * @property {import('./pool-call.js').PoolCall} call
 * @property {number} index
 * @property {unknown} row
 * @property {number} losses  how many workers were lost that had begun the row
 * @property {boolean} alone  whether its worker must not have other rows, because its last worker was lost
 * @property {(explanation: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/**
 * A worker that computes reads its messages once per frame. It should have rows for this many milliseconds, but never more
 * than MAX_ROWS_AHEAD.
 */
const AHEAD_MILLISECONDS = 32;
export const MAX_ROWS_AHEAD = 64;

let nextId = 0;

/**
 * Tells whether a row can be sent as a plain array. A framework's reactive array cannot be cloned, and cloning a typed array
 * view would copy its whole buffer.
 *
 * @param {unknown} row
 * @returns {row is ArrayLike<unknown>}
 */
const isArrayLike = (row) => typeof row === 'object' && row !== null && 'length' in row;

/** The rows of one call that one worker is working on. The worker answers them in the order in which it received them. */
export class WorkerQueue {
  id = nextId++;
  /** Sent and not yet answered. @type {PendingRow[]} */
  rows = [];
  #worker;
  #call;
  #answered = 0;
  /** Milliseconds per row; infinite until the first answer. */
  #pace = Infinity;
  #since = 0;
  /** The clocks of the batches that the model is asked about, by their number. @type {Map<number, () => void>} */
  #clocks = new Map();

  /**
   * @param {import('./worker-handle.js').WorkerHandle} worker
   * @param {import('./pool-call.js').PoolCall} call
   */
  constructor(worker, call) {
    this.#worker = worker;
    this.#call = call;
    worker.queues.set(this.id, this);
    worker.post({ type: 'start', queue: this.id, ...call.request, progress: call.onProgress !== undefined });
  }

  /** How many more rows the worker should get now; may be negative. @returns {number} */
  get free() {
    const ahead = 1 + Math.min(MAX_ROWS_AHEAD, Math.floor(AHEAD_MILLISECONDS / this.#pace));
    return this.#call.concurrency + ahead - this.rows.length;
  }

  /** The rows that the worker is explaining, or has explained and not yet sent. */
  get begunRows() {
    return this.rows.slice(0, this.#call.concurrency);
  }

  /** @param {PendingRow} pending */
  send(pending) {
    const { row, index } = pending;
    try {
      this.#worker.post({ type: 'row', queue: this.id, row: isArrayLike(row) ? Array.from(row) : row });
    } catch (cause) {
      const { noun } = this.#call;
      const what = `${noun} ${index}: could not send the ${noun} to a worker: ${/** @type {Error} */ (cause).message}`;
      this.#call.failRow(pending, new TypeError(what, { cause }));
      return;
    }
    if (this.rows.length === 0) this.#since = performance.now();
    this.rows.push(pending);
  }

  /** @param {any} message  from the worker */
  receive(message) {
    const on = {
      asking: () => this.#startClock(message.batch),
      answered: () => this.#clocks.get(message.batch)?.(),
      explained: () => this.#settle(message.explanations),
      progress: () => this.#report(message.progress),
      failed: () => this.#fail(message),
    };
    on[/** @type {keyof typeof on} */ (message.type)]?.();
  }

  /**
   * Ends the worker if the model does not answer a batch in time and the worker does not react either. If it reacts, its own
   * clock works, and it reports the failure itself.
   *
   * @param {number} batch
   */
  #startClock(batch) {
    const { timeout } = this.#call.request.options;
    const onEnd = () => this.#worker.blocked(timeout);
    const onGrace = () => this.#worker.post({ type: 'check', queue: this.id, batch });
    const stopClock = startClock(timeout, onEnd, onGrace);
    this.#clocks.set(batch, () => {
      stopClock();
      this.#clocks.delete(batch);
    });
  }

  /** Stops all clocks, when the worker has ended or no longer explains the call. */
  stopClocks() {
    for (const stopClock of this.#clocks.values()) stopClock();
  }

  /** @param {any[]} explanations */
  #settle(explanations) {
    const now = performance.now();
    this.#pace = (now - this.#since) / explanations.length;
    this.#since = now;
    this.#answered += explanations.length;
    // With several targets, each row has an array of explanations, as in `explainRows` without a pool.
    this.rows.splice(0, explanations.length).forEach(({ resolve, index }, i) => {
      const explanation = explanations[i];
      if (explanation.failure) resolve(unpackError(explanation.failure, `${this.#call.noun} ${index}: `));
      else resolve(Array.isArray(explanation) ? explanation.map(freeze) : freeze(explanation));
    });
    this.#call.onChange();
  }

  /**
   * @param {{ row: number } & Omit<import('../explain/plan.js').Progress, 'partial'>} progress  row: counted by the worker, from 0
   */
  async #report(progress) {
    const { index } = this.rows[progress.row - this.#answered];
    try {
      // It may be asynchronous.
      await this.#call.onProgress?.({ ...progress, row: index, partial: null });
    } catch (error) {
      this.#call.fail(error);
    }
  }

  /**
   * The worker has ended the call because the first row failed, or because the call does not fit its neighborhood.
   *
   * @param {{ error: import('./pool-errors.js').PackedError, inRow: boolean }} message
   */
  #fail({ error, inRow }) {
    const index = this.rows[0]?.index;
    this.rows = [];
    this.stop();
    this.#call.leave(this.#worker);
    if (inRow) this.#call.fail(unpackError(error, `${this.#call.noun} ${index}: `), index);
    else this.#call.fail(unpackError(error));
  }

  /** Stops the call in this worker, without waiting for rows that it is explaining. */
  stop() {
    this.stopClocks();
    this.#worker.stop(this);
  }
}
