// The native build against WebAssembly, bit by bit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { describeTable, explainRow, explainText } from 'linex';

// The same table, row and model as tests/c/native/native_line.c, in the same order of operations.
const cell = (row, column) => ((row * (7 + 4 * column) + column * column) % 23) / 4 - column;
const rows = Array.from({ length: 50 }, (_, i) => [0, 1, 2, 3].map((c) => cell(i, c)));
const model = ([a, b, c, d]) => {
  const z = 0.8 * a - 0.5 * b * c + 0.3 * d;
  return z / (1 + Math.abs(z));
};

const bitsOf = (value) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
};

const program = fileURLToPath(new URL('../../build/native/tests/c/native_line', import.meta.url));
const native = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');

test('the native build and the wasm give explanations with the same bits', async () => {
  const table = await describeTable(rows);
  const paper = { preset: 'paper', features: 3 };
  const variants = [
    { ...paper, environments: 'bootstrap' },
    { ...paper, environments: 'halves', games: 30, sampling: 'designed' },
    { ...paper, environments: 'near-far', sampling: 'designed' },
    { ...paper, environments: 'widths' },
    { ...paper, environments: 'clusters' },
    { ...paper, method: 'lime', sampling: 'designed' },
    { ...paper, method: 's-lime', environments: 'halves' },
    { features: 'all' },
    { features: 'all', preset: 'strict' },
    { features: 'all', method: 'lime' },
  ];
  for (const [i, variant] of variants.entries()) {
    const options = { table, samples: 500, seed: 42, ...variant };
    const explanation = await explainRow(rows[3], (batch) => [...batch].map(model), options);
    const ends = (which) =>
      explanation.weights.map((_, index) => {
        const feature = explanation.features.find((one) => one.index === index);
        return feature ? feature.interval[which] : 0;
      });
    const numbers = [...explanation.weights, ...ends(0), ...ends(1), explanation.intercept, explanation.fidelity];
    assert.equal(numbers.map(bitsOf).join(' '), native[i].trim(), JSON.stringify(variant));
    assert.equal(explanation.features.length, variant.features === 'all' ? 4 : 3);
  }
});

const words = [...'abcdefghijkl'];
const answer = (text) => {
  const mask = words.map((word) => (text.includes(word) ? 1 : 0));
  let z = 0;
  for (let c = 0; c < 12; c++) z += mask[c] * ((c % 5) - 1.5) + 0.5 * mask[c] * mask[(c + 1) % 12];
  return z / (1 + Math.abs(z));
};

test('the native build and the wasm give the same bits for a text', async () => {
  for (const [sampling, line] of /** @type {const} */ ([
    ['independent', 10],
    ['designed', 12],
  ])) {
    const options = { samples: 500, features: 'all', seed: 42, sampling };
    const { weights } = await explainText(words.join(' '), (texts) => texts.map(answer), options);
    assert.equal(weights.map(bitsOf).join(' '), native[line].trim(), sampling);
  }
});

test('the native build and the wasm give the same bits for Shapley values', async () => {
  const predict = (texts) => texts.map((text) => 0.5 + 0.49 * answer(text));
  const options = { method: 'shap', link: 'logit', samples: 500, seed: 42 };
  const { weights, features, intercept, localPrediction, fidelity } = await explainText(
    words.join(' '),
    predict,
    options,
  );
  const agreement = features.toSorted((a, b) => a.index - b.index).map(({ signAgreement }) => signAgreement);
  const numbers = [...weights, ...agreement, intercept, localPrediction, fidelity];
  assert.equal(numbers.map(bitsOf).join(' '), native[11].trim());
});
