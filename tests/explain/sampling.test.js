// The option sampling: what the model is asked about, which calls take it, and when asking stops.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  densityNeighborhood,
  describeTable,
  explainImage,
  explainRow,
  explainRows,
  explainSamples,
  explainText,
  forestNeighborhood,
  latentNeighborhood,
  load,
} from 'linex';
import { withoutTime } from '../support/drawing/colors.js';
import { dice } from '../support/dice.js';
import { scene } from '../support/scene.js';

const random = dice(5);
const LEVELS = ['red', 'green', 'blue', 'red'];
const rows = Array.from({ length: 80 }, (_, i) => [random.normal(), 3 + 2 * random.normal(), LEVELS[i % 4]]);
const table = await describeTable(rows, { categorical: [2] });
const score = ([x, y, color]) => Math.tanh(x - 0.3 * y) + (color === 'red' ? 0.4 : 0);

/** Explains the first row, and returns what the model was asked about. */
async function asked(options) {
  const seen = [];
  const predict = (batch) => {
    seen.push(...batch.rows);
    return batch.rows.map(score);
  };
  const explanation = await explainRow(rows[0], predict, { table, draws: 0, ...options });
  return { seen, explanation };
}

/** The share of a standard normal distribution below z: the midpoint rule on its density. */
function shareBelow(z) {
  const [low, steps] = [-8, 4000];
  const width = (z - low) / steps;
  let sum = 0;
  for (let i = 0; i < steps; i++) sum += Math.exp(-((low + (i + 0.5) * width) ** 2) / 2) * width;
  return sum / Math.sqrt(2 * Math.PI);
}

test('designed rows are the default: each interval of equal probability has one value of a column', async () => {
  const { seen } = await asked({ samples: 65 });
  const { mean, spread } = table.columns[0];
  assert.ok(Math.abs(mean) < 1);
  const cells = seen.slice(1).map(([x]) => Math.floor(64 * shareBelow((x - rows[0][0]) / spread)));
  assert.deepEqual(cells.toSorted((a, b) => a - b), Array.from({ length: 64 }, (_, i) => i)); // prettier-ignore
  const count = (color) => seen.slice(1).filter((row) => row[2] === color).length;
  assert.deepEqual([count('red'), count('green'), count('blue')], [32, 16, 16]);
  const independent = (await asked({ samples: 65, sampling: 'independent' })).seen.slice(1);
  const some = new Set(independent.map(([x]) => Math.floor(64 * shareBelow((x - rows[0][0]) / spread))));
  assert.ok(some.size < 55, `${some.size}`);
});

test('a sample does not depend on the number of samples, the batches or the other rows', async () => {
  for (const sampling of ['designed', 'independent']) {
    const { seen: all, explanation } = await asked({ samples: 600, sampling, seed: 3 });
    const { seen: some } = await asked({ samples: 250, sampling, seed: 3, batchSize: 7 });
    assert.deepEqual(some, all.slice(0, 250));
    const options = { table, draws: 0, samples: 600, sampling, seed: 3, concurrency: 2 };
    const many = [];
    for await (const one of explainRows([rows[4], rows[0]], (batch) => batch.rows.map(score), options)) many.push(one);
    assert.deepEqual(withoutTime(many[1]), withoutTime(explanation));
    const { seen: other } = await asked({ samples: 600, sampling, seed: 4 });
    assert.notDeepEqual(other[1], all[1]);
  }
});

test('designed samples change weights less between seeds than independent ones', async () => {
  const variance = async (sampling) => {
    const weights = [];
    for (let seed = 0; seed < 12; seed++)
      weights.push((await asked({ samples: 257, sampling, seed, method: 'lime' })).explanation.weights);
    const mean = weights[0].map((_, c) => weights.reduce((sum, one) => sum + one[c] / weights.length, 0));
    return weights.reduce((sum, one) => sum + one.reduce((total, w, c) => total + (w - mean[c]) ** 2, 0), 0);
  };
  const [designed, independent] = [await variance('designed'), await variance('independent')];
  assert.ok(designed < independent / 2, `${designed} ${independent}`);
});

