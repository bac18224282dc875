import { LinexError, show } from '../core/errors.js';
import { buildExplanation, solve } from './explanation.js';
import { withScope } from '../core/memory.js';
import { checkCount, checkNumber } from '../core/check-options.js';
import { askModel } from '../core/ask-model.js';
import { readSettings, resolveTargets, targetName } from './settings.js';
import { breathe } from '../core/event-loop.js';

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('./explanation.js').Samples} Samples
 * @typedef {import('../core/memory.js').Scope} Scope
 * @typedef {import('../core/ask-model.js').Answered} Answered
 */

/**
 * How the model is asked; every `explain…` call takes these.
 *
 * @typedef {object} AskOptions
 * @property {number | 'auto'} [samples]  how many perturbations are planned, the input included; default 1000. `'auto'`:
 *   as many as it takes until the leading weights are sure, at most `maxSamples`; a `neighborhood` of your own has all of
 *   `maxSamples` made before the first is asked about, so that only queries are saved. With `method: 'shap'` a number of
 *   coalitions, at least 2 a feature and 2; default 1000, or 4 a feature and 2 where that is more
 * @property {number} [maxSamples]  of `samples: 'auto'`; default 5000, for images 1000
 * @property {number} [precision]  of `samples: 'auto'`: an interval is narrow enough below this share of the largest
 *   weight; default 0.2
 * @property {number} [batchSize]  samples a call of `predict`; default 256, fewer for large images
 * @property {number} [concurrency]  calls of `predict` under way at once; default 1
 * @property {number} [timeout]  milliseconds that a call of `predict` may take; default no limit. It cannot interrupt a
 *   model that computes without ever giving way.
 * @property {AbortSignal} [signal]
 * @property {(progress: Progress) => void} [onProgress]  called after every batch
 */

/**
 * @typedef {object} Progress
 * @property {number} asked  queries answered so far
 * @property {number} planned  how many there will be; with `samples: 'auto'` at most
 * @property {'model' | 'solve'} phase
 * @property {any} partial  the explanation that the answers so far give, an array where `target` is one; null while there
 *   are too few. Made when it is read: who does not look does not pay.
 * @property {number} [row]  in `explainRows`: which
 */

export const ASK_OPTIONS = Object.freeze([
  ...['samples', 'maxSamples', 'precision', 'batchSize', 'concurrency', 'timeout', 'signal', 'onProgress'],
]);

/** `samples: 'auto'` looks again after so many; the same whatever the batch size, so that the answer is the same. */
const STEP = 128;
/** The leading features must be the same for so many looks. */
const SAME_LOOKS = 2;
/** How many of the weights lead, where all features may speak. */
const LEADERS = 5;
/** What fits beside the samples into the 2 GB that WebAssembly has. */
const MOST_BYTES = 1.5e9;
/** Draws of a partial explanation: it is gone after the next batch. */
const PARTIAL_DRAWS = 50;

/**
 * The perturbations of one input.
 *
 * @template Batch
 * @template {Feature} F
 * @typedef {object} Neighborhood
 * @property {'row' | 'text' | 'image'} kind
 * @property {(samples: number) => { distinct: number, owner: Uint32Array, planned?: number }} make  plans so many
 *   samples; owner: which distinct one each planned copy is. What was distinct before stays so and keeps its place.
 *   planned: how many there are, where they have an end.
 * @property {number} width  how many features
 * @property {number} possible  how many distinct samples there are; Infinity where they are not to be enumerated
 * @property {(first: number, count: number, lane: number) => Batch} batch  distinct ones, as the model wants them
 * @property {(count: number, scope: Scope) => Omit<Samples, 'answers' | 'owner'>} points  the first `count` distinct
 *   ones, as the surrogate sees them; what the scope holds is there until all is explained
 * @property {(index: number) => string} name
 * @property {(feature: Feature) => F} describe  adds to a feature where it is
 * @property {object} [about]  what the explanation carries beside
 * @property {readonly string[]} [warnings]  what is doubtful about it from the start
 */

