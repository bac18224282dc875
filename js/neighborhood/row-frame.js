// The features of rows whose columns are not the features: numbers that may be missing, and groups of columns.
import { flattenTable, valueIn } from '../data/table.js';

/**
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('../data/table.js').NumericColumn} NumericColumn
 * @typedef {import('../data/table.js').CategoricalColumn} CategoricalColumn
 * @typedef {import('../data/column-groups.js').ColumnGroup} ColumnGroup
 */

/**
 * What a feature is about: a column; whether the number of a column is missing; or a group.
 *
 * @typedef {{ column: number } | { missing: number } | { group: ColumnGroup }} Part
 */

/** How often the values of a group are kept, if they are not levels with a frequency. */
const KEPT = 0.5;

/**
 * The features of a table: each column that is in no group; in place of the first column of a group, the group; and at the
 * end, for each column that may be missing and is in no group, whether it is.
 */
export class RowFrame {
  /** @type {Part[]} */
  parts = [];
  /** The tables of the features, by which groups are at their levels. @type {Map<string, { table: Table, flat: import('../data/table.js').FlatTable }>} */
  #tables = new Map();

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    const groups = table.groups ?? [];
    const groupOf = (/** @type {number} */ c) => groups.find(({ columns }) => columns.includes(c));
    table.columns.forEach((_, c) => {
      const group = groupOf(c);
      if (!group) this.parts.push({ column: c });
      else if (Math.min(...group.columns) === c) this.parts.push({ group });
    });
    table.columns.forEach((column, c) => {
      if (column.kind === 'numeric' && column.missing && !groupOf(c)) this.parts.push({ missing: c });
    });
    /** For each column, the feature that holds its number. */
    this.featureOf = table.columns.map((_, c) => this.parts.findIndex((part) => 'column' in part && part.column === c));
    /** Whether the law of the samples is unknown, because numbers are hidden where they are missing. */
    this.hidesNumbers = this.parts.some((part) => 'missing' in part);
  }

  get featureCount() {
    return this.parts.length;
  }

  /** The columns of each feature, without those that say whether a number is missing. @returns {readonly (readonly number[])[]} */
  get columnsOfFeatures() {
    return this.parts.flatMap((part) => {
      if ('missing' in part) return [];
      return ['group' in part ? part.group.columns : [part.column]];
    });
  }

  /** @param {number} feature */
  nameOf(feature) {
    const part = this.parts[feature];
    if ('group' in part) return part.group.name;
    return this.table.columns['column' in part ? part.column : part.missing].name;
  }

  /**
   * @param {Float64Array} row  encoded
   * @returns {FramedRow}
   */
  of(row) {
    const levels = this.parts.map((part) => ('group' in part ? levelOf(part.group, row) : -1));
    const key = levels.map((level) => Number(level >= 0)).join('');
    const known = this.#tables.get(key) ?? this.#describe(levels);
    this.#tables.set(key, known);
    return new FramedRow(this, row, levels, known);
  }

  /** @param {readonly number[]} levels  of groups, or -1 */
  #describe(levels) {
    const { columns } = this.table;
    const table = {
      rows: this.table.rows,
      columns: this.parts.map((part, f) => {
        if ('column' in part) return columns[part.column];
        if ('group' in part) return columnOfGroup(part.group, levels[f] >= 0, this.table);
        return presenceOf(/** @type {NumericColumn} */ (columns[part.missing]));
      }),
    };
    return { table, flat: flattenTable(table) };
  }
}

/**
 * One row as its features, and samples around it.
 */
export class FramedRow {
  #frame;
  #columns;
  #levels;

  /**
   * @param {RowFrame} frame
   * @param {Float64Array} columns  the row, encoded
   * @param {readonly number[]} levels  of groups, or -1
   * @param {{ table: Table, flat: import('../data/table.js').FlatTable }} described
   */
  constructor(frame, columns, levels, { table, flat }) {
    this.#frame = frame;
    this.#columns = columns;
    this.#levels = levels;
    this.table = table;
    this.flat = flat;
    this.hidesNumbers = frame.hidesNumbers;
    this.row = this.#featuresOf(columns);
  }

