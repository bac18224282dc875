// Tests in three browsers that a pool replaces web workers that end or loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINE_NAMES, openIn } from '../support/pages/browsers.js';
import { root } from '../support/workers/pool-models.js';

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>linex</title>
<script type="module" src="/main.js"></script>`;

/** A model whose fault is in its address. It occurs at import, or in predict on the row with the value 4. */
const MODEL = `
  const { searchParams } = new URL(import.meta.url);
  const faults = {
    close: () => (close(), new Promise(() => {})),
    throw: () => (setTimeout(() => { throw new Error('outside'); }), new Promise(() => {})),
    loop: () => { for (;;); },
  };
  await faults[searchParams.get('import')]?.();
  export const predict = async (batch) => {
    const values = [...batch].map(([x]) => x);
    if (values[0] === 4) await faults[searchParams.get('row')]?.();
    return values;
  };`;

/** A worker of its own; only the first has the fault. */
const OWN = `
  import { joinPool } from '/js/pool-worker.js';
  const number = Number(new URL(location.href).searchParams.get('number'));
  joinPool(await import('/model.js' + (number === 0 ? '?row=close' : '')));`;

const PAGE = `
  import { describeTable } from '/js/index.js';
  import { openPool } from '/js/pool.js';
  const rows = Array.from({ length: 12 }, (_, i) => [i]);
  const quick = { table: await describeTable(rows), samples: 20, draws: 0 };
  const told = (error) => ({ name: error.name, code: error.code, message: error.message });
  async function read(pool, rows, options) {
    const found = [];
    try {
      for await (const { prediction } of pool.explainRows(rows, { ...quick, ...options })) found.push(prediction);
    } catch (error) {
      return { found, error: told(error) };
    }
    return { found };
  }
  const result = {};
  async function tryPool(name, model, options, workers = 2) {
    const pool = await openPool(model, { workers });
    result[name] = [await read(pool, rows, options?.()), await read(pool, rows.slice(5))];
    await pool.close();
  }
  await tryPool('close', '/model.js?row=close');
  await tryPool('throw', '/model.js?row=throw');
  await tryPool('loop', '/model.js?row=loop', () => ({ timeout: 100 }));
  await tryPool('abort', '/model.js?row=loop', () => ({ signal: AbortSignal.timeout(200) }));
  let number = 0;
  await tryPool('once', () => new Worker('/own.js?number=' + number++, { type: 'module' }), undefined, 1);
  for (const fault of ['loop', 'close', 'throw'])
    result['import ' + fault] = await openPool('/model.js?import=' + fault, { workers: 2, openTimeout: fault === 'loop' ? 500 : 20000 }).catch(told);
  result.syntax = await openPool('/broken.js', { workers: 2 }).catch(told);
  const pool = await openPool('/model.js?row=loop', { workers: 2 });
  const call = read(pool, rows);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await pool.close();
  result.closed = await call;
  globalThis.result = result;`;

for (const engine of ENGINE_NAMES)
  test(`${engine} replaces web workers that close themselves, throw or loop`, { timeout: 90000 }, async (t) => {
    const files = { 'index.html': INDEX, 'main.js': PAGE, 'model.js': MODEL, 'own.js': OWN };
    const page = await openIn(t, engine, root, { ...files, 'broken.js': 'export const predict = (' });
    if (!page) return;
    await page.waitFor('globalThis.result', 60000);
    const result = await page.evaluate('result');
    const later = { found: [5, 6, 7, 8, 9, 10, 11] };
    const before = [0, 1, 2, 3];
    const reported = (name, code, message) => {
      const [{ found, error }, next] = result[name];
      assert.deepEqual(next, later, name);
      assert.deepEqual(found, before, name);
      assert.deepEqual([error.name, error.code], ['LinexError', code], name);
      assert.match(error.message, message);
    };
    reported('close', 'worker', /^row 4: its worker was lost twice: it closed itself$/);
    reported('throw', 'worker', /^row 4: its worker was lost twice: .*outside/);
    reported('loop', 'model-timeout', /^row 4: .* did not answer a batch within 100 ms/);
    const [aborted, next] = result.abort;
    assert.equal(aborted.error.name, 'TimeoutError');
    assert.deepEqual(next, later);
    assert.deepEqual(result.once, [{ found: [...before, 4, ...later.found] }, later]);
    const late = 'could not start a worker: it was not ready within 500 ms';
    assert.deepEqual(result['import loop'], { name: 'LinexError', code: 'worker', message: late });
    assert.equal(result['import close'].message, 'could not start a worker: it closed itself');
    assert.match(result['import throw'].message, /^could not start a worker: .*outside/);
    assert.deepEqual([result.syntax.name, result.syntax.code], ['LinexError', 'load']);
    assert.equal(result.closed.error.message, 'the pool is closed');
    // The model's own errors are on the console, as without a pool.
    assert.deepEqual(
      (await page.problems()).filter((problem) => !/outside/.test(problem)),
      [],
    );
  });
