// The promise, kept on real data: a random forest on Fisher's irises, explained by LIME and by LINEX from the same answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  coefficientInconsistency,
  describeTable,
  explainRow,
  infidelity,
  signConflict,
  unidirectionality,
} from 'linex';
import { trainIrisForest } from '../../examples/iris-forest.js';

/** Signs that conflict are few: over 10 splits LINEX's share of LIME's is anything from 0.3 to 1.07, over 60 it is 0.6. */
const SPLITS = 30;
const NEIGHBORS = 3;

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** For each flower the nearest others of the test set. */
function nearest(flowers) {
  return flowers.map(({ row }, i) =>
    flowers
      .map((other, j) => ({ j, distance: Math.hypot(...other.row.map((value, c) => value - row[c])) }))
      .filter(({ j }) => j !== i)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, NEIGHBORS)
      .map(({ j }) => j),
  );
}

/**
 * Explains the test flowers of every split by every method, for setosa. The model is asked once a flower; every method is
 * given the same answers, and every flower of every split has a seed of its own.
 */
async function measure(methods, common, widths = [undefined]) {
  const found = Object.fromEntries(Object.keys(methods).map((name) => [name, []]));
  for (let split = 0; split < SPLITS; split++) {
    const { train, test: flowers, predict } = trainIrisForest({ seed: split });
    const table = await describeTable(train.map(({ row }) => row));
    const neighbors = nearest(flowers);
    const answers = flowers.map(() => undefined);
    for (const [name, options] of Object.entries(methods)) {
      for (const kernelWidth of widths) {
        const explanations = [];
        for (const [i, { row }] of flowers.entries()) {
          const ask = (batch) => (answers[i] ??= predict(batch));
          const settings = {
            ...common,
            ...options,
            table,
            kernelWidth,
            target: 0,
            seed: 1000 * split + i,
            batchSize: 1e6,
          };
          explanations.push(await explainRow(row, ask, settings));
        }
        const weights = explanations.map((one) => one.weights);
        const around = (i) => neighbors[i].map((j) => weights[j]);
        const over = (metric) => mean(weights.map((own, i) => metric(own, around(i))));
        found[name].push({
          infidelity: infidelity(explanations),
          inconsistency: over(coefficientInconsistency),
          upsilon: over((own, others) => unidirectionality([own, ...others])),
          conflict: over((own, others) => signConflict([own, ...others])),
        });
      }
    }
  }
  const average = (runs) =>
    Object.fromEntries(Object.keys(runs[0]).map((metric) => [metric, mean(runs.map((run) => run[metric]))]));
  return Object.fromEntries(Object.entries(found).map(([name, runs]) => [name, average(runs)]));
}

function print(title, measured, published = {}) {
  console.log(`\n  ${title}`);
  console.log(`  ${''.padEnd(30)} INFD    CI      Υ       sign conflict`);
  const line = (name, values) => console.log(`  ${name.padEnd(30)} ${values.join('   ')}`);
  for (const [name, one] of Object.entries(measured)) {
    line(
      name,
      [one.infidelity, one.inconsistency, one.upsilon, one.conflict].map((value) => value.toFixed(3)),
    );
    if (published[name]) line('  the paper', [...published[name].map((value) => value.toFixed(3)), 'none']);
  }
  console.log();
}

