// The calls of the attack on the JavaScript API: every public function, with arguments from api-values.js.
import fc from 'fast-check';
import * as linex from 'linex';
import { ABORTS } from './abort-calls.js';
import { hostile, matrix, mostly, number, numbers, options, spoiled } from './api-values.js';

const { describeTable, explainRow, explainSamples, explainText, load, loadWordVectors, trainForest } = linex;

await load();
const ROWS = Array.from({ length: 24 }, (_, i) => [i % 5, (i * 7) % 11, i % 3 ? 'red' : 'blue', Math.sin(i)]);
const ROW = [1, 2, 'red', 0.5];
const table = await describeTable(ROWS, { columns: ['a', 'b', 'color', 'd'], categorical: ['color'] });
/** The same columns, with missing numbers and a group. */
const untidy = await describeTable(
  ROWS.map(([a, b, color, d], i) => [a, i % 4 ? b : null, color, d]),
  { columns: ['a', 'b', 'color', 'd'], categorical: ['color'], groups: { pair: ['color', 'd'] } },
);
const forest = await trainForest(
  ROWS,
  ROWS.map((row) => Number(row[0])),
  { table, trees: 3 },
);
const density = await linex.densityNeighborhood(table, { rows: ROWS, bandwidth: 0.5 });
/** A sampler of the caller that judges rows, once in a while wrongly. */
const densityLike = {
  sample: (center, count) => Array.from({ length: count }, (_, i) => ROWS[i % ROWS.length]),
  typicality: (rows) => rows.map((_, i) => (i === 7 ? NaN : 0.5)),
};
const vectors = await loadWordVectors('good 1 0\ngreat 0.9 0.1\nbad 0 1\nfilm 0.5 0.5\n');
const IMAGE = { width: 6, height: 4, data: Uint8Array.from({ length: 72 }, (_, i) => (i * 37) % 256), channels: 3 };
const TEXT = 'a good film is not a bad film';
const SAMPLES = { points: ROWS.map((row) => [row[0], row[1], row[3]]), predictions: ROWS.map((row) => row[3]) };
const explanations = [
  explainSamples(SAMPLES, { draws: 4 }),
  await explainRow(ROW, (batch) => scores(batch, 1), { table, samples: 20, draws: 4 }),
  await explainText(TEXT, (texts) => texts.map((text) => text.length), { samples: 20, draws: 4 }),
];

const { answers: keptAnswers } = await explainText(TEXT, (texts) => texts.map((text) => text.length), {
  ...{ samples: 20, draws: 4, keepAnswers: true },
});

/** A score of each sample, of any size. @param {Iterable<any>} samples @param {number} scale */
function scores(samples, scale) {
  return Array.from(samples, (sample) => {
    const values = typeof sample === 'string' ? [sample.length] : Array.from(sample, Number);
    return scale * Math.sin(values.reduce((sum, value) => sum + (value || 0), 0));
  });
}

/** A score that has directions, unlike that of `scores`. @param {Iterable<any>} rows @param {number} scale */
const slopes = (rows, scale) => Array.from(rows, ([a, b, color, d]) => (scale * (a - b + 2 * color + 3 * d)) / 10);

/** Answers of an image batch. @param {any} batch @param {number} scale */
const imageScores = ({ data, shape: [count] }, scale) =>
  Array.from({ length: count }, (_, i) => scale * data[(i * data.length) / count]);

const scale = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 100, 0) },
  { weight: 1, arbitrary: fc.constantFrom(1e-300, 1e150, 1e300, 1.7e308, NaN, Infinity) },
);
const one = (...values) => fc.constantFrom(...values);
const count = (most) => fc.integer({ min: 1, max: most });

