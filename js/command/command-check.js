// `linex check`: checks a file of explanations, and makes some of them again.
import { checkExplanation } from '../explain/check-explanation.js';
import { onlyWord } from '../command-jobs/command-arguments.js';
import { CommandFailure, EXIT, lineOf } from '../command-files/command-failure.js';
import { Output } from '../command-jobs/command-output.js';
import { MODEL_ARGUMENTS } from '../command-jobs/model-file.js';
import { checkHeader } from '../command-reports/report-facts.js';
import { isResultLine, lineOfRow, linesOf, parseLine } from '../command-files/result-file.js';
import { DATA_ARGUMENTS, prepareRows } from '../command-jobs/rows-job.js';
import { openRunner } from '../command-jobs/rows-runner.js';
import { RowSelection } from '../command-files/row-selection.js';

const { model, ...modelArguments } = MODEL_ARGUMENTS;
const { timeout, protocol, send, cache, retries } = modelArguments;

/** Rows that are explained again. */
const SAMPLE = 10;

/** @type {import('../command-jobs/command-arguments.js').Command} */
export const command = {
  name: 'check',
  summary: 'check a file of explanations and repeat some',
  usage: 'why.jsonl [options]',
  about: [
    'Checks every line of a file from linex explain, and whether rows are missing or stand there twice. Then it explains some rows again, with the same model, data, options and seed, and says whether the bytes are the same.',
    'The files are looked for where they were; --model, --data and --table say where they are now. A file with another fingerprint is refused.',
  ],
  takes: {
    ...{ model, timeout, protocol, send, cache, retries, table: DATA_ARGUMENTS.table },
    data: { kind: 'text', value: 'file', help: 'the data, if it is elsewhere now' },
    sample: { kind: 'count', help: `rows that are explained again, spread evenly; default ${SAMPLE}, 0 for none` },
    json: { kind: 'flag', help: 'print the result as JSON' },
  },
  examples: [{ words: 'linex check why.jsonl --sample 20', about: 'checks all lines, and explains 20 rows again' }],
  async run(given) {
    const { values } = given;
    const output = new Output(values);
    const path = onlyWord(given, 'the file of explanations, such as why.jsonl', 'check');
    const { header, places, problems, failed } = await checkLines(path);
    const sample = chooseEvenly(places, values.sample ?? SAMPLE);
    const repeated = sample.size > 0 ? await repeat(header, sample, path, values) : { same: 0, different: [] };
    const ok = problems.length === 0 && repeated.different.length === 0;
    const result = { rows: places.length, failed, problems, repeated: sample.size, different: repeated.different, ok };
    if (values.json) await output.print(JSON.stringify(result));
    else await output.print(say(path, result));
    return ok ? EXIT.ok : EXIT.failed;
  },
};

/** @typedef {{ rows: number, failed: number, problems: readonly string[], repeated: number, different: readonly number[], ok: boolean }} Result */

/** @param {string} path @param {Result} result */
function say(path, { rows, failed, problems, repeated, different }) {
  const lines = [`${path}: ${rows.toLocaleString('en')} rows, ${failed.toLocaleString('en')} of them failed`];
  lines.push(
    problems.length === 0 ? 'every line fits the schema, and no row is missing or doubled' : problems.join('\n'),
  );
  if (repeated > 0)
    lines.push(
      different.length === 0
        ? `${repeated} rows explained again: the same bytes`
        : `${repeated} rows explained again: other bytes at row ${different.join(', ')}`,
    );
  return lines.join('\n');
}

/** The most problems that are told. */
const MOST_PROBLEMS = 20;

/**
 * Checks every line.
 *
 * @param {string} path
 * @returns {Promise<{ header: import('../command-files/result-file.js').Header, places: number[], problems: string[], failed: number }>}  places: the
 *   rows in the file
 */
