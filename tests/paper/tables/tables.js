// Turns measured values into the paper's tables: means and errors over kernel widths, winners, and significance.
import { readFileSync } from 'node:fs';
import { OWN_ROWS } from '../jobs/plans.js';
import { mean, pairedTest, standardError } from './t-test.js';

export const published = JSON.parse(readFileSync(new URL('./published.json', import.meta.url), 'utf8'));

/** The paper's metrics, in its order. */
export const METRICS = Object.freeze(['INFD', 'GI', 'CI', 'unidirectionality', 'CAC']);
/** Additional metrics: other readings of the same, and what users want to know. */
export const BESIDE = Object.freeze([
  'CI/d',
  'CI scaled',
  'unidirectionality, zero 0',
  'sign conflict',
  'zeros',
  'restless',
]);

const HIGHER = new Set(published.higher_is_better);
/** Tells whether a value is better than another. */
export const isBetter = (metric, one, other) => (HIGHER.has(metric) ? one > other : one < other);

/**
 * The paper's 40 cells are these groups of rows times their metrics: LINEX against the methods on the same samples. `more` are
 * rivals that the paper's first table does not have: the naive baseline, and LIME on our samples.
 */
export const GROUPS = Object.freeze([
  { group: 'rand', linex: 'LINEX/rand', rivals: ['LIME', 'S-LIME'], more: ['NB/rand', OWN_ROWS[0]] },
  { group: 'real', linex: 'LINEX/real', rivals: ['MeLIME'], more: ['NB/real'] },
  { group: 'mpl', linex: 'LINEX/mpl', rivals: ['MAPLE'], more: [OWN_ROWS[1]] },
]);

/** What a metric is called if a zero counts as no sign. */
const ZEROED = { unidirectionality: 'unidirectionality, zero 0' };
/** How the sign of zero counts: as +1, which the paper's numbers need, or as none. */
export const ZEROS = Object.freeze(['positive', 'none']);
/** What is paired in a t-test: splits, or examples if there is one split; or kernel widths, as the paper seems to do. */
export const TESTS = Object.freeze(['units', 'widths']);
/** Which rivals count: the paper's, or the naive baseline and LIME on our samples too. */
export const RIVALS = Object.freeze(['paper', 'all']);

/**
 * Returns the values of one table row: by kernel width, by metric, one list per split.
 *
 * @param {{ job: object, result: object }[]} done
 * @param {(config: object, job: object) => boolean} wanted
 * @returns {Map<string | number, Record<string, number[][]>>}  by width
 */
export function gather(done, wanted) {
  const byWidth = new Map();
  for (const { job, result } of done)
    for (const { config, values } of result.results) {
      if (!wanted(config, job)) continue;
      const key = config.width ?? 'none';
      if (!byWidth.has(key)) byWidth.set(key, {});
      const own = byWidth.get(key);
      for (const [metric, list] of Object.entries(values)) (own[metric] ??= []).push(list);
    }
  return byWidth;
}

/** Returns the mean over the examples, then the mean and standard error over the widths. */
export function summarize(byWidth) {
  const metrics = new Set([...byWidth.values()].flatMap((values) => Object.keys(values)));
  return Object.fromEntries(
    [...metrics].map((metric) => {
      const means = widthMeans(byWidth, metric);
      return [metric, { mean: mean(means), se: means.length > 1 ? standardError(means) : null }];
    }),
  );
}

const widthMeans = (byWidth, metric) =>
  [...byWidth.values()].filter((values) => values[metric]).map((values) => mean(values[metric].flat()));

/**
 * Returns one value per unit, the mean over the widths. The units are splits if there are several, because they share
 * flowers; otherwise examples, or classes for CAC.
 */
export function unitMeans(byWidth, metric) {
  const lists = [...byWidth.values()].map((values) => values[metric]).filter(Boolean);
  if (lists.length === 0) return [];
  const units = lists.map((splits) => (splits.length > 1 ? splits.map(mean) : splits[0]));
  return units[0].map((_, i) => mean(units.map((list) => list[i])));
}

const test = (a, b) => (a.length > 1 && a.length === b.length ? pairedTest(a, b).p : null);

/**
 * @param {{ job: object, result: object }[]} done  the jobs of one data set
 * @param {string} name  as in the paper
 * @param {string} reading
 */
export function tableOf(done, name, reading) {
  const tables = done.filter(({ job }) => job.part === 'table' && (job.reading === reading || job.kind === 'shap'));
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
      explained: [...byWidth.values()][0].INFD.flat().length,
      splits: [...byWidth.values()][0].INFD.length,
      ours: summarize(byWidth),
      theirs: published.rows.find((one) => one.dataset === name && one.method === row) ?? null,
    })),
    cells: GROUPS.flatMap((group) => METRICS.map((metric) => cellOf({ rows, name, ...group, metric })).filter(Boolean)),
  };
}

/** Returns one of the paper's cells: the winner in the paper, and ours by every rule. */
function cellOf({ rows, name, group, linex, rivals, more, metric }) {
  const theirs = verdictOfPaper(name, linex, rivals, metric);
  const own = rows.get(linex);
  if (!theirs || !own || !rivals.some((rival) => rows.has(rival)) || unitMeans(own, metric).length === 0) return null;
  const compared = (zeros, names) =>
    comparison({ rows, linex, rivals: names.filter((rival) => rows.has(rival)), metric, zeros });
  return {
    dataset: name,
    ...{ group, metric, theirs },
    unsettled: mean(unitMeans(own, 'restless')),
    ours: Object.fromEntries(
      ZEROS.map((zeros) => [zeros, { paper: compared(zeros, rivals), all: compared(zeros, [...rivals, ...more]) }]),
    ),
  };
}

/** Compares LINEX with the best of some rivals. */
function comparison({ rows, linex, rivals, metric: shown, zeros }) {
  const metric = zeros === 'none' ? (ZEROED[shown] ?? shown) : shown;
  const meanOf = (row) => mean(widthMeans(rows.get(row), metric));
  const rival = rivals.reduce((a, b) => (isBetter(shown, meanOf(b), meanOf(a)) ? b : a));
  const [own, other] = [rows.get(linex), rows.get(rival)];
  const p = {
    units: test(unitMeans(own, metric), unitMeans(other, metric)),
    widths: test(widthMeans(own, metric), widthMeans(other, metric)),
  };
  const better = isBetter(shown, meanOf(linex), meanOf(rival)) ? 'LINEX' : 'rival';
  const winner = Object.fromEntries(TESTS.map((one) => [one, p[one] !== null && p[one] < 0.05 ? better : 'none']));
  return { linex: meanOf(linex), rival, rivalMean: meanOf(rival), p, winner };
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
