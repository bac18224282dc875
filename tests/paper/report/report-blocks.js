// Turns report.json and the hand-written texts into the blocks of the report.
import { readFileSync } from 'node:fs';
import { toMarkdown, toPage } from './blocks.js';
import { figureBlocks } from './figures-report.js';
import { FRACTIONS } from '../subjects/measures.js';
import { studyBlocks } from './study-report.js';
import { BESIDE, differing, METRICS } from '../tables/tables.js';

/** The styles of the rows, the same in all plots. */
const STYLED = ['LIME', 'S-LIME', 'LINEX/rand', 'MeLIME', 'LINEX/real', 'MAPLE', 'LINEX/mpl'];

const number = (value, digits = 3) => (value === null || value === undefined ? '' : value.toFixed(digits));
const chance = (p) => (p !== null && p < 1e-4 ? '< 0.0001' : number(p, 4));
const withError = (one) => (one ? `${number(one.mean)}${one.se ? ` ± ${number(one.se)}` : ''}` : '');

/** @param {object} report  from buildReport, directly or parsed from JSON @returns {import('./blocks.js').Block[]} */
export function blocksOf(report) {
  return [
    { heading: 'The paper, run again', level: 1 },
    { text: introduction(report.made) },
    { heading: 'Black boxes' },
    boxTable(report.boxes),
    { heading: 'Winners' },
    ...winners(report.tables),
    { heading: 'The tables' },
    {
      text:
        'Our row comes first, then the paper’s: mean ± standard error over the kernel widths. Bold: significant in the paper.' +
        ' We compare LINEX with the best rival of the same neighborhood, by a paired t-test at 5 %. The pairs are examples,' +
        ' each the mean over the kernel widths. If there are fewer than five examples, the pairs are the widths. The last' +
        ' column with p tests by widths alone, as the paper seems to do. The naive baseline is only in the paper’s second' +
        ' table and does not count as a rival.',
    },
    ...report.tables.flatMap(tableBlocks),
    { heading: 'Differences from the paper' },
    ...differences(report.tables),
    { heading: 'Sweeps' },
    ...sweepBlocks(report.sweeps),
    { heading: 'Ablation' },
    ...ablationBlocks(report.ablation),
    ...figureBlocks(report.figures),
    { heading: 'Sentences' },
    ...sentenceBlocks(report.sentences),
    { heading: 'Which environments?' },
    ...studyBlocks(report.study),
  ];
}

function introduction({ quick, command, minutes }) {
  return (
    `Made by \`${command}\`${quick ? ', a **quick** subset that only shows that the program works' : ''}` +
    ` in ${minutes} minutes of computing, summed over all threads. Every method gets the same samples and the same answers` +
    ' of the model. The seed is the number of the example, fixed in advance. **Readings**: _product_ is LIME’s library' +
    ' without changes (standardized columns, ridge 1, a free intercept, five features). _printed_ is Algorithm 1 as printed' +
    ' (raw columns, no intercept, ridge 0.01, the input in every environment). _codes_ is _product_ with the survey’s levels' +
    ' as numbers. Some data sets have only the reading _product_.'
  );
}

function boxTable(boxes) {
  return {
    columns: ['data set', 'measure', 'ours', 'the paper', 'splits', 'examples per split'],
    rows: boxes.map((box) => [
      ...[box.name, box.measureOf, number(box.ours), number(box.published)],
      ...[String(box.splits), String(box.examples)],
    ]),
  };
}

function winners(tables) {
  return ['product', 'printed', 'codes'].flatMap((reading) => {
    const cells = tables.filter((table) => table.reading === reading).flatMap((table) => table.cells);
    if (cells.length === 0) return [];
    const count = (test) => String(cells.filter(test).length);
    const rows = [
      ['LINEX', 'LINEX'],
      ['LINEX', 'none'],
      ['LINEX', 'rival'],
      ['none', 'LINEX'],
      ['none', 'none'],
      ['none', 'rival'],
      ['rival', 'LINEX'],
      ['rival', 'none'],
      ['rival', 'rival'],
    ];
    return [
      {
        text: `Reading: **${reading}**. A cell is a data set, a neighborhood and a metric; the winner is significant at 5 %.`,
      },
      {
        columns: ['winner in the paper', 'winner here', 'cells'],
        rows: rows.map(([theirs, ours]) => [
          ...[theirs, ours],
          count((cell) => cell.theirs.winner === theirs && cell.ours.winner === ours),
        ]),
      },
    ];
  });
}

