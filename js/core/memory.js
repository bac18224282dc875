// Arrays in WebAssembly's memory: everything that JavaScript reads or writes there goes through a Scope.
import { LinexError } from './errors.js';

/**
 * @typedef {import('./border.js').Core} Core
 * @typedef {import('./border.js').Address} Address
 * @typedef {import('./border.js').Doubles} Doubles
 * @typedef {import('./border.js').Indices} Indices
 * @typedef {import('./border.js').Floats} Floats
 * @typedef {import('./border.js').Bytes} Bytes
 */

/**
 * Allocates arrays and frees them together. In the shared instance nothing outlives `withScope`. A scope made with
 * `new` belongs to a separate instance and ends with it.
 */
export class Scope {
  /** @param {Core} core */
  constructor(core) {
    this.core = core;
    /** @type {Address[]} */
    this.addresses = [];
  }

  /**
   * @param {number} bytes
   * @returns {any} an address
   * @throws {LinexError} `'memory'`
   */
  allocate(bytes) {
    // A size beyond 32 bits would wrap around when it is passed to the module.
    const address = bytes < 2 ** 32 ? this.core.linex_wasm_allocate(bytes) : 0;
    if (address === 0) throw new LinexError('memory', `could not allocate ${bytes} bytes of WebAssembly memory`);
    this.addresses.push(/** @type {any} */ (address));
    return address;
  }

  /** Space for numbers that C will write. @param {number} length @returns {Doubles} */
  doubles(length) {
    return this.allocate(8 * length);
  }

  /** Space for indices that C will write. @param {number} length @returns {Indices} */
  indices(length) {
    return this.allocate(4 * length);
  }

  /** Space for single-precision numbers that C will write. @param {number} length @returns {Floats} */
  floats(length) {
    return this.allocate(4 * length);
  }

  /** Space for bytes that C will write. @param {number} length @returns {Bytes} */
  bytes(length) {
    return this.allocate(length);
  }

  /** @param {ArrayLike<number>} values @returns {Doubles} */
  putDoubles(values) {
    return this.#put(Float64Array, values);
  }

  /** @param {ArrayLike<number>} values @returns {Floats} */
  putFloats(values) {
    return this.#put(Float32Array, values);
  }

  /** @param {ArrayLike<number>} values @returns {Bytes} */
  putBytes(values) {
    return this.#put(Uint8Array, values);
  }

  /** @param {ArrayLike<number>} values @returns {Indices} */
  putIndices(values) {
    return this.#put(Uint32Array, values);
  }

  /**
   * Copies numbers from the memory of another WebAssembly file.
   *
   * @param {Scope} from
   * @param {Doubles} address
   * @param {number} length
   * @returns {Doubles}
   */
  copyDoubles(from, address, length) {
    return this.#put(Float64Array, from.#view(Float64Array, address, length));
  }

  /** The same for bytes. @param {Scope} from @param {Bytes} address @param {number} length @returns {Bytes} */
  copyBytes(from, address, length) {
    return this.#put(Uint8Array, from.#view(Uint8Array, address, length));
  }

