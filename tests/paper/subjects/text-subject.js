// Texts for the measurements; weights are compared by word, because neighbors share words, not positions.
import { explainText } from 'linex';
import { dice } from '../../support/dice.js';
import { Memo, topOf } from './memo.js';
import { explainOwn } from './surrogates.js';

export class TextSubject {
  #parts;
  #memo = new Memo();
  #made = new Map();
  /** The positions of the words in each text. */
  #tokens = new Map();
  #words = new Map();
  /** The words that are features of a text under a reading of its own. */
  #columns = new Map();

  /**
   * @param {object} parts
   * @param {string[]} parts.texts  the texts to explain
   * @param {Map<string, number>} parts.vocabulary
   * @param {(text: string) => Map<number, number>} parts.vector
   * @param {(text: string) => string[]} parts.wordsOf  as the vectorizer finds them
   * @param {(texts: string[]) => number[][]} parts.predict
   * @param {number[][]} parts.neighbors
   * @param {object} parts.about
   * @param {Record<string, () => unknown>} parts.neighborhoods
   * @param {object} [parts.shap]
   */
  constructor(parts) {
    this.#parts = parts;
    this.count = parts.texts.length;
    this.neighbors = parts.neighbors;
    this.about = parts.about;
    this.width = parts.vocabulary.size;
  }

  #neighborhood(kind) {
    if (!this.#made.has(kind)) this.#made.set(kind, this.#parts.neighborhoods[kind]());
    return this.#made.get(kind);
  }

  /** Returns the tf-idf values of a text's own words, in the text and in its perturbations, with the answers for its class. */
  async #weighedWords(example, { kind, samples: count, replace }, seed, memo) {
    const { texts, predict, vector, wordsOf, vocabulary } = this.#parts;
    const text = texts[example];
    const columns = [...new Set(wordsOf(text))].filter((word) => vocabulary.has(word));
    // Explained by nothing: all values are 0.
    if (columns.length === 0) columns.push('');
    const made =
      kind === 'random'
        ? withoutWords(text, count - 1, wordsOf, seed)
        : await this.#drawn(example, count, seed, { memo, kind: replace === 'one' ? 'word' : kind });
    const all = [text, ...made];
    const answers = predict(all);
    const top = topOf(answers[0]);
    const values = (one) => {
      const found = vector(one);
      return columns.map((word) => found.get(vocabulary.get(word)) ?? 0);
    };
    return { columns, points: all.map(values), predictions: answers.map((answer) => answer[top]) };
  }

  /** Returns what a neighborhood draws around a text; explainText calls it with the text's words. */
  async #drawn(example, samples, seed, { memo, kind }) {
    const { texts, predict } = this.#parts;
    const neighborhood = memo.neighborhood(await this.#neighborhood(kind));
    const how = { seed, tokens: 'simple', samples, batchSize: 1e6, preset: 'paper', draws: 0, method: 'lime' };
    await explainText(texts[example], memo.model(predict), { ...how, neighborhood });
    return (await memo.samples).samples;
  }

  async explain(example, config, seed) {
    const { kind, samples, options, way } = config;
    const { texts, predict } = this.#parts;
    const text = texts[example];
    const shared = { seed, tokens: 'simple' };
    if (way) {
      const memo = this.#memo.of(example, seed, kind, samples, config.replace);
      const own = await memo.once(way, () => this.#weighedWords(example, config, seed, memo));
      this.#columns.set(example, own.columns);
      return explainOwn(own, config, seed);
    }
    const explanation = await (async () => {
      if (kind === 'shap') return explainText(text, predict, { ...shared, ...options });
      const memo = this.#memo.of(example, seed, kind, samples, options.sampling);
      const neighborhood = kind === 'random' ? {} : { neighborhood: memo.neighborhood(await this.#neighborhood(kind)) };
      const how = { ...shared, samples, batchSize: 1e6, preset: 'paper', draws: 0, ...neighborhood, ...options };
      return explainText(text, memo.model(predict), how);
    })();
    this.#tokens.set(example, explanation.tokens);
    return explanation;
  }

  /** Returns the words for which any entry has a weight. */
  align(entries) {
    const words = [...new Set(entries.flatMap(({ kept }) => [...kept.named.keys()]))];
    if (words.length === 0) words.push('');
    return { vectors: entries.map(({ kept }) => words.map((word) => kept.named.get(word) ?? 0)), width: this.width };
  }

  /** Adds a share of an entry's weights to a sum over the vocabulary. */
  addWeights(sum, { kept }, share) {
    for (const [word, weight] of kept.named) {
      const index = this.#parts.vocabulary.get(word);
      if (index !== undefined) sum[index] += share * weight;
    }
  }

  addInput(sum, { example, config }, share) {
    for (const [index, value] of this.#parts.vector(this.#parts.texts[example]))
      sum[index] += share * (config.way ? value : 1);
  }

  classOf = (example) => topOf(this.#parts.predict([this.#parts.texts[example]])[0]);

  /** Returns the answer of one text's surrogate for another text; a word has its tf-idf value, or is present or absent. */
  answerAt({ kept, config }, at) {
    if (config.way) {
      const { vector, texts, vocabulary } = this.#parts;
      const found = vector(texts[at]);
      return [...kept.named].reduce(
        (sum, [word, weight]) => sum + weight * (found.get(vocabulary.get(word)) ?? 0),
        kept.intercept,
      );
    }
    if (!this.#words.has(at))
      this.#words.set(at, new Set(this.#parts.texts[at].toLowerCase().match(/[\p{L}\p{N}_']+/gu)));
    const there = this.#words.get(at);
    let sum = kept.intercept;
    for (const [word, weight] of kept.named) if (there.has(word)) sum += weight;
    return sum;
  }

  /** A word is present or absent. */
  reference(example) {
    const width = Math.max(...this.#tokens.get(example).map(({ feature }) => feature)) + 1;
    return { at: new Array(width).fill(1), reference: new Array(width).fill(0) };
  }

  async without(example, parts, { way }) {
    const { texts, predict, wordsOf } = this.#parts;
    const top = this.classOf(example);
    const answered = (changed) =>
      predict(changed).map((answer) => ({ score: answer[top], same: topOf(answer) === top }));
    if (way) {
      const columns = this.#columns.get(example);
      const words = wordsOf(texts[example]);
      const without = (features) => words.filter((word) => !features.includes(columns.indexOf(word))).join(' ');
      return answered(parts.map(without));
    }
    const tokens = this.#tokens.get(example);
    const texted = parts.map((features) => {
      let rest = texts[example];
      for (const { start, end, feature } of [...tokens].reverse())
        if (features.includes(feature)) rest = rest.slice(0, start) + rest.slice(end);
      return rest;
    });
    return answered(texted);
  }
}

/** Removes words as LIME does: how many is uniform from one to all, and so is which. */
function withoutWords(text, count, wordsOf, seed) {
  const words = wordsOf(text);
  const own = [...new Set(words)];
  const { below } = dice(seed);
  return Array.from({ length: count }, () => {
    const size = 1 + below(own.length);
    for (let k = 0; k < size; k++) {
      const pick = k + below(own.length - k);
      [own[k], own[pick]] = [own[pick], own[k]];
    }
    const removed = new Set(own.slice(0, size));
    return words.filter((word) => !removed.has(word)).join(' ');
  });
}
