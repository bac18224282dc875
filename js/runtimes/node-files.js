// Where the WebAssembly files are for Node, Bun and Deno: in the folder of the package.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hasSimd, useFiles } from '../core/load.js';
import { embeddedFile } from './embedded-files.js';

// Not `new URL(…, import.meta.url)` in one expression: a bundler would take that for an asset of a page. A bundle that is
// not an ES module has no such address.
const here = import.meta.url ?? 'none:';

useFiles({
  isWhole: () => !hasSimd(),
  find(name) {
    const file = `../${hasSimd() ? name : 'linex-plain.wasm'}`;
    const address = URL.canParse(file, here) ? new URL(file, here) : undefined;
    // A bundler for servers, such as that of Next, has moved the code elsewhere, or reading is not allowed.
    return address && existsSync(address) ? address : embeddedFile();
  },
  readFile: (address) => readFile(address),
});
