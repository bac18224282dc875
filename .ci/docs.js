// `npm run docs`: serves the documentation and reloads it when a page changes. `npm run site` builds it with buildDocs.
import { spawn } from 'node:child_process';
import { existsSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildTypes, buildWasm } from './build.js';
import { ensurePackages, root, run } from './setup.js';

const folder = fileURLToPath(new URL('.ci/docs/', root));
const vitepress = join(folder, 'node_modules/vitepress/bin/vitepress.js');

/**
 * Installs what only the documentation needs.
 *
 * @param {{ tests?: boolean }} [options]  tests: with what only its tests need
 */
export function ensureDocsPackages({ tests = false } = {}) {
  const stamp = join(folder, 'node_modules/.package-lock.json');
  const fresh = existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
  if (fresh && (!tests || existsSync(join(folder, 'node_modules/lighthouse')))) return;
  console.log('Installing the packages of the documentation …');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', ...(tests ? [] : ['--omit=dev'])];
  run('npm', ['ci', ...flags], { cwd: folder });
}

/** Stages the pages and writes the reference. */
async function stage(options) {
  // Imported here, because their packages may have been installed just now.
  const { stageSite } = await import('./docs/stage.js');
  await stageSite(options);
}

/** Builds the documentation in build/docs-site/html, to be served from any path. @param {{ tests?: boolean }} [options] */
export async function buildDocs(options) {
  ensurePackages();
  ensureDocsPackages(options);
  await stage({ fresh: true });
  run(process.execPath, [vitepress, 'build', folder], { env: { ...process.env, NODE_ENV: 'production' } });
}

/** Serves the documentation with VitePress, and stages the pages again when one changes. */
async function serveDocs() {
  ensurePackages();
  ensureDocsPackages();
  buildWasm();
  buildTypes();
  await stage({ fresh: true });
  const port = process.env.PORT ?? '8081';
  const server = spawn(process.execPath, [vitepress, 'dev', folder, '--port', port], { stdio: 'inherit' });
  let waiting;
  const restage = () => stage({ fresh: false }).catch((error) => console.error(error.message));
  watch(new URL('web/docs/', root), { recursive: true }, () => {
    clearTimeout(waiting);
    waiting = setTimeout(restage, 200);
  });
  server.on('exit', (code) => process.exit(code ?? 0));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serveDocs();
