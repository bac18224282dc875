// What the page says and reckons about explanations. Needs no page: the tests ask it in Node.

/** @param {readonly string[]} words @returns {string}  "a, b and c" */
export const list = (words) => [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');

/** @param {number} value @returns {string}  with its sign, by a real minus */
export const signed = (value) => {
  const digits = Math.abs(value).toFixed(2);
  return digits === '0.00' ? digits : (value < 0 ? '−' : '+') + digits;
};

const isUndecided = ({ weight, silenced, signAgreement }) => silenced || !weight || signAgreement < 0.5;
const side = (features, how) => features.length > 0 && `${how} approval: ${list(features.map(({ name }) => name))}`;

/**
 * An explanation in a sentence or two. What is less than a tenth of the largest is not worth a word.
 *
 * @param {any} explanation  for "approved"
 * @returns {string}
 */
export function sayWhy({ prediction, features }) {
  const approved = prediction >= 0.5;
  const told = features.filter(
    (feature) => !isUndecided(feature) && Math.abs(feature.weight) >= 0.1 * Math.abs(features[0].weight),
  );
  const [pro, against] = [1, -1].map((sign) => told.filter(({ weight }) => sign * weight > 0));
  const sides = [side(pro, 'For'), side(against, 'Against')];
  const reasons = (approved ? sides : sides.reverse()).filter(Boolean).join('. ') || 'Nothing speaks for or against';
  const open = features.filter(isUndecided).map(({ name }) => name);
  const doubt = open.length > 1 ? `The signs of ${list(open)} are` : `The sign of ${open[0]} is`;
  return `${approved ? 'Approved' : 'Declined'}. ${reasons}.${open.length > 0 ? ` ${doubt} undecided.` : ''}`;
}

/** How far the bars are to be trusted. @param {number} fidelity */
export function sayFidelity(fidelity) {
  const how =
    fidelity >= 0.7
      ? 'the bars follow the model closely'
      : fidelity >= 0.4
        ? 'a fair sketch of the model'
        : 'a rough sketch; the model bends more than bars can show';
  return `R² ${fidelity.toFixed(2).replace('-', '−')}: ${how}`;
}

/** The share of applicants who have the value too, or one of its quarter. */
function shareOf({ index, value }, { columns }) {
  const { kind, quartiles, bins, levels, frequencies } = columns[index];
  if (kind === 'categorical') return frequencies[levels.indexOf(value)];
  const place = quartiles.filter((end) => value > end).length;
  return bins[place].share;
}

/**
 * Why did this change? A weight compares applicants who have a value with those who have not. With all the others, a
 * share of whom have it, it makes 1 − share of that; two applicants are compared by what their values make.
 *
 * @param {any} from
 * @param {any} to  explanations
 * @param {any} table
 * @returns {{ parts: { name: string, from: any, to: any, change: number }[], change: number, rest: number }}  the parts
 *   in the order of the columns; their sum and the rest, which they miss, are the change
 */
export function compareRows(from, to, table) {
  const effect = (feature) => (1 - shareOf(feature, table)) * feature.weight;
  const parts = table.columns.map(({ name }) => {
    const [one, other] = [from, to].map(({ features }) => features.find((feature) => feature.name === name));
    return { name, from: one, to: other, change: effect(other) - effect(one) };
  });
  const change = to.prediction - from.prediction;
  return { parts, change, rest: change - parts.reduce((sum, part) => sum + part.change, 0) };
}

/** @param {ReturnType<typeof compareRows>} comparison @param {string[]} names  of the two */
export function sayChange({ parts, change, rest }, [from, to]) {
  const told = parts
    .filter((part) => Math.abs(part.change) >= 0.02)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const side = (sign) =>
    told.filter((part) => sign * part.change > 0).map((part) => `${part.name} (${signed(part.change)})`);
  const way = change < 0 ? -1 : 1;
  const size = Math.abs(change).toFixed(2);
  const head =
    size === '0.00'
      ? `${to} scores as ${from} does`
      : `${to} scores ${size} ${change < 0 ? 'less' : 'more'} than ${from}`;
  const [along, back] = [side(way), side(-way)];
  const reasons = [along.length > 0 && `: ${list(along)}`, back.length > 0 && `; the other way: ${list(back)}`];
  return `${head}${reasons.filter(Boolean).join('')}. The bars leave ${signed(rest)} open.`;
}

/** Features in the order of the columns, so that two pictures can be read side by side. */
export const inColumnOrder = (explanation) => ({
  ...explanation,
  features: [...explanation.features].sort((a, b) => a.index - b.index),
});

/** The weight that bars of all of these fit under. @param {any[]} explanations */
export const commonScale = (explanations) =>
  Math.max(
    1e-9,
    ...explanations.flatMap(({ features }) =>
      features.flatMap(({ weight, interval }) => [weight, ...(interval ?? [])].map(Math.abs)),
    ),
  );

/**
 * The mean explanation of many, for `<linex-bars>`, and how many of them have the other sign.
 *
 * @param {any[]} explanations
 */
export function meanOf(explanations) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [{ method, target, features }] = explanations;
  const of = (index) => explanations.map(({ weights }) => weights[index]);
  const means = features.map(({ index, name }) => ({
    ...{ index, name, weight: mean(of(index)), interval: null, signAgreement: null, silenced: false },
    contradicting: of(index).filter((weight) => weight * mean(of(index)) < 0).length,
  }));
  return {
    ...{ kind: 'row', method, target, warnings: [] },
    prediction: mean(explanations.map(({ prediction }) => prediction)),
    fidelity: mean(explanations.map(({ fidelity }) => fidelity)),
    features: means.sort((a, b) => a.index - b.index),
  };
}

/** What leads on the mean: of the approved what speaks for, of the declined what speaks against. */
export function sayMeans([approved, declined]) {
  const leading = ({ features }, sign) => {
    const most = Math.max(...features.map(({ weight }) => sign * weight));
    const told = features.filter(({ weight }) => most > 0 && sign * weight >= 0.5 * most);
    return told.length > 0 ? list(told.map(({ name }) => name)) : 'nothing';
  };
  return `On the mean, what speaks most for the approved: ${leading(approved, 1)}; most against the declined: ${leading(declined, -1)}.`;
}
