// npm run build: js/linex*.wasm from src, if anything in src has changed since they were built, and the
// declarations.
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { cmake, ensurePackages, ensureTools, root, run } from './setup.js';

export const MODULES = ['linex.wasm', 'linex-image.wasm', 'linex-data.wasm', 'linex-shapley.wasm', 'linex-plain.wasm'];
const stamp = new URL('build/wasm.stamp', root);

/** The files of a folder and of the folders in it, as paths from the root. @param {string} folder */
export function filesIn(folder) {
  return readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(fileURLToPath(root), join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** A fingerprint of everything that the modules are made from. */
function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(new URL('CMakeLists.txt', root)));
  for (const path of filesIn('src')) hash.update(path).update(readFileSync(new URL(path, root)));
  return hash.digest('hex');
}

export function buildWasm() {
  const wanted = fingerprint();
  const there = MODULES.every((name) => existsSync(new URL(`js/${name}`, root)));
  if (there && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  ensureTools(['cc', 'make', 'cmake', 'emcc']);
  console.log(`Building ${MODULES.map((name) => `js/${name}`).join(' and ')} …`);
  // Emscripten's own CMake flags name an emulator option that Node 20 refuses; ours runs nothing while it configures.
  const emulator = `-DCMAKE_CROSSCOMPILING_EMULATOR=${process.execPath}`;
  cmake('build/wasm', { wrapper: ['emcmake'], flags: ['-DCMAKE_BUILD_TYPE=Release', emulator] });
  for (const name of MODULES) copyFileSync(new URL(`build/wasm/${name}`, root), new URL(`js/${name}`, root));
  writeFileSync(stamp, wanted);
}

/** What JSDoc has no words for: that a page's own functions know the elements and their event. */
const IN_PAGES = `
declare global {
  interface HTMLElementTagNameMap {
    'linex-bars': LinexBars;
    'linex-image': LinexImage;
    'linex-text': LinexText;
  }
  interface HTMLElementEventMap {
    'feature-focus': CustomEvent<{ explanation: import('./explain/explanation.js').Explanation; feature: number | null }>;
  }
}
`;

/** types/*.d.ts from the JSDoc of js/*.js. */
export function buildTypes() {
  ensurePackages();
  rmSync(new URL('types', root), { recursive: true, force: true });
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.ci/types.json']);
  appendFileSync(new URL('types/elements.d.ts', root), IN_PAGES);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildWasm();
  buildTypes();
}
