// Checks that 95 % intervals of rows hold what they say: not too narrow, and not too wide either.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRow } from 'linex';
import { dice } from '../support/dice.js';

/** Steps and interactions: a surrogate explains some of it, and designed samples balance some of the rest. */
const model = ({ data, shape: [count, width] }) =>
  Float64Array.from({ length: count }, (_, i) => {
    const row = data.subarray(i * width, (i + 1) * width);
    return row.reduce((sum, value, c) => {
      const [next, third] = [row[(c + 1) % width], row[(c + 3) % width]];
      return sum + (value > 0.2 ? 0.5 / (1 + c) : 0) + 0.3 * value * next + (value > 0 && third > 0 ? 0.5 : 0);
    }, 0);
  });

/** The share of the intervals that contain the weight of a fit to very many samples. */
async function shareCovered({ columns, samples, seeds }) {
  const { normal } = dice(3);
  const table = await describeTable(Array.from({ length: 200 }, () => Array.from({ length: columns }, normal)));
  const row = Array.from({ length: columns }, normal);
  const explain = (options) => explainRow(row, model, { table, features: 'all', ...options });
  const exact = await explain({ method: 'lime', adjust: 'none', agreement: 0, draws: 0, samples: 2 ** 16 + 1 });
  let covered = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const { features } = await explain({ samples, seed });
    for (const { index, interval } of features)
      covered += Number(interval[0] <= exact.weights[index] && exact.weights[index] <= interval[1]);
  }
  return covered / (seeds * columns);
}

for (const size of [
  { columns: 12, samples: 90, seeds: 30 },
  { columns: 5, samples: 5000, seeds: 60 },
])
  test(`${size.columns} columns, ${size.samples} samples: about 95 % of the intervals contain the exact weight`, async () => {
    const share = await shareCovered(size);
    assert.ok(share >= 0.92 && share <= 0.98, String(share));
  });
