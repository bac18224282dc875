// Rows of a table for the measurements.
import { describeTable, explainRow } from 'linex';
import { Memo, topOf } from './memo.js';

/**
 * @typedef {object} RowParts
 * @property {unknown[][]} train  rows
 * @property {unknown[][]} test  rows
 * @property {(batch: Iterable<ArrayLike<number>>) => ArrayLike<number>[]} predict
 * @property {number[]} [categorical]  columns
 * @property {string[]} [columns]
 * @property {number} [target]  a class; without it the model returns one number
 * @property {number[][]} neighbors  for each test row
 * @property {object} about  accuracy, for the report
 * @property {Record<string, () => unknown>} [neighborhoods]  functions that make the neighborhoods that are not random, by kind
 * @property {object} [shap]  options of `method: 'shap'`
 */

export class RowSubject {
  #parts;
  #table;
  #codes;
  #memo = new Memo();
  #made = new Map();

  static async open(/** @type {RowParts} */ parts) {
    const { train, columns, categorical } = parts;
    const table = await describeTable(train, { columns, categorical });
    return new RowSubject(parts, table, categorical ? await describeTable(train, { columns }) : table);
  }

  /** codes: the table with levels as numbers */
  constructor(/** @type {RowParts} */ parts, table, codes) {
    this.#parts = parts;
    this.#table = table;
    this.#codes = codes;
    this.count = parts.test.length;
    this.neighbors = parts.neighbors;
    this.about = parts.about;
    this.width = table.columns.length;
  }

  /** Returns the neighborhood of a kind, which is made once per table. */
  #neighborhood(kind, codes) {
    const name = `${kind}${codes ? ', codes' : ''}`;
    const table = codes ? this.#codes : this.#table;
    if (!this.#made.has(name)) this.#made.set(name, this.#parts.neighborhoods[kind](table));
    return this.#made.get(name);
  }

  async explain(example, { kind, samples, options, codes = false }, seed) {
    const { test, predict, target, shap } = this.#parts;
    const shared = { table: codes ? this.#codes : this.#table, target: target ?? 'top', seed };
    if (kind === 'shap') return explainRow(test[example], predict, { ...shared, ...shap, ...options });
    const memo = this.#memo.of(example, seed, kind, samples, codes, options.sampling);
    const made = kind === 'random' ? undefined : await this.#neighborhood(kind, codes);
    // MAPLE uses the forest as its neighborhood, and asks the model only about the input.
    const own = options.method === 'maple';
    const neighborhood = made && (own ? made : memo.neighborhood(made));
    const still = { draws: 0, ...(!own && { preset: 'paper' }) };
    const how = { ...shared, samples, batchSize: 1e6, ...still, neighborhood, ...options };
    return explainRow(test[example], own ? predict : memo.model(predict), how);
  }

  align(entries) {
    const vectors = entries.map(({ kept }) => Array.from(kept.weights));
    return { vectors, width: vectors[0].length };
  }

  addWeights(sum, { kept }, share) {
    kept.weights.forEach((weight, c) => (sum[c] += share * weight));
  }

  addInput(sum, { example }, share) {
    this.#parts.test[example].forEach((value, c) => (sum[c] += share * value));
  }

  /** Returns a row in the features of an example's surrogate. */
  #see(row, example, { raw = false, codes = false } = {}) {
    const own = this.#parts.test[example];
    return (codes ? this.#codes : this.#table).columns.map((column, c) => {
      if (column.kind === 'categorical') return row[c] === own[c] ? 1 : 0;
      return raw ? row[c] : (row[c] - column.mean) / (column.spread || 1);
    });
  }

  /** Returns the answer of one row's surrogate for another row. */
  answerAt({ example, config, kept }, at) {
    const seen = this.#see(this.#parts.test[at], example, { raw: config.options.units === 'raw', codes: config.codes });
    return seen.reduce((sum, value, c) => sum + value * kept.weights[c], kept.intercept);
  }

  /** Returns the two points for SHAP's slopes: the row, and the mean of the background. */
  reference(example) {
    const { test, shap } = this.#parts;
    const seen = shap.background.map((row) => this.#see(row, example));
    const reference = seen[0].map((_, c) => seen.reduce((sum, row) => sum + row[c], 0) / seen.length);
    return { at: this.#see(test[example], example), reference };
  }

  rowOf = (example) => this.#parts.test[example];
  classOf = (example) => topOf(this.#answer(example));
  #answer = (example) => this.#parts.predict([this.#parts.test[example]])[0];

  /** Sets columns to their mean, or to their most frequent level. */
  async without(example, parts) {
    const { test, predict, target } = this.#parts;
    const rows = parts.map((columns) => {
      const row = [...test[example]];
      for (const c of columns) row[c] = usualValue(this.#table.columns[c]);
      return row;
    });
    const top = topOf(this.#answer(example));
    return predict(rows).map((answer) => ({
      score: typeof answer === 'number' ? answer : answer[target ?? top],
      same: topOf(answer) === top,
    }));
  }
}

function usualValue(column) {
  if (column.kind === 'numeric') return column.mean;
  return column.levels[column.frequencies.indexOf(Math.max(...column.frequencies))];
}
