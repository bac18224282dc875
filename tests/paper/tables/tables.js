// Turns measured values into the paper's tables: means and errors over kernel widths, winners, and significance.
import { readFileSync } from 'node:fs';
import { mean, pairedTest, standardError } from './t-test.js';

export const published = JSON.parse(readFileSync(new URL('./published.json', import.meta.url), 'utf8'));

/** The paper's metrics, in its order. */
export const METRICS = Object.freeze(['INFD', 'GI', 'CI', 'unidirectionality', 'CAC']);
/** Additional metrics: other readings of the same, and what users want to know. */
export const BESIDE = Object.freeze(['CI/d', 'CI scaled', 'unidirectionality, zero 0', 'sign conflict', 'zeros']);

const HIGHER = new Set(published.higher_is_better);
/** Tells whether a value is better than another. */
export const isBetter = (metric, one, other) => (HIGHER.has(metric) ? one > other : one < other);

/**
 * The paper's 40 cells are these groups of rows times their metrics: LINEX against the methods on the same samples. The
 * naive baseline, which predicts a mean, is only in the paper's second table and is not a rival; it is shown separately.
 */
export const GROUPS = Object.freeze([
  { group: 'rand', linex: 'LINEX/rand', rivals: ['LIME', 'S-LIME'], naive: 'NB/rand' },
  { group: 'real', linex: 'LINEX/real', rivals: ['MeLIME'], naive: 'NB/real' },
  { group: 'mpl', linex: 'LINEX/mpl', rivals: ['MAPLE'] },
]);

/**
 * Returns the values of one table row, one list per kernel width, over all splits in order.
 *
 * @param {{ job: object, result: object }[]} done
 * @param {(config: object, job: object) => boolean} wanted
 * @returns {Map<string | number, Record<string, number[]>>}  by width
 */
export function gather(done, wanted) {
  const byWidth = new Map();
  for (const { job, result } of done)
    for (const { config, values } of result.results) {
      if (!wanted(config, job)) continue;
      const key = config.width ?? 'none';
      if (!byWidth.has(key)) byWidth.set(key, {});
      const own = byWidth.get(key);
      for (const [metric, list] of Object.entries(values)) (own[metric] ??= []).push(...list);
    }
  return byWidth;
}

/** Returns the mean over the examples, then the mean and standard error over the widths. */
export function summarize(byWidth) {
  const metrics = new Set([...byWidth.values()].flatMap((values) => Object.keys(values)));
  return Object.fromEntries(
    [...metrics].map((metric) => {
      const means = [...byWidth.values()].filter((values) => values[metric]).map((values) => mean(values[metric]));
      return [metric, { mean: mean(means), se: means.length > 1 ? standardError(means) : null }];
    }),
  );
}

/** Returns the values of a metric, one list per kernel width. */
const listsOf = (byWidth, metric) => [...byWidth.values()].map((values) => values[metric]).filter(Boolean);

/** Returns one value per example, the mean over the widths, because an example at two widths is not independent. */
function byExample(byWidth, metric) {
  const lists = listsOf(byWidth, metric);
  return lists.length ? lists[0].map((_, i) => mean(lists.map((list) => list[i]))) : [];
}

/** With fewer pairs a test says nothing. Then the widths serve as pairs, as they seem to in the paper. */
const FEW = 5;

/** Tests whether two rows differ: with examples as pairs and, as the paper seems to do, with kernel widths as pairs. */
function comparison(own, other, metric) {
  const test = (a, b) => (a.length > 1 ? pairedTest(a, b).p : null);
  const examples = test(byExample(own, metric), byExample(other, metric));
  const widths = test(listsOf(own, metric).map(mean), listsOf(other, metric).map(mean));
  return { examples, widths, p: (byExample(own, metric).length < FEW ? widths : examples) ?? 1 };
}

/**
 * @param {{ job: object, result: object }[]} done  the jobs of one data set
 * @param {string} name  as in the paper
 * @param {string} reading
 */
export function tableOf(done, name, reading) {
  const tables = done.filter(({ job }) => job.part === 'table' && job.reading === reading);
  const rows = new Map();
  for (const { result } of tables)
    for (const { config } of result.results)
      if (!rows.has(config.row))
        rows.set(
          config.row,
          gather(tables, ({ row }) => row === config.row),
        );
  return {
    reading,
    rows: [...rows].map(([row, byWidth]) => ({
      row,
      explained: [...byWidth.values()][0].INFD.length,
      ours: summarize(byWidth),
      theirs: published.rows.find((one) => one.dataset === name && one.method === row) ?? null,
    })),
    cells: GROUPS.flatMap((group) => METRICS.map((metric) => cellOf({ rows, name, ...group, metric })).filter(Boolean)),
  };
}

