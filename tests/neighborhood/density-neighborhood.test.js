// Neighborhoods from kernel densities: against scikit-learn and closed forms.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { densityNeighborhood, describeTable, explainRow, explainRows, explainText, load } from 'linex';
import { columns, trainIrisForest } from '../../examples/iris-forest.js';
import { DENSITY, DENSITY_SETTINGS } from '../../js/core/border.js';
import { ready, readyData } from '../../js/core/load.js';
import { withScope } from '../../js/core/memory.js';
import { dice } from '../support/dice.js';

await load();
const core = await readyData();
const base = await ready();
const { cases } = JSON.parse(readFileSync(new URL('../vectors/density.json', import.meta.url), 'utf8'));
const iris = cases[0].rows;

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const covariance = (a, b) => mean(a.map((value, i) => value * b[i])) - mean(a) * mean(b);
const column = (rows, c) => rows.map((row) => row[c]);
const nearTo = (actual, wanted, tolerance, what) =>
  assert.ok(Math.abs(actual - wanted) <= tolerance, `${what}: ${actual}, not ${wanted}`);
/** Options for the table's own units. */
const raw = { units: 'raw', radius: 1 };

test("log densities equal scikit-learn's to 1e-9, also far from all rows", async () => {
  let worst = 0;
  assert.equal(cases.length, 5);
  for (const { name, scale, rows, queries, densities } of cases) {
    const table = await describeTable(rows);
    assert.equal(densities.length, 4);
    for (const { bandwidth, logs } of densities) {
      const density = await densityNeighborhood(table, { units: scale, radius: 1, bandwidth });
      const found = density.logDensity(queries);
      assert.equal(found.length, 6);
      found.forEach((log, i) => {
        const off = Math.abs(log - logs[i]) / Math.max(1, Math.abs(logs[i]));
        worst = Math.max(worst, off);
        assert.ok(off <= 1e-9, `${name}, bandwidth ${bandwidth}: ${log}, not ${logs[i]}`);
      });
    }
  }
  console.log(`  log densities are off by at most ${worst.toExponential(1)} of their size`);
});

/** The share of rows whose density from the other rows is at most that of a point, by the formula. */
function typicalityByHand(rows, { columns }, bandwidth, at) {
  const kernel = (a, b) =>
    Math.exp(-columns.reduce((sum, { spread }, c) => sum + ((a[c] - b[c]) / spread) ** 2, 0) / (2 * bandwidth ** 2));
  const density = mean(rows.map((row) => kernel(row, at)));
  const others = (row) => mean(rows.filter((one) => one !== row).map((one) => kernel(one, row)));
  return mean(rows.map((row) => Number(others(row) <= density)));
}

test('typicality is the share of training rows that are no denser, each judged by the other rows', async () => {
  const table = await describeTable(iris);
  const density = await densityNeighborhood(table, { bandwidth: 0.4 });
  const middle = table.columns.map((_, c) => mean(column(iris, c)));
  const far = table.columns.map(({ max, spread }) => max + 3 * spread);
  const rows = [iris[3].map((value) => value + 0.05), iris[100].map((value) => value + 0.11), middle, far];
  const found = await density.typicality(rows);
  assert.deepEqual(
    found,
    rows.map((row) => typicalityByHand(iris, table, 0.4, row)),
  );
  assert.ok(found[0] > 0.3 && found[3] === 0, `${found}`);
  assert.deepEqual(await density.typicality(rows), found);
  const one = await densityNeighborhood(describeTable([iris[0], iris[1]]), { rows: [iris[0]], bandwidth: 1 });
  await assert.rejects(one.typicality([iris[0]]), /typicality needs at least 2 training rows, not 1/);
  await assert.rejects(density.typicality([[1]]), RangeError);
  const stopped = { signal: AbortSignal.abort(new Error('stop')) };
  const fresh = await densityNeighborhood(table, { bandwidth: 0.4 });
  await assert.rejects(fresh.typicality(rows, stopped), /stop/);
  assert.deepEqual(await fresh.typicality(rows), found);
});

test('of many training rows, 500 are compared, whatever their order', async () => {
  const { normal } = dice(8);
  const rows = Array.from({ length: 3000 }, () => [normal()]);
  const table = await describeTable(rows);
  const density = await densityNeighborhood(table, { bandwidth: 0.2 });
  const [share] = await density.typicality([[1]]);
  // The density of a standard normal at 1 is exceeded where |x| < 1: by 68.3 % of the rows.
  nearTo(share, 0.317, 0.05, 'typicality');
});

