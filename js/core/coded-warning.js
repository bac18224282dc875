// A warning: a sentence for people, and a code with numbers for programs.

/**
 * A warning that programs can read and translate. Its numbers and names depend on the code; see the reference.
 *
 * @typedef {{ readonly code: string, readonly [name: string]: string | number | readonly string[] }} WarningCode
 *
 * @typedef {WarningCode & { readonly text: string }} Warning  text: the sentence
 */

/** A number with three digits. @param {number} value */
export const short = (value) => String(Number(value.toPrecision(3)));

/** @param {string} code @param {string} text @param {Record<string, string | number | readonly string[]>} [values] @returns {Warning} */
export const warning = (code, text, values) => /** @type {any} */ ({ code, text, ...values });
