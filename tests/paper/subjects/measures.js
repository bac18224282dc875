// The paper's metrics over a set of explanations, with one number per example for paired comparisons.
import {
  classAttributionConsistency,
  coefficientInconsistency,
  shapSlopes,
  signConflict,
  unidirectionality,
} from 'linex';

/**
 * The parts of an explanation that are kept.
 *
 * @typedef {object} Kept
 * @property {Float64Array} weights
 * @property {number} intercept
 * @property {number} local  the surrogate's answer at the input
 * @property {number} prediction  the model's answer
 * @property {Map<string, number>} named  the weights that are not 0, by the feature's name
 * @property {number} zeros  the share of selected features whose weight is 0
 * @property {boolean} restless  whether the game did not settle
 * @property {boolean} unfinished  whether descent was stopped by its limit, not by its rule
 * @property {boolean} constant  whether the surrogate is constant (the naive baseline)
 */

/** @param {import('linex').Explanation} explanation @returns {Kept} */
export function keep({ weights, intercept, localPrediction, prediction, features, method, equilibrium, unfinished }) {
  const listed = features.length ? features.map(({ weight }) => weight) : [...weights];
  return {
    weights: Float64Array.from(weights),
    intercept,
    local: localPrediction,
    prediction: /** @type {number} */ (prediction),
    named: new Map(
      features.filter(({ weight }) => weight !== 0).map(({ name, weight }) => [name.toLowerCase(), weight]),
    ),
    zeros: listed.length ? listed.filter((weight) => weight === 0).length / listed.length : 1,
    constant: method === 'baseline',
    restless: equilibrium ? !equilibrium.converged : false,
    unfinished: Boolean(unfinished),
  };
}

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * Measures a set of explanations.
 *
 * @param {object} subject  of a data set
 * @param {{ example: number, kept: Kept, config: object }[]} entries  explanations, each with its example
 * @param {number[][]} near  for each entry, the entries that should be similar
 * @param {{ general: boolean, classes: boolean | number[] }} which  whether GI and CAC make sense; classes: true, or those for CAC
 * @returns {Record<string, number[]>}  one value per entry; for CAC, one per class
 */
export function measure(subject, entries, near, { general, classes }) {
  const found = { INFD: entries.map(({ kept }) => Math.abs(kept.prediction - kept.local)) };
  found.zeros = entries.map(({ kept }) => kept.zeros);
  found.restless = entries.map(({ kept }) => Number(kept.restless));
  if (entries.some(({ kept }) => kept.unfinished))
    found.unfinished = entries.map(({ kept }) => Number(kept.unfinished));
  const groups = entries.map((entry, e) => subject.align([entry, ...near[e].map((other) => entries[other])]));
  if (general) {
    found.GI = entries.map((entry, e) =>
      mean(near[e].map((other) => Math.abs(entry.kept.prediction - answerAt(subject, entries[other], entry.example)))),
    );
  }
  if (near[0].length > 0) Object.assign(found, steadiness(groups));
  if (classes) found.CAC = classConsistency(subject, entries, classes);
  return found;
}

/** Returns the answer of an entry's surrogate at an example. */
function answerAt(subject, entry, at) {
  return entry.kept.constant ? entry.kept.local : subject.answerAt(entry, at);
}

/**
 * Returns CI, Υ with both signs of zero, and sign conflict.
 *
 * @param {{ vectors: number[][], width: number }[]} groups  each: the weights of an entry, then those of its neighbors, over
 *   the features that any of them has; width: the number of all features
 */
function steadiness(groups) {
  const over = (metric) => groups.map(({ vectors, width }) => metric(vectors, width));
  const inconsistency = ([own, ...others]) => coefficientInconsistency(own, others);
  // Features that no vector has are always zero: they agree if a zero counts as a sign, and count as 0 if not.
  return {
    CI: over(inconsistency),
    'CI/d': over((vectors, width) => inconsistency(vectors) / width),
    'CI scaled': over(([own, ...others]) => coefficientInconsistency(own, others, { normalize: 'sum' })),
    // Over the exemplar neighborhood, with the paper's size: the example is not one of its own neighbors.
    unidirectionality: over(([, ...others], width) => {
      const part = others[0].length / width;
      return part * unidirectionality(others) + 1 - part;
    }),
    'unidirectionality, zero 0': over(
      ([, ...others], width) => (others[0].length / width) * unidirectionality(others, { zero: 0 }),
    ),
    'sign conflict': over((vectors, width) => (vectors[0].length / width) * signConflict(vectors)),
  };
}

/** Returns the paper's CAC per class: the correlation of the mean explanation with the mean input. */
function classConsistency(subject, entries, classes) {
  const all = [...new Set(entries.map(({ example }) => subject.classOf(example)))].sort((a, b) => a - b);
  const labels = Array.isArray(classes) ? all.filter((label) => classes.includes(label)) : all;
  return labels.map((label) => {
    const members = entries.filter(({ example }) => subject.classOf(example) === label);
    const [weights, inputs] = [new Float64Array(subject.width), new Float64Array(subject.width)];
    for (const entry of members) {
      subject.addWeights(weights, entry, 1 / members.length);
      subject.addInput(inputs, entry, 1 / members.length);
    }
    return classAttributionConsistency([weights], { inputs: [inputs], labels: [label], constant: 'zero' });
  });
}

/**
 * Converts SHAP's values to the slopes of a linear model, as in the paper. The model gives the base value at the reference.
 *
 * @param {Kept} kept
 * @param {{ at: ArrayLike<number>, reference: ArrayLike<number> }} points  the input and the reference for absence, in
 *   the surrogate's features
 * @returns {Kept}
 */
export function asSlopes(kept, points) {
  const slopes = Float64Array.from(shapSlopes(kept.weights, points));
  const { reference } = points;
  return {
    ...kept,
    weights: slopes,
    intercept: slopes.reduce((b, slope, c) => b - slope * reference[c], kept.intercept),
  };
}

/** The fractions of features that are removed, the largest weights first. */
export const FRACTIONS = Object.freeze([0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]);

/**
 * Returns how the model's answers change without the leading features. Only features with a weight are removed, so an
 * explanation without weights removes nothing.
 *
 * @param {object} subject
 * @param {{ example: number, kept: Kept, config: object }} entry
 * @param {{ signed?: boolean, fractions?: readonly number[], each?: boolean }} [how]  signed: only features with a weight
 *   above 0 are removed, the largest first; each: returns the model's answers in place of the curves
 * @returns {Promise<{ changes: number[], flips: number[] }>}  |change of the score|, and 1 if the class changed, per fraction
 */
export async function ablate(
  subject,
  { example, kept, config },
  { signed = false, fractions = FRACTIONS, each = false } = {},
) {
  const order = Array.from(kept.weights, (weight, c) => ({ c, size: signed ? weight : Math.abs(weight) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size || a.c - b.c)
    .map(({ c }) => c);
  const parts = fractions.map((fraction) => order.slice(0, Math.max(1, Math.round(fraction * kept.weights.length))));
  const answers = await subject.without(example, parts, config);
  if (each) return answers;
  return {
    changes: answers.map(({ score }) => Math.abs(score - kept.prediction)),
    flips: answers.map(({ same }) => (same ? 0 : 1)),
  };
}
