// Reads files of word vectors: word2vec's text and binary formats, GloVe's, and fastText's .vec.
import { LinexError, show } from '../core/errors.js';
import { ByteQueue, chunksOf } from './byte-source.js';
import { isBlank, latin, NUMBER, numbersAtEnd, splitLine } from './vector-lines.js';

/** @typedef {'word2vec' | 'word2vec-binary' | 'glove' | 'fasttext'} WordFormat */

/**
 * Takes one word after the other. Returns false to stop reading.
 *
 * @typedef {(word: string, values: Float32Array) => boolean} TakeWord
 */

/** @type {readonly WordFormat[]} */
export const WORD_FORMATS = ['word2vec', 'word2vec-binary', 'glove', 'fasttext'];

const [SPACE, TAB, LINE_FEED, RETURN] = [32, 9, 10, 13];
/** Made on first use: jest with jsdom has no TextDecoder. @type {TextDecoder | undefined} */
let decoder;
const utf8 = () => (decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));
/** The format is found from this many bytes at the start of the file. */
const HEAD = 1 << 16;
/** The most bytes in a line, so that a file without line breaks is not read into memory. */
const LONGEST_LINE = 1 << 20;
/** The most bytes in a word. */
const LONGEST_WORD = 1 << 12;
const MOST_DIMENSIONS = 65536;
/** Without a header, the dimensions are found from this many lines. */
const FIRST_LINES = 100;
/** @param {string} message */
const badFile = (message) => new LinexError('file', message);

/**
 * First bytes of other kinds of files, and what to do with them.
 *
 * @type {readonly [number[], string][]}
 */
const OTHER_FILES = [
  [
    [0x1f, 0x8b],
    "it is gzip-compressed; decompress it first, for example with pipeThrough(new DecompressionStream('gzip'))",
  ],
  [[0x50, 0x4b, 0x03, 0x04], 'it is a zip archive; unpack it first'],
  [[0x42, 0x5a, 0x68], 'it is bzip2-compressed; decompress it first'],
  [[0xba, 0x16, 0x4f, 0x2f], 'it is a fastText model; use the .vec file instead'],
  [[0xff, 0xfe], 'it is UTF-16, not UTF-8'],
  [[0xfe, 0xff], 'it is UTF-16, not UTF-8'],
];

/**
 * Reads a file of word vectors, one chunk at a time.
 *
 * @param {import('./byte-source.js').ByteSource} source
 * @param {WordFormat | 'auto'} format
 * @param {(about: { format: WordFormat, dimensions: number }) => TakeWord} begin  called when the format is known
 * @param {AbortSignal} [signal]
 * @throws {LinexError} `'file'` with the line or word that is wrong, and what was expected
 */
export async function readWordFile(source, format, begin, signal) {
  const bytes = new ByteQueue(chunksOf(source, signal));
  try {
    let whole = false;
    while (!whole && (bytes.length < HEAD || (bytes.find(LINE_FEED) < 0 && bytes.length < LONGEST_LINE)))
      whole = !(await bytes.more());
    const about = inspect(bytes.peek(LONGEST_LINE), whole, format);
    const take = begin(about);
    bytes.drop(about.start);
    await (about.format === 'word2vec-binary' ? readBinary(bytes, about, take) : readText(bytes, about, take));
  } finally {
    await bytes.close();
  }
}

/**
 * @typedef {object} About
 * @property {WordFormat} format
 * @property {number} dimensions
 * @property {number | undefined} promised  the number of words in the header
 * @property {number} start  the offset of the first word
 */

/**
 * Finds the format and the dimensions from the start of a file.
 *
 * @param {Uint8Array} head
 * @param {boolean} whole  whether `head` is the whole file
 * @param {WordFormat | 'auto'} format
 * @returns {About}
 */
function inspect(head, whole, format) {
  refuseOtherFiles(head);
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const text = head.subarray(mark);
  const end = text.indexOf(LINE_FEED);
  const first = latin(text.subarray(0, end < 0 ? Math.min(text.length, 100) : end)).trim();
  const header = /^(\d+)[ \t]+(\d+)$/.exec(first);
  if (format === 'glove' || (format === 'auto' && !header))
    return { format: 'glove', dimensions: countDimensions(text, whole), promised: undefined, start: mark };
  if (!header)
    throw badFile(
      `line 1 of a ${format} file must be a header with two numbers, words and dimensions, not ${show(first)}`,
    );
  const [promised, dimensions] = [Number(header[1]), Number(header[2])];
  if (dimensions < 1 || dimensions > MOST_DIMENSIONS)
    throw badFile(`the header ${show(first)} must have 1 to ${MOST_DIMENSIONS} dimensions, not ${header[2]}`);
  if (promised < 1) throw badFile(`the header ${show(first)} must have at least 1 word, not 0`);
  const body = text.subarray(end < 0 ? text.length : end + 1);
  const found = format !== 'auto' ? format : looksBinary(body, dimensions) ? 'word2vec-binary' : 'word2vec';
  return { format: found, dimensions, promised, start: head.length - body.length };
}

