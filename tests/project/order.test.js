// The rooms of src/ and js/: a folder uses only itself and the folders before it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { graphOf, problemsIn, readSources, roomOf, usesIn } from '../support/rooms.js';

const root = new URL('../..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const sources = readSources();

test('every file is in a room and uses only its own room and the rooms before it', () => {
  assert.ok(sources.size > 100 && usesIn(sources).length > 500);
  assert.deepEqual(problemsIn(sources), []);
});

/** Returns the problems after a line is added to a file. */
const problemsWith = (path, line) => {
  assert.ok(sources.has(path), path);
  return problemsIn(new Map(sources).set(path, `${line}\n${sources.get(path)}`));
};

for (const [path, line] of [
  ['src/matrices/matrix.h', '#include "path.h"'],
  ['src/matrices/matrix.h', '#include "solvers/equilibrium_path.h"'],
  ['src/matrices/matrix.c', '#include "../solvers/game_state.h"'],
  ['src/neighborhood/masks.c', 'int x = linex_explain(1);'],
  ['src/neighborhood/masks.c', 'int (*pointer)() = linex_explain;'],
  ['src/matrices/matrix.c', '#include <solvers/game_state.h>'],
  ['src/matrices/matrix.c', '#  include  "solvers/game_state.h"'],
  ['src/matrices/matrix.c', '#define HEADER "solvers/game_state.h"\n#include HEADER'],
  ['src/matrices/matrix.c', '#define CALL(x) linex_##x'],
  ['src/linex.h', '#include "wasm.c"\n#include "nowhere.h"'],
  ['js/core/ask-model.js', "import './row.js';"],
  ['js/core/ask-model.js', "import '../explain/explain-row.js';"],
  ['js/core/ask-model.js', "const later = () => import('../explain/shap.js');"],
  ['js/core/ask-model.js', 'const later = () => import(`../explain/shap.js`);'],
  ['js/core/ask-model.js', 'const later = (name) => import(name);'],
  ['js/core/ask-model.js', "const later = () => import(/* @vite-ignore */ '../explain/shap.js');"],
  ['js/core/ask-model.js', "const later = () => import('../explain/' + 'shap.js');"],
  ['js/core/ask-model.js', "import /* c */ '../explain/shap.js';"],
  ['js/core/ask-model.js', "import '../explain/shap.js?x';"],
  ['js/core/ask-model.js', "import '#internal';"],
  ['js/core/ask-model.js', "const shap = require('../explain/shap.js');"],
  ['js/core/ask-model.js', "const script = new URL('../pool/' + 'pool-start.js', import.meta.url);"],
  ['js/core/ask-model.js', "/** @import { Coalitions } from '../explain/shap.js' */"],
  ['js/wasm-files.js', "import './explain/shap.js';"],
  ['js/render.js', "export { solveGame } from './solve/solve-game.js';"],
  ['js/index.js', "export { openPool } from './pool/worker-pool.js';"],
  ['js/core/ask-model.js', "/** @typedef {import('../explain/explanation.js').Feature} F */"],
  ['js/core/ask-model.js', "const script = new URL('../pool/pool-start.js', import.meta.url);"],
  ['js/core/ask-model.js', "export { load } from '../index.js';"],
  ['js/core/errors.js', "import './check-options.js';"],
  ['js/data/table.js', "import '../wasm-files.js';"],
  ['js/runtimes/node-files.js', "import 'node:child_process';"],
  ['js/render/palette.js', "import lodash from 'lodash';"],
])
  test(`${line.split('\n')[0]} in ${path} is a problem`, () => {
    assert.notDeepEqual(problemsWith(path, line), []);
  });

test('a file outside the rooms, or in an unknown room, is a problem', () => {
  assert.deepEqual(problemsIn(new Map([['js/helpers.js', '']])), ['js/helpers.js is in no room']);
  assert.deepEqual(problemsIn(new Map([['src/misc/a.c', '']])), ['src/misc/a.c is in an unknown room']);
  assert.deepEqual(problemsIn(new Map([['src/base/a.inc', '']])), ['src/base/a.inc is neither C nor a module']);
});

test('the entry points only export from the rooms', () => {
  for (const [path, text] of sources) {
    if (
      !path.startsWith('js/') ||
      roomOf(path) !== '' ||
      ['js/elements.js', 'js/charts.js', 'js/command.js', 'js/wasm-files.js'].includes(path)
    )
      continue;
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
    const rest = code.replace("import './wasm-files.js';", '').replace(/export (\*|\{[^}]*\}) from '[^']+';/g, '');
    assert.equal(rest.trim(), '', path);
  }
});

test('CMakeLists.txt builds every C file, in the order of the rooms', () => {
  const built = [...read('CMakeLists.txt').matchAll(/^ {2}(src\/[\w/]+\.c)$/gm)].map(([, path]) => path);
  const files = [...sources.keys()].filter((path) => path.endsWith('.c') && path !== 'src/wasm.c');
  assert.deepEqual([...built].sort(), files.sort());
  const rooms = built.map(roomOf).filter((room, i, all) => room !== all[i - 1]);
  assert.equal(new Set(rooms).size, rooms.length, `rooms are mixed: ${rooms}`);
});

test('no folder of js/ has more than 16 files, none of src/ more than 20, and no two files share a name', () => {
  const most = { js: 16, src: 20 };
  const counts = new Map();
  for (const path of sources.keys()) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of counts) assert.ok(count <= most[folder.split('/')[0]], `${folder}: ${count}`);
  const names = [...sources.keys()].map((path) => path.split('/').at(-1));
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
});

test('every source file opens with a sentence that says what it is for', () => {
  for (const [path, text] of sources) assert.match(text, /^(#!.*\n)?(\/\/ |\/\*\*? ?\n? ?\*? ?)\S.{20,}/, path);
});

test('the tests mirror the rooms', () => {
  const known = new Set([
    'bench',
    'docs',
    'browser',
    'c',
    'project',
    'paper',
    'steady',
    'support',
    'types',
    'vectors',
    'web',
    'fuzz',
    'matrix',
  ]);
  for (const { name } of readdirSync(new URL('tests', root), { withFileTypes: true }))
    assert.ok(known.has(name) || existsSync(new URL(`js/${name}`, root)), `tests/${name} mirrors no folder of js/`);
  for (const entry of readdirSync(new URL('tests/c', root), { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== 'native')
      assert.ok(existsSync(new URL(`src/${entry.name}`, root)), `tests/c/${entry.name} mirrors no folder of src/`);
});

test('the library has no run-time dependencies', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'));
  assert.deepEqual([dependencies, optionalDependencies], [undefined, undefined]);
});

test('the lock file records no download addresses', () => {
  assert.doesNotMatch(
    read('package-lock.json'),
    /"resolved": "(?!tests\/support\/(absent-package|wasm-onnxruntime)")|https?:\/\/registry/,
  );
});

test('the graph has an arrow for each use between two folders', () => {
  const { src, js } = graphOf(sources);
  assert.ok(src.get('game').has('base') && !src.get('base').has('game'));
  assert.ok(js.get('explain').has('core') && js.get('core').size === 0);
});
