// Tests of compare: the parts sum to the change, and intervals of differences against closed forms and simulation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from 'linex';
import { explainedRow, silence } from '../support/contributions.js';
import { dice } from '../support/dice.js';

const near = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const byIndex = ({ features }, index) => features.find((feature) => feature.index === index);

test('the reference, the features and the rest sum to the change of the answer', () => {
  const { uniform } = dice(3);
  for (let round = 0; round < 50; round++) {
    const [from, to] = [0, 1].map(() =>
      explainedRow(
        Array.from({ length: 6 }, () => uniform() - 0.5),
        { reference: uniform(), error: 0.1 * uniform() },
      ),
    );
    const { change, reference, rest, features } = compare(from, to);
    near(change, to.prediction - from.prediction);
    near(reference, to.reference.localPrediction - from.reference.localPrediction);
    near(rest, to.prediction - to.localPrediction - (from.prediction - from.localPrediction));
    near(
      features.reduce((sum, part) => sum + part.change, reference + rest),
      change,
    );
    for (const { index, change: part } of features)
      near(part, to.features[index].contribution - from.features[index].contribution);
  }
});

test('the largest change comes first, with both sides', () => {
  const from = explainedRow([0.1, 0.2, -0.3], { values: [5, 'rent', 1] });
  const to = explainedRow([0.15, -0.4, -0.3], { values: [6, 'own', 1] });
  const { features } = compare(from, to);
  assert.deepEqual(
    features.map(({ index }) => index),
    [1, 0, 2],
  );
  const [{ from: before, to: after, sure }] = features;
  assert.deepEqual([before.value, after.value, before.contribution, after.contribution], ['rent', 'own', 0.2, -0.4]);
  assert.equal(sure, true);
  assert.equal(features[2].change, 0);
  assert.equal(features[2].sure, false);
});

test('the half-widths of two intervals add as squares', () => {
  const { interval, sure } = compare(explainedRow([0.1], { half: 0.03 }), explainedRow([0.3], { half: 0.04 }))
    .features[0];
  near(interval[0], 0.2 - 0.05);
  near(interval[1], 0.2 + 0.05);
  assert.ok(sure);
  const unsure = compare(explainedRow([0.1], { half: 0.3 }), explainedRow([0.3], { half: 0.4 })).features[0];
  near(unsure.interval[0], -0.3);
  assert.equal(unsure.sure, false);
});

test('an interval that is longer on one side makes that side of the difference longer', () => {
  const [from, to] = [explainedRow([0.1]), explainedRow([0.3])];
  from.features[0].contributionInterval = [0.1 - 0.06, 0.1 + 0.03];
  to.features[0].contributionInterval = [0.3 - 0.04, 0.3 + 0.08];
  const [low, high] = compare(from, to).features[0].interval;
  near(low, 0.2 - 0.05);
  near(high, 0.2 + 0.1);
});

test('about 95 of 100 intervals contain the true difference', () => {
  const { normal } = dice(11);
  let held = 0;
  const rounds = 4000;
  for (let round = 0; round < rounds; round++) {
    // The true contributions are 0.2 and 0.5; the standard errors 0.05 and 0.02.
    const from = explainedRow([0.2 + 0.05 * normal()], { half: 1.959964 * 0.05 });
    const to = explainedRow([0.5 + 0.02 * normal()], { half: 1.959964 * 0.02 });
    const [low, high] = compare(from, to).features[0].interval;
    if (low <= 0.3 && high >= 0.3) held++;
  }
  // Three standard errors of a share of 0.95 over 4,000 rounds are 0.0103.
  near(held / rounds, 0.95, 0.0103);
});

test('a side without an interval gives none, and an exact side adds no width', () => {
  const exact = { half: null, method: 'shap', queries: { planned: 8, asked: 8, stopped: 'exhausted' } };
  assert.equal(compare(explainedRow([0.1], { half: null }), explainedRow([0.3])).features[0].interval, null);
  const [low, high] = compare(explainedRow([0.1], exact), explainedRow([0.3], { half: 0.04 })).features[0].interval;
  near(low, 0.16);
  near(high, 0.24);
});

test('a feature that one side does not list contributes 0 there', () => {
  const from = explainedRow([0.1, 0.2]);
  from.features.splice(1, 1);
  from.prediction = 0.5;
  const part = byIndex(compare(from, explainedRow([0.1, 0.2])), 1);
  assert.deepEqual([part.from, part.change], [null, 0.2]);
  near(part.interval[0], 0.19);
});

test('a silenced side keeps its interval', () => {
  const from = silence(explainedRow([0.1]), 0, [-0.1, 0.2]);
  const { change, interval, sure } = compare(from, explainedRow([0.3], { half: 0.05 })).features[0];
  near(change, 0.3);
  near(interval[0], 0.3 - Math.sqrt(0.05 ** 2 + 0.2 ** 2));
  near(interval[1], 0.3 + Math.sqrt(0.05 ** 2 + 0.1 ** 2));
  assert.ok(sure);
});

test('log-odds are compared as log-odds', () => {
  const logit = (p) => Math.log(p / (1 - p));
  const answers = { link: 'logit', reference: { kind: 'background', localPrediction: 0.3 } };
  const [from, to] = [0.2, 0.9].map((answer) =>
    explainedRow([logit(answer) - logit(0.3)], { ...answers, prediction: answer, localPrediction: answer }),
  );
  const { change, rest, reference, features } = compare(from, to);
  const { link } = compare(from, to);
  near(change, logit(0.9) - logit(0.2));
  near(features[0].change, change);
  near(rest, 0);
  near(reference, 0);
  assert.equal(link, 'logit');
});

test('a comparison is frozen and survives JSON; explanations that differ in target are refused', () => {
  const comparison = compare(explainedRow([0.1]), explainedRow([0.2]));
  assert.ok(Object.isFrozen(comparison.features[0].from));
  assert.deepEqual(JSON.parse(JSON.stringify(comparison)), comparison);
  assert.throws(() => compare(explainedRow([1]), explainedRow([1], { target: 'no' })), TypeError);
  assert.throws(() => compare(explainedRow([1]), explainedRow([1], { reference: null })), TypeError);
});
