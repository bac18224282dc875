// solveGame: equilibria against closed forms, optimality conditions and Algorithm 1.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { load, LinexError, solveGame, solveGameAsync } from 'linex';
import { coreWasm } from '../../js/core/load.js';
import { dice } from '../support/dice.js';
import { independentGame, restPoint } from '../support/games.js';
import { momentsOf, solveLinear } from '../support/least-squares.js';

before(() => load());

/**
 * The largest violation of the players' optimality conditions, as a move relative to gamma. It uses no code of the solver:
 * inside its limits a player's gradient vanishes, at a limit it points outward.
 */
function worstMove({ grams, targets, gamma }, players) {
  const width = targets[0].length;
  const sum = Array.from({ length: width }, (_, c) => players.reduce((total, one) => total + one[c], 0));
  let worst = 0;
  grams.forEach((gram, i) => {
    for (let c = 0; c < width; c++) {
      let gradient = -targets[i][c];
      for (let d = 0; d < width; d++) gradient += gram[c * width + d] * sum[d];
      const move = -gradient / gram[c * width + c];
      const room = move > 0 ? gamma - players[i][c] : players[i][c] + gamma;
      assert.ok(Math.abs(players[i][c]) <= gamma, 'a player keeps to its limit');
      worst = Math.max(worst, Math.min(Math.abs(move), Math.max(0, room)) / gamma);
    }
  });
  return worst;
}

/** The game of k bootstraps of one neighborhood; gamma is the largest coefficient of any environment's own fit. */
function bootstrapGame(random, { players, width, count, correlation, ridge }) {
  const slopes = Array.from({ length: width }, random.normal);
  const points = Array.from({ length: count }, () => {
    const common = Math.sqrt(correlation) * random.normal();
    return Array.from({ length: width }, () => common + Math.sqrt(1 - correlation) * random.normal());
  });
  const answers = points.map((x) => {
    const z = slopes.reduce((sum, slope, c) => sum + slope * x[c] * (1 + 0.5 * x[0]), 0);
    return Math.tanh((z + random.normal()) / Math.sqrt(width));
  });
  const fits = Array.from({ length: players }, () => {
    const counts = new Array(count).fill(0);
    for (let i = 0; i < count; i++) counts[random.below(count)]++;
    return momentsOf(points, answers, counts, ridge);
  });
  const gamma = Math.max(...fits.flatMap(({ gram, target }) => solveLinear(gram, target).map(Math.abs)));
  return { grams: fits.map(({ gram }) => gram), targets: fits.map(({ target }) => target), gamma };
}