test("cross-validation chooses the bandwidth of scikit-learn's GridSearchCV on the same folds and grid", async () => {
  for (const { name, scale, rows, searches } of cases) {
    const table = await describeTable(rows);
    assert.equal(searches.length, 6);
    for (const { grid, folds, best, scores } of searches) {
      const { bandwidth, validation } = await densityNeighborhood(table, { units: scale, radius: 1, grid, folds });
      assert.equal(bandwidth, best, name);
      assert.deepEqual(validation.bandwidths, grid);
      assert.equal(validation.scores.length, grid.length);
      validation.scores.forEach((score, g) => nearTo(score, scores[g], 1e-9 * Math.max(1, Math.abs(scores[g])), name));
    }
  }
});

test('folds are random by the seed, so rows sorted by class give a good bandwidth', async () => {
  const table = await describeTable(iris);
  const found = await Promise.all([0, 1, 2, 3].map((seed) => densityNeighborhood(table, { seed, folds: 3 })));
  // In the order of the rows, three folds would be the three kinds of iris, and the best bandwidth would be 1.
  for (const { bandwidth } of found) assert.ok(bandwidth >= 0.2 && bandwidth <= 0.32, `${bandwidth}`);
  assert.notDeepEqual(found[0].validation.scores, found[1].validation.scores);
  const again = await densityNeighborhood(table, { folds: 3 });
  assert.deepEqual(again.validation.scores, found[0].validation.scores);
  const oneOut = await densityNeighborhood(table, { folds: iris.length });
  assert.ok(oneOut.bandwidth >= 0.2 && oneOut.bandwidth <= 0.32);
});

test('with many rows only some are held out, and the bandwidth is still near the best', async () => {
  const { normal } = dice(3);
  const rows = Array.from({ length: 3000 }, () => [normal(), normal()]);
  const { bandwidth } = await densityNeighborhood(await describeTable(rows), {});
  // For a normal distribution the best is known: Silverman's n^(-1/6) in two dimensions.
  const best = 3000 ** (-1 / 6);
  assert.ok(bandwidth > best / 1.6 && bandwidth < best * 1.6, `${bandwidth}, not about ${best}`);
});

/** The closed form of mean and covariance: the kernel mixture times a Gaussian around the input. */
function expectedMoments(rows, at, bandwidth, radius) {
  const [h, r] = [bandwidth ** 2, radius ** 2];
  const shares = rows.map((row) => Math.exp(-row.reduce((sum, x, c) => sum + (x - at[c]) ** 2, 0) / (2 * (h + r))));
  const total = shares.reduce((a, b) => a + b, 0);
  const centers = rows.map((row) => row.map((x, c) => (r * x + h * at[c]) / (h + r)));
  const average = (of) => centers.reduce((sum, center, i) => sum + (shares[i] / total) * of(center), 0);
  const means = at.map((_, c) => average((center) => center[c]));
  return {
    means,
    covariances: at.map((_, a) =>
      at.map((__, b) => average((z) => (z[a] - means[a]) * (z[b] - means[b])) + (a === b ? (h * r) / (h + r) : 0)),
    ),
  };
}

test('samples have the mean and the covariance of the density times the Gaussian around the row', async () => {
  const table = await describeTable(iris);
  for (const [bandwidth, radius, at] of [
    [0.3, 1, iris[70]],
    [0.5, 0.4, iris[0]],
    [0.2, 2, [5, 3, 3, 1]],
  ]) {
    const density = await densityNeighborhood(table, { ...raw, bandwidth, radius });
    const samples = density.sample(at, 40000, () => 0.25);
    const { means, covariances } = expectedMoments(iris, at, bandwidth, radius);
    means.forEach((wanted, a) => {
      nearTo(mean(column(samples, a)), wanted, 0.03, `mean ${a}`);
      means.forEach((_, b) =>
        nearTo(covariance(column(samples, a), column(samples, b)), covariances[a][b], 0.03, `covariance ${a}, ${b}`),
      );
    });
  }
});

