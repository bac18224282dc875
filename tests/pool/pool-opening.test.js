// Tests workers of a pool that cannot be opened: modules that fail, exit, loop or take too long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinexError } from 'linex';
import { openPool } from 'linex/pool';
import { LIMIT, moduleOf } from '../support/pool-models.js';

test('a bad module is reported, and no worker is left running', LIMIT, async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const cases = [
    [moduleOf('export const perdict = 1'), TypeError, /module must export a function predict, not undefined/],
    [moduleOf('export const predict = 5'), TypeError, /a function predict, not 5/],
    [
      moduleOf('throw new Error("no weights")'),
      LinexError,
      /^could not import the model's module data:.*: no weights$/,
    ],
    [
      new URL('no-such-model.js', import.meta.url),
      LinexError,
      /^could not import .*no-such-model\.js: Cannot find module/,
    ],
    [moduleOf('process.exit(3)'), LinexError, /^could not start a worker: it exited with code 3$/],
  ];
  for (const [model, Class, message] of cases)
    await assert.rejects(openPool(model, { workers: 2 }), (error) => {
      assert.ok(error instanceof Class, error.stack);
      assert.match(error.message, message);
      if (Class === LinexError) assert.equal(error.code, message.source.includes('start a worker') ? 'worker' : 'load');
      return true;
    });
  const left = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  assert.equal(left, before);
});
