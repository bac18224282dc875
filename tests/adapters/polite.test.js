// Tests polite asking against a server that fails in every way that servers fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainText, LinexError } from 'linex';
import { fromHTTP, memoryCache, polite } from 'linex/adapters';
import { scoreOf, startFaultServer } from '../support/workers/fault-server.js';

const TEXT = 'a wonderful and moving film about two sisters who meet again after the war and it is never boring';
const handWritten = (texts) => texts.map(scoreOf);
const OPTIONS = { samples: 200, batchSize: 50, draws: 20 };
const bytesOf = ({ milliseconds: _, ...explanation }) => JSON.stringify(explanation);
const expected = bytesOf(await explainText(TEXT, handWritten, OPTIONS));
/** Fast retries. */
const QUICK = { backoff: 2 };

test('fromHTTP alone gives the explanation of a hand-written predict', async (t) => {
  const { url } = await startFaultServer(t);
  assert.equal(bytesOf(await explainText(TEXT, fromHTTP(url), OPTIONS)), expected);
});

const FAULTS = {
  'answers 503 now and then': ({ index }) => (index % 2 === 0 ? { status: 503 } : undefined),
  'answers 429 with Retry-After 0': ({ index }) =>
    index % 3 === 1 ? { status: 429, headers: { 'retry-after': '0' } } : undefined,
  'resets connections': ({ index }) => (index % 2 === 0 ? 'reset' : undefined),
  'sends half an answer': ({ index }) => (index % 2 === 0 ? 'half' : undefined),
  'refuses more than 13 texts with 413': ({ texts }) => (texts.length > 13 ? { status: 413 } : undefined),
};

for (const [what, fault] of Object.entries(FAULTS))
  test(`a server that ${what} changes nothing in the explanation`, async (t) => {
    const { url, answered } = await startFaultServer(t, fault);
    assert.equal(bytesOf(await explainText(TEXT, polite(fromHTTP(url), QUICK), OPTIONS)), expected);
    assert.deepEqual([...new Set(answered.values())], [1]);
  });

test('without polite, the same servers end the call, and the error says why', async (t) => {
  for (const [fault, pattern] of [
    [{ status: 503 }, /answered 503 Service Unavailable: not now/],
    ['reset', /could not be reached/],
    ['half', /sent no whole JSON/],
  ]) {
    const { url } = await startFaultServer(t, () => fault);
    const error = await explainText(TEXT, fromHTTP(url), OPTIONS).catch((reason) => reason);
    assert.ok(error instanceof LinexError && error.code === 'model-threw', String(error));
    assert.match(error.cause.message, pattern);
  }
});

test('Retry-After is waited for, in seconds and as a date', async (t) => {
  const inSeconds = () => ['1', Date.now() + 1000];
  const asDate = () => {
    const date = new Date(Date.now() + 2000).toUTCString();
    return [date, Date.parse(date)];
  };
  for (const make of [inSeconds, asDate]) {
    let due = 0;
    const { url, times } = await startFaultServer(t, ({ index }) => {
      if (index > 0) return undefined;
      const [later, time] = make();
      due = time;
      return { status: 429, headers: { 'retry-after': later } };
    });
    await polite(fromHTTP(url), QUICK)(['a']);
    assert.equal(times.length, 2);
    // The two clocks and the timer round to milliseconds.
    assert.ok(performance.timeOrigin + times[1] >= due - 5, `${performance.timeOrigin + times[1] - due} ms`);
  }
});

test('a request that is refused for good is not repeated', async (t) => {
  const { url, requests } = await startFaultServer(t, () => ({ status: 401 }));
  const error = await polite(fromHTTP(url), QUICK)(['a']).catch((reason) => reason);
  assert.deepEqual([error.status, requests.length], [401, 1]);
});

test('retries are counted, and the error says how often it was asked', async (t) => {
  const { url, requests } = await startFaultServer(t, () => ({ status: 503 }));
  const error = await polite(fromHTTP(url), { ...QUICK, retries: 2 })(['a']).catch((reason) => reason);
  assert.equal(requests.length, 3);
  assert.match(error.message, /answered 503.*\(asked 3 times\)/);
  assert.equal(error.status, 503);
});

test('one text that is too large for the server is an error', async (t) => {
  const { url, requests } = await startFaultServer(t, () => ({ status: 413 }));
  const error = await polite(fromHTTP(url), QUICK)(['a', 'b']).catch((reason) => reason);
  assert.deepEqual([error.status, requests.map(({ length }) => length)], [413, [2, 1]]);
});

test('after a 413, later batches are small from the start', async (t) => {
  const { url, requests } = await startFaultServer(t, ({ texts }) => (texts.length > 4 ? { status: 413 } : undefined));
  const predict = polite(fromHTTP(url), QUICK);
  const texts = Array.from({ length: 8 }, (_, i) => `text ${i}`);
  assert.deepEqual([...(await predict(texts)).data], texts.map(scoreOf));
  assert.deepEqual([...(await predict(texts)).data], texts.map(scoreOf));
  assert.deepEqual(
    requests.map(({ length }) => length),
    [8, 4, 4, 4, 4],
  );
});

