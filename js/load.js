import { LinexError, show } from './errors.js';
import { checkNames } from './options.js';

/**
 * What the WebAssembly module exports; the signatures are those of src/wasm.c and src/linex.h. Pointers and counts are
 * numbers.
 *
 * @typedef {Record<string, (...scalars: (number | boolean)[]) => number> & { memory: WebAssembly.Memory }} Core
 */

/** A module of one function that adds vectors: valid where there is SIMD. */
const VECTORS = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 14, 1, 12, 0],
  ...[65, 0, 253, 15, 65, 0, 253, 15, 253, 110, 11],
];

/**
 * The file beside this one that runs here: one of ours, or the plain one that has all of them for engines without SIMD.
 *
 * @param {URL} own
 */
const placeOf = (own) =>
  WebAssembly.validate(new Uint8Array(VECTORS)) ? own : new URL('./linex-plain.wasm', import.meta.url);

/** One of our WebAssembly files: compiled once, and an instance that all share. */
class Part {
  #name;
  #place;
  #mark;
  /** @type {Core | undefined} */
  core;
  /** As it was compiled. @type {WebAssembly.Module | undefined} */
  module;
  /** Where it was loaded from; undefined for its own place. @type {unknown} */
  origin;
  /** @type {Promise<Core> | undefined} */
  #loading;

  /**
   * @param {string} name  of the option that says where it is
   * @param {() => URL} place
   * @param {string} mark  a function that tells it from other modules
   */
  constructor(name, place, mark) {
    this.#name = name;
    this.#place = place;
    this.#mark = mark;
  }

  /**
   * The shared instance, loaded if it is not yet.
   *
   * @param {unknown} [source]
   * @returns {Promise<Core>}
   */
  ready(source) {
    if (this.core) return Promise.resolve(this.core);
    this.#loading ??= this.#instantiate(source).then(
      (exports) => {
        this.origin = source;
        return (this.core = exports);
      },
      (error) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }

  /** @returns {Promise<Core>} */
  async own() {
    await this.ready();
    return start(/** @type {WebAssembly.Module} */ (this.module));
  }

  /** @param {unknown} source */
  async #instantiate(source) {
    const module = await compile(source ?? this.#ownPlace(), this.#name);
    try {
      const exports = await start(module);
      if (!(this.#mark in exports)) throw new Error(`it does not export ${this.#mark}`);
      this.module = module;
      return exports;
    } catch (cause) {
      const what = `the WebAssembly module is not linex's ${this.#name}`;
      throw new LinexError('load', `${what}: ${reason(cause)}`, { cause });
    }
  }

  #ownPlace() {
    try {
      return this.#place();
    } catch (cause) {
      // A bundle that is no module does not know where it is.
      const what = `this script does not know where it is: say where the file is, load({ ${this.#name} })`;
      throw new LinexError('load', what, { cause });
    }
  }

  /**
   * @param {unknown} source
   * @throws {LinexError} if it was loaded from elsewhere
   */
  async load(source) {
    await this.ready(source);
    if (source !== undefined && String(source) !== String(this.origin))
      throw new LinexError(
        'load',
        `linex is loaded already, from ${show(this.origin ?? 'its own place')}; call load() first of all`,
      );
  }
}

// Literals: bundlers recognise them and bring the files along.
export const base = new Part('wasm', () => placeOf(new URL('./linex.wasm', import.meta.url)), 'linex_wasm_explain');
const pictures = new Part('image', () => placeOf(new URL('./linex-image.wasm', import.meta.url)), 'linex_compose');
export const more = new Part(
  'more',
  () => placeOf(new URL('./linex-more.wasm', import.meta.url)),
  'linex_wasm_shapley_solve',
);

/**
 * @typedef {string | URL | ArrayBuffer | ArrayBufferView | object} WasmSource  an address, bytes or a compiled
 *   `WebAssembly.Module`
 */

/**
 * Loads the WebAssembly module, once; every `explain…` call does it by itself. Call it before the synchronous functions
 * (`solveGame`, `explainSamples`), or to say where the files are.
 *
 * @param {{ wasm?: WasmSource, image?: WasmSource, more?: WasmSource }} [options]
 *   wasm: by default the `linex.wasm` beside this file; image: the `linex-image.wasm` that cuts and composes pictures; more:
 *   the `linex-more.wasm` of Shapley values, densities, forests and word vectors. These two are loaded on first use
 *   unless they are given here. Where the engine has no SIMD, the default of all is `linex-plain.wasm`
 * @returns {Promise<void>}
 * @throws {TypeError} if one of them is none of these
 * @throws {LinexError} `'load'` if the file cannot be had or is not our module (a later call may try again), or if it is
 *   loaded already from elsewhere
 */
export async function load(options = {}) {
  const { wasm, image, more: other } = checkNames(options, ['wasm', 'image', 'more'], 'load');
  await base.load(wasm);
  if (image !== undefined) await pictures.load(image);
  if (other !== undefined) await more.load(other);
}

/**
 * The module, loaded if it is not yet. For the asynchronous half of the binding.
 *
 * @returns {Promise<Core>}
 */
export const ready = () => base.ready();

/**
 * The module of what not every page needs, likewise.
 *
 * @returns {Promise<Core>}
 */
export const readyMore = () => more.ready();

/**
 * The module, for the synchronous half of the binding.
 *
 * @param {string} who  the function that wants it
 * @returns {Core}
 */
export function loaded(who) {
  if (base.core) return base.core;
  throw new LinexError('load', `${who} is synchronous: await load() before the first call`);
}

/**
 * An instance of one's own of the module of pictures, which holds much memory and hands out views of it: nobody else can
 * make it grow, and all of it is given back when nobody looks at it any more.
 *
 * @returns {Promise<Core>}
 */
export const ownPictures = () => pictures.own();

/**
 * The same of the module of what not every page needs.
 *
 * @returns {Promise<Core>}
 */
export const ownMore = () => more.own();

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

/** @param {string} name  of the option */
const fileOf = (name) => (name === 'wasm' ? 'linex.wasm' : `linex-${name}.wasm`);

/**
 * @param {unknown} place
 * @param {string} name  of the option
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(place, name) {
  if (place instanceof WebAssembly.Module) return place;
  const bytes = await bytesOf(place, name);
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    const from = typeof place === 'string' || place instanceof URL ? ` (from ${place})` : '';
    const text = new Uint8Array(ArrayBuffer.isView(bytes) ? bytes.buffer : bytes)[0] === 60;
    const what = text ? 'a web page came in its place' : reason(cause);
    throw new LinexError('load', `${fileOf(name)}${from} cannot be compiled: ${what}`, { cause });
  }
}

/**
 * @param {unknown} place
 * @param {string} name  of the option
 * @returns {Promise<BufferSource>}
 */
async function bytesOf(place, name) {
  if (place instanceof ArrayBuffer || ArrayBuffer.isView(place)) return /** @type {BufferSource} */ (place);
  if (!(place instanceof URL) && typeof place !== 'string')
    throw new TypeError(`${name} must be an address, bytes or a WebAssembly.Module, not ${show(place)}`);
  try {
    const here = /** @type {any} */ (globalThis);
    const address = new URL(place, here.location?.href ?? `file://${here.process?.cwd()}/`);
    return await (address.protocol === 'file:' && 'process' in globalThis ? readFile(address) : download(address));
  } catch (cause) {
    throw new LinexError('load', `${fileOf(name)} cannot be had from "${place}": ${reason(cause)}`, { cause });
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
