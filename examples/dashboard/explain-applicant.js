// What the page and its workers share: one way to explain an applicant, so that both say the same.
// With a bundler, or in Node, the path below is 'linex'.
import { describeTable, explainRow } from '../../js/index.js';
import { applicants, categorical, classes, columns, predict } from './loans.js';

export const table = await describeTable(applicants, { columns, categorical });

// A number speaks for or against by the quarter of the applicants that it lies in, as an officer would say it: "an
// income like this". What goes to a customer must not be a guess: 30 games are played, and disputed signs are silenced.
const OPTIONS = {
  ...{ table, classes, target: 'approved', features: 'all', discretize: 'quartile' },
  ...{ environments: 'halves', games: 30, agreement: 0.9, seed: 7 },
};

/** What the model does while its service is down. */
function fail() {
  throw new Error('the scoring service does not answer');
}

/**
 * @param {number} index  of the applicant
 * @param {{ down?: boolean, signal?: AbortSignal }} [options]  down: as if the scoring service had failed
 * @returns {Promise<import('linex').RowExplanation>}
 */
export function explainApplicant(index, { down = false, signal } = {}) {
  return explainRow(applicants[index], down ? fail : predict, { ...OPTIONS, signal });
}

const REASONS = {
  'model-threw': 'The model failed',
  'model-answer': 'The model gave an answer that is no probability',
  'model-timeout': 'The model took too long',
  memory: 'There is not enough memory',
  load: 'linex.wasm could not be loaded',
};

/** An error as a reader of the page should hear of it. @param {any} error @returns {string} */
export function errorInWords({ code, message, cause }) {
  return REASONS[code] ? `${REASONS[code]}: ${cause?.message ?? message}.` : `Something went wrong: ${message}.`;
}
