// Opens an ONNX file with the runtime that is installed.
import { readFile } from 'node:fs/promises';
import { LinexError, messageOf } from '../core/errors.js';
import { importOptional } from '../command-files/optional-package.js';

/**
 * How the user wants an ONNX model to be read.
 *
 * @typedef {object} OnnxWishes
 * @property {readonly string[]} [classes]
 * @property {boolean} [softmax]
 * @property {string} [output]
 */

/**
 * Opens an ONNX file.
 *
 * @param {string} path
 * @param {OnnxWishes} wishes
 * @returns {Promise<{ predict: any, inputs: number | undefined, takesTexts: boolean }>}  inputs: how many numbers per row it takes,
 *   if it says so
 * @throws {LinexError} `'load'` if the file is not a model that the runtime can run
 */
export async function openOnnx(path, { classes, softmax, output }) {
  const ort = await importOptional(['onnxruntime-node', 'onnxruntime-web'], `run ${path}`);
  const { fromOnnx } = await import('../adapters/from-onnx.js');
  const { InferenceSession, env } = ort.InferenceSession ? ort : ort.default;
  // Each worker of a pool has its own session, so that a session needs one thread.
  if (env?.wasm) env.wasm.numThreads = 1;
  const bytes = await readFile(path);
  try {
    const session = await InferenceSession.create(new Uint8Array(bytes), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    });
    const options = { ...(classes && { labels: classes }), ...(softmax && { softmax }), ...(output && { output }) };
    const shape = session.inputMetadata?.[0]?.shape;
    const inputs = session.inputNames.length === 1 && shape?.length === 2 ? Number(shape[1]) : undefined;
    const takesTexts = session.inputMetadata?.some((/** @type {any} */ { type }) => type === 'string') ?? true;
    return { predict: fromOnnx(session, options), inputs: Number(inputs) > 0 ? inputs : undefined, takesTexts };
  } catch (cause) {
    throw new LinexError('load', `could not open ${path}: ${messageOf(cause)}`, { cause });
  }
}
