// Runs one explanation: asks the model about a neighborhood, reports progress, and explains the answers.
import { askModel, scoresOf } from '../core/ask-model.js';
import { isDegenerate, LinexError } from '../core/errors.js';
import { breathe } from '../core/event-loop.js';
import { wideWasm } from '../core/load.js';
import { withScopeAsync } from '../core/memory.js';
import { adjustingFile } from '../solve/adjust-answers.js';
import { buildExplanation } from './explanation.js';
import { FEWEST, lookAt } from './plan.js';
import { rivalOf } from '../solve/rival.js';
import { columnsOf, needsWide, playingOf, resolveTargets, settingsFor, targetName } from '../solve/settings.js';
import { solveSamples } from '../solve/solve-samples.js';

/**
 * @typedef {import('../core/ask-model.js').Answered} Answered
 * @typedef {import('../core/memory.js').Scope} Scope
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('./plan.js').AskPlan} AskPlan
 * @typedef {import('../solve/settings.js').Settings} Settings
 */

/** The most bytes that a fit may take: fit and samples share the 2 GB of WebAssembly's memory. */
const MAX_BYTES = 1.5e9;

/**
 * What is explained, and how its features are described.
 *
 * @template {Feature} F
 * @typedef {object} Subject
 * @property {'row' | 'text' | 'image'} kind
 * @property {number} featureCount
 * @property {(index: number) => string} name
 * @property {(feature: Feature) => F} describe  adds the feature's place in the input
 * @property {import('./reference.js').ReferencePlace} reference  what the contributions are relative to
 * @property {object} [about]  further fields of the explanation
 * @property {readonly import('../core/coded-warning.js').Warning[]} [warnings]  warnings that are known before the model is asked
 */

/**
 * The samples around one input.
 *
 * @template Batch
 * @typedef {object} Neighborhood
 * @property {number} possible  how many distinct samples exist; Infinity if they cannot be enumerated
 * @property {'rows' | 'masks'} [law]  what the law of the samples is about, if it is known; after `make`
 * @property {number} [run]  how many consecutive samples after the input belong together, such as the masks of a block;
 *   default 1
 * @property {(samples: number) => { distinct: number, pointOf: Uint32Array, planned?: number }} make  plans this many
 *   samples. pointOf: for each planned sample, the index of its distinct point; points that were made before keep their
 *   index. planned: how many samples there are, if fewer than asked for
 * @property {(first: number, count: number, lane: number) => Batch} batch  distinct points, as the model takes them
 * @property {(count: number, scope: Scope) => import('../core/border.js').PlacedPoints} place  writes the first `count`
 *   distinct points to WebAssembly's memory, as the surrogate sees them
 */

/**
 * Asks the model about a neighborhood, then explains its answers.
 *
 * @template Batch
 * @template {Feature} F
 * @param {import('../core/load.js').Core} core
 * @param {import('../core/ask-model.js').Predict<Batch>} predict
 * @param {Subject<F>} subject
 * @param {Neighborhood<Batch>} neighborhood
 * @param {AskPlan} plan
 * @param {number} started  when the call began, by performance.now()
 */
export async function explainNeighborhood(core, predict, subject, neighborhood, plan, started) {
  // The samples of kept answers have a seed of their own.
  const seed = plan.again?.seed ?? plan.settings.seed;
  const ready = { ...plan, settings: settingsFor({ ...plan.settings, seed }, subject.featureCount) };
  const study = new SurrogateStudy(core, subject, neighborhood, ready);
  await study.fetchFiles();
  // Drawing thousands of masks of thousands of words takes a while.
  await breathe();
  return askAndExplain(predict, study, ready, started);
}

