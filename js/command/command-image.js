// `linex image`: explains an image.
import { explainImage } from '../explain/explain-image.js';
import { renderImageRGBA } from '../render/render-image.js';
import { renderSentence } from '../render/reading.js';
import { escape } from '../render/wording.js';
import { onlyWord } from '../command-jobs/command-arguments.js';
import { EXIT } from '../command-files/command-failure.js';
import { Output } from '../command-jobs/command-output.js';
import { makePNG, readImageFile } from '../command-files/image-files.js';
import { writeWhole } from '../command-files/whole-file.js';
import { prepareInput } from '../command-jobs/input-job.js';
import { MODEL_ARGUMENTS } from '../command-jobs/model-file.js';
import { asJSON, formatOf, pageOf, printExplanation } from '../command-reports/picture-files.js';
import { EXPLAIN_ARGUMENTS } from '../command-jobs/rows-job.js';
import { paintPixels } from '../command-reports/terminal-pictures.js';

/** The widest picture, in pixels. */
const WIDEST = 1600;

/** @type {import('../command-jobs/command-arguments.js').Command} */
export const command = {
  name: 'image',
  summary: 'explain an image',
  usage: 'photo.jpg --model model.onnx [options]',
  about: [
    'Explains which parts of an image made the model answer as it did. The image is PNG or JPEG; the packages pngjs and jpeg-js read them.',
    'An ONNX model says by itself how large its input is and in which order the colors come. A module says it by the export input: see explainImage.',
  ],
  takes: {
    ...MODEL_ARGUMENTS,
    ...EXPLAIN_ARGUMENTS,
    segments: { kind: 'choice', choices: ['slic', 'quickshift', 'grid'], help: 'how the image is cut, default slic' },
    scale: { kind: 'number', help: 'pixels are multiplied by it, default 1/255' },
    mean: { kind: 'list', value: 'a,b,c', help: 'taken from each color after that, default 0' },
    std: { kind: 'list', value: 'a,b,c', help: 'each color is divided by it after that, default 1' },
    out: { kind: 'text', short: 'o', value: 'file', help: 'where to write: why.png, why.svg, why.html or why.json' },
    json: { kind: 'flag', help: 'print JSON instead of words' },
  },
  examples: [
    { words: 'linex image cat.jpg --model model.onnx --out why.png', about: 'paints the parts that count' },
    { words: 'linex image cat.jpg --model model.js --target cat', about: 'explains one class in the terminal' },
  ],
  async run(given) {
    const { values } = given;
    const output = new Output(values);
    const path = onlyWord(given, 'the file of an image, such as photo.jpg', 'image');
    const format = values.out === undefined ? undefined : formatOf(values.out, ['png', 'svg', 'html', 'json']);
    const image = await readImageFile(path);
    const { model, options } = await prepareInput(values);
    const own = values.method === 'shap' ? undefined : model.neighborhood;
    const explanation = await /** @type {(...of: any[]) => Promise<any>} */ (explainImage)(image, model.predict, {
      ...options,
      input: { ...model.input, ...numbersOf(values) },
      ...(values.segments && { segments: values.segments }),
      ...(own !== undefined && { neighborhood: own }),
    });
    if (format === 'json') await writeWhole(values.out, `${asJSON(explanation)}\n`);
    else if (format !== undefined)
      await writeWhole(values.out, await pictureOf(explanation, image, values.out, format));
    if (values.out !== undefined) {
      output.note(`wrote ${values.out}`);
      return EXIT.ok;
    }
    if (output.color && !values.json)
      await output.print(`${paintPixels(renderImageRGBA(explanation, /** @type {any} */ (image)), output.width)}\n`);
    await printExplanation(output, explanation, values.json);
    return EXIT.ok;
  },
};

/** How pixels become numbers. @param {Readonly<Record<string, any>>} values */
function numbersOf({ scale, mean, std }) {
  return {
    ...(scale !== undefined && { scale }),
    ...(mean && { mean: mean.map(Number) }),
    ...(std && { std: std.map(Number) }),
  };
}

/**
 * The contents of a file with the picture.
 *
 * @param {any} explanation
 * @param {any} image
 * @param {string} path
 * @param {string} format
 * @returns {Promise<Buffer | string>}
 */
async function pictureOf(explanation, image, path, format) {
  const picture = renderImageRGBA(explanation, image, { width: Math.min(WIDEST, Math.max(image.width, 480)) });
  const png = await makePNG(picture, path);
  if (format === 'png') return png;
  const { width, height } = picture;
  const address = `data:image/png;base64,${png.toString('base64')}`;
  const sentence = renderSentence(explanation);
  if (format === 'svg')
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">` +
      `<title>${escape(sentence)}</title><image href="${address}" width="${width}" height="${height}"/></svg>\n`
    );
  const title = 'Why the model answered as it did';
  return pageOf(
    title,
    `<h1>${title}</h1>\n<p>${escape(sentence)}</p>\n<figure style="margin:0">` +
      `<img src="${address}" alt="${escape(sentence)}" style="max-width:100%;height:auto"></figure>`,
  );
}
