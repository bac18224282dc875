import { show } from '../core/errors.js';
import { mean, readAttributions, total, weightsOf, widthOf } from './stability-metrics.js';
import { checkChoice, checkCount, checkNames } from '../core/check-options.js';

/**
 * The paper's INFD: the mean |prediction − local prediction| over inputs.
 *
 * @param {readonly { prediction: number | null, localPrediction: number }[]} explanations
 * @returns {number}
 * @throws {TypeError | RangeError} for what has no prediction: arrays of weights, for one
 */
export function infidelity(explanations) {
  if (!Array.isArray(explanations)) throw new TypeError(`infidelity takes explanations, not ${show(explanations)}`);
  return mean(
    explanations.map((one, i) => {
      const prediction = checkPrediction(one, i);
      if (!Number.isFinite(one.localPrediction))
        throw new RangeError(`explanation ${i} has no localPrediction, but ${show(one.localPrediction)}`);
      return Math.abs(prediction - one.localPrediction);
    }),
  );
}

/**
 * What a surrogate says, on the scale of the model's answers: of log-odds, the probability.
 *
 * @param {{ link?: string }} explanation
 * @param {number} said
 */
const answerOf = ({ link }, said) => (link === 'logit' ? 1 / (1 + Math.exp(-said)) : said);

/**
 * @typedef {object} LocalModel  what is needed of an explanation to predict other inputs by it
 * @property {number | null} prediction
 * @property {number} localPrediction
 * @property {number} intercept
 * @property {readonly number[]} weights
 * @property {string} [method]
 * @property {string} [link]
 */

/**
 * @typedef {object} GeneralizedOptions
 * @property {readonly ArrayLike<number>[]} neighbors  one array an explanation: which explanations are its neighbors
 * @property {import('./stability-metrics.js').Vectors | ((of: number, at: number) => ArrayLike<number>)} points  the inputs as the explanations see
 *   them (m arrays of d: in standard deviations, say), or input `of` as explanation `at` sees it: a categorical column is
 *   1 where the two have the same level
 * @property {ArrayLike<number> | ((at: number) => ArrayLike<number>)} [reference]  of explanations by SHAP: the mean of
 *   the background, seen as the points are
 */

