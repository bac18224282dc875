import { show } from '../core/errors.js';
import { COMPOSE_OPTIONS, PictureComposer, readComposing } from '../neighborhood/compose-images.js';
import { readGenerator } from '../neighborhood/sampler.js';
import { ASK_OPTIONS, explainNeighborhood } from './line.js';
import { newImageInstance, ready } from '../core/load.js';
import { MaskNeighborhood } from '../neighborhood/mask-neighborhood.js';
import { Scope } from '../core/memory.js';
import { readMethodPlan, SHAP_OPTIONS } from './methods.js';
import { checkNames } from '../core/check-options.js';
import { cutPicture, putPicture, readImage, readSegments } from '../data/image-input.js';
import { SOLVE_OPTIONS } from './settings.js';

/**
 * @typedef {import('../data/image-input.js').Image} Image
 * @typedef {import('../neighborhood/compose-images.js').ImageBatch} ImageBatch
 * @typedef {import('../core/ask-model.js').Predict<ImageBatch>} PredictImages
 * @typedef {import('../neighborhood/sampler.js').ImageGenerator} ImageGenerator
 */

/**
 * @typedef {object} ImagePlace
 * @property {{ x: number, y: number, width: number, height: number }} box  the smallest that holds the segment
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
 * @property {'random' | ImageGenerator | Promise<ImageGenerator>} [neighborhood]  `'random'`, the default: segments are
 *   hidden; or something that makes pictures, for which `ridge` is 0.001 by default, as for pixels
 */

/**
 * @typedef {import('./settings.js').SolveOptions & import('./line.js').AskOptions &
 *   import('../neighborhood/compose-images.js').ComposeOptions & ImageNeighborhoodOptions & import('./methods.js').ShapOptions} ImageOptions
 */

const IMAGE_OPTIONS = Object.freeze([
  ...SOLVE_OPTIONS,
  ...ASK_OPTIONS,
  ...COMPOSE_OPTIONS,
  ...SHAP_OPTIONS,
  'neighborhood',
]);

const KERNEL_WIDTH = 0.25;

/**
 * As the paper has it for single pixels: there are more of them than samples. And for pictures that a generator made, since
 * the brightness of a segment varies by far less than the 0 and 1 of being hidden or not.
 */
const FINE_RIDGE = 0.001;
/** A game of hundreds of features takes a good part of a second; two hundred of them are for who asks for them. */
const PIXEL_DRAWS = 0;

/**
 * Explains a model's answer for an image by the segments in it.
 *
 * @template {ImageOptions} O
 * @param {Image} image
 * @param {PredictImages} predict  answers a batch `{ data, shape, layout }`; may be asynchronous. `data` is its own until
 *   its answer is there: a model that keeps it for longer takes a copy
 * @param {O} [options]
 * @returns {Promise<O extends { target: readonly unknown[] } ? ImageExplanation[] : ImageExplanation>}  an array if
 *   `target` is one
 * @throws {TypeError | RangeError} for a bad call, before the model is asked
 * @throws {import('../core/errors.js').LinexError} if the model fails, or the answers do not determine an explanation
 */
export async function explainImage(image, predict, options = /** @type {O} */ ({})) {
  const started = performance.now();
  if (typeof predict !== 'function')
    throw new TypeError(`explainImage takes the model as a function, not ${show(predict)}`);
  checkNames(options, IMAGE_OPTIONS, 'explainImage');
  const generator = readGenerator(await options.neighborhood, 'image');
  const composing = readComposing(image, options, generator !== undefined);
  const { pixel, usualBatch, tensor } = composing;
  const fine = { ...((pixel || generator) && { ridge: FINE_RIDGE }), ...(pixel && { draws: PIXEL_DRAWS }) };
  const plan = readMethodPlan(options, { features: 'all', maxSamples: 1000, batchSize: usualBatch, ...fine });
  const core = await ready();

  const lanes = Math.min(
    plan.concurrency,
    Math.ceil(Math.max(plan.samples, plan.auto ? plan.maxSamples : 0) / plan.batchSize),
  );
  const composer = await PictureComposer.open(composing, { batchSize: plan.batchSize, lanes });
  const { width, height } = tensor;
  const places = findPlaces(composer.labels, composer.count, width);
  const parts = {
    kind: /** @type {const} */ ('image'),
    width: composer.count,
    /** @param {number} index */
    name: (index) => (pixel ? `pixel ${index % width}, ${Math.floor(index / width)}` : `segment ${index}`),
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, places[feature.index]),
    about: { width, height, labels: Array.from(composer.labels) },
    warnings: composer.warnings,
  };
  if (plan.settings.method === 'shap') {
    const { explainParts } = await import('./shap.js');
    const coalitions = { ...parts, batch: composeCoalitions(composer) };
    return /** @type {any} */ (await explainParts(predict, coalitions, plan, started));
  }
  const near = generator
    ? await redraw(core, generator, composer, tensor, plan)
    : hideSegments(core, composer, plan.settings);
  return /** @type {any} */ (await explainNeighborhood(core, predict, { ...parts, ...near }, plan, started));
}

