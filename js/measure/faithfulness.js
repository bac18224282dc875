// Measures of how well explanations predict the model, at their own input and at others.
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { countFeatures, mean, readAttributions, total, weightsOf } from './stability-metrics.js';

/**
 * The paper's INFD: the mean |prediction − local prediction| over inputs.
 *
 * @param {readonly { prediction: number | null, localPrediction: number }[]} explanations
 * @returns {number}
 * @throws {TypeError | RangeError} if an item has no prediction, for example if it is an array of weights
 */
export function infidelity(explanations) {
  if (!Array.isArray(explanations)) throw new TypeError(`infidelity expects explanations, not ${show(explanations)}`);
  return mean(
    explanations.map((explanation, i) => {
      const prediction = checkPrediction(explanation, i);
      const { localPrediction } = explanation;
      if (!Number.isFinite(localPrediction))
        throw new RangeError(`explanation ${i} must have a finite localPrediction, not ${show(localPrediction)}`);
      return Math.abs(prediction - localPrediction);
    }),
  );
}

/**
 * Converts a surrogate's value to the scale of the model's answers: log-odds become a probability.
 *
 * @param {{ link?: string }} explanation
 * @param {number} value
 */
const toAnswer = ({ link }, value) => (link === 'logit' ? 1 / (1 + Math.exp(-value)) : value);

/**
 * @typedef {object} LocalModel  the part of an explanation that predicts other inputs
 * @property {number | null} prediction
 * @property {number} localPrediction
 * @property {number} intercept
 * @property {readonly number[]} weights
 * @property {string} [method]
 * @property {string} [link]
 */

/**
 * @typedef {object} GeneralizedOptions
 * @property {readonly ArrayLike<number>[]} neighbors  one array per explanation: the indices of its neighbors
 * @property {import('./stability-metrics.js').Vectors | ((of: number, at: number) => ArrayLike<number>)} points  the inputs in the units of the
 *   weights (m arrays of d), for example standard deviations; or a function that returns input `of` as explanation `at`
 *   encodes it: a categorical column is 1 if the two have the same level, else 0
 * @property {ArrayLike<number> | ((at: number) => ArrayLike<number>)} [reference]  only for explanations by SHAP: the
 *   mean of the background, in the same units as the points
 */

/**
 * The paper's GI: the mean over inputs x, and over their neighbors x′, of |model at x − surrogate of x′ at x|.
 *
 * The surrogate of `method: 'baseline'` is its local prediction, at every input. SHAP's weights are not slopes, so
 * `shapSlopes` converts them. If they are log-odds, the result is converted to a probability.
 *
 * @param {readonly LocalModel[]} explanations
 * @param {GeneralizedOptions} options
 * @returns {number}
 * @throws {TypeError | RangeError}
 */
export function generalizedInfidelity(explanations, options) {
  const names = ['neighbors', 'points', 'reference'];
  const { neighbors, points, reference } = checkNames(options, names, 'generalizedInfidelity');
  if (!Array.isArray(explanations))
    throw new TypeError(`generalizedInfidelity expects explanations, not ${show(explanations)}`);
  const count = explanations.length;
  const predictions = explanations.map(checkPrediction);
  checkLength(neighbors, 'neighbors', count, 'one array per explanation');
  if (typeof points !== 'function') checkLength(points, 'points', count, 'one per explanation');
  /** @param {number} of @param {number} at */
  const encode = (of, at) => {
    const point = typeof points === 'function' ? points(of, at) : points[of];
    return checkVector(point, `point ${of}, as explanation ${at} encodes it,`, explanations[at].weights.length);
  };
  const models = explanations.map((explanation, at) => {
    const { weights } = explanation;
    if (!(weights?.length > 0)) throw new RangeError(`explanation ${at} must have weights, not ${show(weights)}`);
    return localModel(explanation, at, encode, reference);
  });
  return mean(
    predictions.map((prediction, of) => {
      const indices = /** @type {number[]} */ (Array.from(neighbors[of] ?? []));
      if (indices.length === 0) throw new RangeError(`neighbors[${of}] must name at least one explanation`);
      return mean(
        indices.map((at) => {
          checkCount(at, `neighbors[${of}]`, 0, count - 1);
          return Math.abs(prediction - models[at](of));
        }),
      );
    }),
  );
}

