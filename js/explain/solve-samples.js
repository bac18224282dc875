// Solves answered samples in C: environments, game, intervals. Everything goes in and comes out by name.
import { OUTPUT, REPORT, SAMPLES, SETTINGS } from '../core/border.js';
import { LinexError } from '../core/errors.js';
import { withScope, withScopeAsync } from '../core/memory.js';
import { runTask, runTaskNow } from '../core/run-task.js';
import { warning } from './warnings.js';

/**
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../core/border.js').None} None
 * @typedef {import('../core/border.js').PlacedPoints} PlacedPoints
 */

/**
 * @typedef {object} AnsweredPoints
 * @property {Float64Array} answers  one per point
 * @property {Uint32Array} pointOf  for each planned sample, the index of its point
 */

/**
 * Solves in slices.
 *
 * @param {import('../core/load.js').Core} core
 * @param {PlacedPoints} placed  in the memory of `core`
 * @param {AnsweredPoints} answered
 * @param {import('./settings.js').Settings} settings
 * @param {{ signal?: AbortSignal, onSlice?: (progress: number) => void }} [options]
 * @throws {LinexError} `'degenerate'`, `'memory'` or `'overflow'`
 */
export function solveSamples(core, placed, answered, settings, options) {
  return withScopeAsync(core, async (scope) => {
    const problem = writeProblem(scope, placed, answered, settings);
    await runTask(scope, problem.start, options);
    return problem.read();
  });
}

/**
 * Solves without pause.
 *
 * @param {import('../core/load.js').Core} core
 * @param {PlacedPoints} placed  in the memory of `core`
 * @param {AnsweredPoints} answered
 * @param {import('./settings.js').Settings} settings
 * @param {number} [work]  the most that it may do, in multiply-adds
 * @returns {Solved | undefined}  undefined if that was not enough
 * @throws {LinexError} `'degenerate'`, `'memory'` or `'overflow'`
 */
export function solveSamplesNow(core, placed, answered, settings, work) {
  return withScope(core, (scope) => {
    const problem = writeProblem(scope, placed, answered, settings);
    return runTaskNow(scope, problem.start, work) ? problem.read() : undefined;
  });
}

/**
 * Writes samples and settings into the memory. Returns how to start the task, and how to read its results.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {PlacedPoints} placed
 * @param {AnsweredPoints} answered
 * @param {import('./settings.js').Settings} settings
 */
function writeProblem(scope, placed, { answers, pointOf }, settings) {
  const { featureCount } = placed;
  const { environments, keepGame } = settings;
  const players = environments.count;
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
    block: placed.block ?? 0,
    complete: placed.complete ?? false,
    law: placed.law ?? NONE,
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
    adjust: settings.adjust,
    weight: settings.weight,
  });
  const size = featureCount + 1;
  const output = {
    weights: scope.doubles(featureCount),
    raw: scope.doubles(featureCount),
    silenced: scope.bytes(featureCount),
    low: scope.doubles(featureCount),
    high: scope.doubles(featureCount),
    agreement: scope.doubles(featureCount),
    strategies: scope.doubles(players * featureCount),
    chosen: scope.indices(featureCount),
    fitted: scope.indices(featureCount),
    grams: keepGame ? scope.doubles(players * size * size) : NONE,
    targets: keepGame ? scope.doubles(players * size) : NONE,
  };
  const reportRecord = scope.doubles(REPORT.length);
  const outputRecord = scope.putRecord(OUTPUT, output);
  return {
    start: (/** @type {import('../core/border.js').Indices} */ task) =>
      scope.core.linex_wasm_explain_start(samples, settingsRecord, outputRecord, reportRecord, task),
    read: () => readSolution(scope, placed, { answers, pointOf }, settings, output, reportRecord),
  };
}

/**
 * @param {import('../core/memory.js').Scope} scope
 * @param {PlacedPoints} placed
 * @param {AnsweredPoints} answered
 * @param {import('./settings.js').Settings} settings
 * @param {import('../core/border.js').OutputRecord} output
 * @param {Doubles} reportRecord
 */
function readSolution(scope, placed, { answers, pointOf }, settings, output, reportRecord) {
  const { featureCount } = placed;
  const players = settings.environments.count;
  const { chosenCount, fittedCount, ...report } = scope.readRecord(REPORT, reportRecord);
  const list = (/** @type {Doubles} */ address) => scope.listDoubles(address, featureCount);
  const gameSize = fittedCount + (settings.intercept === 1 ? 1 : 0);
  // If the answers do not vary, gamma is 0 and no game was played.
  const played = settings.keepGame && settings.method === 'linex' && report.gamma > 0;
  const mean = usesMean(settings)
    ? weightedMean(answers, scope.getDoubles(placed.weights, answers.length), pointOf)
    : 0;
  const [low, high] = [list(output.low), list(output.high)];
  const finite = (/** @type {number[]} */ values) => values.every(Number.isFinite);
  if (!finite(Object.values(report)) || !Number.isFinite(mean) || !finite(low) || !finite(high))
    throw new LinexError('overflow', "the model's answers are too large to explain; scale them down");
  return {
    report,
    constantAnswers: describeConstant(answers),
    mean,
    game: played
      ? {
          grams: scope.listRows(/** @type {Doubles} */ (output.grams), players, gameSize * gameSize),
          targets: scope.listRows(/** @type {Doubles} */ (output.targets), players, gameSize),
        }
      : undefined,
    weights: list(output.weights),
    raw: list(output.raw),
    silenced: [...scope.getBytes(output.silenced, featureCount)],
    low,
    high,
    agreement: list(output.agreement),
    players: scope.listRows(output.strategies, players, featureCount),
    chosen: [...scope.getIndices(output.chosen, chosenCount)],
    fitted: [...scope.getIndices(output.fitted, fittedCount)],
  };
}

/** @typedef {ReturnType<typeof readSolution>} Solved */

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
 * @returns {import('./warnings.js').Warning | undefined}  undefined if they vary
 */
export function describeConstant(answers) {
  let [low, high] = [answers[0], answers[0]];
  for (const answer of answers) {
    low = Math.min(low, answer);
    high = Math.max(high, answer);
  }
  if (low === high)
    return warning('constant', 'the model gave the same answer to every sample: there is nothing to explain');
  if (high - low >= ROUNDING_SHARE * Math.max(-low, high)) return undefined;
  return warning(
    'rounding',
    "the model's answers differ by less than a millionth of their size: this may explain its rounding",
  );
}