const near = (actual, expected, tolerance, what) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what ?? 'value'}: ${actual} is not ${expected}`);

test('Theorem 1: two targets of one sign give the smaller in magnitude, opposite signs give zero', () => {
  const targets = [
    [3, -2, 1, -4, 0.5, 2, 0],
    [1, -5, -1, 3, 0.5, 0, 7],
  ];
  const game = independentGame(targets, [new Array(7).fill(2), new Array(7).fill(0.3)], 10);
  assert.deepEqual(
    solveGame(game).weights.map((w) => Number(w.toFixed(12)) + 0),
    [1, -2, 0, 0, 0.5, 0, 0],
  );
});

test('an odd number of players gives the median', () => {
  const wishes = [[1], [9], [4], [-3], [5]];
  near(solveGame(independentGame(wishes, new Array(5).fill([1]), 20)).weights[0], 4, 1e-12);
});

test('an even number of players gives the smaller in magnitude of the middle two, or zero', () => {
  const play = (...wishes) =>
    solveGame(
      independentGame(
        wishes.map((wish) => [wish]),
        wishes.map(() => [1]),
        20,
      ),
    ).weights[0];
  near(play(1, 2, 5, 9), 2, 1e-12);
  near(play(-9, -5, -2, -1), -2, 1e-12);
  near(play(-9, -5, 2, 7), 0, 1e-12);
});

test('a gamma of half the smaller of two agreeing targets does not change the result', () => {
  const play = (gamma) => solveGame(independentGame([[4], [6]], [[1], [1]], gamma)).weights[0];
  near(play(2), 4, 1e-12);
  near(play(1), 2, 1e-12);
});

test('independent features follow the closed form for 2 to 7 players and any gamma, with signs and ties', () => {
  const random = dice(1);
  for (let trial = 0; trial < 600; trial++) {
    const players = 2 + (trial % 6);
    const width = 1 + random.below(8);
    // Some targets are whole numbers, for ties.
    const wish = () => (trial % 3 ? random.normal() : random.below(5) - 2);
    const targets = Array.from({ length: players }, () => Array.from({ length: width }, wish));
    const curvatures = targets.map((one) => one.map(() => (trial % 2 ? 0.1 + random.uniform() : 1)));
    const gamma = random.pick([0.01, 0.3, 1, 2, 10]);
    const game = independentGame(targets, curvatures, gamma);
    for (const solver of ['auto', 'sweeps', 'path']) {
      const { weights, converged, players: strategies } = solveGame({ ...game, solver });
      assert.ok(converged, `${solver}, trial ${trial}`);
      assert.ok(worstMove(game, strategies) <= 1e-9);
      weights.forEach((weight, c) => {
        const wishes = targets.map((one) => one[c]);
        near(weight, restPoint(wishes, gamma), 1e-12, `${solver}, trial ${trial}, feature ${c}`);
      });
    }
  }
});

test('the game on which Algorithm 1 cycles has one equilibrium, and the path finds it', () => {
  const game = {
    grams: [
      [5, -8, -8, 14],
      [27, 21, 21, 17],
    ],
    targets: [
      [-2, 5],
      [-5, -1],
    ],
    gamma: 2.5,
  };
  const found = solveGame(game);
  assert.ok(found.converged);
  near(found.weights[0], -0.166, 0.0005);
  near(found.weights[1], 0.146, 0.0005);
  assert.ok(worstMove(game, found.players) <= 1e-9);

  const { converged, trace } = solveGame({ ...game, solver: 'best-response', maxRounds: 200, trace: true });
  assert.equal(converged, false);
  assert.equal(trace.length, 200);
  const apart = (a, b) => Math.max(...a.flat().map((value, i) => Math.abs(value - b.flat()[i])));
  assert.ok(apart(trace[199], trace[195]) < 1e-9, 'period 4');
  for (const step of [1, 2, 3]) assert.ok(apart(trace[199], trace[199 - step]) > 0.01, `not period ${step}`);
});

test('the game with three equilibria ends at one of them', () => {
  const game = {
    grams: [
      [1, 2, 2, 5],
      [5, 2, 2, 1],
    ],
    targets: [
      [-0.5, -2.875],
      [-4.875, -0.875],
    ],
    gamma: 5.375,
  };
  const equilibria = [
    [-0.5, 0],
    [-5 / 12, -1 / 24],
    [0, -0.575],
  ];
  for (const solver of ['auto', 'sweeps', 'path', 'best-response']) {
    const { weights, converged, players } = solveGame({ ...game, solver });
    assert.ok(converged, solver);
    assert.ok(worstMove(game, players) <= 1e-9);
    const match = equilibria.some((one) => one.every((value, c) => Math.abs(value - weights[c]) < 1e-6));
    assert.ok(match, `${solver}: ${weights}`);
  }
});

test('500 random bootstrap games all converge', () => {
  const random = dice(2023);
  let worst = 0;
  let corners = 0;
  let longest = 0;
  for (let i = 0; i < 500; i++) {
    const kind = {
      players: 2 + random.below(4),
      width: 1 + random.below(60),
      count: random.pick([10, 20, 50, 100, 200, 500, 1000, 5000]),
      correlation: 0.9 * random.uniform(),
      ridge: random.pick([1e-3, 1]),
    };
    const game = bootstrapGame(random, kind);
    const { converged, players, weights, rounds } = solveGame(game);
    const move = worstMove(game, players);
    assert.ok(converged && move <= 1e-9, `game ${i}, ${JSON.stringify(kind)}: residual ${move}`);
    weights.forEach((weight, c) =>
      near(
        weight,
        players.reduce((sum, one) => sum + one[c], 0),
        1e-12 * game.gamma,
      ),
    );
    worst = Math.max(worst, move);
    longest = Math.max(longest, rounds);
    corners += rounds;
  }
  console.log(
    `  worst residual ${worst.toExponential(1)} of gamma; ${corners / 500} rounds per game, ${longest} the most`,
  );
});

test('the fast solvers agree with Algorithm 1 if all Gram matrices are equal', () => {
  const random = dice(3);
  for (let trial = 0; trial < 40; trial++) {
    const width = 1 + random.below(6);
    const players = 2 + random.below(3);
    const [one] = bootstrapGame(random, { players: 1, width, count: 40, correlation: 0.4, ridge: 1 }).grams;
    const targets = Array.from({ length: players }, () => Array.from({ length: width }, random.normal));
    const game = { grams: new Array(players).fill(one), targets, gamma: 0.3 + random.uniform() };
    const literal = solveGame({ ...game, solver: 'best-response' });
    assert.ok(literal.converged);
    for (const solver of ['auto', 'path', 'sweeps']) {
      const fast = solveGame({ ...game, solver });
      assert.ok(fast.converged, solver);
      fast.weights.forEach((weight, c) => near(weight, literal.weights[c], 1e-9 * game.gamma, `${solver} ${trial}`));
    }
  }
});

test('the fast solvers agree with Algorithm 1 if all Gram matrices are diagonal', () => {
  const random = dice(4);
  for (let trial = 0; trial < 40; trial++) {
    const wishes = Array.from({ length: 2 + random.below(4) }, () => Array.from({ length: 5 }, random.normal));
    const curvatures = wishes.map((one) => one.map(() => 0.2 + random.uniform()));
    const game = independentGame(wishes, curvatures, 0.5);
    const literal = solveGame({ ...game, solver: 'best-response' });
    assert.ok(literal.converged);
    solveGame(game).weights.forEach((weight, c) => near(weight, literal.weights[c], 1e-9));
  }
});

test('an l1 solution meets its bound, does not depend on the order of environments, and is a fixed point of Algorithm 1', () => {
  const random = dice(5);
  let bound = 0;
  for (let trial = 0; trial < 60; trial++) {
    const kind = { players: 2 + random.below(4), width: 2 + random.below(9), count: 60, correlation: 0.3, ridge: 1 };
    const game = bootstrapGame(random, kind);
    const norm = (weights) => weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
    const free = norm(solveGame(game).weights);
    if (free === 0) continue;
    const l1 = free * (0.1 + 0.8 * random.uniform());
    const solved = solveGame({ ...game, l1 });
    assert.ok(solved.converged, `trial ${trial}`);
    assert.ok(norm(solved.weights) <= l1 * (1 + 1e-9));
    assert.ok(solved.multiplier > 0);
    bound++;

    const reversed = { ...game, grams: [...game.grams].reverse(), targets: [...game.targets].reverse() };
    solveGame({ ...reversed, l1 }).weights.forEach((weight, c) => near(weight, solved.weights[c], 1e-9 * game.gamma));

    // One round of Algorithm 1 from the solution. Each player's problem is solved by projected gradients.
    for (let i = 0; i < kind.players; i++) {
      const answer = bestAnswer(game, solved.players, i, l1);
      answer.forEach((value, c) => near(value, solved.players[i][c], 1e-8 * game.gamma, `trial ${trial}, player ${i}`));
    }
  }
  assert.ok(bound > 50);
});

/**
 * The best response of player i under |w| <= gamma and |others + w|_1 <= l1, by projected gradients (with momentum) on its
 * strictly convex problem. The projection onto box and l1 ball uses bisection on the multiplier.
 */
function bestAnswer({ grams, targets, gamma }, players, i, l1) {
  const width = targets[i].length;
  const others = targets[i].map((_, c) => players.reduce((sum, one, j) => (j === i ? sum : sum + one[c]), 0));
  const gram = grams[i];
  let largest = 0;
  for (let c = 0; c < width; c++)
    largest = Math.max(
      largest,
      gram.slice(c * width, (c + 1) * width).reduce((sum, value) => sum + Math.abs(value), 0),
    );
  const project = (s) => {
    const at = (price) =>
      s.map((value, c) => {
        const shrunk = Math.sign(value) * Math.max(0, Math.abs(value) - price);
        return Math.max(others[c] - gamma, Math.min(others[c] + gamma, shrunk));
      });
    const norm = (values) => values.reduce((sum, value) => sum + Math.abs(value), 0);
    if (norm(at(0)) <= l1) return at(0);
    let [low, high] = [0, Math.max(...s.map(Math.abs)) + 1];
    for (let step = 0; step < 100; step++) {
      const middle = (low + high) / 2;
      if (norm(at(middle)) > l1) low = middle;
      else high = middle;
    }
    return at(high);
  };
  let s = Array.from(targets[i], (_, c) => others[c] + players[i][c]);
  let ahead = s;
  for (let step = 0; step < 3000; step++) {
    const next = project(
      ahead.map((value, c) => {
        let gradient = -targets[i][c];
        for (let d = 0; d < width; d++) gradient += gram[c * width + d] * ahead[d];
        return value - gradient / largest;
      }),
    );
    ahead = next.map((value, c) => value + (step / (step + 3)) * (value - s[c]));
    s = next;
  }
  return s.map((value, c) => value - others[c]);
}

test('an l1 bound that no player can reach is never active', () => {
  const game = independentGame(
    [
      [1, -2],
      [3, -1],
    ],
    [
      [1, 1],
      [1, 1],
    ],
    4,
  );
  const { weights, multiplier } = solveGame({ ...game, l1: 2 * 4 * 2 });
  assert.deepEqual(weights, solveGame(game).weights);
  assert.equal(multiplier, 0);
});

test('a bad game is refused with the value and what was expected', () => {
  const game = { grams: [[1]], targets: [[1]], gamma: 1 };
  const refused = (change, pattern, kind = RangeError) =>
    assert.throws(
      () => solveGame({ ...game, ...change }),
      (error) => error instanceof kind && pattern.test(error.message),
    );
  refused({ gamma: 0 }, /gamma must be a number above 0.*not 0/);
  refused({ gamma: NaN }, /not NaN/);
  refused({ l1: -1 }, /l1 must be a number above 0, not -1/);
  refused({ grams: [] }, /number of grams/);
  refused({ grams: [[1, 2]] }, /grams\[0\] must be an array of 1 numbers, not Array of length 2/);
  refused({ targets: [[NaN]] }, /targets\[0\]\[0\]/);
  refused({ targets: [[1], [2]] }, /targets must be 1 arrays/);
  refused({ solver: 'magic' }, /solver must be one of auto, sweeps, path, best-response, not "magic"/);
  refused({ gama: 1 }, /no option "gama"; did you mean "gamma"/, TypeError);
  refused({ grams: [[0]] }, /ridge/, LinexError);
  refused({ trace: true }, /best-response/);
  refused({ grams: [[1, 2, 3, 9]], targets: [[1, 1]] }, /grams\[0\] must be symmetric, not 3 at \[1\]\[0\] and 2/);
});

test('a weight that the players cannot reach is never certified', () => {
  // The path once ended at 2.125 here, with both players at 1 and a residual of 1e-16.
  const tiny = 1e-8;
  const low = [
    [0, 0, 0, 0, 0, 0, 4, -2, 4, 4, 0, -2, 1, -2, -2, 0, 4, -2, 4, 4, 0, 4, -2, 4, 4],
    [4, 2, -2, 0, -4, 2, 1, -1, 0, -2, -2, -1, 1, 0, 2, 0, 0, 0, 0, 0, -4, -2, 2, 0, 4],
  ];
  const grams = low.map((gram) => gram.map((value, i) => value + (i % 6 === 0 ? tiny : 0)));
  const targets = [
    [1, -1, 1, 1, 1],
    [2, 1, 1, 1, 1],
  ];
  for (const solver of ['auto', 'path', 'sweeps', 'best-response']) {
    const { weights, players, converged } = solveGame({ grams, targets, gamma: 1, solver });
    weights.forEach((weight, c) => {
      assert.ok(Math.abs(weight) <= 2, `${solver}: ${weight}`);
      if (converged) near(players[0][c] + players[1][c], weight, 1e-9, solver);
    });
  }
});

test('Algorithm 1 is certified if it settles at a binding l1 bound, at prices of its own', () => {
  const random = dice(30);
  let settled = 0;
  for (let i = 0; i < 60; i++) {
    const game = bootstrapGame(random, { players: 2, width: 3, count: 15, correlation: 0.3, ridge: 0.1 });
    const l1 = solveGame(game).weights.reduce((sum, weight) => sum + Math.abs(weight), 0) / 2;
    if (l1 === 0) continue;
    const { converged, rounds, weights, players, residual } = solveGame({ ...game, l1, solver: 'best-response' });
    if (rounds === 10000) continue;
    settled++;
    assert.ok(converged, `game ${i}: residual ${residual}`);
    // Independent: no player can lower its cost by a small step that keeps to its limit and to the bound.
    assert.ok(bestStep(game, l1, players, weights) <= 1e-9, `game ${i}`);
  }
  assert.ok(settled >= 30, `${settled}`);
});

/** The most that a player gains by a small step along one coordinate, or by trading one coordinate for another. */
function bestStep({ grams, targets, gamma }, l1, players, weights) {
  const [width, step] = [weights.length, 1e-5];
  const units = weights.flatMap((_, c) => [-step, step].map((size) => weights.map((_, d) => (d === c ? size : 0))));
  const pairs = units.flatMap((one) => units.map((other) => one.map((value, c) => value + other[c])));
  let most = 0;
  grams.forEach((gram, i) => {
    const cost = (s) => {
      let sum = 0;
      for (let c = 0; c < width; c++) {
        sum -= targets[i][c] * s[c];
        for (let d = 0; d < width; d++) sum += 0.5 * s[c] * gram[c * width + d] * s[d];
      }
      return sum;
    };
    for (const change of [...units, ...pairs]) {
      const next = weights.map((value, c) => value + change[c]);
      const own = players[i].map((value, c) => value + change[c]);
      const allowed = own.every((value) => Math.abs(value) <= gamma);
      const norm = next.reduce((sum, value) => sum + Math.abs(value), 0);
      if (allowed && norm <= l1 + 1e-13) most = Math.max(most, cost(weights) - cost(next));
    }
  });
  return most;
}

test('solveGameAsync gives what solveGame gives, and an abort ends it and frees its memory', async () => {
  const random = dice(8);
  const game = bootstrapGame(random, { players: 4, width: 60, count: 40, correlation: 0.9, ridge: 0.01 });
  const live = coreWasm.core.linex_wasm_live_bytes();
  const told = [];
  const onProgress = ({ phase, progress }) => told.push([phase, progress]);
  const short = { ...game, maxRounds: 300 };
  assert.deepEqual(await solveGameAsync(short, { onProgress }), solveGame(short));
  told.forEach(([phase, progress]) => assert.ok(phase === 'solve' && progress >= 0 && progress < 1));
  const controller = new AbortController();
  const endless = { ...game, solver: 'best-response', tolerance: 1e-15 };
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await assert.rejects(solveGameAsync(endless, { signal: controller.signal }), /enough/);
  await assert.rejects(solveGameAsync(endless, { signal: AbortSignal.abort(new Error('before')) }), /before/);
  await assert.rejects(solveGameAsync(game, { signal: 1 }), TypeError);
  await assert.rejects(solveGameAsync(game, { deadline: 1 }), /deadline/);
  assert.equal(coreWasm.core.linex_wasm_live_bytes(), live);
});

test('Grams that are symmetric up to rounding are solved, with the mean of the two entries', () => {
  const [low, high] = [0.3 + 1e-13, 0.3 - 1e-13];
  const solve = (gram) =>
    solveGame({
      grams: [gram, [1, 0, 0, 2]],
      targets: [
        [1, 1],
        [1, 2],
      ],
      gamma: 1,
    });
  assert.deepEqual(solve([1, low, high, 1]), solve([1, (low + high) / 2, (low + high) / 2, 1]));
  assert.deepEqual(solve([1, 1e-18, 0, 1]), solve([1, 5e-19, 5e-19, 1]));
  // Relative to the diagonal: 1e-12 is rounding beside 1, but not beside 1e-8.
  assert.ok(solve([1, 1e-12, 0, 1]).converged);
  assert.throws(() => solve([1e-8, 1e-12, 0, 1e-8]), /grams\[0\] must be symmetric, not 0 at \[1\]\[0\] and 1e-12/);
  assert.throws(() => solve([1, 1e-6, 0, 1]), /grams\[0\] must be symmetric/);
});

test('objects with only a length are refused at once', () => {
  const hollow = { length: 1e9 };
  const before = performance.now();
  const games = [
    { grams: hollow, targets: [[1]] },
    { grams: hollow, targets: hollow },
    { grams: [[1]], targets: [hollow] },
    { grams: [hollow], targets: [hollow] },
    { grams: [new Array(1e6)], targets: [new Array(1000)] },
    { grams: ['1'], targets: ['1'] },
  ];
  for (const game of games)
    assert.throws(() => solveGame({ ...game, gamma: 1 }), /^(TypeError|RangeError): (the length of )?(grams|targets)/);
  assert.ok(performance.now() - before < 1000);
});
