import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  describeTable,
  explainImage,
  explainRow,
  explainRows,
  explainSamples,
  explainText,
  LinexError,
  renderBarsSVG,
  renderTerminal,
  renderTextHTML,
} from 'linex';
import { ready, readyData } from '../../js/core/load.js';
import * as color from '../support/colors.js';
import { dice } from '../support/dice.js';
import { brightness, DISCS, scene, shareIn } from '../support/scene.js';

const { columns, model: classes, predict: predictClasses, rows: colored, table: colors, withoutTime } = color;

let cores;
before(async () => {
  cores = [await ready(), await readyData()];
});
/** What is held of the memory of both modules. */
const liveBytes = () => cores.map((core) => core.linex_wasm_live_bytes());

const sum = (values) => [...values].reduce((all, value) => all + value, 0);
const mean = (values) => sum(values) / values.length;
const near = (actual, expected, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
const logit = (share) => Math.log(share / (1 - share));
const rowsOf = (random, count, width) =>
  Array.from({ length: count }, () => Array.from({ length: width }, () => random.normal()));
const tableOf = (width) => describeTable([new Array(width).fill(0), new Array(width).fill(1)]);
const scorer = (score) => (batch) => [...batch].map(score);

/** The definition: sum over S without c of |S|! (d - |S| - 1)! / d! (worth(S and c) - worth(S)); S as bits. */
function shapleyOf(width, worth) {
  const sizes = Array.from({ length: 2 ** width }, (_, bits) => bits.toString(2).replaceAll('0', '').length);
  const share = [1 / width];
  for (let size = 1; size < width; size++) share[size] = (share[size - 1] * size) / (width - size);
  return Array.from({ length: width }, (_, c) =>
    sum(worth.map((one, bits) => (bits & (1 << c) ? 0 : share[sizes[bits]] * (worth[bits | (1 << c)] - one)))),
  );
}

/** What each coalition of a row's columns is worth: the mean answer with the others from the background. */
function worthOf(row, background, score, link = (answer) => answer) {
  return Array.from({ length: 2 ** row.length }, (_, bits) =>
    link(mean(background.map((other) => score(row.map((value, c) => (bits & (1 << c) ? value : other[c])))))),
  );
}

/** A function whose parts interact in twos and threes, and through a bend. */
function randomScore(random, width) {
  const terms = Array.from({ length: 3 * width }, () => ({
    factor: random.normal(),
    parts: Array.from({ length: 1 + random.below(3) }, () => random.below(width)),
  }));
  return (row) => Math.tanh(sum(terms.map(({ factor, parts }) => parts.reduce((all, c) => all * row[c], factor))) / 3);
}

test('rows have the Shapley values of the definition: 50 functions with interactions, up to 12 columns', async (t) => {
  const random = dice(5);
  let worst = 0;
  for (let i = 0; i < 50; i++) {
    const width = 1 + (i % 12);
    const [row, ...background] = rowsOf(random, 2 + random.below(3), width);
    const score = randomScore(random, width);
    const table = await tableOf(width);
    const { weights, intercept, queries } = await explainRow(row, scorer(score), {
      ...{ table, background, method: 'shap', samples: 4096 },
    });
    const expected = shapleyOf(width, worthOf(row, background, score));
    worst = Math.max(worst, ...weights.map((weight, c) => Math.abs(weight - expected[c])));
    near(intercept, mean(background.map(score)));
    near(sum(weights), score(row) - intercept);
    assert.equal(queries.stopped, 'exhausted');
  }
  t.diagnostic(`largest error ${worst.toExponential(1)}`);
  assert.ok(worst < 1e-9);
});

test('so they have in log-odds, and these add up', async () => {
  const random = dice(6);
  for (let width = 1; width <= 8; width++) {
    const [row, ...background] = rowsOf(random, 4, width);
    const bent = randomScore(random, width);
    const score = (values) => 0.5 + 0.49 * bent(values);
    const options = { table: await tableOf(width), background, method: 'shap', link: 'logit' };
    const { weights, intercept, localPrediction, prediction, link } = await explainRow(row, scorer(score), options);
    assert.equal(link, 'logit');
    shapleyOf(width, worthOf(row, background, score, logit)).forEach((value, c) => near(weights[c], value));
    near(intercept, logit(mean(background.map(score))));
    near(intercept + sum(weights), logit(score(row)));
    near(localPrediction, score(row));
    assert.equal(prediction, score(row));
  }
});

test('a linear model is taken apart exactly, also from a few drawn coalitions', async () => {
  const random = dice(7);
  const width = 30;
  const [row, slopes, ...background] = rowsOf(random, 12, width);
  const score = (values) => 4 + sum(slopes.map((slope, c) => slope * values[c]));
  const table = await tableOf(width);
  for (const samples of [62, 63, 100, 500, undefined]) {
    const explanation = await explainRow(row, scorer(score), { table, background, method: 'shap', samples });
    explanation.weights.forEach((weight, c) =>
      near(weight, slopes[c] * (row[c] - mean(background.map((other) => other[c])))),
    );
    near(explanation.fidelity, 1);
    assert.equal(explanation.queries.stopped, undefined);
    assert.equal(explanation.warnings.length, samples < 122 ? 1 : 0);
  }
});

/** A model of 50 columns with main effects, and interactions of so many; its Shapley values at ones over zeros. */
function interacting(random, together) {
  const width = 50;
  const main = rowsOf(random, 1, width)[0];
  const values = [...main];
  const terms = Array.from({ length: 200 }, () => {
    const parts = new Set();
    while (parts.size < together) parts.add(random.below(width));
    const term = { factor: random.normal(), parts: [...parts] };
    for (const part of parts) values[part] += term.factor / together;
    return term;
  });
  const score = (row) =>
    sum(main.map((factor, c) => factor * row[c])) +
    sum(terms.map(({ factor, parts }) => (parts.every((c) => row[c] === 1) ? factor : 0)));
  return { width, values, score };
}

test('drawn in pairs, interactions of two are shared evenly at once, and those of three ever better', async (t) => {
  const random = dice(8);
  const errorOf = async ({ width, values, score }, samples, seed) => {
    const options = {
      table: await tableOf(width),
      background: [new Array(width).fill(0)],
      method: 'shap',
      samples,
      seed,
    };
    const { weights } = await explainRow(new Array(width).fill(1), scorer(score), options);
    near(sum(weights), sum(values));
    return Math.sqrt(mean(weights.map((weight, c) => (weight - values[c]) ** 2)));
  };
  assert.ok((await errorOf(interacting(random, 2), 500, 0)) < 1e-9);
  const threes = interacting(random, 3);
  const errors = [];
  for (const samples of [500, 2000, 8000]) {
    const all = [];
    for (let seed = 0; seed < 5; seed++) all.push(await errorOf(threes, samples, seed));
    errors.push(mean(all));
  }
  const spread = Math.sqrt(mean(threes.values.map((value) => value ** 2)));
  t.diagnostic(`errors ${errors.map((error) => error.toFixed(4)).join(', ')} of values around ${spread.toFixed(2)}`);
  assert.ok(errors[1] < 0.7 * errors[0] && errors[2] < 0.7 * errors[1]);
  assert.ok(errors[2] < 0.05 * spread);
});

test('columns that never differ from the row get 0 and cost nothing; symmetric ones get the same', async () => {
  const table = await tableOf(6);
  const row = [1, 2, 3, 4, 5, 1];
  const background = [
    [1, 0, 3, 0, 5, 0],
    [1, 1, 3, 4, 5, 0],
    [1, 0, 3, 0, 5, 0],
  ];
  let asked = 0;
  const score = (values) => {
    asked++;
    return values[0] * values[1] + values[2] * values[3] * values[5] + values[4];
  };
  const { weights, features, queries } = await explainRow(row, scorer(score), { table, background, method: 'shap' });
  const expected = shapleyOf(6, worthOf(row, background, score));
  weights.forEach((weight, c) => near(weight, expected[c]));
  assert.deepEqual([weights[0], weights[2], weights[4]], [0, 0, 0]);
  assert.deepEqual(features.map(({ index }) => index).sort(), [1, 3, 5]);
  // 2^3 coalitions of what varies; two of the three rows are one; the full coalition is the row, whatever the background.
  assert.deepEqual(queries, { planned: 22, asked: 15, reused: 7, stopped: 'exhausted' });
  assert.equal(asked, 15 + 3 * 64);
  const twins = await explainRow(
    [1, 2, 2],
    scorer(([a, b, c]) => a * b * c + b * c),
    {
      ...{ table: await tableOf(3), background: [[0, 0, 0], [2, 1, 1]], method: 'shap' }, // prettier-ignore
    },
  );
  near(twins.weights[1], twins.weights[2], 1e-14);
});

test('a row that is like all of the background has nothing to explain, and one question is asked', async () => {
  const options = { table: colors, background: [colored[4], colored[4]], method: 'shap', target: 1 };
  const explanation = await explainRow(colored[4], predictClasses, options);
  assert.deepEqual(explanation.weights, [0, 0, 0, 0]);
  assert.deepEqual(explanation.features, []);
  assert.equal(explanation.intercept, explanation.prediction);
  assert.equal(explanation.localPrediction, explanation.prediction);
  assert.equal(explanation.queries.asked, 1);
  assert.match(explanation.warnings[0], /the same as all of the background/);
  assert.match(renderTerminal(explanation), /SHAP/);
  const logits = await explainRow(colored[4], predictClasses, { ...options, link: 'logit' });
  near(logits.localPrediction, logits.prediction);
});

test('categorical columns count as one, by the levels that the table has', async () => {
  const options = { table: colors, background: colored.slice(0, 20), method: 'shap', classes: ['no', 'yes'] };
  const explanation = await explainRow(colored[31], predictClasses, { ...options, target: 'yes' });
  const encode = (row) => [...row.slice(0, 3), row[3] === 'red' ? 1 : 0];
  const worth = worthOf(encode(colored[31]), colored.slice(0, 20).map(encode), (row) => classes(row)[1]);
  shapleyOf(4, worth).forEach((value, c) => near(explanation.weights[c], value));
  assert.equal(explanation.weights[2], 0);
  const found = explanation.features.find(({ name }) => name === 'color');
  assert.deepEqual([found.column, found.value, found.interval, found.signAgreement], ['color', 'red', null, null]);
  assert.equal('perUnit' in found, false);
  assert.deepEqual(explanation.features.map(({ name }) => name).sort(), [...columns].sort());
});

test('words are taken away as ever, and several targets come from the same questions', async () => {
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

test('drawn values have intervals that hold the true ones, exact and rough ones have none', async (t) => {
  const random = dice(12);
  const model = interacting(random, 3);
  const table = await tableOf(model.width);
  const explain = (samples, seed) =>
    explainRow(new Array(model.width).fill(1), scorer(model.score), {
      ...{ table, background: [new Array(model.width).fill(0)], method: 'shap', samples, seed },
    });
  let [held, all, signs, right] = [0, 0, 0, 0];
  for (let seed = 0; seed < 20; seed++)
    for (const { index, weight, interval, signAgreement } of (await explain(202 + 60 * seed, seed)).features) {
      const [low, high] = interval;
      near((low + high) / 2, weight, 1e-12);
      held += low <= model.values[index] && model.values[index] <= high;
      all++;
      if (signAgreement < 0.95) continue;
      signs++;
      right += Math.sign(weight) === Math.sign(model.values[index]);
    }
  t.diagnostic(
    `true values within their intervals: ${held} of ${all}; signs that were sure: ${right} right of ${signs}`,
  );
  assert.ok(held > 0.93 * all && right > 0.975 * signs && signs > all / 4);
  const rough = await explain(150, 0);
  assert.match(rough.warnings[0], /150 coalitions are few for 50 features/);
  assert.deepEqual([rough.features[0].interval, rough.features[0].signAgreement], [null, null]);
});

test('one word and two words have values too', async () => {
  const predict = (texts) => texts.map((one) => 3 * one.includes('yes') + one.includes('yes') * one.includes('sir'));
  const one = await explainText('yes', predict, { method: 'shap' });
  assert.deepEqual([one.weights, one.fidelity, one.queries.asked], [[3], 1, 2]);
  const two = await explainText('yes sir', predict, { method: 'shap' });
  near(two.weights[0], 3.5);
  near(two.weights[1], 0.5);
});

test('segments that a model looks at share its answer', async () => {
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

test('the same seed gives the same answer for any batch size and concurrency; another seed draws others', async () => {
  const random = dice(9);
  const [row, ...background] = rowsOf(random, 4, 16);
  const score = randomScore(random, 16);
  const base = { table: await tableOf(16), background, method: 'shap', samples: 300, seed: 3 };
  const slowly = async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, batch.data.length % 3));
    return scorer(score)(batch);
  };
  const first = await explainRow(row, scorer(score), base);
  assert.deepEqual(JSON.parse(JSON.stringify(first)), first);
  assert.ok(Object.isFrozen(first) && Object.isFrozen(first.features[0]));
  for (const more of [{ batchSize: 1 }, { batchSize: 37, concurrency: 4 }, { batchSize: 1e6 }])
    assert.equal(withoutTime(await explainRow(row, slowly, { ...base, ...more })), withoutTime(first));
  assert.notDeepEqual((await explainRow(row, scorer(score), { ...base, seed: 4 })).weights, first.weights);
  near(sum(first.weights), first.prediction - first.intercept);
  const all = [];
  for await (const one of explainRows([row, row], scorer(score), base)) all.push(withoutTime(one));
  assert.deepEqual(all, [withoutTime(first), withoutTime(first)]);
});

test('no more rows are made at once than a batch holds', async () => {
  const random = dice(10);
  const [row, ...background] = rowsOf(random, 41, 5);
  const sizes = [];
  await explainRow(row, (batch) => sizes.push(batch.shape[0]) && [...batch].map(sum), {
    ...{ table: await tableOf(5), background, method: 'shap', batchSize: 50 },
  });
  assert.equal(Math.max(...sizes), 50);
  assert.equal(sum(sizes), 1 + 31 * 40);
});

test('progress is told, partial answers are explanations, and a signal stops it', async () => {
  const random = dice(11);
  const [row, ...background] = rowsOf(random, 3, 8);
  const told = [];
  const options = { table: await tableOf(8), background, method: 'shap', batchSize: 64 };
  const explanation = await explainRow(row, scorer(sum), {
    ...options,
    onProgress: ({ asked, planned, phase, partial }) => told.push({ asked, planned, phase, partial }),
  });
  assert.equal(told[0].planned, explanation.queries.asked);
  assert.equal(told.at(-1).phase, 'solve');
  const partials = told.map(({ partial }) => partial).filter(Boolean);
  assert.ok(partials.length >= told.length - 1);
  for (const { weights, queries } of partials) {
    weights.forEach((weight, c) => near(weight, explanation.weights[c]));
    assert.ok(queries.reused >= 0);
  }
  const controller = new AbortController();
  let asked = 0;
  const stopping = (batch) => {
    if (++asked === 3) controller.abort(new Error('enough'));
    return scorer(sum)(batch);
  };
  await assert.rejects(explainRow(row, stopping, { ...options, signal: controller.signal }), /enough/);
  assert.equal(asked, 3);
});

test('features lists the largest, weights has all', async () => {
  const text = 'one two three four five six';
  const predict = (texts) => texts.map((one) => sum(one.split(' ').map((word) => word.length)));
  const { features, weights, method } = await explainText(text, predict, { method: 'shap', features: 2 });
  assert.deepEqual([features.length, features[0].name, method], [2, 'three', 'shap']);
  near(sum(weights), 22);
});

test('pictures show values without intervals, and call none of them unsure', async () => {
  const predict = (texts) => texts.map((one) => Number(one.includes('good')) - 0.5 * one.includes('bad'));
  const explanation = await explainText('good bad', predict, { method: 'shap' });
  const drawn = [
    renderTerminal(explanation),
    renderBarsSVG(explanation),
    renderTextHTML(explanation, { styles: false }),
  ];
  for (const picture of drawn) {
    assert.match(picture, /SHAP/);
    assert.doesNotMatch(picture, /undecided|dispute|NaN|null|undefined/);
  }
});

test('answers that the logit cannot take are named, as soon as they are seen', async () => {
  const live = liveBytes();
  let asked = 0;
  const predict = (texts) => texts.map((one) => (asked++, one.includes('bad') ? 0.5 : 1));
  const options = { method: 'shap', link: 'logit', batchSize: 2 };
  const isAnswer = (pattern) => (error) =>
    error instanceof LinexError && error.code === 'model-answer' && pattern.test(error.message);
  await assert.rejects(
    explainText('a bad film', predict, options),
    isAnswer(/link 'logit' needs answers above 0 and below 1, not 1 for coalition 1/),
  );
  assert.equal(asked, 2);
  await assert.rejects(
    explainText('a b', (texts) => texts.map(() => -2), options),
    isAnswer(/not -2 at the input/),
  );
  const table = await tableOf(2);
  const rows = { table, background: [[0, 0], [0, 1]], method: 'shap', link: 'logit' }; // prettier-ignore
  // The mean over the background is what is linked: one certain answer in it does no harm.
  await explainRow(
    [1, 2],
    scorer(([a, b]) => (a ? 0.5 : 0.4 * b)),
    rows,
  );
  await assert.rejects(
    explainRow(
      [1, 2],
      scorer(([a]) => (a ? 0.5 : 0)),
      rows,
    ),
    isAnswer(/coalition 1, the mean over/),
  );
  assert.deepEqual(liveBytes(), live);
});

test('a model that always answers the same is said to', async () => {
  const { weights, warnings, fidelity } = await explainText('a b c', (texts) => texts.map(() => 0.1), {
    method: 'shap',
  });
  assert.deepEqual([weights, fidelity], [[0, 0, 0], 1]);
  assert.match(warnings[0], /the same answer to every sample/);
  await assert.rejects(
    explainText('a b c', (texts) => texts.map((_, i) => (i % 2 ? 1e308 : -1e308)), { method: 'shap' }),
    (error) => error.code === 'overflow',
  );
});

test('what has no meaning here is refused by name, before the model is asked, and nothing leaks', async () => {
  const live = liveBytes();
  const never = () => assert.fail('the model was asked');
  const table = await tableOf(3);
  const background = [[0, 0, 0]];
  const shap = { method: 'shap', table, background };
  const unused = {
    ...{ gamma: 1, l1: 1, environments: 2, games: 2, agreement: 0.5, kernelWidth: 1, ridge: 0, selection: 'auto' },
    ...{ solver: 'auto', keepGame: false, smoothing: 'mean', intercept: 'free', draws: 10, tolerance: 1e-9 },
    ...{ maxRounds: 5, maxSamples: 10, precision: 0.1 },
  };
  for (const [name, value] of Object.entries(unused)) {
    const message = { name: 'TypeError', message: `method 'shap' takes no option "${name}"` };
    await assert.rejects(explainRow([1, 2, 3], never, { ...shap, [name]: value }), message);
    await assert.rejects(explainText('a b', never, { method: 'shap', [name]: value }), message);
  }
  const own = { neighborhood: { sample: () => [] }, center: 'row', discretize: 'none', units: 'raw' };
  for (const [name, value] of Object.entries(own))
    await assert.rejects(explainRow([1, 2, 3], never, { ...shap, [name]: value }), {
      message: `method 'shap' takes no option "${name}"`,
    });
  const cases = [
    [
      { ...shap, background: undefined },
      TypeError,
      /explainRow with method 'shap' needs options.background, .*undefined/,
    ],
    [{ ...shap, background: 'rows' }, TypeError, /not "rows"/],
    [{ ...shap, background: [] }, RangeError, /background must have 1 to 10000 rows, not 0/],
    [{ ...shap, background: new Array(10001).fill([0, 0, 0]) }, RangeError, /not 10001; take a sample/],
    [{ ...shap, background: [[0, 0, 0], [1, 2]] }, RangeError, /background\[1\] .* has 2 columns, the table has 3/], // prettier-ignore
    [{ ...shap, background: [[0, NaN, 0]] }, RangeError, /background\[0\] .*column "column 1" .* not NaN/],
    [{ ...shap, background: [7] }, TypeError, /background\[0\] does not fit the table: a row is an array .* not 7/],
    [{ ...shap, table: undefined }, TypeError, /needs options.table/],
    [{ ...shap, samples: 'auto' }, RangeError, /samples must be a number of coalitions with method 'shap', not "auto"/],
    [{ ...shap, samples: 7 }, RangeError, /samples must be at least 8 for the Shapley values of 3 features, not 7/],
    [{ ...shap, samples: 0 }, RangeError, /samples must be a whole number from 2/],
    [{ ...shap, link: 'probit' }, RangeError, /link must be one of identity, logit, not "probit"/],
    [{ ...shap, features: 0 }, RangeError, /features/],
    [{ table, background }, TypeError, /option "background" is for method 'shap', not for "linex"/],
    [{ table, method: 'lime', link: 'logit' }, TypeError, /option "link" is for method 'shap', not for "lime"/],
  ];
  for (const [options, type, message] of cases)
    await assert.rejects(
      explainRow([1, 2, 3], never, options),
      (error) => error instanceof type && message.test(error.message),
      `${message}`,
    );
  const many = Array.from({ length: 10000 }, (_, i) => Array.from({ length: 30 }, (_, c) => i + c));
  await assert.rejects(
    explainRow(new Array(30).fill(-1), never, { ...shap, table: await tableOf(30), background: many, samples: 2000 }),
    /2000 samples with 10000 rows of background are 19990001 queries, more than 10000000/,
  );
  await assert.rejects(explainText('a b', never, { method: 'shap', distance: 'cosine' }), /takes no option "distance"/);
  await assert.rejects(explainText('a b', never, { method: 'shap', background }), /has no option "background"/);
  await assert.rejects(
    explainText('a b c d e f g h i j', never, { method: 'shap', samples: 20 }),
    /samples must be at least 22 for the Shapley values of 10 features, not 20/,
  );
  assert.throws(
    () => explainSamples({ points: [[1], [2]], predictions: [1, 2] }, { method: 'shap' }),
    /explainSamples has no method 'shap'/,
  );
  await assert.rejects(
    explainRow([1, 2, 3], () => [NaN], shap),
    (error) => error.code === 'model-answer',
  );
  assert.deepEqual(liveBytes(), live);
});
