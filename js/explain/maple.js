// MAPLE: a local ridge regression on the training rows that share the input's leaves in a forest.
import { askModel } from '../core/ask-model.js';
import { short, warning } from '../core/coded-warning.js';
import { LinexError } from '../core/errors.js';
import { withScope } from '../core/memory.js';
import { leafIndexOf, heaviest, MAPLE_RIDGE } from '../neighborhood/forest-neighborhood.js';
import { representRows, RowBatch, weighPoints } from '../neighborhood/row-neighborhood.js';
import { buildExplanation } from './explanation.js';
import { rivalOf } from '../solve/rival.js';
import { resolveTargets, targetName } from '../solve/settings.js';
import { solveSamplesNow } from '../solve/solve-samples.js';

export const MAPLE_DEFAULTS = Object.freeze({ ridge: MAPLE_RIDGE, features: /** @type {const} */ ('all') });

const SAME_RESPONSES = warning(
  'constant',
  'the responses around the row are all the same: there is nothing to explain',
);

/**
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('../solve/settings.js').Settings} Settings
 * @typedef {import('../solve/solve-samples.js').Solved} Solved
 * @typedef {import('../data/table.js').Table} Table
 * @typedef {ReturnType<typeof leafIndexOf>} LeafIndex
 */

/**
 * @typedef {import('./plan.js').AskPlan & { table: Table, flat: import('../data/table.js').FlatTable, sampler?: unknown,
 *   view: import('../neighborhood/row-neighborhood.js').RowView, maxRows: number, responseOf: number[] }} MaplePlan
 *   responseOf: for each answer of the model, the index of its response
 */

/**
 * Checks that the rows behind a neighborhood match the call's table and classes.
 *
 * @param {unknown} neighborhood
 * @param {Table} table
 * @param {readonly string[] | undefined} classes  in the order of the model's answers
 * @returns {{ classes: readonly string[] | undefined, responseOf: number[] }}  responseOf: for each answer of the model, the
 *   index of its response
 * @throws {TypeError | RangeError}
 */
export function checkLeafIndex(neighborhood, table, classes) {
  const leafIndex = leafIndexOf(neighborhood);
  const kinds = (/** @type {Table} */ { columns }) =>
    JSON.stringify(columns.map((column) => (column.kind === 'numeric' ? 'numeric' : column.levels)));
  if (kinds(table) !== kinds(leafIndex.table))
    throw new RangeError('the neighborhood was made for a table with other columns or other levels');
  const known = leafIndex.classes;
  const inOrder = Array.from({ length: leafIndex.outputs }, (_, i) => i);
  if (!known || !Array.isArray(classes)) return { classes: classes ?? known, responseOf: inOrder };
  const responseOf = classes.map((name) => known.indexOf(name));
  if (String([...responseOf].sort((a, b) => a - b)) !== String(inOrder))
    throw new RangeError(
      `classes are ${classes.join(', ')}, but the neighborhood's responses are ${known.join(', ')}; name the same ` +
        "classes, in the order of the model's answers",
    );
  return { classes, responseOf };
}

/**
 * MAPLE: a weighted ridge regression on the training rows that share the input's leaves, with the features that the first
 * splits of the forest chose. It is fitted to the responses that the forest was grown on, so the model is asked only about
 * the input. `fidelity` tells how well the responses are fitted.
 *
 * @template {Feature} F
 * @param {import('../core/load.js').Core} core
 * @param {Float64Array} row  encoded
 * @param {import('../core/ask-model.js').Predict<RowBatch>} predict
 * @param {MaplePlan} plan
 * @param {import('./run-explanation.js').Subject<F>} subject
 * @param {number} started
 */
export async function explainByMaple(core, row, predict, plan, subject, started) {
  const leafIndex = leafIndexOf(plan.sampler);
  const { settings, onProgress, row: index } = plan;
  if (plan.count)
    return plan.count({ distinct: 1, maxQueries: () => 1, batch: () => new RowBatch(plan.table, row) }, plan);
  const asking = performance.now();
  const atInput = await askAboutRow(row, predict, plan, leafIndex.outputs);
  const model = performance.now() - asking;
  onProgress?.({ asked: 1, planned: 1, phase: 'solve', partial: null, ...(index !== undefined && { row: index }) });
  // An asynchronous callback that throws at once has rejected by now.
  await undefined;
  plan.throwIfProgressFailed();
  const near = findLocalRows(core, leafIndex, row, plan);
  const explanations = resolveTargets(settings, leafIndex.outputs, atInput).map((column) => {
    const answers = Float64Array.from(
      near.rows,
      (i) => leafIndex.responses[i * leafIndex.outputs + plan.responseOf[column]],
    );
    const solved = solveLocally(core, near, answers, settings);
    const same = answers.every((answer) => answer === answers[0]);
    return buildExplanation(
      { ...forAllColumns(solved, near.columns, row.length), ...(same && { warnings: [SAME_RESPONSES] }) },
      settings,
      subject,
      {
        target: targetName(settings, column, leafIndex.outputs),
        prediction: atInput[column],
        rival: rivalOf(settings, column, atInput),
        limits: { ended: near.rows.length < plan.maxRows, weighed: true },
        warnings: warnOfMiss(solved, near.weights, answers, atInput[column]),
        queries: { planned: 1, asked: 1 },
        milliseconds: { model, own: performance.now() - started - model },
      },
    );
  });
  return settings.target.several ? explanations : explanations[0];
}

