// Trains the paper's model of reviews: word counts, tf-idf and multinomial naive Bayes, as in scikit-learn.
import { reviewWords } from '../../../web/models/review-words.js';

/** @param {string[]} words @returns {Map<string, number>} */
function countWords(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * @param {{ text: string, label: number }[]} lines  label 0 or 1
 * @returns {{ vocabulary: Map<string, number>, vector: (text: string) => Map<number, number>,
 *   predict: (texts: string[]) => number[][], wordsOf: (text: string) => string[] }}  vector: the tf-idf of a text, scaled to length 1, by word number
 */
export function trainBayes(lines) {
  const vocabulary = new Map();
  const inLines = [];
  for (const { text } of lines)
    for (const word of new Set(reviewWords(text))) {
      if (!vocabulary.has(word)) vocabulary.set(word, vocabulary.size);
      const index = vocabulary.get(word);
      inLines[index] = (inLines[index] ?? 0) + 1;
    }
  const idf = inLines.map((count) => Math.log((1 + lines.length) / (1 + count)) + 1);
  const vector = (text) => {
    const found = new Map();
    for (const [word, count] of countWords(reviewWords(text))) {
      const index = vocabulary.get(word);
      if (index !== undefined) found.set(index, count * idf[index]);
    }
    const length = Math.sqrt([...found.values()].reduce((sum, value) => sum + value * value, 0));
    for (const [index, value] of found) found.set(index, value / length);
    return found;
  };
  const odds = logOdds(lines, vector, idf.length);
  const predict = (texts) =>
    texts.map((text) => {
      let sum = odds.prior;
      for (const [index, value] of vector(text)) sum += value * odds.words[index];
      const positive = 1 / (1 + Math.exp(-sum));
      return [1 - positive, positive];
    });
  return { vocabulary, vector, predict, wordsOf: reviewWords };
}

/** Returns what each word adds to the log-odds, smoothed by one, as in scikit-learn. */
function logOdds(lines, vector, width) {
  const mass = [new Float64Array(width).fill(1), new Float64Array(width).fill(1)];
  const count = [0, 0];
  for (const { text, label } of lines) {
    count[label]++;
    for (const [index, value] of vector(text)) mass[label][index] += value;
  }
  const [none, some] = mass.map((values) => {
    const sum = values.reduce((a, b) => a + b, 0);
    return values.map((value) => Math.log(value / sum));
  });
  return { prior: Math.log(count[1] / count[0]), words: some.map((value, i) => value - none[i]) };
}
