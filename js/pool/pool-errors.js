import { LinexError, show } from '../core/errors.js';

// Structured clone keeps neither a class of ours nor, in every engine, a cause: errors travel as plain data.

/**
 * @typedef {object} PackedError
 * @property {string} [name]
 * @property {string} [message]
 * @property {string} [stack]
 * @property {import('../core/errors.js').ErrorCode} [code]  of a `LinexError`
 * @property {number} [batch]
 * @property {PackedError} [cause]
 * @property {unknown} [value]  where what was thrown is no error
 */

/** Causes of causes are told so far: some errors name themselves as their cause. */
const DEEPEST = 8;

const CLASSES = Object.freeze({ TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError });

/**
 * @param {unknown} error
 * @param {number} [depth]
 * @returns {PackedError}  for `postMessage`
 */
export function packError(error, depth = 0) {
  if (!(error instanceof Error)) return { value: cloneable(error) };
  const { name, message, stack, cause } = error;
  return {
    ...{ name, message: String(message), stack: String(stack) },
    ...(error instanceof LinexError && { code: error.code, batch: error.batch }),
    ...(cause !== undefined && depth < DEEPEST && { cause: packError(cause, depth + 1) }),
  };
}

/** @param {unknown} value */
function cloneable(value) {
  try {
    return structuredClone(value);
  } catch {
    return show(value);
  }
}

/**
 * An error as the worker had it: its class, code, cause and stack.
 *
 * @param {PackedError} packed
 * @param {string} [where]  what its message begins with
 * @returns {unknown}
 */
export function unpackError(packed, where = '') {
  const { name = 'Error', message, stack, code, batch } = packed;
  if (message === undefined) return packed.value;
  const cause = packed.cause && unpackError(packed.cause);
  const words = where + message;
  const details = cause === undefined ? undefined : { cause };
  const Class = CLASSES[/** @type {keyof typeof CLASSES} */ (name)] ?? Error;
  const error = code ? new LinexError(code, words, { batch, cause }) : new Class(words, details);
  if (error.name !== name) error.name = name;
  // Where it happened is worth more than where it was heard of.
  error.stack = stack?.replace(message, words);
  return error;
}
