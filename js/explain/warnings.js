// What makes an explanation doubtful: each warning as a sentence, and as a code with numbers for programs.
import { short, warning } from '../core/coded-warning.js';
import { MOST_PLAYING } from '../solve/settings.js';

/**
 * @typedef {import('../core/coded-warning.js').Warning} Warning
 * @typedef {import('./explanation.js').Equilibrium} Equilibrium
 * @typedef {import('./explanation.js').Report} Report
 * @typedef {import('../solve/settings.js').Settings} Settings
 */

/** `'halves'` among the kinds of environments. */
const HALVES = 1;
/** Below this ridge, relative to the energy of the features, a wide game can have several equilibria. */
const LEAST_RELATIVE_RIDGE = 0.05;
/** A ridge that shrinks the largest weight by more than this share gets a warning. */
const RIDGE_WARNING_SHARE = 0.2;
/**
 * Below this R², too many explanations are no better than a coin at telling whether the model's answer rises or falls if one
 * feature changes: see tests/steady/meaning-study.md. Above it, at most one in twenty is.
 */
const LEAST_FIDELITY = 0.2;
/**
 * A contribution over a longer distance, in standard deviations of the neighborhood, is on average as wrong as none: see
 * tests/steady/meaning-study.md. Hardly any sample lies there.
 */
const FARTHEST = 2.5;
/** The most names in a sentence. */
const MOST_NAMES = 3;

/**
 * What a warning must not advise, because the caller cannot do it.
 *
 * @typedef {object} Limits
 * @property {boolean} [ended]  there are no more samples
 * @property {boolean} [weighed]  the weights of the samples do not come from the kernel
 */

/**
 * The warnings of a surrogate.
 *
 * @param {object} fit
 * @param {Report} fit.report
 * @param {number} fit.featureCount  how many features were fitted
 * @param {readonly (import('./explanation.js').Feature & { kind?: string })[]} fit.features  the listed ones
 * @param {boolean} fit.listsAll  whether no feature was left out
 * @param {Equilibrium | null} equilibrium
 * @param {Limits & { settings: Settings, outside: import('./reference.js').ReferencePlace['outside'] }} options
 * @returns {Warning[]}
 */
export function warningsFor({ report, featureCount, features, listsAll }, equilibrium, options) {
  const { settings, ended, weighed, outside } = options;
  const few = warnOfFewSamples(report, featureCount, options);
  return [
    ...few,
    ...warnOfPoorFit(report.fidelity, settings.method, {
      // A smaller kernel would leave even fewer samples.
      ...{ ended, weighed: weighed || few.length > 0, listsAll },
      discretize: features.some(({ kind }) => kind === 'numeric'),
    }),
    ...warnOfFarReference(features, outside),
    ...warnOfRidge(report, featureCount, options),
    ...(equilibrium ? warnOfGames(equilibrium, report, featureCount, settings) : []),
  ];
}

/** @param {Report} report @param {number} featureCount @param {Limits} limits @returns {Warning[]} */
function warnOfFewSamples({ effectiveSamples: samples }, featureCount, { ended, weighed }) {
  if (samples >= 2 * Math.max(1, featureCount)) return [];
  const advice = [!ended && 'ask for more samples', !weighed && 'widen the kernel'].filter(Boolean).join(' or ');
  const text =
    `the neighborhood counts as only ${samples.toFixed(1)} samples for ${featureCount} features` +
    [ended && ' and has no more', advice && `; ${advice}`].filter(Boolean).join('');
  return [warning('few-samples', text, { samples, features: featureCount })];
}

/** @param {Report} report @param {number} featureCount @param {Limits} limits @returns {Warning[]} */
function warnOfRidge({ ridgeLoss, ridge, relativeRidge }, featureCount, { ended }) {
  const warnings = [];
  if (ridgeLoss > RIDGE_WARNING_SHARE)
    warnings.push(
      warning(
        'ridge',
        (ridgeLoss > 1
          ? 'the ridge takes away more than the largest weight itself'
          : `the ridge takes away up to ${Math.round(100 * ridgeLoss)} % of the largest weight`) +
          `; lower it${ended ? '' : ', or ask for more samples'}`,
        { share: ridgeLoss },
      ),
    );
  if (relativeRidge > 0 && relativeRidge < LEAST_RELATIVE_RIDGE)
    warnings.push(
      warning(
        'small-ridge',
        `a ridge of ${short(ridge)} is small for ${featureCount} features: the weights fit the samples but not the model ` +
          `between them; leave ridge out, or set at least ${short((ridge * LEAST_RELATIVE_RIDGE) / relativeRidge)}`,
        { ridge, features: featureCount },
      ),
    );
  return warnings;
}

