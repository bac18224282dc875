// The worker's side of a fleet: takes jobs from the queue and explains them on all cores of this machine.
import { checkNumber } from '../core/check-options.js';
import { messageOf, show } from '../core/errors.js';
import { packError } from '../pool/pool-errors.js';
import { openPool } from '../pool/worker-pool.js';
import {
  connect,
  connectionOptions,
  inspectServer,
  loadPackages,
  readFleetOptions,
  report,
} from './fleet-connection.js';
import { hashOf, identify, Membership, moduleURL } from './fleet-identity.js';
import { keysOf, LIFE, memberOf, METHODS, QUEUE_PREFIX, queueName, readJob } from './fleet-jobs.js';
import { pack, unpack } from './packed-values.js';

/**
 * @typedef {object} JoinOptions
 * @property {string | URL} [connection]  where Redis is, such as `rediss://user:password@host:6380`; default: the environment
 *   variable `LINEX_REDIS`
 * @property {string | URL} module  the URL or path of a module that exports `predict`, as for `openPool`. The worker runs this
 *   module and no other code
 * @property {string} [name]  of the fleet; default `'linex'`
 * @property {string} [fingerprint]  says which model it is; default the SHA-256 of the module's file. Pass it if the weights are
 *   in other files
 * @property {number} [workers]  threads; default one per core
 * @property {number} [openTimeout]  milliseconds until Redis and the model must be ready; default 300000
 * @property {number} [lockDuration]  milliseconds after which the jobs of a worker that was killed or cut off go to others;
 *   default 30000
 * @property {(warning: import('./fleet-connection.js').FleetWarning) => void} [onWarning]  default: Node prints warnings
 * @property {(job: { items: number, milliseconds: number }) => void} [onJob]  called after each job
 */

/** A job waits for no machine but its own, so two at once keep all threads busy while one ends and the next begins. */
const JOBS_AT_ONCE = 2;
/** A worker that is killed loses its jobs. A job that was lost this often has probably killed its workers. */
const MAX_LOSSES = 5;
/** Setups that are kept in memory. */
const MAX_SETUPS = 8;

/**
 * Makes this process a worker of a fleet.
 *
 * @param {JoinOptions} options
 * @returns {Promise<FleetWorker>}  resolved when it takes jobs
 * @throws {TypeError | RangeError} for a bad call
 * @throws {import('../core/errors.js').LinexError} `'load'` if the model or BullMQ cannot be loaded; `'worker'` if Redis cannot be reached, or if the fleet
 *   has another model or another version of linex
 */
export async function joinFleet(options) {
  const more = ['workers', 'lockDuration', 'onJob'];
  const given = /** @type {any} */ (readFleetOptions(options, more, 'joinFleet'));
  const { url, name, module, workers, openTimeout = 300000, lockDuration = 30000, onWarning, onJob } = given;
  checkNumber(lockDuration, 'lockDuration', { least: 1000 });
  const model = moduleURL(module);
  const identity = await identify(model, given.fingerprint);
  const packages = await loadPackages();
  const redis = await connect(packages, url, openTimeout, onWarning);
  const membership = new Membership(redis, name, identity, true);
  try {
    report(await inspectServer(redis, url), onWarning);
    await membership.refuseOthers();
    const pool = await openPool(model, { workers, openTimeout });
    await membership.join();
    const parts = { packages, redis, membership, pool, url, name, member: memberOf(identity), lockDuration, onJob };
    return new FleetWorker(parts);
  } catch (error) {
    await membership.leave();
    redis.disconnect();
    throw error;
  }
}

/** A process that explains the jobs of a fleet, from `joinFleet`. */
export class FleetWorker {
  #parts;
  #worker;
  /** By hash. @type {Map<string, Promise<{ kind: keyof typeof METHODS, options: any }>>} */
  #setups = new Map();
  /** Jobs that were done. */
  jobs = 0;

