// What the contributions to a row are relative to: the mean of a table, or a given row.
import { valueIn } from '../data/table.js';

/**
 * Where the reference is, as the surrogate sees it.
 *
 * @typedef {object} ReferencePlace
 * @property {'mean' | 'row' | 'background' | 'absence'} kind  as in `Reference`
 * @property {readonly (string | number | boolean | null)[]} [values]  as in `Reference`
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
 * @param {import('./row-neighborhood.js').RowView} view
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
 * @param {import('./row-neighborhood.js').RowView & { kernelWidth: number }} view
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
 * What the contributions to a row are relative to.
 *
 * @param {object} plan
 * @param {import('../data/table.js').Table} plan.table
 * @param {import('./row-neighborhood.js').RowView & { kernelWidth: number }} plan.view
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
