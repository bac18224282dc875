import { LinexError } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { withScope } from '../core/memory.js';

/** A ridge that takes more than this share of the largest weight is worth a warning. */
const MUCH = 0.2;

/**
 * @typedef {object} Feature
 * @property {number} index
 * @property {string} name
 * @property {number} weight
 * @property {readonly [number, number] | null} interval  the middle 95 % of the weight over the draws and the weight itself,
 *   widened by what the ridge takes away; with `method: 'shap'`, where enough coalitions were drawn, 1.96 standard errors of
 *   the draw to either side, and null where all were asked about
 * @property {number | null} signAgreement  |mean of the signs| over the draws: 1 all alike, 0 undecided
 * @property {boolean} silenced  true where the sign agrees less than `agreement` asks for: the weight is then 0
 * @property {number} [raw]  of a silenced feature: what the weight would have been
 */

/**
 * Why a prediction is what it is: plain, frozen, JSON-safe, and the same for the same seed (`milliseconds` aside).
 *
 * @template {Feature} [F=Feature]
 * @typedef {object} Explanation
 * @property {'row' | 'text' | 'image'} kind
 * @property {string} method
 * @property {'identity' | 'logit'} [link]  of `method: 'shap'`: `'logit'` where intercept, weights and intervals are
 *   log-odds; both predictions are answers in any case
 * @property {string | number | null} target  the class that is explained, or its index; null for a lone score
 * @property {number | null} prediction  the model's answer at the input
 * @property {number} localPrediction  the surrogate's
 * @property {number} intercept  with `method: 'shap'` the answer without any of the features, through the link
 * @property {number} fidelity  weighted R² of the surrogate on the neighborhood; of `'baseline'`, a constant, 0; of `'maple'`
 *   on the responses that it was fitted to, not on the model's answers; of `'shap'` of the sum of the weights over the
 *   coalitions that were asked about, by the kernel's weights
 * @property {readonly F[]} features  those that were selected, by |weight|
 * @property {readonly number[]} weights  one a feature, in feature order, zeros included
 * @property {Equilibrium | null} equilibrium  null for methods without a game
 * @property {Queries} queries
 * @property {number} effectiveSamples  how many equally weighted samples the neighborhood is worth
 * @property {readonly string[]} warnings
 * @property {number} seed
 * @property {{ model: number, own: number }} milliseconds
 * @property {ExplainedGame} [game]  with `keepGame`
 */

/**
 * The game that was played, ready for `solveGame`: to watch the paper's Algorithm 1 at it, say.
 *
 * @typedef {object} ExplainedGame
 * @property {readonly (readonly number[])[]} grams  one a player, row-major; a row a selected feature, by ascending index,
 *   and one for the constant where it plays too
 * @property {readonly (readonly number[])[]} targets  one a player
 * @property {number} gamma
 */

/**
 * @typedef {object} Queries
 * @property {number} planned  samples; with `method: 'shap'` and a background, coalitions times its rows, and the input
 * @property {number} asked  queries that the model answered: the distinct samples
 * @property {number} reused  samples that were answered already
 * @property {'settled' | 'cap' | 'exhausted'} [stopped]  with `samples: 'auto'`, why it stopped: the leading weights were
 *   sure, `maxSamples` was reached, or there are no other perturbations or the `neighborhood` has no more; with `method: 'shap'`, `'exhausted'` where all
 *   coalitions were asked about and the weights are exact
 */

/**
 * @typedef {object} Equilibrium
 * @property {boolean} converged
 * @property {number} rounds
 * @property {number} residual  the largest move any player would still make along any coordinate, relative to gamma or,
 *   where that is less, to the largest weight that any player wants
 * @property {number} gamma  0 when the answers do not vary
 * @property {number} multiplier  the price of the `l1` bound; 0 where it does not bind
 * @property {readonly (readonly number[])[]} players  what each environment adds; they sum to the weights before silencing
 */

/**
 * Answered points of one target.
 *
 * @typedef {object} Samples
 * @property {Float64Array | number} [points]  distinct points, one after the other, or their address where they are in
 *   WebAssembly's memory already
 * @property {Uint8Array} [masks]  in place of points that are all 0 or 1
 * @property {Float64Array} answers  one a point
 * @property {Float64Array} weights  one a point
 * @property {Float64Array} distances  one a point
 * @property {Uint32Array} owner  for each planned sample, which point it is
 * @property {ArrayLike<number>} at  the input
 * @property {number} kernelWidth
 * @property {boolean} [weighed]  whether the weights are not the kernel's but came with the points
 */

