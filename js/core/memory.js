import { LinexError } from './errors.js';

/** @typedef {import('./load.js').Core} Core */

/**
 * Arrays in WebAssembly's memory. All heap traffic goes through here. In the instance that all share, nothing outlives
 * `withScope`; a scope of its own is for an instance of its own, with which it ends.
 */
export class Scope {
  /** @param {Core} core */
  constructor(core) {
    this.core = core;
    /** @type {number[]} */
    this.addresses = [];
  }

  /**
   * @param {number} bytes
   * @returns {number} an address
   */
  allocate(bytes) {
    // Beyond 32 bits the size would wrap on its way into the module.
    const address = bytes < 2 ** 32 ? this.core.linex_wasm_allocate(bytes) : 0;
    if (address === 0) throw new LinexError('memory', `WebAssembly has no room for another ${bytes} bytes`);
    this.addresses.push(address);
    return address;
  }

  /** Room for numbers that C will write. @param {number} length */
  doubles(length) {
    return this.allocate(8 * length);
  }

  /** Room for indices that C will write. @param {number} length */
  indices(length) {
    return this.allocate(4 * length);
  }

  /** Room for single-precision numbers that C will write. @param {number} length */
  floats(length) {
    return this.allocate(4 * length);
  }

  /** Room for bytes that C will write. @param {number} length */
  bytes(length) {
    return this.allocate(length);
  }

  /** @param {ArrayLike<number>} values */
  putDoubles(values) {
    const address = this.doubles(values.length);
    new Float64Array(this.core.memory.buffer, address, values.length).set(values);
    return address;
  }

  /** @param {ArrayLike<number>} values */
  putFloats(values) {
    const address = this.floats(values.length);
    this.viewFloats(address, values.length).set(values);
    return address;
  }

  /** @param {ArrayLike<number>} values */
  putBytes(values) {
    const address = this.bytes(values.length);
    this.viewBytes(address, values.length).set(values);
    return address;
  }

  /** @param {ArrayLike<number>} values */
  putIndices(values) {
    const address = this.indices(values.length);
    new Uint32Array(this.core.memory.buffer, address, values.length).set(values);
    return address;
  }

  /**
   * A view: of use until the memory grows, which any allocation may make it do.
   *
   * @param {number} address
   * @param {number} length
   */
  viewFloats(address, length) {
    return new Float32Array(this.core.memory.buffer, address, length);
  }

  /**
   * A view, like `viewFloats`.
   *
   * @param {number} address
   * @param {number} length
   */
  viewBytes(address, length) {
    return new Uint8Array(this.core.memory.buffer, address, length);
  }

  /**
   * A copy: it outlives the scope, and the growth of the memory.
   *
   * @param {number} address
   * @param {number} length
   */
  getDoubles(address, length) {
    return new Float64Array(this.core.memory.buffer, address, length).slice();
  }

  /**
   * The same as a plain array. Spreading would ask an iterator for every number.
   *
   * @param {number} address
   * @param {number} length
   * @returns {number[]}
   */
  listDoubles(address, length) {
    const view = new Float64Array(this.core.memory.buffer, address, length);
    const list = [];
    for (let i = 0; i < length; i++) list.push(view[i]);
    return list;
  }

  /**
   * @param {number} address
   * @param {number} length
   */
  getIndices(address, length) {
    return new Uint32Array(this.core.memory.buffer, address, length).slice();
  }

  /**
   * @param {number} address
   * @param {number} length
   */
  getBytes(address, length) {
    return this.viewBytes(address, length).slice();
  }

  /**
   * Throws what a C function returned, if it is a failure.
   *
   * @param {number} status
   */
  check(status) {
    if (status === 0) return;
    if (status === 2) throw new LinexError('memory', 'the explanation does not fit into WebAssembly memory');
    if (status === 3)
      throw new LinexError('degenerate', 'the answered points do not determine the weights; a larger ridge mends it');
    throw new RangeError(`linex refused its arguments (status ${status})`);
  }

  /** Frees one of the arrays early. @param {number} address */
  free(address) {
    this.addresses.splice(this.addresses.lastIndexOf(address), 1);
    this.core.linex_wasm_release(address);
  }

  release() {
    while (this.addresses.length) this.core.linex_wasm_release(/** @type {number} */ (this.addresses.pop()));
  }
}

/**
 * Runs `work` with a scope and frees, in reverse order, whatever it allocated, however it ends.
 *
 * @template T
 * @param {Core} core
 * @param {(scope: Scope) => T} work  synchronous: no memory is held while a model is asked
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
