// The coordinator's side of a fleet: cuts a source into jobs, and returns the explanations in order.
import { checkNumber } from '../core/check-options.js';
import { LinexError } from '../core/errors.js';
import { mapInOrder, orAbort } from '../core/event-loop.js';
import { freeze } from '../core/freeze.js';
import { iteratorOf } from '../explain/explain-row.js';
import { unpackError } from '../pool/pool-errors.js';
import { checkCall } from '../pool/worker-pool.js';
import {
  connect,
  connectionOptions,
  inspectServer,
  loadPackages,
  readFleetOptions,
  report,
} from './fleet-connection.js';
import { hashOf, identify, Membership, moduleURL } from './fleet-identity.js';
import { cutIntoParts, jobId, JobSize, keysOf, memberOf, QUEUE_PREFIX, queueName } from './fleet-jobs.js';
import { JobBoard } from './job-board.js';
import { pack, unpack } from './packed-values.js';

/**
 * @typedef {object} FleetOptions
 * @property {string | URL} [connection]  where Redis is, such as `rediss://user:password@host:6380`; default: the environment
 *   variable `LINEX_REDIS`
 * @property {string | URL} module  the URL or path of the model's module. It is not run here: its fingerprint is compared with
 *   that of the workers
 * @property {string} [name]  of the fleet; default `'linex'`
 * @property {string} [fingerprint]  as in `joinFleet`
 * @property {number} [openTimeout]  milliseconds that Redis may take to answer, and that a call waits for a worker; default
 *   300000
 * @property {(warning: import('./fleet-connection.js').FleetWarning) => void} [onWarning]  default: Node prints warnings
 */

/**
 * @typedef {object} FleetProgress
 * @property {number} done  rows, texts or images whose explanations were returned
 * @property {number} sent  those that are under way
 * @property {number} workers  machines that are alive
 */

/**
 * The options of a pool's calls, but `onProgress` is called once per job.
 *
 * @template O
 * @typedef {O extends unknown ? Omit<O, 'onProgress'> & { onProgress?: (progress: FleetProgress) => unknown } : never} OfFleet
 */

/** Jobs under way per worker, and at least: a worker has two, and the others wait for it. */
const JOBS_PER_WORKER = 4;
const LEAST_JOBS = 8;

/**
 * Connects to a fleet: workers on many machines, which run `linex worker` or call `joinFleet`.
 *
 * @param {FleetOptions} options
 * @returns {Promise<Fleet>}
 * @throws {TypeError | RangeError} for a bad call
 * @throws {LinexError} `'load'` if BullMQ is not installed or the module cannot be read; `'worker'` if Redis cannot be reached,
 *   or if the fleet has another model or another version of linex
 */
