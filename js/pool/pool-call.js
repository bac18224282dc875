// One call of a pool: its rows that wait for a worker, and what happens to the others if one fails.
import { WorkerQueue } from './worker-queue.js';

/**
 * @typedef {import('./worker-queue.js').PendingRow} PendingRow
 * @typedef {import('./worker-handle.js').WorkerHandle} WorkerHandle
 */

/** One call of `explainRows`, `explainTexts` or `explainImages`. What they explain is called a row here. */
export class PoolCall {
  /** Rows that have been read and have neither an explanation nor an error. @type {Set<PendingRow>} */
  pending = new Set();
  /** The pending rows that no worker has had yet. @type {PendingRow[]} */
  waiting = [];
  /** @type {Map<WorkerHandle, WorkerQueue>} */
  #queues = new Map();
  /** All rows from this index on fail. @type {{ from: number, error: unknown } | undefined} */
  #failure;

  /**
   * @param {import('./join-pool.js').PoolRequest} request  the content of the message that starts the call in a worker
   * @param {((progress: import('../explain/plan.js').Progress) => void) | undefined} onProgress
   * @param {() => void} onChange  called when rows or workers may be free
   */
  constructor(request, onProgress, onChange) {
    this.request = request;
    this.concurrency = request.options.concurrency ?? 1;
    /** What the items are called in error messages: row, text or image. */
    this.noun = request.kind.slice(0, -1);
    this.onProgress = onProgress;
    this.onChange = onChange;
  }

  /**
   * @param {unknown} row
   * @param {number} index
   * @returns {Promise<any>}
   */
  explain(row, index) {
    return new Promise((resolve, reject) => {
      if (this.#failure && index >= this.#failure.from) return reject(this.#failure.error);
      /** @type {<T>(settle: (value: T) => void) => (value: T) => void} */
      const done = (settle) => (value) => {
        this.pending.delete(pending);
        settle(value);
      };
      const state = { losses: 0, alone: false };
      /** @type {PendingRow} */
      const pending = { call: this, index, row, ...state, resolve: done(resolve), reject: done(reject) };
      this.pending.add(pending);
      this.waiting.push(pending);
      return this.onChange();
    });
  }

  /**
   * Gives waiting rows to the workers that are most free.
   *
   * @param {WorkerHandle[]} workers  those that are ready
   */
  send(workers) {
    const free = (/** @type {WorkerHandle} */ worker) => this.#queues.get(worker)?.free ?? this.concurrency + 1;
    while (this.waiting.length > 0 && workers.length > 0) {
      const freest = workers.reduce((best, worker) => (free(worker) > free(best) ? worker : best));
      if (free(freest) <= 0) return;
      this.sendTo(freest, /** @type {PendingRow} */ (this.waiting.shift()));
    }
  }

  /**
   * @param {WorkerHandle} worker
   * @param {PendingRow} row
   */
  sendTo(worker, row) {
    const queue = this.#queues.get(worker) ?? new WorkerQueue(worker, this);
    this.#queues.set(worker, queue);
    queue.send(row);
  }

  /** Forgets the queue at a worker that has ended, or that has ended the call. @param {WorkerHandle} worker */
  leave(worker) {
    this.#queues.delete(worker);
  }

  /**
   * Reports the error of one row. With `errors: 'yield'` the others are not affected.
   *
   * @param {PendingRow} row
   * @param {Error} error
   */
  failRow(row, error) {
    if (this.request.options.errors === 'yield') row.resolve(error);
    else this.fail(error, row.index);
  }

  /**
   * Fails a row and all later ones, whose explanations would never be returned. Earlier rows go on.
   *
   * @param {unknown} error
   * @param {number} [from]  the index of the row; default: all rows
   */
  fail(error, from = 0) {
    if (!this.#failure || from < this.#failure.from) this.#failure = { from, error };
    this.waiting = this.waiting.filter(({ index }) => index < from);
    for (const row of this.pending) if (row.index >= from) row.reject(error);
    this.onChange();
  }

  /** Stops the call in all workers. */
  stop() {
    this.fail(undefined);
    for (const queue of this.#queues.values()) queue.stop();
  }
}
