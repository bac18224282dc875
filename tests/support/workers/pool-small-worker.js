// A worker script whose model is the module in workerData, for workers that a test starts with little memory.
import { workerData } from 'node:worker_threads';
import { joinPool } from 'linex/pool-worker';

await joinPool(await import(workerData));
