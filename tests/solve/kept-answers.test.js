// Tests answers that stay with an explanation, and are explained again without asking the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkExplanation, describeTable, explainImage, explainRow, explainText } from 'linex';

const TEXT = 'a wonderful and moving film about two sisters who meet again after the war and it is never boring';
const scoreOf = (text) =>
  1 / (1 + Math.exp(text.split('never').length - text.split('wonderful').length * 2 + text.length / 90));
const texts = (all) => all.map((text) => [scoreOf(text), 1 - scoreOf(text)]);
const ROWS = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 3 ? 'red' : 'blue', (i % 5) / 4]);
const table = await describeTable(ROWS, { columns: ['a', 'b', 'color', 'd'], categorical: ['color'] });
const rows = (batch) => Array.from(batch, ([a, b, color, d]) => Math.tanh(a - b * a + color + d * d));
const IMAGE = { width: 16, height: 12, channels: 3, data: Uint8Array.from({ length: 576 }, (_, i) => (i * 37) % 256) };
const images = ({ data, shape: [count] }) =>
  Array.from({ length: count }, (_, i) =>
    Math.tanh(data[i * 576 + 40] + 2 * data[i * 576 + 300] * data[i * 576 + 500]),
  );
const SEGMENTS = { segments: { kind: 'grid', count: 12 } };
const never = () => assert.fail('the model was asked');
const numbersOf = ({ milliseconds: _, queries: __, answers: ___, ...explanation }) => explanation;
const json = (value) => JSON.parse(JSON.stringify(value));

const KINDS = {
  text: (predict, options) => explainText(TEXT, predict ?? texts, options),
  row: (predict, options) => explainRow(ROWS[5], predict ?? rows, { table, ...options }),
  image: (predict, options) => explainImage(IMAGE, predict ?? images, { ...SEGMENTS, ...options }),
};

for (const [kind, explain] of Object.entries(KINDS)) {
  test(`${kind}: another method costs nothing, and equals the one that asks`, async () => {
    const first = await explain(undefined, { samples: 300, keepAnswers: true, seed: 4 });
    assert.deepEqual(numbersOf(first), numbersOf(await explain(undefined, { samples: 300, seed: 4 })));
    for (const method of ['linex', 'lime', 's-lime', 'baseline']) {
      const again = await explain(never, { answers: json(first.answers), method, seed: 4 });
      const asked = await explain(undefined, { samples: 300, method, seed: 4 });
      assert.deepEqual(numbersOf(again), numbersOf(asked), method);
      assert.deepEqual(again.queries, { planned: asked.queries.planned, asked: 0, reused: asked.queries.planned });
      assert.equal(again.milliseconds.model, 0);
    }
  });

  test(`${kind}: a seed that is no whole number is refused`, async () => {
    const { answers } = await explain(undefined, { samples: 20, keepAnswers: true });
    for (const seed of [-1, 0.5, NaN, [NaN], '4'])
      await assert.rejects(explain(never, { answers, seed }), /^RangeError: seed must be a whole number/);
  });

  test(`${kind}: another preset and another seed of the games cost nothing`, async () => {
    const options = { samples: 300, keepAnswers: true, seed: 4 };
    const { answers } = await explain(undefined, options);
    const strict = await explain(never, { answers, preset: 'strict', seed: 4 });
    assert.deepEqual(
      numbersOf(strict),
      numbersOf(await explain(undefined, { samples: 300, preset: 'strict', seed: 4 })),
    );
    const paper = { preset: 'paper', environments: 'bootstrap' };
    const [one, two] = [
      await explain(never, { answers, ...paper, seed: 1 }),
      await explain(never, { answers, ...paper, seed: 2 }),
    ];
    assert.deepEqual([one.seed, two.seed], [1, 2]);
    assert.equal(one.prediction, two.prediction);
    assert.notDeepEqual(one.weights, two.weights, 'other bootstraps of the same samples');
  });

  test(`${kind}: answers of samples: 'auto' are explained again`, async () => {
    const first = await explain(undefined, { samples: 'auto', maxSamples: 600, keepAnswers: true });
    const again = await explain(never, { answers: first.answers, keepAnswers: true });
    assert.deepEqual(again.weights, first.weights);
    assert.deepEqual(again.answers, first.answers);
  });
}

test('answers are frozen, survive JSON, and pass the check of an explanation', async () => {
  const explanation = await explainText(TEXT, texts, { samples: 100, keepAnswers: true });
  const { answers } = explanation;
  assert.ok(Object.isFrozen(answers) && Object.isFrozen(answers.scores));
  assert.deepEqual(json(answers), answers);
  assert.equal(answers.scores.length, 2 * explanation.queries.asked);
  assert.deepEqual(checkExplanation(json(explanation)), json(explanation));
  assert.equal((await explainText(TEXT, texts, { samples: 100 })).answers, undefined);
});

test('the first answer is about the input, and a target may be chosen later', async () => {
  const { answers, target } = await explainText(TEXT, texts, { samples: 100, keepAnswers: true, target: 0 });
  assert.deepEqual([answers.scores.slice(0, 2), target], [[scoreOf(TEXT), 1 - scoreOf(TEXT)], 0]);
  const both = await explainText(TEXT, never, { answers, target: [0, 1] });
  assert.deepEqual(
    both.map(({ prediction }) => prediction),
    [scoreOf(TEXT), 1 - scoreOf(TEXT)],
  );
});

test('answers about other samples are refused', async () => {
  const { answers } = await explainText(TEXT, texts, { samples: 100, keepAnswers: true });
  const other = /the answers are about \d+ other samples: they need the same input/;
  await assert.rejects(explainText(TEXT.replace('war', 'day'), never, { answers }), other);
  await assert.rejects(explainText(TEXT, never, { answers, mask: '[MASK]' }), other);
  await assert.rejects(explainText(TEXT, never, { answers: { ...answers, seed: 9 } }), other);
  await assert.rejects(explainText(TEXT, never, { answers: { ...answers, scores: answers.scores.slice(2) } }), other);
  const row = await explainRow(ROWS[5], rows, { table, samples: 100, keepAnswers: true });
  await assert.rejects(explainRow(ROWS[6], never, { table, answers: row.answers }), other);
  await assert.rejects(explainRow(ROWS[5], never, { table, answers: row.answers, discretize: 'quartile' }), other);
});

test('bad answers and options that are about samples are refused, by name', async () => {
  const { answers } = await explainText(TEXT, texts, { samples: 100, keepAnswers: true });
  const explain = (options) => explainText(TEXT, never, options);
  await assert.rejects(explain({ answers: 7 }), /answers must be a plain object, not 7/);
  await assert.rejects(explain({ answers: { ...answers, schema: 'x' } }), /schema must be "linex-answers\/1", not "x"/);
  await assert.rejects(
    explain({ answers: { ...answers, scores: [NaN] } }),
    /scores\[0\] must be a finite number, not NaN/,
  );
  await assert.rejects(explain({ answers: { ...answers, columns: 0 } }), /columns must be a whole number from 1/);
  await assert.rejects(
    explain({ answers, samples: 50 }),
    /answers come with their samples, so there can be no option "samples"/,
  );
  await assert.rejects(explain({ keepAnswers: 1 }), /keepAnswers must be true or false, not 1/);
  await assert.rejects(explain({ answers, method: 'shap' }), /method 'shap' takes no option "answers"/);
  await assert.rejects(explain({ keepAnswers: true, method: 'shap' }), /method 'shap' takes no option "keepAnswers"/);
});
