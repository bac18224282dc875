// Computes the paper's experiments on synthetic functions, its gamma figure and its convergence figure.
//
// The paper draws its functions and gives no formulas, so these were reconstructed from its description.
import { trainIrisForest } from '../../../examples/iris-forest.js';
import { describeTable, explainRow, explainSamples, load, solveGame } from '../../../js/index.js';
import { dice } from '../../support/dice.js';

/** LIME's kernel width for two features. */
const KERNEL_WIDTH = 0.75 * Math.SQRT2;

/**
 * Class 1 between two parts of class 0: its probability is 1 in a strip of width 3 along y, and 0 outside. It depends only
 * on x.
 *
 * The strip and point c were chosen to reproduce what the paper says about LIME: in the interior of class 0, 1.5 from the
 * edge, neighborhoods of width 1 and 2 find the same slope. So LIME's result holds by construction, and only LINEX's result
 * is a finding.
 *
 * @param {ArrayLike<number>} point  x, y
 * @returns {number}
 */
export const sandwich = ([x]) => (Math.abs(x) < 1.5 ? 1 : 0);

/** The points where the sandwiched class is explained: both edges of class 1, and the interior of class 0. */
export const SANDWICH_POINTS = Object.freeze({ a: [-1.5, 0], b: [1.5, 0], c: [3, 0] });
export const SANDWICH_WIDTHS = Object.freeze([1, 2]);

/**
 * A function that rises slowly with y. Along x it is flat, rises abruptly, and then falls slowly.
 *
 * The numbers are chosen so that the environments' own fits equal the paper's, (-0.033, 0.098) and (0.084, 0.102). With
 * Gaussian weights, the least-squares slope is the mean derivative (Stein); this gives the position of the edge, its height
 * and the slope behind it. So these fits agree by construction, and only LINEX's result is a finding.
 *
 * @param {ArrayLike<number>} point  x, y
 * @returns {number}
 */
export const risingEdge = ([x, y]) => 0.1 * y + 2.5 * Math.min(Math.max(x + 0.5, 0), 0.5) - 0.135 * Math.max(x, 0);

export const RISING_EDGE_POINT = Object.freeze([1, 0]);
export const RISING_EDGE_VARIANCES = Object.freeze([0.5, 2]);

const STILL = { preset: 'paper', features: 'all', draws: 0 };
const scatter = (random, center, deviation, count) =>
  Array.from({ length: count }, () => center.map((value) => value + deviation * random.normal()));

/**
 * Fits LIME on each of two clouds of points and on both together, and LINEX with the clouds as environments. LINEX uses the
 * same sample weights as LIME.
 *
 * @param {(point: number[]) => number} model
 * @param {number[]} at
 * @param {number[][][]} clouds
 * @param {(point: number[]) => number} weigh
 */
function compare(model, at, clouds, weigh) {
  const answer = (points) => ({ points, predictions: points.map(model), weights: points.map(weigh), at });
  const all = answer(clouds.flat());
  const lime = (samples) => explainSamples(samples, { ...STILL, method: 'lime' }).weights;
  const environments = clouds.map((cloud) =>
    clouds.flatMap((other) => other.map((p) => (other === cloud ? weigh(p) : 0))),
  );
  const linex = explainSamples(all, { ...STILL, environments, keepGame: true });
  return {
    alone: clouds.map((cloud) => lime(answer(cloud))),
    together: lime(all),
    linex: linex.weights,
    game: linex.game,
  };
}

/**
 * Explains the sandwiched class at three points: LIME with a small and a large neighborhood, and LINEX with both.
 *
 * @param {number} [seed]
 * @param {number} [count]  points per neighborhood
 * @returns {{ [point: string]: { alone: readonly (readonly number[])[], together: readonly number[], linex: readonly number[] } }}
 *   by point; each attribution has the weights of x and y
 */
export function explainSandwich(seed = 1, count = 2000) {
  const random = dice(seed);
  const explain = ([name, at]) => {
    const clouds = SANDWICH_WIDTHS.map((width) => scatter(random, at, width, count));
    const { alone, together, linex } = compare(sandwich, at, clouds, () => 1);
    return [name, { alone, together, linex }];
  };
  return Object.fromEntries(Object.entries(SANDWICH_POINTS).map(explain));
}

/**
 * Explains the rising edge: each environment alone, both together, LINEX, and its game. The paper names no kernel. We use
 * LIME's kernel with its default width, because without weights both together would give
 * (0.5 (-0.033) + 2 (0.084)) / 2.5 = 0.061, and the paper has 0.029. The paper does not give the number of points either.
 *
 * @param {number} [seed]
 * @param {number} [count]  points per environment
 */
