// Judges and orders the features of an explanation as they are read.

/** @typedef {import('./reading.js').Item} Item */

/** Whether a feature is a level, or a range, that a row has or has not. In the other view, the question is what another would do. @param {any} feature */
export const isLevel = ({ kind, value }) => kind !== undefined && kind !== 'numeric' && value !== undefined;

/** @param {readonly [number, number] | null} interval @returns {[number, number] | null} */
export const mirror = (interval) => interval && [-interval[1], -interval[0]];

/** The sure ones come first, the largest before the others; then what is unsure, then what has no effect. @param {Item} a @param {Item} b */
export function bySize(a, b) {
  const last = (/** @type {Item} */ { effect }) => ['unsure', 'none'].indexOf(effect);
  return last(a) - last(b) || Math.abs(b.amount) - Math.abs(a.amount);
}

/** The largest effect that has a sign; if there is none, the largest that is possible. @param {readonly Item[]} items */
export function largestOf(items) {
  const known = items.filter(({ effect }) => effect !== 'unsure');
  return largestSize(known.map(({ amount }) => amount)) || largestSize(endsOf(items)) || 1;
}

/** How far bars and whiskers reach. @param {readonly Item[]} items */
export const endsOf = (items) => items.flatMap(({ interval, amount }) => interval ?? [amount]);

/**
 * The likely range of an effect that is silenced: it reaches to zero, because zero is what is shown. Its games disagree, though the
 * fit alone would be surer.
 *
 * @param {readonly [number, number] | null} interval
 * @returns {[number, number] | null}
 */
export const toZero = (interval) => interval && [Math.min(0, interval[0]), Math.max(0, interval[1])];

/** Whether an item has a sign that is to be relied on. @param {Item} item */
export const isSure = ({ effect }) => effect === 'plus' || effect === 'minus';

/** The largest absolute value. @param {readonly number[]} values */
export const largestSize = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
