// Two protocols of model servers: KServe and TensorFlow Serving, and plain JSON.
import { show } from '../core/errors.js';
import { isTexts } from './model-batches.js';

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
