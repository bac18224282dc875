// Joins identical rows or masks, so that the model is asked about each once.

/**
 * @typedef {import('../core/memory.js').Scope} Scope
 * @typedef {import('../core/border.js').Doubles} Doubles
 */

/**
 * Joins identical rows in place.
 *
 * @param {Scope} scope
 * @param {Doubles | import('../core/border.js').Bytes} rows
 * @param {number} count
 * @param {number} bytes  per row
 * @returns {{ distinct: number, pointOf: Uint32Array }}  pointOf: for each row, the index of the distinct row
 */
export function mergeRows(scope, rows, count, bytes) {
  const [pointOf, distinct] = [scope.indices(count), scope.indices(1)];
  scope.check(scope.core.linex_rows_merge(count, bytes, rows, pointOf, distinct));
  return { distinct: scope.getIndices(distinct, 1)[0], pointOf: scope.getIndices(pointOf, count) };
}
