// The arguments of the attack on the JavaScript API: valid ones, hostile ones, and valid ones with one hostile part.
import fc from 'fast-check';

/** Numbers at the edges of what a double holds. */
const EDGES = [0, -0, 1, -1, 0.5, 1e-300, 5e-324, 1e100, 1e154, 1e200, 1e300, 1.7e308, Number.MAX_VALUE];
const NOT_FINITE = [NaN, Infinity, -Infinity];

/** Any value at all: what `JSON.parse`, a form or a careless caller may hand over. */
export const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...EDGES, ...EDGES.map((value) => -value), ...NOT_FINITE) },
  fc.constantFrom(undefined, null, true, false, '', '0', '1', 'x', 'constructor', '__proto__', 'all', 'top', 7n),
  fc.constantFrom([], {}, [[]], [null], [NaN], new Float64Array(2), new Float32Array([1, NaN]), new Date(0), /x/),
  { weight: 2, arbitrary: fc.constantFrom('9'.repeat(4000), `red${'9'.repeat(4000)}`) },
  fc.constant(Object.create(null)),
  fc.constant(() => 1),
  fc.constant({ length: 3 }),
  fc.constant({ length: 1e9 }),
  fc.constant([1, , 3]), // eslint-disable-line no-sparse-arrays
  fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: true, withSparseArray: true, maxDepth: 2 }),
);

/** A number that a careful caller may pass; the smallest and the largest, rarely. */
export const number = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 4, arbitrary: fc.double({ min: -10, max: 10, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGES, ...EDGES.map((value) => -value)) },
);

/** Arrays of exactly `length` numbers. @param {number} length */
export const numbers = (length) => fc.array(number, { minLength: length, maxLength: length });

/** `count` arrays of `length` numbers. @param {number} count @param {number} length */
export const matrix = (count, length) => fc.array(numbers(length), { minLength: count, maxLength: count });

/** A valid value, or once in twelve a hostile one. @param {fc.Arbitrary<any>} valid */
export const mostly = (valid) => fc.oneof({ weight: 11, arbitrary: valid }, { weight: 1, arbitrary: hostile });

/**
 * An options object: any subset of the options, almost always with valid values; once in twenty an unknown name.
 *
 * @param {Record<string, fc.Arbitrary<any>>} valid
 */
export const options = (valid) =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(valid).map(([name, value]) => [name, mostly(value)])), {
        requiredKeys: [],
      }),
      fc.oneof({ weight: 19, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constant({ colour: 1 }) }),
    )
    .map(([known, unknown]) => ({ ...known, ...unknown }));

/**
 * A copy of JSON data in which one value, at any depth, is replaced by a hostile one or deleted. Sometimes its neighbor
 * gets the same value, because a check may compare the two.
 *
 * @param {any} data
 */
export const spoiled = (data) =>
  fc.tuple(fc.nat(), fc.nat(), hostile, fc.nat({ max: 9 })).map(([field, place, value, how]) => {
    const copy = structuredClone(data);
    /** @type {[any, string][]} */
    const places = [];
    collect(copy, places);
    // By name first: otherwise the fields of long arrays would take most of the runs.
    const names = [...new Set(places.map(([, key]) => key))];
    const alike = places.filter(([, key]) => key === names[field % names.length]);
    const [owner, key] = alike[place % alike.length];
    const keys = Object.keys(owner);
    if (how === 0) delete owner[key];
    else owner[key] = value;
    if (how > 6) owner[keys[(keys.indexOf(key) + 1) % keys.length]] = value;
    return copy;
  });

/** Lists every place in a value. @param {any} value @param {[any, string][]} places */
function collect(value, places) {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    places.push([value, key]);
    collect(value[key], places);
  }
}
