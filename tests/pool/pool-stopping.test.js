// Tests how calls of a pool end early: by an abort, and because the pool is closed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPool } from 'linex/pool';
import { all, LIMIT, moduleOf, numbers, openForTest, quick } from '../support/workers/pool-models.js';

test('an abort ends a call at once, reaches the model, and leaves the pool usable', LIMIT, async (t) => {
  const channel = new BroadcastChannel('told');
  t.after(() => channel.close());
  const told = new Promise((resolve) => (channel.onmessage = ({ data }) => resolve(data)));
  const stuck = moduleOf(`export const predict = (batch, { signal }) => {
    const rows = [...batch].map(([x]) => x);
    if (rows[0] !== 7) return rows;
    signal.addEventListener('abort', () => {
      const channel = new BroadcastChannel('told');
      channel.postMessage('aborted');
      channel.close();
    });
    return new Promise(() => {});
  }`);
  const pool = await openForTest(t, stuck);
  const controller = new AbortController();
  const found = [];
  const call = (async () => {
    for await (const one of pool.explainRows(numbers, { ...quick, signal: controller.signal })) {
      found.push(one.prediction);
      if (found.length === 7) controller.abort(new Error('enough'));
    }
  })();
  await assert.rejects(call, /^Error: enough$/);
  assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(await told, 'aborted');
  await assert.rejects(pool.explainRows(numbers, { ...quick, signal: controller.signal }).next(), /enough/);
  assert.equal((await all(pool.explainRows(numbers.slice(0, 7), quick))).length, 7);
});

test('closing ends running calls, and a closed pool refuses new ones', LIMIT, async () => {
  const pool = await openPool(moduleOf('export const predict = () => new Promise(() => {})'), { workers: 2 });
  const waiting = assert.rejects(all(pool.explainRows(numbers, quick)), {
    code: 'worker',
    message: 'the pool is closed',
  });
  const idle = pool
    .explainRows({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }, quick)
    .next();
  const stopped = assert.rejects(idle, /the pool is closed/);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all([pool.close(), pool.close()]);
  await Promise.all([waiting, stopped]);
  await assert.rejects(pool.explainRows(numbers, quick).next(), { name: 'LinexError', message: 'the pool is closed' });
});