/**
 * What the model is asked, and how its answers are explained.
 *
 * @template Batch
 * @typedef {object} Study
 * @property {number} distinct  how many points the model is asked about
 * @property {number} [wanted]  how many samples were asked for
 * @property {Uint32Array} [pointOf]  for each planned sample, the index of its distinct point
 * @property {() => number} maxQueries
 * @property {(first: number, count: number, lane: number) => Batch} batch
 * @property {(answered: Answered) => void} [check]  called after every batch; may throw
 * @property {(answered: Answered) => Promise<number>} [extend]  called when all points are answered; returns the new
 *   number of points
 * @property {(answered: Answered, pointOf?: Uint32Array) => unknown} partial
 * @property {(answered: Answered, settings: Settings, run: Run) => any[] | Promise<any[]>} explain  one explanation per
 *   target
 */

/**
 * @typedef {object} Run
 * @property {number} [model]  how long the model took, in milliseconds
 * @property {number} [started]  when the call began, by performance.now(); without it, no time is reported
 * @property {AbortSignal} [signal]
 * @property {(progress: number) => void} [onSlice]  called between the slices of a long computation
 */

/**
 * Asks the model, reports progress, then explains.
 *
 * @template Batch
 * @param {import('../core/ask-model.js').Predict<Batch>} predict
 * @param {Study<Batch>} study
 * @param {AskPlan} plan
 * @param {number} started
 */
export async function askAndExplain(predict, study, plan, started) {
  const { settings, onProgress, row, batchSize, concurrency, timeout, signal, again } = plan;
  if (plan.count) return plan.count(study, plan);
  const keeping = again || plan.keepAnswers ? await import('../solve/kept-answers.js') : undefined;
  let ownTime = 0;
  /** Counts the time of our own work while the model is asked. @template T @param {() => T} work */
  const timed = (work) => {
    const before = performance.now();
    const result = work();
    ownTime += performance.now() - before;
    return result;
  };
  /** @param {Answered} answered @param {'model' | 'solve'} phase @param {number} [progress] */
  const report = (answered, phase, progress) => {
    const { pointOf } = study;
    /** @type {unknown} */
    let partial;
    onProgress?.({
      asked: answered.asked,
      planned: study.maxQueries(),
      phase,
      ...(progress !== undefined && { progress }),
      ...(row !== undefined && { row }),
      get partial() {
        if (partial === undefined) partial = timed(() => study.partial(answered, pointOf));
        return partial;
      },
    });
  };
  /** Plans more samples. @param {Answered} now */
  const extend = async (now) => {
    const before = performance.now();
    const count = (await study.extend?.(now)) ?? 0;
    ownTime += performance.now() - before;
    return count;
  };
  const asking = performance.now();
  const onShape = (/** @type {number} */ columns) => void resolveTargets(settings, columns, new Float64Array(columns));
  const reused = again && keeping?.answersIn(again.kept, study, onShape);
  const questions = {
    batchSize,
    concurrency,
    timeout,
    signal,
    count: study.distinct,
    batch: (/** @type {number} */ first, /** @type {number} */ count, /** @type {number} */ lane) =>
      timed(() => study.batch(first, count, lane)),
    onShape,
    onBatch(/** @type {Answered} */ now) {
      study.check?.(now);
      report(now, 'model');
    },
    extend: plan.auto ? extend : undefined,
  };
  const answered = reused ?? (await askModel(predict, questions));
  const model = reused ? 0 : performance.now() - asking - ownTime;
  report(answered, 'solve', 0);
  await breathe();
  signal?.throwIfAborted();
  plan.throwIfProgressFailed();
  const onSlice = (/** @type {number} */ progress) => {
    plan.throwIfProgressFailed();
    report(answered, 'solve', progress);
  };
  const explained = await study.explain(answered, settings, { model, started, signal, onSlice });
  const explanations = keeping ? keeping.withKept(explained, study, answered, plan) : explained;
  return settings.target.several ? explanations : explanations[0];
}

/**
 * A neighborhood whose answers are explained by a linear surrogate.
 *
 * @template Batch
 * @template {Feature} F
 */
