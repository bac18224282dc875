// What all adapters share: parts of a batch, runs in a queue, and answers joined again.
import { readAnswer } from '../core/ask-model.js';
import { checkCount } from '../core/check-options.js';
import { show } from '../core/errors.js';

/**
 * Samples as an `explain…` call passes them: texts, or rows and images as a tensor.
 *
 * @typedef {readonly string[] | TensorBatch} Batch
 */

/**
 * @typedef {object} TensorBatch
 * @property {Float64Array | Float32Array | Uint8Array} data
 * @property {readonly number[]} shape  [count, …]
 * @property {'nchw' | 'nhwc'} [layout]  of images
 * @property {readonly (readonly (string | number | boolean | null)[])[]} [rows]  of rows: the levels spelled out
 * @property {readonly Record<string, string | number | boolean | null>[]} [records]  of rows: the same as objects
 */

/**
 * What a model tells about itself. An `explain…` call takes `classes` and `input` from it, unless you pass them, and
 * `polite` takes the rest.
 *
 * @typedef {object} ModelFacts
 * @property {readonly string[]} [classes]  names of the answers, in their order
 * @property {object} [input]  the `input` of explainImage or explainRow
 * @property {string} [model]  a name that changes if the answers change; the key of a cache
 * @property {number} [maxBatch]  the most samples that one request takes
 */

/** @typedef {(batch: any, context?: { signal?: AbortSignal }) => Promise<{ data: Float64Array, shape: number[] }>} Ask */

/** The answers to one part of a batch: `columns` numbers per sample. @typedef {{ data: Float64Array, columns: number }} Scores */

/**
 * @param {any} batch
 * @returns {number}  how many samples it has
 * @throws {TypeError}
 */
export function sizeOf(batch) {
  if (Array.isArray(batch)) return batch.length;
  if (ArrayBuffer.isView(batch?.data) && Array.isArray(batch.shape)) return batch.shape[0];
  throw new TypeError(`a model takes an array of texts, or { data, shape }, not ${show(batch)}`);
}

/** Whether a batch has texts. @param {Batch} batch @returns {batch is readonly string[]} */
export const isTexts = (batch) => Array.isArray(batch);

/**
 * Some samples of a batch.
 *
 * @param {any} batch
 * @param {readonly number[]} indices
 * @returns {any}  a copy, or the batch itself if all samples are wanted
 */
export function pick(batch, indices) {
  if (indices.length === sizeOf(batch) && indices.every((index, i) => index === i)) return batch;
  const choose = (/** @type {readonly any[]} */ list) => indices.map((index) => list[index]);
  if (isTexts(batch)) return choose(batch);
  const length = batch.data.length / batch.shape[0];
  const data = new batch.data.constructor(indices.length * length);
  indices.forEach((index, i) => data.set(batch.data.subarray(index * length, (index + 1) * length), i * length));
  return {
    data,
    shape: [indices.length, ...batch.shape.slice(1)],
    ...(batch.layout && { layout: batch.layout }),
    // Spelling out the rows takes time, so it waits until a model wants them.
    get rows() {
      return batch.rows && choose(batch.rows);
    },
    get records() {
      return batch.records && choose(batch.records);
    },
    *[Symbol.iterator]() {
      for (let i = 0; i < indices.length; i++) yield data.subarray(i * length, (i + 1) * length);
    },
  };
}

/**
 * Asks a model about a batch in parts, one after the other.
 *
 * @param {any} batch
 * @param {{ most?: number, fixed?: number, signal?: AbortSignal }} limits  most: samples per part; fixed: exactly so many,
 *   so that the last part is filled up with copies of its last sample
 * @param {(part: any, size: number) => any} ask  answers a part
 * @returns {Promise<{ data: Float64Array, shape: number[] }>}  a copy
 */
export async function askInParts(batch, { most = Infinity, fixed, signal }, ask) {
  const count = sizeOf(batch);
  const step = fixed ?? Math.min(most, count);
  /** @type {Float64Array | undefined} */
  let all;
  let columns = 0;
  for (let first = 0; first < count; first += step) {
    signal?.throwIfAborted();
    const size = fixed ?? Math.min(step, count - first);
    const part = pick(
      batch,
      Array.from({ length: size }, (_, i) => Math.min(first + i, count - 1)),
    );
    const scores = readAnswer(await ask(part, size), size, 0, columns);
    columns = scores.columns;
    all ??= new Float64Array(count * columns);
    all.set(scores.data.subarray(0, Math.min(size, count - first) * columns), first * columns);
  }
  return { data: all ?? new Float64Array(0), shape: [count, columns] };
}

/** The end of the queue of each session. @type {WeakMap<object, Promise<unknown>>} */
const queues = new WeakMap();

/**
 * Runs a job after all earlier jobs of the same session: some runtimes fail if two runs overlap.
 *
 * @template T
 * @param {object} session
 * @param {() => Promise<T>} job
 * @param {AbortSignal} [signal]  a job that waits when it aborts is not run
 * @returns {Promise<T>}
 */
