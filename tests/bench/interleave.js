// Compares times on a shared machine.
//
// It measures processor time instead of the clock. The contenders take turns, so that a slow phase affects all of them.
// The fastest round counts, because noise only adds time.
import process from 'node:process';

/** Returns the processor time of this process, in seconds. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Returns a contender that works in this process.
 *
 * @param {() => unknown} work  may be asynchronous
 * @returns {(times: number) => Promise<number>}  does the work this many times, and returns the seconds
 */
export function here(work) {
  return async (times) => {
    const before = cpuSeconds();
    for (let i = 0; i < times; i++) await work();
    return cpuSeconds() - before;
  };
}

/**
 * @typedef {object} Effort
 * @property {number} rounds  the largest number of rounds
 * @property {number} least  the least seconds per turn; shorter work is repeated
 * @property {number} budget  the seconds for all turns of a contender, or ten times as many until it is warm; a round is
 *   always finished
 */

/** @type {Effort} */
export const FULL = { rounds: 7, least: 0.04, budget: 2 };
/** @type {Effort} */
export const QUICK = { rounds: 3, least: 0.004, budget: 0.06 };

/** Even long work gets this many rounds, because the engine optimizes hot code after the first ones. */
const WARM = 3;

/**
 * Measures contenders in turns.
 *
 * @param {Record<string, (times: number) => Promise<number>>} contenders
 * @param {Effort} effort
 * @returns {Promise<Record<string, number>>}  the least seconds per run, for each
 */
export async function compare(contenders, { rounds, least, budget }) {
  const entries = Object.entries(contenders).map(([name, run]) => ({ name, run, times: 1, best: Infinity }));
  let spent = 0;
  const turn = async (entry) => {
    const seconds = await entry.run(entry.times);
    spent = Math.max(spent, (entry.spent = (entry.spent ?? 0) + seconds));
    entry.best = Math.min(entry.best, seconds / entry.times);
  };
  const goesOn = (round) => round === 0 || spent < (round < WARM ? 10 * budget : budget);
  for (let round = 0; round < rounds && goesOn(round); round++) {
    for (const entry of entries) await turn(entry);
    // Each round gives a better estimate of how often to repeat.
    for (const entry of entries) entry.times = Math.max(1, Math.min(10000, Math.ceil(least / entry.best)));
  }
  return Object.fromEntries(entries.map(({ name, best }) => [name, best]));
}
