// The entry point `linex/pool`: explains many rows on all cores.
export { openPool, Pool } from './pool/worker-pool.js';
