// Tests the study of steadiness: its measures against values by hand, its models against scikit-learn, and a small run.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { load } from 'linex';
import { SaxesParser } from 'saxes';
import { dataFolder, hasFiles } from '../paper/sets/data.js';
import { remember, TENSORS, TEXTS } from './answer-memo.js';
import { METHODS, tolerantly, truthOptions } from './compared-methods.js';
import { drawMask, maskKernel } from './mask-samples.js';
import { checkBound } from './must-show.js';
import { choosePairs, PAIRS } from './pairs.js';
import { loadRowModel, readModelFile } from './row-models.js';
import { sharedColumns } from './row-pairs.js';
import { runSteady } from './run-steady.js';
import * as measures from './steadiness.js';
import { steadyFigure } from './steady-figure.js';
import { openPair } from './steady-job.js';
import { digits, markdownTable, renderTables } from './steady-report.js';
import { joinInputs, ratioToLime } from './steady-summary.js';

const near = (value, expected, tolerance = 1e-12) =>
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not ${expected}`);

describe('measures by hand', () => {
  test('leading features are five, or half of few; zeros never lead', () => {
    assert.deepEqual([1, 4, 9, 10, 60].map(measures.leadersOf), [1, 2, 4, 5, 5]);
    assert.deepEqual(measures.leading([0.1, 0, -3, 2], 2), [2, 3]);
    assert.deepEqual(measures.leading([0, 0, -3, 0], 2), [2]);
  });

  test('between seeds, every pair counts once', () => {
    // Distances 1, 3 and 4. Opposite signs: the first weight of the pairs with the last; 2 of 12. Leaders {0, 1}, {0, 3}, {0, 1}.
    const vectors = [
      [2, 1, 0, 0],
      [2, 0.5, 0, 0.6],
      [-1, 1, 0, 0],
    ];
    const { ci, conflict, overlap } = measures.betweenSeeds(vectors);
    near(ci, (0.5 + 0.6 + 3 + (3 + 0.5 + 0.6)) / 3);
    near(conflict, 2 / 12);
    near(overlap, (0.5 + 1 + 0.5) / 3);
  });

  test('two empty lists agree, and a shorter list counts against the longer one', () => {
    near(measures.betweenSeeds([new Array(4).fill(0), new Array(4).fill(0)]).overlap, 1);
    near(measures.betweenSeeds([[1, 0, 0, 0], [1, 2, 0, 0]]).overlap, 0.5); // prettier-ignore
  });

  test('neighbors are compared in the columns whose features they share', () => {
    const columns = [{ kind: 'numeric' }, { kind: 'categorical' }, { kind: 'categorical' }];
    const [own, other] = [
      [
        [1, 7, 2],
        [0.5, 0.25, -3],
      ],
      [
        [4, 7, 1],
        [0.75, 0.125, 3],
      ],
    ];
    assert.deepEqual(sharedColumns(columns, own, other), [
      [0.5, 0.25],
      [0.75, 0.125],
    ]);
  });

  test('neighbors are compared with the input, not with each other', () => {
    const own = [1, -1];
    const { neighborCi, neighborConflict } = measures.betweenNeighbors([
      [own, [1, 1]],
      [own, [0, -1]],
    ]);
    near(neighborCi, 1.5);
    near(neighborConflict, 0.25);
    assert.deepEqual(measures.betweenNeighbors([]), {});
  });

  test('the error has a part that the seeds explain, and a bias', () => {
    // Errors (1, 0) and (3, 0): mean square 5. The mean error is 2, and the mean of two seeds has variance 1: 4 - 1.
    const { error, bias } = measures.againstTruth([[4, 4], [6, 4]], [3, 4]); // prettier-ignore
    near(error, 5);
    near(bias, Math.sqrt(3) / 5);
    near(measures.againstTruth([[2, 4], [4, 4]], [3, 4]).bias, 0); // prettier-ignore
  });

  test('recall asks for the true leaders among the leaders, kept asks only for a weight', () => {
    const truth = [5, 4, 1, 0];
    const { recall, kept } = measures.recallOf([[5, 1, 2, 0], [0, 4, 3, 2]], truth); // prettier-ignore
    near(recall, 0.5);
    near(kept, 0.75);
  });

  test('only the largest weights count for a few features', () => {
    assert.deepEqual(measures.largestOnly([1, -3, 2], 2), [0, -3, 2]);
  });

  test('weights before silencing come from raw', () => {
    const features = [
      { index: 2, weight: 0, raw: 7 },
      { index: 0, weight: 1 },
    ];
    assert.deepEqual(measures.beforeSilencing({ weights: [1, 0, 0], features }), [1, 0, 7]);
  });

  test('coverage counts the intervals that contain the truth, ends included', () => {
    const features = [
      { index: 0, interval: [0, 1] },
      { index: 1, interval: [2, 3] },
      { index: 2, interval: null },
    ];
    assert.deepEqual(measures.countCovered([{ features }, { features: [] }], [1, 1, 9]), { covered: 1, intervals: 2 });
  });

  test('on fresh samples, distances and R² are weighted', () => {
    // The surrogate gives 1, 3 and 5 for answers 1, 4 and 7: distances 0, 1 and 2. The weighted mean of the answers is 4.
    const fresh = { points: [[0], [1], [2]], weights: [1, 2, 1], answers: [1, 4, 7] };
    const { infidelity, r2 } = measures.onFreshSamples({ weights: [2], intercept: 1 }, fresh);
    near(infidelity, 1);
    near(r2, 1 - 6 / 18);
  });
});

describe('the split', () => {
  test('pairs to report are run only on demand', () => {
    assert.ok(choosePairs({}).every(({ set }) => set === 'choose'));
    assert.equal(choosePairs({ report: true }).length, PAIRS.length);
    assert.throws(() => choosePairs({ keys: ['iris-forest'] }), /iris-forest is a pair to report/);
    assert.throws(() => choosePairs({ keys: ['tea-leaves'] }), /there is no pair "tea-leaves"/);
  });

  test('enough pairs of rows only report', () => {
    const count = (kind) => PAIRS.filter((pair) => pair.set === 'report' && pair.kind === kind).length;
    assert.ok(count('rows') >= 6 && count('texts') >= 1 && count('images') >= 1);
  });
});

describe('models', () => {
  for (const { key, data, model, kind } of PAIRS.filter((pair) => pair.kind === 'rows'))
    test(`${key} answers as scikit-learn does (${kind})`, () => {
      const { checked } = readModelFile(data);
      const { predict, expected } = loadRowModel(data, model);
      const found = predict({ data: checked.flat(), shape: [checked.length, checked[0].length] });
      // The values of the leaves and of the layers are rounded.
      const unit = Math.max(1, ...expected.flat().map(Math.abs));
      expected.flat().forEach((value, i) => near(found.flat()[i], value, 1e-5 * unit));
    });

  test('a remembered model is asked about each sample once', async () => {
    const asked = [];
    const texts = remember((batch) => (asked.push(...batch), batch.map((text) => [text.length])), TEXTS);
    assert.deepEqual(await texts(['a', 'bb', 'a']), [[1], [2], [1]]);
    assert.deepEqual(await texts(['ccc', 'bb']), [[3], [2]]);
    assert.deepEqual(asked.sort(), ['a', 'bb', 'ccc']);
    const sizes = [];
    const sum = ({ data, shape: [count] }) => (
      sizes.push(count),
      Array.from({ length: count }, (_, i) => [data[2 * i]])
    );
    const tensors = remember(sum, TENSORS);
    const batch = (...values) => ({ data: Float32Array.from(values), shape: [values.length / 2, 2] });
    assert.deepEqual(await tensors(batch(1, 2, 3, 4)), [[1], [3]]);
    assert.deepEqual(await tensors(batch(3, 4, 5, 6, 1, 2)), [[3], [5], [1]]);
    assert.deepEqual(sizes, [2, 1]);
  });
});

describe('fresh samples', () => {
  test('masks follow the laws of LIME', () => {
    const kept = (mask) => mask.reduce((sum, one) => sum + one, 0);
    const sizes = drawMask('sizes', 4, 8000, 1).map(kept);
    // Uniform on 0 to 3; each share has a standard error of 0.005.
    for (const size of [0, 1, 2, 3]) near(sizes.filter((one) => one === size).length / 8000, 0.25, 0.02);
    const coins = drawMask('coins', 10, 8000, 2).map(kept);
    near(coins.reduce((sum, one) => sum + one, 0) / 80000, 0.5, 0.01);
    near(maskKernel([1, 1, 1, 1], { scale: 100, width: 25 }), 1);
    near(maskKernel([1, 0, 0, 0], { scale: 1, width: 0.25 }), Math.exp(-2));
  });

  const folder = dataFolder();
  for (const key of ['diabetes-network', 'reviews-bayes'])
    test(`${key}: the law of the fresh samples is that of the library`, async (t) => {
      const { files } = PAIRS.find((pair) => pair.key === key);
      if (!hasFiles(folder, files)) return t.skip('LINEX_DATA is missing');
      await load();
      const subject = await openPair(key);
      const fresh = await subject.fresh(0, 4000, 5);
      const explain = tolerantly(subject.asked(0));
      const explanation = await explain({ ...truthOptions('rows'), samples: 20000, seed: 1 });
      assert.equal(explanation.weights.length, subject.featureCount(0));
      near(measures.onFreshSamples(explanation, fresh).r2, explanation.fidelity, 0.02);
    });
});

describe('joining', () => {
  const cell = (method, values) => ({ mode: 'all', method, samples: 100, covered: 9, intervals: 10, ...values });
  const input = (limeError, error, conflict) => ({
    about: { features: 4, truth: { r2: 0.5 } },
    cells: [cell('lime', { ci: 2, error: limeError, rawError: limeError, conflict: 0.2 }), cell('steady', { ci: 1, error, rawError: error / 2, conflict })],
    auto: { lime: [{ asked: 100, settled: true }], steady: [{ asked: 50, settled: false }] },
  }); // prettier-ignore

  test('VRF is a geometric mean over inputs, the rest are means', () => {
    const { cells, auto } = joinInputs([input(8, 1, 0), input(8, 4, 0.1)]);
    near(cells.all.steady[100].vrf, 4);
    near(cells.all.steady[100].rawVrf, 8);
    near(cells.all.steady[100].coverage, 0.9);
    near(ratioToLime({ cells }, { mode: 'all', method: 'steady', samples: 100, name: 'ci' }), 0.5);
    near(ratioToLime({ cells }, { mode: 'all', method: 'steady', samples: 100, name: 'conflict' }), 0.25);
    assert.deepEqual(auto.steady, { asked: 50, settled: 0 });
  });

  test('a bound holds for the pairs together, and within 1.5 times for each', () => {
    const pairs = [{ name: 'a', value: 0.4 }, { name: 'b', value: 0.7 }]; // prettier-ignore
    const check = (bound) =>
      checkBound({
        ...{ pairs, sizes: [100], bound },
        measure: (pair) => pair.value,
        join: (list) => measures.geometricMean(list.map(({ value }) => value)),
      });
    assert.equal(check({ most: 0.54 }).holds, true);
    assert.equal(check({ most: 0.5 }).holds, false);
    assert.equal(check({ least: 0.5 }).holds, true);
    assert.equal(check({ least: 0.65 }).holds, false);
    pairs[1].value = 0.2;
    assert.equal(check({ most: 0.3 }).holds, true);
    assert.equal(check({ most: 0.29 }).holds, true);
    pairs[1].value = 0.1;
    // Together 0.2, but the first pair has 0.4.
    assert.equal(check({ most: 0.25 }).holds, false);
    assert.equal(check({ most: 0.25 }).worst.name, 'a, n = 100');
  });
});

test('tables are aligned and numbers are short', () => {
  assert.equal(markdownTable(['a', 'b'], [['xxxx', 1]]), '| a    | b   |\n| ---- | --- |\n| xxxx | 1   |');
  assert.deepEqual([12345, 12.34, 1.234, 0.1234, 0.00001, 0, NaN, Infinity].map(digits), [
    ...['12,345', '12.3', '1.23', '0.123', '1e-5', '0.000', '', '∞'],
  ]);
});

test('a small run gives all tables and a figure', { timeout: 120000 }, async (t) => {
  const truths = mkdtempSync(path.join(tmpdir(), 'linex-truths-'));
  t.after(() => rmSync(truths, { recursive: true }));
  const found = await runSteady({
    pairs: choosePairs({ keys: ['diabetes-boosting'] }),
    sizes: [50, 100],
    amount: { inputs: { rows: 1 }, seeds: 2, neighbors: 1, autos: 1 },
    tolerant: true,
    threads: 1,
    truths,
    say: () => {},
  });
  assert.equal(found.length, 1);
  for (const mode of ['all', 'five'])
    for (const method of Object.keys(METHODS))
      for (const values of Object.values(found[0].cells[mode][method]))
        for (const value of Object.values(values)) assert.ok(Number.isFinite(value));
  near(found[0].cells.all.lime[100].vrf, 1);
  const text = renderTables(found);
  for (const heading of ['What must hold, all features', 'Rows, five features', 'Queries of'])
    assert.match(text, new RegExp(heading));
  for (const theme of ['light', 'dark']) {
    const parser = new SaxesParser();
    parser.on('error', (error) => assert.fail(error));
    parser.write(steadyFigure(found, theme)).close();
  }
});
