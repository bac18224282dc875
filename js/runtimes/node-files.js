// Where the WebAssembly files are for Node, Bun and Deno: in the folder of the package.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hasSimd, useFiles } from '../core/load.js';
import { embeddedFile } from './embedded-files.js';

// The folder js/. Not `new URL('../', import.meta.url)`: a bundler would take that for an asset of a page.
const folder = String(import.meta.url).replace(/[^/]*\/[^/]*$/, '');

useFiles({
  isWhole: () => !hasSimd(),
  find(name) {
    try {
      const address = new URL(folder + (hasSimd() ? name : 'linex-plain.wasm'));
      if (existsSync(address)) return address;
    } catch {
      // There is no address, or Deno does not allow to read it.
    }
    // A bundler for servers, such as that of Next, has moved the code elsewhere.
    return embeddedFile();
  },
  readFile: (address) => readFile(address),
});