/** The options of every explanation. Algorithm 1 gets few rounds, because it may not settle. */
const SOLVE = {
  method: one('linex', 'linex', 'lime', 's-lime', 'baseline', 'shap'),
  smoothing: one('mean', 'median', 'median-of-means'),
  environments: fc.oneof(
    one(1, 2, 3, 'bootstrap', 'halves', 'near-far', 'widths', 'clusters'),
    fc.record({
      kind: one('bootstrap', 'halves', 'near-far', 'widths', 'sides'),
      count: count(4),
      anchored: fc.boolean(),
    }),
  ),
  preset: one('steady', 'paper', 'strict', 'stable'),
  selection: one('leading', 'auto', 'forward', 'highest', 'lasso', 'none'),
  features: fc.oneof(count(6), one('all')),
  gamma: one(0.01, 1, 100, 1e-300, 1e300),
  l1: one(0.01, 1, 100, 1e-300),
  ridge: one(0, 1e-10, 0.1, 1, 1e8),
  intercept: one('free', 'feature', 'none'),
  kernelWidth: one(0.1, 1, 30, 1e-300, 1e300),
  games: count(3),
  agreement: one(0, 0.5, 1),
  draws: fc.integer({ min: 0, max: 6 }),
  solver: one('auto', 'sweeps', 'path', 'best-response'),
  tolerance: one(1e-9, 1e-3, 1e-14),
  maxRounds: count(6),
  keepGame: fc.boolean(),
  seed: fc.nat(),
  classes: one(['no', 'yes']),
  target: one('top', 0, [0]),
};
const ASK = {
  samples: fc.integer({ min: 2, max: 40 }),
  sampling: one('designed', 'independent'),
  batchSize: count(50),
  concurrency: count(3),
  precision: number,
  keepAnswers: fc.boolean(),
};
const solve = options(SOLVE).map((given) => (given.solver === 'best-response' ? { ...given, maxRounds: 3 } : given));

/** The options of an explanation, joined to those of one kind of input. @param {Record<string, any>} own */
const explainOptions = (own) =>
  fc.tuple(solve, options({ ...ASK, ...own })).map(([a, b]) => ({ samples: 20, ...a, ...b }));

const tables = fc.oneof(
  { weight: 3, arbitrary: fc.constant(table) },
  { weight: 2, arbitrary: fc.constant(untidy) },
  { weight: 2, arbitrary: spoiled(JSON.parse(JSON.stringify(table))) },
  { weight: 2, arbitrary: spoiled(JSON.parse(JSON.stringify(untidy))) },
);
const attributions = fc.oneof(matrix(3, 3), fc.constant(explanations), spoiled(explanations.map(plain)));
const drawn = fc.oneof(
  fc.constantFrom(...explanations),
  fc.integer({ min: 0, max: 2 }).chain((i) => spoiled(plain(explanations[i]))),
);

const recourses = [
  await linex.recourse(ROW, (batch) => slopes(batch, 1), { table, samples: 40 }),
  await linex.recourse(ROW, (batch) => slopes(batch, 1), { table, samples: 40, threshold: 3, most: 1 }),
];
const drawnRecourses = fc.oneof(
  fc.constantFrom(...recourses),
  fc.integer({ min: 0, max: 1 }).chain((i) => spoiled(plain(recourses[i]))),
);

/** JSON data of a value. @param {any} value */
function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

/** A symmetric positive definite matrix, or nearly. @param {number} size */
const gram = (size) =>
  fc.tuple(matrix(2, size), one(1, 1e-8, 0)).map(([factor, diagonal]) =>
    Array.from({ length: size * size }, (_, i) => {
      const [c, d] = [Math.floor(i / size), i % size];
      return factor[0][c] * factor[0][d] + factor[1][c] * factor[1][d] + (c === d ? diagonal : 0);
    }),
  );

/**
 * What a result must be besides finite: 'json' means frozen and the same after JSON, 'any' nothing more.
 *
 * @typedef {object} Call
 * @property {string} name
 * @property {fc.Arbitrary<any[]>} arguments
 * @property {(...given: any[]) => any} run
 * @property {'json' | 'any'} result
 * @property {any[][]} [examples]  arguments that went wrong once; they are tried first
 */

/** A table whose categorical column has strings where arrays belong: C read beyond its memory. */
const stringTable = plain(table);
stringTable.columns[2].levels = stringTable.columns[2].frequencies = `red${'9'.repeat(400000)}`;
/** A table with a level that has a negative frequency, and a column with a negative spread. */
const negativeTable = plain(table);
negativeTable.columns[2].frequencies = [2, -1];
negativeTable.columns[0].spread = -1;

