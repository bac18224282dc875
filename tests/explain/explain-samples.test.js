// explainSamples: explanations of points that a model has already answered.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';
import { explainSamples, load } from 'linex';
import { dice } from '../support/dice.js';
import { ridgeFit } from '../support/least-squares.js';

before(() => load());

const sum = (values) => values.reduce((total, value) => total + value, 0);
const random = dice(8);
const points = Array.from({ length: 60 }, () => [random.normal(), random.normal(), random.normal()]);
const predictions = points.map(([a, b]) => Math.tanh(a - b) + 0.1 * random.normal());

test('answered points are explained without a model', () => {
  const explanation = explainSamples({ points, predictions }, { columns: ['a', 'b', 'c'], gamma: 5 });
  assert.ok(explanation.weights[0] > 0 && explanation.weights[1] < 0);
  assert.equal(explanation.prediction, predictions[0]);
  assert.equal(explanation.features[0].value, points[0][explanation.features[0].index]);
  assert.deepEqual(explanation.queries, { planned: 0, asked: 0, reused: 0 });
  assert.ok(explanation.equilibrium.converged);
});

test('samples given twice equal samples with twice the weight', () => {
  const options = { method: 'lime', draws: 0 };
  const weights = points.map(() => random.uniform());
  const twice = explainSamples(
    {
      points: [...points, ...points],
      predictions: [...predictions, ...predictions],
      weights: [...weights, ...weights],
    },
    options,
  );
  const heavier = explainSamples({ points, predictions, weights: weights.map((weight) => 2 * weight) }, options);
  twice.weights.forEach((weight, c) => assert.ok(Math.abs(weight - heavier.weights[c]) < 1e-13));
});

/** LIME's weights of the points: exp(-distance² / (2 width²)). */
const kernel = (at, width) =>
  points.map((point) => Math.exp(-0.5 * (Math.hypot(...point.map((value, c) => value - at[c])) / width) ** 2));

const near = (actual, expected, what) =>
  assert.ok(Math.abs(actual - expected) < 1e-10, `${what}: ${actual}, not ${expected}`);

test("LIME's weights are those of a ridge regression, weighted by the distance from the input", () => {
  const cases = [
    [points[0], undefined, 0.75 * Math.sqrt(3)],
    [points[7], 2, 2],
    [[0.5, -0.5, 0], 0.8, 0.8],
    [[9, 9, 9], 50, 50],
  ];
  for (const [at, kernelWidth, width] of cases) {
    const options = { method: 'lime', features: 'all', ridge: 0.3, draws: 0, kernelWidth };
    const explanation = explainSamples({ points, predictions, at }, options);
    const weights = kernel(at, width);
    const { slopes, intercept } = ridgeFit(points, predictions, weights, 0.3);
    slopes.forEach((slope, c) => near(explanation.weights[c], slope, `weight ${c} at ${at}`));
    near(explanation.intercept, intercept, `intercept at ${at}`);
    near(explanation.localPrediction, intercept + sum(slopes.map((slope, c) => slope * at[c])), `prediction at ${at}`);
    near(
      explanation.effectiveSamples,
      sum(weights) ** 2 / sum(weights.map((weight) => weight ** 2)),
      `samples at ${at}`,
    );
  }
});

test("LINEX's weights are those of Theorem 1 if the features of both environments are independent", () => {
  // Each environment has the eight corners of a cube, and its own linear model. So its fit has the weights
  // slope * 8 / (8 + ridge), feature by feature.
  const corners = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((c) => (i & (1 << c) ? 1 : -1)));
  const models = [
    { constant: 10, slopes: [2, -3, 1] },
    { constant: 20, slopes: [1, -5, -4] },
  ];
  const answers = models.flatMap(({ constant, slopes }) =>
    corners.map((corner) => constant + sum(corner.map((value, c) => slopes[c] * value))),
  );
  const environments = [0, 1].map((i) => answers.map((_, j) => (Math.floor(j / 8) === i ? 1 : 0)));
  const samples = { points: [...corners, ...corners], predictions: answers, weights: answers.map(() => 1) };
  for (const ridge of [0, 1, 4]) {
    const shrunk = 8 / (8 + ridge);
    const explanation = explainSamples(samples, { preset: 'paper', environments, ridge, features: 'all', draws: 0 });
    // Two slopes of the same sign give the smaller one; opposite signs give 0.
    [1, -3, 0].forEach((slope, c) => near(explanation.weights[c], slope * shrunk, `weight ${c}, ridge ${ridge}`));
    near(explanation.intercept, 15, 'intercept');
    near(explanation.equilibrium.gamma, 5 * shrunk, 'gamma');
    // The first point is the input: (-1, -1, -1).
    near(explanation.localPrediction, 15 - shrunk + 3 * shrunk, 'local prediction');
    // Two players whose limit is 0.3 add up to 0.6 at most.
    const limits = { environments, ridge, gamma: 0.3, features: 'all', draws: 0 };
    const held = explainSamples(samples, { preset: 'paper', ...limits });
    [0.6, -0.6, 0].forEach((weight, c) => near(held.weights[c], weight, `held weight ${c}`));
  }
});

