// Tests what estimate tells before an explanation against what the explanation then does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, estimate, explainImage, explainRow, explainText, forestNeighborhood } from 'linex';

const TEXT = 'a wonderful and moving film about two sisters who meet again after the war and it is never boring';
const ROWS = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 3 ? 'red' : 'blue']);
const table = await describeTable(ROWS, { columns: ['a', 'b', 'color'], categorical: ['color'] });
const IMAGE = { width: 16, height: 12, channels: 3, data: Uint8Array.from({ length: 576 }, (_, i) => (i * 37) % 256) };
const lengths = (texts) => texts.map((text) => text.length);
const sums = (batch) => Array.from(batch, ([a, b, c]) => a * b + c);
const firsts = ({ data, shape: [count] }) => Array.from({ length: count }, (_, i) => data[(i * data.length) / count]);

/** Counts the samples and the calls of a model. */
function counting(predict) {
  const counted = { queries: 0, calls: 0 };
  const ask = (batch) => {
    counted.calls++;
    counted.queries += batch.shape?.[0] ?? batch.length;
    return predict(batch);
  };
  return { ask, counted };
}

const background = ROWS.slice(0, 7);
const CASES = {
  'a text': [explainText, TEXT, lengths, {}],
  'a short text, whose perturbations are few': [explainText, 'a short one', lengths, {}],
  'a text with 77 samples': [explainText, TEXT, lengths, { samples: 77, batchSize: 10 }],
  'a text, several batches at once': [explainText, TEXT, lengths, { samples: 500, batchSize: 50, concurrency: 3 }],
  'a row': [explainRow, ROWS[3], sums, { table }],
  'an object': [explainRow, { a: 0.3, b: 0.2, color: 'red' }, sums, { table, samples: 99 }],
  'a row by SHAP': [explainRow, ROWS[3], sums, { table, method: 'shap', background }],
  'a text by SHAP': [explainText, TEXT, lengths, { method: 'shap', samples: 100 }],
  'an image': [explainImage, IMAGE, firsts, { segments: { kind: 'grid', count: 12 }, samples: 64 }],
};

for (const [what, [explain, input, predict, options]] of Object.entries(CASES))
  test(`${what}: the queries and calls are those that happen`, async () => {
    const { queries, calls, seconds, money, latency } = await estimate(input, options);
    const { ask, counted } = counting(predict);
    const explanation = await explain(input, ask, options);
    assert.deepEqual(
      [queries, calls],
      [
        { least: counted.queries, most: counted.queries },
        { least: counted.calls, most: counted.calls },
      ],
    );
    assert.equal(explanation.queries.asked, counted.queries);
    assert.deepEqual([seconds, money, latency], [null, null, null]);
  });

test("samples: 'auto' gives a range that holds what happens", async () => {
  for (const [explain, input, predict, options] of [
    [explainText, TEXT, lengths, { samples: 'auto', maxSamples: 1500 }],
    [explainRow, ROWS[3], sums, { table, samples: 'auto', maxSamples: 900 }],
    [explainText, TEXT, lengths, { samples: 'auto', method: 'shap' }],
  ]) {
    const { queries, calls } = await estimate(input, options);
    const { ask, counted } = counting(predict);
    await explain(input, ask, options);
    assert.ok(queries.least <= counted.queries && counted.queries <= queries.most, JSON.stringify([queries, counted]));
    assert.ok(calls.least <= counted.calls && counted.calls <= calls.most, JSON.stringify([calls, counted]));
    assert.ok(queries.least < queries.most);
  }
});

test('MAPLE asks one query', async () => {
  const neighborhood = await forestNeighborhood(
    table,
    ROWS.map(([a, b]) => a * b),
  );
  const { queries, calls } = await estimate(ROWS[3], { table, neighborhood, method: 'maple' });
  assert.deepEqual(
    [queries, calls],
    [
      { least: 1, most: 1 },
      { least: 1, most: 1 },
    ],
  );
});

test('latency and price give seconds and money', async () => {
  const options = { samples: 500, batchSize: 100, concurrency: 2, latency: 300, price: 0.25 };
  const { queries, calls, seconds, money, latency } = await estimate(TEXT, options);
  const count = queries.most;
  assert.ok(count > 300 && count <= 500);
  assert.deepEqual(money, { least: count / 4, most: count / 4 });
  // The first batch is asked alone, the others two at a time.
  const turns = 1 + Math.ceil((calls.most - 1) / 2);
  assert.deepEqual(seconds, { least: (turns * 300) / 1000, most: (turns * 300) / 1000 });
  assert.equal(latency, 300);
});

test('measure asks one query, about the input, and bounds the time', async () => {
  const asked = [];
  const measure = async (texts) => {
    asked.push(texts);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return lengths(texts);
  };
  const { queries, calls, seconds, latency } = await estimate(TEXT, { samples: 200, batchSize: 50, measure });
  assert.deepEqual(asked, [[TEXT]]);
  assert.ok(latency >= 29);
  assert.deepEqual(seconds, { least: (calls.most * latency) / 1000, most: (queries.most * latency) / 1000 });
  const failing = () => Promise.reject(new Error('closed'));
  await assert.rejects(estimate(TEXT, { measure: failing }), { code: 'model-threw' });
});

test('an estimate is frozen and JSON-safe, and the model is not asked', async () => {
  const found = await estimate(TEXT, { latency: 1, price: 1 });
  assert.ok(Object.isFrozen(found) && Object.isFrozen(found.queries));
  assert.deepEqual(JSON.parse(JSON.stringify(found)), found);
});

test('bad calls are refused as the explanation would', async () => {
  await assert.rejects(estimate(TEXT, { sample: 5 }), /no option "sample"; did you mean "samples"/);
  await assert.rejects(estimate(TEXT, { latency: -1 }), /latency must be a number at least 0/);
  await assert.rejects(estimate(TEXT, { latency: 1e300 }), /latency must be .* at most 1000000000000000, not 1e\+300/);
  await assert.rejects(estimate(TEXT, { price: Number.MAX_VALUE }), /price must be .* at most 1000000000000000/);
  await assert.rejects(estimate(TEXT, { price: 'x' }), /price must be a number at least 0 .*not "x"/);
  await assert.rejects(estimate(TEXT, { measure: 7 }), /measure must be the model, a function, not 7/);
  await assert.rejects(estimate(TEXT, { measure: () => [1], latency: 1 }), /takes latency or measure, not both/);
  await assert.rejects(estimate(TEXT, 7), /estimate takes its options as an object, not 7/);
});
