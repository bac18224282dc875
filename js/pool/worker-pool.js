// A pool of workers that explains many rows on all cores of one machine.
import { checkCount, checkNames } from '../core/check-options.js';
import { LinexError, show } from '../core/errors.js';
import { mapInOrder } from '../core/event-loop.js';
import { coreWasm, dataWasm, shapleyWasm } from '../core/load.js';
import { explainRows, iteratorOf } from '../explain/explain-row.js';
import { countCores, startWorker, WorkerHandle } from './worker-handle.js';
import { MAX_ROWS_AHEAD, WorkerQueue } from './worker-queue.js';

/**
 * @typedef {import('./worker-queue.js').PendingRow} PendingRow
 * @typedef {import('./worker-handle.js').AnyWorker} AnyWorker
 * @typedef {import('./join-pool.js').Modules} Modules
 * @typedef {import('./join-pool.js').PoolModel} PoolModel
 */

/**
 * The options of `explainRows`, except your own `neighborhood`: its functions cannot be sent to a worker, so the
 * model's module exports it. `concurrency` counts per worker. `partial` is null in `onProgress`.
 *
 * @typedef {Omit<import('../explain/explain-row.js').RowOptions, 'neighborhood'> & { neighborhood?: 'random' }} PoolRowOptions
 */

/**
 * Starts workers that explain rows. Each worker has its own copy of the model.
 *
 * @param {string | URL | (() => AnyWorker)} model  the URL of a module that exports `predict`, and `neighborhood` if you use
 *   your own; or a function that starts a worker whose script calls `joinPool` from `linex/pool-worker`, so that a bundler
 *   sees the model
 * @param {{ workers?: number }} [options]  workers: their number, from 1 to 1024; default: one per core
 * @returns {Promise<Pool>}  resolved when every worker has its model
 * @throws {TypeError | RangeError} for a bad call, before a worker is started; `TypeError` if the module has no `predict`
 * @throws {LinexError} `'load'` if the model's module cannot be imported, `'worker'` if a worker cannot be started; all
 *   started workers are then ended
 */
export async function openPool(model, options = {}) {
  const { workers } = checkNames(options, ['workers'], 'openPool');
  const start = typeof model === 'function' ? () => callStarter(model) : startWorker;
  const url = typeof model === 'function' ? undefined : resolveURL(model);
  const count = workers === undefined ? await countCores() : checkCount(workers, 'workers', 1, 1024);
  await coreWasm.ready();
  /** @type {WorkerHandle[]} */
  const handles = [];
  try {
    for (let i = 0; i < count; i++) handles.push(new WorkerHandle(checkWorker(await start())));
    await Promise.all(handles.map((handle) => handle.open({ wasm: coreWasm.module, url })));
  } catch (error) {
    await Promise.all(handles.map((handle) => handle.terminate()));
    throw error;
  }
  return new Pool(handles);
}

/**
 * Returns the optional modules that are already compiled here, so that workers do not fetch and compile them again.
 *
 * @param {boolean} shapley  whether the call needs Shapley values
 * @returns {Promise<Modules>}
 */
async function optionalModules(shapley) {
  if (shapley) await shapleyWasm.ready();
  return { data: dataWasm.module, shapley: shapleyWasm.module };
}

/** What `openPool` expects, for its error messages. */
const EXPECTED = "openPool expects the URL of the model's module or a function that starts a worker";

/** @param {unknown} model */
function resolveURL(model) {
  const here = /** @type {any} */ (globalThis);
  if (model instanceof URL || (typeof model === 'string' && model !== ''))
    return new URL(model, here.location?.href ?? `file://${here.process?.cwd()}/`).href;
  throw new TypeError(`${EXPECTED}, not ${show(model)}`);
}

/**
 * Calls the function that starts a worker. If the caller passed the model itself by mistake, it usually throws here.
 *
 * @param {() => AnyWorker | Promise<AnyWorker>} start
 */
async function callStarter(start) {
  try {
    return await start();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : show(cause);
    throw new TypeError(`${EXPECTED}; the given function failed: ${why}`, { cause });
  }
}

/**
 * @param {any} worker
 * @returns {AnyWorker}
 */
function checkWorker(worker) {
  if (typeof worker?.postMessage === 'function' && typeof worker.terminate === 'function') return worker;
  throw new TypeError(`openPool expects a function that returns a worker; it returned ${show(worker)}`);
}

/** A group of workers that explain rows, from `openPool`. */
export class Pool {
  #handles;
  #nextCallId = 0;
  /** The running calls, each with its abort controller. @type {Map<PoolCall, AbortController>} */
  #calls = new Map();
  /** @type {LinexError | undefined} */
  #closed;

