// Tests the demo's models: their size, their accuracy, and their answers against the libraries that trained them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { test } from 'node:test';
import * as ort from 'onnxruntime-web';
import { explainImage, explainText } from 'linex';
import { GARMENT_SAMPLES } from '../../web/models/garment-samples.js';
import { GARMENT_INPUT, GARMENTS, loadGarments } from '../../web/models/garments.js';
import { reviewWords } from '../../web/models/review-words.js';
import { loadBayes } from '../../web/models/reviews-bayes.js';
import { loadReviewNetwork } from '../../web/models/reviews-network.js';
import { resultOfPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);
const models = new URL('web/models/', root);
const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
const reviews = vectors('reviews');
const garments = vectors('garments');
const data = process.env.LINEX_DATA
  ? pathToFileURL(`${process.env.LINEX_DATA}/`)
  : new URL('../../../shared/data/', import.meta.url);

// One thread, as in a page without cross-origin isolation.
ort.env.wasm.numThreads = 1;

/** Returns the largest difference between two lists of numbers. */
const largestDifference = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));
const best = (row) => row.indexOf(Math.max(...row));

/** Tells whether a data file exists; if not, the test is skipped. */
function hasData(t, name) {
  if (existsSync(new URL(name, data))) return true;
  t.skip(`accuracy was not measured: ${name} is missing (set LINEX_DATA to the folder of the data)`);
  return false;
}

/** Some lines of the reviews, as [label, text]. */
function reviewRows(wanted) {
  const lines = readFileSync(new URL('rotten-tomatoes.tsv', data), 'utf8').split('\n').slice(1).filter(Boolean);
  return lines.filter((_, i) => wanted(i)).map((line) => line.split('\t'));
}

/** The lines that the models were not trained on, split as in train-reviews.py. */
const testedReviews = () => reviewRows((i) => i % 5 === 4);

/** Checks an accuracy against the stored one, which has four decimals. Rounding may change one answer, not more. */
function checkAccuracy(accuracy, { stored, tested, least }) {
  assert.ok(Math.abs(accuracy - stored) <= 1 / tested + 5e-5, `${accuracy}, not ${stored}`);
  assert.ok(accuracy >= least, `${accuracy} is less than ${least}`);
}

async function reviewAccuracy(predict) {
  const rows = testedReviews();
  assert.equal(rows.length, reviews.tested);
  const answers = await predict(rows.map(([, text]) => text));
  return rows.filter(([label], i) => best(answers[i]) === Number(label)).length / rows.length;
}

/** Converts gray bytes to a batch for the network. */
const batchOf = (images) => ({
  data: Float32Array.from(
    images.flatMap((pixels) => [...pixels]),
    (gray) => gray / 255,
  ),
  shape: [images.length, 1, 28, 28],
});

test('the models are small enough for a page', () => {
  const size = (name) => statSync(new URL(name, models)).size;
  assert.ok(size('reviews-bayes.json') < 1.5e6);
  assert.ok(size('reviews.onnx') + size('reviews-network.json') < 1.5e6);
  assert.ok(size('garments.onnx') < 5e5);
});

test('words are the same as those of CountVectorizer', () => {
  assert.deepEqual(reviewWords("It's a B-movie, isn't it?"), ['it', 'movie', 'isn', 'it']);
  assert.deepEqual(reviewWords('x² ٣٤ under_score cafe\u0301 𝐁𝐨𝐥𝐝 İs'), ['x²', '٣٤', 'under_score', 'cafe', '𝐁𝐨𝐥𝐝']);
  assert.deepEqual(reviewWords(''), []);
});

test("naive Bayes gives scikit-learn's answers, except for the rounding of its weights", async () => {
  const { classes, predict } = await loadBayes();
  assert.deepEqual(classes, ['negative', 'positive']);
  assert.equal(reviews.cases.length, 40);
  const answers = predict(reviews.cases.map(({ text }) => text));
  for (const [i, { text, bayes }] of reviews.cases.entries()) {
    // A weight is off by 5e-5 at most and the prior by 5e-7. The tf-idf of m words has length 1, so their sum is at most
    // √m, and the slope of the logistic function is at most 1/4.
    const rounding = (5e-5 * Math.sqrt(new Set(reviewWords(text)).size) + 5e-7) / 4;
    assert.ok(Math.abs(answers[i][1] - bayes) <= rounding + 1e-12, `${text}: ${answers[i][1]}, not ${bayes}`);
    assert.ok(Math.abs(answers[i][0] + answers[i][1] - 1) < 1e-12);
  }
});

