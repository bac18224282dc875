// Runs one job of the study: explains one input with every method, size and seed, and measures the explanations.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'linex';
import { dataFolder } from '../paper/sets/data.js';
import { METHODS, methodOptions, tolerantly, truthOptions } from './compared-methods.js';
import { PAIRS } from './pairs.js';
import {
  againstTruth,
  beforeSilencing,
  betweenNeighbors,
  betweenSeeds,
  countCovered,
  largestOnly,
  mean,
  onFreshSamples,
  recallOf,
} from './steadiness.js';

const FRESH = { count: 2000, seed: 20231 };
const TRUTH_SEED = 777777;
/**
 * Inputs have seeds of their own, because a seed's design is the same for all inputs: with shared seeds, one unlucky design
 * would count once per input. Neighbors have other seeds than the input, as two calls by two users would.
 */
const [INPUT_SEEDS, NEIGHBOR_SEED] = [1000, 500];

/** Both numbers of features: all, and the five of LIME's default. */
export const MODES = Object.freeze({ all: 'all', five: 5 });

const OPENERS = {
  rows: async (pair, folder) => (await import('./row-pairs.js')).openRows(pair, folder),
  texts: async (pair, folder) => (await import('./text-pairs.js')).openTexts(pair, folder),
  // Imported here, because only the networks need their runtime.
  images: async (pair) => (await import('./image-pairs.js')).openImages(pair),
};

/** The subject of the last job, because a thread has many jobs on the same pair. */
let opened = { key: '', subject: /** @type {any} */ (undefined) };

/** @param {string} key  of a pair */
export async function openPair(key) {
  if (opened.key === key) return opened.subject;
  const pair = PAIRS.find((one) => one.key === key);
  opened = { key, subject: await OPENERS[pair.kind](pair, dataFolder()) };
  return opened.subject;
}

/**
 * @typedef {object} SteadyJob
 * @property {string} set  key of the pair
 * @property {string} part
 * @property {string} kind
 * @property {number} example
 * @property {readonly number[]} sizes  numbers of samples
 * @property {number} seeds
 * @property {number} neighbors
 * @property {number} autos  seeds for `samples: 'auto'`
 * @property {readonly string[]} methods
 * @property {string} truths  the folder for the stored truths
 * @property {boolean} tolerant
 */

/**
 * @param {SteadyJob} job
 * @param {(share: number) => void} [onProgress]
 */
export async function runSteadyJob(job, onProgress = () => {}) {
  await load();
  const subject = await openPair(job.set);
  const fresh = await subject.fresh(job.example, FRESH.count, FRESH.seed);
  const wrap = job.tolerant ? tolerantly : (explain) => explain;
  const run = { job, subject, fresh, wrap, options: await methodOptions(job.tolerant) };
  const truth = await findTruth(run);
  const rounds = job.seeds + Math.min(job.neighbors, subject.neighborCount(job.example)) + 1;
  let done = 0;
  const step = () => onProgress(++done / rounds);
  const table = await explainEverything(run, step);
  const cells = [...table.values()].map((cell) => measureCell(cell, run, truth));
  const auto = await explainAdaptively(run);
  step();
  const about = { ...subject.about, features: truth.weights.length, truth: onFreshSamples(truth, fresh) };
  return { about, cells, auto };
}

/**
 * Returns the truth of an input, from the folder if it is there: the fit of all features, and that of the five features
 * that LIME selects.
 */
async function findTruth({ job, subject, fresh, wrap }) {
  // The fresh answers depend on the model, the input and the law of the samples, so they tell whether a stored truth fits.
  const options = truthOptions(job.kind);
  const known = JSON.stringify([2, options, TRUTH_SEED, fresh.points[0], fresh.answers]);
  const digest = createHash('sha256').update(known).digest('hex').slice(0, 16);
  const file = path.join(job.truths, `${job.set}-${job.example}-${digest}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const explain = wrap(subject.asked(job.example));
  const { weights, intercept } = await explain({ ...options, seed: TRUTH_SEED });
  const { weights: selected } = await explain({ ...options, features: MODES.five, seed: TRUTH_SEED });
  const truth = { weights, intercept, selected };
  mkdirSync(job.truths, { recursive: true });
  // Two threads never write the same file, but a stopped run must not leave half of one.
  writeFileSync(`${file}.part`, JSON.stringify(truth));
  renameSync(`${file}.part`, file);
  return truth;
}

/** Explains the input with every seed, and its neighbors, by every method and size. */
async function explainEverything({ job, subject, wrap, options }, step) {
  const table = new Map();
  for (const mode of Object.keys(MODES))
    for (const method of job.methods)
      for (const samples of job.sizes)
        table.set(`${mode} ${method} ${samples}`, { mode, method, samples, own: [], near: [] });
  const fill = async (explain, seed, put) => {
    for (const cell of table.values())
      put(cell, await explain({ ...options[cell.method], features: MODES[cell.mode], samples: cell.samples, seed }));
    step();
  };
  const first = job.example * INPUT_SEEDS;
  for (let seed = first; seed < first + job.seeds; seed++)
    await fill(wrap(subject.asked(job.example)), seed, (cell, explanation) => cell.own.push(explanation));
  for (let neighbor = 0; neighbor < Math.min(job.neighbors, subject.neighborCount(job.example)); neighbor++)
    await fill(wrap(subject.asked(job.example, neighbor)), first + NEIGHBOR_SEED + neighbor, (cell, explanation) =>
      cell.near.push(subject.align(job.example, neighbor, cell.own[0], explanation)),
    );
  return table;
}

function measureCell({ mode, method, samples, own, near }, { fresh }, truth) {
  const vectors = own.map(({ weights }) => weights);
  const few = METHODS[method].lists === 'selected' ? truth.selected : largestOnly(truth.weights);
  const limit = mode === 'all' ? truth.weights : few;
  const scored = own.map((explanation) => onFreshSamples(explanation, fresh));
  return {
    mode,
    method,
    samples,
    ...betweenSeeds(vectors),
    ...betweenNeighbors(near.filter(Boolean)),
    ...againstTruth(vectors, limit),
    ...recallOf(vectors, truth.weights),
    rawError: againstTruth(own.map(beforeSilencing), limit).error,
    ...countCovered(own, truth.weights),
    infidelity: mean(scored.map(({ infidelity }) => infidelity)),
    r2: mean(scored.map(({ r2 }) => r2)),
    inputInfidelity: mean(own.map(({ prediction, localPrediction }) => Math.abs(prediction - localPrediction))),
    milliseconds: mean(own.map(({ milliseconds }) => milliseconds.own)),
  };
}

/** How many queries `samples: 'auto'` asks, with the default number of features. */
async function explainAdaptively({ job, subject, wrap, options }) {
  const found = Object.fromEntries(job.methods.map((method) => [method, []]));
  const first = job.example * INPUT_SEEDS;
  for (let seed = first; seed < first + job.autos; seed++) {
    const explain = wrap(subject.asked(job.example));
    for (const method of job.methods) {
      const { queries } = await explain({ ...options[method], samples: 'auto', seed });
      found[method].push({ asked: queries.asked, settled: queries.stopped === 'settled' });
    }
  }
  return found;
}
