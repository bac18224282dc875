// Models that fail in every way: each call gives the right result or an error of ours, and leaves no memory behind.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeTable, explainImage, explainRow, explainText, LinexError } from 'linex';
import { sharedCores } from '../support/shared-cores.js';

const rows = Array.from({ length: 40 }, (_, i) => [i % 7, (i * 5) % 11]);
const ROW = [3, 4];
const TEXT = 'a tale of two cities and one tale';
const PIXELS = Uint8Array.from({ length: 8 * 8 * 3 }, (_, i) => (i * 37) % 256);
const IMAGE = { data: PIXELS, width: 8, height: 8 };
const common = { samples: 30, batchSize: 10, draws: 5, seed: 3 };
let table;
let cores;
let live;
const unhandled = [];
const onUnhandled = (reason) => unhandled.push(reason);

before(async () => {
  process.on('unhandledRejection', onUnhandled);
  table = await describeTable(rows);
  cores = await sharedCores();
  live = cores.map((core) => core.linex_wasm_live_bytes());
});

after(() => process.off('unhandledRejection', onUnhandled));

/** An honest model for rows, texts and images: one score per sample. */
const honest = (batch) => {
  if (Array.isArray(batch)) return batch.map((text) => text.length + (text.includes('tale') ? 5 : 0));
  const [count] = batch.shape;
  const size = batch.data.length / count;
  return Array.from({ length: count }, (_, i) => batch.data[i * size] - 2 * batch.data[i * size + 1]);
};

/** The three kinds of input, each as a function of the model. */
const CALLS = {
  row: (model, options) => explainRow(ROW, model, { table, ...common, ...options }),
  text: (model, options) => explainText(TEXT, model, { ...common, ...options }),
  image: (model, options) => explainImage(IMAGE, model, { segments: 'grid', ...common, ...options }),
};

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Checks that nothing is left: no memory, no rejection that nobody handles. */
async function nothingIsLeft(what) {
  await settle();
  assert.deepEqual(
    cores.map((core) => core.linex_wasm_live_bytes()),
    live,
    what,
  );
  assert.deepEqual(unhandled.splice(0), [], what);
}

const throwing = (what) => () => {
  throw what;
};
const getter = (name) => Object.defineProperty({}, name, { get: throwing(new Error('no look')), enumerable: true });
const trapped = new Proxy([], {
  get: throwing(new Error('trapped')),
  has: throwing(new Error('trapped')),
  getPrototypeOf: throwing(new Error('trapped')),
});
const strange = Object.freeze({ toString: throwing('no'), [Symbol.toPrimitive]: throwing('no') });
const silent = new Error('x');
Object.defineProperty(silent, 'message', { get: throwing('no message') });
const THROWN = [
  undefined,
  null,
  'no',
  7,
  5n,
  Symbol('no'),
  strange,
  Object.freeze({}),
  trapped,
  silent,
  getter('constructor'),
];

const FAILING = {
  throws: (what) => throwing(what),
  rejects: (what) => () => Promise.reject(what),
  'rejects later': (what) => () => new Promise((_, reject) => setTimeout(reject, 1, what)),
};

for (const [how, make] of Object.entries(FAILING))
  test(`a model that ${how} with anything gives LinexError 'model-threw'`, async () => {
    for (const [kind, call] of Object.entries(CALLS))
      for (const what of [...THROWN, new Error('out of luck')]) {
        const error = await call(make(what)).catch((reason) => reason);
        assert.ok(error instanceof LinexError && error.code === 'model-threw', `${kind}: ${error?.message}`);
        assert.match(error.message, /^the model failed on batch 0: /);
        assert.equal(error.cause, what);
      }
    await nothingIsLeft(how);
  });

