// Starts a worker, in a page or in Node, and wraps its messages and its end.
import { LinexError } from '../core/errors.js';
import { unpackError } from './pool-errors.js';

/**
 * A web worker, or a worker of Node's `worker_threads`.
 *
 * @typedef {object} AnyWorker
 * @property {(message: any) => void} postMessage
 * @property {() => unknown} terminate
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

/** One worker of a pool, with the same interface for web workers and Node's threads. */
export class WorkerHandle {
  /** @type {any} */
  #worker;
  /** Whether we have ended the worker. */
  #terminated = false;
  /** How many answers are expected. */
  #awaited = 0;
  /** The listeners for messages of a call, by its id. @type {Map<number, (message: any) => void>} */
  #calls = new Map();
  /** The listener for messages of no call, which occur only while the worker opens. @type {(message: any) => void} */
  #onOpening = () => {};
  /** Why the worker stopped by itself, if it did. @type {string | undefined} */
  #stopReason;
  /** @type {(why: string) => void} */
  #onStop = () => {};

  /** @param {AnyWorker} worker */
  constructor(worker) {
    this.#worker = worker;
    const receive = (/** @type {any} */ message) => (this.#calls.get(message?.callId) ?? this.#onOpening)(message);
    const stopped = (/** @type {string} */ why) => {
      this.#stopReason ??= why;
      if (!this.#terminated) this.#onStop(why);
    };
    const listeners = {
      message: receive,
      error: (/** @type {any} */ error) => stopped(error?.message || 'could not load its script'),
      messageerror: () => stopped('could not read a message from it'),
      exit: (/** @type {number} */ code) => stopped(`it exited with code ${code}`),
    };
    for (const [name, listener] of Object.entries(listeners))
      if (this.#worker.on) this.#worker.on(name, listener);
      else this.#worker.addEventListener(name, (/** @type {any} */ event) => listener(event.data ?? event));
  }

  /**
   * Sends the worker what it needs, and waits until it has its model.
   *
   * @param {{ wasm?: object, url?: string }} content  wasm: the compiled core; url: of the model's module
   * @returns {Promise<void>}
   * @throws the error that the worker reported; `LinexError` `'worker'` if it stops
   */
  async open(content) {
    await new Promise((resolve, reject) => {
      this.whenStopped((why) => reject(new LinexError('worker', `could not start a worker: ${why}`)));
      const on = {
        ready: () => this.post({ type: 'open', ...content }),
        opened: () => resolve(undefined),
        failed: (/** @type {any} */ { error }) => reject(unpackError(error)),
      };
      this.#onOpening = (message) => on[/** @type {keyof typeof on} */ (message?.type)]?.(message);
    });
    this.#worker.unref?.();
  }

  /** @param {(why: string) => void} listener  called if the worker stops by itself, or already has */
  whenStopped(listener) {
    this.#onStop = listener;
    if (this.#stopReason !== undefined) listener(this.#stopReason);
  }

  /** @param {object} message */
  post(message) {
    this.#worker.postMessage(message);
  }

  /**
   * @param {number} callId
   * @param {((message: any) => void) | undefined} listener  undefined removes the listener
   */
  listen(callId, listener) {
    if (listener) this.#calls.set(callId, listener);
    else this.#calls.delete(callId);
  }

  /**
   * Changes how many answers are expected. Node stays alive only while answers are expected, so an idle pool that was
   * not closed does not keep the process running.
   *
   * @param {number} change  positive: more answers are expected; negative: fewer
   */
  expect(change) {
    this.#awaited += change;
    // Node must wait for the termination itself.
    if (this.#terminated) return;
    if (this.#awaited > 0) this.#worker.ref?.();
    else this.#worker.unref?.();
  }

  /** Ends the worker. @returns {unknown}  to be awaited */
  terminate() {
    this.#terminated = true;
    return this.#worker.terminate();
  }
}
