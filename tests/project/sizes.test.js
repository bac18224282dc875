// Checks that a page does not download more than the limits in download-size.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BUDGETS, downloadOf, packed, WASM } from '../support/download-size.js';

const wasmSize = (name) => packed(readFileSync(new URL(`../../js/${name}`, import.meta.url)));

test('linex.wasm is less than 36 KB', () => {
  assert.ok(wasmSize('linex.wasm') < 36, `${wasmSize('linex.wasm')} KB`);
});

test('the wasm download of a default explanation is less than 68 KB, even in a page that explains images', () => {
  const size = WASM.reduce((sum, name) => sum + wasmSize(name), 0);
  assert.ok(size < 68, `${size} KB`);
});

for (const { what, contents, most } of BUDGETS)
  test(`${what} takes at most ${most} KB of JavaScript`, async () => {
    const size = await downloadOf(contents);
    console.log(`  ${what}: ${size.toFixed(2)} KB`);
    assert.ok(size > 0.2 && size <= most, `${size} KB`);
  });

test('modules that are loaded on demand do not count, modules that are imported at once do', async () => {
  const later = await downloadOf("export const later = () => import('./explain/shap.js')");
  const now = await downloadOf("export * from './explain/shap.js'");
  assert.ok(later < 0.2 && now > 4, `${later} and ${now} KB`);
});

const page = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
test('the sizes of the WebAssembly files in the guide are true', () => {
  const rows = [...page('web/docs/guides/pages-and-bundlers.md').matchAll(/^\| `(linex[\w-]*\.wasm)` +\| (\d+) KB/gm)];
  assert.equal(rows.length, 9);
  for (const [, name, size] of rows) assert.equal(Math.round(wasmSize(name)), Number(size), name);
});

/** Default explanations of rows have many samples, those of texts have few. */
const ADJUSTING = ['linex-adjust.wasm', 'linex-masks.wasm'];
test('the download in the README is that of rows and of texts, within one kilobyte', async () => {
  const [, ...told] = page('README.md').match(/about (\d+) KB compressed for rows, (\d+) KB for texts/);
  for (const [i, { contents }] of BUDGETS.slice(0, 2).entries()) {
    const size = wasmSize('linex.wasm') + wasmSize(ADJUSTING[i]) + (await downloadOf(contents));
    assert.ok(Math.abs(size - Number(told[i])) <= 1, `${size} KB`);
  }
});
