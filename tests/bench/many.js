// Measures many rows: LINEX and LIME (targets 1 and 4), throughput, memory and the worker pool (target 7).
import { availableParallelism } from 'node:os';
import * as linex from 'linex';
import { openPool } from 'linex/pool';
import { measureApart } from './apart.js';
import { measureBuilds } from './builds.js';
import { rowModel, rowsOf } from './bench-cases.js';
import { cpuSeconds } from './interleave.js';

const SAMPLES = 500;
const WIDTH = 20;

/** Each row is explained once, without rounds, but the contenders still take turns. */
const ROWS = { quick: 50, full: 500 };
/** Rows per turn. */
const TURN = 50;
/** A default explanation of so few samples is kriged. */
const KRIGED_AIM = { most: 60 };

const CONTENDERS = {
  linex: { method: 'linex', draws: 0 },
  lime: { method: 'lime', draws: 0 },
  linexDraws: { method: 'linex', draws: 200 },
  limeDraws: { method: 'lime', draws: 200 },
};

/** @param {import('./bench-run.js').Bench} bench */
export async function measureManyRows(bench) {
  const count = bench.quick ? ROWS.quick : ROWS.full;
  const rows = rowsOf(count, WIDTH, 3);
  const table = await linex.describeTable(rowsOf(200, WIDTH));
  const times = {};
  for (const name of Object.keys(CONTENDERS)) times[name] = { own: 0, all: 0 };
  for (let first = 0; first < count; first += TURN)
    for (const [name, options] of Object.entries(CONTENDERS)) {
      const { own, all } = await explainSome(rows.slice(first, first + TURN), { table, samples: SAMPLES, ...options });
      times[name].own += own;
      times[name].all += all;
    }
  const of = `${count.toLocaleString('en')} rows, n = ${SAMPLES}, d = ${WIDTH}`;
  const versus = (a, b) => `${times[a].own.toFixed(1)} s / ${times[b].own.toFixed(1)} s`;
  const ratio = (a, b) => ({ of, value: times[a].own / times[b].own, unit: 'times', note: versus(a, b) });
  const each = { target: 0, of: 'many rows', unit: 'ms' };
  return [
    {
      ...{ ...each, what: 'own time of an explanation with 200 draws', value: (1000 * times.linexDraws.own) / count },
      aim: KRIGED_AIM,
    },
    { ...each, what: 'the same with a trivial model', value: (1000 * times.linexDraws.all) / count },
    { target: 1, what: 'LINEX / our LIME, no draws', aim: { most: 1.3 }, ...ratio('linex', 'lime') },
    { target: 1, what: 'LINEX / our LIME, 200 draws each', aim: { most: 3 }, ...ratio('linexDraws', 'limeDraws') },
    { target: 1, what: 'LINEX with 200 draws / our LIME without', aim: { most: 3 }, ...ratio('linexDraws', 'lime') },
    ...(await measureBuilds({ name: 'many rows', kind: 'row', samples: SAMPLES, width: WIDTH }, bench)),
  ];
}

/** Returns the total time, and the time without the model. */
async function explainSome(rows, options) {
  let model = 0;
  const predict = (batch) => {
    const before = cpuSeconds();
    const answers = rowModel(batch);
    model += cpuSeconds() - before;
    return answers;
  };
  const before = cpuSeconds();
  for await (const { weights } of linex.explainRows(rows, predict, options))
    if (weights.length !== WIDTH) throw new Error(`${weights.length} weights`);
  const all = cpuSeconds() - before;
  return { all, own: all - model };
}

/** Measures throughput and memory on one core, from few rows to many, and then the speed-up on two cores. */
export async function measureThroughput({ quick }) {
  const [samples, width] = [50, 20];
  const sizes = quick ? [100, 500] : [100, 1000, 10000];
  const before = quick ? 500 : 5000;
  const found = [];
  for (const size of sizes) found.push(await measureApart('rows', size, samples, width, before));
  const perSecond = sizes.map((size, i) => size / found[i].cpu);
  const many = sizes.at(-1).toLocaleString('en');
  const of = `n = ${samples}, d = ${width}, ${sizes[0]} to ${many} rows in a process that has explained ${before}`;
  const rates = perSecond.map((rate, i) => `${sizes[i]}: ${Math.round(rate)} rows/s`).join(', ');
  const peaks = found.map(({ peak }, i) => `${sizes[i]}: ${Math.round(peak)} MB`).join(', ');
  const entry = { target: 7, of, unit: 'times' };
  return [
    {
      ...entry,
      what: 'throughput, most rows / fewest',
      value: perSecond.at(-1) / perSecond[0],
      aim: { least: 0.9 },
      note: rates,
    },
    {
      ...entry,
      what: 'peak memory, most rows / fewest',
      value: found.at(-1).peak / found[0].peak,
      aim: { most: 1.2 },
      note: peaks,
    },
    await measurePool(quick),
  ];
}

/**
 * Compares one core with two. It measures with the clock, because processor time adds up over threads, so it is less exact
 * on a shared machine. The note gives the extra processor time of the pool.
 */
async function measurePool(quick) {
  const [count, rounds] = quick ? [50, 2] : [300, 3];
  const of = `${count} rows, n = ${SAMPLES}, d = ${WIDTH}`;
  const entry = { target: 7, what: 'two cores / one, through a pool of workers', of, aim: { least: 1.8 } };
  if (availableParallelism() < 2) return { ...entry, missing: 'this machine has one core' };
  const rows = rowsOf(count, WIDTH, 3);
  const options = { table: await linex.describeTable(rowsOf(200, WIDTH)), samples: SAMPLES };
  const pool = await openPool(new URL('pool-model.js', import.meta.url), { workers: 2 });
  const contenders = [() => linex.explainRows(rows, rowModel, options), () => pool.explainRows(rows, options)];
  const best = contenders.map(() => ({ wall: Infinity, cpu: Infinity, found: '' }));
  for (let round = 0; round < rounds; round++)
    for (const [i, contender] of contenders.entries()) {
      const { wall, cpu, found } = await watch(contender());
      best[i] = { wall: Math.min(wall, best[i].wall), cpu: Math.min(cpu, best[i].cpu), found };
    }
  await pool.close();
  const [one, two] = best;
  const more = (100 * (two.cpu / one.cpu - 1)).toFixed(1);
  const bits = one.found === two.found ? 'same bits' : 'DIFFERENT BITS';
  const note = `${one.wall.toFixed(2)} s / ${two.wall.toFixed(2)} s; processor time ${more} % more; ${bits}`;
  return { ...entry, value: one.wall / two.wall, unit: 'times', note };
}

/** Returns the seconds until all rows are explained, and the weights. */
async function watch(explanations) {
  const [cpu, wall] = [cpuSeconds(), performance.now()];
  const weights = [];
  for await (const one of explanations) weights.push(one.weights);
  const spent = { wall: (performance.now() - wall) / 1000, cpu: cpuSeconds() - cpu };
  return { ...spent, found: JSON.stringify(weights) };
}
