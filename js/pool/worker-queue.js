// The queue of rows that one call has sent to one worker of a pool.
import { freeze } from '../core/freeze.js';
import { unpackError } from './pool-errors.js';

/**
 * A row, and the promise callbacks for its explanation.
 *
 * @typedef {object} PendingRow
 * @property {number} index
 * @property {unknown} row
 * @property {(explanation: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/**
 * A worker that computes reads its messages once per frame. It should have rows for this many milliseconds, but never more
 * than MAX_ROWS_AHEAD.
 */
const AHEAD_MILLISECONDS = 32;
export const MAX_ROWS_AHEAD = 64;

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
  #worker;
  #callId;
  #settings;
  /** Sent and not yet answered. @type {PendingRow[]} */
  #sent = [];
  #answered = 0;
  /** Milliseconds per row; infinite until the first answer. */
  #pace = Infinity;
  #since = 0;

  /**
   * @param {import('./worker-handle.js').WorkerHandle} worker
   * @param {number} callId
   * @param {object} settings
   * @param {number} settings.concurrency
   * @param {() => void} settings.onFree  called when the worker can take more rows
   * @param {(error: unknown) => void} settings.onFailure  called when a row has failed, so that later rows are not asked about
   * @param {(progress: import('../explain/plan.js').Progress) => void} [settings.onProgress]
   */
  constructor(worker, callId, settings) {
    this.#worker = worker;
    this.#callId = callId;
    this.#settings = settings;
    const on = {
      explained: (/** @type {any} */ { explanations }) => this.#settle(explanations),
      progress: (/** @type {any} */ { progress }) => this.#report(progress),
      failed: (/** @type {any} */ { error, inRow }) => this.#fail(unpackError(error, inRow ? `row ${this.row}: ` : '')),
    };
    worker.listen(callId, (message) => on[/** @type {keyof typeof on} */ (message.type)]?.(message));
  }

  /** How many more rows the worker should get now; may be negative. @returns {number} */
  get free() {
    const ahead = 1 + Math.min(MAX_ROWS_AHEAD, Math.floor(AHEAD_MILLISECONDS / this.#pace));
    return this.#settings.concurrency + ahead - this.#sent.length;
  }

  /** The index of the row that the worker is explaining. @returns {number | undefined} */
  get row() {
    return this.#sent[0]?.index;
  }

  /** @param {PendingRow} pending */
  send(pending) {
    const { row, index } = pending;
    try {
      this.#worker.post({ type: 'row', callId: this.#callId, row: isArrayLike(row) ? Array.from(row) : row });
    } catch (cause) {
      const why = /** @type {Error} */ (cause).message;
      const error = new TypeError(`row ${index}: could not send the row to a worker: ${why}`, { cause });
      pending.reject(error);
      this.#settings.onFailure(error);
      return;
    }
    if (this.#sent.length === 0) this.#since = performance.now();
    this.#sent.push(pending);
    this.#worker.expect(1);
  }

  /** @param {any[]} explanations */
  #settle(explanations) {
    const now = performance.now();
    this.#pace = (now - this.#since) / explanations.length;
    this.#since = now;
    this.#answered += explanations.length;
    const settled = this.#sent.splice(0, explanations.length);
    this.#worker.expect(-settled.length);
    // With several targets, each row has an array of explanations, as in `explainRows` without a pool.
    settled.forEach(({ resolve }, i) => {
      const explanation = explanations[i];
      resolve(Array.isArray(explanation) ? explanation.map(freeze) : freeze(explanation));
    });
    this.#settings.onFree();
  }

  /**
   * @param {{ row: number } & Omit<import('../explain/plan.js').Progress, 'partial'>} progress  row: counted by the worker, from 0
   */
  #report(progress) {
    const { index } = this.#sent[progress.row - this.#answered];
    try {
      this.#settings.onProgress?.({ ...progress, row: index, partial: null });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#settings.onFailure(error);
    for (const { reject } of this.#sent) reject(error);
    this.stop();
  }

  /** Stops the call in this worker, without waiting for rows that it is explaining. */
  stop() {
    this.#worker.listen(this.#callId, undefined);
    this.#worker.expect(-this.#sent.splice(0).length);
    this.#worker.post({ type: 'stop', callId: this.#callId });
  }
}
