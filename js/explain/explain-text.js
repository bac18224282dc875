import { show } from '../core/errors.js';
import { readGenerator } from '../neighborhood/sampler.js';
import { ASK_OPTIONS, explainNeighborhood } from './line.js';
import { ready } from '../core/load.js';
import { MASK_DISTANCES, MaskNeighborhood } from '../neighborhood/mask-neighborhood.js';
import { readMethodPlan, SHAP_OPTIONS } from './methods.js';
import { checkChoice, checkNames } from '../core/check-options.js';
import { SOLVE_OPTIONS } from './settings.js';
import { TextComposer, TOKEN_OPTIONS, tokenize, wordsIn } from '../data/tokens.js';

/**
 * @typedef {import('../data/tokens.js').Span} Span
 * @typedef {import('../core/ask-model.js').Predict<string[]>} PredictTexts
 * @typedef {import('../neighborhood/sampler.js').TextGenerator} TextGenerator
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
 * @property {readonly { start: number, end: number, feature: number }[]} tokens  all that could be taken away, and the
 *   feature it belongs to
 */

/**
 * @typedef {object} TextNeighborhoodOptions
 * @property {string} [mask]  stands for a word that is taken away, such as `[MASK]`; without it the word is deleted and the
 *   space tidied
 * @property {'random' | TextGenerator | Promise<TextGenerator>} [neighborhood]  `'random'`, the default: words are taken
 *   away; or something that makes texts
 * @property {'cosine' | 'euclidean'} [distance]  how far a text is from the input: LIME's cosine distance times 100, the
 *   default; or the root of the number of words that are gone
 */

/**
 * @typedef {import('./settings.js').SolveOptions & import('./line.js').AskOptions & import('../data/tokens.js').TokenOptions &
 *   TextNeighborhoodOptions & import('./methods.js').ShapOptions} TextOptions  kernelWidth: in the units of `distance`; default
 *   25, for `'euclidean'` 0.75 √(features)
 */

const TEXT_OPTIONS = Object.freeze([
  ...SOLVE_OPTIONS,
  ...ASK_OPTIONS,
  ...TOKEN_OPTIONS,
  ...SHAP_OPTIONS,
  ...['mask', 'neighborhood', 'distance'],
]);

/** LIME measures the cosine distance of texts in hundredths. */
const SCALE = 100;
const KERNEL_WIDTH = 25;

/**
 * Explains a model's answer for a text by the words in it.
 *
 * @template {TextOptions} O
 * @param {string} text
 * @param {PredictTexts} predict  answers an array of texts; may be asynchronous
 * @param {O} [options]
 * @returns {Promise<O extends { target: readonly unknown[] } ? TextExplanation[] : TextExplanation>}  an array if `target`
 *   is one
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails, or the answers do not determine an explanation
 */
export async function explainText(text, predict, options = /** @type {O} */ ({})) {
  const started = performance.now();
  if (typeof predict !== 'function')
    throw new TypeError(`explainText takes the model as a function, not ${show(predict)}`);
  checkNames(options, TEXT_OPTIONS, 'explainText');
  const { mask } = options;
  if (mask !== undefined && typeof mask !== 'string')
    throw new TypeError(`mask must be a string that stands for a word, not ${show(mask)}`);
  const tokenized = tokenize(text, options);
  const generator = readGenerator(await options.neighborhood, 'text');
  if (generator && mask !== undefined)
    throw new RangeError(`mask is for words that are taken away, not for a neighborhood of texts: ${show(mask)}`);
  const plan = readMethodPlan(options);
  const { features } = tokenized;
  const how = readProximity(options, features.length);
  const core = await ready();

  const parts = {
    kind: /** @type {const} */ ('text'),
    width: features.length,
    /** @param {number} index */
    name: (index) => features[index].name,
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, { occurrences: features[feature.index].occurrences }),
    about: { text: tokenized.text, tokens: tokenized.tokens },
  };
  if (plan.settings.method === 'shap') {
    const { explainParts } = await import('./shap.js');
    const coalitions = { ...parts, batch: composeCoalitions(tokenized, mask) };
    return /** @type {any} */ (await explainParts(predict, coalitions, plan, started));
  }
  const near = generator
    ? await rewrite(core, generator, tokenized, { ...plan, how }, options)
    : takeAway(core, tokenized, { ...plan, how }, mask);
  return /** @type {any} */ (await explainNeighborhood(core, predict, { ...parts, ...near }, plan, started));
}

/**
 * @param {TextOptions} options
 * @param {number} width
 */
function readProximity({ distance = 'cosine', kernelWidth }, width) {
  const place = checkChoice(distance, 'distance', MASK_DISTANCES);
  return place === 0
    ? { distance: place, scale: SCALE, kernelWidth: kernelWidth ?? KERNEL_WIDTH }
    : { distance: place, scale: 1, kernelWidth: kernelWidth ?? 0.75 * Math.sqrt(width) };
}

/** @typedef {import('./line.js').Plan & { how: ReturnType<typeof readProximity> }} TextPlan */

/**
 * Words taken away at random, as LIME does it.
 *
 * @param {import('../core/load.js').Core} core
 * @param {import('../data/tokens.js').TokenizedText} tokenized
 * @param {TextPlan} plan
 * @param {string | undefined} mask
 */
function takeAway(core, tokenized, { settings, how }, mask) {
  const composer = new TextComposer(tokenized, mask);
  const { seed, environments } = settings;
  const kind = /** @type {const} */ ('sizes');
  const width = tokenized.features.length;
  const exact = environments.own !== undefined;
  const masks = new MaskNeighborhood(core, { kind, width, ...how, seed, exact });
  return {
    possible: masks.possible,
    make: masks.make.bind(masks),
    points: masks.points.bind(masks),
    /** @param {number} first @param {number} count */
    batch: (first, count) => composer.composeAll(masks.masks(first, count), count),
  };
}

/**
 * Texts with the words of each coalition.
 *
 * @param {import('../data/tokens.js').TokenizedText} tokenized
 * @param {string | undefined} mask
 * @returns {(coalitions: import('./shap.js').Coalitions, first: number, count: number) => string[]}
 */
function composeCoalitions(tokenized, mask) {
  const composer = new TextComposer(tokenized, mask);
  const width = tokenized.features.length;
  return ({ masks }, first, count) =>
    composer.composeAll(masks.subarray(first * width, (first + count) * width), count);
}

/**
 * Texts that the caller's own generator makes.
 *
 * @param {import('../core/load.js').Core} core
 * @param {TextGenerator} generator
 * @param {import('../data/tokens.js').TokenizedText} tokenized
 * @param {TextPlan} plan
 * @param {TextOptions} options
 */
async function rewrite(core, generator, tokenized, { settings, how, auto, samples, maxSamples, signal }, options) {
  const { RewrittenTexts } = await import('../neighborhood/generated-texts.js');
  const texts = await RewrittenTexts.draw(core, generator, tokenized, {
    wordsOf: (text) => wordsIn(text, options),
    unit: options.unit ?? 'word',
    samples: auto ? maxSamples : samples,
    settings,
    signal,
    ...how,
  });
  return {
    possible: Infinity,
    make: texts.make.bind(texts),
    points: texts.points.bind(texts),
    batch: texts.batch.bind(texts),
  };
}
