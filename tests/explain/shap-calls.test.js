// How the model is asked for Shapley values, and which calls are refused.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { explainRow, explainSamples, explainText, LinexError } from 'linex';
import { ready, readyData } from '../../js/core/load.js';
import { dice } from '../support/dice.js';
import { near, rowsOf, scorer, sum, tableOf } from '../support/shapley.js';

let cores;
before(async () => {
  cores = [await ready(), await readyData()];
});
/** The bytes that both modules hold. */
const liveBytes = () => cores.map((core) => core.linex_wasm_live_bytes());

test('a call of the model gets at most a batch of rows', async () => {
  const random = dice(10);
  const [row, ...background] = rowsOf(random, 41, 5);
  const sizes = [];
  await explainRow(row, (batch) => sizes.push(batch.shape[0]) && [...batch].map(sum), {
    ...{ table: await tableOf(5), background, method: 'shap', batchSize: 50 },
  });
  assert.equal(Math.max(...sizes), 50);
  assert.equal(sum(sizes), 1 + 31 * 40);
});

test('progress has exact counts and partial explanations, and a signal stops the asking', async () => {
  const random = dice(11);
  const [row, ...background] = rowsOf(random, 3, 8);
  const told = [];
  const options = { table: await tableOf(8), background, method: 'shap', batchSize: 64 };
  const explanation = await explainRow(row, scorer(sum), {
    ...options,
    onProgress: ({ asked, planned, phase, partial }) => told.push({ asked, planned, phase, partial }),
  });
  // The full coalition is one row, each of the 255 others is one row per background row.
  assert.equal(explanation.queries.asked, 1 + 255 * 2);
  const counts = [64, 128, 192, 256, 320, 384, 448, 511, 511];
  assert.deepEqual(
    told.map(({ asked, planned, phase }) => [asked, planned, phase]),
    counts.map((asked, i) => [asked, 511, i < 8 ? 'model' : 'solve']),
  );
  for (const [i, { partial }] of told.entries()) {
    partial.weights.forEach((weight, c) => near(weight, explanation.weights[c]));
    const stopped = counts[i] === 511 ? { stopped: 'exhausted' } : {};
    assert.deepEqual(partial.queries, { planned: counts[i], asked: counts[i], reused: 0, ...stopped });
  }
  // If both background rows are equal, each answer except the first counts twice.
  const twice = [];
  await explainRow(row, scorer(sum), {
    ...{ ...options, background: [background[0], background[0]] },
    onProgress: ({ partial }) => twice.push([partial.queries.planned, partial.queries.asked, partial.queries.reused]),
  });
  assert.deepEqual(
    twice,
    [64, 128, 192, 256, 256].map((asked) => [2 * asked - 1, asked, asked - 1]),
  );
  const controller = new AbortController();
  let asked = 0;
  const stopping = (batch) => {
    if (++asked === 3) controller.abort(new Error('enough'));
    return scorer(sum)(batch);
  };
  await assert.rejects(explainRow(row, stopping, { ...options, signal: controller.signal }), /enough/);
  assert.equal(asked, 3);
});

test('an answer that has no logit is an error, thrown after its batch', async () => {
  const live = liveBytes();
  let asked = 0;
  const predict = (texts) => texts.map((one) => (asked++, one.includes('bad') ? 0.5 : 1));
  const options = { method: 'shap', link: 'logit', batchSize: 2 };
  const isAnswer = (pattern) => (error) =>
    error instanceof LinexError && error.code === 'model-answer' && pattern.test(error.message);
  await assert.rejects(
    explainText('a bad film', predict, options),
    isAnswer(/link 'logit' needs answers above 0 and below 1, not 1 for coalition 1/),
  );
  assert.equal(asked, 2);
  await assert.rejects(
    explainText('a b', (texts) => texts.map(() => -2), options),
    isAnswer(/not -2 at the input/),
  );
  const table = await tableOf(2);
  const rows = { table, background: [[0, 0], [0, 1]], method: 'shap', link: 'logit' }; // prettier-ignore
  // The link is applied to the mean over the background, so one answer of 0 is allowed.
  await explainRow(
    [1, 2],
    scorer(([a, b]) => (a ? 0.5 : 0.4 * b)),
    rows,
  );
  await assert.rejects(
    explainRow(
      [1, 2],
      scorer(([a]) => (a ? 0.5 : 0)),
      rows,
    ),
    isAnswer(/coalition 1, the mean over/),
  );
  assert.deepEqual(liveBytes(), live);
});

