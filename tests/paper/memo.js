// The model is asked once an example and neighborhood: every method and every kernel width is given the same answers.

/** The place of the largest; 0 for a lone number. */
export const topOf = (answer) =>
  typeof answer === 'number'
    ? 0
    : Array.from(answer).reduce((best, value, i, all) => (value > all[best] ? i : best), 0);

class Answered {
  #answers;
  #samples;

  /** The model, but asked the first time only. */
  model = (predict) => (batch) => (this.#answers ??= predict(batch));

  /** The neighborhood, but drawn from the first time only. */
  neighborhood = (inner) => ({
    kind: inner.kind,
    sample: (...asked) => (this.#samples ??= inner.sample(...asked)),
  });
}

export class Memo {
  #example = -1;
  #known = new Map();

  /** What is known of an example; what was known of the one before is forgotten. */
  of(example, ...key) {
    if (example !== this.#example) this.#known.clear();
    this.#example = example;
    const name = JSON.stringify(key);
    if (!this.#known.has(name)) this.#known.set(name, new Answered());
    return this.#known.get(name);
  }
}
