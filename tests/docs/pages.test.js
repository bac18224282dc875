// The built documentation in Chromium: accessibility of every page in both themes, widths, printing, keyboard, no errors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { ensureTools, findTool } from '../../.ci/setup.js';
import { PAGES, serveBuiltSite, WITHOUT_NETWORK } from '../support/pages/built-site.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Pages of each kind, for what is the same on all pages of a kind. */
const KINDS = [
  ...[
    'index',
    'tutorial',
    'guides/rows',
    'guides/index',
    'ideas/the-game',
    'ideas/how-steady',
    'gallery',
    'troubleshooting',
  ],
  ...[
    'reference/options',
    'reference/messages',
    'reference/api/linex/functions/explainRow',
    'migrate/from-lime',
    'glossary',
  ],
].map((name) => `${name}.html`);

ensureTools(['chromium']);
const skip = findTool('chromium') ? false : 'there is no Chromium';
/** @type {import('playwright-core').Browser} */
let browser;
let site;

before(async () => {
  if (skip) return;
  const { chromium } = await import('playwright-core');
  browser = await chromium.launch({
    executablePath: findTool('chromium'),
    args: ['--no-sandbox', '--disable-gpu', ...WITHOUT_NETWORK],
  });
  site = await serveBuiltSite();
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** Opens an empty tab that collects what goes wrong. */
async function openTab(options) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const problems = [];
  // The browser itself asks for the icon of a page that names none.
  const isIcon = (url) => new URL(url, 'http://localhost').pathname === '/favicon.ico';
  tab.on('console', (message) => message.type() === 'error' && !isIcon(message.location().url) && problems.push(message.text())); // prettier-ignore
  tab.on('pageerror', (error) => problems.push(error.message));
  tab.on('request', (request) => !request.url().startsWith('data:') && !request.url().startsWith('blob:') && !request.url().startsWith(new URL(site.address).origin) && problems.push(`asks ${request.url()}`)); // prettier-ignore
  tab.on('response', (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`));
  return { tab, problems };
}

/** Waits until the page is alive: Vue has taken over. */
const isAlive = () => Boolean(document.querySelector('#app')?.__vue_app__);
const open = async (tab, path) => {
  await tab.goto(site.address + path, { waitUntil: 'load' });
  await tab.waitForFunction(isAlive);
};

/** What axe finds, as sentences. @param {string[]} exclude  selectors of what is not looked at */
const runAxe = async (tab, exclude, options = {}) => {
  const found = await tab.evaluate(
    async ([context, settings]) => (await globalThis.axe.run(context ?? document, settings)).violations,
    [exclude.length > 0 ? { exclude } : null, { resultTypes: ['violations'], ...options }],
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)}`); // prettier-ignore
};

// In one tab, because a browser slows down the timers of tabs behind another.
test('axe finds nothing on any page, light or dark', { skip, timeout: 1200000 }, async () => {
  const { tab, problems } = await openTab({ colorScheme: 'light', reducedMotion: 'reduce' });
  const found = [];
  const seen = new Set();
  for (const path of PAGES) {
    await open(tab, path);
    await tab.evaluate(axe);
    // The menu of a folder has up to 200 links and is the same on all of its pages, but for the page that it marks.
    const [folder] = path.split('/');
    const exclude = seen.has(folder) && path.startsWith('reference/') ? ['.VPSidebar'] : [];
    seen.add(folder);
    const light = await runAxe(tab, exclude);
    // Only colors depend on the theme. They change at once, because the tab asks for reduced motion.
    await tab.evaluate(() => document.documentElement.classList.add('dark'));
    const dark = await runAxe(tab, exclude, { runOnly: ['color-contrast'] });
    found.push(...light.map((text) => `${path}: ${text}`), ...dark.map((text) => `${path}, dark: ${text}`));
    found.push(...problems.splice(0).map((text) => `${path}: ${text}`));
  }
  await tab.close();
  assert.deepEqual(found.slice(0, 20), []);
});

test('no page is wider than a phone of 360 pixels', { skip }, async () => {
  const { tab } = await openTab({ viewport: { width: 360, height: 740 } });
  const wide = [];
  for (const path of PAGES) {
    await tab.goto(site.address + path, { waitUntil: 'domcontentloaded' });
    const width = await tab.evaluate(() => document.documentElement.scrollWidth);
    if (width > 360) wide.push(`${path}: ${width}`);
  }
  await tab.close();
  assert.deepEqual(wide, []);
});

test('on paper there are no menus, and code is not cut', { skip }, async () => {
  const { tab } = await openTab();
  for (const path of KINDS) {
    await open(tab, path);
    await tab.emulateMedia({ media: 'print' });
    const found = await tab.evaluate(() => {
      const isShown = (selector) =>
        [...document.querySelectorAll(selector)].some((node) => node.getClientRects().length > 0);
      const cut = [...document.querySelectorAll('.vp-doc pre')].filter(
        (node) => node.scrollWidth > node.clientWidth + 1,
      );
      return { menus: ['.VPNav', '.VPSidebar', '.live-bar'].filter(isShown), cut: cut.length };
    });
    assert.deepEqual(found, { menus: [], cut: 0 }, path);
    await tab.emulateMedia({ media: 'screen' });
  }
  await tab.close();
});

test('the keyboard reaches the content, the search, the theme and the live code', { skip }, async () => {
  const { tab, problems } = await openTab();
  await open(tab, 'guides/rows.html');
  await tab.keyboard.press('Tab');
  assert.equal(await tab.evaluate(() => document.activeElement.textContent.trim()), 'Skip to content');
  const reached = new Set();
  for (let i = 0; i < 90; i++) {
    await tab.keyboard.press('Tab');
    const { name, visible } = await tab.evaluate(() => {
      const { activeElement: node } = document;
      const { outlineStyle, boxShadow, borderColor } = getComputedStyle(node);
      return { name: `${node.className} ${node.textContent.trim()}`, visible: outlineStyle !== 'none' || boxShadow !== 'none' || Boolean(borderColor) };
    }); // prettier-ignore
    assert.ok(visible, name);
    reached.add(name);
  }
  const all = [...reached].join('\n');
  for (const wanted of [/DocSearch/, /VPSwitch/, /Untidy rows/, /\bRun$/m, /\bEdit$/m]) assert.match(all, wanted);
  await tab.keyboard.press('Control+k');
  await tab.waitForSelector('.VPLocalSearchBox input');
  await tab.keyboard.type('shapley values');
  await tab.waitForSelector('.VPLocalSearchBox .result');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(/guides\/shap\.html/);
  await tab.waitForFunction(() => /Shapley/.test(document.querySelector('h1')?.textContent));
  assert.deepEqual(problems, []);
  await tab.close();
});

test('a reader who follows links stays on the site, in every folder', { skip }, async () => {
  const { tab, problems } = await openTab();
  await open(tab, 'reference/api/linex/functions/explainRow.html');
  await tab.click('.VPNavBarMenu >> text=Tutorial');
  await tab.waitForURL(/docs\/tutorial\.html/);
  await tab.click('.VPNavBarMenu >> text=Guides');
  await tab.waitForURL(/docs\/guides\//);
  await tab.click('.VPSidebar >> text=A text');
  await tab.waitForURL(/docs\/guides\/texts\.html/);
  await tab.click('.vp-doc a[href*="rows"] >> nth=0');
  await tab.waitForURL(/docs\/guides\/rows\.html/);
  assert.deepEqual(problems, []);
  await tab.click('.VPNavBarMenu >> text=Demo');
  await tab.waitForURL(/\/web\/$/);
  await tab.close();
});

test('the demo and the dashboard beside it work from that path, and ask nobody else', { skip }, async () => {
  const { tab, problems } = await openTab();
  await tab.goto(new URL('../web/', site.address).href, { waitUntil: 'load' });
  await tab.waitForFunction(() => document.querySelector('linex-text')?.explanation, undefined, { timeout: 60000 });
  await tab.goto(new URL('../examples/dashboard/', site.address).href, { waitUntil: 'load' });
  await tab.waitForSelector('html[data-ready] #panel[aria-busy="false"]', { state: 'attached', timeout: 60000 });
  assert.deepEqual(problems, []);
  await tab.close();
});