/** @param {Uint8Array} head */
function refuseOtherFiles(head) {
  if (head.length === 0) throw badFile('the file of word vectors is empty');
  const other = OTHER_FILES.find(([start]) => start.every((byte, i) => head[i] === byte));
  if (other) throw badFile(`this is not a file of word vectors: ${other[1]}`);
  if (/^\s*<(!doctype|html)\b/i.test(latin(head.subarray(0, 100))))
    throw badFile('this is not a file of word vectors: it is a web page');
}

/**
 * Whether the body after a header is binary: its first line is not a word with the right number of numbers, and it has
 * bytes that no text has.
 *
 * @param {Uint8Array} body
 * @param {number} dimensions
 */
function looksBinary(body, dimensions) {
  const end = body.indexOf(LINE_FEED);
  const line = body.subarray(0, end < 0 ? body.length : end);
  if (splitLine(line, dimensions, new Float32Array(dimensions)).values === dimensions) return false;
  if (body.some((byte) => byte < TAB)) return true;
  try {
    // The head may end within a character, which is no error for a stream.
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/**
 * Finds the dimensions of a file without a header: the number of numbers that most of the first lines have. The first line
 * is not enough, because its word may have spaces or end in a number.
 *
 * @param {Uint8Array} text
 * @param {boolean} whole  whether this is the whole file
 */
function countDimensions(text, whole) {
  /** @type {Map<number, number>} */
  const votes = new Map();
  for (let start = 0, line = 1; start < text.length && line <= FIRST_LINES; line++) {
    const found = text.indexOf(LINE_FEED, start);
    if (found < 0 && !whole && line > 1) break;
    const end = found < 0 ? text.length : found;
    const count = numbersAtEnd(text.subarray(start, end));
    if (count > 0) votes.set(count, (votes.get(count) ?? 0) + 1);
    else if (line === 1)
      throw badFile(`line 1 must be a header or a word and its numbers, not ${show(latin(text.subarray(0, end)))}`);
    start = end + 1;
  }
  // If two counts have the same votes, the one that came first wins: a map keeps the order.
  const [dimensions] = [...votes].reduce((best, vote) => (vote[1] > best[1] ? vote : best));
  return dimensions;
}

/**
 * @param {ByteQueue} bytes
 * @param {About} about
 * @param {TakeWord} take
 */
async function readText(bytes, { dimensions, promised }, take) {
  const values = new Float32Array(dimensions);
  let line = promised === undefined ? 0 : 1;
  let words = 0;
  for (;;) {
    const end = await endOfLine(bytes, line + 1);
    if (end === undefined) break;
    line++;
    const content = bytes.peek(end);
    if (!content.every(isBlank)) {
      if (words++ === promised) throw tooMany(promised);
      if (!take(readLine(content, line, dimensions, promised !== undefined, values), values)) return;
    }
    bytes.drop(Math.min(end + 1, bytes.length));
  }
  if (promised !== undefined && words < promised) throw tooFew(promised, words, `after line ${line}`);
}

/** @param {number} count @param {string} what */
const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * @param {number} promised
 * @param {number} words
 * @param {string} place
 */
const tooFew = (promised, words, place) =>
  badFile(`expected ${counted(promised, 'word')} by the header, got ${words}: the file ends ${place}`);

/** @param {number} promised */
const tooMany = (promised) =>
  badFile(
    `expected ${counted(promised, 'word')} by the header, got more; set maxWords to ${promised} to ignore the others`,
  );

/**
 * @param {ByteQueue} bytes
 * @param {number} line
 * @returns {Promise<number | undefined>}  the number of bytes in the next line; undefined after the last line
 */
async function endOfLine(bytes, line) {
  let seen = 0;
  for (;;) {
    const end = bytes.find(LINE_FEED, seen);
    if (end >= 0) return end;
    seen = bytes.length;
    if (seen > LONGEST_LINE) throw badFile(`line ${line} must end within ${LONGEST_LINE} bytes`);
    if (!(await bytes.more())) return seen > 0 ? seen : undefined;
  }
}

/**
 * @param {Uint8Array} content
 * @param {number} line
 * @param {number} dimensions
 * @param {boolean} header  whether the file has a header
 * @param {Float32Array} values
 */
function readLine(content, line, dimensions, header, values) {
  const split = splitLine(content, dimensions, values);
  const expected = `a word and ${counted(dimensions, 'number')}`;
  // If that is the first part of the line, it is the word, and there are too few numbers.
  if (split.bad && !isFirst(content, split.bad))
    throw badFile(`line ${line} must be ${expected}, but ${show(latin(split.bad))} is not a finite number`);
  if (split.values < dimensions)
    throw badFile(`line ${line} must be ${expected}, but it has ${split.values}${hintOfHeader(content, line, header)}`);
  const word = decode(split.word, `the word of line ${line}`);
  // A word may have spaces and end in a number, but not in one like the values, and not in a file with a header.
  const last = word.slice(Math.max(word.lastIndexOf(' '), word.lastIndexOf('\t')) + 1);
  if (last.length < word.length && NUMBER.test(last) && (header || /[.e]/i.test(last)))
    throw badFile(`line ${line} must be ${expected}, but it has more: the word would be ${show(word)}`);
  return word;
}

/**
 * @param {Uint8Array} content
 * @param {Uint8Array} part  a view into it
 */
function isFirst(content, part) {
  return content.subarray(0, part.byteOffset - content.byteOffset).every(isBlank);
}

/**
 * @param {Uint8Array} content
 * @param {number} line
 * @param {boolean} header
 */
function hintOfHeader(content, line, header) {
  const like = line === 1 && !header && /^\s*\d+[ \t]+\d+\s*$/.test(latin(content));
  return like ? "; it looks like a header: set format to 'word2vec' or 'fasttext'" : '';
}

/**
 * @param {Uint8Array} bytes
 * @param {string} what
 */
function decode(bytes, what) {
  try {
    return utf8().decode(bytes);
  } catch (cause) {
    throw new LinexError('file', `${what} is not UTF-8: ${show(latin(bytes))}`, { cause });
  }
}

/**
 * @param {ByteQueue} bytes
 * @param {About} about
 * @param {TakeWord} take
 */
async function readBinary(bytes, { dimensions, promised = 0 }, take) {
  const values = new Float32Array(dimensions);
  for (let i = 0; i < promised; i++) {
    const size = await endOfWord(bytes, i, promised);
    const word = decode(bytes.peek(size), `word ${i + 1}`);
    bytes.drop(size + 1);
    while (bytes.length < 4 * dimensions)
      if (!(await bytes.more()))
        throw badFile(
          `word ${i + 1}, ${show(word)}, must have ${4 * dimensions} bytes of numbers, not ${bytes.length}: the file ends there`,
        );
    readFloats(bytes.peek(4 * dimensions), values, `word ${i + 1}, ${show(word)},`);
    bytes.drop(4 * dimensions);
    if (!take(word, values)) return;
  }
  if (await skipLineBreaks(bytes)) throw tooMany(promised);
}

/**
 * @param {Uint8Array} bytes
 * @param {Float32Array} values
 * @param {string} name  what errors call them
 */
function readFloats(bytes, values, name) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let c = 0; c < values.length; c++) {
    values[c] = view.getFloat32(4 * c, true);
    if (!Number.isFinite(values[c]))
      throw badFile(`${name} must have finite numbers, not ${values[c]} as number ${c + 1}`);
  }
}

