// Files on loopback, under a strict content security policy.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';

const TYPES = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  wasm: 'application/wasm',
  png: 'image/png',
  svg: 'image/svg+xml',
};
export const CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/**
 * Serves files until the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @param {URL} folder  what is served
 * @param {Record<string, string | Uint8Array>} [extra]  files that are not in it, by path
 * @param {string} [csp]
 * @returns {Promise<string>}  the address of its index.html
 */
export async function serve(t, folder, extra = {}, csp = CSP) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/^\/$/, '/index.html').slice(1);
    response.setHeader('content-security-policy', csp);
    response.setHeader('content-type', TYPES[path.split('.').pop()] ?? 'text/plain');
    try {
      response.end(extra[path] ?? (await readFile(new URL(path, folder))));
    } catch {
      response.statusCode = path === 'favicon.ico' ? 204 : 404;
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    // A browser that is kept for the next test keeps its connections too.
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}
