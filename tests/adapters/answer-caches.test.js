// Tests caches of answers: files that survive a kill, processes that share a file, and keys.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describeTable, explainRow } from 'linex';
import { fileCache, indexedDBCache, memoryCache, polite } from 'linex/adapters';
import { startFaultServer } from '../support/workers/fault-server.js';

/** A path in a folder that is removed after the test. */
function placeFor(t) {
  const folder = mkdtempSync(join(tmpdir(), 'linex-answers-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'answers.jsonl');
}

const WORKER = fileURLToPath(new URL('../support/workers/resume-worker.js', import.meta.url));
/** So many different words that there are over 1,000 queries. */
const TEXT = `a wonderful and moving film about two sisters who meet again after the long war but it never bores anyone
  because each scene has something new to say on love, loss, memory or plain luck`;

/** Runs the worker to its end, unless it is killed. @returns {Promise<string>}  what it printed */
async function runWorker(url, path, onStart = () => {}) {
  const child = spawn(process.execPath, [WORKER, url, path, TEXT], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (piece) => (output += piece));
  onStart(child);
  await once(child, 'close');
  return output;
}

for (const moment of [7, 23])
  test(`a process killed in request ${moment} of a 1,000-query explanation resumes, and asks one request twice at most`, async (t) => {
    const calm = await startFaultServer(t);
    const undisturbed = await runWorker(calm.url, placeFor(t));
    assert.ok(calm.answered.size >= 1000, `${calm.answered.size} queries`);

    let child;
    const killing = await startFaultServer(t, ({ index }) => {
      if (index === moment) child.kill('SIGKILL');
      return undefined;
    });
    const path = placeFor(t);
    assert.equal(await runWorker(killing.url, path, (started) => (child = started)), '');
    const before = killing.requests.length;
    assert.equal(before, moment + 1);
    assert.equal(await runWorker(killing.url, path), undisturbed);
    const twice = [...killing.answered.values()].filter((count) => count > 1);
    assert.ok(twice.length <= 20 && Math.max(...twice, 1) <= 2, `${twice.length} texts asked twice`);
    assert.equal(killing.answered.size, calm.answered.size);
    const requests = killing.requests.length;
    assert.equal(await runWorker(killing.url, path), undisturbed);
    assert.equal(killing.requests.length, requests, 'a third run asks nothing');
  });

test('a file is read wherever a writer was killed: each prefix gives the answers of its whole lines', async (t) => {
  const path = placeFor(t);
  const entries = [
    ['aa', [0.1, 1e-300]],
    ['bb', [2, -3.5]],
    ['cc', [1 / 3, 4]],
  ];
  await fileCache(path).set(entries.slice(0, 2));
  await fileCache(path).set(entries.slice(2));
  const whole = readFileSync(path);
  assert.deepEqual(await fileCache(path).get(['aa', 'bb', 'cc', 'dd']), [
    ...entries.map(([, answer]) => answer),
    undefined,
  ]);
  for (let length = 0; length <= whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    const found = await fileCache(path).get(['aa', 'bb', 'cc']);
    const lines = whole.subarray(0, length).toString().split('\n').slice(0, -1);
    const expected = entries.map(([key, answer]) =>
      lines.some((line) => line.startsWith(`["${key}"`)) ? answer : undefined,
    );
    assert.deepEqual(found, expected, `after ${length} bytes`);
    // A new answer is kept too, whatever is before it. A line that lacks only its end is then whole.
    const last = whole.subarray(0, length).toString().split('\n').at(-1);
    entries.forEach((entry, i) => last === JSON.stringify(entry) && (expected[i] = entry[1]));
    await fileCache(path).set([['dd', [7]]]);
    assert.deepEqual(
      await fileCache(path).get(['aa', 'bb', 'cc', 'dd']),
      [...expected, [7]],
      `written after ${length} bytes`,
    );
  }
});

test('two caches of one file see what the other has written', async (t) => {
  const path = placeFor(t);
  const [one, two] = [fileCache(path), fileCache(pathToFileURL(path))];
  assert.deepEqual(await one.get(['a']), [undefined]);
  await two.set([['a', [1]]]);
  await one.set([['b', [2]]]);
  assert.deepEqual(
    [await one.get(['a', 'b']), await two.get(['a', 'b'])],
    [
      [[1], [2]],
      [[1], [2]],
    ],
  );
});

test('a file of someone else is not written to', async (t) => {
  const path = placeFor(t);
  for (const content of ['[\n  1\n]\n', 'name,age\n', '["linex answers",2]\n', '\n']) {
    writeFileSync(path, content);
    await assert.rejects(fileCache(path).set([['a', [1]]]), /is not a file of answers, so nothing is written/);
    assert.equal(readFileSync(path, 'utf8'), content);
  }
});

test('lines that are no answers are skipped', async (t) => {
  const path = placeFor(t);
  await fileCache(path).set([['a', [1]]]);
  appendFileSync(path, '["b",[nul\n["c",["x"]]\n["d"]\n7\n\u0000\u0000\n["e",[5]]\n');
  assert.deepEqual(await fileCache(path).get(['a', 'b', 'c', 'd', 'e']), [[1], undefined, undefined, undefined, [5]]);
});

test('levels with the same code in another table are another question', async () => {
  const cache = memoryCache();
  const asked = [];
  const predict = polite(
    ({ rows }) => {
      asked.push(...rows.map(([color]) => color));
      return rows.map(([color]) => (color === 'red' ? 1 : 0));
    },
    { cache, model: 'colors' },
  );
  for (const other of ['green', 'blue']) {
    const rows = [
      [other, 1],
      ['red', 2],
      [other, 3],
    ];
    const table = await describeTable(rows, { categorical: [0] });
    await explainRow([other, 1], predict, { table, samples: 20 });
  }
  assert.ok(asked.includes('green') && asked.includes('blue'));
});

test('a model that gives another number of scores than the cache has is told', async () => {
  const cache = memoryCache();
  await polite((texts) => texts.map(() => [1, 2]), { cache, model: 'm' })(['a']);
  const changed = polite((texts) => texts.map(() => [1, 2, 3]), { cache, model: 'm' });
  await assert.rejects(changed(['a', 'b']), /has 2 numbers per sample, but the model gives 3; change the model's name/);
});

test('an answer from the cache has the bits of the model', async (t) => {
  const path = placeFor(t);
  const scores = [0.1 + 0.2, 5e-324, -1.7976931348623157e308, -0];
  const predict = polite((texts) => texts.map(() => scores), { cache: fileCache(path), model: 'm' });
  const fresh = await predict(['a']);
  const again = polite(() => assert.fail('asked'), { cache: fileCache(path), model: 'm' });
  assert.deepEqual(Buffer.from((await again(['a'])).data.buffer), Buffer.from(fresh.data.buffer));
});

test('caches refuse what they cannot use, and IndexedDB says that it is missing', async () => {
  assert.throws(() => fileCache(''), /fileCache takes the path of a file, not ""/);
  assert.throws(() => indexedDBCache(7), /indexedDBCache takes the name of a database, not 7/);
  await assert.rejects(indexedDBCache('answers').get(['a']), /there is no IndexedDB here/);
});
