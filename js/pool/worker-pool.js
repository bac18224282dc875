import { LinexError, show } from '../core/errors.js';
import { coreWasm, dataWasm, shapleyWasm } from '../core/load.js';
import { checkCount, checkNames } from '../core/check-options.js';
import { Lane, MOST_AHEAD } from './pool-lane.js';
import { countCores, Member, startWorker } from './pool-member.js';
import { explainRows, iteratorOf } from '../explain/explain-row.js';
import { mapInOrder } from '../core/event-loop.js';

/**
 * @typedef {import('./pool-lane.js').Place} Place
 * @typedef {import('./pool-member.js').AnyWorker} AnyWorker
 * @typedef {import('./join-pool.js').Modules} Modules
 * @typedef {import('./join-pool.js').PoolModel} PoolModel
 */

/**
 * What `explainRows` takes, but for a `neighborhood` of your own: functions cannot go to a worker, so the model's module
 * exports it. `concurrency` is of each worker. `onProgress` has no `partial`.
 *
 * @typedef {Omit<import('../explain/explain-row.js').RowOptions, 'neighborhood'> & { neighborhood?: 'random' }} PoolRowOptions
 */

/**
 * Starts workers that explain rows, each with a model of its own.
 *
 * @param {string | URL | (() => AnyWorker)} model  the address of a module that exports `predict`, and `neighborhood` where
 *   it is your own; or a function that starts a worker, whose script calls `joinPool` of `linex/pool-worker`: bundlers see
 *   the model then
 * @param {{ workers?: number }} [options]  workers: how many; default one a core
 * @returns {Promise<Pool>}  when all of them have their model
 * @throws {TypeError | RangeError} for a bad call, before a worker is started; `TypeError` if there is no `predict`
 * @throws {LinexError} `'load'` if the model's module cannot be imported, `'worker'` if a worker cannot be started; none is
 *   left running
 */
export async function openPool(model, options = {}) {
  const { workers } = checkNames(options, ['workers'], 'openPool');
  const start = typeof model === 'function' ? () => started(model) : startWorker;
  const address = typeof model === 'function' ? undefined : addressOf(model);
  const count = workers === undefined ? await countCores() : checkCount(workers, 'workers', 1, 1024);
  await coreWasm.ready();
  /** @type {Member[]} */
  const members = [];
  try {
    for (let i = 0; i < count; i++) members.push(new Member(checkWorker(await start())));
    await Promise.all(members.map((member) => member.open({ wasm: coreWasm.module, address })));
  } catch (error) {
    await Promise.all(members.map((member) => member.end()));
    throw error;
  }
  return new Pool(members);
}

/**
 * The optional modules that are compiled here already: workers need not fetch and compile them again.
 *
 * @param {boolean} shapley  whether the call needs Shapley values
 * @returns {Promise<Modules>}
 */
async function optionalModules(shapley) {
  if (shapley) await shapleyWasm.ready();
  return { data: dataWasm.module, shapley: shapleyWasm.module };
}

/** @param {unknown} model */
function addressOf(model) {
  const here = /** @type {any} */ (globalThis);
  if (model instanceof URL || (typeof model === 'string' && model !== ''))
    return new URL(model, here.location?.href ?? `file://${here.process?.cwd()}/`).href;
  throw new TypeError(
    `openPool takes the address of the model's module, or a function that starts a worker, not ${show(model)}`,
  );
}

/**
 * A model in the place of its address fails here: it is asked about nothing.
 *
 * @param {() => AnyWorker | Promise<AnyWorker>} start
 */
async function started(start) {
  try {
    return await start();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : show(cause);
    const wanted = "the address of the model's module, or a function that starts a worker";
    throw new TypeError(`openPool takes ${wanted}; the function it was given failed: ${why}`, { cause });
  }
}

/**
 * @param {any} worker
 * @returns {AnyWorker}
 */
function checkWorker(worker) {
  if (typeof worker?.postMessage === 'function' && typeof worker.terminate === 'function') return worker;
  throw new TypeError(`openPool takes a function that starts a worker; it gave ${show(worker)}`);
}

/** Workers that explain rows, from `openPool`. */
export class Pool {
  #members;
  #runs = 0;
  /** What is under way, and how it is stopped. @type {Map<Deal, AbortController>} */
  #deals = new Map();
  /** @type {LinexError | undefined} */
  #closed;

