// Reads the options of a call into a plan: how the model is asked, and by which method the answers are explained.
import { checkChoice, checkCount, checkFlag, checkNumber, checkSignal } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { readSettings } from '../solve/settings.js';

/**
 * How the model is asked. Every `explain…` call takes these options.
 *
 * @typedef {object} AskOptions
 * @property {number | 'auto'} [samples]  how many samples are planned, the input included; default 1000. `'auto'` asks
 *   until the leading weights are certain, at most `maxSamples`. With your own `neighborhood`, `'auto'` makes all
 *   `maxSamples` samples first and saves only queries. With `method: 'shap'`, the number of coalitions: at least 2 per
 *   feature plus 2; default 1000, or 4 per feature plus 2 if that is more
 * @property {import('../neighborhood/sampler.js').Sampling} [sampling]  default `'designed'`: the samples are spread evenly,
 *   so that the explanation changes less with the seed; `'independent'`: each sample is drawn by itself, as LIME does
 *   it. Not for `method: 'shap'` and `'maple'`
 * @property {number} [maxSamples]  limit for `samples: 'auto'`; default 5000, for images 1000. With `method: 'shap'`, 4 per
 *   feature plus 2 if that is more
 * @property {number} [precision]  for `samples: 'auto'`: an interval is narrow enough below this share of the largest
 *   weight; default 0.2
 * @property {number} [batchSize]  samples per call of `predict`; default 256, for images as many as fit into 8 MB
 * @property {number} [concurrency]  calls of `predict` that may run at once; default 1
 * @property {number} [timeout]  milliseconds that one call of `predict` may take; default no limit. It cannot interrupt a
 *   model that never yields to the event loop
 * @property {boolean} [keepAnswers]  whether the explanation keeps the model's answers, as `answers`; default false
 * @property {import('../solve/kept-answers.js').KeptAnswers} [answers]  of an earlier explanation of the same input: the model is
 *   not asked. The samples are the earlier ones, so `samples`, `sampling`, `maxSamples` and `precision` are refused
 * @property {AbortSignal} [signal]
 * @property {(progress: Progress) => unknown} [onProgress]  called after every batch. If it throws, or returns a promise
 *   that rejects, the call rejects with that error
 */

/**
 * @template [E=any]  the explanation, or an array if `target` is one
 * @typedef {object} Progress
 * @property {number} asked  queries answered so far
 * @property {number} planned  queries in total; with `samples: 'auto'` an upper limit
 * @property {'model' | 'solve'} phase
 * @property {number} [progress]  while solving: the share of the work that is done, from 0 to 1
 * @property {E | null} partial  the explanation from the answers so far, or an array if `target` is one; null while there are
 *   too few answers. Computed lazily, on first access
 * @property {number} [row]  in `explainRows`: the index of the row
 */

/**
 * @typedef {object} ShapOptions
 * @property {'identity' | 'logit'} [link]  for `method: 'shap'`: the features share out the answer (`'identity'`, the
 *   default) or its log-odds (`'logit'`; answers must then lie between 0 and 1)
 */

/**
 * Defaults that depend on what is explained.
 *
 * @typedef {{ maxSamples?: number, batchSize?: number, features?: number | 'all', ridge?: number, draws?: number }} Defaults
 */

export const ASK_OPTIONS = Object.freeze([
  ...['samples', 'sampling', 'maxSamples', 'precision', 'batchSize', 'concurrency', 'timeout', 'signal', 'onProgress'],
  ...['keepAnswers', 'answers'],
]);

/** An option of our own, which users cannot name. */
export const INSIDE = Symbol('inside');

/**
 * @typedef {object} Inside
 * @property {(study: any, plan: AskPlan) => any} [count]  called instead of asking and explaining
 * @property {{ seed: number, kept: import('../solve/kept-answers.js').KeptAnswers }} [again]  answers that were kept, and the seed
 *   of the games
 */

/**
 * Completes the options of a call: by what a model tells about itself, as those of `linex/adapters` do, and by the samples of kept
 * answers.
 *
 * @template O
 * @param {O} options  names already checked
 * @param {any} predict
 * @returns {Promise<O>}
 */
export async function readCall(options, predict) {
  /** @type {any} */
  let call = options;
  if (predict.classes || predict.input)
    call = (await import('../core/model-facts.js')).withModelFacts(options, predict);
  if (call.answers === undefined) return call;
  const { again, ...rest } = (await import('../solve/kept-answers.js')).withAnswers(call);
  return { ...rest, [INSIDE]: { ...call[INSIDE], again } };
}

