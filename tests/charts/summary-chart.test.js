// Tests of the summary chart: every row is drawn, where its contribution is, in the color of its value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderSummarySVG } from 'linex/render';
import { placesOf, rowsPerDot, stackDots } from '../../js/charts/dot-stacks.js';
import { explainedRow, silence } from '../support/contributions.js';
import { dice } from '../support/dice.js';
import { checkSVG } from '../support/drawing/hostile-renderings.js';
import { axisOf, circlesIn, readSVG } from '../support/drawing/svg-geometry.js';

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

/** The dots of a picture with their color and the value of the axis at their center. */
function dotsIn(svg) {
  const { shapes, words } = readSVG(svg);
  const { valueAt, perPixel } = axisOf(words);
  const [{ y: axis }] = words.filter(({ text }) => text === '0');
  const dots = shapes.flatMap(({ role, d }) =>
    role === 'ground' ? [] : circlesIn(d).map((circle) => ({ ...circle, role, value: valueAt(circle.x) })),
  );
  // Circles below the axis are keys.
  return { dots: dots.filter(({ y }) => y < axis), perPixel, words };
}

test('places of values are ranks from 0 to 1, equal values share one', () => {
  assert.deepEqual(placesOf([5, 1, 3]), [1, 0, 0.5]);
  assert.deepEqual(placesOf([0, 1, 1, 0]), [0, 1, 1, 0]);
  // Mean ranks 0.5, 2, 3 between the first and the last: 0, 0.6, 1.
  assert.deepEqual(
    placesOf([7, 7, 8, 9]).map((place) => Math.round(10 * place)),
    [0, 0, 6, 10],
  );
  assert.deepEqual(placesOf([4, 4]), [null, null]);
  assert.deepEqual(placesOf(['a', 2]), [null, null]);
  assert.deepEqual(placesOf([]), []);
});

test('one dot per row stands within one column of its contribution, in order of the values', () => {
  const contributions = [-0.4, -0.2, 0, 0.1, 0.35, 0.4];
  const rows = contributions.map((value, i) => explainedRow([value, 0.05], { values: [10 * i, 'same'], half: 1e-6 }));
  const svg = renderSummarySVG(rows);
  checkSVG(svg);
  const { dots, perPixel } = dotsIn(svg);
  const first = Math.min(...dots.map(({ y }) => y));
  const income = dots.filter(({ y }) => y === first).sort((a, b) => a.x - b.x);
  // Columns are 8 pixels wide.
  assert.equal(income.length, 6);
  income.forEach(({ value }, i) => near(value, contributions[i], 4.1 * perPixel));
  // A contribution of 0 is not sure: a ring without color. The others go from low to high.
  assert.deepEqual(
    income.map(({ role }) => role),
    ['v1', 'v2', 'muted', 'v4', 'v5', 'v5'],
  );
});

test('a level has no color, because levels have no order', () => {
  const rows = ['own', 'rent', 'own'].map((level, i) => explainedRow([0.1 * (i + 1)], { values: [level] }));
  const { dots } = dotsIn(renderSummarySVG(rows));
  assert.deepEqual([...new Set(dots.map(({ role }) => role))], ['muted']);
  assert.match(renderSummarySVG(rows), /a category/);
});

test('unsure rows are rings, and the key says so', () => {
  const rows = [
    explainedRow([0.1]),
    explainedRow([0.2], { values: [4] }),
    silence(explainedRow([0.1], { values: [2] }), 0),
  ];
  const svg = renderSummarySVG(rows);
  assert.match(svg, />unsure</);
  const { shapes } = readSVG(svg);
  // A ring has a second circle, which goes round the other way.
  assert.equal(shapes.filter(({ role, d }) => role === 'muted' && / 0 1 1 /.test(d)).length, 2);
  assert.doesNotMatch(renderSummarySVG(rows.slice(0, 2)), />unsure</);
});

test('a dot stands for the least round number of rows with which 95 % of the columns fit', () => {
  const columns = Array.from({ length: 100 }, (_, column) => new Array(column < 94 ? 12 : 500).fill(column)).flat();
  // 94 of 100 columns fit with 2 rows per dot and 8 dots; that is too few. With 100 rows per dot all fit.
  assert.equal(rowsPerDot([columns], 8), 100);
  assert.equal(rowsPerDot([columns.filter((column) => column < 99)], 8), 2 * 50);
  assert.equal(rowsPerDot([columns.filter((column) => column < 98)], 8), 2);
  assert.equal(rowsPerDot([[0, 0, 1]], 8), 1);
});

