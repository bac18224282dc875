// Times on a machine that others use too: processor time, not the clock; contenders in turns, so that whatever slows one
// slows all; and the least of the rounds, since nothing makes work faster than it is.
import process from 'node:process';

/** Seconds of processor time that this process has used. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * A contender that works in this process.
 *
 * @param {() => unknown} work  may be asynchronous
 * @returns {(times: number) => Promise<number>}  does it so many times, in seconds
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
 * @property {number} rounds  at most
 * @property {number} least  seconds that a contender's turn should take: short work is repeated
 * @property {number} budget  seconds of a contender's turns altogether, ten times as many while it is not warm; the round
 *   under way is finished
 */

/** @type {Effort} */
export const FULL = { rounds: 7, least: 0.04, budget: 2 };
/** @type {Effort} */
export const QUICK = { rounds: 3, least: 0.004, budget: 0.06 };

/** The engine compiles what is hot once more, and better: rounds that even long work should have. */
const WARM = 3;

/**
 * @param {Record<string, (times: number) => Promise<number>>} contenders
 * @param {Effort} effort
 * @returns {Promise<Record<string, number>>}  the least seconds a run of each
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
    // How often to repeat is known better and better.
    for (const entry of entries) entry.times = Math.max(1, Math.min(10000, Math.ceil(least / entry.best)));
  }
  return Object.fromEntries(entries.map(({ name, best }) => [name, best]));
}
