// Decompresses DEFLATE (RFC 1951): not every environment has DecompressionStream, such as tests with jsdom.

/** The order in which the lengths of the codes of the code lengths are stored. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;

/**
 * The first values of symbols that stand for ranges, and the bits that follow each. A step of `group` symbols has one more bit.
 *
 * @param {number} count
 * @param {number} group
 * @param {number} first
 */
function ranges(count, group, first) {
  const [bits, starts] = [new Uint8Array(count), new Uint16Array(count)];
  for (let i = 0, start = first; i < count; i++) {
    bits[i] = Math.max(0, Math.floor(i / group) - 1);
    starts[i] = start;
    start += 2 ** bits[i];
  }
  return { bits, starts };
}

/**
 * A canonical Huffman code: how many symbols have each length, and the symbols by length.
 *
 * @typedef {{ counts: Uint16Array, symbols: Uint16Array }} Code
 * @param {ArrayLike<number>} lengths  of each symbol; 0 if it is not used
 * @returns {Code}
 */
function codeOf(lengths) {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (let i = 0; i < lengths.length; i++) counts[lengths[i]]++;
  counts[0] = 0;
  const places = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length++) places[length + 1] = places[length] + counts[length];
  const symbols = new Uint16Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) if (lengths[i] > 0) symbols[places[lengths[i]]++] = i;
  return { counts, symbols };
}

/**
 * Decompresses bytes.
 *
 * @param {Uint8Array} input  valid DEFLATE data, without a header
 * @param {number} size  of the result
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {RangeError} if the data has another size
 */
export function inflate(input, size) {
  const output = new Uint8Array(size);
  let [at, held, heldCount, end] = [0, 0, 0, 0];

  /** @param {number} count  up to 16 */
  const read = (count) => {
    while (heldCount < count) {
      held |= input[at++] << heldCount;
      heldCount += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    heldCount -= count;
    return value;
  };

  /** @param {Code} code */
  const readSymbol = ({ counts, symbols }) => {
    for (let length = 1, value = 0, first = 0, place = 0; length <= LONGEST_CODE; length++) {
      value |= read(1);
      const count = counts[length];
      if (value - first < count) return symbols[place + value - first];
      place += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new RangeError('the embedded WebAssembly file is damaged');
  };

  const readStored = () => {
    held = heldCount = 0;
    const length = input[at] | (input[at + 1] << 8);
    output.set(input.subarray(at + 4, at + 4 + length), end);
    at += 4 + length;
    end += length;
  };

  /** The codes of a block that brings its own. */
  const readCodes = () => {
    const [literals, distances, stored] = [read(5) + 257, read(5) + 1, read(4) + 4];
    const lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < stored; i++) lengths[ORDER[i]] = read(3);
    const code = codeOf(lengths.slice(0, 19));
    lengths.fill(0);
    for (let i = 0; i < lengths.length;) {
      const symbol = readSymbol(code);
      if (symbol < 16) lengths[i++] = symbol;
      else {
        const repeated = symbol === 16 ? lengths[i - 1] : 0;
        const count = symbol === 16 ? 3 + read(2) : symbol === 17 ? 3 + read(3) : 11 + read(7);
        lengths.fill(repeated, i, (i += count));
      }
    }
    return [codeOf(lengths.subarray(0, literals)), codeOf(lengths.subarray(literals))];
  };

  const lengthRanges = ranges(29, 4, 3);
  // The last symbol is the longest length by itself.
  [lengthRanges.bits[28], lengthRanges.starts[28]] = [0, 258];
  const distanceRanges = ranges(30, 2, 1);

  /** @param {Code} literal @param {Code} distance */
  const readBlock = (literal, distance) => {
    for (let symbol; (symbol = readSymbol(literal)) !== 256;) {
      if (symbol < 256) output[end++] = symbol;
      else {
        const length = lengthRanges.starts[symbol - 257] + read(lengthRanges.bits[symbol - 257]);
        const far = readSymbol(distance);
        const back = distanceRanges.starts[far] + read(distanceRanges.bits[far]);
        // Byte by byte: what is copied may overlap itself.
        for (const last = end + length; end < last; end++) output[end] = output[end - back];
      }
    }
  };

  const fixed = () => {
    const lengths = new Uint8Array(288).map((_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
    return [codeOf(lengths), codeOf(new Uint8Array(30).fill(5))];
  };
  for (let isLast = 0; !isLast;) {
    isLast = read(1);
    const kind = read(2);
    if (kind === 0) readStored();
    else {
      const [literal, distance] = kind === 1 ? fixed() : readCodes();
      readBlock(literal, distance);
    }
  }
  if (end !== size) throw new RangeError(`the embedded WebAssembly file has ${end} bytes, not ${size}`);
  return output;
}
