// Tests the demo page's measures of change between runs, on cases that are worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOfWeights, changesSign, countChanges } from '../../web/change-of-weights.js';

test('the change is the mean distance of two runs, as a share of their mean size', () => {
  assert.equal(changeOfWeights([[1, -1], [1, -1]]), 0); // prettier-ignore
  // Sizes 2, 2, 4, mean 8/3. Distances 4, 2, 6, mean 4.
  assert.equal(changeOfWeights([[1, 1], [-1, -1], [2, 2]]), 4 / (8 / 3)); // prettier-ignore
  assert.equal(changeOfWeights([[0, 0], [0, 0]]), 0); // prettier-ignore
});

test('a feature changes sides if it is positive in one run and negative in another; zero is no side', () => {
  const runs = [[1, 0, -1, 2], [1, -1, 1, 0], [2, 0, 0, 1]]; // prettier-ignore
  assert.deepEqual(
    [0, 1, 2, 3].map((index) => changesSign(runs, index)),
    [false, false, true, false],
  );
  assert.equal(countChanges(runs), 1);
});
