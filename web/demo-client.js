/**
 * The page's side of the worker: calls that answer later, tell how far they are, and can be canceled.
 */
export class DemoClient {
  #worker = new Worker(new URL('./demo-worker.js', import.meta.url), { type: 'module' });
  #next = 1;
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
    this.#worker.addEventListener('error', (event) => this.#fail(event.message || 'the worker could not be started'));
  }

  /** @param {string} message */
  #fail(message) {
    for (const { reject } of this.#calls.values()) reject(new Error(message));
    this.#calls.clear();
  }

  /**
   * @param {string} task
   * @param {object} request
   * @param {{ onProgress?: (progress: any) => void }} [how]
   * @returns {{ result: Promise<any>, cancel: () => void }}
   */
  call(task, request, { onProgress } = {}) {
    const id = this.#next++;
    const result = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, onProgress }));
    this.#worker.postMessage({ id, task, ...request });
    return { result, cancel: () => this.#worker.postMessage({ id, cancel: true }) };
  }
}
