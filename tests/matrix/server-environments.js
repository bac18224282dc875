// The environments without a page: Node, require, Deno, Bun, Cloudflare Workers.
import { forThisMachine, freePort } from './matrix-folder.js';

const MAIN = `import * as linex from 'linex';
import { check } from './check.js';
console.log(await check(linex));
`;
const NODE_22 = forThisMachine('node');
const POOLED = `import { describeTable, explainRows } from 'linex';
import { openPool } from 'linex/pool';
import { predict } from './model.js';
const rows = Array.from({ length: 20 }, (_, i) => [i % 5, (i * i) % 7]);
const options = { table: await describeTable(rows), samples: 50 };
const all = async (explanations) => {
  const found = [];
  for await (const { weights } of explanations) found.push(weights);
  return JSON.stringify(found);
};
const pool = await openPool(new URL('./model.js', import.meta.url), { workers: 2 });
const same = (await all(pool.explainRows(rows, options))) === (await all(explainRows(rows, predict, options)));
await pool.close();
console.log(same ? 'same' : 'different');
`;
const MODEL = 'export const predict = (batch) => Array.from(batch, ([a, b]) => a - 2 * b);\n';

export const SERVERS = [
  {
    id: 'node',
    name: `Node ${process.versions.node}`,
    files: { 'main.js': MAIN },
    run: (folder) => folder.node('main.js'),
  },
  {
    id: 'node-pool',
    name: `Node ${process.versions.node}, pool`,
    files: { 'main.js': POOLED, 'model.js': MODEL },
    expected: 'same',
    run: (folder) => folder.node('main.js'),
  },
  {
    id: 'node-22',
    name: 'Node 22.23.3',
    packages: { [NODE_22]: '22.23.3' },
    files: { 'main.js': MAIN },
    run: (folder) => folder.run(`${NODE_22}/bin/node`, ['main.js']),
  },
  {
    id: 'npm-install',
    name: '`npm install`, beside older versions of the packages that linex can use',
    packages: { pngjs: '6.0.0', ioredis: '5.4.0', 'jpeg-js': '0.3.7' },
    files: { 'main.js': MAIN },
    async run(folder, packed) {
      folder.clean('node_modules/linex');
      await folder.run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', packed]);
      return folder.node('main.js');
    },
  },
  {
    id: 'require',
    name: `\`require('linex')\`, Node ${process.versions.node}`,
    line: 'Node 20.19, 22.12 or newer',
    files: {
      'main.cjs':
        "const linex = require('linex');\nimport('./check.js').then(({ check }) => check(linex)).then(console.log);\n",
    },
    run: (folder) => folder.node('main.cjs'),
  },
  {
    id: 'deno',
    name: 'Deno 2.9.6',
    line: '`deno run --allow-read=node_modules/linex`; without a permission it uses the embedded file',
    packages: { [`@deno/${process.platform}-${process.arch}-glibc`]: '2.9.6' },
    files: { 'main.js': MAIN },
    async run(folder) {
      const deno = `@deno/${process.platform}-${process.arch}-glibc/deno`;
      const flags = ['run', '--no-prompt', '--node-modules-dir=manual', '--cached-only'];
      const allowed = await folder.run(deno, [...flags, '--allow-read=node_modules/linex', 'main.js']);
      const refused = await folder.run(deno, [...flags, 'main.js']);
      return allowed === refused ? allowed : `${allowed} and without permission ${refused}`;
    },
  },
  {
    id: 'bun',
    name: 'Bun 1.4.4',
    packages: { [forThisMachine('@oven/bun')]: '1.4.4' },
    files: { 'main.js': MAIN },
    run: (folder) => folder.run(`${forThisMachine('@oven/bun')}/bin/bun`, ['run', 'main.js']),
  },
  {
    id: 'workerd',
    name: 'Cloudflare Workers (wrangler 4.86.0, workerd)',
    packages: { wrangler: '4.86.0' },
    files: {
      'wrangler.json': JSON.stringify({ name: 'app', main: 'worker.js', compatibility_date: '2026-01-01' }),
      'worker.js': `import * as linex from 'linex';
import { check } from './check.js';
export default { fetch: async () => new Response(await check(linex)) };
`,
    },
    async run(folder) {
      const port = await freePort();
      const env = { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', CI: 'true' };
      return folder.serve(
        '.bin/wrangler',
        ['dev', '--port', String(port), '--local'],
        port,
        async (address) => (await fetch(address)).text(),
        env,
      );
    },
  },
];
