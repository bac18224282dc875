import { LinexError, show } from '../core/errors.js';
import { breathe, orAbort } from '../core/event-loop.js';

/** How much of what is in memory already is handed on at a time: the page can be painted in between. */
const PIECE = 1 << 16;

/**
 * Where a file's bytes may come from: a stream, what `fetch` answered, a Blob or File, an asynchronous iterable of bytes
 * such as a Node stream, or all of them at once. A string is text, not an address.
 *
 * @typedef {ReadableStream<Uint8Array> | Response | Blob | AsyncIterable<Uint8Array> | ArrayBuffer | ArrayBufferView |
 *   string} ByteSource
 */

/**
 * The bytes of a source, piece by piece. Whoever stops early closes the source.
 *
 * @param {any} source
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 * @throws {TypeError} if it is no source, or gives something other than bytes
 * @throws {LinexError} `'file'` if a response is not a file
 */
export async function* chunksOf(source, signal) {
  const iterator = iteratorOf(source);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await orAbort(iterator.next(), signal);
      if (done) return;
      if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value))
        throw new TypeError(`the source must give bytes (Uint8Array), not ${show(value)}`);
      yield bytesOf(value);
    }
  } finally {
    // Not awaited: a source that hangs would hang whoever has given up on it.
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
  // Not instanceof: these may come from another realm, or a polyfill.
  if (typeof source?.getReader === 'function') return readerOf(source);
  if (typeof source?.ok === 'boolean' && 'body' in source) return readerOf(bodyOf(source));
  if (typeof source?.stream === 'function') return readerOf(source.stream());
  if (typeof source?.[Symbol.asyncIterator] === 'function') return source[Symbol.asyncIterator]();
  throw new TypeError(
    `a file is a ReadableStream, a Response, a Blob, an async iterable of bytes, an ArrayBuffer, a Uint8Array or a string, not ${show(source)}`,
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
  const from = url ? ` of ${url}` : '';
  if (!ok) throw new LinexError('file', `the file cannot be had: the server answered ${status} to the request${from}`);
  if (bodyUsed) throw new TypeError(`the response${from} was read already; fetch it again`);
  if (!body) throw new LinexError('file', `the response${from} is empty`);
  return body;
}

/** Not every browser's streams are iterable by themselves. @param {ReadableStream} stream */
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
    // Half of a character would be encoded as a question mark.
    if (/[\uD800-\uDBFF]$/.test(piece)) piece += text.slice(start + PIECE, start + PIECE + 1);
    yield encoder.encode(piece);
    start += piece.length;
  }
}

/** Bytes that have come and are not used yet. */
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
   * @param {number} most
   * @returns {Uint8Array}  a view
   */
  peek(most = this.length) {
    return this.#bytes.subarray(this.#start, this.#start + most);
  }

  /** @param {number} count */
  drop(count) {
    this.#start += count;
  }

  /**
   * @param {number} byte
   * @param {number} [from]
   * @returns {number}  how many bytes stand before it; -1 if it has not come
   */
  find(byte, from = 0) {
    const place = this.#bytes.indexOf(byte, this.#start + from);
    return place < 0 ? -1 : place - this.#start;
  }

  async close() {
    await this.#chunks.return();
  }
}
