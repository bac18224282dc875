// Film reviews (Pang and Lee 2005), naive Bayes on tf-idf, explained for the predicted class.
import { readFile } from 'node:fs/promises';
import * as linex from 'linex';
import { trainBayes } from './bayes.js';
import { parseFields, readText, splitItems } from './data.js';
import { TextSubject } from '../subjects/text-subject.js';

const FILE = 'rotten-tomatoes.tsv';

/** Returns the most similar other texts, by cosine. */
function mostSimilar(vectors, count) {
  return vectors.map((own, i) => {
    const others = vectors.map((other, j) => ({ j, dot: j === i ? -Infinity : dotOf(own, other) }));
    others.sort((a, b) => b.dot - a.dot || a.j - b.j);
    return others.slice(0, count).map(({ j }) => j);
  });
}

function dotOf(a, b) {
  let sum = 0;
  for (const [index, value] of a) sum += value * (b.get(index) ?? 0);
  return sum;
}

const WIDTHS = [0.21, 0.42, 1.06, 2.12, 3.18];

const slower = (samples) => (samples > 1000 ? { examples: 8 } : undefined);

export const reviews = {
  key: 'reviews',
  name: 'Rotten Tomatoes',
  files: [FILE],
  measureOf: 'accuracy',
  published: 0.75,
  neighbors: 5,
  classes: true,
  features: 5,
  kinds: {
    // For random neighborhoods, the paper leaves out the smallest width because of "numerical issues". We read its widths
    // for distances up to 1, because this comes closer to its naive baseline than the library's scale up to 100.
    random: {
      samples: 100,
      widths: WIDTHS.slice(1),
      sweep: [25, 50, 75, 100],
      shared: false,
      unit: 100,
      studyWidth: 0.25,
    },
    words: { unit: 100, samples: 100, widths: WIDTHS, sweep: [25, 50, 75, 100], shared: true },
    shap: { samples: 100, widths: [undefined], shared: true },
  },
  sizes: { full: { splits: 1, examples: 1000 }, quick: { splits: 1, examples: 30 } },
  sweep: { splits: 1, examples: 60 },
  study: { splits: 1, examples: 16, samples: [10, 100, 1000, 5000], dense: true, slower },

  /** @param {{ folder: string, split: number, examples: number, texts?: string[] }} size  texts: to explain, in place of the test set's */
  async open({ folder, split, examples, texts: given }) {
    const lines = parseFields(readText(folder, FILE), '\t').map(({ label, text }) => ({ text, label: Number(label) }));
    const { train, test } = splitItems(lines, split);
    const model = trainBayes(train);
    const right = test.filter(({ text, label }) => model.predict([text])[0][label] > 0.5);
    const bytes = await readFile(new URL('../models/reviews-words.bin', import.meta.url));
    const vectors = await linex.loadWordVectors(bytes);
    // Reviews with only rare words ("touché") have no near words, so no method explains them.
    const hasNear = ({ text }) => text.split(' ').some((word) => /\p{L}/u.test(word) && vectors.has(word));
    const texts = given ?? test.filter(hasNear).slice(0, examples).map(({ text }) => text); // prettier-ignore
    return new TextSubject({
      texts,
      ...model,
      neighbors: mostSimilar(texts.map(model.vector), this.neighbors),
      about: { accuracy: right.length / test.length },
      neighborhoods: {
        words: () => linex.wordNeighborhood(vectors),
        // The paper replaces "a sentence word" per sample.
        word: () => linex.wordNeighborhood(vectors, { replace: 'one' }),
      },
    });
  },
};
