// Cuts the rows of one feature into slices: by level, or into ranges of values with about as many rows each.

/**
 * @typedef {import('../measure/aligned-explanations.js').Part} Part
 *
 * @typedef {object} Slice
 * @property {string} label
 * @property {Part[]} parts
 * @property {number} from  the least value; of a level, its place
 * @property {number} to
 */

/** The most slices of a numeric feature. */
const RANGES = 12;
/** The most levels that get a slice of their own. */
const LEVELS = 12;

/** Up to this many different numbers are drawn like levels. */
const FEW = 8;

/** Whether the values are numbers of which many differ. @param {readonly Part[]} parts */
export const isContinuous = (parts) =>
  parts.every(({ value }) => typeof value === 'number') && new Set(parts.map(({ value }) => value)).size > FEW;

/**
 * Cuts rows by their values.
 *
 * @param {readonly Part[]} parts
 * @param {{ words: import('./chart-words.js').ChartWords, format?: import('../data/table.js').NumberFormat }} about  format: of the
 *   values
 * @returns {Slice[]}  numbers: in their order; levels: those with the most rows first
 */
export function sliceRows(parts, { words, format }) {
  const written = (/** @type {unknown} */ value) => words.value(value, format);
  if (!isContinuous(parts)) return sliceByLevel(parts, written, words.labels.otherLevels);
  const sorted = [...parts].sort((a, b) => Number(a.value) - Number(b.value));
  /** @type {Slice[]} */
  const slices = [];
  for (let from = 0; from < sorted.length;) {
    const wanted = Math.max(1, Math.round((sorted.length * (slices.length + 1)) / RANGES) - from);
    let to = Math.min(sorted.length, from + wanted);
    // Equal values stay together.
    while (to < sorted.length && sorted[to].value === sorted[to - 1].value) to++;
    const [low, high] = [Number(sorted[from].value), Number(sorted[to - 1].value)];
    const label = low === high ? written(low) : words.say('fromTo', { from: written(low), to: written(high) });
    slices.push({ label, parts: sorted.slice(from, to), from: low, to: high });
    from = to;
  }
  return slices;
}

/**
 * @param {readonly Part[]} parts
 * @param {(value: unknown) => string} written  writes a value
 * @param {string} others
 * @returns {Slice[]}
 */
function sliceByLevel(parts, written, others) {
  /** @type {Map<unknown, Part[]>} */
  const levels = new Map();
  for (const part of parts) {
    const found = levels.get(part.value);
    if (found) found.push(part);
    else levels.set(part.value, [part]);
  }
  const ordered = [...levels.keys()].every((value) => typeof value === 'number');
  const sorted = [...levels].sort(([a, ofA], [b, ofB]) => (ordered ? Number(a) - Number(b) : ofB.length - ofA.length));
  const own = sorted.length > LEVELS ? sorted.slice(0, LEVELS - 1) : sorted;
  const rest = sorted.slice(own.length).flatMap(([, members]) => members);
  const named = own.map(([value, members]) => ({ label: written(value), parts: members }));
  const all = rest.length ? [...named, { label: others, parts: rest }] : named;
  return all.map((slice, i) => ({ ...slice, from: i, to: i }));
}
