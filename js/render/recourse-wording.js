// The words and numbers of recourse: a sentence about what would change the answer, in any language.
import { checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { plain } from './wording.js';

/**
 * @typedef {import('../measure/recourse-result.js').Recourse} Recourse
 * @typedef {import('../measure/recourse-result.js').Change} Change
 */

/**
 * The texts of a rendering, in English. Words in braces are replaced.
 */
export const RECOURSE_LABELS = Object.freeze({
  /** The title of the picture. */
  title: 'What would change this answer?',
  /** A class becomes the top one, or ceases to be it. */
  reach: '{target} if {changes}.',
  leave: 'No longer {target} if {changes}.',
  /** The answer crosses a threshold. */
  above: '{answer} would rise above {threshold} if {changes}.',
  below: '{answer} would fall below {threshold} if {changes}.',
  /** Nothing has to change. */
  isReached: 'Already {target}: nothing has to change.',
  isLeft: 'Not {target}: nothing has to change.',
  isAbove: '{answer} is already above {threshold}.',
  isBelow: '{answer} is already below {threshold}.',
  /** Nothing was found. */
  notReached: 'No change was found that leads to {target}: {reason}.',
  notLeft: 'No change was found that leads away from {target}: {reason}.',
  notAbove: 'No change was found that takes the answer above {threshold}: {reason}.',
  notBelow: 'No change was found that takes the answer below {threshold}: {reason}.',
  unsure: 'it is not clear in which direction anything should change',
  range: 'changes within the range of the data are not enough',
  implausible: 'everything that would be enough is too unusual',
  limit: 'the search stopped after {search} questions to the model',
  closest: 'The closest try: {changes}.',
  /** Parts of sentences. */
  change: '{column} were {to} instead of {from}',
  answer: 'The answer',
  answerFor: 'The answer for {target}',
  class: 'class {index}',
  missing: 'missing',
  true: 'true',
  false: 'false',
  /** The picture. */
  now: 'now',
  then: 'with the change',
  tried: 'closest try',
  rival: 'best other class',
  threshold: 'threshold',
  queries: 'Questions to the model: {total} ({explain} to explain, {search} to search).',
});

/** @typedef {Partial<Record<keyof typeof RECOURSE_LABELS, string>>} RecourseLabels */

/**
 * @typedef {object} WordingOptions
 * @property {RecourseLabels} [labels]  your own texts; default: English ones
 * @property {string} [locale]  the language of numbers and lists, as a BCP 47 tag; default `'en'`
 * @property {(value: string | number | boolean | null, column: string) => string} [format]  writes a value of a column;
 *   default: numbers as usual in the locale
 */

/**
 * @typedef {object} Wording
 * @property {Record<keyof typeof RECOURSE_LABELS, string>} labels
 * @property {string} locale
 * @property {WordingOptions['format']} format
 */

/**
 * @param {WordingOptions} options  names already checked
 * @returns {Wording}
 * @throws {TypeError | RangeError}
 */
export function readWording({ labels = {}, locale = 'en', format }) {
  checkNames(labels, Object.keys(RECOURSE_LABELS), 'labels');
  for (const [name, label] of Object.entries(labels))
    if (typeof label !== 'string') throw new TypeError(`labels.${name} must be a string, not ${show(label)}`);
  if (format !== undefined && typeof format !== 'function')
    throw new TypeError(`format must be a function, not ${show(format)}`);
  if (typeof locale !== 'string') throw new TypeError(`locale must be a language tag, not ${show(locale)}`);
  try {
    Intl.getCanonicalLocales(locale);
  } catch {
    throw new RangeError(`locale must be a language tag such as 'en' or 'pt-BR', not ${show(locale)}`);
  }
  return { labels: { ...RECOURSE_LABELS, ...labels }, locale, format };
}

/**
 * Replaces the words in braces.
 *
 * @param {string} template
 * @param {Record<string, string>} words
 */
export const fill = (template, words) =>
  template.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(words, name) ? words[name] : whole));

/** The exponent of a number in scientific notation. @param {number} value */
const exponentOf = (value) => Number(value.toExponential().split('e')[1]);

/**
 * Writes a number with this many decimals at most. Very large and very small numbers get an exponent.
 *
 * @param {number} value
 * @param {number} decimals
 * @param {string} locale
 */
function writeNumber(value, decimals, locale) {
  const far = value !== 0 && (exponentOf(value) >= 15 || exponentOf(value) < -9);
  return new Intl.NumberFormat(
    locale,
    far
      ? { notation: 'scientific', maximumSignificantDigits: 3 }
      : { maximumFractionDigits: Math.max(0, Math.min(15, decimals)) },
  ).format(value);
}

