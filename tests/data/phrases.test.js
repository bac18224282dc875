// Groups of words: phrases that are removed together and explained as one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainText } from 'linex';
import { tokenize } from '../support/tokenize.js';

const namesOf = (text, options) => tokenize(text, options).features.map(({ name }) => name);

test('the words of a phrase are one feature, with all its occurrences', () => {
  const text = 'New York is not good, New York is not bad';
  const groups = ['New York', 'not good'];
  assert.deepEqual(namesOf(text, { groups }), ['New York', 'is', 'not good', 'not', 'bad']);
  const [newYork] = tokenize(text, { groups }).features;
  assert.deepEqual(newYork.occurrences, [
    { start: 0, end: 8 },
    { start: 22, end: 30 },
  ]);
  assert.deepEqual(namesOf('ha not good ha', { groups, unit: 'position' }), ['ha (1)', 'not good', 'ha (2)']);
});

test('the longest phrase wins, and a phrase does not begin or end within a word', () => {
  const text = 'not very good';
  assert.deepEqual(namesOf(text, { groups: ['not very', 'not very good'] }), ['not very good']);
  assert.deepEqual(namesOf(text, { groups: ['not ver', 'ot very'] }), ['not', 'very', 'good']);
  assert.deepEqual(namesOf('NOT good', { groups: ['not Good'], caseSensitive: false }), ['NOT good']);
  assert.deepEqual(namesOf('NOT good', { groups: ['not Good'] }), ['NOT', 'good']);
});

test('a phrase is removed as a whole, and gets the weight of its whole', async () => {
  const asked = new Set();
  const predict = (texts) =>
    texts.map((text) => {
      asked.add(text);
      return /not good/.test(text) ? -1 : 0;
    });
  const { features } = await explainText('this is not good at all', predict, { groups: ['not good'] });
  assert.deepEqual(
    [...asked].filter((text) => /\bnot\b/.test(text) !== /\bgood\b/.test(text)),
    [],
  );
  assert.equal(features[0].name, 'not good');
  // All 32 texts are asked, so that only the ridge shrinks the weight.
  assert.ok(features[0].weight < -0.8, `${features[0].weight}`);
});

test('bad phrases are refused by name, before the model is asked', async () => {
  const predict = () => assert.fail('the model was asked');
  const refused = (options, pattern) => assert.rejects(explainText('one two', predict, options), pattern);
  await refused({ groups: 'one two' }, /^TypeError: groups must be an array of phrases, not "one two"/);
  await refused({ groups: [1] }, /^TypeError: groups\[0\] must be a string, not 1/);
  await refused({ groups: [' '] }, /^RangeError: groups\[0\] must be a phrase of the text, not " "/);
  await refused(
    { groups: ['one two'], unit: 'sentence' },
    /^RangeError: groups are for words, not for unit "sentence"/,
  );
});
