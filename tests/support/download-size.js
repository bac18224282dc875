// Measures what a page downloads for an import of linex: minified, gzipped, without modules that are loaded on demand.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ON_DEMAND = {
  name: 'leave out dynamic imports',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
};

/** Returns the gzipped size in kilobytes. @param {Uint8Array} bytes */
export const packed = (bytes) => gzipSync(bytes, { level: 9 }).length / 1024;

/** Returns the size of a bundle in kilobytes. @param {string} contents  of a module in js/ */
export async function downloadOf(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../../js', import.meta.url)) },
    ...{ bundle: true, minify: true, format: 'esm', write: false, logLevel: 'silent', plugins: [ON_DEMAND] },
  });
  return packed(outputFiles[0].contents);
}

/** The WebAssembly files of a default explanation. A page that explains rows or texts downloads only the first two. */
export const WASM = Object.freeze(['linex.wasm', 'linex-adjust.wasm', 'linex-image.wasm']);

/** The limit for each import, in kilobytes. A page that explains one kind of input downloads only the code for that kind. */
export const BUDGETS = Object.freeze([
  { what: 'explainRow, describeTable', contents: "export { describeTable, explainRow } from './index.js'", most: 19.5 },
  { what: 'explainText', contents: "export { explainText } from './index.js'", most: 17 },
  { what: 'explainImage', contents: "export { explainImage } from './index.js'", most: 20 },
  { what: 'elements.js', contents: "import './elements.js'", most: 21 },
  ...[
    'fromOnnx',
    'fromTfjs',
    'fromPipeline',
    'fromHTTP',
    'polite',
    'boxScore',
    'regionScore',
    'memoryCache',
    'indexedDBCache',
    'fileCache',
  ].map((name) => ({ what: name, contents: `export { ${name} } from './adapters.js'`, most: 4 })),
  // One more than before the second cold reading: equal values, unsure features and unnamed bars are said and drawn apart.
  { what: 'charts.js', contents: "import './charts.js'", most: 38 },
]);
