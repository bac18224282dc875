// Tests workers of a pool that end by themselves: they are replaced, and only a row that ends two of them is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { explainRows, LinexError } from 'linex';
import {
  all,
  faulty,
  LIMIT,
  numbers,
  openForTest,
  predictionsOf,
  quick,
  resetSeen,
  untilError,
  withoutTimes,
} from '../support/workers/pool-models.js';

const values = numbers.map(([x]) => x);
const onOneCore = await all(explainRows(numbers, (batch) => [...batch].map(([x]) => x), quick));
const isOnOneCore = (found, rows) =>
  assert.deepEqual(
    found.map(withoutTimes),
    rows.map(([x]) => withoutTimes(onOneCore[x])),
  );

/** Ways in which a model may end its worker, as code, with what the error says. */
const ENDS = {
  'exits in predict': ['process.exit(9)', /it exited with code 9$/],
  'throws outside predict': [
    "setTimeout(() => { throw new RangeError('outside') }); await new Promise(() => {})",
    /: outside$/,
  ],
  'rejects outside predict': [
    "Promise.reject(new Error('nobody waits')); await new Promise(() => {})",
    /nobody waits$/,
  ],
  'closes its port': [
    "(await import('node:worker_threads')).parentPort.close(); await new Promise(() => {})",
    /it exited with code 0$/,
  ],
  'throws what is not an error': ['setTimeout(() => { throw null }); await new Promise(() => {})', /: it threw null$/],
};

for (const [name, [code, why]] of Object.entries(ENDS))
  for (const workers of [1, 2])
    test(
      `a row whose model ${name} is reported, and all others are fine, with ${workers} workers`,
      LIMIT,
      async (t) => {
        const counts = resetSeen();
        const pool = await openForTest(t, faulty(`if (x === 14) { seen(x); ${code} }`), { workers });
        const { found, error } = await untilError(pool.explainRows(numbers, quick));
        isOnOneCore(found, numbers.slice(0, 14));
        assert.ok(error instanceof LinexError, error);
        assert.equal(error.code, 'worker');
        assert.match(error.message, /^row 14: its worker was lost twice: /);
        assert.match(error.message, why);
        assert.ok(counts[14] >= 2 && counts[14] <= 3, `tried ${counts[14]} times`);
        const others = numbers.filter(([x]) => x !== 14);
        isOnOneCore(await all(pool.explainRows(others, quick)), others);
        assert.equal(pool.workers, workers);
      },
    );

test('a worker that runs out of memory is replaced, and the error says why', LIMIT, async (t) => {
  const hoard = "const kept = []; for (;;) kept.push(new Array(1000).fill('much'.repeat(kept.length % 7)));";
  const start = () =>
    new Worker(new URL('../support/workers/pool-small-worker.js', import.meta.url), {
      workerData: faulty(`if (x === 3) { ${hoard} }`),
      resourceLimits: { maxOldGenerationSizeMb: 48 },
    });
  const pool = await openForTest(t, start);
  const { found, error } = await untilError(pool.explainRows(numbers, quick));
  isOnOneCore(found, numbers.slice(0, 3));
  assert.equal(error.code, 'worker');
  assert.match(error.message, /^row 3: .*memory/);
  assert.equal(error.cause.code, 'ERR_WORKER_OUT_OF_MEMORY');
  isOnOneCore(await all(pool.explainRows(numbers.slice(4), quick)), numbers.slice(4));
});

test('a row that ends its worker once is tried again, and no error is seen', LIMIT, async (t) => {
  for (const [code] of Object.values(ENDS)) {
    const counts = resetSeen();
    const pool = await openForTest(t, faulty(`if (x === 14 && seen(x) === 0) { ${code} }`));
    for (const concurrency of [1, 3])
      isOnOneCore(await all(pool.explainRows(numbers, { ...quick, concurrency })), numbers);
    assert.equal(counts[14], 3);
    await pool.close();
  }
});

