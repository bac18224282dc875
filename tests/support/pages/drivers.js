// Starts three browsers, each with its own driver, behind one small interface.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { findTool } from '../../../.ci/setup.js';

/**
 * @typedef {object} Tab
 * @property {(source: string) => Promise<any>} run  returns the awaited value of an expression
 * @property {(x: number, y: number) => Promise<void>} move  moves the mouse, in pixels of the window
 * @property {() => Promise<void>} click  clicks where the mouse is
 * @property {(keys: string) => Promise<void>} press  presses a key by its DOM name, while others are held: `Shift+Tab`
 * @property {(text: string) => Promise<void>} type
 * @property {(path: string) => Promise<void>} screenshot
 * @property {string[]} errors  the errors that the driver has reported
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Browser
 * @property {string} version
 * @property {(address: string, size: { width: number, height: number }) => Promise<Tab>} open
 * @property {(hangs?: boolean) => Promise<void>} stop  `hangs`: whether it no longer answers
 */

/** The tools that each engine needs, and the function that starts it. */
export const ENGINES = {
  chromium: { tools: ['chromium'], start: startChromium },
  firefox: { tools: ['firefox'], start: startFirefox },
  webkit: { tools: ['webkit', 'xvfb'], start: startWebkit },
};

/** Milliseconds. */
const START_TIMEOUT = 40000;
const STOP_TIMEOUT = 5000;

/**
 * Returns the value of a promise, or rejects if it takes too long.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} milliseconds
 * @param {string} purpose  what is waited for, for the message
 * @returns {Promise<T>}
 * @throws {TimeoutError}
 */
export async function withTimeout(promise, milliseconds, purpose) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`waited ${milliseconds} ms for ${purpose}`)), milliseconds);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

export class TimeoutError extends Error {}

/** @returns {Promise<Browser & { browser: import('playwright-core').Browser }>} */
async function startChromium() {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    timeout: START_TIMEOUT,
    executablePath: findTool('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  return {
    browser,
    version: `Chromium ${browser.version()}`,
    stop: () => browser.close(),
    async open(address, viewport) {
      const tab = await browser.newPage({ viewport });
      return openTab(tab, address, (keys) => tab.keyboard.press(keys));
    },
  };
}

/** @returns {Promise<Browser>} */
async function startFirefox() {
  const { default: puppeteer } = await import('puppeteer-core');
  const executablePath = findTool('firefox');
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout: START_TIMEOUT,
    protocolTimeout: START_TIMEOUT,
  });
  return {
    version: (await browser.version()).replace(/^(\w)(\w*)\//, (_, first, rest) => `${first.toUpperCase()}${rest} `),
    stop: (hangs) =>
      withTimeout(browser.close(), hangs ? 100 : STOP_TIMEOUT, 'Firefox to stop').catch(() =>
        browser.process()?.kill('SIGKILL'),
      ),
    async open(address, viewport) {
      const tab = await browser.newPage();
      await tab.setViewport(viewport);
      return openTab(tab, address, async (keys) => {
        const held = keys.split('+');
        const key = held.pop();
        for (const modifier of held) await tab.keyboard.down(modifier);
        await tab.keyboard.press(key);
        for (const modifier of held.reverse()) await tab.keyboard.up(modifier);
      });
    },
  };
}

/**
 * Loads an address in a tab of playwright or puppeteer, which have the same interface here.
 *
 * @param {any} page
 * @param {string} address
 * @param {Tab['press']} press
 * @returns {Promise<Tab>}
 */
async function openTab(page, address, press) {
  const errors = collectErrors(page);
  await page.goto(address);
  return {
    errors,
    press,
    run: (source) => page.evaluate(source),
    move: (x, y) => page.mouse.move(x, y),
    click: () => page.mouse.down().then(() => page.mouse.up()),
    type: (text) => page.keyboard.type(text),
    screenshot: (path) => page.screenshot({ path }),
    close: () => page.close(),
  };
}

/** Returns an array that collects console errors and uncaught errors of a tab of playwright or puppeteer. */
export function collectErrors(page) {
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}

