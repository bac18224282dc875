// Renders charts of one or several explanations as SVG.
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { alignExplanations, checkContributions } from '../measure/aligned-explanations.js';
import { checkRecourse } from '../measure/check-recourse.js';
import { checkComparison, checkSummary } from '../measure/check-summaries.js';
import { checkLook, fileOf } from '../render/render-svg.js';
import { guessWidth } from '../render/text-width.js';
import { checkDrawable } from '../render/wording.js';
import { ChartWords, WORDING } from './chart-words.js';
import { layoutComparison } from './layout-comparison.js';
import { layoutDependence } from './layout-dependence.js';
import { layoutImportance } from './layout-importance.js';
import { layoutRecourse, sayRecourse } from './layout-recourse.js';
import { layoutSteadiness } from './layout-steadiness.js';
import { layoutSummary } from './layout-summary.js';
import { layoutTargets } from './layout-targets.js';
import { layoutWaterfall } from './layout-waterfall.js';

export { checkRecourse };

/**
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('../render/wording.js').Explanation} Explanation
 *
 * @typedef {object} ChartLookOptions
 * @property {import('../render/palette.js').Palette} [palette]  default `'blue-orange'`: blue raises the answer, orange lowers it
 * @property {import('../render/palette.js').Theme} [theme]  default `'light'`; `'auto'` follows the page, or the reader's theme if
 *   the SVG is a file of its own
 * @property {number} [width]  in pixels, 240 to 10000; default 640
 * @property {number} [features]  the largest number of features; default 12
 *
 * @typedef {ChartLookOptions & import('./chart-words.js').WordOptions} ChartOptions
 */

/**
 * A kind of chart: `read` checks what is drawn, `layout` draws it at any width.
 *
 * @template T
 * @typedef {object} ChartKind
 * @property {readonly string[]} options  besides those that all charts share
 * @property {(given: any, caller: string, view?: 'contribution' | 'slope') => T} read
 * @property {(data: T, look: any) => Chart} layout
 */

const VIEWS = /** @type {const} */ (['contribution', 'slope']);

/** @type {ChartKind<Explanation>} */
export const WATERFALL = {
  options: ['features'],
  read(given, caller) {
    checkDrawable(given, caller);
    checkContributions(given);
    return given;
  },
  layout: layoutWaterfall,
};

/** @typedef {import('../measure/aligned-explanations.js').Aligned} Aligned */

/** @type {ChartKind<Aligned>} */
export const SUMMARY = {
  options: ['features'],
  read: (given, caller) => alignExplanations(given, caller),
  layout: layoutSummary,
};

/** @type {ChartKind<import('../measure/summary.js').Summary>} */
export const IMPORTANCE = { options: ['features'], read: checkSummary, layout: layoutImportance };

/** @type {ChartKind<Aligned>} */
export const DEPENDENCE = {
  options: ['feature', 'view'],
  read(given, caller, view = 'contribution') {
    const aligned = alignExplanations(given, caller, { view });
    const [{ kind }] = aligned.explanations;
    if (kind !== 'row') throw new TypeError(`${caller} needs explanations of kind "row", not ${show(kind)}`);
    return aligned;
  },
  layout: layoutDependence,
};

/** @type {ChartKind<import('../measure/comparison.js').Comparison>} */
export const COMPARISON = { options: ['features', 'names'], read: checkComparison, layout: layoutComparison };

/** @type {ChartKind<Aligned>} */
export const STEADINESS = {
  options: ['features', 'view'],
  read: (given, caller, view = 'slope') => alignExplanations(given, caller, { view }),
  layout: layoutSteadiness,
};

/** @type {ChartKind<Aligned>} */
export const TARGETS = {
  options: ['features'],
  read: (given, caller) => alignExplanations(given, caller, { targets: true }),
  layout: layoutTargets,
};

/** @typedef {import('../measure/recourse-result.js').Recourse} Recourse */

/** @type {ChartKind<Recourse>} */
export const RECOURSE = {
  options: [],
  read(given, caller) {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new TypeError(`${caller} needs a result of recourse, not ${show(given)}`);
    return checkRecourse(given);
  },
  layout: layoutRecourse,
};

/**
 * Checks the options of a chart, and fills in defaults.
 *
 * @param {Record<string, any>} options
 * @param {ChartKind<any>} kind
 * @param {string} caller
 */
export function checkChartLook(options, kind, caller) {
  const look = checkLook(options, caller, [...WORDING, ...kind.options]);
  const { names, view } = options;
  const features = checkCount(options.features ?? 12, 'features', 1);
  if (view !== undefined) checkChoice(view, 'view', VIEWS);
  if (
    names !== undefined &&
    !(Array.isArray(names) && names.length === 2 && names.every((name) => typeof name === 'string'))
  )
    throw new TypeError(`names must be two strings, not ${show(names)}`);
  return { ...options, ...look, features, words: new ChartWords(options) };
}

