// Where the WebAssembly files are for pages: beside this module, so that a bundle in one file finds them beside itself.
import { hasSimd, useFiles } from './core/load.js';

/** Each address is a literal, because bundlers recognize only literals and copy these files. @type {Record<string, () => URL>} */
const ADDRESSES = {
  // What every explanation needs: tables, neighborhoods, the game of up to 128 features.
  'linex.wasm': () => new URL('./linex.wasm', import.meta.url),
  // Control variates for many samples.
  'linex-adjust.wasm': () => new URL('./linex-adjust.wasm', import.meta.url),
  // Control variates for few rows.
  'linex-kriging.wasm': () => new URL('./linex-kriging.wasm', import.meta.url),
  // Control variates for few texts or images.
  'linex-masks.wasm': () => new URL('./linex-masks.wasm', import.meta.url),
  // The game, with solvers for many features.
  'linex-wide.wasm': () => new URL('./linex-wide.wasm', import.meta.url),
  // Superpixels, and images with segments hidden.
  'linex-image.wasm': () => new URL('./linex-image.wasm', import.meta.url),
  // Densities, forests and word vectors.
  'linex-data.wasm': () => new URL('./linex-data.wasm', import.meta.url),
  // Shapley values.
  'linex-shapley.wasm': () => new URL('./linex-shapley.wasm', import.meta.url),
  // All of them in one file, for engines without SIMD.
  'linex-plain.wasm': () => new URL('./linex-plain.wasm', import.meta.url),
};

/**
 * For Node, if it does not use the package's `exports`: its `fetch` does not read files.
 *
 * @param {URL} address
 */
async function readFile(address) {
  // Not a literal, so that bundlers for the browser leave it alone.
  const module = 'node:fs/promises';
  const fs = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ module);
  return new Uint8Array(await fs.readFile(address));
}

useFiles({
  isDefault: true,
  isWhole: () => !hasSimd(),
  find: (name) => ADDRESSES[hasSimd() ? name : 'linex-plain.wasm'](),
  ...('process' in globalThis && { readFile }),
});
