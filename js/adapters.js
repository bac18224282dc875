// linex/adapters: models of other runtimes and servers as `predict` functions, and polite asking.
export { fromOnnx } from './adapters/from-onnx.js';
export { fromTfjs } from './adapters/from-tfjs.js';
export { fromPipeline } from './adapters/from-pipeline.js';
export { fromHTTP } from './adapters/from-http.js';
export { boxScore, regionScore } from './adapters/image-scores.js';
export { polite } from './adapters/polite.js';
export { memoryCache } from './adapters/memory-cache.js';
export { indexedDBCache } from './adapters/indexeddb-cache.js';
export { fileCache } from './adapters/file-cache.js';

/**
 * @typedef {import('./adapters/model-batches.js').ModelFacts} ModelFacts
 * @typedef {import('./adapters/polite.js').PoliteOptions} PoliteOptions
 * @typedef {import('./adapters/answer-keys.js').AnswerCache} AnswerCache
 * @typedef {import('./adapters/from-onnx.js').OnnxOptions} OnnxOptions
 * @typedef {import('./adapters/from-onnx.js').OnnxSession} OnnxSession
 * @typedef {import('./adapters/from-tfjs.js').TfjsOptions} TfjsOptions
 * @typedef {import('./adapters/from-pipeline.js').PipelineOptions} PipelineOptions
 * @typedef {import('./adapters/from-http.js').HTTPOptions} HTTPOptions
 */
