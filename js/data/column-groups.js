// Groups of columns that vary together and are explained as one, such as the columns of a one-hot code.
import { checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';

/**
 * Columns that vary together.
 *
 * @typedef {object} ColumnGroup
 * @property {string} name
 * @property {readonly number[]} columns  their indices
 * @property {'levels' | 'amounts'} kind  `'levels'`: all columns are categorical or flags, so that a combination of values is a
 *   level of the group; `'amounts'`: at least one column is an amount, or there are too many combinations
 * @property {readonly (readonly (number | null)[])[]} values  of `'levels'`: all combinations; of `'amounts'`: those of some
 *   training rows. Levels are indices; null stands for a missing number
 * @property {readonly number[]} frequencies  one per combination
 */

/** A group with more combinations than this is a group of amounts. */
const MOST_LEVELS = 1000;
/** How many training rows a group of amounts keeps, to draw other values from. */
const KEPT_ROWS = 64;

/**
 * Describes groups of columns.
 *
 * @param {unknown} groups  the columns of each group, by its name
 * @param {object} about
 * @param {readonly (import('./table.js').NumericColumn | import('./table.js').CategoricalColumn)[]} about.columns
 * @param {(column: unknown, option: string) => number} about.indexOf  the index of a column
 * @param {(row: number, column: number) => number} about.at  an encoded value; NaN if it is missing
 * @param {number} about.rowCount
 * @returns {readonly ColumnGroup[]}
 * @throws {TypeError | RangeError} naming the group
 */
export function describeGroups(groups, { columns, indexOf, at, rowCount }) {
  const taken = new Map();
  const names = new Set(columns.map(({ name }) => name));
  const given = Object.entries(checkNames(groups, Object.keys(Object(groups)), 'groups'));
  return freeze(
    given.map(([name, members]) => {
      const option = `groups[${show(name)}]`;
      if (names.has(name)) throw new RangeError(`${option} has the name of a column; choose another`);
      if (!Array.isArray(members) || members.length < 2)
        throw new TypeError(`${option} must be an array of at least 2 columns, not ${show(members)}`);
      const indices = members.map((member) => indexOf(member, option));
      for (const index of indices) {
        if (taken.has(index))
          throw new RangeError(`column ${show(columns[index].name)} is in ${taken.get(index)} and in ${option}`);
        taken.set(index, option);
      }
      const tuple = (/** @type {number} */ row) => indices.map((column) => at(row, column));
      return {
        name,
        columns: indices,
        ...combine(
          Array.from({ length: rowCount }, (_, row) => tuple(row)),
          indices,
        ),
      };
    }),
  );

  /** @param {number[][]} tuples @param {number[]} indices */
  function combine(tuples, indices) {
    /** @type {Map<string, { tuple: number[], count: number }>} */
    const found = new Map();
    for (const tuple of tuples) {
      const key = tuple.join();
      const known = found.get(key);
      if (known) known.count++;
      else found.set(key, { tuple, count: 1 });
    }
    const isLevels = indices.every((index, i) => {
      const isFlag = () => tuples.every((tuple) => tuple[i] === 0 || tuple[i] === 1);
      return columns[index].kind === 'categorical' || isFlag();
    });
    const kept = Math.min(KEPT_ROWS, rowCount);
    return isLevels && found.size <= MOST_LEVELS
      ? listed('levels', [...found.values()].sort(byTuple))
      : listed(
          'amounts',
          Array.from({ length: kept }, (_, i) => ({ tuple: tuples[Math.floor((i * rowCount) / kept)], count: 1 })),
        );
  }
}

/**
 * @param {ColumnGroup['kind']} kind
 * @param {{ tuple: number[], count: number }[]} combinations
 */
function listed(kind, combinations) {
  const total = combinations.reduce((sum, { count }) => sum + count, 0);
  return {
    kind,
    values: combinations.map(({ tuple }) => tuple.map((value) => (Number.isNaN(value) ? null : value))),
    frequencies: combinations.map(({ count }) => count / total),
  };
}

/**
 * Puts larger values first, so that the levels of a one-hot code are in the order of its columns.
 *
 * @param {{ tuple: number[] }} a
 * @param {{ tuple: number[] }} b
 */
function byTuple({ tuple: a }, { tuple: b }) {
  const i = a.findIndex((value, at) => !Object.is(value, b[at]));
  // A missing number comes last.
  return Number.isNaN(a[i]) ? 1 : Number.isNaN(b[i]) ? -1 : b[i] - a[i];
}
