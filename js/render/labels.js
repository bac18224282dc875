// The texts of all renderings, which the option `labels` can replace, and how they are filled in.
import { checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';

/** `{…}` is replaced. No text says R², ridge or gamma except the technical details: readers are no experts. */
export const LABELS = Object.freeze({
  why: 'Why {subject}?',
  whatIf: 'What would change {subject}?',
  subject: '{answer} for {target}',
  thisAnswer: 'this answer',
  classNumber: 'class {index}',
  forTarget: 'for {target}',
  againstTarget: 'against {target}',
  raises: 'raises the answer',
  lowers: 'lowers the answer',
  withAverage: 'compared with the average',
  withReference: 'compared with the reference',
  withZero: 'compared with 0',
  reasons: '{side}: {names}.',
  reasonsCompared: '{side}, {compared}: {names}.',
  nothingSure: 'Nothing clearly raises or lowers the answer.',
  quoted: '“{word}”',
  unsureNames: 'Unsure: {names}.',
  unsure: 'unsure',
  noEffect: 'hardly any effect',
  exact: 'exact',
  noRange: 'range unknown',
  range: 'between {low} and {high}',
  average: 'average {value}',
  reference: 'reference {value}',
  share: 'true of {share}',
  upTo: 'up to {to}',
  above: 'above {from}',
  fromTo: '{from} to {to}',
  stepMore: '{step} more {name}',
  ratherThanNot: '{name} rather than another',
  more: '{count} more',
  andMore: 'and {count} more',
  andNone: '{count} more have hardly any effect.',
  missing: 'missing',
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
  lines: 'Lines show the likely range: 95 times of 100, the effect lies there.',
  noColor: 'Without color: unsure, or hardly any effect.',
  legend: 'Legend',
  logOdds: 'The numbers are log-odds.',
  poorFit: 'This explains {explained} of what the model does near this input: too little to rely on.',
  farReference: 'Only a guess, because the value is far from the reference: {names}.',
  constant: 'The answer stays the same whatever changes, so there is nothing to explain.',
  rough: 'The numbers are rough.',
  shrunk: 'The effects may be larger than shown.',
  hiddenParts: 'Most parts of the image could not be tested.',
  otherModel: 'This may not describe the model that gave the answer.',
  details: 'Technical details',
  fidelity: 'R² {value}',
  queries: '{count} queries',
  listed: '{count} of {total} features',
  weight: 'weight {value}',
  agreement: '{share} of re-draws have this sign',
});

/** @typedef {Record<keyof typeof LABELS, string>} Labels */

/** What a warning means to a reader. The other codes make numbers rough. @type {Record<string, keyof Labels>} */
export const LABEL_OF_WARNING = {
  'poor-fit': 'poorFit',
  'far-reference': 'farReference',
  constant: 'constant',
  rounding: 'constant',
  'same-background': 'constant',
  ridge: 'shrunk',
  'invisible-segments': 'hiddenParts',
  'other-model': 'otherModel',
  'few-samples': 'rough',
  'few-coalitions': 'rough',
  'small-ridge': 'rough',
  'mixed-games': 'rough',
  game: 'rough',
  draws: 'rough',
};

/**
 * Checks the caller's labels and adds the others.
 *
 * @param {unknown} labels
 * @returns {Labels}
 * @throws {TypeError}
 */
export function readLabels(labels = {}) {
  const given = checkNames(labels, Object.keys(LABELS), 'labels');
  for (const [name, text] of Object.entries(given))
    if (typeof text !== 'string') throw new TypeError(`labels.${name} must be a string, not ${show(text)}`);
  return { ...LABELS, ...given };
}

/**
 * Fills in the placeholders of a text.
 *
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 */
export const fill = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
