// Reads a file of explanations for a report: counts over all rows, rows that need a look, and rows to draw.
import { checkExplanation } from '../explain/check-explanation.js';
import { CommandFailure, EXIT, lineOf } from '../command-files/command-failure.js';
import { FILE_SCHEMA, isResultLine, linesOf, parseLine } from '../command-files/result-file.js';

/** The most explanations that are kept for charts, and the most rows that are listed for one reason. */
const [MOST_DRAWN, MOST_LISTED] = [10000, 50];

/**
 * A row that needs a look.
 *
 * @typedef {{ row: number, answer: string, why: string }} DoubtfulRow
 */

/**
 * Why rows need a look, with the first of them.
 *
 * @typedef {{ reason: string, count: number, rows: DoubtfulRow[] }} Doubt
 */

/**
 * @typedef {object} ReportFacts
 * @property {import('../command-files/result-file.js').Header} header
 * @property {number} rows  all
 * @property {number} failed
 * @property {Doubt[]} doubts  the gravest first
 * @property {{ target: string | number | null, count: number, explanations: { row: number, explanation: any }[] }[]} targets  the most
 *   frequent first, with explanations that are spread evenly over the file
 * @property {number[]} fidelities  counts of explanations by fidelity, in ten steps from 0 to 1
 * @property {number} silenced  the share of listed features that are not sure
 * @property {number} every  one of so many explanations is kept for the charts
 */

/** What a reader is told first. */
const REASONS = {
  failed: 'no explanation',
  'poor-fit': 'the weights explain too little',
  unsure: 'no reason is sure',
  warned: 'a warning',
};

/**
 * Keeps items that are spread evenly over a list of unknown length.
 *
 * @template T
 */
class EvenSample {
  /** @type {T[]} */
  items = [];
  every = 1;
  #seen = 0;

  /** @param {T} item */
  add(item) {
    if (this.#seen++ % this.every !== 0) return;
    this.items.push(item);
    if (this.items.length < 2 * MOST_DRAWN) return;
    this.items = this.items.filter((_, i) => i % 2 === 0);
    this.every *= 2;
  }
}

/**
 * Reads a file of explanations.
 *
 * @param {string} path
 * @returns {Promise<ReportFacts>}
 * @throws {CommandFailure} if it is not such a file, or has a wrong line
 */
export async function readFacts(path) {
  /** @type {any} */
  let header;
  const sample = new EvenSample();
  /** @type {Map<string, Doubt>} */
  const doubts = new Map(Object.entries(REASONS).map(([code, reason]) => [code, { reason, count: 0, rows: [] }]));
  const fidelities = new Array(10).fill(0);
  /** @type {Map<string | number | null, number>} */
  const counts = new Map();
  let [rows, failed, listed, silenced, line] = [0, 0, 0, 0, 0];
  for await (const { text } of linesOf(path)) {
    const read = parseLine(text);
    line++;
    if (line === 1) {
      header = checkHeader(read, path);
      continue;
    }
    if (!isResultLine(read)) throw new CommandFailure(`${path}, line ${line}: not a result of linex explain`);
    rows++;
    if (!read.error) checkLine(read.explanation, `${path}, line ${line}`);
    const doubt = doubtOf(read);
    if (doubt) addDoubt(/** @type {Doubt} */ (doubts.get(doubt.code)), doubt.row);
    if (read.error) {
      failed++;
      continue;
    }
    const { explanation } = read;
    fidelities[Math.max(0, Math.min(9, Math.floor(10 * explanation.fidelity)))]++;
    listed += explanation.features.length;
    silenced += explanation.features.filter((/** @type {any} */ one) => !isSure(one)).length;
    counts.set(explanation.target, (counts.get(explanation.target) ?? 0) + 1);
    sample.add({ row: read.row, explanation });
  }
  if (!header) throw new CommandFailure(`${path} is not a file of explanations from linex explain`);
  const targets = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([target, count]) => ({
      ...{ target, count },
      explanations: /** @type {any[]} */ (sample.items).filter(({ explanation }) => explanation.target === target),
    }));
  return {
    ...{ header, rows, failed, targets, fidelities, every: sample.every },
    silenced: listed === 0 ? 0 : silenced / listed,
    doubts: [...doubts.values()].filter(({ count }) => count > 0),
  };
}

/** @param {any} explanation @param {string} at */
function checkLine(explanation, at) {
  try {
    checkExplanation(explanation);
  } catch (error) {
    throw new CommandFailure(`${at}: ${lineOf(error)}`, EXIT.failed);
  }
}

/**
 * @param {any} header
 * @param {string} path
 * @returns {import('../command-files/result-file.js').Header}
 */
export function checkHeader(header, path) {
  if (header?.schema === FILE_SCHEMA && header.model && header.data) return header;
  throw new CommandFailure(`${path} is not a file of explanations from linex explain: its first line must be a header`);
}

/** Whether the direction of a feature is sure. @param {any} feature */
function isSure({ silenced, weight, interval }) {
  return !silenced && weight !== 0 && !(interval?.[0] <= 0 && interval?.[1] >= 0);
}

/**
 * Why a row needs a look.
 *
 * @param {import('../command-files/result-file.js').ResultLine} line
 * @returns {{ code: string, row: DoubtfulRow } | undefined}
 */
function doubtOf({ row, explanation, error }) {
  if (error) return { code: 'failed', row: { row, answer: '', why: error.message } };
  const { prediction, target, warnings = [], warningCodes = [], fidelity, features } = explanation;
  const number = prediction === null ? '' : prediction.toLocaleString('en', { maximumSignificantDigits: 3 });
  const answer = target === null || number === '' ? number : `${number} for ${target}`;
  const doubtful = (/** @type {string} */ code, /** @type {string} */ why) => ({ code, row: { row, answer, why } });
  if (warningCodes.some((/** @type {any} */ { code }) => code === 'poor-fit'))
    return doubtful('poor-fit', `fidelity ${fidelity.toFixed(2)}`);
  if (!features.some(isSure)) return doubtful('unsure', `${features.length} features, none with a sure direction`);
  return warnings.length > 0 ? doubtful('warned', warnings[0]) : undefined;
}

/** @param {Doubt} doubt @param {DoubtfulRow} row */
function addDoubt(doubt, row) {
  doubt.count++;
  if (doubt.rows.length < MOST_LISTED) doubt.rows.push(row);
}