const FALSE_CERTIFICATE = [
  [
    ...[1e-8, 0, 0, 0, 0, 0, 4.00000001, -2, 4, 4, 0, -2, 1.00000001, -2, -2, 0, 4, -2, 4.00000001, 4],
    ...[0, 4, -2, 4, 4.00000001],
  ],
  [
    ...[4.00000001, 2, -2, 0, -4, 2, 1.00000001, -1, 0, -2, -2, -1, 1.00000001, 0, 2, 0, 0, 0, 1e-8, 0],
    ...[-4, -2, 2, 0, 4.00000001],
  ],
];

/** The argument of solveGame. */
const games = fc.tuple(count(3), count(4)).chain(([players, size]) =>
  options({
    grams: fc.array(gram(size), { minLength: players, maxLength: players }),
    targets: matrix(players, size),
    ...{ gamma: SOLVE.gamma, l1: SOLVE.l1, solver: SOLVE.solver, tolerance: SOLVE.tolerance, trace: one(false) },
  }).map((game) => [{ gamma: 1, ...game, maxRounds: 4 }]),
);

/** Returns the result, unless it certifies a weight that the players cannot reach. @param {any} game @param {any} solved */
function checkSolved(game, solved) {
  const most = game.gamma * game.targets.length * (1 + 1e-9);
  if (solved.converged && solved.weights.some((/** @type {number} */ weight) => Math.abs(weight) > most))
    throw new Error(`certifies the weights ${solved.weights}, but the players add up to at most ${most}`);
  return solved;
}

/** The arguments of explainSamples. */
const samples = fc.tuple(count(12), count(4)).chain(([rows, columns]) =>
  fc.tuple(
    fc.record({
      points: mostly(matrix(rows, columns)),
      predictions: mostly(fc.oneof(numbers(rows), matrix(rows, 2))),
      weights: mostly(fc.constant(undefined)),
      at: mostly(fc.oneof(fc.constant(undefined), numbers(columns))),
    }),
    solve,
  ),
);

const small = fc.integer({ min: 0, max: 9 });
/** The options of recourse. */
const RECOURSE = {
  ...{ target: one('top', 0), threshold: fc.oneof(number, one(0.5, -0.5)), side: one('above', 'below') },
  ...{ immutable: one([], ['a'], [2, 'd']), monotone: one({}, { a: 'up' }, { d: 'down' }), most: count(5) },
  neighborhood: one('random', density, densityLike),
  ...{ plausible: one(0, 0.05, 1), step: one(1e-300, 0.02, 1) },
  ...{ maxQueries: fc.integer({ min: 2, max: 90 }), samples: fc.integer({ min: 2, max: 40 }), seed: fc.nat() },
  ...{ batchSize: count(50), concurrency: count(3), timeout: one(1000) },
};

