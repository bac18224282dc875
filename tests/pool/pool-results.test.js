// Compares the explanations of a pool with those of `explainRows` on one core, bit by bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { explainRows, renderTerminal, trainForest } from 'linex';
import { applicants, predict } from '../../examples/dashboard/loans.js';
import { neighborhood as forest, table as forestTable } from '../support/workers/pool-loans.js';
import {
  all,
  CALLS,
  LIMIT,
  loans,
  loanTable,
  moduleOf,
  openForTest,
  withoutTimes,
} from '../support/workers/pool-models.js';

const isFrozen = (value) =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

for (const workers of [1, 2, 3])
  test(`${workers} workers give exactly the explanations that one core gives`, LIMIT, async (t) => {
    const pool = await openForTest(t, loans.model, { workers });
    assert.equal(pool.workers, workers);
    for (const [name, more] of Object.entries(CALLS)) {
      const options = { table: loanTable, samples: 200, ...more };
      const rows = applicants.slice(0, 12);
      const here = await all(explainRows(rows, predict, options));
      const started = performance.now();
      const there = await all(pool.explainRows(rows, options));
      const elapsed = performance.now() - started;
      // Strict: it tells 0 from -0, and one class from another.
      assert.deepEqual(there.map(withoutTimes), here.map(withoutTimes), name);
      assert.deepEqual(there.flat().map(Object.keys), here.flat().map(Object.keys), name);
      assert.ok(there.flat().every(isFrozen), name);
      assert.deepEqual(there.map(Object.isFrozen), here.map(Object.isFrozen), name);
      // A row takes some time, but not longer than its call.
      for (const { milliseconds } of there.flat()) {
        const { model, own } = milliseconds;
        assert.ok(model > 0 && own > 0 && model + own <= elapsed, `${name}: ${model} + ${own} of ${elapsed} ms`);
      }
      assert.equal(renderTerminal(there.flat()[0]), renderTerminal(here.flat()[0]));
    }
  });

test("a neighborhood that the module exports is used, unless the call asks for 'random'", LIMIT, async (t) => {
  const pool = await openForTest(t, new URL('../support/workers/pool-loans.js', import.meta.url));
  const rows = applicants.slice(20, 25);
  const base = { table: forestTable, samples: 150, draws: 20, target: 1 };
  const same = async (options, neighborhood) => {
    const there = await all(pool.explainRows(rows, options));
    assert.deepEqual(
      there.map(withoutTimes),
      (await all(explainRows(rows, predict, { ...options, neighborhood }))).map(withoutTimes),
    );
  };
  await same(base, forest);
  await same({ ...base, neighborhood: 'random' }, 'random');
  await same({ table: forestTable, method: 'shap', background: rows });
  const maple = { table: forestTable, method: 'maple', target: 0 };
  const [here] = await all(explainRows(rows.slice(0, 1), () => [0.5], { ...maple, neighborhood: forest }));
  const simple = await openForTest(
    t,
    moduleOf(`export { neighborhood } from ${JSON.stringify(new URL('../support/workers/pool-loans.js', import.meta.url).href)};
    export const predict = () => [0.5]`),
  );
  assert.deepEqual(withoutTimes((await all(simple.explainRows(rows.slice(0, 1), maple)))[0]), withoutTimes(here));
  // An error that only the workers can find names no row, because the call itself is wrong.
  await assert.rejects(
    all(pool.explainRows(rows, { ...base, center: 'mean' })),
    /^RangeError: center is for neighborhood 'random'/,
  );
});

test('your own worker script can join a pool, and does not compile WebAssembly again', LIMIT, async (t) => {
  const start = () => new Worker(new URL('../support/workers/pool-own-worker.js', import.meta.url));
  const pool = await openForTest(t, start);
  for (const more of [{}, { method: 'shap', background: applicants.slice(0, 9) }]) {
    const options = { table: loanTable, samples: 100, ...more };
    const rows = applicants.slice(0, 4);
    assert.deepEqual(
      (await all(pool.explainRows(rows, options))).map(withoutTimes),
      (await all(explainRows(rows, predict, options))).map(withoutTimes),
    );
  }
  const { joinPool } = await import('linex/pool-worker');
  await assert.rejects(joinPool({ predict }), /^TypeError: joinPool must be called in a worker$/);
});

test('a worker whose model has loaded one file still takes the others from the pool', LIMIT, async (t) => {
  // Compiles linex-data.wasm here too, so that the pool sends it.
  await trainForest([[1], [2]], [1, 2], { trees: 1 });
  const start = () => new Worker(new URL('../support/workers/pool-forest-worker.js', import.meta.url));
  const pool = await openForTest(t, start, { workers: 1 });
  const options = { table: loanTable, samples: 60, method: 'shap', background: applicants.slice(0, 9) };
  const found = await all(pool.explainRows(applicants.slice(0, 2), options));
  assert.deepEqual(
    found.map(withoutTimes),
    (await all(explainRows(applicants.slice(0, 2), predict, options))).map(withoutTimes),
  );
});