/** Returns one of the paper's cells: the winner in the paper, and ours. */
function cellOf({ rows, name, group, linex, rivals, naive, metric }) {
  const theirs = verdictOfPaper(name, linex, rivals, metric);
  const own = rows.get(linex);
  if (!theirs || !own || listsOf(own, metric).length === 0) return null;
  const meanOf = (row) => mean(byExample(rows.get(row), metric));
  const present = rivals.filter((rival) => rows.has(rival));
  if (present.length === 0) return null;
  const best = present.reduce((a, b) => (isBetter(metric, meanOf(b), meanOf(a)) ? b : a));
  const sure = comparison(own, rows.get(best), metric);
  const ours = { linex: meanOf(linex), rival: best, rivalMean: meanOf(best), ...sure };
  const better = isBetter(metric, ours.linex, ours.rivalMean);
  return {
    dataset: name,
    group,
    metric,
    theirs,
    ours: {
      ...ours,
      winner: sure.p < 0.05 ? (better ? 'LINEX' : 'rival') : 'none',
      naive: naive && rows.has(naive) ? meanOf(naive) : null,
    },
  };
}

/** Returns the winner in the paper, which is bold; none if no method is bold. */
function verdictOfPaper(name, linex, rivals, metric) {
  const row = (method) => published.rows.find((one) => one.dataset === name && one.method === method)?.[metric];
  const own = row(linex);
  if (!own) return null;
  const others = rivals.map((rival) => ({ rival, cell: row(rival) })).filter(({ cell }) => cell);
  const best = others.reduce((a, b) => (isBetter(metric, b.cell.mean, a.cell.mean) ? b : a));
  const bold = others.find(({ cell }) => cell.significant);
  const winner = own.significant ? 'LINEX' : bold ? 'rival' : 'none';
  return { linex: own.mean, rival: best.rival, rivalMean: best.cell.mean, winner };
}

/** Returns the cells where the paper has a winner and ours differs. */
export const differing = (cells) =>
  cells.filter(({ theirs, ours }) => theirs.winner !== 'none' && theirs.winner !== ours.winner);

/**
 * Summarizes the study: one line per kind of environments, as ratios to LIME on the same answers.
 *
 * @param {{ job: object, result: object }[]} done
 */
export function studyOf(done) {
  return done
    .filter(({ job }) => job.part === 'study')
    .reduce((lines, { job, result }) => [...lines, ...studyLines(job, result)], []);
}

const STUDIED = ['INFD', 'CI', 'CI scaled', 'sign conflict', 'zeros'];

function studyLines(job, { results }) {
  const shown = ({ values, ablation }) => ({
    ...Object.fromEntries(STUDIED.filter((metric) => values[metric]).map((metric) => [metric, mean(values[metric])])),
    ...(ablation && { ablation: mean(ablation.changes), flips: mean(ablation.flips) }),
  });
  return results.map((one) => {
    const { label, environment, count, games, agreement, samples, dense } = one.config;
    const place = { set: job.set, split: job.split, kind: job.kind, samples, dense };
    return { ...place, label, environment, count, games, agreement, ...shown(one) };
  });
}

/** Returns geometric means of ratios to LIME, over all settings where both were measured. */
export function studySummary(lines) {
  const place = ({ set, split, kind, samples, dense }) => JSON.stringify([set, split, kind, samples, dense]);
  const lime = new Map(lines.filter(({ label }) => label === 'LIME').map((line) => [place(line), line]));
  const labels = [...new Set(lines.map(({ label }) => label))];
  const tiny = 1e-4;
  const ratio = (line, metric) => {
    const base = lime.get(place(line))?.[metric];
    return line[metric] === undefined || base === undefined ? null : (line[metric] + tiny) / (base + tiny);
  };
  return labels.map((label) => {
    const own = lines.filter((line) => line.label === label);
    const over = (metric) => {
      const ratios = own.map((line) => ratio(line, metric)).filter((one) => one !== null);
      if (ratios.length === 0) return null;
      const worse = ratios.filter((one) => one > 1.02).length / ratios.length;
      return {
        ratio: Math.exp(mean(ratios.map(Math.log))),
        least: Math.min(...ratios),
        most: Math.max(...ratios),
        worse,
      };
    };
    const parts = Object.fromEntries(['INFD', 'CI', 'CI scaled', 'sign conflict', 'ablation'].map((m) => [m, over(m)]));
    return { label, places: own.length, ...parts, zeros: mean(own.map(({ zeros }) => zeros)) };
  });
}
