// Prepares the explanation of rows: opens the model and the data, finds the columns, and reads the options.
import { readAnswer } from '../core/ask-model.js';
import { show } from '../core/errors.js';
import { byLevel } from '../data/table.js';
import { explainRow } from '../explain/explain-row.js';
import { hasLevels, readerOf } from '../command-files/column-types.js';
import { CommandFailure, EXIT } from '../command-files/command-failure.js';
import { FORMAT_NAMES, openData } from '../command-files/data-file.js';
import { readVersion } from '../command-files/linex-version.js';
import { openModel } from './model-file.js';
import { FILE_SCHEMA } from '../command-files/result-file.js';
import { RowSelection } from '../command-files/row-selection.js';
import {
  chooseColumns,
  describeColumns,
  describeScan,
  listSome,
  placesOf,
  scanTypes,
} from '../command-files/table-scan.js';

/**
 * @typedef {import('./command-arguments.js').Argument} Argument
 * @typedef {import('../command-files/column-types.js').ColumnType} ColumnType
 * @typedef {import('../command-files/data-file.js').DataFile} DataFile
 */

/** Arguments about how an explanation is made, for rows, texts and images. @type {Readonly<Record<string, Argument>>} */
export const EXPLAIN_ARGUMENTS = Object.freeze({
  target: {
    kind: 'text',
    value: 'class',
    help: 'the class to explain, by name or index; default: the most likely one',
  },
  method: { kind: 'choice', choices: ['linex', 'lime', 's-lime', 'shap'], help: 'default linex' },
  preset: { kind: 'choice', choices: ['steady', 'paper', 'strict'], help: 'a bundle of settings, default steady' },
  samples: { kind: 'samples', help: 'questions per explanation, default 1000; or auto' },
  features: { kind: 'count', help: 'the most features that may have a weight' },
  seed: { kind: 'count', help: 'the same seed gives the same bytes, default 0' },
  'batch-size': { kind: 'count', help: 'questions per call of the model' },
  concurrency: { kind: 'count', help: 'calls of the model at once, default 1' },
});

/** Arguments about the data. @type {Readonly<Record<string, Argument>>} */
export const DATA_ARGUMENTS = Object.freeze({
  row: { kind: 'text', value: 'number', help: 'one row to explain; the first is 1' },
  rows: { kind: 'text', value: 'rows', help: 'which rows: 1-500 or 1-10,50 or all, the default' },
  columns: { kind: 'list', value: 'a,b', help: 'the columns that the model gets, in this order' },
  drop: { kind: 'list', value: 'a,b', help: 'columns that the model does not get' },
  categorical: { kind: 'list', value: 'a,b', help: 'columns whose numbers are levels, such as postcodes' },
  table: { kind: 'text', value: 'file', help: 'training rows for the statistics; default: the data itself' },
  format: { kind: 'choice', choices: FORMAT_NAMES, help: 'of the data, if its name does not tell' },
  background: { kind: 'count', help: 'rows of the table that stand for absent values with --method shap, default 50' },
});

