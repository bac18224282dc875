// Lighthouse on five pages of the built site, as a phone sees them: at least 95 in all four categories.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ensureTools, findTool } from '../../.ci/setup.js';
import { serveBuiltSite } from '../support/pages/built-site.js';

ensureTools(['chromium']);
const skip = findTool('chromium') ? false : 'there is no Chromium';
// Lighthouse is installed for these tests only.
const require = createRequire(new URL('../../.ci/docs/package.json', import.meta.url));
const PAGES = ['index', 'tutorial', 'guides/rows', 'ideas/the-game', 'reference/api/linex/functions/explainRow'];
const LEAST = 95;
const RUNS = 4;

let site;
let chrome;
before(async () => {
  if (skip) return;
  const compress = (bytes, ending) =>
    ['.png', '.wasm'].includes(ending)
      ? { bytes, headers: {} }
      : { bytes: gzipSync(bytes), headers: { 'content-encoding': 'gzip' } };
  site = await serveBuiltSite({ compress });
  const { launch } = await import(pathToFileURL(require.resolve('chrome-launcher')));
  chrome = await launch({
    chromePath: findTool('chromium'),
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'],
  });
});
after(async () => {
  await chrome?.kill();
  site?.close();
});

describe(`Lighthouse gives at least ${LEAST} to`, { skip }, () => {
  for (const page of PAGES)
    test(page, { timeout: 240000 }, async () => {
      const { default: lighthouse } = await import(pathToFileURL(require.resolve('lighthouse')));
      let lhr;
      let scores;
      // A busy machine lowers the score for speed and never raises it, so the best of a few runs counts.
      for (let run = 0; run < RUNS && !scores?.every(([, score]) => score >= LEAST); run++) {
        ({ lhr } = await lighthouse(`${site.address}${page}.html`, { port: chrome.port, logLevel: 'error' }));
        scores = Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(100 * score)]);
      }
      const failed = Object.values(lhr.audits).filter(({ score }) => score !== null && score < 0.9);
      console.log(`${page}: ${scores.map(([id, score]) => `${id} ${score}`).join(', ')}`);
      assert.equal(scores.length, 4);
      assert.deepEqual(
        scores.filter(([, score]) => score < LEAST),
        [],
        failed.map(({ id, displayValue }) => `${id} ${displayValue ?? ''}`).join(', '),
      );
    });
});