/**
 * @param {{ prediction: number | null }} explanation
 * @param {number} index
 * @returns {number}
 */
function checkPrediction(explanation, index) {
  if (typeof explanation !== 'object' || explanation === null || Array.isArray(explanation))
    throw new TypeError(`explanation ${index} must be an explanation, not ${show(explanation)}`);
  const { prediction } = explanation;
  if (typeof prediction === 'number' && Number.isFinite(prediction)) return prediction;
  throw new RangeError(`explanation ${index} must have a finite prediction, not ${show(prediction)}`);
}

/**
 * Returns a function that predicts input `of` with an explanation.
 *
 * @param {LocalModel} explanation
 * @param {number} at  the index of the explanation
 * @param {(of: number, at: number) => ArrayLike<number>} encode
 * @param {unknown} reference
 * @returns {(of: number) => number}
 */
function localModel(explanation, at, encode, reference) {
  const { method, intercept, weights, localPrediction } = explanation;
  if (method === 'baseline') return () => localPrediction;
  if (method !== 'shap') return (of) => intercept + dot(weights, encode(of, at));
  if (reference === undefined) throw new TypeError(`explanation ${at} is by SHAP, so the option reference is required`);
  const origin = typeof reference === 'function' ? reference(at) : reference;
  const slopes = shapSlopes(weights, { at: encode(at, at), reference: origin });
  return (of) => {
    const offset = Array.from(encode(of, at), (value, c) => value - origin[c]);
    return toAnswer(explanation, intercept + dot(slopes, offset));
  };
}

/**
 * Converts SHAP's attributions φ to the slopes of a linear model, φ / (input − reference). This model gives the base value
 * at the reference and base + Σφ at the input. The paper converts SHAP's values for all measures except infidelity, and
 * cites LEAF, which converts them in this way. If input and reference are equal, the slope is 0.
 *
 * @param {import('./stability-metrics.js').Attribution} attribution  by SHAP: weights, or an explanation
 * @param {{ at: ArrayLike<number>, reference: ArrayLike<number> }} options  at: the input; reference: the mean of the background
 * @returns {number[]}
 */
export function shapSlopes(attribution, options) {
  const { at, reference } = checkNames(options, ['at', 'reference'], 'shapSlopes');
  const weights = weightsOf(attribution);
  const featureCount = countFeatures([weights]);
  checkVector(weights, 'the attribution', featureCount);
  checkVector(at, 'at', featureCount);
  checkVector(reference, 'reference', featureCount);
  return Array.from(weights, (phi, c) => {
    const step = at[c] - reference[c];
    // The difference of huge numbers overflows, but half of it does not.
    const slope = Number.isFinite(step) ? phi / step : phi / (at[c] / 2 - reference[c] / 2) / 2;
    if (step === 0) return 0;
    if (Number.isFinite(slope)) return slope;
    throw new RangeError(`the slope of feature ${c} is not finite: ${show(phi)} per ${show(step)}`);
  });
}

/**
 * @template {string | number | boolean} [L=string | number | boolean]
 * @typedef {object} ClassOptions
 * @property {import('./stability-metrics.js').Vectors} inputs  the inputs of the attributions, one per attribution
 * @property {ArrayLike<L>} labels  the class of each input
 * @property {readonly L[]} [classes]  the classes to measure; default: all that occur
 * @property {'error' | 'zero'} [constant]  what to do with a class whose mean attribution or mean input is the same in every
 *   feature, so that it has no correlation: throw (the default) or count it as 0
 */

