// Counts who wins the paper's cells: over its 21 bold cells and over all 40, by every rule for zeros, tests and rivals.
import { RIVALS, TESTS, ZEROS } from './tables.js';

/** The kinds of neighborhoods of a group of the paper's table. */
const KINDS = { rand: ['random'], real: ['density', 'words', 'latent'], mpl: ['forest'] };

/**
 * Returns the cells of a choice of readings, one per cell of the paper.
 *
 * @param {{ key: string, reading: string, cells: object[] }[]} tables
 * @param {Record<string, Record<string, string>>} choice  the reading by data set and kind
 */
export function cellsOf(tables, choice) {
  return tables.flatMap(({ key, reading, cells }) =>
    cells.filter(({ group }) => KINDS[group].some((kind) => choice[key]?.[kind] === reading)),
  );
}

/** Returns the winner of a cell by a rule; a cell with unsettled games has none. */
export const winnerOf = ({ ours, unsettled }, { zeros, rivals, test }) =>
  unsettled > 0 ? 'unsettled' : ours[zeros][rivals].winner[test];

/** Counts cells by winner. */
function tally(cells, rule) {
  const count = (winner) => cells.filter((cell) => winnerOf(cell, rule) === winner).length;
  return {
    ...{ cells: cells.length, won: count('LINEX'), lost: count('rival') },
    ...{ tied: count('none'), unsettled: count('unsettled') },
  };
}

/** All rules, the one that is most like the paper's first. */
export const RULES = Object.freeze(
  RIVALS.flatMap((rivals) => ZEROS.flatMap((zeros) => TESTS.map((test) => Object.freeze({ rivals, zeros, test })))),
);

/**
 * @param {{ key: string, reading: string, cells: object[] }[]} tables
 * @param {{ primary: object, other: object }} choices  readings by data set and kind
 */
export function countsOf(tables, choices) {
  const byChoice = Object.fromEntries(Object.entries(choices).map(([name, choice]) => [name, cellsOf(tables, choice)]));
  const bold = (cells) => cells.filter(({ theirs }) => theirs.winner === 'LINEX');
  const nameOf = ({ dataset, group, metric }) => JSON.stringify([dataset, group, metric]);
  return RULES.map((rule) => {
    const readings = Object.fromEntries(
      Object.entries(byChoice).map(([name, cells]) => [
        name,
        { bold: tally(bold(cells), rule), all: tally(cells, rule) },
      ]),
    );
    const wonIn = (cells) => bold(cells).filter((cell) => winnerOf(cell, rule) === 'LINEX').map(nameOf); // prettier-ignore
    return { ...rule, readings, either: new Set(Object.values(byChoice).flatMap(wonIn)).size };
  });
}

/** The paper's own counts: how many cells it has, and who wins them. */
export function paperCounts(cells) {
  const count = (winner) => cells.filter(({ theirs }) => theirs.winner === winner).length;
  return { cells: cells.length, won: count('LINEX'), lost: count('rival'), tied: count('none') };
}
