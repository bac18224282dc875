// Checks that a value, such as one parsed from JSON, is a result of recourse.
import { fault, flag, is, isPlain, list, number, object, oneOf, optional, share } from '../core/check-json.js';
import { size, text, throwFault, whole } from '../core/check-json.js';

/** @typedef {import('../core/check-json.js').Check} Check */

/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => (value === null ? undefined : check(value));

const level = is(
  'a finite number, a string, true, false or null',
  (value) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
);

const range = is(
  '[least, largest] or null',
  (value) =>
    value === null ||
    (isPlain(value, true) && value.length === 2 && value.every(Number.isFinite) && value[0] <= value[1]),
);

/** Numbers change from number to number, and have a range. @type {Check} */
const change = (value) =>
  object({
    ...{ column: text, index: whole(0), from: level, to: level, change: orNull(number), deviations: size, range },
  })(value) ??
  (value.range === null || (Number.isFinite(value.from) && Number.isFinite(value.to) && value.change !== null)
    ? undefined
    : fault('a change between two numbers, because it has a range', value));

const changes = list(change);

/** @param {boolean} found */
const pair = (found) => object({ from: number, to: found ? number : is('null', (value) => value === null) });

/** @param {any} value @returns {Record<string, Check>} */
const fields = ({ found }) => ({
  reason: found
    ? is('"already" or null', (value) => value === null || value === 'already')
    : oneOf('unsure', 'range', 'implausible', 'limit'),
  message: optional(text),
  target: is(
    'a string, a whole number or null',
    (value) => value === null || typeof value === 'string' || (Number.isSafeInteger(value) && value >= 0),
  ),
  side: oneOf('above', 'below'),
  threshold: orNull(number),
  row: optional(orNull(list(level))),
  changes,
  size: optional(size),
  prediction: pair(found),
  rival: orNull(pair(found)),
  plausibility: optional(orNull(object({ from: share, to: orNull(share), least: share }))),
  complete: optional(flag),
  tried: optional(list(text)),
  closest: optional(
    orNull(object({ changes, prediction: number, rival: orNull(number), plausibility: optional(orNull(share)) })),
  ),
  queries: object({ explain: whole(0), search: whole(0), total: whole(0) }),
  seed: optional(whole(0)),
});

/**
 * Checks that a value is a result of `recourse`, for example after `JSON.parse`. Fields that no renderer uses may be missing,
 * and further fields are ignored. The renderers call it themselves.
 *
 * @param {unknown} json
 * @returns {import('./recourse-result.js').Recourse}  the same value
 * @throws {TypeError}  names the first field that is wrong, what was expected, and what it is
 */
export function checkRecourse(json) {
  const value = /** @type {any} */ (json);
  const known = object({ schema: oneOf('linex-recourse/1'), found: flag });
  throwFault(known(value) ?? object(fields(value))(value), 'a recourse');
  return value;
}
