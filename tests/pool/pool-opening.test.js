// Tests workers of a pool that cannot be opened: modules that fail, exit, loop or take too long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { LinexError } from 'linex';
import { openPool } from 'linex/pool';
import {
  all,
  faulty,
  LIMIT,
  moduleOf,
  numbers,
  openForTest,
  predictionsOf,
  quick,
  resetSeen,
  SUM,
  untilError,
} from '../support/workers/pool-models.js';

const valuesOf = (rows) => rows.map(([x]) => x);

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
    [moduleOf('export const predict = ('), LinexError, /^could not import .*: Unexpected end of input$/],
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

test('a worker that does not open in time is ended, and openPool says so', LIMIT, async () => {
  const counts = resetSeen();
  const script = (code) => () => new Worker(code, { eval: true });
  const cases = {
    'a module that loops at import': faulty('', 'for (;;) seen(0);'),
    'a module that waits for ever': moduleOf('await new Promise(() => setInterval(() => {}, 1000))'),
    'a script that loops': script('for (;;);'),
    'a script that does not join': script('setInterval(() => {}, 1000)'),
    'a function that never returns a worker': () => new Promise((resolve) => setTimeout(resolve, 3000)),
  };
  for (const [name, model] of Object.entries(cases))
    await assert.rejects(openPool(model, { workers: 2, openTimeout: 100 }), (error) => {
      assert.ok(error instanceof LinexError, `${name}: ${error}`);
      assert.equal(error.code, 'worker');
      assert.equal(error.message, 'could not start a worker: it was not ready within 100 ms', name);
      return true;
    });
  const [before] = counts;
  assert.ok(before > 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(counts[0], before, 'a worker still loops');
});

test('openTimeout must be a number above 0, and may be infinite', LIMIT, async (t) => {
  for (const openTimeout of [0, -1, NaN, '100', null])
    await assert.rejects(openPool(SUM, { openTimeout }), /^RangeError: openTimeout must be a number above 0, not /);
  const slow = moduleOf(
    `await new Promise((resolve) => setTimeout(resolve, 50)); export * from ${JSON.stringify(SUM)}`,
  );
  for (const openTimeout of [Infinity, 2 ** 40, undefined]) {
    const pool = await openForTest(t, slow, { workers: 1, openTimeout });
    assert.equal((await all(pool.explainRows(numbers.slice(0, 2), quick))).length, 2);
  }
});

/** Ways in which a model may fail to load again, with what the error says. */
const AGAIN = {
  exits: ['process.exit(3)', 'worker', 'could not start a worker: it exited with code 3'],
  throws: ["throw new Error('no weights')", 'load', /^could not import the model's module .*: no weights$/],
  loops: ['for (;;);', 'worker', 'could not start a worker: it was not ready within 1500 ms'],
};

for (const [name, [code, errorCode, message]] of Object.entries(AGAIN))
  test(`a model that ${name} at every further import is not imported without end`, LIMIT, async (t) => {
    const counts = resetSeen();
    const onImport = `if (seen(91) > 0 && Atomics.load(getEnvironmentData('seen'), 92) === 0) { ${code} }`;
    const model = faulty('if (x === 5) process.exit(9)', onImport);
    const pool = await openForTest(t, model, { workers: 1, openTimeout: 1500 });
    for (let times = 1; times <= 2; times++) {
      const { error } = await untilError(pool.explainRows(numbers, quick));
      assert.equal(error.code, errorCode, error);
      assert.ok(typeof message === 'string' ? error.message === message : message.test(error.message), error.message);
      assert.equal(counts[91], 1 + times, 'each call tries once');
    }
    counts[92] = 1;
    const others = numbers.slice(6);
    assert.deepEqual(predictionsOf(await all(pool.explainRows(others, quick))), valuesOf(others));
  });

test('if a worker cannot be replaced, the others explain all rows', LIMIT, async (t) => {
  const counts = resetSeen();
  const model = faulty('if (x === 5 && seen(x) === 0) process.exit(9)', 'if (seen(91) > 1) process.exit(3)');
  const pool = await openForTest(t, model);
  for (let times = 1; times <= 2; times++) {
    const rows = Array.from({ length: 400 }, (_, i) => [i % 40]);
    assert.deepEqual(predictionsOf(await all(pool.explainRows(rows, quick))), valuesOf(rows));
    assert.ok(counts[91] <= 2 + times);
  }
});
