// Describes what a search for recourse found, or why it found nothing.
import { decodeRow } from './recourse-trials.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../data/table.js').Level} Level
 * @typedef {import('./recourse-trials.js').Goal} Goal
 * @typedef {import('./recourse-trials.js').RowTrials} RowTrials
 * @typedef {import('./recourse-trials.js').Trial} Trial
 */

/**
 * The change of one column.
 *
 * @typedef {object} Change
 * @property {string} column
 * @property {number} index
 * @property {Level} from
 * @property {Level} to
 * @property {number | null} change  to − from; null for levels
 * @property {number} deviations  |change| in standard deviations; 1 for another level
 * @property {readonly [number, number] | null} range  the least and the largest value in the table; null for levels
 */

/**
 * What would change the answer: plain, frozen, JSON-safe data. The same seed gives the same result.
 *
 * @typedef {object} Recourse
 * @property {'linex-recourse/1'} schema  the version of this format
 * @property {boolean} found
 * @property {'already' | 'unsure' | 'range' | 'implausible' | 'limit' | null} reason  why nothing was found, or why
 *   nothing has to change; null if a change was found
 * @property {string} message  the same in a sentence
 * @property {string | number | null} target  the class, or its index; null if the model gives a single score
 * @property {'above' | 'below'} side
 * @property {number | null} threshold  null: the highest answer of the other classes
 * @property {readonly Level[] | null} row  the new row; null if none was found
 * @property {readonly Change[]} changes  the largest first; none if none was found
 * @property {number} size  the sum of `deviations`
 * @property {{ from: number, to: number | null }} prediction  the target's answer for the row and for the new row
 * @property {{ from: number, to: number | null } | null} rival  the highest answer of the other classes
 * @property {{ from: number, to: number | null, least: number } | null} plausibility  how usual both rows are, see
 *   `typicality` of `densityNeighborhood`, and how usual the new one must be; null without a density
 * @property {boolean} complete  whether the search tried everything that could be smaller, if the model is monotone along the
 *   columns that were tried; false if it stopped at `maxQueries`
 * @property {readonly string[]} tried  the columns that have a sure direction and may move
 * @property {Closest | null} closest  if nothing was found: the row that came closest
 * @property {{ explain: number, search: number, total: number }} queries  rows that the model was asked about
 * @property {number} seed
 */

/** @typedef {{ changes: readonly Change[], prediction: number, rival: number | null, plausibility: number | null }} Closest */

/**
 * What a search ended with.
 *
 * @typedef {object} Outcome
 * @property {{ row: Float64Array, complete: boolean } | undefined} found
 * @property {RowTrials} trials
 * @property {Goal} goal
 * @property {string | number | null} target
 * @property {number} explained  queries of explanations
 * @property {number[]} tried  columns
 */

/**
 * What was asked for.
 *
 * @typedef {object} Wanted
 * @property {Table} table
 * @property {Float64Array} encoded  the row
 * @property {number} most
 * @property {number} maxQueries
 * @property {number} least  typicality
 * @property {((rows: unknown[][]) => Promise<number[]>) | undefined} typicality
 * @property {{ settings: { seed: number } }} plan
 */

/**
 * Describes an outcome.
 *
 * @param {Wanted} wanted
 * @param {Outcome} outcome
 * @returns {Promise<Recourse>}  not frozen yet
 */
