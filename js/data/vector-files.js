import { ByteQueue, chunksOf } from './byte-source.js';
import { LinexError, show } from '../core/errors.js';
import { isBlank, latin, NUMBER, numbersAtEnd, splitLine } from './vector-lines.js';

/** @typedef {'word2vec' | 'word2vec-binary' | 'glove' | 'fasttext'} WordFormat */

/**
 * Takes what a file holds, one word after the other. `false`: enough.
 *
 * @typedef {(word: string, values: Float32Array) => boolean} TakeWord
 */

/** @type {readonly WordFormat[]} */
export const WORD_FORMATS = ['word2vec', 'word2vec-binary', 'glove', 'fasttext'];

const [SPACE, TAB, LINE_FEED, RETURN] = [32, 9, 10, 13];
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** How much of the file is looked at to tell its format. */
const HEAD = 1 << 16;
/** Longer lines, in bytes, are none: whatever has no line breaks is not read into memory whole. */
const LONGEST_LINE = 1 << 20;
/** The same for a word. */
const LONGEST_WORD = 1 << 12;
const MOST_DIMENSIONS = 65536;
/** How many lines tell the number of dimensions where there is no header. */
const FIRST_LINES = 100;
/** @param {string} message */
const badFile = (message) => new LinexError('file', message);

/**
 * What other files begin with, and what to do about it.
 *
 * @type {readonly [number[], string][]}
 */
const OTHERS = [
  [[0x1f, 0x8b], "it is gzip-compressed; unpack it first, as by pipeThrough(new DecompressionStream('gzip'))"],
  [[0x50, 0x4b, 0x03, 0x04], 'it is a zip archive; unpack it first'],
  [[0x42, 0x5a, 0x68], 'it is bzip2-compressed; unpack it first'],
  [[0xba, 0x16, 0x4f, 0x2f], "it is fastText's own model; take the .vec file beside it"],
  [[0xff, 0xfe], 'it is UTF-16, not UTF-8'],
  [[0xfe, 0xff], 'it is UTF-16, not UTF-8'],
];

/**
 * Reads a file of word vectors, a chunk at a time.
 *
 * @param {import('./byte-source.js').ByteSource} source
 * @param {WordFormat | 'auto'} format
 * @param {(about: { format: WordFormat, dimensions: number }) => TakeWord} begin
 * @param {AbortSignal} [signal]
 * @throws {LinexError} `'file'`: which line or word is bad, and what was expected
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
 * @property {number | undefined} promised  how many words the header says there are
 * @property {number} start  where the words begin
 */

/**
 * @param {Uint8Array} head
 * @param {boolean} whole  that is all there is
 * @param {WordFormat | 'auto'} format
 * @returns {About}
 */
function inspect(head, whole, format) {
  refuseOthers(head);
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const text = head.subarray(mark);
  const end = text.indexOf(LINE_FEED);
  const first = latin(text.subarray(0, end < 0 ? Math.min(text.length, 100) : end)).trim();
  const header = /^(\d+)[ \t]+(\d+)$/.exec(first);
  if (format === 'glove' || (format === 'auto' && !header))
    return { format: 'glove', dimensions: countDimensions(text, whole), promised: undefined, start: mark };
  if (!header) throw badFile(`line 1 must be the header of a ${format} file, "words dimensions", not ${show(first)}`);
  const [promised, dimensions] = [Number(header[1]), Number(header[2])];
  if (dimensions < 1 || dimensions > MOST_DIMENSIONS)
    throw badFile(`the header ${show(first)} must give 1 to ${MOST_DIMENSIONS} dimensions, not ${header[2]}`);
  if (promised < 1) throw badFile(`the header ${show(first)} says that there are no words`);
  const body = text.subarray(end < 0 ? text.length : end + 1);
  const found = format !== 'auto' ? format : looksBinary(body, dimensions) ? 'word2vec-binary' : 'word2vec';
  return { format: found, dimensions, promised, start: head.length - body.length };
}

/** @param {Uint8Array} head */
function refuseOthers(head) {
  if (head.length === 0) throw badFile('the file of word vectors is empty');
  const other = OTHERS.find(([start]) => start.every((byte, i) => head[i] === byte));
  if (other) throw badFile(`this is not a file of word vectors: ${other[1]}`);
  if (/^\s*<(!doctype|html)\b/i.test(latin(head.subarray(0, 100))))
    throw badFile('this is not a file of word vectors: a web page came in its place');
}

