// Reads the words after a command's name, by the list of arguments that the command takes.
import { parseArgs } from 'node:util';
import { nearestTo } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { CommandFailure } from '../command-files/command-failure.js';

/**
 * An argument such as `--seed 7`.
 *
 * @typedef {object} Argument
 * @property {'text' | 'list' | 'count' | 'number' | 'samples' | 'choice' | 'flag'} kind  list: names separated by commas; samples: a
 *   count or `auto`; flag: takes no value
 * @property {string} help  what it does, in a few words
 * @property {string} [value]  what help calls its value, such as `file`
 * @property {readonly string[]} [choices]  of a choice
 * @property {string} [short]  a letter
 */

/**
 * A command, such as `explain`.
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {string} summary  one line for the list of commands
 * @property {string} usage  what stands after the name
 * @property {readonly string[]} about  paragraphs of its help
 * @property {readonly { words: string, about: string }[]} examples
 * @property {Readonly<Record<string, Argument>>} takes
 * @property {(given: Given & { commands: readonly CommandPlace[] }) => Promise<number>} run  returns the exit code; commands: all
 */

/**
 * Where a command is found.
 *
 * @typedef {{ name: string, summary: string, load: () => Promise<{ command: Command }> }} CommandPlace
 */

/**
 * What the user has given.
 *
 * @typedef {object} Given
 * @property {readonly string[]} words  those that belong to no argument
 * @property {Readonly<Record<string, any>>} values  by the name of the argument
 */

/** Arguments that every command takes. @type {Readonly<Record<string, Argument>>} */
export const EVERYWHERE = Object.freeze({
  quiet: { kind: 'flag', short: 'q', help: 'print no notes and no progress' },
  help: { kind: 'flag', short: 'h', help: 'print this help' },
});

/**
 * Reads the arguments of a command.
 *
 * @param {readonly string[]} args
 * @param {Pick<Command, 'name' | 'takes'>} command
 * @returns {Given}
 * @throws {CommandFailure} naming the argument that is wrong, and the nearest one
 */
export function readArguments(args, { name, takes }) {
  const known = { ...takes, ...EVERYWHERE };
  const options = Object.fromEntries(
    Object.entries(known).map(([one, { kind, short }]) => [
      one,
      { type: /** @type {'boolean' | 'string'} */ (kind === 'flag' ? 'boolean' : 'string'), ...(short && { short }) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  /** @type {string[]} */
  const words = [];
  /** @type {Record<string, any>} */
  const values = {};
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const argument = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!argument) throw unknownArgument(token.rawName, name, Object.keys(known));
    const { value } = token;
    if (argument.kind === 'flag' && value !== undefined)
      throw new CommandFailure(`--${token.name} takes no value, not ${show(value)}`);
    if (argument.kind !== 'flag' && (value === undefined || (!token.inlineValue && /^--?[a-z]/.test(value))))
      throw new CommandFailure(`--${token.name} needs a value: ${argument.help}`);
    const read = readValue(token.name, argument, value ?? '');
    values[token.name] = argument.kind === 'list' ? [...(values[token.name] ?? []), ...read] : read;
  }
  return { words, values };
}

/**
 * @param {string} raw  as the user wrote it
 * @param {string} command
 * @param {readonly string[]} known
 */
function unknownArgument(raw, command, known) {
  const nearest = nearestTo(raw.replace(/^-+/, ''), known);
  const hint = nearest ? `did you mean --${nearest}?` : `see linex ${command} --help`;
  return new CommandFailure(`linex ${command} has no option ${raw}; ${hint}`);
}

/**
 * @param {string} name
 * @param {Argument} argument
 * @param {string} value
 * @returns {any}
 */
function readValue(name, { kind, choices = [] }, value) {
  if (kind === 'flag') return true;
  if (kind === 'list') return splitNames(value);
  if (kind === 'choice') {
    if (choices.includes(value)) return value;
    const nearest = nearestTo(value, choices);
    const hint = nearest ? `; did you mean ${nearest}?` : '';
    throw new CommandFailure(`--${name} must be one of ${choices.join(', ')}, not ${show(value)}${hint}`);
  }
  if (kind === 'text' || (kind === 'samples' && value === 'auto')) return value;
  const number = value.trim() === '' ? NaN : Number(value);
  const whole = kind === 'count' || kind === 'samples';
  if (!Number.isFinite(number) || (whole && !(Number.isSafeInteger(number) && number >= 0)))
    throw new CommandFailure(`--${name} must be a ${whole ? 'whole ' : ''}number, not ${show(value)}`);
  return number;
}

/** Splits names at commas. A name with a comma stands in quotes. @param {string} value */
function splitNames(value) {
  const parts = value.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => (/^".*"$/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part));
}

/**
 * Checks how many words a command got.
 *
 * @param {Given} given
 * @param {string} what  what the word is, such as `the file of the data`
 * @param {string} command
 * @returns {string}  the only word
 * @throws {CommandFailure}
 */
export function onlyWord({ words }, what, command) {
  if (words.length === 1) return words[0];
  const found = words.length === 0 ? 'it is missing' : `not ${words.length} words: ${words.map(show).join(', ')}`;
  const model = words.slice(1).find((word) => /\.(m?js|onnx)$|^https?:/i.test(word));
  const hint = model ? `; did you mean --model ${model}?` : '';
  throw new CommandFailure(`linex ${command} needs ${what}; ${found}${hint}`);
}
