// Target 9: the size of a page's downloads, and the time of the first load.
import { readFileSync } from 'node:fs';
import { BUDGETS, downloadOf, packed, WASM } from '../support/download-size.js';
import { measureApart } from './apart.js';

/** @param {string} name */
const wasm = (name) => packed(readFileSync(new URL(`../../js/${name}`, import.meta.url)));

/** @param {import('./bench-run.js').Bench} bench */
export async function measureSizes({ quick }) {
  const loads = [];
  for (let i = 0; i < (quick ? 3 : 15); i++) loads.push(1000 * (await measureApart('load')).wall);
  const entry = { target: 9, unit: 'KB' };
  const aim = (most) => ({ aim: { most } });
  const script = { ...entry, what: 'JavaScript, minified, gzip' };
  const budgets = [];
  for (const { what, contents, most } of BUDGETS)
    budgets.push({ ...script, of: what, value: await downloadOf(contents), ...aim(most) });
  return [
    { ...entry, what: 'wasm, gzip', of: WASM[0], value: wasm(WASM[0]), ...aim(36) },
    { ...entry, what: 'wasm, gzip', of: `with ${WASM[1]}: rows, texts`, value: wasm(WASM[0]) + wasm(WASM[1]) },
    {
      ...entry,
      what: 'wasm, gzip',
      of: `with ${WASM[2]} too: images`,
      value: WASM.reduce((sum, name) => sum + wasm(name), 0),
    },
    ...budgets,
    { ...script, of: 'all of index.js', value: await downloadOf("export * from './index.js'") },
    { ...entry, unit: 'ms', what: 'load(), by the clock', of: 'a fresh Node', value: Math.min(...loads), ...aim(5) },
  ];
}
