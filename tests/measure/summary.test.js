// Tests of summarize: means and intervals against closed forms, signs, groups, and representative rows against brute force.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize } from 'linex';
import { pickRepresentatives } from '../../js/measure/representative-rows.js';
import { studentQuantile } from '../../js/measure/student-quantile.js';
import { explainedRow as rowOf, silence } from '../support/contributions.js';
import { dice as diceOf } from '../support/dice.js';

const near = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("Student's quantiles leave 2.5 % on each side, as an integral of the density shows", () => {
  // Simpson's rule on the density of t with v degrees of freedom, with t = tan(u) so that the range is finite.
  const within = (quantile, v) => {
    const density = (u) => Math.cos(u) ** -2 * (1 + Math.tan(u) ** 2 / v) ** (-(v + 1) / 2);
    const area = (to, steps = 4000) => {
      let sum = 0;
      for (let i = 0; i <= steps; i++) sum += density((to * i) / steps) * (i % steps === 0 ? 1 : i % 2 ? 4 : 2);
      return (sum * to) / steps / 3;
    };
    return area(Math.atan(quantile)) / area(Math.PI / 2 - 1e-9);
  };
  for (const v of [1, 2, 3, 4, 5, 7, 12, 30, 200]) near(within(studentQuantile(v), v), 0.95, 6e-5);
  near(studentQuantile(1e9), 1.959963984540054, 1e-8);
});

test('importance is the mean |contribution|, with the interval of a mean', () => {
  const contributions = [0.1, -0.3, 0.2, 0.4];
  const { features, count } = summarize(contributions.map((value) => rowOf([value, 0.05])));
  assert.equal(count, 4);
  const [{ name, importance, interval, contribution, contributionInterval }, second] = features;
  assert.deepEqual([name, second.name], ['c0', 'c1']);
  near(importance, 0.25);
  near(contribution, 0.1);
  // Deviations of the sizes from 0.25: 0.15, 0.05, 0.05, 0.15. Their squares sum to 0.05.
  const reach = 3.182446305 * Math.sqrt(0.05 / 3 / 4);
  near(interval[0], 0.25 - reach, 1e-7);
  near(interval[1], 0.25 + reach, 1e-7);
  // Deviations of the contributions from 0.1: 0, 0.4, 0.1, 0.3. Their squares sum to 0.26.
  near(contributionInterval[1], 0.1 + 3.182446305 * Math.sqrt(0.26 / 3 / 4), 1e-7);
  near(second.importance, 0.05);
  near(second.interval[0], 0.05);
  near(second.interval[1], 0.05);
});

test('the interval of an importance does not reach below 0, and one explanation has none', () => {
  const [wide] = summarize([rowOf([0.001]), rowOf([5])]).features;
  assert.equal(wide.interval[0], 0);
  const [one] = summarize([rowOf([0.5])]).features;
  assert.deepEqual([one.importance, one.interval, one.contributionInterval], [0.5, null, null]);
});

test('signs are counted only where they are sure, and the parts sum to the importance', () => {
  const silenced = silence(rowOf([0]), 0);
  const exactZero = rowOf([0], { half: 0 });
  const unlisted = rowOf([0.2, 0.2]);
  unlisted.features.shift();
  const { features } = summarize([
    ...[rowOf([0.3, 0.1]), rowOf([0.2, 0.1]), rowOf([-0.1, 0.1])],
    ...[rowOf([0.05, 0.1], { half: 0.06 }), silenced, exactZero, unlisted],
  ]);
  const first = features.find(({ index }) => index === 0);
  assert.deepEqual(first.signs, { raises: 2, lowers: 1, unsure: 2, none: 2 });
  near(first.signAgreement, 1 / 7);
  near(first.parts.raises, 0.5 / 7);
  near(first.parts.lowers, 0.1 / 7);
  near(first.parts.unsure, 0.05 / 7);
  near(first.importance, 0.65 / 7);
});

test('groups are summed up apart, in the order of the features of all', () => {
  const summary = summarize([rowOf([1, 3]), rowOf([2, 3]), rowOf([9, -1])], { groups: ['a', 'b', 'a'] });
  assert.deepEqual(
    summary.groups.map(({ name, count, features }) => [name, count, features.map((feature) => feature.importance)]),
    [
      ['a', 2, [5, 2]],
      ['b', 1, [2, 3]],
    ],
  );
  assert.deepEqual(
    summary.features.map(({ name }) => name),
    ['c0', 'c1'],
  );
  assert.throws(() => summarize([rowOf([1])], { groups: ['a', 'b'] }), /groups must have 1 items/);
  assert.throws(() => summarize([rowOf([1])], { groups: [null] }), /groups\[0\] must be a string/);
});

/** The importance that a set of rows covers, by definition. */
function coverageOf(chosen, sizes) {
  const importance = sizes[0].map((_, c) => Math.sqrt(sizes.reduce((sum, row) => sum + row[c], 0)));
  return importance.reduce((sum, value, c) => sum + (chosen.some((i) => sizes[i][c] > 0) ? value : 0), 0);
}

