// Next in the matrix: a server component, a route handler, and a client component with elements, by both of its bundlers.
import { freePort } from './matrix-folder.js';
import { resultAt } from './matrix-page.js';

const FILES = {
  'app/layout.js':
    'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
  'app/page.js': `import * as linex from 'linex';
import { check } from '../check.js';
import Picture from './picture.js';
export const dynamic = 'force-dynamic';
export default async function Page() {
  return <main><pre id="server">{await check(linex)}</pre><Picture /></main>;
}
`,
  'app/weights/route.js': `import * as linex from 'linex';
import { check } from '../../check.js';
export const dynamic = 'force-dynamic';
export const GET = async () => new Response(await check(linex));
`,
  'app/picture.js': `'use client';
import { useEffect, useState } from 'react';
import * as linex from 'linex';
import 'linex/elements';
import 'linex/charts';
import { check } from '../check.js';
export default function Picture() {
  const [explanation, setExplanation] = useState(null);
  useEffect(() => {
    const predict = (texts) => texts.map((text) => text.length);
    linex.explainText('a tale of love', predict).then(setExplanation);
    const drawn = () => document.querySelector('linex-bars')?.shadowRoot?.querySelector('svg');
    const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
    (async () => {
      const client = await check(linex);
      while (!drawn()) await wait();
      const server = document.querySelector('#server').textContent;
      const route = await (await fetch('/weights')).text();
      globalThis.result = client === server && client === route ? client : 'different: ' + [client === server, client === route, server.slice(0, 150), route.slice(0, 150)];
    })().catch((error) => console.error(error));
  }, []);
  return <linex-bars explanation={explanation}></linex-bars>;
}
`,
};

/** @param {string} version @param {string} bundler  what the table calls it @param {string} flag  for both commands */
const next = (version, bundler, flag) => ({
  id: `next-${version.split('.')[0]}-${bundler.toLowerCase()}`,
  name: `Next ${version}, ${bundler}`,
  packages: { next: version, react: '19.3.1', 'react-dom': '19.3.1' },
  // Next looks for a lock file to find the root of the project.
  files: {
    ...FILES,
    'next.config.js':
      'export default { outputFileTracingRoot: import.meta.dirname, turbopack: { root: import.meta.dirname } };\n',
  },
  async run(folder) {
    folder.clean('.next');
    const env = { NEXT_TELEMETRY_DISABLED: '1', CI: 'true' };
    await folder.run('.bin/next', ['build', ...(flag ? [flag] : [])], { env, timeout: 600000 });
    const started = await freePort();
    const built = await folder.serve('.bin/next', ['start', '-p', String(started)], started, resultAt, env);
    folder.clean('.next');
    const port = await freePort();
    const args = ['dev', '-p', String(port), ...(flag ? [flag] : [])];
    const developed = await folder.serve('.bin/next', args, port, resultAt, env);
    return built === developed ? built : `built ${built}, in development ${developed}`;
  },
});

export const NEXTS = [
  next('15.5.29', 'webpack', ''),
  next('15.5.29', 'Turbopack', '--turbopack'),
  next('16.4.6', 'Turbopack', ''),
  next('16.4.6', 'webpack', '--webpack'),
];
