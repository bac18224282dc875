// Deep freezing of plain data.

/**
 * Freezes plain data, and everything in it.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function freeze(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.isFrozen(value)) return value;
  // A label map is long. If the first item is a number, all items are, and the loop can be skipped.
  if (!(Array.isArray(value) && typeof value[0] === 'number')) Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
