// Writes the help of the command and of each of its subcommands.
import { EVERYWHERE } from '../command-jobs/command-arguments.js';

/** @typedef {import('../command-jobs/command-arguments.js').Command} Command */

/** The width of help, in characters. */
const WIDTH = 79;

/**
 * Breaks a text into lines.
 *
 * @param {string} text
 * @param {number} indent
 * @param {number} [first]  the indent of the first line
 * @returns {string[]}
 */
function wrapWords(text, indent, first = indent) {
  const lines = [' '.repeat(first)];
  let bare = true;
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (!bare && line.length + 1 + word.length > WIDTH) lines.push(' '.repeat(indent) + word);
    else lines[lines.length - 1] = bare ? line + word : `${line} ${word}`;
    bare = false;
  }
  return lines;
}

/** How help writes an argument. @param {string} name @param {import('../command-jobs/command-arguments.js').Argument} argument */
function writeArgument(name, { short, value, kind, choices }) {
  const named = kind === 'choice' ? (choices ?? []).join('|') : (value ?? 'number');
  const shown = named.length > 20 ? 'name' : named;
  return `${short ? `-${short}, ` : '    '}--${name}${kind === 'flag' ? '' : ` ${shown}`}`;
}

/**
 * The help of one command.
 *
 * @param {Command} command
 * @returns {string}
 */
export function helpOf({ name, usage, about, examples, takes }) {
  const entries = Object.entries({ ...takes, ...EVERYWHERE });
  const column = 28;
  const lines = entries.flatMap(([one, argument]) => {
    const head = `  ${writeArgument(one, argument)}`;
    const { help, kind, choices = [] } = argument;
    const text = kind === 'choice' && choices.join('|').length > 20 ? `${help}: ${choices.join(', ')}` : help;
    if (head.length >= column - 1) return [head, ...wrapWords(text, column)];
    return wrapWords(text, column, column).map((line, i) => (i === 0 ? head.padEnd(column) + line.trimStart() : line));
  });
  return [
    `Usage: linex ${name} ${usage}`,
    '',
    ...about.flatMap((paragraph) => [...wrapWords(paragraph, 0), '']),
    'Options:',
    ...lines,
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.flatMap(({ words, about: what }) => [`  ${words}`, ...wrapWords(what, 6)]),
  ].join('\n');
}

/**
 * The help of the command as a whole.
 *
 * @param {readonly { name: string, summary: string }[]} commands
 * @returns {string}
 */
export function generalHelp(commands) {
  return [
    'linex says why a model gave its answer: for rows of a table, a text or an image.',
    '',
    'Usage: linex <command> …',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`),
    '',
    'linex <command> --help says more. linex --version prints the version.',
    '',
    'Example:',
    '  linex explain iris.csv --model iris.onnx --drop species --row 17',
    '',
    'Exit codes: 0 all is well, 1 some rows failed or differ, 2 the command or a file',
    'is wrong, 3 the model failed, 130 interrupted.',
  ].join('\n');
}