class SurrogateStudy {
  #core;
  #subject;
  #neighborhood;
  #plan;
  /** Only with `samples: 'auto'`. @type {import('./adaptive-stopping.js').StoppingRule | undefined} */
  #stoppingRule;
  /** Only with `onProgress`. @type {typeof import('./partial-explanation.js').explainPart | undefined} */
  #explainPart;
  /** How many samples were asked for. */
  wanted;
  /** How often the weights were looked at, with `samples: 'auto'`, the next look included. */
  #looks = 1;
  /** The number of planned samples; fewer if the neighborhood has no more. */
  #planned = 0;
  /** For each planned sample, the index of its distinct point. @type {Uint32Array} */
  pointOf;
  distinct = 0;
  /** Why asking ended, with `samples: 'auto'`. @type {'settled' | 'cap' | 'exhausted' | undefined} */
  #stopped;

  /**
   * @param {import('../core/load.js').Core} core
   * @param {Subject<F>} subject
   * @param {Neighborhood<Batch>} neighborhood
   * @param {AskPlan} plan
   */
  constructor(core, subject, neighborhood, plan) {
    this.#core = core;
    this.#subject = subject;
    this.#neighborhood = neighborhood;
    this.#plan = plan;
    checkMemory(subject.featureCount, plan.settings);
    const few = plan.auto && neighborhood.possible <= Math.min(FEWEST, plan.maxSamples);
    if (few) this.#stopped = 'exhausted';
    this.wanted = plan.again?.kept.samples ?? (few ? plan.maxSamples : plan.auto ? this.#lookAt(1) : plan.samples);
    this.pointOf = this.#make();
  }

  /** How many samples are planned for a look. @param {number} look */
  #lookAt(look) {
    const { maxSamples, settings } = this.#plan;
    return lookAt(look, settings.sampling, maxSamples, this.#neighborhood.run);
  }

  #make() {
    const { distinct, pointOf, planned = this.wanted } = this.#neighborhood.make(this.wanted);
    this.distinct = distinct;
    this.#planned = planned;
    return pointOf;
  }

