// The bundlers of the matrix, each with the file build or with linex/inline; every page is opened in Chromium.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forThisMachine, freePort } from './matrix-folder.js';
import { resultAt, resultIn } from './matrix-page.js';

const html = (script, type = 'module') =>
  `<!doctype html><meta charset="utf-8"><title>app</title><script type="${type}" src="${script}"></script>`;
const mainOf = (specifier) => `import * as linex from '${specifier}';
import { check } from './check.js';
check(linex).then((weights) => (globalThis.result = weights), (error) => console.error(error));
`;
/** Explains rows with a pool whose worker script a bundler sees, and without a pool. */
const pooled = (start, specifier = 'linex') => `import { describeTable, explainRows } from '${specifier}';
import { openPool } from 'linex/pool';
import { predict } from './model.js';
async function main() {
  const rows = Array.from({ length: 20 }, (_, i) => [i % 5, (i * i) % 7]);
  const options = { table: await describeTable(rows), samples: 50 };
  const all = async (explanations) => {
    const found = [];
    for await (const { weights } of explanations) found.push(weights);
    return JSON.stringify(found);
  };
  const pool = await openPool(() => ${start}, { workers: 2 });
  const same = (await all(pool.explainRows(rows, options))) === (await all(explainRows(rows, predict, options)));
  await pool.close();
  return same ? 'same' : 'different';
}
main().then((result) => (globalThis.result = result), (error) => console.error(error));
`;
const WORKER = {
  'model.js': 'export const predict = (batch) => Array.from(batch, ([a, b]) => a - 2 * b);\n',
  'model-worker.js':
    "import { joinPool } from 'linex/pool-worker';\nimport { predict } from './model.js';\njoinPool({ predict });\n",
};
const ASSET_WORKER = "new Worker(new URL('./model-worker.js', import.meta.url), { type: 'module' })";

const ESBUILD = { esbuild: '0.28.2' };
const esbuild = (folder, ...flags) =>
  folder.run('.bin/esbuild', ['main.js', '--bundle', '--log-level=warning', '--outfile=out/main.js', ...flags]);
const inlined = { 'main.js': mainOf('linex/inline') };
const INLINE = "`import { … } from 'linex/inline'`";

const ESBUILDS = [
  {
    id: 'esbuild-esm',
    name: 'esbuild 0.28.2, esm',
    line: INLINE,
    packages: ESBUILD,
    files: { ...inlined, 'out/index.html': html('main.js') },
    run: async (folder) => (await esbuild(folder, '--format=esm'), resultIn(join(folder.path, 'out'))),
  },
  {
    id: 'esbuild-iife',
    name: 'esbuild 0.28.2, iife',
    line: INLINE,
    packages: ESBUILD,
    files: { ...inlined, 'out/index.html': html('main.js', 'text/javascript') },
    run: async (folder) => (await esbuild(folder, '--format=iife'), resultIn(join(folder.path, 'out'))),
  },
  {
    id: 'esbuild-cjs',
    name: 'esbuild 0.28.2, cjs for Node',
    packages: ESBUILD,
    files: {
      'main.js':
        "import * as linex from 'linex';\nimport { check } from './check.js';\ncheck(linex).then(console.log);\n",
      'out/package.json': '{ "type": "commonjs" }',
    },
    run: async (folder) => (await esbuild(folder, '--format=cjs', '--platform=node'), folder.node('out/main.js')),
  },
  {
    id: 'esbuild-files',
    name: 'esbuild 0.28.2, file build',
    line: '`cp node_modules/linex/js/linex*.wasm out/`',
    packages: ESBUILD,
    files: { 'main.js': mainOf('linex'), 'out/index.html': html('main.js') },
    async run(folder) {
      await esbuild(folder, '--format=esm');
      await folder.run('sh', ['-c', 'cp node_modules/linex/js/linex*.wasm out/']);
      return resultIn(join(folder.path, 'out'));
    },
  },
  {
    id: 'esbuild-pool',
    name: 'esbuild 0.28.2, pool',
    line: 'the worker script is a second entry point, and `linex/inline`',
    packages: ESBUILD,
    files: {
      ...WORKER,
      'main.js': pooled("new Worker('model-worker.js', { type: 'module' })", 'linex/inline'),
      'out/index.html': html('main.js'),
    },
    expected: 'same',
    async run(folder) {
      const flags = ['--bundle', '--format=esm', '--outdir=out', '--log-level=warning'];
      await folder.run('.bin/esbuild', ['main.js', 'model-worker.js', ...flags]);
      return resultIn(join(folder.path, 'out'));
    },
  },
];

const parcel = async (folder, ...flags) => {
  folder.clean('dist', '.parcel-cache');
  await folder.run('.bin/parcel', [
    'build',
    'index.html',
    '--no-source-maps',
    '--cache-dir',
    '.parcel-cache',
    ...flags,
  ]);
  return resultIn(join(folder.path, 'dist'));
};
/** Parcel takes the folder of a lock file for the project: it reads its package.json, and writes its cache there. */
const LOCK = { 'yarn.lock': '' };

