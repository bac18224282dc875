// Explains a text by its words: which words raise or lower the model's answer.
import { checkChoice, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { ready } from '../core/load.js';
import { TextComposer, TOKEN_OPTIONS, tokenizeInTurns } from '../data/tokens.js';
import { MASK_DISTANCES, MaskNeighborhood } from '../neighborhood/mask-neighborhood.js';
import { readSampler } from '../neighborhood/sampler.js';
import { adjustingFile } from '../solve/adjust-answers.js';
import { ASK_OPTIONS, readCall, readPlan, SHAP_OPTIONS } from './plan.js';
import { explainNeighborhood } from './run-explanation.js';
import { SOLVE_OPTIONS } from '../solve/settings.js';

/**
 * @typedef {import('../data/tokens.js').Span} Span
 * @typedef {import('../core/ask-model.js').Predict<string[]>} PredictTexts
 * @typedef {import('../neighborhood/sampler.js').TextSampler} TextSampler
 */

/**
 * @typedef {import('./explanation.js').Feature & { occurrences: readonly Span[] }} TextFeature
 */

/**
 * @typedef {import('./explanation.js').Explanation<TextFeature> & TextParts} TextExplanation
 */

/**
 * @typedef {object} TextParts
 * @property {string} text
 * @property {readonly { start: number, end: number, feature: number }[]} tokens  everything that could be removed, with its
 *   feature
 */

/**
 * @typedef {object} TextNeighborhoodOptions
 * @property {string} [mask]  replaces a removed word, such as `[MASK]`; default: the word is deleted with its space
 * @property {'random' | TextSampler | Promise<TextSampler>} [neighborhood]  default `'random'`: words are removed at
 *   random; or a sampler that makes texts
 * @property {'cosine' | 'euclidean'} [distance]  how far a text is from the input; default `'cosine'`, LIME's cosine distance
 *   times 100; `'euclidean'` is the root of the number of removed words
 */

/**
 * The options of all methods together.
 *
 * @typedef {import('../solve/settings.js').SolveOptions & import('./plan.js').AskOptions & import('../data/tokens.js').TokenOptions &
 *   TextNeighborhoodOptions & import('./plan.js').ShapOptions} AnyTextOptions
 */

/** @typedef {import('./plan.js').FitMethod | 'shap'} TextMethod */

/**
 * The options of one method. kernelWidth: in the units of `distance`; default 25, for `'euclidean'` 0.75 √(features).
 *
 * @template {TextMethod} [M=TextMethod]
 * @template {import('./plan.js').Targets} [T=import('./plan.js').Targets]
 * @typedef {import('./plan.js').CallOptions<AnyTextOptions, M, T, TextExplanation>} TextOptions
 */

const TEXT_OPTIONS = Object.freeze([
  ...SOLVE_OPTIONS,
  ...ASK_OPTIONS,
  ...TOKEN_OPTIONS,
  ...SHAP_OPTIONS,
  ...['mask', 'neighborhood', 'distance'],
]);

/** LIME multiplies the cosine distance of texts by 100. */
const COSINE_SCALE = 100;
const KERNEL_WIDTH = 25;

/** With more fitted features, one game takes a tenth of a second or more, so there are fewer draws by default. */
const MANY_FEATURES = 500;
const FEW_DRAWS = 20;

/** The most words of a batch by default, so that composing its texts does not block a page. */
const BATCH_WORDS = 2 ** 17;

/** @param {import('../data/tokens.js').TokenizedText} tokenized @param {unknown} wanted  the option `features` */
function defaultsFor({ features, tokens }, wanted = 5) {
  const fitted = typeof wanted === 'number' ? Math.min(wanted, features.length) : features.length;
  const batchSize = Math.max(16, Math.min(256, Math.floor(BATCH_WORDS / tokens.length)));
  return { batchSize, draws: fitted > MANY_FEATURES ? FEW_DRAWS : undefined };
}

/**
 * Explains a model's answer for a text by the words in it.
 *
 * @template {TextMethod} [M='linex']
 * @template {import('./plan.js').Targets} [T='top']
 * @param {string} text
 * @param {PredictTexts} predict  takes an array of texts; may be asynchronous
 * @param {TextOptions<M, T>} [given]  the options
 * @returns {Promise<import('./plan.js').PerTarget<TextExplanation, T>>}  an array if `target` is one
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails, or the answers do not determine an explanation
 */
export async function explainText(text, predict, given = /** @type {any} */ ({})) {
  const started = performance.now();
  if (typeof predict !== 'function')
    throw new TypeError(`explainText takes the model as a function, not ${show(predict)}`);
  checkNames(given, TEXT_OPTIONS, 'explainText');
  const options = await readCall(/** @type {AnyTextOptions} */ (/** @type {unknown} */ (given)), predict);
  const { mask } = options;
  if (mask !== undefined && typeof mask !== 'string')
    throw new TypeError(`mask must be a string that replaces a word, not ${show(mask)}`);
  const tokenized = await tokenizeInTurns(text, options, options.signal);
  const sampler = readSampler(await options.neighborhood, 'text');
  if (sampler && mask !== undefined)
    throw new RangeError(`mask is for removed words, not for a neighborhood of texts: ${show(mask)}`);
  const { features } = tokenized;
  const plan = readPlan(options, defaultsFor(tokenized, options.features));
  const kernel = readKernel(options, features.length);
  const law = sampler || 2 ** features.length <= plan.samples ? undefined : 'masks';
  adjustingFile(plan.settings, law, features.length, plan.samples)?.fetchAhead();
  const core = await ready();

  const subject = {
    kind: /** @type {const} */ ('text'),
    featureCount: features.length,
    /** @param {number} index */
    name: (index) => features[index].name,
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, { occurrences: features[feature.index].occurrences }),
    reference: { kind: /** @type {const} */ ('absence') },
    about: { text: tokenized.text, tokens: tokenized.tokens },
  };
  const composer = new TextComposer(tokenized, mask);
  if (plan.settings.method === 'shap') {
    const { explainCoalitions } = await import('./shap.js');
    const batch = composeCoalitions(composer, features.length);
    return /** @type {any} */ (await explainCoalitions(predict, subject, { batch }, plan, started));
  }
  const neighborhood = sampler
    ? await generateTexts(sampler, tokenized, kernel, plan, options)
    : removeWords(core, composer, features.length, kernel, plan);
  return /** @type {any} */ (await explainNeighborhood(core, predict, subject, neighborhood, plan, started));
}

