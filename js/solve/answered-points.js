// Answered points in WebAssembly's memory, as the functions that adjust and explain take them.
import { ADJUSTMENT, LAW_SIZE, LEVELS, SAMPLES } from '../core/border.js';

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
 * @param {Float64Array | undefined} ownWeights  of the caller's own environments
 * @param {{ adjustment?: Adjustment, levels?: import('../core/border.js').PlacedLevels }} [more]  levels: for those who
 *   adjust; adjustment: for those who explain
 */
export function writeSamples(scope, placed, { answers, pointOf }, ownWeights, { adjustment, levels } = {}) {
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
    ownWeights: ownWeights ? scope.putDoubles(ownWeights) : NONE,
    input: placed.input,
    block: placed.block ?? 0,
    complete: placed.complete ?? false,
    law: placed.law ?? NONE,
    levels: levels ? writeLevels(scope, levels) : NONE,
    adjustment: adjustment
      ? scope.putRecord(ADJUSTMENT, { ...adjustment, answers: scope.putDoubles(adjustment.answers) })
      : NONE,
  });
}

/** @param {Scope} scope @param {import('../core/border.js').PlacedLevels} levels */
const writeLevels = (scope, { rows, row, counts, frequencies }) =>
  scope.putRecord(LEVELS, {
    rows: scope.putDoubles(rows),
    row: scope.putDoubles(row),
    counts: scope.putIndices(counts),
    frequencies: scope.putDoubles(frequencies),
  });
