// Tests the measures of stability and faithfulness.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  classAttributionConsistency,
  coefficientInconsistency,
  describeTable,
  explainRow,
  explainSamples,
  generalizedInfidelity,
  infidelity,
  load,
  shapSlopes,
  signConflict,
  unidirectionality,
} from 'linex';
import { dice } from '../support/dice.js';

// All expected values are computed by hand from the formulas in section 4 of the paper.

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

test('unidirectionality is 1 if all signs agree and 0 if they cancel', () => {
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

test('the caller chooses the sign of a zero', () => {
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

test('coefficient inconsistency is the mean L1 distance to the neighbors', () => {
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
  assert.throws(() => coefficientInconsistency([1, 2], [[1]]), /the same length, not 2 and 1/);
});

test('infidelity is the mean absolute difference between model and surrogate at the inputs', () => {
  const explanations = [
    { prediction: 1, localPrediction: 0.5 },
    { prediction: 0, localPrediction: 0.25 },
  ];
  assert.equal(infidelity(explanations), 0.375);
  assert.throws(
    () => infidelity([{ prediction: null, localPrediction: 1 }]),
    /explanation 0 must have a finite prediction/,
  );
});

test("coefficient inconsistency with normalize: 'sum' compares only proportions", () => {
  assert.equal(coefficientInconsistency([1, 3], [[10, 30]], { normalize: 'sum' }), 0);
  // (0.25, 0.75) against (0.5, -0.5): 0.25 + 1.25; against zeros, which stay zeros: 0.25 + 0.75.
  const neighbors = [
    [2, -2],
    [0, 0],
  ];
  assert.equal(coefficientInconsistency([1, 3], neighbors, { normalize: 'sum' }), (1.5 + 1) / 2);
  assert.equal(coefficientInconsistency([1, 3], neighbors, { normalize: 'none' }), (6 + 4) / 2);
  assert.throws(
    () => coefficientInconsistency([1], [[1]], { normalize: 'one' }),
    /normalize must be one of none, sum, not "one"/,
  );
});

const LOCAL = [
  { prediction: 4, localPrediction: 3, intercept: 1, weights: [2], method: 'lime' },
  { prediction: 5, localPrediction: 6, intercept: 0, weights: [3], method: 'linex' },
  { prediction: 0, localPrediction: -1, intercept: -1, weights: [1] },
];
const POINTS = [[1], [2], [0]];

test("generalized infidelity predicts an input with its neighbors' surrogates", () => {
  // At x0 = 1, where the model says 4: 0 + 3 * 1 = 3 and -1 + 1 * 1 = 0, off by 1 and 4.
  // At x1 = 2, where it says 5: 1 + 2 * 2 = 5, off by 0. At x2 = 0, where it says 0: 1 and 0, off by 1 and 0.
  const neighbors = [[1, 2], [0], Uint32Array.of(0, 1)];
  assert.equal(generalizedInfidelity(LOCAL, { neighbors, points: POINTS }), (2.5 + 0 + 0.5) / 3);
  const asked = [];
  const points = (of, at) => {
    asked.push([of, at]);
    return POINTS[of];
  };
  assert.equal(generalizedInfidelity(LOCAL, { neighbors, points }), 1);
  assert.deepEqual(asked, [
    [0, 1],
    [0, 2],
    [1, 0],
    [2, 0],
    [2, 1],
  ]);
});

test("a category is encoded from the neighbor's view: 1 if it equals the neighbor's own, else 0", () => {
  const levels = ['red', 'red', 'blue'];
  // x0 has the level of its neighbor x1 (0 + 3) but not that of x2 (-1 + 0): off by 1 and 5 from 4, on average 3.
  const points = (of, at) => [levels[of] === levels[at] ? 1 : 0];
  // x1 by x0: 1 + 2, off by 2. x2 by x1: 0, off by 0.
  assert.equal(generalizedInfidelity(LOCAL, { neighbors: [[1, 2], [0], [1]], points }), (3 + 2 + 0) / 3);
});

test('if each input is its only neighbor, generalized infidelity equals infidelity, for every method', async () => {
  await load();
  for (const method of ['linex', 'lime', 's-lime', 'baseline']) {
    const random = dice(8);
    const points = [0, 1, 2].map(() => [random.normal(), random.normal()]);
    const explanations = points.map((at) => {
      const others = Array.from({ length: 40 }, () => at.map((value) => value + random.normal()));
      const predictions = [at, ...others].map(([x, y]) => x * x - y);
      return explainSamples({ points: [at, ...others], predictions }, { method, draws: 0 });
    });
    assert.ok(infidelity(explanations) > 0.01);
    near(generalizedInfidelity(explanations, { neighbors: [[0], [1], [2]], points }), infidelity(explanations));
  }
});

test('the baseline predicts the same everywhere', () => {
  const baseline = LOCAL.map((explanation) => ({ ...explanation, method: 'baseline' }));
  // |4 - 6|, |5 - 3|, |0 - 3|.
  assert.equal(generalizedInfidelity(baseline, { neighbors: [[1], [0], [0]], points: POINTS }), 7 / 3);
});

test('SHAP attributions become the slopes of a line through reference and input', () => {
  assert.deepEqual(shapSlopes([6, -1, 0.5], { at: [4, 2, 3], reference: [1, 4, 3] }), [2, 0.5, 0]);
  // Base 1, attribution 6 at 4 with reference 1: 1 + 2 (x - 1). Base 2, attribution -3 at 2: 2 - 3 (x - 1).
  const explanations = [
    { prediction: 7, localPrediction: 7, intercept: 1, weights: [6], method: 'shap' },
    { prediction: -1, localPrediction: -1, intercept: 2, weights: [-3], method: 'shap' },
  ];
  // The second gives -7 at 4, off by 14; the first gives 3 at 2, off by 4. Both are exact at their own input.
  const options = { neighbors: [[1], [0]], points: [[4], [2]], reference: [1] };
  assert.equal(generalizedInfidelity(explanations, options), 9);
  assert.equal(generalizedInfidelity(explanations, { ...options, reference: () => [1] }), 9);
  assert.equal(generalizedInfidelity(explanations, { ...options, neighbors: [[0], [1]] }), 0);
  assert.throws(
    () => generalizedInfidelity(explanations, { ...options, reference: undefined }),
    /explanation 0 is by SHAP, so the option reference is required/,
  );
});

test('log-odds from SHAP become probabilities before they are compared with the model', async () => {
  const rows = [[1, 2], [0, 1], [2, 0], [-1, 1], [0.5, -1]]; // prettier-ignore
  const table = await describeTable(rows);
  const predict = (batch) => Array.from(batch, ([a, b]) => 1 / (1 + Math.exp(0.5 - a + 2 * b)));
  // With one background row, a logistic model is linear in log-odds, so its slopes are exact at every input.
  const options = { table, method: 'shap', link: 'logit', background: [[0.25, 0.25]] };
  const explanations = await Promise.all(rows.map((row) => explainRow(row, predict, options)));
  const neighbors = [[1], [2], [3], [4], [0]];
  const error = generalizedInfidelity(explanations, { neighbors, points: rows, reference: [0.25, 0.25] });
  assert.ok(error < 1e-9, `${error}`);
  assert.ok(infidelity(explanations) < 1e-9);
  const withoutLink = explanations.map(({ link, ...rest }) => (assert.equal(link, 'logit'), rest));
  assert.ok(generalizedInfidelity(withoutLink, { neighbors, points: rows, reference: [0.25, 0.25] }) > 0.5);
});

test('measures of weights accept explanations and arrays, and labels may be booleans', async () => {
  const arrays = [[1, -2, 3], [2, 2, 0.5], [0.5, -1, 1]]; // prettier-ignore
  const explanations = arrays.map((weights) => ({ weights, prediction: 1 }));
  assert.equal(unidirectionality(explanations), unidirectionality(arrays));
  assert.equal(signConflict(explanations), signConflict(arrays));
  assert.equal(
    coefficientInconsistency(explanations[0], explanations.slice(1)),
    coefficientInconsistency(arrays[0], arrays.slice(1)),
  );
  const options = { inputs: [[1, 2, 4], [2, 1, 0], [3, 0, 1]], labels: [true, false, true] }; // prettier-ignore
  assert.equal(classAttributionConsistency(explanations, options), classAttributionConsistency(arrays, options));
  const ends = { at: [1, 1, 1], reference: [0, 0, 3] };
  assert.deepEqual(shapSlopes(explanations[0], ends), shapSlopes(arrays[0], ends));
});

test('measures that need a prediction refuse bare weights and empty objects', () => {
  assert.throws(() => infidelity([[1, 2]]), /explanation 0 must be an explanation, not Array of length 2/);
  assert.throws(() => infidelity([{}]), /explanation 0 must have a finite prediction, not undefined/);
  assert.throws(
    () => infidelity([{ prediction: 1 }]),
    /explanation 0 must have a finite localPrediction, not undefined/,
  );
  assert.throws(() => infidelity([{ prediction: NaN, localPrediction: 1 }]), /must have a finite prediction, not NaN/);
  const options = { neighbors: [[0]], points: [[1]] };
  assert.throws(() => generalizedInfidelity([[1]], options), /explanation 0 must be an explanation, not Array/);
  assert.throws(
    () => generalizedInfidelity([{ prediction: 1 }], options),
    /explanation 0 must have weights, not undefined/,
  );
  assert.throws(() => unidirectionality([]), /attributions must be arrays of weights or explanations, not Array/);
  assert.throws(() => signConflict([[1], null]), /attributions must have the same length, not 1 and undefined/);
});

test('class attribution consistency is the mean correlation of the class means', () => {
  const attributions = [
    [1, 0, -1],
    [3, 0, -3],
    [1, 2, 0],
  ];
  const inputs = [
    [1, 2, 3],
    [3, 4, 5],
    [0, 1, 0],
  ];
  const labels = ['a', 'a', 'b'];
  // a: (2, 0, -2) against (2, 3, 4): one falls as the other rises, so r is -1.
  // b: (0, 1, -1) against (-1, 2, -1) / 3: 1 / (sqrt(2) sqrt(2 / 3)) = sqrt(3) / 2.
  const [a, b] = [-1, Math.sqrt(3) / 2];
  near(classAttributionConsistency(attributions, { inputs, labels }), (a + b) / 2);
  near(classAttributionConsistency(attributions, { inputs, labels, classes: ['a'] }), a);
  near(classAttributionConsistency(attributions, { inputs, labels, classes: ['b'] }), b);
  near(classAttributionConsistency(attributions, { inputs, labels: Uint8Array.of(1, 1, 0), classes: [0] }), b);
});

test('a class whose mean is the same in every feature has no correlation, and the error names it', () => {
  const inputs = [
    [1, 2],
    [3, 5],
    [7, 7],
  ];
  const labels = ['a', 'b', 'c'];
  const attributions = [
    [0.1, 0.1],
    [1, 2],
    [1, 2],
  ];
  const measure = (options) => classAttributionConsistency(attributions, { inputs, labels, ...options });
  assert.throws(() => measure(), /the mean attribution of class "a" is 0.1 in every feature/);
  assert.throws(() => measure({ classes: ['b', 'c'] }), /the mean input of class "c" is 7 in every feature/);
  near(measure({ classes: ['b'] }), 1);
  near(measure({ constant: 'zero' }), 1 / 3);
});

test('huge and tiny numbers have finite measures, or an error that names what is not finite', () => {
  const { MAX_VALUE, MIN_VALUE } = Number;
  near(shapSlopes([4e307], { at: [1e308], reference: [-1e308] })[0], 0.2);
  assert.throws(
    () => shapSlopes([0, 1], { at: [0, MIN_VALUE], reference: [0, 0] }),
    /the slope of feature 1 is not finite: 1 per 5e-324/,
  );
  // The class means rise and fall together, whatever their size.
  for (const size of [MAX_VALUE, 1e200, 1, 1e-200, MIN_VALUE]) {
    const rows = [size, size, 0];
    near(classAttributionConsistency([rows, rows], { inputs: [rows, rows], labels: [0, 0] }), 1);
    near(classAttributionConsistency([rows, rows], { inputs: [[0, 0, 1], [0, 0, 1]], labels: [0, 0] }), -1); // prettier-ignore
  }
  const far = { prediction: MAX_VALUE, localPrediction: 0 };
  assert.equal(infidelity([far, far]), MAX_VALUE);
  assert.throws(
    () => infidelity([{ ...far, localPrediction: -MAX_VALUE }]),
    /not finite or too large: their mean is Infinity/,
  );
});

test('bad calls are refused with the value and what was expected', () => {
  const refused = (call, pattern, kind = RangeError) =>
    assert.throws(call, (error) => error instanceof kind && pattern.test(error.message));
  const general = (change, explanations = LOCAL) =>
    generalizedInfidelity(explanations, { neighbors: [[1], [0], [0]], points: POINTS, ...change });
  refused(() => general({}, 'all'), /expects explanations, not "all"/, TypeError);
  refused(() => generalizedInfidelity(LOCAL), /options as an object, not undefined/, TypeError);
  refused(() => general({ neighbours: [] }), /no option "neighbours"; did you mean "neighbors"/, TypeError);
  refused(
    () => general({ neighbors: [[1]] }),
    /neighbors must have 3 items, one array per explanation, not Array of length 1/,
  );
  refused(() => general({ neighbors: [[1], [], [0]] }), /neighbors\[1\] must name at least one/);
  refused(() => general({ neighbors: [[1], [3], [0]] }), /neighbors\[1\] must be a whole number from 0 to 2, not 3/);
  refused(() => general({ points: undefined }), /points must have 3 items, one per explanation, not undefined/);
  refused(() => general({ points: [[1, 2], [1], [0]] }), /point 0, as explanation 1 encodes it, must have 1 numbers/);
  refused(() => general({ points: () => [NaN] }), /must have finite numbers, not NaN/);
  refused(
    () => general({}, [{ ...LOCAL[0], prediction: null }, ...LOCAL.slice(1)]),
    /explanation 0 must have a finite prediction/,
  );

  const classes = (change, attributions = [[1, 2]]) =>
    classAttributionConsistency(attributions, { inputs: [[1, 2]], labels: ['a'], ...change });
  refused(() => classes({}, [[]]), /attributions must be arrays of weights/);
  refused(() => classes({}, [[1, Infinity]]), /attributions\[0\] must have finite numbers, not Infinity/);
  refused(() => classes({ inputs: [] }), /inputs must have 1 items, one per attribution, not Array of length 0/);
  refused(() => classes({ inputs: [[1]] }), /inputs\[0\] must have 2 numbers, not Array of length 1/);
  refused(() => classes({ labels: ['a', 'b'] }), /labels must have 1 items, one per attribution/);
  refused(() => classes({ classes: ['b'] }), /class "b" has no attributions/);
  refused(() => classes({ classes: [] }), /classes must be an array of labels/);
  refused(() => classes({ constant: 'skip' }), /constant must be one of error, zero, not "skip"/);
  refused(() => shapSlopes([1], { at: [1, 2], reference: [1] }), /at must have 1 numbers, not Array of length 2/);
  refused(() => shapSlopes([1], { at: [1], reference: ['0'] }), /reference must have finite numbers, not "0"/);
});

test('attributions that are no numbers are refused by name', () => {
  const strange = [Object.create(null), null, ''];
  assert.throws(() => shapSlopes(strange, { at: [0, 0, 0], reference: [0, 0, 0] }), /the attribution must have finite/);
  assert.throws(() => coefficientInconsistency([1, 2]), /neighbors must be an array of attributions, not undefined/);
});
