// npm test: sets up, then every check there is. What CI runs, and nothing else.
import process from 'node:process';
import { buildTypes, buildWasm, filesIn } from './build.js';
import { cmake, ensurePackages, ensureTools, run } from './setup.js';

const node = process.execPath;
const bin = (path) => [node, [`node_modules/${path}`]];

/** Runs one check under a heading; the first that fails ends it all. */
function check(heading, [command, args], ...more) {
  console.log(`\n== ${heading}`);
  run(command, [...args, ...more]);
}

ensurePackages();
ensureTools(['cc', 'make', 'cmake', 'pkg-config', 'emcc', 'chromium', 'firefox', 'webkit', 'xvfb']);

const sources = ['src', 'tests/c', 'tests/bench', 'examples'].flatMap(filesIn).filter((path) => /\.[ch]$/.test(path));
// Pinned by npm: another release of clang-format would want other line breaks. It has no build for Linux on ARM.
if (process.platform === 'linux' && process.arch !== 'x64')
  console.log('\n== format of C: not checked on this machine');
else check('format of C', bin('clang-format/index.js'), '--dry-run', '-Werror', ...sources);
check('format of everything else', bin('prettier/bin/prettier.cjs'), '--check', '.');
check('lint', bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.');

console.log('\n== build: native, sanitized, wasm');
cmake('build/native');
cmake('build/sanitized', { flags: ['-DLINEX_SANITIZE=ON'] });
buildWasm();

check('types', bin('typescript/bin/tsc'), '-p', '.');
buildTypes();
check('types as a user sees them', bin('typescript/bin/tsc'), '-p', 'tests/types');

check('C tests under ASan and UBSan', ['ctest', ['--test-dir', 'build/sanitized', '--output-on-failure', '-j', '2']]);
check('node tests', [node, ['--test', '--test-reporter=spec']], 'tests/');
