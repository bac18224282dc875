// The built site for tests: its pages, and a server that sends its files from a path that the build does not know.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { POLICY } from '../../../.ci/docs/places.js';

const SITE = new URL('../../../build/site/', import.meta.url);
const DOCS = new URL('docs/', SITE);
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
const WHERE = '/somewhere/deep/';
/** The strict policies that a careful host sends: of the documentation, and of the demo and the dashboard beside it. */
const POLICIES = [`${POLICY}; frame-ancestors 'none'`, "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"];

/** The paths of all pages of the documentation, such as `guides/rows.html`. */
export const PAGES = readdirSync(DOCS, { recursive: true })
  .map((path) => String(path).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.html') && path !== '404.html')
  .sort();

/** @param {string} path  from the folder of the documentation */
export const readDocs = (path) => readFileSync(new URL(path, DOCS), 'utf8');

/** Arguments that leave Chromium without a network: it finds no host but this machine. */
export const WITHOUT_NETWORK = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** Serves the site as a static host does. @returns {Promise<{ address: string, close: () => void }>}  of the documentation */
export async function serveBuiltSite({ compress = (bytes) => ({ bytes, headers: {} }) } = {}) {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = decodeURIComponent(pathname).replace(/\/$/, '/index.html');
    try {
      if (!path.startsWith(WHERE)) throw new Error('outside');
      const { bytes, headers } = compress(
        await readFile(new URL(`./${path.slice(WHERE.length)}`, SITE)),
        extname(path),
      );
      const type = TYPES[extname(path)] ?? 'application/octet-stream';
      const policy = POLICIES[path.startsWith(`${WHERE}docs/`) ? 0 : 1];
      const always = { 'content-type': type, 'content-security-policy': policy, 'cache-control': 'max-age=3600' };
      response.writeHead(200, { ...always, ...headers }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${server.address().port}${WHERE}docs/`, close };
}
