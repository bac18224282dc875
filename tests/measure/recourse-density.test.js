// Tests of recourse with a density: the new row must be usual, as judged by the formula of the density.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { densityNeighborhood, describeTable, recourse } from 'linex';
import { dice } from '../support/dice.js';

/** A model that scores single rows. */
const modelOf = (score) => (batch) => batch.rows.map(score);

/** The kernel density of the other rows at each row, and of all rows at others; written as its formula. */
function typicalityByHand(rows, table, bandwidth, others) {
  const standard = (row) => row.map((value, c) => (value - table.columns[c].mean) / table.columns[c].spread);
  const points = rows.map(standard);
  const density = (at, among) =>
    among.reduce((sum, point) => {
      const square = point.reduce((total, value, c) => total + (value - at[c]) ** 2, 0);
      return sum + Math.exp(-square / (2 * bandwidth ** 2));
    }, 0) / among.length;
  const own = points.map((point, i) =>
    density(
      point,
      points.filter((_, j) => j !== i),
    ),
  );
  return others.map((row) => own.filter((value) => value <= density(standard(row), points)).length / rows.length);
}

/** Two columns that rise together. */
function correlatedRows() {
  const { uniform } = dice(21);
  return Array.from({ length: 200 }, () => {
    const both = Math.round(100 * uniform());
    return [both, Math.max(0, Math.min(100, both + Math.round(10 * (uniform() - 0.5))))];
  });
}

test('with a density, both columns move where moving one would be unusual', async () => {
  const rows = correlatedRows();
  const table = await describeTable(rows, { columns: ['a', 'b'] });
  const neighborhood = await densityNeighborhood(table, { bandwidth: 0.15 });
  const score = ([a, b]) => (2 * a + b) / 300;
  const row = rows.find(([a]) => a > 20 && a < 30);
  const alone = await recourse(row, modelOf(score), { table });
  assert.equal(alone.changes.length, 1);
  const result = await recourse(row, modelOf(score), { table, neighborhood });
  assert.equal(result.found, true, result.message);
  assert.equal(result.changes.length, 2);
  assert.ok(score(result.row) > 0.5);
  const [before, after, unusual] = typicalityByHand(rows, table, 0.15, [row, result.row, alone.row]);
  assert.deepEqual(result.plausibility, { from: before, to: after, least: Math.min(0.05, before) });
  assert.ok(after >= 0.05 && unusual < 0.05, `${after} and ${unusual}`);
  const one = await recourse(row, modelOf(score), { table, neighborhood, most: 1 });
  assert.deepEqual([one.found, one.reason], [false, 'implausible']);
  assert.ok(one.closest.prediction > 0.5 && one.closest.plausibility < 0.05);
  const lax = await recourse(row, modelOf(score), { table, neighborhood, plausible: 0 });
  assert.equal(lax.changes.length, 1);
});

test('with a density, the change ends at the first usual value beyond the threshold', async () => {
  const { uniform } = dice(33);
  // Nothing lies between 40 and 140.
  const rows = Array.from({ length: 200 }, (_, i) => [Math.round(40 * uniform()) + (i % 2 ? 140 : 0)]);
  const table = await describeTable(rows, { columns: ['a'] });
  const neighborhood = await densityNeighborhood(table, { bandwidth: 0.1 });
  const score = ([a]) => a / 150;
  const result = await recourse([20], modelOf(score), { table, neighborhood });
  const values = Array.from({ length: 181 }, (_, a) => [a]).filter((row) => score(row) > 0.5 && row[0] <= 180);
  const shares = typicalityByHand(rows, table, 0.1, values);
  const expected = values.find((_, i) => shares[i] >= 0.05);
  assert.ok(expected[0] > 100, `${expected}`);
  assert.deepEqual(result.row, expected);
});
