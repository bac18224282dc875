// Version 2 of the Open Inference Protocol.
import { show } from '../core/errors.js';
import { fitShape, isTexts } from './model-batches.js';

/** The types of the Open Inference Protocol that hold numbers. */
const isNumeric = (/** @type {string} */ type) => /^(FP|U?INT)\d/.test(type);

/**
 * Version 2 of the Open Inference Protocol, as KServe, Triton, OpenVINO Model Server and MLServer speak it.
 *
 * @param {import('./from-http.js').HTTPOptions} options
 * @param {string} address  ends with `/infer`
 * @returns {import('./from-http.js').Protocol}
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
      const { data, dims, type } = isTexts(batch) ? ofTexts(batch, shape) : ofTensor(batch, shape, datatype);
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

/**
 * @param {import('./model-batches.js').TensorBatch} batch
 * @param {readonly number[]} [shape]
 * @param {string} [datatype]  what the model takes, if that is known
 */
function ofTensor(batch, shape, datatype = '') {
  const isWhole = /^U?INT\d/.test(datatype);
  // Its fractions would all become 0 or 1.
  if (isWhole && batch.layout && !(batch.data instanceof Uint8Array))
    throw new TypeError(`the model takes images of ${datatype}; pass input: { type: 'uint8' } to explainImage`);
  return {
    type: batch.data instanceof Uint8Array ? 'UINT8' : batch.data instanceof Float32Array ? 'FP32' : 'FP64',
    data: Array.from(batch.data, (value) => (isWhole ? Math.round(value) : value)),
    dims: fitShape(batch, shape),
  };
}
