// The paper's ablation analysis: how the model's answers change without the leading features of an explanation.
import { askModel } from '../core/ask-model.js';
import { checkList } from '../core/check-lists.js';
import { checkNames, checkNumber } from '../core/check-options.js';
import { LinexError, show } from '../core/errors.js';
import { checkPlainTable } from '../data/check-table.js';
import { readAskPlan } from '../explain/plan.js';
import { encodeRow, RowBatch } from '../neighborhood/row-neighborhood.js';
import { weightsOf } from './stability-metrics.js';

/**
 * A batch of ablated inputs: an array of them, which is also its `rows`. If the inputs are rows of numbers, the batch also
 * has `data` and `shape`.
 *
 * @template Input
 * @typedef {Input[] & { data?: Float64Array, shape?: number[], rows: Input[] }} AblatedBatch
 */

/**
 * @template Batch
 * @typedef {(batch: Batch, context: { signal: AbortSignal }) => import('../core/ask-model.js').Answer |
 *   Promise<import('../core/ask-model.js').Answer>} AskAblated
 */

/** @typedef {import('../data/table.js').Table} Table */

/**
 * @template Input
 * @typedef {object} AblationOptions
 * @property {import('./stability-metrics.js').Attributions} attributions  one per input: weights, or explanations
 * @property {Table | Promise<Table>} [table]  from `describeTable`, if the inputs
 *   are its rows: the model then gets them as from `explainRow`, with level codes in `data` and level names in `rows`
 * @property {number | ArrayLike<unknown> | ((input: Input, features: number[], index: number) => Input)} replacement  the
 *   value of an ablated feature: one value for all, or one per column; or a function that removes the features
 * @property {readonly number[]} fractions  the shares of features to remove, from 0 to 1
 * @property {number | 'top'} [target]  the class whose score is compared; default: the top class of each unchanged input
 * @property {number} [batchSize]  inputs per call of `predict`; default 256
 * @property {number} [concurrency]  calls of `predict` at once; default 1
 * @property {number} [timeout]  the most milliseconds that a call of `predict` may take; default: no limit
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} Ablated
 * @property {number} fraction
 * @property {number} change  the mean |score before − score after| of the target class
 * @property {number | null} changed  the share of inputs whose top class changes; null if the model has a single score
 */

const OPTIONS = [
  ...['attributions', 'replacement', 'fractions', 'target', 'table', 'batchSize', 'concurrency', 'timeout', 'signal'],
];

/**
 * The paper's ablation analysis: removes the features with the largest |attribution|, asks the model again, and measures how
 * its answers change. A larger change means that the explanation describes the model better.
 *
 * With d features, fraction × d of them are removed, rounded to the nearest whole number. A feature with attribution 0 is
 * never removed, because the explanation does not rank it. Each distinct ablation is asked once.
 *
 * @template Input
 * @overload
 * @param {readonly Input[]} inputs
 * @param {AskAblated<RowBatch>} predict
 * @param {AblationOptions<Input> & { table: Table | Promise<Table> }} options
 * @returns {Promise<Ablated[]>}
 */

/**
 * @template Input
 * @overload
 * @param {readonly Input[]} inputs
 * @param {AskAblated<AblatedBatch<Input>>} predict
 * @param {AblationOptions<Input> & { table?: undefined }} options
 * @returns {Promise<Ablated[]>}
 */

/**
 * @template Input
 * @param {readonly Input[]} inputs  rows, or any inputs that the function `replacement` accepts
 * @param {AskAblated<any>} predict
 * @param {AblationOptions<Input>} options
 * @returns {Promise<Ablated[]>}  one per fraction, in the given order
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails
 */
export async function ablation(inputs, predict, options) {
  const { fractions, target } = checkCall(predict, options);
  const table = options.table === undefined ? undefined : checkPlainTable(await options.table, 'ablation');
  const attributions = checkAttributions(inputs, options);
  const trials = planTrials(options, attributions, rankFeatures(inputs, attributions, options));
  /** @param {Trial} trial */
  const make = (trial) => ablate(inputs, trial, options.replacement);
  // Encode first, so that an input that does not fit the table is found before the model is asked.
  const encoded = table && trials.list.map((trial) => encodeAblated(make(trial), trial.input, table));
  const { batchSize, concurrency, timeout, signal } = options;
  const { answers, columns } = await askModel(predict, {
    ...readAskPlan({ batchSize, concurrency, timeout, signal }),
    count: trials.list.length,
    batch: (first, count) =>
      table && encoded
        ? new RowBatch(table, concatenate(encoded.slice(first, first + count)))
        : toBatch(trials.list.slice(first, first + count).map(make)),
    onShape(columnCount) {
      if (target !== 'top' && target >= columnCount)
        throw new RangeError(`target ${target} does not exist: the model returns ${columnCount} numbers per input`);
    },
    onBatch() {},
  });
  const answer = (/** @type {number} */ i) => answers.subarray(i * columns, (i + 1) * columns);
  return fractions.map((fraction, f) => {
    let [change, changed] = [0, 0];
    inputs.forEach((_, i) => {
      const [before, after] = [answer(i), answer(trials.place(f, i))];
      const targetClass = target === 'top' ? topOf(before) : target;
      change += Math.abs(before[targetClass] - after[targetClass]) / inputs.length;
      if (topOf(after) !== topOf(before)) changed++;
    });
    if (!Number.isFinite(change))
      throw new LinexError('overflow', "the model's answers are too large to compare; scale them down");
    return { fraction, change, changed: columns === 1 ? null : changed / inputs.length };
  });
}

/**
 * @param {unknown} predict
 * @param {AblationOptions<any>} options
 */
