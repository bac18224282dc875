// Made-up explanations with contributions, for the tests of summaries, comparisons and charts: no model, no wasm.

/**
 * Returns an explanation of a row with these contributions.
 *
 * @param {number[]} contributions  one per column
 * @param {object} [more]  half: half the width of the intervals; values: of the row; names: of the columns; the rest
 *   replaces properties of the explanation
 */
export function explainedRow(contributions, { half = 0.01, values, names, reference = 0.4, error = 0, ...more } = {}) {
  const from = typeof reference === 'number' ? reference : 0;
  const local = contributions.reduce((sum, contribution) => sum + contribution, from);
  return {
    ...{ schema: 'linex/1', kind: 'row', method: 'linex', target: 'yes', prediction: local + error, fidelity: 0.9 },
    localPrediction: local,
    weights: contributions.map(() => 1),
    features: contributions.map((contribution, index) => ({
      ...{ index, name: names?.[index] ?? `c${index}`, column: names?.[index] ?? `c${index}` },
      ...{ value: values?.[index] ?? index, weight: 1, interval: [0.9, 1.1], signAgreement: 1, silenced: false },
      ...{ contribution, contributionInterval: half === null ? null : [contribution - half, contribution + half] },
    })),
    reference: typeof reference === 'number' ? { kind: 'mean', localPrediction: reference } : reference,
    ...{ queries: { planned: 10, asked: 10, reused: 0 }, warnings: [] },
    ...more,
  };
}

/** Silences a feature of an explanation. */
export function silence(explanation, index, interval = [-0.1, 0.2]) {
  const found = explanation.features.find((feature) => feature.index === index);
  Object.assign(found, { silenced: true, raw: 0.1, weight: 0, contribution: 0, contributionInterval: interval });
  return explanation;
}