  /**
   * @internal
   * @param {Member[]} members
   */
  constructor(members) {
    this.#members = members;
    for (const member of members)
      member.whenEnded((why) => {
        const rows = [...this.#deals.keys()].map((deal) => deal.rowOf(member)).filter((row) => row !== undefined);
        const when = rows.length > 0 ? ` at or after row ${rows.join(', ')}` : '';
        this.#end(new LinexError('worker', `a worker of the pool ended by itself${when}: ${why}`));
      });
  }

  /** How many workers there are. */
  get workers() {
    return this.#members.length;
  }

  /**
   * Explains many rows, on all workers. Explanations come in the order of the rows, and are those that `explainRows` gives
   * (`milliseconds` aside). A bounded number of rows is read ahead, up to 65 and `concurrency` a worker; nothing grows with
   * the number of rows.
   *
   * @template {PoolRowOptions} O
   * @param {Iterable<ArrayLike<unknown>> | AsyncIterable<ArrayLike<unknown>>} rows
   * @param {O} options
   * @returns {AsyncGenerator<import('../explain/explain-row.js').Explained<O>, void, void>}
   * @throws what `explainRows` does, with the row in its message when its turn comes; `LinexError` `'worker'` if a worker ends
   *   by itself, which closes the pool, or if it is closed
   */
  async *explainRows(rows, options) {
    if (this.#closed) throw this.#closed;
    const { signal, onProgress } = options ?? {};
    const call = await checkCall(options);
    const source = iteratorOf(rows);
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed;
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    const deal = new Deal(this.#members, this.#runs++, call, onProgress);
    this.#deals.set(deal, stop);
    try {
      const limit = this.workers * (1 + deal.concurrency + MOST_AHEAD);
      yield* mapInOrder(source, (row, index) => deal.explain(row, index), limit, stop.signal);
    } finally {
      // The end, a failure, or a caller who has seen enough.
      signal?.removeEventListener('abort', abort);
      this.#deals.delete(deal);
      deal.stop();
    }
  }

  /**
   * Ends all workers, whatever they do. What is under way fails.
   *
   * @returns {Promise<void>}  when none is left
   */
  async close() {
    await this.#end(new LinexError('worker', 'the pool is closed'));
  }

  /** @param {LinexError} why */
  async #end(why) {
    this.#closed ??= why;
    for (const stop of this.#deals.values()) stop.abort(why);
    await Promise.all(this.#members.map((member) => member.end()));
  }
}

/**
 * Everything that can be wrong about a call, but for what a neighborhood in the workers would say, is found before a
 * worker hears of it.
 *
 * @param {any} options
 * @returns {Promise<{ options: any, modules: Modules }>}  for a message
 */
async function checkCall(options) {
  if (typeof options?.neighborhood === 'object')
    throw new TypeError(
      "neighborhood has functions, which cannot go to a worker: export it from the model's module as neighborhood",
    );
  // MAPLE's is in the workers; the rest of such a call is checked as LIME's.
  const here = options?.method === 'maple' ? { ...options, method: 'lime', units: undefined } : options;
  await explainRows([], () => [], here).next();
  const modules = await optionalModules(options.method === 'shap');
  const sent = { ...options, table: await options.table, signal: undefined, onProgress: undefined };
  try {
    return { options: structuredClone(sent), modules };
  } catch (cause) {
    const why = /** @type {Error} */ (cause).message;
    throw new TypeError(`the options cannot go to a worker: ${why}`, { cause });
  }
}

/** The rows of one call, dealt out to whoever has room. */
class Deal {
  /** @type {Map<Member, Lane>} */
  #lanes = new Map();
  /** Not with a worker yet. @type {Place[]} */
  #waiting = [];
  /** What a row has failed with: nothing is dealt out then, since no later row's turn will come. */
  #failure = /** @type {{ error: unknown } | undefined} */ (undefined);
  concurrency;

  /**
   * @param {Member[]} members
   * @param {number} run
   * @param {{ options: any, modules: Modules }} call
   * @param {((progress: import('../explain/plan.js').Progress) => void) | undefined} onProgress
   */
  constructor(members, run, call, onProgress) {
    const { concurrency = 1 } = call.options;
    this.concurrency = concurrency;
    const onRoom = () => this.#dealOut();
    const onFailure = (/** @type {unknown} */ error) => {
      this.#failure ??= { error };
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    for (const member of members) {
      this.#lanes.set(member, new Lane(member, run, { concurrency, onRoom, onFailure, onProgress }));
      member.post({ type: 'start', run, ...call, progress: onProgress !== undefined });
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
      return this.#dealOut();
    });
  }

  #dealOut() {
    while (this.#waiting.length > 0) {
      const lanes = [...this.#lanes.values()];
      const freest = lanes.reduce((best, lane) => (lane.room > best.room ? lane : best));
      if (freest.room <= 0) return;
      freest.give(/** @type {Place} */ (this.#waiting.shift()));
    }
  }

  /** @param {Member} member */
  rowOf(member) {
    return this.#lanes.get(member)?.row;
  }

  stop() {
    for (const lane of this.#lanes.values()) lane.stop();
  }
}