/** Wrong answers to 10 samples. */
const ANSWERS = {
  nothing: () => undefined,
  null: () => null,
  'a number': () => 5,
  'a string': () => '1234567890',
  strings: () => Array(10).fill('1'),
  'numbers and a string': () => [...Array(9).fill(1), '1'],
  NaN: () => Array(10).fill(NaN),
  'Infinity at the end': () => [...Array(9).fill(1), -Infinity],
  'a float that is too large': () => new Float32Array(10).fill(1e300),
  'too few': () => Array(9).fill(1),
  'too many': () => Array(11).fill(1),
  none: () => [],
  BigInts: () => Array(10).fill(5n),
  'a BigInt64Array': () => new BigInt64Array(10),
  'a sparse array': () => new Array(10),
  'an array with a hole': () => [1, 2, 3, , 5, 6, 7, 8, 9, 10], // eslint-disable-line no-sparse-arrays
  'nested too deep': () => Array(10).fill([[1]]),
  'ragged rows': () => Array.from({ length: 10 }, (_, i) => Array(1 + (i % 2)).fill(1)),
  'numbers, then rows': () => [1, ...Array(9).fill([1])],
  'rows, then numbers': () => [[1], ...Array(9).fill(1)],
  'empty rows': () => Array(10).fill([]),
  'rows of strings': () => Array(10).fill('1'),
  'an object': () => ({ scores: [1] }),
  'an object with many names': () => Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`n${i}`, i])),
  'a length only': () => ({ length: 10 }),
  'a large length only': () => ({ length: 1e9 }),
  'rows with a large length only': () => Array(10).fill({ length: 1e9 }),
  'rows with a length only': () => Array(10).fill({ length: 1e6 }),
  'a negative length': () => ({ length: -1 }),
  'a broken length': () => ({ length: 10.5 }),
  'a length that is NaN': () => ({ length: NaN }),
  'a tensor of another shape': () => ({ data: Array(10).fill(1), shape: [5, 2] }),
  'a tensor with a long shape': () => ({ data: Array(10).fill(1), shape: new Array(1e9) }),
  'a tensor with a shape of symbols': () => ({ data: Array(10).fill(1), shape: [Symbol('10')] }),
  'a tensor without data': () => ({ data: undefined }),
  'a tensor object': () => ({ data: () => [1] }),
  'a getter that throws': () => getter('data'),
  'a length that throws': () => getter('length'),
  'an item that throws': () => Object.defineProperty(Array(10).fill(1), 3, { get: throwing('no item') }),
  'a row that throws': () => Array(10).fill(getter('length')),
  'a proxy that throws': () => trapped,
  'a thenable that throws': () => ({ then: throwing(new Error('no then')) }),
  'a thenable with a getter that throws': () => getter('then'),
};

