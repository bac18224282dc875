// Defines what an explanation contains, and builds one from the results of C.
import { freeze } from '../core/freeze.js';
import { addContribution, answerAtReference } from './reference.js';
import { warningsFor } from './warnings.js';

/**
 * @typedef {object} Feature
 * @property {number} index
 * @property {string} name
 * @property {number} weight
 * @property {readonly [number, number] | null} interval  95 %, from halves and sides: the fit to all samples plus and minus
 *   its standard error times Student's quantile. The error comes from leaving out runs of samples. From other
 *   environments: the middle 95 % of the weights over all draws. It is widened by the amount that the ridge shrinks the
 *   weight, and contains the weight. With `method: 'shap'`: the weight plus and minus 1.96 standard errors, if enough
 *   coalitions were drawn; null if all coalitions were asked
 * @property {number | null} signAgreement  from halves and sides: the share of the draws whose weight has the sign of the fit
 *   to all samples, beyond what the ridge takes. From other environments: |mean of the signs| over the draws. 1 if all
 *   agree
 * @property {boolean} silenced  true if the weight is 0 because it is not sure: see the option `agreement`
 * @property {number} [raw]  what the weight of a silenced feature would have been
 * @property {number} contribution  what the input's value adds to the answer at the reference: the weight times the distance
 *   from the reference; see `explanation.reference`. 0 for a silenced feature. With `method: 'shap'`, the weight itself
 * @property {readonly [number, number] | null} contributionInterval  the interval times the same distance; null if there is
 *   no interval
 */

/**
 * The explanation of a prediction: plain, frozen, JSON-safe data. The same seed gives the same explanation, except for
 * `milliseconds`.
 *
 * @template {Feature} [F=Feature]
 * @typedef {object} Explanation
 * @property {'linex/1'} schema  the version of this format
 * @property {'row' | 'text' | 'image'} kind
 * @property {string} method
 * @property {'steady' | 'paper' | 'strict'} [preset]  whose defaults were used; not for `'shap'` and `'maple'`
 * @property {'identity' | 'logit'} [link]  with `method: 'shap'`: if `'logit'`, the intercept, weights and intervals
 *   are log-odds; both predictions are still answers, not log-odds
 * @property {string | number | null} target  the explained class, or its index; null if the model gives a single score
 * @property {number | null} prediction  the model's answer at the input
 * @property {import('../solve/rival.js').Rival} [rival]  the likeliest other class at the input; only if the model's answers there
 *   are shares: at least two, none below 0, with the sum 1
 * @property {number} localPrediction  the surrogate's answer at the input
 * @property {import('./reference.js').Reference} reference  what the contributions are relative to
 * @property {number} intercept  with `method: 'shap'`: the answer without any feature, through the link
 * @property {number} fidelity  weighted R² of the surrogate on the neighborhood. `'baseline'`: 0, because it is constant.
 *   `'maple'`: R² on the responses that it was fitted to, not on the model's answers. `'shap'`: R² of the summed weights
 *   over the coalitions that were asked, weighted by the kernel
 * @property {readonly F[]} features  the listed features, largest |weight| first
 * @property {readonly number[]} weights  one per feature, in feature order, zeros included
 * @property {readonly number[]} [raw]  one per feature: the weights before those that are not sure or not listed were set
 *   to 0; only if there are any
 * @property {number} [agreement]  the option `agreement`, if it is above 0
 * @property {readonly number[]} [silenced]  the indices of the features whose weight is 0 because it is not sure; only if
 *   `agreement` is above 0
 * @property {Equilibrium | null} equilibrium  null for methods without a game
 * @property {Queries} queries
 * @property {number} ridge  the ridge of the fit; 0 for `'shap'`
 * @property {Adjusted} [adjusted]  how noise was taken out of the answers; not for `'shap'` and `'maple'`
 * @property {number} effectiveSamples  the number of equally weighted samples that the neighborhood is equivalent to
 * @property {readonly string[]} warnings  what is doubtful, and what to do about it
 * @property {readonly import('../core/coded-warning.js').WarningCode[]} warningCodes  the same for programs, in the same order
 * @property {number} seed
 * @property {{ model: number, own: number }} milliseconds
 * @property {import('../solve/kept-answers.js').KeptAnswers} [answers]  the model's answers, with the option `keepAnswers`
 * @property {ExplainedGame} [game]  with `keepGame`
 */

