// Shapley values by KernelSHAP: asks the model about coalitions of features and shares out the answer.
import { COALITIONS, SHAPLEY, SHAPLEY_REPORT } from '../core/border.js';
import { LinexError } from '../core/errors.js';
import { readyShapley } from '../core/load.js';
import { withScope, withScopeAsync } from '../core/memory.js';
import { runTask, runTaskNow } from '../core/run-task.js';
import { valueIn } from '../data/table.js';
import { buildExplanation } from './explanation.js';
import { LINKS } from './plan.js';
import { PARTIAL_WORK } from './partial-explanation.js';
import { askAndExplain } from './run-explanation.js';
import { resolveTargets, targetName } from './settings.js';
import { describeConstant } from './solve-samples.js';

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('../core/ask-model.js').Answered} Answered
 * @typedef {import('../core/load.js').Core} Core
 * @typedef {import('../core/border.js').Doubles} Doubles
 */

/** 95 % of a normal distribution lies within this many standard errors of its mean. */
const STANDARD_ERRORS = 1.96;
/** The default number of coalitions: this many, or this many per feature if that is more. */
const DEFAULT_COALITIONS = 1000;
const DEFAULT_PER_FEATURE = 4;
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
 * @typedef {object} Coalitions
 * @property {Uint8Array} masks  one byte per varying feature, one coalition after the other: all, none, the others
 * @property {Float64Array} weights  the kernel's
 * @property {number} count
 * @property {number} taken  how many of them, at the start, were not drawn
 * @property {number} draws  drawn pairs; 0 if all coalitions are taken
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
  return askAndExplain(predict, new CoalitionStudy(await readyShapley(), subject, queries, plan), plan, started);
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
  const { table } = plan;
  const { BackgroundRows } = await import('../neighborhood/background-rows.js');
  const rows = new BackgroundRows(core, table, row, background);
  const subject = {
    kind: /** @type {const} */ ('row'),
    featureCount: row.length,
    /** @param {number} index */
    name: (index) => table.columns[index].name,
    /** @param {import('./explanation.js').Feature} feature */
    describe: (feature) => Object.assign(feature, { column: feature.name, value: valueIn(row, feature.index, table) }),
  };
  return explainCoalitions(predict, subject, rows, plan, started);
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
  /** Whether all coalitions are asked. */
  #complete;
  /** The number of coalitions whose answers were checked against the link. */
  #checked = 0;

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
    const featureCount = this.#varying.length;
    const samples = countCoalitions(featureCount, plan.samples);
    this.#complete = samples === 2 ** featureCount;
    this.distinct = this.#queriesFor(samples);
    if (this.distinct > MAX_QUERIES)
      throw new RangeError(
        `${samples} samples with ${this.#shares.length} rows of background are ${this.distinct} queries, more than ` +
          `${MAX_QUERIES}; use fewer samples or a smaller background`,
      );
    this.#coalitions = planCoalitions(core, featureCount, samples, plan.settings.seed);
    this.distinct = this.#queriesFor(this.#coalitions.count);
  }

  /** @param {number} coalitions */
  #queriesFor(coalitions) {
    return 1 + (coalitions - 1) * this.#shares.length;
  }

  maxQueries() {
    return this.distinct;
  }

  /** @param {number} first @param {number} count @param {number} lane */
  batch(first, count, lane) {
    return this.#queries.batch(this.#coalitions, first, count, lane);
  }

  /** How many coalitions are complete after this many answers in order. @param {number} prefix */
  #answeredBy(prefix) {
    return prefix < 1 ? 0 : 1 + Math.floor((prefix - 1) / this.#shares.length);
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
    const { settings } = this.#plan;
    if (this.#answeredBy(answered.prefix) < Math.min(2, this.#coalitions.count)) return null;
    const sofar = { ...answered, asked: answered.prefix };
    const explanations = [];
    try {
      for (const column of this.#targets(answered)) {
        const answers = this.#answersOf(sofar, column);
        const found = solveShapleyNow(this.#core, this.#coalitions, answers, this.#plan.link);
        if (!found) return null;
        explanations.push(this.#build(found, answers, sofar, column, { model: 0, own: 0 }));
      }
      return settings.target.several ? explanations : explanations[0];
    } catch (error) {
      if (error instanceof LinexError && error.code === 'degenerate') return null;
      throw error;
    }
  }

  /**
   * One explanation per target.
   *
   * @param {Answered} answered
   * @param {import('./settings.js').Settings} _
   * @param {import('./run-explanation.js').Run} run
   */
  async explain(answered, _, { model = 0, started, signal, onSlice }) {
    const targets = this.#targets(answered);
    const explanations = [];
    for (const [i, column] of targets.entries()) {
      const answers = this.#answersOf(answered, column);
      const found = await solveShapley(this.#core, this.#coalitions, answers, this.#plan.link, {
        signal,
        onSlice: (progress) => onSlice?.((i + progress) / targets.length),
      });
      const own = started === undefined ? 0 : performance.now() - started - model;
      explanations.push(this.#build(found, answers, answered, column, { model, own }));
    }
    return explanations;
  }

  /** The answer for each coalition. @param {Answered} answered @param {number} column */
  #answersOf(answered, column) {
    const count = this.#answeredBy(answered.asked);
    return Float64Array.from({ length: count }, (_, i) => this.#answerOf(answered, column, i));
  }

  /**
   * @param {ShapleyFit} found
   * @param {Float64Array} answers  one per coalition
   * @param {Answered} answered
   * @param {number} column
   * @param {{ model: number, own: number }} milliseconds
   */
  #build(found, answers, { asked, columns }, column, milliseconds) {
    const { settings } = this.#plan;
    const complete = this.#complete && answers.length === this.#coalitions.count;
    return buildExplanation(this.#describe(found, answers, settings.features), settings, this.#subject, {
      link: LINKS[this.#plan.link],
      target: targetName(settings, column, columns),
      prediction: answers[0],
      queries: { planned: this.#samplesIn(asked), asked, stopped: complete ? 'exhausted' : undefined },
      milliseconds,
    });
  }

  /**
   * @param {ShapleyFit} found
   * @param {Float64Array} answers  one per coalition
   * @param {number} listed  how many features are listed; 0 for all
   */
  #describe(found, answers, listed) {
    const varying = this.#varying;
    const { base, prediction, fidelity, errors } = found;
    /** @param {Float64Array} values  one per varying feature */
    const forAll = (values) => {
      const all = new Array(this.#subject.featureCount).fill(0);
      varying.forEach((feature, i) => (all[feature] = values[i]));
      return all;
    };
    const weights = forAll(found.values);
    const byWeight = [...varying].sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]) || a - b);
    const effective = effectiveSamples(this.#coalitions.weights.subarray(0, answers.length));
    return {
      constantAnswers: describeConstant(answers),
      mean: prediction,
      weights,
      raw: weights,
      low: forAll(found.values.map((value, i) => value - STANDARD_ERRORS * errors[i])),
      high: forAll(found.values.map((value, i) => value + STANDARD_ERRORS * errors[i])),
      agreement: forAll(found.agreement),
      // Few drawn pairs do not show how much other draws would differ.
      hasIntervals: answers.length > this.#coalitions.taken && !this.#isRough(answers.length),
      players: [],
      chosen: listed === 0 ? byWeight : byWeight.slice(0, listed),
      report: { ...NO_GAME, intercept: base, fidelity, localPrediction: prediction, effectiveSamples: effective },
      warnings: this.#warningsOf(answers),
    };
  }

  /** Whether this many coalitions give only rough weights. @param {number} count */
  #isRough(count) {
    const featureCount = this.#varying.length;
    return count < Math.min(2 ** featureCount, DEFAULT_PER_FEATURE * featureCount + 2);
  }

  /** @param {Float64Array} answers */
  #warningsOf(answers) {
    const featureCount = this.#varying.length;
    if (featureCount === 0) return ['the row equals every row of the background: there is nothing to explain'];
    const constant = describeConstant(answers);
    if (constant) return [constant];
    if (!this.#isRough(answers.length)) return [];
    return [
      `${answers.length} coalitions are few for ${featureCount} features, so the weights are rough; ask for more samples`,
    ];
  }
}