/**
 * Environments, game and stability, in C.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Samples} samples
 * @param {import('./settings.js').Settings} settings
 */
export function solve(core, samples, settings) {
  const { points, masks, answers, weights, distances, owner, at, kernelWidth } = samples;
  const width = at.length;
  const { environments } = settings;
  return withScope(core, (scope) => {
    const place = typeof points === 'object' ? scope.putDoubles(points) : (points ?? 0);
    const features = scope.doubles(5 * width);
    const strategies = scope.doubles(environments.count * width);
    const chosen = scope.indices(width);
    const report = scope.doubles(11);
    const most = width + 1;
    const grams = settings.keepGame ? scope.doubles(environments.count * most * most) : 0;
    const targets = settings.keepGame ? scope.doubles(environments.count * most) : 0;
    const status = core.linex_wasm_explain(
      ...[answers.length, width, place, masks ? scope.putBytes(masks) : 0],
      ...[scope.putDoubles(answers), scope.putDoubles(weights), scope.putDoubles(distances)],
      ...[owner.length, scope.putIndices(owner)],
      ...[environments.own ? scope.putDoubles(environments.own) : 0, scope.putDoubles(at)],
      ...[settings.methodCode, settings.smoothing, settings.selection, settings.features, settings.intercept],
      ...[settings.ridge, environments.kind, environments.count, environments.anchored, kernelWidth],
      ...[settings.gamma, settings.l1, settings.solver, settings.tolerance, settings.maxRounds],
      ...[settings.games, settings.agreement, settings.draws, settings.seed],
      ...[features, strategies, chosen, report, grams, targets],
    );
    scope.check(status);
    const [howMany, ...numbers] = scope.listDoubles(report, 11);
    if (!numbers.every(Number.isFinite))
      throw new LinexError('overflow', "the model's answers are too large to be explained; scale them down");
    const part = (/** @type {number} */ which) => scope.listDoubles(features + 8 * which * width, width);
    const size = howMany + (settings.intercept === 1 ? 1 : 0);
    const rowsOf = (/** @type {number} */ address, /** @type {number} */ length) =>
      Array.from({ length: environments.count }, (_, i) => scope.listDoubles(address + 8 * i * length, length));
    // Without an opinion there is no game.
    const played = settings.keepGame && settings.method === 'linex' && numbers[3] > 0;
    return {
      mean: weightedMean(answers, weights, owner),
      steady: saySteady(answers),
      game: played ? { grams: rowsOf(grams, size * size), targets: rowsOf(targets, size) } : undefined,
      weights: part(0),
      raw: part(1),
      low: part(2),
      high: part(3),
      agreement: part(4),
      players: rowsOf(strategies, width),
      chosen: [...scope.getIndices(chosen, howMany)],
      numbers,
    };
  });
}

/**
 * @param {Float64Array} answers
 * @param {Float64Array} weights  of a copy
 * @param {Uint32Array} owner  of each copy
 */
function weightedMean(answers, weights, owner) {
  let [sum, total] = [0, 0];
  for (const i of owner) {
    sum += weights[i] * answers[i];
    total += weights[i];
  }
  return sum / total;
}

/** Answers that differ by less than this share of their size may differ by a model's rounding alone. */
const FAINT = 1e-6;

/**
 * What is to be said of answers that hardly vary; undefined of others.
 *
 * @param {Float64Array} answers
 */
export function saySteady(answers) {
  let [low, high] = [answers[0], answers[0]];
  for (const answer of answers) {
    low = Math.min(low, answer);
    high = Math.max(high, answer);
  }
  if (low === high) return 'the model gave the same answer to every sample: there is nothing to explain';
  if (high - low >= FAINT * Math.max(-low, high)) return undefined;
  return "the model's answers differ by less than a millionth of their size: this may explain its rounding";
}

