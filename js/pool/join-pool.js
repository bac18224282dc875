// The worker's side of a pool: receives rows, explains them and sends the explanations back.
import { LinexError, show } from '../core/errors.js';
import { load } from '../core/load.js';
import { explainRows } from '../explain/explain-row.js';
import { packError } from './pool-errors.js';

/** @typedef {import('../neighborhood/sampler.js').RowSampler | import('../neighborhood/sampler.js').TextSampler | import('../neighborhood/sampler.js').ImageSampler} AnySampler */

/**
 * The functions of a model. They cannot be sent to a worker, so the worker imports them from a module.
 *
 * @template [Batch=import('../neighborhood/row-neighborhood.js').RowBatch]
 * @typedef {object} PoolModel
 * @property {import('../core/ask-model.js').Predict<Batch>} predict  for rows, or for texts (`string[]`) or images
 * @property {AnySampler | Promise<AnySampler>} [neighborhood]  used by calls that do not name one
 */

/**
 * Compiled WebAssembly modules that only some calls need.
 *
 * @typedef {Partial<Record<'adjust' | 'kriging' | 'masks' | 'wide' | 'data' | 'shapley', WebAssembly.Module>>} Modules
 */

/**
 * What starts a call in a worker.
 *
 * @typedef {object} PoolRequest
 * @property {'rows' | 'texts' | 'images'} kind
 * @property {any} options
 * @property {Modules} modules
 */

/**
 * The connection to the page or thread that opened the pool.
 *
 * @typedef {object} Port
 * @property {(message: object) => void} post
 * @property {(listener: (message: any) => void) => void} listen
 */

/**
 * Each message has a cost, so explanations are sent together: when this many are ready, or this many milliseconds after
 * the last message.
 */
const MAX_PER_MESSAGE = 32;
const MESSAGE_INTERVAL = 16;

/**
 * Makes this worker a member of a pool. Call it in your own worker script, which `openPool` starts, if a bundler has to
 * see the model. Load the model first.
 *
 * @template [Batch=import('../neighborhood/row-neighborhood.js').RowBatch]
 * @param {PoolModel<Batch>} [model]  default: the module at the URL that was passed to `openPool`
 * @returns {Promise<void>}  resolved when the worker listens to the pool
 * @throws {TypeError} if it is not called in a worker
 */
export async function joinPool(model) {
  const port = await portOfWorker();
  /** The running calls, by the id of their queue in the pool. @type {Map<number, WorkerCall>} */
  const calls = new Map();
  /** @type {PoolModel<any> | undefined} */
  let poolModel = model;
  const handlers = {
    /** @param {{ wasm: object, url?: string }} message */
    async open({ wasm, url }) {
      try {
        await loadModules({ wasm });
        poolModel = checkModel(poolModel ?? (await importModel(String(url))));
        port.post({ type: 'opened' });
      } catch (error) {
        port.post({ type: 'failed', error: packError(error) });
      }
    },
    /** @param {PoolRequest & { queue: number, progress: boolean }} message */
    async start({ queue, ...request }) {
      const call = new WorkerCall(port, queue);
      calls.set(queue, call);
      await call.run(/** @type {PoolModel<any>} */ (poolModel), request);
      calls.delete(queue);
    },
    /** @param {{ queue: number, row: unknown }} message */
    row: ({ queue, row }) => calls.get(queue)?.inbox.put(row),
    /** Shows that the worker is not blocked. @param {{ queue: number, batch: number }} message */
    check: ({ queue, batch }) => port.post({ type: 'answered', queue, batch }),
    /** @param {{ queue: number }} message */
    stop({ queue }) {
      calls.get(queue)?.stop();
      // The pool ends a worker that does not say this.
      port.post({ type: 'stopped', queue });
    },
  };
  port.listen((message) => void handlers[/** @type {keyof typeof handlers} */ (message.type)]?.(message));
  // A message that arrives before we listen may be lost, so the pool waits for this one.
  port.post({ type: 'ready' });
}

/** @returns {Promise<Port>} */
async function portOfWorker() {
  const here = /** @type {any} */ (globalThis);
  if (typeof here.WorkerGlobalScope === 'function') {
    const close = here.close.bind(here);
    // Unlike Node, a page is not told that a worker has ended itself.
    here.close = () => {
      here.postMessage({ type: 'closed' });
      close();
    };
    return {
      post: (message) => here.postMessage(message),
      listen: (listener) => here.addEventListener('message', (/** @type {any} */ { data }) => listener(data)),
    };
  }
  // Not a literal, so that bundlers for the browser leave it alone.
  const threads = 'node:worker_threads';
  const port = here.process ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ threads)).parentPort : null;
  if (!port) throw new TypeError('joinPool must be called in a worker');
  return { post: (message) => port.postMessage(message), listen: (listener) => port.on('message', listener) };
}

/**
 * Uses modules that the pool has compiled, so that workers do not compile them again.
 *
 * @param {Modules & { wasm?: object }} modules
 */
async function loadModules(modules) {
  for (const [name, module] of Object.entries(modules))
    try {
      await load({ [name]: module });
    } catch (error) {
      // The model's module has already loaded this file; that copy gives the same results.
      if (!(error instanceof LinexError)) throw error;
    }
}