/** Naive Bayes on tf-idf with scikit-learn's defaults, trained here: the probability of the positive class per text. */
function trainBayes(rows) {
  const lists = rows.map(([, text]) => reviewWords(text));
  const linesWith = new Map();
  for (const words of lists) for (const word of new Set(words)) linesWith.set(word, (linesWith.get(word) ?? 0) + 1);
  const tfidf = (words) => {
    const counts = new Map();
    for (const word of words) if (linesWith.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts)
      counts.set(word, count * (Math.log((1 + rows.length) / (1 + linesWith.get(word))) + 1));
    const length = Math.hypot(...counts.values()) || 1;
    return [...counts].map(([word, value]) => [word, value / length]);
  };
  const seen = [0, 1].map(() => new Map([...linesWith.keys()].map((word) => [word, 1])));
  lists.forEach((words, i) => {
    const inClass = seen[Number(rows[i][0])];
    for (const [word, value] of tfidf(words)) inClass.set(word, inClass.get(word) + value);
  });
  const totals = seen.map((inClass) => [...inClass.values()].reduce((sum, value) => sum + value, 0));
  const positive = rows.filter(([label]) => label === '1').length;
  const prior = Math.log(positive / (rows.length - positive));
  const ratio = (word) => Math.log(seen[1].get(word) / totals[1]) - Math.log(seen[0].get(word) / totals[0]);
  return (text) =>
    1 / (1 + Math.exp(-tfidf(reviewWords(text)).reduce((sum, [word, value]) => sum + value * ratio(word), prior)));
}

test('naive Bayes equals a model trained on the same reviews, except for the rounding of its weights', async (t) => {
  if (!hasData(t, 'rotten-tomatoes.tsv')) return;
  const exact = trainBayes(reviewRows((i) => i % 5 !== 4));
  for (const { text, bayes } of reviews.cases) assert.ok(Math.abs(exact(text) - bayes) < 1e-12, text);
  const tested = testedReviews();
  assert.equal(tested.length, reviews.tested);
  const answers = (await loadBayes()).predict(tested.map(([, text]) => text));
  const worst = Math.max(...tested.map(([, text], i) => Math.abs(answers[i][1] - exact(text))));
  t.diagnostic(`rounding changes a probability by ${worst.toExponential(2)} at most`);
  assert.ok(Math.abs(worst - reviews.bayes.rounding) < 1e-12, `${worst}, not ${reviews.bayes.rounding}`);
});

test('the review network gives the same answers as torch', async () => {
  const { classes, predict } = await loadReviewNetwork(ort);
  assert.deepEqual(classes, ['negative', 'positive']);
  const answers = await predict(reviews.cases.map(({ text }) => text));
  assert.equal(answers.length, 40);
  for (const [i, { text, network }] of reviews.cases.entries()) {
    // Both compute in 32 bits, and the vectors have seven decimals.
    assert.ok(Math.abs(answers[i][1] - network) < 1e-6, `${text}: ${answers[i][1]}, not ${network}`);
    assert.ok(Math.abs(answers[i][0] + answers[i][1] - 1) < 1e-6);
  }
});

test('the review network gives the same answer for a single text and in batches', async () => {
  const { predict } = await loadReviewNetwork(ort);
  const texts = Array.from({ length: 600 }, (_, i) => reviews.cases[i % reviews.cases.length].text);
  const answers = await predict(texts);
  assert.equal(answers.length, 600);
  assert.ok(Math.abs(answers[599][1] - (await predict([texts[599]]))[0][1]) < 1e-6);
  assert.deepEqual(await predict([]), []);
});

test('the garment network gives the same answers as torch', async () => {
  const { classes, predict } = await loadGarments(ort);
  assert.equal(classes.length, 10);
  const answers = await predict(batchOf(garments.cases.map(({ pixels }) => Buffer.from(pixels, 'hex'))));
  assert.equal(answers.length, 6);
  for (const [i, { probabilities }] of garments.cases.entries()) {
    assert.equal(answers[i].length, 10);
    assert.ok(
      largestDifference(answers[i], probabilities) < 1e-6,
      `case ${i}: off by ${largestDifference(answers[i], probabilities)}`,
    );
  }
});

test('the garment network refuses a wrong shape and says what it expects', async () => {
  const { predict } = await loadGarments(ort);
  await assert.rejects(predict({ data: new Float32Array(784), shape: [1, 28, 28, 1] }), {
    name: 'RangeError',
    message: 'images must have shape [n, 1, 28, 28], not [1,28,28,1] with 784 numbers',
  });
});

