// `npm run screenshots`: takes pictures of each demo tab and the dashboard, wide and narrow, light and dark.
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
/** The URL of each page, and the element that appears when it is ready. */
const PAGES = {
  words: [address, '.signs'],
  garments: [`${address}#tab=garments`, '.chart'],
  photo: [`${address}#tab=photo`, '.chart'],
  rows: [`${address}#tab=rows`, '.signs'],
  dashboard: [`${new URL('../examples/dashboard/', address)}`, 'table'],
};
for (const [name, [page, ready]] of Object.entries(PAGES))
  for (const [shape, width] of Object.entries({ wide: 1280, narrow: 360 }))
    for (const colorScheme of ['light', 'dark']) {
      const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      await tab.goto(page);
      await tab.waitForSelector(ready, { timeout: 60000 });
      await tab.waitForTimeout(300);
      await tab.screenshot({ path: `${output}${name}-${shape}-${colorScheme}.png`, fullPage: true });
      await tab.close();
      console.log(`${name}-${shape}-${colorScheme}.png`);
    }
await browser.close();
close();