/**
 * What to know about games that did not converge, or that have several equilibria.
 *
 * @param {Equilibrium} equilibrium
 * @param {Report} report
 * @param {number} featureCount
 * @param {Settings} settings
 */
function warnOfGames({ converged, residual, unsettled, certifiedRidge }, { relativeRidge }, featureCount, settings) {
  const { games, draws } = settings;
  const warnings = [];
  if (!converged)
    warnings.push(
      warning(
        'game',
        `the game did not converge: a player would still move by ${short(residual)} of gamma` +
          (certifiedRidge ? `; with a ridge of ${short(certifiedRidge)} it does` : ''),
        { residual },
      ),
    );
  if (unsettled > (converged ? 0 : games))
    warnings.push(
      warning(
        'draws',
        `${unsettled} of ${Math.max(games, draws)} re-drawn games did not converge: the intervals are rough`,
        { unsettled },
      ),
    );
  if (games > 1 && mayMix(relativeRidge, featureCount, settings))
    warnings.push(
      warning(
        'mixed-games',
        `the mean of ${games} games may mix different equilibria, because wide games ` +
          (relativeRidge < LEAST_RELATIVE_RIDGE ? 'with a small ridge' : 'of halves') +
          ' can have several; leave ridge out and use bootstraps',
        { games },
      ),
    );
  return warnings;
}

/**
 * Whether a game can have several equilibria, as those of halves with very many features.
 *
 * @param {number} relativeRidge  0 if not wide
 * @param {number} featureCount  that play
 * @param {Settings} settings
 */
const mayMix = (relativeRidge, featureCount, { environments }) =>
  relativeRidge > 0 &&
  (relativeRidge < LEAST_RELATIVE_RIDGE || (environments.kind === HALVES && featureCount > MOST_PLAYING));

/**
 * Says that the bars explain too little to rely on them. Shapley values always add up, and the baseline is a constant.
 *
 * @param {number} fidelity
 * @param {string} method
 * @param {Limits & { discretize: boolean, listsAll: boolean }} limits  discretize: whether that would be something new
 * @returns {Warning[]}
 */
function warnOfPoorFit(fidelity, method, { weighed, ended, discretize, listsAll }) {
  if (fidelity >= LEAST_FIDELITY || method === 'shap' || method === 'baseline') return [];
  const explained = Math.max(0, fidelity);
  const what = method === 'maple' ? 'how the responses near the input differ' : 'what the model does near the input';
  const advice = [
    !weighed && 'a smaller kernelWidth',
    !listsAll && 'more features',
    !ended && method !== 'maple' && 'more samples',
    discretize && "discretize: 'quartile'",
    "method: 'shap'",
  ].filter(Boolean);
  return [
    warning(
      'poor-fit',
      `the weights explain ${Math.round(100 * explained)} % of ${what}, which is too little to rely on them; try ` +
        [advice.slice(0, -1).join(', '), ...advice.slice(-1)].filter(Boolean).join(' or '),
      { explained },
    ),
  ];
}

/**
 * Says which contributions are over too long a distance: the line is stretched to where there are no samples.
 *
 * @param {readonly { name: string, index: number, contribution: number }[]} features
 * @param {((index: number) => number) | undefined} distance  from the neighborhood to the reference, in standard deviations
 *   of the neighborhood
 * @returns {Warning[]}
 */
function warnOfFarReference(features, distance) {
  if (!distance) return [];
  const far = features.filter(({ index, contribution }) => contribution && distance(index) > FARTHEST);
  if (far.length === 0) return [];
  const names = far.map(({ name }) => name);
  const more = names.length - MOST_NAMES;
  const listed = names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [
    warning(
      'far-reference',
      `the reference lies far outside the neighborhood in ${listed}: no samples are near it, so these contributions may be ` +
        "wrong; use discretize: 'quartile', method: 'shap', or a reference that is nearer",
      { names, distance: Math.max(...far.map(({ index }) => distance(index))) },
    ),
  ];
}
