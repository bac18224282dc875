// One way to explain an applicant, and all of them: both say the same.
// With a bundler, or in Node, the paths below are 'linex' and 'linex/pool'.
import { describeTable, explainRow } from '../../js/index.js';
import { openPool } from '../../js/pool.js';
import { applicants, categorical, classes, columns, predict } from './loans.js';
import { predict as fail } from './loans-down.js';

export const table = await describeTable(applicants, { columns, categorical });

// A number speaks for or against by the quarter of the applicants that it lies in, as an officer would say it: "an
// income like this". What goes to a customer must not be a guess: 30 games are played, and disputed signs are silenced.
const OPTIONS = {
  ...{ table, classes, target: 'approved', features: 'all', discretize: 'quartile' },
  ...{ environments: 'halves', games: 30, agreement: 0.9, seed: 7 },
};

/**
 * @param {number} index  of the applicant
 * @param {{ down?: boolean, signal?: AbortSignal }} [options]  down: as if the scoring service had failed
 * @returns {Promise<import('linex').RowExplanation>}
 */
export function explainApplicant(index, { down = false, signal } = {}) {
  return explainRow(applicants[index], down ? fail : predict, { ...OPTIONS, signal });
}

/**
 * Everyone, in order, on several cores.
 *
 * @param {{ workers: number, down: boolean, signal: AbortSignal }} options
 * @returns {AsyncGenerator<import('linex').RowExplanation>}
 */
export async function* explainEveryone({ workers, down, signal }) {
  const pool = await openPool(new URL(down ? './loans-down.js' : './loans.js', import.meta.url), { workers });
  try {
    yield* pool.explainRows(applicants, { ...OPTIONS, signal });
  } finally {
    await pool.close();
  }
}

const REASONS = {
  'model-threw': 'The model failed',
  'model-answer': 'The model gave an answer that is no probability',
  'model-timeout': 'The model took too long',
  memory: 'There is not enough memory',
  load: 'A file could not be loaded',
  worker: 'A worker failed',
};

/** An error as a reader of the page should hear of it. @param {any} error @returns {string} */
export function errorInWords({ code, message, cause }) {
  return REASONS[code] ? `${REASONS[code]}: ${cause?.message ?? message}.` : `Something went wrong: ${message}.`;
}