/** The part of a report that only a game or a ridge has. */
const NO_GAME = Object.freeze({
  ...{ gamma: 0, converged: 1, rounds: 0, residual: 0, multiplier: 0, medianResidual: 0, unsettled: 0 },
  ...{ ridgeLoss: 0, ridge: 0, relativeRidge: 0, certifiedRidge: 0, adjusted: 0, gain: 1 },
});

/**
 * How many coalitions are asked: no more than exist, and enough to determine the values.
 *
 * @param {number} featureCount
 * @param {number} wanted  Infinity for the default
 */
function countCoalitions(featureCount, wanted) {
  if (8 * featureCount * featureCount > MAX_BYTES)
    throw new LinexError(
      'memory',
      `Shapley values of ${featureCount} features do not fit into WebAssembly's memory; use larger units`,
    );
  const least = Math.min(2 ** featureCount, 2 * featureCount + 2);
  if (wanted < least)
    throw new RangeError(
      `samples must be at least ${least} for the Shapley values of ${featureCount} features, not ${wanted}`,
    );
  const byDefault = Math.max(DEFAULT_COALITIONS, DEFAULT_PER_FEATURE * featureCount + 2);
  return Math.min(2 ** featureCount, wanted === Infinity ? byDefault : wanted);
}

/**
 * @param {Core} core
 * @param {number} featureCount
 * @param {number} samples
 * @param {number} seed
 * @returns {Coalitions}
 */