export const SHAP_OPTIONS = Object.freeze(['link']);

export const LINKS = /** @type {const} */ (['identity', 'logit']);

/**
 * Samples between two looks at the weights. It does not depend on the batch size, so the result does not depend on it
 * either.
 */
export const LOOK_EVERY = 128;
/** The leading features must stay the same in this many further looks. */
export const SAME_LOOKS = 2;

/** The fewest samples after which asking may stop. With fewer possible samples, all of them are asked. */
export const FEWEST = (SAME_LOOKS + 1) * LOOK_EVERY;

/**
 * After how many samples the weights are looked at. Designed samples come in runs after the input, and are looked at in
 * whole runs.
 *
 * @param {number} look  1, 2, …
 * @param {import('../neighborhood/sampler.js').Sampling} sampling
 * @param {number} limit  the most samples
 * @param {number} [run]  how many consecutive samples belong together
 */
export function lookAt(look, sampling, limit, run = 1) {
  const first = sampling === 'designed' ? 1 : 0;
  const step = Math.max(1, Math.round(LOOK_EVERY / run)) * run;
  // The last look is not at a part of a run, unless the limit allows no whole run.
  const last = Math.floor((limit - first) / run) * run + first;
  return Math.min(first + look * step, last > first ? last : limit);
}

/** Options that have no meaning for Shapley values. */
export const NOT_FOR_SHAP = /** @type {const} */ ([
  ...['preset', 'smoothing', 'environments', 'selection', 'gamma', 'l1', 'ridge', 'intercept', 'kernelWidth', 'games'],
  ...['adjust', 'weight', 'agreement', 'draws', 'solver', 'tolerance', 'maxRounds', 'keepGame'],
  ...['sampling', 'center', 'discretize', 'units', 'neighborhood', 'distance', 'reference', 'keepAnswers', 'answers'],
]);

/** Options that have no meaning for MAPLE, which asks no questions. */
export const NOT_FOR_MAPLE = /** @type {const} */ ([
  ...['preset', 'smoothing', 'environments', 'selection', 'gamma', 'l1', 'kernelWidth', 'games', 'solver', 'tolerance'],
  ...['adjust', 'weight', 'maxRounds', 'keepGame', 'maxSamples', 'precision', 'sampling', 'center'],
  ...['keepAnswers', 'answers'],
]);

/**
 * @param {AskOptions & import('../solve/settings.js').SolveOptions} options  names already checked
 * @param {Defaults} [defaults]
 * @throws {TypeError | RangeError}
 */
export function readAskPlan(options, defaults = {}) {
  const { samples = 1000, maxSamples = defaults.maxSamples ?? 5000, precision = 0.2, concurrency = 1 } = options;
  const {
    batchSize = defaults.batchSize ?? 256,
    timeout = Infinity,
    signal,
    onProgress,
    keepAnswers = false,
  } = options;
  checkSignal(signal);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`onProgress must be a function, not ${show(onProgress)}`);
  const auto = samples === 'auto';
  if (typeof samples === 'string' && !auto)
    throw new RangeError(`samples must be a number or 'auto', not ${show(samples)}`);
  const limit = checkCount(maxSamples, 'maxSamples', 2, 1e7);
  if (auto && Array.isArray(/** @type {any} */ (options.environments)?.weights ?? options.environments))
    throw new RangeError("your own environments have one weight per sample, so samples cannot be 'auto'");
  const count = auto ? limit : checkCount(samples, 'samples', 2, 1e7);
  const settings = readSettings(options, { samples: count, ...defaults });
  return {
    auto,
    samples: auto ? lookAt(1, settings.sampling, limit) : count,
    maxSamples: limit,
    precision: checkNumber(precision, 'precision', { above: 0 }),
    batchSize: checkCount(batchSize, 'batchSize', 1),
    concurrency: checkCount(concurrency, 'concurrency', 1),
    timeout: checkNumber(timeout, 'timeout', { above: 0 }),
    signal,
    ...watchProgress(onProgress),
    keepAnswers: checkFlag(keepAnswers, 'keepAnswers'),
    .../** @type {Inside} */ (/** @type {any} */ (options)[INSIDE]),
    settings,
  };
}

/**
 * Watches the promises that an asynchronous `onProgress` returns. If one rejects, the next report throws its reason.
 *
 * @param {AskOptions['onProgress']} onProgress
 */
