// The bounds that the steady default must keep, as the issue states them, checked against the results.
import { METHODS, REFERENCE } from './compared-methods.js';
import { geometricMean, mean } from './steadiness.js';
import { ratioToLime } from './steady-summary.js';

/** One pair may miss a bound by this factor. */
const SLACK = 1.5;
const KINDS = ['rows', 'texts', 'images'];

/**
 * @typedef {object} Verdict
 * @property {string} what
 * @property {string} kind  rows, texts or images
 * @property {string} bound
 * @property {number} value  over the pairs, at the worst number of samples
 * @property {string} at  that number
 * @property {{ name: string, value: number }} [worst]  the worst single pair
 * @property {boolean} holds
 */

/** Ratios of zeros to zeros say nothing. */
const known = (list) => list.filter(({ value }) => !Number.isNaN(value));

const geometric = (list) => geometricMean(list.map(({ value }) => value));

/** Zeros make a geometric mean of conflicts 0, so their sums are compared. */
const ofSums = (name, method, mode) => (list) => {
  const sum = (of) => list.reduce((all, { pair, n }) => all + pair.cells[mode][of][n][name], 0);
  return sum(REFERENCE) > 0 ? sum(method) / sum(REFERENCE) : sum(method) > 0 ? Infinity : 0;
};

/**
 * Checks one bound for one kind of input.
 *
 * @param {object} check
 * @param {any[]} check.pairs
 * @param {readonly number[]} check.sizes
 * @param {(pair: any, n: number) => number} check.measure
 * @param {(list: { pair: any, n: number, value: number }[]) => number} check.join  over the pairs at one size
 * @param {{ most: number } | { least: number }} check.bound
 * @param {(value: number) => number} [check.limit]  what a single pair may reach; default: 1.5 times the bound
 */
export function checkBound({ pairs, sizes, measure, join, bound, limit }) {
  const [sign, edge] = 'most' in bound ? [1, bound.most] : [-1, bound.least];
  const furthest = limit ?? ((value) => (sign > 0 ? value * SLACK : value / SLACK));
  const rows = sizes
    .map((n) => known(pairs.map((pair) => ({ pair, n, value: measure(pair, n) }))))
    .filter((list) => list.length > 0)
    .map((list) => ({ n: list[0].n, value: join(list), list }));
  if (rows.length === 0) return undefined;
  const worstOf = (list) => list.reduce((a, b) => (sign * b.value > sign * a.value ? b : a));
  const row = worstOf(rows);
  const single = worstOf(rows.flatMap(({ list }) => list));
  return {
    value: row.value,
    at: row.n,
    worst: { name: `${single.pair.name}, n = ${single.n}`, value: single.value },
    holds: sign * row.value <= sign * edge && sign * single.value <= sign * furthest(edge),
  };
}

const PER_KIND = (rows, texts, images) => ({ rows, texts, images });

/** The bounds of the table: [what, which sizes, measure, bound per kind]. */
function boundsOf(mode) {
  const vrf = mode === 'all' ? 'rawVrf' : 'vrf';
  const when = mode === 'all' ? ' before silencing' : '';
  const large = PER_KIND(200, 200, 500);
  return [
    { what: 'CI', sizes: () => [100], ratio: 'ci', most: PER_KIND(0.5, 0.45, 0.5) },
    { what: 'CI', sizes: () => [1000], ratio: 'ci', most: PER_KIND(0.4, 0.4, 0.25) },
    { what: 'sign conflict', from: 100, ratio: 'conflict', sums: true, most: PER_KIND(0.03, 0.03, 0.03) },
    { what: 'infidelity, fresh samples', from: large, ratio: 'infidelity', most: PER_KIND(1.02, 1.05, 1.1) },
    { what: 'infidelity, at the input', from: large, ratio: 'inputInfidelity', most: PER_KIND(1.02, 1.05, 1.1) },
    { what: 'R² on fresh samples, minus LIME’s', from: 0, gain: 'r2', least: { images: 0 }, alone: -0.0005 },
    { what: `VRF${when}`, sizes: () => [100], value: vrf, least: PER_KIND(2.5, 5, 2) },
    { what: `VRF${when}`, sizes: () => [1000], value: vrf, least: PER_KIND(5, 6, 8) },
    { what: 'top-5 overlap, minus LIME’s', from: 100, gain: 'overlap', least: PER_KIND(0, 0, 0), alone: -Infinity },
    { what: 'recall of the true top 5', from: 200, plain: 'recall', least: PER_KIND(0.9, 0.95, 0.9) },
  ];
}

