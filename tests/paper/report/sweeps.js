// Averages the sweeps as the paper does: each point over all values of the two settings that its figure does not show.
import { mean, standardError } from '../tables/t-test.js';

const METRICS = ['INFD', 'GI', 'CI', 'unidirectionality', 'CAC', 'sign conflict', 'zeros', 'restless'];
const AXES = [
  { axis: 'samples', of: ({ samples }) => samples },
  { axis: 'environments', of: ({ count }) => count },
  { axis: 'kernel width', of: ({ width }) => width },
];

/** Returns one line per row and axis; all points are over the same examples. */
export function sweepsOf(set, done) {
  const used = done.filter(({ job }) => job.part === 'sweep');
  const kinds = [...new Set(used.map(({ job }) => job.kind))];
  return kinds.flatMap((kind) => {
    const own = used.filter(({ job }) => job.kind === kind);
    const [{ job }] = own;
    const means = settingMeans(own.flatMap(({ result }) => result.results));
    const rows = [...new Set(means.map(({ config }) => config.row))];
    const counts = [...new Set(means.map(({ config }) => config.count).filter(Boolean))];
    const splits = new Set(own.map((one) => one.job.split)).size;
    const about = { set: set.name, kind, reading: job.reading, examples: job.examples, splits };
    return AXES.flatMap(({ axis, of }) =>
      rows.map((row) => ({
        ...{ ...about, axis, row },
        points: pointsOf(
          means.filter(({ config }) => config.row === row),
          of,
          axis === 'environments' ? counts : [],
        ),
      })),
    ).filter(({ points }) => points.length > 1);
  });
}

/** Returns the means over the examples of all splits, one entry per setting. */
function settingMeans(results) {
  const byConfig = new Map();
  for (const { config, values } of results) {
    const key = JSON.stringify([config.row, config.samples, config.count, config.width]);
    if (!byConfig.has(key)) byConfig.set(key, { config, lists: {} });
    const { lists } = byConfig.get(key);
    for (const metric of METRICS.filter((name) => values[name])) (lists[metric] ??= []).push(...values[metric]);
  }
  return [...byConfig.values()].map(({ config, lists }) => ({
    config,
    values: Object.fromEntries(Object.entries(lists).map(([metric, list]) => [metric, mean(list)])),
  }));
}

/** Returns the points of a row. A method without environments has the same value at every number of them. */
function pointsOf(means, of, counts) {
  const given = [...new Set(means.map(({ config }) => of(config)))].filter((one) => one !== undefined && one !== null);
  const at = (given.length > 0 ? given : counts).sort((a, b) => a - b);
  return at.map((x) => {
    const own = given.length > 0 ? means.filter(({ config }) => of(config) === x) : means;
    const metrics = METRICS.filter((metric) => own.some(({ values }) => values[metric] !== undefined));
    const over = (metric) => own.map(({ values }) => values[metric]);
    return {
      x,
      ...Object.fromEntries(
        metrics.map((metric) => [metric, { mean: mean(over(metric)), se: standardError(over(metric)) }]),
      ),
    };
  });
}
