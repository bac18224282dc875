// Starts a worker, in a page or in Node, and follows its life: it opens, takes rows, and ends by itself or by us.
import { LinexError, show } from '../core/errors.js';
import { unpackError } from './pool-errors.js';

/**
 * A web worker, or a worker of Node's `worker_threads`.
 *
 * @typedef {object} AnyWorker
 * @property {(message: any) => void} postMessage
 * @property {() => unknown} terminate
 */

/**
 * How a worker was lost.
 *
 * @typedef {object} Loss
 * @property {import('../core/errors.js').ErrorCode} code
 * @property {string} why
 * @property {unknown} [cause]
 * @property {boolean} [innocent]  whether we ended it for a reason that has nothing to do with its rows
 */

/**
 * Starts a worker with our own script, which imports the model from a URL.
 *
 * @returns {Promise<AnyWorker>}
 */
export async function startWorker() {
  // The URL must be a literal: bundlers recognize it and include the script.
  if (typeof Worker === 'function') return new Worker(new URL('./pool-start.js', import.meta.url), { type: 'module' });
  const { execArgv } = /** @type {any} */ (globalThis).process;
  // A worker that inherits `--input-type` refuses to run a file.
  const hasInputType = execArgv.some((/** @type {string} */ flag) => flag.startsWith('--input-type'));
  const { Worker: Thread } = await importNode('worker_threads');
  return new Thread(new URL('./pool-start.js', import.meta.url), hasInputType ? { execArgv: [] } : {});
}

/** Returns how many threads this process may use. @returns {Promise<number>} */
export async function countCores() {
  const { navigator } = /** @type {any} */ (globalThis);
  return (
    navigator?.hardwareConcurrency ?? ('process' in globalThis ? (await importNode('os')).availableParallelism() : 1)
  );
}

/** @param {string} name */
function importNode(name) {
  // Not a literal, so that bundlers for the browser leave it alone.
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
}

/** How long a worker may take to react to a message, in milliseconds. After that it counts as blocked. */
const GRACE = 1000;
/** The longest time that setTimeout can wait. A longer time counts as no limit. */
const LONGEST = 2 ** 31 - 1;

/**
 * Calls a function if a worker does not react in time. The time is followed by a grace period. A thread that was busy
 * runs its timers before it reads its messages, so without this period it could miss an answer that has arrived.
 *
 * @param {number} milliseconds
 * @param {() => void} onEnd  called after the grace period
 * @param {() => void} [onGrace]  called when the grace period begins
 * @returns {() => void}  stops the clock
 */
export function startClock(milliseconds, onEnd, onGrace) {
  /** @type {any} */
  let timer;
  const wait = (/** @type {number} */ time, /** @type {() => void} */ next) => {
    timer = setTimeout(next, time);
    // The worker keeps Node alive if somebody waits for it; the clock need not.
    timer.unref?.();
  };
  const startGrace = () => {
    wait(GRACE, onEnd);
    onGrace?.();
  };
  if (milliseconds <= LONGEST) wait(milliseconds, startGrace);
  return () => clearTimeout(timer);
}

/**
 * One worker of a pool, with the same interface for web workers and Node's threads. Its states are
 * - `'opening'`: it loads its script and its model;
 * - `'ready'`: it takes rows;
 * - `'stopping'`: it has to stop a call in the middle of a row and has not confirmed it; it takes no rows. It is then
 *   ready again, or ended if it does not react;
 * - `'ended'`: it ended by itself or was ended. What it still sends is ignored.
 */
export class WorkerHandle {
  /** @type {'opening' | 'ready' | 'stopping' | 'ended'} */
  state = 'opening';
  /** Why it could not be opened. @type {{ error: unknown } | undefined} */
  failure;
  /** Resolved when the worker has its model; rejected if it cannot be opened. @type {Promise<void>} */
  opened;
  /** The queues of calls that use the worker, by id. @type {Map<number, import('./worker-queue.js').WorkerQueue>} */
  queues = new Map();
  /** @type {any} */
  #worker;
  /** Whether Node stays alive for the worker. */
  #held = true;
  #stopOpeningClock;
  /** Settle `opened`. */
  #open = () => {};
  #fail = (/** @type {unknown} */ _error) => {};
  /** The clocks of calls that the worker has to stop, by the id of their queue. @type {Map<number, () => void>} */
  #stopping = new Map();
  #onChange;
  /** @type {Promise<unknown> | undefined} */
  #ended;

