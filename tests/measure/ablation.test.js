// Tests the ablation analysis on models whose answers are easy to compute by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ablation, describeTable, LinexError } from 'linex';

// The second class has p = row · (0.4, 0.3, 0.2, 0.1). Four ones give 1, and each removed one lowers p by its share.
const SHARES = [0.4, 0.3, 0.2, 0.1];
const score = (row) => Array.from(row).reduce((sum, value, c) => sum + value * SHARES[c], 0);
const classify = (batch) => Array.from(batch, (row) => [1 - score(row), score(row)]);
const ONES = [1, 1, 1, 1];
/** Rounds the changes, so that rounding errors do not matter. */
const rounded = (curve) => curve.map((point) => ({ ...point, change: Number(point.change.toFixed(12)) }));

test('the features with the largest attributions are removed first, regardless of sign', async () => {
  const options = { attributions: [[4, -3, 2, 1]], replacement: 0, fractions: [0, 0.25, 0.5, 1] };
  assert.deepEqual(rounded(await ablation([ONES], classify, options)), [
    { fraction: 0, change: 0, changed: 0 },
    { fraction: 0.25, change: 0.4, changed: 0 },
    { fraction: 0.5, change: 0.7, changed: 1 },
    { fraction: 1, change: 1, changed: 1 },
  ]);
});

test('changes are means over inputs, and replacements may differ by column', async () => {
  // Both rank feature 3 first. In (1, 1, 1, 1) it becomes 0 and p falls from 1 to 0.9; (1, 0, 0, 0) does not change.
  const options = { attributions: [[0, 0, 0, 1], ONES.map((_, c) => c)], fractions: [0.25] };
  const inputs = [ONES, [1, 0, 0, 0]];
  const curve = await ablation(inputs, classify, { ...options, replacement: [9, 9, 9, 0] });
  assert.deepEqual(rounded(curve), [{ fraction: 0.25, change: 0.05, changed: 0 }]);
  const other = await ablation(inputs, classify, { ...options, replacement: 2 });
  // From 1 to 1.1, and from 0.4 to 0.6, which changes the class. Class 0 changes as much, because the scores sum to 1.
  assert.deepEqual(rounded(other), [{ fraction: 0.25, change: 0.15, changed: 0.5 }]);
  assert.deepEqual(
    rounded(await ablation(inputs, classify, { ...options, replacement: 2, target: 0 })),
    rounded(other),
  );
});

test('a feature with attribution 0 is never removed', async () => {
  const options = { attributions: [[0, 0, 0, 5]], replacement: 0, fractions: [0.5, 1] };
  assert.deepEqual(
    rounded(await ablation([ONES], classify, options)).map(({ change }) => change),
    [0.1, 0.1],
  );
  const silent = await ablation([ONES], classify, { ...options, attributions: [[0, 0, 0, 0]] });
  assert.deepEqual(
    silent.map(({ change, changed }) => [change, changed]),
    [
      [0, 0],
      [0, 0],
    ],
  );
});

test('a model with a single score has no top class that could change', async () => {
  const options = { attributions: [[1, 2, 3, 4]], replacement: 0, fractions: [0.25] };
  const curve = await ablation([ONES], (batch) => Array.from(batch, score), options);
  assert.deepEqual(rounded(curve), [{ fraction: 0.25, change: 0.1, changed: null }]);
});

test('a replacement function works with any kind of input', async () => {
  const count = (texts) => texts.map((text) => text.split(' ').filter((word) => word === 'good').length);
  const options = {
    attributions: [
      [1, 5],
      [9, 0.1, 2],
    ],
    fractions: [0.5, 1],
    replacement: (text, features, index) => {
      assert.equal(index, text === 'so good' ? 0 : 1);
      return text
        .split(' ')
        .filter((_, word) => !features.includes(word))
        .join(' ');
    },
  };
  // Half of two words is 1, and half of three is rounded to 2: the second text loses both of its good words.
  const curve = await ablation(['so good', 'good or good'], count, options);
  assert.deepEqual(
    curve.map(({ change }) => change),
    [1.5, 1.5],
  );
});

test('the model is asked in batches, once per distinct ablation, and gets batches as from explainRow', async () => {
  const sizes = [];
  const predict = async (batch) => {
    sizes.push(batch.length);
    assert.deepEqual(batch.shape, [batch.length, 4]);
    assert.deepEqual([...batch.data], batch.rows.flat());
    return { data: batch.map(score), shape: [batch.length] };
  };
  // 3 unchanged inputs, then 1 and 2 features removed; 0.3 of 4 features is 1 again.
  const options = { attributions: [ONES, ONES, ONES], replacement: 0, fractions: [0, 0.25, 0.3, 0.5], batchSize: 4 };
  await ablation([ONES, ONES, ONES], predict, options);
  assert.deepEqual(sizes, [4, 4, 1]);
});

