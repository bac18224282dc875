// Explains an image by its segments or pixels, and cuts images into segments.
import { checkNames, checkSignal } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { inPieces } from '../core/event-loop.js';
import { newImageInstance, ready } from '../core/load.js';
import { Scope } from '../core/memory.js';
import { cutImage, putImage, readImage, readSegments, VALUES_AT_ONCE } from '../data/image-input.js';
import { COMPOSE_OPTIONS, ImageComposer, readComposing } from '../neighborhood/compose-images.js';
import { MaskNeighborhood } from '../neighborhood/mask-neighborhood.js';
import { readSampler } from '../neighborhood/sampler.js';
import { adjustingFile } from '../solve/adjust-answers.js';
import { ASK_OPTIONS, readCall, readPlan, SHAP_OPTIONS } from './plan.js';
import { explainNeighborhood } from './run-explanation.js';
import { isWide, SOLVE_OPTIONS, WEIGHT_GAMES } from '../solve/settings.js';

/**
 * @typedef {import('../data/image-input.js').Image} Image
 * @typedef {import('../neighborhood/compose-images.js').ImageBatch} ImageBatch
 * @typedef {import('../neighborhood/sampler.js').ImageSampler} ImageSampler
 */

/**
 * @template {ImageType} [F=ImageType]  the type of the numbers that the model gets
 * @typedef {import('../core/ask-model.js').Predict<import('../neighborhood/compose-images.js').ImageBatch<F>>} PredictImages
 */

/**
 * @typedef {object} ImagePlace
 * @property {{ x: number, y: number, width: number, height: number }} box  the smallest box that contains the segment
 * @property {number} area  in pixels
 */

/**
 * @typedef {import('./explanation.js').Feature & ImagePlace} ImageFeature
 * @typedef {import('./explanation.js').Explanation<ImageFeature> & ImageParts} ImageExplanation
 */

/**
 * @typedef {object} ImageParts
 * @property {number} width  of the model's input
 * @property {number} height
 * @property {readonly number[]} labels  the feature of each pixel, row by row
 */

/**
 * @typedef {object} ImageNeighborhoodOptions
 * @property {'random' | ImageSampler | Promise<ImageSampler>} [neighborhood]  default `'random'`: segments are
 *   hidden at random; or a sampler that makes images. Their default `ridge` is 0.001 if there are at least four
 *   samples per segment
 */

/**
 * The options of all methods together.
 *
 * @typedef {import('../solve/settings.js').SolveOptions & import('./plan.js').AskOptions &
 *   import('../neighborhood/compose-images.js').ComposeOptions & ImageNeighborhoodOptions & import('./plan.js').ShapOptions} AnyImageOptions
 */

/**
 * @typedef {import('./plan.js').FitMethod | 'shap'} ImageMethod
 * @typedef {import('../neighborhood/compose-images.js').ImageType} ImageType
 */

/**
 * The options of one method.
 *
 * @template {ImageMethod} [M=ImageMethod]
 * @template {import('./plan.js').Targets} [T=import('./plan.js').Targets]
 * @template {ImageType} [F=ImageType]
 * @typedef {import('./plan.js').CallOptions<Omit<AnyImageOptions, 'input'>, M, T, ImageExplanation> &
 *   { input?: import('../neighborhood/compose-images.js').InputOptions<F> }} ImageOptions
 */

const IMAGE_OPTIONS = Object.freeze([
  ...SOLVE_OPTIONS,
  ...ASK_OPTIONS,
  ...COMPOSE_OPTIONS,
  ...SHAP_OPTIONS,
  'neighborhood',
]);

const KERNEL_WIDTH = 0.25;

/** The paper's ridge for pixels. Generated images use it too, because the brightness of a segment varies little. */
const FINE_RIDGE = 0.001;
/** One game of 784 pixels and a thousand samples takes 0.2 seconds, and each draw plays one, so there are none by default. */
const PIXEL_DRAWS = 0;

