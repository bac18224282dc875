// Answers that stay with an explanation, so that the same samples can be explained again without asking the model.
import { checkCount } from '../core/check-options.js';
import { number, object, numbers, oneOf, optional, text, throwFault, whole } from '../core/check-json.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { SAMPLINGS } from '../neighborhood/sampler.js';

/**
 * The model's answers about the samples of one explanation: plain, frozen, JSON-safe data. The samples themselves are drawn again
 * from the input.
 *
 * @typedef {object} KeptAnswers
 * @property {'linex-answers/1'} schema
 * @property {number} seed  of the samples
 * @property {import('../neighborhood/sampler.js').Sampling} sampling
 * @property {number} samples  how many were planned
 * @property {number} [most]  with `samples: 'auto'`, the limit
 * @property {number} columns  numbers per answer
 * @property {readonly number[]} scores  one answer per different sample, one after the other
 * @property {string} check  a hash of some samples, by which another input is refused
 */

/**
 * The samples that a call asks about.
 *
 * @typedef {object} SampledStudy
 * @property {number} distinct  how many different samples there are
 * @property {number} [wanted]  how many samples were asked for
 * @property {(first: number, count: number, lane: number) => any} batch
 */

/**
 * What a call says about keeping.
 *
 * @typedef {object} KeepingPlan
 * @property {boolean} keepAnswers
 * @property {{ seed: number, kept: KeptAnswers }} [again]
 * @property {boolean} auto
 * @property {number} samples
 * @property {number} maxSamples
 * @property {Pick<import('./settings.js').Settings, 'seed' | 'sampling'>} settings
 */

const SHAPE = object({
  schema: oneOf('linex-answers/1'),
  ...{ seed: whole(0), sampling: oneOf(...SAMPLINGS), samples: whole(2, 1e7), most: optional(whole(2, 1e7)) },
  ...{ columns: whole(1), scores: numbers(number), check: text },
});

/** Options that say which samples are drawn. */
const OF_SAMPLES = ['samples', 'sampling', 'maxSamples', 'precision'];

/**
 * Options that draw the samples of kept answers, and beside them `again`: the answers, and the seed of the games.
 *
 * @param {Record<string, any>} options
 * @returns {any}
 * @throws {TypeError} if the answers are malformed, or an option is about samples
 * @throws {RangeError} if the seed is no whole number
 */
export function withAnswers(options) {
  const { answers, seed = 0, ...rest } = options;
  throwFault(SHAPE(answers), 'answers');
  const named = OF_SAMPLES.find((name) => options[name] !== undefined);
  if (named) throw new TypeError(`answers come with their samples, so there can be no option ${show(named)}`);
  const { samples, most, sampling } = answers;
  return {
    // Methods that ask other questions refuse it.
    answers,
    ...rest,
    ...(most === undefined ? { samples } : { samples: 'auto', maxSamples: most }),
    ...{ sampling, seed: answers.seed },
    again: { seed: checkCount(seed, 'seed', 0, Number.MAX_SAFE_INTEGER), kept: answers },
  };
}

/**
 * Explanations with the answers, if the call wants them, and with the number of queries of this call.
 *
 * @param {any[]} explanations
 * @param {SampledStudy} study
 * @param {import('../core/ask-model.js').Answered} answered
 * @param {KeepingPlan} plan
 */
export function withKept(explanations, study, answered, plan) {
  const { again } = plan;
  const answers = plan.keepAnswers ? (again ? structuredClone(again.kept) : keep(study, answered, plan)) : undefined;
  return explanations.map((explanation) => {
    const { planned } = explanation.queries;
    const queries = again ? { planned, asked: 0, reused: planned } : explanation.queries;
    return freeze({ ...explanation, queries, ...(answers && { answers }) });
  });
}

/**
 * What an explanation keeps.
 *
 * @param {SampledStudy} study
 * @param {import('../core/ask-model.js').Answered} answered
 * @param {KeepingPlan} plan
 * @returns {KeptAnswers}
 */
function keep(study, { answers, columns }, { auto, maxSamples, samples, settings }) {
  const { seed, sampling } = settings;
  return {
    schema: /** @type {const} */ ('linex-answers/1'),
    ...{ seed, sampling, samples: study.wanted ?? samples, ...(auto && { most: maxSamples }) },
    columns,
    scores: Array.from(answers),
    check: checkOf(study),
  };
}

/**
 * The kept answers as if the model had just given them.
 *
 * @param {KeptAnswers} kept
 * @param {SampledStudy} study
 * @param {(columns: number) => void} onShape
 * @returns {import('../core/ask-model.js').Answered}
 * @throws {RangeError} if they are about other samples
 */
export function answersIn({ columns, scores, check }, study, onShape) {
  const asked = scores.length / columns;
  if (asked !== study.distinct || check !== checkOf(study))
    throw new RangeError(
      `the answers are about ${asked} other samples: they need the same input, and the same options that change the samples`,
    );
  onShape(columns);
  return { asked, prefix: asked, answers: Float64Array.from(scores), columns };
}

/** How many samples the hash is made of: composing all images would take long. */
const CHECKED = 8;

/**
 * A hash of some samples, as the model gets them.
 *
 * @param {SampledStudy} study
 * @returns {string}
 */
function checkOf(study) {
  const last = study.distinct - 1;
  const count = Math.min(CHECKED, last + 1);
  const state = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < count; i++) {
    const batch = study.batch(count > 1 ? Math.floor((i * last) / (count - 1)) : 0, 1, 0);
    // Rows are compared by their values, because the type of the numbers changes nothing.
    const words = Array.isArray(batch) ? batch : (batch.records ?? batch.shape);
    mix(state, new TextEncoder().encode(JSON.stringify(words)));
    if (!Array.isArray(batch) && !batch.records)
      mix(state, new Uint8Array(batch.data.buffer, batch.data.byteOffset, batch.data.byteLength));
  }
  return state.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Adds bytes to two hashes, FNV-1a with different starts and factors. @param {number[]} state @param {Uint8Array} bytes */
function mix(state, bytes) {
  let [a, b] = state;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
  }
  state[0] = a;
  state[1] = b ^ (b >>> 15);
}