/**
 * How noise was taken out of the answers before the fit, by control variates whose linear part is known.
 *
 * @typedef {object} Adjusted
 * @property {'none' | 'bend' | 'kriging'} kind  `'bend'`: smooth terms along the fitted direction and, for rows, steps of the
 *   leading columns. `'kriging'`: a Gaussian process, for few samples
 * @property {number} gain  at least 1: the leave-one-out error of a linear fit divided by that with the control variates,
 *   about the factor by which the variance of the weights falls
 */

/**
 * The game that was played, ready for `solveGame`.
 *
 * @typedef {object} ExplainedGame
 * @property {readonly (readonly number[])[]} grams  one per player, row-major; one row per feature that plays, by ascending
 *   index, and one for the constant if it is a feature. Without a selection before the fit, all features that vary play
 * @property {readonly (readonly number[])[]} targets  one per player
 * @property {number} gamma
 */

/**
 * @typedef {object} Queries
 * @property {number} planned  samples; with `method: 'shap'` and a background: coalitions times rows, plus the input
 * @property {number} asked  distinct samples that the model has answered
 * @property {number} reused  samples that were identical to another one
 * @property {'settled' | 'cap' | 'exhausted'} [stopped]  why `samples: 'auto'` stopped: the leading weights were certain,
 *   `maxSamples` was reached, or there were no more samples. With `method: 'shap'`, `'exhausted'` if all coalitions were
 *   asked and the weights are exact
 */

/**
 * @typedef {object} Equilibrium
 * @property {boolean} converged
 * @property {number} rounds
 * @property {number} residual  the largest move that any player would still make along any coordinate, or by which the
 *   players exceed gamma or do not add up to the weights; relative to gamma or to the largest weight that any player
 *   wants, whichever is less. With several games, the largest of all
 * @property {number} unsettled  how many games did not converge, including those of the draws
 * @property {number} [medianResidual]  of wide games (at least 32 features, fewer than four samples per feature): the
 *   largest distance of a weight from the median of what the players ask for, relative to gamma
 * @property {number} [certifiedRidge]  of a wide game that did not converge: a ridge at which it does
 * @property {number} gamma  0 if the answers do not vary
 * @property {number} multiplier  the price of the `l1` bound; 0 if the sum is below the bound
 * @property {readonly (readonly number[])[]} players  the part of each environment; they add up to the mean of the games,
 *   which is the weights before some were set to 0 if `weight` is `'games'`
 */

/**
 * @typedef {import('../solve/solve-samples.js').Solved} Solved
 * @typedef {import('../solve/settings.js').Settings} Settings
 * @typedef {import('../core/coded-warning.js').Warning} Warning
 */

/**
 * Builds an explanation.
 *
 * @template {Feature} F
 * @param {Omit<Solved, 'game' | 'silenced' | 'fitted'> & Partial<Solved> & { hasIntervals?: boolean, warnings?: Warning[] }} solved
 *   silenced: default none; fitted: default the chosen ones; hasIntervals: default whether there were draws; warnings:
 *   replace those for a surrogate
 * @param {Settings} settings
 * @param {Pick<import('./run-explanation.js').Subject<F>, 'kind' | 'name' | 'describe' | 'reference' | 'about' | 'warnings'>} subject
 * @param {object} facts
 * @param {number} [facts.atReference]  the answer at the reference; default: the surrogate's
 * @param {'identity' | 'logit'} [facts.link]
 * @param {string | number | null} facts.target
 * @param {number | null} facts.prediction
 * @param {import('../solve/rival.js').Rival} [facts.rival]
 * @param {readonly Warning[]} [facts.warnings]
 * @param {import('./warnings.js').Limits} [facts.limits]
 * @param {{ planned: number, asked: number, stopped?: Queries['stopped'] }} facts.queries
 * @param {{ model: number, own: number }} facts.milliseconds
 * @returns {Explanation<F>}
 */
