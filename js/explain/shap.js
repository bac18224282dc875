import { LinexError } from '../core/errors.js';
import { buildExplanation, saySteady } from './explanation.js';
import { askAndExplain } from './line.js';
import { readyShapley } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { LINKS } from './methods.js';
import { resolveTargets, targetName } from './settings.js';

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('../core/ask-model.js').Answered} Answered
 * @typedef {import('../core/load.js').Core} Core
 */

/** Standard errors on either side of a weight that hold 95 % of what is normal around it. */
const NORMAL = 1.96;
/** Coalitions unless told: so many, or a few a feature where these are more. */
const USUAL = 1000;
const USUAL_EACH = 4;
/** What fits beside the coalitions into the 2 GB that WebAssembly has. */
const MOST_BYTES = 1.5e9;
/** As many as `samples` may be anywhere. */
const MOST_QUERIES = 1e7;
/** The smallest number whose logarithm is taken. */
const TINIEST = 2 ** -1022;

/**
 * What can be there or not, and how the model is asked about it. Every coalition is answered by the mean over what may
 * stand in place of the absent features; query 0 is the input itself, then come `shares.length` queries a coalition.
 *
 * @template Batch
 * @template {Feature} F
 * @typedef {object} Parts
 * @property {'row' | 'text' | 'image'} kind
 * @property {number} width  how many features
 * @property {readonly number[]} [players]  those that make a difference; default all
 * @property {Float64Array} [shares]  how often each of the things counts that may stand in place; default one, once
 * @property {(coalitions: Coalitions, first: number, count: number, lane: number) => Batch} batch  queries
 * @property {(index: number) => string} name
 * @property {(feature: Feature) => F} describe
 * @property {object} [about]
 * @property {readonly string[]} [warnings]
 */

/**
 * @typedef {object} Coalitions
 * @property {Uint8Array} masks  a byte a player, coalition after coalition: all, none, the others
 * @property {Float64Array} weights  the kernel's
 * @property {number} count
 * @property {number} taken  how many of them were not drawn: the first
 * @property {number} draws  of pairs; 0 where all coalitions are taken
 */

/**
 * Shapley values by KernelSHAP: what each feature adds to the answer, on the mean over all orders in which they may come.
 *
 * @template Batch
 * @template {Feature} F
 * @param {import('../core/ask-model.js').Predict<Batch>} predict
 * @param {Parts<Batch, F>} parts
 * @param {import('./methods.js').MethodPlan} plan
 * @param {number} started
 */
export async function explainParts(predict, parts, plan, started) {
  return askAndExplain(predict, new ShapStudy(await readyShapley(), parts, plan), plan, started);
}

/**
 * @template Batch
 * @template {Feature} F
 */
class ShapStudy {
  #core;
  #parts;
  #plan;
  #players;
  #shares;
  #coalitions;
  /** Whether all coalitions are asked about. */
  #complete;
  /** How many coalitions the link has been found to take. */
  #checked = 0;

  /**
   * @param {Core} core
   * @param {Parts<Batch, F>} parts
   * @param {import('./methods.js').MethodPlan} plan
   */
  constructor(core, parts, plan) {
    this.#core = core;
    this.#parts = parts;
    this.#plan = plan;
    this.#players = parts.players ?? Array.from({ length: parts.width }, (_, i) => i);
    this.#shares = parts.shares ?? Float64Array.of(1);
    const width = this.#players.length;
    const samples = countCoalitions(width, plan.samples);
    this.#complete = samples === 2 ** width;
    this.distinct = this.#queriesFor(samples);
    if (this.distinct > MOST_QUERIES)
      throw new RangeError(
        `${samples} samples with ${this.#shares.length} rows of background are ${this.distinct} queries, more than ` +
          `${MOST_QUERIES}; take fewer samples, or a smaller background`,
      );
    this.#coalitions = planCoalitions(core, width, samples, plan.settings.seed);
    this.distinct = this.#queriesFor(this.#coalitions.count);
  }

