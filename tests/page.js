// A real page in a real browser: serves files on loopback under a strict CSP and opens them in Chromium.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { findTool } from '../.ci/setup.js';

const TYPES = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
  png: 'image/png',
  svg: 'image/svg+xml',
};
const CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/**
 * Opens a page, or says why not.
 *
 * @param {import('node:test').TestContext} t
 * @param {URL} folder  what is served
 * @param {Record<string, string | Uint8Array>} [extra]  files that are not in it, by path
 * @param {string} [csp]
 * @returns {Promise<{ tab: import('playwright-core').Page, problems: string[] } | undefined>}  undefined: skipped
 */
export async function openPage(t, folder, extra = {}, csp = CSP) {
  if (!findTool('chromium')) {
    t.skip('there is no Chromium on this machine');
    return undefined;
  }
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
  t.after(() => server.close());
  const browser = await chromium.launch({
    executablePath: findTool('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  t.after(() => browser.close());
  const tab = await browser.newPage();
  const problems = [];
  tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  tab.on('pageerror', (error) => problems.push(String(error)));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  return { tab, problems };
}

/**
 * Opens a page and waits for the `result` that its script puts on globalThis.
 *
 * @param {import('node:test').TestContext} t
 * @param {URL} folder  what is served
 * @param {Record<string, string | Uint8Array>} [extra]  files that are not in it, by path
 * @param {string} [csp]
 */
export async function resultOfPage(t, folder, extra = {}, csp = undefined) {
  const page = await openPage(t, folder, extra, csp);
  if (!page) return { result: undefined, problems: [], skipped: true };
  const { tab, problems } = page;
  await tab.waitForFunction(() => globalThis.result, undefined, { timeout: 20000 }).catch(() => {});
  return { result: await tab.evaluate(() => globalThis.result), problems, skipped: false };
}

/** A script that explains a linear model, y = a - 2 b, whose weights are known; `from` is where linex is imported from. */
export const linearScript = (from) => `
  import { describeTable, explainRow } from '${from}';
  const rows = Array.from({ length: 30 }, (_, i) => [i % 5, (i * i) % 7]);
  const table = await describeTable(rows);
  const predict = (batch) => [...batch].map(([a, b]) => a - 2 * b);
  const { weights, queries } = await explainRow(rows[3], predict, { table, samples: 200, ridge: 0, gamma: 50 });
  const spreads = table.columns.map(({ spread }) => spread);
  globalThis.result = { off: Math.max(Math.abs(weights[0] - spreads[0]), Math.abs(weights[1] + 2 * spreads[1])), queries };
`;
