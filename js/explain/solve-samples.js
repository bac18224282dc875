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
    const samples = scope.putRecord(SAMPLES, {
      ...placed,
      count: answers.length,
      answers: scope.putDoubles(answers),
      planned: pointOf.length,
      pointOf: scope.putIndices(pointOf),
      ownWeights: environments.own ? scope.putDoubles(environments.own) : 0,
    });
    const settingsRecord = scope.putRecord(SETTINGS, {
      ...settings,
      method: settings.methodCode,
      kind: environments.kind,
      players,
      anchored: environments.anchored,
      kernelWidth: placed.kernelWidth,
    });
    const size = featureCount + 1;
    const arrays = byName(PER_FEATURE, () => scope.doubles(featureCount));
    const output = {
      ...arrays,
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
      ...byName(PER_FEATURE, (name) => scope.listDoubles(arrays[name], featureCount)),
      players: scope.listRows(output.strategies, players, featureCount),
      chosen: [...scope.getIndices(output.chosen, chosenCount)],
    };
  });
}

/** @typedef {ReturnType<typeof solveSamples>} Solved */

const NONE = /** @type {None} */ (0);

/** The outputs that have one number per feature. */
const PER_FEATURE = /** @type {const} */ (['weights', 'raw', 'low', 'high', 'agreement']);

/**
 * @template {string} Name
 * @template T
 * @param {readonly Name[]} names
 * @param {(name: Name) => T} make
 * @returns {Record<Name, T>}
 */
const byName = (names, make) => /** @type {any} */ (Object.fromEntries(names.map((name) => [name, make(name)])));

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