async function checkLines(path) {
  /** @type {any} */
  let header;
  /** @type {RowSelection | undefined} */
  let selection;
  /** @type {string[]} */
  const problems = [];
  /** @type {number[]} */
  const places = [];
  let [line, failed] = [0, 0];
  for await (const { text } of linesOf(path)) {
    line++;
    const read = parseLine(text);
    if (line === 1) {
      header = checkHeader(read, path);
      selection = new RowSelection(header.rows, Infinity, path);
      continue;
    }
    const problem = problemOf(read, selection?.at(places.length));
    if (problem && problems.length < MOST_PROBLEMS) problems.push(`line ${line}: ${problem}`);
    if (isResultLine(read)) places.push(read.row);
    if (read?.error) failed++;
  }
  if (!header || !selection) throw new CommandFailure(`${path} is not a file of explanations from linex explain`);
  if (places.length < selection.count && problems.length < MOST_PROBLEMS)
    problems.push(
      `${path} ends at ${places.length} of ${selection.count} rows; run linex explain again with the same words to go on`,
    );
  return { header, places, problems, failed };
}

/**
 * What is wrong with a line.
 *
 * @param {any} line
 * @param {number | undefined} expected  the row that must stand there
 * @returns {string | undefined}
 */
function problemOf(line, expected) {
  if (!isResultLine(line)) return 'it is not a result of linex explain';
  if (line.row !== expected) return `row ${line.row} stands where row ${expected ?? 'none'} must be`;
  if (line.error) return undefined;
  try {
    checkExplanation(line.explanation);
    return undefined;
  } catch (error) {
    return lineOf(error);
  }
}

/**
 * Rows that are spread evenly.
 *
 * @param {readonly number[]} rows
 * @param {number} count
 * @returns {Set<number>}
 */
function chooseEvenly(rows, count) {
  const wanted = Math.min(count, rows.length);
  return new Set(Array.from({ length: wanted }, (_, i) => rows[Math.floor(((i + 0.5) * rows.length) / wanted)]));
}

/**
 * Explains some rows again and compares the bytes.
 *
 * @param {import('../command-files/result-file.js').Header} header
 * @param {Set<number>} sample
 * @param {string} path
 * @param {Readonly<Record<string, any>>} values
 * @returns {Promise<{ same: number, different: number[] }>}
 * @throws {CommandFailure} if the model or the data is another one
 */
async function repeat(header, sample, path, values) {
  if (header.kind !== 'row') throw new CommandFailure('linex check repeats explanations of rows');
  const table = values.table ?? (header.table.sha256 === header.data.sha256 ? undefined : header.table.name);
  const rows = [...sample].join(',');
  const job = await prepareRows(
    values.data ?? fileOf(header.data, 'data'),
    { ...values, ...header.options, model: values.model ?? header.model.name, table, rows, row: undefined },
    () => {},
  );
  for (const what of /** @type {const} */ (['model', 'data', 'table']))
    if (job.header[what].sha256 !== header[what].sha256)
      throw new CommandFailure(
        `${job.header[what].name} is not the ${what} of ${path}: its fingerprint is ${job.header[what].sha256.slice(0, 12)}, ` +
          `not ${header[what].sha256.slice(0, 12)}; --${what} names another file`,
        EXIT.failed,
      );
  const runner = await openRunner(job);
  try {
    const found = new Map();
    const numbers = [...sample];
    const cells = (async function* () {
      for await (const one of job.rows()) yield one.values;
    })();
    for await (const explained of runner.explain(cells)) {
      const row = numbers[found.size];
      found.set(row, lineOfRow(row, explained));
    }
    const different = [];
    for await (const { text } of linesOf(path)) {
      const line = /^\{"row":(\d+)/.exec(text);
      const row = Number(line?.[1]);
      if (line && sample.has(row) && found.get(row) !== text) different.push(row);
    }
    return { same: sample.size - different.length, different };
  } finally {
    await runner.close();
  }
}

/** @param {import('../command-files/result-file.js').Source} source @param {string} what */
function fileOf({ name }, what) {
  if (name !== 'standard input') return name;
  throw new CommandFailure(`the ${what} came from standard input; name a file with the same rows with --${what}`);
}
