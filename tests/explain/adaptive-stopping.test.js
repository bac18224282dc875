// Partial explanations, and when samples: 'auto' stops.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRow, explainText, solveGame } from 'linex';
import { StoppingRule } from '../../js/explain/adaptive-stopping.js';
import { lookAt } from '../../js/explain/plan.js';
import { predict, rows, table, withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';

const SCORES = { moving: 2, love: 3, boring: -2, terrible: -3 };
const sum = (text) => text.split(/\W+/).reduce((total, word) => total + (SCORES[word] ?? 0), 0);
const model = (texts) => texts.map(sum);
const TEXT = 'a moving tale of love that some found boring, but nobody could call it a terrible or a wasted evening';

test('partial explanations after each batch approach the final one', async () => {
  const seen = [];
  const onProgress = ({ asked, phase, partial, progress }) => progress > 0 || seen.push({ asked, phase, partial });
  const last = await explainText(TEXT, model, { samples: 400, batchSize: 50, adjust: 'none', onProgress });
  assert.equal(seen.length, 9);
  const off = seen.map(({ partial }) => Math.max(...partial.weights.map((one, c) => Math.abs(one - last.weights[c]))));
  assert.ok(off[0] > off[3] && off[3] > off[7], off.join(' '));
  for (const { asked, partial } of seen) {
    assert.equal(partial.queries.asked, asked);
    assert.equal(partial.kind, 'text');
    assert.ok(Object.isFrozen(partial));
  }
  assert.deepEqual(seen[8].partial.weights, last.weights);
});

test('a partial explanation is computed on first access, from the answers at the time of its progress event', async () => {
  // Adjusting reports too, without progress.
  const options = { samples: 300, batchSize: 100, adjust: 'none' };
  const kept = [];
  // How often solving reports depends on the machine.
  const keep = (event) => event.progress > 0 || kept.push(event);
  const once = [];
  const look = (event) => event.progress > 0 || once.push(event.partial);
  await explainText(TEXT, model, { ...options, onProgress: keep });
  await explainText(TEXT, model, { ...options, onProgress: look });
  assert.deepEqual(
    kept.map(({ partial }) => withoutTime(partial)),
    once.map(withoutTime),
  );
  assert.equal(kept[0].partial, kept[0].partial);
});

test('neither partial explanations nor the order of batches change the final explanation', async () => {
  const plain = withoutTime(await explainText(TEXT, model, { samples: 300 }));
  const delays = [9, 1, 6, 2];
  const uneven = async (texts) => {
    await new Promise((resolve) => setTimeout(resolve, delays[texts[0].length % 4]));
    return model(texts);
  };
  let looked = 0;
  const onProgress = ({ asked, partial }) => {
    looked++;
    if (partial) assert.ok(partial.queries.asked <= asked);
  };
  const options = { samples: 300, batchSize: 20, concurrency: 5, onProgress };
  assert.deepEqual(withoutTime(await explainText(TEXT, uneven, options)), plain);
  assert.ok(looked >= 14);
});

test('rows get partial explanations, unless there are too few answers', async () => {
  const seen = [];
  const onProgress = ({ partial }) => seen.push(partial);
  const options = { table, samples: 40, batchSize: 20, onProgress, target: [0, 1], classes: ['no', 'yes'] };
  await explainRow(rows[0], predict, options);
  assert.deepEqual(seen[0].map(({ target }) => target), ['no', 'yes']); // prettier-ignore
  const single = [];
  await explainText('moving love boring terrible tale', model, {
    batchSize: 1,
    samples: 10,
    onProgress: ({ partial }) => single.push(partial),
  });
  assert.equal(single[0], null);
  assert.equal(single[1].queries.asked, 2);
});

test("samples: 'auto' stops once the leading weights are certain, and asks no query twice", async () => {
  const asked = [];
  const watch = (texts) => {
    asked.push(...texts);
    return model(texts);
  };
  const explanation = await explainText(TEXT, watch, { samples: 'auto' });
  // The model is linear, so the leading weights are certain at the first look, after the input and 128 samples, and at the
  // next two.
  assert.equal(explanation.queries.stopped, 'settled');
  assert.equal(explanation.queries.planned, 385);
  const independent = await explainText(TEXT, model, { samples: 'auto', sampling: 'independent' });
  assert.equal(independent.queries.planned, 384);
  assert.equal(explanation.queries.asked, asked.length);
  assert.equal(new Set(asked).size, asked.length);
  assert.deepEqual(
    explanation.features.slice(0, 4).map(({ name }) => SCORES[name]).sort(), // prettier-ignore
    [-2, -3, 2, 3].sort(),
  );
  const { queries } = explanation;
  const fixed = await explainText(TEXT, model, { samples: queries.planned });
  assert.deepEqual(fixed.weights, explanation.weights);
});

test("samples: 'auto' gives the same explanation for any batch size and concurrency", async () => {
  const plain = withoutTime(await explainText(TEXT, model, { samples: 'auto' }));
  for (const options of [{ batchSize: 10 }, { batchSize: 1000 }, { batchSize: 30, concurrency: 4 }])
    assert.deepEqual(withoutTime(await explainText(TEXT, model, { samples: 'auto', ...options })), plain);
});

test("samples: 'auto' stops at the cap, and asks all perturbations if there are few", async () => {
  // The model is noise, so no weight becomes certain.
  const noise = (texts) => texts.map((text) => ((sum(text) * 7919 + text.length * 104729) % 1000) / 1000);
  const capped = await explainText(TEXT, noise, { samples: 'auto', maxSamples: 400, precision: 1e-6 });
  assert.equal(capped.queries.stopped, 'cap');
  assert.equal(capped.queries.planned, 400);
  const few = await explainText('moving love boring', model, { samples: 'auto' });
  assert.deepEqual(few.queries, { planned: 5000, asked: 8, reused: 4992, stopped: 'exhausted' });
});

test("samples: 'auto' asks no query twice if it ends up asking all perturbations", async () => {
  // Nine words have 512 perturbations: more than are asked at once, and fewer than the cap.
  const text = 'film was not good but music is truly great';
  const has = (whole, word) => (whole.split(' ').includes(word) ? 1 : 0);
  const mixed = (one) =>
    has(one, 'good') * (1 - 2 * has(one, 'not')) * 0.6 + has(one, 'great') * has(one, 'truly') * 0.3;
  for (let seed = 0; seed < 5; seed++) {
    const asked = [];
    const watch = (texts) => {
      asked.push(...texts);
      return texts.map(mixed);
    };
    const kept = [];
    const options = { samples: 'auto', seed, precision: 1e-4, onProgress: (progress) => kept.push(progress) };
    const explanation = await explainText(text, watch, options);
    assert.equal(new Set(asked).size, asked.length);
    const all = await explainText(text, (texts) => texts.map(mixed), { samples: 5000, seed });
    assert.ok(Math.abs(explanation.fidelity - all.fidelity) < 0.05, `${explanation.fidelity}, ${all.fidelity}`);
    // A progress event that is read late has the answers from the time of the event.
    assert.equal(kept[1].partial.queries.asked, kept[1].asked);
    assert.ok(kept[1].partial.fidelity > 0.5 * all.fidelity);
  }
});

test("samples: 'auto' goes on if the first answers do not determine the weights", async () => {
  const words = Array.from({ length: 150 }, (_, i) => `w${i}`);
  const first = (texts) => texts.map((text) => (text.includes('w7 ') ? 1 : 0));
  const options = { samples: 'auto', maxSamples: 600, ridge: 0, features: 'all', draws: 0 };
  const { queries, weights } = await explainText(words.join(' '), first, options);
  assert.ok(queries.planned > 150);
  assert.ok(Math.abs(weights[7] - 1) < 1e-6);
});

/** A linear model of columns, with a fast sine as its noise. */
const noisy = (slopes, noise) => (batch) =>
  [...batch].map((row) => slopes.reduce((sum, slope, c) => sum + slope * row[c], noise * Math.sin(1e4 * row[0])));

/** Explains a row of standard normal columns, one per slope. */
async function explainColumns(slopes, noise, options) {
  const random = dice(21);
  const sample = Array.from({ length: 200 }, () => slopes.map(random.normal));
  const columns = await describeTable(sample);
  const defaults = { table: columns, samples: 'auto', features: 'all', precision: 0.01 };
  return explainRow(new Array(slopes.length).fill(0.1), noisy(slopes, noise), { ...defaults, ...options });
}

/** Whether a weight is certain: its sign is certain, or its interval is narrow compared with the largest weight. */
const isSure = ({ interval: [low, high] }, largest) => low > 0 || high < 0 || high - low <= 0.01 * Math.abs(largest);

test("samples: 'auto' stops at the third look if all weights of a linear model are certain at the first", async () => {
  for (let seed = 0; seed < 5; seed++) {
    // The first look comes after the input and 128 samples, the next ones after 128 more. The leading features must stay the same for two more looks.
    const { queries, weights } = await explainColumns([10, 9, 8, 7, 6], 0, { seed });
    assert.deepEqual(queries, { planned: 385, asked: 385, reused: 0, stopped: 'settled' });
    const fixed = await explainColumns([10, 9, 8, 7, 6], 0, { seed, samples: 385 });
    assert.deepEqual(fixed.weights, weights);
    assert.equal(fixed.queries.stopped, undefined);
  }
});

test("samples: 'auto' asks up to the cap if a model of rows is only noise", async () => {
  for (let seed = 0; seed < 5; seed++) {
    const { queries } = await explainColumns([0, 0, 0, 0, 0], 5, { seed, maxSamples: 700 });
    assert.deepEqual(queries, { planned: 700, asked: 700, reused: 0, stopped: 'cap' });
  }
});

test("samples: 'auto' goes on while the fifth weight is uncertain, even if the first four are certain", async () => {
  let decided = 0;
  for (let seed = 0; seed < 20; seed++) {
    const { features, queries } = await explainColumns([10, 9, 8, 7, 0], 5, { seed, maxSamples: 384 });
    const sure = features.map((feature) => isSure(feature, features[0].weight));
    assert.deepEqual(sure.slice(0, 4), [true, true, true, true]);
    assert.equal(features[4].index, 4);
    assert.equal(queries.stopped, sure[4] ? 'settled' : 'cap', `seed ${seed}`);
    decided += !sure[4];
  }
  // The interval of a weight that is truly 0 should contain 0 about 19 times in 20.
  assert.ok(decided >= 15 && decided <= 20, `${decided}`);
});

test("samples: 'auto' stops even if the sixth weight is uncertain", async () => {
  let unsure = 0;
  for (let seed = 0; seed < 20; seed++) {
    const { features, queries } = await explainColumns([10, 9, 8, 7, 6, 0], 5, { seed, maxSamples: 1000 });
    assert.deepEqual([queries.stopped, queries.planned], ['settled', 385], `seed ${seed}`);
    unsure += !isSure(features[5], features[0].weight);
  }
  assert.ok(unsure >= 15, `${unsure}`);
});

test('keepGame keeps the game that was solved', async () => {
  const once = { samples: 200, keepGame: true, preset: 'paper' };
  const { game, weights, equilibrium, features } = await explainText(TEXT, model, once);
  const solved = solveGame(game);
  const chosen = features.map(({ index }) => index).sort((a, b) => a - b);
  chosen.forEach((index, row) => assert.ok(Math.abs(solved.weights[row] - weights[index]) < 1e-9, `${index}`));
  assert.equal(game.gamma, equilibrium.gamma);
  const watched = solveGame({ ...game, solver: 'best-response', trace: true });
  assert.equal(watched.trace.length, watched.rounds);
  const plays = await explainText(TEXT, model, { ...once, intercept: 'feature' });
  assert.equal(plays.game.targets[0].length, plays.features.length + 1);
  // In the steady preset all features play, on halves.
  const steady = await explainText(TEXT, model, { samples: 200, keepGame: true, games: 1, weight: 'games' });
  const halves = solveGame(steady.game);
  // Without `raw`, silencing changed nothing: what is silenced is 0 in the game too.
  const { raw = steady.weights } = steady;
  raw.forEach((weight, index) => assert.ok(Math.abs(halves.weights[index] - weight) < 1e-9, `${index}`));
  const silent = await explainText(TEXT, (texts) => texts.map(() => 1), { samples: 20, keepGame: true });
  assert.equal(silent.game, undefined);
  assert.equal((await explainText(TEXT, model, { samples: 20, keepGame: true, method: 'lime' })).game, undefined);
});

test('with several targets, all of them must be certain before asking stops', () => {
  const certain = { solved: { fitted: [0], raw: [1], low: [0.9], high: [1.1] } };
  const uncertain = { solved: { fitted: [0], raw: [1], low: [-1], high: [3] } };
  const settlesWith = (...solutions) => {
    const rule = new StoppingRule(0.2);
    return [1, 2, 3, 4].map(() => rule.isSettled(solutions));
  };
  assert.deepEqual(settlesWith(certain, certain), [false, false, true, true]);
  assert.deepEqual(settlesWith(uncertain, certain), [false, false, false, false]);
  assert.deepEqual(settlesWith(certain, uncertain), [false, false, false, false]);
});

test("with samples: 'auto', the weights are looked at in whole runs, as close to every 128 samples as possible", () => {
  const looks = (run) => [1, 2, 3].map((look) => lookAt(look, 'designed', 5000, run));
  assert.deepEqual(looks(1), [129, 257, 385]);
  assert.deepEqual(looks(64), [129, 257, 385]);
  assert.deepEqual(looks(116), [117, 233, 349]); // 58 numeric columns, mirrored
  assert.deepEqual(looks(300), [301, 601, 901]);
});
