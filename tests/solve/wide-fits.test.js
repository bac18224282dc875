// Fits with few samples per feature: their ridge, their equilibrium against its definition, and their warnings.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { explainSamples, explainText, load } from 'linex';
import { dice } from '../support/dice.js';

before(() => load());

/** Answered masks of 60 samples. */
function wideSamples(seed, features = 45) {
  const random = dice(seed);
  const slopes = Array.from({ length: features }, random.normal);
  const points = Array.from({ length: 60 }, () => Array.from({ length: features }, () => random.below(2)));
  const predictions = points.map((x) => Math.tanh(x.reduce((sum, one, c) => sum + one * slopes[c], 0) / 4));
  return { points, predictions, weights: points.map(() => 0.25 + random.uniform()) };
}

const total = (list) => list.reduce((sum, value) => sum + value, 0);

/** The centered Gram matrix and targets of one environment, by their definition. */
function gameOf({ points, predictions }, counts, ridge) {
  const all = total(counts);
  const mean = points[0].map((_, c) => total(points.map((x, i) => counts[i] * x[c])) / all);
  const middle = total(predictions.map((y, i) => counts[i] * y)) / all;
  const off = points.map((x) => x.map((value, c) => value - mean[c]));
  const gram = mean.map((_, c) =>
    mean.map((_, d) => (total(off.map((x, i) => counts[i] * x[c] * x[d])) + (c === d ? ridge : 0)) / all),
  );
  const target = mean.map((_, c) => total(off.map((x, i) => counts[i] * x[c] * (predictions[i] - middle))) / all);
  return { gram, target, energies: mean.map((_, c) => total(off.map((x, i) => counts[i] * x[c] ** 2))) };
}

test('the default ridge of a wide fit is a tenth of the median energy of the features', () => {
  const samples = wideSamples(1);
  const { energies } = gameOf(samples, samples.weights, 0);
  const median = energies.sort((a, b) => a - b)[22];
  const { ridge, warnings } = explainSamples(samples, { features: 'all', draws: 0 });
  assert.ok(Math.abs(ridge / (0.1 * median) - 1) < 1e-12, `${ridge} and ${median}`);
  assert.ok(!warnings.some((warning) => /ridge/.test(warning)), warnings.join());
  // With enough samples per feature, or few features, it is LIME's.
  const narrow = { ...samples, points: samples.points.map((x) => x.slice(0, 15)) };
  assert.equal(explainSamples(narrow, { features: 'all', draws: 0 }).ridge, 1);
  assert.equal(explainSamples(samples, { features: 5, draws: 0, selection: 'auto' }).ridge, 1);
  assert.equal(explainSamples(samples, { features: 'all', draws: 0, ridge: 3 }).ridge, 3);
});

test('nobody gains at the equilibrium of a wide game, by the definition of the game', () => {
  for (let seed = 0; seed < 8; seed++) {
    const samples = wideSamples(seed);
    const random = dice(100 + seed);
    const count = 2 + (seed % 3);
    const environments = Array.from({ length: count }, () => samples.points.map(() => random.below(3)));
    const { weights, ridge, equilibrium } = explainSamples(samples, {
      features: 'all',
      draws: 0,
      environments,
      games: 1,
    });
    const { players, gamma, converged, residual, medianResidual } = equilibrium;
    assert.ok(converged && residual <= 1e-9, `${residual}`);
    assert.ok(medianResidual <= 1e-7, `${medianResidual}`);
    environments.forEach((counts, i) => {
      const { gram, target } = gameOf(samples, counts, ridge);
      for (let c = 0; c < weights.length; c++) {
        const move = (target[c] - total(gram[c].map((value, d) => value * weights[d]))) / gram[c][c];
        const room = move > 0 ? gamma - players[i][c] : gamma + players[i][c];
        assert.ok(Math.min(Math.abs(move), room) <= 1e-8 * gamma, `player ${i}, feature ${c}: ${move}`);
        assert.ok(Math.abs(players[i][c]) <= gamma);
      }
    });
    for (let c = 0; c < weights.length; c++)
      assert.ok(Math.abs(total(players.map((own) => own[c])) - weights[c]) <= 1e-12 * gamma);
  }
});

test('a small ridge of your own is kept, with a warning that names one that is large enough', () => {
  const samples = wideSamples(3);
  const { ridge, warnings } = explainSamples(samples, { features: 'all', draws: 0, ridge: 1e-4 });
  assert.equal(ridge, 1e-4);
  const [, advised] = warnings.join('\n').match(/a ridge of 0\.0001 is small for 45 features.*set at least ([\d.]+)/);
  const { energies } = gameOf(samples, samples.weights, 0);
  const least = 0.05 * energies.sort((a, b) => a - b)[22];
  assert.ok(Math.abs(Number(advised) / least - 1) < 0.01, `${advised} and ${least}`);
  const again = explainSamples(samples, { features: 'all', draws: 0, ridge: Number(advised) * 1.01 });
  assert.ok(!again.warnings.some((warning) => /is small for/.test(warning)));
});

test('a wide game that cannot be solved says so, and names a ridge at which it can', async () => {
  const words = Array.from({ length: 100 }, (_, i) => `w${i}x`).join(' ');
  const model = (texts) => texts.map((text) => Math.tanh(Math.sin(text.length / 50) + (text.charCodeAt(3) || 0) / 90));
  const options = { preset: 'paper', samples: 100, environments: 4, features: 'all', draws: 3, ridge: 1e-3 };
  const { equilibrium, warnings } = await explainText(words, model, options);
  const { converged, unsettled, certifiedRidge } = equilibrium;
  assert.equal(converged, false);
  assert.ok(unsettled >= 1 && certifiedRidge > 1e-3, `${unsettled} ${certifiedRidge}`);
  assert.match(warnings.join('\n'), /did not converge: .* of gamma; with a ridge of [\d.]+ it does/);
  const certified = await explainText(words, model, { ...options, ridge: certifiedRidge, draws: 0 });
  assert.equal(certified.equilibrium.converged, true);
});

test('a mean of games that can have several equilibria has a warning', () => {
  const samples = wideSamples(5);
  const paper = { preset: 'paper', features: 'all', draws: 0 };
  const warn = (options) => explainSamples(samples, { ...paper, ...options }).warnings.join('\n');
  assert.match(warn({ games: 3, ridge: 1e-3 }), /mean of 3 games may mix .* with a small ridge/);
  assert.doesNotMatch(warn({ games: 3 }), /mix/);
  assert.doesNotMatch(warn({ games: 3, environments: 'halves' }), /mix/);
  const many = wideSamples(6, 140);
  const halves = { ...paper, environments: 'halves' };
  assert.match(
    explainSamples(many, { ...halves, games: 3 }).warnings.join('\n'),
    /mean of 3 games may mix .* of halves/,
  );
  assert.doesNotMatch(explainSamples(many, { ...halves, games: 1 }).warnings.join('\n'), /mix/);
});
