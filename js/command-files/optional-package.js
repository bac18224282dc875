// Imports packages that linex does not install: readers of files, and runtimes of models.
import { CommandFailure } from './command-failure.js';

/**
 * Imports the first of some packages that is installed.
 *
 * @param {readonly string[]} names  at least one
 * @param {string} purpose  what it is needed for, such as `read data.parquet`
 * @returns {Promise<any>}  the module, and its `name`
 * @throws {CommandFailure} saying what to install
 */
export async function importOptional(names, purpose) {
  for (const name of names)
    try {
      return { ...(await import(name)), packageName: name };
    } catch (error) {
      const { code, message } = /** @type {any} */ (error);
      const absent = code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`);
      if (!absent) throw new CommandFailure(`could not load the package ${name}: ${message}`);
    }
  throw new CommandFailure(`to ${purpose}, install ${names.join(' or ')} beside linex: npm install ${names[0]}`);
}
