// Asks a model politely: retries, a rate limit, smaller requests, a deadline, and a cache of answers.
import { readAnswer } from '../core/ask-model.js';
import { checkCount, checkNames, checkNumber } from '../core/check-options.js';
import { LinexError, messageOf, show } from '../core/errors.js';
import { pick, sizeOf } from './model-batches.js';

/**
 * @typedef {object} PoliteOptions
 * @property {number} [retries]  how often a failed request is repeated; default 5. A status from 400 to 499 is not, except 408,
 *   425 and 429
 * @property {number} [perMinute]  requests in any 60 seconds; default no limit
 * @property {number} [maxBatch]  samples per request; default what the adapter says, or no limit. If the server answers 413,
 *   requests become smaller by themselves
 * @property {import('./answer-keys.js').AnswerCache} [cache]  keeps answers, so that nothing is asked twice
 * @property {string} [model]  the name of the model in the cache: it must change if the answers change; `fromHTTP` makes one
 * @property {number} [timeout]  milliseconds per request, then it counts as failed; default no limit
 * @property {number} [deadline]  milliseconds per batch, with all requests and waits; default no limit
 * @property {number} [backoff]  milliseconds before the first retry; each further one waits about twice as long, at most a
 *   minute; default 500. A server's `Retry-After` comes first
 */

const OPTIONS = ['retries', 'perMinute', 'maxBatch', 'cache', 'model', 'timeout', 'deadline', 'backoff'];

const MINUTE = 60000;
/** The longest time that setTimeout can wait. */
const LONGEST = 2 ** 31 - 1;
const TOO_LARGE = 413;

/** Models without a name have a number. @type {WeakMap<Function, number>} */
const numbers = new WeakMap();
let models = 0;

/**
 * Wraps a `predict` so that it asks politely. Answers are kept in the cache after each request: a call that failed, was aborted or
 * whose process was killed goes on where it stopped.
 *
 * @template {(batch: any, context: { signal: AbortSignal }) => any} P
 * @param {P} predict  any, or one of an adapter. If it throws an error with a `status` (and `retryAfter` in milliseconds),
 *   these are honored
 * @param {PoliteOptions} [options]
 * @returns {import('./model-batches.js').Ask & import('./model-batches.js').ModelFacts}
 * @throws {TypeError | RangeError} for a bad call
 */
export function polite(predict, options = {}) {
  if (typeof predict !== 'function') throw new TypeError(`polite takes the model as a function, not ${show(predict)}`);
  checkNames(options, OPTIONS, 'polite');
  const facts = /** @type {import('./model-batches.js').ModelFacts} */ (predict);
  const { retries = 5, perMinute = Infinity, maxBatch = facts.maxBatch ?? Infinity, cache } = options;
  const { timeout = Infinity, deadline = Infinity, backoff = 500, model = facts.model } = options;
  checkCount(retries, 'retries', 0);
  checkNumber(perMinute, 'perMinute', { above: 0 });
  checkNumber(maxBatch, 'maxBatch', { least: 1 });
  checkNumber(timeout, 'timeout', { above: 0 });
  checkNumber(deadline, 'deadline', { above: 0 });
  checkNumber(backoff, 'backoff', { least: 0 });
  if (cache !== undefined && (typeof cache?.get !== 'function' || typeof cache.set !== 'function'))
    throw new TypeError(`cache must have get and set, such as memoryCache(), not ${show(cache)}`);
  if (model !== undefined && typeof model !== 'string') throw new TypeError(`model must be a name, not ${show(model)}`);
  if (cache && model === undefined && cache.lasting !== false)
    throw new TypeError("a cache that lasts needs the model's name: pass model, and change it if the answers change");
  if (!numbers.has(predict)) numbers.set(predict, models++);
  const asker = new Asker(predict, { retries, perMinute, timeout, deadline, backoff }, Math.floor(maxBatch));
  const name = model ?? `model ${numbers.get(predict)}`;
  /** @type {import('./model-batches.js').Ask} */
  const ask = async (batch, { signal } = {}) => {
    // Only a cache needs keys.
    const keys = cache && (await (await import('./answer-keys.js')).keysOf(batch, name));
    const sheet = new Sheet(batch, cache && keys && { cache, keys });
    await sheet.look();
    const end = performance.now() + deadline;
    for (let part; (part = sheet.missing(asker.most)).length > 0;) {
      signal?.throwIfAborted();
      const scores = await asker.ask(pick(batch, part), part.length, { signal, end });
      if (scores) await sheet.write(part, scores);
    }
    return sheet.answer();
  };
  const { classes, input } = facts;
  return Object.assign(ask, { ...(classes && { classes }), ...(input && { input }), ...(model && { model }) });
}

/** The answers to one batch, from the cache and from the model. */
class Sheet {
  #batch;
  #kept;
  #size;
  /** One answer per sample. @type {(ArrayLike<number> | undefined)[]} */
  #answers;
  #columns = 0;

  /**
   * @param {any} batch
   * @param {{ cache: import('./answer-keys.js').AnswerCache, keys: string[] } | undefined} kept
   */
  constructor(batch, kept) {
    this.#batch = batch;
    this.#kept = kept;
    this.#size = sizeOf(batch);
    this.#answers = new Array(this.#size).fill(undefined);
  }

