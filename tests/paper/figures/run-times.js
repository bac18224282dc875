// Measures how long methods take on irises and on the survey, as in the paper's supplement A.
import { configOf } from '../jobs/plans.js';
import { openSet } from '../sets/sets.js';

const ROWS = [
  { row: 'LIME', kind: 'random', options: { method: 'lime' } },
  { row: 'S-LIME', kind: 'random', options: { method: 's-lime' } },
  { row: 'LINEX/rand', kind: 'random', options: { method: 'linex' } },
  { row: 'MAPLE', kind: 'forest', options: { method: 'maple' } },
];

/** Seconds that the paper prints: for 30 irises and for 500 persons. */
export const PRINTED_SECONDS = Object.freeze({
  iris: { LIME: 1, 'S-LIME': 2.3, 'LINEX/rand': 2.5, MAPLE: 1.5 },
  meps: { LIME: 18, 'S-LIME': 40, 'LINEX/rand': 47, MAPLE: 27 },
});

/**
 * Each explanation draws its own samples and asks the model by itself. The first one is not measured, because it compiles.
 *
 * @param {{ set: string, examples: number }} job  run alone, or the times mean nothing
 * @param {string | null} folder
 * @returns {Promise<{ row: string, examples: number, seconds: number, own: number, printed: number }[]>}  own: without the model
 */
export async function runTimes({ set: key, examples }, folder) {
  const set = await openSet(key);
  const found = [];
  for (const { kind, ...row } of ROWS) {
    const { widths } = set.kinds[kind];
    const config = configOf(set, kind, row, { width: widths[Math.floor(widths.length / 2)] });
    let [seconds, own] = [0, 0];
    const subject = await set.open({ folder, split: 0, examples });
    await subject.explain(0, config, -1 >>> 0);
    for (let example = 0; example < subject.count; example++) {
      const before = performance.now();
      const { milliseconds } = await subject.explain(example, config, 1000 + example);
      seconds += (performance.now() - before) / 1000;
      own += milliseconds.own / 1000;
    }
    found.push({ row: row.row, examples: subject.count, seconds, own, printed: PRINTED_SECONDS[key][row.row] });
  }
  return found;
}
