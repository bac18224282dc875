// Measures two limits of what bars can say: how far a line may be stretched, and how little it may explain.
//
// node tests/steady/meaning-study.js [--write]
//
// The limits were chosen on the bent models below and on the pairs `choose`, and then reported for the pairs `report`.
// --write writes the tables to meaning-study.md, beside this file. The result depends on nothing but the seeds.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { describeTable, explainRow } from 'linex';
import { dice } from '../support/dice.js';
import { PAIRS } from './pairs.js';
import { loadRowModel, readModelFile } from './row-models.js';

/** Kernel widths, relative to the default, and numbers of samples. */
const WIDTHS = [0.3, 0.5, 1];
const METHODS = { LINEX: {}, LIME: { method: 'lime' }, "the paper's LINEX": { preset: 'paper' } };
const FRESH = 60;

const CURVES = {
  line: (x) => x,
  sigmoid: (x) => 1 / (1 + Math.exp(-2 * x)),
  'steep sigmoid': (x) => 1 / (1 + Math.exp(-6 * x)),
  step: (x) => Number(x > 0.5),
  kink: (x) => Math.max(0, x),
  parabola: (x) => x * x,
  vee: (x) => Math.abs(x - 1),
  'short wave': (x) => Math.sin(2 * x),
  'long wave': (x) => Math.sin(x),
  exponential: (x) => Math.exp(x),
};

/** Between 0 and 1, and different at every place. */
const hash = (row) => {
  const wave = 43758.5453 * Math.sin(row.reduce((sum, value, c) => sum + value * [12.9898, 78.233, 37.719, 9.1][c], 0));
  return wave - Math.floor(wave);
};

const SURFACES = {
  'exclusive or': (row) => Number(row[0] * row[1] > 0),
  saddle: (row) => row[0] ** 2 - row[1] ** 2 + row[2] ** 2,
  island: (row) => Math.exp(-2 * (row[0] ** 2 + row[1] ** 2)),
  ...Object.fromEntries(
    [1, 2, 3, 4].flatMap((pace) => [
      [`waves ${pace}`, (row) => Math.sin(pace * row[0]) + Math.sin(pace * row[1]) / 2 + Math.cos(pace * row[2]) / 3],
      [`sine times cosine ${pace}`, (row) => Math.sin(pace * row[0]) * Math.cos(pace * row[1])],
    ]),
  ),
  ...Object.fromEntries(
    [0, 0.05, 0.1, 0.2, 0.5].map((share) => [
      `noise and ${share} of a slope`,
      (row) => share * (row[0] - row[1] / 2 + row[2] / 5) + hash(row),
    ]),
  ),
};

/** Sums of bent curves, whose true contributions are known, and surfaces; 4 normal columns. */
async function bentSubjects(models, count) {
  const { normal } = dice(5);
  const rows = Array.from({ length: 300 }, () => [normal(), normal(), normal(), normal()]);
  const table = await describeTable(rows);
  return Object.entries(models).map(([name, answer]) => ({
    name,
    table,
    // Some of the rows are farther out than the table.
    rows: rows.slice(0, count).map((row) => row.map((value) => 1.3 * value)),
    ask: (some) => some.map(answer),
    targetOf: () => undefined,
  }));
}

/** The pairs whose rows are in the repository. */
function pairSubjects(set) {
  const known = PAIRS.filter((pair) => pair.set === set && pair.kind === 'rows' && pair.files.length === 0);
  return known.map(({ data, model, name }) => {
    const { rows, table, classes } = readModelFile(data);
    const { predict } = loadRowModel(data, model);
    const ask = (some) => predict({ data: some.flat(), shape: [some.length, table.columns.length] });
    const targetOf = (row) =>
      classes ? ask([row])[0].reduce((best, p, i, all) => (p > all[best] ? i : best), 0) : undefined;
    return { name, table, rows: rows.slice(0, 25), ask, targetOf };
  });
}

/** Explains every row of a subject with every width and method. */
async function* explanationsOf({ table, rows, ask, targetOf }, methods, widths = WIDTHS) {
  for (const [i, row] of rows.entries()) {
    const target = targetOf(row);
    const answers = (some) => ask(some).map((answer) => (target === undefined ? answer : answer[target]));
    for (const width of widths)
      for (const options of Object.values(methods)) {
        const kernelWidth = width * 0.75 * Math.sqrt(table.columns.length);
        const explanation = await explainRow(row, (batch) => ask(Array.from(batch, (one) => [...one])), {
          ...{ table, kernelWidth, samples: 500, seed: i, batchSize: 1e6, ...options },
          ...(target !== undefined && { target }),
        });
        // The neighborhood's own standard deviation, in those of the column.
        yield { row, explanation, answers, reach: 1 / Math.sqrt(1 + 1 / kernelWidth ** 2) };
      }
  }
}

