// Tests of checkExplanation: it takes every explanation that the library makes, and names what is wrong with others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkExplanation, describeTable, explainRow, explainText } from 'linex';
import { SUBJECTS } from '../support/drawing/hostile-explanations.js';
import { resultsOfCases } from '../support/recorded-cases.js';

const { row, text, image } = SUBJECTS;
const throughJSON = (value) => JSON.parse(JSON.stringify(value));

/** The score is highest at 45 and falls on both sides of it, so the first column has no sign. */
async function explainWithSilence() {
  const people = Array.from({ length: 200 }, (_, i) => [20 + ((i * 7) % 50), (i * 7919) % 60000]);
  const predict = (batch) => batch.rows.map(([age, income]) => income / 100000 - Math.abs(age - 45) / 100);
  const options = { table: describeTable(people), samples: 100, environments: 'halves', games: 30, agreement: 0.9 };
  return explainRow([45, 32975], predict, options);
}

test('every explanation that the library makes is accepted, also after JSON and without the fields that are not drawn', async () => {
  const results = Object.values(await resultsOfCases()).flatMap((group) => Object.values(group));
  results.push(await explainWithSilence());
  const explanations = results.flat().filter(({ kind, features }) => kind && features);
  const methods = new Set(explanations.map(({ method }) => method));
  assert.deepEqual([...methods].sort(), ['baseline', 'lime', 'linex', 'maple', 's-lime', 'shap']);
  assert.ok(explanations.some(({ features }) => features.some(({ silenced }) => silenced)));
  assert.ok(explanations.length > 40);
  for (const explanation of explanations) {
    assert.equal(explanation.schema, 'linex/1');
    assert.equal(checkExplanation(explanation), explanation);
    checkExplanation(structuredClone(explanation));
    const stored = throughJSON(explanation);
    assert.deepEqual(checkExplanation(stored), throughJSON(explanation));
    for (const name of ['schema', 'milliseconds', 'seed', 'effectiveSamples', 'equilibrium', 'intercept', 'game']) {
      delete stored[name];
      checkExplanation(stored);
    }
  }
});

test('partial explanations are accepted', async () => {
  const partials = [];
  const predict = (texts) => texts.map((one) => one.length / 40);
  for (const method of ['linex', 'shap'])
    await explainText('one two three four five six seven', predict, {
      ...{ method, batchSize: 16 },
      onProgress: ({ partial }) => partials.push(partial),
    });
  const made = partials.filter(Boolean);
  assert.ok(made.length > 8);
  for (const partial of made) checkExplanation(partial);
});

/** Returns a copy with one change. @param {(copy: any) => void} change */
function changed(explanation, change) {
  const copy = throughJSON(explanation);
  change(copy);
  return copy;
}

