// Finds the leading words of the paper's 27 example sentences with each method, and compares them with the printed ones.
import { readFileSync } from 'node:fs';
import { configOf, rowsOf } from '../jobs/plans.js';
import { READ } from '../jobs/readings.js';
import { openSet } from '../sets/sets.js';

/** The sentences of the paper's supplement F with the words and weights that it prints. */
export const PRINTED_SENTENCES = Object.freeze(
  JSON.parse(readFileSync(new URL('./published-sentences.json', import.meta.url), 'utf8')),
);

/** The words that the paper's Table 2 has as LINEX's most important ones, by a word of their sentences. */
export const LEADING = Object.freeze(['masterpiece', 'moving', 'audacious']);

const PRINTED_ROW = { MeLIME: 'MeLIME', 'LINEX/real': 'LINEX' };

/**
 * @param {string} folder  of the data
 * @param {{ readings: string[], most?: number }} job  most: how many sentences
 * @returns {Promise<{ text: string, sentiment: string, reading: string, row: string, words: [string, number][],
 *   printed: [string, number][] | null }[]>}
 */
export async function explainSentences(folder, { readings, most = Infinity }) {
  const set = await openSet('reviews');
  const shown = PRINTED_SENTENCES.slice(0, most);
  const texts = shown.map(({ text }) => text);
  const subject = await set.open({ folder, split: 0, examples: texts.length, texts });
  const found = [];
  for (const [example, { text, sentiment, ...printed }] of shown.entries())
    for (const reading of readings)
      for (const kind of Object.keys(READ.reviews).filter((one) => READ.reviews[one].includes(reading)))
        for (const row of rowsOf(kind).filter((one) => /^(LIME|S-LIME|MeLIME|LINEX.*)$/.test(one.row))) {
          const { widths } = set.kinds[kind];
          const config = configOf(set, kind, row, { width: widths[widths.length - 1], reading });
          const { features } = await subject.explain(example, config, example);
          const words = features.filter(({ weight }) => weight !== 0).map(({ name, weight }) => [name, weight]);
          found.push({ text, sentiment, reading, row: row.row, words, printed: printed[PRINTED_ROW[row.row]] ?? null });
        }
  return found;
}