/** The library's options among the arguments. @param {Readonly<Record<string, any>>} values */
export function explainOptions(values) {
  const { method, preset, samples, features, seed, concurrency } = values;
  return Object.fromEntries(
    Object.entries({ method, preset, samples, features, seed, batchSize: values['batch-size'], concurrency }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/**
 * Everything that is needed to explain rows of a file.
 *
 * @typedef {object} RowsJob
 * @property {import('./model-file.js').OpenModel} model
 * @property {DataFile} data
 * @property {RowSelection} selection
 * @property {any} options  of `explainRows`
 * @property {import('../command-files/result-file.js').Header} header
 * @property {(skip?: number) => AsyncGenerator<import('./rows-run.js').NumberedRow>} rows  those that are selected, without the first
 *   `skip` of them
 */

/**
 * Prepares the explanation of rows.
 *
 * @param {string} given  the file of the data
 * @param {Readonly<Record<string, any>>} values  of the arguments
 * @param {(text: string) => void} note  says what was found
 * @returns {Promise<RowsJob>}
 * @throws {CommandFailure}
 */
export async function prepareRows(given, values, note) {
  if (values.row !== undefined && values.rows !== undefined)
    throw new CommandFailure('--row and --rows cannot be used together');
  const data = await openData(given, values.format);
  const source = values.table === undefined ? data : await openData(values.table);
  const model = await openModel(values);
  const categorical = values.categorical ?? [];
  const scan = await scanTypes(source, categorical);
  const aim = readTarget(values.target, model.classes, scan.types);
  const chosen = chooseColumns(scan, {
    ...{ name: source.name, columns: values.columns ?? model.columns, categorical, inputs: model.inputs },
    drop: [...(values.drop ?? []), ...(aim.column ? [aim.column.name] : [])],
  });
  for (const line of describeScan(source, scan, chosen)) note(line);
  const { table, sample } = await describeColumns(source, chosen.used, scan.rows);
  const rowCount = source === data ? scan.rows : await countRows(data);
  if (source !== data) note(`${data.name}: ${rowCount.toLocaleString('en')} rows to explain`);
  const selection = new RowSelection(values.row ?? values.rows ?? 'all', rowCount, data.name);
  const rows = (skip = 0) => selectedRows(data, chosen.used, selection, skip);
  const classes = aim.column
    ? await nameClasses(model, aim.column, { data: source, table, row: sample[0] })
    : model.classes;
  const asked = explainOptions(values);
  const shap = asked.method === 'shap';
  const options = {
    ...{ table, ...asked },
    ...(classes && { classes: [...classes] }),
    ...(aim.target !== undefined && { target: aim.target }),
    ...(shap && { background: backgroundOf(sample, values.background) }),
    ...(model.input && { input: model.input }),
    ...(values.timeout !== undefined && model.kind !== 'http' && { timeout: 1000 * values.timeout }),
  };
  const header = {
    ...{ schema: FILE_SCHEMA, linex: readVersion(), kind: /** @type {const} */ ('row') },
    options: storedOptions(values, classes),
    seed: asked.seed ?? 0,
    columns: chosen.used.map(({ name }) => name),
    model: { name: model.name, sha256: model.sha256 },
    data: { name: data.name, sha256: await data.fingerprint() },
    table: { name: source.name, sha256: await source.fingerprint() },
    rows: selection.text,
  };
  return { model, data, selection, options, header, rows };
}

/** The arguments that change the bytes of an explanation; a check repeats them. */
const STORED = [
  ...['target', 'method', 'preset', 'samples', 'features', 'seed', 'columns', 'drop', 'categorical', 'background'],
  ...['softmax', 'output', 'format', 'protocol', 'send', 'served-model'],
];

/** @param {Readonly<Record<string, any>>} values @param {readonly string[] | undefined} classes */
function storedOptions(values, classes) {
  const given = STORED.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]);
  return { ...Object.fromEntries(given), ...(classes && { classes: [...classes] }) };
}

/**
 * What `--target` names: a class of the model, by name or index, or the column of the data that the model predicts.
 *
 * @param {string | undefined} target
 * @param {readonly string[] | undefined} classes
 * @param {readonly ColumnType[]} types
 * @returns {{ target?: string | number, column?: ColumnType }}
 */
function readTarget(target, classes, types) {
  if (target === undefined || target === 'top' || classes?.includes(target)) return { target };
  const column = types.find(({ name }) => name === target);
  if (column) return { column };
  if (/^\d+$/.test(target)) return { target: Number(target) };
  const known = classes ? `its classes are ${classes.join(', ')}` : 'name the classes with --classes';
  throw new CommandFailure(
    `--target ${show(target)} is neither a class of the model nor a column of the data; ${known}`,
  );
}

/**
 * Names the classes of a model by the levels of the column that it predicts, if there are as many of both. That asks the model
 * about one row.
 *
 * @param {import('./model-file.js').OpenModel} model
 * @param {ColumnType} column
 * @param {{ data: DataFile, table: any, row: unknown[] }} input
 * @returns {Promise<readonly string[] | undefined>}
 */
async function nameClasses({ classes, predict, input: taken }, column, { data, table, row }) {
  if (classes || !hasLevels(column)) return classes;
  const place = data.columns.indexOf(column.name);
  const [read, found] = [readerOf(column), new Set()];
  for await (const batch of data.batches()) for (const cells of batch) found.add(read(cells[place]));
  const levels = [...found].filter((level) => level !== null).sort(byLevel);
  let answers = 0;
  const enough = new Error('the model has answered');
  /** @param {any} batch @param {any} context */
  const ask = async (batch, context) => {
    answers = readAnswer(await predict(batch, context), batch.shape[0], 0, 0).columns;
    throw enough;
  };
  await explainRow(row, ask, { table, batchSize: 1, ...(taken && { input: taken }) }).catch((error) => {
    if (error?.cause !== enough) throw error;
  });
  return answers === levels.length ? levels.map(String) : undefined;
}

/** Rows of the table, spread evenly, that stand for absent values. @param {unknown[][]} sample @param {number} [count] */
function backgroundOf(sample, count = 50) {
  const wanted = Math.max(1, Math.min(count, sample.length));
  return Array.from({ length: wanted }, (_, i) => sample[Math.floor(((i + 0.5) * sample.length) / wanted)]);
}

/** @param {DataFile} data */
async function countRows(data) {
  let count = 0;
  for await (const batch of data.batches()) count += batch.length;
  return count;
}

/**
 * Reads the selected rows, as the model gets them.
 *
 * @param {DataFile} data
 * @param {readonly ColumnType[]} used
 * @param {RowSelection} selection
 * @param {number} skip
 * @returns {AsyncGenerator<import('./rows-run.js').NumberedRow>}
 * @throws {CommandFailure} if a column is missing
 */
async function* selectedRows(data, used, selection, skip) {
  const readers = used.map(readerOf);
  let [row, place, known] = [0, 0, -1];
  /** @type {number[]} */
  let places = [];
  for await (const batch of data.batches()) {
    // Those of JSON lines may grow.
    if (known !== data.columns.length) places = placesOf(data, used);
    known = data.columns.length;
    const missing = used.find((_, c) => places[c] < 0);
    if (missing && data.format !== 'jsonl')
      throw new CommandFailure(
        `${data.name} has no column ${show(missing.name)}, which the table has; its columns are ${listSome(data.columns)}`,
        EXIT.usage,
      );
    for (const cells of batch) {
      row++;
      if (row > selection.last) return;
      if (!selection.has(row) || place++ < skip) continue;
      yield { row, values: places.map((at, c) => readers[c](cells[at])) };
    }
  }
}
