// `linex explain`: explains rows of a file.
import { renderSentence } from '../render/reading.js';
import { onlyWord } from '../command-jobs/command-arguments.js';
import { CommandFailure, EXIT, isModelError, lineOf } from '../command-files/command-failure.js';
import { Output } from '../command-jobs/command-output.js';
import { MODEL_ARGUMENTS } from '../command-jobs/model-file.js';
import { formatOf, printExplanation, writePicture } from '../command-reports/picture-files.js';
import { Progress, sayRate, sayTime } from '../command-jobs/progress-bar.js';
import { writeReport } from '../command-reports/report-file.js';
import { lineOfRow, ResultFile } from '../command-files/result-file.js';
import { DATA_ARGUMENTS, EXPLAIN_ARGUMENTS, prepareRows } from '../command-jobs/rows-job.js';
import { onInterrupt, runRows } from '../command-jobs/rows-run.js';
import { openRunner } from '../command-jobs/rows-runner.js';

/** So many rows in a row that the model fails for end the run. */
const MAX_FAILURES = 20;

/** @type {import('../command-jobs/command-arguments.js').Command} */
export const command = {
  name: 'explain',
  summary: 'explain rows of a table',
  usage: 'data.csv --model model.onnx [options]',
  about: [
    'Explains why the model gave its answers for rows of a file. The file is CSV, JSON lines, Parquet or Arrow; - is standard input.',
    'One row is drawn as bars. Many rows go to a file of JSON lines, written as they come. If the command is interrupted, the same command goes on where it stopped. A name that ends in .html or .svg makes a page or a picture of all rows, beside the file of JSON lines.',
    'A model in JavaScript exports predict, which takes a batch of rows and returns one score or one list of scores per row. It may export classes and columns too.',
  ],
  takes: {
    ...MODEL_ARGUMENTS,
    ...DATA_ARGUMENTS,
    ...EXPLAIN_ARGUMENTS,
    out: {
      kind: 'text',
      short: 'o',
      value: 'file',
      help: 'where to write: why.jsonl, why.html, why.svg or, for one row, why.json',
    },
    overwrite: { kind: 'flag', help: 'begin the file again, instead of going on with it' },
    workers: { kind: 'count', help: 'threads that explain rows, default one per core' },
    'max-failures': {
      kind: 'count',
      help: `end if the model fails for so many rows in a row, default ${MAX_FAILURES}`,
    },
    json: { kind: 'flag', help: 'print JSON instead of words' },
  },
  examples: [
    {
      words: 'linex explain iris.csv --model iris.onnx --drop species --row 17',
      about: 'draws the reasons for one row',
    },
    { words: 'linex explain loans.csv --model model.js --out why.jsonl', about: 'explains all rows, on all cores' },
    {
      words: 'cat new.csv | linex explain - --table loans.csv --model model.js --json',
      about: 'explains rows from a pipe',
    },
  ],
  async run(given) {
    const { values } = given;
    const output = new Output(values);
    const data = onlyWord(given, 'the file of the data, or - for standard input', 'explain');
    const format = values.out === undefined ? undefined : formatOf(values.out, ['jsonl', 'html', 'svg', 'json']);
    if (values.workers === 0) throw new CommandFailure('--workers must be at least 1');
    const job = await prepareRows(data, values, (text) => output.note(text));
    if (job.selection.count === 1 && format !== 'jsonl') return explainOne(job, values, output);
    if (format === 'json') throw new CommandFailure('--out why.json is for one row; use --out why.jsonl, or add --row');
    if (format === undefined) return printAll(job, values, output);
    const lines = format === 'jsonl' ? values.out : values.out.replace(/\.\w+$/, '.jsonl');
    const code = await explainAll(job, lines, values, output);
    if (format !== 'jsonl' && (code === EXIT.ok || code === EXIT.failed)) {
      await writeReport(lines, values.out);
      output.note(`wrote ${values.out}`);
    }
    return code;
  },
};

/**
 * @typedef {import('../command-jobs/rows-job.js').RowsJob} RowsJob
 * @typedef {Readonly<Record<string, any>>} Values
 */

/**
 * Explains one row, and draws it.
 *
 * @param {RowsJob} job
 * @param {Values} values
 * @param {Output} output
 */