test('rows with many numeric columns are mirrored', async () => {
  const wide = Array.from({ length: 30 }, () => Array.from({ length: 60 }, random.normal));
  const seen = [];
  const predict = (batch) => {
    for (const row of batch) seen.push([...row]);
    return [...batch].map((row) => row[0]);
  };
  const many = await describeTable(wide);
  await explainRow(wide[0], predict, { table: many, samples: 241, draws: 0 });
  for (let i = 1; i < seen.length; i += 2)
    seen[i].forEach((value, c) => assert.ok(Math.abs(value + seen[i + 1][c] - 2 * wide[0][c]) < 1e-12));
  // A block has 120 rows, so asking pauses after whole blocks: 240, then 360.
  const options = { table: many, samples: 'auto', maxSamples: 700, features: 'all', precision: 1e-9 };
  const noise = (batch) => [...batch].map((row) => Math.sin(1e5 * row[0]));
  const { queries } = await explainRow(wide[0], noise, { ...options, draws: 30 });
  assert.deepEqual([queries.stopped, queries.planned], ['cap', 601]);
});

test('rows with at least 8 numeric columns and fewer than 16 samples per column are mirrored', async () => {
  const eight = Array.from({ length: 30 }, () => Array.from({ length: 8 }, random.normal));
  const about = await describeTable(eight);
  const isMirrored = async (samples, columns = about) => {
    const seen = [];
    const predict = (batch) => {
      for (const row of batch) seen.push([...row]);
      return [...batch].map((row) => row[0]);
    };
    const row = eight[0].slice(0, columns.columns.length);
    await explainRow(row, predict, { table: columns, samples, draws: 0 });
    return seen[1].every((value, c) => Math.abs(value + seen[2][c] - 2 * row[c]) < 1e-12);
  };
  assert.deepEqual([await isMirrored(127), await isMirrored(128)], [true, false]);
  assert.equal(await isMirrored(60, await describeTable(eight.map((row) => row.slice(0, 7)))), false);
});

const WORDS = Array.from({ length: 16 }, (_, i) => `w${i}`);

test('designed texts remove each number of words equally often', async () => {
  const removed = async (sampling) => {
    const counts = new Array(17).fill(0);
    const predict = (texts) => {
      for (const text of texts) counts[16 - text.split(' ').filter(Boolean).length]++;
      return texts.map((text) => text.length);
    };
    await explainText(WORDS.join(' '), predict, { samples: 129, draws: 0, sampling });
    return counts;
  };
  // Copies are asked once: there is one text without words, and there are 16 with one word.
  const counts = await removed('designed');
  assert.deepEqual([counts[0], counts[16]], [1, 1]);
  for (const count of counts.slice(3, 14)) assert.equal(count, 8);
  assert.ok((await removed('independent')).slice(3, 14).some((count) => Math.abs(count - 8) > 3));
});

const grid = (count) => ({ kind: /** @type {const} */ ('grid'), count });
/** Which segments each image keeps, from the color of its pixels: hidden ones are black. */
const watch = (seen) => (batch) => {
  const [count, height, width, channels] = batch.shape;
  const size = height * width * channels;
  for (let i = 0; i < count; i++) seen.push(batch.data.slice(i * size, (i + 1) * size));
  return Array.from({ length: count }, (_, i) => batch.data[i * size]);
};

test('designed masks of segments keep each segment half of the time, if there is a whole block', async () => {
  const image = { data: new Uint8Array(20 * 20).fill(200), width: 20, height: 20, channels: 1 };
  const shares = async (options) => {
    const seen = [];
    const how = { segments: grid(16), hide: [0], draws: 0, ...options };
    const { weights } = await explainImage(image, watch(seen), how);
    const kept = (pixel) => seen.slice(1).filter((data) => data[pixel] > 0).length;
    return { weights, kept: [0, 7, 190, 399].map(kept), asked: seen.length };
  };
  // 16 segments take a matrix of order 32: a block has 64 masks. Equal masks of different blocks are asked once.
  const designed = await shares({ samples: 65 });
  assert.deepEqual(designed.kept, [32, 32, 32, 32]);
  const independent = await shares({ samples: 65, sampling: 'independent' });
  assert.ok(independent.kept.some((count) => count !== 32));
  // Part of a block has whole pairs of complements.
  assert.deepEqual((await shares({ samples: 41 })).kept, [20, 20, 20, 20]);
  // With fewer than two samples per segment, masks are independent.
  const few = [await shares({ samples: 31 }), await shares({ samples: 31, sampling: 'independent' })];
  assert.deepEqual(few[0].weights, few[1].weights);
  assert.notDeepEqual(designed.weights, independent.weights);
});

