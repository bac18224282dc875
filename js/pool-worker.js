// The entry point `linex/pool-worker`: for your own worker scripts, so that a bundler sees the model.
export { joinPool } from './pool/join-pool.js';
