// Opens the pages of the matrix in Chromium, from a server or from a folder that is served without any policy.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { findTool } from '../../.ci/setup.js';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};
let browser;

/** Ends the browser. */
export async function closeBrowser() {
  await (await browser)?.close();
}

/**
 * Opens a page and returns what its script puts into `globalThis.result`.
 *
 * @param {string} address
 * @throws {Error}  with what the page logged, if it sets no result within a minute
 */
export async function resultAt(address) {
  browser ??= chromium.launch({
    ...{ executablePath: findTool('chromium'), args: ['--no-sandbox'] },
    // It ends with this process; its own handlers would keep the process alive.
    ...{ handleSIGINT: false, handleSIGTERM: false },
  });
  const tab = await (await browser).newPage();
  const said = [];
  tab.on('console', (message) => said.push(message.text()));
  tab.on('pageerror', (error) => said.push(String(error)));
  try {
    await tab.goto(address);
    await tab.waitForFunction(() => globalThis.result, undefined, { timeout: 60000 });
    return await tab.evaluate(() => globalThis.result);
  } catch (error) {
    throw new Error(`${error.message.split('\n')[0]}: ${said.join('; ')}`, { cause: error });
  } finally {
    await tab.close();
  }
}

/** Serves a folder, and returns the result of its index.html. @param {string} folder */
export async function resultIn(folder) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '/index.html');
    response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain');
    try {
      response.end(await readFile(join(folder, path)));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await resultAt(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