  /**
   * @param {() => AnyWorker | Promise<AnyWorker>} start
   * @param {object} settings
   * @param {{ wasm?: object, url?: string }} settings.content  wasm: the compiled core; url: of the model's module
   * @param {number} settings.openTimeout  milliseconds
   * @param {Promise<unknown>} [settings.before]  the end of the worker that this one replaces
   * @param {(loss?: Loss) => void} settings.onChange  called when the worker has stopped a call, and if it is lost
   */
  constructor(start, { content, openTimeout, before, onChange }) {
    this.#onChange = onChange;
    this.#ended = before;
    this.opened = new Promise((resolve, reject) => ([this.#open, this.#fail] = [resolve, reject]));
    this.#stopOpeningClock = startClock(openTimeout, () =>
      this.#lose({ code: 'worker', why: `it was not ready within ${openTimeout} ms` }),
    );
    this.#start(start, content).catch((error) => this.#failToOpen(error));
  }

  /**
   * @param {() => AnyWorker | Promise<AnyWorker>} start
   * @param {object} content
   */
  async #start(start, content) {
    // Two copies of a large model may not fit into the memory.
    await this.#ended;
    if (this.state === 'ended') return;
    /** @type {any} */
    const worker = await start();
    this.#worker = worker;
    this.hold(this.#held);
    /** @param {string} why @param {unknown} [error] */
    const stopped = (why, error) =>
      this.#lose({ code: 'worker', why, cause: error instanceof Error ? error : undefined });
    const listeners = {
      message: (/** @type {any} */ message) => this.#receive(message, content),
      error: (/** @type {any} */ error) =>
        stopped(error?.message || (worker.on ? `it threw ${show(error)}` : 'could not load its script'), error),
      messageerror: () => stopped('could not read a message from it'),
      exit: (/** @type {number} */ code) => stopped(`it exited with code ${code}`),
    };
    for (const [name, listener] of Object.entries(listeners))
      if (worker.on) worker.on(name, listener);
      else worker.addEventListener(name, (/** @type {any} */ event) => listener(event.data ?? event));
    // The pool was closed meanwhile, or the function took too long.
    if (/** @type {string} */ (this.state) === 'ended') worker.terminate();
  }

  /**
   * @param {any} message
   * @param {object} content
   */
  #receive(message, content) {
    if (this.state === 'ended') return;
    const on = {
      ready: () => this.post({ type: 'open', ...content }),
      opened: () => this.#becomeReady(),
      failed: () => this.#failToOpen(unpackError(message.error)),
      stopped: () => this.#confirmStop(message.queue),
      closed: () => this.#lose({ code: 'worker', why: 'it closed itself' }),
    };
    const queue = this.queues.get(message?.queue);
    if (queue) queue.receive(message);
    else if (message?.queue === undefined || message.type === 'stopped')
      on[/** @type {keyof typeof on} */ (message?.type)]?.();
  }

  #becomeReady() {
    this.#stopOpeningClock();
    this.state = 'ready';
    this.#open();
  }

  /** @param {unknown} error */
  #failToOpen(error) {
    if (this.state !== 'opening') return;
    this.failure = { error };
    this.end();
    this.#fail(error);
  }

  /** Ends a worker that has stopped by itself or does not react. @param {Loss} loss */
  #lose(loss) {
    const { code, why, cause } = loss;
    if (this.state === 'opening')
      return this.#failToOpen(new LinexError(code, `could not start a worker: ${why}`, { cause }));
    if (this.state === 'ended') return undefined;
    this.end();
    return this.#onChange(loss);
  }

  /** Ends the worker because its model has blocked it. @param {number} timeout  milliseconds that a batch may take */
  blocked(timeout) {
    this.#lose({ code: 'model-timeout', why: `the model did not answer a batch within ${timeout} ms and blocked it` });
  }

  /** The rows that the worker has. */
  get rows() {
    return [...this.queues.values()].flatMap(({ rows }) => rows);
  }

  /** The rows that the worker is explaining, or has explained in the last moment. */
  get begunRows() {
    return [...this.queues.values()].flatMap(({ begunRows }) => begunRows);
  }

  /** @param {object} message */
  post(message) {
    if (this.state !== 'ended') this.#worker.postMessage(message);
  }

  /**
   * Stops a call. A worker that is in the middle of a row must confirm it, because it may be blocked.
   *
   * @param {import('./worker-queue.js').WorkerQueue} queue
   */
  stop({ id, rows }) {
    if (this.state === 'ended' || !this.queues.delete(id)) return;
    this.post({ type: 'stop', queue: id });
    if (rows.length === 0) return;
    this.state = 'stopping';
    const onEnd = () => this.#lose({ code: 'worker', why: 'it was blocked', innocent: true });
    this.#stopping.set(id, startClock(0, onEnd));
  }

  /** @param {number} id */
  #confirmStop(id) {
    this.#stopping.get(id)?.();
    if (!this.#stopping.delete(id) || this.#stopping.size > 0) return;
    this.state = 'ready';
    this.#onChange();
  }

  /** Tells whether Node must stay alive for this worker. An idle pool does not keep the process running. @param {boolean} held */
  hold(held) {
    this.#held = held;
    // Node must wait for the termination itself.
    if (this.state === 'ended') return;
    if (held) this.#worker?.ref?.();
    else this.#worker?.unref?.();
  }

  /** Ends the worker. @returns {Promise<unknown>}  resolved when it and the worker that it replaced have ended */
  end() {
    if (this.state === 'ended') return /** @type {Promise<unknown>} */ (this.#ended);
    this.state = 'ended';
    this.#stopOpeningClock();
    for (const stopClock of this.#stopping.values()) stopClock();
    for (const queue of this.queues.values()) queue.stopClocks();
    this.#ended = Promise.all([this.#ended, this.#worker?.terminate()]).then(() => {});
    return this.#ended;
  }
}