/**
 * @param {AnyTextOptions} options
 * @param {number} featureCount
 * @returns {import('../neighborhood/mask-neighborhood.js').MaskKernel}
 */
function readKernel({ distance = 'cosine', kernelWidth }, featureCount) {
  const index = checkChoice(distance, 'distance', MASK_DISTANCES);
  return index === 0
    ? { distance: index, scale: COSINE_SCALE, kernelWidth: kernelWidth ?? KERNEL_WIDTH }
    : { distance: index, scale: 1, kernelWidth: kernelWidth ?? 0.75 * Math.sqrt(featureCount) };
}

/**
 * Removes words at random, as LIME does.
 *
 * @param {import('../core/load.js').Core} core
 * @param {TextComposer} composer
 * @param {number} partCount
 * @param {import('../neighborhood/mask-neighborhood.js').MaskKernel} kernel
 * @param {import('./plan.js').Plan} plan
 */
function removeWords(core, composer, partCount, kernel, { settings, auto, samples, maxSamples }) {
  const { seed, sampling, environments } = settings;
  return new MaskNeighborhood(core, {
    ...{ kind: 'sizes', partCount, kernel, seed, sampling, exact: environments.own !== undefined },
    most: auto ? maxSamples : samples,
    compose: (masks, count) => composer.composeAll(masks, count),
  });
}

/**
 * Texts with the words of each coalition.
 *
 * @param {TextComposer} composer
 * @param {number} featureCount
 * @returns {(coalitions: import('../solve/coalitions.js').Coalitions, first: number, count: number) => string[]}
 */
function composeCoalitions(composer, featureCount) {
  return ({ masks }, first, count) =>
    composer.composeAll(masks.subarray(first * featureCount, (first + count) * featureCount), count);
}

/**
 * Takes texts from the caller's own sampler.
 *
 * @param {TextSampler} sampler
 * @param {import('../data/tokens.js').TokenizedText} tokenized
 * @param {import('../neighborhood/mask-neighborhood.js').MaskKernel} kernel
 * @param {import('./plan.js').Plan} plan
 * @param {AnyTextOptions} options
 */
async function generateTexts(sampler, tokenized, kernel, { settings, auto, samples, maxSamples, signal }, options) {
  const { GeneratedTexts } = await import('../neighborhood/generated-texts.js');
  return GeneratedTexts.draw(sampler, tokenized, {
    samples: auto ? maxSamples : samples,
    ...{ tokenOptions: options, settings, kernel, signal },
  });
}