  /** @param {any} Type @param {ArrayLike<number>} values */
  #put(Type, values) {
    const { length } = values;
    const address = this.allocate(Type.BYTES_PER_ELEMENT * length);
    this.#view(Type, address, length).set(values);
    return address;
  }

  /** @param {any} Type @param {number} address @param {number} length @returns {any} */
  #view(Type, address, length) {
    return new Type(this.core.memory.buffer, address, length);
  }

  /**
   * Writes a record (see border.js): the values of the named fields, in their order.
   *
   * @template R
   * @param {import('./border.js').RecordFields<R>} fields
   * @param {NoInfer<R>} values
   */
  putRecord(fields, values) {
    return this.putDoubles(fields.map((name) => Number(values[name])));
  }

  /**
   * Reads a record that C has written.
   *
   * @template R
   * @param {import('./border.js').RecordFields<R>} fields
   * @param {Doubles} address
   * @returns {R}
   */
  readRecord(fields, address) {
    const values = this.getDoubles(address, fields.length);
    return /** @type {any} */ (Object.fromEntries(fields.map((name, i) => [name, values[i]])));
  }

  /**
   * Returns a view. It is valid until the memory grows, which any allocation may cause.
   *
   * @param {Floats | Bytes} address
   * @param {number} length
   * @returns {Float32Array}
   */
  viewFloats(address, length) {
    return this.#view(Float32Array, address, length);
  }

  /**
   * Returns a view, like `viewFloats`.
   *
   * @param {Bytes} address
   * @param {number} length
   * @returns {Uint8Array}
   */
  viewBytes(address, length) {
    return this.#view(Uint8Array, address, length);
  }

  /**
   * Returns a copy, which stays valid after the scope ends or the memory grows.
   *
   * @param {Doubles} address
   * @param {number} length
   * @returns {Float64Array}
   */
  getDoubles(address, length) {
    return this.#view(Float64Array, address, length).slice();
  }

  /**
   * Returns a copy as a plain array. It uses a loop, because spreading calls an iterator for every number.
   *
   * @param {Doubles} address
   * @param {number} length
   * @returns {number[]}
   */
  listDoubles(address, length) {
    const view = this.#view(Float64Array, address, length);
    const list = [];
    for (let i = 0; i < length; i++) list.push(view[i]);
    return list;
  }

  /**
   * Returns copies of consecutive arrays of one length.
   *
   * @param {Doubles} address
   * @param {number} count
   * @param {number} length
   */
  listRows(address, count, length) {
    const at = (/** @type {number} */ i) => /** @type {Doubles} */ (address + 8 * i * length);
    return Array.from({ length: count }, (_, i) => this.listDoubles(at(i), length));
  }

  /**
   * Returns a copy.
   *
   * @param {Indices} address
   * @param {number} length
   * @returns {Uint32Array}
   */
  getIndices(address, length) {
    return this.#view(Uint32Array, address, length).slice();
  }

  /**
   * Returns a copy.
   *
   * @param {Bytes} address
   * @param {number} length
   */
  getBytes(address, length) {
    return this.viewBytes(address, length).slice();
  }

  /**
   * Throws if a C function has failed.
   *
   * @param {import('./border.js').Status} status
   * @throws {LinexError | RangeError}
   */
  check(status) {
    if (status === 0) return;
    if (status === 2) throw new LinexError('memory', 'the explanation does not fit into WebAssembly memory');
    if (status === 3)
      throw new LinexError('degenerate', 'the answers do not determine the weights; set a larger ridge');
    if (status === 6) throw new LinexError('overflow', 'the numbers are too large to compute with; scale them down');
    throw new RangeError(`linex refused its arguments (status ${status})`);
  }

  /** Frees one of the arrays early. @param {Address} address */
  free(address) {
    this.addresses.splice(this.addresses.lastIndexOf(address), 1);
    this.core.linex_wasm_release(address);
  }

  release() {
    while (this.addresses.length) this.core.linex_wasm_release(/** @type {Address} */ (this.addresses.pop()));
  }
}

/**
 * `withScope` for work in slices. Only solving may wait: a call must not hold shared memory while it asks a model.
 *
 * @template T
 * @param {Core} core
 * @param {(scope: Scope) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withScopeAsync(core, work) {
  const scope = new Scope(core);
  try {
    return await work(scope);
  } finally {
    scope.release();
  }
}

/**
 * Runs `work` with a scope and frees everything that it allocated, in reverse order, even if it throws.
 *
 * @template T
 * @param {Core} core
 * @param {(scope: Scope) => T} work  synchronous, because a call must not hold shared memory while it asks a model
 * @returns {T}
 */
export function withScope(core, work) {
  const scope = new Scope(core);
  try {
    return work(scope);
  } finally {
    scope.release();
  }
}
