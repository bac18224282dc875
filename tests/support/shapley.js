// Models with known Shapley values, and Shapley values by their definition.
import assert from 'node:assert/strict';
import { describeTable } from 'linex';

export const sum = (values) => [...values].reduce((all, value) => all + value, 0);
export const mean = (values) => sum(values) / values.length;
export const near = (actual, expected, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

/** Rows of standard normal numbers. */
export const rowsOf = (random, count, columnCount) =>
  Array.from({ length: count }, () => Array.from({ length: columnCount }, () => random.normal()));
/** A table of numeric columns. */
export const tableOf = (columnCount) => describeTable([new Array(columnCount).fill(0), new Array(columnCount).fill(1)]);
/** A model of batches from a function of one row. */
export const scorer = (score) => (batch) => [...batch].map(score);

/** Shapley values by the definition: sum over S without c of |S|! (d - |S| - 1)! / d! (worth(S and c) - worth(S)); S as bits. */
export function shapleyOf(columnCount, worth) {
  const sizes = Array.from({ length: 2 ** columnCount }, (_, bits) => bits.toString(2).replaceAll('0', '').length);
  const share = [1 / columnCount];
  for (let size = 1; size < columnCount; size++) share[size] = (share[size - 1] * size) / (columnCount - size);
  return Array.from({ length: columnCount }, (_, c) =>
    sum(worth.map((one, bits) => (bits & (1 << c) ? 0 : share[sizes[bits]] * (worth[bits | (1 << c)] - one)))),
  );
}

/** The worth of each coalition of a row's columns: the mean answer with the other columns from the background. */
export function worthOf(row, background, score, link = (answer) => answer) {
  return Array.from({ length: 2 ** row.length }, (_, bits) =>
    link(mean(background.map((other) => score(row.map((value, c) => (bits & (1 << c) ? value : other[c])))))),
  );
}

/** A function with interactions of two and three columns, and a tanh around them. */
export function randomScore(random, columnCount) {
  const terms = Array.from({ length: 3 * columnCount }, () => ({
    factor: random.normal(),
    parts: Array.from({ length: 1 + random.below(3) }, () => random.below(columnCount)),
  }));
  return (row) => Math.tanh(sum(terms.map(({ factor, parts }) => parts.reduce((all, c) => all * row[c], factor))) / 3);
}

/** A model of 50 columns with main effects and 200 interactions of `together` columns; values: its Shapley values for a row of ones with a background of zeros. */
export function interacting(random, together) {
  const columnCount = 50;
  const main = rowsOf(random, 1, columnCount)[0];
  const values = [...main];
  const terms = Array.from({ length: 200 }, () => {
    const parts = new Set();
    while (parts.size < together) parts.add(random.below(columnCount));
    const term = { factor: random.normal(), parts: [...parts] };
    for (const part of parts) values[part] += term.factor / together;
    return term;
  });
  const score = (row) =>
    sum(main.map((factor, c) => factor * row[c])) +
    sum(terms.map(({ factor, parts }) => (parts.every((c) => row[c] === 1) ? factor : 0)));
  return { columnCount, values, score };
}
