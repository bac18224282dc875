// Finds out what the columns of a file hold, and reads cells accordingly.
import { show } from '../core/errors.js';

/**
 * What a column holds.
 *
 * @typedef {object} ColumnType
 * @property {string} name
 * @property {'numeric' | 'flags' | 'numbers as levels' | 'text' | 'ids' | 'objects' | 'empty'} holds  ids: texts of which almost all
 *   differ
 * @property {number} levels  how many different texts or levels there are, at most MOST_LEVELS + 1
 * @property {number} missing  how many cells have no value
 * @property {boolean} commas  whether all are texts that look like numbers with a decimal comma
 */

/** A column of texts with more levels is left out. */
const MOST_LEVELS = 1000;
/** With more levels than this, texts that are different in more than half of the rows are names, not levels. */
const FEW_LEVELS = 20;

/** Written in place of a number that is missing. */
const MISSING = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?', '-']);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;
/** A number with a leading zero is a code, such as a postcode. */
const CODE = /^[+-]?0\d/;

/** @param {unknown} cell */
const isMissing = (cell) => cell === undefined || cell === null || Number.isNaN(cell);

/**
 * Reads a number.
 *
 * @param {unknown} cell
 * @returns {number | null | undefined}  null if it is missing; undefined if it is no number
 */
export function readNumber(cell) {
  if (typeof cell === 'number') return Number.isNaN(cell) ? null : Number.isFinite(cell) ? cell : undefined;
  if (typeof cell === 'bigint') return Number(cell);
  if (isMissing(cell)) return null;
  if (typeof cell !== 'string') return undefined;
  const text = cell.trim();
  if (MISSING.has(text.toLowerCase())) return null;
  if (!NUMBER.test(text) || CODE.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Reads true or false. @param {unknown} cell @returns {boolean | undefined} */
function readFlag(cell) {
  if (typeof cell === 'boolean') return cell;
  return cell === 'true' ? true : cell === 'false' ? false : undefined;
}

/** Reads a text. @param {unknown} cell @returns {string | null | undefined}  undefined if it is an object */
function readText(cell) {
  if (isMissing(cell) || cell === '') return null;
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'object' || typeof cell === 'function') return undefined;
  return String(cell);
}

/** Counts what one column holds, cell by cell. */
export class ColumnScan {
  #name;
  #categorical;
  #count = 0;
  #missing = 0;
  #numbers = 0;
  #flags = 0;
  #objects = 0;
  #commas = 0;
  #strings = 0;
  /** Cells without a number that are written as a word, such as `NA`. */
  #words = 0;
  /** @type {Set<string>} */
  #levels = new Set();

  /** @param {string} name @param {boolean} categorical  whether the user says that it has levels */
  constructor(name, categorical) {
    this.#name = name;
    this.#categorical = categorical;
  }

  /** @param {unknown} cell */
  add(cell) {
    this.#count++;
    const number = readNumber(cell);
    if (typeof number === 'number') this.#numbers++;
    else if (number === null) {
      const text = readText(cell);
      if (text === null) this.#missing++;
      else this.#words++;
    } else if (readFlag(cell) !== undefined) this.#flags++;
    if (typeof number === 'number' && !this.#categorical && this.#numbers + this.#missing + this.#words === this.#count)
      return;
    const text = readText(cell);
    if (typeof cell === 'string' && number === undefined) {
      this.#strings++;
      if (DECIMAL_COMMA.test(cell)) this.#commas++;
    }
    if (text === undefined) this.#objects++;
    else if (text !== null && this.#levels.size <= MOST_LEVELS) this.#levels.add(text);
  }

  /** @returns {ColumnType} */
  get type() {
    const present = this.#count - this.#missing;
    const numeric = this.#numbers > 0 && this.#numbers + this.#words === present;
    const missing = this.#missing + (numeric ? this.#words : 0);
    // Whole numbers in between have no comma.
    const commas = this.#commas > 0 && this.#commas === this.#strings;
    return { name: this.#name, holds: this.#holds(present, numeric), levels: this.#levels.size, missing, commas };
  }

  /**
   * @param {number} present
   * @param {boolean} numeric
   * @returns {ColumnType['holds']}
   */
  #holds(present, numeric) {
    if (present === 0) return 'empty';
    if (this.#objects > 0) return 'objects';
    if (this.#flags === present) return 'flags';
    if (numeric) return this.#categorical ? 'numbers as levels' : 'numeric';
    if (this.#categorical) return 'text';
    const { size } = this.#levels;
    return size > MOST_LEVELS || (size > FEW_LEVELS && size > present / 2) ? 'ids' : 'text';
  }
}

/** Whether a column can be given to a model. @param {ColumnType} type */
export const isUsable = ({ holds }) => !['ids', 'objects', 'empty'].includes(holds);

/** Whether a column has levels. @param {ColumnType} type */
export const hasLevels = ({ holds }) => holds !== 'numeric';

/**
 * Returns a function that reads the cells of a column. A cell that does not fit is returned as it is: the explanation of its row
 * then fails, and says why.
 *
 * @param {ColumnType} type
 * @returns {(cell: unknown) => unknown}
 */
export function readerOf({ holds }) {
  if (holds === 'numeric' || holds === 'numbers as levels')
    return (cell) => {
      const number = readNumber(cell);
      return number === undefined ? cell : number;
    };
  if (holds === 'flags') return (cell) => (isMissing(cell) || cell === '' ? null : (readFlag(cell) ?? cell));
  return (cell) => {
    const text = readText(cell);
    return text === undefined ? show(cell) : text;
  };
}

/**
 * Says what a column holds, in a few words.
 *
 * @param {ColumnType} type
 * @returns {string}
 */
export function describeType({ holds, levels, missing, commas }) {
  const count = levels > MOST_LEVELS ? `more than ${MOST_LEVELS}` : `${levels}`;
  const words = {
    numeric: 'numbers',
    flags: 'true or false',
    'numbers as levels': `${count} levels`,
    text: `${count} ${levels === 1 ? 'level' : 'levels'}`,
    ids: `texts that differ, ${count}`,
    objects: 'objects',
    empty: 'no values',
  }[holds];
  const absent = missing > 0 && holds !== 'empty' ? `, ${missing} missing` : '';
  return `${words}${absent}${commas ? ', with decimal commas: write points to make them numbers' : ''}`;
}
