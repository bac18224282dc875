import { LinexError, show } from './errors.js';
import { checkNames } from './options.js';

/**
 * What the WebAssembly module exports; the signatures are those of src/wasm.c and src/linex.h. Pointers and counts are
 * numbers.
 *
 * @typedef {Record<string, (...scalars: (number | boolean)[]) => number> & { memory: WebAssembly.Memory }} Core
 */

/** @type {Core | undefined} */
let core;
/** @type {WebAssembly.Module | undefined} */
let compiled;
/** Where it was loaded from; undefined for its own place. @type {unknown} */
let origin;
/** @type {Promise<Core> | undefined} */
let loading;

/**
 * Loads the WebAssembly module, once; every `explain…` call does it by itself. Call it before the synchronous functions
 * (`solveGame`, `explainSamples`), or to say where the file is.
 *
 * @param {{ wasm?: string | URL | ArrayBuffer | ArrayBufferView | object }} [options]
 *   wasm: its address, its bytes or the compiled `WebAssembly.Module`; by default the `linex.wasm` beside this file
 * @returns {Promise<void>}
 * @throws {TypeError} if `wasm` is none of these
 * @throws {LinexError} `'load'` if the file cannot be had or is not our module (a later call may try again), or if it is
 *   loaded already from elsewhere
 */
export async function load(options = {}) {
  const { wasm } = checkNames(options, ['wasm'], 'load');
  await ready(wasm);
  if (wasm !== undefined && String(wasm) !== String(origin))
    throw new LinexError(
      'load',
      `linex is loaded already, from ${show(origin ?? 'its own place')}; call load() first of all`,
    );
}

/**
 * The module, loaded if it is not yet. For the asynchronous half of the binding.
 *
 * @param {unknown} [source]
 * @returns {Promise<Core>}
 */
export function ready(source) {
  if (core) return Promise.resolve(core);
  loading ??= instantiate(source).then(
    (exports) => {
      origin = source;
      return (core = exports);
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/**
 * The module, for the synchronous half of the binding.
 *
 * @param {string} who  the function that wants it
 * @returns {Core}
 */
export function loaded(who) {
  if (core) return core;
  throw new LinexError('load', `${who} is synchronous: await load() before the first call`);
}

/**
 * An instance of one's own, for work that holds much memory or hands out views of it: nobody else can make it grow, and
 * all of it is given back when nobody looks at it any more.
 *
 * @returns {Promise<Core>}
 */
export async function ownInstance() {
  await ready();
  return start(/** @type {WebAssembly.Module} */ (compiled));
}

/** @param {unknown} source */
async function instantiate(source) {
  // One literal: bundlers recognise it and bring the file along.
  const place = source ?? new URL('./linex.wasm', import.meta.url);
  const module = await compile(place);
  try {
    const exports = await start(module);
    if (!('linex_wasm_explain' in exports)) throw new Error('it does not export linex_wasm_explain');
    compiled = module;
    return exports;
  } catch (cause) {
    throw new LinexError('load', `the WebAssembly module is not linex: ${reason(cause)}`, { cause });
  }
}

/**
 * @param {WebAssembly.Module} module
 * @returns {Promise<Core>}
 */
async function start(module) {
  const imports = { env: { emscripten_notify_memory_growth() {} } };
  const { exports } = await WebAssembly.instantiate(module, imports);
  /** @type {any} */ (exports)._initialize();
  return /** @type {Core} */ (/** @type {unknown} */ (exports));
}

/**
 * @param {unknown} place
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(place) {
  if (place instanceof WebAssembly.Module) return place;
  const bytes = await bytesOf(place);
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    const from = typeof place === 'string' || place instanceof URL ? ` (from ${place})` : '';
    const text = new Uint8Array(ArrayBuffer.isView(bytes) ? bytes.buffer : bytes)[0] === 60;
    const what = text ? 'a web page came in its place' : reason(cause);
    throw new LinexError('load', `linex.wasm${from} cannot be compiled: ${what}`, { cause });
  }
}

/**
 * @param {unknown} place
 * @returns {Promise<BufferSource>}
 */
async function bytesOf(place) {
  if (place instanceof ArrayBuffer || ArrayBuffer.isView(place)) return /** @type {BufferSource} */ (place);
  if (!(place instanceof URL) && typeof place !== 'string')
    throw new TypeError(`wasm must be an address, bytes or a WebAssembly.Module, not ${show(place)}`);
  try {
    const here = /** @type {any} */ (globalThis);
    const address = new URL(place, here.location?.href ?? `file://${here.process?.cwd()}/`);
    return await (address.protocol === 'file:' && 'process' in globalThis ? readFile(address) : download(address));
  } catch (cause) {
    throw new LinexError('load', `linex.wasm cannot be had from ${show(String(place))}: ${reason(cause)}`, { cause });
  }
}

/** @param {URL} address */
async function readFile(address) {
  // Node's fetch does not read files. Not a literal: bundlers for the browser must leave this alone.
  const module = 'node:fs/promises';
  const fs = await import(/* webpackIgnore: true */ /* @vite-ignore */ module);
  return new Uint8Array(await fs.readFile(address));
}

/** @param {URL} address */
async function download(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}

/** @param {unknown} cause */
function reason(cause) {
  return cause instanceof Error ? cause.message : String(cause);
}
