// The library's own error, and how values are shown in error messages.

/**
 * @typedef {'load' | 'file' | 'memory' | 'degenerate' | 'overflow' | 'neighborhood' | 'model-threw' | 'model-answer' |
 *   'model-timeout' | 'worker'} ErrorCode
 */

/**
 * A failure of loading, of the model or of the solver. A bad call throws a `TypeError` or a `RangeError` instead.
 *
 * `code` is one of
 * - `'load'`: a WebAssembly file could not be loaded or compiled, `load()` was not awaited before a synchronous call, or a
 *   worker could not import the model's module;
 * - `'file'`: a file of word vectors is malformed; the message says where;
 * - `'memory'`: the neighborhood does not fit into WebAssembly's memory;
 * - `'degenerate'`: the answered points do not determine the weights, and `ridge` is 0;
 * - `'overflow'`: the answers or other numbers are so large that a result would not be finite;
 * - `'neighborhood'`: your own `neighborhood` threw, or made samples that do not fit;
 * - `'model-threw'`: `predict` threw or rejected; the `cause` is what it threw;
 * - `'model-answer'`: `predict` returned the wrong number or kind of values;
 * - `'model-timeout'`: `predict` did not answer within `timeout` milliseconds;
 * - `'worker'`: a worker of a pool could not be started or ended unexpectedly, or the pool is closed.
 */
export class LinexError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {{ batch?: number, cause?: unknown }} [details]
   */
  constructor(code, message, { batch, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LinexError';
    /** @type {ErrorCode} */
    this.code = code;
    /** The index of the batch in which the model failed. @type {number | undefined} */
    this.batch = batch;
  }
}

/** Whether the answers so far do not determine an explanation. @param {unknown} error */
export const isDegenerate = (error) => error instanceof LinexError && error.code === 'degenerate';

/**
 * Returns a value as error messages show it: short, with quotes around strings, so that `'5'` differs from `5`.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    // Not `value.constructor`: in an object from JSON that may be anything.
    const found = Object.getPrototypeOf(value)?.constructor?.name;
    const name = typeof found === 'string' && found.length < 60 ? found : 'an object';
    const items = /** @type {ArrayLike<unknown>} */ (value);
    return Array.isArray(value) || ArrayBuffer.isView(value) ? `${name} of length ${items.length}` : name;
  } catch {
    // A proxy or a getter threw.
    return 'an object';
  }
}

/**
 * Returns the message of what a caller's function threw, which may be anything.
 *
 * @param {unknown} cause
 * @returns {string}
 */
export function messageOf(cause) {
  try {
    return cause instanceof Error ? `${cause.message}` : show(cause);
  } catch {
    return 'an object';
  }
}
