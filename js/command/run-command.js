// Runs the command: finds the subcommand, reads its arguments, and turns errors into one line and an exit code.
import process from 'node:process';
import { nearestTo } from '../core/check-options.js';
import { show } from '../core/errors.js';
import { readArguments } from '../command-jobs/command-arguments.js';
import { CommandFailure, EXIT, exitCodeOf, lineOf } from '../command-files/command-failure.js';
import { endOnInterrupt } from '../command-jobs/rows-run.js';
import { generalHelp, helpOf } from './command-help.js';
import { COMMANDS } from './command-list.js';
import { Output } from '../command-jobs/command-output.js';
import { readVersion } from '../command-files/linex-version.js';

/** Runs the command with the words of this process, and leaves the exit code to it. */
export async function runProcess() {
  endOnInterrupt();
  process.exitCode = await runCommand(process.argv.slice(2));
}

/**
 * Runs the command.
 *
 * @param {readonly string[]} args  the words after `linex`
 * @returns {Promise<number>}  the exit code
 */
export async function runCommand(args) {
  const output = new Output();
  // A reader such as `head` that has enough closes the pipe. That is no failure.
  process.stdout.on('error', (error) => {
    process.exit(/** @type {any} */ (error).code === 'EPIPE' ? EXIT.ok : EXIT.failed);
  });
  try {
    return await run(args, output);
  } catch (error) {
    output.complain(lineOf(error));
    if (process.env.LINEX_DEBUG) process.stderr.write(`${/** @type {any} */ (error)?.stack}\n`);
    return exitCodeOf(error);
  }
}

/**
 * @param {readonly string[]} args
 * @param {Output} output
 * @returns {Promise<number>}
 */
async function run([name, ...rest], output) {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const found = name === 'help' ? COMMANDS.find((one) => one.name === rest[0]) : undefined;
    await output.print(found ? helpOf((await found.load()).command) : generalHelp(COMMANDS));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version' || name === '-v') {
    await output.print(readVersion());
    return EXIT.ok;
  }
  const found = COMMANDS.find((one) => one.name === name);
  if (!found) {
    const names = COMMANDS.map((one) => one.name);
    const nearest = nearestTo(name, names);
    const hint = nearest ? `did you mean linex ${nearest}?` : `the commands are ${names.join(', ')}`;
    throw new CommandFailure(`linex has no command ${show(name)}; ${hint}`);
  }
  const { command } = await found.load();
  const given = readArguments(rest, command);
  if (given.values.help) {
    await output.print(helpOf(command));
    return EXIT.ok;
  }
  return command.run({ ...given, commands: COMMANDS });
}