/**
 * @param {AskOptions & import('./settings.js').SolveOptions} options  names already checked
 * @param {{ maxSamples?: number, batchSize?: number, features?: number | 'all', ridge?: number, draws?: number }} [usual]
 *   defaults
 * @throws {TypeError | RangeError}
 */
export function readPlan(options, usual = {}) {
  const { samples = 1000, maxSamples = usual.maxSamples ?? 5000, precision = 0.2, concurrency = 1 } = options;
  const { batchSize = usual.batchSize ?? 256, timeout = Infinity, signal, onProgress } = options;
  // Not instanceof: a signal may come from another realm.
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new TypeError(`signal must be an AbortSignal, not ${show(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`onProgress must be a function, not ${show(onProgress)}`);
  const auto = samples === 'auto';
  if (typeof samples === 'string' && !auto)
    throw new RangeError(`samples must be a number or 'auto', not ${show(samples)}`);
  const most = checkCount(maxSamples, 'maxSamples', 2, 1e7);
  if (auto && Array.isArray(/** @type {any} */ (options.environments)?.weights ?? options.environments))
    throw new RangeError("environments of your own have a weight a sample; samples must be a number then, not 'auto'");
  const count = auto ? Math.min(STEP, most) : checkCount(samples, 'samples', 2, 1e7);
  return {
    auto,
    samples: count,
    maxSamples: most,
    precision: checkNumber(precision, 'precision', { above: 0 }),
    batchSize: checkCount(batchSize, 'batchSize', 1),
    concurrency: checkCount(concurrency, 'concurrency', 1),
    timeout: checkNumber(timeout, 'timeout', { above: 0 }),
    signal,
    onProgress,
    settings: readSettings(options, { samples: count, ...usual }),
  };
}

/** @typedef {ReturnType<typeof readPlan>} Plan */

/**
 * From a neighborhood to explanations: asks the model, then solves.
 *
 * @template Batch
 * @template {Feature} F
 * @param {import('../core/load.js').Core} core
 * @param {import('../core/ask-model.js').Predict<Batch>} predict
 * @param {Neighborhood<Batch, F>} neighborhood
 * @param {Plan & { row?: number }} plan  row: told with the progress
 * @param {number} started  when the call began, by performance.now()
 */
export function explainNeighborhood(core, predict, neighborhood, plan, started) {
  return askAndExplain(predict, new Study(core, neighborhood, plan), plan, started);
}

/**
 * What is asked about, and what the answers say.
 *
 * @template Batch
 * @typedef {object} Inquiry
 * @property {number} distinct  how many samples are to be asked
 * @property {Uint32Array} [owner]  for each planned copy, which of them it is
 * @property {() => number} mostQueries
 * @property {(first: number, count: number, lane: number) => Batch} batch
 * @property {(answered: Answered) => void} [check]  after every batch; may throw
 * @property {(answered: Answered) => number} [more]  whether more has to be asked
 * @property {(answered: Answered, owner?: Uint32Array) => unknown} partial
 * @property {(answered: Answered, settings: import('./settings.js').Settings,
 *   time: { model: number, started: number }) => any[]} explain  one explanation a target
 */

/**
 * Asks the model, tells how far it is, then explains.
 *
 * @template Batch
 * @param {import('../core/ask-model.js').Predict<Batch>} predict
 * @param {Inquiry<Batch>} study
 * @param {Plan & { row?: number }} plan
 * @param {number} started
 */
export async function askAndExplain(predict, study, plan, started) {
  const { settings, onProgress, row, batchSize, concurrency, timeout, signal } = plan;
  let inBetween = 0;
  /** Time of our own, while the model is being asked. @template T @param {() => T} work */
  const ours = (work) => {
    const before = performance.now();
    const result = work();
    inBetween += performance.now() - before;
    return result;
  };
  /** @param {Answered} answered @param {'model' | 'solve'} phase */
  const report = (answered, phase) => {
    const { owner } = study;
    /** @type {unknown} */
    let partial;
    onProgress?.({
      asked: answered.asked,
      planned: study.mostQueries(),
      phase,
      ...(row !== undefined && { row }),
      get partial() {
        if (partial === undefined) partial = ours(() => study.partial(answered, owner));
        return partial;
      },
    });
  };
  const asking = performance.now();
  const answered = await askModel(predict, {
    batchSize,
    concurrency,
    timeout,
    signal,
    count: study.distinct,
    batch: (first, count, lane) => ours(() => study.batch(first, count, lane)),
    onShape: (columns) => void resolveTargets(settings, columns, new Float64Array(columns)),
    onBatch(now) {
      study.check?.(now);
      report(now, 'model');
    },
    more: plan.auto ? (now) => ours(() => study.more?.(now) ?? 0) : undefined,
  });
  const model = performance.now() - asking - inBetween;
  report(answered, 'solve');
  await breathe();
  plan.signal?.throwIfAborted();
  const explanations = study.explain(answered, settings, { model, started });
  return settings.target.several ? explanations : explanations[0];
}

/**
 * One neighborhood while it is being asked about.
 *
 * @template Batch
 * @template {Feature} F
 */
class Study {
  #core;
  #neighborhood;
  #plan;
  #planned;
  /** How many samples there are: fewer than were planned where a neighborhood has an end. */
  #copies = 0;
  /** For each planned copy, which distinct sample it is. @type {Uint32Array} */
  owner;
  /** How many distinct ones there are. */
  distinct = 0;
  /** Why asking ended, where that was not settled in advance. @type {'settled' | 'cap' | 'exhausted' | undefined} */
  #stopped;
  /** The leading features at the last look, and for how many looks they have been so. */
  #leaders = { names: '', looks: 0 };

  /**
   * @param {import('../core/load.js').Core} core
   * @param {Neighborhood<Batch, F>} neighborhood
   * @param {Plan} plan
   */
  constructor(core, neighborhood, plan) {
    this.#core = core;
    this.#neighborhood = neighborhood;
    this.#plan = plan;
    checkRoom(neighborhood.width, plan.settings);
    // Where there are few perturbations at all, asking all of them is cheaper than looking.
    const few = plan.auto && neighborhood.possible <= Math.min((SAME_LOOKS + 1) * STEP, plan.maxSamples);
    if (few) this.#stopped = 'exhausted';
    this.#planned = few ? plan.maxSamples : plan.samples;
    this.owner = this.#make();
  }

  #make() {
    const { distinct, owner, planned = this.#planned } = this.#neighborhood.make(this.#planned);
    this.distinct = distinct;
    this.#copies = planned;
    return owner;
  }

  /** @param {number} first @param {number} count @param {number} lane */
  batch(first, count, lane) {
    return this.#neighborhood.batch(first, count, lane);
  }

  mostQueries() {
    return this.#plan.auto && !this.#stopped
      ? Math.min(this.#plan.maxSamples, this.#neighborhood.possible)
      : this.distinct;
  }

  /**
   * Whether more has to be asked, and if so plans it.
   *
   * @param {Answered} answered
   * @returns {number}  how many distinct samples are wanted now
   */
  more(answered) {
    while (!this.#stopped && this.distinct === answered.asked) {
      // A generator may run out: then all has been asked, and looking again would only see the same.
      if (this.#copies < this.#planned) this.#stopped = 'exhausted';
      else if (this.#isSettled(answered)) this.#stopped = 'settled';
      else if (this.#planned >= this.#plan.maxSamples) this.#stopped = 'cap';
      else {
        this.#planned = Math.min(this.#plan.maxSamples, this.#planned + STEP);
        this.owner = this.#make();
      }
    }
    return this.distinct;
  }

  /** @param {Answered} answered */
  #isSettled(answered) {
    const names = [];
    let sure = true;
    for (const { features } of this.#look(answered)) {
      const enough = this.#plan.precision * Math.abs(features[0]?.weight ?? 0);
      const leading = features.slice(0, LEADERS);
      sure &&= leading.every(
        ({ interval }) => !interval || interval[0] > 0 || interval[1] < 0 || interval[1] - interval[0] <= enough,
      );
      // One that hardly speaks does not lead: which of the silent words comes fifth is chance.
      const loud = leading.filter(({ weight }) => Math.abs(weight) >= enough);
      names.push(loud.map(({ index }) => index).sort((a, b) => a - b));
    }
    if (names.length === 0) return false;
    const now = JSON.stringify(names);
    this.#leaders = { names: now, looks: now === this.#leaders.names ? this.#leaders.looks + 1 : 0 };
    return sure && this.#leaders.looks >= SAME_LOOKS;
  }

  /**
   * What the answers so far say: those that came in order, since the others are no fair sample.
   *
   * @param {Answered} answered
   * @param {Uint32Array} [planned]  the copies that were planned then
   */
  partial({ prefix, answers, columns }, planned = this.owner) {
    const { settings } = this.#plan;
    if (prefix < 2 || settings.environments.own) return null;
    const owner = planned.filter((point) => point < prefix);
    const lighter = { ...settings, draws: Math.min(settings.draws, PARTIAL_DRAWS) };
    const explanations = this.#look({ asked: prefix, prefix, answers, columns }, lighter, owner);
    return (settings.target.several ? explanations.length && explanations : explanations[0]) || null;
  }

  /**
   * Explanations, or none where the answers are too few to determine any; all of them may yet do.
   *
   * @param {Answered} answered
   * @param {import('./settings.js').Settings} [settings]
   * @param {Uint32Array} [owner]
   */
  #look(answered, settings = this.#plan.settings, owner = this.owner) {
    try {
      return this.explain(answered, settings, { owner });
    } catch (error) {
      if (error instanceof LinexError && error.code === 'degenerate') return [];
      throw error;
    }
  }

  /**
   * One explanation a target.
   *
   * @param {Answered} answered
   * @param {import('./settings.js').Settings} settings
   * @param {{ owner?: Uint32Array, model?: number, started?: number }} [how]
   */
  explain({ asked, answers, columns }, settings, { owner = this.owner, model = 0, started } = {}) {
    const { kind, name, describe, about, warnings } = this.#neighborhood;
    return withScope(this.#core, (scope) => {
      const points = this.#neighborhood.points(asked, scope);
      const limits = { ended: this.#copies < this.#planned, weighed: points.weighed };
      return resolveTargets(settings, columns, answers.subarray(0, columns)).map((column) => {
        const score = new Float64Array(asked);
        for (let i = 0; i < asked; i++) score[i] = answers[i * columns + column];
        const solved = solve(this.#core, Object.assign(points, { answers: score, owner }), settings);
        return buildExplanation(solved, settings, {
          kind,
          target: targetName(settings, column, columns),
          prediction: score[0],
          name,
          describe,
          about,
          warnings,
          limits,
          queries: { planned: owner === this.owner ? this.#copies : owner.length, asked, stopped: this.#stopped },
          milliseconds: { model, own: started === undefined ? 0 : performance.now() - started - model },
        });
      });
    });
  }
}

/**
 * What will not fit is better said before the model is asked than after.
 *
 * @param {number} width
 * @param {import('./settings.js').Settings} settings
 * @throws {LinexError} `'memory'`
 */
function checkRoom(width, { features, selection, environments, methodCode }) {
  const size = features === 0 ? width : Math.min(features, width);
  const players = methodCode === 1 ? 1 : environments.count;
  // Selecting more than six of many takes the highest of a fit with all, and so does the lasso.
  const fitsAll = size < width && (selection >= 2 || (selection === 0 && size > 6));
  const bytes = 8 * ((players + 1) * size * size + (fitsAll ? width * width : 0));
  if (bytes > MOST_BYTES)
    throw new LinexError(
      'memory',
      `a fit with ${fitsAll ? width : size} features does not fit into WebAssembly's memory; ask for fewer, ` +
        "select them by 'forward', or take larger units",
    );
}
