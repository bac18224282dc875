// Stacks dots in columns, so that ten thousand rows stay readable: one dot stands for one row, or for up to k rows.

/**
 * @typedef {object} Stack  one column of dots
 * @property {number} column  counts columns from 0
 * @property {{ place: number | null, sure: boolean, rows: number }[]} dots  from bottom to top: unsure ones, then by place
 * @property {boolean} cut  whether there are more dots than fit
 */

/** How many rows a dot may stand for. */
const ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
/** The share of columns that must not be cut. */
const WHOLE = 0.95;

/**
 * Gives each value its place among all, from 0 for the least to 1 for the greatest. Equal values share a place.
 *
 * @param {readonly unknown[]} values
 * @returns {(number | null)[]}  all null unless all are numbers, and not all the same
 */
export function placesOf(values) {
  if (values.length === 0 || values.some((value) => typeof value !== 'number')) return values.map(() => null);
  const numbers = Float64Array.from(/** @type {number[]} */ (values)).sort();
  /** The mean rank of each number. @type {Map<number, number>} */
  const ranks = new Map();
  for (let i = 0; i < numbers.length;) {
    let end = i;
    while (end < numbers.length && numbers[end] === numbers[i]) end++;
    ranks.set(numbers[i], (i + end - 1) / 2);
    i = end;
  }
  const rankOf = (/** @type {any} */ value) => ranks.get(value) ?? 0;
  const [low, high] = [rankOf(numbers[0]), rankOf(numbers[numbers.length - 1])];
  return values.map((value) => (low === high ? null : (rankOf(value) - low) / (high - low)));
}

/**
 * Chooses for how many rows a dot stands: the least round number with which 95 % of all columns fit.
 *
 * @param {readonly (readonly number[])[]} groups  the column of each point, for each feature
 * @param {number} capacity  the most dots of a column
 * @returns {number}
 */
export function rowsPerDot(groups, capacity) {
  const counts = groups.flatMap((columns) => {
    /** @type {Map<number, number>} */
    const found = new Map();
    for (const column of columns) found.set(column, (found.get(column) ?? 0) + 1);
    return [...found.values()];
  });
  const fits = (/** @type {number} */ rows) =>
    counts.filter((count) => count <= rows * capacity).length >= WHOLE * counts.length;
  return ROUND.find(fits) ?? Math.ceil(Math.max(...counts) / capacity);
}

/**
 * Stacks the rows of one feature.
 *
 * @param {readonly { sure: boolean }[]} rows
 * @param {{ places: readonly (number | null)[], columns: readonly number[], capacity: number, perDot: number }} options  places: where
 *   the value of each row stands among all, from 0 to 1, or null for all of them; columns: of each row
 * @returns {Stack[]}  from left to right; only columns with dots
 */
export function stackDots(rows, { places, columns, capacity, perDot }) {
  /** The rows of each column, by number. @type {Map<number, { sure: number[], unsure: number[] }>} */
  const found = new Map();
  for (let i = 0; i < rows.length; i++) {
    let members = found.get(columns[i]);
    if (!members) found.set(columns[i], (members = { sure: [], unsure: [] }));
    members[rows[i].sure ? 'sure' : 'unsure'].push(i);
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([column, { sure, unsure }]) => {
      sure.sort((a, b) => Number(places[a]) - Number(places[b]));
      const dots = [...dotsOf(unsure, false), ...dotsOf(sure, true)];
      return { column, dots: thinned(dots, capacity), cut: dots.length > capacity };
    });

  /**
   * Joins rows to dots, in their order. The place of a dot is the mean of its rows.
   *
   * @param {readonly number[]} members
   * @param {boolean} sure
   */
  function dotsOf(members, sure) {
    return Array.from({ length: Math.ceil(members.length / perDot) }, (_, i) => {
      const part = members.slice(i * perDot, (i + 1) * perDot);
      const sum = part.reduce((total, row) => total + Number(places[row]), 0);
      return { place: places[part[0]] === null ? null : sum / part.length, sure, rows: part.length };
    });
  }
}

/**
 * Keeps dots at equal distances, so that a cut column has the colors of the whole one.
 *
 * @param {Stack['dots']} dots
 * @param {number} capacity
 */
const thinned = (dots, capacity) =>
  dots.length <= capacity
    ? dots
    : Array.from({ length: capacity }, (_, i) => dots[Math.floor(((i + 0.5) * dots.length) / capacity)]);