/**
 * Skips line breaks: the word2vec tool writes one after each vector, other programs do not.
 *
 * @param {ByteQueue} bytes
 * @returns {Promise<boolean>}  whether there are more bytes
 */
async function skipLineBreaks(bytes) {
  for (;;) {
    while (bytes.length > 0 && (bytes.peek(1)[0] === LINE_FEED || bytes.peek(1)[0] === RETURN)) bytes.drop(1);
    if (bytes.length > 0) return true;
    if (!(await bytes.more())) return false;
  }
}

/**
 * @param {ByteQueue} bytes
 * @param {number} i
 * @param {number} promised
 * @returns {Promise<number>}  the number of bytes in the next word
 */
async function endOfWord(bytes, i, promised) {
  if (!(await skipLineBreaks(bytes))) throw tooFew(promised, i, `after word ${i}`);
  for (;;) {
    const end = bytes.find(SPACE);
    if (end === 0) throw badFile(`word ${i + 1} is empty: the file is damaged, or its header is wrong`);
    if (end > LONGEST_WORD || (end < 0 && bytes.length > LONGEST_WORD))
      throw badFile(`word ${i + 1} must end within ${LONGEST_WORD} bytes: the file is damaged, or its header is wrong`);
    if (end > 0) return end;
    if (!(await bytes.more())) throw badFile(`the file ends within word ${i + 1}`);
  }
}
