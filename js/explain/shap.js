// Shapley values by KernelSHAP: asks the model about coalitions of features and shares out the answer.
import { warning } from '../core/coded-warning.js';
import { isDegenerate, LinexError } from '../core/errors.js';
import { readyShapley } from '../core/load.js';
import { valueIn } from '../data/table.js';
import { coalitionsAt, StoppingRule } from './adaptive-stopping.js';
import { Coalitions, solveShapley, solveShapleyNow } from '../solve/coalitions.js';
import { buildExplanation } from './explanation.js';
import { FEWEST, LINKS } from './plan.js';
import { rivalOf } from '../solve/rival.js';
import { askAndExplain, orNone } from './run-explanation.js';
import { resolveTargets, targetName } from '../solve/settings.js';
import { describeConstant } from '../solve/solve-samples.js';

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('../core/ask-model.js').Answered} Answered
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('../solve/coalitions.js').ShapleyFit} ShapleyFit
 */

/** The default number of coalitions, if that is not few for the features. */
const DEFAULT_COALITIONS = 1000;
/** The most bytes that the fit may take: fit and coalitions share the 2 GB of WebAssembly's memory. */
const MAX_BYTES = 1.5e9;
/** The upper limit of `samples` in any call. */
const MAX_QUERIES = 1e7;
/** The smallest normal number; smaller ones have no accurate logarithm. */
const SMALLEST = 2 ** -1022;

/**
 * How the model is asked about coalitions. A coalition's answer is the mean over everything that can replace its absent
 * features. Query 0 is the input itself; then come `shares.length` queries per coalition.
 *
 * @template Batch
 * @typedef {object} CoalitionQueries
 * @property {readonly number[]} [varying]  the features that can make a difference; default all
 * @property {Float64Array} [shares]  how often each replacement counts; default: one replacement that counts once
 * @property {(coalitions: Coalitions, first: number, count: number, lane: number) => Batch} batch
 */

/**
 * Shapley values by KernelSHAP: what each feature adds to the answer, averaged over all orders of the features.
 *
 * @template Batch
 * @template {Feature} F
 * @param {import('../core/ask-model.js').Predict<Batch>} predict
 * @param {import('./run-explanation.js').Subject<F>} subject
 * @param {CoalitionQueries<Batch>} queries
 * @param {import('./plan.js').Plan} plan
 * @param {number} started
 */
export async function explainCoalitions(predict, subject, queries, plan, started) {
  const study = new CoalitionStudy(await readyShapley(), subject, queries, plan);
  await study.begin();
  return askAndExplain(predict, study, plan, started);
}

/**
 * Shapley values of the columns of a row. Absent columns take their values from the background.
 *
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} row  encoded
 * @param {import('./explain-row.js').PredictRows} predict
 * @param {import('./explain-row.js').RowPlan} plan
 * @param {Float64Array} background  encoded rows, one after the other
 * @param {number} started
 */
export async function explainShares(core, row, predict, plan, background, started) {
  const { table, frame, type } = plan;
  const { BackgroundRows } = await import('../neighborhood/background-rows.js');
  const parts = frame ? frame.columnsOfFeatures : table.columns.map((_, c) => [c]);
  const rows = new BackgroundRows(core, table, row, background, { parts, type });
  const means = rows.means();
  const isNumber = (/** @type {readonly number[]} */ columns) =>
    columns.length === 1 && table.columns[columns[0]].kind === 'numeric';
  const subject = {
    kind: /** @type {const} */ ('row'),
    featureCount: parts.length,
    /** @param {number} index */
    name: (index) => (frame ? frame.nameOf(index) : table.columns[index].name),
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => {
      const place = placeInBackground(feature, table, parts[feature.index], row, means);
      return Object.assign(feature, place, frame?.of(row).placeOf(feature.index));
    },
    reference: {
      kind: /** @type {const} */ ('background'),
      values: parts.map((columns, index) => (isNumber(columns) ? means[index] : null)),
    },
  };
  return explainCoalitions(predict, subject, rows, plan, started);
}

/**
 * Where a feature is in the row and in SHAP's background.
 *
 * @param {import('./explanation.js').Feature} feature
 * @param {import('../data/table.js').Table} table
 * @param {readonly number[]} columns  of the feature
 * @param {Float64Array} row  encoded
 * @param {readonly number[]} means  of the background
 */
