import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeTable, explainRow, explainRows, explainSamples, LinexError, load } from 'linex';
import { ready } from '../js/load.js';
import { dice } from './dice.js';

const random = dice(77);
const rows = Array.from({ length: 80 }, (_, i) => [
  random.normal(),
  3 * random.normal(),
  random.normal(),
  i % 3 ? 'red' : 'blue',
]);
const columns = ['size', 'age', 'shade', 'colour'];
let table;
let core;

before(async () => {
  await load();
  core = await ready();
  table = await describeTable(rows, { columns, categorical: ['colour'] });
});

/** Two classes; `shade` does nothing. */
const model = (row) => {
  const z = row[0] - 0.4 * row[1] + 0.2 * row[0] * row[1] + 0.8 * row[3];
  const yes = 1 / (1 + Math.exp(-z));
  return [1 - yes, yes];
};
const predict = (batch) => [...batch].map(model);
const withoutTime = ({ milliseconds, ...rest }) => JSON.stringify({ ...rest, milliseconds: Object.keys(milliseconds) });

test('the same seed gives the same bytes for every batch size, for sync and async models, and for explainRows', async () => {
  const options = { table, samples: 300, seed: 5 };
  const expected = withoutTime(await explainRow(rows[0], predict, options));
  for (const batchSize of [1, 7, 1000])
    assert.equal(withoutTime(await explainRow(rows[0], predict, { ...options, batchSize })), expected, `${batchSize}`);
  const slowly = async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, random.below(5)));
    return predict(batch);
  };
  const hurried = { ...options, batchSize: 20, concurrency: 6 };
  assert.equal(withoutTime(await explainRow(rows[0], slowly, hurried)), expected);
  for await (const explanation of explainRows([rows[0]], slowly, hurried))
    assert.equal(withoutTime(explanation), expected);
  assert.notEqual(withoutTime(await explainRow(rows[0], predict, { ...options, seed: 6 })), expected);
});

test('an explanation is frozen, JSON-safe, and says what the design says', async () => {
  const explanation = await explainRow(rows[1], predict, { table, classes: ['no', 'yes'], target: 'yes' });
  assert.deepEqual(JSON.parse(JSON.stringify(explanation)), explanation);
  assert.ok(Object.isFrozen(explanation) && Object.isFrozen(explanation.features[0].interval));
  assert.equal(explanation.kind, 'row');
  assert.equal(explanation.method, 'linex');
  assert.equal(explanation.target, 'yes');
  assert.equal(
    explanation.prediction,
    predict([[...rows[1].slice(0, 3), table.columns[3].levels.indexOf(rows[1][3])]])[0][1],
  );
  assert.equal(explanation.weights.length, 4);
  assert.deepEqual(explanation.queries, { planned: 1000, asked: 1000, reused: 0 });
  assert.ok(explanation.equilibrium.converged && explanation.equilibrium.residual <= 1e-9);
  assert.equal(explanation.equilibrium.players.length, 2);
  assert.ok(explanation.fidelity > 0.5 && explanation.fidelity <= 1);
  assert.deepEqual(explanation.warnings, []);
  const sizes = explanation.features.map(({ weight }) => Math.abs(weight));
  assert.deepEqual(
    sizes,
    [...sizes].sort((a, b) => b - a),
  );
  for (const { index, name, column, value, weight, interval, signAgreement } of explanation.features) {
    assert.equal(name, columns[index]);
    assert.equal(column, columns[index]);
    assert.equal(value, rows[1][index]);
    assert.equal(weight, explanation.weights[index]);
    assert.ok(interval[0] <= interval[1]);
    assert.ok(signAgreement >= 0 && signAgreement <= 1);
  }
});

test('weights come a unit and a standard deviation, whatever the scale they were fitted in', async () => {
  const linear = (batch) => [...batch].map((row) => 3 * row[0] - 2 * row[1] + 5 * row[3]);
  const spread = (c) => table.columns[c].spread;
  const share = table.columns[3].frequencies[table.columns[3].levels.indexOf(rows[2][3])];
  const colour = rows[2][3] === 'red' ? 5 : -5;
  for (const scale of ['standard', 'raw']) {
    const { features } = await explainRow(rows[2], linear, { table, scale, ridge: 0, kernelWidth: 5, gamma: 100 });
    const by = Object.fromEntries(features.map((feature) => [feature.column, feature]));
    const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-8, `${scale}: ${actual} ${expected}`);
    near(by.size.perUnit, 3);
    near(by.size.perDeviation, 3 * spread(0));
    near(by.age.perUnit, -2);
    near(by.age.perDeviation, -2 * spread(1));
    near(by.colour.perUnit, colour);
    near(by.colour.perDeviation, colour * Math.sqrt(share * (1 - share)));
  }
});

