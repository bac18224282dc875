// What a page downloads for an import of ours: minified, gzipped, without what is loaded only when it is asked for.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LATER = {
  name: 'what is imported later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
};

/** Kilobytes. @param {Uint8Array} bytes */
export const packed = (bytes) => gzipSync(bytes, { level: 9 }).length / 1024;

/** Kilobytes. @param {string} contents  of a module in js/ */
export async function downloadOf(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../../js', import.meta.url)) },
    ...{ bundle: true, minify: true, format: 'esm', write: false, logLevel: 'silent', plugins: [LATER] },
  });
  return packed(outputFiles[0].contents);
}

/** What a page that explains images downloads; one that explains rows or texts, the first alone. */
export const WASM = Object.freeze(['linex.wasm', 'linex-image.wasm']);

/** What each import may take. A page that explains one kind of thing downloads the code for that kind. */
export const BUDGETS = Object.freeze([
  { what: 'explainRow, describeTable', contents: "export { describeTable, explainRow } from './index.js'", most: 15 },
  { what: 'explainText', contents: "export { explainText } from './index.js'", most: 15 },
  { what: 'explainImage', contents: "export { explainImage } from './index.js'", most: 15 },
  { what: 'elements.js', contents: "import './elements.js'", most: 12 },
]);
