// Target 8: how the time grows with the number of samples, features and players.
import { describeTable, explainRow } from 'linex';
import { rowModel, rowsOf } from './bench-cases.js';
import { measureApart } from './apart.js';
import { compare, here } from './interleave.js';

/**
 * Returns the exponent e of a power law, seconds = factor * size^e, by least squares on the logarithms.
 *
 * @param {number[]} sizes
 * @param {number[]} seconds
 */
export function exponentOf(sizes, seconds) {
  const x = sizes.map(Math.log);
  const y = seconds.map(Math.log);
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const [atX, atY] = [mean(x), mean(y)];
  const slope = x.reduce((sum, one, i) => sum + (one - atX) * (y[i] - atY), 0);
  return slope / x.reduce((sum, one) => sum + (one - atX) ** 2, 0);
}

const AXES = [
  { name: 'n', sizes: [2000, 4000, 8000, 16000, 32000], at: (n) => ({ n, d: 20, k: 2 }), aim: { most: 1.1 } },
  { name: 'd', sizes: [32, 64, 128, 256], at: (d) => ({ n: 1000, d, k: 2 }), aim: { most: 2.2 } },
  { name: 'k', sizes: [4, 8, 16, 32], at: (k) => ({ n: 2000, d: 20, k }), aim: { most: 1.1 } },
];

/** @param {import('./bench-run.js').Bench} bench */
export async function measureGrowth(bench) {
  const entries = [];
  for (const { name, sizes: all, at, aim } of AXES) {
    const sizes = all.map((size) => (bench.quick ? size / 2 : size));
    const contenders = {};
    for (const size of sizes) contenders[size] = await explaining(at(size));
    const times = await compare(contenders, bench.effort);
    const seconds = sizes.map((size) => times[size]);
    const note = sizes.map((size, i) => `${size}: ${(1000 * seconds[i]).toFixed(1)} ms`).join(', ');
    const entry = { target: 8, what: `exponent of time in ${name}`, of: 'row, all features, no draws', aim };
    entries.push({ ...entry, value: exponentOf(sizes, seconds), unit: '', note });
  }
  return [...entries, await measureImageMemory(bench)];
}

/** Measures one explanation with all features: drawing the samples, the fit and the game. */
async function explaining({ n, d, k }) {
  const training = rowsOf(100, d);
  const table = await describeTable(training);
  const options = { table, samples: n, environments: k, features: 'all', draws: 0 };
  return here(() => explainRow(training[0], rowModel, options));
}

/** Compares the memory for few and many samples. It should be equal, because images are perturbed batch by batch. */
async function measureImageMemory({ quick }) {
  const [few, many] = quick ? [200, 400] : [500, 5000];
  const [a, b] = [await measureApart('image', few), await measureApart('image', many)];
  const note = `n = ${few}: ${Math.round(a.peak)} MB, n = ${many}: ${Math.round(b.peak)} MB`;
  const entry = { target: 8, what: 'peak memory, many samples / few', of: 'image', aim: { most: 1.1 } };
  return { ...entry, value: b.peak / a.peak, unit: 'times', note };
}