test('the model is given rows as numbers, and with their levels spelled out', async () => {
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

test('identical rows are asked once, and count as often as they were planned', async () => {
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

test('answers may be flat, nested, typed or a tensor', async () => {
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

test('a column that does nothing is silenced and says what it would have been', async () => {
  const score = (batch) => [...batch].map((row) => Math.tanh(row[0]));
  const unsure = { table, agreement: 0.9, games: 30 };
  for (const options of [{ environments: 'halves' }, { method: 'lime' }]) {
    const { features, weights } = await explainRow(rows[5], score, { ...unsure, ...options });
    const [size, shade] = ['size', 'shade'].map((column) => features.find(({ name }) => name === column));
    assert.ok(shade.silenced && shade.raw !== 0 && shade.signAgreement < 0.9);
    assert.equal(shade.weight, 0);
    assert.equal(weights[shade.index], 0);
    assert.ok(!size.silenced && !('raw' in size) && size.weight > 0 && size.signAgreement === 1);
  }
});

test('constant answers are all zeros, said plainly', async () => {
  const { weights, equilibrium, prediction, intercept } = await explainRow(
    rows[0],
    (batch) => [...batch].map(() => 0.1),
    {
      table,
    },
  );
  assert.deepEqual(weights, [0, 0, 0, 0]);
  assert.equal(equilibrium.gamma, 0);
  assert.ok(equilibrium.converged);
  assert.equal(prediction, 0.1);
  assert.ok(Math.abs(intercept - 0.1) < 1e-15);
});

test('a neighbourhood that is worth too few samples is warned of', async () => {
  const { effectiveSamples, warnings } = await explainRow(rows[0], predict, { table, samples: 10, kernelWidth: 0.1 });
  assert.ok(effectiveSamples < 2);
  assert.match(warnings[0], /worth only 1\.\d samples for 4 features/);
});

test('progress is told after every batch', async () => {
  const told = [];
  const onProgress = (progress) => told.push(progress);
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

test('explainRows keeps the order, the limit and the memory', async () => {
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
      assert.ok(read - finished <= 4, 'no more rows are read than are under way');
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

test('leaving explainRows early stops what is under way', async () => {
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

test('bad input is refused with the value, before the model is asked', async () => {
  let asked = 0;
  const count = (batch) => {
    asked++;
    return predict(batch);
  };
  const live = core.linex_wasm_live_bytes();
  const cases = [
    [[NaN, 1, 1, 'red'], {}, RangeError, /column "size" of the row must be a finite number, not NaN/],
    [[1, Infinity, 1, 'red'], {}, RangeError, /column "age" .* not Infinity/],
    [[1, 2, 3, 'green'], {}, RangeError, /column "colour" has no level "green"; it has "blue", "red"/],
    [[1, 2, 3], {}, RangeError, /the row has 3 columns, the table has 4/],
    [[], {}, RangeError, /the row has 0 columns/],
    [undefined, {}, TypeError, /a row is an array of 4 values, one a column, not undefined/],
    ['abcd', {}, TypeError, /a row is an array of 4 values, one a column, not "abcd"/],
    [{ size: 1 }, {}, TypeError, /not Object/],
    [rows[0], { samples: 1 }, RangeError, /samples must be a whole number from 2 .* not 1/],
    [rows[0], { samples: 2.5 }, RangeError, /not 2.5/],
    [rows[0], { scale: 'raw' }, RangeError, /scale 'raw' .* needs a kernelWidth/],
    [
      rows[0],
      { samples: 10, environments: 11 },
      RangeError,
      /environments must be a whole number from 1 to 10, not 11/,
    ],
    [
      rows[0],
      { samples: 2, environments: [[1, 1], [0, 0]] }, // prettier-ignore
      RangeError,
      /environment 1 must have a weight above 0/,
    ],
    [
      rows[0],
      { environments: { kind: 'odd', weights: [[1]] } },
      RangeError,
      /a kind or weights of your own, not "odd"/,
    ],
    [rows[0], { classes: ['a', 'a'] }, RangeError, /classes has the name "a" twice/],
    [rows[0], { table: { columns: [{ name: 'x' }] } }, TypeError, /needs options.table from describeTable, not Object/],
    [rows[0], { background: [] }, TypeError, /has no option "background"; it knows/],
    [rows[0], { environments: 0 }, RangeError, /environments must be a whole number from 1 .* not 0/],
    [
      rows[0],
      { environments: 'near' },
      RangeError,
      /environments.kind must be one of bootstrap, halves, .* not "near"/,
    ],
    [rows[0], { environments: [[1, 2]] }, RangeError, /environment 0 must have 1000 weights, .* not Array of length 2/],
    [rows[0], { gamma: 0 }, RangeError, /gamma must be a number above 0 .* not 0/],
    [rows[0], { gamma: -1 }, RangeError, /not -1/],
    [rows[0], { gamma: '1' }, RangeError, /gamma must be a number .* not "1"/],
    [rows[0], { ridge: -1 }, RangeError, /ridge must be a number at least 0/],
    [rows[0], { kernelWidth: 0 }, RangeError, /kernelWidth must be a number above 0, not 0/],
    [rows[0], { features: 0 }, RangeError, /features/],
    [rows[0], { agreement: 2 }, RangeError, /agreement must be a number at least 0 and at most 1, not 2/],
    [rows[0], { agreement: 0.5, draws: 0 }, RangeError, /agreement needs draws/],
    [rows[0], { target: 'maybe', classes: ['no', 'yes'] }, RangeError, /not "maybe"; classes are no, yes/],
    [rows[0], { target: 'yes' }, RangeError, /a name needs the classes option/],
    [rows[0], { target: 2, classes: ['no', 'yes'] }, RangeError, /not 2/],
    [rows[0], { target: -1 }, RangeError, /not -1/],
    [rows[0], { target: [] }, RangeError, /at least one class/],
    [rows[0], { sample: 100 }, TypeError, /explainRow has no option "sample"; did you mean "samples"\?/],
    [rows[0], { kernelwidth: 1 }, TypeError, /did you mean "kernelWidth"/],
    [rows[0], { method: 'limes' }, RangeError, /method must be one of linex, lime, s-lime, not "limes"/],
    [rows[0], { table: undefined }, TypeError, /needs options.table from describeTable, not undefined/],
    [rows[0], { seed: -1 }, RangeError, /seed/],
    [rows[0], { signal: {} }, TypeError, /signal must be an AbortSignal/],
    [rows[0], { batchSize: 0 }, RangeError, /batchSize/],
    [rows[0], { onProgress: 5 }, TypeError, /onProgress must be a function, not 5/],
  ];
  for (const [row, change, kind, pattern] of cases) {
    const options = { table, ...change };
    await assert.rejects(explainRow(row, count, options), (error) => {
      assert.ok(error instanceof kind, `${JSON.stringify(change)}: ${error}`);
      assert.match(error.message, pattern);
      return true;
    });
    assert.equal(core.linex_wasm_live_bytes(), live);
  }
  await assert.rejects(explainRow(rows[0], 'model', { table }), /takes the model as a function, not "model"/);
  await assert.rejects(explainRow(rows[0], count), /needs options.table/);
  await assert.rejects(explainRows(5, count, { table }).next(), /takes an iterable of rows, not 5/);
  assert.equal(asked, 0);
});

test('a bad model is told apart, by code and batch, and leaves nothing behind', async () => {
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
  await fail((batch) => [...batch].map(() => 1), 'model-answer', /has 1 numbers a sample, batch 0 had 2/);
  await fail(
    (batch) => predict(batch).map(([no], i) => [no, i === 7 ? NaN : 1]),
    'model-answer',
    /has NaN for sample 7/,
  );
  await fail((batch) => predict(batch).map(([no]) => [no, Infinity]), 'model-answer', /has Infinity for sample 0/);
  await fail((batch) => predict(batch).map(([no]) => [no, '1']), 'model-answer', /has "1" for sample 0/);
  await fail((batch) => predict(batch).map((p, i) => (i ? p : [1])), 'model-answer', /in row 1/);
  await fail(() => undefined, 'model-answer', /is undefined; an array of numbers is needed/);
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
  assert.match(target.message, /target 2 does not exist: the model answers 2 numbers a sample/);
});

test('answers in the shapes of runtimes are read, or said to be misshapen', async () => {
  const one = { table, samples: 20, draws: 0, target: 1 };
  const dims = (batch) => ({ data: Float32Array.from(predict(batch).flat()), dims: [batch.shape[0], 2] });
  assert.ok((await explainRow(rows[0], dims, one)).fidelity <= 1);
  const fails = (answer, pattern) => assert.rejects(explainRow(rows[0], answer, one), pattern);
  await fails((batch) => ({ data: predict(batch).flat(), shape: [20, 3] }), /has shape \[20, 3\] for 40 numbers/);
  await fails((batch) => ({ data: predict(batch).flat(), shape: [2, 20] }), /has shape \[2, 20\] for 40 numbers/);
  await fails((batch) => ({ data: predict(batch).flat(), shape: 7 }), /has shape \[\] for 40 numbers/);
  await fails(() => ({ data: async () => [1] }), /is a tensor; return what its data\(\) resolves to/);
  await fails((batch) => [...batch].map(() => ({ label: 'a', score: 1 })), /has Object for sample 0/);
  await fails(() => Promise.reject(Object.create(null)), /the model failed on batch 0: an object without a prototype/);
});

test('a synchronous model gives way to timers, and can be aborted', async () => {
  const busy = (batch) => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    return predict(batch);
  };
  const controller = new AbortController();
  const reason = new Error('too long');
  let asked = 0;
  setTimeout(() => controller.abort(reason), 30);
  const count = (batch) => {
    asked++;
    return busy(batch);
  };
  const options = { table, samples: 1000, batchSize: 5, signal: controller.signal };
  assert.equal(await explainRow(rows[0], count, options).catch((error) => error), reason);
  assert.ok(asked < 100);
});

test('an abort while the answers are being explained is heard', async () => {
  const controller = new AbortController();
  const reason = new Error('never mind');
  const onProgress = ({ phase }) => phase === 'solve' && controller.abort(reason);
  const options = { table, samples: 50, signal: controller.signal, onProgress };
  assert.equal(await explainRow(rows[0], predict, options).catch((error) => error), reason);
});

test('a batch can be posted to a worker, and spells its rows out once', async () => {
  const posted = [];
  const post = (batch) => {
    posted.push(structuredClone(batch));
    assert.equal(batch.rows, batch.rows);
    return predict(batch);
  };
  await explainRow(rows[0], post, { table, samples: 10, draws: 0 });
  assert.deepEqual(Object.keys(posted[0]).sort(), ['data', 'shape']);
});

test('a model may do with its batch as it likes', async () => {
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

test('many batches at once leave no warning and no negative time', async () => {
  const warnings = [];
  const hear = (warning) => warnings.push(warning);
  process.on('warning', hear);
  const slowly = (batch) => new Promise((resolve) => setTimeout(() => resolve(predict(batch)), 5));
  const options = { table, samples: 300, batchSize: 5, concurrency: 40, timeout: 3e9 };
  const { milliseconds } = await explainRow(rows[0], slowly, options);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('warning', hear);
  assert.deepEqual(warnings, []);
  assert.ok(milliseconds.own >= 0 && milliseconds.model > 0);
});

test('explainRows hands out what is ready while it waits for rows, and a failing source fails in its turn', async () => {
  const slow = async function* () {
    yield rows[0];
    await new Promise((resolve) => setTimeout(resolve, 300));
    yield rows[1];
  };
  const started = performance.now();
  let first;
  for await (const explanation of explainRows(slow(), predict, { table, samples: 20, concurrency: 2, draws: 0 })) {
    first ??= performance.now() - started;
    assert.equal(explanation.kind, 'row');
  }
  assert.ok(performance.now() - started - first > 200, 'the first came before the second was there');

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

test('an explanation that cannot be told in finite numbers is an error, not a null in JSON', async () => {
  const huge = (batch) => [...batch].map((row) => 1e170 * row[0]);
  await assert.rejects(
    explainRow(rows[0], huge, { table, samples: 50 }),
    (error) => error instanceof LinexError && error.code === 'overflow',
  );
  const hurried = await explainRow(rows[0], predict, { table, samples: 50, maxRounds: 1, solver: 'path' });
  assert.ok(!hurried.equilibrium.converged && Number.isFinite(hurried.equilibrium.residual));
  assert.match(hurried.warnings.at(-1), /did not come to rest/);
});

test('more memory than there is, is an error', async () => {
  const wide = await describeTable([Array.from({ length: 600 }, () => 1), Array.from({ length: 600 }, () => 2)]);
  const row = Array.from({ length: 600 }, () => 1);
  const live = core.linex_wasm_live_bytes();
  await assert.rejects(
    explainRow(row, predict, { table: wide, samples: 1e6 }),
    (error) => error instanceof LinexError && error.code === 'memory',
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
  const points = Array.from({ length: 3 }, (_, i) => new Float64Array(23200).fill(i));
  assert.throws(
    () => explainSamples({ points, predictions: [1, 2, 3] }),
    (error) => error instanceof LinexError && error.code === 'memory',
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
});

test('an abort rejects with its reason, and an answer that comes after it is not looked at', async () => {
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

test('ten thousand explanations later the heap is what it was', async () => {
  const options = { table, samples: 20, draws: 5 };
  await explainRow(rows[0], predict, options);
  const live = core.linex_wasm_live_bytes();
  const pages = core.memory.buffer.byteLength;
  for (let i = 0; i < 10000; i++) await explainRow(rows[i % rows.length], predict, { ...options, seed: i });
  assert.equal(core.linex_wasm_live_bytes(), live);
  assert.equal(core.memory.buffer.byteLength, pages);
});

test('a degenerate fit is said to be one, and leaves nothing behind', () => {
  const live = core.linex_wasm_live_bytes();
  const points = [
    [1, 2],
    [2, 4],
    [3, 6],
  ];
  const attempt = () => explainSamples({ points, predictions: [1, 2, 4] }, { ridge: 0 });
  assert.throws(
    attempt,
    (error) => error instanceof LinexError && error.code === 'degenerate' && /ridge/.test(error.message),
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
});
