// Rows as people have them: arrays of values, or objects with one property per column.
import { show } from '../core/errors.js';

/**
 * A row: values in the order of the columns, or an object with one property per column, such as `{ age: 41 }`.
 *
 * @typedef {ArrayLike<unknown> | Readonly<Record<string, unknown>>} Row
 */

/**
 * Whether a row is an object with one property per column, such as `{ age: 41 }`, and not an array.
 *
 * @param {unknown} row
 * @returns {row is Record<string, unknown>}
 */
export function isRecord(row) {
  if (typeof row !== 'object' || row === null || Array.isArray(row) || ArrayBuffer.isView(row)) return false;
  const prototype = Object.getPrototypeOf(row);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Returns the values of a record in the order of the columns. Further properties, such as an id, are passed over.
 *
 * @param {Record<string, unknown>} record
 * @param {readonly string[]} names  of the columns
 * @param {string} at  what errors call the row
 * @returns {unknown[]}
 * @throws {RangeError} naming the column that the record does not have
 */
export function valuesOf(record, names, at) {
  return names.map((name) => {
    if (Object.hasOwn(record, name)) return record[name];
    const found = Object.keys(record).slice(0, 8).map(show).join(', ') || 'none';
    throw new RangeError(`${at} must have the property ${show(name)}, one per column; its properties are ${found}`);
  });
}
