// Reads the options of the solver into checked settings, as numbers that C understands.
import { checkChoice, checkCount, checkFlag, checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { SAMPLINGS } from '../neighborhood/sampler.js';

/**
 * Options that every `explain…` call takes.
 *
 * @typedef {object} SolveOptions
 * @property {'linex' | 'lime' | 's-lime' | 'baseline' | 'shap'} [method]  default `'linex'`; `'baseline'` has LIME's weights
 *   but predicts the neighborhood's mean; `'shap'` gives Shapley values
 * @property {'mean' | 'median' | 'median-of-means'} [smoothing]  how `'s-lime'` combines its fits; default `'mean'`
 * @property {number | EnvironmentKind | readonly ArrayLike<number>[] | EnvironmentOptions} [environments]
 *   how the answered samples are split among the players: a number of players, a kind, both, or your own weights (k arrays
 *   of n); default 2 bootstraps
 * @property {'auto' | 'forward' | 'highest' | 'lasso' | 'none'} [selection]  how features are selected; default `'auto'`, as LIME
 *   does it
 * @property {number | 'all'} [features]  how many weights may be non-zero; default 5, for images all. With `'shap'`,
 *   how many are listed in `features`, default all; `weights` always has all, because they add up only together
 * @property {number} [gamma]  the most that one environment may add to a weight; default: the largest |weight| in the
 *   fits of the single environments
 * @property {number} [l1]  bound on the sum of all |weights|; default none
 * @property {number} [ridge]  scikit-learn's alpha; default 1, for `'maple'` 0.001. With at least 32 features and fewer
 *   than four samples per feature, the default is relative: a tenth of the median energy of the features
 * @property {'free' | 'feature' | 'none'} [intercept]  default `'free'`
 * @property {number} [kernelWidth]  width of the kernel that weighs samples by distance; default 0.75 √(features)
 * @property {number} [games]  the weights are the mean over this many games, each with new environments; default 1
 * @property {number} [agreement]  a weight whose `signAgreement` is below this is silenced, that is set to 0; default 0
 * @property {number} [draws]  how often the environments are drawn again for intervals and sign agreement; default 200,
 *   for pixels 0; 0 for none
 * @property {'auto' | 'sweeps' | 'path' | 'best-response'} [solver]  default `'auto'`
 * @property {number} [tolerance]  largest residual of a converged game, relative to gamma; default 1e-9
 * @property {number} [maxRounds]  default: the solver's own limit
 * @property {boolean} [keepGame]  whether the explanation includes the first game, for `solveGame`; default false
 * @property {number} [seed]  default 0. The same seed gives the same explanation
 * @property {readonly string[]} [classes]  names of the model's answers
 * @property {Target | readonly Target[]} [target]  which answer is explained; default `'top'`, the highest at the
 *   input. An array gives one explanation per target, from the same queries
 */

/** @typedef {number | string} Target  a class by index or by name, or `'top'` */

/**
 * @typedef {'bootstrap' | 'halves' | 'near-far' | 'widths' | 'clusters'} EnvironmentKind
 */

/**
 * @typedef {object} EnvironmentOptions
 * @property {EnvironmentKind} [kind]
 * @property {number} [count]  number of players; default 2
 * @property {readonly ArrayLike<number>[]} [weights]  your own, k arrays of n
 * @property {boolean} [anchored]  whether the input belongs to every environment; default false
 */

export const SOLVE_OPTIONS = Object.freeze([
  ...['method', 'smoothing', 'environments', 'selection', 'features', 'gamma', 'l1', 'ridge', 'intercept'],
  ...['kernelWidth', 'games', 'agreement', 'draws', 'solver', 'tolerance', 'maxRounds', 'keepGame', 'seed'],
  ...['classes', 'target'],
]);

/** The default of the option `sampling`. @type {import('../neighborhood/sampler.js').Sampling} */
const SAMPLING = 'designed';

export const METHODS = ['linex', 'lime', 's-lime', 'baseline', 'shap'];
/**
 * The method that C computes for each name. The baseline is LIME with another prediction; `'shap'` has no code here.
 */
const METHOD_CODES = [0, 1, 2, 1, 0];
const SMOOTHINGS = ['mean', 'median', 'median-of-means'];
const SELECTIONS = ['auto', 'forward', 'highest', 'lasso', 'none'];
const INTERCEPTS = ['free', 'feature', 'none'];
const KINDS = ['bootstrap', 'halves', 'near-far', 'widths', 'clusters'];
const OWN = KINDS.length;
/** LINEX_RIDGE_AUTO of linex.h. */
const RIDGE_AUTO = -1;
/** Whether the automatic ridge is relative, as in linex.h. @param {number} featureCount @param {number} samples */
export const isWide = (featureCount, samples) => featureCount >= 32 && samples < 4 * featureCount;
export const SOLVERS = ['auto', 'sweeps', 'path', 'best-response'];

/**
 * @typedef {ReturnType<typeof readSettings>} Settings
 */

/**
 * @param {SolveOptions & { sampling?: import('../neighborhood/sampler.js').Sampling }} options  names already checked
 * @param {{ samples: number, features?: number | 'all', ridge?: number, draws?: number }} known  samples: how many are
 *   planned; the rest are defaults
 * @throws {TypeError | RangeError}
 */
export function readSettings(options, { samples, ...defaults }) {
  const { method = 'linex', smoothing = 'mean', environments = 2, selection = 'auto', kernelWidth } = options;
  const {
    features = defaults.features ?? 5,
    ridge = defaults.ridge,
    draws = defaults.draws ?? 200,
    gamma,
    l1,
  } = options;
  const { intercept = 'free', games = 1, agreement = 0, solver = 'auto', tolerance = 1e-9, maxRounds } = options;
  const { keepGame = false, seed = 0, classes, target = 'top', sampling = SAMPLING } = options;
  if (kernelWidth !== undefined) checkNumber(kernelWidth, 'kernelWidth', { above: 0 });
  const silencing = checkNumber(agreement, 'agreement', { least: 0, most: 1 });
  const drawCount = checkCount(draws, 'draws', 0, 1e6);
  if (silencing > 0 && drawCount === 0)
    throw new RangeError('agreement is computed from draws, so draws must not be 0');
  return {
    method: METHODS[checkChoice(method, 'method', METHODS)],
    methodCode: METHOD_CODES[METHODS.indexOf(method)],
    smoothing: checkChoice(smoothing, 'smoothing', SMOOTHINGS),
    selection: checkChoice(selection, 'selection', SELECTIONS),
    features: readFeatures(features),
    intercept: checkChoice(intercept, 'intercept', INTERCEPTS),
    ridge: ridge === undefined ? RIDGE_AUTO : checkNumber(ridge, 'ridge', { least: 0, most: Number.MAX_VALUE }),
    environments: readEnvironments(environments, samples),
    gamma: gamma === undefined ? 0 : checkNumber(gamma, 'gamma', { above: 0, most: Number.MAX_VALUE }),
    l1: l1 === undefined ? Infinity : checkNumber(l1, 'l1', { above: 0 }),
    solver: checkChoice(solver, 'solver', SOLVERS),
    tolerance: checkNumber(tolerance, 'tolerance', { above: 0, most: 1 }),
    maxRounds: maxRounds === undefined ? 0 : checkCount(maxRounds, 'maxRounds', 1),
    keepGame: checkFlag(keepGame, 'keepGame'),
    games: checkCount(games, 'games', 1, 1e6),
    agreement: silencing,
    draws: drawCount,
    seed: checkCount(seed, 'seed', 0, Number.MAX_SAFE_INTEGER),
    sampling: SAMPLINGS[checkChoice(sampling, 'sampling', SAMPLINGS)],
    kernelWidth: /** @type {number | undefined} */ (kernelWidth),
    classes: readClasses(classes),
    target: readTargets(target, classes),
  };
}

/** @param {unknown} features */
function readFeatures(features) {
  if (features === 'all' || features === Infinity) return 0;
  if (typeof features === 'string') throw new RangeError(`features must be a number or 'all', not ${show(features)}`);
  return checkCount(features, 'features', 1);
}

/**
 * @param {any} environments
 * @param {number} samples
 */
function readEnvironments(environments, samples) {
  let given = environments;
  if (typeof given === 'number') given = { count: given };
  else if (typeof given === 'string') given = { kind: given };
  else if (Array.isArray(given)) given = { weights: given };
  checkNames(given, ['kind', 'count', 'weights', 'anchored'], 'environments');
  const { kind, weights, anchored = false, count = weights?.length ?? 2 } = given;
  checkFlag(anchored, 'environments.anchored');
  checkCount(count, 'environments', 1, Math.min(100, samples));
  if (weights !== undefined && kind !== undefined)
    throw new RangeError(`environments takes a kind or weights, not both: ${show(kind)} and weights`);
  if (weights === undefined)
    return { kind: checkChoice(kind ?? 'bootstrap', 'environments.kind', KINDS), count, anchored, own: undefined };
  if (!Array.isArray(weights) || weights.length !== count)
    throw new RangeError(`environments.weights must be ${count} arrays, not ${show(weights)}`);
  const own = new Float64Array(count * samples);
  weights.forEach((/** @type {ArrayLike<number>} */ one, /** @type {number} */ i) => {
    if (one?.length !== samples)
      throw new RangeError(`environment ${i} must have ${samples} weights, one per sample, not ${show(one)}`);
    for (let j = 0; j < samples; j++)
      own[i * samples + j] = checkNumber(one[j], `weight ${j} of environment ${i}`, { least: 0, most: 1e100 });
    if (!own.subarray(i * samples, (i + 1) * samples).some((weight) => weight > 0))
      throw new RangeError(`environment ${i} must have a weight above 0, not 0 for every sample`);
  });
  return { kind: OWN, count, anchored, own };
}

/**
 * @param {unknown} classes
 * @returns {readonly string[] | undefined}
 */
function readClasses(classes) {
  if (classes === undefined) return undefined;
  const named = Array.isArray(classes) && classes.length > 0 && classes.every((name) => typeof name === 'string');
  if (!named) throw new TypeError(`classes must be an array of names, not ${show(classes)}`);
  const twice = classes.find((name, i) => classes.indexOf(name) !== i);
  if (twice !== undefined) throw new RangeError(`classes has the name ${show(twice)} twice`);
  return classes;
}

/**
 * @param {unknown} target
 * @param {readonly string[] | undefined} classes
 * @returns {{ several: boolean, wanted: ('top' | number)[] }}
 */
function readTargets(target, classes) {
  const several = Array.isArray(target);
  const wanted = (several ? target : [target]).map((/** @type {unknown} */ one) => {
    if (typeof one === 'string' && classes?.includes(one)) return classes.indexOf(one);
    if (one === 'top') return one;
    if (typeof one === 'number' && Number.isInteger(one) && one >= 0 && one < (classes?.length ?? Infinity)) return one;
    const known = classes ? `classes are ${classes.join(', ')}` : 'a name needs the classes option';
    throw new RangeError(`target must be a class or its index, not ${show(one)}; ${known}`);
  });
  if (wanted.length === 0) throw new RangeError('target must name at least one class, not an empty array');
  return { several, wanted };
}

/**
 * Which columns of the model's answers are explained.
 *
 * @param {Settings} settings
 * @param {number} columns
 * @param {ArrayLike<number>} [atInput]  the answer at the input; `'top'` needs it unless there is one column
 * @returns {number[]}
 * @throws {RangeError}
 */
export function resolveTargets({ classes, target }, columns, atInput) {
  if (classes && classes.length !== columns)
    throw new RangeError(`classes has ${classes.length} names, but the model gives ${columns} numbers per sample`);
  return target.wanted.map((one) => {
    if (one === 'top') {
      if (columns === 1) return 0;
      if (!atInput) throw new RangeError("target 'top' needs the answer at the input; name a class instead");
      return Array.from(atInput).reduce((best, value, i) => (value > atInput[best] ? i : best), 0);
    }
    if (one < columns) return one;
    throw new RangeError(`target ${one} does not exist: the model gives ${columns} numbers per sample`);
  });
}

/**
 * How an explanation names a target: its class, or its index if classes have no names, or null for a single score.
 *
 * @param {Settings} settings
 * @param {number} column
 * @param {number} columns
 * @returns {string | number | null}
 */
export function targetName({ classes }, column, columns) {
  return classes?.[column] ?? (columns === 1 ? null : column);
}
