import { show } from '../core/errors.js';
import { checkNumber } from '../core/check-options.js';

/**
 * @typedef {import('../explain/explanation.js').Explanation<any>} Explanation
 * @typedef {import('../explain/explanation.js').Feature} Feature
 * @typedef {{ start: number, end: number, feature: number }} Token
 * @typedef {Explanation & { text: string, tokens: readonly Token[] }} TextPicture  what a picture of text needs
 * @typedef {Explanation & { width: number, height: number, labels: ArrayLike<number> }} ImagePicture
 */

/**
 * Throws unless the value is an explanation, of the kind that is wanted where only one will do.
 *
 * @param {any} value
 * @param {string} where  who wants to draw it
 * @param {'text' | 'image'} [kind]
 * @throws {TypeError}
 */
export function checkExplanation(value, where, kind) {
  const { features, text, tokens, width, height, labels } = value ?? {};
  if (!Array.isArray(features)) throw new TypeError(`${where} draws one explanation, not ${show(value)}`);
  if (kind && value.kind !== kind)
    throw new TypeError(`${where} draws an explanation of kind "${kind}", not ${show(value.kind)}`);
  if (kind === 'text' && (typeof text !== 'string' || !Array.isArray(tokens)))
    throw new TypeError(`${where} needs text and tokens, not ${show(tokens)}`);
  if (kind === 'image' && !(width > 0 && labels?.length === width * height))
    throw new TypeError(`${where} needs ${width} x ${height} labels, not ${show(labels)}`);
}

/**
 * @param {Explanation} explanation
 * @param {unknown} given  the caller's own, or undefined
 * @returns {number}  the weight that gets full color and a full bar
 * @throws {RangeError}
 */
export function fullWeightOf({ features }, given) {
  if (given !== undefined) return checkNumber(given, 'fullWeight', { above: 0, most: 1e300 });
  return features.reduce((largest, { weight }) => Math.max(largest, Math.abs(weight)), 0) || 1;
}

/**
 * @param {number} full
 * @returns {(value: number) => string}  writes numbers with their sign, and as many digits as that scale deserves
 */
export function numbersFor(full) {
  const size = Math.ceil(Math.log10(full));
  const digits = (/** @type {number} */ value) =>
    size < -6 || size > 9 ? value.toExponential(2).replace('-', '−') : value.toFixed(Math.max(0, 3 - size));
  return (value) => (value < 0 ? '−' : value > 0 ? '+' : '') + digits(Math.abs(value));
}

/**
 * @param {number} value
 * @param {number} digits
 */
export function round(value, digits) {
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

/**
 * Text as one line of printable characters: nothing in it moves a cursor or turns the direction of what follows.
 *
 * @param {unknown} text
 */
export function plain(text) {
  return String(text).replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

/**
 * Text as it may stand in HTML and XML, between tags and in quotes.
 *
 * @param {unknown} text
 */
export function escape(text) {
  // What XML cannot hold in any spelling: half of a pair, and most control characters.
  const legal = String(text).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  return legal.replace(/[&<>"'\r]/g, (one) => `&#${one.charCodeAt(0)};`);
}

/** What the picture is about, in a few words. @param {Explanation} explanation */
export function titleOf({ target }) {
  if (target === null || target === undefined) return 'Why this answer';
  return typeof target === 'number' ? `Why class ${target}` : `Why “${plain(target)}”`;
}

/** What to know about the explanation as a whole. @param {Explanation} explanation */
export function factsOf({ method, link, prediction, fidelity, features, weights }) {
  const facts = [
    typeof prediction === 'number' && `answer ${round(prediction, 3)}`,
    typeof fidelity === 'number' && `fidelity R² ${fidelity.toFixed(2).replace('-', '−')}`,
    method?.toUpperCase(),
    link === 'logit' && 'log-odds',
    weights?.length > features.length && `${features.length} of ${weights.length} features`,
    features.every(({ weight }) => !weight) && 'no effects',
  ];
  return facts.filter(Boolean).join(' · ');
}

/**
 * @param {Explanation} explanation
 * @returns {[string, string]}  what negative weights do, and what positive ones do
 */
export function sidesOf({ target }) {
  if (target === null || target === undefined) return ['lowers the answer', 'raises the answer'];
  const what = typeof target === 'number' ? `class ${target}` : plain(target);
  return [`against ${what}`, `for ${what}`];
}

/**
 * A feature's name with what tells it from others: a row's value, a superpixel's place.
 *
 * @param {any} feature
 * @param {Explanation} explanation
 * @param {string} [join]  what stands between name and value
 * @returns {string}  one line
 */
export function labelOf(feature, explanation, join = ' = ') {
  const { name, value, box } = feature;
  if (value !== undefined)
    return plain(`${name}${join}${typeof value === 'number' ? Number(value.toPrecision(6)) : value}`);
  return plain(box ? `${name}, ${placeOf(box, /** @type {any} */ (explanation))}` : name);
}

/**
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {{ width: number, height: number }} picture
 */
function placeOf({ x, y, width, height }, picture) {
  const third = (/** @type {number} */ middle, /** @type {string} */ names) => names.split(' ')[Math.floor(3 * middle)];
  const row = third((y + height / 2) / picture.height, 'top middle bottom');
  return `${row} ${third((x + width / 2) / picture.width, 'left center right')}`;
}

/** Whether no story should be told about the sign: 0 in every draw is no doubt. @param {Feature} feature */
export function isUndecided({ weight, silenced, signAgreement, interval }) {
  return silenced || (interval?.some(Boolean) && (!weight || (signAgreement ?? 1) < 0.5));
}

/**
 * What there is to say about a feature, in words for people who have never heard of equilibria.
 *
 * @param {Feature} feature
 * @param {Explanation} explanation
 * @param {(value: number) => string} number  from `numbersFor`
 * @returns {string[]}  label, weight, effect, and interval and sign agreement, or why there are none
 */
export function detailsOf(feature, explanation, number) {
  const { weight, interval, signAgreement, silenced, raw } = feature;
  const { method, queries } = explanation;
  const effect = weight ? sidesOf(explanation)[weight < 0 ? 0 : 1] : 'no effect';
  const exact = method === 'shap' && queries.stopped;
  const details = [
    labelOf(feature, explanation),
    weightOf(feature, number),
    silenced ? `re-draws dispute the sign of ${number(raw ?? 0)}` : effect,
    interval ? `interval ${interval.map(number).join(' to ')}` : exact ? 'exact' : 'no interval',
  ];
  // What is 0 in every draw has no sign.
  if (interval?.some(Boolean))
    details.push(
      `sign agreement ${Math.round(100 * (signAgreement ?? 0))} %, ${isUndecided(feature) ? 'un' : ''}decided`,
    );
  return details;
}

/**
 * @param {Feature} feature
 * @param {(value: number) => string} number
 */
export const weightOf = ({ silenced, weight }, number) => (silenced ? 'silenced' : number(weight));
