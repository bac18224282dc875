// A fleet on a real Redis: its explanations have the bits of one core, in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRows, explainText, LinexError } from 'linex';
import { joinFleet, openFleet } from 'linex/fleet';
import { applicants, predict } from '../../examples/dashboard/loans.js';
import {
  all,
  faulty,
  loans,
  loanTable,
  moduleOf,
  numbers,
  quick,
  withoutTimes,
} from '../support/workers/pool-models.js';
import { NEEDS_REDIS, startRedis } from '../support/workers/redis-server.js';

/** Starts a worker in this process, which ends with the test. */
async function startWorker(server, options) {
  const worker = await joinFleet({ workers: 1, connection: server.url, ...options });
  server.beforeStop(() => worker.close({ now: true }));
  return worker;
}

/** Opens a fleet that is closed at the end of the test. */
async function open(server, options) {
  const fleet = await openFleet({ connection: server.url, ...options });
  server.beforeStop(() => fleet.close());
  return fleet;
}

test('a fleet gives exactly the explanations that one core gives', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const common = { module: loans.model };
  const workers = [await startWorker(server, common), await startWorker(server, common)];
  const fleet = await open(server, common);
  assert.equal(fleet.workers, 2);
  const rows = applicants.slice(0, 120);
  for (const options of [{}, { target: [0, 1], samples: 60 }, { method: 'shap', background: applicants.slice(0, 5) }]) {
    const call = { table: loanTable, samples: 200, ...options };
    const here = await all(explainRows(rows, predict, call));
    const progress = [];
    const there = await all(fleet.explainRows(rows, { ...call, onProgress: (one) => progress.push(one) }));
    assert.deepEqual(there.map(withoutTimes), here.map(withoutTimes));
    assert.ok(there.flat().every(Object.isFrozen));
    assert.deepEqual(progress.at(-1), { done: 120, sent: 0, workers: 2 });
  }
  assert.ok(workers.every(({ jobs }) => jobs > 0));
});

test('a fleet explains texts, and numbers that JSON does not have', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const module = moduleOf('export const predict = (texts) => texts.map((text) => (text.includes("love") ? 0.9 : 0.1))');
  const common = { module };
  await startWorker(server, common);
  const fleet = await open(server, common);
  const texts = ['love is all', 'nothing', 'a tale of love'];
  const score = (all) => all.map((text) => (text.includes('love') ? 0.9 : 0.1));
  assert.deepEqual(
    (await all(fleet.explainTexts(texts))).map(withoutTimes),
    await Promise.all(texts.map(async (text) => withoutTimes(await explainText(text, score)))),
  );
  const missing = [
    [1, 2],
    [NaN, 3],
    [2, -0],
    [3, 5],
    [undefined, 1],
  ];
  const module2 = moduleOf('export const predict = (batch) => Array.from(batch, ([a, b]) => (a !== a ? -1 : a) + b)');
  const second = { module: module2, name: 'second' };
  await startWorker(server, second);
  const table = await describeTable(missing);
  const own = (batch) => Array.from(batch, ([a, b]) => (Number.isNaN(a) ? -1 : a) + b);
  assert.deepEqual(
    (await all((await open(server, second)).explainRows(missing, { table, samples: 50 }))).map(withoutTimes),
    (await all(explainRows(missing, own, { table, samples: 50 }))).map(withoutTimes),
  );
});