/**
 * Puts an explanation together from what C found.
 *
 * @template {Feature} F
 * @param {Omit<ReturnType<typeof solve>, 'game'> & { game?: ReturnType<typeof solve>['game'], sure?: boolean,
 *   warnings?: string[] }} solved  of no surrogate: sure, whether intervals are known; warnings, in place of a surrogate's
 * @param {import('./settings.js').Settings} settings
 * @param {object} about
 * @param {'row' | 'text' | 'image'} about.kind
 * @param {'identity' | 'logit'} [about.link]
 * @param {string | number | null} about.target
 * @param {number | null} about.prediction
 * @param {(feature: Feature) => F} about.describe  adds to a feature where it is
 * @param {(index: number) => string} about.name
 * @param {object} [about.about]  what is added to the explanation
 * @param {readonly string[]} [about.warnings]  what is known already
 * @param {Limits} [about.limits]
 * @param {{ planned: number, asked: number, stopped?: Queries['stopped'] }} about.queries
 * @param {{ model: number, own: number }} about.milliseconds
 * @returns {Explanation<F>}
 */
export function buildExplanation(
  solved,
  settings,
  { kind, link, target, prediction, describe, name, about, warnings = [], limits, queries, milliseconds },
) {
  const [intercept, fidelity, localPrediction, gamma, effectiveSamples, ...game] = solved.numbers;
  const [converged, rounds, residual, multiplier, ridgeLoss] = game;
  const { planned, asked, stopped } = queries;
  const { sure = settings.draws > 0 } = solved;
  const features = solved.chosen.map((index) => {
    /** @type {Feature} */
    const feature = {
      index,
      name: name(index),
      weight: solved.weights[index],
      interval: sure ? [solved.low[index], solved.high[index]] : null,
      signAgreement: sure ? solved.agreement[index] : null,
      silenced: solved.raw[index] !== solved.weights[index],
    };
    // No spreading here: of each object made that way, V8 makes a hidden class of its own.
    if (feature.silenced) feature.raw = solved.raw[index];
    return describe(feature);
  });
  features.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.index - b.index);
  const rest = { converged: converged === 1, rounds, residual, gamma, multiplier, players: solved.players };
  const equilibrium = settings.method === 'linex' ? rest : null;
  return freeze({
    kind,
    method: settings.method,
    ...(link && { link }),
    target,
    prediction,
    localPrediction: settings.method === 'baseline' ? solved.mean : localPrediction,
    intercept,
    // The mean explains nothing of what varies around it.
    fidelity: settings.method === 'baseline' ? 0 : fidelity,
    features,
    weights: solved.weights,
    equilibrium,
    queries: { planned, asked, reused: planned - asked, ...(stopped && { stopped }) },
    effectiveSamples,
    warnings: [
      ...warnings,
      ...(solved.warnings ??
        warningsOf({ ...solved, effectiveSamples, count: features.length, equilibrium, ridgeLoss }, limits)),
    ],
    seed: settings.seed,
    milliseconds,
    ...(solved.game && { game: { ...solved.game, gamma } }),
    ...about,
  });
}

/**
 * What cannot be asked for, and should not be advised.
 *
 * @typedef {object} Limits
 * @property {boolean} [ended]  there are no more samples
 * @property {boolean} [weighed]  they have weights of their own, in place of the kernel's
 */

/**
 * @param {object} found
 * @param {number} found.effectiveSamples
 * @param {number} found.count  of features
 * @param {Equilibrium | null} found.equilibrium
 * @param {number} found.ridgeLoss
 * @param {string} [found.steady]  what is to be said of answers that hardly vary
 * @param {Limits} [limits]
 */
function warningsOf({ effectiveSamples, count, equilibrium, ridgeLoss, steady }, { ended, weighed } = {}) {
  const warnings = [];
  const advice = [!ended && 'ask for more samples', !weighed && 'widen the kernel'].filter(Boolean).join(' or ');
  if (steady) return [steady];
  if (effectiveSamples < 2 * Math.max(1, count))
    warnings.push(
      `the neighborhood is worth only ${effectiveSamples.toFixed(1)} samples for ${count} features` +
        [ended && ' and has no more', advice && `; ${advice}`].filter(Boolean).join(''),
    );
  if (ridgeLoss > MUCH)
    warnings.push(
      (ridgeLoss > 1
        ? 'the ridge takes away more than the largest weight itself'
        : `the ridge takes away up to ${Math.round(100 * ridgeLoss)} % of the largest weight`) +
        `; lower it${ended ? '' : ', or ask for more samples'}`,
    );
  if (equilibrium && !equilibrium.converged)
    warnings.push(`the game did not come to rest: a player would still move by ${equilibrium.residual} of gamma`);
  return warnings;
}
