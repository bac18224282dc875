// Loads the WebAssembly files: each is compiled once, on first use, and shared.
import { checkNames } from './check-options.js';
import { LinexError, show } from './errors.js';

/** @typedef {import('./border.js').Core} Core */

/** A module with one function that adds two vectors: it is valid only if the engine has SIMD. */
const SIMD_TEST = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 14, 1, 12, 0],
  ...[65, 0, 253, 15, 65, 0, 253, 15, 253, 110, 11],
];

/** Whether the engine has SIMD. */
export const hasSimd = () => WebAssembly.validate(new Uint8Array(SIMD_TEST));

/**
 * The package's own files, as an entry point finds them.
 *
 * @typedef {object} OwnFiles
 * @property {(name: string) => WasmSource | Promise<WasmSource>} find  name: such as `linex.wasm`
 * @property {() => boolean} isWhole  whether each of them has the functions of all, so that one instance is enough
 * @property {(address: URL) => Promise<BufferSource>} [readFile]  reads a `file:` address, where there are files
 * @property {boolean} [isDefault]  whether the files of another entry point are preferred
 */

/** @type {OwnFiles | undefined} */
let ownFiles;

/**
 * Says where the package's own files are. Each entry point calls it: a page fetches them, Node reads them, and
 * `linex/inline` has them in its code.
 *
 * @param {OwnFiles} files
 */
export function useFiles(files) {
  if (!ownFiles || !files.isDefault) ownFiles = files;
}

/** One WebAssembly file: compiled once, with one instance that all callers share. */
class WasmFile {
  /** The shared instance. @type {Core | undefined} */
  core;
  /** @type {WebAssembly.Module | undefined} */
  module;
  /** What the caller passed to `load`; undefined for our own file. @type {unknown} */
  origin;
  /** While it is being loaded, and after that. @type {Promise<Core> | undefined} */
  loading;

  /**
   * @param {string} option  the option of `load` that names it
   * @param {string} signature  a function that this file exports, and of the others none
   */
  constructor(option, signature) {
    this.option = option;
    this.signature = signature;
  }

  /**
   * The shared instance, loaded if it is not yet.
   *
   * @param {unknown} [source]
   * @returns {Promise<Core>}
   */
  ready(source) {
    if (this.core) return Promise.resolve(this.core);
    this.loading ??= this.#instantiate(source).then(
      (exports) => {
        this.origin = source;
        return (this.core = exports);
      },
      (error) => {
        this.loading = undefined;
        throw error;
      },
    );
    return this.loading;
  }

  /**
   * The shared instance, or `core` itself if it has the functions of this file: the plain build has all of them.
   *
   * @param {Core} core
   * @returns {Core | Promise<Core>}
   */
  readyBeside(core) {
    return this.signature in core ? core : this.ready();
  }

  /** Starts to load it, because it will be needed. Whoever needs it sees why loading failed, or tries again. */
  fetchAhead() {
    if (!this.loading && !ownFiles?.isWhole()) this.ready().catch(() => {});
  }

  /** @param {unknown} source */
  async #instantiate(source) {
    const module = await compile(source ?? (await this.#ownFile()), this.option);
    try {
      const exports = await start(module);
      if (!(this.signature in exports)) throw new Error(`it does not export ${this.signature}`);
      this.module = module;
      return exports;
    } catch (cause) {
      const what = `the WebAssembly module is not ${fileOf(this.option)}`;
      throw new LinexError('load', `${what}: ${reason(cause)}`, { cause });
    }
  }

  async #ownFile() {
    if (!ownFiles) throw new LinexError('load', 'no entry point of linex was imported');
    try {
      return await ownFiles.find(fileOf(this.option));
    } catch (cause) {
      // A bundle that is not an ES module has no import.meta.url.
      const what = `this script has no URL; import linex/inline, or pass the file's URL to load({ ${this.option} })`;
      throw new LinexError('load', what, { cause });
    }
  }
}

// Pages whose code does not use one of these do not get it: `new` alone would count as a side effect.
export const coreWasm = /* @__PURE__ */ new WasmFile('wasm', 'linex_wasm_explain_start');
export const adjustWasm = /* @__PURE__ */ new WasmFile('adjust', 'linex_wasm_bend_start');
export const krigingWasm = /* @__PURE__ */ new WasmFile('kriging', 'linex_wasm_krige_start');
export const masksWasm = /* @__PURE__ */ new WasmFile('masks', 'linex_wasm_krige_masks_start');
export const wideWasm = /* @__PURE__ */ new WasmFile('wide', 'linex_wasm_explain_wide_start');
const imageWasm = /* @__PURE__ */ new WasmFile('image', 'linex_wasm_compose');
export const dataWasm = /* @__PURE__ */ new WasmFile('data', 'linex_wasm_forest_start');
export const shapleyWasm = /* @__PURE__ */ new WasmFile('shapley', 'linex_wasm_shapley_start');
const FILES = [coreWasm, adjustWasm, krigingWasm, masksWasm, wideWasm, imageWasm, dataWasm, shapleyWasm];

/**
 * @typedef {string | URL | ArrayBuffer | ArrayBufferView | object} WasmSource  a URL, bytes or a compiled
 *   `WebAssembly.Module`
 */