test('an input that is not among the points has no prediction', () => {
  assert.equal(explainSamples({ points, predictions, at: [9, 9, 9] }, { kernelWidth: 50 }).prediction, null);
  assert.equal(explainSamples({ points, predictions, at: points[5] }).prediction, predictions[5]);
});

test('classes are explained by name, by default the top one at the input', () => {
  const both = predictions.map((score) => [score, -score]);
  const options = { classes: ['up', 'down'], draws: 0 };
  const up = explainSamples({ points, predictions: both }, { ...options, target: 'up' });
  const down = explainSamples({ points, predictions: both }, { ...options, target: 'down' });
  up.weights.forEach((weight, c) => assert.ok(Math.abs(weight + down.weights[c]) < 1e-12));
  const top = explainSamples({ points, predictions: both }, options);
  assert.equal(top.target, predictions[0] > 0 ? 'up' : 'down');
});

test('the intercept can be free, a feature, or none', () => {
  const shifted = predictions.map((score) => score + 10);
  const explain = (intercept) => explainSamples({ points, predictions: shifted }, { intercept, draws: 0 });
  assert.ok(Math.abs(explain('free').intercept - 10) < 0.5);
  assert.equal(explain('none').intercept, 0);
  const { intercept, equilibrium } = explain('feature');
  assert.ok(Math.abs(intercept) <= 2 * equilibrium.gamma && Math.abs(intercept - 10) < 1);
  // As a feature, the intercept is bounded by gamma like any other weight.
  const held = explainSamples({ points, predictions: shifted }, { intercept: 'feature', gamma: 1, draws: 0 });
  assert.ok(Math.abs(held.intercept - 2) < 1e-9);
});

test('at most five weights are non-zero by default', () => {
  const wide = Array.from({ length: 80 }, () => Array.from({ length: 9 }, random.normal));
  const scores = wide.map((x) => x.reduce((sum, value, c) => sum + value * (c + 1), 0));
  const count = (options) =>
    explainSamples({ points: wide, predictions: scores }, { draws: 0, ...options }).weights.filter((w) => w !== 0)
      .length;
  assert.ok(count({}) <= 5);
  assert.ok(count({ features: 2 }) <= 2);
  assert.ok(count({ features: 'all' }) > 5);
});

test('bad samples are refused with their value', () => {
  const refused = (samples, options, pattern) => assert.throws(() => explainSamples(samples, options), pattern);
  refused({ points: [], predictions: [] }, {}, /number of points must be a whole number from 2/);
  refused({ points: [[], []], predictions: [1, 2] }, {}, /number of features must be a whole number from 1 .* not 0/);
  refused({ points: [[1], [2, 3]], predictions: [1, 2] }, {}, /points\[1\] must be an array of 1 numbers/);
  refused({ points: [[1], [NaN]], predictions: [1, 2] }, {}, /points\[1\]\[0\] must be a number .* not NaN/);
  refused({ points: [[1], [2]], predictions: [1] }, {}, /predictions must be an array of 2, one per point/);
  refused({ points: [[1], [2]], predictions: [1, Infinity] }, {}, /predictions\[1\]/);
  refused(
    { points: [[1], [2]], predictions: [1, 2], weights: [1, -1] },
    {},
    /weights\[1\] must be a number at least 0/,
  );
  refused({ points: [[1], [2]], predictions: [1, 2], weights: [0, 0] }, {}, /weights must not all be 0/);
  refused({ points: [[1], [2]], predictions: [1, 2], at: [1, 2] }, {}, /at must be an array of 1 numbers/);
  refused({ points: [[1], [2]], prediction: [1, 2] }, {}, /no option "prediction"; did you mean "predictions"/);
  refused({ points: [[1], [2]], predictions: [1, 2] }, { gama: 1 }, /did you mean "gamma"/);
});

test('objects with only a length are refused at once, and lists that lie about their length do no harm', () => {
  const hollow = { length: 1e9 };
  const before = performance.now();
  const samples = [
    { points: hollow, predictions: [1, 2] },
    { points: [[1], hollow], predictions: [1, 2] },
    { points: [hollow, hollow], predictions: [1, 2] },
    { points: [new Array(1e8), new Array(1e8)], predictions: [1, 2] },
    { points: [[1], [2]], predictions: hollow },
    { points: [[1], [2]], predictions: [hollow, hollow] },
    { points: [[1], [2]], predictions: [1, 2], weights: hollow },
    { points: ['12', '34'], predictions: [1, 2] },
  ];
  for (const given of samples)
    assert.throws(() => explainSamples(given), /^(TypeError|RangeError): (points|pred|weights)/);
  assert.ok(performance.now() - before < 1000);
  const points = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const predictions = [0, 1, 2, 3];
  const honest = explainSamples({ points, predictions }).weights;
  const lying = points.map((point) => Object.assign([...point], { *[Symbol.iterator]() {} }));
  assert.deepEqual(explainSamples({ points: lying, predictions }).weights, honest);
});

test('a synchronous call before load() says what to do', () => {
  const script = `import { solveGame } from 'linex'; solveGame({ grams: [[1]], targets: [[1]], gamma: 1 });`;
  const run = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      stdio: 'pipe',
      cwd: new URL('../..', import.meta.url),
    });
  assert.throws(run, (error) =>
    /solveGame is synchronous: await load\(\) before the first call/.test(String(error.stderr)),
  );
});
