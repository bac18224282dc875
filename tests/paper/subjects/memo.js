// Remembers samples and answers, so that all methods and kernel widths share one set per example and neighborhood.

/** Returns the index of the largest value; 0 for a single number. */
export const topOf = (answer) =>
  typeof answer === 'number'
    ? 0
    : Array.from(answer).reduce((best, value, i, all) => (value > all[best] ? i : best), 0);

class Answered {
  #answers;
  #samples;
  #made = new Map();

  /** The model, which is asked only the first time. */
  model = (predict) => (batch) => (this.#answers ??= predict(batch));

  /** The neighborhood, which is drawn only the first time. */
  neighborhood = (inner) => ({
    kind: inner.kind,
    sample: (...asked) => (this.#samples ??= inner.sample(...asked)),
  });

  /** What the neighborhood has drawn. */
  get samples() {
    return this.#samples;
  }

  /** Anything else that is made once, by name. */
  once(name, make) {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name);
  }
}

export class Memo {
  #example = -1;
  #known = new Map();

  /** Returns the memory of an example, and discards that of the previous one. */
  of(example, ...key) {
    if (example !== this.#example) this.#known.clear();
    this.#example = example;
    const name = JSON.stringify(key);
    if (!this.#known.has(name)) this.#known.set(name, new Answered());
    return this.#known.get(name);
  }
}
