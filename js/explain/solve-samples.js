// Solves answered samples in C: environments, game, intervals. Everything goes in and comes out by name.
import { OUTPUT, REPORT, SAMPLES, SETTINGS } from '../core/border.js';
import { LinexError } from '../core/errors.js';
import { withScope } from '../core/memory.js';

/**
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../core/border.js').None} None
 * @typedef {import('../core/border.js').PlacedPoints} PlacedPoints
 */

/**
 * @param {import('../core/load.js').Core} core
 * @param {PlacedPoints} placed  in the memory of `core`
 * @param {{ answers: Float64Array, pointOf: Uint32Array }} answered  answers: one per point; pointOf: for each planned sample,
 *   the index of its point
 * @param {import('./settings.js').Settings} settings
 * @throws {LinexError} `'degenerate'`, `'memory'` or `'overflow'`
 */
export function solveSamples(core, placed, { answers, pointOf }, settings) {
  const { featureCount } = placed;
  const { environments, keepGame } = settings;
  const players = environments.count;
  return withScope(core, (scope) => {
    // Written out: spreading here would make `explainRows` a quarter slower.
    const samples = scope.putRecord(SAMPLES, {
      count: answers.length,
      featureCount,
      points: placed.points,
      masks: placed.masks,
      answers: scope.putDoubles(answers),
      weights: placed.weights,
      distances: placed.distances,
      planned: pointOf.length,
      pointOf: scope.putIndices(pointOf),
      ownWeights: environments.own ? scope.putDoubles(environments.own) : NONE,
      input: placed.input,
    });
    const settingsRecord = scope.putRecord(SETTINGS, {
      method: settings.methodCode,
      smoothing: settings.smoothing,
      selection: settings.selection,
      features: settings.features,
      gamma: settings.gamma,
      l1: settings.l1,
      ridge: settings.ridge,
      intercept: settings.intercept,
      kernelWidth: placed.kernelWidth,
      games: settings.games,
      agreement: settings.agreement,
      draws: settings.draws,
      solver: settings.solver,
      tolerance: settings.tolerance,
      maxRounds: settings.maxRounds,
      seed: settings.seed,
      kind: environments.kind,
      players,
      anchored: environments.anchored,
    });
    const size = featureCount + 1;
    const output = {
      weights: scope.doubles(featureCount),
      raw: scope.doubles(featureCount),
      low: scope.doubles(featureCount),
      high: scope.doubles(featureCount),
      agreement: scope.doubles(featureCount),
      strategies: scope.doubles(players * featureCount),
      chosen: scope.indices(featureCount),
      grams: keepGame ? scope.doubles(players * size * size) : NONE,
      targets: keepGame ? scope.doubles(players * size) : NONE,
    };
    const reportRecord = scope.doubles(REPORT.length);
    scope.check(core.linex_wasm_explain(samples, settingsRecord, scope.putRecord(OUTPUT, output), reportRecord));
    const { chosenCount, ...report } = scope.readRecord(REPORT, reportRecord);
    if (!Object.values(report).every(Number.isFinite))
      throw new LinexError('overflow', "the model's answers are too large to explain; scale them down");
    const list = (/** @type {Doubles} */ address) => scope.listDoubles(address, featureCount);
    const gameSize = chosenCount + (settings.intercept === 1 ? 1 : 0);
    // If the answers do not vary, gamma is 0 and no game was played.
    const played = keepGame && settings.method === 'linex' && report.gamma > 0;
    return {
      report,
      constantAnswers: describeConstant(answers),
      mean: usesMean(settings) ? weightedMean(answers, scope.getDoubles(placed.weights, answers.length), pointOf) : 0,
      game: played
        ? {
            grams: scope.listRows(/** @type {Doubles} */ (output.grams), players, gameSize * gameSize),
            targets: scope.listRows(/** @type {Doubles} */ (output.targets), players, gameSize),
          }
        : undefined,
      weights: list(output.weights),
      raw: list(output.raw),
      low: list(output.low),
      high: list(output.high),
      agreement: list(output.agreement),
      players: scope.listRows(output.strategies, players, featureCount),
      chosen: [...scope.getIndices(output.chosen, chosenCount)],
    };
  });
}

/** @typedef {ReturnType<typeof solveSamples>} Solved */

const NONE = /** @type {None} */ (0);

/** The baseline predicts the mean answer, and MAPLE compares its fit with it. @param {import('./settings.js').Settings} settings */
const usesMean = ({ method }) => method === 'baseline' || method === 'maple';

/**
 * @param {Float64Array} answers
 * @param {Float64Array} weights  of one planned sample
 * @param {Uint32Array} pointOf
 */
function weightedMean(answers, weights, pointOf) {
  let [sum, total] = [0, 0];
  for (const i of pointOf) {
    sum += weights[i] * answers[i];
    total += weights[i];
  }
  return sum / total;
}

/** Answers that differ by less than this share of their size may differ by the model's rounding alone. */
const ROUNDING_SHARE = 1e-6;

/**
 * The warning for answers that hardly vary.
 *
 * @param {Float64Array} answers
 * @returns {string | undefined}  undefined if they vary
 */
export function describeConstant(answers) {
  let [low, high] = [answers[0], answers[0]];
  for (const answer of answers) {
    low = Math.min(low, answer);
    high = Math.max(high, answer);
  }
  if (low === high) return 'the model gave the same answer to every sample: there is nothing to explain';
  if (high - low >= ROUNDING_SHARE * Math.max(-low, high)) return undefined;
  return "the model's answers differ by less than a millionth of their size: this may explain its rounding";
}
