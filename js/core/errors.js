/**
 * @typedef {'load' | 'file' | 'memory' | 'degenerate' | 'overflow' | 'neighborhood' | 'model-threw' | 'model-answer' |
 *   'model-timeout' | 'worker'} ErrorCode
 */

/**
 * What the solver or the model did wrong. A bad call is a `TypeError` or a `RangeError` instead.
 *
 * `code` is one of
 * - `'load'`: the WebAssembly file could not be had or compiled, `load()` was not awaited before a synchronous call, or the
 *   model's module could not be imported by a worker;
 * - `'file'`: a file does not hold what it should, and where;
 * - `'memory'`: the neighborhood does not fit into WebAssembly's memory;
 * - `'degenerate'`: the answered points do not determine the weights, and `ridge` is 0;
 * - `'overflow'`: the answers are so large that a number of the explanation is not finite;
 * - `'neighborhood'`: the caller's own neighborhood threw, or made samples that do not fit;
 * - `'model-threw'`: `predict` threw or rejected; what it threw is the `cause`;
 * - `'model-answer'`: `predict` answered with the wrong number or kind of values;
 * - `'model-timeout'`: `predict` did not answer within `timeout` milliseconds;
 * - `'worker'`: a worker of a pool could not be started or ended by itself, or the pool is closed.
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
    /** The batch in which the model failed, counted from 0. @type {number | undefined} */
    this.batch = batch;
  }
}

/**
 * A value as it should stand in an error message: short, and telling apart `'5'` and `5`.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const name = value.constructor?.name ?? 'an object';
  const items = /** @type {ArrayLike<unknown>} */ (value);
  return Array.isArray(value) || ArrayBuffer.isView(value) ? `${name} of length ${items.length}` : name;
}
