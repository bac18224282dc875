// Writes answered samples and settings into WebAssembly's memory, as the functions that adjust and explain take them.
import { ADJUSTMENT, LAW_SIZE, SAMPLES, SETTINGS } from '../core/border.js';

/**
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../core/border.js').PlacedPoints} PlacedPoints
 * @typedef {import('../core/memory.js').Scope} Scope
 */

/**
 * @typedef {object} AnsweredPoints
 * @property {Float64Array} answers  one per point
 * @property {Uint32Array} pointOf  for each planned sample, the index of its point
 */

/**
 * The answers as the fits see them.
 *
 * @typedef {Omit<import('../core/border.js').AdjustmentRecord, 'answers'> & { answers: Float64Array }} Adjustment
 */

export const NONE = /** @type {import('../core/border.js').None} */ (0);

/**
 * Copies points into the memory of another WebAssembly file.
 *
 * @param {Scope} to
 * @param {Scope} from
 * @param {PlacedPoints} placed  in the memory of `from`
 * @param {number} count
 * @returns {PlacedPoints}
 */
export function copyPoints(to, from, placed, count) {
  const { featureCount, points, masks, weights, distances, input, law } = placed;
  const copy = (/** @type {Doubles} */ address, /** @type {number} */ length) => to.copyDoubles(from, address, length);
  return {
    ...placed,
    points: points && copy(points, count * featureCount),
    masks: masks && to.copyBytes(from, masks, count * featureCount),
    weights: copy(weights, count),
    distances: copy(distances, count),
    input: copy(input, featureCount),
    law: law && copy(law, masks ? featureCount + 1 : LAW_SIZE * featureCount),
  };
}

/**
 * Writes the record of the samples.
 *
 * @param {Scope} scope
 * @param {PlacedPoints} placed
 * @param {AnsweredPoints} answered
 * @param {import('./settings.js').Settings} settings
 * @param {Adjustment} [adjustment]
 */
export function writeSamples(scope, placed, { answers, pointOf }, { environments }, adjustment) {
  // Written out: spreading here would make `explainRows` a quarter slower.
  return scope.putRecord(SAMPLES, {
    count: answers.length,
    featureCount: placed.featureCount,
    points: placed.points,
    masks: placed.masks,
    answers: scope.putDoubles(answers),
    weights: placed.weights,
    distances: placed.distances,
    planned: pointOf.length,
    pointOf: scope.putIndices(pointOf),
    ownWeights: environments.own ? scope.putDoubles(environments.own) : NONE,
    input: placed.input,
    block: placed.block ?? 0,
    complete: placed.complete ?? false,
    law: placed.law ?? NONE,
    adjustment: adjustment
      ? scope.putRecord(ADJUSTMENT, { ...adjustment, answers: scope.putDoubles(adjustment.answers) })
      : NONE,
  });
}

/**
 * Writes the record of the settings.
 *
 * @param {Scope} scope
 * @param {number} kernelWidth
 * @param {import('./settings.js').Settings} settings
 */
export function writeSettings(scope, kernelWidth, settings) {
  const { environments } = settings;
  return scope.putRecord(SETTINGS, {
    method: settings.methodCode,
    smoothing: settings.smoothing,
    selection: settings.selection,
    features: settings.features,
    gamma: settings.gamma,
    l1: settings.l1,
    ridge: settings.ridge,
    intercept: settings.intercept,
    kernelWidth,
    games: settings.games,
    agreement: settings.agreement,
    draws: settings.draws,
    solver: settings.solver,
    tolerance: settings.tolerance,
    maxRounds: settings.maxRounds,
    seed: settings.seed,
    kind: environments.kind,
    players: environments.count,
    anchored: environments.anchored,
    adjust: settings.adjust,
  });
}
