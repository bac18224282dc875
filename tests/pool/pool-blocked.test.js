// Tests models that never give way: the pool keeps the clock, ends their worker and starts another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinexError } from 'linex';
import { openPool } from 'linex/pool';
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
} from '../support/workers/pool-models.js';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Counts as long as it runs, in a place of `seen`. */
const LOOP = 'for (;;) seen(90);';
/** Counts the workers that were opened. */
const ON_IMPORT = 'seen(91);';
const valuesOf = (rows) => rows.map(([x]) => x);

/** Waits until no worker loops; fails after ten times the time in which a blocked worker is ended. */
async function untilNoLoop(counts) {
  const end = performance.now() + 10000;
  for (let before = -1; before !== counts[90]; await pause(50)) {
    assert.ok(performance.now() < end, 'a worker still loops');
    before = counts[90];
  }
}

for (const workers of [1, 2])
  test(`a timeout ends ${workers} workers that loop, and the error names the row`, LIMIT, async (t) => {
    const counts = resetSeen();
    const pool = await openForTest(t, faulty(`if (x === 6) { seen(x); ${LOOP} }`), { workers });
    const { found, error } = await untilError(pool.explainRows(numbers, { ...quick, timeout: 100 }));
    assert.deepEqual(predictionsOf(found), [0, 1, 2, 3, 4, 5]);
    assert.ok(error instanceof LinexError, error);
    assert.equal(error.code, 'model-timeout');
    assert.match(error.message, /^row 6: .* the model did not answer a batch within 100 ms/);
    assert.equal(counts[6], 2, 'the row is tried twice');
    await untilNoLoop(counts);
    const others = numbers.slice(7);
    assert.deepEqual(predictionsOf(await all(pool.explainRows(others, { ...quick, timeout: 5000 }))), valuesOf(others));
  });

test('a row that blocks its worker once is tried again, and no error is seen', LIMIT, async (t) => {
  const counts = resetSeen();
  const pool = await openForTest(t, faulty(`if (x % 15 === 6 && seen(x) === 0) { ${LOOP} }`));
  const found = await all(pool.explainRows(numbers, { ...quick, timeout: 100, concurrency: 2 }));
  assert.deepEqual(predictionsOf(found), valuesOf(numbers));
  await untilNoLoop(counts);
});

test('an abort takes effect while all workers loop, and the pool can be used again', LIMIT, async (t) => {
  for (const timeout of [undefined, 1e6]) {
    const counts = resetSeen();
    const pool = await openForTest(t, faulty(`if (x < 4) { ${LOOP} }`));
    const signal = AbortSignal.timeout(100);
    const { error } = await untilError(pool.explainRows(numbers, { ...quick, timeout, signal }));
    assert.equal(error.name, 'TimeoutError');
    assert.ok(counts[90] > 0);
    // The rows wait for other workers, so a worker that still looped would be seen here.
    const others = numbers.slice(4);
    assert.deepEqual(predictionsOf(await all(pool.explainRows(others, quick))), valuesOf(others));
    await untilNoLoop(counts);
  }
});

test(
  'leaving the loop of a call ends a worker that is blocked, and rows of other calls are not lost',
  LIMIT,
  async (t) => {
    const counts = resetSeen();
    const pool = await openForTest(t, faulty(`if (x === 1) { ${LOOP} }`));
    const others = numbers.slice(2);
    // Begins beside the call that is left, so that some of its rows are with the blocked worker.
    const beside = all(pool.explainRows([...others, ...others], quick));
    for await (const { prediction } of pool.explainRows(numbers.slice(0, 2), quick)) {
      assert.equal(prediction, 0);
      break;
    }
    assert.deepEqual(predictionsOf(await beside), valuesOf([...others, ...others]));
    await untilNoLoop(counts);
  },
);

test('closing ends workers that loop, at any moment', LIMIT, async () => {
  for (const delay of [0, 1, 20, 300, 1150]) {
    const counts = resetSeen();
    // Later workers loop while they import the model.
    const onImport = `if (seen(91) > 1) { ${LOOP} }`;
    const pool = await openPool(faulty(`if (x > 1) { ${LOOP} }`, onImport), { workers: 2 });
    const call = untilError(pool.explainRows(numbers, { ...quick, timeout: 50 }));
    await pause(delay);
    await pool.close();
    const before = counts[90];
    assert.equal((await call).error.message, 'the pool is closed');
    await pause(30);
    assert.equal(counts[90], before, 'a worker still loops');
  }
});