test('a failing row is reported as itself, and the rest is unharmed', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const common = { module: faulty('if (x === 17) throw new RangeError("no 17")') };
  await startWorker(server, common);
  const fleet = await open(server, common);
  const results = await all(fleet.explainRows(numbers, { ...quick, errors: 'yield' }));
  assert.equal(results.length, numbers.length);
  assert.ok(results[17] instanceof LinexError);
  assert.equal(results[17].code, 'model-threw');
  assert.match(results[17].message, /^row 17: the model failed on batch 0: no 17/);
  assert.ok(results.every((one, i) => i === 17 || one.prediction === i));
  const seen = [];
  await assert.rejects(async () => {
    for await (const { prediction } of fleet.explainRows(numbers, quick)) seen.push(prediction);
  }, /^LinexError: row 17: /);
  assert.deepEqual(
    seen,
    Array.from({ length: 17 }, (_, i) => i),
  );
  const unsendable = [[1], [() => 1], [2]];
  const sent = await all(fleet.explainRows(unsendable, { ...quick, errors: 'yield' }));
  assert.deepEqual([sent[0].prediction, sent[2].prediction], [1, 2]);
  assert.match(sent[1].message, /^row 1: could not send it to a worker: could not pack a function/);
});

test('another model or another version is refused by name', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const common = { module: loans.model };
  await startWorker(server, common);
  const connection = server.url;
  const other = { module: moduleOf('export const predict = () => []') };
  const refused =
    /the fleet "linex" has linex 0\.\d+\.\d+ with model [0-9a-f]{16} \(by .*\), but this is linex .* use the same/;
  await assert.rejects(joinFleet({ connection, ...other }), refused);
  await assert.rejects(openFleet({ connection, ...other }), refused);
  await assert.rejects(
    openFleet({ connection, ...common, fingerprint: 'weights of May' }),
    /but this is linex .* with model weights of May/,
  );
  await startWorker(server, { ...other, name: 'other' });
});

test('an abort, leaving the loop and closing end a call, and take waiting jobs back', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const common = { module: faulty('await new Promise((resolve) => setTimeout(resolve, 20))') };
  const worker = await startWorker(server, common);
  const fleet = await open(server, common);
  const endless = (function* () {
    for (;;) yield [1 + Math.random()];
  })();
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('enough')), 500);
  await assert.rejects(all(fleet.explainRows(endless, { ...quick, signal: stop.signal })), /enough/);
  for await (const one of fleet.explainRows(numbers, quick)) {
    assert.equal(one.prediction, 0);
    break;
  }
  const closing = all(fleet.explainRows(numbers, quick));
  setTimeout(() => fleet.close(), 200);
  await assert.rejects(closing, /^LinexError: the fleet is closed/);
  await assert.rejects(all(fleet.explainRows(numbers, quick)), /the fleet is closed/);
  assert.ok(worker.jobs < 30, `${worker.jobs} jobs`);
});

test('bad calls are refused before anything is sent', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const { model: module } = loans;
  const connection = server.url;
  await assert.rejects(
    openFleet({ connection: 'somewhere', module }),
    /^TypeError: connection must be a URL such as redis/,
  );
  await assert.rejects(openFleet({ connection: 'http://x', module }), /not "http:"/);
  await assert.rejects(
    openFleet({ connection: 'redis://user:secret@', module }),
    (error) => !/secret/.test(error.message),
  );
  await assert.rejects(openFleet({ module, connection: undefined }), /LINEX_REDIS/);
  await assert.rejects(openFleet({ connection }), /^TypeError: module must be the URL or the path/);
  await assert.rejects(openFleet({ connection, module, name: 'a:b' }), /^TypeError: name must be 1 to 60 letters/);
  await assert.rejects(openFleet({ connection, module, nam: 'x' }), /did you mean "name"/);
  await assert.rejects(
    joinFleet({ connection, module: 'missing.js' }),
    /^LinexError: could not read the model's module/,
  );
  await assert.rejects(joinFleet({ connection, module, lockDuration: 1 }), /^RangeError: lockDuration must be/);
  await assert.rejects(
    openFleet({ connection: 'redis://127.0.0.1:1', module, openTimeout: 300 }),
    /could not connect to Redis/,
  );
  const fleet = await open(server, { module, openTimeout: 3000 });
  await assert.rejects(all(fleet.explainRows(applicants, { table: loanTable, sample: 5 })), /did you mean "samples"/);
  await assert.rejects(
    all(fleet.explainRows(applicants, { table: loanTable })),
    /^LinexError: no worker of the fleet was there/,
  );
});