function placeInBackground({ index, name }, table, columns, row, means) {
  const column = table.columns[columns[0]];
  const place = { column: name, value: valueIn(row, columns[0], table) };
  return columns.length === 1 && column.kind === 'numeric'
    ? {
        ...{ ...place, kind: /** @type {const} */ ('numeric'), reference: means[index], spread: column.spread },
        ...(column.format && { format: column.format }),
      }
    : { ...place, kind: /** @type {const} */ ('level'), reference: means[index] };
}

/**
 * @template Batch
 * @template {Feature} F
 */
class CoalitionStudy {
  #core;
  #subject;
  #queries;
  #plan;
  #varying;
  #shares;
  #coalitions;
  #stoppingRule;
  /** The most coalitions. */
  #most;
  /** How many coalitions there are. */
  #all;
  /** Fewer coalitions give rough values. */
  #few;
  /** How often the values were looked at, with `samples: 'auto'`, the next look included. */
  #looks = 1;
  /** Why asking ended. @type {'settled' | 'cap' | 'exhausted' | undefined} */
  #stopped;
  /** The number of coalitions whose answers were checked against the link. */
  #checked = 0;
  /** How many queries are planned. */
  distinct = 0;

  /**
   * @param {Core} core
   * @param {import('./run-explanation.js').Subject<F>} subject
   * @param {CoalitionQueries<Batch>} queries
   * @param {import('./plan.js').Plan} plan
   */
  constructor(core, subject, queries, plan) {
    this.#core = core;
    this.#subject = subject;
    this.#queries = queries;
    this.#plan = plan;
    this.#varying = queries.varying ?? Array.from({ length: subject.featureCount }, (_, i) => i);
    this.#shares = queries.shares ?? Float64Array.of(1);
    this.#stoppingRule = new StoppingRule(plan.precision);
    const featureCount = this.#varying.length;
    this.#all = 2 ** featureCount;
    this.#few = core.linex_coalitions_few(featureCount);
    this.#most = countCoalitions(featureCount, this.#few, plan);
    const most = this.#queriesFor(this.#most);
    if (most > MAX_QUERIES)
      throw new RangeError(
        `${this.#most} samples with ${this.#shares.length} rows of background are ${most} queries, more than ` +
          `${MAX_QUERIES}; use fewer samples or a smaller background`,
      );
    this.#coalitions = new Coalitions(core, featureCount, this.#most, plan.settings.seed);
  }

  /** Draws the first coalitions. */
  async begin() {
    const few = this.#all <= Math.min(FEWEST, this.#most);
    await this.#draw(this.#plan.auto && !few ? coalitionsAt(1, this.#few, this.#most) : this.#most);
  }

  /** @param {number} count  how many coalitions there are then */
  async #draw(count) {
    await this.#coalitions.draw(count, this.#plan.signal);
    this.distinct = this.#queriesFor(this.#coalitions.count);
    if (this.#coalitions.count === this.#all) this.#stopped = 'exhausted';
  }

  /**
   * Draws more coalitions, unless asking may stop.
   *
   * @param {Answered} answered
   * @returns {Promise<number>}  how many queries there are now
   */
  async extend(answered) {
    const { signal } = this.#plan;
    if (this.#stopped) return this.distinct;
    const solutions = await orNone(() => this.#solveAll(answered, { signal }));
    if (this.#stoppingRule.isSettled(solutions)) this.#stopped = 'settled';
    else if (this.#coalitions.count === this.#most) this.#stopped = 'cap';
    else await this.#draw(coalitionsAt(++this.#looks, this.#few, this.#most));
    return this.distinct;
  }

  /** @param {number} coalitions */
  #queriesFor(coalitions) {
    return 1 + (coalitions - 1) * this.#shares.length;
  }

  maxQueries() {
    return this.#plan.auto && !this.#stopped ? this.#queriesFor(this.#most) : this.distinct;
  }

  /** @param {number} first @param {number} count @param {number} lane */
  batch(first, count, lane) {
    return this.#queries.batch(this.#coalitions, first, count, lane);
  }

  /** How many coalitions are complete after this many answers in order. @param {number} prefix */
  #answeredBy(prefix) {
    return prefix < 1 ? 0 : 1 + Math.floor((prefix - 1) / this.#shares.length);
  }

  /** The same in whole pairs, because half a pair says nothing. @param {number} prefix */
  #pairedBy(prefix) {
    const answered = this.#answeredBy(prefix);
    return this.#all === 1 ? answered : 2 * Math.floor(answered / 2);
  }

  /**
   * The number of samples that this many queries answer. Identical rows of a background are one query. The full
   * coalition is the input, so it is one sample.
   *
   * @param {number} queries
   */
  #samplesIn(queries) {
    const shares = this.#shares;
    const sum = (/** @type {Float64Array} */ some) => some.reduce((all, share) => all + share, 0);
    const [whole, rest] = [Math.floor((queries - 1) / shares.length), (queries - 1) % shares.length];
    return 1 + whole * sum(shares) + sum(shares.subarray(0, rest));
  }

  /**
   * A coalition's answer: the mean over the background. It is summed as differences from the first answer, so that it is exact
   * if nothing varies.
   *
   * @param {Answered} answered
   * @param {number} column
   * @param {number} coalition
   */
  #answerOf({ answers, columns }, column, coalition) {
    const shares = this.#shares;
    const first = coalition === 0 ? 0 : this.#queriesFor(coalition);
    const start = answers[first * columns + column];
    if (coalition === 0) return start;
    let sum = 0;
    let total = 0;
    for (let i = 0; i < shares.length; i++) {
      sum += shares[i] * (answers[(first + i) * columns + column] - start);
      total += shares[i];
    }
    return start + sum / total;
  }

