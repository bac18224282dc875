// linex/pool: many rows on all cores.
import './wasm-files.js';
export { openPool, Pool } from './pool/worker-pool.js';

/**
 * @typedef {import('./pool/join-pool.js').PoolModel} PoolModel
 * @typedef {import('./pool/worker-handle.js').AnyWorker} AnyWorker
 * @typedef {import('./pool/worker-pool.js').PoolRowOptions} PoolRowOptions
 */