test('with standard units, samples equal those of the standardized rows', async () => {
  const table = await describeTable(iris);
  const { columns } = table;
  const scaled = iris.map((row) => row.map((value, c) => (value - columns[c].mean) / columns[c].spread));
  const [one, other] = [
    await densityNeighborhood(table, { bandwidth: 0.4 }),
    await densityNeighborhood(await describeTable(scaled), { ...raw, bandwidth: 0.4 }),
  ];
  const some = one.sample(iris[9], 20, () => 0.5);
  other
    .sample(scaled[9], 20, () => 0.5)
    .forEach((row, i) => {
      row.forEach((value, c) => nearTo(some[i][c], columns[c].mean + value * columns[c].spread, 1e-12, `${i}, ${c}`));
    });
});

test("near: 'rows' draws each row within the radius equally often, with the kernel's noise, as MeLIME does", async () => {
  const rows = [[0], [1], [2], [3], [40], [41], [42], [43], [44], [45], [46], [47]];
  const table = await describeTable(rows);
  const within = async (radius, at) => {
    const density = await densityNeighborhood(table, { ...raw, near: 'rows', bandwidth: 0.01, radius });
    const samples = density.sample([at], 6000, () => 0.1);
    const counts = new Map();
    for (const [value] of samples) counts.set(Math.round(value), (counts.get(Math.round(value)) ?? 0) + 1);
    for (const count of counts.values()) nearTo(count / 6000, 1 / counts.size, 0.03, 'share');
    return [...counts.keys()].sort((a, b) => a - b);
  };
  assert.deepEqual(await within(43, 0), [0, 1, 2, 3, 40, 41, 42, 43, 44, 45]);
  assert.deepEqual(await within(46, 0), [0, 1, 2, 3, 40, 41, 42, 43, 44, 45, 46]);
  assert.deepEqual(await within(1, 0), [0, 1, 2, 3, 40, 41, 42, 43, 44, 45], 'the ten nearest always count as near');
  assert.deepEqual(await within(1, 1000), [2, 3, 40, 41, 42, 43, 44, 45, 46, 47]);
  assert.deepEqual(await within(undefined, 47), [2, 3, 40, 41, 42, 43, 44, 45, 46, 47], 'the radius is optional');
});

test('a row far from all others gets different samples around the place that the closed form says', async () => {
  const table = await describeTable(iris);
  const standardized = (row) => row.map((value, c) => (value - table.columns[c].mean) / table.columns[c].spread);
  const at = [900, -900, 5, 5];
  const place = standardized(at);
  const sampled = async (near) => {
    const density = await densityNeighborhood(table, { near, bandwidth: 0.3, radius: 0.01 });
    const samples = density.sample(at, 50, () => 0.3);
    assert.equal(new Set(samples.map(String)).size, 50, near);
    return samples.map(standardized);
  };
  const distance = (row) => Math.hypot(...row.map((value, c) => value - place[c]));
  const nearest = iris.map(standardized).sort((a, b) => distance(a) - distance(b));
  // So far away only the nearest row's kernel counts. Its product with the Gaussian of the radius is a Gaussian.
  const [h, r] = [0.3 ** 2, 0.01 ** 2];
  const byDensity = await sampled('density');
  const spread = Math.sqrt((h * r) / (h + r));
  nearest[0].forEach((value, c) => {
    const center = (r * value + h * place[c]) / (h + r);
    nearTo(mean(column(byDensity, c)), center, (4 * spread) / Math.sqrt(50), `mean ${c}`);
    for (const sample of byDensity) nearTo(sample[c], center, 5 * spread, `value ${c}`);
  });
  // By rows, each sample is one of the ten nearest rows, and noise of the bandwidth.
  const [byRows, ten] = [await sampled('rows'), nearest.slice(0, 10)];
  for (const sample of byRows)
    assert.ok(
      ten.some((row) => row.every((value, c) => Math.abs(sample[c] - value) < 5 * 0.3)),
      `${sample} is near none of the ten nearest rows`,
    );
  ten[0].forEach((_, c) => {
    const variance = h + covariance(column(ten, c), column(ten, c));
    nearTo(mean(column(byRows, c)), mean(column(ten, c)), 4 * Math.sqrt(variance / 50), `mean ${c} by rows`);
  });
});

