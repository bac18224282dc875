// Renders recourse: as a sentence, and as a picture.
import { checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { checkRecourse } from '../measure/check-recourse.js';
import { layoutRecourse, queriesText } from './layout-recourse.js';
import { readWording, sentenceOf } from './recourse-wording.js';
import { checkLook, fileOf } from './render-svg.js';
import { guessWidth } from './text-width.js';

export { checkRecourse };

/**
 * @typedef {import('../measure/recourse-result.js').Recourse} Recourse
 * @typedef {import('./recourse-wording.js').WordingOptions} WordingOptions
 */

const WORDING = ['labels', 'locale', 'format'];

/**
 * Says in a sentence what would change the answer, such as "Approved if income were 31,000 instead of 26,000."
 *
 * @param {Recourse} recourse  from `recourse`
 * @param {WordingOptions} [options]
 * @returns {string}  plain text without control characters; escape it before you put it into HTML
 * @throws {TypeError | RangeError}  if this is not a result of `recourse`, or an option is wrong
 */
export function renderRecourseSentence(recourse, options = {}) {
  check(recourse, 'renderRecourseSentence');
  checkNames(options, WORDING, 'renderRecourseSentence');
  return sentenceOf(recourse, readWording(options));
}

/**
 * Renders what changes, from where to where, and the answer before and after.
 *
 * @param {Recourse} recourse  from `recourse`
 * @param {WordingOptions & Pick<import('./render-svg.js').SVGOptions, 'width' | 'theme'>} [options]  width: default
 *   640; theme: default `'light'`
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}  if this is not a result of `recourse`, or an option is wrong
 */
export function renderRecourseSVG(recourse, options = {}) {
  check(recourse, 'renderRecourseSVG');
  const { labels, locale, format, ...rest } = checkNames(options, [...WORDING, 'width', 'theme'], 'renderRecourseSVG');
  const wording = readWording({ labels, locale, format });
  const look = checkLook(rest, 'renderRecourseSVG');
  const drawing = layoutRecourse(recourse, { width: look.width, measure: guessWidth, wording });
  return fileOf(drawing, look, `${sentenceOf(recourse, wording)} ${queriesText(recourse, wording)}`);
}

/** @param {unknown} value @param {string} caller */
function check(value, caller) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${caller} needs a result of recourse, not ${show(value)}`);
  checkRecourse(value);
}