/** Returns the function that measures a pair for a bound. */
function measureOf({ ratio, gain, value, plain }, mode, method) {
  if (ratio) return (pair, n) => ratioToLime(pair, { mode, method, samples: n, name: ratio });
  const at = (pair, of, n) => pair.cells[mode][of]?.[n]?.[gain ?? value ?? plain] ?? NaN;
  if (gain) return (pair, n) => at(pair, method, n) - at(pair, REFERENCE, n);
  return (pair, n) => at(pair, method, n);
}

/**
 * Checks the table of bounds.
 *
 * @param {any[]} pairs  results of pairs
 * @param {readonly number[]} sizes  that were run
 * @param {{ mode?: 'all' | 'five', method?: string }} [which]
 * @returns {Verdict[]}
 */
export function checkTable(pairs, sizes, { mode = 'all', method = 'steady' } = {}) {
  const verdicts = [];
  for (const one of boundsOf(mode))
    for (const kind of KINDS) {
      const [side, edges] = one.most ? ['most', one.most] : ['least', one.least];
      if (edges[kind] === undefined) continue;
      const from = typeof one.from === 'object' ? one.from[kind] : one.from;
      const wanted = one.sizes ? one.sizes() : sizes.filter((n) => n >= from);
      const measure = measureOf(one, mode, method);
      const average = (list) => mean(list.map(({ value }) => value));
      const join = one.sums ? ofSums(one.ratio, method, mode) : one.ratio || one.value ? geometric : average;
      const found = checkBound({
        pairs: pairs.filter((pair) => pair.kind === kind),
        sizes: wanted.filter((n) => sizes.includes(n)),
        measure,
        join,
        bound: /** @type {any} */ ({ [side]: edges[kind] }),
        ...(one.alone !== undefined && { limit: () => one.alone }),
      });
      if (!found) continue;
      const range = one.sizes ? `n = ${one.sizes()[0]}` : from > 0 ? `n >= ${from}` : 'every n';
      const sign = side === 'most' ? '<=' : '>=';
      verdicts.push({ what: `${one.what}, ${range}`, kind, bound: `${sign} ${edges[kind]}`, ...found });
    }
  return verdicts;
}

/**
 * Checks what the issue asks for beside the table: no harm, strict between neighbors, coverage.
 *
 * @param {any[]} pairs
 * @param {readonly number[]} sizes
 * @returns {Verdict[]}
 */
export function checkOthers(pairs, sizes) {
  const large = sizes.filter((n) => n >= 100);
  const at = (method, name) => (pair, n) => pair.cells.all[method]?.[n]?.[name] ?? NaN;
  const extreme = (choose) => (list) => choose(...list.map(({ value }) => value));
  const alone = (edge) => () => edge;
  const neighbors = (pair, n) =>
    ratioToLime(pair, { mode: 'all', method: 'strict', samples: n, name: 'neighborConflict' });
  const checks = [
    [
      'no harm: the least VRF before silencing, n >= 100',
      at('steady', 'rawVrf'),
      extreme(Math.min),
      { least: 0.9 },
      0.9,
    ],
    ['no harm: the least VRF as shown, n >= 100', at('steady', 'vrf'), extreme(Math.min), { least: 0.9 }, 0.9],
    [
      'strict: sign conflict between neighbors, n >= 100',
      neighbors,
      ofSums('neighborConflict', 'strict', 'all'),
      { most: 0.03 },
    ],
    ['coverage of the intervals, least', at('steady', 'coverage'), extreme(Math.min), { least: 0.92 }, 0.92],
    ['coverage of the intervals, most', at('steady', 'coverage'), extreme(Math.max), { most: 0.98 }, 0.98],
  ];
  return checks.flatMap(([what, measure, join, bound, limit]) => {
    const found = checkBound({
      ...{ pairs, measure, join, bound },
      sizes: what.startsWith('coverage') ? sizes : large,
      ...(limit && { limit: alone(limit) }),
    });
    const text = 'most' in bound ? `<= ${bound.most}` : `>= ${bound.least}`;
    return found ? [{ what, kind: 'all', bound: text, ...found }] : [];
  });
}

/** The recall of strict, which is said beside its conflict. */
export const strictRecall = (pairs, sizes) =>
  mean(pairs.flatMap(({ cells }) => sizes.filter((n) => n >= 100).map((n) => cells.all.strict?.[n]?.recall ?? NaN)));

export const NAMES = Object.fromEntries(Object.entries(METHODS).map(([key, { name }]) => [key, name]));
