// Computes the paper's first figure: how much the explanation of each iris differs from that of its nearest neighbor.
import { configOf } from '../jobs/plans.js';
import { openSet } from '../sets/sets.js';
import { keep, measure } from '../subjects/measures.js';

const ROWS = [
  { row: 'LIME', options: { method: 'lime' } },
  { row: 'LINEX/rand', options: { method: 'linex' } },
];
/** The figure shows the explanations' top two features; ours have the position of the petals. */
const [X, Y] = [2, 3];

/**
 * Explains all 150 flowers with two features and compares each with its nearest neighbor, at every kernel width. The forest
 * has seen 120 of them.
 *
 * @param {{ reading: string }} job
 * @returns {Promise<{ x: number, y: number, LIME: number, 'LINEX/rand': number }[]>}  CI, the mean over the widths
 */
export async function irisMap({ reading }) {
  const set = await openSet('iris');
  const subject = await set.open({ split: 0, examples: 30, all: true });
  const flowers = Array.from({ length: subject.count }, (_, example) => {
    const row = subject.rowOf(example);
    return { x: row[X], y: row[Y], LIME: 0, 'LINEX/rand': 0 };
  });
  const { widths } = set.kinds.random;
  for (const row of ROWS)
    for (const width of widths) {
      const base = configOf(set, 'random', row, { width, reading });
      const config = { ...base, options: { ...base.options, features: 2 } };
      const entries = [];
      for (let example = 0; example < subject.count; example++)
        entries.push({ example, config, kept: keep(await subject.explain(example, config, example)) });
      const near = subject.neighbors.map(([first]) => [first]);
      const { CI } = measure(subject, entries, near, { general: false, classes: false });
      CI.forEach((value, i) => (flowers[i][row.row] += value / widths.length));
    }
  return flowers;
}
