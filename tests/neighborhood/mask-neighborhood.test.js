// Masks near the full one: all of them count as often as they would be drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainImage, explainText } from 'linex';
import { ridgeFit } from '../support/least-squares.js';

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'omega'];
/** A kernel so wide that it gives every mask a weight of 1. */
const EVEN = 1e12;

const sum = (values) => values.reduce((total, value) => total + value, 0);
const choose = (n, k) => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);

/** All masks of this many parts: 1 if the part is present. */
const masksOf = (parts) =>
  Array.from({ length: 2 ** parts }, (_, bits) => Array.from({ length: parts }, (_, c) => (bits >> c) & 1));

/** A score that no linear model fits, so that the weight of each mask matters. */
const bent = (mask) =>
  Math.tanh(sum(mask.map((present, c) => (present * (c % 2 ? -1 : 1)) / (c + 1)))) + mask[0] * mask[1];

/**
 * How often a mask is expected among the samples. The first sample is the full mask. For each other one, LIME draws the
 * number of removed words uniformly from 1 to all, then which words.
 */
function expectedTextCopies(mask, samples) {
  const removed = mask.length - sum(mask);
  return removed === 0 ? 1 : (samples - 1) / (mask.length * choose(mask.length, removed));
}

/** The same for superpixels: the first sample is the full mask, each other one tosses a coin per superpixel. */
const expectedImageCopies = (mask, samples) => (samples - 1) / 2 ** mask.length + (sum(mask) === mask.length ? 1 : 0);

const maskOfText = (words) => (text) => words.map((word) => Number(text.includes(word)));

test('the words of a short text get the weights of a fit to all masks, each counted as often as it is drawn', async () => {
  for (const [parts, samples] of [
    [2, 4],
    [3, 8],
    [3, 50],
    [4, 16],
    [4, 1000],
    [5, 32],
  ]) {
    // prettier-ignore
    const words = WORDS.slice(0, parts);
    const maskOf = maskOfText(words);
    const options = { samples, method: 'lime', features: 'all', ridge: 0.5, draws: 0 };
    const { weights, intercept, queries } = await explainText(
      words.join(' '),
      (texts) => texts.map((text) => bent(maskOf(text))),
      options,
    );
    assert.equal(queries.asked, 2 ** parts);
    const masks = masksOf(parts);
    // LIME's kernel: 100 times the cosine distance from the full mask, and a width of 25.
    const nearness = masks.map((mask) => Math.exp(-0.5 * ((100 * (1 - Math.sqrt(sum(mask) / parts))) / 25) ** 2));
    const copies = masks.map((mask, i) => nearness[i] * expectedTextCopies(mask, samples));
    const expected = ridgeFit(masks, masks.map(bent), copies, 0.5);
    const label = `${parts} words, ${samples} samples`;
    expected.slopes.forEach((slope, c) => assert.ok(Math.abs(weights[c] - slope) < 1e-12, `${label}: ${weights[c]}, not ${slope}`)); // prettier-ignore
    assert.ok(Math.abs(intercept - expected.intercept) < 1e-12, label);
  }
});

test('the superpixels of a small image get the weights of a fit to all masks, each counted as often as it is drawn', async () => {
  // A row of pixels that are superpixels of their own; a hidden one is black.
  const parts = 4;
  const image = { data: new Uint8Array(parts).fill(255), width: parts, height: 1, channels: 1 };
  const predict = ({ data, shape: [count] }) =>
    Array.from({ length: count }, (_, i) => bent(Array.from(data.subarray(i * parts, (i + 1) * parts), Number)));
  for (const samples of [16, 40]) {
    const { weights, queries } = await explainImage(image, predict, {
      segments: Uint32Array.from({ length: parts }, (_, i) => i),
      hide: [0],
      input: { scale: 1 / 255, mean: 0, std: 1 },
      ...{ samples, method: 'lime', features: 'all', ridge: 0.5, kernelWidth: EVEN, draws: 0 },
    });
    assert.equal(queries.asked, 16);
    const masks = masksOf(parts);
    const copies = masks.map((mask) => expectedImageCopies(mask, samples));
    const { slopes } = ridgeFit(masks, masks.map(bent), copies, 0.5);
    slopes.forEach((slope, c) => assert.ok(Math.abs(weights[c] - slope) < 1e-12, `${weights[c]}, not ${slope}`));
  }
});

test('a mask that is drawn often is missing from a bootstrap as rarely as chance says, even if few samples are asked for', async () => {
  // Three words and 8 samples: all 8 masks are asked. Ten copies have the proportions of the draw exactly: 1 of the full
  // mask, 1 of each mask that lacks one or two words (9 draws of sizes 1 to 3, over 3 masks each), and 3 of the empty one.
  // A bootstrap of ten copies lacks the empty mask with probability (1 - 3/10)^10. One copy of each mask, with any
  // weight, would lack it with probability (1 - 1/8)^8 = 0.34.
  const expected = 0.7 ** 10;
  const words = WORDS.slice(0, 3);
  const maskOf = maskOfText(words);
  const isEmpty = (texts) => texts.map((text) => (sum(maskOf(text)) === 0 ? 1 : 0));
  const options = { preset: 'paper', samples: 8, features: 'all', kernelWidth: EVEN, draws: 0, keepGame: true };
  const [seeds, players] = [1000, 2];
  let missing = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const { game } = await explainText(words.join(' '), isEmpty, { ...options, seed });
    // Only the empty text has an answer other than 0, so a player without it sees the same answer everywhere: its targets,
    // which are covariances with the answer, are 0. If no player has it, there is no game.
    missing += game ? game.targets.filter((target) => target.every((value) => value === 0)).length : players;
  }
  const share = missing / (seeds * players);
  const spread = Math.sqrt((expected * (1 - expected)) / (seeds * players));
  assert.ok(Math.abs(share - expected) < 3 * spread, `${share}, not ${expected}`);
});