/** Starts WebKit's MiniBrowser on its own display. Its driver does not report errors. @returns {Promise<Browser>} */
async function startWebkit() {
  const children = [];
  const end = async () => children.forEach((child) => child.stdin.end());
  try {
    return { ...(await withTimeout(launchWebkit(children), START_TIMEOUT, 'WebKit to start')), stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** @param {import('node:child_process').ChildProcess[]} children  receives the started processes */
async function launchWebkit(children) {
  const { Builder, Key, Origin } = await import('selenium-webdriver');
  const display = spawnGuarded('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x2600x24', '-nolisten', 'tcp'], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  children.push(display);
  const [displayNumber] = await once(display.stdio[3], 'data');
  const port = await freePort();
  // The settings of the user who runs the tests are neither read nor changed.
  const env = {
    ...process.env,
    DISPLAY: `:${String(displayNumber).trim()}`,
    GDK_BACKEND: 'x11',
    GSETTINGS_BACKEND: 'memory',
  };
  const stdio = ['pipe', 'ignore', 'ignore'];
  children.push(spawnGuarded(findTool('webkit'), ['--host=127.0.0.1', `--port=${port}`], { stdio, env }));
  const server = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${server}/status`).catch(() => false))) await pause(50);
  const browser = await new Builder()
    .usingServer(server)
    .withCapabilities({ browserName: 'MiniBrowser', timeouts: { script: 120000, pageLoad: 30000 } })
    .build();
  const home = await browser.getWindowHandle();
  const act = () => browser.actions({ async: true });
  // The driver writes ArrowLeft as ARROW_LEFT and Backspace as BACK_SPACE.
  const codes = new Map(Object.entries(Key).map(([name, code]) => [name.replaceAll('_', ''), code]));
  const codeOf = (key) => codes.get(key.toUpperCase()) ?? key;
  return {
    version: `WebKitGTK ${(await browser.getCapabilities()).get('browserVersion')}`,
    async open(address, size) {
      await browser.switchTo().newWindow('window');
      await fitWindow(browser, size);
      await browser.get(address);
      return {
        errors: [],
        run: (source) => runScript(browser, source),
        move: (x, y) => act().move({ x, y, duration: 0, origin: Origin.VIEWPORT }).perform(),
        click: () => act().press().release().perform(),
        press: (keys) => pressTogether(act(), keys.split('+').map(codeOf)),
        type: (text) => act().sendKeys(text).perform(),
        screenshot: async (path) => writeFile(path, await browser.takeScreenshot(), 'base64'),
        async close() {
          await browser.close();
          await browser.switchTo().window(home);
        },
      };
    },
  };
}

/**
 * Gives the inside of a window a size. GTK answers before the page has that size, so one request is not enough: the
 * function adds the missing pixels to the request until the page reports the size.
 *
 * @param {import('selenium-webdriver').WebDriver} browser
 */
async function fitWindow(browser, { width, height }) {
  const request = { x: 0, y: 0, width, height };
  for (let tries = 0; tries < 40; tries++) {
    await browser.manage().window().setRect(request);
    const [innerWidth, innerHeight] = await settledSize(browser);
    if (innerWidth === width && innerHeight === height) return;
    request.width += width - innerWidth;
    request.height += height - innerHeight;
  }
  throw new Error(`could not make the window ${width} x ${height} pixels`);
}

/** Returns the size of the inside of a window, once two readings agree. @param {import('selenium-webdriver').WebDriver} browser */
async function settledSize(browser) {
  for (let before = ''; ; await pause(50)) {
    const size = await browser.executeScript('return [innerWidth, innerHeight]');
    if (String(size) === before) return size;
    before = String(size);
  }
}

/** @param {import('selenium-webdriver').WebDriver} browser @param {string} source */
async function runScript(browser, source) {
  const script = `const done = arguments[0];
    Promise.resolve(${source}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
  const { value, error } = await browser.executeAsyncScript(script);
  if (error !== undefined) throw new Error(error);
  return value;
}

/** Presses keys in order, then releases them in reverse order. */
function pressTogether(actions, keys) {
  for (const key of keys) actions.keyDown(key);
  for (const key of keys.toReversed()) actions.keyUp(key);
  return actions.perform();
}

/** Starts a process that ends, with its children, when its stdin closes: when we close it, or when we are killed. */
export function spawnGuarded(command, args, options) {
  const script = '"$@" & cat >/dev/null; kill -9 0';
  const child = spawn('sh', ['-c', script, 'sh', command, ...args], { detached: true, ...options });
  child.stdin.on('error', () => {});
  return child;
}

/** Returns a free port. @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
