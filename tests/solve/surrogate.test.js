// LIME's surrogate and feature selection against scikit-learn and LIME's own code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { explainSamples, load } from 'linex';

before(() => load());

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')).cases;

test("LIME's ridge equals scikit-learn's Ridge with sample weights", () => {
  const cases = vectors('ridge.json');
  assert.deepEqual(
    cases.map(({ coefficients }) => coefficients.length),
    [4, 3, 12, 7, 20, 5],
  );
  for (const { points, answers, weights, alpha, coefficients, intercept, score } of cases) {
    const options = { method: 'lime', ridge: alpha, features: 'all', draws: 0 };
    const explanation = explainSamples({ points, predictions: answers, weights }, options);
    const near = (actual, expected) => assert.ok(Math.abs(actual - expected) <= 1e-9, `${actual} is not ${expected}`);
    assert.equal(explanation.weights.length, coefficients.length);
    explanation.weights.forEach((weight, c) => near(weight, coefficients[c]));
    near(explanation.intercept, intercept);
    near(explanation.fidelity, score);
  }
});

for (const selection of ['forward', 'highest', 'lasso', 'auto']) {
  test(`selection "${selection}" chooses the features that LIME's own code chooses`, () => {
    const cases = vectors('selection.json');
    assert.equal(cases.length, 60);
    for (const [i, { points, answers, weights, features, chosen }] of cases.entries()) {
      const options = { method: 'lime', selection, features, draws: 0 };
      const explanation = explainSamples({ points, predictions: answers, weights }, options);
      const ours = explanation.features.map(({ index }) => index).sort((a, b) => a - b);
      assert.deepEqual(ours, chosen[selection], `case ${i}`);
    }
  });
}

test("smoothed LIME is the mean, median or median of means of its environments' fits", () => {
  const [{ points, answers, weights }] = vectors('ridge.json').slice(2);
  // Five environments with given weights, so that each can be fitted alone.
  const environments = Array.from({ length: 5 }, (_, i) => weights.map((weight, j) => (j % 5 === i ? 0 : weight)));
  const fit = (own) =>
    explainSamples({ points, predictions: answers, weights: own }, { ...base, method: 'lime' }).weights;
  const base = { preset: 'paper', features: 'all', draws: 0 };
  const fits = environments.map(fit);
  const column = (c) => fits.map((one) => one[c]);
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const median = (values) => [...values].sort((a, b) => a - b)[(values.length - 1) / 2];
  // The median of means has three groups, of 1, 2 and 2 fits.
  const medianOfMeans = (values) => median([values.slice(0, 1), values.slice(1, 3), values.slice(3)].map(mean));
  for (const [smoothing, expected] of Object.entries({ mean, median, 'median-of-means': medianOfMeans })) {
    const options = { ...base, method: 's-lime', smoothing, environments };
    const { weights: smoothed } = explainSamples({ points, predictions: answers, weights }, options);
    assert.equal(smoothed.length, 12);
    smoothed.forEach((weight, c) => assert.ok(Math.abs(weight - expected(column(c))) < 1e-12, `${smoothing} ${c}`));
  }
});
