// `npm run test:docs`: builds the site without a network and runs tests/docs on it. `-- --built` tests what was built before,
// `-- --speed` runs Lighthouse with its score for speed, names choose tests.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildWasm } from './build.js';
import { ensureDocsPackages } from './docs.js';
import { ensurePackages, ensureTools, filesIn, root, run } from './setup.js';

const flags = process.argv.slice(2).filter((name) => name.startsWith('--'));
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const into = join(fileURLToPath(root), 'build/site');

ensurePackages();
ensureDocsPackages({ tests: true });
ensureTools(['chromium', 'firefox', 'webkit', 'xvfb']);
if (!flags.includes('--built') || !existsSync(join(into, 'docs'))) {
  // It may install a compiler.
  buildWasm();
  const offline = `--import=${new URL('.ci/docs/no-network.js', root)}`;
  run(process.execPath, ['.ci/site.js'], { env: { ...process.env, NODE_OPTIONS: offline } });
}
const tests = filesIn('tests/docs').filter((path) => path.endsWith('.test.js'));
const speed = flags.includes('--speed');
const wanted = speed ? ['lighthouse'] : names;
const chosen = tests.filter((path) => wanted.length === 0 || wanted.some((name) => path.includes(name)));
if (speed) process.env.LINEX_SPEED = 'true';
run(process.execPath, ['--test', '--test-reporter=spec', '--test-concurrency=2', ...chosen]);
