// Loads the naive Bayes model of film reviews.
import { readJSON } from './read-bytes.js';
import { reviewWords } from './review-words.js';

/**
 * Loads the paper's model of film reviews: word counts, tf-idf, multinomial naive Bayes (train-reviews.py).
 *
 * @param {string | URL} [url]  of reviews-bayes.json; default: the file in this folder
 * @returns {Promise<{ classes: string[], predict: (texts: string[]) => number[][] }>}  predict: one row per text,
 *   the class probabilities; they differ from scikit-learn's by less than 1e-4
 * @throws {Error} if the file cannot be loaded
 */
export async function loadBayes(url = new URL('./reviews-bayes.json', import.meta.url)) {
  const file = await readJSON(url);
  const words = new Map(
    file.words.split(' ').map((/** @type {string} */ word, /** @type {number} */ i) => {
      const idf = Math.log((1 + file.lines) / (1 + file.in[i])) + 1;
      return [word, { idf, weight: file.weights[i] }];
    }),
  );
  return {
    classes: file.classes,
    predict: (texts) => texts.map((text) => probabilities(reviewWords(text), words, file.prior)),
  };
}

/**
 * @param {string[]} found
 * @param {Map<string, { idf: number, weight: number }>} words
 * @param {number} prior
 */
function probabilities(found, words, prior) {
  const counts = new Map();
  for (const word of found) if (words.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let sum = 0;
  let squares = 0;
  for (const [word, count] of counts) {
    const { idf, weight } = /** @type {{ idf: number, weight: number }} */ (words.get(word));
    sum += count * idf * weight;
    squares += (count * idf) ** 2;
  }
  // A text without known words has length 0, so only the prior counts.
  const positive = 1 / (1 + Math.exp(-prior - (squares > 0 ? sum / Math.sqrt(squares) : 0)));
  return [1 - positive, positive];
}
