// Splits a line of a text file of word vectors into its word and its numbers.
const [SPACE, TAB, RETURN] = [32, 9, 13];
/** The powers of ten that a double represents exactly. */
const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** A number in a file. `Number` accepts more than this. */
export const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Decodes each byte as one character: for ASCII, and for showing other bytes in errors. @param {Uint8Array} bytes */
export function latin(bytes) {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/**
 * Counts the numbers at the end of a line, with at least one part left for the word.
 *
 * @param {Uint8Array} line
 */
export function numbersAtEnd(line) {
  const parts = latin(line)
    .split(/[ \t\r]+/)
    .filter(Boolean);
  const lastOther = parts.findLastIndex((part) => !NUMBER.test(part));
  return Math.min(parts.length - 1 - lastOther, Math.max(parts.length - 1, 0));
}

/** @param {number} byte */
export const isBlank = (byte) => byte === SPACE || byte === TAB || byte === RETURN;

/**
 * Splits a line into its word and its numbers, from the right, because a word may have spaces.
 *
 * @param {Uint8Array} line
 * @param {number} dimensions
 * @param {Float32Array} into
 * @returns {{ word: Uint8Array, values: number, bad?: Uint8Array }}  values: how many numbers were found, at most
 *   `dimensions`; bad: the part that should be a number and is not
 */
export function splitLine(line, dimensions, into) {
  let end = line.length;
  for (let i = dimensions; i > 0; i--) {
    while (end > 0 && isBlank(line[end - 1])) end--;
    let start = end;
    while (start > 0 && !isBlank(line[start - 1])) start--;
    // At least one part is the word.
    if (start === 0) return { word: line.subarray(0, end), values: dimensions - i };
    into[i - 1] = parseNumber(line, start, end);
    if (!Number.isFinite(into[i - 1])) return { word: line, values: dimensions - i, bad: line.subarray(start, end) };
    end = start;
  }
  let first = 0;
  while (end > 0 && isBlank(line[end - 1])) end--;
  while (first < end && isBlank(line[first])) first++;
  return { word: line.subarray(first, end), values: dimensions };
}

/**
 * Parses a decimal number; NaN if it is not one. With up to 15 digits, which nearly all numbers in such files have, the
 * quotient of two exact numbers is correctly rounded, and several times faster than parsing a string.
 *
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
function parseNumber(bytes, start, end) {
  let [at, digits, fraction, point, whole] = [start, 0, 0, false, 0];
  const negative = bytes[at] === 45;
  if (negative || bytes[at] === 43) at++;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte >= 48 && byte <= 57) {
      whole = whole * 10 + byte - 48;
      digits++;
      if (point) fraction++;
    } else if (byte === 46 && !point) point = true;
    else break;
  }
  if (at === end && digits > 0 && digits <= 15) {
    const value = whole / POWERS[fraction];
    return negative ? -value : value;
  }
  const text = latin(bytes.subarray(start, end));
  return NUMBER.test(text) ? Number(text) : NaN;
}
