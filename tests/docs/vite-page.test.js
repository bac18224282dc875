// The Vite page of the guide to models: its files are written as the guide shows them, served by Vite, and opened.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findTool } from '../../.ci/setup.js';
import { readBlocks, readPage } from '../support/markdown.js';
import { openPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);
const folder = new URL('build/docs-vite/', root);
const skip = findTool('chromium') ? false : 'there is no Chromium';
let server;
after(() => {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts Vite's development server. @returns {Promise<string>}  its address */
function serve() {
  const vite = fileURLToPath(new URL('node_modules/vite/bin/vite.js', root));
  server = spawn(process.execPath, [vite, '--host', '127.0.0.1', '--port', '0'], { cwd: fileURLToPath(folder) });
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (data) => {
      // eslint-disable-next-line no-control-regex -- Vite prints in colors
      output = (output + data).replace(/\u001b\[\d+m/g, '');
      const [address] = output.match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [];
      if (address) resolve(address);
    };
    for (const stream of [server.stdout, server.stderr]) stream.on('data', read);
    server.on('exit', () => reject(new Error(output)));
  });
}

test('the Vite page of the guide explains a row of an ONNX model', { skip, timeout: 120000 }, async (t) => {
  const files = readBlocks(readPage('web/docs/guides/models.md')).blocks.flatMap(({ directive, code }) => {
    const [, name] = directive.match(/^vite: (\S+)$/) ?? [];
    return name ? [[name, code]] : [];
  });
  assert.deepEqual(files.map(([name]) => name).sort(), ['index.html', 'main.js', 'vite.config.js']);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(new URL('public/', folder), { recursive: true });
  mkdirSync(new URL('node_modules/', folder), { recursive: true });
  symlinkSync(fileURLToPath(root), new URL('node_modules/linex', folder), 'dir');
  cpSync(new URL('examples/command/iris.onnx', root), new URL('public/model.onnx', folder));
  for (const [name, code] of files) writeFileSync(new URL(name, folder), code);
  const page = await openPage(t, root, { 'index.html': '<!doctype html><title>empty</title>' });
  const { tab } = page;
  await tab.goto(await serve());
  await tab.waitForFunction(() => document.querySelector('linex-bars')?.explanation, undefined, { timeout: 60000 });
  const shown = await tab.evaluate(() => {
    const { target, features } = document.querySelector('linex-bars').explanation;
    return { target, features: features.length };
  });
  assert.deepEqual(shown, { target: 'virginica', features: 4 });
});
