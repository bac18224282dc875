// A short version of npm run fleet:chaos: a worker is killed, and nothing is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDS_REDIS } from '../support/workers/redis-server.js';
import { expectedLines, runFleet } from './chaos.js';

test('if a worker is killed, all rows come, in order, with the bytes of one core', NEEDS_REDIS, async () => {
  const rows = 600;
  const { text, told } = await runFleet({ kind: 'worker', rows, at: 0.3 });
  assert.equal(told.written, rows);
  assert.equal(text, await expectedLines(rows));
});

test('if Redis is killed and started again, too', NEEDS_REDIS, async () => {
  const rows = 600;
  const { text } = await runFleet({ kind: 'redis', rows, at: 0.5 });
  assert.equal(text, await expectedLines(rows));
});