test('the network recognizes at least eight of the ten drawn garments', async (t) => {
  const { predict } = await loadGarments(ort);
  assert.deepEqual(
    GARMENT_SAMPLES.map(({ name }) => name),
    GARMENTS,
  );
  const answers = await predict(batchOf(GARMENT_SAMPLES.map(({ draw }) => draw().data)));
  const seen = answers.map((row) => GARMENTS[best(row)]);
  const right = seen.filter((name, i) => name === GARMENTS[i]).length;
  t.diagnostic(`${right} of ${GARMENTS.length}: ${seen.join(', ')}`);
  assert.ok(right >= 8, seen.join(', '));
});

test('the models can be explained without changes', async () => {
  const bayes = await loadBayes();
  const text = 'A moving, funny and wonderful film with one dull joke';
  const { features } = await explainText(text, bayes.predict, { target: 'positive', classes: bayes.classes });
  assert.ok(features.find(({ name }) => name === 'moving').weight > 0);
  assert.ok(features.find(({ name }) => name === 'dull').weight < 0);
  const { classes, predict } = await loadGarments(ort);
  const options = { classes: [...classes], input: GARMENT_INPUT, segments: 'grid', samples: 100 };
  const explanation = await explainImage(GARMENT_SAMPLES[1].draw(), predict, options);
  assert.equal(explanation.target, 'trouser');
});

test('the models work in a page with a strict content security policy', async (t) => {
  const script = `
    import * as ort from '/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs';
    import { GARMENT_SAMPLES } from '/web/models/garment-samples.js';
    import { loadGarments } from '/web/models/garments.js';
    import { loadBayes } from '/web/models/reviews-bayes.js';
    import { loadReviewNetwork } from '/web/models/reviews-network.js';
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/';
    const texts = ['Not bad at all!'];
    const [bayes, network, garments] = await Promise.all([loadBayes(), loadReviewNetwork(ort), loadGarments(ort)]);
    const data = Float32Array.from(GARMENT_SAMPLES[9].draw().data, (gray) => gray / 255);
    const boot = await garments.predict({ data, shape: [1, 1, 28, 28] });
    globalThis.result = { bayes: bayes.predict(texts)[0][1], network: (await network.predict(texts))[0][1], boot: boot[0][9] };`;
  const html = '<!doctype html><title>models</title><script type="module" src="/page.js"></script>';
  const { result, problems, skipped } = await resultOfPage(t, root, { 'index.html': html, 'page.js': script });
  if (skipped) return;
  assert.deepEqual(problems, []);
  const { bayes, network } = reviews.cases.find(({ text }) => text === 'Not bad at all!');
  assert.ok(largestDifference([result.bayes, result.network], [bayes, network]) < 1e-4);
  assert.ok(result.boot > 0.5);
});

test("naive Bayes is right about at least 75 % of the reviews, like the paper's model", async (t) => {
  if (!hasData(t, 'rotten-tomatoes.tsv')) return;
  const accuracy = await reviewAccuracy((await loadBayes()).predict);
  t.diagnostic(`accuracy ${accuracy.toFixed(4)}`);
  checkAccuracy(accuracy, { stored: reviews.bayes.accuracy, tested: reviews.tested, least: 0.75 });
});

test('the network is right about at least 75 % of the reviews', async (t) => {
  if (!hasData(t, 'rotten-tomatoes.tsv')) return;
  const accuracy = await reviewAccuracy((await loadReviewNetwork(ort)).predict);
  t.diagnostic(`accuracy ${accuracy.toFixed(4)}`);
  checkAccuracy(accuracy, { stored: reviews.network.accuracy, tested: reviews.tested, least: 0.75 });
});

test("the network is right about at least 87 % of the garments, like the paper's model", async (t) => {
  if (!hasData(t, 'fmnist-test-images-idx3-ubyte.gz')) return;
  const read = (name) => gunzipSync(readFileSync(new URL(`fmnist-test-${name}-ubyte.gz`, data)));
  const [pixels, labels] = [read('images-idx3').subarray(16), read('labels-idx1').subarray(8)];
  const { predict } = await loadGarments(ort);
  const answers = await predict({
    data: Float32Array.from(pixels, (gray) => gray / 255),
    shape: [labels.length, 1, 28, 28],
  });
  assert.equal(labels.length, garments.tested);
  const accuracy = answers.filter((row, i) => best(row) === labels[i]).length / labels.length;
  t.diagnostic(`accuracy ${accuracy.toFixed(4)}`);
  checkAccuracy(accuracy, { stored: garments.accuracy, tested: garments.tested, least: 0.87 });
});
