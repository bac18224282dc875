// Opens pages in Chromium, from files that are served on loopback under a strict content security policy.
import { browserFor } from './browsers.js';
import { collectErrors } from './drivers.js';
import { serve } from './server.js';

/**
 * Opens a page, or skips the test if there is no Chromium.
 *
 * @param {import('node:test').TestContext} t
 * @param {URL} folder  the folder to serve
 * @param {Record<string, string | Uint8Array>} [extra]  the contents of further files, by path
 * @param {string} [csp]  the content security policy
 * @returns {Promise<{ tab: import('playwright-core').Page, problems: string[] } | undefined>}  undefined if the test is
 *   skipped
 */
export async function openPage(t, folder, extra = {}, csp = undefined) {
  const { browser } = (await browserFor(t, 'chromium')) ?? {};
  if (!browser) return undefined;
  const tab = await browser.newPage();
  t.after(() => tab.close());
  const problems = collectErrors(tab);
  await tab.goto(await serve(t, folder, extra, csp));
  return { tab, problems };
}

/**
 * Opens a page and waits until its script sets `globalThis.result`.
 *
 * @param {import('node:test').TestContext} t
 * @param {URL} folder  the folder to serve
 * @param {Record<string, string | Uint8Array>} [extra]  the contents of further files, by path
 * @param {string} [csp]  the content security policy
 */
export async function resultOfPage(t, folder, extra = {}, csp = undefined) {
  const page = await openPage(t, folder, extra, csp);
  if (!page) return { result: undefined, problems: [], skipped: true };
  const { tab, problems } = page;
  await tab.waitForFunction(() => globalThis.result, undefined, { timeout: 20000 }).catch(() => {});
  return { result: await tab.evaluate(() => globalThis.result), problems, skipped: false };
}

/** Returns a script that explains the linear model y = a - 2 b, whose weights are known. @param {string} specifier  of linex */
export const linearScript = (specifier) => `
  import { describeTable, explainRow } from '${specifier}';
  const rows = Array.from({ length: 30 }, (_, i) => [i % 5, (i * i) % 7]);
  const table = await describeTable(rows);
  const predict = (batch) => [...batch].map(([a, b]) => a - 2 * b);
  const { weights, queries } = await explainRow(rows[3], predict, { table, samples: 200, ridge: 0, gamma: 50 });
  const spreads = table.columns.map(({ spread }) => spread);
  globalThis.result = { off: Math.max(Math.abs(weights[0] - spreads[0]), Math.abs(weights[1] + 2 * spreads[1])), queries };
`;
