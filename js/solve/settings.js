// Reads the options of the solver into checked settings, as numbers that C understands.
import { checkChoice, checkCount, checkFlag, checkNames, checkNumber } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { SAMPLINGS } from '../neighborhood/sampler.js';

/**
 * Options that every `explain…` call takes.
 *
 * @typedef {object} SolveOptions
 * @property {'steady' | 'paper' | 'strict'} [preset]  a bundle of defaults for `environments`, `selection`, `games`, `draws`,
 *   `agreement`, `weight` and `adjust`; each can still be set alone. `'steady'`, the default: the fit to all samples, without
 *   the weights that many games on halves are not sure of. `'paper'`: the paper's LINEX to the letter. `'strict'`: as
 *   `'steady'`, with environments `'sides'`, so what changes direction near the input is silenced too
 * @property {'linex' | 'lime' | 's-lime' | 'baseline' | 'shap'} [method]  default `'linex'`; `'baseline'` has LIME's weights
 *   but predicts the neighborhood's mean; `'shap'` gives Shapley values
 * @property {'mean' | 'median' | 'median-of-means'} [smoothing]  how `'s-lime'` combines its fits; default `'mean'`
 * @property {number | EnvironmentKind | readonly ArrayLike<number>[] | EnvironmentOptions} [environments]
 *   how the answered samples are split among the players: a number of players, a kind, both, or your own weights (k arrays
 *   of n); default 2 halves, with `preset: 'paper'` 2 bootstraps, with `'strict'` 2 sides
 * @property {'leading' | 'auto' | 'forward' | 'highest' | 'lasso' | 'none'} [selection]  which features are listed.
 *   `'leading'`, the default: all play (at most 128), and those with the largest weights that are sure are listed. The
 *   others are selected before the fit; `'auto'`, the default of `preset: 'paper'`, does it as LIME does
 * @property {number | 'all'} [features]  how many weights may be non-zero; default 5, for images all. With `'shap'`,
 *   how many are listed in `features`, default all; `weights` always has all, because they add up only together
 * @property {number} [gamma]  the most that one environment may add to a weight; default: the largest |weight| in the
 *   fits of the single environments
 * @property {number} [l1]  bound on the sum of all |weights|; default none
 * @property {number} [ridge]  scikit-learn's alpha; default 1, for `'maple'` 0.001. With at least 32 features and fewer
 *   than four samples per feature, the default is relative: a tenth of the median energy of the features. If every
 *   perturbation is asked, it is 1e-6, unless `adjust` is `'none'`
 * @property {'free' | 'feature' | 'none'} [intercept]  default `'free'`
 * @property {number} [kernelWidth]  width of the kernel that weighs samples by distance; default 0.75 √(features)
 * @property {'auto' | 'none'} [adjust]  `'auto'`, the default: noise is taken out of the answers before the fit, where that
 *   pays; the explanation says how in `adjusted`. Control variates are fitted to the answers of perturbed rows and drawn
 *   masks, and their linear part is known. It also chooses the ridge of masks. `'none'`, the default of `preset: 'paper'`:
 *   the answers stay as they are
 * @property {'fit' | 'games'} [weight]  which weights are reported. `'fit'`, the default for halves and sides: the fit to all
 *   samples; the games decide which weights are sure. `'games'`, the default of `preset: 'paper'`, of other environments, of
 *   images that a sampler makes, and with a `gamma` or an `l1` bound: the mean of the games
 * @property {number} [games]  how many games are played, each with new environments; default 60, with `preset: 'paper'` and
 *   with your own environments 1
 * @property {number} [agreement]  above 0, a weight that is not sure is silenced, that is set to 0: its `signAgreement` is
 *   below this, its `interval` holds zero, or it is below a millionth of the largest; default 0.9, with `preset: 'paper'` 0
 * @property {number} [draws]  how often the environments are drawn again for sign agreement and, unless they are halves or
 *   sides, for intervals; default 60 for halves and sides, otherwise 200; 0 for none. If more than 128 features play, the
 *   defaults of environments, games, agreement and draws are those of `preset: 'paper'`, with 20 draws for texts of more
 *   than 500 words and 0 for pixels
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
 * @typedef {'bootstrap' | 'halves' | 'near-far' | 'widths' | 'clusters' | 'sides'} EnvironmentKind
 */

