// Pools explain texts and images like one core, and report failing items without ending the loop, if asked to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainImage, explainRows, explainText, LinexError } from 'linex';
import {
  all,
  faulty,
  LIMIT,
  moduleOf,
  numbers,
  openForTest,
  quick,
  resetSeen,
  withoutTimes,
} from '../support/workers/pool-models.js';

const scoreText = (text) => (text.includes('love') ? 0.7 : 0.2) - (text.includes('dull') ? 0.1 : 0);
const TEXTS = ['a tale of love', 'dull love', 'nothing here', 'love, love and more of it'];
const scoreImage = ({ data, shape: [count] }) =>
  Array.from({ length: count }, (_, i) => data[(i * data.length) / count] / 255);
const imageOf = (shade) => ({
  data: new Uint8Array(16 * 12 * 3).map((_, i) => (i * shade) % 251),
  width: 16,
  height: 12,
});

test('a pool explains texts and images as one core does, in their order', LIMIT, async (t) => {
  const texts = await openForTest(
    t,
    moduleOf(`const score = ${scoreText}; export const predict = (texts) => texts.map(score)`),
  );
  const here = await Promise.all(TEXTS.map((text) => explainText(text, (texts) => texts.map(scoreText), { seed: 4 })));
  assert.deepEqual((await all(texts.explainTexts(TEXTS, { seed: 4 }))).map(withoutTimes), here.map(withoutTimes));
  const images = await openForTest(t, moduleOf(`export const predict = ${scoreImage}`));
  const shades = [3, 5, 7].map(imageOf);
  const options = { samples: 60, segments: { kind: 'grid', count: 6 }, concurrency: 2 };
  const { concurrency, ...alone } = options;
  assert.equal(concurrency, 2);
  const drawn = await Promise.all(shades.map((image) => explainImage(image, scoreImage, alone)));
  assert.deepEqual((await all(images.explainImages(shades, options))).map(withoutTimes), drawn.map(withoutTimes));
});

test('an error of a text names the text', LIMIT, async (t) => {
  const pool = await openForTest(t, moduleOf('export const predict = (texts) => texts.map(() => 1)'));
  await assert.rejects(all(pool.explainTexts(['a b', 7])), /^TypeError: text 1: /);
  await assert.rejects(
    all(pool.explainTexts(['a b'], { sample: 7 })),
    /^TypeError: text 0: explainText has no option "sample"/,
  );
  await assert.rejects(all(pool.explainTexts(['a'], { errors: 'ignore' })), /^RangeError: errors must be/);
});

const failsAt = 'if (x > 2.5 && x < 3.5) throw new Error("no threes")';

test("with errors: 'yield', a failing row is reported in its place and the others are explained", LIMIT, async (t) => {
  const predict = (batch) =>
    [...batch].map(([x]) => {
      if (batch.shape[0] > 0 && Math.round([...batch][0][0]) === 3) throw new Error('no threes');
      return x;
    });
  const here = await all(explainRows(numbers.slice(0, 6), predict, { ...quick, errors: 'yield' }));
  const pool = await openForTest(t, faulty(failsAt), { workers: 2 });
  const there = await all(pool.explainRows(numbers.slice(0, 6), { ...quick, errors: 'yield' }));
  for (const results of [here, there]) {
    assert.equal(results.length, 6);
    assert.ok(results[3] instanceof LinexError && results[3].code === 'model-threw', String(results[3]));
    assert.match(results[3].message, /no threes/);
    for (const i of [0, 1, 2, 4, 5]) assert.equal(results[i].prediction, i);
  }
  assert.match(there[3].message, /^row 3: /);
  await assert.rejects(all(pool.explainRows(numbers.slice(0, 6), quick)), /row 3: .*no threes/);
  await assert.rejects(all(explainRows([[1]], predict, { ...quick, errors: 'skip' })), /^RangeError: errors must be/);
});

test("with errors: 'yield', a row that ends two workers is reported in its place", LIMIT, async (t) => {
  resetSeen();
  const pool = await openForTest(t, faulty('if (x === 2) process.exit(7)'), { workers: 2 });
  const results = await all(pool.explainRows(numbers.slice(0, 5), { ...quick, errors: 'yield' }));
  assert.match(results[2].message, /^row 2: its worker was lost twice: it exited with code 7/);
  for (const i of [0, 1, 3, 4]) assert.equal(results[i].prediction, i);
});

test("an abort ends a loop with errors: 'yield' as any other", LIMIT, async (t) => {
  const pool = await openForTest(t, faulty('await new Promise(() => {})'), { workers: 1 });
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('enough')), 100);
  await assert.rejects(all(pool.explainRows(numbers, { ...quick, errors: 'yield', signal: stop.signal })), /enough/);
  const here = explainRows(numbers, () => new Promise(() => {}), { ...quick, errors: 'yield', signal: stop.signal });
  await assert.rejects(all(here), /enough/);
});
