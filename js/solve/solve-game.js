// The bare game: solves given Gram matrices and targets for an equilibrium.
import { GAME, GAME_REPORT } from '../core/border.js';
import {
  checkChoice,
  checkCount,
  checkFlag,
  checkList,
  checkNames,
  checkNumber,
  checkNumbers,
} from '../core/check-options.js';
import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { loaded, ready } from '../core/load.js';
import { withScope, withScopeAsync } from '../core/memory.js';
import { ASYNC_OPTIONS, readAsyncOptions, runTask, runTaskNow } from '../core/run-task.js';
import { MOST_TOLERANCE, SOLVERS } from './settings.js';

/**
 * @typedef {object} Game
 * @property {readonly ArrayLike<number>[]} grams  k arrays of d × d, row-major: symmetric, positive definite
 * @property {readonly ArrayLike<number>[]} targets  k arrays of d
 * @property {number} gamma  the most that one player may add to a weight
 * @property {number} [l1]  bound on the sum of all |weights|
 * @property {'auto' | 'sweeps' | 'path' | 'best-response'} [solver]  default `'auto'`
 * @property {number} [tolerance]  at most 0.1; default 1e-9
 * @property {number} [maxRounds]  default: the solver's own limit
 * @property {boolean} [trace]  with `solver: 'best-response'`: whether the result has the strategies after every round
 */

/**
 * @typedef {object} GameResult
 * @property {readonly number[]} weights  the sum of what the players add
 * @property {readonly (readonly number[])[]} players  what each player adds
 * @property {boolean} converged
 * @property {number} rounds
 * @property {number} residual  the largest move that any player would still make along any coordinate, or by which the
 *   players exceed gamma or do not add up to the weights; relative to gamma or to the largest weight that any player
 *   wants, whichever is less
 * @property {number} multiplier  the price of the l1 bound; 0 if the sum is below the bound. All players pay the same,
 *   except with solver `'best-response'`, where each has a price of its own and this is the mean
 * @property {readonly (readonly (readonly number[])[])[]} [trace]  rounds × players × d
 */

/**
 * Solves the bare game. Player i adds w_i, with |w_i| ≤ gamma, to minimize ½ s′G_i s − b_i′s, where s is the sum of all w_i.
 * Returns an equilibrium. Synchronous after `load()`. With hundreds of features, `solveGameAsync` keeps a page responsive.
 *
 * @param {Game} game
 * @returns {GameResult}
 * @throws {TypeError | RangeError} for a bad call
 * @throws {import('../core/errors.js').LinexError} `'degenerate'` if a Gram matrix has no positive diagonal
 */
export function solveGame(game) {
  const problem = readGame(game, 'solveGame');
  return withScope(loaded('solveGame'), (scope) => {
    const { start, read } = writeGame(scope, problem);
    runTaskNow(scope, start);
    return read();
  });
}

/**
 * `solveGame` in slices of a few milliseconds, with the same result. It loads the WebAssembly file by itself.
 *
 * @param {Game} game
 * @param {import('../core/run-task.js').AsyncOptions} [options]
 * @returns {Promise<GameResult>}
 * @throws what `solveGame` throws, or the signal's reason
 */
export async function solveGameAsync(game, options = {}) {
  const problem = readGame(game, 'solveGameAsync');
  checkNames(options, ASYNC_OPTIONS, 'solveGameAsync');
  const { signal, onProgress } = readAsyncOptions(options);
  signal?.throwIfAborted();
  return withScopeAsync(await ready(), async (scope) => {
    const { start, read } = writeGame(scope, problem);
    await runTask(scope, start, { signal, onSlice: (progress) => onProgress?.({ phase: 'solve', progress }) });
    return read();
  });
}

/**
 * Checks a game.
 *
 * @param {Game} game
 * @param {string} name  of the function
 */
