// Where the WebAssembly files are: beside this module, so that a bundle in one file finds them beside itself.
// Each address is a literal, because bundlers recognize only literals and copy these files.

/** What every explanation needs: tables, neighborhoods, the game of up to 128 features. */
export const coreFile = () => new URL('./linex.wasm', import.meta.url);

/** Control variates for texts, images, and rows with many samples. */
export const adjustFile = () => new URL('./linex-adjust.wasm', import.meta.url);

/** Control variates for rows with few samples. */
export const krigingFile = () => new URL('./linex-kriging.wasm', import.meta.url);

/** The game, with solvers for many features. */
export const wideFile = () => new URL('./linex-wide.wasm', import.meta.url);

/** Superpixels, and images with segments hidden. */
export const imageFile = () => new URL('./linex-image.wasm', import.meta.url);

/** Densities, forests and word vectors. */
export const dataFile = () => new URL('./linex-data.wasm', import.meta.url);

/** Shapley values. */
export const shapleyFile = () => new URL('./linex-shapley.wasm', import.meta.url);

/** All of them in one file, for engines without SIMD. */
export const plainFile = () => new URL('./linex-plain.wasm', import.meta.url);
