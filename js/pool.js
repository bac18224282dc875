// linex/pool: many rows on all cores.
export { openPool, Pool } from './pool/worker-pool.js';
