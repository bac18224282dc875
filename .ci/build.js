// `npm run build`: builds js/linex*.wasm if src has changed, and the type declarations.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { cmake, ensurePackages, ensureTools, filesIn, root, run } from './setup.js';

export const MODULES = [
  ...['linex.wasm', 'linex-adjust.wasm', 'linex-kriging.wasm', 'linex-masks.wasm'],
  ...['linex-wide.wasm', 'linex-image.wasm', 'linex-data.wasm', 'linex-shapley.wasm', 'linex-plain.wasm'],
];
const stamp = new URL('build/wasm.stamp', root);

/** How js/index.js finds its files: line 2. */
const FILES_OF_PAGES = "import './wasm-files.js';";

/**
 * Writes js/runtimes/inline.js, node.js and workerd.js. They export what js/index.js exports, and find their files in
 * another way. They do not import js/index.js: a bundler would copy the files that it names.
 */
export function buildEntries() {
  const [first, second, ...rest] = readFileSync(new URL('js/index.js', root), 'utf8').split('\n');
  if (second !== FILES_OF_PAGES) throw new Error(`line 2 of js/index.js must be ${FILES_OF_PAGES}`);
  const exported = rest.join('\n').replaceAll("'./", "'../");
  for (const name of ['inline', 'node', 'workerd']) {
    const opening = `${first}\n// Written by npm run build from js/index.js. Do not edit.\nimport './${name}-files.js';`;
    writeIfChanged(`js/runtimes/${name}.js`, `${opening}\n${exported}`);
  }
}

/** Writes js/runtimes/embedded-wasm.js: the WebAssembly file that has all functions and runs in every engine. */
function embedWasm() {
  const bytes = readFileSync(new URL('js/linex-plain.wasm', root));
  const text = deflateRawSync(bytes, { level: 9 }).toString('base64');
  const lines = [
    '// Written by npm run build: linex-plain.wasm, compressed. Do not edit.',
    `export const BYTES = '${text}';`,
  ];
  writeIfChanged('js/runtimes/embedded-wasm.js', [...lines, `export const SIZE = ${bytes.length};`, ''].join('\n'));
}

/** Writes a file, unless it has that text: whoever watches the folder sees only changes. */
function writeIfChanged(path, text) {
  const url = new URL(path, root);
  if (!existsSync(url) || readFileSync(url, 'utf8') !== text) writeFileSync(url, text);
}

/** Returns a hash of all sources of the WebAssembly files. */
function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(new URL('CMakeLists.txt', root)));
  for (const path of filesIn('src')) hash.update(path).update(readFileSync(new URL(path, root)));
  return hash.digest('hex');
}

/** Builds the WebAssembly files, unless they are up to date, and the modules that find or contain them. */
export function buildWasm() {
  compileWasm();
  buildEntries();
  embedWasm();
}

function compileWasm() {
  const current = fingerprint();
  const complete = MODULES.every((name) => existsSync(new URL(`js/${name}`, root)));
  if (complete && existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return;
  ensureTools(['cc', 'make', 'cmake', 'emcc']);
  console.log(`Building ${MODULES.map((name) => `js/${name}`).join(', ')} …`);
  // Emscripten's CMake file passes Node an option that Node 20 refuses, so we set the emulator without options.
  const emulator = `-DCMAKE_CROSSCOMPILING_EMULATOR=${process.execPath}`;
  cmake('build/wasm', { wrapper: ['emcmake'], flags: ['-DCMAKE_BUILD_TYPE=Release', emulator] });
  for (const name of MODULES) copyFileSync(new URL(`build/wasm/${name}`, root), new URL(`js/${name}`, root));
  writeFileSync(stamp, current);
}

/** Writes types/*.d.ts from the JSDoc in js/, and custom-elements.json. */
export function buildTypes() {
  ensurePackages();
  buildEntries();
  rmSync(new URL('types', root), { recursive: true, force: true });
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.ci/types.json']);
  // In other processes: TypeScript may have been installed just now.
  run(process.execPath, ['.ci/element-types.js']);
  run(process.execPath, ['.ci/platform-types.js']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildWasm();
  buildTypes();
}
