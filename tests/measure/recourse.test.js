// Tests of recourse: the smallest change is known in closed form or by trying everything, and the model confirms each answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRecourse, describeTable, explainRow, recourse, trainForest } from 'linex';
import { loadRowModel, readModelFile } from '../steady/row-models.js';
import { dice } from '../support/dice.js';

/** Rows of whole numbers from 0 to each of `tops`, both of which occur. */
function wholeRows(tops, seed, count = 300) {
  const { uniform } = dice(seed);
  const rows = Array.from({ length: count }, () => tops.map((top) => Math.round(uniform() * top)));
  return [tops.map(() => 0), tops, ...rows];
}

/** A model that counts its questions. */
function counting(score) {
  const predict = (batch) => {
    predict.asked += batch.shape[0];
    predict.calls += 1;
    return batch.rows.map(score);
  };
  return Object.assign(predict, { asked: 0, calls: 0 });
}

const summary = ({ changes }) => Object.fromEntries(changes.map(({ column, to }) => [column, to]));

const TOPS = [200, 300, 400];
const columns = ['income', 'debt', 'years'];
const linearTable = await describeTable(wholeRows(TOPS, 1), { columns });
const spreads = linearTable.columns.map(({ spread }) => spread);
const near = (a, b, within = 1e-9) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);

test('with a linear model, the column that does most per standard deviation crosses the threshold alone', async () => {
  const weights = [0.02, -0.01, 0.001];
  const score = (row) => row.reduce((sum, value, c) => sum + weights[c] * value, 0);
  const row = [50, 250, 100];
  const predict = counting(score);
  const result = await recourse(row, predict, { table: linearTable, threshold: 0.51 });
  // From -1.4 to above 0.51: income by more than 95.5, debt by more than 191. Per deviation, income does more.
  assert.ok(weights[0] * spreads[0] > -weights[1] * spreads[1]);
  assert.deepEqual(result.row, [146, 250, 100]);
  const [change] = result.changes;
  assert.deepEqual(
    { ...change, deviations: 0 },
    { column: 'income', index: 0, from: 50, to: 146, change: 96, deviations: 0, range: [0, 200] },
  );
  near(change.deviations, 96 / spreads[0]);
  near(result.size, 96 / spreads[0]);
  near(result.prediction.from, -1.4);
  near(result.prediction.to, 0.52);
  assert.deepEqual([result.found, result.reason, result.complete, result.threshold], [true, null, true, 0.51]);
  assert.deepEqual([result.queries.explain, result.queries.total], [1000, predict.asked]);
  assert.ok(result.queries.search < 40, `${result.queries.search} queries`);
  assert.ok(predict.calls < 15, `${predict.calls} calls`);
});

test('with a linear model, a second column helps where the range of the first ends', async () => {
  const weights = [0.02, -0.01, 0.001];
  const score = (row) => row.reduce((sum, value, c) => sum + weights[c] * value, 0);
  const result = await recourse([50, 250, 100], counting(score), { table: linearTable, threshold: 1.855 });
  // All 150 of income give 3, and debt must give more than 0.255.
  assert.deepEqual(summary(result), { income: 200, debt: 224 });
  near(result.size, 150 / spreads[0] + 26 / spreads[1]);
});

test('a third column helps where the ranges of two end, but not if only two may change', async () => {
  const weights = [0.02, -0.01, 0.001];
  const score = (row) => row.reduce((sum, value, c) => sum + weights[c] * value, 0);
  const call = (more) => recourse([50, 250, 100], counting(score), { table: linearTable, threshold: 4.2205, ...more });
  // Income gives 3, debt gives 2.5 and years must give more than 0.1205.
  assert.deepEqual(summary(await call({})), { income: 200, debt: 0, years: 221 });
  const none = await call({ most: 2 });
  assert.deepEqual([none.found, none.reason, none.row, none.changes], [false, 'range', null, []]);
  assert.deepEqual(none.closest.changes.map(({ column, to }) => [column, to]).sort(), [
    ['debt', 0],
    ['income', 200],
  ]);
  near(none.closest.prediction, 4.1);
});

