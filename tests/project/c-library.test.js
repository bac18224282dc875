// Installs the C library into an empty folder and uses it as a C programmer would, with pkg-config and with CMake.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = join(root, 'examples/c/explain_row.c');
const run = (command, args, options = {}) => execFileSync(command, args, { encoding: 'utf8', ...options });

/** The folder that linex is installed into. */
let prefix = '';
let environment = process.env;

before(() => {
  prefix = mkdtempSync(join(tmpdir(), 'linex-'));
  run('cmake', ['--install', join(root, 'build/native'), '--prefix', prefix]);
  const file = readdirSync(prefix, { recursive: true }).find((path) => path.endsWith('linex.pc'));
  environment = { ...process.env, PKG_CONFIG_PATH: join(prefix, file, '..') };
});

after(() => rmSync(prefix, { recursive: true }));

const pkgConfig = (...args) => run('pkg-config', [...args, 'linex'], { env: environment }).trim();

/**
 * Checks what the example prints. Each column of its table takes 101 evenly spaced values, so its standard deviation is
 * step * sqrt((101² - 1) / 12) = step * sqrt(850). The model is linear, so a weight is slope * standard deviation.
 */
function checkOutput(output) {
  const numbers = (line) => line.match(/-?\d+\.\d+/g).map(Number);
  const [first, , ...rows] = output.trimEnd().split('\n');
  // Row 8 has area 50 + 8 * 37 % 101 = 144 and distance (8 * 53 % 101) / 10 = 2.
  const price = 20 + 3 * 144 - 8 * 2;
  assert.deepEqual(numbers(first), [price, price, 1]);
  const deviation = Math.sqrt(850);
  const expected = { area: 3 * deviation, distance: (-8 * deviation) / 10, age: 0 };
  assert.deepEqual(
    rows.map((row) => row.split(' ')[0]),
    Object.keys(expected),
  );
  for (const row of rows) {
    const weight = expected[row.split(' ')[0]];
    for (const number of numbers(row)) assert.ok(Math.abs(number - weight) <= 0.0005, row);
  }
}

test('an installed linex has the two public headers and no private one', () => {
  const files = readdirSync(prefix, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const headers = files.map((entry) => entry.name).filter((name) => name.endsWith('.h'));
  assert.deepEqual(headers.sort(), ['linex.h', 'linex_data.h']);
  assert.ok(files.some((entry) => entry.name === 'liblinex.a'));
  for (const { name, parentPath, path } of files.filter((entry) => /\.(pc|cmake|h)$/.test(entry.name)))
    assert.ok(!readFileSync(join(parentPath ?? path, name), 'utf8').includes(root), `${name} names the build folder`);
});

test('pkg-config knows the version of package.json and the math library', () => {
  assert.equal(pkgConfig('--modversion'), JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  assert.match(pkgConfig('--libs'), /-llinex -lm/);
});

test('the C example compiles against the installed library and finds the weights of a linear model', () => {
  const program = join(prefix, 'explain_row');
  const strict = ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror'];
  run('cc', [...strict, example, ...pkgConfig('--cflags', '--libs').split(/\s+/), '-o', program], { cwd: prefix });
  checkOutput(run(program, []));
});

test('a CMake project finds the installed library', () => {
  const project = join(prefix, 'project');
  const lines = [
    'cmake_minimum_required(VERSION 3.20)',
    'project(example C)',
    'find_package(linex 0.1 REQUIRED)',
    `add_executable(explain_row "${example}")`,
    'target_link_libraries(explain_row PRIVATE linex::linex)',
  ];
  run('cmake', ['-E', 'make_directory', project]);
  writeFileSync(join(project, 'CMakeLists.txt'), lines.join('\n'));
  run('cmake', ['-S', project, '-B', join(project, 'build'), `-DCMAKE_PREFIX_PATH=${prefix}`]);
  run('cmake', ['--build', join(project, 'build')]);
  checkOutput(run(join(project, 'build/explain_row'), []));
});
