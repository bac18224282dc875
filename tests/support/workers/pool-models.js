// Models, rows and helpers that the tests of the worker pool share.
import { setEnvironmentData } from 'node:worker_threads';
import { describeTable } from 'linex';
import { openPool } from 'linex/pool';
import { applicants, categorical, classes, columns } from '../../../examples/dashboard/loans.js';

export const root = new URL('../../..', import.meta.url);
export const LIMIT = Object.freeze({ timeout: 60000 });

/** The address of a module of its own, for workers. @param {string} code */
export const moduleOf = (code) => `data:text/javascript,${encodeURIComponent(code)}`;

/** Rows with one column; row i is [i]. */
export const numbers = Array.from({ length: 40 }, (_, i) => [i]);
export const quick = { table: await describeTable(numbers), samples: 20, draws: 0 };
/** A model whose answer is the value of the row's column. */
export const SUM = moduleOf('export const predict = (batch) => [...batch].map(([x]) => x)');

/**
 * A model like SUM that runs some code first, with the value of the row in `x`. In the code, `seen(i)` counts in all workers
 * and returns how often it was called with this number before.
 *
 * @param {string} code
 * @param {string} [onImport]  runs when a worker imports the model
 */
export const faulty = (code, onImport = '') =>
  moduleOf(`import { getEnvironmentData } from 'node:worker_threads';
  const seen = (i) => Atomics.add(getEnvironmentData('seen'), i, 1);
  ${onImport}
  export const predict = async (batch) => {
    const rows = [...batch].map(([x]) => x);
    const [x] = rows;
    ${code}
    return rows;
  };`);

/** Starts the counts of `seen` at 0. @returns {Int32Array}  the counts */
export function resetSeen() {
  const counts = new Int32Array(new SharedArrayBuffer(4 * 100));
  setEnvironmentData('seen', counts);
  return counts;
}

export const loans = { model: new URL('examples/dashboard/loans.js', root), classes };
export const loanTable = await describeTable(applicants, { columns, categorical });

/** Options of calls whose results are compared with those of one core. */
export const CALLS = {
  'the defaults': {},
  'quartiles with silenced signs': {
    discretize: 'quartile',
    environments: 'halves',
    games: 5,
    agreement: 0.9,
    draws: 50,
  },
  'several targets, several rows at once': {
    target: [0, 'approved'],
    classes,
    concurrency: 3,
    seed: 9,
    keepGame: true,
  },
  'an adaptive number of samples': { samples: 'auto', maxSamples: 600, batchSize: 50 },
  'Shapley values': { method: 'shap', background: applicants.slice(0, 20), samples: 60 },
};

/** Opens a pool that is closed when the test ends. */
export async function openForTest(t, model, options = { workers: 2 }) {
  const pool = await openPool(model, options);
  t.after(() => pool.close());
  return pool;
}

export async function all(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** Reads explanations until they end or fail. */
export async function untilError(iterable) {
  const found = [];
  try {
    for await (const one of iterable) found.push(one);
  } catch (error) {
    return { found, error };
  }
  return { found, error: undefined };
}

export const predictionsOf = (explanations) => explanations.map(({ prediction }) => prediction);

/** An explanation, or an array of them, without the times that it took. */
export const withoutTimes = (explanation) =>
  Array.isArray(explanation) ? explanation.map(withoutTimes) : { ...explanation, milliseconds: undefined };
