// Jobs that an intruder puts into the queue: they are refused, and the worker goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { joinFleet, openFleet } from 'linex/fleet';
import { jobId, keysOf, memberOf } from '../../js/fleet/fleet-jobs.js';
import { hashOf, identify } from '../../js/fleet/fleet-identity.js';
import { inspectServer, isPrivate } from '../../js/fleet/fleet-connection.js';
import { pack, unpack } from '../../js/fleet/packed-values.js';
import { all, numbers, quick, SUM } from '../support/workers/pool-models.js';
import { NEEDS_REDIS, startRedis } from '../support/workers/redis-server.js';

test('hostile jobs are refused with a reason, and the worker goes on', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const { url, port } = server;
  const common = { connection: url, module: SUM };
  const worker = await joinFleet({ ...common, workers: 1, lockDuration: 10000 });
  server.beforeStop(() => worker.close({ now: true }));
  const redis = new Redis(url);
  server.beforeStop(() => redis.disconnect());
  const queue = new Queue('linex-linex', { connection: { port }, prefix: 'linex-queue' });
  server.beforeStop(() => queue.close());
  const member = memberOf(await identify(new URL(SUM)));
  /** A setup that is in Redis. */
  const offer = async (text) => {
    await redis.set(keysOf('linex').setup(hashOf(text)), text);
    return hashOf(text);
  };
  const good = await offer(pack({ kind: 'rows', options: quick }));
  const named = (data) => ({ id: jobId(data), data });
  const jobs = [
    { id: 'a', data: {} },
    { id: 'b', data: null },
    { id: 'c', data: { member, setup: good, items: 7 } },
    { id: 'd', data: { member, setup: good, items: '[[1]]' } },
    { id: 'e', data: { module: 'data:text/javascript,process.exit(9)', member, setup: good, items: '[[1]]' } },
    named({ member: 'x', setup: good, items: '[[1]]' }),
    named({ member, setup: '../../etc/passwd', items: '[[1]]' }),
    named({ member, setup: good, items: '{' }),
    named({ member, setup: good, items: '{"length":9}' }),
    named({ member, setup: good, items: JSON.stringify([[{ $linex: ['Function', 'process.exit(9)'] }]]) }),
    named({ member, setup: good, items: '['.repeat(5000) + ']'.repeat(5000) }),
    named({ member, setup: good, items: `["${'x'.repeat(100 * 2 ** 20)}"]` }),
    named({ member, setup: await offer('{"kind":"__proto__","options":{}}'), items: '[[1]]' }),
    named({ member, setup: await offer(pack({ kind: 'rows', options: { table: 5 } })), items: '[[1]]' }),
    named({
      member,
      setup: await offer('{"kind":"rows","options":{"__proto__":{"table":1},"module":"fs"}}'),
      items: '[[1]]',
    }),
    named({ member, setup: await offer('nothing'), items: '[[1]]' }),
  ];
  for (const { id, data } of jobs) await queue.add('explain', data, { jobId: id });
  // BullMQ cannot read this one itself.
  await queue.add('explain', { member, setup: good, items: '[[1]]' }, { jobId: 'torn', delay: 100 });
  await redis.hset('linex-queue:linex-linex:torn', 'data', '{"torn');
  const deadline = Date.now() + 60000;
  let reasons = new Map();
  while (jobs.some(({ id }) => !reasons.has(id)) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Not by BullMQ, which would also read the hundred megabytes.
    const ids = await redis.zrange('linex-queue:linex-linex:failed', 0, -1);
    const reason = (id) => redis.hget(`linex-queue:linex-linex:${id}`, 'failedReason');
    reasons = new Map(await Promise.all(ids.map(async (id) => [id, await reason(id)])));
  }
  jobs.forEach(({ id }, i) => assert.ok(reasons.get(id), `job ${i} was not refused`));
  assert.match(reasons.get('a'), /^refused: the job's member must be a text, not undefined/);
  assert.match(reasons.get('e'), /^refused: the name of the job does not fit its content/);
  // The worker still does what the fleet asks it to.
  const fleet = await openFleet(common);
  server.beforeStop(() => fleet.close());
  const results = await all(fleet.explainRows(numbers, quick));
  assert.deepEqual(
    results.map(({ prediction }) => prediction),
    numbers.flat(),
  );
});