/**
 * Explains a model's answer for an image by the segments in it.
 *
 * @template {ImageMethod} [M='linex']
 * @template {import('./plan.js').Targets} [T='top']
 * @template {ImageType} [F='float32']
 * @param {Image} image
 * @param {PredictImages<F>} predict  takes a batch `{ data, shape, layout }`; may be asynchronous. `data` is valid until
 *   the model has answered: a model that needs it longer must copy it
 * @param {ImageOptions<M, T, F>} [given]  the options
 * @returns {Promise<import('./plan.js').PerTarget<ImageExplanation, T>>}  an array if `target` is one
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails, or the answers do not determine an explanation
 */
export async function explainImage(image, predict, given = /** @type {any} */ ({})) {
  const started = performance.now();
  if (typeof predict !== 'function')
    throw new TypeError(`explainImage takes the model as a function, not ${show(predict)}`);
  checkNames(given, IMAGE_OPTIONS, 'explainImage');
  const options = await readCall(/** @type {AnyImageOptions} */ (/** @type {unknown} */ (given)), predict);
  const ask = /** @type {PredictImages<any>} */ (predict);
  const sampler = readSampler(await options.neighborhood, 'image');
  const composing = readComposing(image, options, sampler !== undefined);
  const { pixel, tensor } = composing;
  const plan = readPlan(options, {
    ...{ features: 'all', maxSamples: 1000, batchSize: composing.batchSize },
    ...(pixel && { draws: PIXEL_DRAWS }),
  });
  // How many segments there are is known only later, except about.
  const about = 'settings' in composing.segments ? composing.segments.settings.count : undefined;
  if (about && !pixel && !sampler) adjustingFile(plan.settings, 'masks', about, plan.samples)?.fetchAhead();
  const core = await ready();

  // After the first batch, `askModel` makes smaller batches to keep all lanes busy.
  const left = plan.auto ? plan.maxSamples : plan.samples - plan.batchSize;
  const lanes = Math.max(1, Math.min(plan.concurrency, left));
  plan.signal?.throwIfAborted();
  const composer = await ImageComposer.open(composing, { batchSize: plan.batchSize, lanes }, plan.signal);
  const { width, height } = tensor;
  const { labels, places } = await findPlaces(composer.labels, composer.count, width, plan.signal);
  // The automatic ridge is relative only if there are few samples per segment.
  if ((pixel || sampler) && options.ridge === undefined && !isWide(composer.count, plan.samples))
    plan.settings.ridge = FINE_RIDGE;
  // Segments of generated images vary together. Without some of them, the fit to all samples would fit badly.
  if (sampler && options.weight === undefined) plan.settings.weight = WEIGHT_GAMES;
  const subject = {
    kind: /** @type {const} */ ('image'),
    featureCount: composer.count,
    /** @param {number} index */
    name: (index) => (pixel ? `pixel ${index % width}, ${Math.floor(index / width)}` : `segment ${index}`),
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, places[feature.index]),
    /** @type {import('./reference.js').ReferencePlace} */
    reference: { kind: 'absence' },
    about: { width, height, labels },
    warnings: composer.warnings,
  };
  if (plan.settings.method === 'shap') {
    const { explainCoalitions } = await import('./shap.js');
    const batch = composeCoalitions(composer);
    return /** @type {any} */ (await explainCoalitions(ask, subject, { batch }, plan, started));
  }
  if (!sampler) {
    const neighborhood = hideSegments(core, composer, plan);
    return /** @type {any} */ (await explainNeighborhood(core, ask, subject, neighborhood, plan, started));
  }
  const neighborhood = await generateImages(sampler, composer, tensor, plan);
  // The surrogate sees the brightness of a segment; without it, a segment is black.
  subject.reference.distance = (index) => neighborhood.brightness[index];
  return /** @type {any} */ (await explainNeighborhood(core, ask, subject, neighborhood, plan, started));
}

/**
 * Hides each segment with probability 1/2, as LIME does.
 *
 * @param {import('../core/load.js').Core} core
 * @param {ImageComposer} composer
 * @param {import('./plan.js').Plan} plan
 */
