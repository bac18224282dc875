// Turns values into JSON text and back without loss: NaN, -0, undefined, dates and typed arrays survive.
import { Buffer } from 'node:buffer';

/**
 * JSON has no place for some values. They are objects with this one key, whose value names what they are.
 */
const MARK = '$linex';

const ARRAYS = Object.freeze({
  Uint8Array,
  Uint8ClampedArray,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
});

/** Values may be nested this deep. Deeper ones are refused, because reading them could exhaust the stack. */
const MAX_DEPTH = 64;

/**
 * Returns a value as JSON text. The same value always has the same text.
 *
 * @param {unknown} value  plain data: what `structuredClone` takes, without maps, sets and cycles
 * @returns {string}
 * @throws {TypeError} if it holds something else
 */
export const pack = (value) => JSON.stringify(encode(value, 0));

/**
 * Returns the value itself if JSON can hold it, else a copy: explanations are large, and nearly all of their values are plain.
 *
 * @param {unknown} value
 * @param {number} depth
 * @returns {unknown}
 */
function encode(value, depth) {
  if (depth > MAX_DEPTH) throw new TypeError(`could not pack a value that is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : mark(nameOf(value));
  if (value === undefined) return mark('undefined');
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') throw new TypeError(`could not pack a ${typeof value}`);
  if (Array.isArray(value)) return encodeList(value, depth + 1);
  if (value instanceof Date) return mark('Date', encode(value.getTime(), depth));
  if (ArrayBuffer.isView(value)) return encodeView(value);
  return encodeObject(/** @type {Record<string, unknown>} */ (value), depth + 1);
}

/**
 * @param {unknown[]} list
 * @param {number} depth
 */
function encodeList(list, depth) {
  let copy = isPlain(list, Array.prototype) ? list : [...list];
  for (let i = 0; i < list.length; i++) {
    const item = encode(list[i], depth);
    if (item === list[i]) continue;
    if (copy === list) copy = [...list];
    copy[i] = item;
  }
  return copy;
}

/**
 * @param {Record<string, unknown>} object
 * @param {number} depth
 */
function encodeObject(object, depth) {
  const hasMark = Object.hasOwn(object, MARK);
  const keys = Object.keys(object);
  const encoded = keys.map((key) => encode(object[key], depth));
  if (!hasMark && isPlain(object, Object.prototype) && keys.every((key, i) => object[key] === encoded[i]))
    return object;
  const entries = keys.map((key, i) => [key, encoded[i]]);
  // A user's object may have our key.
  return hasMark ? mark('object', entries) : Object.fromEntries(entries);
}

/**
 * Whether JSON.stringify sees only the value's own content: it would call a method toJSON and unwrap a Number object.
 *
 * @param {object} value
 * @param {object} prototype
 */
const isPlain = (value, prototype) => Object.getPrototypeOf(value) === prototype && !('toJSON' in value);

/** @param {number} value */
const nameOf = (value) => (Object.is(value, -0) ? '-0' : String(value));

/**
 * @param {string} what
 * @param {unknown[]} content
 */
const mark = (what, ...content) => ({ [MARK]: [what, ...content] });

/** @param {ArrayBufferView} view */
function encodeView(view) {
  const name = view.constructor.name;
  if (!Object.hasOwn(ARRAYS, name)) throw new TypeError(`could not pack a ${name}`);
  return mark(name, Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64'));
}

/**
 * Returns the value of a text from `pack`. Texts from elsewhere give plain data or an error, never anything that runs.
 *
 * @param {string} text
 * @returns {any}
 * @throws {SyntaxError | TypeError} if it is not such a text
 */
export const unpack = (text) => decode(JSON.parse(text), 0);

/**
 * Replaces in place what is marked.
 *
 * @param {any} value  from JSON
 * @param {number} depth
 * @returns {unknown}
 */
function decode(value, depth) {
  if (depth > MAX_DEPTH) throw new TypeError(`could not unpack a value that is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && Object.hasOwn(value, MARK)) return decodeMark(value[MARK], depth);
  for (const key of Object.keys(value)) {
    const decoded = decode(value[key], depth + 1);
    // JSON.parse defines properties, so that a key such as `__proto__` is only a key, which this sets.
    if (decoded !== value[key]) value[key] = decoded;
  }
  return value;
}

/**
 * Object.fromEntries defines properties, so a key such as `__proto__` is only a key.
 *
 * @param {any} entries
 * @param {number} depth
 */
const decodeEntries = (entries, depth) =>
  Object.fromEntries(entries.map((/** @type {[string, any]} */ [key, item]) => [key, decode(item, depth + 1)]));

const NUMBERS = Object.freeze({ '-0': -0, NaN, Infinity, '-Infinity': -Infinity });

/**
 * @param {any} marked
 * @param {number} depth
 */
function decodeMark(marked, depth) {
  const [what, content] = Array.isArray(marked) ? marked : [];
  if (what === 'undefined') return undefined;
  if (Object.hasOwn(NUMBERS, what)) return NUMBERS[/** @type {keyof typeof NUMBERS} */ (what)];
  if (what === 'Date') return new Date(/** @type {number} */ (decode(content, depth + 1)));
  if (what === 'object' && Array.isArray(content)) return decodeEntries(content, depth);
  if (Object.hasOwn(ARRAYS, what) && typeof content === 'string') {
    const bytes = Uint8Array.from(Buffer.from(content, 'base64'));
    return new ARRAYS[/** @type {keyof typeof ARRAYS} */ (what)](bytes.buffer);
  }
  throw new TypeError('could not unpack a value that was not packed by linex');
}
