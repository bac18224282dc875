// Calls whose explanations were recorded before the files moved into rooms: every method, environment, solver and
// neighborhood. They use `preset: 'paper'`, whose defaults were the only ones then. Calls with the other presets follow.
// The models use only + - * /, which every engine rounds in the same way.
import {
  densityNeighborhood,
  describeTable,
  explainImage,
  explainRow,
  explainRows,
  explainSamples,
  explainText,
  forestNeighborhood,
  latentNeighborhood,
  load,
  loadWordVectors,
  segmentImage,
  solveGame,
  trainForest,
  wordNeighborhood,
} from '../../js/index.js';
import { brightness, scene } from './scene.js';

const cell = (row, column) => ((row * (7 + 4 * column) + column * column) % 23) / 4 - column;
const rows = Array.from({ length: 60 }, (_, i) => [...[0, 1, 2].map((c) => cell(i, c)), i % 3 ? 'rent' : 'own']);
const squashed = (z) => z / (1 + Math.abs(z));
const score = ([a, b, c, home]) => squashed(0.8 * a - 0.5 * b * c + (home === 'own' ? 0.7 : 0));
const predict = (batch) => batch.rows.map(score);
const predictClasses = (batch) => batch.rows.map((row) => [score(row), -score(row), squashed(row[0])]);

const TEXT = "It isn't a bad film: the well-made opening made me laugh, the end didn't. Bad luck!";
const scoreText = (text) => squashed([...text].reduce((sum, char) => sum + ((char.codePointAt(0) % 7) - 3) / 8, 0));
const predictTexts = (texts) => texts.map(scoreText);

const WORD_VECTORS = [
  'good 1 0 0.1',
  'bad 0.9 0.2 0.1',
  'fine 0.8 0.1 0.3',
  'film 0 1 0',
  'end 0 0.9 0.3',
  'luck 0.5 0.5 0',
]
  .concat('opening 0.1 0.8 0.2')
  .join('\n');

const shades = {
  encode: ({ data }) => [data.reduce((sum, value) => sum + value, 0) / data.length],
  decode: ({ data, shape: [count] }) => Array.from({ length: count }, (_, i) => new Array(12).fill(squashed(data[i]))),
};
const tiny = { data: Uint8Array.from({ length: 12 }, (_, i) => 20 * i), width: 4, height: 3, channels: 1 };
const firstPixel = ({ data, shape: [count] }) =>
  Array.from({ length: count }, (_, i) => data[(i * data.length) / count]);

/** Long arrays, such as label maps, as one number (FNV-1a). */
function digest(values) {
  let hash = 0x811c9dc5;
  for (const char of values.join()) hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193) >>> 0;
  return `${values.length} values, digest ${hash}`;
}

const NEW_WARNINGS = ['poor-fit', 'far-reference'];
const NEW_IN_FEATURES = ['contribution', 'contributionInterval', 'kind', 'spread', 'step', 'range'];

/** What explanations did not have when most calls were recorded. The last two were fields of features only. */
const isNewField = (key, value, holder) =>
  ['preset', 'reference', 'rival', 'warningCodes'].includes(key) ||
  ('contribution' in holder && NEW_IN_FEATURES.includes(key)) ||
  (key === 'agreement' && typeof value === 'number') ||
  ((key === 'raw' || key === 'silenced') && Array.isArray(value));

/** Returns a result without its texts, its times and the version of its format. */
const write = (result) =>
  JSON.parse(
    JSON.stringify(result, function (key, value) {
      if (key === 'milliseconds' || key === 'schema') return undefined;
      if (isNewField(key, value, this)) return undefined;
      if (key === 'warnings') return this.warningCodes.filter(({ code }) => !NEW_WARNINGS.includes(code)).length;
      if ((Array.isArray(value) || ArrayBuffer.isView(value)) && value.length > 300) return digest(value);
      return Object.is(value, -0) ? 'minus zero' : value;
    }),
  );

async function collect(explanations) {
  const all = [];
  for await (const explanation of explanations) all.push(explanation);
  return all;
}

/** Weights of two environments: every other sample, and every third. */
const ownWeights = (count) => [2, 3].map((step) => Array.from({ length: count }, (_, i) => (i % step ? 1 : 2)));

const forestFacts = ({ importances, leaves }) => ({
  importances,
  leaves: leaves(rows.slice(0, 3)).map((all) => [...all]),
});

