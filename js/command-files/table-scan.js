// Reads a file of rows twice: first for the types of its columns, then for the statistics of those that the model gets.
import { describeTable, byLevel } from '../data/table.js';
import { show } from '../core/errors.js';
import { ColumnScan, describeType, hasLevels, isUsable, readerOf } from './column-types.js';
import { CommandFailure } from './command-failure.js';

/**
 * @typedef {import('./column-types.js').ColumnType} ColumnType
 * @typedef {import('./data-file.js').DataFile} DataFile
 */

/** Statistics of numbers come from at most this many rows, and at most this many cells. */
const [MOST_ROWS, MOST_CELLS] = [100000, 4e6];

/**
 * What a file holds.
 *
 * @typedef {object} Scan
 * @property {number} rows
 * @property {readonly ColumnType[]} types  in the order of the columns
 */

/** The most columns that are listed in one line. */
const MOST_LISTED = 40;

/** Lists things in a line, but not thousands of them. @param {readonly string[]} things */
export const listSome = (things) =>
  things.length <= MOST_LISTED
    ? things.join(', ')
    : `${things.slice(0, MOST_LISTED).join(', ')} and ${(things.length - MOST_LISTED).toLocaleString('en')} more`;

/**
 * Where columns stand in a file.
 *
 * @param {DataFile} data
 * @param {readonly ColumnType[]} used
 * @returns {number[]}  -1 for those that the file does not have
 */
export function placesOf(data, used) {
  const places = new Map(data.columns.map((name, place) => [name, place]));
  return used.map(({ name }) => places.get(name) ?? -1);
}

/**
 * Finds the types of all columns.
 *
 * @param {DataFile} data
 * @param {readonly string[]} categorical  columns that the user calls categorical
 * @returns {Promise<Scan>}
 */
export async function scanTypes(data, categorical) {
  /** @type {ColumnScan[]} */
  const scans = [];
  let rows = 0;
  for await (const batch of data.batches()) {
    while (scans.length < data.columns.length) {
      const name = data.columns[scans.length];
      const scan = new ColumnScan(name, categorical.includes(name));
      // A column that appears late is missing in the rows before.
      for (let i = 0; i < rows; i++) scan.add(undefined);
      scans.push(scan);
    }
    for (const cells of batch) for (let c = 0; c < scans.length; c++) scans[c].add(cells[c]);
    rows += batch.length;
  }
  if (rows === 0) throw new CommandFailure(`${data.name} has no rows`);
  return { rows, types: scans.map(({ type }) => type) };
}

/**
 * Which columns the model gets, in their order, and which are left out.
 *
 * @param {Scan} scan
 * @param {{ name: string, columns?: readonly string[], drop?: readonly string[], categorical?: readonly string[], inputs?: number }} wishes
 *   inputs: how many numbers per row the model takes, if that is known
 * @returns {{ used: ColumnType[], left: { type: ColumnType, why: string }[] }}
 * @throws {CommandFailure}
 */
export function chooseColumns({ types }, { name, columns, drop = [], categorical = [], inputs }) {
  const byName = new Map(types.map((type) => [type.name, type]));
  const named = (/** @type {string} */ column, /** @type {string} */ option) => {
    const found = byName.get(column);
    if (found) return found;
    throw new CommandFailure(
      `${option} names ${show(column)}, which is no column of ${name}; its columns are ${listSome([...byName.keys()])}`,
    );
  };
  for (const column of categorical) named(column, '--categorical');
  const dropped = new Set(drop.map((column) => named(column, '--drop')));
  const wanted = columns?.map((column) => named(column, '--columns'));
  for (const type of wanted ?? [])
    if (type.holds === 'objects' || type.holds === 'empty')
      throw new CommandFailure(
        `column ${show(type.name)} of ${name} holds ${describeType(type)}, which no model can get`,
      );
  const used = (wanted ?? types.filter(isUsable)).filter((type) => !dropped.has(type));
  const isUsed = new Set(used);
  const left = types
    .filter((type) => !isUsed.has(type))
    .map((type) => ({ type, why: dropped.has(type) || wanted ? '' : describeType(type) }));
  if (used.length === 0)
    throw new CommandFailure(`no column of ${name} is left for the model; name some with --columns`);
  return inputs === undefined || used.length === inputs ? { used, left } : fitInputs(used, left, inputs, name, wanted);
}

