// Computes the rows of LIME and LINEX under more settings, to find out why cells differ from the paper's.
import { openSet } from '../sets/sets.js';
import { keep, measure } from '../subjects/measures.js';

const bootstraps = (more = {}) => ({ environments: { kind: 'bootstrap', count: 2, ...more } });
const PRINTED = { units: 'raw', intercept: 'none', ridge: 0.01 };

const WAYS = {
  'LIME, ridge 1': { method: 'lime' },
  'LIME, ridge 0.000001': { method: 'lime', ridge: 1e-6 },
  'S-LIME, ridge 1': { method: 's-lime', ...bootstraps() },
  'LINEX, ridge 1': { method: 'linex', ...bootstraps() },
  'LINEX, ridge 0.01': { method: 'linex', ridge: 0.01, ...bootstraps() },
  'LINEX, ridge 0.000001': { method: 'linex', ridge: 1e-6, ...bootstraps() },
  'LINEX, ridge 0.000001, input in every environment': {
    ...{ method: 'linex', ridge: 1e-6, ...bootstraps({ anchored: true }) },
  },
  'the same, constant as a feature': {
    ...{ method: 'linex', ridge: 1e-6, intercept: 'feature', ...bootstraps({ anchored: true }) },
  },
  'LIME as printed': { method: 'lime', ...PRINTED },
  'LINEX as printed': { method: 'linex', ...PRINTED, ...bootstraps({ anchored: true }) },
  'LINEX as printed, 3 environments': {
    ...{ method: 'linex', ...PRINTED, environments: { kind: 'bootstrap', count: 3, anchored: true } },
  },
};
const METRICS = ['INFD', 'GI', 'CI', 'CI/d', 'unidirectionality', 'CAC', 'sign conflict', 'zeros'];

/**
 * @param {{ set: string, splits: number, examples: number }} job
 * @param {string | null} folder
 * @returns {Promise<Record<string, Record<string, number>>>}  by setting, then by metric: means over all splits and widths
 */
export async function triedSettings({ set: key, splits, examples }, folder) {
  const set = await openSet(key);
  const { features, classes, kinds } = set;
  const { samples, widths } = kinds.random;
  const sums = Object.fromEntries(Object.keys(WAYS).map((label) => [label, {}]));
  for (let split = 0; split < splits; split++) {
    const subject = await set.open({ folder, split, examples });
    for (const [label, options] of Object.entries(WAYS))
      for (const kernelWidth of widths) {
        const config = { kind: 'random', samples, options: { features, ...options, kernelWidth } };
        const entries = [];
        for (let example = 0; example < subject.count; example++)
          entries.push({ example, config, kept: keep(await subject.explain(example, config, example)) });
        const found = measure(subject, entries, subject.neighbors, { general: true, classes });
        for (const metric of METRICS) (sums[label][metric] ??= []).push(...(found[metric] ?? []));
      }
  }
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const means = (lists) =>
    Object.fromEntries(
      Object.entries(lists)
        .filter(([, values]) => values.length)
        .map(([metric, values]) => [metric, mean(values)]),
    );
  return Object.fromEntries(Object.entries(sums).map(([label, lists]) => [label, means(lists)]));
}
