// Serves files on loopback under a strict content security policy.
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
 * @param {URL} folder  the folder to serve
 * @param {Record<string, string | Uint8Array>} [extra]  the contents of further files, by path
 * @param {string} [csp]  the content security policy; default `CSP`
 * @param {Set<string>} [asked]  gets the paths that are asked for
 * @returns {Promise<string>}  the address of index.html, which ends with a slash
 */
export async function serve(t, folder, extra = {}, csp = CSP, asked = new Set()) {
  const origin = await startServer(t, async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/^\/$/, '/index.html').slice(1);
    asked.add(path);
    response.setHeader('content-security-policy', csp);
    response.setHeader('content-type', TYPES[path.split('.').pop()] ?? 'text/plain');
    try {
      response.end(extra[path] ?? (await readFile(new URL(path, folder))));
    } catch {
      response.statusCode = path === 'favicon.ico' ? 204 : 404;
      response.end();
    }
  });
  return `${origin}/`;
}

/**
 * Starts a server on a free port of loopback. It stops when the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @param {import('node:http').RequestListener} handler
 * @returns {Promise<string>}  its origin, such as `http://127.0.0.1:8080`
 */
export async function startServer(t, handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    // A browser that stays open for the next test keeps its connections open too.
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}`;
}
