// Joins the measurements of a pair's inputs, and compares them with LIME.
import { REFERENCE } from './compared-methods.js';
import { geometricMean, mean } from './steadiness.js';

const MEANS = [
  ...['ci', 'conflict', 'overlap', 'bias', 'recall', 'kept', 'infidelity', 'inputInfidelity', 'r2', 'milliseconds'],
  ...['neighborCi', 'neighborConflict'],
];

/** Squared errors below this are due to rounding. */
const EXACT = 1e-20;

/**
 * @typedef {Record<string, number>} Values  of one method at one number of samples
 * @typedef {Record<string, Record<string, Record<string, Values>>>} Cells  by number of features, method, samples
 */

/**
 * Joins the results of a pair's inputs.
 *
 * @param {{ about: object, cells: any[], auto: Record<string, { asked: number, settled: boolean }[]> }[]} results
 * @returns {{ features: number, examples: number, truth: object, cells: Cells, auto: object }}
 */
export function joinInputs(results) {
  /** @type {Cells} */
  const cells = {};
  for (const { mode, method, samples } of results[0].cells) {
    const at = (one, of = method) =>
      one.cells.find((cell) => cell.mode === mode && cell.method === of && cell.samples === samples);
    ((cells[mode] ??= {})[method] ??= {})[samples] = joinCells(
      results.map((one) => at(one)),
      results.map((one) => at(one, REFERENCE)),
    );
  }
  const autos = (method) => results.flatMap(({ auto }) => auto[method]);
  return {
    features: mean(results.map(({ about }) => about.features)),
    examples: results.length,
    truth: { r2: mean(results.map(({ about }) => about.truth.r2)) },
    cells,
    auto: Object.fromEntries(
      Object.keys(results[0].auto)
        .filter((method) => autos(method).length > 0)
        .map((method) => [
          method,
          {
            asked: mean(autos(method).map(({ asked }) => asked)),
            settled: mean(autos(method).map(({ settled }) => Number(settled))),
          },
        ]),
    ),
  };
}

/**
 * @param {any[]} cells  one per input
 * @param {any[]} references  LIME's
 * @returns {Values}
 */
function joinCells(cells, references) {
  /** @type {Values} */
  const values = {};
  for (const name of MEANS) {
    const known = cells.map((cell) => cell[name]).filter((value) => value !== undefined);
    if (known.length > 0) values[name] = mean(known);
  }
  const intervals = cells.reduce((sum, cell) => sum + cell.intervals, 0);
  if (intervals > 0) values.coverage = cells.reduce((sum, cell) => sum + cell.covered, 0) / intervals;
  for (const [name, error] of [
    ['vrf', 'error'],
    ['rawVrf', 'rawError'],
  ]) {
    const ratios = cells.map((cell, i) => ratioOf(references[i]?.error, cell[error])).filter(Number.isFinite);
    if (ratios.length > 0) values[name] = geometricMean(ratios);
  }
  return values;
}

/** Returns the ratio of two errors; 1 if both are exact. */
function ratioOf(reference, error) {
  if (reference === undefined) return NaN;
  return reference < EXACT && error < EXACT ? 1 : reference / Math.max(error, EXACT);
}

/**
 * The ratio of a method's value to LIME's at the same number of samples. If both are 0 there is none.
 *
 * @param {{ cells: Cells }} pair
 * @param {{ mode: string, method: string, samples: number, name: string }} which
 */
export function ratioToLime({ cells }, { mode, method, samples, name }) {
  const value = cells[mode]?.[method]?.[samples]?.[name];
  const reference = cells[mode]?.[REFERENCE]?.[samples]?.[name];
  return value === 0 && reference === 0 ? NaN : value / reference;
}