/** The README's table has these very numbers. */
function assertPublished(rows) {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const published = [...readme.matchAll(/^\| (?:LIME|LINEX)[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  const cells = published.map((row) => row.slice(1).map((cell) => cell.trim()));
  const ours = rows.map((one) => [one.infidelity, one.inconsistency, one.conflict].map((value) => value.toFixed(3)));
  assert.deepEqual(cells, ours, 'the table in the README');
}

test("in the paper's reading LINEX is steadier than LIME at the same fidelity", async () => {
  // Ten samples in centimeters, no intercept, two bootstraps that both hold the flower itself; a zero counts as positive.
  const common = { samples: 10, units: 'raw', intercept: 'none', ridge: 0.01, features: 'all', draws: 0 };
  const environments = { kind: 'bootstrap', count: 2, anchored: true };
  const methods = { LIME: { method: 'lime' }, 'S-LIME': { method: 's-lime', environments }, LINEX: { environments } };
  const measured = await measure(methods, common, [0.1, 0.2, 0.5, 1, 1.5]);
  // From the table of all methods in the paper's supplement, IRIS rows; INFD, CI, unidirectionality.
  const published = { LIME: [0.015, 0.319, 0.646], 'S-LIME': [0.015, 0.143, 0.704], LINEX: [0.013, 0.044, 0.802] };
  print(`Iris as the paper has it: n = 10, five kernel widths, ${SPLITS} splits`, measured, published);
  const { LIME, LINEX } = measured;
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
  for (const metric of ['inconsistency', 'conflict', 'infidelity'])
    assert.ok(
      readme.includes(`${LINEX[metric].toFixed(3)} against ${LIME[metric].toFixed(3)}`),
      `${metric} in the README`,
    );
  assert.ok(LINEX.inconsistency <= 0.65 * LIME.inconsistency, 'coefficient inconsistency');
  assert.ok(LINEX.upsilon >= LIME.upsilon + 0.08, 'unidirectionality');
  assert.ok(LINEX.infidelity <= 1.1 * LIME.infidelity, 'infidelity');
});

test('the path needs a few corners where Algorithm 1 walks for long, as the README says', async () => {
  const { train, test: flowers, predict } = trainIrisForest();
  const table = await describeTable(train.map(({ row }) => row));
  const rounds = { path: [], literal: [] };
  for (const [i, { row }] of flowers.entries()) {
    let answers;
    const ask = (batch) => (answers ??= predict(batch));
    const options = { table, target: 0, draws: 0, batchSize: 1e6, seed: i };
    const path = await explainRow(row, ask, { ...options, solver: 'path' });
    const literal = await explainRow(row, ask, { ...options, solver: 'best-response', maxRounds: 1e5 });
    assert.ok(path.equilibrium.converged && literal.equilibrium.converged);
    path.weights.forEach((weight, c) => assert.ok(Math.abs(weight - literal.weights[c]) < 1e-9, `flower ${i}`));
    rounds.path.push(path.equilibrium.rounds);
    rounds.literal.push(literal.equilibrium.rounds);
  }
  const range = (values) => `${Math.min(...values)} to ${Math.max(...values)}`;
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
  assert.ok(readme.includes(`${range(rounds.literal)} rounds for 30 irises`), range(rounds.literal));
  assert.ok(readme.includes(`${range(rounds.path)} corners for the same irises`), range(rounds.path));
});

test("in the product's defaults LINEX contradicts itself less than LIME at the same fidelity", async () => {
  const silencing = { environments: 'halves', games: 30, agreement: 0.9, draws: 200 };
  const methods = {
    LIME: { method: 'lime' },
    'LINEX, bootstrap': {},
    'LINEX, near-far': { environments: 'near-far' },
    'LINEX, 30 games, silenced': silencing,
    'LIME, silenced': { method: 'lime', agreement: 0.9, draws: 200 },
  };
  const measured = await measure(methods, { draws: 0 });
  print(`Iris with the defaults of explainRow: n = 1,000, ${SPLITS} splits`, measured);
  assertPublished(Object.values(measured));
  const { LIME, 'LINEX, bootstrap': bootstrap, 'LINEX, near-far': nearFar } = measured;
  const silenced = measured['LINEX, 30 games, silenced'];
  assert.ok(bootstrap.conflict <= 0.7 * LIME.conflict, 'sign conflict by bootstrap');
  assert.ok(nearFar.conflict <= 0.5 * LIME.conflict, 'sign conflict by near-far');
  assert.ok(silenced.conflict <= 0.15 * LIME.conflict, 'sign conflict with silencing');
  for (const one of [bootstrap, nearFar]) {
    assert.ok(one.infidelity <= 1.05 * LIME.infidelity, 'infidelity');
    assert.ok(one.inconsistency <= 1.1 * LIME.inconsistency, 'coefficient inconsistency');
  }
  assert.ok(silenced.inconsistency <= LIME.inconsistency, 'coefficient inconsistency with silencing');
});