function checkCall(predict, options) {
  checkNames(options, OPTIONS, 'ablation');
  if (typeof predict !== 'function')
    throw new TypeError(`ablation expects the model as a function, not ${show(predict)}`);
  const { fractions, target = 'top' } = options;
  if (!Array.isArray(fractions) || fractions.length === 0)
    throw new TypeError(`fractions must be an array of numbers from 0 to 1, not ${show(fractions)}`);
  fractions.forEach((fraction, i) => checkNumber(fraction, `fractions[${i}]`, { least: 0, most: 1 }));
  if (target !== 'top' && !(Number.isInteger(target) && target >= 0))
    throw new RangeError(`target must be the index of a class or 'top', not ${show(target)}`);
  return { fractions: /** @type {number[]} */ (fractions), target };
}

/**
 * @param {unknown} inputs
 * @param {AblationOptions<any>} options
 * @returns {ArrayLike<number>[]}
 */
function checkAttributions(inputs, { attributions }) {
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw new TypeError(`ablation expects an array of inputs, not ${show(inputs)}`);
  if (!Array.isArray(attributions) || attributions.length !== inputs.length)
    throw new RangeError(`expected ${inputs.length} attributions, one per input, not ${show(attributions)}`);
  return attributions.map(weightsOf);
}

/**
 * @param {readonly any[]} inputs
 * @param {ArrayLike<number>[]} attributions
 * @param {AblationOptions<any>} options
 * @returns {number[][]}  for each input, the features with an attribution other than 0, the largest first
 */
function rankFeatures(inputs, attributions, { replacement }) {
  const isFunction = typeof replacement === 'function';
  if (!isFunction && typeof replacement !== 'number' && !(typeof replacement === 'object' && replacement?.length > 0))
    throw new TypeError(`replacement must be a number, one value per column or a function, not ${show(replacement)}`);
  return attributions.map((attribution, i) => {
    const featureCount = attribution?.length;
    if (!(featureCount > 0))
      throw new RangeError(`attributions[${i}] must be an array of weights, not ${show(attribution)}`);
    checkList(attribution, `attributions[${i}]`, 'an array of weights');
    for (let c = 0; c < featureCount; c++) checkNumber(attribution[c], `attributions[${i}][${c}]`);
    if (!isFunction && (typeof inputs[i] !== 'object' || inputs[i]?.length !== featureCount))
      throw new RangeError(
        `inputs[${i}] must have ${featureCount} values, one per attribution, not ${show(inputs[i])}`,
      );
    if (typeof replacement === 'object' && replacement.length !== featureCount)
      throw new RangeError(`replacement must have ${featureCount} values, one per column, not ${show(replacement)}`);
    const named = Array.from({ length: featureCount }, (_, c) => c).filter((c) => attribution[c] !== 0);
    return named.sort((a, b) => Math.abs(attribution[b]) - Math.abs(attribution[a]) || a - b);
  });
}

/** @typedef {{ input: number, features: number[] }} Trial */

/**
 * Lists what the model is asked about: every unchanged input, then the distinct ablations.
 *
 * @param {AblationOptions<any>} options
 * @param {ArrayLike<number>[]} attributions
 * @param {number[][]} ranked
 */
function planTrials({ fractions }, attributions, ranked) {
  /** @type {Trial[]} */
  const list = ranked.map((_, input) => ({ input, features: [] }));
  const seen = ranked.map((_, input) => new Map([[0, input]]));
  const places = fractions.map((fraction) =>
    ranked.map((order, input) => {
      const features = order.slice(0, Math.round(fraction * attributions[input].length));
      const known = seen[input].get(features.length);
      if (known !== undefined) return known;
      seen[input].set(features.length, list.length);
      return list.push({ input, features }) - 1;
    }),
  );
  return { list, place: (/** @type {number} */ f, /** @type {number} */ i) => places[f][i] };
}

/**
 * @template Input
 * @param {readonly Input[]} inputs
 * @param {Trial} trial
 * @param {AblationOptions<Input>['replacement']} replacement
 * @returns {Input}
 */
function ablate(inputs, { input, features }, replacement) {
  if (typeof replacement === 'function')
    return features.length === 0 ? inputs[input] : replacement(inputs[input], [...features], input);
  const row = Array.from(/** @type {ArrayLike<unknown>} */ (inputs[input]));
  for (const c of features) row[c] = typeof replacement === 'number' ? replacement : replacement[c];
  return /** @type {Input} */ (row);
}

/**
 * @template Input
 * @param {Input[]} batch
 * @returns {AblatedBatch<Input>}
 */
function toBatch(batch) {
  const rows = /** @type {number[][]} */ (batch);
  const [first] = rows;
  const numbers = (/** @type {unknown} */ row) =>
    Array.isArray(row) && row.length === first.length && row.every((value) => typeof value === 'number');
  if (!rows.every(numbers)) return Object.assign(batch, { rows: batch });
  const data = Float64Array.from(rows.flat());
  return Object.assign(batch, { data, shape: [rows.length, data.length / rows.length], rows: batch });
}

/**
 * @param {any} row
 * @param {number} input
 * @param {import('../data/table.js').Table} table
 */
function encodeAblated(row, input, table) {
  try {
    return encodeRow(row, table);
  } catch (cause) {
    const why = /** @type {Error} */ (cause).message;
    throw new RangeError(`inputs[${input}] does not fit the table, unchanged or ablated: ${why}`, { cause });
  }
}

/** @param {Float64Array[]} rows */
function concatenate(rows) {
  const all = new Float64Array(rows.length * rows[0].length);
  rows.forEach((row, i) => all.set(row, i * row.length));
  return all;
}

/** @param {Float64Array} scores */
const topOf = (scores) => scores.reduce((best, value, i) => (value > scores[best] ? i : best), 0);
