// The types of embedded-wasm.js, which `npm run build` writes.

/** The WebAssembly file, compressed with DEFLATE, in base64. */
export const BYTES: string;
/** How many bytes it has when it is not compressed. */
export const SIZE: number;