function readGame(game, name) {
  const known = ['grams', 'targets', 'gamma', 'l1', 'solver', 'tolerance', 'maxRounds', 'trace'];
  const {
    grams,
    targets,
    gamma,
    l1,
    solver = 'auto',
    tolerance = 1e-9,
    maxRounds,
    trace = false,
  } = /** @type {Game} */ (checkNames(game, known, name));
  checkNumber(gamma, 'gamma', { above: 0, most: Number.MAX_VALUE });
  checkNumber(tolerance, 'tolerance', { above: 0, most: MOST_TOLERANCE });
  if (checkFlag(trace, 'trace') && solver !== 'best-response')
    throw new RangeError(`trace records the rounds of solver "best-response", not of ${show(solver)}`);
  const players = checkCount(grams?.length, 'the number of grams', 1);
  const featureCount = checkCount(targets?.[0]?.length, 'the length of targets[0]', 1);
  const allTargets = join(targets, 'targets', players, featureCount);
  const allGrams = join(grams, 'grams', players, featureCount * featureCount);
  makeSymmetric(allGrams, players, featureCount);
  return {
    players,
    featureCount,
    grams: allGrams,
    targets: allTargets,
    gamma,
    l1: l1 === undefined ? Infinity : checkNumber(l1, 'l1', { above: 0 }),
    solver: checkChoice(solver, 'solver', SOLVERS),
    tolerance,
    maxRounds: maxRounds === undefined ? 0 : checkCount(maxRounds, 'maxRounds', 1),
    trace,
  };
}

/**
 * Writes a game into the memory. Returns how to start the task, and how to read its results.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {ReturnType<typeof readGame>} game
 */
function writeGame(scope, { trace, ...game }) {
  const { players, featureCount } = game;
  const record = scope.putRecord(GAME, {
    ...game,
    grams: scope.putDoubles(game.grams),
    targets: scope.putDoubles(game.targets),
  });
  const [weights, strategies] = [scope.doubles(featureCount), scope.doubles(players * featureCount)];
  const report = scope.doubles(GAME_REPORT.length);
  return {
    start: (/** @type {import('../core/border.js').Indices} */ task) =>
      scope.core.linex_wasm_game_start(record, weights, strategies, report, task),
    read() {
      const { converged, ...numbers } = scope.readRecord(GAME_REPORT, report);
      return freeze({
        weights: scope.listDoubles(weights, featureCount),
        players: scope.listRows(strategies, players, featureCount),
        converged: converged === 1,
        ...numbers,
        ...(trace && { trace: replay(scope, record, players, featureCount, numbers.rounds) }),
      });
    },
  };
}

/**
 * Replaces entries that differ by rounding with their mean. Rounding is relative to the diagonal, which bounds the entries
 * of a positive definite matrix: |g_cd| < √(g_cc g_dd).
 *
 * @param {Float64Array} grams  are changed
 * @param {number} players
 * @param {number} size
 * @throws {RangeError} if entries differ by more
 */
function makeSymmetric(grams, players, size) {
  for (let i = 0; i < players; i++) {
    const at = (/** @type {number} */ c, /** @type {number} */ d) => (i * size + c) * size + d;
    for (let c = 0; c < size; c++)
      for (let d = 0; d < c; d++) {
        const [low, high] = [grams[at(c, d)], grams[at(d, c)]];
        if (low === high) continue;
        const bound = Math.sqrt(Math.abs(grams[at(c, c)])) * Math.sqrt(Math.abs(grams[at(d, d)]));
        if (Math.abs(low - high) > 1e-9 * Math.max(bound, Math.abs(low), Math.abs(high)))
          throw new RangeError(`grams[${i}] must be symmetric, not ${low} at [${c}][${d}] and ${high} at [${d}][${c}]`);
        grams[at(c, d)] = grams[at(d, c)] = (low + high) / 2;
      }
  }
}

/**
 * Plays the rounds of Algorithm 1 again and records the strategies after each.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {import('../core/border.js').Doubles} game  record
 * @param {number} players
 * @param {number} featureCount
 * @param {number} rounds
 */
function replay(scope, game, players, featureCount, rounds) {
  const strategies = scope.putDoubles(new Float64Array(players * featureCount));
  const moved = scope.doubles(1);
  return Array.from({ length: rounds }, () => {
    scope.check(scope.core.linex_wasm_game_round(game, strategies, moved));
    return scope.listRows(strategies, players, featureCount);
  });
}

/**
 * @param {readonly ArrayLike<number>[]} arrays
 * @param {string} name
 * @param {number} count
 * @param {number} length
 */
function join(arrays, name, count, length) {
  checkList(arrays, name, `${count} arrays, one per player`, count);
  // Everything has its length before memory is taken for it.
  for (let i = 0; i < count; i++) checkList(arrays[i], `${name}[${i}]`, `an array of ${length} numbers`, length);
  const joined = new Float64Array(count * length);
  for (let i = 0; i < count; i++)
    joined.set(checkNumbers(arrays[i], `${name}[${i}]`, length, { least: -1e100, most: 1e100 }), i * length);
  return joined;
}
