// A page in any of three browsers, by one set of verbs. A browser is started once a test file, and none outlives it.
import { after } from 'node:test';
import { findTool } from '../../.ci/setup.js';
import { ENGINES, Late, within } from './drivers.js';
import { serve } from './server.js';

export const ENGINE_NAMES = Object.keys(ENGINES);

const STEP = 30000;
const STOP = 5000;
const SIZE = { width: 760, height: 2400 };

/** By engine, those that run. @type {Map<string, Promise<any>>} */
const running = new Map();
after(() => Promise.all([...running.keys()].map((engine) => stop(engine))));

/**
 * The browser of an engine, started if it does not run yet.
 *
 * @param {import('node:test').TestContext} t
 * @param {keyof typeof ENGINES} engine
 * @returns {Promise<any>}  undefined: there is none here, and the test is skipped
 */
export async function browserFor(t, engine) {
  const { tools, start } = ENGINES[engine];
  const missing = tools.filter((tool) => !findTool(tool));
  if (missing.length > 0) {
    t.skip(`there is no ${missing.join(' and no ')} on this machine`);
    return undefined;
  }
  if (!running.has(engine)) running.set(engine, start());
  return running.get(engine);
}

/** @param {string} engine @param {boolean} [hangs] */
async function stop(engine, hangs = false) {
  const started = running.get(engine);
  running.delete(engine);
  const browser = await started?.catch(() => {});
  await browser?.stop(hangs);
}

/** Runs before all else in a page: not every driver hears of these. */
export const COLLECTOR = `
  globalThis.problems = [];
  const { error } = console;
  console.error = (...words) => { problems.push(words.join(' ')); error.apply(console, words); };
  addEventListener('error', ({ message, target }) => problems.push(message ?? 'cannot load ' + (target.src ?? target.href)), true);
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)));
  addEventListener('securitypolicyviolation', (event) => problems.push(event.violatedDirective + ' forbids ' + event.blockedURI));
`;

/**
 * Opens a page in an engine, or says why not. All that can hang ends with an error instead, and takes the browser with it.
 *
 * @param {import('node:test').TestContext} t
 * @param {keyof typeof ENGINES} engine
 * @param {URL} folder  what is served
 * @param {Record<string, string | Uint8Array>} files  those that are not in it, by path; index.html among them
 * @param {string} [csp]
 */
export async function openIn(t, engine, folder, files, csp = undefined) {
  if (!(await browserFor(t, engine))) return undefined;
  const index = files['index.html'].replace(/<!doctype html>/i, '$&<script src="/collector.js"></script>');
  return openAt(t, engine, await serve(t, folder, { ...files, 'index.html': index, 'collector.js': COLLECTOR }, csp));
}

/**
 * Opens a page that is served already, with the collector in it.
 *
 * @param {import('node:test').TestContext} t
 * @param {keyof typeof ENGINES} engine
 * @param {string} address
 */
export async function openAt(t, engine, address) {
  const browser = await browserFor(t, engine);
  if (!browser) return undefined;
  const own = running.get(engine);
  const step = (promise, what, most = STEP) =>
    within(promise, most, `${engine} ${what}`).catch((error) => {
      if (error instanceof Late && running.get(engine) === own) stop(engine, true);
      throw error;
    });
  const tab = await step(browser.open(address, SIZE), 'to open a page');
  const close = () => running.get(engine) === own && step(tab.close(), 'to close a page', STOP).catch(() => {});
  t.after(close);

  /** A function's or an expression's value, as JSON has it. */
  const evaluate = (what, ...args) =>
    valueOf(typeof what === 'function' ? `(${what})(...${JSON.stringify(args)})` : what);
  const valueOf = async (source, most = STEP) => {
    const wrapped = `(async () => JSON.stringify({ value: await (${source}) }))()`;
    return JSON.parse(await step(tab.run(wrapped), 'to evaluate', most)).value;
  };
  /** Waits until an expression is true. */
  const waitFor = async (expression, timeout = 20000) => {
    const end = performance.now() + timeout;
    while (!(await valueOf(`Boolean(${expression})`, timeout)))
      if (performance.now() > end)
        throw new Error(`waited ${timeout} ms for ${expression} in ${engine}; ${await problems()}`);
      else await new Promise((resolve) => setTimeout(resolve, 50));
  };
  /** Points at the middle of an element, or of the first of its lines; or at a place: [x, y]. */
  const hover = async (target) => {
    const middle = `(({ left, top, width, height }) => [left + width / 2, top + height / 2])(${target}.getClientRects()[0])`;
    const [x, y] = Array.isArray(target) ? target : await evaluate(middle);
    await step(tab.move(Math.round(x), Math.round(y)), 'to move the mouse');
  };
  const click = async (target) => {
    await hover(target);
    await step(tab.click(), 'to click');
  };
  const problems = async () => [...tab.told, ...(await evaluate('globalThis.problems'))];

  return {
    ...{ version: browser.version, evaluate, waitFor, hover, click, problems, close },
    press: (keys) => step(tab.press(keys), `to press ${keys}`),
    type: (text) => step(tab.type(text), 'to type'),
    screenshot: (path) => step(tab.screenshot(path), 'to take a picture'),
  };
}
