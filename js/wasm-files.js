// Where the WebAssembly files are: beside this module, so that a bundle in one file finds them beside itself.
// Each address is a literal, because bundlers recognize only literals and copy these files.

/** What every explanation needs: tables, neighborhoods, the game. */
export const coreFile = () => new URL('./linex.wasm', import.meta.url);

/** Superpixels, and images with segments hidden. */
export const imageFile = () => new URL('./linex-image.wasm', import.meta.url);

/** Densities, forests and word vectors. */
export const dataFile = () => new URL('./linex-data.wasm', import.meta.url);

/** Shapley values. */
export const shapleyFile = () => new URL('./linex-shapley.wasm', import.meta.url);

/** All of them in one file, for engines without SIMD. */
export const plainFile = () => new URL('./linex-plain.wasm', import.meta.url);
