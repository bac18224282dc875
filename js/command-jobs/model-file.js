// Opens the model that the user names: a JavaScript module, an ONNX file or the address of a server.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { LinexError, messageOf, show } from '../core/errors.js';
import { CommandFailure, EXIT } from '../command-files/command-failure.js';
import { hashFile } from '../command-files/data-file.js';

/**
 * A model that is ready to be asked.
 *
 * @typedef {object} OpenModel
 * @property {string} name  as the user wrote it, without a password
 * @property {'module' | 'onnx' | 'http'} kind
 * @property {string} sha256  of its file; of its address if it is a server
 * @property {any} predict  asks it in this thread
 * @property {readonly string[]} [classes]
 * @property {readonly string[]} [columns]  what it gets, if it says so
 * @property {number} [inputs]  how many numbers per row it takes, if it says so
 * @property {boolean} [takesTexts]  whether an ONNX model takes texts as they are
 * @property {any} [neighborhood]  its own
 * @property {any} [input]  how it takes rows or images
 * @property {string} [url]  of a module for the workers of a pool; a server has none
 */

/** Arguments about the model, for every command that asks one. @type {Readonly<Record<string, import('./command-arguments.js').Argument>>} */
export const MODEL_ARGUMENTS = Object.freeze({
  model: { kind: 'text', short: 'm', value: 'file', help: 'the model: model.js, model.onnx or https://…' },
  classes: { kind: 'list', value: 'a,b', help: 'names of the answers of the model, in their order' },
  softmax: { kind: 'flag', help: 'the model answers logits; make probabilities of them' },
  output: { kind: 'text', value: 'name', help: 'the output of an ONNX model or a server that has the scores' },
  protocol: {
    kind: 'choice',
    choices: ['plain', 'open-inference', 'instances', 'chat', 'completion'],
    help: 'how a server is asked; by default its address tells',
  },
  send: { kind: 'choice', choices: ['numbers', 'values', 'records'], help: 'how rows are sent to a server' },
  'served-model': { kind: 'text', value: 'name', help: 'the name of the model at a server' },
  'per-minute': { kind: 'number', help: 'the most requests to a server per minute' },
  retries: { kind: 'count', help: 'how often a failed request is repeated, default 5' },
  cache: { kind: 'text', value: 'file', help: 'keep the answers of a server in a file, so that none is asked twice' },
  timeout: { kind: 'number', value: 'seconds', help: 'how long the model may take for a batch' },
});

/** Models of other languages. */
const FOREIGN = /\.(py|pkl|pickle|joblib|pt|pth|h5|keras|pb|tflite|bst|cbm|pmml|rds|ubj)$/i;

/**
 * Opens a model.
 *
 * @param {Readonly<Record<string, any>>} values  of the arguments above
 * @returns {Promise<OpenModel>}
 * @throws {CommandFailure | LinexError} if there is no such model
 */
export async function openModel(values) {
  const { model: given } = values;
  if (given === undefined)
    throw new CommandFailure('--model is missing: name a file (model.js, model.onnx) or an address');
  if (/^https?:\/\//.test(given)) return openServer(given, values);
  if (/\.(m?js|onnx)$/i.test(given) && statSync(given).isFile())
    return given.toLowerCase().endsWith('.onnx') ? openOnnxFile(given, values) : openModule(given, values);
  const advice = FOREIGN.test(given) ? '; export it to ONNX, or serve it and give its address' : '';
  throw new CommandFailure(
    `--model must be a file .js, .mjs or .onnx, or an address https://…, not ${show(given)}${advice}`,
  );
}

/** @param {string} given @param {Readonly<Record<string, any>>} values @returns {Promise<OpenModel>} */
async function openModule(given, { classes: named }) {
  const url = pathToFileURL(resolve(given)).href;
  /** @type {any} */
  let module;
  try {
    module = await import(url);
  } catch (cause) {
    throw new LinexError('load', `could not import ${given}: ${messageOf(cause)}`, { cause });
  }
  const { predict, neighborhood, columns } = module;
  if (typeof predict !== 'function') {
    const names = Object.keys(module).join(', ') || 'nothing';
    throw new CommandFailure(
      `${given} must export a function predict, not ${show(predict)}; it exports ${names}`,
      EXIT.model,
    );
  }
  const classes = named ?? module.classes ?? predict.classes;
  const input = module.input ?? predict.input;
  return {
    ...{ name: given, kind: 'module', sha256: await hashFile(given), predict, url },
    ...{ classes, columns, neighborhood, input },
  };
}

/** @param {string} given @param {Readonly<Record<string, any>>} values @returns {Promise<OpenModel>} */
async function openOnnxFile(given, { classes, softmax, output }) {
  const { openOnnx } = await import('./onnx-session.js');
  const wishes = { classes, softmax, output };
  const { predict, inputs, takesTexts } = await openOnnx(resolve(given), wishes);
  const url = new URL('./onnx-model.js', import.meta.url);
  url.searchParams.set('path', resolve(given));
  url.searchParams.set('wishes', JSON.stringify(wishes));
  return {
    ...{ name: given, kind: 'onnx', sha256: await hashFile(given), predict, url: url.href },
    ...{ classes, inputs, takesTexts, input: predict.input },
  };
}

/** @param {string} given @param {Readonly<Record<string, any>>} values @returns {Promise<OpenModel>} */
async function openServer(given, values) {
  const { fromHTTP } = await import('../adapters/from-http.js');
  const { polite } = await import('../adapters/polite.js');
  const address = new URL(given);
  const { username, password } = address;
  [address.username, address.password] = ['', ''];
  // A secret belongs to the environment: other users can read the words of a command.
  const authorization =
    process.env.LINEX_AUTHORIZATION ??
    (username && `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  const { classes, softmax, output, protocol, send, cache } = values;
  const ask = fromHTTP(address, {
    ...(classes && { labels: classes }),
    ...(softmax && { softmax }),
    ...(output && { output }),
    ...(protocol && { protocol }),
    ...(send && { rows: send }),
    ...(values['served-model'] && { model: values['served-model'] }),
    ...(authorization && { headers: { authorization } }),
  });
  const manners = {
    ...(values.retries !== undefined && { retries: values.retries }),
    ...(values['per-minute'] !== undefined && { perMinute: values['per-minute'] }),
    ...(values.timeout !== undefined && { timeout: 1000 * values.timeout }),
  };
  const kept = cache && (await import('../adapters/file-cache.js')).fileCache(cache);
  const predict = polite(ask, {
    ...manners,
    ...(kept && { cache: kept, model: `${address.href} ${values['served-model'] ?? ''}` }),
  });
  const sha256 = createHash('sha256').update(address.href).digest('hex');
  // A query may hold a key, so it is not shown.
  const name = `${address.origin}${address.pathname}`;
  return { name, kind: 'http', sha256, predict, classes: classes ?? ask.classes, input: ask.input };
}
