// Turns the study of environments into blocks of the report.
import { studySummary } from '../tables/study.js';
import { plotsSVG } from './plots.js';
import { NOT_RUN } from './prose.js';

const times = (one) => (one ? `×${one.ratio.toFixed(2)} (${one.least.toFixed(2)} to ${one.most.toFixed(2)})` : '');
const number = (value) => (value === null || value === undefined ? '' : value.toFixed(4));
const SHOWN = ['INFD', 'CI', 'CI scaled', 'sign conflict', 'ablation'];

/** @param {{ summary: object[], lines: object[] }} study @returns {import('./blocks.js').Block[]} */
export function studyBlocks({ summary, lines }) {
  if (summary.length === 0) return [{ text: NOT_RUN }];
  return [
    ...SIZES.flatMap(({ name, holds }) => {
      const own = studySummary(lines.filter((line) => LEADING.test(line.label) && holds(line.samples)));
      return own.length ? [{ heading: `Two players, ${name}`, level: 3 }, summaryTable(own)] : [];
    }),
    { details: 'All settings, over all numbers of samples', blocks: [summaryTable(summary)] },
    ...detailBlocks(lines),
    ...figuresOf(lines),
  ];
}

/** Groups by the number of samples, because the samples cost most and environments differ most with few of them. */
const SIZES = [
  { name: 'up to 100 samples', holds: (samples) => samples <= 100 },
  { name: '200 to 500 samples', holds: (samples) => samples > 100 && samples <= 501 },
  { name: '1,000 samples and more', holds: (samples) => samples > 501 },
];

function summaryTable(summary) {
  return {
    columns: ['environments', 'places', ...SHOWN, 'zeros', 'places with worse INFD'],
    rows: summary.map((one) => [
      ...[one.label, String(one.places), ...SHOWN.map((metric) => times(one[metric]))],
      ...[`${(100 * one.zeros).toFixed(0)} %`, one.INFD ? `${(100 * one.INFD.worse).toFixed(0)} %` : ''],
    ]),
  };
}

const placeOf = ({ set, kind, dense }) => `${set}, ${kind}${dense ? ', dense' : ''}`;
/** The settings in the tables; all settings are in report.json. */
const LEADING =
  /^(LIME(, silenced 0.9)?|(bootstrap|halves|near-far|widths|clusters), k = 2(, 30 games, silenced 0.9)?)$/;

function detailBlocks(lines) {
  const places = [...new Set(lines.map(placeOf))];
  return places.map((place) => ({
    details: `${place}: two players`,
    blocks: [
      {
        columns: ['samples', 'environments', 'INFD', 'CI', 'CI scaled', 'sign conflict', 'zeros', 'ablation'],
        rows: means(lines.filter((line) => placeOf(line) === place && LEADING.test(line.label))).map((line) => [
          ...[String(line.samples), line.label],
          ...['INFD', 'CI', 'CI scaled', 'sign conflict', 'zeros', 'ablation'].map((metric) => number(line[metric])),
        ]),
      },
    ],
  }));
}

/** Returns means over the splits. */
function means(lines) {
  const byKey = new Map();
  for (const line of lines) {
    const key = JSON.stringify([line.samples, line.label]);
    byKey.set(key, [...(byKey.get(key) ?? []), line]);
  }
  return [...byKey.values()].map((own) => ({
    ...own[0],
    ...Object.fromEntries(
      ['INFD', 'CI', 'CI scaled', 'sign conflict', 'zeros', 'ablation']
        .filter((metric) => own[0][metric] !== undefined)
        .map((metric) => [metric, own.reduce((sum, line) => sum + line[metric], 0) / own.length]),
    ),
  }));
}

/** One figure per data set. */
function figuresOf(lines) {
  return [...new Set(lines.map(({ set }) => set))].map((set) => {
    const label = `Environments on ${set}: sign conflict and CI by samples`;
    return {
      figure: `study-${set}`,
      label,
      svg: plotsSVG({ label, plots: plotsOf(lines.filter((line) => line.set === set)) }),
    };
  });
}

function plotsOf(lines) {
  const places = [...new Set(lines.map(placeOf))];
  const labels = ['LIME', 'LIME, silenced 0.9', 'bootstrap, k = 2', 'halves, k = 2', 'near-far, k = 2'];
  labels.push('bootstrap, k = 2, 30 games, silenced 0.9', 'halves, k = 2, 30 games, silenced 0.9');
  return places
    .flatMap((place) =>
      ['sign conflict', 'CI'].map((metric) => ({
        title: place,
        x: 'samples',
        y: metric,
        log: true,
        series: labels
          .map((label) => ({
            name: label,
            points: means(lines.filter((line) => placeOf(line) === place && line.label === label))
              .filter((line) => Number.isFinite(line[metric]))
              .map((line) => [line.samples, line[metric]]),
          }))
          .filter(({ points }) => points.length > 1),
      })),
    )
    .filter(({ series }) => series.length > 0);
}
