// Shapley values of words and superpixels, and how they are listed and rendered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainImage, explainText, renderBarsSVG, renderTerminal, renderTextHTML } from 'linex';
import { brightness, DISCS, scene, shareIn } from '../support/scene.js';
import { near, sum } from '../support/shapley.js';

test('a coalition of words is the text without the other words, and several targets share the queries', async () => {
  const text = 'not a good film, not at all';
  const seen = [];
  const score = (one) => {
    const [not, good, film] = ['not', 'good', 'film'].map((word) => Number(one.includes(word)));
    return [good * (1 - 1.5 * not) + 0.25 * film, film];
  };
  const predict = (texts) => {
    seen.push(...texts);
    return texts.map(score);
  };
  const [first, second] = await explainText(text, predict, { method: 'shap', target: [0, 1] });
  assert.equal(seen.length, 2 ** 6);
  assert.equal(new Set(seen).size, 2 ** 6);
  assert.deepEqual(seen.slice(0, 2), [text, ',']);
  const byName = Object.fromEntries(first.features.map(({ name, weight }) => [name, weight]));
  near(byName.not, -0.75);
  near(byName.good, 0.25);
  near(byName.film, 0.25);
  assert.equal(byName.all, 0);
  assert.equal(first.intercept, 0);
  near(first.localPrediction, -0.25);
  near(second.weights[3], 1);
  assert.equal(second.features.length, 6);
  const masked = [];
  await explainText('good film', (texts) => texts.map((one) => masked.push(one)), { method: 'shap', mask: '[MASK]' });
  assert.deepEqual(masked.toSorted(), ['[MASK] [MASK]', '[MASK] film', 'good [MASK]', 'good film']);
});

test('texts of one and two words get values', async () => {
  const predict = (texts) => texts.map((one) => 3 * one.includes('yes') + one.includes('yes') * one.includes('sir'));
  const one = await explainText('yes', predict, { method: 'shap' });
  assert.deepEqual([one.weights, one.fidelity, one.queries.asked], [[3], 1, 2]);
  const two = await explainText('yes sir', predict, { method: 'shap' });
  near(two.weights[0], 3.5);
  near(two.weights[1], 0.5);
});

test('superpixels share the answer of a model that adds up pixels', async () => {
  const options = {
    method: 'shap',
    segments: { kind: 'slic', count: 20 },
    hide: [0, 0, 0],
    samples: 500,
    batchSize: 64,
  };
  const explanation = await explainImage(scene(), brightness, options);
  near(sum(explanation.weights), explanation.prediction - explanation.intercept);
  // The model is a sum over pixels, so a segment's value is what hiding it alone takes away.
  for (const disc of DISCS) {
    const inDisc = explanation.weights.map((_, label) => shareIn(disc, explanation.labels, label));
    const most = inDisc.indexOf(Math.max(...inDisc));
    assert.equal(Math.sign(explanation.weights[most]), disc.weight);
  }
  near(explanation.fidelity, 1);
  const same = await explainImage(scene(), brightness, { ...options, batchSize: 7, concurrency: 3 });
  assert.deepEqual(same.weights, explanation.weights);
  const wide = await explainImage(scene(), ({ data, shape }) => Array.from({ length: shape[0] }, (_, i) => data[i]), {
    ...{ method: 'shap', segments: { kind: 'grid', count: 300 }, concurrency: 8, input: { width: 48 } },
  });
  assert.ok(wide.queries.asked > 1000);
});

test('features lists the largest values, weights has all', async () => {
  const text = 'one two three four five six';
  const predict = (texts) => texts.map((one) => sum(one.split(' ').map((word) => word.length)));
  const { features, weights, method } = await explainText(text, predict, { method: 'shap', features: 2 });
  assert.deepEqual([features.length, features[0].name, method], [2, 'three', 'shap']);
  near(sum(weights), 22);
});

test('renderings show values without intervals, and no value as unsure', async () => {
  const predict = (texts) => texts.map((one) => Number(one.includes('good')) - 0.5 * one.includes('bad'));
  const explanation = await explainText('good bad', predict, { method: 'shap' });
  const drawn = [
    renderTerminal(explanation, { details: true }),
    renderBarsSVG(explanation, { details: true }),
    renderTextHTML(explanation, { styles: false }),
  ];
  for (const rendering of drawn) {
    assert.match(rendering, /SHAP · R² 1\.00 · 4 queries · exact/);
    assert.match(rendering, /−0\.500/);
    assert.doesNotMatch(rendering, /unsure|unknown|NaN|null|undefined/);
  }
});