/**
 * @param {ChartKind<any>} kind
 * @param {unknown} given
 * @param {Record<string, any>} options
 * @param {string} caller
 * @returns {string}  the contents of an SVG file
 */
function render(kind, given, options, caller) {
  const look = checkChartLook(options, kind, caller);
  const { drawing, sentence, table } = kind.layout(kind.read(given, caller, options.view), {
    ...look,
    measure: guessWidth,
  });
  const rows = table.rows.slice(0, 12).map((cells) => cells.filter(Boolean).join(', '));
  return fileOf(drawing, look, [sentence, ...rows].join(' | '));
}

/**
 * Renders a waterfall: from the answer at the reference through the contributions to the model's answer, with intervals, the
 * features that are not shown, and what the surrogate does not explain. It answers "why this answer?".
 *
 * @param {Explanation} explanation  with contributions
 * @param {ChartOptions} [options]
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}  if this is no explanation with contributions, or an option is wrong
 */
export function renderWaterfallSVG(explanation, options = {}) {
  return render(WATERFALL, explanation, options, 'renderWaterfallSVG');
}

/**
 * Renders the contributions of many rows: one dot per row and feature, colored by the value of the feature. With many rows a dot
 * stands for several; the picture says so.
 *
 * @param {readonly Explanation[]} explanations  of one target, with contributions
 * @param {ChartOptions} [options]
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}
 */
export function renderSummarySVG(explanations, options = {}) {
  return render(SUMMARY, explanations, options, 'renderSummarySVG');
}

/**
 * Renders how much each feature matters over many explanations: the mean |contribution| with its interval, split by direction.
 *
 * @param {import('../measure/summary.js').Summary} summary  from `summarize`
 * @param {ChartOptions} [options]
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}
 */
export function renderImportanceSVG(summary, options = {}) {
  return render(IMPORTANCE, summary, options, 'renderImportanceSVG');
}

/**
 * Renders how the contribution of one feature depends on its value.
 *
 * @param {readonly Explanation[]} explanations  of rows, of one target, with contributions
 * @param {Omit<ChartOptions, 'features'> & { feature: string | number, view?: 'contribution' | 'slope' }} options  feature: its name or
 *   index; view: default `'contribution'`
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}
 */
export function renderDependenceSVG(explanations, options) {
  return render(DEPENDENCE, explanations, options ?? {}, 'renderDependenceSVG');
}

/**
 * Renders why two answers differ: from the first answer through the changes of the contributions to the second one.
 *
 * @param {import('../measure/comparison.js').Comparison} comparison  from `compare`
 * @param {ChartOptions & { names?: readonly [string, string] }} [options]  names: of the two answers; default "before" and "after"
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}
 */
export function renderComparisonSVG(comparison, options = {}) {
  return render(COMPARISON, comparison, options, 'renderComparisonSVG');
}

/**
 * Renders the signs of all features over several explanations, of one input with other seeds or of its neighbors.
 *
 * @param {readonly Explanation[]} explanations  of one target
 * @param {ChartOptions & { view?: 'contribution' | 'slope' }} [options]  view: default `'slope'`, because the values of neighbors differ
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}
 */
export function renderSteadinessSVG(explanations, options = {}) {
  return render(STEADINESS, explanations, options, 'renderSteadinessSVG');
}

/**
 * Renders the explanations of one input for several targets in one picture.
 *
 * @param {readonly Explanation[]} explanations  one per target, with contributions
 * @param {ChartOptions} [options]
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}
 */
export function renderTargetsSVG(explanations, options = {}) {
  return render(TARGETS, explanations, options, 'renderTargetsSVG');
}

/**
 * Renders what would change an answer: each change from where to where, and the answer before and after.
 *
 * @param {Recourse} recourse  from `recourse`
 * @param {Omit<ChartOptions, 'features'>} [options]
 * @returns {string}  the contents of an SVG file
 * @throws {TypeError | RangeError}  if this is not a result of `recourse`, or an option is wrong
 */
export function renderRecourseSVG(recourse, options = {}) {
  return render(RECOURSE, recourse, options, 'renderRecourseSVG');
}

/**
 * Says in a sentence what would change the answer, such as "Approved if income were 31,000 instead of 26,000."
 *
 * @param {Recourse} recourse  from `recourse`
 * @param {import('./chart-words.js').WordOptions} [options]
 * @returns {string}  plain text without control characters; escape it for HTML
 * @throws {TypeError | RangeError}  if this is not a result of `recourse`, or an option is wrong
 */
export function renderRecourseSentence(recourse, options = {}) {
  const given = RECOURSE.read(recourse, 'renderRecourseSentence');
  return sayRecourse(given, new ChartWords(checkNames(options, WORDING, 'renderRecourseSentence'))).sentence;
}
