// Makes a `predict` from a model of TensorFlow.js.
import { checkFlag, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { fitShape, inputFacts, isTexts, makePredict, readLabels } from './model-batches.js';

/**
 * @typedef {object} TfjsOptions
 * @property {any} [tf]  TensorFlow.js, as you import it: its `tensor` and `tidy` are used; default `globalThis.tf`
 * @property {number | string} [output]  which output has the scores, if there are several: its index or its name
 * @property {boolean} [softmax]  whether the scores are logits, of which the softmax is taken; default false
 * @property {readonly string[]} [labels]  names of the scores, in their order; explanations then name them
 * @property {number} [batchSize]  the most samples per run; default: the whole batch. If the model has a fixed batch size,
 *   that one is used
 * @property {(batch: any) => any} [encode]  makes what the model takes, such as a tensor of token numbers; needed for texts.
 *   Tensors that it makes are disposed
 * @property {boolean} [executeAsync]  whether to call the model's `executeAsync`, which graphs with control flow need;
 *   default false
 * @property {string} [model]  a name for caches
 */

const OPTIONS = ['tf', 'output', 'softmax', 'labels', 'batchSize', 'encode', 'executeAsync', 'model'];

/**
 * Makes a `predict` from a model of TensorFlow.js. It leaves no tensor behind.
 *
 * @param {any} model  a `LayersModel`, a `GraphModel`, or a function from a tensor to a tensor
 * @param {TfjsOptions} [options]
 * @returns {import('./model-batches.js').Ask & import('./model-batches.js').ModelFacts}  for rows, texts (with `encode`) or
 *   images
 * @throws {TypeError | RangeError} if the model or an option cannot be used
 */
export function fromTfjs(model, options = {}) {
  const { tf = /** @type {any} */ (globalThis).tf, encode, ...rest } = checkNames(options, OPTIONS, 'fromTfjs');
  if (typeof tf?.tidy !== 'function' || typeof tf.tensor !== 'function')
    throw new TypeError(`fromTfjs needs TensorFlow.js as the option tf, not ${show(tf)}`);
  const { output, softmax = false, executeAsync = false } = rest;
  const name = checkFlag(executeAsync, 'executeAsync') ? 'executeAsync' : 'predict';
  if (typeof model !== 'function' && typeof model?.[name] !== 'function')
    throw new TypeError(`fromTfjs takes a model with ${name}, or a function of a tensor, not ${show(model)}`);
  if (encode !== undefined && typeof encode !== 'function')
    throw new TypeError(`encode must be a function, not ${show(encode)}`);
  const labels = readLabels(rest.labels);
  const { shape, dtype = 'float32' } = model.inputs?.length === 1 ? model.inputs[0] : {};
  const side = Number(shape?.[0]);
  /** @param {any} batch */
  const tensorOf = (batch) => {
    if (encode) return encode(batch);
    if (isTexts(batch)) throw new TypeError('the model takes tensors; pass encode: (texts) => a tensor');
    const data = dtype === 'float32' ? Float32Array.from(batch.data) : Int32Array.from(batch.data, Math.round);
    return tf.tensor(data, fitShape(batch, shape), dtype);
  };
  const call = (/** @type {any} */ input) => (typeof model === 'function' ? model(input) : model[name](input));
  /** @param {any} part */
  const ask = async (part) => {
    const scores = executeAsync
      ? await askAsync(tf, tensorOf, call, part, output)
      : tf.tidy(() => outputOf(call(tensorOf(part)), output));
    try {
      return { data: await scores.data(), shape: scores.shape };
    } finally {
      scores.dispose();
    }
  };
  return makePredict(
    { softmax: checkFlag(softmax, 'softmax'), labels, batchSize: rest.batchSize, fixed: side > 0 ? side : undefined },
    ask,
    { ...(!encode && inputFacts(shape, dtype)), ...(rest.model && { model: rest.model }) },
  );
}

/**
 * Asks a graph that must be run asynchronously. `tidy` cannot wait, so everything but the scores is disposed by hand.
 *
 * @param {any} tf
 * @param {(batch: any) => any} tensorOf
 * @param {(input: any) => any} call
 * @param {any} part
 * @param {unknown} output
 */
async function askAsync(tf, tensorOf, call, part, output) {
  const input = tf.tidy(() => tensorOf(part));
  /** @type {any} */
  let answer;
  let scores;
  try {
    answer = await call(input);
    return (scores = outputOf(answer, output));
  } finally {
    for (const tensor of [...tensorsOf(input), ...tensorsOf(answer)]) if (tensor !== scores) tensor.dispose();
  }
}

/** @param {any} value  a tensor, an array of tensors, or tensors by name @returns {any[]} */
function tensorsOf(value) {
  if (typeof value?.dispose === 'function') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(tensorsOf) : [];
}

/** @param {any} answer @param {unknown} output */
function outputOf(answer, output) {
  const found = tensorsOf(answer);
  const tensor = output === undefined && found.length === 1 ? found[0] : answer?.[/** @type {any} */ (output)];
  if (typeof tensor?.data === 'function') return tensor;
  const names = Array.isArray(answer) ? answer.map((_, i) => i) : Object.keys(answer ?? {});
  throw new RangeError(`the model has the outputs ${names.join(', ')}; choose one by output, not ${show(output)}`);
}