function planCoalitions(core, featureCount, samples, seed) {
  if (featureCount === 0)
    return { masks: new Uint8Array(0), weights: new Float64Array(1), count: 1, taken: 2, draws: 0 };
  return withScope(core, (scope) => {
    const [masks, weights] = [scope.bytes(samples * featureCount), scope.doubles(samples)];
    const record = scope.doubles(COALITIONS.length);
    scope.check(core.linex_wasm_coalitions_plan(featureCount, samples, seed, masks, weights, record));
    const { count, taken, draws } = scope.readRecord(COALITIONS, record);
    const all = scope.getBytes(masks, count * featureCount);
    return { masks: all, weights: scope.getDoubles(weights, count), count, taken, draws };
  });
}

/**
 * @typedef {import('../core/border.js').ShapleyReportRecord & { values: Float64Array, errors: Float64Array,
 *   agreement: Float64Array }} ShapleyFit
 */

/**
 * @param {Core} core
 * @param {Coalitions} coalitions
 * @param {Float64Array} answers  for the first of them
 * @param {number} link
 * @param {{ signal?: AbortSignal, onSlice: (progress: number) => void }} options
 * @returns {Promise<ShapleyFit>}
 */
function solveShapley(core, coalitions, answers, link, options) {
  return withScopeAsync(core, async (scope) => {
    const fit = putFit(scope, coalitions, answers, link);
    await runTask(scope, fit.start, options);
    return fit.read();
  });
}

/**
 * Solves at once.
 *
 * @param {Core} core
 * @param {Coalitions} coalitions
 * @param {Float64Array} answers
 * @param {number} link
 * @returns {ShapleyFit | null}  null if it takes too long
 */
function solveShapleyNow(core, coalitions, answers, link) {
  return withScope(core, (scope) => {
    const fit = putFit(scope, coalitions, answers, link);
    return runTaskNow(scope, fit.start, PARTIAL_WORK) ? fit.read() : null;
  });
}

/**
 * Writes what a fit needs.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {Coalitions} coalitions
 * @param {Float64Array} answers
 * @param {number} link
 */
function putFit(scope, { masks, weights, count, taken, draws }, answers, link) {
  const featureCount = masks.length / count;
  // If no feature can make a difference there is one coalition, which is both full and empty.
  const [all, kernel, known] =
    featureCount === 0
      ? [Uint8Array.of(1, 0), new Float64Array(2), Float64Array.of(answers[0], answers[0])]
      : [masks, weights, answers];
  const parts = Math.max(1, featureCount);
  const [features, report] = [scope.doubles(3 * parts), scope.doubles(SHAPLEY_REPORT.length)];
  const masksAt = scope.putBytes(all.subarray(0, known.length * parts));
  const [answersAt, weightsAt] = [scope.putDoubles(known), scope.putDoubles(kernel.subarray(0, known.length))];
  // If only some coalitions are answered, only some of the draws count.
  const drawn = known.length > taken ? Math.ceil((draws * (known.length - taken)) / (count - taken)) : 0;
  const record = scope.putRecord(SHAPLEY, {
    ...{ count: known.length, taken, draws: drawn, parts, link },
    ...{ masks: masksAt, answers: answersAt, weights: weightsAt },
  });
  return {
    /** @param {import('../core/border.js').Indices} task */
    start: (task) => scope.core.linex_wasm_shapley_start(record, features, report, task),
    /** @returns {ShapleyFit} */
    read() {
      const found = scope.readRecord(SHAPLEY_REPORT, report);
      const [values, errors, agreement] = scope.listRows(features, 3, parts).map((list) => Float64Array.from(list));
      return { ...found, values, errors, agreement };
    },
  };
}

/** @param {Float64Array} weights */
function effectiveSamples(weights) {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const squares = weights.reduce((all, weight) => all + weight * weight, 0);
  return squares > 0 ? (sum * sum) / squares : weights.length;
}