function watchProgress(onProgress) {
  /** @type {{ reason: unknown } | undefined} */
  let failure;
  const throwIfProgressFailed = () => {
    if (failure) throw failure.reason;
  };
  /** @type {AskOptions['onProgress']} */
  const report = (progress) => {
    throwIfProgressFailed();
    Promise.resolve(onProgress?.(progress)).then(undefined, (reason) => (failure ??= { reason }));
  };
  return { onProgress: onProgress && report, throwIfProgressFailed };
}

/** @typedef {ReturnType<typeof readAskPlan> & { row?: number }} AskPlan  row: reported with the progress */

/**
 * The plan of a call. Options that the method cannot use are refused.
 *
 * @param {AskOptions & import('../solve/settings.js').SolveOptions & ShapOptions} options  names already checked
 * @param {Defaults} [defaults]
 * @throws {TypeError | RangeError}
 */
export function readPlan(options, defaults = {}) {
  const { method = 'linex', link = 'identity', samples } = options;
  const shap = method === 'shap';
  if (shap) refuseOptions(options, NOT_FOR_SHAP, method);
  else refuseUnlessShap(options.link, 'link', method);
  const plan = shap
    ? readAskPlan({ ...options, preset: 'paper' }, { ...defaults, features: 'all', draws: 0 })
    : readAskPlan(options, defaults);
  if (!shap) return { ...plan, link: checkChoice(link, 'link', LINKS) };
  const [given, read] = plan.auto ? [options.maxSamples, plan.maxSamples] : [samples, plan.samples];
  // The default number of coalitions depends on the number of features, which is not known yet.
  return { ...plan, samples: given === undefined ? Infinity : read, link: checkChoice(link, 'link', LINKS) };
}

/** @typedef {ReturnType<typeof readPlan> & { row?: number }} Plan */

/**
 * Throws if an option is given that the method cannot use.
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
 * Throws if an option is given that only `method: 'shap'` can use.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {string} method
 * @throws {TypeError}
 */
export function refuseUnlessShap(value, name, method) {
  if (value !== undefined) throw new TypeError(`option ${show(name)} is for method 'shap', not for ${show(method)}`);
}

// The types of the options of each method: an option that a method does not take does not compile.

/** @typedef {import('../solve/settings.js').Target} Target */

/** @typedef {Target | readonly Target[]} Targets  one target, or several */

/** @typedef {'linex' | 'lime' | 's-lime' | 'baseline'} FitMethod  the methods that fit a surrogate to answers */

/**
 * Options that may only be undefined. So they are refused in objects of any origin, and can be read from any options.
 *
 * @template {PropertyKey} Names
 * @typedef {{ [name in Names]?: undefined }} Without
 */

/**
 * The options that a method takes.
 *
 * @template All  the options of all methods
 * @template {PropertyKey} Refused  those that the method does not take
 * @typedef {Omit<All, Refused | 'method' | 'target' | 'onProgress'> & Without<Extract<keyof All, Refused>>} Taken
 */

/**
 * The options of one method. If the method is known only at run time, the type is a union.
 *
 * @template All  the options of all methods
 * @template M  the method
 * @typedef {M extends 'shap' ? Taken<All, NotForShap> & { method: 'shap' } :
 *   M extends 'maple' ? Taken<All, NotForMaple | ForShap> & { method: 'maple' } :
 *   Taken<All, ForShap> & { method?: FitMethod }} MethodOptions
 */

/**
 * @typedef {typeof NOT_FOR_SHAP[number]} NotForShap
 * @typedef {typeof NOT_FOR_MAPLE[number]} NotForMaple
 * @typedef {'link' | 'background'} ForShap  what only Shapley values take
 */

/**
 * What depends on the target: one explanation, or an array with one per target.
 *
 * @template E  the explanation
 * @template T  the option `target`
 * @typedef {T extends readonly unknown[] ? E[] : E} PerTarget
 */

/**
 * The same type, from which TypeScript infers nothing: what is inferred comes from the options `method` and `target` only.
 *
 * @template X
 * @typedef {[X][X extends any ? 0 : never]} Inferred
 */

/**
 * The options of a call.
 *
 * @template All  the options of all methods
 * @template M  the method
 * @template T  the option `target`
 * @template E  the explanation
 * @typedef {MethodOptions<All, M> & { method?: M, target?: T,
 *   onProgress?: (progress: Progress<PerTarget<E, Inferred<T>>>) => unknown }} CallOptions
 */
