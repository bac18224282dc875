// Packs errors for a message between threads: structured clone loses our classes and, in some engines, the cause.
import { LinexError, show } from '../core/errors.js';

/**
 * @typedef {object} PackedError
 * @property {string} [name]
 * @property {string} [message]
 * @property {string} [stack]
 * @property {import('../core/errors.js').ErrorCode} [code]  only for a `LinexError`
 * @property {number} [batch]
 * @property {PackedError} [cause]
 * @property {unknown} [value]  the thrown value, if it is not an error
 */

/** The chain of causes is cut at this depth, because an error may be its own cause. */
const MAX_DEPTH = 8;

const CLASSES = Object.freeze({ TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError });

/**
 * Turns an error into plain data.
 *
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
    ...(cause !== undefined && depth < MAX_DEPTH && { cause: packError(cause, depth + 1) }),
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
 * Restores an error with the class, code, cause and stack that it had in the worker.
 *
 * @param {PackedError} packed
 * @param {string} [prefix]  put before its message; default none
 * @returns {unknown}
 */
export function unpackError(packed, prefix = '') {
  const { name = 'Error', message, stack, code, batch } = packed;
  if (message === undefined) return packed.value;
  const cause = packed.cause && unpackError(packed.cause);
  const fullMessage = prefix + message;
  const details = cause === undefined ? undefined : { cause };
  const Class = CLASSES[/** @type {keyof typeof CLASSES} */ (name)] ?? Error;
  const error = code ? new LinexError(code, fullMessage, { batch, cause }) : new Class(fullMessage, details);
  if (error.name !== name) error.name = name;
  // The stack in the worker is more useful than the stack of the message handler.
  error.stack = stack?.replace(message, fullMessage);
  return error;
}
