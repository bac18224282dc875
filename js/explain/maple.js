import { LinexError } from '../core/errors.js';
import { buildExplanation, solve } from './explanation.js';
import { groveOf, heaviest, MAPLE_RIDGE } from '../neighborhood/forest-neighborhood.js';
import { representRows, RowBatch, weighPoints } from '../neighborhood/row-neighborhood.js';
import { askModel } from '../core/ask-model.js';
import { resolveTargets, targetName } from './settings.js';

/** How MAPLE differs from what else a row is explained with, unless the caller says otherwise. */
export const MAPLE_USUAL = Object.freeze({ ridge: MAPLE_RIDGE, features: /** @type {const} */ ('all') });

const SAME_RESPONSES = 'the responses around the row are all the same: there is nothing to explain';

/** What it has no use for: nobody plays, the forest weighs, and the validation rows select. */
export const MAPLE_REFUSED = Object.freeze([
  ...['smoothing', 'environments', 'selection', 'gamma', 'l1', 'kernelWidth', 'games', 'solver', 'tolerance'],
  ...['maxRounds', 'keepGame', 'maxSamples', 'precision', 'center'],
]);

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {import('./line.js').Plan & { table: Table, flat: import('../data/table.js').FlatTable, generator?: unknown,
 *   how: import('../neighborhood/row-neighborhood.js').RowNeighborhood, most: number, order: number[], row?: number }} Plan  most: rows;
 *   order: for each answer of the model, which response it goes with
 */

/**
 * Whether the rows behind a neighborhood go with the call's table and classes.
 *
 * @param {unknown} neighborhood
 * @param {Table} table
 * @param {readonly string[] | undefined} classes  in the order in which the model answers
 * @returns {{ classes: readonly string[] | undefined, order: number[] }}  order: for each of the model's answers, which of
 *   the responses' numbers it goes with
 * @throws {TypeError | RangeError}
 */
export function groveFor(neighborhood, table, classes) {
  const grove = groveOf(neighborhood);
  const kinds = (/** @type {Table} */ { columns }) =>
    JSON.stringify(columns.map((column) => (column.kind === 'numeric' ? 'numeric' : column.levels)));
  if (kinds(table) !== kinds(grove.table))
    throw new RangeError('the neighborhood was made for a table with other columns, or other levels in them');
  const known = grove.classes;
  const inOrder = Array.from({ length: grove.outputs }, (_, i) => i);
  if (!known || !Array.isArray(classes)) return { classes: classes ?? known, order: inOrder };
  const order = classes.map((name) => known.indexOf(name));
  if (String([...order].sort((a, b) => a - b)) !== String(inOrder))
    throw new RangeError(
      `classes are ${classes.join(', ')}, the responses of the neighborhood are ${known.join(', ')}; ` +
        'name the same classes here, in the order in which the model answers',
    );
  return { classes, order };
}

/**
 * MAPLE: a weighted ridge regression on the training rows that share the input's leaves, with the features that the
 * forest's first splits chose. The answers are the responses that the forest was grown on: the model is asked about the
 * input alone, and `fidelity` is of the fit to these responses.
 *
 * @template {Feature} F
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} row  encoded
 * @param {import('../core/ask-model.js').Predict<RowBatch>} predict
 * @param {Plan} plan
 * @param {{ name: (index: number) => string, describe: (feature: Feature) => F }} about
 */
export async function explainMaple(core, row, predict, plan, about) {
  const started = performance.now();
  const grove = groveOf(plan.generator);
  const { settings } = plan;
  const atInput = await askAbout(row, predict, plan, grove.outputs);
  const model = performance.now() - started;
  const { onProgress, row: index } = plan;
  onProgress?.({ asked: 1, planned: 1, phase: 'solve', partial: null, ...(index !== undefined && { row: index }) });
  const near = localRows(core, grove, row, plan);
  const explanations = resolveTargets(settings, grove.outputs, atInput).map((column) => {
    const answers = Float64Array.from(near.places, (i) => grove.responses[i * grove.outputs + plan.order[column]]);
    const narrow = solve(core, { ...near, answers }, { ...settings, features: 0, selection: 4 });
    const warnings = answers.every((answer) => answer === answers[0]) ? { warnings: [SAME_RESPONSES] } : {};
    return buildExplanation({ ...widen(narrow, near.columns, row.length), ...warnings }, settings, {
      kind: 'row',
      target: targetName(settings, column, grove.outputs),
      prediction: atInput[column],
      ...about,
      limits: { ended: near.places.length < plan.most, weighed: true },
      warnings: missOf(narrow, near.weights, answers, atInput[column]),
      queries: { planned: 1, asked: 1 },
      milliseconds: { model, own: performance.now() - started - model },
    });
  });
  return settings.target.several ? explanations : explanations[0];
}

