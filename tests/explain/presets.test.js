// The presets: what each of them does, and what the steady one promises.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { checkExplanation, describeTable, explainImage, explainRow, explainSamples, explainText, load } from 'linex';
import { withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';
import { brightness, scene } from '../support/scene.js';

before(() => load());

const random = dice(21);
const rows = Array.from({ length: 200 }, () => Array.from({ length: 12 }, random.normal));
const table = await describeTable(rows);
/** Columns 0 to 3 have an effect, the others none. */
const smooth = (batch) =>
  Array.from(batch, (x) => Math.tanh(x[0] - 0.8 * x[1] + 0.6 * x[2]) + 0.25 * x[3] + 0.1 * x[6] ** 2);

const LOVE = 'A moving tale of love';
const looksForLove = (texts) => texts.map((text) => (text.includes('love') ? 1 : 0));
const holdsZero = ([low, high]) => low <= 0 && high >= 0;

test('words that the model does not look at are silenced, and their sign is not sure', async () => {
  for (const preset of ['steady', 'strict'])
    for (const method of ['linex', 'lime', 's-lime'])
      for (const seed of [0, 1, 2]) {
        const { features, silenced } = await explainText(LOVE, looksForLove, { preset, method, seed });
        assert.equal(features.length, 5);
        assert.deepEqual(silenced, [0, 1, 2, 3]);
        const [love, ...others] = features;
        assert.ok(love.name === 'love' && love.weight > 0.9 && love.signAgreement === 1 && !love.silenced);
        for (const { weight, signAgreement, interval, silenced: one } of others)
          assert.ok(one && weight === 0 && signAgreement < 0.9 && holdsZero(interval));
      }
});

test('no feature with an uncertain sign has a weight', async () => {
  const explanations = [];
  for (const preset of ['steady', 'strict'])
    for (const samples of [60, 150, 600])
      for (const seed of [1, 2, 3]) {
        const options = { preset, samples, seed };
        explanations.push(await explainRow(rows[seed], smooth, { ...options, table, features: 'all' }));
        explanations.push(await explainText('it is a very good but not a great film', looksForLove, options));
        explanations.push(
          await explainImage(scene(4), brightness, { ...options, segments: { kind: 'grid', count: 20 } }),
        );
      }
  let [sure, silenced] = [0, 0];
  for (const { features, weights, raw = weights, agreement } of explanations) {
    for (const { index, weight, interval, signAgreement, silenced: quiet, raw: own } of features) {
      const certain = !holdsZero(interval) && signAgreement >= agreement;
      assert.equal(weight, weights[index]);
      if (weight !== 0) assert.ok(certain && !quiet && raw[index] === weight);
      if (quiet) assert.equal(own, raw[index]);
      assert.ok(interval[0] <= raw[index] && raw[index] <= interval[1]);
      sure += weight === 0 ? 0 : 1;
      silenced += quiet ? 1 : 0;
    }
  }
  assert.ok(sure > 60 && silenced > 60, `${sure} ${silenced}`);
});

test('the leading features do not depend on the seed', async () => {
  for (let seed = 0; seed < 10; seed++) {
    const { features, weights, raw } = await explainRow([...rows[5].slice(0, 6), 0, ...rows[5].slice(7)], smooth, {
      table,
      seed,
    });
    const leading = features.slice(0, 4).map(({ index }) => index);
    assert.deepEqual(leading.toSorted(), [0, 1, 2, 3]);
    // One interval in twenty misses its weight, so a feature without an effect may be listed with a small one.
    for (const { weight } of features.slice(4)) assert.ok(Math.abs(weight) < 0.1 * Math.abs(features[0].weight));
    assert.equal(weights.filter((weight) => weight !== 0).length, features.length);
    assert.ok(raw.filter((weight) => weight !== 0).length > 5, 'all features play');
  }
});

test('at most as many features are listed as asked for, and the intercept is that of the listed ones', async () => {
  const points = rows.slice(0, 100);
  const predictions = smooth(points);
  const { features, weights, intercept } = explainSamples(
    { points, predictions, weights: points.map(() => 1) },
    { features: 2 },
  );
  assert.deepEqual(features.map(({ index }) => index).sort(), [0, 1]);
  const rest = points.map((x, i) => predictions[i] - weights[0] * x[0] - weights[1] * x[1]);
  const mean = rest.reduce((sum, value) => sum + value, 0) / rest.length;
  assert.ok(Math.abs(intercept - mean) < 1e-12, `${intercept} ${mean}`);
});

test('a preset is a bundle of options', async () => {
  const explain = async (options) => {
    const { preset, ...rest } = JSON.parse(
      withoutTime(await explainRow(rows[1], smooth, { table, samples: 200, ...options })),
    );
    return [preset, rest];
  };
  const bundles = {
    steady: {
      sampling: 'designed',
      environments: 'halves',
      selection: 'leading',
      games: 60,
      draws: 60,
      agreement: 0.9,
      adjust: 'auto',
      weight: 'fit',
    },
    paper: {
      sampling: 'independent',
      environments: { kind: 'bootstrap', count: 2 },
      selection: 'auto',
      games: 1,
      draws: 200,
      agreement: 0,
      adjust: 'none',
      weight: 'games',
    },
    strict: {
      sampling: 'designed',
      environments: 'sides',
      selection: 'leading',
      games: 60,
      draws: 60,
      agreement: 1,
      adjust: 'auto',
      weight: 'fit',
    },
  };
  const [unnamed, byDefault] = await explain({});
  assert.equal(unnamed, 'steady');
  assert.deepEqual((await explain({ preset: 'steady' }))[1], byDefault);
  for (const [preset, options] of Object.entries(bundles)) {
    const [name, bundled] = await explain({ preset });
    assert.equal(name, preset);
    for (const other of Object.keys(bundles))
      assert.deepEqual((await explain({ ...options, preset: other }))[1], bundled);
  }
});

test('sides silence what changes direction at the input, and keep what does not', async () => {
  const kinked = (batch) => Array.from(batch, (x) => Math.abs(x[0]) + x[1]);
  const row = [0, 0.3, ...rows[0].slice(2)];
  for (const seed of [0, 1, 2]) {
    const { weights, silenced } = await explainRow(row, kinked, { table, preset: 'strict', seed });
    assert.equal(weights[0], 0);
    assert.ok(silenced.includes(0) && weights[1] > 0.7, `${weights}`);
  }
  // On average the answer rises with column 0, but not on both sides.
  const tilted = (batch) => Array.from(batch, (x) => Math.abs(x[0]) + 0.15 * x[0] + x[1]);
  const steady = await explainRow(row, tilted, { table });
  const strict = await explainRow(row, tilted, { table, preset: 'strict' });
  assert.ok(steady.weights[0] > 0.05 && strict.weights[0] === 0 && strict.weights[1] > 0.7);
});

test('sides work for masks, whose input is at a corner', async () => {
  const model = (texts) => texts.map((text) => (/good/.test(text) ? 1 : 0) - (/bad/.test(text) ? 0.5 : 0));
  const text = 'a good film with one bad joke and many other words that say nothing';
  const { features } = await explainText(text, model, { preset: 'strict', samples: 500 });
  assert.deepEqual(
    features.filter(({ silenced }) => !silenced).map(({ name }) => name),
    ['good', 'bad'],
  );
});

test('95 % intervals contain the weights of a fit to very many samples', async () => {
  const models = [smooth, (batch) => Array.from(batch, (x) => x[0] - 0.5 * x[1] + 0.3 * x[0] * x[2] + 0.2 * x[3] ** 2)];
  let [sum, count] = [0, 0];
  for (const model of models) {
    const options = {
      table,
      features: 'all',
      method: 'lime',
      preset: 'paper',
      draws: 0,
      samples: 100000,
      batchSize: 1e5,
    };
    const truth = (await explainRow(rows[2], model, options)).weights;
    for (const samples of [100, 200]) {
      let [held, all] = [0, 0];
      for (let seed = 0; seed < 30; seed++) {
        const { features } = await explainRow(rows[2], model, { table, features: 'all', samples, seed });
        for (const { index, interval } of features) {
          held += interval[0] <= truth[index] && truth[index] <= interval[1] ? 1 : 0;
          all++;
        }
      }
      // Over 360 intervals of few models, the share varies by a few hundredths.
      assert.ok(held / all >= 0.91, `${samples} samples: ${held} of ${all}`);
      [sum, count] = [sum + held, count + all];
    }
  }
  assert.ok(sum / count <= 0.985, `${sum} of ${count}`);
});

test('with more than 128 features that play, the defaults are those of the paper', () => {
  const many = Array.from({ length: 90 }, () => Array.from({ length: 130 }, () => random.below(2)));
  const samples = { points: many, predictions: many.map((x) => x[3] - x[7] + 0.1 * x[9] * x[11]) };
  const [steady, paper] = ['steady', 'paper'].map((preset) =>
    explainSamples(samples, { preset, features: 'all', selection: 'none', draws: 5, kernelWidth: 9 }),
  );
  assert.deepEqual(steady.weights, paper.weights);
  assert.equal(steady.agreement, undefined);
  const few = explainSamples(samples, { kernelWidth: 9 });
  assert.ok(few.features.length <= 5 && few.silenced.length > 0);
});

test('without draws there are no intervals, and nothing is silenced', async () => {
  const explanation = await explainRow(rows[1], smooth, { table, draws: 0, samples: 100 });
  assert.equal(explanation.features.length, 5);
  assert.ok(explanation.features.every(({ interval, silenced }) => interval === null && !silenced));
  assert.ok(!('agreement' in explanation) && !('silenced' in explanation) && explanation.raw.length === 12);
});

test('bad presets and sides are refused, with the value and what was expected', async () => {
  const never = () => assert.fail('the model was asked');
  const refused = (options, pattern) => assert.rejects(explainRow(rows[1], never, { table, ...options }), pattern);
  await refused({ preset: 'stable' }, /^RangeError: preset must be .*'?steady'?.*paper.*strict.*stable/);
  await refused({ preset: 3 }, /preset/);
  await refused(
    { environments: { kind: 'sides', count: 3 } },
    /^RangeError: environments 'sides' are the 2 sides of a plane, not 3/,
  );
  await refused({ preset: 'strict', environments: 4 }, /2 sides of a plane, not 4/);
  await refused(
    { method: 'shap', preset: 'paper', background: rows.slice(0, 3) },
    /method 'shap' takes no option "preset"/,
  );
  await refused({ method: 'maple', preset: 'paper' }, /preset|neighborhood/);
  await refused({ draws: 0, agreement: 0.5 }, /draws must not be 0/);
});

test('an explanation says what was done, and the check knows it', async () => {
  const explanation = JSON.parse(JSON.stringify(await explainRow(rows[1], smooth, { table, samples: 150 })));
  assert.equal(checkExplanation(explanation), explanation);
  const wrong = (change, pattern) => assert.throws(() => checkExplanation({ ...explanation, ...change }), pattern);
  wrong({ preset: 'stable' }, /preset must be "steady" or "paper" or "strict", not "stable"/);
  wrong({ raw: [1] }, /raw must be an array of 12 numbers/);
  wrong({ agreement: 2 }, /agreement must be a number from 0 to 1, not 2/);
  wrong({ silenced: [12] }, /silenced\[0\] must be a whole number from 0 to 11, not 12/);
});
