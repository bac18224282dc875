// Says whether a value is a number format: options of Intl.NumberFormat and a unit.

/**
 * Whether a value says how numbers are written: options of `Intl.NumberFormat`, and a `unit` of any text.
 *
 * @param {any} value
 * @returns {value is Intl.NumberFormatOptions}
 */
export function isNumberFormat(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    const { unit, ...format } = value;
    if (Object.values(value).some((one) => !['string', 'number', 'boolean'].includes(typeof one))) return false;
    void new Intl.NumberFormat('en', format.style === 'unit' ? value : format);
    return unit === undefined || typeof unit === 'string';
  } catch {
    return false;
  }
}
