// `npm run screenshots`: takes pictures of each demo tab and of the dashboard's states, wide and narrow, light and dark.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensurePackages, ensureTools, findTool, root } from './setup.js';
import { prepareSite, serveSite } from './site.js';

ensurePackages();
ensureTools(['chromium']);
await prepareSite();
const { chromium } = await import('playwright-core');
const output = fileURLToPath(new URL('build/screenshots/', root));
mkdirSync(output, { recursive: true });

const { address, close } = await serveSite(0);
const browser = await chromium.launch({
  executablePath: findTool('chromium'),
  args: ['--no-sandbox', '--disable-gpu'],
});
const dashboard = `${new URL('../examples/dashboard/', address)}`;
const explainAll = (tab) => tab.click('#explain-all');
/** Asks again, which the page does by itself only while the visitor looks at it. */
const showSteadiness = async (tab) => {
  await tab.waitForSelector('body[data-explained]', { timeout: 60000 });
  await tab.evaluate(() => globalThis.document.querySelector('#steady').scrollIntoView());
};
/** The curve is complete. */
const MEASURED = '#steady :text-is("Done.")';
const openTechnical = (tab) => tab.click('#one summary');
/** The URL of each page, the element that appears when it is ready, and what is done before that. */
const PAGES = {
  words: [`${address}#tab=words`, MEASURED, showSteadiness],
  garments: [`${address}#tab=garments`, 'body[data-explained]'],
  photo: [`${address}#tab=photo`, 'body[data-explained]'],
  rows: [`${address}#tab=rows`, MEASURED, showSteadiness],
  'dashboard-declined': [`${dashboard}#A-002`, '#panel[aria-busy="false"]'],
  'dashboard-no-recourse': [`${dashboard}#A-017`, '#panel[aria-busy="false"]'],
  'dashboard-approved': [`${dashboard}#A-006`, '#panel[aria-busy="false"]'],
  'dashboard-technical': [`${dashboard}#A-002`, '#one details[open]', openTechnical],
  'dashboard-comparison': [`${dashboard}#A-006,A-017`, '#panel[aria-busy="false"]'],
  'dashboard-all': [`${dashboard}#all`, '#promise'],
  'dashboard-summary': [`${dashboard}#all`, '#summary:not([hidden])', explainAll],
};
// The names of pages, or how they begin, can be given: npm run screenshots -- dashboard
const wanted = process.argv.slice(2);
const chosen = Object.entries(PAGES).filter(([name]) => !wanted.length || wanted.some((one) => name.startsWith(one)));
for (const [name, [page, ready, act]] of chosen)
  for (const [shape, width] of Object.entries({ wide: 1280, narrow: 360 }))
    for (const colorScheme of ['light', 'dark']) {
      const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      await tab.goto(page);
      await act?.(tab);
      await tab.waitForSelector(ready, { timeout: 60000 });
      await tab.waitForTimeout(500);
      await tab.evaluate(() => globalThis.scrollTo(0, 0));
      await tab.screenshot({ path: `${output}${name}-${shape}-${colorScheme}.png`, fullPage: true });
      await tab.close();
      console.log(`${name}-${shape}-${colorScheme}.png`);
    }
await browser.close();
close();
