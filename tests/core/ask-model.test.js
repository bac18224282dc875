// How the model is asked: batches, answers, progress, errors and aborts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeTable, explainRow, explainRows, LinexError } from 'linex';
import { ready } from '../../js/core/load.js';
import { model, predict, rows, table, withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';

const random = dice(8);
let core;

before(async () => {
  core = await ready();
});

test('the model gets rows as numbers, and rows with the levels as given', async () => {
  const seen = [];
  const watch = (batch) => {
    seen.push(batch);
    return predict(batch);
  };
  await explainRow(rows[0], watch, { table, samples: 10, batchSize: 4, draws: 0 });
  assert.deepEqual(
    seen.map(({ shape }) => shape),
    [
      [4, 4],
      [4, 4],
      [2, 4],
    ],
  );
  assert.ok(seen[0].data instanceof Float64Array);
  assert.deepEqual(seen[0].rows[0], rows[0]);
  assert.equal([...seen[0]][0].length, 4);
  assert.ok(seen.flatMap((batch) => batch.rows).every((row) => ['red', 'blue'].includes(row[3])));
});

test('identical rows are one query, which counts as often as they were planned', async () => {
  const letters = Array.from({ length: 40 }, (_, i) => ['abcd'[i % 4], 'xy'[i % 2]]);
  const levels = await describeTable(letters, { categorical: [0, 1] });
  const asked = [];
  const score = (batch) => {
    asked.push(...batch.rows.map(String));
    return batch.rows.map(([first, second]) => (first === 'a' ? 2 : 0) - (second === 'x' ? 1 : 0));
  };
  const explanation = await explainRow(['a', 'x'], score, { table: levels, samples: 500, ridge: 0, gamma: 10 });
  assert.equal(new Set(asked).size, asked.length);
  assert.deepEqual(explanation.queries, { planned: 500, asked: 8, reused: 492 });
  assert.ok(Math.abs(explanation.weights[0] - 2) < 1e-9 && Math.abs(explanation.weights[1] + 1) < 1e-9);
  assert.ok(explanation.effectiveSamples > 300);
});

test('answers can be flat, nested, typed or a tensor', async () => {
  const scores = (batch) => [...batch].map((row) => model(row)[1]);
  const options = { table, samples: 50, target: 'top' };
  const plain = withoutTime(await explainRow(rows[3], scores, options));
  const forms = {
    nested: (batch) => scores(batch).map((score) => [score]),
    typed: (batch) => Float64Array.from(scores(batch)),
    tensor: (batch) => ({ data: scores(batch), shape: [batch.shape[0], 1] }),
    'typed rows': (batch) => scores(batch).map((score) => Float64Array.of(score)),
  };
  for (const [name, form] of Object.entries(forms))
    assert.equal(withoutTime(await explainRow(rows[3], form, options)), plain, name);
  const flat = (batch) => Float64Array.from(predict(batch).flat());
  const classes = { ...options, target: 1 };
  assert.equal(
    withoutTime(await explainRow(rows[3], flat, classes)),
    withoutTime(await explainRow(rows[3], predict, classes)),
  );
});

test('several targets are explained from the same queries', async () => {
  let calls = 0;
  const counted = (batch) => {
    calls++;
    return predict(batch);
  };
  const options = { table, classes: ['no', 'yes'], ridge: 0 };
  const both = await explainRow(rows[4], counted, { ...options, target: ['yes', 0] });
  assert.equal(calls, 4);
  assert.deepEqual(
    both.map(({ target }) => target),
    ['yes', 'no'],
  );
  both[0].weights.forEach((weight, c) => assert.ok(Math.abs(weight + both[1].weights[c]) < 1e-12));
  const top = await explainRow(rows[4], predict, options);
  assert.equal(top.prediction, Math.max(both[0].prediction, both[1].prediction));
});

test('progress is reported after every batch, and while solving', async () => {
  const told = [];
  // How often solving reports depends on the machine.
  const onProgress = (progress) => told.at(-1)?.phase === 'solve' || told.push(progress);
  await explainRow(rows[0], predict, { table, samples: 250, batchSize: 100, onProgress });
  assert.deepEqual(
    told.map(({ asked, planned, phase }) => [asked, planned, phase]),
    [
      [100, 250, 'model'],
      [200, 250, 'model'],
      [250, 250, 'model'],
      [250, 250, 'solve'],
    ],
  );
});

test('explainRows keeps the order of rows, the limit of concurrent calls and the memory', async () => {
  let underWay = 0;
  let most = 0;
  let read = 0;
  let finished = 0;
  const slowly = async (batch) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, random.below(4)));
    underWay--;
    return predict(batch);
  };
  function* source() {
    for (const row of rows.slice(0, 12)) {
      assert.ok(read - finished <= 4, 'no row is read before it can be explained');
      read++;
      yield row;
    }
  }
  const found = [];
  for await (const explanation of explainRows(source(), slowly, { table, samples: 60, concurrency: 3, draws: 10 })) {
    finished++;
    found.push(explanation);
  }
  assert.equal(most, 3);
  assert.equal(found.length, 12);
  for (const [i, explanation] of found.entries()) {
    const alone = await explainRow(rows[i], predict, { table, samples: 60, draws: 10 });
    assert.equal(withoutTime(explanation), withoutTime(alone));
  }
});

