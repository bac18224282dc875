import { freeze } from '../core/freeze.js';
import { unpackError } from './pool-errors.js';

/**
 * A row, and who waits for its explanation.
 *
 * @typedef {object} Place
 * @property {number} index
 * @property {unknown} row
 * @property {(explanation: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** A worker hears of new rows once a frame while it computes; it should have enough until then, but not too many. */
const AHEAD = 32;
export const MOST_AHEAD = 64;

/**
 * Such rows are sent as plain arrays: a framework's array that watches over its values cannot be sent, and of a view all of
 * the buffer would be.
 *
 * @param {unknown} row
 * @returns {row is ArrayLike<unknown>}
 */
const isArrayLike = (row) => typeof row === 'object' && row !== null && 'length' in row;

/** The rows of one call that are with one worker. It answers them in the order in which it got them. */
export class Lane {
  #member;
  #run;
  #how;
  /** Sent and not answered. @type {Place[]} */
  #sent = [];
  #answered = 0;
  /** Milliseconds a row, as far as is known. */
  #pace = Infinity;
  #since = 0;

  /**
   * @param {import('./pool-member.js').Member} member
   * @param {number} run  the number of the call
   * @param {object} how
   * @param {number} how.concurrency
   * @param {() => void} how.onRoom  told when there is room for more
   * @param {(error: unknown) => void} how.onFailure  told when a row has failed: those after it need not be asked about
   * @param {(progress: import('../explain/plan.js').Progress) => void} [how.onProgress]
   */
  constructor(member, run, how) {
    this.#member = member;
    this.#run = run;
    this.#how = how;
    const on = {
      explained: (/** @type {any} */ { explanations }) => this.#settle(explanations),
      progress: (/** @type {any} */ { progress }) => this.#report(progress),
      failed: (/** @type {any} */ { error, begun }) => this.#fail(unpackError(error, begun ? `row ${this.row}: ` : '')),
    };
    member.listen(run, (message) => on[/** @type {keyof typeof on} */ (message.type)]?.(message));
  }

  /** @returns {number}  of rows that the worker should have beside those it has */
  get room() {
    const ahead = 1 + Math.min(MOST_AHEAD, Math.floor(AHEAD / this.#pace));
    return this.#how.concurrency + ahead - this.#sent.length;
  }

  /** The row that it is at. @returns {number | undefined} */
  get row() {
    return this.#sent[0]?.index;
  }

  /** @param {Place} place */
  give(place) {
    const { row, index } = place;
    try {
      this.#member.post({ type: 'row', run: this.#run, row: isArrayLike(row) ? Array.from(row) : row });
    } catch (cause) {
      const why = /** @type {Error} */ (cause).message;
      const error = new TypeError(`row ${index}: it cannot go to a worker: ${why}`, { cause });
      place.reject(error);
      this.#how.onFailure(error);
      return;
    }
    if (this.#sent.length === 0) this.#since = performance.now();
    this.#sent.push(place);
    this.#member.expect(1);
  }

  /** @param {any[]} explanations */
  #settle(explanations) {
    const now = performance.now();
    this.#pace = (now - this.#since) / explanations.length;
    this.#since = now;
    this.#answered += explanations.length;
    const places = this.#sent.splice(0, explanations.length);
    this.#member.expect(-places.length);
    // Several targets are an array of explanations, as on one core.
    places.forEach(({ resolve }, i) => {
      const found = explanations[i];
      resolve(Array.isArray(found) ? found.map(freeze) : freeze(found));
    });
    this.#how.onRoom();
  }

  /** @param {{ row: number } & Omit<import('../explain/plan.js').Progress, 'partial'>} progress  row: counted by the worker */
  #report(progress) {
    const { index } = this.#sent[progress.row - this.#answered];
    try {
      this.#how.onProgress?.({ ...progress, row: index, partial: null });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#how.onFailure(error);
    for (const { reject } of this.#sent) reject(error);
    this.stop();
  }

  /** Whatever is under way is not waited for. */
  stop() {
    this.#member.listen(this.#run, undefined);
    this.#member.expect(-this.#sent.splice(0).length);
    this.#member.post({ type: 'stop', run: this.#run });
  }
}