/**
 * Warns if the fit is far from the model's answer, because the responses may not come from this model.
 *
 * @param {Solved} solved
 * @param {Float64Array} weights
 * @param {Float64Array} responses
 * @param {number} prediction  the model's
 * @returns {import('../core/coded-warning.js').Warning[]}
 */
function warnOfMiss({ mean, report: { localPrediction } }, weights, responses, prediction) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const squares = responses.reduce((sum, response, i) => sum + weights[i] * (response - mean) ** 2, 0);
  const spread = Math.sqrt(squares / total);
  // The second term allows for rounding.
  if (Math.abs(prediction - localPrediction) <= spread + 1e-9 * Math.abs(prediction)) return [];
  const [fit, model, apart] = [localPrediction, prediction, spread].map(short);
  return [
    warning(
      'other-model',
      `the model says ${model} but the fit to the responses says ${fit}, which is further apart than the responses vary ` +
        `(${apart}): the explanation may not be about this model`,
      { prediction, localPrediction, spread },
    ),
  ];
}

/**
 * @param {Float64Array} row
 * @param {import('../core/ask-model.js').Predict<RowBatch>} predict
 * @param {MaplePlan} plan
 * @param {number} outputs
 * @returns {Promise<Float64Array>}
 */
async function askAboutRow(row, predict, plan, outputs) {
  const { answers } = await askModel(predict, {
    ...plan,
    count: 1,
    batch: () => new RowBatch(plan.table, row),
    onShape(columns) {
      resolveTargets(plan.settings, columns, new Float64Array(columns));
      if (columns !== outputs)
        throw new RangeError(
          `the model gives ${columns} numbers per sample, but the neighborhood has ${outputs} per response`,
        );
    },
    onBatch: () => {},
  });
  return answers.slice(0, outputs);
}

/**
 * The training rows that share a leaf with the row, as the fit sees them, and the columns that MAPLE keeps.
 *
 * @param {import('../core/load.js').Core} core
 * @param {LeafIndex} leafIndex
 * @param {Float64Array} row
 * @param {MaplePlan} plan
 */
function findLocalRows(core, leafIndex, row, { flat, view, settings, maxRows }) {
  const columnCount = row.length;
  const all = leafIndex.weigh(row);
  const rows = heaviest(all, maxRows).sort((a, b) => a - b);
  if (rows.length < 2)
    throw new LinexError(
      'neighborhood',
      'only one training row shares a leaf with the row; grow the forest with a larger minLeaf',
    );
  const encoded = new Float64Array((rows.length + 1) * columnCount);
  encoded.set(row);
  rows.forEach((from, i) =>
    encoded.set(leafIndex.rows.subarray(from * columnCount, (from + 1) * columnCount), (i + 1) * columnCount),
  );
  const columns = leafIndex.features.slice(0, settings.features || columnCount).sort((a, b) => a - b);
  const represented = representRows(core, flat, row, view, encoded);
  const kept = Float64Array.from({ length: (rows.length + 1) * columns.length }, (_, i) => {
    const [point, column] = [Math.floor(i / columns.length), columns[i % columns.length]];
    return represented[point * columnCount + column];
  });
  return {
    rows,
    columns,
    input: kept.slice(0, columns.length),
    points: kept.slice(columns.length),
    kernelWidth: settings.kernelWidth ?? 0.75 * Math.sqrt(columnCount),
    // MAPLE sums the weights over the trees, which matters to the ridge.
    weights: Float64Array.from(rows, (i) => all[i] * leafIndex.treeCount),
  };
}

/**
 * @param {import('../core/load.js').Core} core
 * @param {ReturnType<typeof findLocalRows>} near
 * @param {Float64Array} answers
 * @param {Settings} settings
 */
function solveLocally(core, near, answers, settings) {
  const [count, featureCount] = [near.rows.length, near.columns.length];
  const { kernelWidth } = near;
  return withScope(core, (scope) => {
    const [points, input] = [scope.putDoubles(near.points), scope.putDoubles(near.input)];
    const { distances } = weighPoints(scope, points, input, { count, featureCount, kernelWidth });
    const weights = scope.putDoubles(near.weights);
    const masks = /** @type {const} */ (0);
    const pointOf = Uint32Array.from(near.rows, (_, i) => i);
    const placed = { featureCount, points, masks, weights, distances, input, kernelWidth };
    return /** @type {import('../solve/solve-samples.js').Solved} */ (
      solveSamplesNow(core, placed, { answers, pointOf }, { ...settings, features: 0, selection: 4 })
    );
  });
}

/**
 * Extends a solution for some columns to all columns, with zeros.
 *
 * @param {Solved} solved
 * @param {readonly number[]} columns
 * @param {number} columnCount
 * @returns {Solved}
 */
function forAllColumns(solved, columns, columnCount) {
  const extend = (/** @type {readonly number[]} */ values) => {
    const all = new Array(columnCount).fill(0);
    columns.forEach((column, i) => (all[column] = values[i]));
    return all;
  };
  const { weights, raw, silenced, low, high, agreement, players, chosen, fitted } = solved;
  return {
    ...solved,
    weights: extend(weights),
    raw: extend(raw),
    silenced: extend(silenced),
    low: extend(low),
    high: extend(high),
    agreement: extend(agreement),
    players: players.map(extend),
    chosen: chosen.map((i) => columns[i]),
    fitted: fitted.map((i) => columns[i]),
  };
}
