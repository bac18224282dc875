/**
 * Explains applicants in several workers. Whoever is free takes the next: the order of the work depends on chance, the
 * explanations do not.
 *
 * @param {readonly number[]} indices
 * @param {object} options
 * @param {number} options.workers  how many
 * @param {AbortSignal} options.signal
 * @param {boolean} [options.down]
 * @param {(index: number, explanation: any) => void} options.onResult
 * @returns {Promise<void>}
 * @throws {Error}  in words, what a worker has met; the signal's reason. No worker outlives either.
 */
export async function explainInWorkers(indices, { workers, signal, down = false, onResult }) {
  const waiting = [...indices];
  const pool = Array.from(
    { length: Math.min(workers, indices.length) },
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
  );
  try {
    await new Promise((resolve, reject) => {
      let left = indices.length;
      if (left === 0) resolve(undefined);
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      for (const worker of pool) {
        worker.addEventListener('error', () => reject(new Error('A worker could not be started.')));
        worker.addEventListener('message', ({ data: { index, explanation, error } }) => {
          if (error) return reject(new Error(error));
          if (explanation) {
            onResult(index, explanation);
            left -= 1;
          }
          if (left === 0) resolve(undefined);
          else if (waiting.length > 0) worker.postMessage({ index: waiting.shift(), down });
          return undefined;
        });
      }
    });
  } finally {
    for (const worker of pool) worker.terminate();
  }
}