  /**
   * Starts to load the files that the solution needs, so that they come while the model is asked. Partial explanations
   * cannot wait, so it waits for theirs.
   */
  async fetchFiles() {
    const { settings, onProgress } = this.#plan;
    const { featureCount } = this.#subject;
    adjustingFile(settings, this.#neighborhood.law, featureCount, this.distinct)?.fetchAhead();
    if (needsWide(settings, featureCount, this.distinct)) wideWasm.fetchAhead();
    if (!onProgress) return;
    const { explainPart, FEWEST_ANSWERS } = await import('./partial-explanation.js');
    this.#explainPart = explainPart;
    if (needsWide(settings, featureCount, FEWEST_ANSWERS)) await wideWasm.readyBeside(this.#core);
  }

  /** @param {number} first @param {number} count @param {number} lane */
  batch(first, count, lane) {
    return this.#neighborhood.batch(first, count, lane);
  }

  maxQueries() {
    return this.#plan.auto && !this.#stopped
      ? Math.min(this.#lookAt(Infinity), this.#neighborhood.possible)
      : this.distinct;
  }

  /**
   * Plans more samples, unless asking may stop.
   *
   * @param {Answered} answered
   * @returns {Promise<number>}  how many distinct points there are now
   */
  async extend(answered) {
    const { settings, signal, precision } = this.#plan;
    const rule = (this.#stoppingRule ??= new (await import('./adaptive-stopping.js')).StoppingRule(precision));
    while (!this.#stopped && this.distinct === answered.asked) {
      if (this.#planned < this.wanted) this.#stopped = 'exhausted';
      else if (rule.isSettled(await orNone(() => this.#solveAll(answered, settings, { signal }))))
        this.#stopped = 'settled';
      else if (this.wanted === this.#lookAt(this.#looks + 1)) this.#stopped = 'cap';
      else {
        this.wanted = this.#lookAt(++this.#looks);
        this.pointOf = this.#make();
      }
    }
    return this.distinct;
  }

  /**
   * @param {Answered} answered
   * @param {Uint32Array} [planned]  what was planned at that time
   */
  partial(answered, planned = this.pointOf) {
    /** @type {import('./partial-explanation.js').Build} */
    const build = (...solved) => this.#build(...solved);
    return this.#explainPart?.(this.#core, this.#neighborhood, this.#plan.settings, answered, planned, build) ?? null;
  }

  /**
   * @param {Answered} answered
   * @param {Settings} settings
   * @param {Run} [run]
   */
  async explain(answered, settings, run = {}) {
    const { model = 0, started } = run;
    const { pointOf } = this;
    const columns = columnsOf(answered, settings);
    const solutions = await this.#solveAll(answered, settings, run);
    return solutions.map(({ solved, answers, weighed }, i) => {
      const milliseconds = { model, own: started === undefined ? 0 : performance.now() - started - model };
      return this.#build(solved, settings, answered, columns[i], { answers, pointOf, weighed, milliseconds });
    });
  }

  /**
   * Solves for each target.
   *
   * @param {Answered} answered
   * @param {Settings} settings
   * @param {Run} run
   */
  #solveAll(answered, settings, { signal, onSlice }) {
    const { pointOf } = this;
    return withScopeAsync(this.#core, async (scope) => {
      const placed = this.#neighborhood.place(answered.asked, scope);
      const columns = columnsOf(answered, settings);
      const solutions = [];
      for (const [i, column] of columns.entries()) {
        const answers = scoresOf(answered, column);
        const solved = await solveSamples(this.#core, placed, { answers, pointOf }, settings, {
          signal,
          onSlice: onSlice && ((progress) => onSlice((i + progress) / columns.length)),
        });
        solutions.push({ solved, answers, weighed: placed.weighed });
      }
      return solutions;
    });
  }

  /**
   * @param {import('../solve/solve-samples.js').Solved} solved
   * @param {Settings} settings
   * @param {Answered} answered
   * @param {number} column
   * @param {{ answers: Float64Array, pointOf: Uint32Array, weighed?: boolean, milliseconds: { model: number, own: number } }} details
   */
  #build(solved, settings, { asked, answers: scores, columns }, column, { answers, pointOf, weighed, milliseconds }) {
    return buildExplanation(solved, settings, this.#subject, {
      target: targetName(settings, column, columns),
      prediction: answers[0],
      rival: rivalOf(settings, column, scores.subarray(0, columns)),
      limits: { ended: this.#planned < this.wanted, weighed },
      queries: {
        planned: pointOf === this.pointOf ? this.#planned : pointOf.length,
        asked,
        stopped: this.#stopped,
      },
      milliseconds,
    });
  }
}

/**
 * The explanations, or none if the answers so far do not determine them.
 *
 * @template T
 * @param {() => Promise<T[]>} explain
 */
export async function orNone(explain) {
  try {
    return await explain();
  } catch (error) {
    if (isDegenerate(error)) return [];
    throw error;
  }
}

/**
 * Refuses a fit that cannot fit into memory, before the model is asked.
 *
 * @param {number} featureCount
 * @param {Settings} settings
 * @throws {LinexError} `'memory'`
 */
function checkMemory(featureCount, settings) {
  const { selection, environments, methodCode } = settings;
  const selected = playingOf(settings, featureCount);
  const players = methodCode === 1 ? 1 : environments.count;
  // Selecting more than six features, and the lasso, start from a fit with all features.
  const fitsAll = selected < featureCount && (selection === 2 || selection === 3 || (selection === 0 && selected > 6));
  const bytes = 8 * ((players + 1) * selected * selected + (fitsAll ? featureCount * featureCount : 0));
  if (bytes > MAX_BYTES)
    throw new LinexError(
      'memory',
      `a fit with ${fitsAll ? featureCount : selected} features does not fit into WebAssembly's memory; ask for fewer ` +
        "features, set selection to 'forward', or use larger units",
    );
}
