// Measures LIME and LINEX on Fisher's irises: both explain the same answers of a random forest.
import {
  coefficientInconsistency,
  describeTable,
  explainRow,
  infidelity,
  signConflict,
  unidirectionality,
} from 'linex';
import { trainIrisForest } from '../../examples/iris-forest.js';

/**
 * Few signs conflict, so the ratio of LINEX to LIME varies with few splits: 0.3 to 1.07 over 10 splits, 0.6 over 60.
 */
export const SPLITS = 30;
const NEIGHBORS = 3;

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** For each flower, the indices of the nearest other flowers. */
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
 * Explains the test flowers of every split by every method, for setosa. The model is asked once per flower and sampling;
 * methods with the same samples get the same answers. Every flower of every split has its own seed.
 */
async function measure(methods, common, widths = [undefined]) {
  const found = Object.fromEntries(Object.keys(methods).map((name) => [name, []]));
  for (let split = 0; split < SPLITS; split++) {
    const { train, test: flowers, predict } = trainIrisForest({ seed: split });
    const table = await describeTable(train.map(({ row }) => row));
    const neighbors = nearest(flowers);
    const answers = flowers.map(() => new Map());
    for (const [name, options] of Object.entries(methods)) {
      for (const kernelWidth of widths) {
        const explanations = [];
        for (const [i, { row }] of flowers.entries()) {
          const ask = (batch) => {
            // Sample 1 tells the samplings apart.
            const key = batch.data[batch.shape[1]];
            if (!answers[i].has(key)) answers[i].set(key, predict(batch));
            return answers[i].get(key);
          };
          const seed = 1000 * split + i;
          const settings = { ...common, ...options, table, kernelWidth, target: 0, seed, batchSize: 1e6 };
          explanations.push(await explainRow(row, ask, settings));
        }
        const weights = explanations.map((explanation) => explanation.weights);
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

/**
 * The paper's settings: ten samples in centimeters, no intercept, two bootstraps that both contain the flower itself.
 */
export function measurePaperReading() {
  const still = { preset: 'paper', features: 'all', draws: 0 };
  const common = { ...still, samples: 10, units: 'raw', intercept: 'none', ridge: 0.01 };
  const environments = { kind: 'bootstrap', count: 2, anchored: true };
  const methods = { LIME: { method: 'lime' }, 'S-LIME': { method: 's-lime', environments }, LINEX: { environments } };
  return measure(methods, common, [0.1, 0.2, 0.5, 1, 1.5]);
}

/** The presets of `explainRow`, with a thousand samples. */
export function measureDefaults() {
  const paper = { preset: 'paper', draws: 0 };
  const methods = {
    LIME: { ...paper, method: 'lime' },
    'LINEX, preset steady (default)': {},
    'LINEX, preset strict': { preset: 'strict' },
    'LINEX, preset paper': paper,
    'LINEX, near-far': { ...paper, environments: 'near-far' },
    'LIME, silenced the same way': { method: 'lime' },
  };
  return measure(methods, {});
}

/**
 * Solves the games of 30 irises by the path of equilibria and by the paper's Algorithm 1.
 *
 * @returns {Promise<{ path: object, literal: object }[]>}  both explanations of each flower, from the same answers
 */
export async function solveBothWays() {
  const { train, test: flowers, predict } = trainIrisForest();
  const table = await describeTable(train.map(({ row }) => row));
  const pairs = [];
  for (const [i, { row }] of flowers.entries()) {
    let answers;
    const ask = (batch) => (answers ??= predict(batch));
    const options = { table, target: 0, preset: 'paper', draws: 0, batchSize: 1e6, seed: i };
    const path = await explainRow(row, ask, { ...options, solver: 'path' });
    const literal = await explainRow(row, ask, { ...options, solver: 'best-response', maxRounds: 1e5 });
    pairs.push({ path, literal });
  }
  return pairs;
}