/**
 * @typedef {object} EnvironmentOptions
 * @property {EnvironmentKind} [kind]
 * @property {number} [count]  number of players; default 2, and always 2 for `'sides'`
 * @property {readonly ArrayLike<number>[]} [weights]  your own, k arrays of n
 * @property {boolean} [anchored]  whether the input belongs to every environment; default false
 */

export const SOLVE_OPTIONS = Object.freeze([
  ...['preset', 'method', 'smoothing', 'environments', 'selection', 'features', 'gamma', 'l1', 'ridge', 'intercept'],
  ...['kernelWidth', 'games', 'agreement', 'draws', 'solver', 'tolerance', 'maxRounds', 'keepGame', 'seed'],
  ...['adjust', 'weight', 'classes', 'target'],
]);

export const METHODS = ['linex', 'lime', 's-lime', 'baseline', 'shap'];
/**
 * The method that C computes for each name. The baseline is LIME with another prediction; `'shap'` has no code here.
 */
const METHOD_CODES = [0, 1, 2, 1, 0];
const SMOOTHINGS = ['mean', 'median', 'median-of-means'];
const SELECTIONS = ['auto', 'forward', 'highest', 'lasso', 'none', 'leading'];
const [NO_SELECTION, LEADING] = [SELECTIONS.indexOf('none'), SELECTIONS.indexOf('leading')];
const ADJUSTMENTS = ['auto', 'none'];
const WEIGHTS = ['fit', 'games'];
export const WEIGHT_GAMES = WEIGHTS.indexOf('games');
const INTERCEPTS = ['free', 'feature', 'none'];
const KINDS = ['bootstrap', 'halves', 'near-far', 'widths', 'clusters', 'sides'];
const OWN = KINDS.length;
/** LINEX_MOST_TOLERANCE of linex.h. */
export const MOST_TOLERANCE = 0.1;

/** LINEX_MOST_PLAYING of linex.h. */
export const MOST_PLAYING = 128;

/** @typedef {'steady' | 'paper' | 'strict'} Preset */

/** The defaults of each preset, as linex_preset in linex.h. @type {Record<Preset, { sampling: import('../neighborhood/sampler.js').Sampling, kind: EnvironmentKind, selection: string, games: number, agreement: number, adjust: string, weight: string }>} */
const PRESETS = {
  steady: {
    sampling: 'designed',
    kind: 'halves',
    selection: 'leading',
    games: 60,
    agreement: 0.9,
    adjust: 'auto',
    weight: 'fit',
  },
  paper: {
    sampling: 'independent',
    kind: 'bootstrap',
    selection: 'auto',
    games: 1,
    agreement: 0,
    adjust: 'none',
    weight: 'games',
  },
  strict: {
    sampling: 'designed',
    kind: 'sides',
    selection: 'leading',
    games: 60,
    agreement: 1,
    adjust: 'auto',
    weight: 'fit',
  },
};
const PRESET_NAMES = /** @type {Preset[]} */ (Object.keys(PRESETS));
/** Environments whose intervals come from runs of samples, not from draws. They need fewer draws. */
const RUN_KINDS = ['halves', 'sides'];
const [DRAWS, DRAWS_OF_RUNS] = [200, 60];
/** LINEX_RIDGE_AUTO of linex.h. */
const RIDGE_AUTO = -1;
/** Whether the automatic ridge is relative, as in linex.h. @param {number} featureCount @param {number} samples */
export const isWide = (featureCount, samples) => featureCount >= 32 && samples < 4 * featureCount;

/**
 * Whether a fit may need `linex-wide.wasm`: its game is played without Gram matrices, as is_low_rank in
 * environment_fits.c has it. There it depends on the features that vary, which may be fewer.
 *
 * @param {Settings} settings
 * @param {number} featureCount
 * @param {number} samples  distinct ones
 */