test('numbers with decimals move to a multiple of a power of ten, at most a step beyond the threshold', async () => {
  const { uniform } = dice(5);
  const rows = Array.from({ length: 400 }, () => [uniform(), 5 * uniform(), 0.001 * uniform()]);
  const table = await describeTable(rows, { columns: ['a', 'b', 'c'] });
  const score = ([a, b, c]) => a + 0.1 * b + 100 * c;
  for (const [i, row] of rows.slice(0, 20).entries()) {
    const threshold = score(row) + 0.2;
    const result = await recourse(row, counting(score), { table, threshold, immutable: ['b', 'c'], seed: i });
    if (row[0] + 0.2 >= table.columns[0].max) assert.equal(result.found, false);
    else {
      // The standard deviation is about 0.29, so steps of 0.02 deviations are rounded down to 0.001.
      assert.equal(result.row[0], Math.min(table.columns[0].max, Number(result.row[0].toFixed(3))));
      assert.ok(result.row[0] > row[0] + 0.2 && result.row[0] <= row[0] + 0.201 + 1e-12, `${row} to ${result.row}`);
    }
  }
});

/** Increasing functions: straight, flattening, steepening, and with a limit. */
const CURVES = [
  (x) => x,
  (x) => Math.sign(x) * Math.sqrt(Math.abs(x)),
  (x) => 0.2 * x ** 3 + 0.3 * x,
  (x) => Math.tanh(x),
];

/** Tries every change of up to `most` columns to a whole number in the table. */
function bruteForce(row, table, reaches, most) {
  const { columns } = table;
  let best;
  const visit = (now, first, left, cost) => {
    if (best && cost >= best.cost) return;
    if (left === 0) {
      if (reaches(now)) best = { cost, row: [...now] };
      return;
    }
    for (let c = first; c < row.length; c++)
      for (let value = columns[c].min; value <= columns[c].max; value++) {
        if (value === row[c]) continue;
        const next = [...now];
        next[c] = value;
        visit(next, c + 1, left - 1, cost + Math.abs(value - row[c]) / columns[c].spread);
      }
  };
  for (let count = 1; count <= most && !best; count++) visit([...row], 0, count, 0);
  return best;
}

test('with monotone models, the change is the smallest of all changes within the table', async (t) => {
  const counts = [0, 0, 0, 0];
  let queries = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const { uniform } = dice(seed);
    const tops = [0, 1, 2].map(() => 15 + Math.floor(25 * uniform()));
    const rows = wholeRows(tops, seed + 100, 150);
    const table = await describeTable(rows);
    const weights = tops.map(() => (0.3 + uniform()) * (uniform() < 0.5 ? -1 : 1));
    const standard = (value, c) => (value - table.columns[c].mean) / table.columns[c].spread;
    const score = (row) => row.reduce((sum, value, c) => sum + weights[c] * CURVES[seed % 4](standard(value, c)), 0);
    const sorted = rows.map(score).sort((a, b) => a - b);
    const threshold = sorted[Math.floor(sorted.length * [0.5, 0.8, 0.97][seed % 3])];
    const row = rows.find((one) => score(one) <= sorted[Math.floor(sorted.length * 0.15)]);
    const expected = bruteForce(row, table, (one) => score(one) > threshold, 3);
    const result = await recourse(row, counting(score), { table, threshold });
    assert.equal(result.found, true, `seed ${seed}: ${result.message}`);
    assert.ok(score(result.row) > threshold);
    assert.equal(result.changes.length, expected.row.filter((value, c) => value !== row[c]).length, `seed ${seed}`);
    // The search may stop within a fiftieth of a deviation per column.
    const tolerance = result.changes.length === 1 ? 1e-9 : 0.02 * result.changes.length;
    assert.ok(result.size <= expected.cost + tolerance, `seed ${seed}: ${result.size}, not ${expected.cost}`);
    assert.ok(result.size >= expected.cost - 1e-9, `seed ${seed}: smaller than the smallest`);
    counts[result.changes.length]++;
    queries += result.queries.search;
  }
  t.diagnostic(
    `${counts.slice(1)} results with 1, 2 and 3 columns; ${(queries / 24).toFixed(0)} queries of the search`,
  );
  assert.ok(
    counts.slice(1).every((count) => count > 0),
    `${counts}`,
  );
});

