// Tests that a pool reports each row that fails in its place, and explains the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  all,
  faulty,
  LIMIT,
  numbers,
  openForTest,
  quick,
  resetSeen,
  SUM,
  withoutTimes,
} from '../support/pool-models.js';

const failed = (settled) => settled.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));

test('a row that fails is reported in its place, and no other row is asked twice', LIMIT, async (t) => {
  const counts = resetSeen();
  const pool = await openForTest(t, faulty('seen(x); if (x % 7 === 3) throw new Error(`no answer for ${x}`);'));
  const settled = await all(pool.settleRows(numbers, { ...quick, batchSize: 100 }));
  assert.deepEqual(failed(settled), [3, 10, 17, 24, 31, 38]);
  assert.match(settled[10].reason.message, /^row 10: the model failed on batch 0: .*no answer for 10/);
  assert.equal(settled[10].reason.code, 'model-threw');
  assert.deepEqual([...counts.subarray(0, 40)], Array(40).fill(1));
  const sound = await openForTest(t, SUM);
  const expected = await all(sound.explainRows(numbers, quick));
  for (const [i, { status, value }] of settled.entries())
    if (status === 'fulfilled') assert.deepEqual(withoutTimes(value), withoutTimes(expected[i]));
});

test('rows with wrong values fail alone, before the model is asked', LIMIT, async (t) => {
  const pool = await openForTest(t, SUM);
  const settled = await all(pool.settleRows([[1], ['much'], [3], [() => 4], [5]], quick));
  assert.deepEqual(failed(settled), [1, 3]);
  assert.match(settled[1].reason.message, /must be a finite number, not "much"/);
  assert.match(settled[3].reason.message, /could not send the row to a worker/);
});

test('a row that ends two workers fails alone', LIMIT, async (t) => {
  const pool = await openForTest(t, faulty('if (x === 5) process.exit(1);'));
  const settled = await all(pool.settleRows(numbers, quick));
  assert.deepEqual(failed(settled), [5]);
  assert.equal(settled[5].reason.code, 'worker');
});

test('a bad call and an abort end the loop', LIMIT, async (t) => {
  const pool = await openForTest(t, SUM);
  await assert.rejects(all(pool.settleRows(numbers, { ...quick, samples: 1 })), RangeError);
  const stop = new AbortController();
  const rows = pool.settleRows(numbers, { ...quick, signal: stop.signal });
  await rows.next();
  stop.abort(new Error('enough'));
  await assert.rejects(all(rows), /enough/);
  await pool.close();
  await assert.rejects(all(pool.settleRows(numbers, quick)), { code: 'worker' });
});
