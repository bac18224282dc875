/**
 * Freezes plain data through and through.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function freeze(value) {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
