// npm run fleet:speed: the throughput of two workers beside one, and what a job costs beside a pool of the same threads.
//
//     npm run fleet:speed -- [--seconds 30] [--rounds 3]
//
// At the end of a run, a worker waits for the other one's last job, so short runs scale worse. Two threads of a pool show
// what the cores of this machine can do at best: together, they may have less than twice the speed of one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openFleet } from 'linex/fleet';
import { openPool } from 'linex/pool';
import { options, rows } from '../support/workers/fleet-rows.js';
import { RedisServer } from '../support/workers/redis-server.js';

const LEAST_SPEEDUP = 1.7;
const MOST_OVERHEAD = 0.05;
const SCRIPT = fileURLToPath(new URL('../support/workers/fleet-process.js', import.meta.url));

/**
 * The models, and about how many rows per second one thread explains by each. compute: it needs a core, like the rest of its
 * worker, about 3 ms per row. wait: it waits for something else, 5 ms per row.
 */
const MODELS = {
  compute: { model: 'fleet-dear-rows.js', rate: 330 },
  wait: { model: 'fleet-slow-rows.js', rate: 160 },
};
const moduleOf = (model) => new URL(`../support/workers/${model}`, import.meta.url);

/** All results of a call. */
async function all(results) {
  const list = [];
  for await (const one of results) list.push(one);
  return list;
}

/** Seconds until all rows are explained. The first call measures the speed and loads the model, so it does not count. */
async function time(explain, count) {
  const call = { ...(await options()), errors: 'yield' };
  await all(explain(rows(count).slice(0, 100), call));
  const started = performance.now();
  const { length } = await all(explain(rows(count), call));
  if (length !== count) throw new Error(`${length} of ${count} rows came back`);
  return (performance.now() - started) / 1000;
}

async function startWorker(connection, model) {
  const settings = JSON.stringify({ connection, model });
  const child = spawn(process.execPath, [SCRIPT, 'worker', settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.stdout.resume();
  return child;
}

/** Seconds of a fleet of some workers with one thread each. */
async function timeFleet(model, size, count) {
  const redis = await new RedisServer().start();
  const workers = [];
  const fleet = await openFleet({ connection: redis.url, module: moduleOf(model) });
  try {
    while (workers.length < size) workers.push(await startWorker(redis.url, model));
    return await time((...call) => fleet.explainRows(...call), count);
  } finally {
    await fleet.close();
    for (const child of workers) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await redis.stop();
  }
}

/** Seconds of a pool, whose threads explain two halves at once as a worker explains two jobs. */
async function timePool(model, workers, count) {
  const pool = await openPool(moduleOf(model), { workers });
  const halves = async function* (items, call) {
    const middle = items.length >> 1;
    const parts = [items.slice(0, middle), items.slice(middle)];
    yield* (await Promise.all(parts.map((part) => all(pool.explainRows(part, call))))).flat();
  };
  try {
    return await time(halves, count);
  } finally {
    await pool.close();
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, rounds: { type: 'string', default: '3' } },
});
let good = true;
for (const [name, { model, rate }] of Object.entries(MODELS)) {
  const count = Math.round(rate * Number(values.seconds));
  /** Seconds per round. */
  const times = { pool: [], pair: [], one: [], two: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    times.pool.push(await timePool(model, 1, count));
    times.pair.push(await timePool(model, 2, count));
    times.one.push(await timeFleet(model, 1, count));
    times.two.push(await timeFleet(model, 2, count));
  }
  const [pool, pair, one, two] = Object.values(times).map(median);
  console.log(
    `${name}: ${count} rows take ${pool.toFixed(2)} s by a pool of one thread, ${pair.toFixed(2)} s by one of two, ${one.toFixed(2)} s by one worker, ${two.toFixed(2)} s by two`,
  );
  const [speedup, overhead] = [one / two, one / pool - 1];
  console.log(`  two threads of a pool: ${(pool / pair).toFixed(2)} times one`);
  console.log(`  two workers: ${speedup.toFixed(2)} times one (at least ${LEAST_SPEEDUP})`);
  console.log(`  overhead beside the pool: ${(100 * overhead).toFixed(1)} % (at most ${100 * MOST_OVERHEAD} %)`);
  // A machine of two cores has none left for Redis and the coordinator, so that only the model that waits decides.
  if (name === 'wait') good = speedup >= LEAST_SPEEDUP;
  good = good && overhead <= MOST_OVERHEAD;
}
process.exitCode = good ? 0 : 1;
