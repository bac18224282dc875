// linex/pool-worker: for worker scripts of your own, which a bundler can then bundle with the model.
import './wasm-files.js';
export { joinPool } from './pool/join-pool.js';

/** @typedef {import('./pool/join-pool.js').PoolModel} PoolModel */
