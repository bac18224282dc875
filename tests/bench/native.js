// Builds and runs the benchmark cases in C, as a native program and as WebAssembly, with the flags of the product.
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { cmake, findTool, root } from '../../.ci/setup.js';
import { cpuSeconds } from './interleave.js';
import { Peer } from './peer.js';

/** The same order as in cases.h. */
const KINDS = ['row', 'text', 'image', 'pixels', 'gram', 'compose-bytes', 'compose-floats'];
const METHODS = ['linex', 'lime'];

/** A hand-written module for memory.copy(to, from, bytes) in an imported memory, to measure the speed of the machine. */
const COPIER = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x07, 0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x00], // one type: takes three numbers, returns nothing
  ...[0x02, 0x08, 0x01, 0x01, 0x6d, 0x01, 0x6d, 0x02, 0x00, 0x00], // imports the memory m.m
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x63, 0x00, 0x00], // exports the function as c
  ...[0x0a, 0x0e, 0x01, 0x0c, 0x00, 0x20, 0x00, 0x20, 0x01, 0x20, 0x02, 0xfc, 0x0a, 0x00, 0x00, 0x0b],
]);

/**
 * @typedef {object} Work
 * @property {string} kind
 * @property {number} samples
 * @property {number} width
 * @property {number} [players]
 * @property {number} [draws]
 * @property {'linex' | 'lime'} [method]
 */

/** @param {Work} work */
const numbersOf = ({ kind, samples, width, players = 2, draws = 0, method = 'linex' }) => [
  ...[KINDS.indexOf(kind), samples, width, players, draws, METHODS.indexOf(method)],
];

/** The cases as WebAssembly. */
export class WasmCases {
  #exports;

  constructor(exports) {
    this.#exports = exports;
  }

  /** @param {Work} work */
  open(work) {
    const exports = this.#exports;
    const one = exports.bench_open(...numbersOf(work));
    if (one === 0) throw new Error(`the wasm could not open ${JSON.stringify(work)}`);
    let sum;
    const run = async (times) => {
      const before = cpuSeconds();
      sum = exports.bench_run(one, times);
      return cpuSeconds() - before;
    };
    return {
      run,
      sum: () => sum,
      bytes: exports.bench_bytes(one),
      /** Addresses of the two images that composing reads, and of its output. */
      places: [0, 1, 2].map((which) => exports.bench_place(one, which)),
      close: () => exports.bench_close(one),
    };
  }

  /** @returns {(to: number, from: number, bytes: number) => void} */
  copier() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(COPIER), { m: { m: this.#exports.memory } });
    return /** @type {any} */ (exports).c;
  }
}

/** The cases as a native program. */
export class NativeCases {
  #peer;

  constructor(program) {
    this.#peer = new Peer(program);
  }

  /** @param {Work} work */
  async open(work) {
    if ((await this.#peer.ask(`open ${numbersOf(work).join(' ')}`)) === 'failed')
      throw new Error(`the native build could not open ${JSON.stringify(work)}`);
    let sum;
    const run = async (times) => {
      const [seconds, total] = (await this.#peer.ask(`run ${times}`)).split(' ').map(Number);
      sum = total;
      return seconds;
    };
    return { run, sum: () => sum };
  }

  close() {
    this.#peer.close();
  }
}

/** Returns both builds, or the reason why they are missing. */
export async function buildCases() {
  const without = ['cc', 'cmake', 'emcc'].filter((tool) => !findTool(tool));
  if (without.length) return { missing: `no ${without.join(', ')} on this machine` };
  cmake('build/bench-native', { flags: ['-DLINEX_BENCH=ON', '-DLINEX_TESTS=OFF'], target: 'native_cases' });
  const emulator = `-DCMAKE_CROSSCOMPILING_EMULATOR=${process.execPath}`;
  cmake('build/bench-wasm', {
    wrapper: ['emcmake'],
    flags: ['-DLINEX_BENCH=ON', '-DCMAKE_BUILD_TYPE=Release', emulator],
    target: 'bench-wasm',
  });
  const program = fileURLToPath(new URL('build/bench-native/native_cases', root));
  if (!existsSync(program)) return { missing: 'the native build made no program' };
  const bytes = readFileSync(new URL('build/bench-wasm/cases.wasm', root));
  const { instance } = await WebAssembly.instantiate(bytes, { env: { emscripten_notify_memory_growth() {} } });
  /** @type {any} */ (instance.exports)._initialize();
  return { native: new NativeCases(program), wasm: new WasmCases(instance.exports) };
}
