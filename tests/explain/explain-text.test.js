// explainText: weights of words, queries, memory and bad calls.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import Sentiment from 'sentiment';
import lexicon from 'sentiment/languages/en/labels.json' with { type: 'json' };
import { explainSamples, explainText, LinexError } from 'linex';
import { ready } from '../../js/core/load.js';
import { withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';

const sentiment = new Sentiment();
/** A real model with known answers: the sum of the words' AFINN scores. */
const score = (text) => sentiment.analyze(text).score;
const predict = (texts) => texts.map(score);

let core;
before(async () => {
  core = await ready();
});

const FILLERS =
  'the plot of this film and its cast were on screen for two hours with music by a band that we saw last year'.split(
    ' ',
  );
const SCORED = Object.keys(lexicon).filter((word) => /^[a-z]{4,}$/.test(word) && score(word) === lexicon[word]);

/** A sentence of 4 to 12 distinct words, up to 5 of them with a score. */
function sentenceOf(random) {
  const pick = (list, count) => {
    const left = [...list];
    return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0]);
  };
  const loud = pick(SCORED, 1 + random.below(5));
  const words = [...loud, ...pick(FILLERS, 3 + random.below(5))];
  return pick(words, words.length).join(' ');
}

test('order and signs follow the true scores of the words, and intervals contain them', async (t) => {
  const random = dice(11);
  let words = 0;
  let held = 0;
  let sentencesHeld = 0;
  for (let i = 0; i < 100; i++) {
    const text = sentenceOf(random);
    const { features, weights } = await explainText(text, predict);
    const truth = (name) => lexicon[name] ?? 0;
    const loud = text.split(' ').filter((word) => truth(word) !== 0);
    assert.deepEqual(
      features.slice(0, loud.length).map(({ name }) => Math.abs(truth(name))),
      loud.map((word) => Math.abs(truth(word))).sort((a, b) => b - a),
      text,
    );
    for (const { name, weight } of features.slice(0, loud.length))
      assert.equal(Math.sign(weight), Math.sign(truth(name)), `${name} in "${text}"`);
    const inside = features.filter(({ name, interval: [low, high] }) => low <= truth(name) && truth(name) <= high);
    words += features.length;
    held += inside.length;
    sentencesHeld += inside.length === features.length;
    assert.equal(weights.length, new Set(text.split(' ')).size);
  }
  t.diagnostic(
    `true weights within their intervals: ${held} of ${words} words, all words of ${sentencesHeld} sentences`,
  );
  assert.ok(held >= 0.9 * words);
});

test('four words are 16 queries, and 5,000 drawn samples give the same weights', async () => {
  const text = 'moving love boring terrible';
  const asked = [];
  // Not additive, so the weight of each mask matters.
  const model = (one) => Math.tanh(score(one) / 3);
  const watch = (texts) => {
    asked.push(...texts);
    return texts.map(model);
  };
  const explanation = await explainText(text, watch, { samples: 5000, ridge: 1 });
  assert.equal(asked.length, 16);
  assert.equal(new Set(asked).size, 16);
  assert.deepEqual(explanation.queries, { planned: 5000, asked: 16, reused: 4984 });
  const single = await explainText(text, (texts) => texts.map(model), { samples: 5000, batchSize: 1, ridge: 1 });
  assert.deepEqual(withoutTime(single), withoutTime(explanation));

  // Draw 5,000 masks as LIME does, ask for each, and fit. Only chance separates the two.
  const random = dice(5);
  const words = text.split(' ');
  const points = Array.from({ length: 5000 }, (_, i) => {
    const left = [0, 1, 2, 3];
    const removed = i === 0 ? 0 : 1 + random.below(4);
    const gone = Array.from({ length: removed }, () => left.splice(random.below(left.length), 1)[0]);
    return words.map((_, c) => (gone.includes(c) ? 0 : 1));
  });
  const predictions = points.map((point) => model(words.filter((_, c) => point[c]).join(' ')));
  const weights = points.map((point) => {
    const distance = 100 * (1 - Math.sqrt(point.reduce((sum, one) => sum + one, 0) / 4));
    return Math.exp((-0.5 * distance * distance) / 625);
  });
  const fit = (answered, options) =>
    explainSamples(answered, { method: 'lime', features: 'all', draws: 0, ...options });
  const byHand = fit({ points, predictions, weights });
  const lime = await explainText(text, watch, { samples: 5000, method: 'lime', draws: 0 });
  for (let c = 0; c < 4; c++) assert.ok(Math.abs(lime.weights[c] - byHand.weights[c]) < 0.02, `${c}`);
});

