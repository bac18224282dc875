// Makes a `predict` from a session of ONNX Runtime.
import { checkFlag, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { fitShape, inputFacts, isTexts, makePredict, readLabels } from './model-batches.js';

/**
 * @typedef {object} OnnxOptions
 * @property {string} [input]  the name of the input; default: the only one. A model with one input per column gets each
 *   column of a row by its name
 * @property {string} [output]  the name of the output with the scores; default: the only one with floats, or the one whose
 *   name says so (`probabilities`, `logits`, `scores`)
 * @property {boolean} [softmax]  whether the scores are logits, of which the softmax is taken; default false
 * @property {readonly string[]} [labels]  names of the scores, in their order; explanations then name them
 * @property {number} [batchSize]  the most samples per run; default: the whole batch. If the model has a fixed batch size,
 *   that one is used
 * @property {(batch: any) => Record<string, any>} [encode]  makes the inputs by name, such as token numbers:
 *   `{ ids: { data, dims, type } }`; needed for texts, unless the model takes strings
 * @property {any} [Tensor]  the class of the runtime, such as `ort.Tensor`; default: plain objects, which onnxruntime-web and
 *   onnxruntime-node take
 * @property {string} [model]  a name for caches
 */

/**
 * What is used of an `InferenceSession`.
 *
 * @typedef {object} OnnxSession
 * @property {(feeds: any, fetches?: any) => Promise<any>} run
 * @property {readonly string[]} inputNames
 * @property {readonly string[]} outputNames
 * @property {readonly any[]} [inputMetadata]  of newer versions
 * @property {readonly any[]} [outputMetadata]  of newer versions
 */

const OPTIONS = ['input', 'output', 'softmax', 'labels', 'batchSize', 'encode', 'Tensor', 'model'];

/** Arrays by the type of a tensor. @type {Record<string, any>} */
const ARRAYS = {
  ...{ float32: Float32Array, float64: Float64Array, int32: Int32Array, int64: BigInt64Array },
  ...{ uint8: Uint8Array, int8: Int8Array, bool: Uint8Array },
};

/** @typedef {{ name: string, type?: string, shape?: readonly (number | string)[] }} Place  of an input or output */

/**
 * Makes a `predict` from a session of onnxruntime-web or onnxruntime-node. Its runs wait for each other.
 *
 * @param {OnnxSession} session
 * @param {OnnxOptions} [options]
 * @returns {import('./model-batches.js').Ask & import('./model-batches.js').ModelFacts}  for rows, texts (with `encode`) or
 *   images
 * @throws {TypeError | RangeError} if the session or an option cannot be used
 */
export function fromOnnx(session, options = {}) {
  if (typeof session?.run !== 'function' || !Array.isArray(session.inputNames))
    throw new TypeError(`fromOnnx takes an InferenceSession, not ${show(session)}`);
  const { input, output, softmax = false, encode, Tensor, model, ...rest } = checkNames(options, OPTIONS, 'fromOnnx');
  if (encode !== undefined && typeof encode !== 'function')
    throw new TypeError(`encode must be a function, not ${show(encode)}`);
  const labels = readLabels(rest.labels);
  const inputs = placesOf(session.inputNames, session.inputMetadata);
  const source = input === undefined ? inputs[0] : named(inputs, input, 'input');
  const result = chooseOutput(placesOf(session.outputNames, session.outputMetadata), output);
  const single = input !== undefined || inputs.length === 1;
  const { shape } = source;
  const fixed = encode || !single || !(Number(shape?.[0]) > 0) ? undefined : Number(shape?.[0]);
  const make = (/** @type {any} */ { type = 'float32', data, dims, shape: sides }) =>
    Tensor ? new Tensor(type, data, dims ?? sides) : { type, data, dims: dims ?? sides, location: 'cpu' };
  /** @param {any} batch @returns {Record<string, any>} */
  const feed = (batch) => {
    if (encode) return mapValues(encode(batch), (value) => ('location' in value ? value : make(value)));
    if (isTexts(batch)) return { [source.name]: make(ofTexts(batch, source)) };
    if (single) return { [source.name]: make(ofNumbers(batch, source)) };
    return Object.fromEntries(inputs.map((place) => [place.name, make(ofColumn(batch, place))]));
  };
  return makePredict(
    { softmax: checkFlag(softmax, 'softmax'), labels, batchSize: rest.batchSize, fixed, session },
    async (part, size) => answerOf((await session.run(feed(part), [result.name]))[result.name], size),
    { ...(!encode && single && inputFacts(shape, source.type)), ...(model && { model }) },
  );
}

/** @param {Record<string, any>} record @param {(value: any) => any} map */
const mapValues = (record, map) => Object.fromEntries(Object.entries(record).map(([name, one]) => [name, map(one)]));

/** @param {readonly string[]} names @param {readonly any[] | undefined} metadata @returns {Place[]} */
const placesOf = (names, metadata) =>
  names.map((name, i) => ({ name, type: metadata?.[i]?.type, shape: metadata?.[i]?.shape }));

/**
 * @param {Place[]} places
 * @param {unknown} name
 * @param {string} option
 * @returns {Place}
 */
function named(places, name, option) {
  const place = places.find((one) => one.name === name);
  if (place) return place;
  throw new RangeError(`${option} must be one of ${places.map((one) => one.name).join(', ')}, not ${show(name)}`);
}

/** @param {Place[]} places @param {unknown} name @returns {Place} */
function chooseOutput(places, name) {
  if (name !== undefined) return named(places, name, 'output');
  const floats = places.filter(({ type }) => type === undefined || type.startsWith('float'));
  const telling = floats.filter((place) => /prob|logit|score/i.test(place.name));
  const found = floats.length === 1 ? floats : telling;
  if (found.length === 1) return found[0];
  throw new TypeError(`the session has the outputs ${places.map((one) => one.name).join(', ')}; name one as output`);
}

/** @param {ArrayLike<number>} data @param {Place} place */
function convert(data, { name, type = 'float32' }) {
  const array = ARRAYS[type];
  if (!array) throw new TypeError(`input ${show(name)} takes ${type}; pass encode, which makes its tensor`);
  if (data instanceof array) return data;
  if (array === BigInt64Array) return BigInt64Array.from(data, (value) => BigInt(Math.round(value)));
  return array.from(data, type.startsWith('float') ? undefined : Math.round);
}

/** @param {import('./model-batches.js').TensorBatch} batch @param {Place} place */
const ofNumbers = (batch, place) => ({
  type: place.type,
  data: convert(batch.data, place),
  dims: fitShape(batch, place.shape),
});

/** @param {readonly string[]} texts @param {Place} place */
function ofTexts(texts, { name, type, shape }) {
  if (type === 'string')
    return { type, data: [...texts], dims: shape?.length === 2 ? [texts.length, 1] : [texts.length] };
  throw new TypeError(
    `input ${show(name)} takes no texts; pass encode: (texts) => ({ ${name}: { data, dims, type } })`,
  );
}

/** One column of rows. @param {import('./model-batches.js').TensorBatch} batch @param {Place} place */
function ofColumn({ records }, place) {
  const { name, type } = place;
  if (!records || !Object.hasOwn(records[0], name))
    throw new RangeError(`the session has several inputs, and no column is called ${show(name)}; pass input or encode`);
  const values = records.map((record) => record[name]);
  const data =
    type === 'string'
      ? values.map((value) => String(value ?? ''))
      : convert(
          values.map((value) => (value === null ? NaN : Number(value))),
          place,
        );
  return { type, data, dims: [values.length, 1] };
}

/** @param {any} tensor @param {number} size */
async function answerOf(tensor, size) {
  const data = typeof tensor?.getData === 'function' ? await tensor.getData() : tensor?.data;
  if (tensor?.dims?.[0] !== size)
    throw new RangeError(`the session answered ${size} samples with the shape [${tensor?.dims}]`);
  // Labels and counts come as BigInt.
  const numbers = Float64Array.from(data, Number);
  if (tensor.location !== 'cpu') tensor.dispose?.();
  return numbers;
}
