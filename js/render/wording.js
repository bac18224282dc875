// Checks what the renderers get, and writes the words and numbers that every rendering shows.
import { checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { checkExplanation } from '../explain/check-explanation.js';
import { graphemes } from './text-width.js';

export { checkExplanation };

/**
 * @typedef {import('../explain/explanation.js').Explanation<any>} Explanation
 * @typedef {import('../explain/explanation.js').Feature} Feature
 * @typedef {{ start: number, end: number, feature: number }} Token
 * @typedef {Explanation & { text: string, tokens: readonly Token[] }} ExplainedText  what a rendering of text needs
 * @typedef {Explanation & { width: number, height: number, labels: readonly number[] }} ExplainedImage  what a
 *   rendering of an image needs; `width` and `height` are those of the label map, in pixels
 */

/**
 * Checks that a value is an explanation, and of the right kind if one is given.
 *
 * @param {unknown} value
 * @param {string} caller  the function or element that draws it, for the message
 * @param {'text' | 'image'} [kind]  default: any
 * @throws {TypeError}
 */
export function checkDrawable(value, caller, kind) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${caller} needs an explanation, not ${show(value)}`);
  const explanation = checkExplanation(value);
  if (kind && explanation.kind !== kind)
    throw new TypeError(`${caller} needs an explanation of kind "${kind}", not ${show(explanation.kind)}`);
}

/**
 * Returns the weight that gets the full color and a full bar: the given one, or else the largest absolute weight.
 *
 * @param {Explanation} explanation
 * @param {unknown} given  the caller's option `fullWeight`, or undefined
 * @returns {number}
 * @throws {RangeError}  if the given weight is not a number above 0
 */
export function fullWeightOf({ features }, given) {
  if (given !== undefined) return checkNumber(given, 'fullWeight', { above: 0, most: 1e300 });
  return features.reduce((largest, { weight }) => Math.max(largest, Math.abs(weight)), 0) || 1;
}

/**
 * Returns a function that writes numbers with their sign, and with digits that suit the full weight.
 *
 * @param {number} fullWeight
 * @returns {(value: number) => string}
 */
export function numbersFor(fullWeight) {
  const size = Math.ceil(Math.log10(fullWeight));
  const digits = (/** @type {number} */ value) =>
    size < -6 || size > 9 ? value.toExponential(2).replace('-', '−') : value.toFixed(Math.max(0, 3 - size));
  return (value) => (value < 0 ? '−' : value > 0 ? '+' : '') + digits(Math.abs(value));
}

/**
 * Writes a number with this many significant digits.
 *
 * @param {number} value
 * @param {number} digits
 */
export function round(value, digits) {
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

/** The most characters of a name, a class or a warning that are drawn, in UTF-16 units. */
const LONGEST = 500;

/**
 * Returns text as one line, cut to 500 characters. Control characters and direction overrides become spaces: they could
 * move the cursor of a terminal or turn the text that follows. So do lone surrogates.
 *
 * @param {unknown} text
 */
export function plain(text) {
  const whole = String(text);
  // Twice the limit, so that the cut is not inside one of the characters that are kept.
  const line = whole.slice(0, 2 * LONGEST).replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
  if (whole.length <= 2 * LONGEST && line.length <= LONGEST) return line;
  let kept = '';
  for (const grapheme of graphemes(line)) {
    if (kept.length + grapheme.length > LONGEST) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/**
 * Escapes text for HTML and XML, between tags and in quotes.
 *
 * @param {unknown} text
 */
export function escape(text) {
  // XML cannot hold lone surrogates and most control characters, even if they are escaped.
  const legal = String(text).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  return legal.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the title of a rendering. @param {Explanation} explanation */
export function titleOf({ target }) {
  if (target === null || target === undefined) return 'Why this answer';
  return typeof target === 'number' ? `Why class ${target}` : `Why “${plain(target)}”`;
}

/** Returns one line about the explanation as a whole. @param {Explanation} explanation */
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
 * Says what negative weights do, and what positive weights do.
 *
 * @param {Explanation} explanation
 * @returns {[string, string]}
 */
export function sidesOf({ target }) {
  if (target === null || target === undefined) return ['lowers the answer', 'raises the answer'];
  const name = typeof target === 'number' ? `class ${target}` : plain(target);
  return [`against ${name}`, `for ${name}`];
}

/**
 * Returns a feature's name, with the value of a row's feature or the position of a superpixel.
 *
 * @param {any} feature
 * @param {Explanation} explanation
 * @param {string} [join]  the text between name and value; default `' = '`
 * @returns {string}  one line
 */
export function labelOf(feature, explanation, join = ' = ') {
  const { value, box } = feature;
  const name = plain(feature.name);
  if (explanation.kind === 'row' && value !== undefined)
    return name + join + plain(typeof value === 'number' ? Number(value.toPrecision(6)) : value);
  return explanation.kind === 'image' ? `${name}, ${placeOf(box, /** @type {any} */ (explanation))}` : name;
}

/**
 * Says where a box lies in an image, such as "top left".
 *
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {{ width: number, height: number }} image
 */
function placeOf({ x, y, width, height }, image) {
  const third = (/** @type {number} */ middle, /** @type {string} */ names) => names.split(' ')[Math.floor(3 * middle)];
  const row = third((y + height / 2) / image.height, 'top middle bottom');
  return `${row} ${third((x + width / 2) / image.width, 'left center right')}`;
}

/** Whether the sign of the weight is in doubt. A weight that is 0 in every draw is not in doubt. @param {Feature} feature */
export function isUndecided({ weight, silenced, signAgreement, interval }) {
  return silenced || (interval?.some(Boolean) && (!weight || (signAgreement ?? 1) < 0.5));
}

/**
 * Describes a feature in words that do not assume knowledge of the method.
 *
 * @param {Feature} feature
 * @param {Explanation} explanation
 * @param {(value: number) => string} number  from `numbersFor`
 * @returns {string[]}  label, weight, effect, interval, and the sign agreement if there is one
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
  // A weight that is 0 in every draw has no sign.
  if (interval?.some(Boolean))
    details.push(
      `sign agreement ${Math.round(100 * (signAgreement ?? 0))} %, ${isUndecided(feature) ? 'un' : ''}decided`,
    );
  return details;
}

/**
 * Writes a feature's weight.
 *
 * @param {Feature} feature
 * @param {(value: number) => string} number  from `numbersFor`
 */
export const weightOf = ({ silenced, weight }, number) => (silenced ? 'silenced' : number(weight));