export async function describeRecourse(wanted, outcome) {
  const { table, encoded, least, typicality, plan } = wanted;
  const { found, trials, goal, target, explained, tried } = outcome;
  const from = /** @type {Trial} */ (trials.at(encoded));
  const to = found && /** @type {Trial} */ (trials.at(found.row));
  const closest = to ? from : closestTrial(trials, encoded, table);
  const shares = (await typicality?.([from, to ?? closest].map(({ row }) => decodeRow(row, table)))) ?? [null, null];
  const changes = to ? changesOf(encoded, to.row, table) : [];
  const reason = reasonOf(outcome, changes);
  return {
    schema: 'linex-recourse/1',
    found: to !== undefined,
    reason,
    message: messageFor(
      reason,
      wanted,
      tried.map((column) => table.columns[column].name),
    ),
    target,
    side: goal.side,
    threshold: goal.threshold,
    row: to ? decodeRow(to.row, table) : null,
    changes,
    size: sizeOf(changes),
    prediction: { from: from.answer.target, to: to?.answer.target ?? null },
    rival: from.answer.rival === null ? null : { from: from.answer.rival, to: to?.answer.rival ?? null },
    plausibility: shares[0] === null ? null : { from: shares[0], to: to ? shares[1] : null, least },
    complete: found?.complete ?? !trials.isExhausted(),
    tried: tried.map((column) => table.columns[column].name),
    closest: to || closest === from ? null : describeClosest(closest, encoded, table, shares[1]),
    queries: { explain: explained, search: trials.asked, total: explained + trials.asked },
    seed: plan.settings.seed,
  };
}

/**
 * @param {Trial} closest
 * @param {Float64Array} row
 * @param {Table} table
 * @param {number | null} plausibility
 * @returns {Closest}
 */
function describeClosest({ row: to, answer }, row, table, plausibility) {
  return { changes: changesOf(row, to, table), prediction: answer.target, rival: answer.rival, plausibility };
}

/**
 * @param {Outcome} outcome
 * @param {Change[]} changes
 * @returns {Recourse['reason']}
 */
function reasonOf({ found, trials, tried }, changes) {
  if (found) return changes.length > 0 ? null : 'already';
  if (tried.length === 0) return 'unsure';
  if (trials.isExhausted()) return 'limit';
  return trials.all().some(({ value }) => value > 0) ? 'implausible' : 'range';
}

/**
 * @param {Recourse['reason']} reason
 * @param {Wanted} wanted
 * @param {string[]} tried
 */
function messageFor(reason, { most, maxQueries, least }, tried) {
  const names = tried.join(', ');
  switch (reason) {
    case null:
      return 'the model confirmed the change';
    case 'already':
      return 'the answer is already on this side of the threshold';
    case 'unsure':
      return 'no column that may change has a sure direction near this row';
    case 'limit':
      return `the search stopped after ${maxQueries} queries`;
    case 'implausible':
      return `every change of ${names} that reaches the threshold gives a row of typicality below ${least}`;
    case 'range':
      return `no change of up to ${most} columns among ${names}, within the range of the table, reaches the threshold`;
  }
}

/**
 * What differs between two rows.
 *
 * @param {Float64Array} from  encoded
 * @param {Float64Array} to  encoded
 * @param {Table} table
 * @returns {Change[]}  the largest first
 */
export function changesOf(from, to, table) {
  const [before, after] = [from, to].map((row) => decodeRow(row, table));
  const changes = table.columns.flatMap((column, index) => {
    if (from[index] === to[index]) return [];
    const numeric = column.kind === 'numeric';
    const change = numeric ? to[index] - from[index] : null;
    return [
      /** @type {Change} */ ({
        ...{ column: column.name, index, from: before[index], to: after[index], change },
        deviations: numeric && change !== null ? Math.abs(change) / column.spread : 1,
        range: numeric ? [column.min, column.max] : null,
      }),
    ];
  });
  return changes.sort((a, b) => b.deviations - a.deviations || a.index - b.index);
}

/** @param {readonly Change[]} changes */
export const sizeOf = (changes) => changes.reduce((sum, { deviations }) => sum + deviations, 0);

/**
 * The smallest change that reaches the goal, plausible or not; if there is none, the row that came closest to the goal.
 *
 * @param {RowTrials} trials
 * @param {Float64Array} row  encoded
 * @param {Table} table
 * @returns {Trial}
 */
export function closestTrial(trials, row, table) {
  const all = trials.all();
  const size = (/** @type {Trial} */ trial) => sizeOf(changesOf(row, trial.row, table));
  const reaching = all.filter(({ value }) => value > 0);
  if (reaching.length > 0) return reaching.reduce((best, trial) => (size(trial) < size(best) ? trial : best));
  return all.reduce((best, trial) =>
    trial.value > best.value || (trial.value === best.value && size(trial) < size(best)) ? trial : best,
  );
}