/**
 * Writes a value of a column. A number gets as many decimals as its change needs for three digits.
 *
 * @param {Change['from']} value
 * @param {Change} change
 * @param {Wording} wording
 */
export function valueText(value, { column, change }, { labels, locale, format }) {
  if (format) return plain(format(value, column));
  if (typeof value === 'number') return writeNumber(value, change ? 2 - exponentOf(change) : 6, locale);
  return value === null ? labels.missing : typeof value === 'boolean' ? labels[`${value}`] : plain(value);
}

/**
 * Returns a function that writes answers with so many decimals that those that differ from the threshold look different.
 *
 * @param {readonly number[]} answers
 * @param {number | undefined} threshold
 * @param {string} locale
 */
export function answersWriter(answers, threshold, locale) {
  const others = answers.filter((answer) => answer !== threshold);
  const scale = answers.reduce((most, answer) => Math.max(most, Math.abs(answer)), 0) || 1;
  let decimals = Math.max(0, 1 - exponentOf(scale));
  const alike = () => {
    const limit = threshold === undefined ? undefined : writeNumber(threshold, decimals, locale);
    return others.some((answer) => writeNumber(answer, decimals, locale) === limit);
  };
  while (decimals < 15 && alike()) decimals++;
  return (/** @type {number} */ value) => writeNumber(value, decimals, locale);
}

/**
 * What the answer has to cross, for a picture. With two classes whose answers always have the same sum, that is half of the
 * sum; otherwise, the highest answer of the other classes.
 *
 * @param {Recourse} recourse
 * @returns {{ at: number, fixed: boolean } | undefined}  fixed: whether it does not depend on the row
 */
export function lineOf({ threshold, rival, prediction, closest }) {
  if (threshold !== null) return { at: threshold, fixed: true };
  if (!rival) return undefined;
  const [target, other] = [prediction.to ?? closest?.prediction, rival.to ?? closest?.rival];
  const before = prediction.from / 2 + rival.from / 2;
  if (typeof target !== 'number' || typeof other !== 'number') return { at: rival.from, fixed: false };
  const after = target / 2 + other / 2;
  return Math.abs(after - before) < 1e-9 * Math.abs(before) ? { at: after, fixed: true } : { at: other, fixed: false };
}

/**
 * The name of the target, or an empty text for a single score.
 *
 * @param {Recourse} recourse
 * @param {Wording} wording
 */
export function targetText({ target }, { labels }) {
  return typeof target === 'number' ? fill(labels.class, { index: String(target) }) : plain(target ?? '');
}

/**
 * Changes as one text.
 *
 * @param {readonly Change[]} changes
 * @param {Wording} wording
 */
function changesText(changes, wording) {
  const texts = changes.map((change) =>
    fill(wording.labels.change, {
      column: plain(change.column),
      from: valueText(change.from, change, wording),
      to: valueText(change.to, change, wording),
    }),
  );
  return new Intl.ListFormat(wording.locale, { type: 'conjunction' }).format(texts);
}

/** The sentences: if something has to change, if nothing has to, and if nothing was found. */
const SENTENCES = /** @type {const} */ ({
  class: { above: ['reach', 'isReached', 'notReached'], below: ['leave', 'isLeft', 'notLeft'] },
  score: { above: ['above', 'isAbove', 'notAbove'], below: ['below', 'isBelow', 'notBelow'] },
});

/**
 * Says in one or two sentences what would change the answer, or why nothing was found.
 *
 * @param {Recourse} recourse
 * @param {Wording} wording
 */
export function sentenceOf(recourse, wording) {
  const { found, changes, threshold, side, reason, closest, queries } = recourse;
  const { labels, locale } = wording;
  const target = targetText(recourse, wording);
  const words = {
    target,
    answer: target ? fill(labels.answerFor, { target }) : labels.answer,
    threshold: threshold === null ? labels.rival : writeNumber(threshold, 6, locale),
    changes: changesText(changes, wording),
    reason:
      reason && reason !== 'already' ? fill(labels[reason], { search: writeNumber(queries.search, 0, locale) }) : '',
  };
  const keys = SENTENCES[threshold === null && target !== '' ? 'class' : 'score'][side];
  const first = fill(labels[keys[found ? (changes.length > 0 ? 0 : 1) : 2]], words);
  const second =
    !found && closest?.changes.length ? fill(labels.closest, { changes: changesText(closest.changes, wording) }) : '';
  return [first, second]
    .filter(Boolean)
    .map((sentence) => capitalize(sentence, locale))
    .join(' ');
}

/** @param {string} sentence @param {string} locale */
function capitalize(sentence, locale) {
  const [letter = ''] = sentence;
  return letter.toLocaleUpperCase(locale) + sentence.slice(letter.length);
}