test('each mask is asked once, and the model gets whole texts', async () => {
  const asked = [];
  const watch = (texts) => {
    asked.push(...texts);
    return predict(texts);
  };
  const text = 'a moving, moving tale of love';
  const { tokens, features, queries } = await explainText(text, watch, { samples: 20 });
  assert.equal(asked[0], text);
  assert.equal(new Set(asked).size, asked.length);
  assert.equal(queries.asked, asked.length);
  assert.equal(queries.planned, 20);
  assert.equal(tokens.length, 6);
  const moving = features.find(({ name }) => name === 'moving');
  assert.deepEqual(moving.occurrences, [
    { start: 2, end: 8 },
    { start: 10, end: 16 },
  ]);
});

test('a text explanation is plain frozen data', async () => {
  const explanation = await explainText('a tale of love', predict);
  assert.deepEqual(JSON.parse(JSON.stringify(explanation)), explanation);
  assert.ok(Object.isFrozen(explanation) && Object.isFrozen(explanation.tokens[0]));
  assert.equal(explanation.kind, 'text');
  assert.equal(explanation.text, 'a tale of love');
});

test('the same text gives the same explanation for any batch size and concurrency', async () => {
  const text = 'what a moving tale of love and loss, dull at times, but never boring or terrible to watch';
  const plain = withoutTime(await explainText(text, predict, { samples: 500, seed: 3 }));
  const slowly = async (texts) => {
    await new Promise((resolve) => setTimeout(resolve, texts.length % 3));
    return predict(texts);
  };
  for (const options of [{ batchSize: 1 }, { batchSize: 77 }, { batchSize: 50, concurrency: 6 }])
    assert.deepEqual(withoutTime(await explainText(text, slowly, { samples: 500, seed: 3, ...options })), plain);
  const other = await explainText(text, predict, { samples: 500, seed: 4 });
  assert.notDeepEqual(withoutTime(other), plain);
});

test('a weight lies in its interval, and so do the true weights of at least 11 of 12 words', async () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
  const truth = (word) => (words.indexOf(word) % 4) - 1;
  const linear = (texts) => texts.map((text) => words.reduce((sum, word) => sum + (text.split(' ').includes(word) ? truth(word) : 0), 0)); // prettier-ignore
  const steady = { environments: 'halves', games: 30, agreement: 0.9 };
  for (const options of [{}, steady, { environments: 'near-far' }, { method: 'lime' }]) {
    const { features } = await explainText(words.join(' '), linear, { features: 'all', ...options });
    let held = 0;
    for (const {
      name,
      weight,
      raw = weight,
      interval: [low, high],
    } of features) {
      assert.ok(low <= raw && raw <= high, `${name}: ${raw} in ${low}, ${high}`);
      held += low <= truth(name) && truth(name) <= high;
    }
    assert.ok(held >= 11, `${held} of 12 with ${JSON.stringify(options)}`);
  }
});

