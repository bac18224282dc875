// npm run build: js/linex*.wasm from src, if anything in src has changed since they were built, and the
// declarations.
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { cmake, ensurePackages, ensureTools, root, run } from './setup.js';

export const MODULES = ['linex.wasm', 'linex-image.wasm', 'linex-more.wasm', 'linex-plain.wasm'];
const stamp = new URL('build/wasm.stamp', root);

/** A fingerprint of everything that the modules are made from. */
function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(new URL('CMakeLists.txt', root)));
  for (const name of readdirSync(new URL('src', root)).sort())
    hash.update(name).update(readFileSync(new URL(`src/${name}`, root)));
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
    'feature-focus': CustomEvent<{ explanation: import('./explanation.js').Explanation; feature: number | null }>;
  }
}
`;

/** types/*.d.ts from the JSDoc of js/*.js. */
export function buildTypes() {
  ensurePackages();
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.ci/types.json']);
  appendFileSync(new URL('types/elements.d.ts', root), IN_PAGES);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildWasm();
  buildTypes();
}