test('options that do not fit are refused by name before the model is asked, and no memory leaks', async () => {
  const live = liveBytes();
  const never = () => assert.fail('the model was asked');
  const table = await tableOf(3);
  const background = [[0, 0, 0]];
  const shap = { method: 'shap', table, background };
  const unused = {
    ...{ gamma: 1, l1: 1, environments: 2, games: 2, agreement: 0.5, kernelWidth: 1, ridge: 0, selection: 'auto' },
    ...{ solver: 'auto', keepGame: false, smoothing: 'mean', intercept: 'free', draws: 10, tolerance: 1e-9 },
    ...{ maxRounds: 5 },
  };
  for (const [name, value] of Object.entries(unused)) {
    const message = { name: 'TypeError', message: `method 'shap' takes no option "${name}"` };
    await assert.rejects(explainRow([1, 2, 3], never, { ...shap, [name]: value }), message);
    await assert.rejects(explainText('a b', never, { method: 'shap', [name]: value }), message);
  }
  const own = { neighborhood: { sample: () => [] }, center: 'row', discretize: 'none', units: 'raw' };
  for (const [name, value] of Object.entries(own))
    await assert.rejects(explainRow([1, 2, 3], never, { ...shap, [name]: value }), {
      message: `method 'shap' takes no option "${name}"`,
    });
  const cases = [
    [
      { ...shap, background: undefined },
      TypeError,
      /explainRow with method 'shap' needs options.background, .*undefined/,
    ],
    [{ ...shap, background: 'rows' }, TypeError, /not "rows"/],
    [{ ...shap, background: [] }, RangeError, /background must have 1 to 10000 rows, not 0/],
    [{ ...shap, background: new Array(10001).fill([0, 0, 0]) }, RangeError, /not 10001; if it has more, take a sample/],
    [{ ...shap, background: [[0, 0, 0], [1, 2]] }, RangeError, /background\[1\] .* must have 3 columns, not 2/], // prettier-ignore
    [{ ...shap, background: [[0, NaN, 0]] }, RangeError, /background\[0\] .*column "column 1" .* not NaN/],
    [
      { ...shap, background: [7] },
      TypeError,
      /background\[0\] does not fit the table: a row must be an array .* not 7/,
    ],
    [{ ...shap, table: undefined }, TypeError, /needs options.table/],
    [{ ...shap, samples: 'lots' }, RangeError, /samples must be a number or 'auto', not "lots"/],
    [{ ...shap, samples: 'auto', maxSamples: 7 }, RangeError, /maxSamples must be at least 8 for the Shapley .* not 7/],
    [{ ...shap, samples: 'auto', precision: 0 }, RangeError, /precision/],
    [{ ...shap, samples: 7 }, RangeError, /samples must be at least 8 for the Shapley values of 3 features, not 7/],
    [{ ...shap, samples: 0 }, RangeError, /samples must be a whole number from 2/],
    [{ ...shap, link: 'probit' }, RangeError, /link must be one of identity, logit, not "probit"/],
    [{ ...shap, features: 0 }, RangeError, /features/],
    [{ table, background }, TypeError, /option "background" is for method 'shap', not for "linex"/],
    [{ table, method: 'lime', link: 'logit' }, TypeError, /option "link" is for method 'shap', not for "lime"/],
  ];
  for (const [options, type, message] of cases)
    await assert.rejects(
      explainRow([1, 2, 3], never, options),
      (error) => error instanceof type && message.test(error.message),
      `${message}`,
    );
  const many = Array.from({ length: 10000 }, (_, i) => Array.from({ length: 30 }, (_, c) => i + c));
  await assert.rejects(
    explainRow(new Array(30).fill(-1), never, { ...shap, table: await tableOf(30), background: many, samples: 2000 }),
    /2000 samples with 10000 rows of background are 19990001 queries, more than 10000000/,
  );
  await assert.rejects(explainText('a b', never, { method: 'shap', distance: 'cosine' }), /takes no option "distance"/);
  await assert.rejects(explainText('a b', never, { method: 'shap', background }), /has no option "background"/);
  await assert.rejects(
    explainText('a b c d e f g h i j', never, { method: 'shap', samples: 20 }),
    /samples must be at least 22 for the Shapley values of 10 features, not 20/,
  );
  assert.throws(
    () => explainSamples({ points: [[1], [2]], predictions: [1, 2] }, { method: 'shap' }),
    /explainSamples has no method 'shap'/,
  );
  await assert.rejects(
    explainRow([1, 2, 3], () => [NaN], shap),
    (error) => error.code === 'model-answer',
  );
  assert.deepEqual(liveBytes(), live);
});