/**
 * Segments hidden by the toss of a coin, as LIME does it.
 *
 * @param {import('../core/load.js').Core} core
 * @param {PictureComposer} composer
 * @param {import('./settings.js').Settings} settings
 */
function hideSegments(core, composer, { seed, kernelWidth = KERNEL_WIDTH, environments }) {
  const kind = /** @type {const} */ ('coins');
  const exact = environments.own !== undefined;
  const masks = new MaskNeighborhood(core, { kind, width: composer.count, scale: 1, kernelWidth, seed, exact });
  return {
    possible: masks.possible,
    make: masks.make.bind(masks),
    points: masks.points.bind(masks),
    /** @param {number} first @param {number} count @param {number} lane */
    batch: (first, count, lane) => composer.compose(masks.masks(first, count), lane),
  };
}

/**
 * Pictures with the segments of each coalition.
 *
 * @param {PictureComposer} composer
 * @returns {(coalitions: import('./shap.js').Coalitions, first: number, count: number, lane: number) => ImageBatch}
 */
function composeCoalitions(composer) {
  const { count: width } = composer;
  return ({ masks }, first, count, lane) =>
    composer.compose(masks.subarray(first * width, (first + count) * width), lane);
}

/**
 * Pictures that the caller's own generator makes.
 *
 * @param {import('../core/load.js').Core} core
 * @param {ImageGenerator} generator
 * @param {PictureComposer} composer
 * @param {{ width: number, height: number, channels: number }} size
 * @param {import('./line.js').Plan} plan
 */
async function redraw(core, generator, composer, size, { settings, auto, samples, maxSamples, signal }) {
  const { RedrawnPictures } = await import('../neighborhood/generated-images.js');
  const pictures = await RedrawnPictures.draw(core, generator, composer, {
    size,
    samples: auto ? maxSamples : samples,
    settings,
    kernelWidth: settings.kernelWidth ?? 0.75 * Math.sqrt(composer.count),
    signal,
  });
  return {
    possible: Infinity,
    make: pictures.make.bind(pictures),
    points: pictures.points.bind(pictures),
    batch: pictures.batch.bind(pictures),
  };
}

/**
 * @param {Uint32Array} labels
 * @param {number} count
 * @param {number} width
 * @returns {ImagePlace[]}
 */
function findPlaces(labels, count, width) {
  const edges = Array.from({ length: count }, () => ({ left: width, right: 0, top: Infinity, bottom: 0, area: 0 }));
  labels.forEach((label, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const edge = edges[label];
    edge.left = Math.min(edge.left, x);
    edge.right = Math.max(edge.right, x);
    edge.top = Math.min(edge.top, y);
    edge.bottom = Math.max(edge.bottom, y);
    edge.area++;
  });
  return edges.map(({ left, right, top, bottom, area }) => ({
    box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 },
    area,
  }));
}

/**
 * Cuts an image into segments: each is connected, and every pixel belongs to one.
 *
 * @param {Image} image
 * @param {'slic' | 'quickshift' | 'grid' | import('../data/image-input.js').SegmentSettings} [segments]  default `'slic'`
 * @returns {Promise<{ labels: Uint32Array, count: number, width: number, height: number }>}  labels: 0 … count - 1, row by
 *   row; the caller's own
 * @throws {TypeError | RangeError}
 */
export async function segmentImage(image, segments = 'slic') {
  const read = readImage(image);
  const how = readSegments(segments);
  if ('map' in how) throw new TypeError(`segments must name a way to cut the image, not be labels: ${show(segments)}`);
  const { width, height } = read;
  const size = { width, height, channels: read.channels === 1 ? 1 : 3 };
  const scope = new Scope(await newImageInstance());
  const picture = putPicture(scope, read, size, [255, 255, 255]);
  return { ...cutPicture(scope, picture, size, how), width, height };
}
