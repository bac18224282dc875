import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

// data -> neighbourhood -> query -> environments -> game -> explanation -> picture: a file uses only what stands before it.
const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

const C_LINE = [
  ...['status', 'elementary', 'random', 'order', 'room', 'points', 'matrix', 'table', 'density', 'image', 'colour'],
  ...['picture', 'superpixels', 'slic', 'quickshift', 'split', 'forest', 'trees', 'word_vectors', 'neighbourhood'],
  ...['maple', 'masks', 'compose', 'environments', 'groups', 'path', 'surrogate', 'select', 'response', 'game'],
  ...['shapley', 'stability', 'explanation', 'wasm'],
];
const JS_LINE = [
  ...['errors', 'freeze', 'turns', 'options', 'load', 'memory', 'chunks', 'word-lines', 'word-files', 'word-vectors'],
  ...['table', 'training', 'trees', 'forest', 'tokens', 'picture', 'generator', 'word-neighbourhood'],
  ...['neighbourhood', 'background', 'density', 'forest-neighbourhood', 'masks', 'compose', 'rewritten', 'redrawn'],
  ...['query', 'latent', 'settings', 'game', 'explanation', 'line', 'methods', 'shap', 'samples', 'maple'],
  ...['row', 'text', 'image', 'pool-errors', 'pool-worker', 'pool-start', 'pool-member', 'pool-lane', 'pool'],
  ...[
    'metrics',
    'faithfulness',
    'ablation',
    'widths',
    'palette',
    'wording',
    'drawing',
    'layout-text',
    'layout-bars',
    'styles',
  ],
  ...['render-terminal', 'render-html', 'render-svg', 'render-image', 'render', 'index'],
  ...['canvas', 'element-base', 'element-text', 'element-bars', 'element-image', 'elements'],
];

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');

test('every C file has its place in the line, and CMakeLists.txt names them in that order', () => {
  const files = readdirSync(new URL('src', root)).filter((name) => name.endsWith('.c'));
  assert.deepEqual(files.map((name) => name.slice(0, -2)).sort(), [...C_LINE].sort());
  const built = [...read('CMakeLists.txt').matchAll(/^ {2}src\/(\w+)\.c$/gm)].map(([, name]) => name);
  assert.deepEqual(
    built,
    C_LINE.filter((name) => name !== 'wasm'),
  );
});

/** Where each function of ours is defined. */
const homes = new Map();
for (const name of C_LINE)
  for (const [, symbol] of withoutComments(read(`src/${name}.c`)).matchAll(/^[\w ]+[ *](linex_\w+)\([^;]*?\)\s*\{/gm))
    homes.set(symbol, name);

/** What a C file uses of files that stand after it. */
function usedTooEarly(name, source) {
  const text = withoutComments(source);
  const after = (other) => C_LINE.indexOf(other) > C_LINE.indexOf(name);
  const headers = [...text.matchAll(/#include "(\w+)\.h"/g)].map(([, header]) => header);
  const calls = [...text.matchAll(/\b(linex_\w+)\(/g)].map(([, symbol]) => symbol);
  return [
    // game.h is what the two accounts of the game share.
    ...headers.filter((header) => after(header) && !(name === 'response' && header === 'game')),
    ...calls.filter((symbol) => homes.has(symbol) && after(homes.get(symbol))),
  ];
}

/** What a module imports of modules that stand after it, or have no place. */
function importedTooEarly(name, source) {
  const before = JS_LINE.slice(0, JS_LINE.indexOf(name));
  const imports = [...withoutComments(source).matchAll(/(?:from|import\() ?'\.\/([\w-]+)\.js'/g)].map(([, one]) => one);
  return imports.filter((one) => !before.includes(one));
}

test('no C file includes or calls what stands after it', () => {
  assert.ok(homes.size > 30);
  for (const name of C_LINE) assert.deepEqual(usedTooEarly(name, read(`src/${name}.c`)), [], `src/${name}.c`);
});

test('no module imports what stands after it, and every module has its place', () => {
  const files = readdirSync(new URL('js', root)).filter((name) => name.endsWith('.js'));
  assert.deepEqual(files.map((name) => name.slice(0, -3)).sort(), [...JS_LINE].sort());
  for (const name of JS_LINE) assert.deepEqual(importedTooEarly(name, read(`js/${name}.js`)), [], `js/${name}.js`);
});

test('a file that looks ahead is found out', () => {
  assert.deepEqual(usedTooEarly('table', '#include "path.h"\nx = linex_game_round(1);'), ['path', 'linex_game_round']);
  assert.deepEqual(usedTooEarly('game', '#include "path.h"\n/* linex_explain( */ linex_sort(1);'), []);
  assert.deepEqual(importedTooEarly('query', "import { a } from './row.js';\nimport b from './errors.js';"), ['row']);
});

test('nothing of ours depends on a package at run time', () => {
  const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(read('package.json'));
  assert.deepEqual([dependencies, peerDependencies, optionalDependencies], [undefined, undefined, undefined]);
  for (const name of JS_LINE)
    for (const [, source] of withoutComments(read(`js/${name}.js`)).matchAll(/from '([^']+)'/g))
      assert.match(source, /^\.\//, `js/${name}.js imports ${source}`);
});

test('the lock file records no download addresses', () => {
  assert.doesNotMatch(read('package-lock.json'), /"resolved"|https?:\/\/registry/);
});