test('a categorical column changes to the level that the model likes best', async () => {
  const rows = wholeRows([50, 50], 3).map((row, i) => [...row, ['rent', 'own', 'family', null][i % 4]]);
  const table = await describeTable(rows, { columns: ['a', 'b', 'home'], categorical: ['home'] });
  const bonus = { rent: 0, family: 0.3, own: 1, null: 2 };
  const score = ([a, b, home]) => (a + b) / 500 + bonus[home];
  const result = await recourse([10, 10, 'rent'], counting(score), { table, threshold: 0.9 });
  // A missing value would do too, but nobody can be advised to have none.
  assert.deepEqual(result.row, [10, 10, 'own']);
  assert.deepEqual(result.changes[0], {
    ...{ column: 'home', index: 2, from: 'rent', to: 'own', change: null, deviations: 1, range: null },
  });
  const both = await recourse([10, 10, 'rent'], counting(score), { table, threshold: 1.0805 });
  // 0.04 + 1 + 0.0405 and a little more: 21 more of a or b, whichever varies more.
  const wide = table.columns[0].spread > table.columns[1].spread ? 'a' : 'b';
  assert.deepEqual(summary(both), { home: 'own', [wide]: 31 });
  const fixed = await recourse([10, 10, 'rent'], counting(score), { table, threshold: 0.9, immutable: ['home'] });
  assert.equal(fixed.found, false);
});

test('on forests and boosted trees, every answer is confirmed by the model, and immutable columns never move', async (t) => {
  for (const [data, model] of [
    ['iris', 'forest'],
    ['wine', 'forest'],
    ['cancer', 'boosting'],
  ]) {
    const { table, rows, explained } = readModelFile(data);
    const { predict } = loadRowModel(data, model);
    const scoresOf = (row) => predict({ data: row, shape: [1, row.length] })[0];
    const tally = { tried: 0, found: 0, queries: 0 };
    for (const at of explained.slice(0, 8))
      for (const immutable of [[], [0, 2]]) {
        let asked = 0;
        const counted = (batch) => {
          asked += batch.shape[0];
          return predict(batch);
        };
        const row = rows[at];
        const result = await recourse(row, counted, { table, immutable });
        const before = scoresOf(row);
        const second = [...before.keys()].sort((a, b) => before[b] - before[a])[1];
        assert.equal(result.target, second);
        assert.equal(result.queries.total, asked);
        assert.equal(result.queries.explain + result.queries.search, asked);
        assert.ok(result.queries.search <= 300);
        tally.tried++;
        tally.queries += result.queries.search;
        if (!result.found) continue;
        tally.found++;
        const scores = scoresOf(result.row);
        assert.equal(result.prediction.to, scores[second]);
        assert.ok(
          scores.every((score, c) => c === second || score < scores[second]),
          `${data}, row ${at}`,
        );
        for (const c of immutable) assert.equal(result.row[c], row[c]);
      }
    t.diagnostic(
      `${data} ${model}: ${tally.found} of ${tally.tried} found, ${Math.round(tally.queries / tally.tried)} queries`,
    );
    assert.ok(tally.found > tally.tried / 2, data);
  }
});

test('a forest of this library with levels is led to another class', async () => {
  const rows = wholeRows([60, 60], 9).map((row, i) => [...row, i % 3 ? 'yes' : 'no']);
  const table = await describeTable(rows, { columns: ['a', 'b', 'member'], categorical: ['member'] });
  const labels = rows.map(([a, b, member]) => (a + b / 2 + (member === 'yes' ? 20 : 0) > 60 ? 'good' : 'bad'));
  const forest = await trainForest(rows, labels, { table, trees: 60, depth: 6 });
  const predict = (batch) => forest.predict(batch.rows);
  const { classes } = forest;
  const options = { table, classes, target: 'good' };
  const result = await recourse([5, 20, 'no'], predict, options);
  assert.equal(result.found, true);
  const [scores] = forest.predict([result.row]);
  assert.ok(scores[classes.indexOf('good')] > scores[classes.indexOf('bad')]);
  const back = await recourse(result.row, predict, { ...options, side: 'below' });
  assert.equal(back.found, true);
  const [after] = forest.predict([back.row]);
  assert.ok(after[classes.indexOf('good')] < after[classes.indexOf('bad')]);
});

