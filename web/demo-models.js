// The demo's models, each loaded when it is first asked for. Used by the worker.
import { loadBayes } from './models/reviews-bayes.js';

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

const LOADERS = {
  async bayes() {
    return loadBayes();
  },
  async network() {
    const { loadReviewNetwork } = await import('./models/reviews-network.js');
    return loadReviewNetwork(await runtime());
  },
  async garments() {
    const { loadGarments, GARMENT_INPUT } = await import('./models/garments.js');
    return { ...(await loadGarments(await runtime())), input: GARMENT_INPUT };
  },
  async forest() {
    const { classes, columns, trainIrisForest } = await import('../vendor/iris-forest.js');
    return { classes, columns, ...trainIrisForest() };
  },
};

/** onnxruntime, in one thread: a page without cross-origin isolation has no other. */
async function runtime() {
  const ort = await import('../vendor/ort/ort.wasm.min.mjs');
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('../vendor/ort/', import.meta.url).href;
  return ort;
}

/**
 * A model by name.
 *
 * @param {keyof typeof LOADERS} name
 * @returns {Promise<any>}
 */
export function modelNamed(name) {
  if (!loaded.has(name)) {
    const loading = LOADERS[name]();
    loaded.set(name, loading);
    // What could not be had may be asked for again.
    loading.catch(() => loaded.delete(name));
  }
  return loaded.get(name);
}
