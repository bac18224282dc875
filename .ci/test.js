// npm test: runs every check, or only the parts that are named (`node .ci/test.js lint types`), and installs what they need.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { buildTypes, buildWasm } from './build.js';
import { cmake, ensurePackages, ensureTools, filesIn, run } from './setup.js';

const node = process.execPath;
const COMPILERS = ['cc', 'make', 'cmake'];
const BROWSERS = ['chromium', 'firefox', 'webkit', 'xvfb'];

/**
 * The parts in the order in which they run. tools: what a part needs besides npm packages; tests: the test files that are a
 * part, which run together at the end. Those in tests/docs have a command of their own.
 */
const PARTS = {
  format: { tools: [], check: checkFormat },
  lint: { tools: [], check: () => runPackage('lint', 'eslint/bin/eslint.js', '--max-warnings', '0', '.') },
  types: { tools: [], check: checkTypes },
  c: { tools: COMPILERS, check: checkC },
  unit: {
    tools: [...COMPILERS, 'pkg-config', 'emcc', 'redis'],
    tests: (path) => !/^tests\/(browser|docs)\//.test(path),
  },
  browser: { tools: [...COMPILERS, 'emcc', ...BROWSERS], tests: (path) => path.startsWith('tests/browser/') },
};

const flags = process.argv.slice(2).filter((name) => name.startsWith('--'));
const named = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const unknown = [...named.filter((name) => !Object.hasOwn(PARTS, name)), ...flags.filter((flag) => flag !== '--write')];
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
/** Whether formatting is corrected instead of checked. */
const write = flags.includes('--write');

const chosen = Object.keys(PARTS).filter((name) => named.length === 0 || named.includes(name));
ensurePackages();
// Installs all tools first, so that a missing tool is reported before minutes of tests.
ensureTools([...new Set(chosen.flatMap((name) => PARTS[name].tools))]);
for (const name of chosen) PARTS[name].check?.();
const accepted = chosen.map((name) => PARTS[name].tests).filter(Boolean);
if (accepted.length > 0) runTests(accepted);

/** Prints a heading and runs a command; the process ends if the command fails. */
function runUnder(heading, command, ...args) {
  console.log(`\n== ${heading}`);
  run(command, args);
}

/** Runs the script of an npm package under a heading. */
function runPackage(heading, script, ...args) {
  runUnder(heading, node, `node_modules/${script}`, ...args);
}

/** Checks or corrects the format of C, then of everything else. */
function checkFormat() {
  const sources = ['src', 'tests/c', 'tests/fuzz', 'tests/bench', 'examples']
    .flatMap(filesIn)
    .filter((path) => /\.[ch]$/.test(path));
  // clang-format comes from npm because each release breaks lines differently. It has no build for Linux on ARM.
  if (process.platform === 'linux' && process.arch !== 'x64') console.log('\n== format of C: skipped on this machine');
  else {
    const mode = write ? ['-i'] : ['--dry-run', '-Werror'];
    runPackage('format of C', 'clang-format/index.js', ...mode, ...sources);
  }
  runPackage('format of everything else', 'prettier/bin/prettier.cjs', write ? '--write' : '--check', '.');
}

/** Checks the types of js/, builds the declarations, and checks a user's program against them. */
function checkTypes() {
  runPackage('types', 'typescript/bin/tsc', '-p', '.');
  buildTypes();
  runPackage('types as a user sees them', 'typescript/bin/tsc', '-p', 'tests/types');
  runPackage('types without the DOM library', 'typescript/bin/tsc', '-p', 'tests/types/without-dom.json');
}

/** Runs the C tests under the sanitizers. */
function checkC() {
  console.log('\n== build: sanitized');
  cmake('build/sanitized', { flags: ['-DLINEX_SANITIZE=ON'] });
  runUnder(
    'C tests under ASan and UBSan',
    'ctest',
    ...['--test-dir', 'build/sanitized', '--output-on-failure', '-j', '2'],
  );
}

/** Runs the test files that one of the filters accepts. Those that open a page are skipped if no browser is installed. */
function runTests(filters) {
  console.log('\n== build: native, wasm');
  // Some tests compare the bits of the native programs with those of WebAssembly.
  cmake('build/native');
  buildWasm();
  const files = filesIn('tests').filter(
    (path) => path.endsWith('.test.js') && filters.some((accepts) => accepts(path)),
  );
  // Many files wait for browsers, workers or timers, so there are two more than processors, and one run for all files.
  const lanes = `--test-concurrency=${availableParallelism() + 2}`;
  // A file whose process never ends fails, instead of keeping everybody waiting.
  runUnder(
    'tests in Node and in browsers',
    node,
    '--test',
    '--test-timeout=600000',
    lanes,
    '--test-reporter=spec',
    ...files,
  );
}
