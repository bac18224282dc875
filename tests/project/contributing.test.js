// CONTRIBUTING.md: its graph is up to date, and the files, functions and commands that it names exist.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reduce, withGraph } from '../../.ci/graph.js';
import { readSources } from '../support/rooms.js';

const root = new URL('../..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const text = read('CONTRIBUTING.md');
/** Paths in the tree; the wildcards and the pages that scripts write are left out. */
const PATH = /`((?:src|js|tests|web|examples|\.ci)\/[\w./-]*)`/g;

test('the graph equals what npm run graph writes now', () => {
  assert.equal(withGraph(text, readSources()), text, 'run npm run graph');
});

test('a new use between two folders changes the graph', () => {
  const path = 'js/pool/pool-errors.js';
  const sources = readSources();
  sources.set(path, `import '../render/palette.js';\n${sources.get(path)}`);
  assert.match(withGraph(text, sources), / {2}pool --> render\n/);
  assert.doesNotMatch(text, / {2}pool --> render\n/);
});

test('an arrow that a longer path implies is left out', () => {
  const graph = new Map([
    ['top', new Set(['middle', 'bottom'])],
    ['middle', new Set(['bottom'])],
    ['bottom', new Set()],
  ]);
  assert.deepEqual(reduce(graph), [
    ['top', 'middle'],
    ['middle', 'bottom'],
  ]);
});

test('a page without the two comments is refused', () => {
  assert.throws(() => withGraph('# Contributing', readSources()), /CONTRIBUTING\.md must have the lines/);
});

test('every path that it names exists', () => {
  const paths = [...text.matchAll(PATH)].map(([, path]) => path).filter((path) => !path.startsWith('web/docs/'));
  assert.ok(paths.length > 40);
  assert.deepEqual(
    paths.filter((path) => !existsSync(new URL(path, root))),
    [],
  );
});

test('every name that CONTRIBUTING.md places in a file is in that file', () => {
  const places = [...text.matchAll(/`(\w+)` in `((?:src|js|tests|\.ci)\/[\w./-]+)`/g)];
  assert.ok(places.length > 10);
  const missing = places.filter(([, name, path]) => !new RegExp(`\\b${name}\\b`).test(read(path)));
  assert.deepEqual(
    missing.map(([place]) => place),
    [],
  );
});

test('every npm command in CONTRIBUTING.md exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  assert.deepEqual(
    named.filter((name) => !Object.hasOwn(scripts, name)),
    [],
  );
  const described = [...named, 'test', 'start', 'prepack'];
  assert.deepEqual(
    Object.keys(scripts).filter((name) => !described.includes(name)),
    [],
  );
});