/**
 * Leaves out texts if the model takes just as many numbers as there are other columns.
 *
 * @param {ColumnType[]} used
 * @param {{ type: ColumnType, why: string }[]} left
 * @param {number} inputs
 * @param {string} name
 * @param {unknown} wanted  whether the user has named the columns
 */
function fitInputs(used, left, inputs, name, wanted) {
  const numbers = used.filter(({ holds }) => holds !== 'text');
  if (!wanted && numbers.length === inputs) {
    const texts = used.filter(({ holds }) => holds === 'text');
    const why = `text, and the model takes ${inputs} numbers`;
    return { used: numbers, left: [...left, ...texts.map((type) => ({ type, why }))] };
  }
  const found = listSome(used.map((type) => type.name));
  throw new CommandFailure(
    `the model takes ${inputs} numbers per row, but ${name} has ${used.length} columns for it (${found}); choose with --columns or --drop`,
  );
}

/**
 * Describes the columns that the model gets. Levels and their shares come from all rows; the statistics of numbers come from all
 * rows or, if there are very many, from rows that are drawn evenly.
 *
 * @param {DataFile} data
 * @param {readonly ColumnType[]} used
 * @param {number} rowCount
 * @returns {Promise<{ table: import('../data/table.js').Table, sample: unknown[][] }>}  sample: the rows of the statistics
 * @throws {TypeError | RangeError} naming the column
 */
export async function describeColumns(data, used, rowCount) {
  const places = placesOf(data, used);
  const readers = used.map(readerOf);
  const step = Math.ceil(Math.max(rowCount / MOST_ROWS, (rowCount * used.length) / MOST_CELLS));
  /** @type {unknown[][]} */
  const sample = [];
  const counts = used.map((type) => (hasLevels(type) ? new Map() : undefined));
  let row = 0;
  for await (const batch of data.batches())
    for (const cells of batch) {
      const isDrawn = row++ % step === 0;
      if (isDrawn) sample.push([]);
      const drawn = sample[sample.length - 1];
      for (let c = 0; c < places.length; c++) {
        const levels = counts[c];
        if (!levels && !isDrawn) continue;
        const value = readers[c](cells[places[c]]);
        if (isDrawn) drawn.push(value);
        levels?.set(value, (levels.get(value) ?? 0) + 1);
      }
    }
  const columns = used.map(({ name }) => name);
  const categorical = used.filter(hasLevels).map(({ name }) => name);
  const described = await describeTable(sample, { columns, categorical });
  // A copy, because the original keeps all rows in memory.
  const table = structuredClone(step === 1 ? described : withAllLevels(described, counts, row));
  return { table, sample };
}

/**
 * Replaces the levels of the drawn rows by those of all rows.
 *
 * @param {import('../data/table.js').Table} table
 * @param {readonly (Map<any, number> | undefined)[]} counts
 * @param {number} rows
 * @returns {import('../data/table.js').Table}
 */
function withAllLevels(table, counts, rows) {
  const columns = table.columns.map((column, c) => {
    const counted = counts[c];
    if (column.kind === 'numeric' || !counted) return column;
    const levels = [...counted.keys()].sort(byLevel);
    const frequencies = levels.map((level) => Number(counted.get(level)) / rows);
    const numbers = levels.every((level) => level === null || typeof level === 'number');
    return { ...column, levels, frequencies, codes: levels.map((level, i) => (numbers ? level : i)) };
  });
  return { rows, columns };
}

/**
 * Says what was found, for the notes.
 *
 * @param {DataFile} data
 * @param {Scan} scan
 * @param {{ used: readonly ColumnType[], left: readonly { type: ColumnType, why: string }[] }} chosen
 * @returns {string[]}  lines
 */
export function describeScan(data, scan, { used, left }) {
  const count = (/** @type {number} */ n, /** @type {string} */ what) =>
    `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
  const list = listSome(used.map((type) => `${type.name} (${describeType(type)})`));
  const out = listSome(left.map(({ type, why }) => (why ? `${type.name} (${why})` : type.name)));
  return [
    `${data.name}: ${count(scan.rows, 'row')}, ${count(scan.types.length, 'column')}`,
    `  the model gets  ${list}`,
    ...(left.length > 0 ? [`  left out        ${out}`] : []),
  ];
}
