// Long computations give way to the event loop: an abort takes effect, nothing blocks, and the memory is released.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { explainRow, explainSamples, explainSamplesAsync, explainText, describeTable, load } from 'linex';
import { coreWasm } from '../../js/core/load.js';
import { dice } from '../support/dice.js';

const words = (count) => Array.from({ length: count }, (_, i) => `w${i}x`).join(' ');
/** Depends on which words are left, and takes no time, so that every block is ours. */
const model = (texts) =>
  texts.map((text) => Math.tanh(Math.sin(text.length / 50) + (text.charCodeAt(text.length >> 1) || 0) / 90));

// The first call of this size makes the memory grow, which counts as a few live bytes.
before(async () => {
  await load();
  await explainText(words(200), model, { samples: 50, draws: 0, features: 'all' });
});

/** The calls that blocked for seconds, or for good, and could not be aborted. */
const CASES = {
  '200 words, 200 samples, 4 environments': (more) =>
    explainText(words(200), model, { samples: 200, environments: 4, features: 'all', ...more }),
  '100 words, 100 samples, ridge 0.001': (more) =>
    explainText(words(100), model, { samples: 100, environments: 4, ridge: 0.001, features: 'all', ...more }),
  'Algorithm 1, and the intercept plays': (more) =>
    explainText(words(6), model, { solver: 'best-response', intercept: 'feature', features: 'all', ...more }),
  'clusters, until the weights are certain': (more) =>
    explainText(words(40), model, { environments: 'clusters', samples: 'auto', precision: 1e-9, ...more }),
  '2,000 positions, 20 draws': (more) =>
    explainText(words(2000), model, { features: 'all', unit: 'position', draws: 20, ...more }),
  'the path of 300 columns': async (more) => {
    const random = dice(4);
    const rows = Array.from({ length: 30 }, () => Array.from({ length: 300 }, random.normal));
    const predict = (batch) => batch.rows.map((row) => Math.tanh(row.reduce((sum, x, c) => sum + x * Math.sin(c), 0)));
    const options = { table: await describeTable(rows), features: 'all', solver: 'path', samples: 700, draws: 5 };
    return explainRow(rows[0], predict, { ...options, ...more });
  },
};

/** Runs `work` and returns the longest time between two turns of the event loop, in milliseconds. */
async function longestBlock(work) {
  let [longest, last, running] = [0, performance.now(), true];
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => (running = false));
  return longest;
}

for (const [name, call] of Object.entries(CASES))
  test(`${name}: an abort takes effect, and nothing blocks`, async (t) => {
    const live = coreWasm.core.linex_wasm_live_bytes();
    const controller = new AbortController();
    let aborted = Infinity;
    const timer = setTimeout(() => {
      aborted = performance.now();
      controller.abort(new Error('enough'));
    }, 500);
    const phases = new Set();
    const onProgress = ({ phase }) => phases.add(phase);
    const block = await longestBlock(() =>
      call({ signal: controller.signal, onProgress }).then(
        () => (aborted = performance.now()),
        (error) => assert.match(error.message, /enough/),
      ),
    );
    clearTimeout(timer);
    const late = performance.now() - aborted;
    t.diagnostic(`rejected ${late.toFixed(1)} ms after the abort; the longest block was ${block.toFixed(1)} ms`);
    // The aims are 100 and 50 ms. The limits have a tenfold margin for slow machines.
    assert.ok(late < 1000, `${late} ms after the abort`);
    assert.ok(block < 500, `a block of ${block} ms`);
    assert.ok(phases.has('solve') || phases.has('model'));
    assert.equal(coreWasm.core.linex_wasm_live_bytes(), live);
  });

test('solving reports how far it is', async () => {
  const told = [];
  const onProgress = ({ phase, progress }) => phase === 'solve' && told.push(progress);
  await explainText(words(60), model, { features: 'all', samples: 80, environments: 4, onProgress });
  assert.equal(told[0], 0);
  assert.ok(told.length > 2, `${told.length} reports`);
  told.forEach((progress, i) => assert.ok(progress >= (told[i - 1] ?? 0) && progress < 1));
});

test('explainSamplesAsync gives what explainSamples gives, and an abort ends it', async () => {
  const random = dice(6);
  const points = Array.from({ length: 90 }, () => Array.from({ length: 60 }, random.normal));
  const predictions = points.map((point) => Math.tanh(point[0] - point[1] * point[2]));
  const samples = { points, predictions };
  const options = { features: 'all', draws: 20, columns: points[0].map((_, c) => `c${c}`) };
  const withoutTime = ({ milliseconds, ...rest }) => [rest, Object.keys(milliseconds)];
  const live = coreWasm.core.linex_wasm_live_bytes();
  assert.deepEqual(
    withoutTime(await explainSamplesAsync(samples, options)),
    withoutTime(explainSamples(samples, options)),
  );
  const several = await explainSamplesAsync(
    { points, predictions: predictions.map((y) => [y, -y]) },
    { ...options, target: [0, 1] },
  );
  assert.equal(several.length, 2);
  const signal = AbortSignal.timeout(30);
  await assert.rejects(explainSamplesAsync(samples, { ...options, draws: 100000, signal }), { name: 'TimeoutError' });
  await assert.rejects(explainSamplesAsync(samples, { signal: AbortSignal.abort(new Error('before')) }), /before/);
  await assert.rejects(explainSamplesAsync(samples, { sgnal: 1 }), /sgnal/);
  await assert.rejects(explainSamplesAsync(samples, { onProgress: 1 }), TypeError);
  assert.equal(coreWasm.core.linex_wasm_live_bytes(), live);
});
