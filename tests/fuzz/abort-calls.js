// The calls of the attack that are aborted at any time: each ends with the signal's reason, or with a result.
import fc from 'fast-check';
import * as linex from 'linex';

/** An abort takes effect within a tenth of this, in milliseconds. */
const LATE = 1000;

const ROWS = Array.from({ length: 40 }, (_, i) => Array.from({ length: 8 }, (_, c) => wave(i, c, 1)));
const table = await linex.describeTable(ROWS);
const IMAGE = { width: 24, height: 20, data: Uint8Array.from({ length: 1440 }, (_, i) => (i * 37) % 256), channels: 3 };
const TEXT = Array.from({ length: 30 }, (_, i) => `word${i % 20}`).join(' ');

/** A number from -1 to 1 that looks random. @param {number} i @param {number} c @param {number} seed */
function wave(i, c, seed) {
  return Math.sin(i * 12.9898 + c * 78.233 + seed);
}

/** An answer of each sample, after a while. @param {number} count @param {number} wait  in milliseconds; 0: at once */
function answer(count, wait) {
  const answers = Array.from({ length: count }, (_, i) => wave(i, 0, count));
  return wait ? new Promise((resolve) => setTimeout(resolve, wait, answers)) : answers;
}

/** A game that takes several slices. @param {number} size @param {number} seed */
function longGame(size, seed) {
  const players = [0, 1, 2];
  const entry = (/** @type {number} */ p, /** @type {number} */ c, /** @type {number} */ d) =>
    [1, 2, 3, 4].reduce((sum, k) => sum + wave(c, k + 4 * p, seed) * wave(d, k + 4 * p, seed), c === d ? 0.01 : 0);
  return {
    grams: players.map((p) => Array.from({ length: size * size }, (_, i) => entry(p, Math.floor(i / size), i % size))),
    targets: players.map((p) => Array.from({ length: size }, (_, c) => wave(c, p, seed))),
    gamma: 0.1,
  };
}

/** What is aborted. Each gets the size of its work, a seed, the waiting time of the model, and the options. */
const FUNCTIONS = {
  explainRow: (size, seed, wait, options) =>
    linex.explainRow(ROWS[0], (batch) => answer(batch.shape[0], wait), { table, samples: 5 * size, seed, ...options }),
  recourse: (size, seed, wait, { batchSize, concurrency, signal, onProgress }) =>
    linex.recourse(ROWS[0], (batch) => answer(batch.shape[0], wait), {
      ...{ table, threshold: 2, samples: 5 * size, maxQueries: size, seed, batchSize, concurrency, signal, onProgress },
    }),
  explainText: (size, seed, wait, options) =>
    linex.explainText(TEXT, (texts) => answer(texts.length, wait), { samples: 2 * size, seed, ...options }),
  explainImage: (size, seed, wait, options) =>
    linex.explainImage(IMAGE, (batch) => answer(batch.shape[0], wait), { samples: size, seed, ...options }),
  explainSamplesAsync: (size, seed, _, { method, environments, draws, signal, onProgress }) => {
    const points = Array.from({ length: size }, (_, i) => Array.from({ length: 20 }, (_, c) => wave(i, c, seed)));
    const predictions = points.map((point) => point[0] * point[1]);
    const options = { method, environments, draws, signal, onProgress };
    return linex.explainSamplesAsync({ points, predictions }, options);
  },
  solveGameAsync: (size, seed, _, { signal, onProgress }) =>
    linex.solveGameAsync(longGame(size, seed), { signal, onProgress }),
};

const REASONS = [undefined, null, 0, 'stop', new Error('stop'), new RangeError('stop')];

/** When to abort: before the call, after a time in milliseconds, or during a report of progress. */
const moments = fc.oneof(
  fc.constant({ before: true }),
  fc.record({ after: fc.integer({ min: 0, max: 25 }) }),
  fc.record({ report: fc.integer({ min: 1, max: 12 }) }),
);

/**
 * Calls a function and aborts it.
 *
 * @param {(options: object) => Promise<unknown>} call
 * @param {{ before?: boolean, after?: number, report?: number }} moment
 * @param {unknown} reason
 */
async function abort(call, { before, after, report }, reason) {
  const controller = new AbortController();
  const { signal } = controller;
  let [abortedAt, reports] = [Infinity, 0];
  const stop = () => {
    abortedAt = performance.now();
    controller.abort(reason);
  };
  if (before) stop();
  const timer = after === undefined ? undefined : setTimeout(stop, after);
  const outcome = await call({ signal, onProgress: () => ++reports === report && stop() }).then(
    (result) => ({ result }),
    (error) => ({ error }),
  );
  clearTimeout(timer);
  const late = performance.now() - abortedAt;
  if (late > LATE) throw new Error(`ends ${Math.round(late)} ms after the abort`);
  if ('result' in outcome) {
    if (before) throw new Error('gives a result although it was aborted before');
    return outcome.result;
  }
  if (signal.aborted && Object.is(outcome.error, signal.reason)) return undefined;
  throw new Error(`rejects with ${outcome.error}, not with the reason`);
}

/** @type {import('./api-calls.js').Call[]} */
export const ABORTS = Object.entries(FUNCTIONS).map(([name, call]) => ({
  name: `aborted ${name}`,
  arguments: fc.tuple(
    fc.record({ size: fc.integer({ min: 20, max: 80 }), seed: fc.nat({ max: 999 }), wait: fc.constantFrom(0, 0, 1) }),
    fc.record({
      ...{ method: fc.constantFrom('linex', 'lime', 's-lime'), environments: fc.constantFrom(2, 3, 'clusters') },
      ...{ draws: fc.constantFrom(0, 20), batchSize: fc.constantFrom(16, 256), concurrency: fc.constantFrom(1, 2) },
    }),
    moments,
    fc.constantFrom(...REASONS),
  ),
  run: ({ size, seed, wait }, options, moment, reason) =>
    abort((given) => call(size, seed, wait, { ...options, ...given }), moment, reason),
  result: 'any',
}));