test('a model that does not answer but gives way is reported by its worker, which lives on', LIMIT, async (t) => {
  const counts = resetSeen();
  const pool = await openForTest(t, faulty('if (x === 2) { seen(x); await new Promise(() => {}); }', ON_IMPORT));
  const { found, error } = await untilError(pool.explainRows(numbers, { ...quick, timeout: 50 }));
  assert.deepEqual(predictionsOf(found), [0, 1]);
  assert.deepEqual([error.code, error.batch], ['model-timeout', 0]);
  assert.equal(error.message, 'row 2: the model did not answer batch 0 within 50 ms');
  assert.equal(counts[2], 1);
  assert.equal(counts[91], 2);
});

test('an answer that comes after the call has ended is ignored', LIMIT, async (t) => {
  const counts = resetSeen();
  const late = 'if (x === 2) { await new Promise((resolve) => setTimeout(resolve, 200)); seen(x); return [9]; }';
  const pool = await openForTest(t, faulty(late, ON_IMPORT));
  const others = numbers.slice(3);
  // A busy machine may end a call before row 2 is asked.
  while (counts[2] < 2) {
    const { error } = await untilError(pool.explainRows(numbers.slice(2), { ...quick, timeout: 20 }));
    assert.equal(error.code, 'model-timeout');
    const signal = AbortSignal.timeout(20);
    const aborted = await untilError(pool.explainRows(numbers.slice(2), { ...quick, signal }));
    assert.equal(aborted.error.name, 'TimeoutError');
    assert.deepEqual(predictionsOf(await all(pool.explainRows(others, { ...quick, timeout: 5000 }))), valuesOf(others));
    await pause(50);
  }
  assert.equal(counts[91], 2, 'no worker was replaced');
});

test('a worker that was ended for a row does not answer later', LIMIT, async (t) => {
  const counts = resetSeen();
  const busy = 'for (const end = Date.now() + 2000; Date.now() < end; ); seen(x);';
  const pool = await openForTest(t, faulty(`if (x === 2) { ${busy} }`));
  const { error } = await untilError(pool.explainRows(numbers, { ...quick, timeout: 20 }));
  assert.equal(error.code, 'model-timeout');
  assert.match(error.message, /^row 2: /);
  await pause(1000);
  assert.equal(counts[2], 0);
});

test(
  'a worker that reacts is not ended, although an earlier row delays the failure of a later one',
  LIMIT,
  async (t) => {
    const counts = resetSeen();
    // Row 0 takes 20 batches, row 1 never answers its first one.
    const slow = 'await new Promise((resolve) => x !== 1 && setTimeout(resolve, 100));';
    const pool = await openForTest(t, faulty(slow, ON_IMPORT), { workers: 1 });
    const options = { ...quick, batchSize: 1, timeout: 400, concurrency: 2 };
    const { found, error } = await untilError(pool.explainRows(numbers.slice(0, 2), options));
    assert.deepEqual(predictionsOf(found), [0]);
    assert.equal(error.message, 'row 1: the model did not answer batch 0 within 400 ms');
    assert.equal(counts[91], 1);
  },
);

test('a thread that was busy reads the answers that have arrived before it ends a worker', LIMIT, async (t) => {
  const counts = resetSeen();
  const pool = await openForTest(t, faulty('await new Promise((resolve) => setTimeout(resolve, 50))', ON_IMPORT));
  const rows = numbers.slice(0, 10);
  for await (const { prediction } of pool.explainRows(rows, { ...quick, timeout: 500 }))
    if (prediction === 3) for (const end = Date.now() + 1200; Date.now() < end;);
  assert.equal(counts[91], 2);
});

test('a row whose worker was ended for the abort of another call can still be tried twice', LIMIT, async (t) => {
  const counts = resetSeen();
  const tries =
    'const tries = seen(x); if (tries === 0) await new Promise(() => {}); if (tries === 1) process.exit(9);';
  const pool = await openForTest(t, faulty(`if (x === 1) { ${LOOP} } if (x === 2) { ${tries} }`), { workers: 1 });
  const other = all(pool.explainRows(numbers.slice(2, 3), quick));
  while (counts[2] === 0) await pause(5);
  const signal = AbortSignal.timeout(50);
  assert.equal(
    (await untilError(pool.explainRows(numbers.slice(1, 2), { ...quick, signal }))).error.name,
    'TimeoutError',
  );
  assert.deepEqual(predictionsOf(await other), [2]);
  assert.equal(counts[2], 3);
});
