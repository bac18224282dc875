// Explains one applicant, or all of them in a pool, with the same options, and finds what would lead to approval.
//
// With a bundler, or in Node, import from 'linex' and 'linex/pool' instead.
import { describeTable, explainRow, recourse } from '../../js/index.js';
import { openPool } from '../../js/pool.js';
import { applicants, categorical, classes, columns, formats, predict } from './loans.js';
import { predict as fail } from './loans-down.js';

export const table = await describeTable(applicants, { columns, categorical, formats });

const OPTIONS = { table, classes, target: 'approved', features: 'all', seed: 7 };

/** What an applicant may change, and in which direction. Nobody gets younger, and late payments stay late. */
export const CHANGEABLE = Object.freeze({ amount: 'down', income: 'up', 'time in job': 'up' });

/**
 * Explains one applicant.
 *
 * @param {number} index
 * @param {{ down?: boolean, signal?: AbortSignal }} [options]  down: behave as if the scoring service had failed
 * @returns {Promise<import('linex').RowExplanation>}
 */
export function explainApplicant(index, { down = false, signal } = {}) {
  return explainRow(applicants[index], down ? fail : predict, { ...OPTIONS, signal });
}

/**
 * Finds the smallest change that leads to approval. The model confirms it.
 *
 * @param {number} index
 * @param {{ explanation: any, may: readonly string[], down?: boolean, signal?: AbortSignal }} options  explanation: of this
 *   applicant; may: the columns that may change
 * @returns {Promise<import('linex').Recourse>}
 */
export function adviseApplicant(index, { explanation, may, down = false, signal }) {
  const { classes, target, seed } = OPTIONS;
  return recourse(applicants[index], down ? fail : predict, {
    ...{ table, classes, target, seed, explanation, signal },
    immutable: columns.filter((column) => !may.includes(column)),
    monotone: CHANGEABLE,
  });
}

/**
 * Explains all applicants, in order, on several cores.
 *
 * @param {{ workers: number, down: boolean, signal: AbortSignal }} options
 * @returns {AsyncGenerator<import('linex').RowExplanation>}
 */
export async function* explainAllApplicants({ workers, down, signal }) {
  const pool = await openPool(new URL(down ? './loans-down.js' : './loans.js', import.meta.url), { workers });
  try {
    yield* pool.explainRows(applicants, { ...OPTIONS, signal });
  } finally {
    await pool.close();
  }
}

const REASONS = {
  'model-threw': 'The model failed',
  'model-answer': 'The model returned an answer that is not a probability',
  'model-timeout': 'The model took too long',
  memory: 'There is not enough memory',
  load: 'A file could not be loaded',
  worker: 'A worker failed',
};

/** Returns an error message for the reader of the page. @param {any} error @returns {string} */
export function describeError({ code, message, cause }) {
  return Object.hasOwn(REASONS, code)
    ? `${REASONS[code]}: ${cause?.message ?? message}.`
    : `Something went wrong: ${message}.`;
}