test('leaving explainRows early stops the pending explanations', async () => {
  const signals = [];
  const never = (batch, { signal }) => {
    signals.push(signal);
    return signals.length === 1 ? predict(batch) : new Promise(() => {});
  };
  for await (const explanation of explainRows(rows, never, { table, samples: 20, concurrency: 3 })) {
    assert.equal(explanation.kind, 'row');
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(signals.slice(1).every((signal) => signal.aborted));
});

test('a bad model is an error with a code and a batch, and no memory leaks', async () => {
  const live = core.linex_wasm_live_bytes();
  const fail = async (bad, code, pattern, options = {}) => {
    let batches = 0;
    const wrapped = (batch, context) => (batches++ === 1 ? bad(batch, context) : predict(batch));
    await assert.rejects(explainRow(rows[0], wrapped, { table, samples: 300, batchSize: 100, ...options }), (error) => {
      assert.ok(error instanceof LinexError, String(error));
      assert.equal(error.code, code);
      assert.equal(error.batch, 1);
      assert.match(error.message, pattern);
      return true;
    });
    assert.equal(core.linex_wasm_live_bytes(), live);
  };
  const oops = new Error('out of quota');
  await fail((batch) => predict(batch).slice(1), 'model-answer', /batch 1 \(100 samples\) has 99 rows/);
  await fail((batch) => predict(batch).flat().slice(1), 'model-answer', /has 199 numbers/);
  await fail((batch) => [...batch].map(() => 1), 'model-answer', /has 1 numbers per sample, batch 0 had 2/);
  await fail(
    (batch) => predict(batch).map(([no], i) => [no, i === 7 ? NaN : 1]),
    'model-answer',
    /has NaN for sample 7/,
  );
  await fail((batch) => predict(batch).map(([no]) => [no, Infinity]), 'model-answer', /has Infinity for sample 0/);
  await fail((batch) => predict(batch).map(([no]) => [no, '1']), 'model-answer', /has "1" for sample 0/);
  await fail((batch) => predict(batch).map((p, i) => (i ? p : [1])), 'model-answer', /in row 1/);
  await fail(() => undefined, 'model-answer', /is undefined; expected an array of numbers/);
  await fail((batch) => ({ data: predict(batch).flat(), shape: [50, 4] }), 'model-answer', /has shape \[50, 4\]/);
  await fail(
    () => {
      throw oops;
    },
    'model-threw',
    /batch 1: out of quota/,
  );
  await fail(() => Promise.reject(oops), 'model-threw', /out of quota/);
  await fail(() => new Promise(() => {}), 'model-timeout', /did not answer batch 1 within 20 ms/, { timeout: 20 });
  const thrown = await explainRow(rows[0], () => Promise.reject(oops), { table }).catch((error) => error);
  assert.equal(thrown.cause, oops);
  const target = await explainRow(rows[0], predict, { table, target: 2 }).catch((error) => error);
  assert.match(target.message, /target 2 does not exist: the model gives 2 numbers per sample/);
});

test('answers in the shapes of runtimes are read, and wrong shapes are errors', async () => {
  const one = { table, samples: 20, draws: 0, target: 1 };
  const dims = (batch) => ({ data: Float32Array.from(predict(batch).flat()), dims: [batch.shape[0], 2] });
  assert.ok((await explainRow(rows[0], dims, one)).fidelity <= 1);
  const fails = (answer, pattern) => assert.rejects(explainRow(rows[0], answer, one), pattern);
  await fails((batch) => ({ data: predict(batch).flat(), shape: [20, 3] }), /has shape \[20, 3\] for 40 numbers/);
  await fails((batch) => ({ data: predict(batch).flat(), shape: [2, 20] }), /has shape \[2, 20\] for 40 numbers/);
  await fails((batch) => ({ data: predict(batch).flat(), shape: 7 }), /has shape \[\] for 40 numbers/);
  await fails(() => ({ data: async () => [1] }), /is a tensor; return what its data\(\) resolves to/);
  await fails((batch) => [...batch].map(() => ({ label: 'a', score: 1 })), /has Object for sample 0/);
  await fails(() => Promise.reject(Object.create(null)), /the model failed on batch 0: an object/);
});

test('a synchronous model lets timers run between batches, and can be aborted', async () => {
  const controller = new AbortController();
  const reason = new Error('too long');
  let asked = 0;
  const busy = (batch) => {
    if (asked++ === 0) setTimeout(() => controller.abort(reason), 0);
    const until = performance.now() + 10;
    while (performance.now() < until);
    return predict(batch);
  };
  const options = { table, samples: 1000, batchSize: 5, signal: controller.signal };
  assert.equal(await explainRow(rows[0], busy, options).catch((error) => error), reason);
  assert.ok(asked < 200, 'the timer had its turn before all 200 batches were asked');
});

test('an abort during solving rejects the call', async () => {
  const controller = new AbortController();
  const reason = new Error('never mind');
  const onProgress = ({ phase }) => phase === 'solve' && controller.abort(reason);
  const options = { table, samples: 50, signal: controller.signal, onProgress };
  assert.equal(await explainRow(rows[0], predict, options).catch((error) => error), reason);
});

test('a batch can be posted to a worker, and makes its rows once', async () => {
  const posted = [];
  const post = (batch) => {
    posted.push(structuredClone(batch));
    assert.equal(batch.rows, batch.rows);
    return predict(batch);
  };
  await explainRow(rows[0], post, { table, samples: 10, draws: 0 });
  assert.deepEqual(Object.keys(posted[0]).sort(), ['data', 'shape']);
});

test('a model may change its batch', async () => {
  const spoil = (batch) => {
    const answers = predict(batch);
    batch.data.fill(NaN);
    batch.rows.length = 0;
    return answers;
  };
  const options = { table, samples: 100, draws: 0 };
  assert.equal(
    withoutTime(await explainRow(rows[0], spoil, options)),
    withoutTime(await explainRow(rows[0], predict, options)),
  );
});

test('many concurrent batches cause no warning, and their times add up', async () => {
  const warnings = [];
  const hear = (warning) => warnings.push(warning);
  process.on('warning', hear);
  const slowly = (batch) => new Promise((resolve) => setTimeout(() => resolve(predict(batch)), 5));
  const options = { table, samples: 300, batchSize: 5, concurrency: 40, timeout: 3e9 };
  const started = performance.now();
  const { milliseconds } = await explainRow(rows[0], slowly, options);
  const elapsed = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('warning', hear);
  assert.deepEqual(warnings, []);
  // 60 batches, 40 at once, are two rounds of 5 ms; a timer may fire a millisecond early. Both times are parts of the call.
  const { model, own } = milliseconds;
  assert.ok(model >= 8 && own > 0 && model + own <= elapsed, `${model} + ${own} of ${elapsed} ms`);
});

test('explainRows yields what is ready while it waits, and an error of the source follows the rows before it', async () => {
  // The second row arrives only after the first explanation.
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const source = async function* () {
    yield rows[0];
    await arrived;
    yield rows[1];
  };
  let count = 0;
  for await (const explanation of explainRows(source(), predict, { table, samples: 20, concurrency: 2, draws: 0 })) {
    assert.equal(explanation.kind, 'row');
    count++;
    arrive();
  }
  assert.equal(count, 2);

  const broken = function* () {
    yield rows[0];
    yield rows[1];
    throw new Error('the file ends here');
  };
  const found = [];
  const walk = async () => {
    for await (const one of explainRows(broken(), predict, { table, samples: 20, concurrency: 3, draws: 0 }))
      found.push(one);
  };
  await assert.rejects(walk(), /the file ends here/);
  assert.equal(found.length, 2);

  const controller = new AbortController();
  const stuck = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
  setTimeout(() => controller.abort(new Error('stop waiting')), 10);
  await assert.rejects(explainRows(stuck, predict, { table, signal: controller.signal }).next(), /stop waiting/);
});

test('an abort rejects with its reason, and later answers are ignored', async () => {
  const live = core.linex_wasm_live_bytes();
  const reason = new Error('enough');
  const aborted = AbortSignal.abort(reason);
  let asked = 0;
  const count = (batch) => {
    asked++;
    return predict(batch);
  };
  assert.equal(await explainRow(rows[0], count, { table, signal: aborted }).catch((error) => error), reason);
  assert.equal(asked, 0);

  const controller = new AbortController();
  let answerLate;
  const late = () => new Promise((resolve) => (answerLate = resolve));
  const pending = explainRow(rows[0], late, { table, signal: controller.signal });
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(reason);
  assert.equal(await pending.catch((error) => error), reason);
  answerLate('nonsense');
  await new Promise((resolve) => setTimeout(resolve, 5));

  const between = new AbortController();
  const onProgress = () => between.abort(reason);
  const options = { table, signal: between.signal, onProgress, batchSize: 10 };
  assert.equal(await explainRow(rows[0], count, options).catch((error) => error), reason);
  assert.equal(asked, 1);
  assert.equal(core.linex_wasm_live_bytes(), live);
});

test('few samples are divided among the concurrent calls', async () => {
  let underWay = 0;
  let most = 0;
  const slowly = async (batch) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 2));
    underWay--;
    return predict(batch);
  };
  await explainRow(rows[0], slowly, { table, samples: 'auto', maxSamples: 300, concurrency: 4 });
  assert.equal(most, 4);
});

test("the error for a runtime's map of outputs names the outputs", async () => {
  const named = () => ({ logits: [1, 2], hidden: [3] });
  await assert.rejects(
    explainRow(rows[0], named, { table }),
    /is an object with logits, hidden; expected an array of numbers/,
  );
  await assert.rejects(
    explainRow(rows[0], () => [1], { table }),
    /has 1 numbers; expected one per sample/,
  );
});
