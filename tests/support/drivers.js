// Three browsers, each by the driver that suits it, behind one small face.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { findTool } from '../../.ci/setup.js';

/**
 * @typedef {object} Tab
 * @property {(source: string) => Promise<any>} run  an expression's value, awaited
 * @property {(x: number, y: number) => Promise<void>} move  the mouse, in the window's pixels
 * @property {() => Promise<void>} click  where the mouse is
 * @property {(keys: string) => Promise<void>} press  a key by its DOM name, after others that are held: `Shift+Tab`
 * @property {(text: string) => Promise<void>} type
 * @property {(path: string) => Promise<void>} screenshot
 * @property {string[]} told  errors that the driver has heard of
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Browser
 * @property {string} version
 * @property {(address: string, size: { width: number, height: number }) => Promise<Tab>} open
 * @property {(hangs?: boolean) => Promise<void>} stop  without much ado where it hangs
 */

/** What each engine needs, and how it is started. */
export const ENGINES = {
  chromium: { tools: ['chromium'], start: startChromium },
  firefox: { tools: ['firefox'], start: startFirefox },
  webkit: { tools: ['webkit', 'xvfb'], start: startWebkit },
};

const START = 40000;
const STOP = 5000;

/**
 * A promise, or an error that says what came too late.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} milliseconds
 * @param {string} what
 * @returns {Promise<T>}
 */
export async function within(promise, milliseconds, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Late(`waited ${milliseconds} ms for ${what}`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export class Late extends Error {}

/** @returns {Promise<Browser & { browser: import('playwright-core').Browser }>} */
async function startChromium() {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    timeout: START,
    executablePath: findTool('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  return {
    browser,
    version: `Chromium ${browser.version()}`,
    stop: () => browser.close(),
    async open(address, viewport) {
      const tab = await browser.newPage({ viewport });
      const told = listen(tab);
      await tab.goto(address);
      return {
        told,
        run: (source) => tab.evaluate(source),
        move: (x, y) => tab.mouse.move(x, y),
        click: () => tab.mouse.down().then(() => tab.mouse.up()),
        press: (keys) => tab.keyboard.press(keys),
        type: (text) => tab.keyboard.type(text),
        screenshot: (path) => tab.screenshot({ path }),
        close: () => tab.close(),
      };
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
    timeout: START,
    protocolTimeout: START,
  });
  return {
    version: (await browser.version()).replace(/^(\w)(\w*)\//, (_, first, rest) => `${first.toUpperCase()}${rest} `),
    stop: (hangs) =>
      within(browser.close(), hangs ? 100 : STOP, 'Firefox to stop').catch(() => browser.process()?.kill('SIGKILL')),
    async open(address, viewport) {
      const tab = await browser.newPage();
      const told = listen(tab);
      await tab.setViewport(viewport);
      await tab.goto(address);
      return {
        told,
        run: (source) => tab.evaluate(source),
        move: (x, y) => tab.mouse.move(x, y),
        click: () => tab.mouse.down().then(() => tab.mouse.up()),
        async press(keys) {
          const held = keys.split('+');
          const key = held.pop();
          for (const one of held) await tab.keyboard.down(one);
          await tab.keyboard.press(key);
          for (const one of held.reverse()) await tab.keyboard.up(one);
        },
        type: (text) => tab.keyboard.type(text),
        screenshot: (path) => tab.screenshot({ path }),
        close: () => tab.close(),
      };
    },
  };
}

/** Errors in a tab's console, and those that nobody caught; playwright and puppeteer speak alike here. */
export function listen(tab) {
  const told = [];
  tab.on('console', (message) => message.type() === 'error' && told.push(message.text()));
  tab.on('pageerror', (error) => told.push(String(error)));
  return told;
}

/** WebKit's MiniBrowser on a display of its own. Its driver tells nothing of the console. @returns {Promise<Browser>} */
async function startWebkit() {
  const children = [];
  const end = async () => children.forEach((child) => child.stdin.end());
  try {
    return { ...(await within(launchWebkit(children), START, 'WebKit to start')), stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** @param {import('node:child_process').ChildProcess[]} children  gets what was started */
async function launchWebkit(children) {
  const { Builder, Key, Origin } = await import('selenium-webdriver');
  const display = guarded('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x2600x24', '-nolisten', 'tcp'], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  children.push(display);
  const [number] = await once(display.stdio[3], 'data');
  const port = await freePort();
  // The settings of whoever runs the tests are neither read nor changed.
  const env = { ...process.env, DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: 'x11', GSETTINGS_BACKEND: 'memory' };
  const stdio = ['pipe', 'ignore', 'ignore'];
  children.push(guarded(findTool('webkit'), ['--host=127.0.0.1', `--port=${port}`], { stdio, env }));
  const server = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${server}/status`).catch(() => false))) await pause(50);
  const browser = await new Builder()
    .usingServer(server)
    .withCapabilities({ browserName: 'MiniBrowser', timeouts: { script: 120000, pageLoad: 30000 } })
    .build();
  const home = await browser.getWindowHandle();
  const act = () => browser.actions({ async: true });
  // ArrowLeft is ARROW_LEFT there, Backspace BACK_SPACE.
  const codes = new Map(Object.entries(Key).map(([name, code]) => [name.replaceAll('_', ''), code]));
  const codeOf = (key) => codes.get(key.toUpperCase()) ?? key;
  return {
    version: `WebKitGTK ${(await browser.getCapabilities()).get('browserVersion')}`,
    async open(address, size) {
      await browser.switchTo().newWindow('window');
      await fitWindow(browser, size);
      await browser.get(address);
      return {
        told: [],
        run: (source) => runScript(browser, source),
        move: (x, y) => act().move({ x, y, duration: 0, origin: Origin.VIEWPORT }).perform(),
        click: () => act().press().release().perform(),
        press: (keys) => chord(act(), keys.split('+').map(codeOf)),
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
 * Makes a window whose inside has a size. GTK answers before the page has it, so that one request is not enough: what is
 * missing is asked for again until the page says that it is there.
 *
 * @param {import('selenium-webdriver').WebDriver} browser
 */
async function fitWindow(browser, { width, height }) {
  const asked = { x: 0, y: 0, width, height };
  for (let tries = 0; tries < 40; tries++) {
    await browser.manage().window().setRect(asked);
    const [across, down] = await settledSize(browser);
    if (across === width && down === height) return;
    asked.width += width - across;
    asked.height += height - down;
  }
  throw new Error(`the window would not become ${width} x ${height}`);
}

/** The inside of a window once two looks at it agree. @param {import('selenium-webdriver').WebDriver} browser */
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

/** Keys down in their order, and up again. */
function chord(actions, keys) {
  for (const key of keys) actions.keyDown(key);
  for (const key of keys.toReversed()) actions.keyUp(key);
  return actions.perform();
}

/** A process that ends, with all its children, when its stdin does: on our word, and also when we are killed. */
export function guarded(command, args, options) {
  const script = '"$@" & cat >/dev/null; kill -9 0';
  const child = spawn('sh', ['-c', script, 'sh', command, ...args], { detached: true, ...options });
  child.stdin.on('error', () => {});
  return child;
}

/** A port that nobody listens on. @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
