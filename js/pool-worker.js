// linex/pool-worker: for worker scripts of your own, where a bundler has to see the model.
export { joinPool } from './pool/join-pool.js';