test('stacks hold all rows, unsure ones at the bottom, and say when they are cut', () => {
  // Not in the order of the places.
  const places = Array.from({ length: 25 }, (_, i) => ((i * 7) % 25) / 24);
  const points = places.map((_, i) => ({ sure: i % 5 > 0 }));
  const stacked = (column, capacity, perDot) =>
    stackDots(points, { places, columns: places.map(() => column), capacity, perDot });
  const [stack] = stacked(3, 8, 5);
  assert.deepEqual([stack.column, stack.cut], [3, false]);
  assert.deepEqual(
    stack.dots.map(({ rows, sure }) => [rows, sure]),
    [
      [5, false],
      [5, true],
      [5, true],
      [5, true],
      [5, true],
    ],
  );
  const inOrder = stack.dots.slice(1).map(({ place }) => place);
  assert.deepEqual(
    inOrder,
    [...inOrder].sort((a, b) => a - b),
  );
  const [cut] = stacked(0, 8, 1);
  assert.deepEqual([cut.dots.length, cut.cut], [8, true]);
});

test('10,000 rows take less than 2 MB, no dot is lost, and the picture says what a dot is', (t) => {
  const { uniform } = dice(4);
  const rows = Array.from({ length: 10000 }, () => {
    const values = Array.from({ length: 12 }, () => Math.round(10000 * uniform()) / 10 - 500);
    // Even contributions, so that no column is cut.
    const effects = values.map((value, c) => (c % 2 ? value : -value) / 1000);
    return explainedRow(effects, { values, half: 0.02 * uniform() });
  });
  const start = performance.now();
  const svg = renderSummarySVG(rows, { theme: 'auto' });
  const milliseconds = performance.now() - start;
  t.diagnostic(`${(svg.length / 1024).toFixed(0)} KB in ${milliseconds.toFixed(0)} ms`);
  assert.ok(svg.length < 0.5e6, `${svg.length} bytes`);
  assert.ok(renderSummarySVG(rows, { width: 10000 }).length < 1e6, 'a wide picture has larger dots, not more');
  checkSVG(svg);
  assert.doesNotMatch(svg, /above and below a column/);
  const [, told] = svg.match(/A full dot stands for (\d+) cases/);
  const { dots } = dotsIn(svg);
  // The area of a dot is the number of its rows; radii below 1 are drawn as 1, and are rounded to 0.1.
  const full = Math.max(...dots.map(({ r }) => r));
  const drawn = dots.reduce((sum, { r }) => sum + Number(told) * (r / full) ** 2, 0);
  assert.ok(drawn > 0.97 * 12 * 10000 && drawn < 1.05 * 12 * 10000, `${drawn}`);
});

test('the sentence says what high values of the leading feature do', () => {
  const rows = [1, 2, 3, 4, 5].map((value) =>
    explainedRow([(value - 3) / 10, 0.01], { values: [value, 1], names: ['income', 'age'] }),
  );
  assert.match(
    renderSummarySVG(rows),
    /“income” moves the answer most, in 5 explanations\. Its high values raise the answer, its low values lower it\./,
  );
  const turned = rows.map((row, i) => ({
    ...row,
    features: rows[4 - i].features.map((f, c) => ({ ...f, value: row.features[c].value })),
  }));
  assert.match(renderSummarySVG(turned), /Its high values lower the answer/);
});

test('a feature that is mostly unsure says so, has no colors of values, and one bar for its unsure rows', () => {
  // 150 of 200 ages are unsure, and the others lower the answer: 50 dots at one side must not look like a sure tendency.
  const rows = Array.from({ length: 200 }, (_, i) => {
    const row = explainedRow([(i - 99.5) / 200, i < 150 ? 0 : -0.01 - i / 1e4], {
      ...{ values: [i, i], names: ['income', 'age'], half: 1e-6 },
    });
    return i < 150 ? silence(row, 1, [-0.01, 0.01]) : row;
  });
  const svg = renderSummarySVG(rows);
  checkSVG(svg);
  const { dots, words } = dotsIn(svg);
  assert.ok(words.some(({ text }) => text === 'unsure in 150 of 200'));
  assert.ok(!words.some(({ text }) => text === 'unsure in 0 of 200'));
  const middle = words.find(({ text }) => text === 'age').y;
  const ofAge = dots.filter(({ y }) => Math.abs(y - middle) < 25);
  assert.deepEqual([...new Set(ofAge.map(({ role }) => role))], ['line'], 'no ring and no color');
  assert.match(svg, /between short lines/);
  assert.ok(dots.some(({ role }) => role === 'v5'));
  assert.match(renderSummarySVG(rows, { width: 360 }), />unsure in 150 of 200</);
});
