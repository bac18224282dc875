// Shapley values with samples: 'auto': when asking stops, and what was asked by then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainImage, explainRow, explainText } from 'linex';
import { withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';
import { brightness, scene } from '../support/scene.js';
import { interacting, near, scorer, shapleyOf, sum, tableOf } from '../support/shapley.js';

const WORDS = Array.from({ length: 20 }, (_, i) => `w${i}`);
const TEXT = WORDS.join(' ');
const shap = { method: 'shap', samples: 'auto' };
/** A few words decide, with an interaction of three. */
const score = (text) => {
  const has = (word) => Number(text.split(' ').includes(word));
  return 2 * has('w1') - has('w4') + 0.5 * has('w7') + 0.4 * has('w2') * has('w9') * has('w11') - 0.3 * has('w15');
};
const model = (texts) => texts.map(score);
/** A number between -1 and 1 that depends on every word. */
const noise = (text) => {
  let hash = 1;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
  return hash / 2 ** 31;
};

test('a text is asked about in whole pairs until the leading values are certain, and no query twice', async () => {
  const asked = [];
  const explanation = await explainText(TEXT, (texts) => model((asked.push(...texts), texts)), shap);
  const { queries, features } = explanation;
  assert.equal(queries.stopped, 'settled');
  assert.equal(queries.asked, asked.length);
  assert.equal(new Set(asked).size, asked.length);
  assert.ok(asked.length % 2 === 0 && asked.length < 1000);
  for (let i = 0; i < asked.length; i += 2)
    for (const word of WORDS) {
      const kept = [asked[i], asked[i + 1]].filter((text) => text.split(' ').includes(word));
      assert.equal(kept.length, 1);
    }
  const byName = Object.fromEntries(features.map((feature) => [feature.name, feature]));
  for (const [word, value] of [
    ['w1', 2],
    ['w4', -1],
    ['w7', 0.5],
    ['w9', 0.4 / 3],
  ])
    // prettier-ignore
    assert.ok(byName[word].interval[0] <= value && value <= byName[word].interval[1], word);
});

test('the values are those of a call with the same number of samples, for any batch size and concurrency', async () => {
  const first = await explainText(TEXT, model, { ...shap, seed: 3 });
  const { asked } = first.queries;
  const fixed = await explainText(TEXT, model, { method: 'shap', samples: asked, seed: 3 });
  assert.deepEqual(fixed.features, first.features);
  assert.equal(fixed.queries.stopped, undefined);
  for (const more of [{ batchSize: 1 }, { batchSize: 37, concurrency: 4 }, { batchSize: 1e6 }])
    assert.equal(withoutTime(await explainText(TEXT, model, { ...shap, seed: 3, ...more })), withoutTime(first));
});

test('a row is asked about with its whole background for each coalition', async () => {
  const { columnCount, values, score: play } = interacting(dice(8), 3);
  const options = { ...shap, table: await tableOf(columnCount), precision: 0.5 };
  const background = [new Array(columnCount).fill(0), new Array(columnCount).fill(0).with(3, 1)];
  const explanation = await explainRow(new Array(columnCount).fill(1), scorer(play), { ...options, background });
  const { asked, stopped } = explanation.queries;
  assert.equal(stopped, 'settled');
  // The full coalition is the row itself, every other one has two queries.
  assert.equal((asked - 1) % 2, 0);
  assert.equal((1 + (asked - 1) / 2) % 2, 0);
  near(sum(explanation.weights), explanation.prediction - explanation.intercept);
  const alone = await explainRow(new Array(columnCount).fill(1), scorer(play), {
    ...{ ...options, background: background.slice(0, 1) },
  });
  const inside = alone.features.filter(
    ({ index, interval: [low, high] }) => low <= values[index] && values[index] <= high,
  );
  assert.ok(inside.length >= 43, `${inside.length} of 50`);
});

test('an image is asked about until the leading values are certain', async () => {
  const options = { ...shap, segments: { kind: 'slic', count: 20 }, hide: [0, 0, 0] };
  const explanation = await explainImage(scene(), brightness, options);
  assert.equal(explanation.queries.stopped, 'settled');
  // The model is a sum over pixels, so the first look is certain, and the third is the first that may stop.
  assert.equal(explanation.queries.asked, 3 * 128);
  near(explanation.fidelity, 1);
});

test('asking stops at the cap if a model is only noise', async () => {
  for (const maxSamples of [400, 401]) {
    const options = { ...shap, maxSamples, precision: 1e-6 };
    const { queries } = await explainText(TEXT, (texts) => texts.map(noise), options);
    assert.deepEqual([queries.stopped, queries.asked], ['cap', 400]);
  }
  const rough = await explainText(TEXT, (texts) => texts.map(noise), { ...shap, maxSamples: 60 });
  assert.deepEqual([rough.queries.stopped, rough.queries.asked], ['cap', 60]);
  assert.match(rough.warnings[0], /60 coalitions are few for 20 features/);
});

/** Which of the words a text has, as bits. */
const bitsOf = (text) => sum(text.split(' ').map((word) => (word ? 2 ** WORDS.indexOf(word) : 0)));

/** A game of noise whose Shapley values are all 0: noise minus its values. No number of samples makes a sign certain. */
function undecided(count) {
  const noisy = Array.from({ length: 2 ** count }, (_, bits) => Math.sin(bits * bits));
  const values = shapleyOf(count, noisy);
  return noisy.map((one, bits) => one - sum(values.filter((_, c) => bits & (1 << c))));
}

test('all coalitions are asked if there are few, or if nothing else makes the values certain', async () => {
  for (const count of [5, 10]) {
    const worth = undecided(count).map((one, bits) => one + (count === 5 ? bits : 0));
    const predict = (texts) => texts.map((one) => worth[bitsOf(one)]);
    const text = WORDS.slice(0, count).join(' ');
    const { weights, queries, features } = await explainText(text, predict, { ...shap, precision: 1e-9 });
    assert.deepEqual([queries.stopped, queries.asked], ['exhausted', 2 ** count]);
    weights.forEach((weight, c) => near(weight, count === 5 ? 2 ** c : 0));
    assert.equal(features[0].interval, null);
  }
});

test('the limit is at least 4 coalitions per feature plus 2, unless maxSamples is given', async () => {
  const long = Array.from({ length: 1500 }, (_, i) => `w${i}`).join(' ');
  const stop = new AbortController();
  let limit;
  const onProgress = ({ planned }) => {
    limit = planned;
    stop.abort(new Error('enough'));
  };
  const options = { ...shap, onProgress, signal: stop.signal };
  await assert.rejects(explainText(long, model, options), /enough/);
  assert.equal(limit, 6002);
});

test('progress has the limit as its plan, and no partial explanation from too few answers', async () => {
  const told = [];
  const onProgress = ({ asked, planned, phase, partial }) => told.push({ asked, planned, phase, partial });
  const { queries, weights } = await explainText(TEXT, model, { ...shap, batchSize: 16, onProgress });
  const [, ...asking] = told.filter(({ phase }) => phase === 'model').toReversed();
  assert.ok(asking.every(({ planned }) => planned === 5000));
  assert.equal(told.at(-1).planned, queries.asked);
  for (const { asked, partial } of asking) assert.equal(partial === null, asked < 96);
  assert.deepEqual(told.at(-1).partial.weights, weights);
});

test('several targets stop together, when all of them are certain', async () => {
  const worth = undecided(12);
  const classes = (texts) => texts.map((text) => [Math.sqrt(bitsOf(text)), worth[bitsOf(text)]]);
  const options = { ...shap, maxSamples: 900, precision: 1e-6 };
  const text = WORDS.slice(0, 12).join(' ');
  const [first] = await explainText(text, classes, { ...options, target: [0] });
  assert.equal(first.queries.stopped, 'settled');
  assert.ok(first.queries.asked < 900);
  const both = await explainText(text, classes, { ...options, target: [0, 1] });
  assert.deepEqual(both.map(({ queries }) => [queries.stopped, queries.asked]), [['cap', 900], ['cap', 900]]); // prettier-ignore
});
