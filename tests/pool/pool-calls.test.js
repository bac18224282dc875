// Tests the calls of a pool: bad options, failing rows and progress.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinexError } from 'linex';
import { openPool } from 'linex/pool';
import { predict } from '../../examples/dashboard/loans.js';
import { neighborhood as forest } from '../support/workers/pool-loans.js';
import { all, LIMIT, moduleOf, numbers, openForTest, quick, SUM } from '../support/workers/pool-models.js';

test('a bad call is refused before a worker is started, and the message holds the value', LIMIT, async (t) => {
  let started = 0;
  const start = () => (started++, 5);
  await assert.rejects(openPool(), /^TypeError: openPool expects the URL of the model's module or .*, not undefined$/);
  await assert.rejects(openPool(''), /not ""$/);
  await assert.rejects(openPool(start, { workers: 0 }), /^RangeError: workers must be a whole number from 1 .* not 0$/);
  await assert.rejects(
    openPool(start, { wokers: 2 }),
    /^TypeError: openPool has no option "wokers"; did you mean "workers"/,
  );
  assert.equal(started, 0);
  await assert.rejects(
    openPool(start),
    /^TypeError: openPool expects a function that returns a worker; it returned 5$/,
  );
  const model = (batch) => batch.rows.map(() => 1);
  await assert.rejects(openPool(model), /^TypeError: openPool expects the URL .*; the given function failed: .*'rows'/);

  let asked = 0;
  const pool = await openForTest(t, SUM);
  const source = () => ({ next: () => (asked++, { done: true }), [Symbol.iterator]: source });
  const refused = (options, message) => assert.rejects(pool.explainRows(source(), options).next(), message);
  await refused(undefined, /^TypeError: explainRows needs options\.table/);
  await refused({ ...quick, sampels: 3 }, /has no option "sampels"; did you mean "samples"\?/);
  await refused({ ...quick, predict }, /has no option "predict"/);
  await refused({ ...quick, samples: 1 }, /^RangeError: samples must be/);
  await refused({ ...quick, signal: 5 }, /^TypeError: signal must be an AbortSignal, not 5/);
  await refused({ ...quick, method: 'maple', onProgress: 5 }, /^TypeError: onProgress must be a function, not 5/);
  await refused(
    { ...quick, neighborhood: forest },
    /cannot be sent to a worker: export it as neighborhood from the model's module/,
  );
  assert.equal(asked, 0);
  await assert.rejects(pool.explainRows(5, quick).next(), /^TypeError: explainRows takes an iterable of rows, not 5$/);
  await assert.rejects(
    all(pool.explainRows(numbers, { ...quick, method: 'maple' })),
    /^TypeError: method 'maple' needs a neighborhood from forestNeighborhood/,
  );
});

test('a failure is reported in row order, with its row, batch and cause', LIMIT, async (t) => {
  const failing = moduleOf(`export const predict = (batch) => {
    const rows = [...batch].map(([x]) => x);
    if (rows[0] === 11) throw new RangeError('eleven is too much', { cause: 'superstition' });
    if (rows[0] === 20) throw 'twenty';
    return rows[0] === 30 ? [NaN] : rows;
  }`);
  const pool = await openForTest(t, failing, { workers: 3 });
  const errorOf = async (rows, done) => {
    const found = [];
    try {
      for await (const { prediction } of pool.explainRows(rows, quick)) found.push(prediction);
    } catch (error) {
      assert.deepEqual(
        found,
        rows.slice(0, done).map(([x]) => x),
      );
      return error;
    }
    return assert.fail('no error');
  };
  const threw = await errorOf(numbers, 11);
  assert.ok(threw instanceof LinexError && threw.stack.includes('askModel'));
  assert.equal(threw.message, 'row 11: the model failed on batch 0: eleven is too much');
  assert.deepEqual([threw.code, threw.batch], ['model-threw', 0]);
  assert.ok(threw.cause instanceof RangeError);
  assert.deepEqual([threw.cause.message, threw.cause.cause], ['eleven is too much', 'superstition']);
  assert.equal((await errorOf(numbers.slice(20), 0)).cause, 'twenty');
  const answered = await errorOf(numbers.slice(25), 5);
  assert.equal(answered.code, 'model-answer');
  assert.match(answered.message, /^row 5: the model's answer to batch 0 \(20 samples\) has /);
  const wide = await errorOf([[1], [2], [3, 4]], 2);
  assert.ok(wide instanceof RangeError);
  assert.equal(wide.message, 'row 2: the row must have 1 columns, not 2');
  const odd = await errorOf([[1], [() => 1]], 1);
  assert.ok(odd instanceof TypeError);
  assert.match(odd.message, /^row 1: could not send the row to a worker: /);
  async function* broken() {
    yield [1];
    throw new Error('the source is dry');
  }
  await assert.rejects(all(pool.explainRows(broken(), quick)), /^Error: the source is dry$/);
  assert.equal((await all(pool.explainRows(numbers.slice(0, 9), quick))).length, 9);
});

test('progress names the row, and an error in onProgress, thrown at once or later, ends the call', LIMIT, async (t) => {
  const pool = await openForTest(t, SUM);
  const seen = new Set();
  const options = { ...quick, batchSize: 7 };
  await all(
    pool.explainRows(numbers, {
      ...options,
      onProgress({ row, asked, planned, phase, partial }) {
        seen.add(row);
        assert.ok(asked <= planned && ['model', 'solve'].includes(phase) && partial === null);
      },
    }),
  );
  assert.deepEqual(
    [...seen].sort((a, b) => a - b),
    numbers.map(([x]) => x),
  );
  const onProgress = ({ row }) => {
    if (row === 5) throw new Error('no more');
  };
  await assert.rejects(all(pool.explainRows(numbers, { ...options, onProgress })), /^Error: no more$/);
  const later = async ({ row }) => {
    await null;
    onProgress({ row });
  };
  await assert.rejects(all(pool.explainRows(numbers, { ...options, onProgress: later })), /^Error: no more$/);
  assert.equal((await all(pool.explainRows(numbers, quick))).length, 40);
});
