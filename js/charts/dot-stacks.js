// Stacks dots in columns, so that ten thousand rows stay readable: one dot stands for one row, or for up to k rows.

/**
 * @typedef {object} Point  one row
 * @property {number | null} place  where its value stands among all, from 0 to 1; null if values have no order
 * @property {boolean} sure
 *
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
 * Stacks the points of one feature.
 *
 * @param {readonly Point[]} points
 * @param {readonly number[]} columns  the column of each point
 * @param {{ capacity: number, perDot: number }} options
 * @returns {Stack[]}  from left to right; only columns with dots
 */
export function stackDots(points, columns, { capacity, perDot }) {
  /** @type {Map<number, { sure: Point[], unsure: Point[] }>} */
  const found = new Map();
  points.forEach((point, i) => {
    let members = found.get(columns[i]);
    if (!members) found.set(columns[i], (members = { sure: [], unsure: [] }));
    members[point.sure ? 'sure' : 'unsure'].push(point);
  });
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([column, { sure, unsure }]) => {
      sure.sort((a, b) => Number(a.place) - Number(b.place));
      const dots = [...dotsOf(unsure, perDot), ...dotsOf(sure, perDot)];
      return { column, dots: thinned(dots, capacity), cut: dots.length > capacity };
    });
}

/**
 * Joins rows to dots of up to `perDot` rows, in their order. The place of a dot is the mean of its rows. Either all rows of a
 * feature have a place, or none.
 *
 * @param {readonly Point[]} points
 * @param {number} perDot
 * @returns {Stack['dots']}
 */
function dotsOf(points, perDot) {
  const count = Math.ceil(points.length / perDot);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i, i + 1].map((end) => Math.min(points.length, end * perDot));
    let sum = 0;
    for (let p = from; p < to; p++) sum += Number(points[p].place);
    return { place: points[from].place === null ? null : sum / (to - from), sure: points[from].sure, rows: to - from };
  });
}

/** Keeps dots at equal distances, so that a cut column has the colors of the whole one. @param {Stack['dots']} dots @param {number} capacity */
const thinned = (dots, capacity) =>
  dots.length <= capacity
    ? dots
    : Array.from({ length: capacity }, (_, i) => dots[Math.floor(((i + 0.5) * dots.length) / capacity)]);
