// The page's connection to the worker: calls with progress that can be canceled.

/** Sends requests to the demo's worker and matches its answers to them. */
export class WorkerClient {
  #worker = new Worker(new URL('./demo-worker.js', import.meta.url), { type: 'module' });
  #nextId = 1;
  /** @type {Map<number, { resolve: Function, reject: Function, onProgress?: Function }>} */
  #calls = new Map();

  constructor() {
    this.#worker.addEventListener('message', ({ data: { id, progress, result, error } }) => {
      const call = this.#calls.get(id);
      if (!call) return;
      if (progress) return call.onProgress?.(progress);
      this.#calls.delete(id);
      if (error) call.reject(Object.assign(new Error(error.message), error));
      else call.resolve(result);
    });
    this.#worker.addEventListener('error', (event) => this.#fail(event.message || 'could not start the worker'));
  }

  /** @param {string} message */
  #fail(message) {
    for (const { reject } of this.#calls.values()) reject(new Error(message));
    this.#calls.clear();
  }

  /**
   * Starts a task in the worker.
   *
   * @param {string} task
   * @param {object} request
   * @param {{ onProgress?: (progress: any) => void }} [options]
   * @returns {{ result: Promise<any>, cancel: () => void }}
   */
  call(task, request, { onProgress } = {}) {
    const id = this.#nextId++;
    const result = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, onProgress }));
    this.#worker.postMessage({ id, task, ...request });
    return { result, cancel: () => this.#worker.postMessage({ id, cancel: true }) };
  }
}
