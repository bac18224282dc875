// Writes numbers for people: rounded, in the reader's language, and with units.
import { isNumberFormat } from '../core/number-format.js';
import { show } from '../core/errors.js';
import { plain } from './wording.js';

/**
 * @typedef {import('../data/table.js').NumberFormat} NumberFormat
 * @typedef {(value: number) => string} WriteNumber
 */

/**
 * @param {unknown} locale
 * @returns {string}
 * @throws {RangeError}
 */
export function checkLocale(locale = 'en') {
  try {
    if (typeof locale === 'string') return Intl.getCanonicalLocales(locale)[0];
  } catch {
    // It is not a language tag.
  }
  throw new RangeError(`locale must be a language tag such as "de", not ${show(locale)}`);
}

/**
 * Checks how numbers are to be written.
 *
 * @param {unknown} format
 * @param {string} name  for the error
 * @returns {NumberFormat | undefined}
 * @throws {TypeError}
 */
export function checkFormat(format, name) {
  if (format === undefined || isNumberFormat(format)) return format;
  throw new TypeError(`${name} must be options of Intl.NumberFormat, not ${show(format)}`);
}

/**
 * Returns a function that writes numbers.
 *
 * @param {string} locale
 * @param {NumberFormat} format
 * @returns {WriteNumber}
 */
function makeFormat(locale, { unit, ...format }) {
  const intl = new Intl.NumberFormat(locale, format.style === 'unit' ? { ...format, unit } : format);
  const after = unit && format.style !== 'unit' ? `\u00a0${plain(unit)}` : '';
  return (value) => intl.format(value).replaceAll('-', '−') + after;
}

/** Whether a number needs an exponent. @param {number} value */
const isWild = (value) => Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6);

/** Whether a format says how many digits are written. @param {NumberFormat} [format] */
const hasDigits = (format = {}) => Object.keys(format).some((name) => name.endsWith('Digits'));

/**
 * Returns the options that round a number to so many significant digits, but never a whole number above.
 *
 * @param {number} value
 * @param {number} digits
 * @returns {NumberFormat}
 */
const significant = (value, digits) =>
  isWild(value)
    ? { notation: 'scientific', maximumFractionDigits: digits - 1 }
    : { maximumSignificantDigits: Math.min(21, Math.max(digits, Math.floor(Math.log10(Math.abs(value) || 1)) + 1)) };

/** The writers of each locale: making one takes longer than using it. @type {Map<string, WriteNumber>} */
const known = new Map();

/**
 * @param {string} locale
 * @param {NumberFormat} rounding  is for numbers whose format has no digits
 * @param {NumberFormat} [format]
 * @returns {WriteNumber}
 */
function formatFor(locale, rounding, format = {}) {
  const rounded = hasDigits(format) ? format : { ...rounding, ...format };
  const key = locale + JSON.stringify(rounded);
  const found = known.get(key) ?? makeFormat(locale, rounded);
  if (known.size < 1000) known.set(key, found);
  return found;
}

/**
 * Writes a value as it is in the row, without digits that nobody reads.
 *
 * @param {number} value
 * @param {string} locale
 * @param {NumberFormat} [format]
 */
export function writeValue(value, locale, format) {
  // Four digits need no separator: a year is not 2,024. Money has one.
  const grouping = /** @type {any} */ ({ useGrouping: format?.style === 'currency' ? 'auto' : 'min2' });
  return formatFor(locale, significant(value, 3), { ...grouping, ...format })(value);
}

/**
 * Writes a mean or a standard deviation, with three digits.
 *
 * @param {number} value
 * @param {string} locale
 * @param {NumberFormat} [format]
 */
export function writeRough(value, locale, format) {
  return writeValue(Math.abs(value) < 1e15 ? Number(value.toPrecision(3)) : value, locale, format);
}

/**
 * Writes a model's answer: two decimals, more if it is tiny, fewer if it is large.
 *
 * @param {number} value
 * @param {string} locale
 * @param {NumberFormat} [format]
 */
export function writeAnswer(value, locale, format) {
  const size = Math.abs(value);
  const tiny = size > 0 && size < 0.01;
  const rounding = size < 10 && !tiny ? { maximumFractionDigits: 2 } : significant(value, tiny ? 2 : 3);
  return formatFor(locale, format?.style === 'percent' ? { maximumFractionDigits: 1 } : rounding, format)(value);
}

/**
 * Returns a function that writes answers, with enough decimals that those on one side of a limit do not look like the limit.
 *
 * @param {readonly number[]} answers
 * @param {number | undefined} limit
 * @param {string} locale
 * @param {NumberFormat} [format]
 * @returns {WriteNumber}
 */
export function answersApart(answers, limit, locale, format) {
  const usual = (/** @type {number} */ value) => writeAnswer(value, locale, format);
  if (limit === undefined) return usual;
  const isAlike = (/** @type {WriteNumber} */ write) =>
    answers.some((answer) => answer !== limit && write(answer) === write(limit));
  const first = format?.style === 'percent' ? 2 : 3;
  for (let decimals = first, write = usual; decimals < 16; decimals++) {
    if (!isAlike(write)) return write;
    const notation = [limit, ...answers].some(isWild) ? { notation: /** @type {const} */ ('scientific') } : {};
    write = formatFor(locale, { ...notation, maximumFractionDigits: decimals }, format);
  }
  return usual;
}

/**
 * Writes a value with enough digits to see how it changes.
 *
 * @param {number} value
 * @param {number | null} change  null: it has no size
 * @param {string} locale
 * @param {NumberFormat} [format]
 */
export function writeChanged(value, change, locale, format) {
  if (!change || isWild(value)) return writeValue(value, locale, format);
  const decimals = Math.min(20, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(change)))));
  return writeValue(value, locale, hasDigits(format) ? format : { ...format, maximumFractionDigits: decimals });
}

/** Writes a threshold as it was given. @param {number} value @param {string} locale @param {NumberFormat} [format] */
export const writeThreshold = (value, locale, format) => formatFor(locale, significant(value, 6), format)(value);

/** Writes a share as whole percent. @param {number} share @param {string} locale */
export const writeShare = (share, locale) => formatFor(locale, { style: 'percent' })(share);

/**
 * Returns a function that writes changes of the answer with their sign. All have the same decimals, which suit a size.
 *
 * @param {number} size  above 0
 * @param {string} [locale]
 * @param {NumberFormat} [format]
 * @returns {WriteNumber}
 */
export function numbersFor(size, locale = 'en', format) {
  const places = Math.ceil(Math.log10(size));
  const decimals = Math.min(20, Math.max(0, 3 - places - (format?.style === 'percent' ? 2 : 0)));
  const wild = places < -6 || places > 9;
  const rounding = wild
    ? { notation: /** @type {const} */ ('scientific'), maximumFractionDigits: 2 }
    : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return formatFor(locale, rounding, { ...format, signDisplay: 'exceptZero' });
}
