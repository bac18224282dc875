// What the bench measures in every engine, in Node and in pages: default explanations, and LINEX relative to our LIME.
import { describeTable, explainImage, explainRow, explainText } from '../../js/index.js';
import { dice } from '../support/dice.js';

/** The least milliseconds of a turn. */
const LEAST = 50;

const bend = (z) => z / (1 + Math.abs(z));

/** Scores of rows, not linear. */
const rowModel = ({ data, shape: [count, width] }) =>
  Float64Array.from({ length: count }, (_, i) => {
    let z = 0;
    for (let c = 0; c < width; c++) z += (((c * 7) % 5) - 2) * 0.3 * data[i * width + c];
    return bend(z + 0.1 * data[i * width] * data[i * width + 1]);
  });

/** Scores of texts by the letters that their words end with. */
const textModel = (texts) =>
  Float64Array.from(texts, (text) =>
    bend(text.split(' ').reduce((z, word) => z + (word ? (word.charCodeAt(1) % 5) - 2 : 0) / 4, 0)),
  );

/** Scores of images by every 97th value. */
const imageModel = ({ data, shape }) => {
  const size = data.length / shape[0];
  return Float64Array.from({ length: shape[0] }, (_, i) => {
    let z = 0;
    for (let v = 0; v < size; v += 97) z += data[i * size + v] * (((v * 7) % 5) - 1.5);
    return bend((z * 20) / size);
  });
};

/** Colored waves, so that superpixels have edges to follow. */
function waves(side) {
  const data = new Uint8ClampedArray(4 * side * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      data.set([128 + 100 * Math.sin(x / 17), 128 + 100 * Math.sin(y / 23), (x * y) % 256, 255], 4 * (y * side + x));
  return { data, width: side, height: side, channels: 4 };
}

/** @returns {Promise<Record<string, (options: object) => Promise<unknown>>>}  by name: one explanation */
async function makeCases() {
  const { normal } = dice(1);
  const training = Array.from({ length: 200 }, () => Array.from({ length: 10 }, normal));
  const table = await describeTable(training);
  const text = Array.from({ length: 20 }, (_, i) => `w${String.fromCharCode(97 + i)}`).join(' ');
  const image = waves(224);
  const row = (samples) => (options) => explainRow(training[0], rowModel, { table, samples, ...options });
  return {
    'row, 500 samples (kriging)': row(500),
    'row, 1,000 samples': row(1000),
    'row, 5,000 samples': row(5000),
    'text of 20 words, 1,000 samples': (options) => explainText(text, textModel, { samples: 1000, ...options }),
    'image of 224 x 224, 200 samples': (options) => explainImage(image, imageModel, { samples: 200, ...options }),
  };
}

/**
 * Measures each case by the clock, in turns; the fastest round counts. Some engines tell the time in whole milliseconds,
 * so short explanations are repeated.
 *
 * @param {number} rounds
 * @returns {Promise<Record<string, { linex: number, lime: number }>>}  milliseconds per explanation, with the model
 */
export async function measureCases(rounds) {
  const times = {};
  for (const [name, explain] of Object.entries(await makeCases())) {
    const best = { linex: Infinity, lime: Infinity };
    const first = performance.now();
    await explain({});
    const times = Math.ceil(LEAST / Math.max(1, performance.now() - first));
    for (let round = 0; round < rounds; round++)
      for (const method of /** @type {const} */ (['linex', 'lime'])) {
        const before = performance.now();
        for (let i = 0; i < times; i++) await explain({ method });
        best[method] = Math.min(best[method], (performance.now() - before) / times);
      }
    times[name] = best;
  }
  return times;
}
