// Formats the results of the study: tables for the terminal, and the page web/docs/ideas/tables/steady.md.
import { METHODS, REFERENCE } from './compared-methods.js';
import { checkOthers, checkTable, strictRecall } from './must-show.js';
import { geometricMean, mean } from './steadiness.js';
import { ratioToLime } from './steady-summary.js';

const KINDS = ['rows', 'texts', 'images'];
const SETS = {
  report: 'Pairs that no one chose on',
  choose: 'Pairs that the settings were chosen on',
};

/** Formats a number with about three digits. */
export function digits(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  if (!Number.isFinite(value)) return '∞';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  if (size > 0 && size < 0.001) return value.toExponential(0);
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/**
 * Formats a table of Markdown whose columns are aligned, as Prettier does it.
 *
 * @param {readonly string[]} head
 * @param {readonly (string | number)[][]} rows
 */
export function markdownTable(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, c) => Math.max(3, ...cells.map((row) => row[c].length)));
  const line = (row) => `| ${row.map((cell, c) => cell.padEnd(widths[c])).join(' | ')} |`;
  return [line(cells[0]), line(widths.map((width) => '-'.repeat(width))), ...cells.slice(1).map(line)].join('\n');
}

const ratioOver = (pairs, which) => {
  const ratios = pairs.map((pair) => ratioToLime(pair, which)).filter((ratio) => !Number.isNaN(ratio));
  return ratios.length ? geometricMean(ratios) : NaN;
};

/** Conflicts are often 0, so their means are compared instead of a geometric mean. */
function conflictOver(pairs, { mode, method, samples, name }) {
  const over = (of) => mean(pairs.map(({ cells }) => cells[mode][of]?.[samples]?.[name] ?? NaN));
  return over(REFERENCE) > 0 ? over(method) / over(REFERENCE) : NaN;
}

/** Returns the mean of a value over pairs. */
const meanOver = (pairs, { mode, method, samples, name }) =>
  mean(pairs.map(({ cells }) => cells[mode][method]?.[samples]?.[name] ?? NaN));

const COLUMNS = [
  ['CI', (pairs, at) => ratioOver(pairs, { ...at, name: 'ci' })],
  ['sign conflict', (pairs, at) => conflictOver(pairs, { ...at, name: 'conflict' })],
  ['infidelity', (pairs, at) => ratioOver(pairs, { ...at, name: 'infidelity' })],
  ['at input', (pairs, at) => ratioOver(pairs, { ...at, name: 'inputInfidelity' })],
  ['VRF', (pairs, at) => geometricMean(pairs.map(({ cells }) => cells[at.mode][at.method][at.samples].vrf))],
  ['VRF before', (pairs, at) => geometricMean(pairs.map(({ cells }) => cells[at.mode][at.method][at.samples].rawVrf))],
  ['bias', (pairs, at) => meanOver(pairs, { ...at, name: 'bias' })],
  ['R²', (pairs, at) => meanOver(pairs, { ...at, name: 'r2' })],
  ['top-5 overlap', (pairs, at) => meanOver(pairs, { ...at, name: 'overlap' })],
  ['recall', (pairs, at) => meanOver(pairs, { ...at, name: 'recall' })],
  ['coverage', (pairs, at) => (at.mode === 'all' ? meanOver(pairs, { ...at, name: 'coverage' }) : NaN)],
  ['neighbors: CI', (pairs, at) => ratioOver(pairs, { ...at, name: 'neighborCi' })],
  ['neighbors: conflict', (pairs, at) => conflictOver(pairs, { ...at, name: 'neighborConflict' })],
  ['own ms', (pairs, at) => meanOver(pairs, { ...at, name: 'milliseconds' })],
];

/** The methods against LIME, over pairs of one kind. */
function methodsTable(pairs, sizes, mode) {
  const methods = Object.keys(METHODS).filter((method) => pairs[0].cells[mode][method]);
  const rows = sizes.flatMap((samples) =>
    methods.map((method) => [
      samples.toLocaleString('en'),
      METHODS[method].name,
      ...COLUMNS.map(([, measure]) => digits(measure(pairs, { mode, method, samples }))),
    ]),
  );
  return markdownTable(['n', 'method', ...COLUMNS.map(([name]) => name)], rows);
}

/** Every pair for one method. */
function pairsTable(pairs, sizes, mode, method) {
  const rows = pairs.flatMap((pair) =>
    sizes.map((samples) => [
      pair.name,
      digits(pair.features),
      samples.toLocaleString('en'),
      ...COLUMNS.map(([, measure]) => digits(measure([pair], { mode, method, samples }))),
    ]),
  );
  return markdownTable(['pair', 'features', 'n', ...COLUMNS.map(([name]) => name)], rows);
}

