// The sentences and numbers of the dashboard; it needs no page, so that tests can run it in Node.

/** Joins words to a list. @param {readonly string[]} words @returns {string}  "a, b and c" */
export const list = (words) => [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');

/** Formats a number with its sign, with a true minus sign. @param {number} value @returns {string} */
export const signed = (value) => {
  const digits = Math.abs(value).toFixed(2);
  return digits === '0.00' ? digits : (value < 0 ? '−' : '+') + digits;
};

/**
 * Returns the texts of the bars: the question, and what speaks for and against approval.
 *
 * @param {{ prediction: number }} explanation  for "approved"
 */
export const labelsFor = ({ prediction }) => ({
  why: prediction >= 0.5 ? 'Why approved?' : 'Why declined?',
  forTarget: 'for approval',
  againstTarget: 'against approval',
});

/** Says what was decided. The bars say why. @param {{ prediction: number }} explanation */
export const describeDecision = ({ prediction }) =>
  `${prediction >= 0.5 ? 'Approved' : 'Declined'}: the score is ${prediction.toFixed(2)}, and 0.50 is needed.`;

/** Says how closely the bars follow the model. @param {number} fidelity */
export function describeFidelity(fidelity) {
  if (fidelity >= 0.7) return 'The bars follow the model closely.';
  return fidelity >= 0.4 ? 'The bars follow the model roughly.' : 'The bars follow the model poorly.';
}

/**
 * Describes the difference of two scores in a sentence or two. Changes that are not sure are left out.
 *
 * @param {import('linex').Comparison} comparison  from `compare`
 * @param {string[]} names  of the two applicants
 */
export function describeChange({ features, change, reference, rest }, [from, to]) {
  const important = features.filter((part) => part.sure && Math.abs(part.change) >= 0.02);
  const partsWith = (sign) =>
    important.filter((part) => sign * part.change > 0).map((part) => `${part.name} (${signed(part.change)})`);
  const direction = change < 0 ? -1 : 1;
  const size = Math.abs(change).toFixed(2);
  const head =
    size === '0.00'
      ? `${to} and ${from} have the same score`
      : `The score of ${to} is ${size} ${change < 0 ? 'lower' : 'higher'} than that of ${from}`;
  const [along, against] = [partsWith(direction), partsWith(-direction)];
  const reasons = [
    along.length > 0 && `: ${list(along)}`,
    against.length > 0 && `; in the other direction: ${list(against)}`,
  ];
  return `${head}${reasons.filter(Boolean).join('')}. The bars do not explain ${signed(reference + rest)}.`;
}

/** Sorts the features by column, so that two explanations can be read side by side. */
export const inColumnOrder = (explanation) => ({
  ...explanation,
  features: [...explanation.features].sort((a, b) => a.index - b.index),
});

/** Returns the largest contribution of several explanations, or the end of its interval. @param {any[]} explanations */
export const fullWeightOf = (explanations) =>
  Math.max(
    1e-9,
    ...explanations.flatMap(({ features }) =>
      features.flatMap(({ contribution, contributionInterval }) =>
        [contribution, ...(contributionInterval ?? [])].map(Math.abs),
      ),
    ),
  );

/**
 * Returns the mean of several explanations, for `<linex-bars>`, and counts those with the opposite sign.
 *
 * @param {any[]} explanations
 */
export function meanOf(explanations) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [{ schema, method, target, features, weights }] = explanations;
  const partsOf = (index) =>
    explanations.map(({ features }) => features.find((feature) => feature.index === index).contribution);
  const means = features.map(({ index, name }) => {
    const parts = partsOf(index);
    const contribution = mean(parts);
    return {
      ...{ index, name, weight: 0, interval: null, signAgreement: null, silenced: false },
      ...{ contribution, contributionInterval: null },
      contradicting: parts.filter((part) => part * contribution < 0).length,
    };
  });
  return {
    ...{ schema, kind: 'row', method, target, warnings: [] },
    // No model was asked for the mean.
    queries: { planned: 0, asked: 0, reused: 0 },
    weights: weights.map(() => 0),
    prediction: mean(explanations.map(({ prediction }) => prediction)),
    fidelity: mean(explanations.map(({ fidelity }) => fidelity)),
    features: means.sort((a, b) => a.index - b.index),
  };
}

/** Names the main features for the approved and against the declined, on average. */
export function describeMeans([approved, declined]) {
  const leading = ({ features }, sign) => {
    const largest = Math.max(...features.map(({ contribution }) => sign * contribution));
    const leaders = features.filter(({ contribution }) => largest > 0 && sign * contribution >= 0.5 * largest);
    return leaders.length > 0 ? list(leaders.map(({ name }) => name)) : 'nothing';
  };
  return `On average, the main reasons for approval are: ${leading(approved, 1)}. The main reasons against it are: ${leading(declined, -1)}.`;
}