export function needsWide(settings, featureCount, samples) {
  const playing = playingOf(settings, featureCount);
  if (!isWide(playing, samples) || (playing <= MOST_PLAYING && RUN_KINDS.includes(KINDS[settings.environments.kind])))
    return false;
  const { methodCode, solver, l1, ridge, intercept, keepGame } = settings;
  return methodCode === 0 && solver === 0 && l1 === Infinity && ridge !== 0 && intercept !== 1 && !keepGame;
}
export const SOLVERS = ['auto', 'sweeps', 'path', 'best-response'];

/**
 * @typedef {ReturnType<typeof readSettings>} Settings
 * @typedef {Pick<Settings, 'environments' | 'games' | 'agreement' | 'draws'>} Drawn
 */

/**
 * @param {SolveOptions & { sampling?: import('../neighborhood/sampler.js').Sampling }} options  names already checked
 * @param {{ samples: number, features?: number | 'all', ridge?: number, draws?: number }} known  samples: how many are
 *   planned; the rest are defaults. draws: for environments that are neither halves nor sides
 * @throws {TypeError | RangeError}
 */
export function readSettings(options, { samples, ...defaults }) {
  const { method = 'linex', smoothing = 'mean', kernelWidth, preset = 'steady' } = options;
  const { features = defaults.features ?? 5, ridge = defaults.ridge, gamma, l1 } = options;
  const { intercept = 'free', solver = 'auto', tolerance = 1e-9, maxRounds } = options;
  const { keepGame = false, seed = 0, classes, target = 'top' } = options;
  if (kernelWidth !== undefined) checkNumber(kernelWidth, 'kernelWidth', { above: 0 });
  const name = PRESET_NAMES[checkChoice(preset, 'preset', PRESET_NAMES)];
  const { selection = PRESETS[name].selection, sampling = PRESETS[name].sampling } = options;
  const { adjust = PRESETS[name].adjust } = options;
  return {
    preset: name,
    method: METHODS[checkChoice(method, 'method', METHODS)],
    methodCode: METHOD_CODES[METHODS.indexOf(method)],
    smoothing: checkChoice(smoothing, 'smoothing', SMOOTHINGS),
    selection: checkChoice(selection, 'selection', SELECTIONS),
    features: readFeatures(features),
    adjust: checkChoice(adjust, 'adjust', ADJUSTMENTS),
    weight: readWeight(options, PRESETS[name].weight),
    intercept: checkChoice(intercept, 'intercept', INTERCEPTS),
    ridge: ridge === undefined ? RIDGE_AUTO : checkNumber(ridge, 'ridge', { least: 0, most: Number.MAX_VALUE }),
    gamma: gamma === undefined ? 0 : checkNumber(gamma, 'gamma', { above: 0, most: Number.MAX_VALUE }),
    l1: l1 === undefined ? Infinity : checkNumber(l1, 'l1', { above: 0 }),
    solver: checkChoice(solver, 'solver', SOLVERS),
    tolerance: checkNumber(tolerance, 'tolerance', { above: 0, most: MOST_TOLERANCE }),
    maxRounds: maxRounds === undefined ? 0 : checkCount(maxRounds, 'maxRounds', 1),
    keepGame: checkFlag(keepGame, 'keepGame'),
    ...readDrawn(options, name, samples, defaults.draws),
    /** The same for many playing features. */
    drawnForMany: name === 'paper' ? undefined : readDrawn(options, 'paper', samples, defaults.draws),
    seed: checkCount(seed, 'seed', 0, Number.MAX_SAFE_INTEGER),
    sampling: SAMPLINGS[checkChoice(sampling, 'sampling', SAMPLINGS)],
    kernelWidth: /** @type {number | undefined} */ (kernelWidth),
    classes: readClasses(classes),
    target: readTargets(target, classes),
  };
}

/**
 * How environments are drawn, and what the draws are for.
 *
 * @param {SolveOptions} options
 * @param {Preset} preset
 * @param {number} samples
 * @param {number} [defaultDraws]
 */
