// The instances of the WebAssembly files that all calls share, for tests that look at their memory.
import { adjustWasm, coreWasm, dataWasm, krigingWasm, masksWasm, shapleyWasm, wideWasm } from '../../js/core/load.js';

/** Loads every file that has a shared instance. @returns {Promise<import('../../js/core/load.js').Core[]>} */
export function sharedCores() {
  return Promise.all(
    [coreWasm, adjustWasm, krigingWasm, masksWasm, wideWasm, dataWasm, shapleyWasm].map(async (file) => {
      const core = await file.ready();
      // The first allocation makes the allocator take a few bytes for itself.
      core.linex_wasm_release(/** @type {any} */ (core.linex_wasm_allocate(1000)));
      return core;
    }),
  );
}