test('where the model bends, the row that came closest is explained too', async () => {
  const rows = wholeRows([1000, 1000], 11, 400);
  const table = await describeTable(rows, { columns: ['a', 'b'] });
  // A ridge: more b helps only together with the right a, which rises with b.
  const score = ([a, b]) => 1 - ((a - 600) / 60) ** 2 / 40 + b / 1000;
  const row = [250, 200];
  const result = await recourse(row, counting(score), { table, threshold: 1.99, step: 0.002 });
  assert.equal(result.found, true, result.message);
  assert.ok(score(result.row) > 1.99);
  assert.equal(result.queries.explain, 2000);
});

test('it says why nothing was found', async () => {
  const rows = wholeRows([100, 100], 2);
  const table = await describeTable(rows, { columns: ['a', 'b'] });
  const up = ([a, b]) => (a + b) / 1000;
  const constant = await recourse(
    [5, 5],
    counting(() => 0),
    { table },
  );
  assert.deepEqual([constant.found, constant.reason, constant.tried], [false, 'unsure', []]);
  assert.equal(constant.closest, null);
  const all = await recourse([5, 5], counting(up), { table, threshold: 0.1, immutable: ['a', 1] });
  assert.equal(all.reason, 'unsure');
  const far = await recourse([5, 5], counting(up), { table });
  assert.deepEqual([far.reason, far.prediction], ['range', { from: 0.01, to: null }]);
  assert.match(far.message, /up to 3 columns among [ab], [ab]/);
  const short = await recourse([5, 5], counting(up), { table, threshold: 0.15, maxQueries: 4 });
  assert.deepEqual([short.reason, short.queries.search, short.complete], ['limit', 4, false]);
  for (const result of [constant, all, far, short]) checkRecourse(JSON.parse(JSON.stringify(result)));
});

test('nothing has to change if the answer is already there, and one query tells', async () => {
  const predict = counting(([a]) => a);
  const result = await recourse([3, 1, 1], predict, { table: linearTable, threshold: 2 });
  assert.deepEqual([result.found, result.reason, result.changes, result.row], [true, 'already', [], [3, 1, 1]]);
  assert.deepEqual([result.queries, predict.asked], [{ explain: 0, search: 1, total: 1 }, 1]);
});

test('columns move only in the direction that monotone allows', async () => {
  const score = ([income, debt, years]) => income / 200 - debt / 100 + years / 400;
  const row = [100, 150, 200];
  const call = (monotone) => recourse(row, counting(score), { table: linearTable, threshold: 0.2, monotone });
  assert.deepEqual(Object.keys(summary(await call({}))), ['debt']);
  assert.deepEqual(Object.keys(summary(await call({ debt: 'down' }))), ['debt']);
  const without = await call({ debt: 'up' });
  assert.deepEqual(Object.keys(summary(without)).sort(), ['income', 'years']);
  assert.deepEqual([...without.tried].sort(), ['income', 'years']);
});

test('a row outside of the range of the table does not go further out, and enters the range at once', async () => {
  const score = ([income, debt]) => income / 200 - debt / 100;
  const result = await recourse([400, 500, 200], counting(score), { table: linearTable, threshold: 0 });
  // The range of debt ends at 300, where the score is -1; it reaches 0 below 200.
  assert.deepEqual(summary(result), { debt: 199 });
  assert.deepEqual(result.tried, ['debt']);
  const inward = { table: linearTable, threshold: -1.2, immutable: ['debt'] };
  const up = await recourse([-50, 100, 200], counting(score), inward);
  assert.deepEqual(summary(up), { income: 0 });
});

test('among three classes, the target overtakes the others', async () => {
  const scores = ([a, b]) => [(100 - a) / 100, a / 100, b / 80];
  const rows = wholeRows([100, 100], 4);
  const table = await describeTable(rows, { columns: ['a', 'b'] });
  const classes = ['x', 'y', 'z'];
  const result = await recourse([20, 30], counting(scores), { table, classes, target: 'z' });
  // z must exceed 0.8, the answer of x: b above 64. Or both move: but one column is enough.
  assert.deepEqual(result.row, [20, 65]);
  assert.deepEqual([result.threshold, result.rival], [null, { from: 0.8, to: 0.8 }]);
  const other = await recourse([20, 30], counting(scores), { table, classes });
  assert.equal(other.target, 'z');
  const y = await recourse([20, 30], counting(scores), { table, classes, target: 1 });
  assert.deepEqual([y.target, y.row], ['y', [51, 30]]);
  const away = await recourse([20, 30], counting(scores), { table, classes, side: 'below' });
  assert.deepEqual([away.target, away.changes.length], ['x', 1]);
  assert.ok(away.prediction.to < away.rival.to);
});

