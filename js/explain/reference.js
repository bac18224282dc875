// What contributions are relative to: the mean of a table, a given row, a background, or the absence of everything.
import { LinexError, show } from '../core/errors.js';
import { valueIn } from '../data/table.js';

/**
 * What contributions are relative to. The answer there plus all contributions is the answer at the input:
 * `reference.localPrediction` + the sum of `features[i].contribution` = `localPrediction`, except for rounding. With
 * `link: 'logit'` this holds for the log-odds. With `method: 'shap'` and fewer listed features than there are, take the
 * sum of `weights`.
 *
 * @typedef {object} Reference
 * @property {'mean' | 'row' | 'background' | 'absence'} kind  `'mean'`: the table's means, and the shares of its levels;
 *   `'row'`: the option `reference`; `'background'`: the mean over SHAP's background; `'absence'`: no word, no segment, or
 *   for `explainSamples` the point 0
 * @property {number} localPrediction  the surrogate's answer there; with `method: 'shap'` the model's, as a mean over the
 *   background
 * @property {readonly (string | number | boolean | null)[]} [values]  one per column, for rows: the values of a reference
 *   row; of a mean or a background, the means of numeric columns and null for the others
 */

/**
 * Where the reference is, as the surrogate sees it.
 *
 * @typedef {object} ReferencePlace
 * @property {Reference['kind']} kind
 * @property {Reference['values']} [values]
 * @property {(index: number) => number} [at]  its coordinate; default 0
 * @property {(index: number) => number} [distance]  the input's coordinate minus that of the reference; default 1
 * @property {(index: number) => number} [outside]  how far the reference is from the middle of the neighborhood, in standard
 *   deviations of the neighborhood; without it, nobody knows
 */

/**
 * One column of a row and of its reference, as the surrogate sees them.
 *
 * @typedef {object} ReferenceColumn
 * @property {'numeric' | 'level' | 'quartile'} kind
 * @property {number} reference  of a numeric feature: the value of the reference; otherwise the share of the reference that
 *   has the row's level, or lies in the row's quartile
 * @property {number} at  see `ReferencePlace`
 * @property {number} distance
 */

/**
 * @param {import('../data/table.js').Table} table
 * @param {Float64Array} row  encoded
 * @param {import('../neighborhood/row-neighborhood.js').RowView} view
 * @param {Float64Array | undefined} given  the reference row, encoded; the table's mean if there is none
 * @param {number} index
 * @returns {ReferenceColumn}
 */
export function referenceColumn(table, row, { discretize, raw }, given, index) {
  const column = table.columns[index];
  const value = row[index];
  if (column.kind === 'numeric' && !discretize) {
    const { mean, spread } = column;
    const reference = given ? given[index] : mean;
    const unit = raw ? 1 : spread || 1;
    const at = raw ? reference : apart(reference, mean, unit);
    return { kind: 'numeric', reference, at, distance: apart(value, reference, unit) };
  }
  const kind = column.kind === 'numeric' ? 'quartile' : 'level';
  const same = (/** @type {number} */ other) =>
    column.kind === 'numeric' ? binOf(column, other) === binOf(column, value) : other === value;
  const share =
    column.kind === 'numeric'
      ? column.bins[binOf(column, value)].share
      : (column.shareOfMean ?? column.frequencies[value]);
  const reference = given ? Number(same(given[index])) : share;
  return { kind, reference, at: reference, distance: 1 - reference };
}

/** The difference of huge numbers overflows although their distance in units does not. @param {number} from @param {number} to @param {number} unit */
function apart(from, to, unit) {
  return Number.isFinite(from - to) ? (from - to) / unit : from / unit - to / unit;
}

/**
 * How far the reference of a numeric column is from the middle of the neighborhood, in standard deviations of the neighborhood
 * under the kernel; see linex_rows_law in linex.h. 0 for a level or a quartile, whose reference is a share.
 *
 * @param {import('../data/table.js').Table} table
 * @param {import('../neighborhood/row-neighborhood.js').RowView & { kernelWidth: number }} view
 * @param {ReferenceColumn} column
 * @param {number} index
 */
export function outsideOf(table, { center, raw, kernelWidth }, { kind, reference, distance }, index) {
  const column = table.columns[index];
  if (kind !== 'numeric' || column.kind !== 'numeric' || !column.spread) return 0;
  const { mean, spread } = column;
  const there = apart(reference, mean, spread);
  const here = there + (raw ? distance / spread : distance);
  const width = raw ? kernelWidth / spread : kernelWidth;
  const precision = 1 + 1 / width ** 2;
  // If samples vary around the table's mean, the kernel pulls their middle toward the row.
  const middle = center === 0 ? here : here / width ** 2 / precision;
  return Math.abs(there - middle) * Math.sqrt(precision);
}

/**
 * The index of the quarter that a value lies in.
 *
 * @param {import('../data/table.js').NumericColumn} column
 * @param {number} value
 */
export function binOf({ quartiles }, value) {
  return quartiles.filter((quartile) => value > quartile).length;
}

/**
 * Adds to a feature what its value adds to the answer at the reference.
 *
 * @param {import('./explanation.js').Feature} feature
 * @param {ReferencePlace} place
 * @throws {LinexError} `'overflow'`
 */
export function addContribution(feature, { distance }) {
  const { index, weight, interval, name } = feature;
  const far = distance ? distance(index) : 1;
  // Adding 0 turns -0 into 0.
  feature.contribution = weight * far + 0;
  const ends = interval && [interval[0] * far + 0, interval[1] * far + 0];
  feature.contributionInterval = ends && (ends[0] <= ends[1] ? [ends[0], ends[1]] : [ends[1], ends[0]]);
  if (![feature.contribution, ...(ends ?? [])].every(Number.isFinite))
    throw new LinexError(
      'overflow',
      `the contribution of ${show(name)} is not finite: its weight is ${weight.toPrecision(3)}, ` +
        `and it is ${far.toPrecision(3)} from the reference; ` +
        'choose another reference, or scale the answers down',
    );
}

/**
 * The surrogate's answer at the reference.
 *
 * @param {readonly number[]} weights
 * @param {number} intercept
 * @param {ReferencePlace} place
 * @throws {LinexError} `'overflow'`
 */
export function answerAtReference(weights, intercept, { at }) {
  const answer = at
    ? weights.reduce((sum, weight, index) => (weight ? sum + weight * at(index) : sum), intercept)
    : intercept;
  if (Number.isFinite(answer)) return answer;
  throw new LinexError(
    'overflow',
    `the answer at the reference is ${answer}; choose another reference, or scale the answers down`,
  );
}

/**
 * What the contributions to a row are relative to.
 *
 * @param {object} plan
 * @param {import('../data/table.js').Table} plan.table
 * @param {import('../neighborhood/row-neighborhood.js').RowView & { kernelWidth: number }} plan.view
 * @param {Float64Array} [plan.reference]  the reference row, encoded; the table's mean if there is none
 * @param {{ method: string }} plan.settings
 * @param {Float64Array} row  encoded
 * @returns {ReferencePlace}
 */
export function rowReference({ table, view, reference, settings }, row) {
  const column = (/** @type {number} */ index) => referenceColumn(table, row, view, reference, index);
  return {
    kind: reference ? 'row' : 'mean',
    values: table.columns.map((column, index) =>
      reference ? valueIn(reference, index, table) : column.kind === 'numeric' ? column.mean : null,
    ),
    at: (index) => column(index).at,
    distance: (index) => column(index).distance,
    // MAPLE's rows have no kernel.
    ...(settings.method !== 'maple' && { outside: (index) => outsideOf(table, view, column(index), index) }),
  };
}