test('an infinite radius draws from the whole density', async () => {
  const density = await densityNeighborhood(await describeTable(iris), { ...raw, bandwidth: 0.3, radius: Infinity });
  const samples = density.sample(iris[0], 40000, () => 0.7);
  for (let c = 0; c < 4; c++) nearTo(mean(column(samples, c)), mean(column(iris, c)), 0.03, `mean ${c}`);
});

const mixed = iris.map(([length, width], i) => [length, i < 50 ? 'setosa' : 'other', 7, width, i % 2 === 0]);
const mixedColumns = { columns: ['length', 'name', 'seven', 'width', 'even'], categorical: ['name', 'even'] };

test("the levels of a sample come from one training row, and a constant column keeps the input's value", async () => {
  const table = await describeTable(mixed, mixedColumns);
  const density = await densityNeighborhood(table, { bandwidth: 0.001, radius: 3 });
  const known = new Set(mixed.map(([length, name, , width, even]) => String([length, name, width, even])));
  const samples = density.sample([5, 'setosa', 8, 3, true], 500, () => 0.2);
  const spread = { length: table.columns[0].spread, width: table.columns[3].spread };
  for (const [length, name, seven, width, even] of samples) {
    assert.equal(seven, 8);
    const kernel = mixed.find(
      (row) => Math.abs(row[0] - length) < 0.01 * spread.length && Math.abs(row[3] - width) < 0.01 * spread.width,
    );
    assert.ok(known.has(String([kernel[0], name, kernel[3], even])));
  }
  assert.equal(density.logDensity([mixed[3]])[0], density.logDensity([[...mixed[3].slice(0, 4), false]])[0]);
});

test("each level that differs from the input adds one standard deviation to a training row's distance", async () => {
  const rows = [
    [0, 'a', 'x'],
    [0, 'b', 'y'],
    [1, 'a', 'y'],
  ];
  const density = await densityNeighborhood(await describeTable(rows, { categorical: [1, 2] }), {
    ...raw,
    bandwidth: 0.5,
  });
  const samples = density.sample([0, 'a', 'x'], 30000, () => 0.9);
  const shares = [1, Math.exp(-1), Math.exp(-0.5 - 1 / 2.5)];
  const total = shares.reduce((a, b) => a + b, 0);
  rows.forEach(([, one, two], i) => {
    const count = samples.filter((row) => row[1] === one && row[2] === two).length;
    nearTo(count / 30000, shares[i] / total, 0.01, `${one}${two}`);
  });
});

test('the same random number gives the same rows, another gives others', async () => {
  const density = await densityNeighborhood(await describeTable(iris), { bandwidth: 0.3 });
  assert.deepEqual(
    density.sample(iris[0], 10, () => 0.4),
    density.sample(iris[0], 20, () => 0.4).slice(0, 10),
  );
  assert.notDeepEqual(
    density.sample(iris[0], 10, () => 0.4),
    density.sample(iris[0], 10, () => 0.41),
  );
});

const [count, width] = [40, 3];
const ROWS = Array.from({ length: count * width }, (_, i) => ((i * i * 7 + i) % 41) / 8);

/** The same as tests/c/native/native_density.c, in WebAssembly. */
const inWasm = (sampling) =>
  withScope(core, (scope) => {
    const samples = 30;
    const rows = scope.putDoubles(ROWS);
    const folds = scope.putIndices(Array.from({ length: count }, (_, i) => i % 5));
    const [logs, scores, order] = [scope.doubles(count), scope.putDoubles([0, 0, 0, 0]), scope.indices(count)];
    const [points, sourceRows] = [scope.doubles(90), scope.indices(samples)];
    const density = scope.putRecord(DENSITY, { count, columns: width, points: rows, bandwidth: 0.3 });
    const settings = scope.putRecord(DENSITY_SETTINGS, { nearness: 0, radius: 1, minRows: 10, seed: 42, sampling });
    const grid = [4, scope.putDoubles([0.1, 0.3, 0.7, 1.5])];
    scope.check(core.linex_wasm_density_log(density, count, rows, logs));
    scope.check(core.linex_wasm_order_draw(count, 42, order));
    scope.check(core.linex_wasm_density_validate(density, folds, count, order, ...grid, scores));
    scope.check(core.linex_wasm_density_sample(density, rows, 0, settings, samples, points, sourceRows));
    return [
      scope.getDoubles(logs, 40),
      scope.getDoubles(scores, 4),
      scope.getDoubles(points, 90),
      cloudInWasm(sampling),
    ];
  });

