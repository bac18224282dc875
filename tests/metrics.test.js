import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coefficientInconsistency, infidelity, signConflict, unidirectionality } from 'linex';

// Every expected value is worked out by hand from the formulas of the paper's section 4.

test('unidirectionality is 1 where all signs agree and 0 where they cancel', () => {
  assert.equal(
    unidirectionality([
      [1, -2],
      [3, -4],
    ]),
    1,
  );
  assert.equal(
    unidirectionality([
      [1, -2],
      [-3, 4],
    ]),
    0,
  );
  // Feature 0: |+1 +1 -1| = 1; feature 1: |-1 -1 -1| = 3; (1 + 3) / (3 * 2).
  assert.equal(
    unidirectionality([
      [1, -1],
      [2, -2],
      [-3, -3],
    ]),
    4 / 6,
  );
});

test('the sign of a zero is said by the caller', () => {
  const attributions = [
    [0, 1],
    [-1, 1],
  ];
  assert.equal(unidirectionality(attributions), (0 + 2) / 4);
  assert.equal(unidirectionality(attributions, { zero: 0 }), (1 + 2) / 4);
  assert.throws(() => unidirectionality(attributions, { zero: 2 }), /zero must be 0 or 1, not 2/);
});

test('only strictly opposite signs are in conflict', () => {
  assert.equal(
    signConflict([
      [1, 0, -1],
      [-1, 5, -1],
    ]),
    1 / 3,
  );
  // Pairs (0,1), (0,2), (1,2) of one feature: + -, + 0, - 0.
  assert.equal(signConflict([[1], [-1], [0]]), 1 / 3);
  assert.throws(() => signConflict([[1]]), /at least two/);
});

test('coefficient inconsistency is the mean L1 distance to the neighbours', () => {
  assert.equal(
    coefficientInconsistency(
      [1, 2],
      [
        [1, 2],
        [0, 4],
      ],
    ),
    1.5,
  );
  assert.throws(() => coefficientInconsistency([1, 2], [[1]]), /one length/);
});

test('infidelity is the mean absolute difference between model and surrogate at the inputs', () => {
  const explanations = [
    { prediction: 1, localPrediction: 0.5 },
    { prediction: 0, localPrediction: 0.25 },
  ];
  assert.equal(infidelity(explanations), 0.375);
  assert.throws(() => infidelity([{ prediction: null, localPrediction: 1 }]), /explanation 0 has no prediction/);
});
