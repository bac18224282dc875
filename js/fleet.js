// linex/fleet: many rows, texts or images on many machines. Node only; needs bullmq, ioredis and a Redis server.
import './wasm-files.js';
export { openFleet } from './fleet/open-fleet.js';
export { joinFleet } from './fleet/join-fleet.js';

/**
 * @typedef {import('./fleet/open-fleet.js').Fleet} Fleet
 * @typedef {import('./fleet/join-fleet.js').FleetWorker} FleetWorker
 * @typedef {import('./fleet/open-fleet.js').FleetOptions} FleetOptions
 * @typedef {import('./fleet/open-fleet.js').FleetProgress} FleetProgress
 * @typedef {import('./fleet/join-fleet.js').JoinOptions} JoinOptions
 * @typedef {import('./fleet/fleet-connection.js').FleetWarning} FleetWarning
 */