  /**
   * Throws as soon as an answer does not fit the link, instead of after the last query.
   *
   * @param {Answered} answered
   */
  check(answered) {
    if (LINKS[this.#plan.link] !== 'logit') return;
    const end = this.#answeredBy(answered.prefix);
    for (; this.#checked < end; this.#checked++)
      for (const column of this.#targets(answered)) {
        const answer = this.#answerOf(answered, column, this.#checked);
        if (answer >= SMALLEST && answer < 1) continue;
        const where = this.#checked === 0 ? 'at the input' : `for coalition ${this.#checked}`;
        const mean = this.#checked > 0 && this.#shares.length > 1 ? ', the mean over the background' : '';
        throw new LinexError(
          'model-answer',
          `link 'logit' needs answers above 0 and below 1, not ${answer} ${where}${mean}`,
        );
      }
  }

  /** @param {Answered} answered */
  #targets({ answers, columns }) {
    return resolveTargets(this.#plan.settings, columns, answers.subarray(0, columns));
  }

  /**
   * The explanation from the answers so far, or null if they do not determine one or it would take long.
   *
   * @param {Answered} answered
   */
  partial(answered) {
    const { settings, link } = this.#plan;
    const count = this.#pairedBy(answered.prefix);
    // Fewer coalitions of random sizes determine the values badly. Only if there are few in all, or if all are asked, those
    // of one feature come first.
    const singlesLead = this.#most < this.#few || this.#most === this.#all;
    if (count < Math.min(2, this.#all) || (count < this.#few && !singlesLead)) return null;
    const sofar = { ...answered, asked: answered.prefix };
    const explanations = [];
    try {
      for (const column of this.#targets(answered)) {
        const answers = this.#answersOf(sofar, column);
        const found = solveShapleyNow(this.#core, this.#coalitions, answers, link);
        if (!found) return null;
        explanations.push(this.#build(found, answers, sofar, column, { model: 0, own: 0 }));
      }
      return settings.target.several ? explanations : explanations[0];
    } catch (error) {
      if (isDegenerate(error)) return null;
      throw error;
    }
  }

  /**
   * One explanation per target.
   *
   * @param {Answered} answered
   * @param {import('../solve/settings.js').Settings} _
   * @param {import('./run-explanation.js').Run} run
   */
  async explain(answered, _, run) {
    const { model = 0, started } = run;
    const targets = this.#targets(answered);
    const solutions = await this.#solveAll(answered, run);
    return solutions.map(({ found, answers }, i) => {
      const own = started === undefined ? 0 : performance.now() - started - model;
      return this.#build(found, answers, answered, targets[i], { model, own });
    });
  }

  /**
   * Solves for each target.
   *
   * @param {Answered} answered
   * @param {import('./run-explanation.js').Run} run
   */
  async #solveAll(answered, { signal, onSlice }) {
    const targets = this.#targets(answered);
    const solutions = [];
    for (const [i, column] of targets.entries()) {
      const answers = this.#answersOf(answered, column);
      const found = await solveShapley(this.#core, this.#coalitions, answers, this.#plan.link, {
        signal,
        onSlice: (progress) => onSlice?.((i + progress) / targets.length),
      });
      solutions.push({ found, answers, solved: { fitted: [...this.#varying], ...this.#intervalsOf(found) } });
    }
    return solutions;
  }

  /** The answer for each coalition. @param {Answered} answered @param {number} column */
  #answersOf(answered, column) {
    const count = this.#pairedBy(answered.asked);
    return Float64Array.from({ length: count }, (_, i) => this.#answerOf(answered, column, i));
  }

  /** Values of all features from those of the varying ones. @param {Float64Array} values */
  #forAll(values) {
    const all = new Array(this.#subject.featureCount).fill(0);
    this.#varying.forEach((feature, i) => (all[feature] = values[i]));
    return all;
  }

  /** @param {ShapleyFit} found */
  #intervalsOf({ values, errors, quantile }) {
    return {
      raw: this.#forAll(values),
      low: this.#forAll(values.map((value, i) => value - quantile * errors[i])),
      high: this.#forAll(values.map((value, i) => value + quantile * errors[i])),
    };
  }

  /**
   * @param {ShapleyFit} found
   * @param {Float64Array} answers  one per coalition
   * @param {Answered} answered
   * @param {number} column
   * @param {{ model: number, own: number }} milliseconds
   */
  #build(found, answers, { asked, answers: scores, columns }, column, milliseconds) {
    const { settings } = this.#plan;
    const whole = this.#coalitions.count === answers.length;
    return buildExplanation(this.#describe(found, answers, settings.features), settings, this.#subject, {
      link: LINKS[this.#plan.link],
      target: targetName(settings, column, columns),
      prediction: answers[0],
      rival: rivalOf(settings, column, scores.subarray(0, columns)),
      // Coalition 1 is empty. If no feature can make a difference, there is only the full one.
      atReference: answers[1] ?? answers[0],
      queries: { planned: this.#samplesIn(asked), asked, stopped: whole ? this.#stopped : undefined },
      milliseconds,
    });
  }

  /**
   * @param {ShapleyFit} found
   * @param {Float64Array} answers  one per coalition
   * @param {number} listed  how many features are listed; 0 for all
   */
  #describe(found, answers, listed) {
    const { base, prediction, fidelity, effective } = found;
    const intervals = this.#intervalsOf(found);
    const weights = intervals.raw;
    const byWeight = [...this.#varying].sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]) || a - b);
    return {
      constantAnswers: describeConstant(answers),
      mean: prediction,
      weights,
      ...intervals,
      agreement: this.#forAll(found.agreement),
      // Few drawn pairs do not show how much other draws would differ.
      hasIntervals: answers.length < this.#all && !this.#isRough(answers.length),
      players: [],
      chosen: listed === 0 ? byWeight : byWeight.slice(0, listed),
      report: { ...NO_GAME, intercept: base, fidelity, localPrediction: prediction, effectiveSamples: effective },
      warnings: this.#warningsOf(answers),
    };
  }

  /** Whether this many coalitions give only rough weights. @param {number} count */
  #isRough(count) {
    return count < Math.min(this.#all, this.#few);
  }

  /** @param {Float64Array} answers */
  #warningsOf(answers) {
    const featureCount = this.#varying.length;
    if (featureCount === 0)
      return [warning('same-background', 'the row equals every row of the background: there is nothing to explain')];
    const constant = describeConstant(answers);
    if (constant) return [constant];
    if (!this.#isRough(answers.length)) return [];
    return [
      warning(
        'few-coalitions',
        `${answers.length} coalitions are few for ${featureCount} features, so the weights are rough; ask for more samples`,
        { coalitions: answers.length, features: featureCount },
      ),
    ];
  }
}

/** The part of a report that only a game or a ridge has. */
const NO_GAME = Object.freeze({
  ...{ gamma: 0, converged: 1, rounds: 0, residual: 0, multiplier: 0, medianResidual: 0, unsettled: 0 },
  ...{ ridgeLoss: 0, ridge: 0, relativeRidge: 0, certifiedRidge: 0, adjusted: 0, gain: 1 },
});

/**
 * The most coalitions that are asked: no more than exist, and enough to determine the values.
 *
 * @param {number} featureCount
 * @param {number} few  fewer give rough values
 * @param {import('./plan.js').Plan} plan  samples: Infinity for the default
 */
function countCoalitions(featureCount, few, { auto, samples, maxSamples }) {
  if (8 * featureCount * featureCount > MAX_BYTES)
    throw new LinexError(
      'memory',
      `Shapley values of ${featureCount} features do not fit into WebAssembly's memory; use larger units`,
    );
  const all = 2 ** featureCount;
  const least = Math.min(all, 2 * featureCount + 2);
  if (samples < least)
    throw new RangeError(
      `${auto ? 'maxSamples' : 'samples'} must be at least ${least} for the Shapley values of ${featureCount} features, ` +
        `not ${samples}`,
    );
  const wanted = samples === Infinity ? Math.max(auto ? maxSamples : DEFAULT_COALITIONS, few) : samples;
  return wanted < all ? 2 * Math.floor(wanted / 2) : all;
}