  /** Takes what the cache has. */
  async look() {
    if (!this.#kept) return;
    const { cache, keys } = this.#kept;
    const found = await cache.get(keys);
    for (const [i, answer] of found.entries()) if (answer) this.#put(i, answer);
  }

  /** @param {number} i @param {ArrayLike<number>} answer */
  #put(i, answer) {
    if (this.#columns && answer.length !== this.#columns)
      throw new RangeError(
        `the cache has ${this.#columns} numbers per sample, but the model gives ${answer.length}; change the model's name`,
      );
    this.#columns = answer.length;
    this.#answers[i] = answer;
  }

  /** The first samples without an answer. @param {number} most @returns {number[]} */
  missing(most) {
    const part = [];
    for (let i = 0; i < this.#size && part.length < most; i++) if (!this.#answers[i]) part.push(i);
    return part;
  }

  /** @param {number[]} part @param {import('./model-batches.js').Scores} scores */
  async write(part, { data, columns }) {
    // JSON has no -0, so no answer has it: a cached answer must have the same bits.
    const rows = part.map((_, i) => Array.from(data.subarray(i * columns, (i + 1) * columns), (score) => score + 0));
    part.forEach((index, i) => this.#put(index, rows[i]));
    if (!this.#kept) return;
    const { cache, keys } = this.#kept;
    await cache.set(part.map((index, i) => [keys[index], rows[i]]));
  }

  answer() {
    const data = new Float64Array(this.#size * this.#columns);
    this.#answers.forEach((answer, i) => data.set(/** @type {ArrayLike<number>} */ (answer), i * this.#columns));
    return { data, shape: [sizeOf(this.#batch), this.#columns] };
  }
}

/** Sends requests, one try after the other, within the limits of the server. */
class Asker {
  #predict;
  #limits;
  /** When the requests of the last minute were sent, by performance.now(). @type {number[]} */
  #sent = [];
  /** No request is sent before this time. */
  #pausedUntil = 0;
  /** The most samples per request. */
  most;

  /**
   * @param {Function} predict
   * @param {{ retries: number, perMinute: number, timeout: number, deadline: number, backoff: number }} limits
   * @param {number} most
   */
  constructor(predict, limits, most) {
    this.#predict = predict;
    this.#limits = limits;
    this.most = most;
  }

  /**
   * Asks until there is an answer.
   *
   * @param {any} part
   * @param {number} size
   * @param {{ signal?: AbortSignal, end: number }} until
   * @returns {Promise<import('./model-batches.js').Scores | undefined>}  undefined if the part is too large for the server
   */
  async ask(part, size, { signal, end }) {
    const { retries, backoff } = this.#limits;
    for (let tries = 1; ; tries++) {
      await this.#turn(signal, end);
      try {
        return readAnswer(await this.#try(part, signal, end), size, 0, 0);
      } catch (error) {
        signal?.throwIfAborted();
        const { status, retryAfter } = /** @type {any} */ (error ?? {});
        if (status === TOO_LARGE && size > 1) {
          this.most = Math.ceil(size / 2);
          return undefined;
        }
        if (tries > retries || !isPassing(error)) throw withTries(error, tries);
        const own = Math.min(MINUTE, backoff * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
        const wait = typeof retryAfter === 'number' ? retryAfter : own;
        const until = performance.now() + wait;
        if (until > end) throw this.#tooLate(error);
        // A server that says when to come back means all requests.
        if (typeof retryAfter === 'number') this.#pausedUntil = Math.max(this.#pausedUntil, until);
        await sleep(wait, signal);
      }
    }
  }

  /** Waits until a request may be sent. @param {AbortSignal | undefined} signal @param {number} end */
  async #turn(signal, end) {
    for (;;) {
      const now = performance.now();
      this.#sent = this.#sent.filter((time) => time > now - MINUTE);
      const full = this.#sent.length >= this.#limits.perMinute;
      const next = Math.max(this.#pausedUntil, full ? this.#sent[0] + MINUTE : 0);
      if (next <= now) break;
      if (next > end) throw this.#tooLate();
      await sleep(next - now, signal);
    }
    this.#sent.push(performance.now());
  }

  /** @param {unknown} [cause] */
  #tooLate(cause) {
    const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
    return new Error(`the model did not answer within the deadline of ${this.#limits.deadline} ms${why}`, { cause });
  }

  /** One request, which ends with the signal, the timeout or the deadline. @param {any} part @param {AbortSignal | undefined} signal @param {number} end */
  async #try(part, signal, end) {
    const { timeout } = this.#limits;
    const stop = new AbortController();
    const left = end - performance.now();
    const late = timeout <= left ? new Error(`the model did not answer within ${timeout} ms`) : this.#tooLate();
    // After the deadline there is no time to retry.
    if (timeout > left) Object.assign(late, { isFinal: true });
    const limit = Math.min(timeout, left);
    const clock = limit <= LONGEST ? setTimeout(() => stop.abort(late), limit) : undefined;
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      return await Promise.race([
        new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason))),
        this.#predict(part, { signal: stop.signal }),
      ]);
    } finally {
      clearTimeout(clock);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/** Whether a failure may pass. @param {any} error */
function isPassing(error) {
  // A wrong number of answers stays wrong.
  if (error instanceof LinexError || error?.isFinal) return false;
  const { status } = error ?? {};
  return !(status >= 400 && status < 500) || [408, 425, 429].includes(status);
}

/** @param {any} error @param {number} tries */
function withTries(error, tries) {
  if (tries === 1) return error;
  const { status } = error ?? {};
  const again = new Error(`${messageOf(error)} (asked ${tries} times)`, { cause: error });
  return status === undefined ? again : Object.assign(again, { status });
}

/** @param {number} milliseconds @param {AbortSignal | undefined} signal @returns {Promise<void>} */
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(clock);
      reject(signal?.reason);
    };
    const clock = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(LONGEST, Math.max(0, milliseconds)),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
