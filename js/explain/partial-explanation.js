// The explanation from the answers so far, for `onProgress`. It cannot pause, because it is a property.
import { scoresOf } from '../core/ask-model.js';
import { isDegenerate } from '../core/errors.js';
import { withScope } from '../core/memory.js';
import { PROMPT_WORK } from '../core/run-task.js';
import { columnsOf } from '../solve/settings.js';
import { solveSamplesNow } from '../solve/solve-samples.js';

/**
 * @typedef {import('../core/ask-model.js').Answered} Answered
 * @typedef {import('../solve/settings.js').Settings} Settings
 */

/**
 * Builds the explanation of one target.
 *
 * @typedef {(solved: import('../solve/solve-samples.js').Solved, settings: Settings, answered: Answered, column: number,
 *   details: { answers: Float64Array, pointOf: Uint32Array, weighed?: boolean, milliseconds: { model: number, own: number } }
 *   ) => unknown} Build
 */

/** The fewest answers that are explained. */
export const FEWEST_ANSWERS = 2;
/** The most draws, because the explanation is replaced after the next batch. */
const MOST_DRAWS = 60;

/**
 * Explains the answers so far. Only answers that came in order count: the others are a biased sample. They are not
 * adjusted, which would take too long.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Pick<import('./run-explanation.js').Neighborhood<any>, 'place'>} neighborhood
 * @param {Settings} settings
 * @param {Answered} answered
 * @param {Uint32Array} planned  for each planned sample, the index of its distinct point
 * @param {Build} build
 * @returns {unknown}  one explanation, or an array with one per target; null if it cannot be computed quickly
 */
export function explainPart(core, neighborhood, settings, { prefix, answers, columns }, planned, build) {
  if (prefix < FEWEST_ANSWERS || settings.environments.own) return null;
  const pointOf = planned.filter((point) => point < prefix);
  const fewerDraws = { ...settings, draws: Math.min(settings.draws, MOST_DRAWS) };
  const sofar = { asked: prefix, prefix, answers, columns };
  try {
    return withScope(core, (scope) => {
      const placed = neighborhood.place(prefix, scope);
      const explanations = [];
      for (const column of columnsOf(sofar, settings)) {
        const scores = scoresOf(sofar, column);
        const solved = solveSamplesNow(core, placed, { answers: scores, pointOf }, fewerDraws, PROMPT_WORK);
        if (!solved) return null;
        const details = { answers: scores, pointOf, weighed: placed.weighed, milliseconds: { model: 0, own: 0 } };
        explanations.push(build(solved, fewerDraws, sofar, column, details));
      }
      return settings.target.several ? explanations : explanations[0];
    });
  } catch (error) {
    if (isDegenerate(error)) return null;
    throw error;
  }
}
