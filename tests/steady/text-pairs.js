// Film reviews for the study: the model, the explained texts, their neighbors, and fresh samples.
import { explainText } from 'linex';
import { loadBayes } from '../../web/models/reviews-bayes.js';
import { loadReviewNetwork } from '../../web/models/reviews-network.js';
import { trainBayes } from '../paper/sets/bayes.js';
import { parseFields, readText, shuffledOrder } from '../paper/sets/data.js';
import { topOf } from '../paper/subjects/memo.js';
import { remember, TEXTS } from './answer-memo.js';
import { drawMask, maskKernel } from './mask-samples.js';

const FILE = 'rotten-tomatoes.tsv';
const [COUNT, NEIGHBORS] = [12, 4];
/** With fewer words, all masks are enumerated at n = 5,000. */
const LENGTHS = { least: 14, most: 30 };
const KERNEL = { scale: 100, width: 25 };

async function loadModel(name) {
  if (name === 'bayes') return loadBayes();
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  return loadReviewNetwork(ort);
}

/** The distinct words as `tokens: 'simple'` finds them in these texts. */
const wordsOf = (text) => [...new Set(text.match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_]|['-](?=[\p{L}\p{N}]))*/gu))];

/** Returns the texts that are most similar to a text, by the cosine of their tf-idf. */
function similarTo(text, texts, vectors) {
  const own = vectors.get(text);
  const dotWith = (other) =>
    [...own].reduce((sum, [index, value]) => sum + value * (vectors.get(other).get(index) ?? 0), 0);
  const others = texts.filter((other) => other !== text).map((other) => ({ other, dot: dotWith(other) }));
  others.sort((a, b) => b.dot - a.dot);
  return others.slice(0, NEIGHBORS).map(({ other }) => other);
}

/**
 * @param {import('./pairs.js').Pair} pair
 * @param {string} folder  of the data
 */
export async function openTexts({ model }, folder) {
  const { predict } = await loadModel(model);
  const lines = parseFields(readText(folder, FILE), '\t').map(({ label, text }) => ({ text, label: Number(label) }));
  const fits = ({ text }) => wordsOf(text).length >= LENGTHS.least && wordsOf(text).length <= LENGTHS.most;
  // Every fifth line was kept for testing by train-reviews.py.
  const tested = lines.filter((line, i) => i % 5 === 4 && fits(line)).map(({ text }) => text);
  const explained = shuffledOrder(tested.length, 13)
    .slice(0, COUNT)
    .map((i) => tested[i]);
  const { vector } = trainBayes(lines);
  const usable = [...new Set(lines.filter(fits).map(({ text }) => text))];
  const vectors = new Map([...usable, ...explained].map((text) => [text, vector(text)]));
  const similar = new Map();
  const neighborsOf = (example) => {
    const text = explained[example];
    if (!similar.has(text)) similar.set(text, similarTo(text, usable, vectors));
    return similar.get(text);
  };
  const textOf = (example, neighbor) => (neighbor === undefined ? explained[example] : neighborsOf(example)[neighbor]);
  const targetOf = async (example) => topOf((await predict([explained[example]]))[0]);

  return {
    count: COUNT,
    about: {},
    featureCount: (example) => wordsOf(textOf(example)).length,
    neighborCount: () => NEIGHBORS,
    asked(example, neighbor) {
      const model = remember(predict, TEXTS);
      const text = textOf(example, neighbor);
      return async (options) =>
        explainText(text, model, { tokens: 'simple', target: await targetOf(example), batchSize: 1e6, ...options });
    },
    align: (_example, _neighbor, own, other) => sharedWords(own, other),
    async fresh(example, count, seed) {
      const text = textOf(example);
      const { tokens } = await explainText(text, predict, { tokens: 'simple', samples: 2, draws: 0, method: 'lime' });
      const parts = Math.max(...tokens.map(({ feature }) => feature)) + 1;
      const points = drawMask('sizes', parts, count, seed);
      const answers = await predict(points.map((mask) => withoutWords(text, tokens, mask)));
      const target = await targetOf(example);
      return {
        points,
        answers: answers.map((answer) => answer[target]),
        weights: points.map((mask) => maskKernel(mask, KERNEL)),
      };
    },
  };
}

/** Removes the words whose part of the mask is 0. */
function withoutWords(text, tokens, mask) {
  let rest = text;
  for (const { start, end, feature } of [...tokens].reverse())
    if (!mask[feature]) rest = rest.slice(0, start) + rest.slice(end);
  return rest;
}

/** Returns the weights of the words that two texts share; undefined if there are none. */
function sharedWords(own, other) {
  const placesIn = ({ text, tokens }) =>
    new Map(tokens.map(({ start, end, feature }) => [text.slice(start, end), feature]));
  const [here, there] = [placesIn(own), placesIn(other)];
  const shared = [...here.keys()].filter((word) => there.has(word));
  if (shared.length === 0) return undefined;
  return [shared.map((word) => own.weights[here.get(word)]), shared.map((word) => other.weights[there.get(word)])];
}