async function explainOne(job, values, output) {
  const runner = await openRunner(job);
  for await (const { row, values: cells } of job.rows())
    for await (const explained of runner.explain([cells])) {
      if (explained instanceof Error) {
        output.complain(sayFailure(row, explained));
        return isModelError(explained) ? EXIT.model : EXIT.failed;
      }
      if (values.out === undefined) await printExplanation(output, explained, values.json);
      else {
        await writePicture(values.out, explained, `Row ${row} of ${job.data.name}`);
        output.note(`wrote ${values.out}`);
      }
    }
  return EXIT.ok;
}

/**
 * Explains many rows, and prints a line for each.
 *
 * @param {RowsJob} job
 * @param {Values} values
 * @param {Output} output
 */
async function printAll(job, values, output) {
  if (values.json) await output.print(JSON.stringify(job.header));
  const progress = new Progress(output, { total: job.selection.count });
  return follow(job, job.rows(), values, output, {
    progress,
    async onRow(row, explained) {
      progress.clear();
      if (values.json) await output.print(lineOfRow(row, explained));
      else if (explained instanceof Error) output.complain(sayFailure(row, explained));
      else await output.print(`row ${row}: ${sentenceOf(explained)}`);
    },
    file: 'standard output',
  });
}

/** @param {number} row @param {Error} error  a pool counts the rows that it gets, from 0 */
const sayFailure = (row, error) => `row ${row}: ${lineOf(error).replace(/^row \d+: /, '')}`;

/** The answer and its reasons, in one line. @param {any} explanation */
function sentenceOf(explanation) {
  const { prediction, target } = explanation;
  const answer = Number(prediction).toLocaleString('en', { maximumSignificantDigits: 3 });
  const said = target === null ? answer : `${answer} for ${target}`;
  return `${said}. ${renderSentence(explanation)}`;
}

/**
 * Explains many rows, and writes them to a file.
 *
 * @param {RowsJob} job
 * @param {string} path
 * @param {Values} values
 * @param {Output} output
 */
async function explainAll(job, path, values, output) {
  const total = job.selection.count;
  const file = await ResultFile.open(path, job.header, {
    overwrite: values.overwrite,
    rowAt: (place) => job.selection.at(place),
  });
  const { done, failed } = file;
  if (done === total) {
    await file.close();
    output.note(`${path} has all ${total.toLocaleString('en')} rows already; --overwrite begins again`);
    return failed > 0 ? EXIT.failed : EXIT.ok;
  }
  if (done > 0) output.note(`${path} has ${done.toLocaleString('en')} rows; going on`);
  const progress = new Progress(output, { total, done, failed });
  // A Ctrl-C while the file is being closed must not lose its last rows.
  const stopListening = onInterrupt(() => {});
  try {
    return await follow(job, job.rows(done), values, output, {
      ...{ progress, failed, file: path },
      onRow: (row, explained) => file.append(lineOfRow(row, explained)),
    });
  } finally {
    await file.close();
    stopListening();
  }
}

/**
 * Explains rows, follows their progress, and says at the end what became of them.
 *
 * @param {RowsJob} job
 * @param {AsyncIterable<import('../command-jobs/rows-run.js').NumberedRow>} rows
 * @param {Values} values
 * @param {Output} output
 * @param {object} how
 * @param {Progress} how.progress
 * @param {(row: number, explained: any) => Promise<void>} how.onRow  explained: the explanation, or an error
 * @param {string} how.file
 * @param {number} [how.failed]  rows that failed in a run before
 * @returns {Promise<number>}  the exit code
 */
async function follow(job, rows, values, output, { progress, onRow, file, failed = 0 }) {
  const runner = await openRunner(job, { workers: values.workers });
  let failures = failed;
  try {
    const code = await runRows(rows, {
      ...{ explain: runner.explain, atOnce: runner.atOnce, maxFailures: values['max-failures'] || MAX_FAILURES },
      async onRow(row, explained) {
        const isFailure = explained instanceof Error;
        if (isFailure) failures++;
        await onRow(row, explained);
        progress.count(isFailure);
      },
      onStopping() {
        progress.clear();
        output.note('finishing the rows under way; Ctrl-C again ends at once');
      },
    });
    const { fresh, milliseconds } = progress;
    const bad = failures > 0 ? `, ${failures} failed` : '';
    const count = `${fresh.toLocaleString('en')} row${fresh === 1 ? '' : 's'}`;
    progress.clear();
    output.note(
      code
        ? `${file}: interrupted after ${count}${bad}; the same command goes on`
        : `${file}: ${count} in ${sayTime(milliseconds)} (${sayRate((1000 * fresh) / milliseconds)})${bad}`,
    );
    return code || (failures > 0 ? EXIT.failed : EXIT.ok);
  } finally {
    progress.clear();
    await runner.close();
  }
}