test('a model that ends its worker at the first try of every row still explains all rows', LIMIT, async (t) => {
  const counts = resetSeen();
  const pool = await openForTest(t, faulty('if (seen(x) === 0) process.exit(1)'));
  const rows = numbers.slice(0, 12);
  isOnOneCore(await all(pool.explainRows(rows, quick)), rows);
  assert.ok(rows.every(([x]) => counts[x] >= 2));
});

test('rows of another call in the same worker are not blamed', LIMIT, async (t) => {
  resetSeen();
  const slow = 'await new Promise((resolve) => setTimeout(resolve, 5))';
  const pool = await openForTest(t, faulty(`if (x === 30) process.exit(9); ${slow}`));
  const good = numbers.slice(0, 30);
  const bad = numbers.slice(30);
  const [first, second, third] = await Promise.all([
    untilError(pool.explainRows(bad, { ...quick, concurrency: 2 })),
    all(pool.explainRows(good, { ...quick, concurrency: 2 })),
    all(pool.explainRows(good.toReversed(), quick)),
  ]);
  assert.match(first.error.message, /^row 0: its worker was lost twice/);
  isOnOneCore(second, good);
  isOnOneCore(third, good.toReversed());
});

test('a slow row is explained although other calls end its workers again and again', LIMIT, async (t) => {
  const counts = resetSeen();
  const slow = 'if (x < 3) { seen(x); await new Promise((resolve) => setTimeout(resolve, 200 * x)); }';
  const pool = await openForTest(t, faulty(`if (x === 30) process.exit(9); ${slow}`), { workers: 1 });
  const exits = numbers.slice(30, 31);
  // Row 30 ends the worker after row 1, when row 2 has begun.
  const first = untilError(pool.explainRows([...numbers.slice(1, 2), ...exits], quick));
  while (counts[1] === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  let done = false;
  const slowly = untilError(pool.explainRows(numbers.slice(2, 3), quick)).finally(() => (done = true));
  assert.match((await first).error.message, /^row 1: its worker was lost twice/);
  while (!done) {
    const { error } = await untilError(pool.explainRows(exits, quick));
    assert.match(error.message, /^row 0: its worker was lost twice/);
  }
  isOnOneCore((await slowly).found, numbers.slice(2, 3));
  assert.ok(counts[2] > 1);
});

test('the first of several bad rows is reported, whichever is found first', LIMIT, async (t) => {
  resetSeen();
  const late = 'await new Promise((resolve) => setTimeout(resolve, 100)); process.exit(9)';
  const pool = await openForTest(t, faulty(`if (x === 2) { ${late} } if (x === 3) throw new Error('three')`));
  const { found, error } = await untilError(pool.explainRows(numbers, quick));
  assert.deepEqual(predictionsOf(found), [0, 1]);
  assert.match(error.message, /^row 2: its worker was lost twice: it exited with code 9$/);
});

test('a worker that ends while it is idle is replaced by the next call', LIMIT, async (t) => {
  resetSeen();
  const pool = await openForTest(t, faulty('if (x === 5) setTimeout(() => process.exit(9), 20)'), { workers: 1 });
  for (let times = 0; times < 3; times++) {
    isOnOneCore(await all(pool.explainRows(numbers.slice(5, 6), quick)), numbers.slice(5, 6));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  isOnOneCore(await all(pool.explainRows(numbers.slice(6), quick)), numbers.slice(6));
});

test('the number of rows read ahead stays bounded while workers are lost', LIMIT, async (t) => {
  resetSeen();
  const pool = await openForTest(t, faulty('if (x % 10 === 9 && seen(x) === 0) process.exit(1)'));
  let [read, taken, farthest] = [0, 0, 0];
  function* source() {
    for (const row of numbers) {
      farthest = Math.max(farthest, ++read - taken);
      yield row;
    }
  }
  for await (const { prediction } of pool.explainRows(source(), quick)) assert.equal(prediction, values[taken++]);
  assert.equal(taken, 40);
  assert.ok(farthest <= 2 * 66 + 1);
});