test('constant answers and a ridge that shrinks much give warnings', async () => {
  const still = await explainText('a tale of love', (texts) => texts.map(() => 0.1));
  assert.deepEqual(still.warnings, ['the model gave the same answer to every sample: there is nothing to explain']);
  assert.equal(still.fidelity, 1);
  assert.equal(still.prediction, 0.1);
  const hum = await explainText('a tale of love', (texts) => texts.map((text) => 0.7 + 1e-12 * text.length));
  assert.match(hum.warnings.join(), /^the model's answers differ by less than a millionth of their size/);
  const two = await explainText('Good bad', (texts) => texts.map((text) => (text.includes('Good') ? 3 : 0)), { ridge: 1 }); // prettier-ignore
  assert.match(two.warnings.join(), /the ridge takes away up to \d+ % of the largest weight; lower it/);
  const [low, high] = two.features.find(({ name }) => name === 'Good').interval;
  assert.ok(low <= 3 && 3 <= high);
  const bare = await explainText('Good bad', (texts) => texts.map((text) => (text.includes('Good') ? 3 : 0)));
  assert.ok(Math.abs(bare.weights[0] - 3) < 1e-5 && bare.weights[1] === 0 && bare.warnings.length === 0);
});

test('sentences of a long document can be features', async () => {
  const text = 'We came late. The film was terrible. The band was lovely! We left.';
  const { features, weights } = await explainText(text, predict, { unit: 'sentence' });
  assert.equal(weights.length, 4);
  const sure = features.filter(({ silenced }) => !silenced);
  assert.deepEqual(sure.map(({ name }) => name).sort(), ['The band was lovely!', 'The film was terrible.']);
});

test('2,000 words and 5,000 samples stay under 60 MB of WebAssembly memory', async (t) => {
  const words = Array.from({ length: 2000 }, (_, i) => `word${i}`);
  const model = (texts) => texts.map((one) => (one.includes('word7 ') ? 2 : 0) - (one.includes('word1500 ') ? 1 : 0));
  const { features } = await explainText(words.join(' '), model, { samples: 5000, draws: 20 });
  assert.deepEqual(features.slice(0, 2).map(({ name, weight }) => [name, Math.round(weight)]), [
    ['word7', 2],
    ['word1500', -1],
  ]); // prettier-ignore
  const megabytes = core.memory.buffer.byteLength / 1e6;
  t.diagnostic(`${megabytes.toFixed(1)} MB`);
  assert.ok(megabytes < 60);
});

test('5,000 words are explained for a model that reads the first 512', async () => {
  const words = Array.from({ length: 5000 }, (_, i) =>
    i === 100 ? 'terrible' : i === 4000 ? 'lovely' : `w${i % 700}`,
  );
  let longest = 0;
  const model = (texts) => {
    longest = Math.max(longest, texts.length);
    return texts.map((one) => score(one.split(' ').slice(0, 512).join(' ')));
  };
  const { features, weights } = await explainText(words.join(' '), model, { samples: 500, draws: 20 });
  assert.equal(weights.length, 702);
  assert.equal(features[0].name, 'terrible');
  assert.ok(features[0].weight < -1);
  // A batch of long texts has at most about 130,000 words by default.
  assert.equal(longest, Math.floor(2 ** 17 / 5000));
});

test('a fit that does not fit into memory is refused before the model is asked', async () => {
  const words = Array.from({ length: 20000 }, (_, i) => `w${i}`).join(' ');
  const never = () => assert.fail('the model was asked');
  await assert.rejects(
    explainText(words, never, { features: 10, selection: 'highest', tokens: 'simple' }),
    (error) => error instanceof LinexError && error.code === 'memory' && /20000 features/.test(error.message),
  );
});

test('bad calls are refused before the model is asked, and no memory leaks', async () => {
  const live = core.linex_wasm_live_bytes();
  const never = () => assert.fail('the model was asked');
  const cases = [
    ['', {}, RangeError, /empty/],
    ['!!!', {}, RangeError, /no words/],
    ['a \udc00 b', {}, RangeError, /lone surrogate/],
    ['a b', { samples: 1 }, RangeError, /samples must be a whole number from 2/],
    ['a b', { samples: 'lots' }, RangeError, /samples must be a number or 'auto', not "lots"/],
    ['a b', { features: 'most' }, RangeError, /features must be a number or 'all', not "most"/],
    [
      'a b',
      { locale: 'xx-yy-zz-q' },
      RangeError,
      /locale must be a language such as 'en' or 'pt-BR', not "xx-yy-zz-q"/,
    ],
    ['a b', { mask: 5 }, TypeError, /mask must be a string that replaces a word, not 5/],
    ['a b', { segments: 'slic' }, TypeError, /explainText has no option "segments"/],
    ['a b', { kernelWidth: 0 }, RangeError, /kernelWidth/],
    ['a b', { precision: 0 }, RangeError, /precision must be a number above 0, not 0/],
    ['a b', { samples: 'auto', environments: [[1], [1]] }, RangeError, /your own environments/],
  ];
  for (const [text, options, type, message] of cases)
    await assert.rejects(
      explainText(text, never, options),
      (error) => error instanceof type && message.test(error.message),
      `${message}`,
    );
  await assert.rejects(explainText('a b', 'model'), /takes the model as a function, not "model"/);
  const broken = () => {
    throw new Error('out of credit');
  };
  await assert.rejects(
    explainText('a b', broken),
    (error) => error instanceof LinexError && error.code === 'model-threw' && error.batch === 0,
  );
  assert.equal(core.linex_wasm_live_bytes(), live);
});
