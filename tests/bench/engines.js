// Target 10: the same explanations in Node, Chromium, Firefox and WebKit.
import { findTool } from '../../.ci/setup.js';
import { ENGINES, withTimeout } from '../support/pages/drivers.js';
import { serve } from '../support/pages/server.js';
import { measureCases } from './engine-cases.js';

const root = new URL('../..', import.meta.url);
const ROUNDS = { quick: 3, full: 15 };
/** Milliseconds that all cases may take in one browser. */
const LIMIT = 300000;

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title>
<script type="module" src="/main.js"></script>`;
const MAIN = `import { measureCases } from '/tests/bench/engine-cases.js';
globalThis.measureCases = measureCases;`;

/** @param {keyof typeof ENGINES} engine @param {number} rounds */
async function measureIn(engine, rounds) {
  const { tools, start } = ENGINES[engine];
  const missing = tools.filter((tool) => !findTool(tool));
  if (missing.length > 0) return { missing: `${missing.join(' and ')} not found` };
  const endings = [];
  const address = await serve({ after: (end) => endings.push(end) }, root, { 'index.html': INDEX, 'main.js': MAIN });
  const browser = await start();
  try {
    const tab = await browser.open(address, { width: 600, height: 400 });
    const ready = '(async () => { while (!globalThis.measureCases) await new Promise((go) => setTimeout(go, 50)); })()';
    await withTimeout(tab.run(ready), 30000, `${engine} to load the page`);
    const told = tab.run(`(async () => JSON.stringify(await measureCases(${rounds})))()`);
    return { times: JSON.parse(await withTimeout(told, LIMIT, `${engine} to measure`)) };
  } finally {
    await browser.stop();
    for (const end of endings) await end();
  }
}

/** @param {import('./bench-run.js').Bench} bench */
export async function measureEngines({ quick }) {
  const rounds = quick ? ROUNDS.quick : ROUNDS.full;
  const columns = { Node: { times: await measureCases(rounds) } };
  for (const engine of /** @type {(keyof typeof ENGINES)[]} */ (Object.keys(ENGINES)))
    columns[engine[0].toUpperCase() + engine.slice(1)] = await measureIn(engine, rounds);
  return Object.keys(columns.Node.times).flatMap((of) =>
    Object.entries(columns).flatMap(([column, { times, missing }]) => {
      const entry = { target: 10, of, column, missing };
      const { linex, lime } = times?.[of] ?? {};
      return [
        { ...entry, what: 'default explanation, with a trivial model', value: linex, unit: 'ms' },
        {
          ...entry,
          what: 'LINEX / our LIME, default settings',
          value: linex / lime,
          unit: 'times',
          aim: { most: 1.3 },
        },
      ];
    }),
  );
}
