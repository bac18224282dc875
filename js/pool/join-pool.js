import { LinexError, show } from '../core/errors.js';
import { load } from '../core/load.js';
import { packError } from './pool-errors.js';
import { explainRows } from '../explain/explain-row.js';

/**
 * What cannot go to a worker by message, and so comes from a module there.
 *
 * @typedef {object} PoolModel
 * @property {import('../explain/explain-row.js').PredictRows} predict
 * @property {import('../neighborhood/sampler.js').RowSampler | Promise<import('../neighborhood/sampler.js').RowSampler>} [neighborhood]  taken
 *   by calls that do not name one
 */

/**
 * Compiled WebAssembly modules that only some calls need.
 *
 * @typedef {{ data?: WebAssembly.Module, shapley?: WebAssembly.Module }} Modules
 */

/**
 * The other end of the line: the page, or the thread that opened the pool.
 *
 * @typedef {object} Port
 * @property {(message: object) => void} post
 * @property {(listener: (message: any) => void) => void} listen
 */

/** Explanations are sent when so many are ready, or so many milliseconds after the last: messages cost too. */
const MANY = 32;
const SOON = 16;

/**
 * Makes this worker one of a pool: for scripts of your own that `openPool` starts as workers, where a bundler has to see
 * the model. Call it once the model is there.
 *
 * @param {PoolModel} [model]  default: the module that the pool names
 * @returns {Promise<void>}  when the pool may begin
 * @throws {TypeError} if this is no worker
 */
export async function joinPool(model) {
  const port = await portOfWorker();
  /** By number, the calls that are under way. @type {Map<number, Run>} */
  const runs = new Map();
  let joined = model;
  const does = {
    /** @param {{ wasm: object, address?: string }} message */
    async open({ wasm, address }) {
      try {
        await take({ wasm });
        joined = checkModel(joined ?? (await importModel(String(address))));
        port.post({ type: 'opened' });
      } catch (error) {
        port.post({ type: 'failed', error: packError(error) });
      }
    },
    /** @param {{ run: number, options: any, modules: Modules, progress: boolean }} message */
    async start({ run, options, modules, progress }) {
      const begun = new Run(port, run);
      runs.set(run, begun);
      await begun.work(/** @type {PoolModel} */ (joined), { options, modules, progress });
      runs.delete(run);
    },
    /** @param {{ run: number, row: unknown }} message */
    row: ({ run, row }) => runs.get(run)?.inbox.put(row),
    /** @param {{ run: number }} message */
    stop: ({ run }) => runs.get(run)?.stop(),
  };
  port.listen((message) => void does[/** @type {keyof typeof does} */ (message.type)]?.(message));
  // What is sent before anyone listens may be lost: the pool waits for this.
  port.post({ type: 'ready' });
}

/** @returns {Promise<Port>} */
async function portOfWorker() {
  const here = /** @type {any} */ (globalThis);
  if (typeof here.WorkerGlobalScope === 'function')
    return {
      post: (message) => here.postMessage(message),
      listen: (listener) => here.addEventListener('message', (/** @type {any} */ { data }) => listener(data)),
    };
  // Not a literal: bundlers for the browser must leave this alone.
  const threads = 'node:worker_threads';
  const port = here.process ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ threads)).parentPort : null;
  if (!port) throw new TypeError('joinPool is for workers, and this is none');
  return { post: (message) => port.postMessage(message), listen: (listener) => port.on('message', listener) };
}

/**
 * Takes the compiled module, so that no worker compiles it again.
 *
 * @param {Modules & { wasm?: object }} modules
 */
async function take(modules) {
  try {
    await load(modules);
  } catch (error) {
    // The model's own module has loaded it already: that one explains the same.
    if (!(error instanceof LinexError)) throw error;
  }
}

/** @param {string} address */
async function importModel(address) {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : show(cause);
    throw new LinexError('load', `the model's module ${address} cannot be imported: ${why}`, { cause });
  }
}

/**
 * @param {any} model
 * @returns {PoolModel}
 */
function checkModel(model) {
  if (typeof model?.predict === 'function') return model;
  throw new TypeError(`the model's module must export a function predict, not ${show(model?.predict)}`);
}

/** Rows as they come in, to be read one by one. */
class Inbox {
  /** @type {unknown[]} */
  #rows = [];
  #wake = () => {};
  /** Whether anyone has read: all about the call is checked then. */
  opened = false;

  get empty() {
    return this.#rows.length === 0;
  }

  /** @param {unknown} row */
  put(row) {
    this.#rows.push(row);
    this.#wake();
  }

  /** @returns {Promise<{ done: false, value: any }>}  there is no end but being stopped */
  async next() {
    this.opened = true;
    while (this.empty) await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    return { done: false, value: this.#rows.shift() };
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

/** One call's share of rows. */
class Run {
  inbox = new Inbox();
  #controller = new AbortController();
  #port;
  #run;
  /** Explanations that are not sent yet. @type {unknown[]} */
  #ready = [];
  /** When the last were. */
  #sent = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;

  /**
   * @param {Port} port
   * @param {number} run
   */
  constructor(port, run) {
    this.#port = port;
    this.#run = run;
  }

  stop() {
    this.#controller.abort();
  }

  /**
   * @param {PoolModel} model
   * @param {{ options: any, modules: Modules, progress: boolean }} call
   */
  async work({ predict, neighborhood }, { options, modules, progress }) {
    const { signal } = this.#controller;
    const own = options.method === 'shap' ? undefined : neighborhood;
    const onProgress = (/** @type {import('../explain/plan.js').Progress} */ { asked, planned, phase, row }) =>
      this.#post({ type: 'progress', progress: { asked, planned, phase, row } });
    try {
      await take(modules);
      const all = { neighborhood: own, ...options, signal, ...(progress && { onProgress }) };
      for await (const explanation of explainRows(this.inbox, predict, all)) this.#hand(explanation);
    } catch (error) {
      this.#send();
      // Nobody waits for a call that was stopped.
      if (!signal.aborted) this.#post({ type: 'failed', error: packError(error), begun: this.inbox.opened });
    }
  }

  /** @param {object} message */
  #post(message) {
    this.#port.post({ run: this.#run, ...message });
  }

  /** @param {unknown} explanation */
  #hand(explanation) {
    this.#ready.push(explanation);
    const late = performance.now() - this.#sent > SOON;
    if (late || this.inbox.empty || this.#ready.length >= MANY) this.#send();
    // The next row may take long, or forever.
    else this.#clock ??= setTimeout(() => this.#send(), SOON);
  }

  #send() {
    if (this.#ready.length > 0) this.#post({ type: 'explained', explanations: this.#ready });
    this.#ready = [];
    this.#sent = performance.now();
    clearTimeout(this.#clock);
    this.#clock = undefined;
  }
}
