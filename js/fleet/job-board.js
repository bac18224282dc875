// The coordinator's side of the queue: sends jobs, waits for their results, and sends again what was lost.
import { LinexError } from '../core/errors.js';
import { serverError } from './fleet-connection.js';
import { keysOf, LIFE } from './fleet-jobs.js';

/** How often the board looks for results whose announcement was lost, in milliseconds. */
const LOOK = 2000;
/** How long the end of a call may wait for Redis to take its jobs back, in milliseconds. */
const FAREWELL = 2000;
/** A job fails after this many attempts, for example if its setup was lost. */
const ATTEMPTS = 10;

/**
 * A job that is under way. Calls with the same rows and options share it.
 *
 * @typedef {object} PendingJob
 * @property {object} data
 * @property {Set<object>} calls  those that wait for it
 * @property {Promise<string>} done
 * @property {(text: string) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** Jobs that are under way. */
export class JobBoard {
  /** By their names. @type {Map<string, PendingJob>} */
  #pending = new Map();
  #redis;
  #queue;
  #keys;
  #membership;
  #patience;
  /** The setups of the running calls, by hash. @type {Map<string, string>} */
  #setups = new Map();
  #timer;

  /**
   * @param {object} parts
   * @param {any} parts.redis
   * @param {any} parts.queue
   * @param {any} parts.events
   * @param {string} parts.name
   * @param {import('./fleet-identity.js').Membership} parts.membership
   * @param {number} parts.patience  milliseconds that jobs wait for the first worker
   */
  constructor({ redis, queue, events, name, membership, patience }) {
    this.#redis = redis;
    this.#queue = queue;
    this.#keys = keysOf(name);
    this.#membership = membership;
    this.#patience = patience;
    const ignore = () => {};
    events.on('completed', (/** @type {any} */ { jobId }) => this.#collect(jobId).catch(ignore));
    events.on('failed', (/** @type {any} */ { jobId, failedReason }) => this.#fail(jobId, failedReason));
    this.#timer = setInterval(() => this.#look().catch(ignore), LOOK);
    this.#timer.unref();
  }

  /**
   * Makes the options and the table of a call available to the workers.
   *
   * @param {string} hash
   * @param {string} text
   */
  async offer(hash, text) {
    this.#setups.set(hash, text);
    try {
      await this.#redis.set(this.#keys.setup(hash), text, 'PX', LIFE);
    } catch (error) {
      throw serverError('Redis did not take the options and the table', error);
    }
  }

  /**
   * Sends a job, unless its result is already there.
   *
   * @param {string} id
   * @param {object} data
   * @param {object} call  who waits for it
   * @returns {Promise<string>}  the packed result
   */
  run(id, data, call) {
    const known = this.#pending.get(id);
    if (known) {
      known.calls.add(call);
      return known.done;
    }
    /** @type {any} */
    const job = { data, calls: new Set([call]) };
    job.done = new Promise((resolve, reject) => Object.assign(job, { resolve, reject }));
    this.#pending.set(id, job);
    this.#collect(id)
      .then((found) => (found ? undefined : this.#send(id)))
      .catch((error) => this.#end(id)?.reject(serverError('Redis did not take a job', error)));
    return job.done;
  }

  /** @param {string} id */
  async #send(id) {
    const job = this.#pending.get(id);
    if (!job) return;
    // A job that failed in an earlier call would block its name.
    const old = await this.#queue.getJob(id);
    if (old && (await old.isFailed())) await old.remove();
    await this.#queue.add('explain', job.data, {
      ...{ jobId: id, attempts: ATTEMPTS, backoff: { type: 'fixed', delay: 500 } },
      // Results are kept under a key of their own: BullMQ would also copy them into its log of events.
      ...{ removeOnComplete: true, removeOnFail: { age: 3600, count: 1000 } },
    });
  }

  /**
   * Fetches a result if it is there.
   *
   * @param {string} id
   * @returns {Promise<boolean>}
   */
  async #collect(id) {
    if (!this.#pending.has(id)) return false;
    const text = await this.#redis.get(this.#keys.result(id));
    if (text !== null) this.#end(id)?.resolve(text);
    return text !== null;
  }

  /** @param {string} id */
  #end(id) {
    const job = this.#pending.get(id);
    this.#pending.delete(id);
    return job;
  }

  /**
   * @param {string} id
   * @param {string} reason
   */
  #fail(id, reason) {
    this.#end(id)?.reject(new LinexError('worker', reason));
  }

  /** Finds what was announced while we were cut off, and sends again what a restart of Redis has lost. */
  async #look() {
    if (this.#pending.size === 0) return;
    if (performance.now() - this.#membership.lastSeen > this.#patience) {
      const what =
        this.#redis.status === 'ready'
          ? `no worker of the fleet was there for ${this.#patience} ms; start one with: linex worker`
          : `Redis was away for more than ${this.#patience} ms`;
      for (const id of [...this.#pending.keys()]) this.#fail(id, what);
      return;
    }
    for (const [hash, text] of this.#setups)
      if ((await this.#redis.exists(this.#keys.setup(hash))) === 0) await this.offer(hash, text);
    for (const id of [...this.#pending.keys()]) {
      if (await this.#collect(id)) continue;
      const job = await this.#queue.getJob(id);
      if (!job) {
        // It may have ended between the two questions.
        if (!(await this.#collect(id))) await this.#send(id);
      } else if (await job.isFailed()) this.#fail(id, job.failedReason);
    }
  }

  /** Deletes a result that the caller has got. @param {string} id */
  async forget(id) {
    await this.#redis.del(this.#keys.result(id));
  }

  /**
   * Takes back jobs that nobody waits for any more. Those that a worker has begun are finished in vain.
   *
   * @param {Iterable<string>} ids
   * @param {object} call  who does not wait any more
   * @returns {Promise<void>}  resolved soon even if Redis is away: what is left there expires
   */
  async withdraw(ids, call) {
    const unwanted = [...ids].filter((id) => {
      const calls = this.#pending.get(id)?.calls;
      calls?.delete(call);
      return !calls?.size;
    });
    for (const id of unwanted) this.#end(id)?.reject(new LinexError('worker', 'the job was withdrawn'));
    const removed = unwanted.map(async (id) => {
      await this.#queue.remove(id).catch(() => {});
      await this.forget(id);
    });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, FAREWELL)));
    await Promise.race([Promise.all(removed), late]).catch(() => {});
    clearTimeout(timer);
  }

  /** Forgets the setup of a call that has ended. @param {string} hash */
  retire(hash) {
    this.#setups.delete(hash);
  }

  close() {
    clearInterval(this.#timer);
  }
}
