// The measured pages of the documentation say when and on what their numbers were written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnrecorded, MEASURED, sayOrigin } from '../../.ci/docs-measured.js';

test('the record of the measured pages is that of their numbers', () => {
  assert.deepEqual(
    findUnrecorded(),
    [],
    'a measured page has changed: run npm run docs:measured and read the difference',
  );
});

test('every measured page has a command, a day and a machine', () => {
  assert.ok(Object.keys(MEASURED).length >= 6);
  for (const [path, command] of Object.entries(MEASURED)) {
    const origin = sayOrigin(path);
    assert.ok(origin.includes(`\`${command}\``), path);
    assert.match(origin, / on 20\d\d-\d\d-\d\d, on a machine with \d+ cores, /, path);
  }
  assert.match(sayOrigin('web/docs/ideas/tables/iris.md'), /computes them again/);
  assert.equal(sayOrigin('web/docs/guides/rows.md'), '');
});
