import { show } from '../core/errors.js';
import { readPlan } from './line.js';
import { checkChoice } from '../core/check-options.js';

/**
 * @typedef {object} ShapOptions
 * @property {'identity' | 'logit'} [link]  of `method: 'shap'`: what is shared out among the features, the answer (the
 *   default) or its log-odds; for these, answers must lie between 0 and 1
 */

export const SHAP_OPTIONS = Object.freeze(['link']);

/** What Shapley values have no use for: they come of the answers alone. */
const REFUSED = [
  ...['smoothing', 'environments', 'selection', 'gamma', 'l1', 'ridge', 'intercept', 'kernelWidth', 'games'],
  ...['agreement', 'draws', 'solver', 'tolerance', 'maxRounds', 'keepGame', 'maxSamples', 'precision'],
  ...['center', 'discretize', 'units', 'neighborhood', 'distance'],
];

export const LINKS = /** @type {const} */ (['identity', 'logit']);

/**
 * The plan of a call by whatever method; what the method has no use for is refused.
 *
 * @param {import('./line.js').AskOptions & import('./settings.js').SolveOptions & ShapOptions} options  names already
 *   checked
 * @param {Parameters<typeof readPlan>[1]} [usual]
 * @throws {TypeError | RangeError}
 */
export function readMethodPlan(options, usual = {}) {
  const { method = 'linex', link = 'identity', samples } = options;
  const shap = method === 'shap';
  if (shap) refuseOptions(options, REFUSED, method);
  else refuseForOthers(options.link, 'link', method);
  if (shap && typeof samples === 'string')
    throw new RangeError(`samples must be a number of coalitions with method 'shap', not ${show(samples)}`);
  const plan = readPlan(options, shap ? { ...usual, features: 'all', draws: 0 } : usual);
  // How many coalitions are usual is not known before the features are counted.
  const count = shap && samples === undefined ? Infinity : plan.samples;
  return { ...plan, samples: count, link: checkChoice(link, 'link', LINKS) };
}

/**
 * Throws if an option is given that the method has no use for.
 *
 * @param {object} options
 * @param {readonly string[]} names
 * @param {string} method
 * @throws {TypeError}
 */
export function refuseOptions(options, names, method) {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && names.includes(name))
      throw new TypeError(`method '${method}' takes no option ${show(name)}`);
}

/**
 * Throws if an option is given that only Shapley values have a use for.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {string} method
 * @throws {TypeError}
 */
export function refuseForOthers(value, name, method) {
  if (value !== undefined) throw new TypeError(`option ${show(name)} is for method 'shap', not for ${show(method)}`);
}

/** @typedef {ReturnType<typeof readMethodPlan> & { row?: number }} MethodPlan */
