// Counts the words of the demo page's review whose sign changes between five seeds, for LINEX and for LIME.
import { explainText } from 'linex';
import { defaultsOf, optionsOf } from '../../../web/page-state.js';
import { loadBayes } from '../../../web/models/reviews-bayes.js';

const SINGLE = { preset: 'paper' };

const VARIANTS = {
  'LINEX as the page shows it (halves, 60 games, silenced)': {},
  "LINEX, the paper's single game": SINGLE,
  LIME: { method: 'lime', ...SINGLE },
  'LIME, silenced the same way': { method: 'lime' },
};

/** @returns {Promise<Record<string, number>>}  how many words change their sign, for each variant */
export async function countChangingSigns() {
  const { classes, predict } = await loadBayes();
  const state = defaultsOf('words');
  const counts = {};
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const runs = [];
    for (let seed = 1; seed <= 5; seed++) {
      const options = { classes, target: 'positive', caseSensitive: false, ...optionsOf(state), ...variant, seed };
      runs.push((await explainText(state.text, predict, options)).weights);
    }
    const changes = (_, i) => runs.some((weights) => weights[i] > 0) && runs.some((weights) => weights[i] < 0);
    counts[name] = runs[0].filter(changes).length;
  }
  return counts;
}