/**
 * The paper's CAC: Pearson's r between the mean attribution of a class and its mean input, as a mean over classes.
 *
 * @template {string | number | boolean} L
 * @param {import('./stability-metrics.js').Attributions} given  arrays of weights, or explanations
 * @param {ClassOptions<L>} options
 * @returns {number}  from −1 to 1
 * @throws {TypeError | RangeError}
 */
export function classAttributionConsistency(given, options) {
  const names = ['inputs', 'labels', 'classes', 'constant'];
  const settings = checkNames(options, names, 'classAttributionConsistency');
  const { inputs, labels, constant = 'error' } = settings;
  const attributions = readAttributions(given);
  const featureCount = countFeatures(attributions);
  checkLength(inputs, 'inputs', attributions.length, 'one per attribution');
  checkLength(labels, 'labels', attributions.length, 'one per attribution');
  const strict = checkChoice(constant, 'constant', ['error', 'zero']) === 0;
  for (let i = 0; i < inputs.length; i++) checkVector(inputs[i], `inputs[${i}]`, featureCount);
  for (let i = 0; i < inputs.length; i++) checkVector(attributions[i], `attributions[${i}]`, featureCount);
  const { classes = [...new Set(Array.from(labels))] } = settings;
  if (!Array.isArray(classes) || classes.length === 0)
    throw new RangeError(`classes must be an array of labels, not ${show(classes)}`);
  return mean(
    classes.map((label) => {
      const belongs = (/** @type {unknown} */ _, /** @type {number} */ i) => labels[i] === label;
      const members = attributions.filter(belongs);
      if (members.length === 0) throw new RangeError(`class ${show(label)} has no attributions`);
      const attribution = meanVector(members);
      const input = meanVector(
        Array.from(/** @type {import('./stability-metrics.js').Vectors} */ (inputs)).filter(belongs),
      );
      const flat = isConstant(attribution) ? { attribution } : isConstant(input) ? { input } : undefined;
      if (!flat) return correlation(attribution, input);
      if (!strict) return 0;
      const [[what, [value]]] = Object.entries(flat);
      throw new RangeError(
        `the mean ${what} of class ${show(label)} is ${value} in every feature, so it has no correlation`,
      );
    }),
  );
}

/** @param {readonly number[]} values */
const isConstant = (values) => values.every((value) => value === values[0]);

/** @param {readonly ArrayLike<number>[]} vectors */
const meanVector = (vectors) => Array.from(vectors[0], (_, c) => mean(vectors.map((vector) => vector[c])));

/**
 * Pearson's r.
 *
 * @param {number[]} a
 * @param {number[]} b
 */
function correlation(a, b) {
  const [x, y] = [a, b].map((values) => {
    // The squares of tiny numbers vanish, and those of huge ones overflow.
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const unit = largest > 1e100 || largest < 1e-100 ? largest : 1;
    const scaled = values.map((value) => value / unit);
    const middle = mean(scaled);
    return scaled.map((value) => value - middle);
  });
  return dot(x, y) / Math.sqrt(dot(x, x)) / Math.sqrt(dot(y, y));
}

/**
 * @param {unknown} given
 * @param {string} name
 * @param {number} length
 * @param {string} what
 */
function checkLength(given, name, length, what) {
  if (typeof given === 'object' && /** @type {ArrayLike<unknown> | null} */ (given)?.length === length) return;
  throw new RangeError(`${name} must have ${length} items, ${what}, not ${show(given)}`);
}

/**
 * @param {any} given
 * @param {string} name
 * @param {number} length
 * @returns {ArrayLike<number>}
 */
function checkVector(given, name, length) {
  if (typeof given !== 'object' || given?.length !== length)
    throw new RangeError(`${name} must have ${length} numbers, not ${show(given)}`);
  for (let c = 0; c < length; c++)
    if (!Number.isFinite(given[c])) throw new RangeError(`${name} must have finite numbers, not ${show(given[c])}`);
  return given;
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
const dot = (a, b) => total(a, (value, c) => value * b[c]);
