// Starts `linex worker` on a real Redis, and sends it rows.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describeTable, explainRow } from 'linex';
import { openFleet } from 'linex/fleet';
import { folderFor, runCommand, startCommand } from '../support/workers/command-runs.js';
import { NEEDS_REDIS, RedisServer } from '../support/workers/redis-server.js';

const MODEL = 'export const predict = (batch) => [...batch].map(([a, b]) => a - 2 * b);';

test('a worker explains the rows of a fleet, and Ctrl-C ends it with exit code 0', NEEDS_REDIS, async (t) => {
  const redis = new RedisServer();
  t.after(() => redis.stop());
  const { url } = await redis.start();
  const folder = folderFor(t, { 'model.mjs': MODEL });
  const words = ['worker', '--model', 'model.mjs', '--workers', '1'];
  const { child, ended } = startCommand(folder, words, { environment: { LINEX_REDIS: url } });
  let notes = '';
  child.stderr.on('data', (text) => (notes += text));
  while (!notes.includes('threads are ready') && child.exitCode === null) await wait(20);
  assert.match(notes, /model\.mjs: 1 threads are ready/);
  const rows = Array.from({ length: 20 }, (_, i) => [i % 5, (i * i) % 7]);
  const options = { table: await describeTable(rows), preset: 'paper', samples: 50 };
  const fleet = await openFleet({ connection: url, module: pathToFileURL(join(folder, 'model.mjs')) });
  const found = [];
  for await (const explanation of fleet.explainRows(rows, options)) found.push(explanation);
  await fleet.close();
  const { predict } = await import(`data:text/javascript,${encodeURIComponent(MODEL)}`);
  assert.equal(found.length, 20);
  assert.deepEqual(found[7].weights, (await explainRow(rows[7], predict, options)).weights);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /jobs done\n$/);
});

test('a worker without Redis or with a server as its model is refused in one line', async (t) => {
  const folder = folderFor(t, { 'model.mjs': MODEL });
  const environment = { LINEX_REDIS: undefined };
  const none = await runCommand(folder, ['worker', '--model', 'model.mjs'], { environment });
  assert.equal(none.code, 2);
  assert.match(none.stderr, /^linex: .*LINEX_REDIS.*\n$/);
  const server = await runCommand(folder, ['worker', '--model', 'http://127.0.0.1:1/x'], { environment });
  assert.deepEqual(
    [server.code, server.stderr],
    [2, 'linex: a worker needs a model of its own: --model model.js or model.onnx\n'],
  );
});
