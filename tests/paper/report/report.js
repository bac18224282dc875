// Collects the results of a run as plain data, report.json, which report-blocks.js turns into text.
import { FRACTIONS } from '../subjects/measures.js';
import { gather, studyOf, studySummary, summarize, tableOf } from '../tables/tables.js';

/**
 * @param {{ set: object, done: { job: object, result: object }[] }[]} runs  one per data set
 * @param {{ figures: object | null, sentences: object[], made: object }} more
 * @returns {object}  JSON-safe
 */
export function buildReport(runs, { figures, sentences, made }) {
  const lines = runs.flatMap(({ done }) => studyOf(done));
  return rounded({
    made,
    boxes: runs.map(({ set, done }) => boxOf(set, done)),
    tables: runs.flatMap(({ set, done }) =>
      (set.readings ?? ['product']).map((reading) => ({
        name: set.name,
        ...tableOf(done, set.name, reading),
      })),
    ),
    sweeps: runs.flatMap(({ set, done }) => sweepsOf(set, done)),
    ablation: runs.flatMap(({ set, done }) => ablationOf(set, done)),
    figures,
    sentences,
    study: { summary: studySummary(lines), lines },
  });
}

/** Rounds to five digits, slightly more than is printed. */
function rounded(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? Number(value.toPrecision(5)) : null;
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

function boxOf(set, done) {
  const bySplit = new Map(done.map(({ job, result }) => [job.split, result.about.accuracy]));
  const { job } = done[0];
  return {
    name: set.name,
    measureOf: set.measureOf,
    ours: mean([...bySplit.values()]),
    published: set.published,
    splits: bySplit.size,
    examples: job.examples,
  };
}

/** Returns one line per table row and metric, over neighborhood sizes, environments and kernel widths. */
function sweepsOf(set, done) {
  const axes = [
    { axis: 'samples', parts: ['table', 'sizes'], value: (config) => config.samples },
    { axis: 'environments', parts: ['table', 'environments'], value: (config) => config.options.environments?.count },
    { axis: 'kernel width', parts: ['table'], value: (config) => config.width },
  ];
  const kinds = [...new Set(done.map(({ job }) => job.kind))].filter((kind) => kind !== 'shap');
  return axes.flatMap(({ axis, parts, value }) => {
    const used = done.filter(({ job }) => parts.includes(job.part) && (job.reading ?? 'product') === 'product');
    return kinds.flatMap((kind) => {
      const configs = used
        .filter(({ job }) => job.kind === kind)
        .flatMap(({ result }) => result.results.map((r) => r.config));
      const rows = [...new Set(configs.map(({ row }) => row))].filter((row) => !row.startsWith('NB'));
      return rows.map((row) => ({ set: set.name, kind, axis, row, points: pointsOf(used, kind, row, value) }));
    });
  });
}

function pointsOf(done, kind, row, value) {
  const configs = done.flatMap(({ result }) => result.results.map(({ config }) => config));
  const own = configs.filter((config) => config.kind === kind && config.row === row);
  const at = [...new Set(own.map(value))].filter((one) => one !== undefined && one !== null).sort((a, b) => a - b);
  return at.map((x) => {
    const summary = summarize(
      gather(done, (config) => config.kind === kind && config.row === row && value(config) === x),
    );
    return { x, ...Object.fromEntries(Object.entries(summary).map(([metric, one]) => [metric, one.mean])) };
  });
}

function ablationOf(set, done) {
  const curves = new Map();
  for (const { job, result } of done.filter(({ job: { part } }) => part === 'table'))
    for (const { config, ablation } of result.results) {
      if (!ablation) continue;
      const key = JSON.stringify([job.kind, config.row]);
      curves.set(key, [...(curves.get(key) ?? []), ablation]);
    }
  return [...curves].map(([key, all]) => {
    const [kind, row] = JSON.parse(key);
    const over = (name) => FRACTIONS.map((_, f) => mean(all.map((one) => one[name][f])));
    return { set: set.name, kind, row, changes: over('changes'), flips: over('flips') };
  });
}
