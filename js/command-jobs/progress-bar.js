// A line in the terminal that says how far the work is, how fast it goes and how long it will take.

/** Milliseconds between two drawings. */
const PACE = 100;
/** The rate is that of about the last this many milliseconds. */
const MEMORY = 10000;

/**
 * A time in words.
 *
 * @param {number} milliseconds
 * @returns {string}
 */
export function sayTime(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return `${Math.max(1, Math.round(milliseconds))} ms`;
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours < 48 ? `${hours} h ${rest} min` : `${Math.round(hours / 24)} days`;
}

/** A rate in words. @param {number} perSecond */
export function sayRate(perSecond) {
  if (perSecond >= 10) return `${Math.round(perSecond).toLocaleString('en')} rows/s`;
  return perSecond >= 1 ? `${perSecond.toFixed(1)} rows/s` : `${(perSecond * 60).toFixed(1)} rows/min`;
}

/** The progress of one run. */
export class Progress {
  #output;
  #total;
  #done;
  #failed;
  #began = performance.now();
  #drawnAt = 0;
  #before;
  /** Times and counts of the last seconds. @type {{ at: number, done: number }[]} */
  #marks;

  /**
   * @param {import('./command-output.js').Output} output
   * @param {{ total: number, done?: number, failed?: number }} counts  done: rows of a run before
   */
  constructor(output, { total, done = 0, failed = 0 }) {
    this.#output = output;
    this.#total = total;
    this.#done = done;
    this.#before = done;
    this.#failed = failed;
    this.#marks = [{ at: this.#began, done }];
  }

  /** Rows that were explained in this run. */
  get fresh() {
    return this.#done - this.#before;
  }

  get milliseconds() {
    return performance.now() - this.#began;
  }

  /** Counts a row. @param {boolean} failed */
  count(failed) {
    this.#done++;
    if (failed) this.#failed++;
    const now = performance.now();
    if (now - this.#drawnAt < PACE) return;
    this.#drawnAt = now;
    this.#marks.push({ at: now, done: this.#done });
    while (this.#marks.length > 2 && now - this.#marks[0].at > MEMORY) this.#marks.shift();
    if (this.#output.moving) this.#output.status(this.line);
  }

  /** What the line says. */
  get line() {
    const [first, last] = [this.#marks[0], { at: performance.now(), done: this.#done }];
    const rate = (last.done - first.done) / Math.max(1, last.at - first.at);
    const share = this.#done / this.#total;
    const width = this.#output.width;
    const facts = [
      `${Math.floor(100 * share)} %`,
      `${this.#done.toLocaleString('en')} of ${this.#total.toLocaleString('en')} rows`,
      ...(rate > 0 ? [sayRate(1000 * rate), `${sayTime((this.#total - this.#done) / rate)} left`] : []),
      ...(this.#failed > 0 ? [`${this.#failed} failed`] : []),
    ].join('  ');
    const room = Math.max(0, Math.min(40, width - facts.length - 3));
    const full = Math.round(room * share);
    return (room >= 8 ? `${'█'.repeat(full)}${'░'.repeat(room - full)} ${facts}` : facts).slice(0, width);
  }

  /** Removes the line. */
  clear() {
    this.#output.status('');
  }
}
