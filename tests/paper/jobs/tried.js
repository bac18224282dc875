// Computes the tables with other readings of the paper; differences.md quotes its output.
//
//     node tests/paper/jobs/tried.js <iris | meps> [splits] [examples]
//
// It is not part of `npm run paper`.
import process from 'node:process';
import { runJob } from './job.js';
import { openSet } from '../sets/sets.js';
import { mean } from '../tables/t-test.js';

const bootstraps = (more = {}) => ({ environments: { kind: 'bootstrap', count: 2, ...more } });
const PRINTED = { units: 'raw', intercept: 'none', ridge: 0.01 };

const WAYS = {
  'LIME, ridge 1': { method: 'lime' },
  'LIME, ridge 1e-6': { method: 'lime', ridge: 1e-6 },
  'S-LIME, ridge 1': { method: 's-lime', ...bootstraps() },
  'LINEX, ridge 1': { method: 'linex', ...bootstraps() },
  'LINEX, ridge 0.01': { method: 'linex', ridge: 0.01, ...bootstraps() },
  'LINEX, ridge 1e-6': { method: 'linex', ridge: 1e-6, ...bootstraps() },
  'LINEX, ridge 1e-6, input in every environment': {
    ...{ method: 'linex', ridge: 1e-6, ...bootstraps({ anchored: true }) },
  },
  'the same, constant as a feature': {
    ...{ method: 'linex', ridge: 1e-6, intercept: 'feature', ...bootstraps({ anchored: true }) },
  },
  'LIME as printed': { method: 'lime', ...PRINTED },
  'LINEX as printed': { method: 'linex', ...PRINTED, ...bootstraps({ anchored: true }) },
};
const METRICS = ['INFD', 'GI', 'CI', 'CI/d', 'unidirectionality', 'CAC', 'sign conflict', 'zeros'];

const [key = 'iris', splits = '10', examples = '30'] = process.argv.slice(2);
const { kinds, features } = await openSet(key);
const { samples, widths } = kinds.random;
const found = new Map(Object.keys(WAYS).map((label) => [label, {}]));
for (let split = 0; split < Number(splits); split++) {
  const configs = Object.entries(WAYS).flatMap(([label, options]) =>
    widths.map((width) => ({
      ...{ label, row: label, kind: 'random', width, samples },
      reading: options.units ? 'printed' : 'product',
      options: { features, ...options, kernelWidth: width },
    })),
  );
  const job = { version: 0, set: key, split, examples: Number(examples), part: 'table', kind: 'random', configs };
  for (const { config, values } of (await runJob(job)).results)
    for (const metric of METRICS) (found.get(config.label)[metric] ??= []).push(...(values[metric] ?? []));
}
console.log(`| ${[key, ...METRICS].join(' | ')} |\n|${' --- |'.repeat(METRICS.length + 1)}`);
for (const [label, values] of found) {
  const cells = METRICS.map((metric) => (values[metric].length ? mean(values[metric]).toFixed(3) : ''));
  console.log(`| ${[label, ...cells].join(' | ')} |`);
}
