// Target 9: what a page downloads, and how long it waits for the first instance.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { measureApart } from './apart.js';

const root = new URL('../..', import.meta.url);

/** Kilobytes, as the tests of the sizes count them. */
const packed = (bytes) => gzipSync(bytes, { level: 9 }).length / 1024;

/** @param {string} contents  of a module in js/ */
async function minified(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('js', root)) },
    ...{ bundle: true, minify: true, format: 'esm', write: false, logLevel: 'silent' },
  });
  return packed(outputFiles[0].contents);
}

/** What explains: all that index.js exports but for what draws. */
const core = () =>
  readFileSync(new URL('js/index.js', root), 'utf8').replace(/export \{[^}]*\} from '\.\/render\.js';/, '');

/** @param {import('./run.js').Bench} bench */
export async function measureSizes({ quick }) {
  const loads = [];
  for (let i = 0; i < (quick ? 3 : 15); i++) loads.push(1000 * (await measureApart('load')).wall);
  const entry = { target: 9, unit: 'KB' };
  const wasm = packed(readFileSync(new URL('js/linex.wasm', root)));
  const aim = (most) => ({ aim: { most } });
  return [
    { ...entry, what: 'wasm, gzip', of: 'linex.wasm', value: wasm, ...aim(45) },
    { ...entry, what: 'JavaScript, minified, gzip', of: 'what explains', value: await minified(core()), ...aim(15) },
    { ...entry, what: 'the same with what draws', of: 'index.js', value: await minified("export * from './index.js'") },
    { ...entry, what: 'the same', of: 'elements.js', value: await minified("import './elements.js'"), ...aim(12) },
    { ...entry, unit: 'ms', what: 'load(), by the clock', of: 'a fresh Node', value: Math.min(...loads), ...aim(5) },
  ];
}
