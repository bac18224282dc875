// Runs long computations of C in slices, so that a page stays responsive and an abort takes effect.
import { checkSignal } from './check-options.js';
import { show } from './errors.js';
import { breathe } from './event-loop.js';

/**
 * @typedef {import('./border.js').Indices} Indices
 * @typedef {import('./border.js').Status} Status
 * @typedef {import('./memory.js').Scope} Scope
 */

/**
 * @typedef {object} AsyncOptions
 * @property {AbortSignal} [signal]
 * @property {(progress: { phase: 'solve', progress: number }) => void} [onProgress]  called between slices; progress: the
 *   share of the work that is done
 */

/** The options of the asynchronous twins of synchronous functions. */
export const ASYNC_OPTIONS = ['signal', 'onProgress'];

/** @param {AsyncOptions} options @returns {AsyncOptions} */
export function readAsyncOptions({ signal, onProgress }) {
  checkSignal(signal);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`onProgress must be a function, not ${show(onProgress)}`);
  return { signal, onProgress };
}

/** LINEX_UNFINISHED of linex_data.h. */
const UNFINISHED = 5;

/** How long one slice should take, in milliseconds. */
const SLICE = 8;

/** The work of the first slice, in multiply-adds: a few milliseconds on a slow machine. */
const FIRST_WORK = 4e6;

/** The most work of what cannot pause, such as a partial explanation, in multiply-adds: about 50 ms. */
export const PROMPT_WORK = 5e7;

/**
 * Runs a task to its end and frees it. Between slices it yields to the event loop and looks at the signal.
 *
 * @param {Scope} scope
 * @param {(task: Indices) => Status} start  calls a C function named `…_start`, which writes the task's address
 * @param {{ signal?: AbortSignal, onSlice?: (progress: number) => void }} [options]  onSlice: called between slices,
 *   with the share of the work that is done
 * @throws {import('./errors.js').LinexError | RangeError}  what `Scope.check` throws, or the signal's reason
 */
export async function runTask(scope, start, { signal, onSlice } = {}) {
  const { core } = scope;
  const task = startTask(scope, start);
  // Learned anew in each task, because a multiply-add does not take equally long in all of them.
  let work = FIRST_WORK;
  try {
    for (;;) {
      const before = performance.now();
      const status = core.linex_task_run(task, work);
      if (status !== UNFINISHED) return scope.check(status);
      // A slice is never more than twice as long as the one before, so that one bad clock reading does no harm.
      work *= Math.min(2, Math.max(0.5, SLICE / Math.max(performance.now() - before, 0.01)));
      onSlice?.(core.linex_task_progress(task));
      await breathe();
      signal?.throwIfAborted();
    }
  } finally {
    core.linex_task_free(task);
  }
}

/**
 * Runs a task at once and frees it.
 *
 * @param {Scope} scope
 * @param {(task: Indices) => Status} start
 * @param {number} [work]  the most that it may do, in multiply-adds
 * @returns {boolean}  whether it has come to its end
 */
export function runTaskNow(scope, start, work = Infinity) {
  const task = startTask(scope, start);
  const status = scope.core.linex_task_run(task, work);
  scope.core.linex_task_free(task);
  if (status === UNFINISHED) return false;
  scope.check(status);
  return true;
}

/** @param {Scope} scope @param {(task: Indices) => Status} start @returns {import('./border.js').TaskHandle} */
function startTask(scope, start) {
  const cell = scope.indices(1);
  scope.check(start(cell));
  return /** @type {any} */ (scope.getIndices(cell, 1)[0]);
}