export async function openFleet(options) {
  const given = /** @type {any} */ (readFleetOptions(options, [], 'openFleet'));
  const { url, name, module, openTimeout = 300000, onWarning } = given;
  checkNumber(openTimeout, 'openTimeout', { above: 0 });
  const identity = await identify(moduleURL(module), given.fingerprint);
  const packages = await loadPackages();
  const redis = await connect(packages, url, openTimeout, onWarning);
  const membership = new Membership(redis, name, identity, false);
  try {
    report(await inspectServer(redis, url), onWarning);
    await membership.refuseOthers();
    await membership.join();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const shared = { connection: connectionOptions(url), prefix: QUEUE_PREFIX };
  const queue = new packages.Queue(queueName(name), { ...shared, streams: { events: { maxLen: 1000 } } });
  const events = new packages.QueueEvents(queueName(name), shared);
  for (const part of [queue, events]) part.on('error', () => {});
  const board = new JobBoard({ redis, queue, events, name, membership, patience: openTimeout });
  return new Fleet({ redis, queue, events, board, membership, name, member: memberOf(identity) });
}

/** Many machines that explain rows, texts and images, from `openFleet`. */
export class Fleet {
  #parts;
  /** The abort controllers of the running calls. @type {Set<AbortController>} */
  #calls = new Set();
  /** @type {LinexError | undefined} */
  #closed;

  /**
   * @internal
   * @param {any} parts
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** The number of machines that were alive in the last seconds. */
  get workers() {
    return this.#parts.membership.workers;
  }

  /**
   * Explains many rows on all machines. The explanations come in the order of the rows and have the bits of one core. Jobs
   * of about a second are sent ahead, four per machine, so memory does not grow with the number of rows.
   *
   * @template {import('../explain/explain-row.js').RowMethod} [M='linex']
   * @template {import('../explain/plan.js').Targets} [T='top']
   * @template {'throw' | 'yield'} [R='throw']
   * @param {Iterable<import('../data/records.js').Row> | AsyncIterable<import('../data/records.js').Row>} rows
   * @param {OfFleet<import('../pool/worker-pool.js').PoolRowOptions<M, T, R>>} options
   * @returns {AsyncGenerator<import('../explain/explain-row.js').Yielded<M, T, R>, void, void>}
   * @throws the errors of `explainRows`, in the order of the rows and with the row in the message; `LinexError` `'worker'` if no
   *   worker is there for `openTimeout`, or if the fleet is closed
   */
  explainRows(rows, options) {
    return this.#explain('rows', rows, options);
  }

  /**
   * Explains many texts on all machines, like `explainRows`.
   *
   * @param {Iterable<string> | AsyncIterable<string>} texts
   * @param {OfFleet<import('../pool/worker-pool.js').PoolTextOptions>} [options]
   * @returns {AsyncGenerator<any, void, void>}  of `TextExplanation`s
   */
  explainTexts(texts, options = {}) {
    return this.#explain('texts', texts, options);
  }

  /**
   * Explains many images on all machines, like `explainRows`.
   *
   * @param {Iterable<import('../data/image-input.js').Pixels> | AsyncIterable<import('../data/image-input.js').Pixels>} images
   * @param {OfFleet<import('../pool/worker-pool.js').PoolImageOptions>} [options]
   * @returns {AsyncGenerator<any, void, void>}  of `ImageExplanation`s
   */
  explainImages(images, options = {}) {
    return this.#explain('images', images, options);
  }

  /**
   * @param {'rows' | 'texts' | 'images'} kind
   * @param {any} items
   * @param {any} given
   * @returns {AsyncGenerator<any, void, void>}
   */
  async *#explain(kind, items, given) {
    if (this.#closed) throw this.#closed;
    const { signal, onProgress } = given ?? {};
    const { options } = await checkCall(kind, given);
    const { errors = 'throw', ...settings } = options;
    const source = iteratorOf(items);
    signal?.throwIfAborted();
    const { board, redis, name, member } = this.#parts;
    const text = pack({ kind, options: settings });
    const setup = hashOf(text);
    const size = new JobSize(redis, keysOf(name).size(setup));
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.#calls.add(stop);
    const noun = kind.slice(0, -1);
    const progress = { done: 0, sent: 0 };
    /** Jobs that were sent and whose explanations were not all returned. @type {Set<string>} */
    const open = new Set();
    const runPart = async (/** @type {import('./fleet-jobs.js').Part} */ part, /** @type {number} */ index) => {
      if (part.error) return { id: undefined, first: part.first, results: [part.error] };
      const data = { member, setup, items: part.items };
      const id = jobId(data);
      open.add(id);
      progress.sent += part.count;
      const { results, milliseconds } = unpack(await board.run(id, data, stop));
      await size.measure(index, part.count, milliseconds);
      return { id, first: part.first, results };
    };
    const most = () => Math.max(LEAST_JOBS, JOBS_PER_WORKER * this.workers);
    try {
      // While Redis is away, both wait for it.
      await orAbort(board.offer(setup, text), stop.signal);
      await orAbort(size.recall(), stop.signal);
      for await (const { id, first, results } of mapInOrder(
        cutIntoParts(source, size, noun),
        runPart,
        most,
        stop.signal,
      )) {
        for (const [i, result] of results.entries()) {
          const error = errorOf(result, `${noun} ${first + i}: `);
          if (error && errors === 'throw') throw error;
          progress.done++;
          progress.sent -= id ? 1 : 0;
          yield error ?? (Array.isArray(result) ? result.map(freeze) : freeze(result));
        }
        if (id) {
          open.delete(id);
          await board.forget(id);
        }
        await onProgress?.({ ...progress, workers: this.workers });
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#calls.delete(stop);
      // After the end there are none; after a failure, an abort, or if the caller leaves the loop, there may be some.
      if (!this.#closed) await board.withdraw(open, stop);
      board.retire(setup);
    }
  }

  /**
   * Leaves the fleet. Running calls fail. The workers go on.
   *
   * @returns {Promise<void>}
   */
  async close() {
    this.#closed ??= new LinexError('worker', 'the fleet is closed');
    const { board, queue, events, membership, redis } = this.#parts;
    for (const stop of this.#calls) stop.abort(this.#closed);
    board.close();
    await membership.leave();
    // While Redis is away, closing politely would wait for it, and the connections would be tried again without end.
    const politely = Promise.all([queue.close(), events.close()]).then(() => true);
    const isClosed = await Promise.race([politely, new Promise((resolve) => setTimeout(resolve, 2000, false).unref())]);
    if (!isClosed) for (const one of [queue, events]) one.disconnect().catch(() => {});
    redis.disconnect();
  }
}

/**
 * @param {any} result
 * @param {string} place
 * @returns {Error | undefined}
 */
function errorOf(result, place) {
  if (result instanceof Error) return result;
  return result?.failure && /** @type {Error} */ (unpackError(result.failure, place));
}
