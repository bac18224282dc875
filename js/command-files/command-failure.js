// What can go wrong in the command, the exit code of each case, and the one line that says it.
import { LinexError, messageOf } from '../core/errors.js';

/** The exit codes, which the reference documents. */
export const EXIT = Object.freeze({ ok: 0, failed: 1, usage: 2, model: 3, interrupted: 130, terminated: 143 });

/** A failure that is told in one line, with what to do. */
export class CommandFailure extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = EXIT.usage) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

/** What the system calls a file that is missing or closed to us, in plain words. @type {Record<string, string>} */
const FILE_TROUBLE = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not open it',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EFBIG: 'a file may not be so large here',
  EROFS: 'the disk is read-only',
};

/** Whether the model is to blame for an error. @param {unknown} error */
export const isModelError = (error) =>
  error instanceof LinexError &&
  ['load', 'worker', 'model-threw', 'model-answer', 'model-timeout'].includes(error.code);

/**
 * The exit code for an error.
 *
 * @param {unknown} error
 * @returns {number}
 */
export function exitCodeOf(error) {
  if (error instanceof CommandFailure) return error.exitCode;
  if (isModelError(error)) return EXIT.model;
  const { code } = /** @type {any} */ (error ?? {});
  return error instanceof TypeError || error instanceof RangeError || code in FILE_TROUBLE ? EXIT.usage : EXIT.failed;
}

/**
 * One line about an error.
 *
 * @param {any} error
 * @returns {string}
 */
export function lineOf(error) {
  const trouble = FILE_TROUBLE[error?.code];
  const what = error?.path ? `could not open ${error.path}: ${trouble}` : `could not write: ${trouble}`;
  const text = trouble ? what : messageOf(error);
  const advice = isCommonJS(text) ? '; name the file .mjs, or add "type": "module" to package.json' : '';
  return text.replace(/\s*\n\s*/g, ' ').slice(0, 2000) + advice;
}

/** Whether Node has read a module of the user as CommonJS: npm init writes that into package.json. @param {string} text */
const isCommonJS = (text) =>
  /^could not import .*\.js: (Unexpected token 'export'|Cannot use import statement outside a module)/.test(text);