function* subsetsOf(count, size, from = 0) {
  if (size === 0) yield [];
  else for (let i = from; i < count; i++) for (const rest of subsetsOf(count, size - 1, i + 1)) yield [i, ...rest];
}

test('representative rows are greedy steps, and cover at least 63 % of what the best rows cover', () => {
  const { uniform: dice } = diceOf(5);
  let [best, reached] = [0, 0];
  for (let round = 0; round < 200; round++) {
    const [rows, columns] = [2 + Math.floor(dice() * 6), 1 + Math.floor(dice() * 6)];
    const sizes = Array.from({ length: rows }, () =>
      Array.from({ length: columns }, () => (dice() < 0.4 ? dice() : 0)),
    );
    const most = 1 + Math.floor(dice() * 3);
    const sparse = sizes.map((row) => row.map((size, feature) => ({ feature, size })).filter(({ size }) => size > 0));
    const chosen = pickRepresentatives(sparse, most);
    const indices = chosen.map(({ index }) => index);
    // No other row would have added more at any step.
    indices.forEach((index, step) => {
      const before = indices.slice(0, step);
      for (let other = 0; other < rows; other++)
        assert.ok(coverageOf([...before, index], sizes) >= coverageOf([...before, other], sizes) - 1e-12);
    });
    const total = coverageOf([...Array(rows).keys()], sizes);
    const optimum = Math.max(
      ...Array.from(subsetsOf(rows, Math.min(most, rows)), (subset) => coverageOf(subset, sizes)),
    );
    assert.ok(coverageOf(indices, sizes) >= (1 - 1 / Math.E) * optimum - 1e-12);
    near(chosen.reduce((sum, { gain }) => sum + gain, 0) * total, coverageOf(indices, sizes), 1e-9);
    if (indices.length < most) near(coverageOf(indices, sizes), total, 1e-9);
    best += optimum;
    reached += coverageOf(indices, sizes);
  }
  assert.ok(reached > 0.98 * best, `${reached} of ${best}`);
});

test('a summary chooses rows by their leading sure contributions', () => {
  const rows = [rowOf([0.5, 0.01, 0, 0], { half: 0.001 }), rowOf([0.4, 0, 0.3, 0]), rowOf([0, 0, 0, 0.2], { half: 1 })];
  const { representatives, coverage } = summarize(rows, { features: 1 });
  // The leading feature of the first two rows is c0; the third row is sure of nothing.
  assert.deepEqual(
    representatives.map(({ index, covers }) => [index, covers]),
    [[0, [0]]],
  );
  near(coverage, 1);
  const two = summarize(rows, { features: 2 }).representatives;
  assert.deepEqual(
    two.map(({ index, covers }) => [index, covers]),
    [
      [1, [0, 2]],
      [0, [1]],
    ],
  );
});

test('explanations that cannot be summed up are refused by name', () => {
  const good = rowOf([1]);
  const refused = (...explanations) => {
    try {
      summarize(explanations);
    } catch (error) {
      assert.ok(error instanceof TypeError, error.stack);
      return error.message;
    }
    return assert.fail('not refused');
  };
  assert.match(refused(), /^summarize needs an array of explanations, not Array of length 0/);
  assert.throws(() => summarize(undefined, { groups: ['a'] }), /^TypeError: summarize needs an array of explanations/);
  assert.match(refused(good, null), /^explanations\[1\] must be a plain object, not null/);
  assert.match(refused(good, { ...good, fidelity: 'high' }), /^explanations\[1\]\.fidelity must be a finite number/);
  assert.match(refused(good, rowOf([1], { target: 'no' })), /^explanations\[1\]\.target must be "yes", as the first/);
  assert.match(refused(good, rowOf([1], { link: 'logit' })), /^explanations\[1\]\.link must be "identity"/);
  const other = rowOf([1]);
  other.features[0].name = 'd';
  assert.match(refused(good, other), /^explanations\[1\]\.features\[0\]\.name must be "c0", not "d"/);
  const bare = rowOf([1]);
  delete bare.features[0].contribution;
  assert.match(refused(good, bare), /^explanations\[1\]\.features\[0\]\.contribution must be a finite number/);
});

test('a summary is frozen, survives JSON, and sums up texts by word', () => {
  const textOf = (words) => ({
    ...rowOf(words.map((_, i) => i + 1)),
    ...{ kind: 'text', text: words.join(' ') },
    tokens: words.map((word, feature) => {
      const start = words.slice(0, feature).join(' ').length + (feature && 1);
      return { start, end: start + word.length, feature };
    }),
    features: words.map((name, index) => {
      const start = words.slice(0, index).join(' ').length + (index && 1);
      const [feature] = rowOf([index + 1]).features;
      return { ...feature, index, name, occurrences: [{ start, end: start + name.length }] };
    }),
  });
  const summary = summarize([textOf(['good', 'film']), textOf(['bad', 'good'])]);
  assert.deepEqual(
    summary.features.map(({ name, importance }) => [name, importance]),
    [
      ['good', 1.5],
      ['film', 1],
      ['bad', 0.5],
    ],
  );
  assert.ok(Object.isFrozen(summary.features[0].signs));
  assert.deepEqual(JSON.parse(JSON.stringify(summary)), summary);
});
