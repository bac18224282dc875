// Tests fromPipeline with functions that answer as transformers.js does, in the shapes that were recorded from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainImage, explainText } from 'linex';
import { fromPipeline } from 'linex/adapters';

const LABELS = ['NEGATIVE', 'NEUTRAL', 'POSITIVE'];
const scoreOf = (text) => {
  const odds = [Math.exp(text.split('bad').length), 2, Math.exp(text.split('good').length)];
  const sum = odds.reduce((a, b) => a + b);
  return odds.map((value) => value / sum);
};
const sorted = (scores, labels = LABELS) =>
  scores.map((score, i) => ({ label: labels[i], score })).sort((a, b) => b.score - a.score);

/** Like `pipeline('text-classification')`: sorted by score, one object per text with `top_k: 1`; an empty array throws. */
function classifier() {
  const calls = [];
  const call = async (texts, { top_k: most = 1 } = {}) => {
    if (texts.length === 0) throw new Error('text may not be null or undefined');
    calls.push(texts);
    const lists = [texts].flat().map((text) => sorted(scoreOf(text)).slice(0, most ?? undefined));
    if (most === 1) return lists.map(([first]) => first);
    return Array.isArray(texts) ? lists : lists[0];
  };
  const config = { id2label: { 0: 'NEGATIVE', 1: 'NEUTRAL', 2: 'POSITIVE' } };
  return Object.assign(call, { task: 'text-classification', model: { config }, calls });
}
const TEXT = 'a good film with a bad start and a good end';

test('labels sorted by score are put back in order: the weights of a hand-written predict', async () => {
  const expected = await explainText(TEXT, (texts) => texts.map(scoreOf), { classes: LABELS, target: 'POSITIVE' });
  const found = await explainText(TEXT, fromPipeline(classifier()), { target: 'POSITIVE' });
  assert.deepEqual(found.weights, expected.weights);
  assert.deepEqual([found.target, found.prediction], ['POSITIVE', expected.prediction]);
});

test('a batch size bounds the texts of a run, and a batch of one text is read', async () => {
  const pipeline = classifier();
  const predict = fromPipeline(pipeline, { batchSize: 2 });
  const texts = ['good', 'bad', 'good bad', '', 'bad bad'];
  const { data, shape } = await predict(texts);
  assert.deepEqual([[...data], shape], [texts.flatMap(scoreOf), [5, 3]]);
  assert.deepEqual(
    pipeline.calls.map(({ length }) => length),
    [2, 2, 1],
  );
});

test('labels choose the order and the classes; one that the model does not have is an error', async () => {
  const predict = fromPipeline(classifier(), { labels: ['POSITIVE', 'NEGATIVE'] });
  const [negative, , positive] = scoreOf('good');
  assert.deepEqual(
    [[...(await predict(['good'])).data], predict.classes],
    [
      [positive, negative],
      ['POSITIVE', 'NEGATIVE'],
    ],
  );
  await assert.rejects(
    fromPipeline(classifier(), { labels: ['GREAT', 'NEGATIVE'] })(['good']),
    /gave no score for "GREAT", but for POSITIVE, NEGATIVE, NEUTRAL/,
  );
});

test('a zero-shot pipeline is asked about the labels', async () => {
  const call = async (texts, labels) => {
    const all = texts.map((text) => {
      const list = sorted(scoreOf(text), labels);
      return { sequence: text, labels: list.map(({ label }) => label), scores: list.map(({ score }) => score) };
    });
    return all;
  };
  const pipeline = Object.assign(call, {
    task: 'zero-shot-classification',
    model: { config: { id2label: { 0: 'entailment' } } },
  });
  const predict = fromPipeline(pipeline, { labels: ['sad', 'plain', 'glad'] });
  assert.deepEqual([...(await predict(['good', 'bad'])).data], [...scoreOf('good'), ...scoreOf('bad')]);
  assert.deepEqual([...(await predict(['good'])).data], scoreOf('good'));
  assert.throws(() => fromPipeline(pipeline), /does not know its labels; pass labels/);
});

class RawImage {
  constructor(data, width, height, channels) {
    Object.assign(this, { data, width, height, channels });
  }
}

test('images become RawImage, with the pixels of the batch', async () => {
  const brightness = ({ data }) => data.reduce((a, b) => a + b, 0) / data.length / 255;
  const call = async (images, { top_k: most }) => {
    assert.equal(most, null);
    return images.map((image) => {
      assert.ok(image instanceof RawImage && image.data.length === image.width * image.height * image.channels);
      return sorted([1 - brightness(image), brightness(image)], ['dark', 'light']);
    });
  };
  const pipeline = Object.assign(call, {
    task: 'image-classification',
    model: { config: { id2label: { 0: 'dark', 1: 'light' } } },
  });
  const image = { width: 8, height: 6, channels: 3, data: Uint8Array.from({ length: 144 }, (_, i) => (i * 37) % 256) };
  const options = { target: 'light', samples: 16, segments: { kind: 'grid', count: 4 } };
  const handWritten = ({ data, shape: [count] }) =>
    Array.from({ length: count }, (_, i) => {
      const light = brightness({ data: data.subarray(i * 144, (i + 1) * 144) });
      return [1 - light, light];
    });
  const expected = await explainImage(image, handWritten, {
    ...options,
    classes: ['dark', 'light'],
    input: { type: 'uint8' },
  });
  const found = await explainImage(image, fromPipeline(pipeline, { RawImage }), options);
  assert.deepEqual(found.weights, expected.weights);
  assert.throws(() => fromPipeline(pipeline), /takes images; pass RawImage of transformers.js, not undefined/);
  await assert.rejects(
    explainImage(image, fromPipeline(pipeline, { RawImage }), { ...options, input: { type: 'float32' } }),
    /the pipeline takes pixels; pass input: \{ type: 'uint8', layout: 'nhwc' \}/,
  );
});

test('bad calls are refused', async () => {
  assert.throws(() => fromPipeline({}), /takes a pipeline of transformers.js, not Object/);
  assert.throws(() => fromPipeline(classifier(), { batch: 2 }), /no option "batch"; did you mean "batchSize"/);
  assert.throws(() => fromPipeline(classifier(), { batchSize: 0 }), /batchSize must be a whole number from 1/);
  await assert.rejects(
    fromPipeline(classifier())({ data: new Float64Array(2), shape: [1, 2] }),
    /takes texts, not Object/,
  );
});
