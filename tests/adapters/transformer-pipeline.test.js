// Tests fromPipeline with a real transformer in transformers.js: the same answers and weights as a predict written by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as transformers from '@huggingface/transformers';
import { explainText } from 'linex';
import { fromPipeline } from 'linex/adapters';
import { loadReviewTransformer } from '../../web/models/reviews-transformer.js';

const { classify, classes, predict } = await loadReviewTransformer(transformers);
const GOOD = 'A wonderful, moving film.';
const BAD = 'Dull, stupid and far too long.';
const REVIEW = 'The cast is wonderful, the script is a mess, and the ending left me cold.';

test('the scores of a pipeline are put back into the order of the labels', async () => {
  const raw = await classify([GOOD, BAD], { top_k: null });
  // The pipeline sorts by score, so the first label differs.
  assert.deepEqual(
    raw.map(([{ label }]) => label),
    ['positive', 'negative'],
  );
  const ask = fromPipeline(classify);
  assert.deepEqual([...ask.classes], classes);
  const { data, shape } = await ask([GOOD, BAD]);
  assert.deepEqual(shape, [2, 2]);
  assert.deepEqual([...data], [raw[0][1].score, raw[0][0].score, raw[1][0].score, raw[1][1].score]);
});

test('one text, and texts of any number, give the same answers as the pipeline', async () => {
  const ask = fromPipeline(classify, { batchSize: 4 });
  const [{ label, score }] = await classify(GOOD);
  assert.equal(label, 'positive');
  assert.equal((await ask([GOOD])).data[1], score);
  const texts = REVIEW.split(' ').map((_, i, words) => words.slice(0, i + 1).join(' '));
  const { data, shape } = await ask(texts);
  assert.deepEqual(shape, [texts.length, 2]);
  const expected = await predict(texts);
  // A batch of another size is padded in another way, which may change the last digits of 32-bit numbers.
  expected.forEach(([, positive], i) => assert.ok(Math.abs(data[2 * i + 1] - positive) < 1e-6, texts[i]));
});

test('explainText with fromPipeline gives the weights of a predict written by hand', async () => {
  const options = { samples: 100, features: 'all', batchSize: 16, seed: 3 };
  const adapted = await explainText(REVIEW, fromPipeline(classify, { batchSize: 16 }), options);
  const own = await explainText(REVIEW, predict, { ...options, classes });
  assert.equal(adapted.target, own.target);
  assert.ok(classes.includes(adapted.target), adapted.target);
  assert.deepEqual(adapted.weights, own.weights);
  assert.deepEqual(adapted.features, own.features);
});

test('fromPipeline names a label that the model does not have', async () => {
  const ask = fromPipeline(classify, { labels: ['bad', 'positive'] });
  await assert.rejects(ask([GOOD]), /gave no score for "bad", but for positive, negative/);
});