  /** @param {number} coalitions */
  #queriesFor(coalitions) {
    return 1 + (coalitions - 1) * this.#shares.length;
  }

  mostQueries() {
    return this.distinct;
  }

  /** @param {number} first @param {number} count @param {number} lane */
  batch(first, count, lane) {
    return this.#parts.batch(this.#coalitions, first, count, lane);
  }

  /** How many coalitions so many answers in order are enough for. @param {number} prefix */
  #answeredBy(prefix) {
    return prefix < 1 ? 0 : 1 + Math.floor((prefix - 1) / this.#shares.length);
  }

  /**
   * How many samples so many queries answer: a background's rows that are alike are one query. The full coalition is the
   * input, whatever stands in for absent features: one sample.
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
   * A coalition's answer: the mean over the background, in a fixed order and from the first of them, so that it is exact
   * where nothing varies.
   *
   * @param {Answered} answered
   * @param {number} column
   * @param {number} coalition
   */
  #worth({ answers, columns }, column, coalition) {
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
   * Answers that the link does not take end it all at once, not after the last query.
   *
   * @param {Answered} answered
   */
  check(answered) {
    if (LINKS[this.#plan.link] !== 'logit') return;
    const end = this.#answeredBy(answered.prefix);
    for (; this.#checked < end; this.#checked++)
      for (const column of this.#targets(answered)) {
        const worth = this.#worth(answered, column, this.#checked);
        if (worth >= TINIEST && worth < 1) continue;
        const where = this.#checked === 0 ? 'at the input' : `for coalition ${this.#checked}`;
        const mean = this.#checked > 0 && this.#shares.length > 1 ? ', the mean over the background' : '';
        throw new LinexError(
          'model-answer',
          `link 'logit' needs answers above 0 and below 1, not ${worth} ${where}${mean}`,
        );
      }
  }

  /** @param {Answered} answered */
  #targets({ answers, columns }) {
    return resolveTargets(this.#plan.settings, columns, answers.subarray(0, columns));
  }

  /**
   * What the answers so far say, or null where they do not determine the values.
   *
   * @param {Answered} answered
   */
  partial(answered) {
    const { settings } = this.#plan;
    if (this.#answeredBy(answered.prefix) < Math.min(2, this.#coalitions.count)) return null;
    try {
      const explanations = this.explain({ ...answered, asked: answered.prefix }, settings);
      return settings.target.several ? explanations : explanations[0];
    } catch (error) {
      if (error instanceof LinexError && error.code === 'degenerate') return null;
      throw error;
    }
  }

  /**
   * One explanation a target.
   *
   * @param {Answered} answered
   * @param {import('./settings.js').Settings} settings
   * @param {{ model?: number, started?: number }} [time]
   */
  explain(answered, settings, { model = 0, started } = {}) {
    const { asked, columns } = answered;
    const { kind, name, describe, about, warnings } = this.#parts;
    const count = this.#answeredBy(asked);
    const complete = this.#complete && count === this.#coalitions.count;
    const planned = this.#samplesIn(asked);
    return this.#targets(answered).map((column) => {
      const answers = Float64Array.from({ length: count }, (_, i) => this.#worth(answered, column, i));
      const solved = this.#solve(answers, settings.features);
      return buildExplanation(solved, settings, {
        kind,
        link: LINKS[this.#plan.link],
        target: targetName(settings, column, columns),
        prediction: answers[0],
        name,
        describe,
        about,
        warnings,
        queries: { planned, asked, stopped: complete ? 'exhausted' : undefined },
        milliseconds: { model, own: started === undefined ? 0 : performance.now() - started - model },
      });
    });
  }

  /**
   * @param {Float64Array} answers  one a coalition
   * @param {number} most  how many features are listed; 0 for all
   */
  #solve(answers, most) {
    const players = this.#players;
    const found = solveShapley(this.#core, this.#coalitions, answers, this.#plan.link);
    const { base, prediction, fidelity, errors } = found;
    /** @param {Float64Array} values  one a player */
    const spread = (values) => {
      const all = new Array(this.#parts.width).fill(0);
      players.forEach((player, i) => (all[player] = values[i]));
      return all;
    };
    const weights = spread(found.values);
    const byWeight = [...players].sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]) || a - b);
    const effective = effectiveSamples(this.#coalitions.weights.subarray(0, answers.length));
    return {
      steady: saySteady(answers),
      mean: prediction,
      weights,
      raw: weights,
      low: spread(found.values.map((value, i) => value - NORMAL * errors[i])),
      high: spread(found.values.map((value, i) => value + NORMAL * errors[i])),
      agreement: spread(found.agreement),
      // Of a few drawn pairs nobody can tell how others would differ from them.
      sure: answers.length > this.#coalitions.taken && !this.#isRough(answers.length),
      players: [],
      chosen: most === 0 ? byWeight : byWeight.slice(0, most),
      // No game: gamma, convergence, rounds, residual, multiplier, and no ridge.
      numbers: [base, fidelity, prediction, 0, effective, 1, 0, 0, 0, 0],
      warnings: this.#warningsOf(answers),
    };
  }

  /** Whether so many coalitions leave the weights in doubt. @param {number} count */
  #isRough(count) {
    const width = this.#players.length;
    return count < Math.min(2 ** width, USUAL_EACH * width + 2);
  }

  /** @param {Float64Array} answers */
  #warningsOf(answers) {
    const width = this.#players.length;
    if (width === 0) return ['the row is the same as all of the background: there is nothing to explain'];
    const steady = saySteady(answers);
    if (steady) return [steady];
    if (!this.#isRough(answers.length)) return [];
    return [
      `${answers.length} coalitions are few for ${width} features, so the weights are rough; ask for more samples`,
    ];
  }
}

/**
 * How many coalitions are asked about: no more than there are, and no fewer than determine the values.
 *
 * @param {number} width
 * @param {number} wanted  Infinity for as many as are usual
 */
function countCoalitions(width, wanted) {
  if (8 * width * width > MOST_BYTES)
    throw new LinexError(
      'memory',
      `Shapley values of ${width} features do not fit into WebAssembly's memory; take larger units`,
    );
  const least = Math.min(2 ** width, 2 * width + 2);
  if (wanted < least)
    throw new RangeError(
      `samples must be at least ${least} for the Shapley values of ${width} features, not ${wanted}`,
    );
  const usual = Math.max(USUAL, USUAL_EACH * width + 2);
  return Math.min(2 ** width, wanted === Infinity ? usual : wanted);
}

/**
 * @param {Core} core
 * @param {number} width
 * @param {number} samples
 * @param {number} seed
 * @returns {Coalitions}
 */
function planCoalitions(core, width, samples, seed) {
  if (width === 0) return { masks: new Uint8Array(0), weights: new Float64Array(1), count: 1, taken: 2, draws: 0 };
  return withScope(core, (scope) => {
    const [masks, weights, found] = [scope.bytes(samples * width), scope.doubles(samples), scope.indices(3)];
    scope.check(core.linex_wasm_coalitions_plan(width, samples, seed, masks, weights, found));
    const [count, taken, draws] = scope.getIndices(found, 3);
    const all = scope.getBytes(masks, count * width);
    return { masks: all, weights: scope.getDoubles(weights, count), count, taken, draws };
  });
}

/**
 * @param {Core} core
 * @param {Coalitions} coalitions
 * @param {Float64Array} answers  to the first of them
 * @param {number} link
 */
function solveShapley(core, { masks, weights, count, taken, draws }, answers, link) {
  const width = masks.length / count;
  // Without a feature that makes a difference there is one coalition, both full and empty.
  const [all, kernel, known] =
    width === 0
      ? [Uint8Array.of(1, 0), new Float64Array(2), Float64Array.of(answers[0], answers[0])]
      : [masks, weights, answers];
  const size = Math.max(1, width);
  return withScope(core, (scope) => {
    const [features, report] = [scope.doubles(3 * size), scope.doubles(3)];
    const there = scope.putBytes(all.subarray(0, known.length * size));
    const [given, weighed] = [scope.putDoubles(known), scope.putDoubles(kernel.subarray(0, known.length))];
    // Of a part of the coalitions, a part of the draws.
    const part = known.length > taken ? Math.ceil((draws * (known.length - taken)) / (count - taken)) : 0;
    const plan = [known.length, taken, part];
    const status = core.linex_wasm_shapley_solve(...plan, size, there, given, weighed, link, features, report);
    // The arguments are ours: what it refuses is answers that lie farther apart than a double holds.
    const refused = status === 1;
    if (!refused) scope.check(status);
    const [base, prediction, fidelity] = scope.getDoubles(report, 3);
    const [values, errors, agreement] = [0, 1, 2].map((which) => scope.getDoubles(features + 8 * which * size, size));
    if (refused || ![base, prediction, fidelity, ...values, ...errors].every(Number.isFinite))
      throw new LinexError('overflow', "the model's answers are too large to be explained; scale them down");
    return { values, errors, agreement, base, prediction, fidelity };
  });
}

/** @param {Float64Array} weights */
function effectiveSamples(weights) {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const squares = weights.reduce((all, weight) => all + weight * weight, 0);
  return squares > 0 ? (sum * sum) / squares : weights.length;
}
