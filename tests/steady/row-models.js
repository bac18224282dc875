// Evaluates the forests, boosted trees and networks that train_rows.py has written.
import { readFileSync } from 'node:fs';

const models = new URL('models/', import.meta.url);

/** @param {string} name  without its extension */
export const readModelFile = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, models), 'utf8'));

/** @typedef {{ data: ArrayLike<number>, shape: readonly number[] }} Rows  one row after the other */

/**
 * Loads a model of rows.
 *
 * @param {string} data  name of the data, such as `'iris'`
 * @param {string} model  `'forest'`, `'boosting'` or `'network'`
 * @returns {{ predict: (rows: Rows) => number[] | number[][], score: number, expected: number[] | number[][] }}
 *   predict: numbers, or probabilities of the classes; score: accuracy or R² on other rows; expected: scikit-learn's
 *   answers for the rows `checked` of the data's file
 */
export function loadRowModel(data, model) {
  const file = readModelFile(`${data}-${model}`);
  const make = { forest: meanOfTrees, boosting: sumOfTrees, network: layersOf }[file.kind];
  const answer = make(file, readModelFile(data).table.columns);
  const predict = (/** @type {Rows} */ { data: all, shape: [count, width] }) =>
    Array.from({ length: count }, (_, i) => answer(all, i * width));
  return { predict, score: file.score, expected: file.expected };
}

/** Returns the values of the leaf that a row falls into. scikit-learn compares single-precision numbers. */
function leafOf({ feature, threshold, left, right, values }, node, all, start) {
  let at = node;
  while (feature[at] >= 0) at = Math.fround(all[start + feature[at]]) <= threshold[at] ? left[at] : right[at];
  return values[left[at]];
}

function meanOfTrees(trees) {
  const width = trees.values[0].length;
  return (all, start) => {
    const sum = new Array(width).fill(0);
    for (const root of trees.roots) {
      const leaf = leafOf(trees, root, all, start);
      for (let c = 0; c < width; c++) sum[c] += leaf[c] / trees.roots.length;
    }
    return width === 1 ? sum[0] : sum;
  };
}

function sumOfTrees({ start: first, rate, logistic, ...trees }) {
  return (all, start) => {
    let sum = first;
    for (const root of trees.roots) sum += rate * leafOf(trees, root, all, start)[0];
    if (!logistic) return sum;
    const share = 1 / (1 + Math.exp(-sum));
    return [1 - share, share];
  };
}

/** Standard deviations for numbers, and one number per level, as the networks take them. */
function encoderOf(columns) {
  const width = columns.reduce((sum, { levels }) => sum + (levels?.length ?? 1), 0);
  return (all, start) => {
    const encoded = new Float64Array(width);
    let end = 0;
    columns.forEach((column, c) => {
      const value = all[start + c];
      if (column.kind === 'numeric') encoded[end++] = (value - column.mean) / column.spread;
      else for (const level of column.levels) encoded[end++] = value === level ? 1 : 0;
    });
    return encoded;
  };
}

function layersOf({ layers, last, middle = 0, unit = 1 }, columns) {
  const encode = encoderOf(columns);
  return (all, start) => {
    let signals = encode(all, start);
    layers.forEach(({ weights, offsets }, l) => {
      const next = Float64Array.from(offsets);
      for (let i = 0; i < signals.length; i++) {
        if (signals[i] === 0) continue;
        for (let j = 0; j < next.length; j++) next[j] += signals[i] * weights[i][j];
      }
      signals = l < layers.length - 1 ? next.map(Math.tanh) : next;
    });
    return ENDS[last](signals, middle, unit);
  };
}

const ENDS = {
  identity: ([sum], middle, unit) => middle + unit * sum,
  logistic: ([sum]) => [1 - 1 / (1 + Math.exp(-sum)), 1 / (1 + Math.exp(-sum))],
  softmax: (sums) => {
    const most = Math.max(...sums);
    const powers = Array.from(sums, (sum) => Math.exp(sum - most));
    const total = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / total);
  },
};