/** @type {Call[]} */
export const CALLS = [
  {
    name: 'solveGame',
    examples: [
      // A weight of 2.125 was certified, although two players can add at most 2.
      [
        {
          grams: FALSE_CERTIFICATE,
          targets: [
            [1, -1, 1, 1, 1],
            [2, 1, 1, 1, 1],
          ],
          gamma: 1,
        },
      ],
      [{ grams: [[1, 1e-18, 0, 1]], targets: [[1, 1]], gamma: 1 }],
      [{ grams: [[1]], targets: [[5e-324]], gamma: 1e300 }],
    ],
    arguments: games,
    run: (game) => checkSolved(game, linex.solveGame(game)),
    result: 'json',
  },
  {
    name: 'solveGameAsync',
    arguments: fc.tuple(games, mostly(fc.constant({}))),
    run: async ([game], given) => checkSolved(game, await linex.solveGameAsync(game, given)),
    result: 'json',
  },
  {
    name: 'explainSamples',
    arguments: samples,
    run: linex.explainSamples,
    result: 'json',
  },
  {
    name: 'explainSamplesAsync',
    arguments: samples,
    run: linex.explainSamplesAsync,
    result: 'json',
  },
  {
    name: 'explainRow',
    examples: [
      [ROW, { samples: 50 }, stringTable, 1],
      [ROW, { samples: 50 }, negativeTable, 1],
      [ROW, { samples: 50 }, table, 1.7e308],
    ],
    arguments: fc.tuple(
      mostly(
        fc.oneof(
          fc.tuple(number, fc.oneof(number, fc.constant(null)), one('red', 'blue'), number),
          fc.record({ a: number, b: number, color: one('red', 'blue'), d: number }),
        ),
      ),
      explainOptions({
        center: one('row', 'mean'),
        discretize: one('none', 'quartile'),
        reference: one(ROWS[1], ROWS[5], [1e300, 0, 'red', 1], [1, 2]),
        ...{ units: one('standard', 'raw'), input: one({ type: 'float32' }, { type: 'float64' }) },
        background: one(ROWS.slice(0, 3)),
      }),
      tables,
      scale,
    ),
    run: (row, given, ofRows, factor) => explainRow(row, (batch) => scores(batch, factor), { table: ofRows, ...given }),
    result: 'json',
  },
  {
    name: 'explainRows',
    arguments: fc.tuple(mostly(one([ROW, ROW], [], [ROW, [1]])), explainOptions({}), tables),
    run: async (rows, given, ofRows) => {
      const all = [];
      for await (const told of linex.explainRows(rows, (batch) => scores(batch, 1), { table: ofRows, ...given })) {
        all.push(told);
        if (all.length > 3) break;
      }
      return all;
    },
    result: 'any',
  },
  {
    name: 'kept answers',
    arguments: fc.tuple(fc.oneof(fc.constant(keptAnswers), spoiled(plain(keptAnswers))), solve),
    run: (answers, given) =>
      explainText(TEXT, () => Promise.reject(new Error('the model was asked')), { ...given, answers }),
    result: 'json',
  },
  {
    name: 'estimate',
    arguments: fc.tuple(
      mostly(one(TEXT, '', IMAGE, ROW, { a: 1, b: 2, color: 'red', d: 0.5 })),
      explainOptions({ latency: fc.oneof(number, one(0, 250)), price: fc.oneof(number, one(0, 0.01)) }),
      fc.boolean(),
    ),
    run: (input, given, isRow) => linex.estimate(input, isRow ? { ...given, table } : given),
    result: 'json',
  },
  {
    name: 'explainText',
    examples: [[TEXT, { samples: 20, tokens: new Array(1) }, 1]],
    arguments: fc.tuple(
      mostly(fc.oneof(one(TEXT, '', ' ', 'word', 'a a a', '\u{1f600} \ud800 x'), fc.string({ maxLength: 40 }))),
      explainOptions({
        tokens: one('intl', 'simple', ['good', 'film'], [[0, 1]]),
        unit: one('word', 'position', 'sentence', 'line'),
        groups: one(['good film'], ['a', 'not a'], []),
        ...{ caseSensitive: fc.boolean(), mask: one('[MASK]', ''), distance: one('cosine', 'euclidean') },
      }),
      scale,
    ),
    run: (text, given, factor) => explainText(text, (texts) => scores(texts, factor), given),
    result: 'json',
  },
  {
    name: 'explainImage',
    // The batches after the first were asked by more lanes than had memory.
    examples: [[IMAGE, { samples: 17, batchSize: 14, concurrency: 3 }, 1]],
    arguments: fc.tuple(
      mostly(fc.oneof(fc.constant(IMAGE), spoiled({ ...IMAGE, data: Array.from(IMAGE.data) }))),
      explainOptions({
        segments: one('slic', 'grid', 'quickshift', { method: 'slic', count: 4 }),
        ...{ unit: one('segment', 'pixel'), hide: one('mean', 'blur', [0, 0, 0]), backdrop: one([0, 0, 0]) },
      }),
      scale,
    ),
    run: (image, given, factor) => linex.explainImage(image, (batch) => imageScores(batch, factor), given),
    result: 'any',
  },
  {
    name: 'segmentImage',
    arguments: fc.tuple(
      fc.oneof(fc.constant(IMAGE), spoiled({ ...IMAGE, data: Array.from(IMAGE.data) })),
      mostly(
        fc.oneof(
          one('slic', 'grid', 'quickshift'),
          fc.record({ method: one('slic', 'grid', 'quickshift'), count: mostly(count(9)) }, { requiredKeys: [] }),
        ),
      ),
    ),
    run: linex.segmentImage,
    result: 'any',
  },
  {
    name: 'describeTable',
    examples: [
      [[{ length: 1e9 }], {}],
      [[[1.7e308], [-1.7e308]], {}],
      [[[5e-324], [0]], {}],
    ],
    arguments: fc.tuple(
      mostly(fc.tuple(count(8), count(4)).chain(([rows, columns]) => fc.oneof(matrix(rows, columns), spoiled(ROWS)))),
      options({
        columns: one(['a', 'b', 'color', 'd']),
        categorical: one([], [2], ['color'], [0]),
        groups: one({ g: [0, 1] }, { g: ['a', 'color'] }, { g: [0] }, {}),
        formats: one(
          { a: { unit: 'cm' } },
          { a: { style: 'currency', currency: 'EUR' } },
          { color: {} },
          { a: { style: 5 } },
        ),
      }),
    ),
    run: describeTable,
    result: 'json',
  },
  {
    name: 'trainForest',
    arguments: fc.tuple(
      mostly(fc.oneof(matrix(6, 3), spoiled(ROWS.slice(0, 6)))),
      mostly(fc.oneof(numbers(6), fc.constant(['x', 'y', 'x', 'y', 'x', 'y']))),
      options({
        ...{ kind: one('regression', 'classification'), trees: count(3), depth: count(4), minLeaf: count(3) },
        featuresPerSplit: one('sqrt', 'third', 'all', 1, 0.5),
        ...{ bootstrap: fc.boolean(), seed: fc.nat() },
      }),
    ),
    run: async (rows, responses, given) => (await trainForest(rows, responses, given)).toJSON(),
    result: 'any',
  },
  {
    name: 'forestFromJSON',
    arguments: fc.tuple(fc.oneof(spoiled(plain(forest)), fc.constant(JSON.stringify(forest)), hostile)),
    run: async (json) => {
      const made = await linex.forestFromJSON(json);
      return made.predict([ROW]);
    },
    result: 'any',
  },
  {
    name: 'densityNeighborhood',
    arguments: fc.tuple(
      tables,
      options({
        rows: one(ROWS),
        ...{ bandwidth: one('cross-validation', 0.5, 1e-40, 1e40), folds: count(6), near: one('density', 'rows') },
        ...{ radius: one(1, 1e-40, 1e40, Infinity), units: one('standard', 'raw'), seed: fc.nat() },
      }),
    ),
    run: async (ofRows, given) => {
      const neighborhood = await linex.densityNeighborhood(ofRows, { rows: ROWS, grid: [0.5, 1], ...given });
      return explainRow(ROW, (batch) => scores(batch, 1), { table, neighborhood, samples: 12, draws: 2 });
    },
    result: 'any',
  },
  {
    name: 'forestNeighborhood',
    arguments: fc.tuple(
      tables,
      mostly(numbers(ROWS.length)),
      options({ trees: count(3), minLeaf: count(5), validation: one(0.2, 0.5), seed: fc.nat() }),
    ),
    run: async (ofRows, responses, given) => {
      const neighborhood = await linex.forestNeighborhood(ofRows, responses, { rows: ROWS, ...given });
      return explainRow(ROW, (batch) => scores(batch, 1), { table, neighborhood, method: 'maple' });
    },
    result: 'any',
  },
  {
    name: 'latentNeighborhood',
    arguments: fc.tuple(
      options({ radius: one(0.1, 1, 1e40), kind: one('row', 'image'), batchSize: count(9) }),
      mostly(number),
    ),
    run: async (given, latent) => {
      const coder = {
        encode: ({ shape: [rows] }) => Array.from({ length: rows }, () => [latent, 1]),
        decode: ({ data, shape: [rows] }) => Array.from({ length: rows }, (_, i) => [data[2 * i], data[2 * i + 1]]),
      };
      const neighborhood = linex.latentNeighborhood(coder, { kind: 'row', ...given });
      const flat = await describeTable(SAMPLES.points.map(([a, b]) => [a, b]));
      return explainRow([1, 2], (batch) => scores(batch, 1), { table: flat, neighborhood, samples: 12, draws: 2 });
    },
    result: 'any',
  },
  {
    name: 'loadWordVectors',
    arguments: fc.tuple(
      mostly(
        fc.oneof(
          one('good 1 0\nbad 0 1', '2 2\ngood 1 0\nbad 0 1\n', 'good 1 x', 'a 1e39 0', ''),
          fc.string({ maxLength: 60 }),
        ),
      ),
      options({ format: one('auto', 'text', 'glove', 'word2vec'), maxWords: count(3) }),
    ),
    // A text without a line break is the address of a file.
    run: async (text, given) => {
      const read = await loadWordVectors(typeof text === 'string' ? `${text}\n` : text, given);
      return read.nearest('good', 2);
    },
    result: 'any',
  },
  {
    name: 'wordNeighborhood',
    arguments: fc.tuple(
      options({
        radius: one(0.1, 1, 2),
        neighbors: count(4),
        replace: one('some', 'one'),
        caseSensitive: fc.boolean(),
      }),
      fc.string({ maxLength: 30 }),
    ),
    run: (given, text) =>
      explainText(`${text} good film`, (texts) => scores(texts, 1), {
        ...{ neighborhood: linex.wordNeighborhood(vectors, given), samples: 12, draws: 2 },
      }),
    result: 'any',
  },
  {
    name: 'measures',
    arguments: fc.tuple(
      one('infidelity', 'signConflict', 'unidirectionality', 'coefficientInconsistency', 'generalizedInfidelity'),
      mostly(attributions),
      mostly(attributions),
      options({
        normalize: one('none', 'sum'),
        zero: one(0, 1),
        neighbors: one([[1], [0], [0]]),
        points: matrix(3, 3),
      }),
    ),
    run: (name, first, second, given) =>
      name === 'coefficientInconsistency'
        ? linex.coefficientInconsistency(first?.[0], second, given)
        : linex[name](first, Object.keys(given).length > 0 ? given : undefined),
    result: 'any',
  },
  {
    name: 'classAttributionConsistency',
    arguments: fc.tuple(
      mostly(matrix(4, 2)),
      options({
        inputs: matrix(4, 2),
        labels: one([0, 0, 1, 1], ['a', 'a', 'b', 'b']),
        constant: one('error', 'zero'),
      }),
    ),
    run: linex.classAttributionConsistency,
    result: 'any',
  },
  {
    name: 'shapSlopes',
    examples: [[[0, 1, 0], { at: [0, 0, 0], reference: [0, 5e-324, 0] }]],
    arguments: fc.tuple(mostly(numbers(3)), options({ at: numbers(3), reference: numbers(3) })),
    run: linex.shapSlopes,
    result: 'any',
  },
  {
    name: 'ablation',
    arguments: fc.tuple(
      mostly(matrix(2, 3)),
      options({
        ...{
          attributions: matrix(2, 3),
          replacement: fc.oneof(number, numbers(3)),
          fractions: one([0, 0.5, 1], [0.3]),
        },
        ...{ target: one('top', 0), batchSize: count(5), concurrency: count(2) },
      }),
      scale,
    ),
    run: (inputs, given, factor) => linex.ablation(inputs, (batch) => scores(batch, factor), given),
    result: 'any',
  },
  {
    name: 'recourse',
    examples: [
      [ROW, { samples: 50 }, stringTable, 1],
      [ROW, { samples: 50 }, negativeTable, 1],
      [ROW, { samples: 50, threshold: -1.7e308, side: 'below' }, table, 1.7e308],
      [[1e90, 2, 'red', -1e90], { samples: 50 }, table, 1],
      [ROW, { explanation: explanations[1], threshold: 0.9 }, table, 1],
      [ROW, { classes: ['no', 'yes'] }, table, 1],
      // JSON has no -0.
      [[-0, 2, 'red', 0.5], { samples: 50, threshold: -0 }, table, 0],
    ],
    // Of so many options, one would almost always be wrong: half of the calls have only correct ones.
    arguments: fc.oneof(
      fc.tuple(
        fc.tuple(small, small, one('red', 'blue'), small),
        fc.record(RECOURSE, { requiredKeys: [] }),
        fc.constant(table),
        one(1, 100),
      ),
      fc.tuple(mostly(fc.tuple(number, number, one('red', 'blue'), number)), options(RECOURSE), tables, scale),
    ),
    run: (row, given, ofRows, factor) =>
      linex.recourse(row, (batch) => slopes(batch, factor), { table: ofRows, samples: 20, ...given }),
    result: 'json',
  },
  {
    name: 'checkRecourse',
    arguments: fc.tuple(mostly(drawnRecourses)),
    run: linex.checkRecourse,
    result: 'any',
  },
  {
    name: 'renderers of recourse',
    arguments: fc.tuple(
      one('renderRecourseSentence', 'renderRecourseSVG'),
      mostly(drawnRecourses),
      options({
        ...{ locale: one('en', 'de', 'ar-EG'), labels: one({ reach: '{target} {changes}' }), format: one(() => 'x') },
        ...{ width: one(300), theme: one('dark', 'auto') },
      }),
    ),
    run: (name, recourse, given) => linex[name](recourse, given),
    result: 'any',
  },
  {
    name: 'checkExplanation',
    arguments: fc.tuple(mostly(drawn)),
    run: linex.checkExplanation,
    result: 'any',
  },
  {
    name: 'renderers',
    arguments: fc.tuple(
      one(
        ...['renderBarsSVG', 'renderTextSVG', 'renderTextHTML', 'renderTerminal', 'renderStyles', 'renderImageRGBA'],
        'renderSentence',
      ),
      mostly(drawn),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        options({ width: one(300), color: fc.boolean() }),
        options({ view: one('contribution', 'slope'), order: one('size', 'given'), details: fc.boolean() }),
        options({
          labels: one({}, { why: '{' }, { unsure: '' }),
          locale: one('de', 'ar', 'zh-Hans-CN-u-nu-hanidec', 'x'),
          answerFormat: one({ style: 'percent' }, { unit: 'kg' }, { minimumFractionDigits: 20 }, { style: 'unit' }),
        }),
      ),
    ),
    run: (name, explanation, given) => linex[name](explanation, given),
    result: 'any',
  },
  {
    name: 'summarize',
    arguments: fc.tuple(
      mostly(fc.array(drawn, { minLength: 1, maxLength: 3 })),
      options({ representatives: fc.integer({ min: 0, max: 3 }), features: count(3), groups: one(['a'], ['a', 'b']) }),
    ),
    run: linex.summarize,
    result: 'json',
  },
  {
    name: 'compare',
    arguments: fc.tuple(mostly(drawn), mostly(drawn)),
    run: linex.compare,
    result: 'json',
  },
  {
    name: 'charts',
    arguments: fc.tuple(
      one('renderWaterfallSVG', 'renderSummarySVG', 'renderDependenceSVG', 'renderSteadinessSVG', 'renderTargetsSVG'),
      mostly(drawn),
      options({
        width: one(300, 900),
        features: count(3),
        feature: one(0, 1, 'a'),
        view: one('slope'),
        locale: one('de'),
      }),
    ),
    run: (name, explanation, given) => linex[name](name === 'renderWaterfallSVG' ? explanation : [explanation], given),
    result: 'any',
  },
  {
    name: 'charts of summaries',
    arguments: fc.tuple(
      one('renderImportanceSVG', 'renderComparisonSVG'),
      fc.oneof(
        spoiled(plain(linex.summarize(explanations.slice(1, 2)))),
        spoiled(plain(linex.compare(explanations[1], explanations[1]))),
      ),
      options({ width: one(300), features: count(3), names: one(['a', 'b']) }),
    ),
    run: (name, made, given) => linex[name](made, given),
    result: 'any',
  },
  ...ABORTS,
];
