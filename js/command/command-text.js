// `linex text`: explains a text.
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { explainText } from '../explain/explain-text.js';
import { onlyWord } from '../command-jobs/command-arguments.js';
import { CommandFailure, EXIT } from '../command-files/command-failure.js';
import { Output } from '../command-jobs/command-output.js';
import { prepareInput } from '../command-jobs/input-job.js';
import { MODEL_ARGUMENTS } from '../command-jobs/model-file.js';
import { formatOf, printExplanation, writePicture } from '../command-reports/picture-files.js';
import { EXPLAIN_ARGUMENTS } from '../command-jobs/rows-job.js';
import { paintWords } from '../command-reports/terminal-pictures.js';

/** @type {import('../command-jobs/command-arguments.js').Command} */
export const command = {
  name: 'text',
  summary: 'explain a text',
  usage: '"the text" --model model.js [options]',
  about: [
    'Explains which words of a text made the model answer as it did. - reads the text from standard input.',
    'The model is a module that exports predict, which takes an array of texts, or a server. An ONNX model needs its tokens, so call it in a module.',
  ],
  takes: {
    ...MODEL_ARGUMENTS,
    ...EXPLAIN_ARGUMENTS,
    file: { kind: 'text', value: 'file', help: 'read the text from a file' },
    unit: {
      kind: 'choice',
      choices: ['word', 'position', 'sentence', 'line'],
      help: 'what is removed together, default word',
    },
    out: { kind: 'text', short: 'o', value: 'file', help: 'where to write: why.html, why.svg or why.json' },
    json: { kind: 'flag', help: 'print JSON instead of words' },
  },
  examples: [
    { words: 'linex text "A moving tale of love" --model model.js', about: 'shows the words that count' },
    { words: 'linex text - --model model.js --out why.html < review.txt', about: 'makes a page of a text from a pipe' },
  ],
  async run(given) {
    const { values } = given;
    const output = new Output(values);
    const text = await readText(given);
    if (values.out !== undefined) formatOf(values.out, ['html', 'svg', 'json']);
    const { model, options } = await prepareInput(values);
    if (model.kind === 'onnx' && !model.takesTexts)
      throw new CommandFailure(
        `${model.name} takes no texts; make its tokens in a module that exports predict: --model model.js`,
      );
    const own = values.method === 'shap' ? undefined : model.neighborhood;
    const explanation = await explainText(text, model.predict, {
      ...options,
      ...(values.unit && { unit: values.unit }),
      ...(own !== undefined && { neighborhood: own }),
    });
    if (values.out !== undefined) {
      await writePicture(values.out, explanation, 'Why the model answered as it did');
      output.note(`wrote ${values.out}`);
      return EXIT.ok;
    }
    if (output.color && !values.json) await output.print(`${paintWords(explanation)}\n`);
    await printExplanation(output, explanation, values.json);
    return EXIT.ok;
  },
};

/** @param {import('../command-jobs/command-arguments.js').Given} given @returns {Promise<string>} */
async function readText(given) {
  const { file } = given.values;
  if (file !== undefined && given.words.length > 0) throw new CommandFailure('give the text or --file, not both');
  const word = file === undefined ? onlyWord(given, 'one text in quotes, - or --file', 'text') : '';
  const text = file !== undefined ? await readFile(file, 'utf8') : word === '-' ? await readInput() : word;
  if (text.trim() === '') throw new CommandFailure('the text is empty');
  return text;
}

/** Reads standard input as text. @returns {Promise<string>} */
async function readInput() {
  const pieces = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