for (const [what, answer] of Object.entries(ANSWERS))
  test(`an answer that is ${what} is refused with what was expected`, async () => {
    for (const [kind, call] of Object.entries(CALLS)) {
      const started = performance.now();
      const error = await call(answer).catch((reason) => reason);
      assert.ok(error instanceof LinexError, `${kind}: ${error}`);
      assert.match(error.code, /^model-(answer|threw)$/);
      assert.match(error.message, /^the model('s answer to| failed on) batch 0/);
      assert.ok(error.message.length < 1000, `${error.message.length}`);
      assert.ok(performance.now() - started < 5000);
    }
    await nothingIsLeft(what);
  });

test('a model that fails in a later batch fails the call, with the batch', async () => {
  for (const [kind, call] of Object.entries(CALLS)) {
    let asked = 0;
    const error = await call((batch) => (asked++ === 1 ? [NaN] : honest(batch)), { samples: 400 }).catch((one) => one);
    assert.ok(error instanceof LinexError && error.batch === 1 && asked === 2, `${kind}: ${error}`);
  }
  await nothingIsLeft('later');
});

test('a model that never answers times out, and its late answer or failure is ignored', async () => {
  for (const call of Object.values(CALLS))
    for (const late of [() => new Promise(() => {}), slowly(honest), slowly(throwing(trapped))]) {
      const error = await call(late, { timeout: 5 }).catch((reason) => reason);
      assert.ok(error instanceof LinexError && error.code === 'model-timeout', `${error}`);
    }
  await new Promise((resolve) => setTimeout(resolve, 600));
  await nothingIsLeft('timeout');
});

/** A model that answers after half a second, a hundred times the timeout: a busy machine may be late. */
function slowly(model) {
  return (batch) =>
    new Promise((resolve, reject) =>
      setTimeout(() => {
        try {
          resolve(model(batch));
        } catch (error) {
          reject(error);
        }
      }, 500),
    );
}

test('an abort rejects with its reason, whatever the model does afterwards', async () => {
  for (const call of Object.values(CALLS))
    for (const model of [slowly(honest), slowly(throwing('late')), slowly(() => [NaN])]) {
      const stop = new AbortController();
      const reason = { enough: true };
      setTimeout(() => stop.abort(reason), 5);
      assert.equal(await call(model, { signal: stop.signal, concurrency: 3 }).catch((error) => error), reason);
    }
  await new Promise((resolve) => setTimeout(resolve, 60));
  await nothingIsLeft('abort');
});

/** What must be the same in two explanations. */
const essence = ({ weights, features, prediction, intercept, queries }) =>
  JSON.stringify({ weights, features, prediction, intercept, queries });

/** Models that behave strangely, but answer. */
const ODD = {
  'changes its rows, texts or tensors': (batch) => {
    const answers = honest(batch);
    if (Array.isArray(batch)) batch.fill('');
    else {
      batch.data.fill(99);
      if (batch.rows) for (const row of batch.rows) row.fill('x');
      batch.shape = [1, 1];
    }
    return answers;
  },
  'changes its answer later': (batch) => {
    const answers = Float64Array.from(honest(batch));
    setTimeout(() => answers.fill(NaN), 0);
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => setImmediate(() => answers.fill(7)))));
    return answers;
  },
  'answers from one buffer': (() => {
    const buffer = new Float64Array(1000);
    return (batch) => {
      const answers = honest(batch);
      buffer.set(answers);
      return buffer.subarray(0, answers.length);
    };
  })(),
  'answers with a thenable that calls back twice': (batch) => ({
    then(resolve, reject) {
      resolve(honest(batch));
      resolve([1]);
      reject(new Error('too late'));
    },
  }),
  'answers with items that change when they are read': (batch) => {
    const answers = honest(batch);
    const read = new Set();
    return new Proxy(answers, {
      get: (list, key) =>
        typeof key === 'string' && /^\d+$/.test(key) && key !== '0' && read.size === read.add(key).size
          ? NaN
          : list[key],
    });
  },
  'answers with a list whose iterator lies': (batch) => Object.assign(honest(batch), { *[Symbol.iterator]() {} }),
  'answers with an array-like object': (batch) => ({ ...honest(batch), length: honest(batch).length }),
  'answers with one class per sample': (batch) => honest(batch).map((score) => [score]),
  'answers with a tensor': (batch) => ({ data: honest(batch), dims: [honest(batch).length, 1] }),
  'explains something else before it answers': async (batch) => {
    await explainText('one more text', (texts) => texts.map(({ length }) => length), { samples: 10, draws: 2 });
    await explainRow(ROW, honest, { table, samples: 10, draws: 2 });
    return honest(batch);
  },
  'explains the same again': (() => {
    let depth = 0;
    return async (batch) => {
      if (depth++ < 3) await explainRow(ROW, honest, { table, ...common });
      return honest(batch);
    };
  })(),
};

for (const [what, model] of Object.entries(ODD))
  test(`a model that ${what} gets the explanation of an honest model`, async () => {
    for (const [kind, call] of Object.entries(CALLS))
      for (const options of [{}, { concurrency: 2 }, { method: 'lime' }])
        assert.equal(essence(await call(model, options)), essence(await call(honest, options)), kind);
    await nothingIsLeft(what);
  });

test('a progress callback that throws or rejects fails the call with what it threw', async () => {
  const reasons = [new Error('no room'), undefined, 'no', Object.freeze({})];
  for (const call of Object.values(CALLS))
    for (const reason of reasons)
      for (const phase of ['model', 'solve'])
        for (const onProgress of [
          (now) => now.phase === phase && throwing(reason)(),
          async (now) => now.phase === phase && throwing(reason)(),
          async (now) => {
            if (now.asked === 10) await undefined;
            if (now.phase === phase) throw reason;
          },
        ]) {
          const outcome = await call(honest, { onProgress }).then(
            () => 'resolved',
            (error) => ({ error }),
          );
          assert.deepEqual(outcome, { error: reason }, `${phase}: ${onProgress}`);
        }
  await nothingIsLeft('progress');
});

test('a progress callback that rejects after the call leaves no unhandled rejection', async () => {
  const onProgress = () => new Promise((_, reject) => setTimeout(reject, 30, new Error('late')));
  for (const call of Object.values(CALLS)) await call(honest, { onProgress, samples: 10 });
  await new Promise((resolve) => setTimeout(resolve, 60));
  await nothingIsLeft('late progress');
});
