import { LinexError } from '../core/errors.js';
import { unpackError } from './pool-errors.js';

/**
 * A worker of a page, or of Node's `worker_threads`.
 *
 * @typedef {object} AnyWorker
 * @property {(message: any) => void} postMessage
 * @property {() => unknown} terminate
 */

/**
 * A worker of our own script, which imports the model from an address.
 *
 * @returns {Promise<AnyWorker>}
 */
export async function startWorker() {
  // A literal: bundlers recognize it and bring the script along.
  if (typeof Worker === 'function') return new Worker(new URL('./pool-start.js', import.meta.url), { type: 'module' });
  const { execArgv } = /** @type {any} */ (globalThis).process;
  // With `node --input-type=module -e …` a worker would refuse a file.
  const fresh = execArgv.some((/** @type {string} */ flag) => flag.startsWith('--input-type'));
  const { Worker: Thread } = await importNode('worker_threads');
  return new Thread(new URL('./pool-start.js', import.meta.url), fresh ? { execArgv: [] } : {});
}

/** How many threads this machine has for us. @returns {Promise<number>} */
export async function countCores() {
  const { navigator } = /** @type {any} */ (globalThis);
  return (
    navigator?.hardwareConcurrency ?? ('process' in globalThis ? (await importNode('os')).availableParallelism() : 1)
  );
}

/** @param {string} name */
function importNode(name) {
  // Not a literal: bundlers for the browser must leave this alone.
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
}

/** One worker of a pool, whichever kind it is. */
export class Member {
  /** @type {any} */
  #worker;
  #over = false;
  /** Answers that are waited for. */
  #awaited = 0;
  /** Those who wait for messages of their call, by its number. @type {Map<number, (message: any) => void>} */
  #calls = new Map();
  /** Of the opening. @type {(message: any) => void} */
  #answer = () => {};
  /** Why it ended by itself, if it did. @type {string | undefined} */
  #ended;
  /** @type {(why: string) => void} */
  #onEnd = () => {};

  /** @param {AnyWorker} worker */
  constructor(worker) {
    this.#worker = worker;
    const hear = (/** @type {any} */ message) => (this.#calls.get(message?.run) ?? this.#answer)(message);
    const end = (/** @type {string} */ why) => {
      this.#ended ??= why;
      if (!this.#over) this.#onEnd(why);
    };
    const heard = {
      message: hear,
      error: (/** @type {any} */ error) => end(error?.message || 'its script cannot be loaded'),
      messageerror: () => end('a message of it cannot be read'),
      exit: (/** @type {number} */ code) => end(`it left with code ${code}`),
    };
    for (const [name, listener] of Object.entries(heard))
      if (this.#worker.on) this.#worker.on(name, listener);
      else this.#worker.addEventListener(name, (/** @type {any} */ event) => listener(event.data ?? event));
  }

  /**
   * Hands it what it needs, and waits until it has its model.
   *
   * @param {{ wasm?: object, address?: string }} what
   * @returns {Promise<void>}
   * @throws what it met
   */
  async open(what) {
    await new Promise((resolve, reject) => {
      this.whenEnded((why) => reject(new LinexError('worker', `a worker could not be started: ${why}`)));
      const on = {
        ready: () => this.post({ type: 'open', ...what }),
        opened: () => resolve(undefined),
        failed: (/** @type {any} */ { error }) => reject(unpackError(error)),
      };
      this.#answer = (message) => on[/** @type {keyof typeof on} */ (message?.type)]?.(message);
    });
    this.#worker.unref?.();
  }

  /** @param {(why: string) => void} listener  told if the worker ends, or has ended, by itself */
  whenEnded(listener) {
    this.#onEnd = listener;
    if (this.#ended !== undefined) listener(this.#ended);
  }

  /** @param {object} message */
  post(message) {
    this.#worker.postMessage(message);
  }

  /**
   * @param {number} run
   * @param {((message: any) => void) | undefined} listener  undefined: nobody listens any more
   */
  listen(run, listener) {
    if (listener) this.#calls.set(run, listener);
    else this.#calls.delete(run);
  }

  /**
   * Node waits for a worker that has something to answer, and for no other: a pool that nobody closed does not keep it.
   *
   * @param {number} more  answers that are waited for, or no longer if it is below 0
   */
  expect(more) {
    this.#awaited += more;
    // One that is being ended is waited for.
    if (this.#over) return;
    if (this.#awaited > 0) this.#worker.ref?.();
    else this.#worker.unref?.();
  }

  /** @returns {unknown}  to be awaited */
  end() {
    this.#over = true;
    return this.#worker.terminate();
  }
}
