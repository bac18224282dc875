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

/** Explanations before anything is measured, so that everything is compiled; and how often each method is measured. */
const [WARM, ROUNDS] = [15, 3];

/**
 * Each explanation draws its own samples and asks the model by itself. Methods take turns in rounds; the median round counts.
 *
 * @param {{ set: string, examples: number }} job  run alone, or the times mean nothing
 * @param {string | null} folder
 * @returns {Promise<{ row: string, examples: number, seconds: number, own: number, printed: number }[]>}  own: without the model
 */
export async function runTimes({ set: key, examples }, folder) {
  const set = await openSet(key);
  const subject = await set.open({ folder, split: 0, examples });
  const configs = ROWS.map(({ kind, ...row }) => {
    const { widths } = set.kinds[kind];
    return configOf(set, kind, row, { width: widths[Math.floor(widths.length / 2)] });
  });
  // Each explanation has a seed of its own, so nothing is taken from an earlier one.
  let seed = 1000;
  for (const config of configs) for (let i = 0; i < WARM; i++) await subject.explain(i % subject.count, config, seed++);
  const rounds = configs.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [c, config] of configs.entries()) {
      let own = 0;
      const before = performance.now();
      for (let example = 0; example < subject.count; example++)
        own += (await subject.explain(example, config, seed++)).milliseconds.own / 1000;
      rounds[c].push({ seconds: (performance.now() - before) / 1000, own });
    }
  return ROWS.map(({ row }, c) => {
    const [, middle] = rounds[c].sort((a, b) => a.seconds - b.seconds);
    return { row, examples: subject.count, ...middle, printed: PRINTED_SECONDS[key][row] };
  });
}