const cloudInWasm = (sampling) =>
  withScope(base, (scope) => {
    const cloud = scope.doubles(90);
    scope.check(base.linex_wasm_cloud_draw(width, scope.putDoubles(ROWS), 0.5, sampling, 42, 0, 30, cloud));
    return scope.getDoubles(cloud, 90);
  });

test('the native build and the wasm give the same densities and samples to the last bit', () => {
  const program = fileURLToPath(new URL('../../build/native/tests/c/native_density', import.meta.url));
  const native = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');
  const bits = (values) => Array.from(new BigUint64Array(values.buffer), (word) => word.toString(16).padStart(16, '0'));
  const [designed, independent] = [0, 1];
  inWasm(designed).forEach((values, i) => assert.equal(bits(values).join(' '), native[i]));
  const drawn = inWasm(independent).slice(2);
  drawn.forEach((values, i) => assert.equal(bits(values).join(' '), native[4 + i]));
});

test('a table from JSON needs its rows again', async () => {
  const table = JSON.parse(JSON.stringify(await describeTable(iris)));
  await assert.rejects(densityNeighborhood(table), {
    name: 'TypeError',
    message: /needs the training rows.*options\.rows/,
  });
  const density = await densityNeighborhood(table, { rows: iris, bandwidth: 0.3 });
  const whole = await densityNeighborhood(describeTable(iris), { bandwidth: 0.3 });
  assert.deepEqual(density.logDensity(iris.slice(0, 5)), whole.logDensity(iris.slice(0, 5)));
});

test('bad options are refused by name', async () => {
  const table = await describeTable(iris);
  const refused = (given, options, name, pattern) =>
    assert.rejects(densityNeighborhood(given, options), (error) => {
      assert.equal(error.name, name);
      assert.match(error.message, pattern);
      return true;
    });
  await refused({}, {}, 'TypeError', /densityNeighborhood needs a table from describeTable, not Object/);
  await refused(table, { bandwith: 1 }, 'TypeError', /no option "bandwith"; did you mean "bandwidth"/);
  await refused(table, { bandwidth: 0 }, 'RangeError', /bandwidth must be a number at least 1e-50.*not 0/);
  await refused(table, { bandwidth: 'scott' }, 'RangeError', /'cross-validation', not "scott"/);
  await refused(table, { grid: [] }, 'TypeError', /grid must be an array of bandwidths/);
  await refused(table, { grid: [0.1, NaN] }, 'RangeError', /grid\[1\] must be .* not NaN/);
  await refused(table, { folds: 1 }, 'RangeError', /folds must be a whole number from 2 to 150, not 1/);
  await refused(table, { folds: [0, 1] }, 'RangeError', /folds must be 150 numbers, one per row/);
  await refused(table, { folds: iris.map(() => 4) }, 'RangeError', /folds must not all be 4/);
  await refused(table, { near: 'here' }, 'RangeError', /near must be one of density, rows, not "here"/);
  await refused(table, { radius: -1 }, 'RangeError', /radius must be .* not -1/);
  await refused(table, { units: 'raw', radius: 1 }, 'RangeError', /'raw' needs a bandwidth or a grid/);
  await refused(table, { units: 'raw', bandwidth: 1 }, 'RangeError', /'raw' needs a radius/);
  await refused(table, { seed: 0.5 }, 'RangeError', /seed must be a whole number/);
  await refused(table, { rows: [] }, 'RangeError', /at least one training row/);
  await refused(
    table,
    {
      rows: [
        [1, 2, 3, 4],
        [1, 2],
      ],
    },
    'RangeError',
    /row 1 does not fit the table: the row must have 4 columns, not 2/,
  );
  await refused(
    table,
    { rows: [[1, 2, 3, 1e300]] },
    'RangeError',
    /row 0 is too far from the mean of column "column 3": 1e\+300/,
  );
  await refused(table, { rows: [[1, 2, 3, 4]] }, 'RangeError', /cross-validation needs at least 2 rows/);
  const levels = await describeTable(
    mixed.map(([, name, seven]) => [name, seven]),
    {
      columns: ['name', 'seven'],
      categorical: ['name'],
    },
  );
  await refused(
    levels,
    {},
    'RangeError',
    /needs a numeric column that varies; "name", "seven" are categorical or constant/,
  );
  const density = await densityNeighborhood(table, { bandwidth: 0.3 });
  assert.throws(
    () => density.sample([1, 2, 3], 5, Math.random),
    /the row does not fit the table: the row must have 4 columns, not 3/,
  );
  assert.throws(() => density.sample(iris[0], 0, Math.random), /count must be a whole number/);
  assert.throws(() => density.logDensity([[1, 2, 3, NaN]]), /row 0 .* must be a finite number, not NaN/);
  assert.throws(() => density.logDensity(5), /rows must be an array of rows, not 5/);
});

