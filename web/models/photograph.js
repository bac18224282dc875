import { COCO_CLASSES } from './coco-classes.js';
import { readBytes, readJSON } from './read-bytes.js';

/** What the detector tells apart, in the order of its answers. */
export const THINGS = Object.freeze([...COCO_CLASSES.values()]);

const SIDE = 300;

/** The `input` that explainImage needs for this detector: colors in -1 … 1, channels last. */
export const PHOTOGRAPH_INPUT = Object.freeze({
  layout: 'nhwc',
  type: 'float32',
  width: SIDE,
  height: SIDE,
  scale: 1 / 127.5,
  mean: 1,
});

/** Pictures a run: more at once are hardly faster, and take more memory. */
const BATCH = 8;
const NUMBERS = SIDE * SIDE * 3;

// The graph from behind its preprocessor to before it chooses boxes: what lies outside takes one picture at a time, is
// asynchronous, and answers with as many boxes as it likes.
const FIRST_NODE = 'Preprocessor/sub';
const SCORES_NODE = 'Postprocessor/Slice';

/**
 * Loads COCO-SSD (MobileNet v2), which finds 80 everyday things in photographs.
 *
 * @param {object} options
 * @param {any} options.tf  TensorFlow.js, as tf-core, tf-converter and tf-backend-wasm, imported one after the other,
 *   leave it on globalThis. Its backend becomes 'wasm', with one thread: more want an isolated page, and blobs for scripts
 * @param {string | URL} [options.vendor]  the folder of tfjs-backend-wasm*.wasm and of coco-ssd/
 * @param {(share: number) => void} [options.onProgress]  told how much of the weights is here, 0 … 1
 * @returns {Promise<{ classes: readonly string[], input: typeof PHOTOGRAPH_INPUT,
 *   predict: (batch: { data: Float32Array, shape: readonly number[] }) => { data: Float32Array, shape: number[] } }>}
 *   predict: data of shape [n, 300, 300, 3], colors in -1 … 1; of shape [n, 80], how sure the detector is of each thing
 *   where it is surest of it. Synchronous, some 100 ms a picture: for a worker
 * @throws {Error} if a file cannot be had, or WebAssembly is off
 */
export async function loadDetector({ tf, vendor = '/vendor/', onProgress = () => {} }) {
  const folder = new URL(String(vendor).replace(/\/?$/, '/'), globalThis.location?.href ?? import.meta.url);
  await startBackend(tf, folder);
  const artifacts = await readModel(new URL('coco-ssd/', folder), onProgress);
  const model = await tf.loadGraphModel({ load: async () => artifacts });
  const columns = tf.tensor1d(
    [...COCO_CLASSES.keys()].map((number) => number - 1),
    'int32',
  );
  const scores = (/** @type {Float32Array} */ pictures) =>
    tf.tidy(() => {
      const input = tf.tensor4d(pictures, [pictures.length / NUMBERS, SIDE, SIDE, 3]);
      const ofBoxes = model.execute({ [FIRST_NODE]: input }, SCORES_NODE);
      return tf.gather(tf.max(ofBoxes, 1), columns, 1).dataSync();
    });
  return {
    classes: THINGS,
    input: PHOTOGRAPH_INPUT,
    predict({ data, shape }) {
      const [count, ...sides] = shape;
      if (sides.join() !== `${SIDE},${SIDE},3` || data.length !== count * NUMBERS)
        throw new RangeError(`pictures must have shape [n, 300, 300, 3], not [${shape}] of ${data.length} numbers`);
      const answers = new Float32Array(count * THINGS.length);
      for (let first = 0; first < count; first += BATCH)
        answers.set(scores(data.subarray(first * NUMBERS, (first + BATCH) * NUMBERS)), first * THINGS.length);
      return { data: answers, shape: [count, THINGS.length] };
    },
  };
}

/**
 * TensorFlow.js would wait for ever for a file that is not there, and tells only the console why it cannot start: so
 * whatever can go wrong is tried before.
 *
 * @param {any} tf
 * @param {URL} folder
 */
async function startBackend(tf, folder) {
  // It was started by a load before this one, and cannot be told twice where its files are.
  if (tf.getBackend() === 'wasm') return;
  if (typeof WebAssembly === 'undefined') throw new Error('the detector needs WebAssembly, which is off here');
  const simd = await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT');
  const file = `tfjs-backend-wasm${simd ? '-simd' : ''}.wasm`;
  const bytes = await readBytes(new URL(file, folder)).catch(cannot(`${file} cannot be had`));
  await WebAssembly.compile(bytes).catch(cannot(`${file} cannot be compiled`));
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  tf.wasm.setWasmPaths(folder.href);
  if (!(await tf.setBackend('wasm'))) throw new Error("TensorFlow.js cannot start its backend 'wasm'");
}

/**
 * The graph and its weights. TensorFlow.js could fetch them too, but counts files, not bytes, and takes a page that says
 * "not found" for weights.
 *
 * @param {URL} folder
 * @param {(share: number) => void} onProgress
 */
async function readModel(folder, onProgress) {
  const file = await readJSON(new URL('model.json', folder)).catch(cannot('model.json cannot be had'));
  const { modelTopology, weightsManifest } = file;
  const [{ paths, weights: weightSpecs }] = weightsManifest;
  const numbers = weightSpecs.map(({ shape }) => shape.reduce((product, side) => product * side, 1));
  const total = 4 * numbers.reduce((sum, count) => sum + count, 0);
  let read = 0;
  onProgress(0);
  const count = (/** @type {number} */ bytes) => onProgress(Math.min(1, (read += bytes) / total));
  const parts = await Promise.all(
    paths.map((path) => readCounting(new URL(path, folder), count).catch(cannot(`${path} cannot be had`))),
  );
  const weightData = await new Blob(parts.flat()).arrayBuffer();
  if (weightData.byteLength !== total)
    throw new Error(`the weights in ${folder} have ${weightData.byteLength} bytes, not ${total}`);
  return { modelTopology, weightSpecs, weightData, format: 'graph-model' };
}

/**
 * @param {URL} url
 * @param {(bytes: number) => void} count  told of each piece as it comes
 * @returns {Promise<Uint8Array[]>}
 */
async function readCounting(url, count) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const pieces = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    pieces.push(value);
    count(value.length);
  }
}

/** @param {string} what @returns {(cause: Error) => never} */
function cannot(what) {
  return (cause) => {
    throw new Error(`${what}: ${cause.message}`, { cause });
  };
}