function readDrawn(options, preset, samples, defaultDraws = DRAWS) {
  const { kind, ...defaults } = PRESETS[preset];
  const environments = readEnvironments(options.environments, samples, kind);
  const fromRuns = RUN_KINDS.includes(KINDS[environments.kind]);
  // Your own environments are played as they are.
  const { draws = fromRuns ? DRAWS_OF_RUNS : defaultDraws, games = environments.own ? 1 : defaults.games } = options;
  const drawCount = checkCount(draws, 'draws', 0, 1e6);
  const { agreement = drawCount > 0 ? defaults.agreement : 0 } = options;
  const silencing = checkNumber(agreement, 'agreement', { least: 0, most: 1 });
  if (silencing > 0 && drawCount === 0)
    throw new RangeError('agreement is computed from draws, so draws must not be 0');
  return { environments, games: checkCount(games, 'games', 1, 1e6), agreement: silencing, draws: drawCount };
}

/**
 * The settings for an input with this many features. Many games of many features would take too long, so their defaults
 * differ.
 *
 * @param {Settings} settings
 * @param {number} featureCount
 * @returns {Settings}
 */
export function settingsFor(settings, featureCount) {
  const { drawnForMany } = settings;
  return drawnForMany && playingOf(settings, featureCount) > MOST_PLAYING
    ? { ...settings, ...drawnForMany, drawnForMany: undefined }
    : settings;
}

/**
 * The settings as a record for C.
 *
 * @param {Settings} settings
 * @param {number} kernelWidth
 * @returns {import('../core/border.js').SettingsRecord}
 */
export function settingsRecord(settings, kernelWidth) {
  const { methodCode: method, environments } = settings;
  const { kind, count: players, anchored } = environments;
  return { ...settings, method, kernelWidth, kind, players, anchored };
}

/** How many features play. @param {Pick<Settings, 'features' | 'selection'>} settings @param {number} featureCount */
export function playingOf({ features, selection }, featureCount) {
  if (features === 0 || selection === NO_SELECTION) return featureCount;
  return Math.min(featureCount, selection === LEADING ? Math.max(features, MOST_PLAYING) : features);
}

/**
 * Which weights are reported. The fit to all samples has no bounds, and only halves and sides make it.
 *
 * @param {SolveOptions} options
 * @param {string} byPreset
 */
function readWeight({ weight, environments, gamma, l1 }, byPreset) {
  const code = checkChoice(weight ?? byPreset, 'weight', WEIGHTS);
  if (weight !== 'fit') return code;
  const bound = gamma !== undefined ? 'gamma' : l1 !== undefined ? 'l1' : undefined;
  if (bound) throw new RangeError(`weight 'fit' is not bounded by the game, so it cannot be used with ${bound}`);
  const kind = typeof environments === 'string' ? environments : /** @type {any} */ (environments)?.kind;
  if (Array.isArray(environments) || (kind !== undefined && !['halves', 'sides'].includes(kind)))
    throw new RangeError(`weight 'fit' needs environments 'halves' or 'sides', not ${show(kind ?? environments)}`);
  return code;
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
 * @param {EnvironmentKind} defaultKind
 */
function readEnvironments(environments, samples, defaultKind) {
  let given = environments ?? 2;
  if (typeof given === 'number') given = { count: given };
  else if (typeof given === 'string') given = { kind: given };
  else if (Array.isArray(given)) given = { weights: given };
  checkNames(given, ['kind', 'count', 'weights', 'anchored'], 'environments');
  const { kind, weights, anchored = false, count = weights?.length ?? 2 } = given;
  checkFlag(anchored, 'environments.anchored');
  checkCount(count, 'environments', 1, Math.min(100, samples));
  if (weights !== undefined && kind !== undefined)
    throw new RangeError(`environments takes a kind or weights, not both: ${show(kind)} and weights`);
  if (weights === undefined) {
    const code = checkChoice(kind ?? defaultKind, 'environments.kind', KINDS);
    if (KINDS[code] === 'sides' && count !== 2)
      throw new RangeError(`environments 'sides' are the 2 sides of a plane, not ${count}`);
    return { kind: code, count, anchored, own: undefined };
  }
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
 * `resolveTargets` for answers, the first of which is that at the input.
 *
 * @param {import('../core/ask-model.js').Answered} answered
 * @param {Settings} settings
 */
export function columnsOf({ answers, columns }, settings) {
  return resolveTargets(settings, columns, answers.subarray(0, columns));
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
