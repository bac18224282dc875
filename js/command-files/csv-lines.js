// Reads CSV as RFC 4180 describes it, in pieces, so that a file of any size needs little memory.
import { CommandFailure } from './command-failure.js';

/** Characters that may stand between cells. */
const DELIMITERS = [',', ';', '\t', '|'];

/** A longer row has a quote too many. */
const LONGEST_ROW = 1 << 26;

/**
 * Cuts CSV into rows of cells. Feed it text in pieces of any size.
 */
export class CSVReader {
  /** @type {string | undefined} */
  #delimiter;
  /** What is left of the piece before. */
  #rest = '';
  #line = 1;
  #started = false;

  /** @param {string} name  what errors call the file */
  constructor(name) {
    this.name = name;
  }

  /**
   * Reads a piece of text.
   *
   * @param {string} text
   * @param {boolean} [last]  whether the file ends here
   * @returns {string[][]}  the rows that are complete; lines without anything are passed over
   * @throws {CommandFailure} naming the line
   */
  read(text, last = false) {
    let all = this.#rest + text;
    if (!this.#started && all.length > 0) {
      this.#started = true;
      if (all.startsWith('\uFEFF')) all = all.slice(1);
    }
    /** @type {string[][]} */
    const rows = [];
    let at = 0;
    while (at < all.length) {
      this.#delimiter ??= this.#findDelimiter(all, last);
      if (this.#delimiter === undefined) break;
      const found = this.#readRow(all, at, last, this.#delimiter);
      if (!found) break;
      if (found.cells.length > 1 || found.cells[0] !== '' || found.quoted) rows.push(found.cells);
      this.#line += found.lines;
      at = found.end;
    }
    this.#rest = all.slice(at);
    if ((last && this.#rest !== '') || this.#rest.length > LONGEST_ROW)
      throw this.#fault('a quoted cell is not closed');
    return rows;
  }

  /** The line after the last row that was read. */
  get line() {
    return this.#line;
  }

  /** @param {string} why */
  #fault(why) {
    return new CommandFailure(`${this.name}, line ${this.#line}: ${why}`);
  }

  /**
   * The delimiter that occurs most often in the first line, outside of quotes.
   *
   * @param {string} text
   * @param {boolean} last
   * @returns {string | undefined}  undefined if the first line is not complete
   */
  #findDelimiter(text, last) {
    let quoted = false;
    const counts = DELIMITERS.map(() => 0);
    for (let i = 0; i < text.length; i++) {
      const letter = text[i];
      if (letter === '"') quoted = !quoted;
      else if (!quoted && (letter === '\n' || letter === '\r')) return mostOf(counts);
      else if (!quoted && DELIMITERS.includes(letter)) counts[DELIMITERS.indexOf(letter)]++;
    }
    return last ? mostOf(counts) : undefined;
  }

  /**
   * @param {string} text
   * @param {number} from
   * @param {boolean} last
   * @param {string} delimiter
   * @returns {{ cells: string[], end: number, lines: number, quoted: boolean } | undefined}  undefined if the row is not complete
   */
  #readRow(text, from, last, delimiter) {
    /** @type {string[]} */
    const cells = [];
    let [at, lines, anyQuoted] = [from, 0, false];
    for (;;) {
      const quoted = text[at] === '"';
      anyQuoted ||= quoted;
      const cell = quoted ? readQuoted(text, at) : readPlain(text, at, delimiter);
      if (!cell) return undefined;
      cells.push(cell.value);
      if (quoted) lines += cell.value.split('\n').length - 1;
      at = cell.end;
      const next = text[at];
      if (next === delimiter) {
        at++;
        continue;
      }
      if (next === undefined) return last ? { cells, end: at, lines: lines + 1, quoted: anyQuoted } : undefined;
      if (next === '\n') return { cells, end: at + 1, lines: lines + 1, quoted: anyQuoted };
      if (next === '\r') {
        // The line feed may be in the next piece.
        if (at + 1 === text.length && !last) return undefined;
        return { cells, end: at + (text[at + 1] === '\n' ? 2 : 1), lines: lines + 1, quoted: anyQuoted };
      }
      throw this.#fault(`there is ${JSON.stringify(next)} after a quoted cell; a quote in a cell is written twice`);
    }
  }
}

/** @param {number[]} counts */
function mostOf(counts) {
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

/**
 * Reads a cell in quotes.
 *
 * @param {string} text
 * @param {number} from  of the first quote
 * @returns {{ value: string, end: number } | undefined}  undefined if it is not closed yet
 */
function readQuoted(text, from) {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 2))
    if (text[end + 1] !== '"') return { value: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 };
  return undefined;
}

/**
 * Reads a cell without quotes.
 *
 * @param {string} text
 * @param {number} from
 * @param {string} delimiter
 */
function readPlain(text, from, delimiter) {
  const stop = delimiter.charCodeAt(0);
  let end = from;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === stop || code === 10 || code === 13) break;
  }
  return { value: text.slice(from, end), end };
}