test('packed values survive, and texts that were not packed by us give plain data or an error', () => {
  const values = [
    NaN,
    -0,
    Infinity,
    -Infinity,
    undefined,
    null,
    'x',
    true,
    [1, [2]],
    { a: { $linex: 1 } },
    new Date(5),
  ];
  values.push(new Float32Array([1, NaN, -0]), new Uint8ClampedArray([1, 255]), { __proto__: null, ['__proto__']: 7 });
  for (const value of values) assert.deepEqual(unpack(pack(value)), structuredClone(value));
  assert.ok(Object.is(unpack(pack(-0)), -0));
  const polluted = unpack('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.keys(polluted), ['__proto__', 'constructor']);
  for (const bad of [
    '{"$linex":["Function","1"]}',
    '{"$linex":7}',
    '{"$linex":["toString"]}',
    '{"$linex":["Uint8Array",5]}',
  ])
    assert.throws(() => unpack(bad), /^TypeError: could not unpack a value that was not packed by linex/);
  // JSON would call the methods, unwrap the number, and keep the hole as null.
  class Money {
    amount = NaN;
    toJSON() {
      return 'money';
    }
  }
  const odd = { money: new Money(), list: Object.assign([1], { extra: 2 }), number: new Number(3), hole: new Array(1) };
  assert.deepEqual(unpack(pack(odd)), { money: { amount: NaN }, list: [1], number: {}, hole: [undefined] });
  assert.throws(() => pack({ toJSON: () => 1 }), /could not pack a function/);
  const whole = Object.freeze({ list: Object.freeze([1, -0, 'a']), deep: Object.freeze({ none: undefined, some: 1 }) });
  assert.deepEqual(unpack(pack(whole)), { list: [1, -0, 'a'], deep: { none: undefined, some: 1 } });
  assert.throws(() => pack(() => 1), /could not pack a function/);
  assert.throws(() => pack(new Map()) && pack(10n), /could not pack a bigint/);
});

test('a server that is open, forgetful or that drops jobs is warned about', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t, { appendonly: 'no', maxmemory: '50mb', 'maxmemory-policy': 'allkeys-lru' });
  const redis = new Redis(server.url);
  server.beforeStop(() => redis.disconnect());
  const codes = async (url) => (await inspectServer(redis, new URL(url))).map(({ code }) => code);
  assert.deepEqual(await codes(server.url), ['eviction', 'persistence']);
  assert.deepEqual(await codes('redis://203.0.113.9:6379'), ['no-password', 'eviction', 'persistence']);
  assert.deepEqual(await codes('redis://:secret@203.0.113.9:6379'), ['eviction', 'persistence']);
  const warnings = [];
  const fleet = await openFleet({ connection: server.url, module: SUM, onWarning: ({ code }) => warnings.push(code) });
  await fleet.close();
  assert.deepEqual(warnings, ['eviction', 'persistence']);
  for (const host of [
    'localhost',
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.7.7',
    '[::1]',
    '[fd00::1]',
    'redis',
    'redis.default.svc',
  ])
    assert.ok(isPrivate(host), host);
  const open = ['8.8.8.8', 'redis.example.com', '172.32.0.1', '[2001:db8::1]'];
  // Names that begin like private addresses.
  for (const host of [...open, 'fcredis.example.com', 'fda.example.com', 'feb.example.com', '10.example.com'])
    assert.ok(!isPrivate(host), host);
});

test('a password in the URL is used, and a wrong one is refused', NEEDS_REDIS, async (t) => {
  const { url } = await startRedis(t, { requirepass: 'secret' });
  const fleet = await openFleet({ connection: url, module: SUM });
  await fleet.close();
  const open = openFleet({ connection: url.replace('secret', 'wrong'), module: SUM, openTimeout: 20000 });
  await assert.rejects(
    open,
    (error) => /could not connect to Redis.*WRONGPASS/.test(error.message) && !/wrong@/.test(error.message),
  );
});
