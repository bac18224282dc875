// A real page in a real browser: serves files on loopback under a strict CSP and opens them in Chromium.
import { browserFor } from './browsers.js';
import { listen } from './drivers.js';
import { serve } from './server.js';

/**
 * Opens a page, or says why not.
 *
 * @param {import('node:test').TestContext} t
 * @param {URL} folder  what is served
 * @param {Record<string, string | Uint8Array>} [extra]  files that are not in it, by path
 * @param {string} [csp]
 * @returns {Promise<{ tab: import('playwright-core').Page, problems: string[] } | undefined>}  undefined: skipped
 */
export async function openPage(t, folder, extra = {}, csp = undefined) {
  const { browser } = (await browserFor(t, 'chromium')) ?? {};
  if (!browser) return undefined;
  const tab = await browser.newPage();
  t.after(() => tab.close());
  const problems = listen(tab);
  await tab.goto(await serve(t, folder, extra, csp));
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
