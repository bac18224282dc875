import { show } from './errors.js';
import { checkNumber } from './options.js';

/**
 * @typedef {import('./explanation.js').Explanation<any>} Explanation
 * @typedef {import('./explanation.js').Feature} Feature
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
  if (!Array.isArray(value?.features)) throw new TypeError(`${where} draws one explanation, not ${show(value)}`);
  if (kind && value.kind !== kind)
    throw new TypeError(`${where} draws an explanation of kind "${kind}", not ${show(value.kind)}`);
  if (kind === 'text' && (typeof value.text !== 'string' || !Array.isArray(value.tokens)))
    throw new TypeError(
      `${where} needs the explanation's text and tokens, not ${show(value.text)} and ${show(value.tokens)}`,
    );
  if (kind === 'image' && !(value.width > 0 && value.labels?.length === value.width * value.height))
    throw new TypeError(
      `${where} needs a label a pixel, ${value.width} x ${value.height} of them, not ${show(value.labels)}`,
    );
}

/**
 * @param {Explanation} explanation
 * @param {unknown} scale  the reader's own, or undefined
 * @returns {number}  the weight that gets full colour and a full bar
 * @throws {RangeError}
 */
export function fullWeight({ features }, scale) {
  if (scale !== undefined) return checkNumber(scale, 'scale', { above: 0, most: Number.MAX_VALUE });
  return features.reduce((largest, { weight }) => Math.max(largest, Math.abs(weight)), 0) || 1;
}

/**
 * @param {number} full
 * @returns {(value: number) => string}  writes numbers with their sign, and as many digits as that scale deserves
 */
export function numbersFor(full) {
  const size = Math.ceil(Math.log10(full));
  const digits = (/** @type {number} */ value) =>
    size < -6 || size > 9
      ? value.toExponential(2).replace('-', '−').replace('e+', 'e')
      : value.toFixed(Math.max(0, Math.min(12, 3 - size)));
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
  const line = String(text).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return line.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/**
 * Text as it may stand in HTML and XML, between tags and in quotes.
 *
 * @param {unknown} text
 */
export function escape(text) {
  return (
    String(text)
      // What XML cannot hold in any spelling: half of a pair, and most control characters.
      // eslint-disable-next-line no-control-regex
      .replace(/[\ud800-\udfff\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '\ufffd')
      .replace(/[&<>"'\r]/g, (one) => `&#${one.charCodeAt(0)};`)
  );
}

/** What the picture is about, in a few words. @param {Explanation} explanation */
export function titleOf({ target }) {
  if (target === null || target === undefined) return 'Why this answer';
  return typeof target === 'number' ? `Why class ${target}` : `Why “${plain(target)}”`;
}

/** What to know about the explanation as a whole. @param {Explanation} explanation */
export function factsOf({ method, prediction, fidelity, features }) {
  const facts = [
    typeof prediction === 'number' && `answer ${round(prediction, 3)}`,
    typeof fidelity === 'number' && `fidelity R² ${fidelity.toFixed(2).replace('-', '−')}`,
    method?.toUpperCase(),
    features.every(({ weight }) => !weight) && 'nothing speaks for or against',
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
  const short = what.length > 24 ? `${what.slice(0, 23)}…` : what;
  return [`against ${short}`, `for ${short}`];
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
function placeOf(box, { width, height }) {
  const third = (/** @type {number} */ middle, /** @type {string[]} */ names) =>
    names[Math.max(0, Math.min(2, Math.floor(3 * middle)))];
  const row = third((box.y + box.height / 2) / height, ['top', '', 'bottom']);
  const column = third((box.x + box.width / 2) / width, ['left', '', 'right']);
  return [row, column].filter(Boolean).join(' ') || 'middle';
}

/** Whether no story should be told about the sign. @param {Feature} feature */
export function isUndecided({ weight, silenced, signAgreement }) {
  return silenced || !weight || (typeof signAgreement === 'number' && signAgreement < 0.5);
}

/**
 * What there is to say about a feature, in words for people who have never heard of equilibria.
 *
 * @param {Feature} feature
 * @param {Explanation} explanation
 * @param {(value: number) => string} number  from `numbersFor`
 */
export function detailsOf(feature, explanation, number) {
  const { weight, interval, signAgreement, silenced, raw } = feature;
  const [against, pro] = sidesOf(explanation);
  return {
    label: labelOf(feature, explanation),
    weight: silenced ? 'silenced' : number(weight),
    effect: silenced
      ? `would have been ${typeof raw === 'number' ? number(raw) : 'unsteady'}, but re-runs dispute the sign`
      : weight < 0
        ? against
        : weight > 0
          ? pro
          : 'no effect',
    interval: interval ? `${number(interval[0])} to ${number(interval[1])}` : '',
    agreement:
      typeof signAgreement === 'number'
        ? `${Math.round(100 * signAgreement)} %, ${agreementInWords(signAgreement)}`
        : '',
  };
}

/** @param {number} agreement */
function agreementInWords(agreement) {
  if (agreement === 1) return 'all re-runs agree';
  if (agreement >= 0.9) return 'nearly all re-runs agree';
  return agreement >= 0.5 ? 'most re-runs agree' : 'undecided';
}

/**
 * The same as one line.
 *
 * @param {Feature} feature
 * @param {Explanation} explanation
 * @param {(value: number) => string} number
 */
export function sentenceOf(feature, explanation, number) {
  const { label, weight, effect, interval, agreement } = detailsOf(feature, explanation, number);
  const parts = [
    `${label}: ${weight}, ${effect}`,
    interval && `likely ${interval}`,
    agreement && `sign agreement ${agreement}`,
  ];
  return parts.filter(Boolean).join('; ');
}
