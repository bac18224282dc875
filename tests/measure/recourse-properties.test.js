// What holds for every result of recourse, whatever the model and the options: tried with fast-check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkRecourse, describeTable, recourse, renderRecourseSentence, renderRecourseSVG } from 'linex';

const NAMES = ['whole', 'decimal', 'small', 'kind', 'flag'];
const KINDS = ['a', 'b', 'c'];
const ROWS = Array.from({ length: 120 }, (_, i) => [
  (i * 37) % 91,
  ((i * 7919) % 1000) / 100,
  ((i * 104729) % 997) * 1e-6,
  KINDS[(i * 5) % 3],
  (i * 11) % 4 === 0,
]);
const table = await describeTable(ROWS, { columns: NAMES, categorical: ['kind', 'flag'] });
const { columns } = table;

/** Models of all sorts: straight, wavy, with steps, with products, and with three classes. */
const MODELS = {
  straight: (x, w) => x.reduce((sum, value, c) => sum + w[c] * value, 0),
  wavy: (x, w) => Math.sin(x[0] * w[0]) + Math.cos(x[1] * w[1]) + w[2] * x[2] + w[3] * x[3],
  steps: (x, w) => Math.floor(3 * x[0] * w[0]) + Math.floor(2 * x[1] * w[1]) + Math.floor(x[3] * w[3]),
  product: (x, w) => x[0] * x[1] * w[0] + w[2] * x[2] + x[4] * w[4] * x[0],
  constant: () => 0.25,
};

/** The row in standard deviations; levels as numbers. */
const standard = (row) =>
  row.map((value, c) => {
    const column = columns[c];
    return column.kind === 'numeric' ? (value - column.mean) / column.spread : column.levels.indexOf(value) - 1;
  });

const tenths = (min, max) => fc.integer({ min, max }).map((value) => value / 10);

const cases = fc.record({
  model: fc.constantFrom(...Object.keys(MODELS)),
  weights: fc.array(tenths(-20, 20), { minLength: 5, maxLength: 5 }),
  classes: fc.boolean(),
  at: fc.nat({ max: ROWS.length - 1 }),
  options: fc.record(
    {
      threshold: tenths(-20, 40),
      side: fc.constantFrom('above', 'below'),
      immutable: fc.uniqueArray(fc.constantFrom(...NAMES, 0, 3), { maxLength: 2 }),
      monotone: fc.dictionary(fc.constantFrom('whole', 'decimal', 'small'), fc.constantFrom('up', 'down')),
      most: fc.integer({ min: 1, max: 4 }),
      step: fc.constantFrom(0.001, 0.02, 0.3),
      maxQueries: fc.constantFrom(2, 9, 60, 300),
      samples: fc.constantFrom(60, 200),
      seed: fc.nat(),
    },
    { requiredKeys: [] },
  ),
});

/** Checks a result against the model and the options. */
function checkResult(result, row, options, scoresOf, asked) {
  const { side = 'above', immutable = [], monotone = {}, most = 3, maxQueries = 300 } = options;
  checkRecourse(JSON.parse(JSON.stringify(result)));
  assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
  assert.deepEqual(result.queries, {
    ...{ explain: result.queries.explain, search: asked - result.queries.explain, total: asked },
  });
  assert.ok(result.queries.search <= maxQueries);
  const target = result.target ?? 0;
  const margin = (one) => {
    const scores = scoresOf(one);
    const limit = result.threshold ?? Math.max(...scores.filter((_, c) => c !== target));
    return (scores[target] - limit) * (side === 'above' ? 1 : -1);
  };
  assert.equal(result.prediction.from, scoresOf(row)[target]);
  const { found, changes, closest } = result;
  assert.equal(found, result.row !== null);
  assert.equal(found && changes.length === 0, result.reason === 'already');
  assert.equal(result.reason === 'already', margin(row) > 0);
  if (found) {
    assert.ok(margin(result.row) > 0, 'the model does not confirm it');
    assert.equal(result.prediction.to, scoresOf(result.row)[target]);
    assert.deepEqual(
      result.row.flatMap((value, c) => (value === row[c] ? [] : [c])),
      changes.map(({ index }) => index).sort((a, b) => a - b),
    );
  }
  for (const change of [...changes, ...(closest?.changes ?? [])]) checkChange(change, row, immutable, monotone);
  assert.ok(changes.length <= most && (closest?.changes.length ?? 0) <= most);
  if (found) for (const { column } of changes) assert.ok(result.tried.includes(column), `${column} was not tried`);
}

function checkChange({ column, index, from, to }, row, immutable, monotone) {
  assert.equal(from, row[index]);
  assert.equal(column, NAMES[index]);
  assert.ok(!immutable.includes(column) && !immutable.includes(index), `${column} is immutable`);
  const { kind, min, max, whole, levels } = columns[index];
  if (kind === 'categorical') {
    assert.ok(levels.includes(to));
    return;
  }
  assert.ok(to >= min && to <= max, `${column} = ${to} is not in the table's range`);
  if (whole) assert.ok(Number.isInteger(to), `${column} = ${to}`);
  if (monotone[column]) assert.equal(to > from ? 'up' : 'down', monotone[column]);
}

test('every result is confirmed by the model, keeps to the options, and can be drawn', async (t) => {
  const outcomes = {};
  const property = fc.asyncProperty(cases, async ({ model, weights, classes, at, options }) => {
    // Adding 0 makes 0 of -0, which JSON does not have.
    const score = (row) => MODELS[model](standard(row), weights) + 0;
    const scoresOf = (row) => (classes ? [0.2, score(row), 1 - score(row) ** 2] : [score(row)]);
    let asked = 0;
    const predict = (batch) => {
      asked += batch.shape[0];
      return batch.rows.map(scoresOf);
    };
    const row = ROWS[at];
    const result = await recourse(row, predict, { table, ...options });
    checkResult(result, row, options, scoresOf, asked);
    assert.ok(renderRecourseSentence(result).length > 10);
    assert.match(renderRecourseSVG(result), /^<svg [^]*<\/svg>$/);
    const key = result.reason ?? `${result.changes.length} columns`;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
  });
  await fc.assert(property, { numRuns: 300, seed: 5 });
  t.diagnostic(JSON.stringify(outcomes));
  for (const key of ['1 columns', '2 columns', 'already', 'unsure', 'range', 'limit']) assert.ok(outcomes[key], key);
});
