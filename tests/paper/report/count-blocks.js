// Turns the counts of winners and the cells of the paper into tables.
import { winnerOf } from '../tables/counts.js';

const number = (value, digits = 3) => (value === null || value === undefined ? '' : value.toFixed(digits));
const chance = (p) => (p === null ? '' : p < 1e-4 ? '< 0.0001' : number(p, 4));

const RIVALS = { paper: 'the paper’s', all: 'the baseline and LIME on our samples too' };
const ZEROS = { positive: 'as +', none: 'as no sign' };
const TESTS = { units: 'splits or examples', widths: 'kernel widths' };

const parts = ({ won, lost, tied, unsettled }) =>
  `${won} / ${lost} / ${tied}${unsettled ? `, ${unsettled} unsettled` : ''}`;

/** @param {object[]} counts  from counts.js @returns {import('./blocks.js').Block} */
export function countTable(counts) {
  return {
    columns: [
      ...[
        'rivals',
        'zeros',
        'pairs of the test',
        'bold cells, primary',
        'bold cells, other',
        'bold cells won in either',
      ],
      ...['all cells, primary', 'all cells, other'],
    ],
    rows: counts.map(({ rivals, zeros, test, readings: { primary, other }, either }) => [
      ...[RIVALS[rivals], ZEROS[zeros], TESTS[test], parts(primary.bold), parts(other.bold), String(either)],
      ...[parts(primary.all), parts(other.all)],
    ]),
  };
}

/** A winner by the rule that is most like the paper's. */
const shortWinner = (cell, test) => winnerOf(cell, { zeros: 'positive', rivals: 'paper', test });

/** Returns every cell of the paper with each reading, its winner and its tests. @param {object} report */
export function cellTable({ tables, choices }) {
  const counted = (key, reading) =>
    Object.entries(choices)
      .filter(([, sets]) => Object.values(sets[key] ?? {}).includes(reading))
      .map(([choice]) => choice)
      .join(', ');
  const rows = tables.flatMap(({ key, reading, cells }) =>
    cells.map((cell) => ({ ...cell, reading, choice: counted(key, reading) })),
  );
  const names = [...new Set(rows.map(({ dataset, group, metric }) => JSON.stringify([dataset, group, metric])))];
  return [
    {
      columns: [
        ...[
          'data set',
          'samples',
          'metric',
          'the paper',
          'winner there',
          'reading',
          'counted as',
          'LINEX',
          'best rival',
        ],
        ...['p, units', 'p, widths', 'winner, units', 'winner, widths', 'unsettled games', 'if zeros have no sign'],
        'best of all rivals',
      ],
      rows: names.flatMap((name) => {
        const [dataset, group, metric] = JSON.parse(name);
        const own = rows.filter((one) => one.dataset === dataset && one.group === group && one.metric === metric);
        return own.map((cell) => {
          const { theirs, unsettled, ours } = cell;
          const paper = ours.positive.paper;
          return [
            ...[dataset, group, metric, `${number(theirs.linex)} : ${theirs.rival} ${number(theirs.rivalMean)}`],
            ...[
              theirs.winner,
              cell.reading,
              cell.choice,
              number(paper.linex),
              `${paper.rival} ${number(paper.rivalMean)}`,
            ],
            ...[chance(paper.p.units), chance(paper.p.widths), shortWinner(cell, 'units'), shortWinner(cell, 'widths')],
            ...[number(unsettled), metric === 'unidirectionality' ? ours.none.paper.winner.units : ''],
            `${ours.positive.all.rival} ${number(ours.positive.all.rivalMean)}`,
          ];
        });
      }),
    },
  ];
}