/**
 * A fit to responses may have little to do with the model; its one answer tells, where the two are far apart.
 *
 * @param {ReturnType<typeof solve>} solved
 * @param {Float64Array} weights
 * @param {Float64Array} responses
 * @param {number} prediction  the model's
 * @returns {string[]}
 */
function missOf({ mean, numbers: [, , local] }, weights, responses, prediction) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const squares = responses.reduce((sum, response, i) => sum + weights[i] * (response - mean) ** 2, 0);
  const spread = Math.sqrt(squares / total);
  // What rounding alone can make of a fit that is right.
  if (Math.abs(prediction - local) <= spread + 1e-9 * Math.abs(prediction)) return [];
  const [fit, model, apart] = [local, prediction, spread].map((value) => Number(value.toPrecision(3)));
  return [
    `the model says ${model} and the fit to the responses ${fit}, further apart than these vary (${apart}): ` +
      'it may not be about this model',
  ];
}

/**
 * @param {Float64Array} row
 * @param {import('../core/ask-model.js').Predict<RowBatch>} predict
 * @param {Plan} plan
 * @param {number} outputs
 * @returns {Promise<Float64Array>}
 */
async function askAbout(row, predict, plan, outputs) {
  const { answers } = await askModel(predict, {
    ...plan,
    count: 1,
    batch: () => new RowBatch(plan.table, row),
    onShape(columns) {
      resolveTargets(plan.settings, columns, new Float64Array(columns));
      if (columns !== outputs)
        throw new RangeError(
          `the model answers ${columns} numbers a sample, the responses of its neighborhood are ${outputs}`,
        );
    },
    onBatch: () => {},
  });
  return answers.slice(0, outputs);
}

/**
 * The training rows that weigh anything, as the fit sees them, and of their columns those that MAPLE keeps.
 *
 * @param {import('../core/load.js').Core} core
 * @param {ReturnType<typeof groveOf>} grove
 * @param {Float64Array} row
 * @param {Plan} plan
 */
function localRows(core, grove, row, { flat, how, settings, most }) {
  const width = row.length;
  const all = grove.weigh(row);
  const places = heaviest(all, most).sort((a, b) => a - b);
  if (places.length < 2)
    throw new LinexError(
      'neighborhood',
      'only one training row shares a leaf with the row; grow with a larger minLeaf',
    );
  const rows = new Float64Array((places.length + 1) * width);
  rows.set(row);
  places.forEach((place, i) => rows.set(grove.rows.subarray(place * width, (place + 1) * width), (i + 1) * width));
  const columns = grove.features.slice(0, settings.features || width).sort((a, b) => a - b);
  const seen = representRows(core, flat, row, how, rows);
  const kept = Float64Array.from({ length: (places.length + 1) * columns.length }, (_, i) => {
    const [point, column] = [Math.floor(i / columns.length), columns[i % columns.length]];
    return seen[point * width + column];
  });
  const [at, points] = [kept.slice(0, columns.length), kept.slice(columns.length)];
  const kernelWidth = settings.kernelWidth ?? 0.75 * Math.sqrt(width);
  return {
    ...{ places, columns, at, points, kernelWidth },
    distances: weighPoints(core, points, at, kernelWidth).distances,
    // MAPLE adds the trees' weights up, which matters to the ridge.
    weights: Float64Array.from(places, (place) => all[place] * grove.trees),
    owner: Uint32Array.from(places, (_, i) => i),
  };
}

/**
 * What was solved for some columns, told for all of them.
 *
 * @param {ReturnType<typeof solve>} solved
 * @param {readonly number[]} columns
 * @param {number} width
 * @returns {ReturnType<typeof solve>}
 */
function widen(solved, columns, width) {
  const spread = (/** @type {readonly number[]} */ values) => {
    const all = new Array(width).fill(0);
    columns.forEach((column, i) => (all[column] = values[i]));
    return all;
  };
  const { weights, raw, low, high, agreement, players, chosen } = solved;
  return {
    ...solved,
    weights: spread(weights),
    raw: spread(raw),
    low: spread(low),
    high: spread(high),
    agreement: spread(agreement),
    players: players.map(spread),
    chosen: chosen.map((i) => columns[i]),
  };
}