/** Contributions of numbers compared with the model's change if only this value were the reference's. */
async function measureStretch(subjects) {
  const found = [];
  for (const subject of subjects)
    for await (const { row, explanation, answers, reach } of explanationsOf(subject, { LINEX: { features: 'all' } }))
      for (const { index, kind, value, reference, spread, contribution } of explanation.features) {
        if (kind !== 'numeric' || !spread || !contribution) continue;
        const [here, there] = answers([row, row.with(index, reference)]);
        found.push({ far: Math.abs(value - reference) / spread / reach, contribution, truth: here - there });
      }
  return found;
}

/** How often the bars tell the sign of the model's change for fresh changes of single features. */
async function measureSigns(subjects) {
  const found = [];
  for (const subject of subjects) {
    const { normal } = dice(9);
    for await (const { row, explanation, answers, reach } of explanationsOf(subject, METHODS)) {
      const sure = explanation.features.filter(
        ({ weight, interval, kind, spread }) => weight && interval[0] * interval[1] > 0 && kind === 'numeric' && spread,
      );
      const fresh = Array.from({ length: FRESH }, (_, i) => ({
        feature: sure[i % sure.length],
        step: reach * normal(),
      }));
      if (sure.length === 0) continue;
      const moved = fresh.map(({ feature: { index, spread }, step }) => row.with(index, row[index] + step * spread));
      const [here, ...there] = answers([row, ...moved]);
      const right = fresh.flatMap(({ feature, step }, i) =>
        there[i] === here ? [] : [Number((there[i] - here) * feature.weight * step > 0)],
      );
      if (right.length > 0) found.push({ fidelity: explanation.fidelity, share: mean(right) });
    }
  }
  return found;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A table with one line per range of a number. */
function tableOf(title, found, key, edges, columns) {
  const names = Object.keys(columns);
  const lines = edges.map((from, i) => {
    const to = edges[i + 1] ?? Infinity;
    const some = found.filter((one) => one[key] >= from && one[key] < to);
    const range = from === -Infinity ? `below ${to}` : to === Infinity ? `${from} and more` : `${from} to ${to}`;
    const cells = names.map((name) => (some.length < 20 ? 'too few' : columns[name](some).toFixed(2)));
    return `| ${[range, some.length, ...cells].join(' | ')} |`;
  });
  return [
    `| ${[title, 'count', ...names].join(' | ')} |`,
    `| ${'--- | '.repeat(names.length + 2).trim()}`,
    ...lines,
  ].join('\n');
}

const stretchTable = (found) =>
  tableOf('distance', found, 'far', [0, 0.5, 1, 1.5, 2, 2.5, 3, 4], {
    'error, relative to no contribution at all': (some) =>
      sum(some.map((one) => Math.abs(one.contribution - one.truth))) / sum(some.map(({ truth }) => Math.abs(truth))),
    'share with the correct sign': (some) =>
      mean(some.filter(({ truth }) => truth).map((one) => Number(one.contribution * one.truth > 0))),
  });

const signTable = (found) =>
  tableOf('R²', found, 'fidelity', [-Infinity, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 0.9], {
    'share of correct signs': (some) => mean(some.map(({ share }) => share)),
    'explanations that are no better than a coin': (some) => mean(some.map(({ share }) => Number(share <= 0.5))),
  });

const curves = Object.fromEntries(
  Object.entries(CURVES).map(([name, curve]) => [
    name,
    (row) => curve(row[0]) + curve(row[1]) / 2 - 0.3 * curve(row[2]) + 0.1 * curve(row[3]),
  ]),
);
const [bent, surfaces] = [await bentSubjects(curves, 60), await bentSubjects({ ...curves, ...SURFACES }, 20)];
const [choose, report] = [pairSubjects('choose'), pairSubjects('report')];
const names = (subjects) => subjects.map(({ name }) => name).join('; ');

const page = `# What bars can say

Written by \`node tests/steady/meaning-study.js --write\`. Settings: ${WIDTHS.join(', ')} of the default kernel width, 500
samples, ${Object.keys(METHODS).join(', ')}.

## How far a line may be stretched

A contribution is the slope near the row times the distance to the reference. Its error is the difference from the model's own
change if only this value were that of the reference. The error is divided by that of no contribution at all. The distance is in
standard deviations of the neighborhood.

Bent models (${names(bent)}):

${stretchTable(await measureStretch(bent))}

Pairs to choose on (${names(choose)}):

${stretchTable(await measureStretch(choose))}

Pairs to report (${names(report)}):

${stretchTable(await measureStretch(report))}

## How little bars may explain

For fresh changes of single features that have a sure weight: how often the bars tell whether the model's answer rises or falls.

Bent models and surfaces (${names(surfaces)}), and pairs to choose on:

${signTable(await measureSigns([...surfaces, ...choose]))}

Pairs to report:

${signTable(await measureSigns(report))}
`;
if (process.argv.includes('--write')) writeFileSync(new URL('meaning-study.md', import.meta.url), page);
else process.stdout.write(page);