export function explainRisingEdge(seed = 1, count = 1000) {
  const random = dice(seed);
  const at = [...RISING_EDGE_POINT];
  const clouds = RISING_EDGE_VARIANCES.map((variance) => scatter(random, at, Math.sqrt(variance), count));
  const weigh = (point) => Math.exp(-0.5 * (Math.hypot(point[0] - at[0], point[1] - at[1]) / KERNEL_WIDTH) ** 2);
  return compare(risingEdge, at, clouds, weigh);
}

/**
 * Returns how often x is eliminated at the rising edge, by number of points. With few points it is never certain.
 *
 * @param {readonly number[]} counts  points per environment
 * @param {number} [seeds]  the number of seeds
 * @returns {{ count: number, eliminated: number, opposed: number, y: number }[]}  the shares of seeds where x gets zero, and
 *   where the environments' own fits for x have opposite signs; the mean weight of y
 */
export function eliminationByCount(counts, seeds = 40) {
  return counts.map((count) => {
    const runs = Array.from({ length: seeds }, (_, i) => explainRisingEdge(i + 1, count));
    const mean = (pick) => runs.reduce((sum, run) => sum + pick(run), 0) / seeds;
    return {
      count,
      eliminated: mean(({ linex }) => (linex[0] === 0 ? 1 : 0)),
      opposed: mean(({ alone }) => (alone[0][0] * alone[1][0] < 0 ? 1 : 0)),
      y: mean(({ linex }) => linex[1]),
    };
  });
}

/**
 * Returns the games of the 30 test flowers with the paper's settings: ten samples in centimeters, two bootstraps, for
 * setosa.
 */
export async function irisGames() {
  const { train, test, predict } = trainIrisForest();
  const table = await describeTable(train.map(({ row }) => row));
  const drawing = { samples: 10, sampling: 'independent' };
  const paper = { ...drawing, units: 'raw', intercept: 'none', ridge: 0.01, kernelWidth: 1, target: 0 };
  const environments = { kind: 'bootstrap', count: 2, anchored: true };
  const explain = async ({ row }, seed) => {
    const options = { ...STILL, ...paper, table, environments, keepGame: true, seed };
    return (await explainRow(row, predict, options)).game;
  };
  return Promise.all(test.map(explain));
}

/** Chosen after a look at all 30: its attributions stay the same down to gamma / 2, as in the paper's example. */
const EXAMPLE = 2;

/**
 * Returns the attributions as gamma grows from almost zero to twice its default.
 *
 * @param {{ grams: readonly (readonly number[])[], targets: readonly (readonly number[])[], gamma: number }} game
 * @param {number} [steps]
 * @returns {{ gamma: number, points: { gamma: number, weights: readonly number[] }[] }}
 */
export function gammaSweep(game, steps = 80) {
  const gammas = Array.from({ length: steps }, (_, i) => (2 * game.gamma * (i + 1)) / steps);
  return {
    gamma: game.gamma,
    points: gammas.map((gamma) => ({ gamma, weights: solveGame({ ...game, gamma }).weights })),
  };
}

/**
 * Returns the smallest gamma of a sweep from which on the attributions stay the same, as a share of the default gamma.
 *
 * @param {ReturnType<typeof gammaSweep>} sweep
 */
export function constantFrom({ gamma, points }) {
  const last = points[points.length - 1].weights;
  const same = ({ weights }) => weights.every((weight, c) => Math.abs(weight - last[c]) <= 1e-9 * gamma);
  return points.find(same).gamma / gamma;
}

/**
 * Returns the players after each round of Algorithm 1, and the equilibrium of the fast solver.
 *
 * @param {{ grams: readonly (readonly number[])[], targets: readonly (readonly number[])[], gamma: number }} game
 */
export function convergence(game) {
  const { trace, rounds, converged } = solveGame({ ...game, solver: 'best-response', trace: true });
  return { gamma: game.gamma, rounds, converged, trace, weights: solveGame(game).weights };
}

/**
 * Returns all results as plain data for the report. In `gamma`, `points` is the sweep of one flower, and `constantFrom` is
 * over all 30.
 *
 * @param {number} [seed]
 */
export async function syntheticNumbers(seed = 1) {
  await load();
  const edge = explainRisingEdge(seed);
  const sweeps = (await irisGames()).map((game) => gammaSweep(game));
  return {
    sandwich: explainSandwich(seed),
    risingEdge: {
      ...{ alone: edge.alone, together: edge.together, linex: edge.linex },
      byCount: eliminationByCount([50, 100, 200, 500, 1000]),
    },
    gamma: { ...sweeps[EXAMPLE], constantFrom: sweeps.map(constantFrom) },
    convergence: convergence(edge.game),
  };
}