async function rowCases() {
  const table = await describeTable(rows, { columns: ['a', 'b', 'c', 'home'], categorical: ['home'] });
  const explain = ({ method, ...more }, model = predict) => {
    const preset = method === 'shap' || method === 'maple' ? undefined : 'paper';
    return explainRow(rows[3], model, { table, samples: 300, seed: 42, preset, method, ...more });
  };
  const forest = await trainForest(rows, rows.map(score), { table, trees: 20, minLeaf: 3 });
  const leaves = await forestNeighborhood(table, rows.map(score), { trees: 20 });
  const cases = { table };
  for (const kind of ['bootstrap', 'halves', 'near-far', 'widths', 'clusters'])
    cases[kind] = await explain({ environments: kind, features: 3 });
  for (const solver of ['sweeps', 'path', 'best-response']) cases[solver] = await explain({ solver, features: 'all' });
  for (const smoothing of ['mean', 'median', 'median-of-means'])
    cases[smoothing] = await explain({ method: 's-lime', smoothing, environments: 4 });
  for (const selection of ['forward', 'highest', 'lasso', 'none'])
    cases[selection] = await explain({ selection, features: 2 });
  return {
    ...cases,
    lime: await explain({ method: 'lime' }),
    baseline: await explain({ method: 'baseline' }),
    'five players, 10 games': await explain({ environments: { kind: 'halves', count: 5 }, games: 10, agreement: 0.9 }),
    'l1 bound': await explain({ l1: 0.05, keepGame: true }),
    'input in every environment': await explain({ environments: { kind: 'halves', count: 3, anchored: true } }),
    'own environments': await explain({ samples: 40, environments: ownWeights(40) }),
    'two rounds': await explain({ solver: 'best-response', maxRounds: 2 }),
    'loose tolerance': await explain({ solver: 'best-response', tolerance: 0.1 }),
    'forest without bootstrap': forestFacts(
      await trainForest(rows, rows.map(score), { table, bootstrap: false, trees: 5 }),
    ),
    'forest facts': forestFacts(forest),
    'constant plays': await explain({ intercept: 'feature' }),
    'quartiles around the mean': await explain({ discretize: 'quartile', center: 'mean' }),
    'raw units': await explain({ units: 'raw', kernelWidth: 3 }),
    'two classes': await explain({ target: [0, 2] }, predictClasses),
    auto: await explain({ samples: 'auto', maxSamples: 900 }),
    shap: await explain({ method: 'shap', background: rows.slice(0, 9) }),
    'drawn shap': await explain({ method: 'shap', background: rows.slice(0, 4), samples: 12 }),
    density: await explain({ neighborhood: densityNeighborhood(table) }),
    forest: await explain({ neighborhood: leaves }, forest.predict),
    maple: await explain({ neighborhood: leaves, method: 'maple', samples: undefined }, forest.predict),
    'many rows': await collect(explainRows(rows.slice(0, 3), predict, { table, samples: 100, preset: 'paper' })),
  };
}

async function textCases() {
  const options = { samples: 200, seed: 7, tokens: 'simple', preset: 'paper' };
  const explain = (more) => explainText(TEXT, predictTexts, { ...options, ...more });
  const vectors = await loadWordVectors(new TextEncoder().encode(WORD_VECTORS), { format: 'glove' });
  return {
    words: await explain({}),
    positions: await explain({ unit: 'position', features: 'all' }),
    sentences: await explain({ unit: 'sentence' }),
    masked: await explain({ mask: '[MASK]', distance: 'euclidean' }),
    'all masks': await explainText('a good bad film', predictTexts, { tokens: 'simple', preset: 'paper' }),
    'all masks by auto': await explainText('a good bad film', predictTexts, {
      ...{ tokens: 'simple', samples: 'auto', preset: 'paper' },
    }),
    'words in log-odds': await explainText(TEXT, (texts) => texts.map((text) => (1 + scoreText(text)) / 2.1), {
      ...{ method: 'shap', link: 'logit', tokens: 'simple', samples: 200 },
    }),
    'near words': await explain({ neighborhood: wordNeighborhood(vectors, { radius: 0.9, neighbors: 3 }) }),
    'given words': await explain({ tokens: ['bad', 'film', 'end', 'luck'] }),
  };
}

async function imageCases() {
  const explain = (more) =>
    explainImage(scene(4), brightness, { samples: 60, draws: 20, seed: 3, preset: 'paper', ...more });
  return {
    slic: await explain({ segments: { kind: 'slic', count: 20 } }),
    quickshift: await explain({ segments: 'quickshift' }),
    grid: await explain({ segments: { kind: 'grid', count: 20 }, hide: 'blur' }),
    'fitted to the model': await explainImage(scene(4), firstPixel, {
      ...{ samples: 60, draws: 20, preset: 'paper' },
      segments: { kind: 'grid', count: 9 },
      input: { layout: 'nchw', width: 16, height: 12, mean: [0.4, 0.5, 0.6], std: [0.2, 0.3, 0.4] },
    }),
    bytes: await explainImage(scene(4), firstPixel, {
      ...{
        preset: 'paper',
        samples: 40,
        draws: 0,
        segments: { kind: 'grid', count: 6 },
        input: { type: 'uint8', layout: 'nchw', width: 20 },
      },
    }),
    pixels: await explainImage(tiny, firstPixel, { unit: 'pixel', samples: 80, draws: 5, preset: 'paper' }),
    latent: await explainImage(tiny, firstPixel, {
      ...{ neighborhood: latentNeighborhood(shades), unit: 'pixel', samples: 60, preset: 'paper' },
    }),
    shap: await explain({ method: 'shap', draws: undefined, preset: undefined, segments: { kind: 'grid', count: 6 } }),
    segments: await segmentImage(scene(4), { kind: 'slic', count: 12 }),
  };
}