test("samples: 'auto' asks about whole blocks of segments", async () => {
  const planned = async (count, options) => {
    const noise = (batch) =>
      Array.from({ length: batch.shape[0] }, (_, i) => ((batch.data[i * 7] * 7919 + i) % 97) / 97);
    const how = { segments: grid(count), samples: 'auto', precision: 1e-9, draws: 30, ...options };
    const { queries } = await explainImage(scene(4), noise, how);
    return [queries.stopped, queries.planned];
  };
  // 70 segments take blocks of 256; the most samples are 1000.
  assert.deepEqual(await planned(70, {}), ['cap', 769]);
  assert.deepEqual(await planned(70, { sampling: 'independent' }), ['cap', 1000]);
  assert.deepEqual(await planned(70, { maxSamples: 200 }), ['cap', 199]);
});

test('density and latent neighborhoods take the option, and own samplers get it', async () => {
  const density = await densityNeighborhood(table, { bandwidth: 0.3 });
  const coder = { encode: ({ data }) => [...data], decode: ({ data, shape }) => ({ data, shape }) };
  const latent = latentNeighborhood(coder, { kind: 'row', radius: 0.5 });
  const numbers = await describeTable(rows.map((row) => row.slice(0, 2)));
  const predict = (batch) => [...batch].map(([x, y]) => Math.tanh(x - 0.3 * y));
  for (const [neighborhood, row, about] of [
    [density, rows[0], table],
    [latent, rows[0].slice(0, 2), numbers],
  ]) {
    const weightsBy = async (options) => {
      const how = { table: about, neighborhood, samples: 129, draws: 0, ...options };
      return (await explainRow(row, predict, how)).weights;
    };
    const [byDefault, designed] = [await weightsBy({}), await weightsBy({ sampling: 'designed' })];
    const independent = await weightsBy({ sampling: 'independent' });
    assert.deepEqual(byDefault, designed);
    assert.notDeepEqual(designed, independent);
  }
  // A latent vector is the row itself here, so its noise is even: one value in each half, quarter, and so on.
  const drawn = await latent.sample([0, 0], 64, () => 0.25);
  const cells = drawn.map(([x]) => Math.floor(64 * shareBelow(x / 0.5)));
  assert.equal(new Set(cells).size, 64);
  await assert.rejects(
    latent.sample([0, 0], 4, () => 0.25, { sampling: 'even' }),
    RangeError,
  );
  assert.throws(() => density.sample(rows[0], 4, () => 0.25, { sampling: 'even' }), RangeError);
  for (const sampling of ['designed', 'independent']) {
    let given;
    const sample = (center, count, _, context) => {
      given = context.sampling;
      return rows.slice(0, Math.min(count, 70));
    };
    await explainRow(rows[0], (batch) => batch.rows.map(score), {
      table,
      neighborhood: { sample },
      draws: 0,
      sampling,
    });
    assert.equal(given, sampling);
  }
});

test('a call that draws no samples refuses the option, and unknown values are refused', async () => {
  const predict = (batch) => batch.rows.map(score);
  await assert.rejects(explainRow(rows[0], predict, { table, sampling: 'even' }), {
    name: 'RangeError',
    message: /sampling must be one of designed, independent, not "even"/,
  });
  await assert.rejects(
    explainRow(rows[0], predict, { table, method: 'shap', background: rows, sampling: 'designed' }),
    {
      name: 'TypeError',
      message: 'method \'shap\' takes no option "sampling"',
    },
  );
  const neighborhood = await forestNeighborhood(table, rows.map(score), { trees: 3 });
  await assert.rejects(explainRow(rows[0], predict, { table, method: 'maple', neighborhood, sampling: 'designed' }), {
    name: 'TypeError',
    message: 'method \'maple\' takes no option "sampling"',
  });
  await load();
  const samples = { points: [[0], [1], [2]], predictions: [0, 1, 2] };
  assert.throws(() => explainSamples(samples, { sampling: 'designed' }), {
    name: 'TypeError',
    message: /explainSamples has no option "sampling"/,
  });
});