const verdictsTable = (verdicts) =>
  markdownTable(
    ['', 'inputs', 'bound', 'measured', 'at n', 'worst pair', '', 'holds'],
    verdicts.map(({ what, kind, bound, value, at, worst, holds }) => [
      ...[what, kind, bound, digits(value), at.toLocaleString('en')],
      ...[worst.name, digits(worst.value), holds ? 'yes' : '**no**'],
    ]),
  );

const autoTable = (pairs) => {
  const methods = Object.keys(pairs[0].auto);
  const cell = ({ asked, settled }) => `${digits(asked)} (${Math.round(100 * settled)} %)`;
  const rows = pairs.map(({ name, auto }) => [name, ...methods.map((method) => cell(auto[method]))]);
  return markdownTable(['pair', ...methods.map((method) => METHODS[method].name)], rows);
};

/** The tables of a set of pairs. */
function sectionOf(pairs, sizes) {
  const kinds = KINDS.filter((kind) => pairs.some((pair) => pair.kind === kind));
  const of = (kind) => pairs.filter((pair) => pair.kind === kind);
  const has = (method) => pairs.every(({ cells }) => cells.all[method]);
  const parts = [];
  if (has('steady')) {
    parts.push(
      '### What must hold, all features',
      verdictsTable([...checkTable(pairs, sizes), ...checkOthers(pairs, sizes)]),
    );
    if (has('strict'))
      parts.push(
        `The recall of strict is ${digits(strictRecall(pairs, sizes))}, as a mean over the pairs and n >= 100.`,
      );
    parts.push('### What must hold, five features', verdictsTable(checkTable(pairs, sizes, { mode: 'five' })));
  }
  for (const kind of kinds) parts.push(`### ${titled(kind)}, all features`, methodsTable(of(kind), sizes, 'all'));
  for (const kind of kinds) parts.push(`### ${titled(kind)}, five features`, methodsTable(of(kind), sizes, 'five'));
  if (has('steady')) parts.push('### Every pair, LINEX with all features', pairsTable(pairs, sizes, 'all', 'steady'));
  if (pairs.every(({ auto }) => Object.keys(auto).length > 0))
    parts.push("### Queries of `samples: 'auto'`, and how often it settled", autoTable(pairs));
  return parts;
}

const titled = (kind) => kind[0].toUpperCase() + kind.slice(1);

const MEANING = [
  'Ratios are to LIME (independent draws, nothing adjusted or silenced) with the same number of queries; below 1 is better, but for VRF.',
  '',
  '- **CI**: the mean L1 distance of the weights between two seeds. **Sign conflict**: how often two seeds give a weight opposite signs.',
  '- **Infidelity**: the weighted mean distance of the surrogate from the model on 2,000 fresh samples; **at input**: at the input alone, as in the paper. **R²** is weighted, on the fresh samples.',
  '- **VRF**: LIME’s squared error against a fit of 100,000 samples, divided by the method’s; **before**: with the weights before silencing. The noise of that fit limits it to about 100,000 / n. With five features, LIME, LIME+ and paper are compared with such a fit of the five that LIME selects, the others with the five largest weights of the fit of all. **Bias**: the mean error that the seeds do not explain, relative to the length of the weights.',
  '- **Top-5 overlap**: the leading features that two seeds share. **Recall**: the leading features of the 100,000-sample fit that are among the leading ones. With fewer than ten features, half of them are leading.',
  '- **Coverage**: how often an interval contains the weight of that fit. **Neighbors**: the same measures between an input and the inputs nearest to it.',
  '- Ratios are geometric means over pairs; those of sign conflicts are ratios of means, because many are 0. A bound must also hold within a factor of 1.5 for every single pair.',
];

const PICTURE = [
  '<picture>',
  '  <source media="(prefers-color-scheme: dark)" srcset="steady-dark.svg">',
  '  <img src="steady-light.svg" alt="CI and sign conflict against the number of queries, for rows, texts and images">',
  '</picture>',
].join('\n');

/** How the results were made. */
function madeLine(pairs) {
  const runs = [...new Set(pairs.map(({ made }) => `\`${made.command}\` at commit ${made.commit}`))];
  const sizes = pairs.map(({ examples, seeds }) => `${examples} inputs, ${seeds} seeds`);
  return `Written by ${runs.join(' and ')}: ${[...new Set(sizes)].join('; ')}.`;
}

/**
 * Returns the tables as text.
 *
 * @param {any[]} pairs  results
 * @param {{ page?: boolean }} [how]  page: with a head for the documentation
 */
export function renderTables(pairs, { page = false } = {}) {
  const sizes = pairs[0].sizes;
  const parts = page ? ['# Steadiness against queries', madeLine(pairs), PICTURE, MEANING.join('\n')] : [];
  for (const [set, title] of Object.entries(SETS)) {
    const some = pairs.filter((pair) => pair.set === set);
    if (some.length > 0) parts.push(`## ${title}`, ...sectionOf(some, sizes));
  }
  return `${parts.join('\n\n')}\n`;
}