/**
 * The paper's GI: the mean over inputs x, and over their neighbors x′, of |model at x − surrogate of x′ at x|.
 *
 * The surrogate of `method: 'baseline'` is its local prediction, wherever it is asked. SHAP's weights are no slopes; they
 * are made into such by `shapSlopes`, and where they are log-odds, what they say is made a probability.
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
    throw new TypeError(`generalizedInfidelity takes explanations, not ${show(explanations)}`);
  const count = explanations.length;
  const predictions = explanations.map(checkPrediction);
  checkLength(neighbors, 'neighbors', count, 'one array an explanation');
  if (typeof points !== 'function') checkLength(points, 'points', count, 'one an explanation');
  /** @param {number} of @param {number} at */
  const see = (of, at) => {
    const point = typeof points === 'function' ? points(of, at) : points[of];
    return checkVector(point, `point ${of} as explanation ${at} sees it`, explanations[at].weights.length);
  };
  const models = explanations.map((one, at) => {
    if (!(one.weights?.length > 0)) throw new RangeError(`explanation ${at} has no weights, but ${show(one.weights)}`);
    return localModel(one, at, see, reference);
  });
  return mean(
    predictions.map((prediction, of) => {
      const around = /** @type {number[]} */ (Array.from(neighbors[of] ?? []));
      if (around.length === 0) throw new RangeError(`neighbors[${of}] must name at least one explanation`);
      return mean(
        around.map((at) => {
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
  throw new RangeError(`explanation ${index} has no prediction to compare with, but ${show(prediction)}`);
}

/**
 * What an explanation predicts for input `of`.
 *
 * @param {LocalModel} explanation
 * @param {number} at  which explanation it is
 * @param {(of: number, at: number) => ArrayLike<number>} see
 * @param {unknown} reference
 * @returns {(of: number) => number}
 */
function localModel(explanation, at, see, reference) {
  const { method, intercept, weights, localPrediction } = explanation;
  if (method === 'baseline') return () => localPrediction;
  if (method !== 'shap') return (of) => intercept + dot(weights, see(of, at));
  if (reference === undefined)
    throw new TypeError(`explanation ${at} is by SHAP; its weights are no slopes without a reference, not undefined`);
  const from = typeof reference === 'function' ? reference(at) : reference;
  const slopes = shapSlopes(weights, { at: see(at, at), reference: from });
  return (of) => {
    const away = Array.from(see(of, at), (value, c) => value - from[c]);
    return answerOf(explanation, intercept + dot(slopes, away));
  };
}

/**
 * SHAP's attributions φ as the slopes of a linear model, φ / (input − reference): the model that says the base value at the
 * reference and base + Σφ at the input. For all measures but infidelity the paper converts SHAP's values, and cites LEAF,
 * which does it in this way. Where input and reference are the same there is no slope to be had: 0.
 *
 * @param {import('./stability-metrics.js').Attribution} attribution  by SHAP: weights, or an explanation
 * @param {{ at: ArrayLike<number>, reference: ArrayLike<number> }} options  the input and the mean of the background
 * @returns {number[]}
 */
export function shapSlopes(attribution, options) {
  const { at, reference } = checkNames(options, ['at', 'reference'], 'shapSlopes');
  const shares = weightsOf(attribution);
  const width = widthOf([shares]);
  checkVector(at, 'at', width);
  checkVector(reference, 'reference', width);
  return Array.from(shares, (phi, c) => (at[c] === reference[c] ? 0 : phi / (at[c] - reference[c])));
}

/**
 * @template {string | number | boolean} [L=string | number | boolean]
 * @typedef {object} ClassOptions
 * @property {import('./stability-metrics.js').Vectors} inputs  the inputs that the attributions are of
 * @property {ArrayLike<L>} labels  their classes
 * @property {readonly L[]} [classes]  which of them count; default all that occur
 * @property {'error' | 'zero'} [constant]  a class whose mean attribution or mean input is the same in every feature has
 *   no correlation: an error (the default), or counted as 0
 */

/**
 * The paper's CAC: how well the mean attribution of a class goes with its mean input, by Pearson's r; the mean over classes.
 *
 * @template {string | number | boolean} L
 * @param {import('./stability-metrics.js').Attributions} given  arrays of weights, or explanations
 * @param {ClassOptions<L>} options
 * @returns {number}  from −1 to 1
 * @throws {TypeError | RangeError}
 */
export function classAttributionConsistency(given, options) {
  const names = ['inputs', 'labels', 'classes', 'constant'];
  const how = checkNames(options, names, 'classAttributionConsistency');
  const { inputs, labels, constant = 'error' } = how;
  const attributions = readAttributions(given);
  const width = widthOf(attributions);
  checkLength(inputs, 'inputs', attributions.length, 'one an attribution');
  checkLength(labels, 'labels', attributions.length, 'one an attribution');
  const strict = checkChoice(constant, 'constant', ['error', 'zero']) === 0;
  for (let i = 0; i < inputs.length; i++) checkVector(inputs[i], `inputs[${i}]`, width);
  for (let i = 0; i < inputs.length; i++) checkVector(attributions[i], `attributions[${i}]`, width);
  const { classes = [...new Set(Array.from(labels))] } = how;
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
      throw new RangeError(`the mean ${what} of class ${show(label)} is ${value} in every feature: no correlation`);
    }),
  );
}

/** @param {readonly number[]} values */
const isConstant = (values) => values.every((value) => value === values[0]);

/** @param {readonly ArrayLike<number>[]} vectors */
const meanVector = (vectors) => Array.from(vectors[0], (_, c) => mean(vectors.map((one) => one[c])));

/**
 * Pearson's r.
 *
 * @param {number[]} a
 * @param {number[]} b
 */
function correlation(a, b) {
  const [x, y] = [a, b].map((values) => {
    const middle = mean(values);
    return values.map((value) => value - middle);
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
  throw new RangeError(`${name} must be ${length}, ${what}, not ${show(given)}`);
}

/**
 * @param {any} given
 * @param {string} name
 * @param {number} width
 * @returns {ArrayLike<number>}
 */
function checkVector(given, name, width) {
  if (typeof given !== 'object' || given?.length !== width)
    throw new RangeError(`${name} must be ${width} numbers, not ${show(given)}`);
  for (let c = 0; c < width; c++)
    if (!Number.isFinite(given[c])) throw new RangeError(`${name} must be finite numbers, not ${show(given[c])}`);
  return given;
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
const dot = (a, b) => total(a, (value, c) => value * b[c]);
