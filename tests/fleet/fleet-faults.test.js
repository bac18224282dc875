// What goes wrong around a fleet: Redis away, calls that share jobs, passwords in errors, a model that changed meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { joinFleet, openFleet } from 'linex/fleet';
import { connectionOptions, readConnection } from '../../js/fleet/fleet-connection.js';
import { Membership } from '../../js/fleet/fleet-identity.js';
import { all, faulty, numbers, quick, SUM } from '../support/workers/pool-models.js';
import { NEEDS_REDIS, RedisServer, startRedis } from '../support/workers/redis-server.js';

test('a call that is aborted does not take jobs away from another one with the same rows', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const common = { connection: server.url, module: faulty('await new Promise((resolve) => setTimeout(resolve, 20))') };
  const fleet = await openFleet(common);
  server.beforeStop(() => fleet.close());
  const stop = new AbortController();
  const aborted = all(fleet.explainRows(numbers, { ...quick, signal: stop.signal }));
  const other = all(fleet.explainRows(numbers, quick));
  await wait(300);
  stop.abort(new Error('enough'));
  await assert.rejects(aborted, /enough/);
  // The worker comes last, so that both calls have waited for the same jobs.
  const worker = await joinFleet({ ...common, workers: 1 });
  server.beforeStop(() => worker.close({ now: true }));
  assert.deepEqual(
    (await other).map(({ prediction }) => prediction),
    numbers.flat(),
  );
});

test('an abort ends a call while Redis is away', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const fleet = await openFleet({ connection: server.url, module: SUM });
  server.beforeStop(() => fleet.close());
  const stop = new AbortController();
  const begun = all(fleet.explainRows(numbers, { ...quick, signal: stop.signal }));
  await wait(300);
  await server.kill();
  const late = all(fleet.explainRows(numbers, { ...quick, signal: stop.signal }));
  const ended = Promise.allSettled([begun, late]);
  await wait(300);
  stop.abort(new Error('enough'));
  for (const { reason } of await ended) assert.match(String(reason), /enough/);
});

test('no error holds the password of the server', NEEDS_REDIS, async (t) => {
  const { url } = await startRedis(t, { requirepass: 'secret' });
  const wrong = url.replace('secret', 'pass1word2');
  const error = await openFleet({ connection: wrong, module: SUM, openTimeout: 20000 }).catch((found) => found);
  assert.match(error.message, /could not connect to Redis.*WRONGPASS/);
  assert.doesNotMatch(inspect(error, { depth: Infinity }), /pass1word2/);
  for (const bad of ['redis://user:pass1@word2@[host', 'pass1word2@host:6379', '//pass1@word2@host', 'pass1%word2@']) {
    const thrown = (() => {
      try {
        return readConnection(bad);
      } catch (found) {
        return found;
      }
    })();
    assert.ok(thrown instanceof TypeError, bad);
    assert.doesNotMatch(inspect(thrown), /pass1|word2/, bad);
  }
});

test('a bad database or password in the address is refused, and does not end the process', NEEDS_REDIS, async (t) => {
  const { url } = await startRedis(t);
  assert.throws(() => readConnection(`${url}/rows`), /^TypeError: the path of connection must be the number of a data/);
  assert.throws(() => readConnection('redis://:%zz@host'), /^TypeError: the user and the password in connection must/);
  await assert.rejects(openFleet({ connection: `${url}/99`, module: SUM }), /could not connect to Redis.*out of range/);
  await (await openFleet({ connection: `${url}/3`, module: SUM })).close();
});

test('a certificate is checked for a name, and for an address without sending one', () => {
  const tlsOf = (address) => connectionOptions(new URL(address)).tls;
  assert.deepEqual(tlsOf('rediss://redis.example.com'), { servername: 'redis.example.com' });
  // Node refuses addresses as server names, as RFC 6066 says.
  assert.deepEqual([tlsOf('rediss://10.0.0.5'), tlsOf('rediss://[fd00::1]')], [{}, {}]);
  assert.equal(tlsOf('redis://redis.example.com'), undefined);
});

test('a member is refused if the fleet got another model while its own was being loaded', NEEDS_REDIS, async (t) => {
  const server = await startRedis(t);
  const redis = new Redis(server.url);
  server.beforeStop(() => redis.disconnect());
  const slow = new Membership(redis, 'linex', { version: '1.0.0', model: 'old' }, true);
  await slow.refuseOthers();
  // Nobody has said for a while that the fleet is alive.
  await redis.del('linex:linex:identity');
  const quickOne = new Membership(redis, 'linex', { version: '1.0.0', model: 'new' }, true);
  await quickOne.refuseOthers();
  await quickOne.join();
  server.beforeStop(() => quickOne.leave());
  await assert.rejects(slow.join(), /has linex 1\.0\.0 with model new .*but this is linex 1\.0\.0 with model old/);
});

test('a server that is not there yet is told once, and waited for', NEEDS_REDIS, async (t) => {
  const server = new RedisServer();
  t.after(() => server.stop());
  await server.start();
  await server.kill();
  const warnings = [];
  const opening = openFleet({ connection: server.url, module: SUM, onWarning: (one) => warnings.push(one) });
  await wait(1000);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['unreachable'],
  );
  assert.match(
    warnings[0].message,
    /^Redis at 127\.0\.0\.1:\d+ does not answer yet: connect ECONNREFUSED .*waiting for/,
  );
  await server.start();
  await (await opening).close();
  assert.equal(warnings.length, 1);
});
