// Makes a `predict` from a pipeline of transformers.js.
import { checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { isTexts, makePredict, readLabels } from './model-batches.js';

/**
 * @typedef {object} PipelineOptions
 * @property {readonly string[]} [labels]  the labels in the order in which you want the scores; default: the order of the
 *   model's classes. A zero-shot pipeline needs them: it is asked about them
 * @property {number} [batchSize]  texts or images per run; default 16
 * @property {any} [RawImage]  the class of transformers.js; needed for images, which then have `input: { type: 'uint8' }`
 * @property {object} [options]  further options of the pipeline's call, such as `{ hypothesis_template: … }`
 * @property {string} [model]  a name for caches
 */

const OPTIONS = ['labels', 'batchSize', 'RawImage', 'options', 'model'];

/**
 * Makes a `predict` from a pipeline of transformers.js that classifies texts or images. A pipeline sorts its labels by score;
 * `predict` returns one score per label in a fixed order.
 *
 * @param {any} pipeline  from `pipeline('text-classification', …)`, `'image-classification'` or a zero-shot task
 * @param {PipelineOptions} [options]
 * @returns {import('./model-batches.js').Ask & import('./model-batches.js').ModelFacts}  for texts, or for images with
 *   `RawImage`
 * @throws {TypeError | RangeError} if the pipeline or an option cannot be used
 */
export function fromPipeline(pipeline, options = {}) {
  if (typeof pipeline !== 'function')
    throw new TypeError(`fromPipeline takes a pipeline of transformers.js, not ${show(pipeline)}`);
  const { batchSize = 16, RawImage, model, ...rest } = checkNames(options, OPTIONS, 'fromPipeline');
  const task = String(pipeline.task ?? '');
  const zeroShot = task.startsWith('zero-shot');
  const known = readLabels(rest.labels) ?? (zeroShot ? undefined : labelsOf(pipeline.model?.config?.id2label));
  if (!known) throw new TypeError('the pipeline does not know its labels; pass labels: an array of names');
  const isImages = task.includes('image');
  if (isImages && typeof RawImage !== 'function')
    throw new TypeError(`the pipeline takes images; pass RawImage of transformers.js, not ${show(RawImage)}`);
  /** @param {any} part */
  const ask = async (part) => {
    if (!isImages && !isTexts(part)) throw new TypeError(`the pipeline takes texts, not ${show(part)}`);
    const items = isTexts(part) ? [...part] : imagesOf(part, RawImage);
    const more = rest.options ?? {};
    const answers = await (zeroShot ? pipeline(items, [...known], more) : pipeline(items, { top_k: null, ...more }));
    // One item may come without the array around it.
    const lists = items.length === 1 && !Array.isArray(answers?.[0]?.labels ?? answers?.[0]) ? [answers] : answers;
    return Array.from(lists, (list) => inOrder(list, known));
  };
  return makePredict({ labels: known, batchSize, session: pipeline }, ask, {
    ...(isImages && { input: { type: 'uint8' } }),
    ...(model && { model }),
  });
}

/** The labels by their index. @param {any} id2label @returns {readonly string[] | undefined} */
function labelsOf(id2label) {
  const indices = Object.keys(id2label ?? {}).sort((a, b) => Number(a) - Number(b));
  return indices.length > 0 ? readLabels(indices.map((index) => id2label[index])) : undefined;
}

/**
 * The scores of one item, in the order of the labels.
 *
 * @param {any} answer  `[{ label, score }]`, or `{ labels, scores }` of a zero-shot pipeline
 * @param {readonly string[]} labels
 * @returns {number[]}
 */
function inOrder(answer, labels) {
  const pairs = answer?.labels
    ? answer.labels.map((/** @type {string} */ label, /** @type {number} */ i) => [label, answer.scores[i]])
    : Array.from(answer ?? [], ({ label, score }) => [label, score]);
  const scores = new Map(pairs);
  return labels.map((label) => {
    const score = scores.get(label);
    if (score !== undefined) return score;
    throw new RangeError(`the pipeline gave no score for ${show(label)}, but for ${[...scores.keys()].join(', ')}`);
  });
}

/** @param {any} batch @param {any} RawImage @returns {any[]} */
function imagesOf({ data, shape, layout }, RawImage) {
  if (layout !== 'nhwc' || !(data instanceof Uint8Array))
    throw new TypeError("the pipeline takes pixels; pass input: { type: 'uint8', layout: 'nhwc' } to explainImage");
  const [count, height, width, channels] = shape;
  const length = height * width * channels;
  return Array.from(
    { length: count },
    (_, i) => new RawImage(data.slice(i * length, (i + 1) * length), width, height, channels),
  );
}
