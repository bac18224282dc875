// Renders the tables of web/docs/ideas/tables: `npm run docs:tables` writes them, tests compare them with fresh numbers.
import { readFileSync } from 'node:fs';
import { toMarkdown } from '../paper/report/blocks.js';
import { studySummary } from '../paper/tables/study.js';
import { SPLITS } from './iris-study.js';

export const TABLES = new URL('../../web/docs/ideas/tables/', import.meta.url);

const NOTE = '<!-- Made by `npm run docs:tables`. Do not edit. -->';

/** @param {string} name */
export const readTable = (name) => readFileSync(new URL(name, TABLES), 'utf8');

/** @param {string} title @param {string[]} sections */
const pageOf = (title, sections) => [`${NOTE}\n\n# ${title}\n`, ...sections].join('\n');

const cellsOf = ({ infidelity, inconsistency, upsilon, conflict }) =>
  [infidelity, inconsistency, conflict, upsilon].map((value) => value.toFixed(3));

const METRICS = ['method', 'infidelity', 'change of weights', 'signs that contradict', 'unidirectionality'];

/** @param {Awaited<ReturnType<typeof import('./iris-study.js').measureDefaults>>} measured */
export const irisDefaults = (measured) =>
  toMarkdown([
    { heading: 'With the presets of explainRow: 1,000 samples' },
    {
      columns: METRICS,
      rows: Object.entries(measured).map(([name, values]) => [name, ...cellsOf(values)]),
    },
  ]);

/** The IRIS rows of the table of all methods in the paper's supplement: infidelity, change of weights, unidirectionality. */
const PUBLISHED = { LIME: [0.015, 0.319, 0.646], 'S-LIME': [0.015, 0.143, 0.704], LINEX: [0.013, 0.044, 0.802] };

/** @param {Awaited<ReturnType<typeof import('./iris-study.js').measurePaperReading>>} measured */
export const irisPaperReading = (measured) =>
  toMarkdown([
    { heading: 'As the paper has it: 10 samples, five kernel widths' },
    {
      columns: METRICS,
      rows: Object.entries(measured).flatMap(([name, values]) => {
        const [infidelity, change, upsilon] = PUBLISHED[name].map((value) => value.toFixed(3));
        return [
          [name, ...cellsOf(values)],
          [`${name}, published`, infidelity, change, '', upsilon],
        ];
      }),
    },
  ]);

const rangeOf = (pairs, solver) => {
  const rounds = pairs.map((pair) => pair[solver].equilibrium.rounds);
  return `${Math.min(...rounds)} to ${Math.max(...rounds)}`;
};

/** @param {Awaited<ReturnType<typeof import('./iris-study.js').solveBothWays>>} pairs */
export const irisRounds = (pairs) =>
  toMarkdown([
    { heading: `Rounds until the game of an iris is solved, ${pairs.length} irises` },
    {
      columns: ['solver', 'rounds'],
      rows: [
        ["`'path'`: corners of the path", rangeOf(pairs, 'path')],
        ["`'best-response'`: rounds of Algorithm 1", rangeOf(pairs, 'literal')],
      ],
    },
  ]);

/** @param {string[]} sections */
export const irisPage = (sections) =>
  pageOf('LIME and LINEX on irises', [
    `A random forest on Fisher's irises, explained for _setosa_: ${SPLITS} splits of 120 flowers to train on and 30 to explain.\n` +
      'Every method asks equally often. Lower is better, except for unidirectionality.\n',
    ...sections,
  ]);

/** The rows of the study that the documentation shows: its name here, its name in the report. */
const STUDIED = {
  bootstrap: 'bootstrap, k = 2',
  halves: 'halves, k = 2',
  widths: 'widths, k = 2',
  'near-far': 'near-far, k = 2',
  'halves, 30 games, agreement 0.9': 'halves, k = 2, 30 games, silenced 0.9',
  'LIME, agreement 0.9': 'LIME, silenced 0.9',
};

/** @param {{ study: { lines: object[] } }} report  of tests/paper/report.json */
export function environmentsPage({ study: { lines } }) {
  const tableFor = (heading, keep) => {
    const summary = studySummary(lines.filter(({ samples }) => keep(samples)));
    const rows = Object.entries(STUDIED).map(([name, label]) => {
      const row = summary.find((one) => one.label === label);
      const ratios = [row.INFD, row.CI, row['sign conflict'], row.ablation];
      return [name, ...ratios.map(({ ratio }) => `×${ratio.toFixed(2)}`)];
    });
    const columns = ['environments', 'infidelity', 'change of weights', 'signs that contradict', 'ablation'];
    return toMarkdown([{ heading }, { columns, rows }]);
  };
  return pageOf('Which environments to take', [
    "Ratios to LIME's numbers on the same answers, with two players. They are geometric means over data sets, neighborhoods,\n" +
      'and sparse or all features. Below 1 is better. For ablation, the change of the answer without the leading features,\n' +
      'above 1 is better. The numbers come from [the report](paper.md).\n',
    tableFor('Up to 100 samples', (samples) => samples <= 100),
    tableFor('1,000 samples and more', (samples) => samples >= 1000),
  ]);
}

/** @param {Awaited<ReturnType<typeof import('./pages/demo-signs.js').countChangingSigns>>} counts */
export const demoSignsPage = (counts) =>
  pageOf('Changing signs on the demo page', [
    "Words of the demo page's review whose sign changes between five seeds.\n",
    toMarkdown([
      { columns: ['method', 'words'], rows: Object.entries(counts).map(([name, count]) => [name, `${count}`]) },
    ]),
  ]);