/** @param {string} url */
async function importModel(url) {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ url);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : show(cause);
    throw new LinexError('load', `could not import the model's module ${url}: ${why}`, { cause });
  }
}

/**
 * @param {any} model
 * @returns {PoolModel<any>}
 */
function checkModel(model) {
  if (typeof model?.predict === 'function') return model;
  throw new TypeError(`the model's module must export a function predict, not ${show(model?.predict)}`);
}

/**
 * Loads what explains many texts or images. Most pools explain rows, and do not need it.
 *
 * @param {'texts' | 'images'} kind
 * @returns {Promise<(items: any, predict: any, options: any) => AsyncIterable<unknown>>}
 */
async function explainerOf(kind) {
  const { explainEach } = await import('../explain/explain-each.js');
  /** @type {(item: any, predict: any, options: any) => Promise<unknown>} */
  const explain =
    kind === 'texts'
      ? (await import('../explain/explain-text.js')).explainText
      : (await import('../explain/explain-image.js')).explainImage;
  return (items, predict, options) => explainEach(items, (item, one) => explain(item, predict, one), options);
}

/** The rows that have arrived, as an async iterator. */
class RowInbox {
  /** @type {unknown[]} */
  #rows = [];
  #wake = () => {};
  /** Whether reading has begun. From then on the options are checked, and an error concerns a row. */
  opened = false;

  get empty() {
    return this.#rows.length === 0;
  }

  /** @param {unknown} row */
  put(row) {
    this.#rows.push(row);
    this.#wake();
  }

  /** @returns {Promise<{ done: false, value: any }>}  never ends; the call is stopped by its signal */
  async next() {
    this.opened = true;
    while (this.empty) await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    return { done: false, value: this.#rows.shift() };
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

/** The rows of one call that this worker explains. */
class WorkerCall {
  inbox = new RowInbox();
  #controller = new AbortController();
  #port;
  #queue;
  /** How many batches the model was asked about. */
  #batches = 0;
  /** Explanations that have not been sent yet. @type {unknown[]} */
  #ready = [];
  /** When the last message was sent. */
  #sentAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {Port} port
   * @param {number} queue  the id of the pool's queue
   */
  constructor(port, queue) {
    this.#port = port;
    this.#queue = queue;
  }

  stop() {
    this.#controller.abort();
  }

  /**
   * @param {PoolModel<any>} model
   * @param {PoolRequest & { progress: boolean }} call
   */
  async run({ predict, neighborhood }, { kind, options, modules, progress }) {
    const { signal } = this.#controller;
    const defaultNeighborhood = options.method === 'shap' ? undefined : neighborhood;
    const onProgress = (/** @type {import('../explain/plan.js').Progress} */ { asked, planned, phase, row }) =>
      this.#post({ type: 'progress', progress: { asked, planned, phase, row } });
    try {
      await loadModules(modules);
      const allOptions = { neighborhood: defaultNeighborhood, ...options, signal, ...(progress && { onProgress }) };
      const ask = options.timeout === undefined ? predict : this.#timed(predict);
      const explainAll = kind === 'rows' ? explainRows : await explainerOf(kind);
      for await (const explanation of explainAll(this.inbox, ask, allOptions)) this.#add(explanation);
    } catch (error) {
      this.#send();
      // The pool does not wait for a call that it has stopped.
      if (!signal.aborted) this.#post({ type: 'failed', error: packError(error), inRow: this.inbox.opened });
    }
  }

  /**
   * Tells the pool when the model is asked and when it has answered. If the model never gives way, the clock of this worker
   * stands still, but that of the pool does not.
   *
   * @param {PoolModel<any>['predict']} predict
   * @returns {PoolModel<any>['predict']}
   */
  #timed(predict) {
    /** @type {PoolModel['predict']} */
    const timed = (samples, context) => {
      const batch = this.#batches++;
      // If this batch blocks the worker, the rows before it are not lost.
      this.#send();
      this.#post({ type: 'asking', batch });
      const onAnswer = () => this.#post({ type: 'answered', batch });
      const answer = Promise.resolve(predict(samples, context));
      answer.then(onAnswer, onAnswer);
      return answer;
    };
    // What the model tells about itself.
    return Object.assign(timed, predict);
  }

  /** @param {object} message */
  #post(message) {
    this.#port.post({ queue: this.#queue, ...message });
  }

  /** @param {unknown} explanation  or the error, with `errors: 'yield'` */
  #add(explanation) {
    this.#ready.push(explanation instanceof Error ? { failure: packError(explanation) } : explanation);
    const late = performance.now() - this.#sentAt > MESSAGE_INTERVAL;
    if (late || this.inbox.empty || this.#ready.length >= MAX_PER_MESSAGE) this.#send();
    // The next row may take long or never finish.
    else this.#timer ??= setTimeout(() => this.#send(), MESSAGE_INTERVAL);
  }

  #send() {
    if (this.#ready.length > 0) this.#post({ type: 'explained', explanations: this.#ready });
    this.#ready = [];
    this.#sentAt = performance.now();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
