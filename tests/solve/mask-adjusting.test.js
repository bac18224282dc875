// Kriging of masks, through explainText: weights come closer to those of all masks, and intervals contain them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainText } from 'linex';
import { ridgeFit } from '../support/least-squares.js';

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'];
const EFFECTS = [1.5, -1, 0.8, 0.5, -0.4, 0.3, 0.2, 0, 0, 0.1, -0.1, 0.6];

/** A score that bends, and in which two neighbors act together. */
const scoreOf = (mask) => {
  const sum = EFFECTS.reduce((total, effect, j) => total + effect * mask[j], 0);
  return 1 / (1 + Math.exp(-2 * sum)) + (mask[4] && mask[5] ? 0.3 : 0);
};
const maskOf = (text) => WORDS.map((word) => Number(text.split(' ').includes(word)));
const predict = (texts) => texts.map((text) => [scoreOf(maskOf(text))]);
const explain = (options) => explainText(WORDS.join(' '), predict, { features: 'all', ...options });

const choose = (n, k) => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);

/** The weighted fit to all masks: the number of removed words is uniform, and LIME's kernel weighs. */
function weightsOfAllMasks() {
  const d = WORDS.length;
  const masks = Array.from({ length: 2 ** d - 1 }, (_, code) => WORDS.map((_, j) => (code >> j) & 1));
  const weights = masks.map((mask) => {
    const kept = mask.reduce((a, b) => a + b, 0);
    const distance = 100 * (1 - Math.sqrt(kept / d));
    return Math.exp(-(distance ** 2) / 25 ** 2 / 2) / choose(d, kept);
  });
  return ridgeFit(masks, masks.map(scoreOf), weights, 0).slopes;
}

const TRUTH = weightsOfAllMasks();
const errorOf = ({ weights }) => weights.reduce((sum, weight, j) => sum + (weight - TRUTH[j]) ** 2, 0);
const seeds = [0, 1, 2, 3];

for (const samples of [60, 300, 1000])
  test(`${samples} kriged masks give weights that are much closer to those of all masks`, async () => {
    let [kriged, plain] = [0, 0];
    for (const seed of seeds) {
      const found = await explain({ samples, seed, agreement: 0 });
      assert.equal(found.adjusted.kind, 'kriging');
      assert.ok(found.adjusted.gain > 2, `gain ${found.adjusted.gain}`);
      kriged += errorOf(found);
      plain += errorOf(await explain({ samples, seed, agreement: 0, adjust: 'none' }));
    }
    assert.ok(kriged < plain / 5, `squared errors ${kriged} and ${plain}`);
  });

test('intervals of kriged masks contain the weights of all masks', async () => {
  let [contained, all] = [0, 0];
  for (const samples of [100, 300, 1000])
    for (const seed of seeds)
      for (const { index, interval } of (await explain({ samples, seed })).features) {
        contained += Number(interval[0] <= TRUTH[index] && TRUTH[index] <= interval[1]);
        all++;
      }
  assert.ok(contained / all > 0.85, `${contained} of ${all}`);
});

test('a ridge of yours is kept, and more than 1,200 masks are bent', async () => {
  const { adjusted, ridge } = await explain({ samples: 200, ridge: 2 });
  assert.deepEqual([adjusted.kind, ridge], ['kriging', 2]);
  assert.equal((await explain({ samples: 3500 })).adjusted.kind, 'bend');
});

test('batches do not change a bit of kriged explanations', async () => {
  for (const samples of [300, 700]) {
    const whole = await explain({ samples });
    const parts = await explain({ samples, batchSize: 7, concurrency: 3 });
    assert.deepEqual(parts.weights, whole.weights);
    assert.deepEqual(parts.features, whole.features);
    assert.deepEqual(parts.adjusted, whole.adjusted);
  }
});