async function bareCases() {
  await load();
  const points = Array.from({ length: 40 }, (_, i) => [cell(i, 0), cell(i, 1), cell(i, 2)]);
  const game = { grams: [[2, 0.5, 0.5, 1], [1, -0.3, -0.3, 2]], targets: [[1, 0.5], [0.4, 1]], gamma: 0.6 }; // prettier-ignore
  const predictions = points.map((p) => squashed(p[0] - p[1] * p[2]));
  const cases = { samples: explainSamples({ points, predictions }, { preset: 'paper' }) };
  for (const solver of ['auto', 'sweeps', 'path', 'best-response'])
    cases[solver] = solveGame({ ...game, solver, trace: solver === 'best-response' });
  cases['l1 game'] = solveGame({ ...game, l1: 0.3 });
  return cases;
}

async function presetCases() {
  const table = await describeTable(rows, { columns: ['a', 'b', 'c', 'home'], categorical: ['home'] });
  const explain = (more) => explainRow(rows[3], predict, { table, samples: 300, seed: 42, ...more });
  const texts = { samples: 200, tokens: 'simple' };
  return {
    row: await explain({}),
    'three features': await explain({ features: 2 }),
    strict: await explain({ preset: 'strict' }),
    lime: await explain({ method: 'lime' }),
    's-lime': await explain({ method: 's-lime', environments: 4 }),
    'a game of halves': await explain({ games: 1, agreement: 0, keepGame: true }),
    'no draws': await explain({ draws: 0 }),
    auto: await explain({ samples: 'auto', maxSamples: 900 }),
    text: await explainText(TEXT, predictTexts, texts),
    'strict text': await explainText(TEXT, predictTexts, { ...texts, preset: 'strict' }),
    'all masks': await explainText('a good bad film', predictTexts, { tokens: 'simple' }),
    image: await explainImage(scene(4), brightness, { samples: 60, segments: { kind: 'slic', count: 20 } }),
    'many pixels': await explainImage(scene(4), brightness, { samples: 60, segments: { kind: 'grid', count: 200 } }),
  };
}

/** Designed samples of every kind. */
async function designedCases() {
  const table = await describeTable(rows, { columns: ['a', 'b', 'c', 'home'], categorical: ['home'] });
  const options = {
    samples: 200,
    draws: 20,
    seed: 5,
    preset: /** @type {const} */ ('paper'),
    sampling: /** @type {const} */ ('designed'),
  };
  const explain = (more) => explainRow(rows[3], predict, { table, ...options, ...more });
  const wide = Array.from({ length: 20 }, (_, i) => Array.from({ length: 60 }, (_, c) => cell(i + c, c % 5)));
  const first = (batch) => [...batch].map((row) => squashed(row[0] - row[1] * row[59]));
  const segments = { kind: /** @type {const} */ ('grid'), count: 20 };
  return {
    row: await explain({}),
    quartiles: await explain({ discretize: 'quartile' }),
    'many columns': await explainRow(wide[2], first, { table: await describeTable(wide), ...options }),
    density: await explain({ neighborhood: densityNeighborhood(table, { bandwidth: 0.3 }) }),
    words: await explainText(TEXT, predictTexts, { tokens: 'simple', ...options }),
    superpixels: await explainImage(scene(4), brightness, { segments, ...options }),
    'superpixels by auto': await explainImage(scene(4), brightness, { segments, ...options, samples: 'auto' }),
    latent: await explainImage(tiny, firstPixel, {
      ...{ neighborhood: latentNeighborhood(shades), unit: 'pixel', ...options },
    }),
  };
}

/** @returns {Promise<Record<string, Record<string, any>>>}  results as the library returns them, by group and name */
export async function resultsOfCases() {
  return {
    rows: await rowCases(),
    texts: await textCases(),
    images: await imageCases(),
    bare: await bareCases(),
    designed: await designedCases(),
    presets: await presetCases(),
  };
}

/** @returns {Promise<Record<string, Record<string, unknown>>>}  results as they are recorded: those of `preset: 'paper'` */
export async function recordedCases() {
  const recorded = await resultsOfCases();
  delete recorded.presets;
  return write(recorded);
}
