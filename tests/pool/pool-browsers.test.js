// Compares the explanations of a pool in three browsers with those of `explainRows` in Node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainRows } from 'linex';
import { applicants, predict } from '../../examples/dashboard/loans.js';
import { ENGINE_NAMES, openIn } from '../support/pages/browsers.js';
import { all, CALLS, loanTable, root, withoutTimes } from '../support/workers/pool-models.js';

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>linex</title>
<script type="module" src="/main.js"></script>`;
const PAGE = `
  import { describeTable, LinexError } from '/js/index.js';
  import { openPool } from '/js/pool.js';
  import { applicants, categorical, columns } from '/examples/dashboard/loans.js';
  const table = await describeTable(applicants, { columns, categorical });
  const errors = [];
  for (const url of ['/js/core/errors.js', '/no-such-model.js'])
    await openPool(url, { workers: 2 }).catch((error) => errors.push([error.name, error.code, error.message]));
  const found = [];
  const pool = await openPool('/examples/dashboard/loans.js', { workers: 2 });
  for (const more of ${JSON.stringify([CALLS['the defaults'], CALLS['several targets, several rows at once'], CALLS['Shapley values']])})
    for await (const one of pool.explainRows(applicants.slice(0, 8), { table, samples: 200, ...more })) found.push(one);
  await pool.explainRows([[1]], { table }).next().catch((error) => errors.push([error.name, error.code, error.message]));
  const cores = await openPool(new URL('/examples/dashboard/loans.js', location.href));
  errors.push(cores.workers === navigator.hardwareConcurrency);
  await cores.close();
  await pool.close();
  await pool.explainRows([], { table }).next().catch((error) => errors.push([error instanceof LinexError, error.message]));
  globalThis.result = { errors, found };`;

for (const engine of ENGINE_NAMES)
  test(
    `${engine} gives the same explanations in web workers, under a strict content security policy`,
    { timeout: 90000 },
    async (t) => {
      const page = await openIn(t, engine, root, { 'index.html': INDEX, 'main.js': PAGE });
      if (!page) return;
      await page.waitFor('globalThis.result || problems.length > 1', 60000);
      const { errors, found } = await page.evaluate('result');
      const [none, missing, ...others] = errors;
      assert.deepEqual(none.slice(0, 1), ['TypeError']);
      assert.match(none[2], /must export a function predict, not undefined/);
      assert.deepEqual(missing.slice(0, 2), ['LinexError', 'load']);
      assert.match(missing[2], /^could not import .*no-such-model\.js: /);
      assert.deepEqual(others, [
        ['RangeError', null, 'row 0: the row must have 7 columns, not 1'],
        true,
        [true, 'the pool is closed'],
      ]);
      const calls = [CALLS['the defaults'], CALLS['several targets, several rows at once'], CALLS['Shapley values']];
      const here = [];
      for (const more of calls)
        here.push(
          ...(await all(explainRows(applicants.slice(0, 8), predict, { table: loanTable, samples: 200, ...more }))),
        );
      assert.equal(JSON.stringify(found.map(withoutTimes)), JSON.stringify(here.map(withoutTimes)));
      // Some engines report the missing module on the console.
      assert.deepEqual(
        (await page.problems()).filter((problem) => !/no-such-model|404/.test(problem)),
        [],
      );
    },
  );
