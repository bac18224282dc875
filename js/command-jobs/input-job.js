// Prepares the explanation of one text or image: opens the model and reads the options that both share.
import { show } from '../core/errors.js';
import { CommandFailure } from '../command-files/command-failure.js';
import { openModel } from './model-file.js';
import { explainOptions } from './rows-job.js';

/**
 * Opens the model, and reads the options of `explainText` and `explainImage`.
 *
 * @param {Readonly<Record<string, any>>} values  of the arguments
 * @returns {Promise<{ model: import('./model-file.js').OpenModel, options: any }>}
 * @throws {CommandFailure}
 */
export async function prepareInput(values) {
  const model = await openModel(values);
  const { classes } = model;
  const target = readClass(values.target, classes);
  const options = {
    ...explainOptions(values),
    ...(classes && { classes: [...classes] }),
    ...(target !== undefined && { target }),
    ...(values.timeout !== undefined && model.kind !== 'http' && { timeout: 1000 * values.timeout }),
  };
  return { model, options };
}

/**
 * @param {string | undefined} target
 * @param {readonly string[] | undefined} classes
 * @returns {string | number | undefined}
 */
function readClass(target, classes) {
  if (target === undefined || target === 'top' || classes?.includes(target)) return target;
  if (/^\d+$/.test(target)) return Number(target);
  const known = classes ? `its classes are ${classes.join(', ')}` : 'name the classes with --classes';
  throw new CommandFailure(`--target ${show(target)} is no class of the model; ${known}`);
}
