// Rows of a table for the study: the model, the explained rows, their neighbors, and fresh samples.
import { explainRow } from 'linex';
import { parseFields, readText } from '../paper/sets/data.js';
import { topOf } from '../paper/subjects/memo.js';
import { dice } from '../support/dice.js';
import { loadRowModel, readModelFile } from './row-models.js';

/** The survey's rows are not in the repository; train_rows.py leaves out the same persons. */
function surveyRows(folder, columns) {
  const scores = columns.filter(({ kind }) => kind === 'numeric').map(({ name }) => name);
  return parseFields(readText(folder, 'meps19.csv'), ',')
    .filter((fields) => scores.every((name) => Number(fields[name]) >= 0))
    .map((fields) => columns.map(({ name }) => Number(fields[name])));
}

/**
 * The weights of the columns that mean the same for two rows. The feature of a categorical column is "has the level of the
 * row", so it is another one if the rows have different levels: "is a man" and "is a woman" must have opposite signs.
 *
 * @param {readonly { kind: string }[]} columns
 * @param {[row: readonly number[], weights: readonly number[]]} own
 * @param {[row: readonly number[], weights: readonly number[]]} other
 * @returns {[number[], number[]]}
 */
export function sharedColumns(columns, [ownRow, ownWeights], [otherRow, otherWeights]) {
  const isShared = (_, c) => columns[c].kind === 'numeric' || ownRow[c] === otherRow[c];
  return [ownWeights.filter(isShared), otherWeights.filter(isShared)];
}

/** LIME's kernel for rows. */
const kernelOf = (point, at, width) =>
  Math.exp(-point.reduce((sum, value, c) => sum + (value - at[c]) ** 2, 0) / width ** 2 / 2);

/**
 * @param {import('./pairs.js').Pair} pair
 * @param {string | null} folder  of the data
 */
export async function openRows({ data, model }, folder) {
  const file = readModelFile(data);
  const { table, explained, neighbors } = file;
  const { columns } = table;
  const rows = file.rows ?? surveyRows(folder, columns);
  const { predict, score } = loadRowModel(data, model);
  const answersTo = (some) => predict({ data: some.flat(), shape: [some.length, columns.length] });
  const targetOf = (example) => topOf(answersTo([rows[explained[example]]])[0]);
  const rowOf = (example, neighbor) => rows[neighbor === undefined ? explained[example] : neighbors[example][neighbor]];

  /** The surrogate's view of rows near a row: standard deviations, and whether the level is the row's. */
  const see = (row, own) =>
    columns.map((column, c) =>
      column.kind === 'numeric' ? (row[c] - column.mean) / column.spread : Number(row[c] === own[c]),
    );

  const draw = (own, { normal, uniform }) =>
    columns.map((column, c) => {
      if (column.kind === 'numeric') return own[c] + column.spread * normal();
      let left = uniform();
      const level = column.frequencies.findIndex((share) => (left -= share) < 0);
      return column.levels[level < 0 ? column.levels.length - 1 : level];
    });

  return {
    count: explained.length,
    about: { score },
    featureCount: () => columns.length,
    neighborCount: (example) => neighbors[example].length,
    /** Rows are answered so fast that nothing needs to be remembered. */
    asked: (example, neighbor) => (options) =>
      explainRow(rowOf(example, neighbor), predict, {
        table,
        ...(file.classes && { target: targetOf(example) }),
        batchSize: 1e6,
        ...options,
      }),
    align: (example, neighbor, own, other) =>
      sharedColumns(columns, [rowOf(example), own.weights], [rowOf(example, neighbor), other.weights]),
    fresh(example, count, seed) {
      const random = dice(seed);
      const own = rowOf(example);
      const made = Array.from({ length: count }, () => draw(own, random));
      const points = made.map((row) => see(row, own));
      const [at, width] = [see(own, own), 0.75 * Math.sqrt(columns.length)];
      const answers = answersTo(made).map((answer) => (file.classes ? answer[targetOf(example)] : answer));
      return { points, answers, weights: points.map((point) => kernelOf(point, at, width)) };
    },
  };
}
