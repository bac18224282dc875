// The search of the built site: a new user's questions lead to the right page first.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { SEARCH_OPTIONS } from '../../.ci/docs/search-index.js';
import { HELD_OUT, QUESTIONS } from './questions.js';

const docs = new URL('../../build/site/docs/', import.meta.url);
// MiniSearch is installed for the documentation only.
const require = createRequire(new URL('../../.ci/docs/package.json', import.meta.url));
const { default: MiniSearch } = await import(
  require
    .resolve('minisearch')
    .replace(/\.cjs$/, '.js')
    .replace('/cjs/', '/es/')
);

globalThis.linexDocs = '/';
const chunks = new URL('assets/chunks/', docs);
const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndexroot'));
const { default: data } = await import(new URL(name, chunks));
const index = MiniSearch.loadJSON(data, {
  ...{ fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], searchOptions: SEARCH_OPTIONS },
});
const pageOf = (id) => id.slice(1).replace(/(\.html)?(#.*)?$/, '');

test('there are 30 questions, and 15 that were held out', () => {
  assert.deepEqual([QUESTIONS.length, HELD_OUT.length], [30, 15]);
  assert.equal(new Set([...QUESTIONS, ...HELD_OUT].map(([question]) => question)).size, 45);
});

for (const [question, ...pages] of [...QUESTIONS, ...HELD_OUT])
  test(`“${question}” leads to ${pages.join(' or ')}`, () => {
    const found = index.search(question).slice(0, 3).map(({ id }) => id); // prettier-ignore
    assert.ok(pages.includes(pageOf(found[0] ?? '/nothing')), found.join(', '));
  });