  /**
   * @internal
   * @param {any} parts
   */
  constructor(parts) {
    this.#parts = parts;
    const { packages, url, name, lockDuration } = parts;
    this.#worker = new packages.Worker(queueName(name), (/** @type {any} */ job) => this.#work(job), {
      ...{ connection: connectionOptions(url), prefix: QUEUE_PREFIX, concurrency: JOBS_AT_ONCE },
      // The threads of the pool compute, so this thread is free to renew the locks of its jobs.
      ...{ lockDuration, stalledInterval: lockDuration / 2, maxStalledCount: MAX_LOSSES },
    });
    // A lost connection or a lost lock: BullMQ goes on by itself.
    this.#worker.on('error', () => {});
  }

  /** The number of threads. */
  get workers() {
    return this.#parts.pool.workers;
  }

  /** @param {any} job  from BullMQ */
  async #work(job) {
    const { packages, redis, pool, name, member, onJob } = this.#parts;
    const started = performance.now();
    const items = this.#refuse(() => readJob(job.data, member, job.id));
    const { kind, options } = await this.#setupOf(job.data.setup);
    const results = [];
    try {
      for await (const result of pool[METHODS[kind]](items, { ...options, errors: 'yield' }))
        results.push(result instanceof Error ? { failure: withoutPlace(result, kind, results.length) } : result);
    } catch (error) {
      // The call itself is wrong, or the pool cannot start a worker: no other job would do better.
      throw new packages.UnrecoverableError(messageOf(error));
    }
    const milliseconds = performance.now() - started;
    // The result is stored before the job ends. So a job that is gone has a result, or is done again.
    await redis.set(keysOf(name).result(job.id), pack({ results, milliseconds }), 'PX', LIFE);
    this.jobs++;
    onJob?.({ items: items.length, milliseconds });
    return items.length;
  }

  /**
   * @template T
   * @param {() => T} read
   * @returns {T}
   */
  #refuse(read) {
    try {
      return read();
    } catch (error) {
      throw new this.#parts.packages.UnrecoverableError(`refused: ${messageOf(error)}`);
    }
  }

  /**
   * Fetches the options and the table of a call, once.
   *
   * @param {string} hash
   */
  #setupOf(hash) {
    let setup = this.#setups.get(hash);
    if (!setup) {
      setup = this.#fetchSetup(hash);
      this.#setups.set(hash, setup);
      setup.catch(() => this.#setups.delete(hash));
      const [oldest] = this.#setups.keys();
      if (this.#setups.size > MAX_SETUPS) this.#setups.delete(oldest);
    }
    return setup;
  }

  /** @param {string} hash */
  async #fetchSetup(hash) {
    const text = await this.#parts.redis.get(keysOf(this.#parts.name).setup(hash));
    // The coordinator sends it again, and the job is tried again.
    if (text === null) throw new Error('the setup of the job is not there yet');
    return this.#refuse(() => {
      if (hashOf(text) !== hash) throw new TypeError('the setup does not fit its hash');
      const setup = unpack(text);
      if (!Object.hasOwn(METHODS, setup?.kind)) throw new TypeError(`unknown kind of items: ${show(setup?.kind)}`);
      return setup;
    });
  }

  /**
   * Stops taking jobs, finishes those that it has, and leaves the fleet.
   *
   * @param {{ now?: boolean }} [options]  now: does not finish them; other workers will
   * @returns {Promise<void>}
   */
  async close({ now = false } = {}) {
    const { membership, redis, pool } = this.#parts;
    await this.#worker.close(now);
    await Promise.race([membership.leave(), new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    redis.disconnect();
    await pool.close();
  }
}

/**
 * Packs the error of an item, without the place in the job, which means nothing to the caller.
 *
 * @param {Error} error
 * @param {keyof typeof METHODS} kind
 * @param {number} index
 */
function withoutPlace(error, kind, index) {
  const packed = packError(error);
  const place = `${kind.slice(0, -1)} ${index}: `;
  const cut = (/** @type {string | undefined} */ text) => text?.replace(place, '');
  return { ...packed, message: cut(packed.message), stack: cut(packed.stack) };
}
