// Reads the bytes of a file piece by piece, from a stream, a response, a blob or memory.
import { LinexError, show } from '../core/errors.js';
import { breathe, orAbort } from '../core/event-loop.js';

/** Bytes in memory are passed on in pieces of this size, so that the page can be painted in between. */
const PIECE = 1 << 16;

/**
 * The bytes of a file: a stream, a response of `fetch`, a Blob or File, an asynchronous iterable of bytes such as a Node
 * stream, or all bytes in memory. A string is the text of the file, not its address.
 *
 * @typedef {ReadableStream<Uint8Array> | Response | Blob | AsyncIterable<Uint8Array> | ArrayBuffer | ArrayBufferView |
 *   string} ByteSource
 */

/**
 * Yields the bytes of a source, piece by piece. If the caller stops early, the source is closed.
 *
 * @param {any} source
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 * @throws {TypeError} if `source` is not a source, or yields something other than bytes
 * @throws {LinexError} `'file'` if a response has an error status or no body
 */
export async function* chunksOf(source, signal) {
  const iterator = iteratorOf(source);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await orAbort(iterator.next(), signal);
      if (done) return;
      if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value))
        throw new TypeError(`the source must yield Uint8Arrays, not ${show(value)}`);
      yield bytesOf(value);
    }
  } finally {
    // Not awaited, because a source that hangs would block the caller that stopped reading it.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/**
 * @param {any} source
 * @returns {{ next(): Promise<any>, return?(): any }}
 */
function iteratorOf(source) {
  if (typeof source === 'string') return piecesOfText(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return piecesOf(bytesOf(source));
  // Not instanceof: the source may come from another realm or a polyfill.
  if (typeof source?.getReader === 'function') return readerOf(source);
  if (typeof source?.ok === 'boolean' && 'body' in source) return readerOf(bodyOf(source));
  if (typeof source?.stream === 'function') return readerOf(source.stream());
  if (typeof source?.[Symbol.asyncIterator] === 'function') return source[Symbol.asyncIterator]();
  throw new TypeError(
    `a file must be a ReadableStream, Response, Blob, async iterable of bytes, ArrayBuffer, Uint8Array or string, not ${show(source)}`,
  );
}

/** @param {ArrayBuffer | ArrayBufferView} data */
function bytesOf(data) {
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** @param {Response} response */
function bodyOf({ ok, status, url, body, bodyUsed }) {
  const from = url ? ` from ${url}` : '';
  if (!ok) throw new LinexError('file', `could not load the file: status ${status}${from}`);
  if (bodyUsed) throw new TypeError(`the response${from} was already read; fetch it again`);
  if (!body) throw new LinexError('file', `the response${from} is empty`);
  return body;
}

/** Reads a stream by its reader, because not every browser's streams are iterable. @param {ReadableStream} stream */
function readerOf(stream) {
  const reader = stream.getReader();
  return { next: () => reader.read(), return: () => reader.cancel() };
}

/** @param {Uint8Array} bytes */
async function* piecesOf(bytes) {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
}

/** @param {string} text */
async function* piecesOfText(text) {
  const encoder = new TextEncoder();
  for (let start = 0; start < text.length;) {
    let piece = text.slice(start, start + PIECE);
    // Half a surrogate pair would be encoded as a replacement character.
    if (/[\uD800-\uDBFF]$/.test(piece)) piece += text.slice(start + PIECE, start + PIECE + 1);
    yield encoder.encode(piece);
    start += piece.length;
  }
}

/** Bytes that have arrived and are not used yet. */
export class ByteQueue {
  #chunks;
  /** @type {Uint8Array} */
  #bytes = new Uint8Array(0);
  #start = 0;

  /** @param {AsyncGenerator<Uint8Array, void, void>} chunks */
  constructor(chunks) {
    this.#chunks = chunks;
  }

  get length() {
    return this.#bytes.length - this.#start;
  }

  /** Waits for the next chunk. @returns {Promise<boolean>} whether there was one */
  async more() {
    await breathe();
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    const rest = this.#bytes.subarray(this.#start);
    this.#start = 0;
    if (rest.length === 0) this.#bytes = value;
    else {
      this.#bytes = new Uint8Array(rest.length + value.length);
      this.#bytes.set(rest);
      this.#bytes.set(value, rest.length);
    }
    return true;
  }

  /**
   * Returns the next bytes without removing them: `count`, or fewer if no more have arrived.
   *
   * @param {number} count
   * @returns {Uint8Array}  a view
   */
  peek(count = this.length) {
    return this.#bytes.subarray(this.#start, this.#start + count);
  }

  /** Removes the next bytes. @param {number} count */
  drop(count) {
    this.#start += count;
  }

  /**
   * @param {number} byte
   * @param {number} [from]
   * @returns {number}  the number of bytes before the first such byte; -1 if it has not arrived
   */
  find(byte, from = 0) {
    const place = this.#bytes.indexOf(byte, this.#start + from);
    return place < 0 ? -1 : place - this.#start;
  }

  async close() {
    await this.#chunks.return();
  }
}