export function buildExplanation(solved, settings, subject, facts) {
  const { hasIntervals = settings.draws > 0, silenced = [], fitted = solved.chosen } = solved;
  const { report } = solved;
  const { intercept, fidelity, localPrediction, effectiveSamples, ridge } = report;
  const { target, prediction, rival, link, limits, milliseconds } = facts;
  const { planned, asked, stopped } = facts.queries;
  const baseline = settings.method === 'baseline';
  // The baseline's weights are LIME's, on a line that goes through the mean at the input.
  const shift = baseline ? solved.mean - localPrediction : 0;
  const features = listFeatures(solved, hasIntervals, subject);
  const equilibrium = settings.method === 'linex' ? describeGame(report, solved.players) : null;
  const warnings = [
    ...(subject.warnings ?? []),
    ...(facts.warnings ?? []),
    ...(solved.warnings ??
      (solved.constantAnswers
        ? [solved.constantAnswers]
        : warningsFor(
            { report, featureCount: fitted.length, features, listsAll: features.length === solved.weights.length },
            equilibrium,
            { settings, ...limits, outside: subject.reference.outside },
          ))),
  ];
  return freeze({
    schema: 'linex/1',
    kind: subject.kind,
    method: settings.method,
    ...(hasPreset(settings) && { preset: settings.preset }),
    ...(link && { link }),
    target,
    prediction,
    ...(rival && { rival }),
    localPrediction: baseline ? solved.mean : localPrediction,
    reference: {
      kind: subject.reference.kind,
      localPrediction: facts.atReference ?? answerAtReference(solved.weights, intercept + shift, subject.reference),
      ...(subject.reference.values && { values: subject.reference.values }),
    },
    intercept,
    fidelity: baseline ? 0 : fidelity,
    features,
    weights: solved.weights,
    ...describeSilencing(solved.weights, solved.raw, silenced, settings),
    equilibrium,
    queries: { planned, asked, reused: planned - asked, ...(stopped && { stopped }) },
    effectiveSamples,
    ridge,
    ...(hasPreset(settings) && { adjusted: { kind: ADJUSTED[report.adjusted], gain: report.gain } }),
    warnings: warnings.map(({ text }) => text),
    warningCodes: warnings.map(({ text: _, ...code }) => code),
    seed: settings.seed,
    milliseconds,
    ...(solved.game && { game: { ...solved.game, gamma: report.gamma } }),
    ...subject.about,
  });
}

/**
 * The listed features, largest |weight| first.
 *
 * @template {Feature} F
 * @param {Pick<Solved, 'chosen' | 'weights' | 'raw' | 'low' | 'high' | 'agreement'> & Partial<Solved>} solved
 * @param {boolean} hasIntervals
 * @param {Pick<import('./run-explanation.js').Subject<F>, 'name' | 'describe' | 'reference'>} subject
 * @returns {F[]}
 */
function listFeatures({ silenced = [], ...solved }, hasIntervals, subject) {
  const features = solved.chosen.map((index) => {
    /** @type {Feature} */
    const feature = {
      index,
      name: subject.name(index),
      weight: solved.weights[index],
      interval: hasIntervals ? [solved.low[index], solved.high[index]] : null,
      signAgreement: hasIntervals ? solved.agreement[index] : null,
      silenced: silenced[index] === 1,
      contribution: 0,
      contributionInterval: null,
    };
    // Spreading would be slower: V8 gives every object made by spreading its own hidden class.
    if (feature.silenced) feature.raw = solved.raw[index];
    addContribution(feature, subject.reference);
    return subject.describe(feature);
  });
  return features.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.index - b.index);
}

/** linex_adjusted_kind of linex.h. @type {readonly Adjusted['kind'][]} */
const ADJUSTED = ['none', 'bend', 'kriging'];

/** Whether a preset gave the defaults. @param {Settings} settings */
const hasPreset = ({ method }) => method !== 'shap' && method !== 'maple';

/**
 * What was set to 0.
 *
 * @param {readonly number[]} weights
 * @param {readonly number[]} raw
 * @param {readonly number[]} silenced  1 for features that are
 * @param {Settings} settings
 */
function describeSilencing(weights, raw, silenced, { agreement }) {
  const indices = silenced.flatMap((flag, index) => (flag === 1 ? [index] : []));
  return {
    ...(raw.some((weight, index) => weight !== weights[index]) && { raw }),
    ...(agreement > 0 && { agreement, silenced: indices }),
  };
}

/** @typedef {Omit<import('../core/border.js').ReportRecord, 'chosenCount' | 'fittedCount'>} Report */

/**
 * Written out, because spreading is slow: V8 gives every object made by spreading its own hidden class.
 *
 * @param {Report} report
 * @param {number[][]} players
 * @returns {Equilibrium}
 */
function describeGame(report, players) {
  const { rounds, residual, gamma, multiplier, unsettled, medianResidual, certifiedRidge } = report;
  /** @type {Equilibrium} */
  const game = { converged: report.converged === 1, rounds, residual, gamma, multiplier, unsettled, players };
  if (report.relativeRidge > 0) game.medianResidual = medianResidual;
  if (certifiedRidge > 0) game.certifiedRidge = certifiedRidge;
  return game;
}
