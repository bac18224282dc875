// Tests the transformer of film reviews: transformers.js loads it from its files, answers like torch, and can be explained.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as transformers from '@huggingface/transformers';
import { explainText } from 'linex';
import { loadReviewTransformer } from '../../web/models/reviews-transformer.js';

const files = new URL('../../web/models/reviews-transformer/', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('../vectors/transformer.json', import.meta.url), 'utf8'));
const data = process.env.LINEX_DATA
  ? pathToFileURL(`${process.env.LINEX_DATA}/`)
  : new URL('../../../shared/data/', import.meta.url);

// A request would fail the test that makes it.
transformers.env.fetch = (url) => assert.fail(`transformers.js asks for ${url}`);

const model = await loadReviewTransformer(transformers);

test('the files of the transformer have less than 2 MB', () => {
  const names = readdirSync(fileURLToPath(files), { recursive: true });
  const sizes = names.map((name) => statSync(new URL(name, files))).filter((found) => found.isFile());
  assert.equal(sizes.length, 4);
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  assert.ok(total > 5e5 && total < 2e6, `${total} bytes`);
});

test('transformers.js splits texts into the same tokens as the tokenizer of the training', () => {
  assert.equal(vectors.cases.length, 40);
  for (const { text, tokens } of vectors.cases) {
    const found = Array.from(model.classify.tokenizer(text).input_ids.data, Number);
    // Between [CLS] and [SEP].
    assert.deepEqual(found, [2, ...tokens, 3], text);
  }
});

test('the transformer gives the same answers as torch, alone and in a batch', async () => {
  const { classes, predict } = model;
  assert.deepEqual(classes, ['negative', 'positive']);
  const answers = await predict(vectors.cases.map(({ text }) => text));
  assert.equal(answers.length, 40);
  for (const [i, { text, positive }] of vectors.cases.entries()) {
    // Both compute in 32 bits, and the vectors have seven decimals.
    assert.ok(Math.abs(answers[i][1] - positive) < 2e-6, `${text}: ${answers[i][1]}, not ${positive}`);
    assert.ok(Math.abs(answers[i][0] + answers[i][1] - 1) < 1e-6);
    const [[, alone]] = await predict([text]);
    assert.ok(Math.abs(alone - positive) < 2e-6, `${text} alone: ${alone}, not ${positive}`);
  }
  assert.deepEqual(await predict([]), []);
});

test('a text longer than the transformer reads is cut off, not refused', async () => {
  const long = 'A dull film. '.repeat(300);
  const [[negative]] = await model.predict([long]);
  assert.ok(negative > 0.5, `${negative}`);
  assert.deepEqual(await model.predict([`${long} wonderful`]), await model.predict([long]));
});

test('the words that a reader would name get the weights', async () => {
  const text = 'A wonderful cast in a beautiful film, but the script is dull and the jokes are stupid.';
  const { features, target } = await explainText(text, model.predict, {
    ...{ classes: model.classes, target: 'positive', features: 'all', samples: 300 },
  });
  assert.equal(target, 'positive');
  const weight = (word) => features.find(({ name }) => name === word).weight;
  for (const word of ['wonderful', 'beautiful']) assert.ok(weight(word) > 0, `${word}: ${weight(word)}`);
  for (const word of ['dull', 'stupid']) assert.ok(weight(word) < 0, `${word}: ${weight(word)}`);
});

test('the transformer is right about at least 75 % of the reviews', async (t) => {
  const file = new URL('rotten-tomatoes.tsv', data);
  if (!existsSync(file))
    return t.skip(
      'accuracy was not measured: rotten-tomatoes.tsv is missing (set LINEX_DATA to the folder of the data)',
    );
  const lines = readFileSync(file, 'utf8').split('\n').slice(1).filter(Boolean);
  const rows = lines.filter((_, i) => i % 5 === 4).map((line) => line.split('\t'));
  assert.equal(rows.length, vectors.tested);
  let right = 0;
  for (let start = 0; start < rows.length; start += 100) {
    const some = rows.slice(start, start + 100);
    const answers = await model.predict(some.map(([, text]) => text));
    right += some.filter(([label], i) => Number(answers[i][1] > 0.5) === Number(label)).length;
  }
  const accuracy = right / rows.length;
  t.diagnostic(`accuracy ${accuracy.toFixed(4)}`);
  // The stored accuracy has four decimals. Rounding may change one answer, not more.
  assert.ok(Math.abs(accuracy - vectors.accuracy) <= 1 / rows.length + 5e-5, `${accuracy}, not ${vectors.accuracy}`);
  assert.ok(accuracy >= 0.75);
});
