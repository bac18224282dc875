// A small table with a categorical column, and a model with two classes that ignores the column `shade`.
import { describeTable } from 'linex';
import { dice } from '../dice.js';

const random = dice(77);
export const columns = ['size', 'age', 'shade', 'color'];
export const rows = Array.from({ length: 80 }, (_, i) => [
  random.normal(),
  3 * random.normal(),
  random.normal(),
  i % 3 ? 'red' : 'blue',
]);
export const table = await describeTable(rows, { columns, categorical: ['color'] });

export const model = (row) => {
  const z = row[0] - 0.4 * row[1] + 0.2 * row[0] * row[1] + 0.8 * row[3];
  const yes = 1 / (1 + Math.exp(-z));
  return [1 - yes, yes];
};
export const predict = (batch) => [...batch].map(model);

/** Returns an explanation as JSON, without its times. */
export const withoutTime = ({ milliseconds, ...rest }) =>
  JSON.stringify({ ...rest, milliseconds: Object.keys(milliseconds) });
