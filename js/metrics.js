import { show } from './errors.js';
import { checkChoice, checkCount, checkNames } from './options.js';

/** @typedef {readonly ArrayLike<number>[]} Vectors  m arrays of d numbers */

/** @typedef {ArrayLike<number> | { readonly weights: ArrayLike<number> }} Attribution  d weights, or an explanation */

/** @typedef {readonly Attribution[]} Attributions  m of them */

/**
 * @param {Attribution} one
 * @returns {ArrayLike<number>}
 */
export const weightsOf = (one) => /** @type {any} */ (one)?.weights ?? one;

/**
 * @param {Attributions} given
 * @returns {ArrayLike<number>[]}
 * @throws {RangeError}
 */
function readAttributions(given) {
  if (typeof given === 'object' && given?.length > 0) return Array.from(given, weightsOf);
  throw new RangeError(`attributions must be arrays of weights, or explanations, not ${show(given)}`);
}

/**
 * @param {Vectors} attributions
 * @returns {number} d
 */
function widthOf(attributions) {
  const width = attributions?.[0]?.length;
  if (!(width > 0)) throw new RangeError(`attributions must be arrays of weights, not ${show(attributions)}`);
  for (const one of attributions)
    if (one?.length !== width)
      throw new RangeError(`attributions must have one length, not ${width} and ${one?.length}`);
  return width;
}

/**
 * The paper's Υ: how steadily the signs of the attributions of one input (over seeds, or over close inputs) agree, from 0
 * to 1. It has to be said what the sign of a zero is: `zero: 1` counts it as positive, which is how the paper's numbers
 * come out; `zero: 0` counts it as neither.
 *
 * @param {Attributions} given  arrays of weights, or explanations
 * @param {{ zero?: 0 | 1 }} [options]  default 1
 * @returns {number}
 */
export function unidirectionality(given, options = {}) {
  const { zero = 1 } = checkNames(options, ['zero'], 'unidirectionality');
  if (zero !== 0 && zero !== 1) throw new RangeError(`zero must be 0 or 1, not ${show(zero)}`);
  const attributions = readAttributions(given);
  const width = widthOf(attributions);
  let sum = 0;
  for (let c = 0; c < width; c++) {
    const signs = attributions.map((one) => Math.sign(one[c]) || zero);
    sum += Math.abs(signs.reduce((a, b) => a + b, 0));
  }
  return sum / (attributions.length * width);
}

/**
 * The share of (feature, pair of attributions) whose signs are strictly opposite. A zero contradicts nobody.
 *
 * @param {Attributions} given  at least two: arrays of weights, or explanations
 * @returns {number}
 */
export function signConflict(given) {
  const attributions = readAttributions(given);
  const width = widthOf(attributions);
  let conflicts = 0;
  let pairs = 0;
  for (let a = 0; a < attributions.length; a++) {
    for (let b = a + 1; b < attributions.length; b++) {
      for (let c = 0; c < width; c++) conflicts += attributions[a][c] * attributions[b][c] < 0 ? 1 : 0;
      pairs += width;
    }
  }
  if (pairs === 0) throw new RangeError('signConflict compares at least two attributions, not 1');
  return conflicts / pairs;
}

/**
 * The paper's CI for one input: the mean L1 distance between its attribution and those of its neighbours.
 *
 * @param {Attribution} attribution  weights, or an explanation
 * @param {Attributions} neighbours
 * @param {{ scale?: 'none' | 'sum' }} [options]  `'sum'`: each attribution is first divided by the sum of its |weights|, so
 *   that only their proportions are compared (one that is all zeros stays so); default `'none'`, as in the paper
 * @returns {number}
 */
export function coefficientInconsistency(attribution, neighbours, options = {}) {
  const { scale = 'none' } = checkNames(options, ['scale'], 'coefficientInconsistency');
  const scaled = checkChoice(scale, 'scale', ['none', 'sum']) === 1 ? toSumOne : Array.from;
  const [mine, ...others] = readAttributions([attribution, ...neighbours]);
  widthOf([mine, ...others]);
  const own = scaled(mine);
  return mean(others.map((one) => total(scaled(one), (w, c) => Math.abs(w - own[c]))));
}

/** @param {ArrayLike<number>} attribution */
function toSumOne(attribution) {
  const sum = total(attribution, Math.abs);
  return Array.from(attribution, (weight) => (sum > 0 ? weight / sum : 0));
}

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
 * @property {readonly ArrayLike<number>[]} neighbours  one array an explanation: which explanations are its neighbours
 * @property {Vectors | ((of: number, at: number) => ArrayLike<number>)} points  the inputs as the explanations see
 *   them (m arrays of d: in standard deviations, say), or input `of` as explanation `at` sees it: a categorical column is
 *   1 where the two have the same level
 * @property {ArrayLike<number> | ((at: number) => ArrayLike<number>)} [reference]  of explanations by SHAP: the mean of
 *   the background, seen as the points are
 */

/**
 * The paper's GI: the mean over inputs x, and over their neighbours x′, of |model at x − surrogate of x′ at x|.
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
  const names = ['neighbours', 'points', 'reference'];
  const { neighbours, points, reference } = checkNames(options, names, 'generalizedInfidelity');
  if (!Array.isArray(explanations))
    throw new TypeError(`generalizedInfidelity takes explanations, not ${show(explanations)}`);
  const count = explanations.length;
  const predictions = explanations.map(checkPrediction);
  checkLength(neighbours, 'neighbours', count, 'one array an explanation');
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
      const around = /** @type {number[]} */ (Array.from(neighbours[of] ?? []));
      if (around.length === 0) throw new RangeError(`neighbours[${of}] must name at least one explanation`);
      return mean(
        around.map((at) => {
          checkCount(at, `neighbours[${of}]`, 0, count - 1);
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
 * @param {Attribution} attribution  by SHAP: weights, or an explanation
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
 * @property {Vectors} inputs  the inputs that the attributions are of
 * @property {ArrayLike<L>} labels  their classes
 * @property {readonly L[]} [classes]  which of them count; default all that occur
 * @property {'error' | 'zero'} [constant]  a class whose mean attribution or mean input is the same in every feature has
 *   no correlation: an error (the default), or counted as 0
 */

/**
 * The paper's CAC: how well the mean attribution of a class goes with its mean input, by Pearson's r; the mean over classes.
 *
 * @template {string | number | boolean} L
 * @param {Attributions} given  arrays of weights, or explanations
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
      const input = meanVector(Array.from(/** @type {Vectors} */ (inputs)).filter(belongs));
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

/**
 * @param {ArrayLike<number>} values
 * @param {(value: number, index: number) => number} part
 */
function total(values, part) {
  let sum = 0;
  for (let c = 0; c < values.length; c++) sum += part(values[c], c);
  return sum;
}

/** @param {readonly number[]} values */
function mean(values) {
  if (values.length === 0) throw new RangeError('a mean needs at least one value');
  return values.reduce((a, b) => a + b, 0) / values.length;
}