function tableBlocks({ name, reading, rows, cells }) {
  const shown = METRICS.filter((metric) => rows.some(({ ours, theirs }) => ours[metric] || theirs?.[metric]));
  const beside = BESIDE.filter((metric) => rows.some(({ ours }) => ours[metric]));
  const bold = (one) => (one?.significant ? `**${withError(one)}**` : withError(one));
  return [
    { heading: `${name}, ${reading}`, level: 3 },
    {
      columns: ['method', 'explained', ...shown, ...beside],
      rows: rows.flatMap(({ row, explained, ours, theirs }) => [
        [row, String(explained), ...[...shown, ...beside].map((metric) => withError(ours[metric]))],
        ...(theirs ? [['the paper', '', ...shown.map((metric) => bold(theirs[metric])), ...beside.map(() => '')]] : []),
      ]),
    },
    {
      details: `${name}, ${reading}: paired t-tests`,
      blocks: [
        {
          columns: [
            ...['neighborhood', 'metric', 'LINEX', 'best rival', 'naive baseline', 'p, examples', 'p, widths'],
            ...['winner here', 'winner in the paper'],
          ],
          rows: cells.map(({ group, metric, ours, theirs }) => [
            ...[group, metric, number(ours.linex), `${ours.rival} ${number(ours.rivalMean)}`, number(ours.naive)],
            ...[chance(ours.examples), chance(ours.widths), ours.winner, theirs.winner],
          ]),
        },
      ],
    },
  ];
}

function differences(tables) {
  const text = readFileSync(new URL('../differences.md', import.meta.url), 'utf8').trim();
  const rows = tables.flatMap(({ name, reading, cells }) =>
    differing(cells).map(({ group, metric, theirs, ours }) => [
      ...[name, group, metric, reading, theirs.winner, ours.winner],
      `${number(theirs.linex)} against ${theirs.rival} ${number(theirs.rivalMean)}`,
      `${number(ours.linex)} against ${ours.rival} ${number(ours.rivalMean)}`,
    ]),
  );
  const columns = ['data set', 'neighborhood', 'metric', 'reading', 'winner in the paper', 'here', 'the paper', 'ours'];
  return [{ columns, rows }, ...text.split(/\n{2,}/).map(readBlock)];
}

/** Reads a paragraph, a heading, a list or a table of differences.md. */
function readBlock(paragraph) {
  const heading = paragraph.match(/^(#+) (.*)$/);
  if (heading) return { heading: heading[2], level: 3 };
  if (paragraph.startsWith('- '))
    return { items: paragraph.split(/\n(?=- )/).map((item) => item.slice(2).replace(/\s+/g, ' ')) };
  if (paragraph.startsWith('|')) {
    const cells = (line) => line.split('|').slice(1, -1).map((text) => text.trim()); // prettier-ignore
    const [head, , ...body] = paragraph.split('\n').map(cells);
    return { columns: head, rows: body };
  }
  return { text: paragraph.replace(/\s*\n\s*/g, ' ') };
}

function sweepBlocks(sweeps) {
  const places = [...new Set(sweeps.map(({ set, axis }) => JSON.stringify([set, axis])))].map((place) =>
    JSON.parse(place),
  );
  const shown = [...METRICS, 'sign conflict'];
  return places
    .map(([set, axis]) => {
      const own = sweeps.filter((sweep) => sweep.set === set && sweep.axis === axis);
      const plots = shown
        .map((metric) => ({
          title: set,
          x: axis,
          y: metric,
          log: axis === 'kernel width',
          series: own
            .map(({ row, points }) => ({
              name: row,
              style: STYLED.indexOf(row),
              points: points.filter((point) => Number.isFinite(point[metric])).map((point) => [point.x, point[metric]]),
            }))
            .filter(({ points }) => points.length > 1),
        }))
        .filter(({ series }) => series.length > 0);
      return { plots };
    })
    .filter(({ plots }) => plots.length > 0);
}

function ablationBlocks(curves) {
  const places = [...new Set(curves.map(({ set, kind }) => JSON.stringify([set, kind])))].map((place) =>
    JSON.parse(place),
  );
  const plots = places.flatMap(([set, kind]) =>
    ['changes', 'flips'].map((what) => ({
      title: `${set}, ${kind}`,
      x: 'share of features removed',
      y: what === 'changes' ? 'mean change of the score' : 'share of changed classes',
      series: curves
        .filter((curve) => curve.set === set && curve.kind === kind)
        .map((curve) => ({
          name: curve.row,
          style: STYLED.indexOf(curve.row),
          points: FRACTIONS.map((fraction, f) => [fraction, curve[what][f]]),
        })),
    })),
  );
  return [
    {
      text: 'The features with the largest weights are removed. A larger change means that the model uses them. Features with weight 0 are not removed.',
    },
    {
      columns: ['data set', 'neighborhood', 'method', ...FRACTIONS.map((fraction) => `${100 * fraction} %`)],
      rows: curves.map((curve) => [curve.set, curve.kind, curve.row, ...curve.changes.map((one) => number(one))]),
    },
    { plots },
  ];
}

function sentenceBlocks(sentences) {
  return [
    {
      columns: ['sentence', 'class', 'method', 'words, largest weight first'],
      rows: sentences.map(({ text, target, row, words }) => [
        ...[text, target === 1 ? 'positive' : 'negative', row],
        words.map(([word, weight]) => `${word} ${number(weight)}`).join(', '),
      ]),
    },
  ];
}

/** @param {object} report @returns {{ markdown: string, page: string }} */
export function renderReport(report) {
  const blocks = blocksOf(report);
  return { markdown: toMarkdown(blocks), page: toPage(blocks, 'LINEX: the paper, run again') };
}
