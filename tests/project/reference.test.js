// Checks that the reference names every function that users can import, and every option of the explain calls.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readSources } from '../support/rooms.js';

const root = new URL('../..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** The names that an entry point exports. The elements cannot be imported in Node, so the text is read. */
const exportsOf = (path) =>
  [...read(path).matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names]) => names.split(',').map((name) => name.trim()));

for (const entry of ['index', 'render', 'elements', 'charts', 'pool', 'pool-worker', 'fleet', 'adapters'])
  test(`functions.md names every export of js/${entry}.js`, () => {
    const page = read('web/docs/reference/functions.md');
    const names = exportsOf(`js/${entry}.js`).filter(Boolean);
    assert.ok(names.length > 0);
    assert.deepEqual(
      names.filter((name) => !new RegExp(`^\\| \`${name}[\`(]`, 'm').test(page)),
      [],
    );
  });

test('errors.md and troubleshooting.md name every code of LinexError', () => {
  const [, codes] = read('js/core/errors.js').match(/@typedef \{([^}]*)\} ErrorCode/);
  const page = read('web/docs/reference/errors.md');
  const troubleshooting = read('web/docs/troubleshooting.md');
  for (const [code] of codes.matchAll(/'[\w-]+'/g)) {
    assert.ok(page.includes(`| \`${code}\``), code);
    assert.ok(troubleshooting.includes(`| [\`${code.slice(1, -1)}\`](`), `${code} in Troubleshooting`);
  }
});

test('options.md names every option of the explain calls', () => {
  const names = [...readSources()]
    .filter(([path]) => path.startsWith('js/'))
    .flatMap(([, text]) => [...text.matchAll(/^(?:export )?const (\w+)_OPTIONS = Object\.freeze\(\[([^;]*)\]\);/gm)])
    .filter(([, list]) => list !== 'GROW')
    .flatMap(([, , list]) => [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name));
  assert.ok(names.length > 40, `only ${names.length} options found`);
  const page = read('web/docs/reference/options.md');
  assert.deepEqual(
    names.filter((name) => !page.includes(`| \`${name}\``)),
    [],
  );
});