test('maxBatch splits a batch, and the answers stay in order', async (t) => {
  const { url, requests } = await startFaultServer(t);
  const texts = Array.from({ length: 7 }, (_, i) => `text ${i}`);
  const { data, shape } = await polite(fromHTTP(url), { maxBatch: 3 })(texts);
  assert.deepEqual([[...data], shape], [texts.map(scoreOf), [7, 1]]);
  assert.deepEqual(requests, [texts.slice(0, 3), texts.slice(3, 6), texts.slice(6)]);
});

test('perMinute lets no more requests through in a minute', async (t) => {
  const { url, requests } = await startFaultServer(t);
  const predict = polite(fromHTTP(url), { perMinute: 2, maxBatch: 1, deadline: 300 });
  const error = await predict(['a', 'b', 'c']).catch((reason) => reason);
  // The third request would have to wait for a minute, which is more than the deadline.
  assert.equal(requests.length, 2);
  assert.match(error.message, /within the deadline of 300 ms/);
});

test('a slow request ends with its timeout and is repeated', async (t) => {
  const { url, requests } = await startFaultServer(t, ({ index }) =>
    index === 0 ? { status: 0, wait: 3000 } : undefined,
  );
  const started = performance.now();
  const { data } = await polite(fromHTTP(url), { ...QUICK, timeout: 200 })(['a']);
  assert.deepEqual([...data, requests.length], [scoreOf('a'), 2]);
  assert.ok(performance.now() - started < 2800);
});

test('a deadline that Retry-After exceeds ends the call at once', async (t) => {
  const { url } = await startFaultServer(t, () => ({ status: 429, headers: { 'retry-after': '3600' } }));
  const started = performance.now();
  const error = await polite(fromHTTP(url), { deadline: 60000 })(['a']).catch((reason) => reason);
  assert.match(error.message, /deadline of 60000 ms: .*429/);
  assert.ok(performance.now() - started < 30000);
});

test('an abort ends a wait, and the reason is the signal’s', async (t) => {
  const { url } = await startFaultServer(t, () => ({ status: 429, headers: { 'retry-after': '3600' } }));
  const controller = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 100);
  const { signal } = controller;
  assert.equal(await explainText(TEXT, polite(fromHTTP(url)), { signal }).catch((error) => error), reason);
});

test('a call that fails resumes where it stopped, and asks nothing twice', async (t) => {
  let broken = true;
  const { url, answered } = await startFaultServer(t, ({ index }) =>
    broken && index === 2 ? { status: 400 } : undefined,
  );
  const predict = polite(fromHTTP(url), { cache: memoryCache() });
  const error = await explainText(TEXT, predict, OPTIONS).catch((reason) => reason);
  assert.equal(error.code, 'model-threw');
  assert.equal(answered.size, 100);
  broken = false;
  assert.equal(bytesOf(await explainText(TEXT, predict, OPTIONS)), expected);
  assert.deepEqual([...new Set(answered.values())], [1]);
});

test('an aborted call resumes where it stopped', async (t) => {
  const { url, answered } = await startFaultServer(t);
  const predict = polite(fromHTTP(url), { cache: memoryCache() });
  const controller = new AbortController();
  const onProgress = ({ asked }) => asked >= 100 && controller.abort();
  await assert.rejects(explainText(TEXT, predict, { ...OPTIONS, signal: controller.signal, onProgress }), {
    name: 'AbortError',
  });
  assert.equal(bytesOf(await explainText(TEXT, predict, OPTIONS)), expected);
  assert.deepEqual([...new Set(answered.values())], [1]);
});

test('a cache knows models apart, and two without names too', async () => {
  const cache = memoryCache();
  const asked = [];
  const model = (score) => (texts) => {
    asked.push(score);
    return texts.map(() => score);
  };
  const [one, two] = [model(1), model(2)];
  for (const predict of [one, two, one, two])
    assert.deepEqual([...(await polite(predict, { cache })(['a'])).data], predict === one ? [1] : [2]);
  assert.deepEqual(asked, [1, 2]);
  assert.deepEqual([...(await polite(one, { cache, model: 'v1' })(['a'])).data], [1]);
  assert.deepEqual([...(await polite(two, { cache, model: 'v2' })(['a'])).data], [2]);
  assert.deepEqual(asked, [1, 2, 1, 2]);
});

test('a memory cache forgets the oldest answers beyond its limit', async () => {
  const cache = memoryCache({ most: 2 });
  await cache.set([
    ['a', [1]],
    ['b', [2]],
    ['c', [3]],
  ]);
  assert.deepEqual(await cache.get(['a', 'b', 'c']), [undefined, [2], [3]]);
});

test('bad calls are refused before the model is asked', () => {
  const predict = () => assert.fail('asked');
  assert.throws(() => polite(7), /polite takes the model as a function, not 7/);
  assert.throws(() => polite(predict, { retry: 1 }), /no option "retry"; did you mean "retries"/);
  assert.throws(() => polite(predict, { retries: -1 }), /retries must be a whole number from 0/);
  assert.throws(() => polite(predict, { perMinute: 0 }), /perMinute must be a number above 0, not 0/);
  assert.throws(() => polite(predict, { cache: {} }), /cache must have get and set/);
  assert.throws(() => polite(predict, { cache: { get() {}, set() {} } }), /needs the model's name/);
  assert.throws(() => memoryCache({ most: 0 }), /most must be a whole number from 1/);
});
