// The protocols of model servers: Open Inference, KServe and TensorFlow Serving, and plain JSON.
import { show } from '../core/errors.js';
import { fitShape, isTexts } from './model-batches.js';

/** @typedef {import('./from-http.js').HTTPOptions} HTTPOptions */
/** @typedef {import('./from-http.js').Protocol} Protocol */

/**
 * The samples of a batch as JSON: texts, rows, or nested arrays of pixels.
 *
 * @param {any} batch
 * @param {HTTPOptions['rows']} rows
 * @returns {readonly any[]}
 */
function samplesOf(batch, rows) {
  if (isTexts(batch)) return batch;
  if (rows === 'records' && batch.records) return batch.records;
  if (rows === 'values' && batch.rows) return batch.rows;
  /** @param {any} data @param {readonly number[]} shape @returns {any[]} */
  const nest = (data, [count, ...rest]) => {
    const length = data.length / count;
    return Array.from({ length: count }, (_, i) =>
      rest.length === 0 ? data[i] : nest(data.subarray(i * length, (i + 1) * length), rest),
    );
  };
  return nest(batch.data, batch.shape);
}

/**
 * Posts the samples as a JSON array, and takes the answer as it is.
 *
 * @param {HTTPOptions} options
 * @returns {Protocol}
 */
export const plain = ({ rows, output }) => ({
  request: (batch) => samplesOf(batch, rows),
  response: (json) => (output === undefined ? json : json?.[output]),
});

/**
 * KServe version 1, and the row format of TensorFlow Serving.
 *
 * @param {HTTPOptions} options
 * @returns {Protocol}
 */
export const instances = ({ rows, output }) => ({
  request: (batch) => ({ instances: samplesOf(batch, rows) }),
  response({ predictions } = {}) {
    if (!Array.isArray(predictions)) throw new TypeError(`the answer must have predictions, not ${show(predictions)}`);
    const isNamed = typeof predictions[0] === 'object' && !Array.isArray(predictions[0]);
    if (!isNamed) return predictions;
    const names = Object.keys(predictions[0] ?? {});
    const name = output ?? (names.length === 1 ? names[0] : undefined);
    if (name === undefined || !names.includes(name))
      throw new RangeError(`output must be one of ${names.join(', ')}, not ${show(output)}`);
    return predictions.map((one) => one[name]);
  },
});

/** The types of the Open Inference Protocol that hold numbers. */
const isNumeric = (/** @type {string} */ type) => /^(FP|U?INT)\d/.test(type);

/**
 * Version 2 of the Open Inference Protocol, as KServe, Triton, OpenVINO Model Server and MLServer speak it.
 *
 * @param {HTTPOptions} options
 * @param {string} address  ends with `/infer`
 * @returns {Protocol}
 */
export function openInference({ input, output }, address) {
  /** What the server says about the model. @type {Promise<any> | undefined} */
  let about;
  return {
    async request(batch, post) {
      // With the input's name, the server need not be asked.
      if (input === undefined) about ??= post(address.replace(/\/infer(?=$|\?)/, ''));
      const { inputs = [] } =
        (await about?.catch((error) => {
          // The next request asks again.
          about = undefined;
          throw error;
        })) ?? {};
      if (input === undefined && inputs.length !== 1)
        throw new TypeError(`the model has ${inputs.length} inputs; name the one for the samples as input`);
      const { name = input, datatype, shape } = inputs[0] ?? {};
      const { data, dims, type } = isTexts(batch) ? ofTexts(batch, shape) : ofTensor(batch, shape);
      const sent = { inputs: [{ name, shape: dims, datatype: datatype ?? type, data }] };
      return output === undefined ? sent : { ...sent, outputs: [{ name: output }] };
    },
    response({ outputs } = {}) {
      if (!Array.isArray(outputs)) throw new TypeError(`the answer must have outputs, not ${show(outputs)}`);
      const found = outputs.filter((one) => (output === undefined ? isNumeric(one.datatype) : one.name === output));
      const floats = found.filter(({ datatype }) => String(datatype).startsWith('FP'));
      const [scores] = floats.length === 1 ? floats : found.length === 1 ? found : [];
      if (scores) return { data: scores.data.flat(Infinity), shape: scores.shape };
      throw new RangeError(
        `the answer has the outputs ${outputs.map(({ name }) => name).join(', ')}; name one as output`,
      );
    },
  };
}

/** @param {readonly string[]} texts @param {readonly number[]} [shape] */
const ofTexts = (texts, shape) => ({
  type: 'BYTES',
  data: texts,
  dims: shape?.length === 2 ? [texts.length, 1] : [texts.length],
});

/** @param {import('./model-batches.js').TensorBatch} batch @param {readonly number[]} [shape] */
const ofTensor = (batch, shape) => ({
  type: batch.data instanceof Uint8Array ? 'UINT8' : batch.data instanceof Float32Array ? 'FP32' : 'FP64',
  data: Array.from(batch.data),
  dims: fitShape(batch, shape),
});