test('categorical rows reach the model by rows, and with a table as from explainRow', async () => {
  const people = [[30, 'rent'], [50, 'own'], [40, 'own']]; // prettier-ignore
  const worth = ([age, home]) => age / 100 + (home === 'own' ? 0.5 : 0);
  // The first attribution ranks the home first, the others the age.
  const attributions = [{ weights: [0, 1] }, { weights: [2, 1] }, [2, 1]];
  const options = { attributions, replacement: [20, 'own'], fractions: [0.5] };
  // 0.3 to 0.8, 1 to 0.7, 0.9 to 0.7.
  const wanted = [{ fraction: 0.5, change: Number((1 / 3).toFixed(12)), changed: null }];
  assert.deepEqual(rounded(await ablation(people, ({ rows }) => rows.map(worth), options)), wanted);
  const table = await describeTable(people, { categorical: [1] });
  const own = table.columns[1].levels.indexOf('own');
  const predict = (batch) => {
    assert.deepEqual(batch.shape, [batch.rows.length, 2]);
    assert.deepEqual(batch.rows[0], people[0]);
    return Array.from(batch, ([age, home]) => age / 100 + (home === own ? 0.5 : 0));
  };
  assert.deepEqual(rounded(await ablation(people, predict, { ...options, table })), wanted);
  assert.deepEqual(rounded(await ablation(people, predict, { ...options, table: Promise.resolve(table) })), wanted);
  const never = () => assert.fail('the model was asked');
  await assert.rejects(
    ablation(people, never, { ...options, table, replacement: 0 }),
    /inputs\[0\] does not fit the table, unchanged or ablated: .*0/,
  );
  await assert.rejects(ablation(people, never, { ...options, table: {} }), /from describeTable/);
});

test('an ablation can be aborted, and a model error names its batch', async () => {
  const options = { attributions: [ONES], replacement: 0, fractions: [0.25, 0.5], batchSize: 1 };
  const stop = new AbortController();
  let asked = 0;
  const predict = (batch) => {
    if (++asked === 2) stop.abort(new Error('enough'));
    return classify(batch);
  };
  await assert.rejects(ablation([ONES], predict, { ...options, signal: stop.signal }), /enough/);
  assert.equal(asked, 2);
  await assert.rejects(
    ablation([ONES], () => [NaN], options),
    (error) => error instanceof LinexError && error.code === 'model-answer' && error.batch === 0,
  );
});

test('answers whose difference is beyond the range are a LinexError', async () => {
  const options = { attributions: [[1]], replacement: -1, fractions: [1] };
  const model = (factor) => (batch) => Array.from(batch, ([value]) => value * factor);
  assert.deepEqual(await ablation([[1]], model(8e307), options), [{ fraction: 1, change: 1.6e308, changed: null }]);
  await assert.rejects(ablation([[1]], model(1.7e308), options), { name: 'LinexError', code: 'overflow' });
});

test('a bad call is refused before the model is asked', async () => {
  const refused = (change, pattern, kind = RangeError, inputs = [ONES], predict = () => assert.fail('asked')) =>
    assert.rejects(
      ablation(inputs, predict, { attributions: [ONES], replacement: 0, fractions: [0.5], ...change }),
      (error) => error instanceof kind && pattern.test(error.message),
    );
  await refused({}, /expects an array of inputs, not "row"/, TypeError, 'row');
  await refused({}, /expects an array of inputs, not Array of length 0/, TypeError, []);
  await refused({}, /expects the model as a function, not null/, TypeError, [ONES], null);
  await refused({ fraction: 1 }, /no option "fraction"; did you mean "fractions"/, TypeError);
  await refused({ fractions: 0.5 }, /fractions must be an array of numbers from 0 to 1, not 0.5/, TypeError);
  await refused({ fractions: [0.5, 50] }, /fractions\[1\] must be a number at least 0 and at most 1, not 50/);
  await refused({ attributions: [] }, /expected 1 attributions, one per input, not Array of length 0/);
  await refused({ attributions: [[]] }, /attributions\[0\] must be an array of weights/);
  await refused({ attributions: [[1, NaN, 0, 0]] }, /attributions\[0\]\[1\] must be a number, not NaN/);
  await refused(
    { attributions: [[1, 2]] },
    /inputs\[0\] must have 2 values, one per attribution, not Array of length 4/,
  );
  await refused(
    { replacement: undefined },
    /replacement must be a number, one value per column or a function/,
    TypeError,
  );
  await refused({ replacement: [0] }, /replacement must have 4 values, one per column, not Array of length 1/);
  await refused({ target: 'first' }, /target must be the index of a class or 'top', not "first"/);
  await refused({ batchSize: 0 }, /batchSize must be a whole number from 1/);
  await refused({ signal: 'stop' }, /signal must be an AbortSignal/, TypeError);
  await refused(
    { target: 2 },
    /target 2 does not exist: the model returns 2 numbers per input/,
    RangeError,
    [ONES],
    classify,
  );
});
