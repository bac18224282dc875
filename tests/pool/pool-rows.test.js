// Tests what a pool reads and returns: the order of the rows, kinds of rows and sources, and how far it reads ahead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  all,
  LIMIT,
  moduleOf,
  numbers,
  openForTest,
  predictionsOf,
  quick,
  SUM,
  withoutTimes,
} from '../support/workers/pool-models.js';

/** How many rows a pool may read ahead, as its documentation says. */
const maxAhead = (workers, concurrency = 1) => workers * (65 + concurrency);

test('explanations come in the order of the rows, even if some are slow', LIMIT, async (t) => {
  const slow = moduleOf(`export const predict = async (batch) => {
    const [[x]] = batch;
    await new Promise((resolve) => setTimeout(resolve, x % 5 === 0 ? 40 : 1));
    return [...batch].map(([y]) => y);
  }`);
  const pool = await openForTest(t, slow, { workers: 3 });
  for (const concurrency of [1, 4]) {
    const found = await all(pool.explainRows(numbers, { ...quick, concurrency }));
    assert.deepEqual(
      predictionsOf(found),
      numbers.map(([x]) => x),
    );
  }
  // Two calls at once do not disturb each other.
  const [up, down] = await Promise.all([
    all(pool.explainRows(numbers, quick)),
    all(pool.explainRows(numbers.toReversed(), quick)),
  ]);
  assert.deepEqual(down.toReversed().map(withoutTimes), up.map(withoutTimes));
});

test('an empty source and a slow source work, and ready explanations do not wait for the source', LIMIT, async (t) => {
  const pool = await openForTest(t, SUM);
  assert.deepEqual(await all(pool.explainRows([], quick)), []);
  let more = () => {};
  async function* source() {
    yield [3];
    await new Promise((resolve) => (more = resolve));
    yield [4];
  }
  const answers = pool.explainRows(source(), quick);
  assert.equal((await answers.next()).value.prediction, 3);
  more();
  assert.equal((await answers.next()).value.prediction, 4);
  assert.equal((await answers.next()).done, true);
});

test(
  'typed array views, proxies and array-like objects work as rows, and only the part in view is sent',
  LIMIT,
  async (t) => {
    const pool = await openForTest(t, SUM);
    // The buffer has 64 MB, so 300 copies of it would not fit.
    const buffer = new Float64Array(2 ** 23);
    numbers.forEach(([x], i) => (buffer[i] = x));
    const before = process.memoryUsage().arrayBuffers;
    const views = Array.from({ length: 300 }, (_, i) => buffer.subarray(i % 40, (i % 40) + 1));
    const [seen, watched, like] = await Promise.all([
      all(pool.explainRows(views, quick)),
      all(pool.explainRows([new Proxy([5], {})], quick)),
      all(pool.explainRows([{ length: 1, 0: 6 }], quick)),
    ]);
    assert.deepEqual(
      predictionsOf(seen),
      views.map(([x]) => x),
    );
    assert.deepEqual([watched[0].prediction, like[0].prediction], [5, 6]);
    assert.ok(process.memoryUsage().arrayBuffers < before + 2 ** 26);
    for (const row of [null, 7, 'a'])
      await assert.rejects(
        all(pool.explainRows([row], quick)),
        /^TypeError: row 0: a row must be an array of 1 values/,
      );
  },
);

test('the number of rows read ahead is bounded', LIMIT, async (t) => {
  const pool = await openForTest(t, SUM);
  let [read, taken, farthest] = [0, 0, 0];
  let returned = false;
  function* source() {
    try {
      for (;;) {
        read++;
        farthest = Math.max(farthest, read - taken);
        yield [read % 40];
      }
    } finally {
      returned = true;
    }
  }
  for await (const { prediction } of pool.explainRows(source(), { ...quick, samples: 5 })) {
    taken++;
    assert.equal(prediction, taken % 40);
    // Rows must not accumulate if the reader is slow.
    if (taken === 100) await new Promise((resolve) => setTimeout(resolve, 200));
    if (taken === 3000) break;
  }
  assert.ok(farthest <= maxAhead(2) + 1, `${farthest} rows ahead`);
  assert.ok(returned, 'the source was not closed');
  assert.equal((await all(pool.explainRows(numbers, quick))).length, 40);
});
