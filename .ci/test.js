// npm test: sets up, then every check there is. What CI runs, and nothing else.
import process from 'node:process';
import { readdirSync } from 'node:fs';
import { buildTypes, buildWasm } from './build.js';
import { ensurePackages, ensureTools, root, run } from './setup.js';

const node = process.execPath;
const bin = (path) => [node, [`node_modules/${path}`]];

/** Runs one check under a heading; the first that fails ends it all. */
function check(heading, [command, args], ...more) {
  console.log(`\n== ${heading}`);
  run(command, [...args, ...more]);
}

function build(folder, ...flags) {
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };
  run('cmake', ['-S', '.', '-B', folder, ...flags], quiet);
  run('cmake', ['--build', folder, '--parallel', '2'], quiet);
}

ensurePackages();
ensureTools(['cc', 'cmake', 'emcc', 'clang-format', 'chromium']);

const sources = ['src', 'tests/c'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => /\.[ch]$/.test(name))
    .map((name) => `${folder}/${name}`),
);
check('format of C', ['clang-format', ['--dry-run', '-Werror']], ...sources);
check('format of everything else', bin('prettier/bin/prettier.cjs'), '--check', '.');
check('lint', bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.');

console.log('\n== build: native, sanitized, wasm');
build('build/native');
build('build/sanitized', '-DLINEX_SANITIZE=ON');
buildWasm();

check('types', bin('typescript/bin/tsc'), '-p', '.');
buildTypes();
check('types as a user sees them', bin('typescript/bin/tsc'), '-p', 'tests/types');

check('C tests under ASan and UBSan', ['ctest', ['--test-dir', 'build/sanitized', '--output-on-failure', '-j', '2']]);
check('node tests', [node, ['--test', '--test-reporter=spec']], 'tests/');
