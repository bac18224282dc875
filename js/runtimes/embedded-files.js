// The WebAssembly file that is embedded in the code: all functions in one, compressed.
import { inflate } from '../core/inflate.js';

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/**
 * The module with all functions. It is compiled once.
 *
 * @returns {Promise<WebAssembly.Module>}
 */
export function embeddedFile() {
  compiled ??= import('./embedded-wasm.js').then(({ BYTES, SIZE }) =>
    WebAssembly.compile(inflate(decode(BYTES), SIZE)),
  );
  return compiled;
}

/** @param {string} text  in base64 */
function decode(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
