import { show } from '../core/errors.js';
import { freeze } from '../core/freeze.js';
import { loaded } from '../core/load.js';
import { withScope } from '../core/memory.js';
import { checkChoice, checkCount, checkFlag, checkNames, checkNumber } from '../core/check-options.js';
import { SOLVERS } from './settings.js';

/**
 * @typedef {object} Game
 * @property {readonly ArrayLike<number>[]} grams  k arrays of d × d, row-major: symmetric, positive definite
 * @property {readonly ArrayLike<number>[]} targets  k arrays of d
 * @property {number} gamma  the most that a player may add to a weight
 * @property {number} [l1]  bound on the sum of all |weights|
 * @property {'auto' | 'sweeps' | 'path' | 'best-response'} [solver]  default `'auto'`
 * @property {number} [tolerance]  default 1e-9
 * @property {number} [maxRounds]
 * @property {boolean} [trace]  with `solver: 'best-response'`: the players' strategies after every round
 */

/**
 * @typedef {object} GameResult
 * @property {readonly number[]} weights  the sum of what the players add
 * @property {readonly (readonly number[])[]} players  what each of them adds
 * @property {boolean} converged
 * @property {number} rounds
 * @property {number} residual  the largest move any player would still make along any coordinate, relative to gamma
 *   or, where that is less, to the largest weight that any player wants
 * @property {number} multiplier  the price of the l1 bound that all players pay; 0 where it does not bind
 * @property {readonly (readonly (readonly number[])[])[]} [trace]  rounds × players × d
 */

/**
 * The bare game: player i adds w_i with |w_i| ≤ gamma to make ½ s′G_i s − b_i′s small, where s is the sum of all w_i.
 * Returns an equilibrium. Synchronous after `load()`.
 *
 * @param {Game} game
 * @returns {GameResult}
 * @throws {TypeError | RangeError} for a bad call
 * @throws {import('../core/errors.js').LinexError} `'degenerate'` if a Gram matrix has no positive diagonal
 */
export function solveGame(game) {
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
  } = /** @type {Game} */ (checkNames(game, known, 'solveGame'));
  const limit = l1 === undefined ? Infinity : checkNumber(l1, 'l1', { above: 0 });
  checkNumber(gamma, 'gamma', { above: 0, most: Number.MAX_VALUE });
  checkNumber(tolerance, 'tolerance', { above: 0, most: 1 });
  const most = maxRounds === undefined ? 0 : checkCount(maxRounds, 'maxRounds', 1);
  const code = checkChoice(solver, 'solver', SOLVERS);
  if (checkFlag(trace, 'trace') && solver !== 'best-response')
    throw new RangeError(`trace shows the rounds of solver "best-response", not of ${show(solver)}`);
  const players = checkCount(grams?.length, 'the number of grams', 1);
  const width = checkCount(targets?.[0]?.length, 'the length of targets[0]', 1);
  const [allGrams, allTargets] = [
    join(grams, 'grams', players, width * width),
    join(targets, 'targets', players, width),
  ];

  checkSymmetry(allGrams, players, width);

  const core = loaded('solveGame');
  return withScope(core, (scope) => {
    const [weights, strategies, report] = [scope.doubles(width), scope.doubles(players * width), scope.doubles(4)];
    const spec = [players, width, scope.putDoubles(allGrams), scope.putDoubles(allTargets), gamma, limit];
    const out = [weights, strategies, report];
    scope.check(core.linex_wasm_game_solve(...spec, code, tolerance, most, ...out));
    const [converged, rounds, residual, multiplier] = scope.getDoubles(report, 4);
    const result = {
      weights: scope.listDoubles(weights, width),
      players: split(scope.getDoubles(strategies, players * width), width),
      converged: converged === 1,
      rounds,
      residual,
      multiplier,
    };
    return freeze(trace ? { ...result, trace: replay(core, scope, spec, rounds) } : result);
  });
}

/**
 * @param {Float64Array} grams
 * @param {number} players
 * @param {number} width
 */
function checkSymmetry(grams, players, width) {
  for (let i = 0; i < players; i++)
    for (let c = 0; c < width; c++)
      for (let d = 0; d < c; d++) {
        const [low, high] = [grams[(i * width + c) * width + d], grams[(i * width + d) * width + c]];
        if (Math.abs(low - high) > 1e-9 * Math.max(Math.abs(low), Math.abs(high)))
          throw new RangeError(`grams[${i}] must be symmetric, not ${low} at [${c}][${d}] and ${high} at [${d}][${c}]`);
      }
}

/**
 * Plays the rounds of Algorithm 1 once more, and writes down where everybody stood after each.
 *
 * @param {import('../core/load.js').Core} core
 * @param {{ doubles(length: number): number, putDoubles(values: ArrayLike<number>): number,
 *   getDoubles(address: number, length: number): Float64Array, check(status: number): void }} scope
 * @param {number[]} spec
 * @param {number} rounds
 */
function replay(core, scope, spec, rounds) {
  const [players, width] = spec;
  const strategies = scope.putDoubles(new Float64Array(players * width));
  const moved = scope.doubles(1);
  return Array.from({ length: rounds }, () => {
    scope.check(core.linex_game_round(...spec, strategies, moved));
    return split(scope.getDoubles(strategies, players * width), width);
  });
}

/**
 * @param {readonly ArrayLike<number>[]} arrays
 * @param {string} name
 * @param {number} count
 * @param {number} length
 */
function join(arrays, name, count, length) {
  if (arrays.length !== count)
    throw new RangeError(`${name} must be ${count} arrays, one a player, not ${show(arrays)}`);
  const joined = new Float64Array(count * length);
  Array.from(arrays).forEach((array, i) => {
    if (array?.length !== length) throw new RangeError(`${name}[${i}] must have ${length} numbers, not ${show(array)}`);
    for (let j = 0; j < length; j++)
      joined[i * length + j] = checkNumber(array[j], `${name}[${i}][${j}]`, { least: -1e100, most: 1e100 });
  });
  return joined;
}

/**
 * @param {Float64Array} values
 * @param {number} width
 */
function split(values, width) {
  return Array.from({ length: values.length / width }, (_, i) => [...values.subarray(i * width, (i + 1) * width)]);
}
