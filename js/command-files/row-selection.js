// Which rows are explained: `17`, `1-500`, `1-10,50` or `all`. The first row is 1.
import { show } from '../core/errors.js';
import { CommandFailure } from './command-failure.js';

/** Rows of a file, as ranges in ascending order that do not touch. */
export class RowSelection {
  /** @type {readonly (readonly [number, number])[]} */
  #ranges;

  /**
   * @param {string} text
   * @param {number} rowCount  of the file
   * @param {string} name  of the file
   * @throws {CommandFailure}
   */
  constructor(text, rowCount, name) {
    const parts = text === 'all' ? [`1-${rowCount}`] : text.split(',');
    const ranges = parts.map((part) => {
      const [, first, dash, last] = part.trim().match(/^(\d+)(-?)(\d*)$/) ?? [];
      if (first === undefined)
        throw new CommandFailure(`rows must be written as 17, 1-500, 1-10,50 or all, not ${show(text)}`);
      const from = Number(first);
      const to = dash ? (last === '' ? rowCount : Number(last)) : from;
      if (from < 1 || to < from) throw new CommandFailure(`rows are counted from 1 upwards, so ${show(part)} is empty`);
      if (to > rowCount) throw new CommandFailure(`there is no row ${to}: ${name} has ${rowCount} rows`);
      return /** @type {[number, number]} */ ([from, to]);
    });
    this.#ranges = merge(ranges);
  }

  /** How many rows there are. */
  get count() {
    return this.#ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  /** How it is written. */
  get text() {
    return this.#ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
  }

  /** The row at a place, from 0. @param {number} place */
  at(place) {
    let left = place;
    for (const [from, to] of this.#ranges) {
      if (left <= to - from) return from + left;
      left -= to - from + 1;
    }
    return undefined;
  }

  /** @param {number} row */
  has(row) {
    return this.#ranges.some(([from, to]) => row >= from && row <= to);
  }

  /** The last row. */
  get last() {
    return this.#ranges[this.#ranges.length - 1][1];
  }
}

/** @param {[number, number][]} ranges */
function merge(ranges) {
  /** @type {[number, number][]} */
  const merged = [];
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = merged[merged.length - 1];
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
