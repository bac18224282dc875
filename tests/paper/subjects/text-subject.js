// Texts for the measurements; weights are compared by word, because neighbors share words, not positions.
import { explainText } from 'linex';
import { Memo, topOf } from './memo.js';

export class TextSubject {
  #parts;
  #memo = new Memo();
  #made = new Map();
  /** The positions of the words in each text. */
  #tokens = new Map();
  #words = new Map();

  /**
   * @param {object} parts
   * @param {string[]} parts.texts  the texts to explain
   * @param {Map<string, number>} parts.vocabulary
   * @param {(text: string) => Map<number, number>} parts.vector
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

  async explain(example, { kind, samples, options }, seed) {
    const { texts, predict } = this.#parts;
    const text = texts[example];
    const shared = { seed, tokens: 'simple' };
    const explanation = await (async () => {
      if (kind === 'shap') return explainText(text, predict, { ...shared, ...options });
      const memo = this.#memo.of(example, seed, kind, samples);
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

  addInput(sum, example, share) {
    for (const index of this.#parts.vector(this.#parts.texts[example]).keys()) sum[index] += share;
  }

  classOf = (example) => topOf(this.#parts.predict([this.#parts.texts[example]])[0]);

  /** Returns the answer of one text's surrogate for another text; a word is present or absent. */
  answerAt({ kept }, at) {
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

  async without(example, parts) {
    const { texts, predict } = this.#parts;
    const tokens = this.#tokens.get(example);
    const texted = parts.map((features) => {
      let rest = texts[example];
      for (const { start, end, feature } of [...tokens].reverse())
        if (features.includes(feature)) rest = rest.slice(0, start) + rest.slice(end);
      return rest;
    });
    const top = this.classOf(example);
    return predict(texted).map((answer) => ({ score: answer[top], same: topOf(answer) === top }));
  }
}
