// Loads the transformer of film reviews with transformers.js.

/**
 * Loads the transformer of film reviews from the files in reviews-transformer/ (train-transformer.py).
 *
 * @param {{ env: any, pipeline: any }} transformers  transformers.js; its `env` is changed, so that it loads nothing from other
 *   hosts. In a page or a worker, `env.backends.onnx.wasm.wasmPaths` of its runtime must be set
 * @param {{ folder?: string | URL }} [options]  folder: where the folder reviews-transformer is; default: next to this file
 * @returns {Promise<{ classes: string[], predict: (texts: string[]) => Promise<number[][]>, classify: any }>}  predict: one
 *   row per text, the class probabilities; classify: the pipeline
 * @throws {Error} if a file cannot be loaded
 */
export async function loadReviewTransformer({ env, pipeline }, { folder = new URL('./', import.meta.url) } = {}) {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  // The browser has a cache of its own, and a cached runtime would start from a blob, which a strict policy forbids.
  Object.assign(env, { useBrowserCache: false, useWasmCache: false });
  env.localModelPath = await pathOf(new URL(folder));
  const classify = await pipeline('text-classification', 'reviews-transformer', { dtype: 'q8' });
  const classes = Object.values(classify.model.config.id2label);
  return {
    classes,
    classify,
    async predict(texts) {
      if (texts.length === 0) return [];
      // Without top_k: null, a pipeline gives only the best label. The labels are sorted by score.
      const answers = await classify(texts, { top_k: null });
      return answers.map((/** @type {{ label: string, score: number }[]} */ scores) =>
        classes.map((name) => scores.find(({ label }) => label === name)?.score ?? NaN),
      );
    },
  };
}

/** Returns the path that transformers.js wants: on the disk in Node, on the host in a page. @param {URL} url */
async function pathOf(url) {
  if (url.protocol !== 'file:') return url.pathname;
  const { fileURLToPath } = await import('node:url');
  return fileURLToPath(url);
}
