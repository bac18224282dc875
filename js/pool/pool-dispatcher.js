// Keeps the workers of a pool at work: gives them the rows of all calls, and replaces workers that are lost.
import { LinexError } from '../core/errors.js';
import { PoolCall } from './pool-call.js';
import { WorkerHandle } from './worker-handle.js';

/**
 * @typedef {import('./worker-queue.js').PendingRow} PendingRow
 * @typedef {import('./worker-handle.js').Loss} Loss
 */

/**
 * A worker may be lost because of any row that it has. All of them are sent again, each alone in its worker, so that another
 * loss has only one possible reason. A row fails if it had begun when a worker was lost, for the second time. A worker
 * that cannot be opened is not replaced before the next call. So there is no endless loop of restarts.
 */
const MAX_LOSSES = 2;

/** Gives rows to workers. */
export class Dispatcher {
  #start;
  #settings;
  /** One for each place in the pool; ended ones are replaced when rows wait. @type {WorkerHandle[]} */
  #workers = [];
  /** @type {Set<PoolCall>} */
  #calls = new Set();
  /** Rows whose worker was lost. They are sent before all others. @type {PendingRow[]} */
  #lost = [];
  /** Whether `open` is waiting. */
  #opening = true;
  /** Whether Node must stay alive for the workers. */
  #busy = true;

  /**
   * @param {() => import('./worker-handle.js').AnyWorker | Promise<import('./worker-handle.js').AnyWorker>} start
   * @param {{ content: { wasm?: object, url?: string }, openTimeout: number }} settings
   */
  constructor(start, settings) {
    this.#start = start;
    this.#settings = settings;
  }

  /** The number of workers. */
  get size() {
    return this.#workers.length;
  }

  /**
   * Starts the workers, and waits until all have their model.
   *
   * @param {number} count
   * @returns {Promise<void>}
   * @throws the error of the first worker that cannot be opened; all others are then ended
   */
  async open(count) {
    for (let place = 0; place < count; place++) this.#open(place);
    try {
      await Promise.all(this.#workers.map(({ opened }) => opened));
    } catch (error) {
      await this.end();
      throw error;
    }
    this.#opening = false;
    this.#dispatch();
  }

  /** Starts a worker, in the place of one that has ended. @param {number} place */
  #open(place) {
    const worker = new WorkerHandle(this.#start, {
      ...this.#settings,
      before: this.#workers[place]?.end(),
      onChange: (loss) => (loss ? this.#recover(worker, loss) : this.#dispatch()),
    });
    worker.hold(this.#busy);
    this.#workers[place] = worker;
    const onOpened = () => this.#dispatch();
    worker.opened.then(onOpened, onOpened);
  }

  /**
   * @param {import('./join-pool.js').PoolRequest} request
   * @param {((progress: import('../explain/plan.js').Progress) => void) | undefined} onProgress
   */
  begin(request, onProgress) {
    for (const worker of this.#workers) worker.failure = undefined;
    const call = new PoolCall(request, onProgress, () => this.#dispatch());
    this.#calls.add(call);
    return call;
  }

  /** @param {PoolCall} call */
  finish(call) {
    this.#calls.delete(call);
    call.stop();
  }

  #dispatch() {
    this.#lost = this.#lost.filter((row) => row.call.pending.has(row));
    const ready = this.#workers.filter(({ state }) => state === 'ready');
    while (this.#lost.length > 0) {
      const idle = ready.find(({ rows }) => rows.length === 0);
      if (!idle) break;
      const row = /** @type {PendingRow} */ (this.#lost.shift());
      row.call.sendTo(idle, row);
    }
    // As long as a row waits for an idle worker, no worker gets other rows.
    const open = ready.filter(({ rows }) => !rows[0]?.alone);
    if (this.#lost.length === 0) for (const call of this.#calls) call.send(open);
    const calls = [...this.#calls];
    if (this.#lost.length > 0 || calls.some(({ waiting }) => waiting.length > 0)) this.#replace();
    this.#hold(this.#opening || calls.some(({ pending }) => pending.size > 0));
  }

  /** Replaces workers that have ended, because rows wait. */
  #replace() {
    this.#workers.forEach(({ state, failure }, place) => {
      if (state === 'ended' && !failure) this.#open(place);
    });
    const [{ failure }] = this.#workers;
    if (failure && this.#workers.every((worker) => worker.failure))
      for (const call of this.#calls) call.fail(failure.error);
  }

  /**
   * @param {WorkerHandle} worker
   * @param {Loss} loss
   */
  #recover(worker, { code, why, cause, innocent }) {
    for (const row of worker.begunRows) if (!innocent) row.losses++;
    for (const row of worker.rows) {
      row.alone = true;
      if (row.losses < MAX_LOSSES) this.#lost.push(row);
      else {
        const message = `${row.call.noun} ${row.index}: its worker was lost twice: ${why}`;
        row.call.failRow(row, new LinexError(code, message, { cause }));
      }
    }
    for (const call of this.#calls) call.leave(worker);
    this.#dispatch();
  }

  /** @param {boolean} busy */
  #hold(busy) {
    if (busy !== this.#busy) for (const worker of this.#workers) worker.hold(busy);
    this.#busy = busy;
  }

  /** Ends all workers, even if they are busy. @returns {Promise<void>}  resolved when they have ended */
  async end() {
    this.#calls.clear();
    this.#lost = [];
    await Promise.all(this.#workers.map((worker) => worker.end()));
  }
}
