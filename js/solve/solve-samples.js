// Solves answered samples in C: environments, game, intervals. Everything goes in and comes out by name.
import { copyPoints, NONE, writeSamples } from './answered-points.js';
import { OUTPUT, REPORT, SETTINGS } from '../core/border.js';
import { warning } from '../core/coded-warning.js';
import { LinexError } from '../core/errors.js';
import { loadedWide, wideWasm } from '../core/load.js';
import { Scope, withScope, withScopeAsync } from '../core/memory.js';
import { runTask, runTaskNow } from '../core/run-task.js';
import { adjustAnswers } from './adjust-answers.js';
import { needsWide, settingsRecord } from './settings.js';

/**
 * @typedef {import('../core/border.js').Doubles} Doubles
 * @typedef {import('../core/border.js').PlacedPoints} PlacedPoints
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('./settings.js').Settings} Settings
 * @typedef {import('./answered-points.js').AnsweredPoints} AnsweredPoints
 */

/**
 * Adjusts the answers if that is due, then solves, in slices.
 *
 * @param {Core} core
 * @param {PlacedPoints} placed  in the memory of `core`
 * @param {AnsweredPoints} answered
 * @param {Settings} settings
 * @param {{ signal?: AbortSignal, onSlice?: (progress: number) => void }} [options]
 * @throws {LinexError} `'degenerate'`, `'memory'`, `'overflow'`, or `'load'`
 */
export async function solveSamples(core, placed, answered, settings, options = {}) {
  const from = new Scope(core);
  const adjustment = await adjustAnswers(from, placed, answered, settings, options);
  const there = isWideFit(placed, answered, settings) ? await wideWasm.readyBeside(core) : core;
  return withScopeAsync(there, async (scope) => {
    const problem = writeProblem(scope, from, placed, answered, settings, adjustment);
    await runTask(scope, problem.start, options);
    return problem.read();
  });
}

/**
 * Solves without pause, and without adjusting the answers.
 *
 * @param {Core} core
 * @param {PlacedPoints} placed  in the memory of `core`
 * @param {AnsweredPoints} answered
 * @param {Settings} settings
 * @param {number} [work]  the most that it may do, in multiply-adds
 * @returns {Solved | undefined}  undefined if that was not enough
 * @throws {LinexError} `'degenerate'`, `'memory'`, `'overflow'`, or `'load'` if `linex-wide.wasm` is not loaded
 */
export function solveSamplesNow(core, placed, answered, settings, work) {
  const there = isWideFit(placed, answered, settings) ? loadedWide(core) : core;
  return withScope(there, (scope) => {
    const problem = writeProblem(scope, new Scope(core), placed, answered, settings);
    return runTaskNow(scope, problem.start, work) ? problem.read() : undefined;
  });
}

/** @param {PlacedPoints} placed @param {AnsweredPoints} answered @param {Settings} settings */
const isWideFit = ({ featureCount }, { answers }, settings) => needsWide(settings, featureCount, answers.length);

/**
 * Writes samples and settings into the memory. Returns how to start the task, and how to read its results.
 *
 * @param {Scope} scope
 * @param {Scope} from  where the points are
 * @param {PlacedPoints} points
 * @param {AnsweredPoints} answered
 * @param {Settings} settings
 * @param {import('./answered-points.js').Adjustment} [adjustment]
 */
function writeProblem(scope, from, points, answered, settings, adjustment) {
  const { core } = scope;
  const placed = core === from.core ? points : copyPoints(scope, from, points, answered.answers.length);
  const { featureCount } = placed;
  const { environments, keepGame } = settings;
  const players = environments.count;
  const samples = writeSamples(scope, placed, answered, environments.own, { adjustment });
  const settingsAt = scope.putRecord(SETTINGS, settingsRecord(settings, placed.kernelWidth));
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
  const start = core.linex_wasm_explain_wide_start ?? core.linex_wasm_explain_start;
  return {
    start: (/** @type {import('../core/border.js').Indices} */ task) =>
      start(samples, settingsAt, outputRecord, reportRecord, task),
    read: () => readSolution(scope, placed, answered, settings, output, reportRecord),
  };
}

/**
 * @param {Scope} scope
 * @param {PlacedPoints} placed
 * @param {AnsweredPoints} answered
 * @param {Settings} settings
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

/** The baseline predicts the mean answer, and MAPLE compares its fit with it. @param {Settings} settings */
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
 * @returns {import('../core/coded-warning.js').Warning | undefined}  undefined if they vary
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
