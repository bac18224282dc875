// What is sent through the queue: jobs of about a second, named by their content, and how a worker checks one.
import { show } from '../core/errors.js';
import { hashOf } from './fleet-identity.js';
import { pack, unpack } from './packed-values.js';

/**
 * A job in the queue. Nothing in it runs: a worker uses only the model that it was started with.
 *
 * @typedef {object} JobData
 * @property {string} member  the hash of the identity: only workers with this model and version may do it
 * @property {string} setup  the hash of the options and the table, which are sent once
 * @property {string} items  the packed rows, texts or images
 */

/**
 * A part of the source.
 *
 * @typedef {object} Part
 * @property {number} first  the index of its first item
 * @property {number} count
 * @property {string} items  packed
 * @property {TypeError} [error]  why its only item cannot be sent
 */

/** The kinds of items, by the pool's method that explains them. */
export const METHODS = Object.freeze({ rows: 'explainRows', texts: 'explainTexts', images: 'explainImages' });

/** A job should take about this long, in milliseconds: long beside its overhead, short if it has to be done again. */
const JOB_MILLISECONDS = 1000;
/** The first jobs are small, to measure the speed. The first one also loads the model, so the second one counts. */
const FIRST_SIZES = Object.freeze([4, 32]);
const MAX_SIZE = 10000;
/** A job is cut at this length of its text. */
const MAX_TEXT = 8 * 2 ** 20;
/** A longer job is refused: we make none. One item may be longer than MAX_TEXT. */
const MAX_JOB = 64 * 2 ** 20;

/** The queue of a fleet in BullMQ. @param {string} name */
export const queueName = (name) => `linex-${name}`;
export const QUEUE_PREFIX = 'linex-queue';

/** The keys of a fleet in Redis that are not BullMQ's. @param {string} name */
export const keysOf = (name) => ({
  setup: (/** @type {string} */ hash) => `linex:${name}:setup:${hash}`,
  result: (/** @type {string} */ id) => `linex:${name}:result:${id}`,
  size: (/** @type {string} */ hash) => `linex:${name}:size:${hash}`,
});

/** The hash of an identity. @param {import('./fleet-identity.js').Identity} identity */
export const memberOf = (identity) => hashOf(JSON.stringify([identity.version, identity.model]));

/**
 * The name of a job is its content. So a job that is sent twice is one job, and its result is found again after a restart.
 * BullMQ allows neither a colon nor a number.
 *
 * @param {JobData} data
 */
export const jobId = ({ member, setup, items }) => `job-${hashOf(`${member} ${setup} ${items}`)}`;

/**
 * How many items a job has, once that is known. It never changes during a call, so that a coordinator that is started again
 * cuts the same jobs.
 */
export class JobSize {
  #settle = (/** @type {number} */ _size) => {};
  /** @type {Promise<number>} */
  known = new Promise((resolve) => (this.#settle = resolve));

  /**
   * @param {any} redis
   * @param {string} key  where other coordinators find the size
   */
  constructor(redis, key) {
    this.redis = redis;
    this.key = key;
  }

  /** Uses the size that an earlier coordinator has chosen, if there is one. */
  async recall() {
    const size = Number(await this.redis.get(this.key));
    if (size > 0) this.#settle(size);
  }

  /**
   * @param {number} job  the index of the job that was measured
   * @param {number} count  its items
   * @param {number} milliseconds
   */
  async measure(job, count, milliseconds) {
    if (job !== FIRST_SIZES.length - 1) return;
    const size = Math.round((JOB_MILLISECONDS * count) / Math.max(1, milliseconds));
    const chosen = Math.min(MAX_SIZE, Math.max(1, size));
    await this.redis.set(this.key, String(chosen), 'PX', LIFE, 'NX');
    this.#settle(Number((await this.redis.get(this.key)) ?? chosen));
  }
}

/** How long results and setups are kept that nobody fetches, in milliseconds: a day. */
export const LIFE = 24 * 3600 * 1000;

/**
 * Cuts a source into parts.
 *
 * @param {{ next(): any, return?(): any }} source
 * @param {JobSize} size
 * @param {string} noun  row, text or image
 * @returns {AsyncGenerator<Part, void, void>}
 */
export async function* cutIntoParts(source, size, noun) {
  let first = 0;
  /** The texts of the items that wait. @type {string[]} */
  let waiting = [];
  let length = 0;
  const take = () => {
    const part = { first, count: waiting.length, items: `[${waiting.join(',')}]` };
    first += waiting.length;
    [waiting, length] = [[], 0];
    return part;
  };
  let ended = false;
  try {
    for (let job = 0; !ended; job++) {
      const most = FIRST_SIZES[job] ?? (await size.known);
      while (waiting.length < most && length < MAX_TEXT) {
        const { done, value } = await source.next();
        if ((ended = Boolean(done))) break;
        const packed = packItem(value, `${noun} ${first + waiting.length}`);
        if (packed instanceof TypeError) {
          if (waiting.length > 0) yield take();
          yield { first: first++, count: 1, items: '', error: packed };
        } else {
          waiting.push(packed);
          length += packed.length;
        }
      }
      if (waiting.length > 0) yield take();
    }
  } finally {
    if (!ended) await source.return?.();
  }
}

/**
 * @param {unknown} item
 * @param {string} name
 * @returns {string | TypeError}
 */
function packItem(item, name) {
  try {
    return pack(item);
  } catch (cause) {
    return new TypeError(`${name}: could not send it to a worker: ${/** @type {Error} */ (cause).message}`, { cause });
  }
}

/**
 * Checks a job, which anyone who can write to Redis may have made.
 *
 * @param {any} data
 * @param {string} member  the worker's own
 * @param {string} id
 * @returns {unknown[]}  its items
 * @throws {TypeError} if it is not one of ours
 */
export function readJob(data, member, id) {
  for (const name of ['member', 'setup', 'items'])
    if (typeof data?.[name] !== 'string')
      throw new TypeError(`the job's ${name} must be a text, not ${show(data?.[name])}`);
  if (data.items.length > MAX_JOB)
    throw new TypeError(`the job has ${data.items.length} characters, more than ${MAX_JOB}`);
  if (data.member !== member) throw new TypeError('the job is for another model or another version of linex');
  if (!/^[0-9a-f]{64}$/.test(data.setup))
    throw new TypeError(`the job's setup must be a hash, not ${show(data.setup)}`);
  if (id !== jobId(data)) throw new TypeError('the name of the job does not fit its content');
  const items = unpack(data.items);
  if (!Array.isArray(items) || items.length > MAX_SIZE)
    throw new TypeError(`the job's items must be a list of at most ${MAX_SIZE}, not ${show(items)}`);
  return items;
}
