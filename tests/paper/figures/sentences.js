// Finds the leading words of the paper's example sentences with each method.
import { openSet } from '../sets/sets.js';
import { rowsOf } from '../jobs/plans.js';
import { SENTENCES } from '../sets/reviews.js';

/** @param {string} folder  of the data */
export async function explainSentences(folder) {
  const set = await openSet('reviews');
  const subject = await set.open({ folder, split: 0, examples: SENTENCES.length });
  const found = [];
  for (const [example, text] of SENTENCES.entries())
    for (const kind of Object.keys(set.kinds).filter((one) => one !== 'shap'))
      for (const { row, options } of rowsOf(kind).filter((one) => !one.row.startsWith('NB'))) {
        const { samples, unit, widths } = set.kinds[kind];
        const config = {
          kind,
          samples,
          options: { ...options, features: 5, kernelWidth: unit * widths[widths.length - 1] },
        };
        const { features, target } = await subject.explain(example, config, example);
        found.push({ text, target, row, words: features.map(({ name, weight }) => [name, weight]) });
      }
  return found;
}
