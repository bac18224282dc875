// Where the command writes: results to standard output, everything else to standard error, with color only in a terminal.
import process from 'node:process';

/** The narrowest and the widest rendering, in characters. */
const [NARROWEST, WIDEST] = [50, 140];

/**
 * Whether a stream gets color.
 *
 * @param {{ isTTY?: boolean }} stream
 * @param {Record<string, string | undefined>} environment
 */
export function wantsColor(stream, environment) {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0';
  return Boolean(stream.isTTY) && environment.TERM !== 'dumb';
}

/**
 * Breaks a line between words, so that a terminal does not break it within one. The lines after the first are indented as
 * far as the list that the line ends with.
 *
 * @param {string} line
 * @param {number} columns
 */
export function foldLine(line, columns) {
  if (line.length < columns) return line;
  const head = line.match(/^.*\S {2,}|^ */)?.[0] ?? '';
  const indent = ' '.repeat(Math.min(head.length, Math.floor(columns / 2)));
  const lines = [head];
  let empty = true;
  for (const word of line.slice(head.length).split(' ')) {
    const last = lines.length - 1;
    if (empty) lines[last] += word;
    else if (lines[last].length + 1 + word.length < columns) lines[last] += ` ${word}`;
    else lines.push(indent + word);
    empty = false;
  }
  return lines.join('\n');
}

/** The two streams of one run of the command. */
export class Output {
  #quiet;

  /** @param {{ quiet?: boolean }} [options]  quiet: whether notes and progress are left out */
  constructor({ quiet = false } = {}) {
    this.#quiet = quiet;
    this.color = wantsColor(process.stdout, process.env);
    /** Whether a progress bar can be drawn. */
    this.moving = !quiet && Boolean(process.stderr.isTTY) && process.env.TERM !== 'dumb';
  }

  /** The width of renderings, in characters. */
  get width() {
    const columns = process.stdout.columns ?? (Number(process.env.COLUMNS) || 80);
    return Math.max(NARROWEST, Math.min(WIDEST, columns - 1));
  }

  /**
   * Writes a line to standard output.
   *
   * @param {string} text
   * @returns {Promise<void>}  resolved when the stream has taken it, so that a slow reader does not fill the memory
   */
  print(text) {
    return new Promise((resolve, reject) =>
      process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Says something about the work, on standard error, unless it should be quiet. @param {string} text */
  note(text) {
    if (this.#quiet) return;
    const { isTTY, columns } = process.stderr;
    process.stderr.write(`${isTTY ? foldLine(text, columns) : text}\n`);
  }

  /** Replaces the last line of a terminal. @param {string} text */
  status(text) {
    if (this.moving) process.stderr.write(`\r\u001b[K${text}`);
  }

  /** Says what went wrong. @param {string} text */
  complain(text) {
    process.stderr.write(`linex: ${text}\n`);
  }
}
