// Tests that each tab of the demo page opens on the example that its rule chooses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ort from 'onnxruntime-web';
import { describeTable, explainImage, explainRow, explainText } from 'linex';
import { classes, columns, trainIrisForest } from '../../examples/iris-forest.js';
import { GARMENT_SAMPLES } from '../../web/models/garment-samples.js';
import { GARMENT_INPUT, loadGarments } from '../../web/models/garments.js';
import { loadBayes } from '../../web/models/reviews-bayes.js';
import { defaultsOf, optionsOf, REVIEWS } from '../../web/page-state.js';

// One thread, as in a page without cross-origin isolation.
ort.env.wasm.numThreads = 1;

/** The rule of the page: at least half is explained, two features are sure, there is no warning. */
function hasSomethingToSay({ fidelity, features, warnings }) {
  const sure = features.filter(({ contributionInterval: [low, high] }) => low > 0 || high < 0);
  return fidelity >= 0.5 && sure.length >= 2 && warnings.length === 0;
}

/** Returns the place of the first example that the rule accepts. */
async function firstAccepted(examples, explain) {
  for (const [i, example] of examples.entries()) if (hasSomethingToSay(await explain(example))) return i;
  return -1;
}

test('the first review that has something to say is the one that opens', async () => {
  const state = defaultsOf('words');
  const { predict, ...model } = await loadBayes();
  const options = { classes: model.classes, caseSensitive: false, ...optionsOf(state) };
  const first = await firstAccepted(REVIEWS, (text) => explainText(text, predict, options));
  assert.equal(state.text, REVIEWS[first]);
});

test('the first flower that has something to say is the one that opens', async () => {
  const state = defaultsOf('rows');
  const { train, test: flowers, predict } = trainIrisForest();
  const table = await describeTable(
    train.map(({ row }) => row),
    { columns },
  );
  const options = { classes, table, ...optionsOf(state) };
  const first = await firstAccepted(flowers, ({ row }) => explainRow(row, predict, options));
  assert.equal(state.row, flowers[first].row.join());
});

test('the first garment that has something to say is the one that opens', async () => {
  const state = defaultsOf('garments');
  const { predict, ...model } = await loadGarments(ort);
  const segments = { kind: 'slic', count: 30, compactness: 5 };
  const options = { classes: model.classes, input: GARMENT_INPUT, ...optionsOf(state), hide: [0], segments };
  const first = await firstAccepted(GARMENT_SAMPLES, (sample) => explainImage(sample.draw(), predict, options));
  assert.equal(state.sample, first);
});
