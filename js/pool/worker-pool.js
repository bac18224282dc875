// A pool of workers that explains many rows, texts or images on all cores of one machine.
import { checkChoice, checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { LinexError, show } from '../core/errors.js';
import { mapInOrder } from '../core/event-loop.js';
import { adjustWasm, coreWasm, dataWasm, krigingWasm, masksWasm, shapleyWasm, wideWasm } from '../core/load.js';
import { explainRows, iteratorOf } from '../explain/explain-row.js';
import { Dispatcher } from './pool-dispatcher.js';
import { countCores, startWorker } from './worker-handle.js';
import { MAX_ROWS_AHEAD } from './worker-queue.js';

/**
 * @typedef {import('./worker-handle.js').AnyWorker} AnyWorker
 * @typedef {import('./join-pool.js').Modules} Modules
 * @typedef {import('./join-pool.js').PoolModel} PoolModel
 */

/**
 * The options of `explainRows`, except your own `neighborhood`: its functions cannot be sent to a worker, so the
 * model's module exports it. `concurrency` counts per worker. `timeout` also ends a model that never gives way. `partial`
 * is null in `onProgress`.
 *
 * @template {import('../explain/explain-row.js').RowMethod} [M=import('../explain/explain-row.js').RowMethod]
 * @template {import('../explain/plan.js').Targets} [T=import('../explain/plan.js').Targets]
 * @template {'throw' | 'yield'} [R='throw' | 'yield']
 * @typedef {import('../explain/explain-row.js').RowOptions<M, T> & Common<R>} PoolRowOptions
 */

/**
 * @template {'throw' | 'yield'} [R='throw' | 'yield']
 * @typedef {import('../explain/explain-row.js').ManyOptions<R> & { neighborhood?: 'random' }} Common
 */

/**
 * @typedef {import('../explain/explain-text.js').TextOptions & Common} PoolTextOptions  see `PoolRowOptions`
 * @typedef {import('../explain/explain-image.js').ImageOptions & Common} PoolImageOptions  see `PoolRowOptions`
 */

/** How long a worker may take to start, in milliseconds. A module may have to download a large model. */
const OPEN_TIMEOUT = 300000;

/**
 * Starts workers that explain rows. Each worker has its own copy of the model.
 *
 * @param {string | URL | (() => AnyWorker)} model  the URL of a module that exports `predict`, and `neighborhood` if you use
 *   your own; or a function that starts a worker whose script calls `joinPool` from `linex/pool-worker`, so that a bundler
 *   sees the model. The pool calls it again to replace a worker that was lost
 * @param {{ workers?: number, openTimeout?: number }} [options]  workers: their number, from 1 to 1024; default: one per
 *   core; openTimeout: the milliseconds that a worker may take to start and to import the model's module; default 300000
 * @returns {Promise<Pool>}  resolved when every worker has its model
 * @throws {TypeError | RangeError} for a bad call, before a worker is started; `TypeError` if the module has no `predict`
 * @throws {LinexError} `'load'` if the model's module cannot be imported, `'worker'` if a worker cannot be started or takes
 *   longer than `openTimeout`; all started workers are then ended
 */
export async function openPool(model, options = {}) {
  const { workers, openTimeout = OPEN_TIMEOUT } = checkNames(options, ['workers', 'openTimeout'], 'openPool');
  checkNumber(openTimeout, 'openTimeout', { above: 0 });
  const start = typeof model === 'function' ? () => callStarter(model) : startWorker;
  const url = typeof model === 'function' ? undefined : resolveURL(model);
  const count = workers === undefined ? await countCores() : checkCount(workers, 'workers', 1, 1024);
  await coreWasm.ready();
  const dispatcher = new Dispatcher(start, { content: { wasm: coreWasm.module, url }, openTimeout });
  await dispatcher.open(count);
  return new Pool(dispatcher);
}

/**
 * Returns the optional modules that are compiled here, so that workers do not fetch and compile them again. The check of
 * the call has started to load what it needs.
 *
 * @param {boolean} shapley  whether the call needs Shapley values
 * @returns {Promise<Modules>}
 */
async function optionalModules(shapley) {
  if (shapley) await shapleyWasm.ready();
  /** @type {Modules} */
  const modules = {};
  for (const file of [adjustWasm, krigingWasm, masksWasm, wideWasm, dataWasm, shapleyWasm]) {
    // If it cannot be loaded here, the workers try, and say why.
    await file.loading?.catch(() => {});
    if (file.module) modules[/** @type {keyof Modules} */ (file.option)] = file.module;
  }
  return modules;
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
 * @returns {Promise<AnyWorker>}
 */
async function callStarter(start) {
  /** @type {any} */
  let worker;
  try {
    worker = await start();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : show(cause);
    throw new TypeError(`${EXPECTED}; the given function failed: ${why}`, { cause });
  }
  if (typeof worker?.postMessage === 'function' && typeof worker.terminate === 'function') return worker;
  throw new TypeError(`openPool expects a function that returns a worker; it returned ${show(worker)}`);
}

/** A group of workers that explain rows, from `openPool`. */
export class Pool {
  #dispatcher;
  /** The abort controllers of the running calls. @type {Set<AbortController>} */
  #calls = new Set();
  /** @type {LinexError | undefined} */
  #closed;

  /**
   * @internal
   * @param {Dispatcher} dispatcher
   */
  constructor(dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** The number of workers. */
  get workers() {
    return this.#dispatcher.size;
  }

  /**
   * Explains many rows on all workers. The explanations come in the order of the rows and equal those of `explainRows`,
   * except for `milliseconds`. At most 65 + `concurrency` rows per worker are read ahead, so memory does not grow with the
   * number of rows.
   *
   * @template {import('../explain/explain-row.js').RowMethod} [M='linex']
   * @template {import('../explain/plan.js').Targets} [T='top']
   * @template {'throw' | 'yield'} [R='throw']
   * @param {Iterable<ArrayLike<unknown>> | AsyncIterable<ArrayLike<unknown>>} rows
   * @param {PoolRowOptions<M, T, R>} options
   * @returns {AsyncGenerator<import('../explain/explain-row.js').Yielded<M, T, R>, void, void>}
   * @throws the errors of `explainRows`, in the order of the rows and with the row in the message; `LinexError` `'worker'` if
   *   two workers were lost at a row, if no worker can be started, or if the pool is closed
   */
  explainRows(rows, options) {
    return this.#explain('rows', rows, options);
  }

  /**
   * Explains many texts on all workers, like `explainRows`. The explanations equal those of `explainText`.
   *
   * @param {Iterable<string> | AsyncIterable<string>} texts
   * @param {PoolTextOptions} [options]
   * @returns {AsyncGenerator<any, void, void>}  of `TextExplanation`s
   */
  explainTexts(texts, options = {}) {
    return this.#explain('texts', texts, options);
  }

  /**
   * Explains many images on all workers, like `explainRows`. The explanations equal those of `explainImage`.
   *
   * @param {Iterable<import('../data/image-input.js').Pixels> | AsyncIterable<import('../data/image-input.js').Pixels>} images
   * @param {PoolImageOptions} [options]
   * @returns {AsyncGenerator<any, void, void>}  of `ImageExplanation`s
   */
  explainImages(images, options = {}) {
    return this.#explain('images', images, options);
  }

  /**
   * @param {import('./join-pool.js').PoolRequest['kind']} kind
   * @param {any} items
   * @param {any} options
   * @returns {AsyncGenerator<any, void, void>}
   */
  async *#explain(kind, items, options) {
    if (this.#closed) throw this.#closed;
    const { signal, onProgress } = options ?? {};
    const request = await checkCall(kind, options);
    const source = iteratorOf(items);
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed;
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    const call = this.#dispatcher.begin(request, onProgress);
    this.#calls.add(stop);
    try {
      const limit = this.workers * (1 + call.concurrency + MAX_ROWS_AHEAD);
      yield* mapInOrder(source, (row, index) => call.explain(row, index), limit, stop.signal);
    } finally {
      // This runs at the end, after a failure, and if the caller stops reading early.
      signal?.removeEventListener('abort', abort);
      this.#calls.delete(stop);
      this.#dispatcher.finish(call);
    }
  }

  /**
   * Ends all workers, even if they are busy. Running calls fail.
   *
   * @returns {Promise<void>}  resolved when all workers have ended
   */
  async close() {
    this.#closed ??= new LinexError('worker', 'the pool is closed');
    for (const stop of this.#calls) stop.abort(this.#closed);
    await this.#dispatcher.end();
  }
}

/**
 * Checks a call before any worker gets it. Only what depends on a neighborhood in the workers is checked there.
 *
 * @param {import('./join-pool.js').PoolRequest['kind']} kind
 * @param {any} options
 * @returns {Promise<import('./join-pool.js').PoolRequest>}  the content of the message that starts the call
 */
export async function checkCall(kind, options) {
  if (typeof options?.neighborhood === 'object')
    throw new TypeError(
      "neighborhood contains functions, which cannot be sent to a worker: export it as neighborhood from the model's module",
    );
  // MAPLE needs the neighborhood in the workers, so the rest of such a call is checked as a LIME call.
  const checkable = options?.method === 'maple' ? { ...options, method: 'lime', units: undefined } : options;
  if (kind === 'rows') await explainRows([], () => [], checkable).next();
  else checkChoice(options.errors ?? 'throw', 'errors', ['throw', 'yield']);
  const modules = await optionalModules(options.method === 'shap');
  const sent = { ...options, ...(kind === 'rows' && { table: await options.table }) };
  delete sent.signal;
  delete sent.onProgress;
  try {
    return { kind, options: structuredClone(sent), modules };
  } catch (cause) {
    const why = /** @type {Error} */ (cause).message;
    throw new TypeError(`could not send the options to a worker: ${why}`, { cause });
  }
}