/** What is changed, and the message. */
const WRONG = [
  [row, (it) => (it.schema = 'linex/2'), 'schema must be "linex/1", not "linex/2"'],
  [row, (it) => (it.kind = 'sound'), 'kind must be "row" or "text" or "image", not "sound"'],
  [row, (it) => delete it.features, 'features must be an array of at most 100000000 items, not undefined'],
  [row, (it) => (it.features[1].index = '1'), 'features[1].index must be a whole number from 0 to 5, not "1"'],
  [row, (it) => (it.features[1].index = 6), 'features[1].index must be a whole number from 0 to 5, not 6'],
  [row, (it) => (it.features[1].index = -1), 'features[1].index must be a whole number from 0 to 5, not -1'],
  [row, (it) => (it.features[1].index = 1.5), 'features[1].index must be a whole number from 0 to 5, not 1.5'],
  [
    row,
    (it) => (it.features[1].index = it.features[0].index),
    'features[1].index must be the index of no other feature, not 0',
  ],
  [
    row,
    (it) => (it.features[0].interval = [0.5]),
    'features[0].interval must be [low, high] or null, not Array of length 1',
  ],
  [
    row,
    (it) => (it.features[0].interval = [2, 1]),
    'features[0].interval must be [low, high] or null, not Array of length 2',
  ],
  [row, (it) => (it.features[0].interval = '12'), 'features[0].interval must be [low, high] or null, not "12"'],
  [
    row,
    (it) => (it.features[0].signAgreement = 1.1),
    'features[0].signAgreement must be a number from 0 to 1, or null, not 1.1',
  ],
  [row, (it) => (it.features[0].weight = null), 'features[0].weight must be a finite number, not null'],
  [
    row,
    (it) => (it.features[0].name = ['x']),
    'features[0].name must be a string of at most 100000000 characters, not Array of length 1',
  ],
  [
    row,
    (it) => (it.features[0].value = {}),
    'features[0].value must be a finite number, a string, true, false or null, not Object',
  ],
  [row, (it) => (it.weights[2] = NaN), 'weights[2] must be a finite number, not NaN'],
  [row, (it) => (it.weights = '123456'), 'weights must be an array of at most 100000000 numbers, not "123456"'],
  [row, (it) => (it.weights = [1]), 'equilibrium.players[0] must be an array of 1 numbers, not Array of length 6'],
  [row, (it) => (it.equilibrium.residual = -1), 'equilibrium.residual must be a finite number of at least 0, not -1'],
  [
    row,
    (it) => (it.equilibrium.unsettled = Infinity),
    'equilibrium.unsettled must be a whole number from 0 to 9007199254740991, not Infinity',
  ],
  [
    row,
    (it) => (it.warningCodes = [{ code: 'few-samples', samples: Infinity }]),
    'warningCodes[0].samples must be a finite number, not Infinity',
  ],
  [row, (it) => (it.ridge = NaN), 'ridge must be a finite number of at least 0, not NaN'],
  [
    row,
    (it) => (it.queries.asked = '\u001b[2J'),
    'queries.asked must be a whole number from 0 to 9007199254740991, not "\\u001b[2J"',
  ],
  [row, (it) => (it.queries.stopped = 'yes'), 'queries.stopped must be "settled" or "cap" or "exhausted", not "yes"'],
  [row, (it) => (it.method = 'magic'), /^method must be "linex" or .*, not "magic"$/],
  [row, (it) => (it.target = 0.5), 'target must be a string, a whole number or null, not 0.5'],
  [row, (it) => (it.warnings = 'none'), 'warnings must be an array of at most 100000000 items, not "none"'],
  [row, (it) => (it.milliseconds = { model: 1 }), 'milliseconds.own must be a finite number, not undefined'],
  [row, (it) => (it.game.grams[0] = [null]), 'game.grams[0][0] must be a finite number, not null'],
  [text, (it) => (it.tokens[1].feature = 99), 'tokens[1].feature must be a whole number from 0 to 8, not 99'],
  [text, (it) => (it.tokens[1].start = 0), 'tokens[1].start must be a whole number from 1 to 52, not 0'],
  [text, (it) => (it.tokens[1].end = 53), 'tokens[1].end must be a whole number from 3 to 52, not 53'],
  [
    text,
    (it) => (it.features[0].occurrences[1].end = 60),
    'features[0].occurrences[1].end must be a whole number from 41 to 52, not 60',
  ],
  [
    text,
    (it) => (it.text = it.text.split('')),
    'text must be a string of at most 100000000 characters, not Array of length 52',
  ],
  [image, (it) => it.labels.pop(), 'labels must be an array of 64 numbers, not Array of length 63'],
  [image, (it) => (it.labels[9] = 4), 'labels[9] must be a whole number from 0 to 3, not 4'],
  [image, (it) => (it.width = 8.5), 'width must be a whole number from 1 to 100000000, not 8.5'],
  [image, (it) => (it.features[0].box.x = 5), 'features[0].box must be within 8 x 8 pixels, not Object'],
  [image, (it) => (it.features[0].box = null), 'features[0].box must be a plain object, not null'],
];

for (const [explanation, change, message] of WRONG)
  test(`it says: ${message}`, () =>
    assert.throws(() => checkExplanation(changed(explanation, change)), { name: 'TypeError', message }));

test('getters, inherited fields, instances and sparse arrays are not JSON', () => {
  const withGetter = Object.defineProperty({ ...row }, 'method', { get: () => 'lime', enumerable: true });
  assert.throws(() => checkExplanation(withGetter), /^TypeError: method must be a property of its own, not a getter$/);
  const inherited = Object.assign(Object.create(Object.create(null, { link: { value: 'logit' } })), row);
  assert.throws(
    () => checkExplanation(inherited),
    /^TypeError: link must be a property of its own, not an inherited one$/,
  );
  assert.throws(
    () => checkExplanation(Object.create(row)),
    /^TypeError: an explanation must be a plain object, not Object$/,
  );
  class Weights extends Array {}
  assert.throws(() => checkExplanation({ ...row, weights: Weights.from(row.weights) }), /^TypeError: weights must be/);
  assert.throws(
    () => checkExplanation({ ...row, weights: Float64Array.from(row.weights) }),
    /^TypeError: weights must be/,
  );
  assert.throws(() => checkExplanation({ ...row, weights: new Array(6) }), /weights\[0\] must be .*, not undefined/);
  assert.throws(() => checkExplanation({ ...row, weights: new Array(4e9) }), /not Array of length 4000000000/);
  for (const value of [undefined, null, 5, 'x', [], () => row])
    assert.throws(() => checkExplanation(value), /^TypeError: an explanation must be a plain object, not /);
});

test('objects without a prototype and further fields are accepted', () => {
  checkExplanation(Object.assign(Object.create(null), row, { note: () => 'mine', features: row.features }));
  checkExplanation(structuredClone(image));
});