const OTHERS = [
  {
    id: 'rollup',
    name: 'rollup 4.68.3',
    line: INLINE,
    packages: { rollup: '4.68.3', '@rollup/plugin-node-resolve': '16.0.3' },
    files: { ...inlined, 'out/index.html': html('main.js') },
    run: async (folder) => (
      await folder.run('.bin/rollup', ['main.js', '-d', 'out', '-f', 'es', '-p', 'node-resolve={browser:true}']),
      resultIn(join(folder.path, 'out'))
    ),
  },
  {
    id: 'webpack',
    name: 'webpack 5.112.2',
    packages: { webpack: '5.112.2', 'webpack-cli': '7.3.1' },
    files: { 'main.js': mainOf('linex'), 'dist/index.html': html('main.js', 'text/javascript') },
    run: async (folder) => (
      await folder.run('.bin/webpack', ['--mode', 'production', '--entry', './main.js']),
      resultIn(join(folder.path, 'dist'))
    ),
  },
  {
    id: 'parcel',
    name: 'Parcel 2.16.4',
    packages: { parcel: '2.16.4' },
    files: { 'main.js': mainOf('linex'), 'index.html': html('main.js'), ...LOCK },
    run: (folder) => parcel(folder),
  },
  {
    id: 'parcel-pool',
    name: 'Parcel 2.16.4, `linex/inline` and pool',
    line: '`"@parcel/resolver-default": { "packageExports": true }` in package.json, and `parcel build --no-scope-hoist` for the pool',
    packages: { parcel: '2.16.4' },
    manifest: { '@parcel/resolver-default': { packageExports: true } },
    files: { ...WORKER, 'main.js': pooled(ASSET_WORKER, 'linex/inline'), 'index.html': html('main.js'), ...LOCK },
    expected: 'same',
    run: (folder) => parcel(folder, '--no-scope-hoist'),
  },
  {
    id: 'bun-build',
    name: 'Bun 1.4.4, build',
    line: INLINE,
    packages: { [forThisMachine('@oven/bun')]: '1.4.4' },
    files: { ...inlined, 'out/index.html': html('main.js') },
    run: async (folder) => (
      await folder.run(`${forThisMachine('@oven/bun')}/bin/bun`, [
        'build',
        'main.js',
        '--outdir',
        'out',
        '--target',
        'browser',
      ]),
      resultIn(join(folder.path, 'out'))
    ),
  },
];

const VITE = { vite: '7.1.12' };
const viteDev = async (folder) => {
  folder.clean('node_modules/.vite');
  const port = await freePort();
  return folder.serve('.bin/vite', ['--port', String(port), '--strictPort', '--host', 'localhost'], port, resultAt);
};
const viteBuild = async (folder) => (await folder.run('.bin/vite', ['build']), resultIn(join(folder.path, 'dist')));
const VITES = [
  {
    id: 'vite-dev',
    name: 'Vite 7.1.12, development',
    packages: VITE,
    files: { 'main.js': mainOf('linex'), 'index.html': html('/main.js') },
    run: viteDev,
  },
  {
    id: 'vite-build',
    name: 'Vite 7.1.12, build',
    packages: VITE,
    files: { 'main.js': mainOf('linex'), 'index.html': html('/main.js') },
    run: viteBuild,
  },
  {
    id: 'vite-pool-dev',
    name: 'Vite 7.1.12, pool, development',
    packages: VITE,
    files: { ...WORKER, 'main.js': pooled(ASSET_WORKER), 'index.html': html('/main.js') },
    expected: 'same',
    run: viteDev,
  },
  {
    id: 'vite-pool-build',
    name: 'Vite 7.1.12, pool, build',
    line: "`worker: { format: 'es' }` in vite.config.js",
    packages: VITE,
    files: {
      ...WORKER,
      'main.js': pooled(ASSET_WORKER),
      'index.html': html('/main.js'),
      'vite.config.js': "export default { worker: { format: 'es' } };\n",
    },
    expected: 'same',
    run: viteBuild,
  },
];

/** Explains a garment by a network of ONNX Runtime, once by the adapter and once by a predict written by hand. */
const ONNX = `import * as ort from 'onnxruntime-web';
import { explainImage } from 'linex';
import { fromOnnx } from 'linex/adapters';
async function main() {
  const session = await ort.InferenceSession.create('/garments.onnx', { executionProviders: ['wasm'] });
  const image = { data: Uint8Array.from({ length: 784 }, (_, i) => (i * 7) % 256), width: 28, height: 28, channels: 1 };
  const options = { segments: { kind: 'grid', count: 9 }, samples: 50 };
  const handWritten = async ({ data, shape }) =>
    (await session.run({ [session.inputNames[0]]: new ort.Tensor('float32', data, shape) }))[session.outputNames[0]];
  const found = await explainImage(image, fromOnnx(session), options);
  const expected = await explainImage(image, handWritten, { ...options, input: { channels: 1, layout: 'nchw' } });
  return String(found.weights) === String(expected.weights) ? 'same' : 'different';
}
main().then((result) => (globalThis.result = result), (error) => console.error(error));
`;
const NETWORK = readFileSync(new URL('../../web/models/garments.onnx', import.meta.url));
const VITE_ONNX = {
  id: 'vite-onnx',
  name: 'Vite 7.1.12, a model of onnxruntime-web 1.30.0',
  line: "`optimizeDeps: { exclude: ['onnxruntime-web'] }` in vite.config.js, for onnxruntime-web in development",
  packages: { ...VITE, 'onnxruntime-web': '1.30.0' },
  files: {
    'main.js': ONNX,
    'index.html': html('/main.js'),
    'public/garments.onnx': NETWORK,
    'vite.config.js': "export default { optimizeDeps: { exclude: ['onnxruntime-web'] } };\n",
  },
  expected: 'same',
  async run(folder) {
    const developed = await viteDev(folder);
    const built = await viteBuild(folder);
    return built === developed ? built : `built ${built}, in development ${developed}`;
  },
};

export const BUNDLERS = [...ESBUILDS, ...OTHERS, ...VITES, VITE_ONNX];