test('a column that raises the target and its rival alike is not tried', async () => {
  const scores = ([a, b]) => [0.6 + a / 100, b / 80 + a / 100, 0.1];
  const table = await describeTable(wholeRows([100, 100], 4), { columns: ['a', 'b'] });
  const result = await recourse([20, 30], counting(scores), { table, target: 1 });
  assert.deepEqual([result.row, result.tried], [[20, 49], ['b']]);
});

test('only the best of many levels is combined with other columns', async () => {
  const levels = Array.from({ length: 15 }, (_, i) => `level ${i}`);
  const rows = wholeRows([60, 60], 6).map((row, i) => [...row, levels[i % 15]]);
  const table = await describeTable(rows, { columns: ['a', 'b', 'level'], categorical: ['level'] });
  const score = ([a, b, level]) => (a + b) / 600 + levels.indexOf(level) / 100;
  const result = await recourse([0, 0, 'level 0'], counting(score), { table, threshold: 0.2 });
  // 0.14 from the level, and more than 0.06 from one column: a and b are equally good per unit.
  const wide = table.columns[0].spread > table.columns[1].spread ? 'a' : 'b';
  assert.deepEqual(summary(result), { level: 'level 14', [wide]: 37 });
  assert.ok(result.queries.search < 60, `${result.queries.search} queries`);
});

test('with an explanation of the row, only the search asks', async () => {
  const score = ([income, debt, years]) => income / 200 - debt / 100 + years / 400;
  const row = [100, 150, 200];
  const explanation = await explainRow(row, counting(score), { table: linearTable });
  const predict = counting(score);
  const options = { table: linearTable, threshold: 0.2 };
  const result = await recourse(row, predict, { ...options, explanation });
  assert.deepEqual([result.queries.explain, result.queries.total], [0, predict.asked]);
  assert.deepEqual(result.row, (await recourse(row, counting(score), options)).row);
  const refused = (given, message) =>
    assert.rejects(recourse(row, counting(score), { ...options, explanation: given }), message);
  await refused({ ...explanation, kind: 'text' }, TypeError);
  const other = await explainRow([1, 2, 3], counting(score), { table: linearTable });
  await refused(other, /explanation must be of this row/);
  await assert.rejects(
    recourse(row, counting(score), { ...options, target: 0, explanation: other }),
    /explanation must be of this row/,
  );
  const quartiles = await explainRow(row, counting(score), { table: linearTable, discretize: 'quartile' });
  await refused(quartiles, /explanation must have slopes; .* do not discretize/);
  const raw = await explainRow(row, counting(score), { table: linearTable, units: 'raw', kernelWidth: 200 });
  assert.deepEqual((await recourse(row, counting(score), { ...options, explanation: raw })).row, result.row);
  const pair = (batch) => batch.rows.map((one) => [1 - score(one), score(one)]);
  const first = await explainRow(row, pair, { table: linearTable, target: 0 });
  await assert.rejects(
    recourse(row, pair, { table: linearTable, target: 1, explanation: first }),
    /explanation must be of target 1, not 0/,
  );
  assert.equal((await recourse(row, pair, { table: linearTable, side: 'below', explanation: first })).target, 0);
  const shares = { method: 'shap', background: [row, [1, 2, 3]] };
  await refused(await explainRow(row, counting(score), { table: linearTable, ...shares }), /must have slopes/);
});

