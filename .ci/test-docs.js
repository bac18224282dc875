// `npm run test:docs`: builds the site and runs tests/docs on it. `-- --built` tests what was built before; names choose tests.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { ensureDocsPackages } from './docs.js';
import { ensurePackages, ensureTools, filesIn, root, run } from './setup.js';
import { buildWholeSite } from './site.js';

const flags = process.argv.slice(2).filter((name) => name.startsWith('--'));
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const into = join(fileURLToPath(root), 'build/site');

ensurePackages();
ensureDocsPackages({ tests: true });
ensureTools(['chromium', 'firefox', 'webkit', 'xvfb']);
if (!flags.includes('--built') || !existsSync(join(into, 'docs'))) await buildWholeSite(into, { tests: true });
const tests = filesIn('tests/docs').filter((path) => path.endsWith('.test.js'));
const chosen = tests.filter((path) => names.length === 0 || names.some((name) => path.includes(name)));
run(process.execPath, ['--test', '--test-reporter=spec', '--test-concurrency=2', ...chosen]);
