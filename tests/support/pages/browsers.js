// Opens pages in three browsers behind one interface; a browser starts once per test file and ends with it.
import { after } from 'node:test';
import { findTool } from '../../../.ci/setup.js';
import { ENGINES, TimeoutError, withTimeout } from './drivers.js';
import { serve } from './server.js';

export const ENGINE_NAMES = Object.keys(ENGINES);

/** Milliseconds. */
const STEP_TIMEOUT = 30000;
const CLOSE_TIMEOUT = 5000;
/** The inside of the window, in pixels. */
const SIZE = { width: 760, height: 2400 };

/** The running browsers, by engine. @type {Map<string, Promise<any>>} */
const running = new Map();
after(() => Promise.all([...running.keys()].map((engine) => stop(engine))));

/**
 * Returns the browser of an engine, and starts it if it is not running.
 *
 * @param {import('node:test').TestContext} t
 * @param {keyof typeof ENGINES} engine
 * @returns {Promise<any>}  undefined if it is not installed; the test is then skipped
 */
export async function browserFor(t, engine) {
  const { tools, start } = ENGINES[engine];
  const missing = tools.filter((tool) => !findTool(tool));
  if (missing.length > 0) {
    t.skip(`${missing.join(' and ')} not found on this machine`);
    return undefined;
  }
  if (!running.has(engine)) running.set(engine, start());
  return running.get(engine);
}

/** @param {string} engine @param {boolean} [hangs]  whether it no longer answers */
async function stop(engine, hangs = false) {
  const started = running.get(engine);
  running.delete(engine);
  const browser = await started?.catch(() => {});
  await browser?.stop(hangs);
}

/** A script that collects a page's errors; it runs before all others. Not every driver reports errors. */
export const COLLECTOR = `
  globalThis.problems = [];
  const { error } = console;
  console.error = (...words) => { problems.push(words.join(' ')); error.apply(console, words); };
  addEventListener('error', ({ message, target }) => problems.push(message ?? 'could not load ' + (target.src ?? target.href)), true);
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)));
  addEventListener('securitypolicyviolation', (event) => problems.push(event.violatedDirective + ' forbids ' + event.blockedURI));
`;

/**
 * Opens a page in an engine, or skips the test if the engine is not installed. If a step hangs, it ends with an error
 * and the browser is stopped.
 *
 * @param {import('node:test').TestContext} t
 * @param {keyof typeof ENGINES} engine
 * @param {URL} folder  the folder to serve
 * @param {Record<string, string | Uint8Array>} files  the contents of further files, by path; must hold index.html
 * @param {string} [csp]  the content security policy
 */
export async function openIn(t, engine, folder, files, csp = undefined) {
  if (!(await browserFor(t, engine))) return undefined;
  const index = files['index.html'].replace(/<!doctype html>/i, '$&<script src="/collector.js"></script>');
  return openAt(t, engine, await serve(t, folder, { ...files, 'index.html': index, 'collector.js': COLLECTOR }, csp));
}

/**
 * Opens a page that is already served and includes the collector.
 *
 * @param {import('node:test').TestContext} t
 * @param {keyof typeof ENGINES} engine
 * @param {string} address
 * @param {{ width: number, height: number }} [size]  of the page, in pixels
 */
export async function openAt(t, engine, address, size = SIZE) {
  const browser = await browserFor(t, engine);
  if (!browser) return undefined;
  const started = running.get(engine);
  const step = (promise, purpose, timeout = STEP_TIMEOUT) =>
    withTimeout(promise, timeout, `${engine} ${purpose}`).catch((error) => {
      if (error instanceof TimeoutError && running.get(engine) === started) stop(engine, true);
      throw error;
    });
  const tab = await step(browser.open(address, size), 'to open a page');
  const close = () =>
    running.get(engine) === started && step(tab.close(), 'to close a page', CLOSE_TIMEOUT).catch(() => {});
  t.after(close);

  /** Returns the value of a function call or of an expression, by way of JSON. */
  const evaluate = (code, ...args) =>
    valueOf(typeof code === 'function' ? `(${code})(...${JSON.stringify(args)})` : code);
  const valueOf = async (source, timeout = STEP_TIMEOUT) => {
    const wrapped = `(async () => JSON.stringify({ value: await (${source}) }))()`;
    return JSON.parse(await step(tab.run(wrapped), 'to evaluate', timeout)).value;
  };
  /** Waits until an expression is true. */
  const waitFor = async (expression, timeout = 20000) => {
    const end = performance.now() + timeout;
    while (!(await valueOf(`Boolean(${expression})`, timeout)))
      if (performance.now() > end)
        throw new Error(`waited ${timeout} ms for ${expression} in ${engine}; ${await problems()}`);
      else await new Promise((resolve) => setTimeout(resolve, 50));
  };
  /** Moves the mouse to the middle of an element's first line, or to a position [x, y]. */
  const hover = async (target) => {
    const middle = `(({ left, top, width, height }) => [left + width / 2, top + height / 2])(${target}.getClientRects()[0])`;
    const [x, y] = Array.isArray(target) ? target : await evaluate(middle);
    await step(tab.move(Math.round(x), Math.round(y)), 'to move the mouse');
  };
  const click = async (target) => {
    await hover(target);
    await step(tab.click(), 'to click');
  };
  const problems = async () => [...tab.errors, ...(await evaluate('globalThis.problems'))];

  return {
    ...{ version: browser.version, evaluate, waitFor, hover, click, problems, close },
    press: (keys) => step(tab.press(keys), `to press ${keys}`),
    type: (text) => step(tab.type(text), 'to type'),
    screenshot: (path) => step(tab.screenshot(path), 'to take a screenshot'),
  };
}
