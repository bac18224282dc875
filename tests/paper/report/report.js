// Collects the results of a run as plain data, report.json, which report-blocks.js turns into text.
import { OTHER, PRIMARY, READINGS, whyOf } from '../jobs/readings.js';
import { FRACTIONS } from '../subjects/measures.js';
import { cellsOf, countsOf, paperCounts } from '../tables/counts.js';
import { studyOf, studySummary } from '../tables/study.js';
import { mean, standardError } from '../tables/t-test.js';
import { tableOf } from '../tables/tables.js';
import { sweepsOf } from './sweeps.js';

/** Raise this number if the form of report.json changes. */
export const FORM = 2;

/** Settings that the prose names. */
const SETTINGS = Object.freeze({
  level: 0.05,
  removed: 0.05,
  sparse: 5,
  environments: [2, 3, 4, 5],
  smoothed: 5,
});

/**
 * @param {{ set: object, done: { job: object, result: object }[] }[]} runs  one per data set
 * @param {{ figures: object | null, made: object }} more
 * @returns {object}  JSON-safe
 */
export function buildReport(runs, { figures, made }) {
  const lines = runs.flatMap(({ done }) => studyOf(done));
  const tables = runs.flatMap(({ set, done }) => tablesOf(set, done));
  const foundBy = (part) => runs.flatMap(({ set, done }) => foundIn(set, done, part));
  return rounded({
    ...{ form: FORM, made },
    readings: Object.entries(READINGS).map(([reading, { about, guess }]) => ({
      ...{ reading, about, why: whyOf(reading), guess: Boolean(guess) },
    })),
    choices: { primary: PRIMARY, other: OTHER },
    settings: SETTINGS,
    boxes: runs.map(({ set, done }) => boxOf(set, done)),
    tables,
    paper: paperCounts(cellsOf(tables, PRIMARY)),
    counts: countsOf(tables, { primary: PRIMARY, other: OTHER }),
    sweeps: runs.flatMap(({ set, done }) => sweepsOf(set, done)),
    smoothing: runs.flatMap(({ done }) => smoothingOf(done)),
    ablation: runs.flatMap(({ set, done }) => ablationOf(set, done)),
    map: foundBy('map')[0]?.found ?? null,
    pictures: foundBy('pictures').map(({ name, found }) => ({ name, ...found })),
    times: foundBy('times').map(({ name, found }) => ({ name, rows: found })),
    tried: foundBy('tried').map(({ name, found, job }) => ({
      name,
      splits: job.splits,
      examples: job.examples,
      rows: found,
    })),
    sentences: foundBy('sentences')[0]?.found ?? [],
    figures,
    study: { summary: studySummary(lines), lines },
  });
}

const foundIn = (set, done, part) =>
  done.filter(({ job }) => job.part === part).map(({ job, result }) => ({ name: set.name, job, found: result.found }));

function tablesOf(set, done) {
  const readings = new Set(
    done.filter(({ job }) => job.part === 'table' && job.kind !== 'shap').map(({ job }) => job.reading),
  );
  return [...readings].map((reading) => ({ name: set.name, key: set.key, ...tableOf(done, set.name, reading) }));
}

/** Rounds to five digits, slightly more than is printed. */
function rounded(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? Number(value.toPrecision(5)) : null;
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}

function boxOf(set, done) {
  const tables = done.filter(({ job }) => job.part === 'table');
  const bySplit = new Map(tables.map(({ job, result }) => [job.split, result.about.accuracy]));
  return {
    name: set.name,
    measureOf: set.measureOf,
    ours: mean([...bySplit.values()]),
    published: set.published,
    splits: bySplit.size,
    examples: Math.max(...tables.map(({ job }) => job.examples)),
    // By kind: realistic pictures have fewer.
    kinds: [...new Set(tables.map(({ job }) => job.kind))].map((kind) => ({
      kind,
      examples: Math.max(...tables.filter(({ job }) => job.kind === kind).map(({ job }) => job.examples)),
    })),
  };
}

/** Returns S-LIME with each kind of mean, over neighborhood sizes: means and errors over the kernel widths. */
function smoothingOf(done) {
  const used = done.filter(({ job }) => job.part === 'smoothing');
  const all = used.flatMap(({ result }) => result.results);
  const rows = [...new Set(all.map(({ config }) => config.row))];
  const sizes = [...new Set(all.map(({ config }) => config.samples))].sort((a, b) => a - b);
  const metrics = ['INFD', 'GI', 'CI', 'unidirectionality', 'CAC', 'sign conflict'];
  const at = (row, samples, metric) => {
    const own = all.filter(({ config }) => config.row === row && config.samples === samples);
    const widths = [...new Set(own.map(({ config }) => config.width))];
    const means = widths.map((width) =>
      mean(own.filter(({ config }) => config.width === width).flatMap(({ values }) => values[metric])),
    );
    return { mean: mean(means), se: standardError(means) };
  };
  return rows.map((row) => ({
    row,
    points: sizes.map((x) => ({ x, ...Object.fromEntries(metrics.map((metric) => [metric, at(row, x, metric)])) })),
  }));
}

function ablationOf(set, done) {
  const curves = new Map();
  for (const { job, result } of done.filter(({ job: { part } }) => part === 'table'))
    for (const { config, ablation, signed, values } of result.results) {
      if (!ablation) continue;
      const key = JSON.stringify([job.kind, job.reading, config.row]);
      curves.set(key, [...(curves.get(key) ?? []), { ablation, signed, unsettled: mean(values.restless) }]);
    }
  return [...curves].map(([key, all]) => {
    const [kind, reading, row] = JSON.parse(key);
    const over = (which, name) => FRACTIONS.map((_, f) => mean(all.map((one) => one[which][name][f])));
    const curve = (which) => ({ changes: over(which, 'changes'), flips: over(which, 'flips') });
    return {
      ...{ set: set.name, kind, reading, row, unsettled: mean(all.map(({ unsettled }) => unsettled)) },
      ...{ unsigned: curve('ablation'), signed: curve('signed') },
    };
  });
}
