// Loads COCO-SSD, a detector of everyday objects, for use in a worker.
import { COCO_CLASSES } from './coco-classes.js';
import { readBytes, readJSON } from './read-bytes.js';

/** The classes of the detector, in the order of its answers. */
export const OBJECTS = Object.freeze([...COCO_CLASSES.values()]);

const SIDE = 300;

/** The `input` that explainImage needs for this detector: colors from -1 to 1, channels last. */
export const PHOTOGRAPH_INPUT = Object.freeze({
  layout: 'nhwc',
  type: 'float32',
  width: SIDE,
  height: SIDE,
  scale: 1 / 127.5,
  mean: 1,
});

/** Images per run. More at once are hardly faster and need more memory. */
const BATCH = 8;
const IMAGE_LENGTH = SIDE * SIDE * 3;

// We run the graph from after its preprocessor to before it chooses boxes. The rest takes one image at a time, is
// asynchronous, and returns a varying number of boxes.
const FIRST_NODE = 'Preprocessor/sub';
const SCORES_NODE = 'Postprocessor/Slice';

/**
 * Loads COCO-SSD (MobileNet v2), which finds 80 kinds of everyday objects in photographs.
 *
 * @param {object} options
 * @param {any} options.tf  TensorFlow.js, as tf-core, tf-converter and tf-backend-wasm leave it on globalThis if they are
 *   imported in this order. Its backend is set to 'wasm' with one thread, because more threads need an isolated page and
 *   scripts from blobs
 * @param {string | URL} [options.vendor]  the folder that holds tfjs-backend-wasm*.wasm and coco-ssd/
 * @param {(share: number) => void} [options.onProgress]  called with the share of the weights that is loaded, from 0 to 1
 * @returns {Promise<{ classes: readonly string[], input: typeof PHOTOGRAPH_INPUT,
 *   predict: (batch: { data: Float32Array, shape: readonly number[] }) => { data: Float32Array, shape: number[] } }>}
 *   predict: takes data of shape [n, 300, 300, 3], colors from -1 to 1; returns data of shape [n, 80], the highest score of
 *   each object over all boxes. It is synchronous and takes about 100 ms per image, so use it in a worker
 * @throws {Error} if a file cannot be loaded, or WebAssembly is off
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
  const scores = (/** @type {Float32Array} */ images) =>
    tf.tidy(() => {
      const input = tf.tensor4d(images, [images.length / IMAGE_LENGTH, SIDE, SIDE, 3]);
      const boxScores = model.execute({ [FIRST_NODE]: input }, SCORES_NODE);
      return tf.gather(tf.max(boxScores, 1), columns, 1).dataSync();
    });
  return {
    classes: OBJECTS,
    input: PHOTOGRAPH_INPUT,
    predict({ data, shape }) {
      const [count, ...sides] = shape;
      if (sides.join() !== `${SIDE},${SIDE},3` || data.length !== count * IMAGE_LENGTH)
        throw new RangeError(`images must have shape [n, 300, 300, 3], not [${shape}] with ${data.length} numbers`);
      const answers = new Float32Array(count * OBJECTS.length);
      for (let first = 0; first < count; first += BATCH)
        answers.set(
          scores(data.subarray(first * IMAGE_LENGTH, (first + BATCH) * IMAGE_LENGTH)),
          first * OBJECTS.length,
        );
      return { data: answers, shape: [count, OBJECTS.length] };
    },
  };
}

/**
 * Starts the backend. TensorFlow.js waits forever for a missing file and reports failures only on the console, so we load
 * and compile the file ourselves first.
 *
 * @param {any} tf
 * @param {URL} folder
 */
async function startBackend(tf, folder) {
  // An earlier load has started it; its paths cannot be set twice.
  if (tf.getBackend() === 'wasm') return;
  if (typeof WebAssembly === 'undefined')
    throw new Error('the detector needs WebAssembly, which is off in this browser');
  const simd = await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT');
  const file = `tfjs-backend-wasm${simd ? '-simd' : ''}.wasm`;
  const bytes = await readBytes(new URL(file, folder)).catch(failWith(`could not load ${file}`));
  await WebAssembly.compile(bytes).catch(failWith(`could not compile ${file}`));
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  tf.wasm.setWasmPaths(folder.href);
  if (!(await tf.setBackend('wasm'))) throw new Error("TensorFlow.js could not start its backend 'wasm'");
}

/**
 * Reads the graph and its weights. TensorFlow.js could fetch them too, but it reports progress by files, not bytes, and
 * treats an error page as weights.
 *
 * @param {URL} folder
 * @param {(share: number) => void} onProgress
 */
async function readModel(folder, onProgress) {
  const file = await readJSON(new URL('model.json', folder)).catch(failWith('could not load model.json'));
  const { modelTopology, weightsManifest } = file;
  const [{ paths, weights: weightSpecs }] = weightsManifest;
  const counts = weightSpecs.map(({ shape }) => shape.reduce((product, side) => product * side, 1));
  const total = 4 * counts.reduce((sum, count) => sum + count, 0);
  let read = 0;
  onProgress(0);
  const count = (/** @type {number} */ bytes) => onProgress(Math.min(1, (read += bytes) / total));
  const parts = await Promise.all(
    paths.map((path) => readCounting(new URL(path, folder), count).catch(failWith(`could not load ${path}`))),
  );
  const weightData = await new Blob(parts.flat()).arrayBuffer();
  if (weightData.byteLength !== total)
    throw new Error(`the weights in ${folder} have ${weightData.byteLength} bytes, not ${total}`);
  return { modelTopology, weightSpecs, weightData, format: 'graph-model' };
}

/**
 * Fetches a file and reports its progress.
 *
 * @param {URL} url
 * @param {(bytes: number) => void} count  called with the size of each piece
 * @returns {Promise<Uint8Array[]>}
 */
async function readCounting(url, count) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status} from ${url}`);
  const pieces = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    pieces.push(value);
    count(value.length);
  }
}

/** Returns a handler that adds a message to an error. @param {string} message @returns {(cause: Error) => never} */
function failWith(message) {
  return (cause) => {
    throw new Error(`${message}: ${cause.message}`, { cause });
  };
}
