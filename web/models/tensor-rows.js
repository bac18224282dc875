// Converts an onnxruntime tensor to rows.

/**
 * Returns a copy of a matrix as rows of numbers.
 *
 * @param {{ data: any, dims: readonly number[] }} tensor
 * @returns {number[][]}
 */
export function rowsOf({ data, dims: [count, columns] }) {
  return Array.from({ length: count }, (_, i) => Array.from(data.subarray(i * columns, (i + 1) * columns)));
}