/**
 * Whether what follows a header is binary: its first line is no word with so many numbers, and there are bytes in it that
 * no text has.
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
    // A character may be cut at the end of the head: a stream waits for the rest of it.
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/**
 * Without a header the lines themselves must tell: most of the first ones are one word and so many numbers. The first
 * alone would not do, since its word may be several, or end in a number.
 *
 * @param {Uint8Array} text
 * @param {boolean} whole  that is all there is
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
      throw badFile(
        `line 1 is neither a header, "words dimensions", nor a word and its numbers: ${show(latin(text.subarray(0, end)))}`,
      );
    start = end + 1;
  }
  // Of equally many votes the earlier wins: a map keeps the order in which they came.
  const [dimensions] = [...votes].reduce((best, one) => (one[1] > best[1] ? one : best));
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
 * @param {string} where
 */
const tooFew = (promised, words, where) =>
  badFile(`the header promises ${counted(promised, 'word')}, but the file ends ${where}, with ${words}`);

/** @param {number} promised */
const tooMany = (promised) =>
  badFile(
    `the header promises ${counted(promised, 'word')}, but there are more; most: ${promised} takes no more than these`,
  );

/**
 * @param {ByteQueue} bytes
 * @param {number} line
 * @returns {Promise<number | undefined>}  how many bytes the next line has; undefined after the last
 */
async function endOfLine(bytes, line) {
  let seen = 0;
  for (;;) {
    const end = bytes.find(LINE_FEED, seen);
    if (end >= 0) return end;
    seen = bytes.length;
    if (seen > LONGEST_LINE) throw badFile(`line ${line} does not end within ${LONGEST_LINE} bytes`);
    if (!(await bytes.more())) return seen > 0 ? seen : undefined;
  }
}

/**
 * @param {Uint8Array} content
 * @param {number} line
 * @param {number} dimensions
 * @param {boolean} header  there was one
 * @param {Float32Array} values
 */
function readLine(content, line, dimensions, header, values) {
  const split = splitLine(content, dimensions, values);
  const expected = `a word and ${counted(dimensions, 'number')}`;
  // If it is the word that stands there, there are too few numbers.
  if (split.bad && !isFirst(content, split.bad))
    throw badFile(`line ${line} must be ${expected}, but ${show(latin(split.bad))} is not a finite number`);
  if (split.values < dimensions)
    throw badFile(`line ${line} must be ${expected}, but it has ${split.values}${hintOfHeader(content, line, header)}`);
  const word = decode(split.word, `the word of line ${line}`);
  // A word may have spaces and end in a number; but not in one like the values, nor anywhere that a header was written.
  const last = word.slice(Math.max(word.lastIndexOf(' '), word.lastIndexOf('\t')) + 1);
  if (last.length < word.length && NUMBER.test(last) && (header || /[.e]/i.test(last)))
    throw badFile(`line ${line} must be ${expected}, but it has more: ${show(word)} is left for the word`);
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
  return like ? "; it looks like a header: that is format 'word2vec' or 'fasttext'" : '';
}

/**
 * @param {Uint8Array} bytes
 * @param {string} what
 */
function decode(bytes, what) {
  try {
    return UTF8.decode(bytes);
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
          `word ${i + 1}, ${show(word)}, must have ${4 * dimensions} bytes of numbers, but the file ends after ${bytes.length}`,
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
 * @param {string} who
 */
function readFloats(bytes, values, who) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let c = 0; c < values.length; c++) {
    values[c] = view.getFloat32(4 * c, true);
    if (!Number.isFinite(values[c])) throw badFile(`${who} has ${values[c]} as number ${c + 1}, which is not finite`);
  }
}

/**
 * Word2vec itself ends every vector by a line break, others do not.
 *
 * @param {ByteQueue} bytes
 * @returns {Promise<boolean>}  whether there is more
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
 * @returns {Promise<number>}  how many bytes the next word has
 */
async function endOfWord(bytes, i, promised) {
  if (!(await skipLineBreaks(bytes))) throw tooFew(promised, i, `after word ${i}`);
  for (;;) {
    const end = bytes.find(SPACE);
    if (end === 0)
      throw badFile(`word ${i + 1} is empty: the file is damaged there, or has other than the header says`);
    if (end > LONGEST_WORD || (end < 0 && bytes.length > LONGEST_WORD))
      throw badFile(
        `word ${i + 1} does not end within ${LONGEST_WORD} bytes: the file is damaged there, or has other than the header says`,
      );
    if (end > 0) return end;
    if (!(await bytes.more())) throw badFile(`word ${i + 1} is cut off: the file ends within it`);
  }
}
