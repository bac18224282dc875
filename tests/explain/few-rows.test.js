// Intervals of rows with fewer samples than columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRow } from 'linex';
import { dice } from '../support/dice.js';

test('intervals contain the weights of a line whose columns outnumber the samples', async () => {
  const { normal } = dice(11);
  const columns = 48;
  const table = await describeTable(Array.from({ length: 200 }, () => Array.from({ length: columns }, normal)));
  const slopes = Array.from({ length: columns }, normal);
  const truth = table.columns.map(({ spread }, c) => slopes[c] * spread);
  const answer = (row) => row.reduce((sum, value, c) => sum + slopes[c] * value, 0);
  let covered = 0;
  for (let seed = 0; seed < 6; seed++) {
    const row = Array.from({ length: columns }, normal);
    const { features } = await explainRow(row, (batch) => Array.from(batch, answer), {
      ...{ table, samples: 40, seed, features: 'all' },
    });
    covered += features.filter(
      ({ index, interval: [low, high] }) => low <= truth[index] && truth[index] <= high,
    ).length;
  }
  const share = covered / (6 * columns);
  assert.ok(share > 0.9, `${share} of the intervals contain the weight`);
});
