// Turns report.json and the texts into the blocks of the report.
import { readFileSync } from 'node:fs';
import { FRACTIONS } from '../subjects/measures.js';
import { BESIDE, METRICS } from '../tables/tables.js';
import { toMarkdown, toPage } from './blocks.js';
import { cellTable, countTable } from './count-blocks.js';
import { factsOf } from './facts.js';
import { figureBlocks } from './figures-report.js';
import { lookBlocks, timeBlocks } from './picture-blocks.js';
import { plotsSVG } from './plots.js';
import { fill, NOT_RUN } from './prose.js';
import { sentenceTable } from './sentence-blocks.js';
import { studyBlocks } from './study-report.js';

/** The styles of the rows, the same in all plots. */
export const STYLED = ['LIME', 'S-LIME', 'LINEX/rand', 'MeLIME', 'LINEX/real', 'MAPLE', 'LINEX/mpl'];

const number = (value, digits = 3) => (value === null || value === undefined ? '' : value.toFixed(digits));
const withError = (one) => (one ? `${number(one.mean)}${one.se ? ` ± ${number(one.se)}` : ''}` : '');

/** The prose of each section, before its numbers are filled in. @type {Record<string, string>} */
export const TEXTS = Object.fromEntries(
  readFileSync(new URL('./texts.txt', import.meta.url), 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n')).trim()]),
);

/** Reads filled Markdown as blocks: paragraphs, headings and lists. @param {string} text */
function readBlocks(text) {
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((paragraph) => {
      const heading = paragraph.match(/^(#+) (.*)$/);
      if (heading) return [{ heading: heading[2], level: 3 }];
      if (!paragraph.startsWith('- ')) return [{ text: paragraph.replace(/\s*\n\s*/g, ' ') }];
      return [{ items: paragraph.split(/\n(?=- )/).map((item) => item.slice(2).replace(/\s+/g, ' ')) }];
    });
}

/** @param {object} report  from buildReport, directly or parsed from JSON @returns {import('./blocks.js').Block[]} */
export function blocksOf(report) {
  const facts = factsOf(report);
  const text = (name) => readBlocks(fill(TEXTS[name], facts));
  const older = !(report.form >= 2);
  /** A section of reports of the newer form. */
  const section = (heading, name, make) => [
    { heading },
    ...(older ? [{ text: NOT_RUN }] : [...(name ? text(name) : []), ...make()]),
  ];
  return [
    { heading: 'The paper, run again', level: 1 },
    ...text(older ? 'made before' : report.made.quick ? 'made quick' : 'made'),
    ...text('introduction'),
    { heading: 'Black boxes' },
    boxTable(report.boxes),
    ...section('How the paper is read', 'readings', () => [readingTable(report)]),
    ...section('Winners', 'winners', () => [countTable(report.counts), ...text('rules')]),
    ...section('Cell by cell', 'cells', () => cellTable(report)),
    { heading: 'The tables' },
    ...text('tables'),
    ...report.tables.flatMap(tableBlocks),
    ...section('Differences from the paper', 'differences', () => triedTables(report.tried)),
    ...section('Sweeps', 'sweeps', () => sweepBlocks(report.sweeps)),
    ...section('S-LIME with other means', 'smoothing', () => smoothingBlocks(report.smoothing)),
    ...section('Neighbors on the map of irises', 'map', () => lookBlocks.map(report.map)),
    ...section('Heatmaps', 'heatmaps', () => lookBlocks.heatmaps(report.pictures)),
    ...section('Where LINEX errs', 'errors', () => lookBlocks.errors(report.pictures)),
    ...section('Ablation', 'ablation', () => ablationBlocks(report.ablation)),
    ...section('Run times', 'times', () => timeBlocks(report.times)),
    ...section('Sentences', 'sentences', () => sentenceTable(report.sentences)),
    ...figureBlocks(report.figures, (name) => text(name)),
    { heading: 'Which environments?' },
    ...text('study'),
    ...studyBlocks(report.study),
  ];
}

function boxTable(boxes) {
  return {
    columns: ['data set', 'measure', 'ours', 'the paper', 'splits', 'examples per split'],
    rows: boxes.map((box) => [
      ...[box.name, box.measureOf, number(box.ours), number(box.published), String(box.splits)],
      box.kinds ? box.kinds.map(({ kind, examples }) => `${kind} ${examples}`).join(', ') : String(box.examples),
    ]),
  };
}

function readingTable({ readings, choices }) {
  const used = (reading) =>
    Object.entries(choices).flatMap(([choice, sets]) =>
      Object.entries(sets).flatMap(([set, kinds]) =>
        Object.entries(kinds)
          .filter(([, one]) => one === reading)
          .map(([kind]) => `${choice}: ${set}, ${kind}`),
      ),
    );
  return {
    columns: ['reading', 'what it is', 'why it is run', 'counted as'],
    rows: readings.map(({ reading, about, why, guess }) => [
      ...[`\`${reading}\``, about, why],
      guess ? 'a guess, never counted' : used(reading).join('; ') || 'not counted',
    ]),
  };
}

function tableBlocks({ name, reading, rows }) {
  const shown = METRICS.filter((metric) => rows.some(({ ours, theirs }) => ours[metric] || theirs?.[metric]));
  const beside = BESIDE.filter((metric) => rows.some(({ ours }) => ours[metric]));
  const bold = (one) => (one?.significant ? `**${withError(one)}**` : withError(one));
  const named = (metric) => (metric === 'restless' ? 'unsettled games' : metric);
  return [
    { heading: `${name}, ${reading}`, level: 3 },
    {
      columns: ['method', 'explained', ...shown, ...beside.map(named)],
      rows: rows.flatMap(({ row, explained, ours, theirs }) => [
        [row, String(explained), ...[...shown, ...beside].map((metric) => withError(ours[metric]))],
        ...(theirs ? [['the paper', '', ...shown.map((metric) => bold(theirs[metric])), ...beside.map(() => '')]] : []),
      ]),
    },
  ];
}

/** A plot of a metric; points have means and errors by metric. */
const plotOf = ({ title, x, metric, lines, log }) => ({
  ...{ title, x, y: metric, log },
  series: lines
    .map(({ row, points }) => ({
      name: row,
      style: STYLED.indexOf(row),
      points: points.filter((point) => point[metric]).map((point) => [point.x, point[metric].mean, point[metric].se]),
    }))
    .filter(({ points }) => points.length > 1),
});

const slug = (...parts) => parts.join('-').toLowerCase().replace(/[^a-z0-9]+/g, '-'); // prettier-ignore

function sweepBlocks(sweeps) {
  const places = [...new Set(sweeps.map(({ set, axis }) => JSON.stringify([set, axis])))].map((one) => JSON.parse(one));
  return places.map(([set, axis]) => {
    const lines = sweeps.filter((sweep) => sweep.set === set && sweep.axis === axis);
    const plots = [...METRICS, 'sign conflict']
      .map((metric) => plotOf({ title: '', x: axis, metric, lines, log: axis === 'kernel width' }))
      .filter(({ series }) => series.length > 0);
    const label = `${set}: metrics by ${axis}`;
    return { figure: slug('sweep', set, axis), label, svg: plotsSVG({ label, plots }) };
  });
}

function smoothingBlocks(lines) {
  if (lines.length === 0) return [{ text: NOT_RUN }];
  const own = lines.map((line, i) => ({ ...line, style: i }));
  const plots = [...METRICS, 'sign conflict'].map((metric) => {
    const plot = plotOf({ title: '', x: 'samples', metric, lines: own });
    return { ...plot, series: plot.series.map((one, i) => ({ ...one, style: i })) };
  });
  const label = 'IRIS: S-LIME with mean, median and median of means, five environments';
  return [{ figure: 'smoothing', label, svg: plotsSVG({ label, plots }) }];
}

function ablationBlocks(curves) {
  const places = [...new Set(curves.map(({ set, kind, reading }) => JSON.stringify([set, kind, reading])))];
  const blocks = places.map((place) => {
    const [set, kind, reading] = JSON.parse(place);
    const own = curves.filter((curve) => curve.set === set && curve.kind === kind && curve.reading === reading);
    const plots = ['unsigned', 'signed'].flatMap((order) =>
      ['changes', 'flips'].map((what) => ({
        title: order,
        x: 'share of features removed',
        y: what === 'changes' ? 'mean change of the score' : 'share of changed classes',
        series: own.map((curve) => ({
          name: curve.row,
          style: STYLED.indexOf(curve.row),
          points: FRACTIONS.map((fraction, f) => [fraction, curve[order][what][f]]),
        })),
      })),
    );
    const label = `Ablation: ${set}, ${kind}, ${reading}`;
    return {
      place,
      kind,
      block: { figure: slug('ablation', set, kind, reading), label, svg: plotsSVG({ label, plots }) },
    };
  });
  const table = {
    columns: ['data set', 'neighborhood', 'reading', 'method', 'unsettled games', 'order', ...FRACTIONS.map((share) => `${Math.round(100 * share)} %`)],
    rows: curves.flatMap((curve) =>
      ['unsigned', 'signed'].map((order) => [
        ...[curve.set, curve.kind, curve.reading, curve.row, number(curve.unsettled), order],
        ...curve[order].changes.map((one) => number(one)),
      ]),
    ),
  }; // prettier-ignore
  const pixels = blocks.filter(({ kind }) => kind === 'latent').map(({ block }) => block);
  return [...pixels, { details: 'All curves: mean change of the score', blocks: [table] }];
}

function triedTables(tried) {
  const metrics = ['INFD', 'GI', 'CI', 'CI/d', 'unidirectionality', 'CAC', 'sign conflict', 'zeros'];
  return tried.map(({ name, rows }) => ({
    details: `${name}: LIME and LINEX under more settings`,
    blocks: [
      {
        columns: ['setting', ...metrics],
        rows: Object.entries(rows).map(([label, one]) => [label, ...metrics.map((metric) => number(one[metric]))]),
      },
    ],
  }));
}

/** @param {object} report @param {string} [figures]  the folder of the figures, from the page */
export function renderReport(report, figures) {
  const blocks = blocksOf(report);
  return { blocks, markdown: toMarkdown(blocks, figures), page: toPage(blocks, 'LINEX: the paper, run again') };
}