test('the same call gives the same bits, frozen and unchanged by JSON', async () => {
  const score = ([income, debt, years]) => income / 200 - debt / 100 + years / 400;
  const call = () => recourse([100, 150, 200], counting(score), { table: linearTable, seed: 3, samples: 200 });
  const [first, second] = [await call(), await call()];
  assert.equal(JSON.stringify(first), JSON.stringify(second));
  assert.deepEqual(JSON.parse(JSON.stringify(first)), first);
  assert.ok(Object.isFrozen(first) && Object.isFrozen(first.changes[0]) && Object.isFrozen(first.row));
  const sized = await recourse([100, 150, 200], counting(score), {
    table: linearTable,
    seed: 3,
    samples: 200,
    batchSize: 7,
  });
  assert.deepEqual(sized, first);
});

test('a bad call is refused before the model is asked', async () => {
  const predict = counting(() => 0);
  const refused = (more, message, row = [1, 2, 3]) =>
    assert.rejects(recourse(row, predict, { table: linearTable, ...more }), message);
  await refused({ immutabel: [] }, /recourse has no option "immutabel"; did you mean "immutable"\?/);
  await refused({ immutable: ['age'] }, /immutable has a column that does not exist: "age"/);
  await refused({ immutable: 'income' }, /immutable must be an array of columns, not "income"/);
  await refused({ monotone: { income: 'more' } }, /monotone.income must be 'up' or 'down', not "more"/);
  await refused({ monotone: ['income'] }, /monotone must be an object/);
  await refused({ most: 0 }, /most must be a whole number from 1 to 5, not 0/);
  await refused({ step: 0 }, /step must be a number above 0/);
  await refused({ side: 'up' }, /side must be one of above, below, not "up"/);
  await refused({ threshold: NaN }, /threshold must be a number/);
  await refused({ target: ['a'] }, /target must be one class/);
  await refused({ target: 'good' }, /target must be a class or its index, not "good"/);
  await refused({ plausible: 2 }, /plausible must be a number/);
  await refused({ maxQueries: 1 }, /maxQueries must be a whole number/);
  await refused({ explanation: {} }, TypeError);
  await refused({}, /the row must have 3 columns, not 2/, [1, 2]);
  await refused({ table: undefined }, /recourse needs options.table/);
  await assert.rejects(recourse([1, 2, 3], predict), /recourse needs options.table/);
  await assert.rejects(recourse([1, 2, 3], 'model', { table: linearTable }), /takes the model as a function/);
  const rows = [
    ['x', 1],
    ['y', 2],
  ];
  const table = await describeTable(rows, { columns: ['home', 'n'], categorical: ['home'] });
  await assert.rejects(recourse(['x', 1], predict, { table, monotone: { home: 'up' } }), /"home" is categorical/);
  assert.equal(predict.asked, 0);
});

test('progress counts all queries, an abort and a failing model end the call', async () => {
  const score = ([income, debt, years]) => income / 200 - debt / 100 + years / 400;
  const row = [100, 150, 200];
  const reports = [];
  const onProgress = (progress) => void reports.push(progress);
  const result = await recourse(row, counting(score), { table: linearTable, onProgress, batchSize: 100 });
  assert.equal(reports.at(-1).asked, result.queries.total);
  assert.ok(reports.every(({ asked, planned }, i) => asked >= (reports[i - 1]?.asked ?? 0) && asked <= planned));
  assert.deepEqual([...new Set(reports.map(({ phase }) => phase))], ['search', 'explain']);
  const controller = new AbortController();
  const stop = ({ phase, asked }) => phase === 'search' && asked > 1000 && controller.abort(new Error('enough'));
  const { signal } = controller;
  await assert.rejects(recourse(row, counting(score), { table: linearTable, onProgress: stop, signal }), /enough/);
  const failing = counting(score);
  const late = (batch) => (failing.asked > 1001 ? batch.rows.map(() => NaN) : failing(batch));
  await assert.rejects(recourse(row, late, { table: linearTable }), { code: 'model-answer' });
  const changing = (batch) => (batch.shape[0] === 1 ? [[0, 1]] : batch.rows.map(score));
  await assert.rejects(recourse(row, changing, { table: linearTable }), Error);
  const throwing = () => {
    throw new Error('no more');
  };
  await assert.rejects(recourse(row, counting(score), { table: linearTable, onProgress: throwing }), /no more/);
  await assert.rejects(
    recourse(row, () => new Promise(() => {}), { table: linearTable, timeout: 5 }),
    { code: 'model-timeout' },
  );
});
