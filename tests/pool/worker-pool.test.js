// Tests the worker pool against `explainRows` on one core, in Node and in browsers.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describeTable, explainRows, LinexError, renderTerminal, trainForest } from 'linex';
import { openPool } from 'linex/pool';
import { applicants, categorical, classes, columns, predict } from '../../examples/dashboard/loans.js';
import { ENGINE_NAMES, openIn } from '../support/browsers.js';
import { neighborhood as forest, table as forestTable } from '../support/pool-loans.js';

const root = new URL('../..', import.meta.url);
const LOANS = new URL('../../examples/dashboard/loans.js', import.meta.url);
const table = await describeTable(applicants, { columns, categorical });
const LIMIT = { timeout: 60000 };
/** How many rows a pool may read ahead, as its documentation says. */
const maxAhead = (workers, concurrency = 1) => workers * (65 + concurrency);

/** A module as a data URL; its rows have one column. */
const moduleOf = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
const numbers = Array.from({ length: 40 }, (_, i) => [i]);
const numberTable = await describeTable(numbers);
const SUM = moduleOf('export const predict = (batch) => [...batch].map(([x]) => x)');
const quick = { table: numberTable, samples: 20, draws: 0 };

async function openForTest(t, model, options = { workers: 2 }) {
  const pool = await openPool(model, options);
  t.after(() => pool.close());
  return pool;
}

const withoutTimes = (explanation) =>
  Array.isArray(explanation) ? explanation.map(withoutTimes) : { ...explanation, milliseconds: undefined };
async function all(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}
const isFrozen = (value) =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

const CALLS = {
  'the defaults': {},
  'quartiles with silenced signs': {
    discretize: 'quartile',
    environments: 'halves',
    games: 5,
    agreement: 0.9,
    draws: 50,
  },
  'several targets, several rows at once': {
    target: [0, 'approved'],
    classes,
    concurrency: 3,
    seed: 9,
    keepGame: true,
  },
  'an adaptive number of samples': { samples: 'auto', maxSamples: 600, batchSize: 50 },
  'Shapley values': { method: 'shap', background: applicants.slice(0, 20), samples: 60 },
};

for (const workers of [1, 2, 3])
  test(`${workers} workers give exactly the explanations that one core gives`, LIMIT, async (t) => {
    const pool = await openForTest(t, LOANS, { workers });
    assert.equal(pool.workers, workers);
    for (const [name, more] of Object.entries(CALLS)) {
      const options = { table, samples: 200, ...more };
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
  const pool = await openForTest(t, new URL('../support/pool-loans.js', import.meta.url));
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
    moduleOf(`export { neighborhood } from ${JSON.stringify(new URL('../support/pool-loans.js', import.meta.url).href)};
    export const predict = () => [0.5]`),
  );
  assert.deepEqual(withoutTimes((await all(simple.explainRows(rows.slice(0, 1), maple)))[0]), withoutTimes(here));
  // An error that only the workers can find names no row, because the call itself is wrong.
  await assert.rejects(
    all(pool.explainRows(rows, { ...base, center: 'mean' })),
    /^RangeError: center is for neighborhood 'random'/,
  );
});

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
      found.map(({ prediction }) => prediction),
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
      seen.map(({ prediction }) => prediction),
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

test('a model that blocks its worker delays neither an abort nor closing', LIMIT, async () => {
  const pool = await openPool(moduleOf('export const predict = () => { for (;;); }'), { workers: 2 });
  const signal = AbortSignal.timeout(100);
  await assert.rejects(all(pool.explainRows(numbers, { ...quick, signal })), { name: 'TimeoutError' });
  await pool.close();
});

test('progress names the row, and an error thrown in onProgress ends the call', LIMIT, async (t) => {
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
  assert.equal((await all(pool.explainRows(numbers, quick))).length, 40);
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

test('a worker that stops by itself closes the pool, and the error names its row', LIMIT, async () => {
  const exits = moduleOf(`export const predict = (batch) => {
    const rows = [...batch].map(([x]) => x);
    if (rows[0] === 4) process.exit(9);
    return rows;
  }`);
  const pool = await openPool(exits, { workers: 2 });
  await assert.rejects(all(pool.explainRows(numbers, { ...quick, samples: 5 })), (error) => {
    assert.equal(error.code, 'worker');
    assert.match(
      error.message,
      /^a worker of the pool stopped unexpectedly at or after row [0-4]: it exited with code 9$/,
    );
    return true;
  });
  await assert.rejects(pool.explainRows(numbers, quick).next(), /stopped unexpectedly/);
  await pool.close();
});

test('your own worker script can join a pool, and does not compile WebAssembly again', LIMIT, async (t) => {
  const start = () => new Worker(new URL('../support/pool-own-worker.js', import.meta.url));
  const pool = await openForTest(t, start);
  for (const more of [{}, { method: 'shap', background: applicants.slice(0, 9) }]) {
    const options = { table, samples: 100, ...more };
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
  const start = () => new Worker(new URL('../support/pool-forest-worker.js', import.meta.url));
  const pool = await openForTest(t, start, { workers: 1 });
  const options = { table, samples: 60, method: 'shap', background: applicants.slice(0, 9) };
  const found = await all(pool.explainRows(applicants.slice(0, 2), options));
  assert.deepEqual(
    found.map(withoutTimes),
    (await all(explainRows(applicants.slice(0, 2), predict, options))).map(withoutTimes),
  );
});

const folder = mkdtempSync(join(tmpdir(), 'linex-pool-'));
after(() => rmSync(folder, { recursive: true }));

test(
  'Node exits after the work, whether the pool was closed, left open, or left in the middle of a call',
  LIMIT,
  async () => {
    const from = (path) => JSON.stringify(new URL(path, root).href);
    const begin = `import { openPool } from ${from('js/pool.js')};
    import { describeTable } from ${from('js/index.js')};
    const rows = Array.from({ length: 30 }, (_, i) => [i]);
    const options = { table: await describeTable(rows), samples: 20, draws: 0 };
    const pool = await openPool(${JSON.stringify(SUM)}, { workers: 2 });
    let sum = 0;`;
    const ends = {
      closed:
        'for await (const { prediction } of pool.explainRows(rows, options)) sum += prediction; await pool.close();',
      open: 'for await (const { prediction } of pool.explainRows(rows, options)) sum += prediction;',
      left: 'const some = pool.explainRows(rows, options); for (let i = 0; i < 3; i++) sum += (await some.next()).value.prediction;',
    };
    for (const [name, end] of Object.entries(ends)) {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, `${begin}\n${end}\nconsole.log(sum);`);
      const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 20000 });
      assert.equal(stdout, name === 'left' ? '3\n' : '435\n', name);
    }
    const code = `${begin}\n${ends.closed}\nconsole.log(sum);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 20000,
    });
    assert.equal(stdout, '435\n', 'a script without a file');
  },
);

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
        here.push(...(await all(explainRows(applicants.slice(0, 8), predict, { table, samples: 200, ...more }))));
      assert.equal(JSON.stringify(found.map(withoutTimes)), JSON.stringify(here.map(withoutTimes)));
      // Some engines report the missing module on the console.
      assert.deepEqual(
        (await page.problems()).filter((problem) => !/no-such-model|404/.test(problem)),
        [],
      );
    },
  );
