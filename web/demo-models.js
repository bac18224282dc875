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
  async photo(onLoad) {
    const { loadDetector } = await import('./models/photograph.js');
    // Each leaves what the next one needs on globalThis.
    await import('../vendor/tf/tf-core.es2017.min.js');
    await import('../vendor/tf/tf-converter.es2017.min.js');
    await import('../vendor/tf/tf-backend-wasm.es2017.min.js');
    return loadDetector({ tf: globalThis.tf, vendor: new URL('../vendor/tf/', import.meta.url), onProgress: onLoad });
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
 * @param {(share: number) => void} [onLoad]  told how much of it is here, where that takes a while
 * @returns {Promise<any>}
 */
export function modelNamed(name, onLoad = () => {}) {
  if (!loaded.has(name)) {
    const loading = LOADERS[name](onLoad);
    loaded.set(name, loading);
    // What could not be had may be asked for again.
    loading.catch(() => loaded.delete(name));
  }
  return loaded.get(name);
}
