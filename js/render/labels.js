// The texts of all renderings, which the option `labels` can replace, and how they are filled in.
import { checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';

/** `{…}` is replaced. No text says R², ridge or gamma except the technical details: readers are no experts. */
export const LABELS = Object.freeze({
  why: 'Why {subject}?',
  whatIf: 'What would change {subject}?',
  subject: '{answer} for {target}',
  chance: 'the {answer} chance of “{target}”',
  thisAnswer: 'this answer',
  classNumber: 'class {index}',
  likelier: 'By this model, “{rival}” is likelier ({answer}).',
  almostAsLikely: 'By this model, “{rival}” is almost as likely ({answer}).',
  lessLikely: 'By this model, “{target}” is likelier than “{rival}” ({answer}).',
  forTarget: 'for {target}',
  againstTarget: 'against {target}',
  raises: 'raises the answer',
  lowers: 'lowers the answer',
  withAverage: 'Compared with an average case',
  withReference: 'Compared with the reference case',
  withZero: 'Compared with 0',
  reasons: '{side}: {names}.',
  reasonsCompared: '{compared}, {side}: {names}.',
  nothingSure: 'Nothing clearly raises or lowers the answer.',
  quoted: '“{word}”',
  unsure: 'unsure',
  noEffect: 'hardly any effect',
  exact: 'exact',
  noRange: 'range unknown',
  range: 'between {low} and {high}',
  average: 'average {value}',
  reference: 'reference {value}',
  share: '{share} have it',
  upTo: 'up to {to}',
  above: 'above {from}',
  fromTo: '{from} to {to}',
  stepMore: 'per {step} more {name}',
  moreOf: 'more {name}',
  stepNote:
    'After “per”: a typical difference between cases, not a goal. Twice as much may do less or more than twice.',
  another: '{name} not {value}',
  more: '{count} more',
  andMore: 'and {count} more',
  andNone: '{count} more have hardly any effect.',
  missing: 'missing',
  same: 'the same',
  true: 'true',
  false: 'false',
  places:
    'top left, top center, top right, middle left, center, middle right, bottom left, bottom center, bottom right',
  pixel: 'pixel {x}, {y}',
  word: 'Word',
  part: 'Part',
  feature: 'Feature',
  effect: 'Effect',
  likelyRange: 'Likely range',
  lines: 'Lines: the likely range of each effect, 95 times of 100.',
  noColor: 'Without color: unsure, or hardly any effect.',
  unsureSide: 'Unsure: it may raise or lower the answer.',
  dotted: 'Dotted: only a guess.',
  striped: 'Striped: what the features here do not explain.',
  legend: 'Legend',
  logOdds: 'The numbers are log-odds.',
  poorFit:
    'These reasons explain {explained} of what the model does here: too little to rely on. The answer itself may still be right.',
  farReference: 'Only a guess: {names}. Too far from what it is compared with.',
  guessed: 'guess {value}',
  notExplained: 'not explained',
  mostlyRest: 'The largest part is not explained: {amount}.',
  constant: 'The answer does not change, so there is nothing to explain.',
  rough: 'The numbers are rough.',
  shrunk: 'The effects may be larger than shown.',
  hiddenParts: 'Most parts could not be tested.',
  otherModel: 'This may be about another model.',
  details: 'Technical details',
  fidelity: 'R² {value}',
  queries: '{count} queries',
  listed: '{count} of {total} features',
  weight: 'weight {value}',
  agreement: 'sign agreement {share}',
});

/** @typedef {Record<keyof typeof LABELS, string>} Labels */

/** What warnings mean to a reader, by code; the others make numbers rough. @type {Record<string, keyof Labels>} */
const MEANINGS = {
  'poor-fit': 'poorFit',
  'far-reference': 'farReference',
  constant: 'constant',
  rounding: 'constant',
  'same-background': 'constant',
  ridge: 'shrunk',
  'invisible-segments': 'hiddenParts',
  'other-model': 'otherModel',
};

/** Returns the label that says what a warning means. @param {string} code @returns {keyof Labels} */
export const labelOfWarning = (code) => (Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : 'rough');

/**
 * Checks the caller's labels and adds the others.
 *
 * @template {Record<string, string>} T
 * @param {unknown} labels
 * @param {T} known  all texts of the rendering, in English
 * @returns {Record<keyof T, string>}
 * @throws {TypeError}
 */
export function readLabels(labels, known) {
  const given = checkNames(labels ?? {}, Object.keys(known), 'labels');
  for (const [name, text] of Object.entries(given))
    if (typeof text !== 'string') throw new TypeError(`labels.${name} must be a string, not ${show(text)}`);
  return { ...known, ...given };
}

/**
 * Fills in the placeholders of a text.
 *
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 */
export const fill = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
