// Loads the demo's models in the worker, each on first use.
import { loadBayes } from './models/reviews-bayes.js';

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

const LOADERS = {
  async bayes() {
    return loadBayes();
  },
  async network() {
    const { loadReviewNetwork } = await import('./models/reviews-network.js');
    return loadReviewNetwork(await loadRuntime());
  },
  async transformer() {
    const { loadReviewTransformer } = await import('./models/reviews-transformer.js');
    // transformers.js uses the same runtime, with its settings.
    await loadRuntime();
    return loadReviewTransformer(await import('../vendor/transformers.js'));
  },
  async garments() {
    const { loadGarments, GARMENT_INPUT } = await import('./models/garments.js');
    return { ...(await loadGarments(await loadRuntime())), input: GARMENT_INPUT };
  },
  async photo(onProgress) {
    const { loadDetector } = await import('./models/photograph.js');
    // Each script puts on globalThis what the next one needs.
    await import('../vendor/tf/tf-core.es2017.min.js');
    await import('../vendor/tf/tf-converter.es2017.min.js');
    await import('../vendor/tf/tf-backend-wasm.es2017.min.js');
    return loadDetector({ tf: globalThis.tf, vendor: new URL('../vendor/tf/', import.meta.url), onProgress });
  },
  async forest() {
    const { classes, columns, trainIrisForest } = await import('../vendor/iris-forest.js');
    return { classes, columns, ...trainIrisForest() };
  },
};

/** Loads onnxruntime with one thread, because a page without cross-origin isolation cannot use more. */
async function loadRuntime() {
  const ort = await import('../vendor/ort/ort.wasm.min.mjs');
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('../vendor/ort/', import.meta.url).href;
  return ort;
}

/**
 * Returns a model by name, and loads it on first use.
 *
 * @param {keyof typeof LOADERS} name
 * @param {(share: number) => void} [onProgress]  called with the loaded share, from 0 to 1, if the model is large
 * @returns {Promise<any>}
 */
export function modelNamed(name, onProgress = () => {}) {
  if (!loaded.has(name)) {
    if (!Object.hasOwn(LOADERS, name))
      return Promise.reject(new RangeError(`there is no model ${JSON.stringify(name)}`));
    const loading = LOADERS[name](onProgress);
    loaded.set(name, loading);
    // After a failure, the next call tries again.
    loading.catch(() => loaded.delete(name));
  }
  return loaded.get(name);
}