/**
 * @param {WasmFile} file
 * @param {unknown} source
 * @throws {LinexError} if it was loaded from somewhere else before
 */
async function loadFrom(file, source) {
  await file.ready(source);
  if (source !== undefined && String(source) !== String(file.origin))
    throw new LinexError(
      'load',
      `linex is already loaded from ${show(file.origin ?? 'its own folder')}; call load() before anything else`,
    );
}

/**
 * @typedef {object} LoadOptions
 * @property {WasmSource} [wasm]  `linex.wasm`, which every explanation needs
 * @property {WasmSource} [adjust]  `linex-adjust.wasm`: control variates
 * @property {WasmSource} [kriging]  `linex-kriging.wasm`: those for at most 600 rows
 * @property {WasmSource} [masks]  `linex-masks.wasm`: those for at most 1,200 masks of words or segments
 * @property {WasmSource} [wide]  `linex-wide.wasm`: games of many features
 * @property {WasmSource} [image]  `linex-image.wasm`: superpixels and hidden segments
 * @property {WasmSource} [data]  `linex-data.wasm`: densities, forests, word vectors
 * @property {WasmSource} [shapley]  `linex-shapley.wasm`: Shapley values
 */

/**
 * Loads the WebAssembly core once. Every `explain…` call does this by itself. Call it before the synchronous functions
 * (`solveGame`, `explainSamples`), or to say where the files are.
 *
 * @param {LoadOptions} [options]  the defaults are the files in the package's `js` folder, or `linex-plain.wasm` if the
 *   engine has no SIMD. All except `wasm` are loaded on first use, unless you pass them here. Without options, `wide` is
 *   loaded too, because `explainSamples` cannot wait for it
 * @returns {Promise<void>}
 * @throws {TypeError} if a source has another type
 * @throws {LinexError} `'load'` if a file could not be loaded or is not ours (you may call `load` again), or if it was
 *   already loaded from somewhere else
 */
export async function load(options = {}) {
  const given = checkNames(
    options,
    FILES.map(({ option }) => option),
    'load',
  );
  const named = FILES.filter(({ option }) => given[option] !== undefined);
  if (named.length === 0) wideWasm.fetchAhead();
  for (const file of new Set([coreWasm, ...named])) await loadFrom(file, given[file.option]);
  if (named.length === 0) await wideWasm.readyBeside(await ready());
}

/**
 * The shared core, loaded if needed.
 *
 * @returns {Promise<Core>}
 */
export const ready = () => coreWasm.ready();

/**
 * The shared instance of `linex-image.wasm`, loaded if needed. For images, use an instance of your own.
 *
 * @returns {Promise<Core>}
 */
export const readyImage = () => imageWasm.ready();

/**
 * The shared instance of `linex-data.wasm`, loaded if needed.
 *
 * @returns {Promise<Core>}
 */
export const readyData = () => dataWasm.ready();

/**
 * The shared instance of `linex-shapley.wasm`, loaded if needed.
 *
 * @returns {Promise<Core>}
 */
export const readyShapley = () => shapleyWasm.ready();

/**
 * The core, for synchronous functions.
 *
 * @param {string} caller  the public function that needs it
 * @returns {Core}
 */
export function loaded(caller) {
  if (coreWasm.core) return coreWasm.core;
  throw new LinexError('load', `${caller} is synchronous: await load() before the first call`);
}

/**
 * `linex-wide.wasm`, for synchronous functions.
 *
 * @param {Core} core
 * @returns {Core}
 */
export function loadedWide(core) {
  if ('linex_wasm_explain_wide_start' in core) return core;
  if (wideWasm.core) return wideWasm.core;
  throw new LinexError(
    'load',
    'so many features need linex-wide.wasm: await load(), or load({ wide }) with its URL, before the first call',
  );
}

/**
 * A new instance of `linex-image.wasm`. Images need much memory, and batches are views of it. In a separate instance no
 * other call can make the memory grow, and all of it is garbage-collected together.
 *
 * @returns {Promise<Core>}
 */
export const newImageInstance = () => instanceOf(imageWasm);

/**
 * A new instance of `linex-data.wasm`, for a forest or a set of word vectors that lives as long as the caller holds it.
 *
 * @returns {Promise<Core>}
 */
export const newDataInstance = () => instanceOf(dataWasm);

/** @param {WasmFile} file @returns {Promise<Core>}  with its own memory */
async function instanceOf(file) {
  await file.ready();
  return start(/** @type {WebAssembly.Module} */ (file.module));
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
    const what = text ? 'the server sent a web page instead' : reason(cause);
    throw new LinexError('load', `could not compile ${fileOf(name)}${from}: ${what}`, { cause });
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
    throw new TypeError(`load: ${name} must be a URL, bytes or a WebAssembly.Module, not ${show(place)}`);
  try {
    const here = /** @type {any} */ (globalThis);
    const address = new URL(place, here.location?.href ?? `file://${here.process?.cwd()}/`);
    const read = (address.protocol === 'file:' && ownFiles?.readFile) || download;
    return await read(address);
  } catch (cause) {
    throw new LinexError('load', `could not load ${fileOf(name)} from "${place}": ${reason(cause)}`, { cause });
  }
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