test('no memory leaks', async () => {
  const table = await describeTable(mixed, mixedColumns);
  const liveBytes = () => [core, base].map((one) => one.linex_wasm_live_bytes());
  const before = liveBytes();
  const density = await densityNeighborhood(table, {});
  density.sample(mixed[0], 100, () => 0.5);
  density.logDensity(mixed);
  assert.throws(() => density.sample(['no'], 5, () => 0.5));
  assert.throws(() => density.sample(mixed[0], 2 ** 30, () => 0.5), { code: 'memory' });
  assert.deepEqual(liveBytes(), before);
});

const { predict, train, test: flowers } = trainIrisForest();
const irises = await describeTable(
  train.map(({ row }) => row),
  { columns },
);

test('LINEX, LIME and smoothed LIME explain irises with samples that look like irises', async () => {
  const neighborhood = await densityNeighborhood(irises);
  const asked = { density: [], random: [] };
  const watched = (kind) => (batch) => {
    asked[kind].push(...batch.rows);
    return predict(batch);
  };
  for (const method of ['linex', 'lime', 's-lime', 'baseline'])
    for (const { row } of flowers.slice(0, 3)) {
      const options = { table: irises, method, samples: 200, target: 1, features: 'all' };
      const explanation = await explainRow(row, watched('density'), { ...options, neighborhood });
      await explainRow(row, watched('random'), options);
      assert.deepEqual(explanation.queries, { planned: 200, asked: 200, reused: 0 });
      assert.equal(explanation.weights.length, 4);
    }
  const typical = (rows) => mean(neighborhood.logDensity(rows));
  const [realistic, random] = [typical(asked.density), typical(asked.random)];
  console.log(`  mean log density of what is asked: ${realistic.toFixed(2)}, by chance ${random.toFixed(2)}`);
  assert.ok(realistic > random + 1);
});

test('explainRows equals explainRow for the same seed', async () => {
  const options = { table: irises, neighborhood: densityNeighborhood(irises), samples: 50, target: 0, draws: 0 };
  const plain = (explanation) => ({ ...explanation, milliseconds: null });
  let i = 0;
  const rows = flowers.slice(0, 3).map(({ row }) => row);
  for await (const explanation of explainRows(rows, predict, options))
    assert.deepEqual(plain(explanation), plain(await explainRow(rows[i++], predict, options)));
  assert.equal(i, 3);
  const other = await explainRow(rows[0], predict, { ...options, seed: 1 });
  assert.notDeepEqual(other.weights, (await explainRow(rows[0], predict, options)).weights);
});

test("the samples of 'auto' are the first of the same fixed number of samples", async () => {
  const options = { table: irises, neighborhood: densityNeighborhood(irises), target: 1 };
  const { queries } = await explainRow(flowers[0].row, predict, { ...options, samples: 'auto', maxSamples: 600 });
  assert.ok(queries.planned <= 600 && ['settled', 'cap'].includes(queries.stopped));
});

test('a signal aborts the cross-validation', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => [Math.sin(i), Math.cos(i * i), i % 17]);
  const table = await describeTable(many);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('enough')), 20);
  await assert.rejects(densityNeighborhood(table, { signal: stop.signal }), /enough/);
  await assert.rejects(densityNeighborhood(irises, { signal: AbortSignal.abort(new Error('no')), bandwidth: 1 }), /no/);
  await assert.rejects(densityNeighborhood(irises, { signal: 3 }), /signal must be an AbortSignal, not 3/);
});

test('a neighborhood of rows is refused for texts', async () => {
  const neighborhood = await densityNeighborhood(irises);
  await assert.rejects(
    explainText('a tale', () => [1], { neighborhood }),
    /neighborhood must make text samples, not "row"/,
  );
});