function hideSegments(core, composer, { settings, auto, samples, maxSamples }) {
  const { seed, sampling, kernelWidth = KERNEL_WIDTH, environments } = settings;
  return new MaskNeighborhood(core, {
    ...{ kind: 'coins', partCount: composer.count, kernel: { scale: 1, kernelWidth } },
    ...{ seed, sampling, most: auto ? maxSamples : samples, exact: environments.own !== undefined },
    compose: (masks, _, lane) => composer.compose(masks, lane),
  });
}

/**
 * Images with the segments of each coalition.
 *
 * @param {ImageComposer} composer
 * @returns {(coalitions: import('../solve/coalitions.js').Coalitions, first: number, count: number, lane: number) => ImageBatch}
 */
function composeCoalitions(composer) {
  const { count: featureCount } = composer;
  return ({ masks }, first, count, lane) =>
    composer.compose(masks.subarray(first * featureCount, (first + count) * featureCount), lane);
}

/**
 * Takes images from the caller's own sampler.
 *
 * @param {ImageSampler} sampler
 * @param {ImageComposer} composer
 * @param {{ width: number, height: number, channels: number }} size
 * @param {import('./plan.js').Plan} plan
 */
async function generateImages(sampler, composer, size, { settings, auto, samples, maxSamples, signal }) {
  const { GeneratedImages } = await import('../neighborhood/generated-images.js');
  const { kernelWidth = 0.75 * Math.sqrt(composer.count) } = settings;
  return GeneratedImages.draw(sampler, composer, {
    samples: auto ? maxSamples : samples,
    ...{ size, settings, kernelWidth, signal },
  });
}

/**
 * Finds the place of each segment, and lists the labels in a plain array.
 *
 * @param {Uint32Array} map  the labels
 * @param {number} count
 * @param {number} width
 * @param {AbortSignal} [signal]
 */
async function findPlaces(map, count, width, signal) {
  const edges = Array.from({ length: count }, () => ({ left: width, right: 0, top: Infinity, bottom: 0, area: 0 }));
  /** @type {number[]} */
  const labels = [];
  const look = (/** @type {number} */ first, /** @type {number} */ end) => {
    for (let i = first; i < end; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      const edge = edges[map[i]];
      edge.left = Math.min(edge.left, x);
      edge.right = Math.max(edge.right, x);
      edge.top = Math.min(edge.top, y);
      edge.bottom = Math.max(edge.bottom, y);
      edge.area++;
      labels.push(map[i]);
    }
  };
  await inPieces(map.length, VALUES_AT_ONCE, look, signal);
  /** @type {ImagePlace[]} */
  const places = edges.map(({ left, right, top, bottom, area }) => ({
    box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 },
    area,
  }));
  return { labels, places };
}

/**
 * Cuts an image into connected segments. Every pixel belongs to one of them.
 *
 * @param {Image} image
 * @param {'slic' | 'quickshift' | 'grid' | import('../data/image-input.js').SegmentSettings} [segments]  default `'slic'`
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<{ labels: Uint32Array, count: number, width: number, height: number }>}  labels: 0 … count - 1, row by
 *   row; a copy
 * @throws {TypeError | RangeError}
 */
export async function segmentImage(image, segments = 'slic', options = {}) {
  const { signal } = checkNames(options, ['signal'], 'segmentImage');
  checkSignal(signal);
  signal?.throwIfAborted();
  const read = readImage(image);
  const method = readSegments(segments);
  if ('map' in method) throw new TypeError(`segments must be slic, quickshift or grid, not labels: ${show(segments)}`);
  const { width, height } = read;
  const size = { width, height, channels: read.channels === 1 ? 1 : 3 };
  const scope = new Scope(await newImageInstance());
  const fitted = await putImage(scope, read, size, [255, 255, 255], signal);
  return { ...(await cutImage(scope, fitted, size, method, signal)), width, height };
}