export function inQueue(session, job, signal) {
  const run = (queues.get(session) ?? Promise.resolve()).then(() => {
    signal?.throwIfAborted();
    return job();
  });
  queues.set(
    session,
    run.catch(() => {}),
  );
  return run;
}

/**
 * Turns logits into probabilities in place: by the softmax of each sample, or the logistic function if there is one number.
 *
 * @param {Float64Array} data
 * @param {number} columns
 */
export function softmaxRows(data, columns) {
  for (let first = 0; first < data.length; first += columns) {
    const row = data.subarray(first, first + columns);
    if (columns === 1) row[0] = 1 / (1 + Math.exp(-row[0]));
    else {
      const most = row.reduce((a, b) => Math.max(a, b));
      const sum = row.reduce((total, logit, i) => total + (row[i] = Math.exp(logit - most)), 0);
      row.forEach((value, i) => (row[i] = value / sum));
    }
  }
}

/**
 * Makes the `predict` of an adapter.
 *
 * @param {{ softmax?: boolean, labels?: readonly string[], batchSize?: number, fixed?: number, session?: object }} how
 *   session: whose runs are queued; fixed: see `askInParts`
 * @param {(part: any, size: number, signal?: AbortSignal) => any} ask
 * @param {ModelFacts} facts
 * @returns {Ask & ModelFacts}
 */
export function makePredict({ softmax, labels, batchSize, fixed, session }, ask, facts) {
  const most = batchSize === undefined ? undefined : checkCount(batchSize, 'batchSize', 1);
  /** @type {Ask} */
  const predict = async (batch, { signal } = {}) => {
    const answer = await askInParts(batch, { most, fixed, signal }, (part, size) => {
      const job = async () => ask(part, size, signal);
      return session ? inQueue(session, job, signal) : job();
    });
    const [, columns] = answer.shape;
    if (labels && columns !== labels.length)
      throw new RangeError(`there are ${labels.length} labels, but the model gives ${columns} numbers per sample`);
    if (softmax) softmaxRows(answer.data, columns);
    return answer;
  };
  return Object.assign(predict, { ...(labels && { classes: labels }), ...facts });
}

/**
 * @param {unknown} labels
 * @returns {readonly string[] | undefined}  a frozen copy
 * @throws {TypeError}
 */
export function readLabels(labels) {
  if (labels === undefined) return undefined;
  if (Array.isArray(labels) && labels.length > 0 && labels.every((label) => typeof label === 'string'))
    return Object.freeze([...labels]);
  throw new TypeError(`labels must be an array of names, not ${show(labels)}`);
}

/**
 * The facts of a model that takes a tensor of this shape and type: rows have two sides, images four.
 *
 * @param {readonly unknown[] | undefined} shape
 * @param {string} [type]  such as `'float32'`. Rows of other types keep their doubles; images of integers are bytes, because
 *   fractions would become 0
 * @returns {ModelFacts}
 */
export function inputFacts(shape, type = 'float32') {
  if (shape?.length === 2) return type === 'float32' ? { input: { type } } : {};
  if (shape?.length !== 4) return {};
  const isChannels = (/** @type {unknown} */ side) => side === 1 || side === 3 || side === 4;
  const first = isChannels(shape[1]);
  if (!first && !isChannels(shape[3])) return {};
  const [channels, height, width] = first ? [shape[1], shape[2], shape[3]] : [shape[3], shape[1], shape[2]];
  const known = (/** @type {string} */ name, /** @type {any} */ side) => (side > 0 ? { [name]: side } : {});
  return {
    input: {
      ...{ layout: first ? 'nchw' : 'nhwc', channels, ...known('width', width), ...known('height', height) },
      ...(/^u?int/.test(type) && { type: 'uint8' }),
    },
  };
}

/**
 * The shape in which a model takes a batch: the batch's own, or the model's if it has as many numbers per sample.
 *
 * @param {TensorBatch} batch
 * @param {readonly unknown[] | undefined} wanted  the model's; a side that is no positive number may be any
 * @returns {number[]}
 * @throws {RangeError} if the sides do not fit
 */
export function fitShape({ data, shape }, wanted) {
  const sides = [...shape];
  if (!wanted || wanted.length === 0) return sides;
  const free = (/** @type {any} */ side) => !(Number(side) > 0);
  if (wanted.length === sides.length && wanted.every((side, i) => i === 0 || free(side) || side === sides[i]))
    return sides;
  const rest = wanted.slice(1).map(Number);
  const differs = wanted.length !== sides.length && !rest.some(free);
  if (differs && rest.reduce((a, b) => a * b, 1) * sides[0] === data.length) return [sides[0], ...rest];
  const told = ['any', ...wanted.slice(1).map((side) => (free(side) ? 'any' : side))].join(', ');
  throw new RangeError(
    `the model takes shape [${told}], but the batch has [${sides.join(', ')}]; see the option input`,
  );
}