  /**
   * @param {Float64Array} columns  a row, encoded
   * @returns {Float64Array}  its features, encoded
   */
  #featuresOf(columns) {
    const { parts, table } = this.#frame;
    return Float64Array.from(parts, (part, f) => {
      if ('missing' in part) return Number(Number.isNaN(columns[part.missing]));
      if ('group' in part) {
        if (this.#levels[f] >= 0) return levelOf(part.group, columns);
        return Number(!part.group.columns.every((c) => Object.is(columns[c], this.#columns[c])));
      }
      const column = table.columns[part.column];
      const value = columns[part.column];
      return column.kind === 'numeric' && Number.isNaN(value) ? column.mean : value;
    });
  }

  /**
   * Encodes a reference row. The level of a group that no training row has is none of its levels.
   *
   * @param {Float64Array} columns  encoded
   */
  reference(columns) {
    return this.#featuresOf(columns);
  }

  /** Whether a feature is a number that the row does not have. @param {number} feature */
  #isAbsent(feature) {
    const part = this.#frame.parts[feature];
    return 'column' in part && Number.isNaN(this.#columns[part.column]);
  }

  /**
   * What an explanation says about a feature beyond its column.
   *
   * @param {number} feature
   * @returns {{ column?: string, value?: string | null }}
   */
  placeOf(feature) {
    const part = this.#frame.parts[feature];
    if ('group' in part) return { value: textOfGroup(part.group, this.#columns, this.#frame.table) };
    if ('missing' in part) return { column: this.#frame.table.columns[part.missing].name };
    return this.#isAbsent(feature) ? { value: null } : {};
  }

  /**
   * Sets the number of samples that lack it to the row's, so that identical samples are asked once, in place.
   *
   * @param {Float64Array} samples  features, encoded
   */
  hideNumbers(samples) {
    const size = this.row.length;
    const { parts, featureOf } = this.#frame;
    parts.forEach((part, f) => {
      if (!('missing' in part)) return;
      const number = featureOf[part.missing];
      for (let at = 0; at < samples.length; at += size)
        if (samples[at + f] === 1) samples[at + number] = this.row[number];
    });
    return samples;
  }

  /**
   * Returns samples as the surrogate sees them: a number that the row does not have says nothing.
   *
   * @param {Float64Array} samples  features, encoded; not changed
   */
  seenBySurrogate(samples) {
    const size = this.row.length;
    const absent = this.#frame.parts.flatMap((_, f) => (this.#isAbsent(f) ? [f] : []));
    if (absent.length === 0) return samples;
    const seen = samples.slice();
    for (const f of absent) for (let at = f; at < seen.length; at += size) seen[at] = this.row[f];
    return seen;
  }

  /**
   * Returns the columns of samples, encoded.
   *
   * @param {Float64Array} samples  features, encoded
   */
  columnsOf(samples) {
    const { parts, table } = this.#frame;
    const [size, width] = [this.row.length, table.columns.length];
    const count = samples.length / size;
    const rows = new Float64Array(count * width);
    for (let i = 0; i < count; i++)
      parts.forEach((part, f) => {
        const value = samples[i * size + f];
        if ('column' in part) rows[i * width + part.column] = value;
        else if ('missing' in part) rows[i * width + part.missing] = value === 1 ? NaN : rows[i * width + part.missing];
        else this.#placeGroup(part.group, f, value, rows.subarray(i * width, (i + 1) * width));
      });
    return rows;
  }

  /** @param {ColumnGroup} group @param {number} feature @param {number} level @param {Float64Array} row */
  #placeGroup({ columns, values }, feature, level, row) {
    const own = this.#levels[feature] < 0;
    if (own && level === 0) for (const c of columns) row[c] = this.#columns[c];
    else columns.forEach((c, i) => (row[c] = values[own ? level - 1 : level][i] ?? NaN));
  }
}

/**
 * @param {ColumnGroup} group
 * @param {Float64Array} row  encoded
 * @returns {number}  -1 if the group has no levels, or none with the row's values
 */
function levelOf({ kind, columns, values }, row) {
  if (kind !== 'levels') return -1;
  return values.findIndex((tuple) => columns.every((c, i) => Object.is(row[c], tuple[i] ?? NaN)));
}

/**
 * A group as a column of levels. If its values are none of its levels, it keeps them half of the time, and otherwise takes
 * the values of a training row.
 *
 * @param {ColumnGroup} group
 * @param {boolean} atLevel  whether the row has one of its levels
 * @param {Table} table
 * @returns {CategoricalColumn}
 */
function columnOfGroup(group, atLevel, table) {
  const { name, columns, values, frequencies } = group;
  const rows = values.map((tuple) => {
    const row = new Float64Array(table.columns.length);
    columns.forEach((c, i) => (row[c] = tuple[i] ?? NaN));
    return row;
  });
  const texts = rows.map((row, i) => `${i}: ${textOfGroup(group, row, table)}`);
  const levels = atLevel ? texts : ['its own', ...texts];
  return {
    ...{ name, kind: /** @type {const} */ ('categorical'), levels, codes: levels.map((_, i) => i) },
    frequencies: atLevel ? frequencies : [KEPT, ...frequencies.map((share) => share * (1 - KEPT))],
    // The average row does not have these values, however often samples keep them.
    ...(!atLevel && { shareOfMean: 0 }),
  };
}

/**
 * Whether a number is missing, as a column of levels.
 *
 * @param {NumericColumn} column
 * @returns {CategoricalColumn}
 */
function presenceOf({ name, missing = 0 }) {
  return {
    ...{ name: `${name} missing?`, kind: /** @type {const} */ ('categorical') },
    ...{ levels: ['no', 'yes'], codes: [0, 1], frequencies: [1 - missing, missing] },
  };
}

/**
 * The values of a group: of a one-hot code, the name of its column; otherwise each value, separated by commas.
 *
 * @param {ColumnGroup} group
 * @param {Float64Array} row  encoded
 * @param {Table} table
 */
function textOfGroup({ columns }, row, table) {
  const hot = columns.filter((c) => row[c] === 1);
  const isCode = columns.every((c) => table.columns[c].kind === 'numeric' && (row[c] === 0 || row[c] === 1));
  if (isCode && hot.length === 1) return table.columns[hot[0]].name;
  return columns
    .map((c) => {
      const value = valueIn(row, c, table);
      if (value === null) return 'missing';
      return typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value);
    })
    .join(', ');
}