  /**
   * @internal
   * @param {WorkerHandle[]} handles
   */
  constructor(handles) {
    this.#handles = handles;
    for (const handle of handles)
      handle.whenStopped((why) => {
        const rows = [...this.#calls.keys()].map((call) => call.rowOf(handle)).filter((row) => row !== undefined);
        const place = rows.length > 0 ? ` at or after row ${rows.join(', ')}` : '';
        this.#end(new LinexError('worker', `a worker of the pool stopped unexpectedly${place}: ${why}`));
      });
  }

  /** The number of workers. */
  get workers() {
    return this.#handles.length;
  }

  /**
   * Explains many rows on all workers. The explanations come in the order of the rows and equal those of `explainRows`,
   * except for `milliseconds`. At most 65 + `concurrency` rows per worker are read ahead, so memory does not grow with the
   * number of rows.
   *
   * @template {PoolRowOptions} O
   * @param {Iterable<ArrayLike<unknown>> | AsyncIterable<ArrayLike<unknown>>} rows
   * @param {O} options
   * @returns {AsyncGenerator<import('../explain/explain-row.js').Explained<O>, void, void>}
   * @throws the errors of `explainRows`, in the order of the rows and with the row in the message; `LinexError` `'worker'` if
   *   a worker stops by itself, which closes the pool, or if the pool is closed
   */
  async *explainRows(rows, options) {
    if (this.#closed) throw this.#closed;
    const { signal, onProgress } = options ?? {};
    const request = await checkCall(options);
    const source = iteratorOf(rows);
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed;
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    const call = new PoolCall(this.#handles, this.#nextCallId++, request, onProgress);
    this.#calls.set(call, stop);
    try {
      const limit = this.workers * (1 + call.concurrency + MAX_ROWS_AHEAD);
      yield* mapInOrder(source, (row, index) => call.explain(row, index), limit, stop.signal);
    } finally {
      // This runs at the end, after a failure, and if the caller stops reading early.
      signal?.removeEventListener('abort', abort);
      this.#calls.delete(call);
      call.stop();
    }
  }

  /**
   * Ends all workers, even if they are busy. Running calls fail.
   *
   * @returns {Promise<void>}  resolved when all workers have ended
   */
  async close() {
    await this.#end(new LinexError('worker', 'the pool is closed'));
  }

  /** @param {LinexError} why */
  async #end(why) {
    this.#closed ??= why;
    for (const stop of this.#calls.values()) stop.abort(why);
    await Promise.all(this.#handles.map((handle) => handle.terminate()));
  }
}

/**
 * Checks a call before any worker gets it. Only what depends on a neighborhood in the workers is checked there.
 *
 * @param {any} options
 * @returns {Promise<{ options: any, modules: Modules }>}  the content of the message that starts the call
 */
async function checkCall(options) {
  if (typeof options?.neighborhood === 'object')
    throw new TypeError(
      "neighborhood contains functions, which cannot be sent to a worker: export it as neighborhood from the model's module",
    );
  // MAPLE needs the neighborhood in the workers, so the rest of such a call is checked as a LIME call.
  const checkable = options?.method === 'maple' ? { ...options, method: 'lime', units: undefined } : options;
  await explainRows([], () => [], checkable).next();
  const modules = await optionalModules(options.method === 'shap');
  const sent = { ...options, table: await options.table, signal: undefined, onProgress: undefined };
  try {
    return { options: structuredClone(sent), modules };
  } catch (cause) {
    const why = /** @type {Error} */ (cause).message;
    throw new TypeError(`could not send the options to a worker: ${why}`, { cause });
  }
}

/** One call of `explainRows`: gives each row to the worker that is most free. */
class PoolCall {
  /** @type {Map<WorkerHandle, WorkerQueue>} */
  #queues = new Map();
  /** Rows that are not with a worker yet. @type {PendingRow[]} */
  #waiting = [];
  /** The first failure. After it no row is sent, because results of later rows are never returned. */
  #failure = /** @type {{ error: unknown } | undefined} */ (undefined);
  concurrency;

  /**
   * @param {WorkerHandle[]} handles
   * @param {number} callId
   * @param {{ options: any, modules: Modules }} request
   * @param {((progress: import('../explain/plan.js').Progress) => void) | undefined} onProgress
   */
  constructor(handles, callId, request, onProgress) {
    const { concurrency = 1 } = request.options;
    this.concurrency = concurrency;
    const onFree = () => this.#sendWaiting();
    const onFailure = (/** @type {unknown} */ error) => {
      this.#failure ??= { error };
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    for (const handle of handles) {
      this.#queues.set(handle, new WorkerQueue(handle, callId, { concurrency, onFree, onFailure, onProgress }));
      handle.post({ type: 'start', callId, ...request, progress: onProgress !== undefined });
    }
  }

  /**
   * @param {unknown} row
   * @param {number} index
   * @returns {Promise<any>}
   */
  explain(row, index) {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure.error);
      this.#waiting.push({ row, index, resolve, reject });
      return this.#sendWaiting();
    });
  }

  #sendWaiting() {
    while (this.#waiting.length > 0) {
      const queues = [...this.#queues.values()];
      const freest = queues.reduce((best, queue) => (queue.free > best.free ? queue : best));
      if (freest.free <= 0) return;
      freest.send(/** @type {PendingRow} */ (this.#waiting.shift()));
    }
  }

  /** @param {WorkerHandle} handle */
  rowOf(handle) {
    return this.#queues.get(handle)?.row;
  }

  stop() {
    for (const queue of this.#queues.values()) queue.stop();
  }
}
