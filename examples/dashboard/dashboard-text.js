// The sentences and numbers of the dashboard; it needs no page, so that tests can run it in Node.

/** Joins words to a list. @param {readonly string[]} words @returns {string}  "a, b and c" */
export const list = (words) => [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');

/** Formats a number with its sign, with a true minus sign. @param {number} value @returns {string} */
export const signed = (value) => {
  const digits = Math.abs(value).toFixed(2);
  return digits === '0.00' ? digits : (value < 0 ? '−' : '+') + digits;
};

const isUndecided = ({ weight, silenced, signAgreement }) => silenced || !weight || signAgreement < 0.5;
const reasonsFor = (features, direction) =>
  features.length > 0 && `${direction} approval: ${list(features.map(({ name }) => name))}`;

/**
 * Describes an explanation in a sentence or two. Features below a tenth of the largest weight are left out.
 *
 * @param {any} explanation  for "approved"
 * @returns {string}
 */
export function describeDecision({ prediction, features }) {
  const approved = prediction >= 0.5;
  const important = features.filter(
    (feature) => !isUndecided(feature) && Math.abs(feature.weight) >= 0.1 * Math.abs(features[0].weight),
  );
  const [pro, against] = [1, -1].map((sign) => important.filter(({ weight }) => sign * weight > 0));
  const sides = [reasonsFor(pro, 'For'), reasonsFor(against, 'Against')];
  const reasons =
    (approved ? sides : sides.reverse()).filter(Boolean).join('. ') || 'No feature raises or lowers the score';
  const undecided = features.filter(isUndecided).map(({ name }) => name);
  const subject = undecided.length > 1 ? `The signs of ${list(undecided)} are` : `The sign of ${undecided[0]} is`;
  return `${approved ? 'Approved' : 'Declined'}. ${reasons}.${undecided.length > 0 ? ` ${subject} undecided.` : ''}`;
}

/** Says how closely the bars follow the model. @param {number} fidelity */
export function describeFidelity(fidelity) {
  const meaning =
    fidelity >= 0.7
      ? 'the bars follow the model closely'
      : fidelity >= 0.4
        ? 'the bars follow the model roughly'
        : 'the bars follow the model poorly, because it is not linear here';
  return `R² ${fidelity.toFixed(2).replace('-', '−')}: ${meaning}`;
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

/** Returns the largest weight or interval end of several explanations. @param {any[]} explanations */
export const fullWeightOf = (explanations) =>
  Math.max(
    1e-9,
    ...explanations.flatMap(({ features }) =>
      features.flatMap(({ weight, interval }) => [weight, ...(interval ?? [])].map(Math.abs)),
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
  const weightsOf = (index) => explanations.map(({ weights }) => weights[index]);
  const means = features.map(({ index, name }) => ({
    ...{ index, name, weight: mean(weightsOf(index)), interval: null, signAgreement: null, silenced: false },
    contradicting: weightsOf(index).filter((weight) => weight * mean(weightsOf(index)) < 0).length,
  }));
  return {
    ...{ schema, kind: 'row', method, target, warnings: [] },
    // No model was asked for the mean.
    queries: { planned: 0, asked: 0, reused: 0 },
    weights: weights.map((_, index) => mean(weightsOf(index))),
    prediction: mean(explanations.map(({ prediction }) => prediction)),
    fidelity: mean(explanations.map(({ fidelity }) => fidelity)),
    features: means.sort((a, b) => a.index - b.index),
  };
}

/** Names the main features for the approved and against the declined, on average. */
export function describeMeans([approved, declined]) {
  const leading = ({ features }, sign) => {
    const largest = Math.max(...features.map(({ weight }) => sign * weight));
    const leaders = features.filter(({ weight }) => largest > 0 && sign * weight >= 0.5 * largest);
    return leaders.length > 0 ? list(leaders.map(({ name }) => name)) : 'nothing';
  };
  return `On average, the main reasons for approval are: ${leading(approved, 1)}. The main reasons against it are: ${leading(declined, -1)}.`;
}
